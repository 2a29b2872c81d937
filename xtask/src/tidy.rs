//! `cargo xtask tidy`: the rules of the house that no compiler checks.
//!
//! Each check is a pure function from what was read to a list of problems, so that it can be tested on three lines
//! of text. The same checks run as a test of this crate: nobody has to remember the command.

use std::path::Path;

use anyhow::{Result, bail};

use crate::workspace::{self, SourceFile};

mod documents;
mod layers;
mod sources;

/// Runs every check, prints the language table, and fails with the list of problems if there is one.
pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    let problems = problems(&root)?;
    for line in documents::known_table(&language_tests(&root)?) {
        println!("{line}");
    }
    if problems.is_empty() {
        println!("tidy: no problem found");
        return Ok(());
    }
    for problem in &problems {
        eprintln!("{problem}");
    }
    bail!("tidy found {} problem(s)", problems.len())
}

/// Everything that is wrong with the workspace below a root, in a fixed order.
fn problems(root: &Path) -> Result<Vec<String>> {
    let crates = workspace::crates(root)?;
    let table = layers::read(&std::fs::read_to_string(root.join("xtask/layers.toml"))?)?;
    let rust = workspace::text_files(root, &["rs"])?;
    let prose = workspace::text_files(root, &["rs", "md", "toml", "sh", "sql", "txt", "yml"])?;
    let exceptions = sources::read_exceptions(&std::fs::read_to_string(root.join("xtask/size-exceptions.toml"))?)?;
    let map = std::fs::read_to_string(root.join("ARCHITECTURE.md"))?;

    let mut problems = layers::check(&table, &crates);
    for file in &rust {
        problems.extend(sources::check_module_doc(file));
        problems.extend(sources::check_unfinished(file));
    }
    problems.extend(sources::check_sizes(&rust, &exceptions));
    for file in &prose {
        problems.extend(documents::check_words(file));
    }
    problems.extend(documents::check_map(&map, &crates, &rust));
    problems.extend(crate::accuracy::problems(root)?);
    Ok(problems)
}

fn language_tests(root: &Path) -> Result<Vec<SourceFile>> {
    let mut files = workspace::text_files(root, &["md"])?;
    files.retain(|file| file.path.starts_with("crates/languages/src/") && file.path.ends_with("/tests.md"));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspace_is_tidy() {
        let problems = problems(&workspace::root()).expect("the workspace can be read");
        assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    }
}
