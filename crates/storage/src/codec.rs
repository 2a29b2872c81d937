//! Compact forms of what is stored as a blob.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bitcode::{Decode, Encode};
use strata_model::facts::{Metrics, Problem};
use strata_model::ids::{DefId, Position};
use strata_model::outcome::{How, Status};

use crate::rows::{FileId, NodeId, StoredOutcome, StoredTarget, Unlisted};

fn push_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take_varint(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0u32;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn take_u64(bytes: &mut &[u8]) -> Option<u64> {
    let (head, rest) = bytes.split_first_chunk::<8>()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*head))
}

/// The measures in a fixed order, a few bytes each.
pub(crate) fn encode_metrics(metrics: &Metrics) -> Vec<u8> {
    let Metrics {
        statements,
        max_depth,
        branches,
        loops,
        tries,
        calls,
        early_returns,
        awaits,
        closures,
    } = *metrics;
    let mut out = Vec::with_capacity(12);
    for value in [
        statements,
        max_depth,
        branches,
        loops,
        tries,
        calls,
        early_returns,
        awaits,
        closures,
    ] {
        push_varint(&mut out, value);
    }
    out
}

pub(crate) fn decode_metrics(mut bytes: &[u8]) -> Option<Metrics> {
    let bytes = &mut bytes;
    Some(Metrics {
        statements: take_varint(bytes)?,
        max_depth: take_varint(bytes)?,
        branches: take_varint(bytes)?,
        loops: take_varint(bytes)?,
        tries: take_varint(bytes)?,
        calls: take_varint(bytes)?,
        early_returns: take_varint(bytes)?,
        awaits: take_varint(bytes)?,
        closures: take_varint(bytes)?,
    })
}

/// Problems as text, one a line: `line:column message`. None when there is none.
pub(crate) fn encode_problems(problems: &[Problem]) -> Option<String> {
    if problems.is_empty() {
        return None;
    }
    let mut out = String::new();
    for problem in problems {
        let message = problem.message.replace(['\n', '\r'], " ");
        let Position { line, column } = problem.position;
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{line}:{column} {message}");
    }
    Some(out)
}

pub(crate) fn decode_problems(text: &str) -> Vec<Problem> {
    let decode = |line: &str| {
        let (place, message) = line.split_once(' ')?;
        let (line, column) = place.split_once(':')?;
        let position = Position {
            line: line.parse().ok()?,
            column: column.parse().ok()?,
        };
        Some(Problem {
            position,
            message: message.to_owned(),
        })
    };
    text.lines().filter_map(decode).collect()
}

/// Numbers of nodes by the codes of level and kind, as text: `3.11=120 3.12=7`.
pub(crate) fn encode_kinds(kinds: &BTreeMap<(u8, u8), u64>) -> String {
    let words: Vec<String> = kinds
        .iter()
        .map(|((level, kind), n_nodes)| format!("{level}.{kind}={n_nodes}"))
        .collect();
    words.join(" ")
}

pub(crate) fn decode_kinds(text: &str) -> Option<BTreeMap<(u8, u8), u64>> {
    let decode = |word: &str| {
        let (codes, n_nodes) = word.split_once('=')?;
        let (level, kind) = codes.split_once('.')?;
        Some(((level.parse().ok()?, kind.parse().ok()?), n_nodes.parse().ok()?))
    };
    text.split_whitespace().map(decode).collect()
}

/// Keys as eight bytes each. They are hashes: the differences of sorted ones have as many digits as they have.
pub(crate) fn encode_keys(keys: &[u64]) -> Vec<u8> {
    keys.iter().flat_map(|key| key.to_le_bytes()).collect()
}

/// Replaces the content of `out`.
pub(crate) fn decode_keys(bytes: &[u8], out: &mut Vec<u64>) {
    out.clear();
    out.extend(bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk)));
}

/// Definitions without a node, in the order given.
pub(crate) fn encode_unlisted(unlisted: &[Unlisted]) -> Vec<u8> {
    let mut out = Vec::with_capacity(unlisted.len() * 11);
    for definition in unlisted {
        out.extend_from_slice(&definition.key.to_le_bytes());
        push_varint(&mut out, definition.def.0);
        push_varint(&mut out, definition.owner.map_or(0, |owner| owner.0 + 1));
    }
    out
}

pub(crate) fn decode_unlisted(mut bytes: &[u8]) -> Option<Vec<Unlisted>> {
    let mut out = Vec::new();
    while !bytes.is_empty() {
        let key = take_u64(&mut bytes)?;
        let def = DefId(take_varint(&mut bytes)?);
        let owner = take_varint(&mut bytes)?.checked_sub(1).map(DefId);
        out.push(Unlisted { key, def, owner });
    }
    Some(out)
}

/// Outcomes by column: columns of few different values pack well, and names outside the root repeat within a file.
#[derive(Default, Encode, Decode)]
struct PackedOutcomes {
    status: Vec<u8>,
    how: Vec<u8>,
    chain: Vec<u8>,
    target_counts: Vec<u32>,
    /// Node ids, or 0 for a target that is the next of `unlisted`.
    targets: Vec<u32>,
    unlisted: Vec<(u32, u64)>,
    externals: Vec<String>,
    /// Index into `externals` plus 1; 0 for none.
    external_of: Vec<u32>,
}

