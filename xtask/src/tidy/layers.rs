//! Compares the table of layers with the dependencies that the manifests declare.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::workspace::Crate;

/// One line of the table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layer {
    #[serde(rename = "layer")]
    height: u32,
    may_use: Vec<String>,
    must_not_know: String,
}

/// Folder name of a crate → its line, in order of name.
pub(super) type Table = BTreeMap<String, Layer>;

pub(super) fn read(text: &str) -> Result<Table> {
    toml::from_str(text).context("cannot read xtask/layers.toml")
}

/// Problems of the table itself, then of the crates against it.
pub(super) fn check(table: &Table, crates: &[Crate]) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, line) in table {
        if line.must_not_know.trim().is_empty() {
            problems.push(format!(
                "xtask/layers.toml: `{name}` does not say what it must not know"
            ));
        }
        for used in &line.may_use {
            match table.get(used) {
                None => problems.push(format!(
                    "xtask/layers.toml: `{name}` may use `{used}`, which is not in the table"
                )),
                Some(below) if below.height >= line.height => problems.push(format!(
                    "xtask/layers.toml: `{name}` (layer {}) may use `{used}` (layer {}), which does not lie below it",
                    line.height, below.height
                )),
                Some(_) => {}
            }
        }
        if !crates.iter().any(|member| folder_name(member) == name) {
            problems.push(format!(
                "xtask/layers.toml: no crate `{name}` in the workspace; remove its line"
            ));
        }
    }
    for member in crates {
        let name = folder_name(member);
        if member.folder.starts_with("crates/") && name != "cli" && member.package != format!("strata-{name}") {
            problems.push(format!(
                "{}: the package is named `{}`, not `strata-{name}`",
                member.folder, member.package
            ));
        }
        let Some(line) = table.get(name) else {
            problems.push(format!(
                "{}: not in xtask/layers.toml; add a line with its layer",
                member.folder
            ));
            continue;
        };
        for package in &member.uses {
            let used = crates
                .iter()
                .find(|other| other.package == *package)
                .map_or(package.as_str(), folder_name);
            if !line.may_use.iter().any(|allowed| allowed == used) {
                problems.push(format!(
                    "{}: depends on `{used}`, which xtask/layers.toml does not allow; it must not know {}",
                    member.folder, line.must_not_know
                ));
            }
        }
    }
    problems
}

fn folder_name(member: &Crate) -> &str {
    member.folder.rsplit('/').next().unwrap_or(&member.folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = r#"
        model = { layer = 0, may_use = [], must_not_know = "IO" }
        storage = { layer = 1, may_use = ["model"], must_not_know = "queries" }
    "#;

    fn member(name: &str, uses: &[&str]) -> Crate {
        Crate {
            package: format!("strata-{name}"),
            folder: format!("crates/{name}"),
            uses: uses.iter().map(|used| format!("strata-{used}")).collect(),
        }
    }

    #[track_caller]
    fn check_table(text: &str, crates: &[Crate], expected: &[&str]) {
        assert_eq!(check(&read(text).expect("a valid table"), crates), expected);
    }

    #[test]
    fn an_allowed_edge_is_no_problem() {
        check_table(TABLE, &[member("model", &[]), member("storage", &["model"])], &[]);
    }

    #[test]
    fn an_edge_that_is_not_listed_is_named() {
        check_table(
            TABLE,
            &[member("model", &["storage"]), member("storage", &[])],
            &["crates/model: depends on `storage`, which xtask/layers.toml does not allow; it must not know IO"],
        );
    }

    #[test]
    fn crate_and_line_must_both_exist() {
        check_table(
            TABLE,
            &[member("model", &[]), member("graph", &[])],
            &[
                "xtask/layers.toml: no crate `storage` in the workspace; remove its line",
                "crates/graph: not in xtask/layers.toml; add a line with its layer",
            ],
        );
    }

    #[test]
    fn the_table_itself_points_downwards() {
        let text = r#"
            graph = { layer = 3, may_use = ["search"], must_not_know = "wire formats" }
            search = { layer = 3, may_use = [], must_not_know = "wire formats" }
        "#;
        check_table(
            text,
            &[member("graph", &[]), member("search", &[])],
            &["xtask/layers.toml: `graph` (layer 3) may use `search` (layer 3), which does not lie below it"],
        );
    }
}
