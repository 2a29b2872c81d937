//! What each kind of manifest says about its package's name. Formats without a parser here are read line by line for the
//! one value that is wanted.

use serde_json::Value;

/// What a manifest says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Named {
    /// Its name.
    Name(String),
    /// Not to be published; the name, if any, matters to its own project only.
    Private(Option<String>),
    /// It makes a package and gives no name.
    Nameless,
    /// It could not be read; why.
    Broken(String),
    /// It makes no package.
    NoPackage,
}

impl Named {
    fn from(name: Option<&str>) -> Self {
        match name.map(str::trim) {
            Some(name) if !name.is_empty() => Self::Name(name.to_owned()),
            Some(_) | None => Self::Nameless,
        }
    }
}

pub(super) fn npm(text: &str) -> Named {
    match serde_json::from_str::<Value>(without_mark(text)) {
        Ok(value) if value["private"] == Value::Bool(true) => match Named::from(value["name"].as_str()) {
            Named::Name(name) => Named::Private(Some(name)),
            Named::Private(_) | Named::Nameless | Named::Broken(_) | Named::NoPackage => Named::Private(None),
        },
        Ok(value) => Named::from(value["name"].as_str()),
        Err(error) => Named::Broken(error.to_string()),
    }
}

pub(super) fn pyproject(text: &str) -> Named {
    with_toml(text, |table| {
        let at = |path: &[&str]| string_at(table, path);
        Named::from(at(&["project", "name"]).or_else(|| at(&["tool", "poetry", "name"])))
    })
}

pub(super) fn cargo(text: &str) -> Named {
    with_toml(text, |table| match table.get("package") {
        Some(_) => Named::from(string_at(table, &["package", "name"])),
        None => Named::NoPackage,
    })
}

fn with_toml(text: &str, read: impl Fn(&toml::Table) -> Named) -> Named {
    match without_mark(text).parse::<toml::Table>() {
        Ok(table) => read(&table),
        Err(error) => Named::Broken(error.message().to_owned()),
    }
}

fn string_at<'t>(table: &'t toml::Table, path: &[&str]) -> Option<&'t str> {
    let (last, folders) = path.split_last()?;
    folders
        .iter()
        .try_fold(table, |table, key| table.get(*key)?.as_table())?
        .get(*last)?
        .as_str()
}

/// `name = …` in the section `[metadata]`; `attr:` and `file:` point elsewhere and name nothing.
pub(super) fn setup_cfg(text: &str) -> Named {
    let mut is_metadata = false;
    for line in text.lines() {
        if line.trim_start().starts_with('[') {
            is_metadata = line.trim() == "[metadata]";
        } else if is_metadata
            && let Some((key, value)) = line.split_once('=')
            && key.trim() == "name"
            && !value.contains(':')
        {
            return Named::from(Some(value));
        }
    }
    Named::Nameless
}

pub(super) fn go_mod(text: &str) -> Named {
    let module = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("module ").map(str::trim));
    Named::from(module.map(|module| module.split("//").next().unwrap_or(module).trim().trim_matches('"')))
}

pub(super) fn csproj(file_name: &str, text: &str) -> Named {
    let name = text
        .split_once("<AssemblyName>")
        .and_then(|(_, rest)| rest.split_once("</AssemblyName>"))
        .map(|(name, _)| name);
    // A property that is computed when the project is built cannot be read here.
    Named::from(
        name.filter(|name| !name.contains("$("))
            .or_else(|| file_name.strip_suffix(".csproj")),
    )
}

/// The `artifactId` directly below `project`; those of the parent and of dependencies lie deeper.
pub(super) fn pom(text: &str) -> Named {
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        rest = &rest[open + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let Some(close) = rest.find('>') else { break };
        let tag = &rest[..close];
        rest = &rest[close + 1..];
        if tag.starts_with('/') {
            depth = depth.saturating_sub(1);
        } else if !tag.starts_with(['?', '!']) && !tag.ends_with('/') {
            depth += 1;
            if depth == 2 && tag == "artifactId" {
                return Named::from(rest.split('<').next());
            }
        }
    }
    if depth > 0 {
        Named::Broken("the XML is not complete".to_owned())
    } else {
        Named::Nameless
    }
}

/// The text of `spec.name = "…"`, whatever the variable is called.
pub(super) fn gemspec(file_name: &str, text: &str) -> Named {
    let name = text.lines().find_map(|line| {
        let (left, right) = line.split_once('=')?;
        let is_name = left.trim().rsplit_once('.').is_some_and(|(_, member)| member == "name");
        let quoted = right.trim();
        let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        quoted[1..].split(quote).next().filter(|_| is_name)
    });
    Named::from(name.or_else(|| file_name.strip_suffix(".gemspec")))
}

/// The first argument of `project(…)`; commands are written in any case.
pub(super) fn cmake(text: &str) -> Named {
    for line in text.lines().map(str::trim_start) {
        let is_project = line
            .get(..7)
            .is_some_and(|command| command.eq_ignore_ascii_case("project"));
        if is_project && let Some(arguments) = line[7..].trim_start().strip_prefix('(') {
            let name = arguments.split([' ', '\t', ')', '\n']).find(|part| !part.is_empty());
            return Named::from(
                name.map(|name| name.trim_matches('"'))
                    .filter(|name| !name.contains("${")),
            );
        }
    }
    Named::NoPackage
}

fn without_mark(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::{Named, cargo, cmake, csproj, gemspec, go_mod, npm, pom, pyproject, setup_cfg};

    fn name(name: &str) -> Named {
        Named::Name(name.to_owned())
    }

    #[test]
    fn names_are_read_from_every_format() {
        assert_eq!(npm("\u{feff}{\"name\": \"a\"}"), name("a"));
        assert_eq!(npm("{}"), Named::Nameless);
        assert_eq!(pyproject("[project]\nname = 'a'"), name("a"));
        assert_eq!(pyproject("[tool.poetry]\nname = 'a'"), name("a"));
        assert_eq!(setup_cfg("[flake8]\nname = x\n[metadata]\nname = a\n"), name("a"));
        assert_eq!(cargo("[package]\nname = 'a'"), name("a"));
        assert_eq!(go_mod("// x\nmodule example.com/a // y\n"), name("example.com/a"));
        assert_eq!(csproj("A.B.csproj", "<Project/>"), name("A.B"));
        assert_eq!(csproj("A.csproj", "<AssemblyName>X</AssemblyName>"), name("X"));
        assert_eq!(
            gemspec("b.gemspec", "Gem::Specification.new do |s|\n  s.name = 'a'\nend"),
            name("a")
        );
        assert_eq!(
            cmake("cmake_minimum_required(VERSION 3)\nPROJECT (a LANGUAGES C)"),
            name("a")
        );
    }

    #[test]
    fn the_artifact_of_the_parent_is_not_the_name() {
        let text = "<?xml version=\"1.0\"?><project><!-- <x> --><parent><artifactId>p</artifactId></parent>\
                    <modelVersion>4</modelVersion><artifactId>a</artifactId></project>";
        assert_eq!(pom(text), name("a"));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        assert!(matches!(npm("{"), Named::Broken(_)));
        assert!(matches!(cargo("[package"), Named::Broken(_)));
        assert!(matches!(pom("<project>"), Named::Broken(_)));
    }
}