pub(crate) fn encode_outcomes<'a>(
    outcomes: impl ExactSizeIterator<Item = (Status, How, u8, &'a [StoredTarget], Option<&'a str>)>,
) -> Vec<u8> {
    let mut packed = PackedOutcomes::default();
    let mut external_ids: rustc_hash::FxHashMap<&str, u32> = rustc_hash::FxHashMap::default();
    for (status, how, chain, targets, external) in outcomes {
        packed.status.push(status.code());
        packed.how.push(how.code());
        packed.chain.push(chain);
        packed.target_counts.push(targets.len() as u32);
        for target in targets {
            match *target {
                StoredTarget::Node(node) => packed.targets.push(node.0),
                StoredTarget::Unlisted(file, key) => {
                    packed.targets.push(0);
                    packed.unlisted.push((file.0, key));
                }
            }
        }
        packed.external_of.push(external.map_or(0, |external| {
            *external_ids.entry(external).or_insert_with(|| {
                packed.externals.push(external.to_owned());
                packed.externals.len() as u32
            })
        }));
    }
    bitcode::encode(&packed)
}

pub(crate) fn decode_outcomes(bytes: &[u8]) -> Option<Vec<StoredOutcome>> {
    let packed: PackedOutcomes = bitcode::decode(bytes).ok()?;
    let mut targets = packed.targets.iter();
    let mut unlisted = packed.unlisted.iter();
    let mut out = Vec::with_capacity(packed.status.len());
    for (ix, &status) in packed.status.iter().enumerate() {
        let mut outcome = StoredOutcome {
            status: Status::from_code(status)?,
            how: How::from_code(*packed.how.get(ix)?)?,
            chain: *packed.chain.get(ix)?,
            targets: Vec::new(),
            external: None,
        };
        for _ in 0..*packed.target_counts.get(ix)? {
            outcome.targets.push(match *targets.next()? {
                0 => {
                    let &(file, key) = unlisted.next()?;
                    StoredTarget::Unlisted(FileId(file), key)
                }
                node => StoredTarget::Node(NodeId(node)),
            });
        }
        if let Some(external) = packed.external_of.get(ix)?.checked_sub(1) {
            outcome.external = Some(packed.externals.get(external as usize)?.clone());
        }
        out.push(outcome);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn target() -> impl Strategy<Value = StoredTarget> {
        prop_oneof![
            (1..u32::MAX).prop_map(|id| StoredTarget::Node(NodeId(id))),
            (any::<u32>(), any::<u64>()).prop_map(|(file, key)| StoredTarget::Unlisted(FileId(file), key)),
        ]
    }

    fn outcome() -> impl Strategy<Value = StoredOutcome> {
        (
            0..Status::ALL.len(),
            0..How::ALL.len(),
            any::<u8>(),
            prop::collection::vec(target(), 0..4),
            prop::option::of("[a-z:.]{0,12}"),
        )
            .prop_map(|(status, how, chain, targets, external)| StoredOutcome {
                status: Status::ALL[status],
                how: How::ALL[how],
                chain,
                targets,
                external,
            })
    }

    proptest! {
        #[test]
        fn outcomes_survive(outcomes in prop::collection::vec(outcome(), 0..40)) {
            let packed = encode_outcomes(
                outcomes.iter().map(|o| (o.status, o.how, o.chain, o.targets.as_slice(), o.external.as_deref())),
            );
            prop_assert_eq!(decode_outcomes(&packed), Some(outcomes));
        }

        #[test]
        fn keys_survive(keys in prop::collection::vec(any::<u64>(), 0..40)) {
            let mut out = vec![1];
            decode_keys(&encode_keys(&keys), &mut out);
            prop_assert_eq!(out, keys);
        }

        #[test]
        fn metrics_survive(v in prop::array::uniform9(any::<u32>())) {
            let metrics = Metrics {
                statements: v[0], max_depth: v[1], branches: v[2], loops: v[3], tries: v[4], calls: v[5],
                early_returns: v[6], awaits: v[7], closures: v[8],
            };
            prop_assert_eq!(decode_metrics(&encode_metrics(&metrics)), Some(metrics));
        }

        #[test]
        fn unlisted_survive(v in prop::collection::vec((any::<u64>(), any::<u32>(), prop::option::of(0..u32::MAX)), 0..20)) {
            let unlisted: Vec<Unlisted> = v
                .into_iter()
                .map(|(key, def, owner)| Unlisted { key, def: DefId(def), owner: owner.map(DefId) })
                .collect();
            prop_assert_eq!(decode_unlisted(&encode_unlisted(&unlisted)), Some(unlisted));
        }

        #[test]
        fn damaged_blobs_are_refused_or_read_but_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = (decode_outcomes(&bytes), decode_unlisted(&bytes), decode_metrics(&bytes));
        }
    }

    #[test]
    fn problems_survive() {
        let problems = vec![Problem {
            position: Position { line: 3, column: 7 },
            message: "missing `)` here".to_owned(),
        }];
        assert_eq!(
            decode_problems(&encode_problems(&problems).expect("not empty")),
            problems
        );
        assert_eq!(encode_problems(&[]), None);
    }
}
