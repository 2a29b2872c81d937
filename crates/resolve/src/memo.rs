//! Memory of evaluations, with the keys each one rests on, and least fixpoints where they depend on themselves.
//!
//! An evaluation that meets itself gets the value found so far (at first: nothing). The outermost evaluation of such a
//! cycle repeats until its value stands; only then is it remembered. Evaluations inside the cycle are remembered for the
//! current round alone. So a remembered value never depends on where the evaluation was entered, which is what makes
//! results independent of file order.

use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};
use strata_model::ids::FileIx;

/// Rounds after which an evaluation that depends on itself is given up.
const MAX_ROUNDS: u32 = 4;
/// Deepest nesting of evaluations; beyond it the value is unknown and not remembered.
const MAX_DEPTH: usize = 400;

/// A key that was looked up, and the file that answers it. Paths are answered by nobody.
pub(crate) type Lookup = (FileIx, u64);

/// The owner of keys that no file answers.
pub(crate) const NO_FILE: FileIx = FileIx(u32::MAX);

/// What an evaluation rests on: keys, and remembered answers. Cleared of repetitions whenever it has doubled.
#[derive(Clone, Debug, Default)]
struct Uses {
    lookups: Vec<Lookup>,
    entries: Vec<u32>,
    limit: usize,
}

impl Uses {
    const FIRST_LIMIT: usize = 64;

    fn add_lookup(&mut self, lookup: Lookup) {
        if self.lookups.last() != Some(&lookup) {
            self.lookups.push(lookup);
            self.keep_small();
        }
    }

    fn add_entry(&mut self, entry: u32) {
        if self.entries.last() != Some(&entry) {
            self.entries.push(entry);
            self.keep_small();
        }
    }

    fn merge(&mut self, other: &Self) {
        self.lookups.extend_from_slice(&other.lookups);
        self.entries.extend_from_slice(&other.entries);
        self.keep_small();
    }

    fn keep_small(&mut self) {
        if self.lookups.len() + self.entries.len() > self.limit.max(Self::FIRST_LIMIT) {
            self.without_repetitions();
            self.limit = 2 * (self.lookups.len() + self.entries.len());
        }
    }

    fn without_repetitions(&mut self) {
        self.lookups.sort_unstable();
        self.lookups.dedup();
        self.entries.sort_unstable();
        self.entries.dedup();
    }
}

struct Open {
    /// Lowest stack position of an open evaluation that this one met.
    lowest: usize,
    uses: Uses,
}

struct Provisional<V> {
    value: V,
    lowest: usize,
    uses: Uses,
}

/// An answer, and the ends of its runs in the lists of what answers rest on; each run starts where the one before ends.
struct Remembered<V> {
    value: V,
    lookups_end: u32,
    entries_end: u32,
}

/// What to do about a question.
pub(crate) enum Step<V> {
    /// The answer is known.
    Known(V),
    /// Evaluate it, then call [`Memo::close`].
    Evaluate,
}

/// What to do after an evaluation.
pub(crate) enum Close<V> {
    /// This is the answer.
    Done(V),
    /// Evaluate again.
    Again,
}

/// Answers by question.
pub(crate) struct Memo<Q, V> {
    done: FxHashMap<Q, u32>,
    values: Vec<Remembered<V>>,
    /// Keys and remembered answers that remembered answers rest on, one run after the other: there are many, and lists of
    /// their own would cost more than what they hold.
    all_lookups: Vec<Lookup>,
    all_entries: Vec<u32>,
    provisional: FxHashMap<Q, Provisional<V>>,
    open: FxHashMap<Q, (usize, V, u32)>,
    stack: Vec<Open>,
}

impl<Q: Copy + Eq + Hash, V: Clone + PartialEq> Memo<Q, V> {
    pub(crate) fn new() -> Self {
        Self {
            done: FxHashMap::default(),
            values: Vec::new(),
            all_lookups: Vec::new(),
            all_entries: Vec::new(),
            provisional: FxHashMap::default(),
            open: FxHashMap::default(),
            stack: vec![Open {
                lowest: usize::MAX,
                uses: Uses::default(),
            }],
        }
    }

