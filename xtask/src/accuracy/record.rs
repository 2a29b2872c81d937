//! Writes records, and what follows from them: the table of confidence and the tables of the book.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use super::certainty::{TABLE, read_priors, table};
use super::counts::{Counts, read_all};
use super::page::{PAGE, render};

const FOLDER: &str = "eval/measured";

/// Writes the counts of repositories; those of others stay as they are.
pub(super) fn record(root: &Path, counts: &BTreeMap<String, Counts>) -> Result<()> {
    let folder = root.join(FOLDER);
    std::fs::create_dir_all(&folder)?;
    for (name, counts) in counts {
        std::fs::write(folder.join(format!("{name}.tsv")), counts.to_tsv())?;
    }
    Ok(())
}

/// Writes everything that follows from the records.
pub(super) fn derive(root: &Path) -> Result<()> {
    for (path, text) in derived(root)? {
        std::fs::write(root.join(path), text).with_context(|| format!("cannot write {path}"))?;
    }
    Ok(())
}

/// Files that are not what the records give.
pub(crate) fn problems(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for (path, text) in derived(root)? {
        let is = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        problems.extend(difference(path, &is, &text));
    }
    Ok(problems)
}

fn difference(path: &str, is: &str, should: &str) -> Option<String> {
    (is != should).then(|| format!("{path}: is not what eval/measured gives; run `cargo xtask accuracy --render`"))
}

fn derived(root: &Path) -> Result<[(&'static str, String); 2]> {
    let records = read_all(&root.join(FOLDER))?;
    let priors = read_priors(root)?;
    let page = std::fs::read_to_string(root.join(PAGE)).with_context(|| format!("cannot read {PAGE}"))?;
    let page = render(&page, &records, &priors).with_context(|| format!("the marks in {PAGE}"))?;
    Ok([(TABLE, table(&records, &priors)?), (PAGE, page)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_edited_by_hand_is_named() {
        assert_eq!(difference("a", "x", "x"), None);
        assert!(difference("a", "x", "y").is_some_and(|problem| problem.starts_with("a: ")));
    }

    #[test]
    fn records_are_written_as_they_are_read() {
        let root = tempfile::tempdir().expect("a folder");
        let counts = Counts {
            language: "python".to_owned(),
            ..Counts::default()
        };
        let all = BTreeMap::from([("r-1".to_owned(), counts)]);
        record(root.path(), &all).expect("written");
        assert_eq!(read_all(&root.path().join(FOLDER)).expect("read"), all);
    }
}
