//! The rows on both sides: what a type checker said, and what the binary exports.
//!
//! Fields that scoring does not need are ignored, so that either side may grow.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A place that a site leads to: the line of the target's name; a module has line 0.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Target {
    pub(super) file: String,
    pub(super) line: u32,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) kind: Option<String>,
    /// Line of the name of the type that holds a constructor.
    #[serde(default)]
    pub(super) owner_line: Option<u32>,
}

/// What the oracle knows about a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// The target lies in the repository.
    Internal,
    /// The target lies outside of it.
    External,
    /// A parameter, field or callback: there is no static target.
    Variable,
    /// The oracle does not know.
    Unresolved,
}

/// One row of truth.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Truth {
    pub(super) lang: String,
    pub(super) edge: String,
    pub(super) file: String,
    pub(super) line: u32,
    #[serde(default)]
    pub(super) col: u32,
    pub(super) callee_text: String,
    #[serde(default)]
    pub(super) form: String,
    pub(super) status: Status,
    #[serde(default)]
    pub(super) targets: Vec<Target>,
    /// Targets that class hierarchy analysis adds to a call through an interface.
    #[serde(default)]
    impls: Vec<Target>,
    /// The overload that the oracle chose.
    #[serde(default)]
    sig: Option<Target>,
    /// A second opinion.
    #[serde(default)]
    jedi: Vec<Target>,
}

impl Truth {
    /// Every target that counts as right; the site is found with any one of them.
    pub(super) fn accepted(&self) -> impl Iterator<Item = &Target> {
        self.targets
            .iter()
            .chain(&self.impls)
            .chain(&self.sig)
            .chain(&self.jedi)
    }
}

/// One exported reference.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Reference {
    pub(super) edge: String,
    pub(super) file: String,
    pub(super) line: u32,
    #[serde(default)]
    pub(super) col: u32,
    pub(super) callee_text: String,
    pub(super) outcome: String,
    #[serde(default)]
    pub(super) how: Option<String>,
    /// The shape of what stands before the dot.
    #[serde(default)]
    pub(super) receiver: Option<String>,
    #[serde(default)]
    pub(super) targets: Vec<Target>,
}

pub(super) fn read_truth(path: &Path) -> Result<Vec<Truth>> {
    read(path)
}

pub(super) fn read_references(path: &Path) -> Result<Vec<Reference>> {
    read(path)
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let is_gzip = path.extension().is_some_and(|extension| extension == "gz");
    let reader: Box<dyn Read> = if is_gzip {
        Box::new(GzDecoder::new(file))
    } else {
        Box::new(file)
    };
    parse_lines(BufReader::new(reader)).with_context(|| format!("cannot read {}", path.display()))
}

/// Parses one JSON object per line; empty lines are skipped.
pub(super) fn parse_lines<T: DeserializeOwned>(reader: impl BufRead) -> Result<Vec<T>> {
    let mut rows = Vec::new();
    for (index, line) in reader.lines().enumerate() {
        let line = line?;
        if !line.trim().is_empty() {
            rows.push(serde_json::from_str(&line).with_context(|| format!("line {}", index + 1))?);
        }
    }
    Ok(rows)
}

/// The last part of a name however its parts are joined: `a::B#c.d` is `d`.
pub(super) fn last_part(name: &str) -> &str {
    let mut start = 0;
    for joint in ["::", "#", "."] {
        if let Some(index) = name.rfind(joint) {
            start = start.max(index + joint.len());
        }
    }
    &name[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_is_found_however_parts_are_joined() {
        for (name, expected) in [
            ("a", "a"),
            ("a.b", "b"),
            ("a::b", "b"),
            ("A#b", "b"),
            ("a::B.c", "c"),
            ("x:y", "x:y"),
            ("a.x:y", "x:y"),
            ("", ""),
        ] {
            assert_eq!(last_part(name), expected, "{name}");
        }
    }

    #[test]
    fn a_row_may_hold_fields_that_nobody_scores() {
        let line =
            br#"{"edge":"call","file":"a.py","line":1,"col":2,"callee_text":"f","outcome":"external","extra":1}"#;
        let rows: Vec<Reference> = parse_lines(line.as_slice()).expect("a valid row");
        assert_eq!(rows[0].callee_text, "f");
    }
}
