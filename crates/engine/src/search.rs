//! Symbols by words, names and patterns.

use globset::{Glob, GlobSet, GlobSetBuilder};
use strata_model::kinds::{NodeKind, NodeLevel};
use strata_search::{Filter, LexicalRequest, NameRequest, codebase_search, search_symbols};

use crate::error::EngineError;
use crate::view::{Symbol, View};

/// What may be found. Empty lists let everything pass; several filters must all pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchFilter {
    /// Levels.
    pub levels: Vec<NodeLevel>,
    /// Kinds.
    pub kinds: Vec<NodeKind>,
    /// FQNs of packages.
    pub packages: Vec<String>,
    /// Languages.
    pub languages: Vec<String>,
    /// Globs of paths.
    pub paths: Vec<String>,
    /// Leaves tests out.
    pub excludes_tests: bool,
}

/// A symbol that matches words.
#[derive(Clone, Debug, PartialEq)]
pub struct LexicalHit {
    /// The symbol.
    pub symbol: Symbol,
    /// Its BM25 value.
    pub score: f64,
}

/// A search by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindRequest {
    /// A name, words, or a pattern with `*` and `?`.
    pub pattern: String,
    /// Only this kind, as the context server names it.
    pub kind: Option<&'static str>,
    /// Only this file, by its path.
    pub file: Option<String>,
    /// Most symbols.
    pub limit: usize,
}

/// A symbol that was found by name or words.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundSymbol {
    /// The symbol.
    pub symbol: Symbol,
    /// 10 for an exact name, 5 to 6 for words or a pattern, 1 for the start of a name.
    pub score: f64,
    /// What matched: `exact`, `pattern`, `fts` or `prefix`.
    pub source: &'static str,
}

impl View<'_> {
    /// The best symbols for some words, and how many match.
    pub fn search(
        &self,
        query: &str,
        filter: &SearchFilter,
        top_k: usize,
    ) -> Result<(Vec<LexicalHit>, usize), EngineError> {
        let globs = globs(&filter.paths)?;
        let passes = |path: &str| globs.as_ref().is_none_or(|globs| globs.is_match(path));
        let languages: Vec<String> = filter
            .languages
            .iter()
            .map(|language| language.to_lowercase())
            .collect();
        let request = LexicalRequest {
            query,
            filter: Filter {
                levels: &filter.levels,
                kinds: &filter.kinds,
                packages: &filter.packages,
                languages: &languages,
                path: if globs.is_some() { Some(&passes) } else { None },
                exclude_tests: filter.excludes_tests,
            },
            limit: top_k,
            offset: 0,
        };
        let found = codebase_search(self.store, &request)?;
        let hits = found.hits.into_iter().map(|hit| LexicalHit {
            symbol: Symbol::from(hit.node),
            score: hit.score,
        });
        Ok((
            hits.collect(),
            usize::try_from(found.total_candidates).unwrap_or(usize::MAX),
        ))
    }

    /// The symbols that a name, words or a pattern finds, the best first.
    pub fn find(&self, request: &FindRequest) -> Result<Vec<FoundSymbol>, EngineError> {
        let file = match &request.file {
            Some(path) => match self.store.file_by_path(path)? {
                Some(file) => Some(file.id),
                None => return Ok(Vec::new()),
            },
            None => None,
        };
        let request = NameRequest {
            text: &request.pattern,
            kind: request.kind,
            file,
            limit: request.limit,
        };
        let hits = search_symbols(self.store, &request)?;
        Ok(hits
            .into_iter()
            .map(|hit| FoundSymbol {
                symbol: Symbol::from(hit.node),
                score: hit.score,
                source: hit.source.name(),
            })
            .collect())
    }
}

/// The globs as one set; none when there are no globs. A glob without a slash matches file names anywhere.
fn globs(patterns: &[String]) -> Result<Option<GlobSet>, EngineError> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let invalid = |pattern: &str, error: globset::Error| EngineError::Invalid {
        message: format!("`{pattern}` is no valid glob: {}", error.kind()),
    };
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let anchored = if pattern.contains('/') {
            pattern.clone()
        } else {
            format!("**/{pattern}")
        };
        builder.add(Glob::new(&anchored).map_err(|error| invalid(pattern, error))?);
        // A folder stands for what is in it.
        let below = format!("{}/**", anchored.trim_end_matches('/'));
        builder.add(Glob::new(&below).map_err(|error| invalid(pattern, error))?);
    }
    builder.build().map(Some).map_err(|error| invalid("", error))
}

#[cfg(test)]
mod tests {
    use super::globs;

    #[test]
    fn globs_match_paths_names_and_folders() {
        let matches = |pattern: &str, path: &str| globs(&[pattern.to_owned()]).unwrap().unwrap().is_match(path);
        assert!(matches("src/**", "src/a/b.py"));
        assert!(matches("*.py", "src/a/b.py"));
        assert!(matches("src/a", "src/a/b.py"));
        assert!(!matches("src/a", "src/ab.py"));
        assert!(globs(&["a[".to_owned()]).is_err());
        assert!(globs(&[]).unwrap().is_none());
    }
}
