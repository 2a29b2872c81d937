//! Edges that no oracle judges, judged by a person.
//!
//! Where the truth says `variable` or `unresolved`, an edge of ours may still be right. A sample of them is kept in
//! `eval/judged/<repository>.jsonl`, one JSON object a line, with a `verdict` of `right`, `wrong` or `null` and a
//! `reason` in words. Drawing a sample again keeps the verdicts on edges that are still the same.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::rows::{Reference, Status, Truth, parse_lines};
use super::score::{Selection, pairs};

/// One edge to judge. Equal in all but verdict and reason means the same edge.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Judgement {
    file: String,
    line: u32,
    callee_text: String,
    how: Option<String>,
    target_file: String,
    target_line: u32,
    target_name: String,
    verdict: Option<Verdict>,
    reason: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Right,
    Wrong,
}

impl Judgement {
    fn key(&self) -> String {
        let (file, line, callee) = (&self.file, self.line, &self.callee_text);
        format!(
            "{file}:{line}:{callee}>{}:{}:{}",
            self.target_file, self.target_line, self.target_name
        )
    }
}

/// Writes a sample of a repository's unjudged call edges: always the same one for the same edges.
pub(super) fn write_sample(
    root: &Path,
    repository: &str,
    truth: &[Truth],
    references: &[Reference],
    n_wanted: usize,
) -> Result<()> {
    let folder = root.join("eval/judged");
    let path = folder.join(format!("{repository}.jsonl"));
    let known: BTreeMap<String, Judgement> = read(&path)?.into_iter().map(|old| (old.key(), old)).collect();
    let mut sample = unjudged(truth, references);
    sample.sort_by_key(|edge| fingerprint(&edge.key()));
    sample.truncate(n_wanted);
    sample.sort_by_key(Judgement::key);
    let mut text = String::new();
    for edge in sample {
        let row = known.get(&edge.key()).cloned().unwrap_or(edge);
        writeln!(text, "{}", serde_json::to_string(&row)?).expect("writing to a string cannot fail");
    }
    fs::create_dir_all(&folder)?;
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Prints the share that was judged right, a line for each list that is there.
pub(super) fn print(root: &Path) -> Result<()> {
    let folder = root.join("eval/judged");
    if !folder.is_dir() {
        return Ok(());
    }
    let mut paths: Vec<_> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    println!("\nedges that no oracle judges, judged by hand");
    for path in paths {
        let rows = read(&path)?;
        let n_right = rows.iter().filter(|row| row.verdict == Some(Verdict::Right)).count();
        let n_judged = rows.iter().filter(|row| row.verdict.is_some()).count();
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
        println!(
            "{name}: {n_right} of {n_judged} right, {} not judged yet",
            rows.len() - n_judged
        );
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Judgement>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse_lines(bytes.as_slice()).with_context(|| format!("cannot read {}", path.display()))
}

fn unjudged(truth: &[Truth], references: &[Reference]) -> Vec<Judgement> {
    let kinds = ["call".to_owned(), "construct".to_owned()];
    let selection = Selection {
        kinds: &kinds,
        prefix: "",
        n_shown: 0,
    };
    let mut edges = Vec::new();
    for pair in pairs(truth, references, &selection) {
        if !matches!(pair.truth.status, Status::Variable | Status::Unresolved) {
            continue;
        }
        for target in pair.targets() {
            edges.push(Judgement {
                file: pair.truth.file.clone(),
                line: pair.truth.line,
                callee_text: pair.truth.callee_text.clone(),
                how: pair.reference.and_then(|reference| reference.how.clone()),
                target_file: target.file.clone(),
                target_line: target.line,
                target_name: target.name.clone().unwrap_or_default(),
                verdict: None,
                reason: String::new(),
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

    fn rows() -> (Vec<Truth>, Vec<Reference>) {
        let truth =
            br#"{"lang":"python","edge":"call","file":"a.py","line":1,"callee_text":"x.f","status":"variable"}"#;
        let reference = br#"{"edge":"call","file":"a.py","line":1,"callee_text":"x.f","outcome":"resolved","how":"field","targets":[{"file":"b.py","line":2,"name":"f"}]}"#;
        (
            parse_lines(truth.as_slice()).expect("truth"),
            parse_lines(reference.as_slice()).expect("reference"),
        )
    }

    #[test]
    fn a_verdict_survives_the_next_sample() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("eval/judged/r.jsonl");
        let (truth, references) = rows();
        write_sample(folder.path(), "r", &truth, &references, 50).expect("the first sample");
        let first = fs::read_to_string(&path).expect("the sample");
        fs::write(&path, first.replace("null,", "\"right\",")).expect("a judge's edit");
        write_sample(folder.path(), "r", &truth, &references, 50).expect("the second sample");
        let rows = read(&path).expect("valid judgements");
        assert!(rows.len() == 1 && rows[0].verdict == Some(Verdict::Right));
    }
}
