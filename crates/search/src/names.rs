//! Finding symbols by name, in tiers: an exact name, then words, then the start of a name.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use strata_model::kinds::NodeLevel;
use strata_model::symbol::{FQN_SEPARATOR, context_kind};
use strata_storage::{Case, FileId, NodeId, NodeRow, Store, StoreError};

use crate::query;
use crate::score::Scorer;

/// The score of an exact name.
const EXACT_SCORE: f64 = 10.0;

/// The score of a pattern, and the least score of a match by words.
const WORDS_SCORE: f64 = 5.0;

/// The score of the start of a name.
const PREFIX_SCORE: f64 = 1.0;

/// Candidates by words that are scored exactly.
const CANDIDATES: usize = 400;

/// A search for symbols.
#[derive(Clone, Copy, Debug)]
pub struct NameRequest<'a> {
    /// A name, words, or a pattern with `*` and `?`.
    pub text: &'a str,
    /// Only symbols of this kind, as [`context_kind`] says it.
    pub kind: Option<&'a str>,
    /// Only symbols of this file.
    pub file: Option<FileId>,
    /// Most hits.
    pub limit: usize,
}

/// How a symbol was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchSource {
    /// By its exact name, in any case.
    Exact,
    /// By a pattern.
    Pattern,
    /// By words.
    Fts,
    /// By the start of its name.
    Prefix,
}

impl MatchSource {
    /// The word that is shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Pattern => "pattern",
            Self::Fts => "fts",
            Self::Prefix => "prefix",
        }
    }
}

/// A symbol that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct NameHit {
    /// The symbol.
    pub node: NodeRow,
    /// 10 for an exact name, 5 to 6 for words, 5 for a pattern, 1 for a prefix.
    pub score: f64,
    /// How it was found.
    pub source: MatchSource,
}

/// Finds symbols (level 3): best first, equal scores by file and line.
pub fn search_symbols(store: &Store, request: &NameRequest<'_>) -> Result<Vec<NameHit>, StoreError> {
    let text = request.text.trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let mut hits = if text.contains(['*', '?']) {
        by_pattern(store, request, text)?
    } else {
        let mut hits = by_exact_name(store, request, text)?;
        by_words(store, request, text, &mut hits)?;
        if hits.is_empty() {
            hits = by_prefix(store, request, text)?;
        }
        hits
    };
    hits.sort_by(|a, b| {
        (b.score.total_cmp(&a.score))
            .then_with(|| a.node.path.cmp(&b.node.path))
            .then_with(|| a.node.start.cmp(&b.node.start))
            .then_with(|| a.node.fqn.cmp(&b.node.fqn))
    });
    hits.truncate(request.limit);
    Ok(hits)
}

/// At most `limit` distinct names that come nearest to `name` by edit distance, for "did you mean". Names at a distance of
/// more than five, or that share less than half with it, are none.
pub fn nearest_names(store: &Store, name: &str, limit: usize) -> Result<Vec<String>, StoreError> {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    let most = 5.min(wanted.len().div_ceil(2));
    let mut near: Vec<(usize, String)> = Vec::new();
    let mut row = Vec::new();
    store.for_each_name(|candidate| {
        if let Some(distance) = distance_within(&wanted, candidate, most, &mut row) {
            near.push((distance, candidate.to_owned()));
        }
    })?;
    near.sort();
    near.truncate(limit);
    Ok(near.into_iter().map(|(_, name)| name).collect())
}

fn is_wanted(request: &NameRequest<'_>, node: &NodeRow) -> bool {
    node.level == NodeLevel::L3_Symbol
        && request.kind.is_none_or(|kind| context_kind(node.kind) == kind)
        && request.file.is_none_or(|file| node.file_id == Some(file))
}

/// The name itself, or a path that ends in it: `UserService.create`, `UserService::create`, `UserService#create`.
fn by_exact_name(store: &Store, request: &NameRequest<'_>, text: &str) -> Result<Vec<NameHit>, StoreError> {
    let path = text.replace(['.', '#'], FQN_SEPARATOR).to_lowercase();
    let name = text.rsplit(['.', '#', ':']).next().unwrap_or(text);
    let has_owner = path.contains(FQN_SEPARATOR);
    let nodes = store.nodes_by_name(name, Case::Ignored)?;
    let is_below = |node: &NodeRow| {
        let fqn = node.fqn.to_lowercase();
        fqn == path
            || fqn
                .strip_suffix(path.as_str())
                .is_some_and(|rest| rest.ends_with(FQN_SEPARATOR))
    };
    Ok(nodes
        .into_iter()
        .filter(|node| is_wanted(request, node) && (!has_owner || is_below(node)))
        .map(|node| NameHit {
            node,
            score: EXACT_SCORE,
            source: MatchSource::Exact,
        })
        .collect())
}

