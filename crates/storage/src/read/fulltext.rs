//! The full-text index.
use std::ops::ControlFlow;

use strata_model::kinds::{NodeKind, NodeLevel};

use crate::error::StoreError;
use crate::rows::{FileId, NodeId};
use crate::store::Store;

/// A node that matches a full-text query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextHit {
    /// The node.
    pub id: NodeId,
    /// The file it stands in.
    pub file_id: Option<FileId>,
    /// Level.
    pub level: NodeLevel,
    /// Kind.
    pub kind: NodeKind,
    /// SQLite's own BM25 value; larger is better.
    pub score: f64,
}

impl Store {
    /// Visits the nodes that match an FTS5 expression, best first by SQLite's own ranking, until told to stop.
    pub fn for_each_text_hit(
        &self,
        expression: &str,
        visit: impl FnMut(TextHit) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let _ = (expression, visit);
        unimplemented!()
    }

    /// Number of nodes whose text has the term.
    pub fn document_frequency(&self, term: &str) -> Result<u64, StoreError> {
        let _ = term;
        unimplemented!()
    }

    /// Number of texts in the index, and of tokens in them.
    pub fn text_totals(&self) -> Result<(u64, u64), StoreError> {
        unimplemented!()
    }
}