    /// Records a key for the evaluation that is open.
    pub(crate) fn look_up(&mut self, lookup: Lookup) {
        if let Some(top) = self.stack.last_mut() {
            top.uses.add_lookup(lookup);
        }
    }

    /// Starts the evaluation of a question; `nothing` is the value that a cycle begins with.
    pub(crate) fn open(&mut self, question: Q, nothing: V) -> Step<V> {
        if let Some(entry) = self.done.get(&question) {
            let entry = *entry;
            if let Some(top) = self.stack.last_mut() {
                top.uses.add_entry(entry);
            }
            return Step::Known(self.values[entry as usize].value.clone());
        }
        if let Some((position, value, _)) = self.open.get(&question) {
            let (position, value) = (*position, value.clone());
            self.meet(position);
            return Step::Known(value);
        }
        if let Some(provisional) = self.provisional.get(&question) {
            if let Some(top) = self.stack.last_mut() {
                top.lowest = top.lowest.min(provisional.lowest);
                top.uses.merge(&provisional.uses);
            }
            return Step::Known(provisional.value.clone());
        }
        if self.stack.len() > MAX_DEPTH {
            // Met nothing below the bottom: whatever rests on this is not remembered.
            self.meet(0);
            return Step::Known(nothing);
        }
        self.open.insert(question, (self.stack.len(), nothing, 0));
        self.stack.push(Open {
            lowest: usize::MAX,
            uses: Uses::default(),
        });
        Step::Evaluate
    }

    /// Ends a round of evaluation with its value.
    pub(crate) fn close(&mut self, question: Q, value: V, nothing: V) -> Close<V> {
        let Some((position, previous, rounds)) = self.open.get(&question).cloned() else {
            return Close::Done(value);
        };
        let Some(top) = self.stack.last_mut() else {
            return Close::Done(value);
        };
        let lowest = top.lowest;
        let is_head = lowest == position;
        if is_head && value != previous && rounds < MAX_ROUNDS {
            top.lowest = usize::MAX;
            top.uses = Uses::default();
            self.open.insert(question, (position, value, rounds + 1));
            self.drop_provisional(position);
            return Close::Again;
        }
        let value = if is_head && value != previous { nothing } else { value };
        self.open.remove(&question);
        let Some(Open { mut uses, .. }) = self.stack.pop() else {
            return Close::Done(value);
        };
        uses.without_repetitions();
        if is_head {
            self.drop_provisional(position);
        }
        if lowest < position {
            self.meet(lowest);
            if let Some(top) = self.stack.last_mut() {
                top.uses.merge(&uses);
            }
            self.provisional.insert(
                question,
                Provisional {
                    value: value.clone(),
                    lowest,
                    uses,
                },
            );
        } else {
            let entry = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
            self.all_lookups.extend_from_slice(&uses.lookups);
            self.all_entries.extend_from_slice(&uses.entries);
            self.values.push(Remembered {
                value: value.clone(),
                lookups_end: u32::try_from(self.all_lookups.len()).unwrap_or(u32::MAX),
                entries_end: u32::try_from(self.all_entries.len()).unwrap_or(u32::MAX),
            });
            self.done.insert(question, entry);
            if let Some(top) = self.stack.last_mut() {
                top.uses.add_entry(entry);
            }
        }
        Close::Done(value)
    }

