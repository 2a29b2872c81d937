//! `cargo xtask metrics`: figures that creep, in one plain table.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::{table, workspace};

pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).context("cannot read Cargo.lock")?;
    let binary = workspace::target_dir(&root).join("release/strata");
    let size = match std::fs::metadata(&binary) {
        Ok(metadata) => format!("{} KiB", metadata.len() / 1024),
        Err(_) => "not built (cargo build --release -p stratigraph)".to_owned(),
    };
    println!(
        "packages from crates.io in Cargo.lock: {}",
        count_registry_packages(&lock)?
    );
    println!(
        "packages from crates.io in the binary: {}",
        count_linked_packages(&root)?
    );
    println!("release binary: {size}");
    println!();

    let files = workspace::text_files(&root, &["rs", "md"])?;
    let mut rows = Vec::new();
    let (mut all_lines, mut all_tests) = (0, 0);
    for member in workspace::crates(&root)? {
        let prefix = format!("{}/", member.folder);
        let (mut n_files, mut n_lines, mut n_tests) = (0_usize, 0, 0);
        for file in files.iter().filter(|file| file.path.starts_with(&prefix)) {
            n_tests += count_tests(&file.path, &file.text);
            if file.path.ends_with(".rs") {
                n_files += 1;
                n_lines += file.text.lines().count();
            }
        }
        all_lines += n_lines;
        all_tests += n_tests;
        rows.push(vec![
            member.folder,
            n_files.to_string(),
            n_lines.to_string(),
            n_tests.to_string(),
        ]);
    }
    rows.push(vec![
        "all".to_owned(),
        String::new(),
        all_lines.to_string(),
        all_tests.to_string(),
    ]);
    print!("{}", table::render(&["crate", "files", "lines", "tests"], &rows));
    Ok(())
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<LockedPackage>,
}

#[derive(Deserialize)]
struct LockedPackage {
    source: Option<String>,
}

/// Everything that a build of anything in the workspace on any platform may take from the registry.
fn count_registry_packages(lock: &str) -> Result<usize> {
    let lock: Lock = toml::from_str(lock).context("cannot read Cargo.lock")?;
    Ok(lock.package.iter().filter(|package| package.source.is_some()).count())
}

/// What the binary is made of on this platform, build scripts aside.
fn count_linked_packages(root: &std::path::Path) -> Result<usize> {
    let arguments = [
        "tree",
        "-p",
        "stratigraph",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--no-dedupe",
        "--locked",
    ];
    let tree = workspace::output(workspace::cargo().args(arguments).current_dir(root))?;
    let packages: BTreeSet<&str> = tree
        .lines()
        .filter(|line| !line.contains(" (/") && !line.is_empty())
        .collect();
    Ok(packages.len())
}

/// Test functions in Rust; sections of fixture files, each of which is a test.
fn count_tests(path: &str, text: &str) -> usize {
    if path.ends_with("/tests.md") {
        return text.lines().filter(|line| line.starts_with("## ")).count();
    }
    text.lines()
        .filter(|line| matches!(line.trim(), "#[test]" | "#[tokio::test]"))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_packages_with_a_source_come_from_the_registry() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1\"\nsource = \"registry\"\n[[package]]\nname = \"b\"\nversion = \"1\"\n";
        assert_eq!(count_registry_packages(lock).expect("a valid lock file"), 1);
    }

    #[test]
    fn a_section_of_a_fixture_file_is_a_test() {
        assert_eq!(
            count_tests("crates/languages/src/go/tests.md", "# Go\n\n## One\n\n## Two\n"),
            2
        );
        assert_eq!(count_tests("src/a.rs", "    #[test]\n    fn f() {}\n"), 1);
    }
}
