//! A project in memory with an index on disk.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use strata_index::{
    Control, IndexConfig, IndexError, Indexer, RefreshMode, RunReport, export_graph, export_references,
};
use strata_storage::Store;
use strata_vfs::MemoryFs;
use tempfile::TempDir;

/// Files in memory and an index of them.
pub(crate) struct Project {
    pub(crate) fs: Arc<MemoryFs>,
    pub(crate) indexer: Indexer,
    folder: TempDir,
}

impl Project {
    /// A project with these files, not indexed yet.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::over(Arc::new(MemoryFs::with(files.iter().copied())), IndexConfig::default())
    }

    /// The same with settings.
    pub(crate) fn with(files: &[(&str, &str)], config: IndexConfig) -> Self {
        Self::over(Arc::new(MemoryFs::with(files.iter().copied())), config)
    }

    /// A fresh index of files that exist.
    pub(crate) fn over(fs: Arc<MemoryFs>, config: IndexConfig) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let indexer = Indexer::over(
            Arc::<MemoryFs>::clone(&fs) as _,
            folder.path(),
            config,
            strata_languages::ALL,
        );
        Self { fs, indexer, folder }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn store(&self) -> Store {
        Store::open_read(self.folder.path()).unwrap()
    }

    pub(crate) fn try_refresh(&mut self, control: &Control<'_>) -> Result<RunReport, IndexError> {
        self.indexer.refresh(RefreshMode::Changed, control)
    }

    pub(crate) fn refresh(&mut self) -> RunReport {
        self.try_refresh(&Control::default()).unwrap()
    }

    /// Everything that is exported, one row a line.
    pub(crate) fn exported(&self) -> String {
        exported(&self.store())
    }

    /// The edges as `from -Kind-> to`.
    pub(crate) fn edges(&self) -> Vec<String> {
        let mut edges = Vec::new();
        let edge = |edge: strata_index::ExportedEdge| edges.push(format!("{} -{}-> {}", edge.from, edge.kind, edge.to));
        export_graph(&self.store(), |_| {}, edge).unwrap();
        edges
    }

    /// The FQNs of all nodes.
    pub(crate) fn fqns(&self) -> Vec<String> {
        let mut fqns = Vec::new();
        export_graph(&self.store(), |node| fqns.push(node.fqn), |_| {}).unwrap();
        fqns
    }
}

fn exported(store: &Store) -> String {
    let mut out = String::new();
    let mut edges = String::new();
    export_graph(
        store,
        |node| writeln!(out, "{node:?}").unwrap(),
        |edge| writeln!(edges, "{edge:?}").unwrap(),
    )
    .unwrap();
    out.push_str(&edges);
    export_references(store, |reference| writeln!(out, "{reference:?}").unwrap()).unwrap();
    out
}
