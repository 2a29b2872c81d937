//! From what a user writes to the one symbol that is meant.
//!
//! A selector is a fully qualified name, the end of one at a `::`, the same with dots or `#`, `path::Name`, a path, or
//! `path:line[:col]`. One match is used. Several are an error that lists them, none is an error with the nearest names:
//! never a guess.

use strata_model::kinds::NodeLevel;
use strata_model::symbol::FQN_SEPARATOR;
use strata_search::nearest_names;
use strata_storage::{Case, FileRow, NodeRow};

use crate::error::{EngineError, NotFoundReason};
use crate::view::{Symbol, View};

/// Most candidates of an ambiguous selector that are listed.
const MAX_CANDIDATES: usize = 20;
/// Most names that are suggested.
const MAX_SUGGESTIONS: usize = 3;

/// A symbol that a selector may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Fully qualified name.
    pub fqn: String,
    /// Kind.
    pub kind: &'static str,
    /// Path of the file; empty for packages and the root.
    pub file: String,
    /// Line of the name.
    pub line: u32,
}

/// A selector that names a place in a file.
#[derive(Debug, PartialEq, Eq)]
struct Place<'t> {
    path: &'t str,
    line: u32,
    column: Option<u32>,
}

impl View<'_> {
    /// The one symbol that a selector means.
    pub fn select(&self, selector: &str) -> Result<Symbol, EngineError> {
        let text = trimmed(selector);
        if text.is_empty() {
            return Err(EngineError::Invalid {
                message: "a name of a symbol is needed, such as `UserService.create`".to_owned(),
            });
        }
        if let Some(place) = parse_place(text)
            && let Some(symbol) = self.at_place(&place, selector)?
        {
            return Ok(symbol);
        }
        let mut matches = self.matching(text)?;
        if matches.is_empty() {
            return Err(self.not_found(selector, text)?);
        }
        if matches.len() == 1 {
            return Ok(Symbol::from(matches.swap_remove(0)));
        }
        Err(ambiguous(selector, matches))
    }

    /// Every node that a selector may mean, without the one at a place.
    fn matching(&self, text: &str) -> Result<Vec<NodeRow>, EngineError> {
        let exact = self.store.nodes_by_fqn(text)?;
        if !exact.is_empty() {
            // A root and its package may share a name: the package is what can be asked about.
            let level = exact.iter().map(|node| node.level).max();
            return Ok(exact.into_iter().filter(|node| Some(node.level) == level).collect());
        }
        if let Some((file, name)) = self.file_and_name(text)? {
            let nodes = self.store.nodes_in_file(file.id)?;
            return Ok(match name {
                None => nodes
                    .into_iter()
                    .filter(|node| node.level == NodeLevel::L2_Module)
                    .collect(),
                Some(name) => {
                    let forms = forms(name);
                    let matches = |node: &NodeRow| forms.iter().any(|form| is_suffix(&node.fqn, form));
                    nodes
                        .into_iter()
                        .filter(|node| node.level == NodeLevel::L3_Symbol && matches(node))
                        .collect()
                }
            });
        }
        for form in forms(text) {
            let exact = if form == text {
                Vec::new()
            } else {
                self.store.nodes_by_fqn(&form)?
            };
            if !exact.is_empty() {
                return Ok(exact);
            }
            let last = form.rsplit(FQN_SEPARATOR).next().unwrap_or(&form);
            let mut nodes = self.store.nodes_by_name(without_ordinal(last), Case::Exact)?;
            nodes.retain(|node| is_suffix(&node.fqn, &form));
            if !nodes.is_empty() {
                return Ok(nodes);
            }
        }
        Ok(Vec::new())
    }

    /// The file that a selector starts with, and the rest of it after `::`.
    fn file_and_name<'t>(&self, text: &'t str) -> Result<Option<(FileRow, Option<&'t str>)>, EngineError> {
        let cuts = text.match_indices(FQN_SEPARATOR).map(|(at, _)| at);
        for at in std::iter::once(text.len()).chain(cuts) {
            let (path, name) = (&text[..at], text[at..].strip_prefix(FQN_SEPARATOR));
            if !path.contains(['/', '\\', '.']) {
                continue;
            }
            if let Some(file) = self.file(path)? {
                return Ok(Some((file, name)));
            }
        }
        Ok(None)
    }

    pub(crate) fn file(&self, written: &str) -> Result<Option<FileRow>, EngineError> {
        match self.relative_path(written) {
            Some(path) => Ok(self.store.file_by_path(&path)?),
            None => Ok(None),
        }
    }

    /// The innermost symbol at a place. None when the path names no indexed file and no other one either.
    fn at_place(&self, place: &Place<'_>, selector: &str) -> Result<Option<Symbol>, EngineError> {
        let Some(file) = self.file(place.path)? else {
            let is_file = self
                .relative_path(place.path)
                .is_some_and(|path| self.engine.indexer().fs().exists(&path));
            if !is_file {
                return Ok(None);
            }
            return Err(EngineError::NotFound {
                fqn: selector.to_owned(),
                reason: NotFoundReason::NotIndexed,
                suggestions: Vec::new(),
            });
        };
        if place.line == 0 || place.line > file.line_count.max(1) {
            return Err(EngineError::Invalid {
                message: format!(
                    "{} has {} lines, there is no line {}",
                    file.path, file.line_count, place.line
                ),
            });
        }
        let mut nodes = self.store.nodes_at_line(file.id, place.line)?;
        if let Some(column) = place.column {
            let at = (place.line, column);
            let holds = |node: &NodeRow| {
                node.level == NodeLevel::L2_Module
                    || ((node.start.line, node.start.column) <= at && at <= (node.end.line, node.end.column))
            };
            nodes.retain(holds);
        }
        Ok(nodes.pop().map(Symbol::from))
    }

    /// The error for a selector that nothing answers to.
    fn not_found(&self, selector: &str, text: &str) -> Result<EngineError, EngineError> {
        let path = parse_place(text).map_or(text, |place| place.path);
        let path = path.split(FQN_SEPARATOR).next().unwrap_or(path);
        let is_file = path.contains('/')
            && self
                .relative_path(path)
                .is_some_and(|path| self.engine.indexer().fs().exists(&path));
        let reason = if is_file || self.is_empty() {
            NotFoundReason::NotIndexed
        } else {
            NotFoundReason::NeverExisted
        };
        Ok(EngineError::NotFound {
            fqn: selector.to_owned(),
            reason,
            suggestions: self.nearest_names(text)?,
        })
    }

    /// The FQNs of at most three symbols whose names are nearest to a text.
    pub fn nearest_names(&self, text: &str) -> Result<Vec<String>, EngineError> {
        let canonical = forms(trimmed(text)).pop().unwrap_or_default();
        let last = canonical.rsplit(FQN_SEPARATOR).next().unwrap_or(&canonical);
        let names = nearest_names(self.store, without_ordinal(last), MAX_SUGGESTIONS)?;
        // The rest of what was written decides between symbols of one name.
        let mut found: Vec<(usize, usize, String)> = Vec::new();
        for (rank, name) in names.iter().enumerate() {
            for node in self.store.nodes_by_name(name, Case::Exact)? {
                found.push((rank, strsim::levenshtein(&node.fqn, &canonical), node.fqn));
            }
        }
        found.sort();
        found.dedup_by(|a, b| a.2 == b.2);
        Ok(found.into_iter().take(MAX_SUGGESTIONS).map(|(_, _, fqn)| fqn).collect())
    }
}

