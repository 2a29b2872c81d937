//! Edges that no oracle judges, judged by a person.
//!
//! Where the truth says `variable` or `unresolved`, an edge of ours may still be right. `eval/judged.jsonl` holds such
//! edges with a verdict each: the share of the edge's targets that the call can reach. New ones are drawn with
//! `--unjudged N`, which prints rows without a verdict for edges that have none yet.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::rows::{Reference, Status, Truth, parse_lines};
use super::score::{Selection, pairs};

/// One edge with its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Judgement {
    repository: String,
    file: String,
    line: u32,
    callee: String,
    how: String,
    /// What the oracle said instead of a target.
    oracle: String,
    targets: usize,
    /// The first target, as `file:line`.
    target: String,
    /// Share of the targets that the call can reach.
    right: Option<f64>,
    /// Why, where that is not plain.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
}

impl Judgement {
    /// What makes it the same edge after an export of another day.
    fn key(&self) -> String {
        format!(
            "{} {}:{} {} > {}",
            self.repository, self.file, self.line, self.callee, self.target
        )
    }
}

/// All verdicts; none if the list is not there.
pub(super) fn read(root: &Path) -> Result<Vec<Judgement>> {
    let path = root.join("eval/judged.jsonl");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    parse_lines(bytes.as_slice()).with_context(|| format!("cannot read {}", path.display()))
}

/// Share of verdicts that are right, by repository.
pub(super) fn shares(rows: &[Judgement]) -> Vec<String> {
    let mut by_repository: BTreeMap<&str, (f64, u32)> = BTreeMap::new();
    for row in rows {
        if let Some(right) = row.right {
            let sum = by_repository.entry(&row.repository).or_default();
            sum.0 += right;
            sum.1 += 1;
        }
    }
    by_repository
        .into_iter()
        .map(|(name, (right, n_rows))| format!("{name}: {:.4} of {n_rows}", right / f64::from(n_rows)))
        .collect()
}

/// Up to `n_wanted` unjudged call edges of a repository that have no verdict; always the same for the same edges.
pub(super) fn sample(
    repository: &str,
    truth: &[Truth],
    references: &[Reference],
    judged: &[Judgement],
    n_wanted: usize,
) -> Vec<Judgement> {
    let known: BTreeSet<String> = judged.iter().map(Judgement::key).collect();
    let mut edges = unjudged(repository, truth, references);
    edges.retain(|edge| !known.contains(&edge.key()));
    edges.sort_by_key(|edge| fingerprint(&edge.key()));
    edges.truncate(n_wanted);
    edges.sort_by_key(Judgement::key);
    edges
}

fn unjudged(repository: &str, truth: &[Truth], references: &[Reference]) -> Vec<Judgement> {
    let kinds = ["call".to_owned(), "construct".to_owned()];
    let selection = Selection {
        kinds: &kinds,
        prefix: "",
        n_shown: 0,
    };
    let mut edges = Vec::new();
    for pair in pairs(truth, references, &selection) {
        let oracle = match pair.truth.status {
            Status::Variable => "variable",
            Status::Unresolved => "unresolved",
            Status::Internal | Status::External => continue,
        };
        if let (Some(reference), Some(target)) = (pair.reference, pair.targets().first()) {
            edges.push(Judgement {
                repository: repository.to_owned(),
                file: reference.file.clone(),
                line: reference.line,
                callee: reference.callee_text.clone(),
                how: reference.how.clone().unwrap_or_default(),
                oracle: oracle.to_owned(),
                targets: reference.targets.len(),
                target: format!("{}:{}", target.file, target.line),
                right: None,
                note: String::new(),
            });
        }
    }
    edges
}

/// FNV-1a: spreads edges evenly and is the same on every machine, which is all a sample needs.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(judged: &[Judgement]) -> Vec<Judgement> {
        let truth =
            br#"{"lang":"python","edge":"call","file":"a.py","line":1,"callee_text":"x.f","status":"variable"}"#;
        let reference = br#"{"edge":"call","file":"a.py","line":1,"callee_text":"f","outcome":"resolved","how":"self","targets":[{"file":"b.py","line":2,"name":"f"}]}"#;
        let truth: Vec<Truth> = parse_lines(truth.as_slice()).expect("truth");
        let references: Vec<Reference> = parse_lines(reference.as_slice()).expect("a reference");
        sample("r", &truth, &references, judged, 50)
    }

    #[test]
    fn an_edge_is_drawn_until_it_is_judged() {
        let drawn = draw(&[]);
        assert_eq!(
            (drawn.len(), drawn[0].target.as_str(), drawn[0].right),
            (1, "b.py:2", None)
        );
        assert!(draw(&drawn).is_empty());
    }

    #[test]
    fn shares_are_by_repository() {
        let right = Judgement {
            right: Some(1.0),
            ..draw(&[]).remove(0)
        };
        let half = Judgement {
            right: Some(0.5),
            ..right.clone()
        };
        let open = Judgement {
            right: None,
            ..right.clone()
        };
        assert_eq!(shares(&[right, half, open]), ["r: 0.7500 of 2"]);
    }

    #[test]
    fn the_list_of_verdicts_can_be_read() {
        assert!(read(&crate::workspace::root()).is_ok());
    }
}
