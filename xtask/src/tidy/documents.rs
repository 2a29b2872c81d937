//! Checks of prose: the map names what exists, and nothing points to where a reader cannot go.

use crate::workspace::{Crate, SourceFile};

/// Places and numbers that mean nothing to somebody who has only this repository. Written in two parts, so that
/// this file does not contain what it looks for.
const FORBIDDEN: [&str; 7] = [
    concat!("/wo", "rk/main"),
    concat!("/wo", "rk/corpora"),
    concat!("/wo", "rk/shared"),
    concat!("../sha", "red/"),
    concat!("sha", "red/spec"),
    concat!("sha", "red/eval"),
    concat!("sha", "red/style"),
];

/// Reports references to other people's folders and to numbered issues.
pub(super) fn check_words(file: &SourceFile) -> Vec<String> {
    let mut problems = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let number = index + 1;
        for word in FORBIDDEN {
            if line.contains(word) {
                problems.push(format!(
                    "{}:{number}: `{word}` is nothing a reader can follow",
                    file.path
                ));
            }
        }
        if names_an_issue(line) {
            problems.push(format!(
                "{}:{number}: an issue number is no explanation; say it in words",
                file.path
            ));
        }
    }
    problems
}

/// Whether a line holds the word for a ticket followed by a number, with or without `#`.
fn names_an_issue(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let word = pair[0]
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_ascii_lowercase();
        let number = pair[1].trim_start_matches(['(', '`']).trim_start_matches('#');
        (word == "issue" || word == "issues") && number.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The map names each crate by its folder, and neither a folder nor a Rust file that does not exist.
pub(super) fn check_map(map: &str, crates: &[Crate], files: &[SourceFile]) -> Vec<String> {
    let mut problems = Vec::new();
    for member in crates {
        if !map.contains(&format!("`{}`", member.folder)) {
            problems.push(format!("ARCHITECTURE.md: does not name `{}`", member.folder));
        }
    }
    for named in folders_named(map) {
        if !crates.iter().any(|member| member.folder == named) {
            problems.push(format!("ARCHITECTURE.md: names `{named}`, which does not exist"));
        }
    }
    for path in map
        .split('`')
        .filter(|quoted| quoted.starts_with("crates/") && quoted.ends_with(".rs"))
    {
        if !files.iter().any(|file| file.path == path) {
            problems.push(format!("ARCHITECTURE.md: names `{path}`, which does not exist"));
        }
    }
    if map.lines().count() > MAP_LINE_LIMIT {
        problems.push(format!(
            "ARCHITECTURE.md: longer than {MAP_LINE_LIMIT} lines; a map that long is not read"
        ));
    }
    problems
}

const MAP_LINE_LIMIT: usize = 300;

/// Every `crates/<name>` in the text, in order of appearance, each once.
fn folders_named(map: &str) -> Vec<String> {
    const PREFIX: &str = "crates/";
    let mut folders = Vec::new();
    for (start, _) in map.match_indices(PREFIX) {
        let rest = &map[start + PREFIX.len()..];
        let name: String = rest
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '-' || *c == '_')
            .collect();
        let folder = format!("{PREFIX}{name}");
        if !name.is_empty() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// One line a language: how many sections its fixtures have and how many results are known to be wrong.
pub(super) fn known_table(fixtures: &[SourceFile]) -> Vec<String> {
    let mut lines = Vec::new();
    for file in fixtures {
        let language = file.path.rsplit('/').nth(1).unwrap_or("");
        let n_sections = file.text.lines().filter(|line| line.starts_with("## ")).count();
        let n_known = file.text.matches(concat!("KNO", "WN:")).count();
        lines.push(format!("{language}: {n_sections} sections, {n_known} known wrong"));
    }
    lines
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

    fn member(folder: &str) -> Crate {
        Crate {
            package: String::new(),
            folder: folder.to_owned(),
            uses: Vec::new(),
        }
    }

    #[test]
    fn a_numbered_ticket_is_found() {
        let word = "issue";
        assert!(names_an_issue(&format!("fixed in {word} #12")));
        assert!(names_an_issue(&format!("see ({word} 7)")));
        assert!(!names_an_issue("the issue is that 3 files differ"));
    }

    #[test]
    fn a_foreign_folder_is_found_by_line() {
        let text = format!("fine\nsee {}notes\n", FORBIDDEN[3]);
        assert_eq!(check_words(&file("a.md", &text)).len(), 1);
        assert!(check_words(&file("a.md", "import { x } from './shared/x'\n")).is_empty());
    }

    #[test]
    fn the_map_names_what_exists_and_nothing_else() {
        let crates = [member("crates/model"), member("xtask")];
        assert!(check_map("`crates/model` and `xtask`", &crates, &[]).is_empty());
        assert_eq!(
            check_map("`crates/model`, `crates/flycheck`", &crates, &[]),
            [
                "ARCHITECTURE.md: does not name `xtask`",
                "ARCHITECTURE.md: names `crates/flycheck`, which does not exist"
            ]
        );
    }

    #[test]
    fn the_files_to_read_first_exist() {
        let crates = [member("crates/model")];
        let files = [file("crates/model/src/lib.rs", "")];
        assert!(check_map("`crates/model`: `crates/model/src/lib.rs`", &crates, &files).is_empty());
        assert_eq!(
            check_map("`crates/model`: `crates/model/src/moved.rs`", &crates, &files),
            ["ARCHITECTURE.md: names `crates/model/src/moved.rs`, which does not exist"]
        );
    }

    #[test]
    fn known_faults_are_counted_by_language() {
        let text = format!(
            "# Python\n\n## One\n\n{}: wrong today\n\n## Two\n",
            concat!("KNO", "WN")
        );
        let fixtures = [file("crates/languages/src/python/tests.md", &text)];
        assert_eq!(known_table(&fixtures), ["python: 2 sections, 1 known wrong"]);
    }
}
