//! What somebody needs to know before a task: the symbols that matter, chosen by what the task is about.

use std::collections::BTreeMap;

use strata_model::symbol::context_kind;
use strata_search::IntentRow;

use crate::error::EngineError;
use crate::relations::Relation;
use crate::search::{FindRequest, FoundSymbol};
use crate::view::View;

/// Symbols whose callers and callees are shown.
const MAX_RELATED: usize = 5;
/// Callers and callees of each.
const MAX_RELATIONS: usize = 3;
/// Callers or callees of the best symbol when they are what was asked for.
const MAX_ASKED_RELATIONS: usize = 20;

/// Words by which a question asks for callers or callees.
const CALL_WORDS: &[&str] = &[
    "call", "calls", "called", "calling", "caller", "callers", "callee", "callees", "uses", "used",
];

/// What is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextRequest {
    /// The task in plain words.
    pub query: String,
    /// Most symbols.
    pub limit: usize,
    /// Only symbols of this file.
    pub file: Option<String>,
    /// Whether callers and callees of the best symbols are wanted.
    pub has_related: bool,
    /// Whether the file tree is wanted.
    pub has_tree: bool,
}

/// The symbols that matter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// Symbols, the best first.
    pub symbols: Vec<FoundSymbol>,
    /// Callers and callees of the best of them.
    pub related: Vec<Related>,
    /// Folders with their files, in path order.
    pub tree: Vec<TreeFolder>,
    /// The file that was asked for: path, language and number of symbols.
    pub file: Option<(String, String, usize)>,
}

/// Who calls a symbol, and what it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The symbol.
    pub fqn: String,
    /// FQNs of some callers.
    pub callers: Vec<String>,
    /// FQNs of some callees.
    pub callees: Vec<String>,
}

/// A folder and the names of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFolder {
    /// Path; empty for the root.
    pub path: String,
    /// File names in order.
    pub files: Vec<String>,
}

impl View<'_> {
    /// The symbols that matter for a task.
    pub fn context(&self, request: &ContextRequest, row: &IntentRow) -> Result<Context, EngineError> {
        let mut context = Context::default();
        let mut file = None;
        if let Some(written) = &request.file {
            let symbols = self.symbols_in_file(written)?;
            let path = self.relative_path(written).unwrap_or_else(|| written.clone());
            let language = symbols
                .first()
                .map_or_else(String::new, |symbol| symbol.language.clone());
            context.file = Some((path.clone(), language, symbols.len()));
            file = Some((path, symbols));
        }
        let find = FindRequest {
            pattern: request.query.clone(),
            kind: None,
            file: file.as_ref().map(|(path, _)| path.clone()),
            limit: request.limit,
        };
        context.symbols = self.find(&find)?;
        if let Some((_, symbols)) = file {
            // Whoever names a file wants to see it; its other symbols follow in source order.
            for symbol in symbols {
                if context.symbols.len() >= request.limit {
                    break;
                }
                if !context.symbols.iter().any(|found| found.symbol.id == symbol.id) {
                    context.symbols.push(FoundSymbol {
                        symbol,
                        score: 0.0,
                        source: "pattern",
                    });
                }
            }
        }
        put_kinds_first(&mut context.symbols, row);
        let asks_for_calls = asks_for_calls(&request.query);
        let n_related = match (request.has_related, asks_for_calls) {
            (true, _) => MAX_RELATED,
            (false, true) => 1,
            (false, false) => 0,
        };
        for (at, found) in context.symbols.iter().take(n_related).enumerate() {
            let n_relations = if asks_for_calls && at == 0 {
                MAX_ASKED_RELATIONS
            } else {
                MAX_RELATIONS
            };
            let names = |relations: Vec<Relation>| -> Vec<String> {
                relations
                    .into_iter()
                    .take(n_relations)
                    .map(|relation| relation.symbol.fqn)
                    .collect()
            };
            let mut callers = names(self.callers(&found.symbol)?);
            for (relation, via) in self.callers_via_dispatch(&found.symbol)? {
                if callers.len() >= n_relations {
                    break;
                }
                callers.push(format!("{} via-dispatch {via}", relation.symbol.fqn));
            }
            let callees = names(self.callees(&found.symbol)?);
            if asks_for_calls || !callers.is_empty() || !callees.is_empty() {
                context.related.push(Related {
                    fqn: found.symbol.fqn.clone(),
                    callers,
                    callees,
                });
            }
        }
        if request.has_tree {
            context.tree = self.tree()?;
        }
        Ok(context)
    }

    /// All folders with their files.
    fn tree(&self) -> Result<Vec<TreeFolder>, EngineError> {
        let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in self.store.files()? {
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            folders.entry(folder.to_owned()).or_default().push(name.to_owned());
        }
        Ok(folders
            .into_iter()
            .map(|(path, files)| TreeFolder { path, files })
            .collect())
    }
}

/// True when a question is about who calls what.
fn asks_for_calls(query: &str) -> bool {
    let mut words = query.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| CALL_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word)))
}

/// Kinds that an intent wants first go before others that match as well: exact names stay before words.
fn put_kinds_first(symbols: &mut [FoundSymbol], row: &IntentRow) {
    if row.kinds_first.is_empty() {
        return;
    }
    let is_first = |found: &FoundSymbol| {
        let kind = context_kind(found.symbol.kind);
        row.kinds_first.iter().any(|first| first == kind)
    };
    // Within a tier of scores the order stays; the sort is stable.
    symbols.sort_by_key(|found| (std::cmp::Reverse(found.score.trunc() as i64), !is_first(found)));
}

#[cfg(test)]
mod tests {
    use super::asks_for_calls;

    #[test]
    fn questions_about_calls_are_told_by_a_word() {
        assert!(asks_for_calls("who calls merge_settings"));
        assert!(asks_for_calls("Callers of Session.send?"));
        assert!(!asks_for_calls("the callback registry"));
    }
}