    /// Takes every key that was recorded at the bottom of the stack, directly or through remembered answers, apart from
    /// those that `own` answers itself.
    pub(crate) fn take_keys(&mut self, own: FileIx) -> Vec<u64> {
        let uses = std::mem::take(&mut self.stack[0].uses);
        self.provisional.clear();
        let mut keys: Vec<u64> = Vec::new();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut pending = uses.entries;
        keys.extend(
            uses.lookups
                .iter()
                .filter(|(file, _)| *file != own)
                .map(|(_, key)| *key),
        );
        while let Some(entry) = pending.pop() {
            if seen.insert(entry) {
                let (lookups, entries) = self.rests_on(entry as usize);
                keys.extend(lookups.iter().filter(|(file, _)| *file != own).map(|(_, key)| *key));
                pending.extend_from_slice(entries);
            }
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Keys and remembered answers that a remembered answer rests on.
    fn rests_on(&self, entry: usize) -> (&[Lookup], &[u32]) {
        let end = &self.values[entry];
        let (first_lookup, first_entry) = match entry.checked_sub(1) {
            Some(before) => (self.values[before].lookups_end, self.values[before].entries_end),
            None => (0, 0),
        };
        (
            &self.all_lookups[first_lookup as usize..end.lookups_end as usize],
            &self.all_entries[first_entry as usize..end.entries_end as usize],
        )
    }

    fn meet(&mut self, position: usize) {
        if let Some(top) = self.stack.last_mut() {
            top.lowest = top.lowest.min(position);
        }
    }

    fn drop_provisional(&mut self, position: usize) {
        if !self.provisional.is_empty() {
            self.provisional.retain(|_, it| it.lowest < position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Close, Memo, Step};
    use strata_model::ids::FileIx;

    /// A system of equations over sets of bits: each unknown is its own bits joined with other unknowns.
    struct System {
        memo: Memo<usize, u32>,
        own: Vec<u32>,
        joins: Vec<Vec<usize>>,
        n_evaluations: u32,
    }

    impl System {
        fn new(equations: &[(u32, &[usize])]) -> Self {
            Self {
                memo: Memo::new(),
                own: equations.iter().map(|(own, _)| *own).collect(),
                joins: equations.iter().map(|(_, joins)| joins.to_vec()).collect(),
                n_evaluations: 0,
            }
        }

        fn ask(&mut self, question: usize) -> u32 {
            match self.memo.open(question, 0) {
                Step::Known(value) => value,
                Step::Evaluate => loop {
                    self.n_evaluations += 1;
                    self.memo
                        .look_up((FileIx(u32::try_from(question).unwrap()), question as u64));
                    let mut value = self.own[question];
                    for other in self.joins[question].clone() {
                        value |= self.ask(other);
                    }
                    if let Close::Done(value) = self.memo.close(question, value, 0) {
                        return value;
                    }
                },
            }
        }
    }

    #[test]
    fn a_cycle_has_one_value_wherever_it_is_entered() {
        let equations: &[(u32, &[usize])] = &[(1, &[1]), (2, &[2, 3]), (4, &[0]), (8, &[])];
        for first in 0..4 {
            let mut system = System::new(equations);
            system.ask(first);
            let values: Vec<u32> = (0..4).map(|question| system.ask(question)).collect();
            assert_eq!(values, [15, 15, 15, 8], "entered at {first}");
        }
    }

    #[test]
    fn an_answer_is_evaluated_once() {
        let mut system = System::new(&[(1, &[1, 2]), (2, &[2]), (4, &[])]);
        assert_eq!((system.ask(0), system.ask(1), system.ask(2)), (7, 6, 4));
        assert_eq!(system.n_evaluations, 3);
    }

    #[test]
    fn keys_of_remembered_answers_count_for_everyone_who_uses_them() {
        let mut system = System::new(&[(1, &[1]), (2, &[2]), (4, &[])]);
        system.ask(1);
        system.memo.take_keys(FileIx(9));
        system.ask(0);
        assert_eq!(system.memo.take_keys(FileIx(0)), [1, 2]);
    }

    #[test]
    fn keys_of_a_cycle_are_complete_for_each_member() {
        for first in 0..2 {
            let mut system = System::new(&[(1, &[1]), (2, &[0, 2]), (4, &[])]);
            system.ask(first);
            assert_eq!(system.memo.take_keys(FileIx(9)), [0, 1, 2]);
            system.ask(1 - first);
            assert_eq!(system.memo.take_keys(FileIx(9)), [0, 1, 2]);
        }
    }
}
