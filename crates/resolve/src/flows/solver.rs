//! The sets and their growth.

use rustc_hash::{FxHashMap, FxHashSet};
use strata_model::facts::Def;
use strata_model::ids::{DefId, FileIx, Position, StrId, SymbolRef};
use strata_model::outcome::How;

use super::classes::Ancestors;
use super::tables::FileTables;
use super::values::{Key, Name, Names, Place, Slot, Table, Value, ValueId};
use super::{FlowFile, MAX_PLACES, MAX_STEPS, MAX_VALUES};

/// What happens to each value of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It gets there, too.
    Copy(Place),
    /// As a member of an instance, a function takes the instance along.
    Receive(ValueId, Place),
    /// Its member is read.
    Member(Name, Place),
    /// Its member is written.
    SetMember(Name, Place),
    /// Its element is read.
    Element(Key, Place),
    /// Its element is written.
    SetElement(Key, Place),
    /// It is iterated; implicit calls belong to the site.
    Iterate(Option<SiteId>, Place),
    /// It is an iterator that is asked for the next value.
    Next(Option<SiteId>, Place),
    /// It is entered by `with`.
    Enter(Place),
    /// It is called.
    Call(CallId),
    /// It is raised.
    Raise(SiteId),
    /// It is entered and left by `with`; what that calls belongs to the site.
    With(SiteId),
}

/// A place of the text at which calls happen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct SiteId(pub(super) u32);

/// A place of the text at which calls happen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) file: FileIx,
    /// The call's reference.
    pub(super) reference: Option<u32>,
    pub(super) owner: Option<DefId>,
    pub(super) at: Position,
    /// How a target that flows there is found.
    pub(super) how: How,
}

/// A call that is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct CallId(pub(super) u32);

/// An argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    pub(super) place: Place,
    pub(super) name: Option<Name>,
    pub(super) is_spread: bool,
}

/// A call that is evaluated.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) site: Option<SiteId>,
    pub(super) callee: Place,
    pub(super) arguments: Vec<Argument>,
    pub(super) result: Place,
    /// True for `new C()`.
    pub(super) is_new: bool,
    /// How often it was passed on: to an instance's method, to what a library function is given.
    pub(super) depth: u8,
}

impl Call {
    /// Calls are passed on so often and no further.
    pub(super) const MAX_DEPTH: u8 = 4;
}

#[derive(Default)]
struct Set {
    values: Vec<ValueId>,
    /// Values whose uses have run.
    done: usize,
    uses: Vec<Use>,
    is_waiting: bool,
    is_full: bool,
}

/// All places and what gets to them.
pub(super) struct Solver<'f> {
    pub(super) files: &'f [FlowFile],
    pub(super) tables: Vec<FileTables>,
    pub(super) names: Names,
    pub(super) known: KnownNames,
    values: Table<Value>,
    slots: FxHashMap<Slot, Place>,
    sets: Vec<Set>,
    waiting: std::collections::VecDeque<Place>,
    steps: u64,
    pub(super) calls: Vec<Call>,
    pub(super) sites: Vec<Site>,
    /// Targets of calls.
    pub(super) reached: FxHashSet<(SiteId, Reached, How)>,
    /// Names of members that are assigned from outside somewhere: only for these there are places.
    pub(super) stored: FxHashSet<Name>,
    pub(super) ancestors: FxHashMap<SymbolRef, std::rc::Rc<Ancestors>>,
    /// Decorated definitions whose decorators have to say what the name stands for.
    pub(super) decorated: Vec<SymbolRef>,
    /// Parameters that a function returns as they are.
    pub(super) returned: FxHashMap<SymbolRef, std::rc::Rc<[u32]>>,
    /// Arguments that partial applications hold.
    pub(super) partials: FxHashMap<ValueId, Vec<Argument>>,
    /// Values that give back what they are called with.
    pub(super) identities: FxHashSet<ValueId>,
    /// Calls that have been passed on to an instance's method.
    pub(super) forwarded: FxHashSet<(CallId, ValueId)>,
    /// Calls that have been passed on to another place.
    pub(super) forwards: FxHashSet<(CallId, Place)>,
}

/// What a call reaches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) enum Reached {
    /// A function of the root.
    Symbol(SymbolRef),
    /// Something outside.
    External(Name),
}

/// Names that the solver itself looks for.
pub(super) struct KnownNames {
    pub(super) call: Name,
    pub(super) iter: Name,
    pub(super) next: Name,
    pub(super) enter: Name,
    pub(super) exit: Name,
    pub(super) assigned: Name,
    pub(super) default: Name,
    pub(super) prototype: Name,
}

impl<'f> Solver<'f> {
    pub(super) fn new(files: &'f [FlowFile]) -> Self {
        let mut names = Names::new();
        let mut name = |text: &str| Name(names.intern(text.into()).0);
        let known = KnownNames {
            call: name("__call__"),
            iter: name("__iter__"),
            next: name("__next__"),
            enter: name("__enter__"),
            exit: name("__exit__"),
            assigned: name("="),
            default: name("default"),
            prototype: name("prototype"),
        };
        Self {
            files,
            tables: files.iter().map(FileTables::new).collect(),
            names,
            known,
            values: Table::new(),
            slots: FxHashMap::default(),
            sets: Vec::new(),
            waiting: std::collections::VecDeque::new(),
            steps: 0,
            calls: Vec::new(),
            sites: Vec::new(),
            reached: FxHashSet::default(),
            stored: FxHashSet::default(),
            ancestors: FxHashMap::default(),
            decorated: Vec::new(),
            returned: FxHashMap::default(),
            partials: FxHashMap::default(),
            identities: FxHashSet::default(),
            forwarded: FxHashSet::default(),
            forwards: FxHashSet::default(),
        }
    }

