//! The micro tests of Jelly: JavaScript files with the call graphs that running them showed.
//!
//! Only what ran is recorded, so an edge that is not in the record is not wrong: the suite tells what is missing and
//! nothing else. Calls are compared by position: a call of the record is the innermost one around the callee that is
//! exported. Functions are compared by the line on which they start, constructors by that
//! of their class.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::Verdict;
use super::export::{Binary, Symbol};

#[derive(Deserialize)]
struct Record {
    files: Vec<String>,
    functions: Functions,
    calls: Functions,
    call2fun: Vec<(u32, u32)>,
}

/// Positions by number, written as a list or as a map.
#[derive(Deserialize)]
#[serde(untagged)]
enum Functions {
    List(Vec<String>),
    Map(BTreeMap<u32, String>),
}

/// A range of a file, both ends in line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    start: (u32, u32),
    end: (u32, u32),
}

impl Functions {
    fn get(&self, number: u32) -> Option<&str> {
        match self {
            Self::List(list) => list.get(number as usize).map(String::as_str),
            Self::Map(map) => map.get(&number).map(String::as_str),
        }
    }

    fn all(&self) -> Vec<(u32, &str)> {
        match self {
            Self::List(list) => (0..).zip(list.iter().map(String::as_str)).collect(),
            Self::Map(map) => map.iter().map(|(number, text)| (*number, text.as_str())).collect(),
        }
    }
}

pub(super) fn run(folder: &Path, binary: &Binary) -> Result<BTreeMap<String, Verdict>> {
    let folder = folder.join("tests/micro");
    let mut verdicts = BTreeMap::new();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .collect();
    names.sort();
    for name in names {
        let text = std::fs::read_to_string(folder.join(format!("{name}.json")))?;
        let Ok(record) = serde_json::from_str::<Record>(&text) else {
            // Records of other kinds, such as patterns.
            continue;
        };
        // A case of one file is looked at alone: its neighbours are other cases.
        let [file] = record.files.as_slice() else { continue };
        if !folder.join(file).is_file() {
            continue;
        }
        verdicts.insert(name, judge(&folder, file, &record, binary)?);
    }
    Ok(verdicts)
}

fn judge(folder: &Path, file: &str, record: &Record, binary: &Binary) -> Result<Verdict> {
    let export = binary.export(folder, Some(file))?;
    let calls: Vec<(u32, Range)> = record
        .calls
        .all()
        .into_iter()
        .filter_map(|(number, text)| Some((number, range(text)?)))
        .collect();
    let mut found: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut add = |line: u32, col: u32, text: &str, target: u32| {
        if let Some(call) = call_at(&calls, line, col, text) {
            found.insert((call, target));
        }
    };
    for reference in &export.references {
        for target in &reference.targets {
            add(reference.line, reference.col, &reference.callee_text, line_of(target));
        }
    }
    for flow in &export.flows {
        if let Some(target) = &flow.target {
            add(flow.line, flow.col, &flow.callee_text, line_of(target));
        }
    }
    let mut missing = BTreeSet::new();
    for (call, function) in &record.call2fun {
        let Some(target) = record.functions.get(*function).and_then(range) else {
            continue;
        };
        if !found.contains(&(*call, target.start.0)) {
            let from = record.calls.get(*call).unwrap_or_default();
            let to = record.functions.get(*function).unwrap_or_default();
            missing.insert((from.to_owned(), to.to_owned()));
        }
    }
    Ok(Verdict { missing, excess: None })
}

/// A constructor is recorded as its class.
fn line_of(target: &Symbol) -> u32 {
    target.owner_line.unwrap_or(target.line)
}

/// `file:line:column:line:column`.
fn range(text: &str) -> Option<Range> {
    let numbers: Vec<u32> = text.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [_, line, column, end_line, end_column] = numbers.as_slice() else {
        return None;
    };
    Some(Range {
        start: (*line, *column),
        end: (*end_line, *end_column),
    })
}

/// The innermost call that goes on behind the callee's token.
fn call_at(calls: &[(u32, Range)], line: u32, col: u32, text: &str) -> Option<u32> {
    let n_lines = u32::try_from(text.matches('\n').count()).unwrap_or(0);
    let last = text.rsplit('\n').next().unwrap_or(text);
    let width = u32::try_from(last.encode_utf16().count()).unwrap_or(0);
    let end = if n_lines == 0 {
        (line, col + width)
    } else {
        (line + n_lines, width + 1)
    };
    calls
        .iter()
        .filter(|(_, range)| range.start <= (line, col) && range.end > end)
        .min_by_key(|(_, range)| (range.end.0 - range.start.0, range.end, std::cmp::Reverse(range.start)))
        .map(|(number, _)| *number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_the_innermost_that_goes_on_behind_its_callee() {
        // f()();  and inside of it f()
        let calls: Vec<(u32, Range)> = ["0:1:1:1:6", "0:1:1:1:4"]
            .iter()
            .filter_map(|text| range(text))
            .zip(0..)
            .map(|(range, number)| (number, range))
            .collect();
        assert_eq!(call_at(&calls, 1, 1, "f"), Some(1));
        assert_eq!(call_at(&calls, 1, 1, "f()"), Some(0));
        assert_eq!(call_at(&calls, 2, 1, "f"), None);
    }

    #[test]
    fn positions_are_four_numbers_behind_the_file() {
        assert_eq!(
            range("0:1:2:3:4"),
            Some(Range {
                start: (1, 2),
                end: (3, 4)
            })
        );
        assert_eq!(range("0:1:2"), None);
    }
}
