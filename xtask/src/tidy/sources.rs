//! Checks of single Rust files: module documentation, size, nothing unfinished.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::workspace::SourceFile;

/// Lines a file may have, tests aside. Half of it is where a file should be split.
const LINE_LIMIT: usize = 800;

/// Marks of code that is not there yet or of a test that does not run. Written in two parts, so that this file
/// does not contain what it looks for.
const UNFINISHED: [&str; 3] = [
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[ig", "nore"),
];

/// Every file opens by saying what it is.
pub(super) fn check_module_doc(file: &SourceFile) -> Option<String> {
    let starts_well = file.text.starts_with("//!") || file.text.starts_with("#!");
    (!starts_well).then(|| {
        format!(
            "{}: does not start with a `//!` line that says what the module is",
            file.path
        )
    })
}

/// No panic that stands for missing code, no test that is switched off.
pub(super) fn check_unfinished(file: &SourceFile) -> Vec<String> {
    let mut problems = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        for mark in UNFINISHED {
            if line.contains(mark) {
                problems.push(format!("{}:{}: `{mark}` is not allowed", file.path, index + 1));
            }
        }
    }
    problems
}

/// Path → number of lines that is tolerated for it.
pub(super) fn read_exceptions(text: &str) -> Result<BTreeMap<String, usize>> {
    toml::from_str(text).context("cannot read xtask/size-exceptions.toml")
}

/// The size limit, and that the list of exceptions states no more than is true.
pub(super) fn check_sizes(files: &[SourceFile], exceptions: &BTreeMap<String, usize>) -> Vec<String> {
    let mut problems = Vec::new();
    for file in files {
        let n_lines = lines_without_tests(file);
        match exceptions.get(&file.path) {
            None if n_lines > LINE_LIMIT => {
                problems.push(format!(
                    "{}: {n_lines} lines, the limit is {LINE_LIMIT}; split it",
                    file.path
                ));
            }
            Some(&tolerated) if n_lines > tolerated => {
                problems.push(format!(
                    "{}: grew from {tolerated} to {n_lines} lines; split it",
                    file.path
                ));
            }
            Some(_) if n_lines <= LINE_LIMIT => {
                problems.push(format!(
                    "{}: within the limit now; remove it from xtask/size-exceptions.toml",
                    file.path
                ));
            }
            Some(&tolerated) if n_lines < tolerated => {
                problems.push(format!(
                    "{}: {n_lines} lines; lower the {tolerated} in xtask/size-exceptions.toml",
                    file.path
                ));
            }
            None | Some(_) => {}
        }
    }
    for path in exceptions.keys() {
        if !files.iter().any(|file| file.path == *path) {
            problems.push(format!("xtask/size-exceptions.toml: `{path}` does not exist"));
        }
    }
    problems
}

/// Test modules stand last in a file, so that what comes before their attribute is the code.
fn lines_without_tests(file: &SourceFile) -> usize {
    let is_test_file = file.path.contains("/tests/") || file.path.ends_with("/tests.rs");
    if is_test_file {
        return 0;
    }
    file.text
        .lines()
        .take_while(|line| line.trim_end() != "#[cfg(test)]")
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_file_starts_with_its_documentation() {
        assert_eq!(check_module_doc(&file("a.rs", "//! Says what it is.\n")), None);
        assert!(check_module_doc(&file("a.rs", "use std::fs;\n")).is_some());
    }

    #[test]
    fn unfinished_code_is_found_by_line() {
        let text = format!("fn f() {{\n    {}) }}\n", UNFINISHED[0]);
        assert_eq!(
            check_unfinished(&file("a.rs", &text)),
            [format!("a.rs:2: `{}` is not allowed", UNFINISHED[0])]
        );
    }

    #[test]
    fn tests_do_not_count_for_size() {
        let code = "fn f() {}\n".repeat(LINE_LIMIT);
        let text = format!(
            "{code}#[cfg(test)]\nmod tests {{\n{}}}\n",
            "    fn g() {}\n".repeat(100)
        );
        assert!(check_sizes(&[file("src/a.rs", &text)], &BTreeMap::new()).is_empty());
    }

    #[test]
    fn exceptions_may_only_shrink() {
        let long = file("src/a.rs", &"fn f() {}\n".repeat(LINE_LIMIT + 10));
        let with = |n_lines: usize| BTreeMap::from([("src/a.rs".to_owned(), n_lines)]);
        let files = [long];
        assert_eq!(check_sizes(&files, &BTreeMap::new()).len(), 1);
        assert!(check_sizes(&files, &with(LINE_LIMIT + 10)).is_empty());
        assert!(check_sizes(&files, &with(LINE_LIMIT + 9))[0].contains("grew"));
        assert!(check_sizes(&files, &with(LINE_LIMIT + 11))[0].contains("lower"));
    }

    #[test]
    fn an_exception_without_file_is_stale() {
        let exceptions = BTreeMap::from([("src/gone.rs".to_owned(), 900)]);
        assert_eq!(
            check_sizes(&[], &exceptions),
            ["xtask/size-exceptions.toml: `src/gone.rs` does not exist"]
        );
    }
}
