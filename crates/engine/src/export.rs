//! The whole graph and all references, row by row; and removing an index.

use std::path::PathBuf;

use strata_index::{
    ExportedEdge, ExportedFlow, ExportedNode, ExportedReference, export_flows, export_graph, export_references,
};
use strata_storage::DATABASE_NAME;

use crate::engine::Engine;
use crate::error::EngineError;
use crate::view::View;

impl View<'_> {
    /// Visits every node by FQN, then every edge by source, kind and target.
    pub fn export_graph(
        &self,
        node: impl FnMut(ExportedNode),
        edge: impl FnMut(ExportedEdge),
    ) -> Result<(), EngineError> {
        Ok(export_graph(self.store, node, edge)?)
    }

    /// Visits every reference by file and position.
    pub fn export_references(&self, visit: impl FnMut(ExportedReference)) -> Result<(), EngineError> {
        Ok(export_references(self.store, visit)?)
    }

    /// Visits every derived call by file and position: what can be called at a place that does not name it. True when a
    /// limit ended the analysis early and there may be more.
    pub fn export_flows(&self, visit: impl FnMut(ExportedFlow)) -> Result<bool, EngineError> {
        Ok(export_flows(self.store, self.engine.indexer().languages(), visit)?)
    }
}

impl Engine {
    /// Removes the index and keeps what cannot be built again. Returns what was removed.
    pub fn clean_index(&self) -> Result<Vec<PathBuf>, EngineError> {
        let folder = self.folder();
        let mut removed = Vec::new();
        if !folder.is_dir() {
            return Ok(removed);
        }
        self.forget();
        let fault = |path: PathBuf| move |source| EngineError::Folder { path, source };
        for entry in std::fs::read_dir(&folder).map_err(fault(folder.clone()))? {
            let path = entry.map_err(fault(folder.clone()))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.starts_with(DATABASE_NAME) {
                std::fs::remove_file(&path).map_err(fault(path.clone()))?;
                removed.push(path);
            }
        }
        removed.sort();
        Ok(removed)
    }

    /// Removes the whole index folder. Returns what was removed.
    pub fn clean_folder(&self) -> Result<Vec<PathBuf>, EngineError> {
        let folder = self.folder();
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        self.forget();
        std::fs::remove_dir_all(&folder).map_err(|source| EngineError::Folder {
            path: folder.clone(),
            source,
        })?;
        Ok(vec![folder])
    }
}