fn ambiguous(selector: &str, nodes: Vec<NodeRow>) -> EngineError {
    let total = nodes.len();
    let mut candidates: Vec<Candidate> = nodes
        .into_iter()
        .map(|node| Candidate {
            kind: node.kind.name(),
            line: node.name_at.line,
            file: node.path,
            fqn: node.fqn,
        })
        .collect();
    candidates.sort_by(|a, b| (&a.fqn, &a.file, a.line).cmp(&(&b.fqn, &b.file, b.line)));
    candidates.truncate(MAX_CANDIDATES);
    EngineError::Ambiguous {
        selector: selector.to_owned(),
        candidates,
        total,
    }
}

fn trimmed(selector: &str) -> &str {
    let text = selector.trim().trim_matches('`');
    text.strip_suffix("()").unwrap_or(text)
}

/// The ways in which a name may be meant: as it is written, and with dots and `#` as separators.
fn forms(text: &str) -> Vec<String> {
    let text = text.strip_prefix(FQN_SEPARATOR).unwrap_or(text);
    let mut forms = vec![text.to_owned()];
    let mut canonical = String::with_capacity(text.len() + 4);
    for (at, c) in text.char_indices() {
        let is_ordinal = || text[at + 1..].split([':', '.', '#']).next().is_some_and(is_number);
        match c {
            '.' => canonical.push_str(FQN_SEPARATOR),
            '#' if !is_ordinal() => canonical.push_str(FQN_SEPARATOR),
            _ => canonical.push(c),
        }
    }
    if canonical != text {
        forms.push(canonical);
    }
    forms
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name without the number that tells siblings of one name apart.
fn without_ordinal(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((before, ordinal)) if is_number(ordinal) && !before.is_empty() => before,
        _ => name,
    }
}

