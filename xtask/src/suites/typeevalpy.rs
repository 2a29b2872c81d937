//! The micro-benchmark of TypeEvalPy: Python programs with the types of functions, parameters and variables.
//!
//! Stratigraph exports no types, so types are not compared. What can be compared is the part of the ground truth that says
//! which functions there are: a row of a function is met when a function of that qualified name is exported whose text
//! has the row's line. Rows of parameters and variables are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::Verdict;
use super::export::{Binary, Node};

#[derive(Deserialize)]
struct Row {
    file: String,
    line_number: u32,
    function: Option<String>,
    parameter: Option<String>,
    variable: Option<String>,
}

pub(super) fn run(suite: &Path, binary: &Binary) -> Result<BTreeMap<String, Verdict>> {
    let root = suite.join("micro-benchmark");
    let mut truths = Vec::new();
    find(&root, &mut truths)?;
    truths.sort();
    let mut verdicts = BTreeMap::new();
    for truth in truths {
        let text = std::fs::read_to_string(&truth)?;
        let rows: Vec<Row> = serde_json::from_str(&text).with_context(|| format!("{}", truth.display()))?;
        let folder = truth.parent().context("a file lies in a folder")?;
        let export = binary.export(folder, None)?;
        let case = folder
            .strip_prefix(&root)
            .unwrap_or(folder)
            .to_string_lossy()
            .into_owned();
        let verdict: &mut Verdict = verdicts.entry(case).or_default();
        verdict.missing.extend(missing(&rows, &export.nodes));
    }
    Ok(verdicts)
}

fn missing(rows: &[Row], nodes: &[Node]) -> BTreeSet<(String, String)> {
    rows.iter()
        .filter(|row| row.parameter.is_none() && row.variable.is_none())
        .filter_map(|row| Some((row, row.function.as_deref()?)))
        .filter(|(row, function)| !nodes.iter().any(|node| is_met(row, function, node)))
        .map(|(row, function)| (format!("{}:{}", row.file, row.line_number), function.to_owned()))
        .collect()
}

fn is_met(row: &Row, function: &str, node: &Node) -> bool {
    let parts: Vec<&str> = node
        .fqn
        .split("::")
        .map(|part| part.split('#').next().unwrap_or(part))
        .collect();
    let wanted: Vec<&str> = function.split('.').collect();
    node.file == row.file
        && (node.start_line..=node.end_line).contains(&row.line_number)
        && matches!(
            node.kind.to_ascii_lowercase().as_str(),
            "function" | "method" | "constructor" | "operator"
        )
        && parts.ends_with(&wanted)
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, found)?;
        } else if path
            .file_name()
            .and_then(|it| it.to_str())
            .is_some_and(|it| it.ends_with("_gt.json"))
        {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_met_by_name_and_line() {
        let rows: Vec<Row> = serde_json::from_str(
            r#"[
                {"file":"main.py","line_number":2,"function":"A.f","type":["str"]},
                {"file":"main.py","line_number":9,"function":"A.f","type":["str"]},
                {"file":"main.py","line_number":2,"function":"g","type":["str"]},
                {"file":"main.py","line_number":3,"function":"A.f","variable":"x","type":["int"]}
            ]"#,
        )
        .expect("valid rows");
        let node: Node = serde_json::from_str(
            r#"{"type":"node","fqn":"case::main::A::f#1","kind":"METHOD","file":"main.py","start_line":1,"end_line":4}"#,
        )
        .expect("a valid node");
        let found: Vec<(String, String)> = missing(&rows, &[node]).into_iter().collect();
        let expected = [("main.py:2", "g"), ("main.py:9", "A.f")];
        assert_eq!(found, expected.map(|(at, name)| (at.to_owned(), name.to_owned())));
    }
}