    // ---- names and values ------------------------------------------------------------------------------------------

    pub(super) fn intern(&mut self, text: &str) -> Name {
        Name(self.names.intern(text.into()).0)
    }

    pub(super) fn text(&self, name: Name) -> std::rc::Rc<str> {
        std::rc::Rc::clone(self.names.get(name.0))
    }

    pub(super) fn name(&mut self, file: FileIx, id: StrId) -> Name {
        let text = self.files[file.ix()].facts.str(id);
        Name(self.names.intern(text.into()).0)
    }

    pub(super) fn value(&mut self, value: Value) -> ValueId {
        ValueId(self.values.intern(value).0)
    }

    pub(super) fn get(&self, value: ValueId) -> Value {
        *self.values.get(value.0)
    }

    pub(super) fn def(&self, symbol: SymbolRef) -> &'f Def {
        self.files[symbol.file.ix()].facts.def(symbol.def)
    }

    pub(super) fn is_ecmascript(&self, file: FileIx) -> bool {
        self.files[file.ix()].language.policy().is_hoisted
    }

    // ---- places ----------------------------------------------------------------------------------------------------

    /// The place of a slot, and true when it is new.
    pub(super) fn place(&mut self, slot: Slot) -> (Place, bool) {
        if let Some(place) = self.slots.get(&slot) {
            return (*place, false);
        }
        let place = self.fresh();
        self.slots.insert(slot, place);
        (place, true)
    }

    pub(super) fn fresh(&mut self) -> Place {
        let place = Place(u32::try_from(self.sets.len()).unwrap_or(u32::MAX));
        self.sets.push(Set::default());
        place
    }

    pub(super) fn add(&mut self, place: Place, value: ValueId) {
        let set = &mut self.sets[place.0 as usize];
        if set.values.contains(&value) {
            return;
        }
        if set.values.len() >= MAX_VALUES {
            set.is_full = true;
            return;
        }
        set.values.push(value);
        if !set.is_waiting {
            set.is_waiting = true;
            self.waiting.push_back(place);
        }
    }

    pub(super) fn values_of(&self, place: Place) -> &[ValueId] {
        &self.sets[place.0 as usize].values
    }

    /// True when more values got to a place than are followed.
    pub(super) fn is_full(&self, place: Place) -> bool {
        self.sets[place.0 as usize].is_full
    }

    pub(super) fn copy(&mut self, from: Place, to: Place) {
        if from != to {
            self.add_use(from, Use::Copy(to));
        }
    }

    pub(super) fn add_use(&mut self, place: Place, what: Use) {
        let set = &mut self.sets[place.0 as usize];
        if set.uses.contains(&what) {
            return;
        }
        set.uses.push(what);
        let done: Vec<ValueId> = set.values[..set.done].to_vec();
        for value in done {
            self.apply(what, value);
        }
    }

    // ---- growth ----------------------------------------------------------------------------------------------------

    pub(super) fn solve(&mut self) {
        while let Some(place) = self.waiting.pop_front() {
            if self.is_cut() {
                return;
            }
            let ix = place.0 as usize;
            self.sets[ix].is_waiting = false;
            while self.sets[ix].done < self.sets[ix].values.len() {
                let value = self.sets[ix].values[self.sets[ix].done];
                self.sets[ix].done += 1;
                // A use that is added meanwhile runs for this value when it is added.
                for next in 0..self.sets[ix].uses.len() {
                    let what = self.sets[ix].uses[next];
                    self.apply(what, value);
                }
            }
        }
    }

    /// True when a limit ended the analysis.
    pub(super) fn is_cut(&self) -> bool {
        self.steps > MAX_STEPS || self.sets.len() > MAX_PLACES
    }

    fn apply(&mut self, what: Use, value: ValueId) {
        self.steps += 1;
        match what {
            Use::Copy(to) => self.add(to, value),
            Use::Receive(receiver, to) => {
                let taken = match self.get(value) {
                    Value::Func(function) => self.value(Value::Bound(function, receiver)),
                    _ => value,
                };
                self.add(to, taken);
            }
            Use::Member(name, to) => self.load(value, name, to),
            Use::SetMember(name, from) => self.store(value, name, from),
            Use::Element(key, to) => self.load_element(value, key, to),
            Use::SetElement(key, from) => self.store_element(value, key, from),
            Use::Iterate(site, to) => self.iterate(value, site, to),
            Use::Next(site, to) => self.next(value, site, to),
            Use::Enter(to) => self.enter(value, to),
            Use::Call(call) => self.call(call, value),
            Use::Raise(site) => self.raise(value, site),
            Use::With(site) => self.with(value, site),
        }
    }

    pub(super) fn reach(&mut self, site: Option<SiteId>, target: Reached, how: How) {
        if let Some(site) = site {
            self.reached.insert((site, target, how));
        }
    }
}