/// True when `suffix` is all of `fqn` or its end after a separator.
fn is_suffix(fqn: &str, suffix: &str) -> bool {
    fqn.strip_suffix(suffix)
        .is_some_and(|before| before.is_empty() || before.ends_with(FQN_SEPARATOR))
}

/// Reads `path:line` and `path:line:col`.
fn parse_place(text: &str) -> Option<Place<'_>> {
    let (before, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    if let Some((path, line)) = before.rsplit_once(':')
        && let Ok(line) = line.parse()
    {
        return is_path(path).then_some(Place {
            path,
            line,
            column: Some(last),
        });
    }
    is_path(before).then_some(Place {
        path: before,
        line: last,
        column: None,
    })
}

fn is_path(text: &str) -> bool {
    !text.is_empty() && !text.ends_with(':')
}

#[cfg(test)]
mod tests {
    use super::{Place, forms, is_suffix, parse_place, trimmed, without_ordinal};

    #[test]
    fn dots_and_hashes_are_separators_and_ordinals_stay() {
        assert_eq!(
            forms("UserService.create"),
            ["UserService.create", "UserService::create"]
        );
        assert_eq!(
            forms("UserService#create"),
            ["UserService#create", "UserService::create"]
        );
        assert_eq!(forms("a.create#2"), ["a.create#2", "a::create#2"]);
        assert_eq!(forms("a::b"), ["a::b"]);
        assert_eq!(without_ordinal("create#2"), "create");
        assert_eq!(without_ordinal("#private"), "#private");
    }

    #[test]
    fn a_suffix_starts_at_a_separator() {
        assert!(is_suffix("app::User::create", "create"));
        assert!(is_suffix("app::User::create", "User::create"));
        assert!(is_suffix("app::User::create", "app::User::create"));
        assert!(!is_suffix("app::User::create", "ser::create"));
        assert!(!is_suffix("app::User::create#2", "create"));
    }

    #[test]
    fn places_have_a_line_and_maybe_a_column() {
        assert_eq!(
            parse_place("src/a.py:12"),
            Some(Place {
                path: "src/a.py",
                line: 12,
                column: None
            })
        );
        assert_eq!(
            parse_place("src/a.py:12:5"),
            Some(Place {
                path: "src/a.py",
                line: 12,
                column: Some(5)
            })
        );
        assert_eq!(parse_place("a::b"), None);
        assert_eq!(parse_place("a::7"), None);
    }

    #[test]
    fn parentheses_and_ticks_are_dropped() {
        assert_eq!(trimmed(" `User.create()` "), "User.create");
    }
}
