//! `cargo xtask new-language <name>`: the folder of a language and its line in the list.
//!
//! The skeleton compiles only once its author has named the grammar; everything that must exist is there, and the
//! test that compares folders with the list is content.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::workspace;

#[derive(Args)]
pub(crate) struct Options {
    /// Name of the language in lower case, which becomes the folder's name
    name: String,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let written = write(&workspace::root().join("crates/languages"), &options.name)?;
    for path in written {
        println!("wrote {path}");
    }
    println!("next: add the grammar to Cargo.toml with an exact version, then write the first section of tests.md");
    Ok(())
}

/// Writes the files of a language below the crate's folder and returns their paths.
fn write(package: &Path, name: &str) -> Result<Vec<String>> {
    check_name(name)?;
    let folder = package.join("src").join(name);
    if folder.exists() {
        bail!("{} exists already", folder.display());
    }
    let list_path = package.join("src/lib.rs");
    let list = fs::read_to_string(&list_path).with_context(|| format!("cannot read {}", list_path.display()))?;
    let registered = register(&list, name)?;

    fs::create_dir_all(&folder)?;
    let mut written = Vec::new();
    for (file, text) in skeleton(name) {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        written.push(path.display().to_string());
    }
    fs::write(&list_path, registered)?;
    written.push(list_path.display().to_string());
    Ok(written)
}

fn check_name(name: &str) -> Result<()> {
    let starts_well = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !starts_well
        || !name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    {
        bail!("`{name}` cannot name a folder of Rust code: use lower case letters, digits and `_`");
    }
    Ok(())
}

/// The text of the list with the language in it, modules and entries in alphabetical order.
///
/// Works on text because the list is made to be read by people: `pub mod` lines, then `ALL: … = &[ … ];`.
fn register(list: &str, name: &str) -> Result<String> {
    let line = format!("pub mod {name};");
    if list.lines().any(|existing| existing.trim() == line) {
        bail!("`{name}` is in the list already");
    }
    let mut lines: Vec<&str> = list.lines().collect();
    let first = lines
        .iter()
        .position(|text| text.starts_with("pub mod "))
        .context("the list has no `pub mod` line")?;
    let before = lines
        .iter()
        .rposition(|text| text.starts_with("pub mod ") && *text < line.as_str());
    lines.insert(before.map_or(first, |index| index + 1), &line);
    let text = lines.join("\n") + "\n";

    let all = text.find("ALL:").context("the list has no `ALL`")?;
    let open = all + text[all..].find("= &[").context("`ALL` is not a slice")? + "= &[".len();
    let close = open + text[open..].find("];").context("`ALL` does not end")?;
    let mut entries: Vec<String> = text[open..close]
        .split(',')
        .map(|entry| entry.trim().to_owned())
        .filter(|entry| !entry.is_empty())
        .collect();
    entries.push(format!("&{name}::{}", type_name(name)));
    entries.sort();
    let one_line = entries.join(", ");
    let start_of_line = text[..open].rfind('\n').map_or(0, |index| index + 1);
    let body = if open - start_of_line + one_line.len() <= 100 {
        one_line
    } else {
        format!("\n    {},\n", entries.join(",\n    "))
    };
    Ok(format!("{}{body}{}", &text[..open], &text[close..]))
}

/// `c_sharp` becomes `CSharp`.
fn type_name(name: &str) -> String {
    let mut out = String::new();
    for part in name.split('_') {
        let mut chars = part.chars();
        out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out
}

/// File name and text of every file in a language's folder.
fn skeleton(name: &str) -> Vec<(&'static str, String)> {
    let fill = |template: &str| template.replace("{type}", &type_name(name)).replace("{name}", name);
    vec![
        ("mod.rs", fill(include_str!("new_language/mod.rs.txt"))),
        ("extract.rs", fill(include_str!("new_language/extract.rs.txt"))),
        ("modules.rs", fill(include_str!("new_language/modules.rs.txt"))),
        ("tables.rs", fill(include_str!("new_language/tables.rs.txt"))),
        ("tests.md", fill(include_str!("new_language/tests.md.txt"))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "//! List.\n\npub mod go;\npub mod rust;\n\nuse strata_lang::Language;\n\n\
        pub static ALL: &[&dyn Language] = &[&go::Go, &rust::Rust];\n";

    #[test]
    fn the_list_stays_sorted() {
        let list = register(LIST, "kotlin").expect("a new name");
        assert!(list.contains("pub mod go;\npub mod kotlin;\npub mod rust;\n"), "{list}");
        assert!(list.contains("&[&go::Go, &kotlin::Kotlin, &rust::Rust];"), "{list}");
        let list = register(&list, "c_sharp").expect("a new name");
        assert!(list.contains("pub mod c_sharp;\npub mod go;\n"), "{list}");
        assert!(list.contains("&[&c_sharp::CSharp, &go::Go,"), "{list}");
    }

    #[test]
    fn a_language_is_registered_once() {
        assert!(register(LIST, "go").is_err());
    }

    #[test]
    fn every_file_of_a_language_is_written() {
        let package = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(package.path().join("src")).expect("a folder");
        fs::write(package.path().join("src/lib.rs"), LIST).expect("the list");
        let written = write(package.path(), "c_sharp").expect("a new language");
        assert_eq!(written.len(), 6);
        let module = fs::read_to_string(package.path().join("src/c_sharp/mod.rs")).expect("mod.rs");
        assert!(module.starts_with("//!") && module.contains("pub struct CSharp;") && !module.contains("{name}"));
        assert!(write(package.path(), "c_sharp").is_err());
    }

    #[test]
    fn names_are_names_of_modules() {
        for name in ["C", "c++", "", "9p", "objective-c"] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
