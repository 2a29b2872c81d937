//! What is indexed, and how it stands.

use std::path::Path;

use strata_model::symbol::context_kind;
use strata_vfs::explain;

use crate::error::EngineError;
use crate::view::View;

/// A root and what its index holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedRoot {
    /// The root as it was indexed.
    pub virtual_root: String,
    /// When it was last written, in milliseconds since 1970.
    pub indexed_at: i64,
    /// Nodes.
    pub node_count: u64,
    /// Edges.
    pub edge_count: u64,
    /// Files by language, such as `typescript: 3 files, python: 1 file`.
    pub language_summary: String,
}

/// What an index holds, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexCounts {
    /// Files.
    pub files: u64,
    /// Symbols.
    pub symbols: u64,
    /// Symbols by kind of the context server, in the order of the names.
    pub symbols_by_kind: Vec<(String, u64)>,
    /// Files by language, in the order of the names.
    pub languages: Vec<(String, u64)>,
}

/// Whether a path is indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStatus {
    /// True when it is an indexed file, or a folder with one.
    pub is_indexed: bool,
    /// When it was indexed, in milliseconds since 1970.
    pub indexed_at: Option<i64>,
    /// Why it is not.
    pub reason: Option<String>,
}

impl View<'_> {
    /// The root and what its index holds.
    pub fn indexed_root(&self) -> Result<IndexedRoot, EngineError> {
        let counts = self.store.counts()?;
        let mut languages: Vec<(&String, &u64)> = counts.files_by_language.iter().collect();
        languages.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let words: Vec<String> = languages
            .into_iter()
            .map(|(language, n_files)| {
                format!("{language}: {n_files} {}", if *n_files == 1 { "file" } else { "files" })
            })
            .collect();
        Ok(IndexedRoot {
            virtual_root: self.engine.root().display().to_string(),
            indexed_at: self.state().indexed_at,
            node_count: counts.nodes,
            edge_count: counts.edges,
            language_summary: words.join(", "),
        })
    }

    /// What the index holds, in numbers.
    pub fn counts(&self) -> Result<IndexCounts, EngineError> {
        let counts = self.store.counts()?;
        let mut by_kind: std::collections::BTreeMap<&str, u64> = std::collections::BTreeMap::new();
        for ((level, kind), n_nodes) in &counts.nodes_by_kind {
            if *level == strata_model::kinds::NodeLevel::L3_Symbol {
                *by_kind.entry(context_kind(*kind)).or_default() += n_nodes;
            }
        }
        Ok(IndexCounts {
            files: counts.files,
            symbols: counts.symbols,
            symbols_by_kind: by_kind.into_iter().map(|(kind, n)| (kind.to_owned(), n)).collect(),
            languages: counts.files_by_language.into_iter().collect(),
        })
    }

    /// Whether a path is indexed, and why not.
    pub fn path_status(&self, written: &str) -> Result<PathStatus, EngineError> {
        let unknown = |reason: String| PathStatus {
            is_indexed: false,
            indexed_at: None,
            reason: Some(reason),
        };
        let Some(path) = self.relative_path(written) else {
            return Ok(unknown(format!(
                "{written} lies outside {}",
                self.engine.root().display()
            )));
        };
        if let Some(file) = self.store.file_by_path(&path)? {
            return Ok(PathStatus {
                is_indexed: true,
                indexed_at: Some(file.indexed_at),
                reason: None,
            });
        }
        if let Some(reason) = self.store.skip_reason(&path)? {
            return Ok(unknown(reason));
        }
        let folder = if path.is_empty() {
            String::new()
        } else {
            format!("{path}/")
        };
        let newest = self
            .store
            .files()?
            .iter()
            .filter(|file| file.path.starts_with(&folder))
            .map(|file| file.indexed_at)
            .max();
        if let Some(indexed_at) = newest {
            return Ok(PathStatus {
                is_indexed: true,
                indexed_at: Some(indexed_at),
                reason: None,
            });
        }
        let indexer = self.engine.indexer();
        if !indexer.fs().exists(&path) {
            return Ok(unknown("it does not exist".to_owned()));
        }
        if let Some(exclusion) = explain(indexer.fs(), &indexer.config().walk_options(), &path) {
            return Ok(unknown(exclusion.to_string()));
        }
        let suffix = Path::new(&path)
            .extension()
            .map(|suffix| suffix.to_string_lossy().into_owned());
        Ok(unknown(match suffix {
            Some(suffix) => format!("no indexed language has files that end in .{suffix}"),
            None => "it is of no indexed language".to_owned(),
        }))
    }
}