fn by_words(store: &Store, request: &NameRequest<'_>, text: &str, hits: &mut Vec<NameHit>) -> Result<(), StoreError> {
    let terms = query::with_prefixes(query::terms(text));
    let Some(expression) = query::expression(&terms) else {
        return Ok(());
    };
    let known: FxHashSet<NodeId> = hits.iter().map(|hit| hit.node.id).collect();
    let is_new = |node: &NodeRow| is_wanted(request, node) && !known.contains(&node.id);
    let best = store.best_text_hits(&expression, CANDIDATES)?;
    let are_all = best.len() < CANDIDATES;
    let mut nodes: Vec<NodeRow> = store.nodes(&best)?.into_iter().filter(is_new).collect();
    if !are_all && nodes.len() < request.limit {
        // The filter left too little of the best, so it has to be asked of every match.
        let mut ids = Vec::new();
        store.for_each_text_hit(&expression, |hit| {
            let is_wanted = hit.level == NodeLevel::L3_Symbol
                && request.kind.is_none_or(|kind| context_kind(hit.kind) == kind)
                && request.file.is_none_or(|file| hit.file_id == Some(file))
                && !known.contains(&hit.id);
            if is_wanted {
                ids.push(hit.id);
            }
            if ids.len() < CANDIDATES {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })?;
        nodes = store.nodes(&ids)?;
    }
    let scorer = Scorer::new(store, &terms)?;
    hits.extend(nodes.into_iter().filter_map(|node| {
        let value = scorer.score(&node);
        let score = WORDS_SCORE + value / (1.0 + value);
        (value > 0.0).then_some(NameHit {
            node,
            score,
            source: MatchSource::Fts,
        })
    }));
    Ok(())
}

fn by_prefix(store: &Store, request: &NameRequest<'_>, text: &str) -> Result<Vec<NameHit>, StoreError> {
    let nodes = store.nodes_by_name_prefix(text, Case::Ignored, usize::MAX)?;
    Ok(nodes
        .into_iter()
        .filter(|node| is_wanted(request, node))
        .map(|node| NameHit {
            node,
            score: PREFIX_SCORE,
            source: MatchSource::Prefix,
        })
        .collect())
}

fn by_pattern(store: &Store, request: &NameRequest<'_>, text: &str) -> Result<Vec<NameHit>, StoreError> {
    let pattern: Vec<char> = text.to_lowercase().chars().collect();
    let mut names: Vec<String> = Vec::new();
    let mut last = String::new();
    store.for_each_name(|name| {
        // Spellings that differ in case only are looked up together, so one of them is enough.
        if !name.eq_ignore_ascii_case(&last) && matches_pattern(&pattern, name) {
            names.push(name.to_owned());
        }
        name.clone_into(&mut last);
    })?;
    let mut hits = Vec::new();
    for name in names {
        for node in store.nodes_by_name(&name, Case::Ignored)? {
            if is_wanted(request, &node) {
                hits.push(NameHit {
                    node,
                    score: WORDS_SCORE,
                    source: MatchSource::Pattern,
                });
            }
        }
    }
    Ok(hits)
}

/// True when the whole name matches: `*` stands for any run of characters, `?` for one, in any case.
fn matches_pattern(pattern: &[char], name: &str) -> bool {
    let name: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let (mut at, mut in_name) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while in_name < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, in_name));
                at += 1;
            }
            Some(&c) if c == '?' || c == name[in_name] => {
                at += 1;
                in_name += 1;
            }
            _ => match star {
                // The last star takes one character more.
                Some((star_at, taken)) => {
                    star = Some((star_at, taken + 1));
                    at = star_at + 1;
                    in_name = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&c| c == '*')
}

/// The edit distance in any case, when it is at most `most`.
fn distance_within(wanted: &[char], candidate: &str, most: usize, row: &mut Vec<usize>) -> Option<usize> {
    let n_chars = candidate.chars().count();
    if n_chars.abs_diff(wanted.len()) > most {
        return None;
    }
    row.clear();
    row.extend(0..=wanted.len());
    for (ix, c) in candidate.chars().flat_map(char::to_lowercase).enumerate() {
        let mut diagonal = row[0];
        row[0] = ix + 1;
        let mut least = row[0];
        for (column, &w) in wanted.iter().enumerate() {
            let value = (diagonal + usize::from(w != c))
                .min(row[column] + 1)
                .min(row[column + 1] + 1);
            diagonal = row[column + 1];
            row[column + 1] = value;
            least = least.min(value);
        }
        if least > most {
            return None;
        }
    }
    row.last().copied().filter(|&distance| distance <= most)
}

#[cfg(test)]
mod tests {
    use super::{distance_within, matches_pattern};

    #[test]
    fn patterns_match_whole_names() {
        let check =
            |pattern: &str, name: &str| matches_pattern(&pattern.to_lowercase().chars().collect::<Vec<_>>(), name);
        assert!(check("get*", "getUser"));
        assert!(check("*User*", "get_user_by_id"));
        assert!(check("get?ser", "getUser"));
        assert!(check("*", ""));
        assert!(check("a*b*c", "axxbxbyc"));
        assert!(!check("get", "getUser"));
        assert!(!check("?", ""));
        assert!(!check("a*b", "abc"));
    }

    #[test]
    fn distances_stop_at_the_most() {
        let distance = |a: &str, b: &str| distance_within(&a.chars().collect::<Vec<_>>(), b, 3, &mut Vec::new());
        assert_eq!(distance("create", "create"), Some(0));
        assert_eq!(distance("create", "Craete"), Some(2));
        assert_eq!(distance("create", "creates"), Some(1));
        assert_eq!(distance("create", "relates"), Some(3));
        assert_eq!(distance("create", "delete"), None);
        assert_eq!(distance("create", "something"), None);
    }
}
