//! Nodes of the tree.
use strata_model::kinds::NodeLevel;

use crate::error::StoreError;
use crate::rows::{Case, FileId, NodeId, NodeRow};
use crate::store::Store;

impl Store {
    /// The root node; none in an empty store.
    pub fn root(&self) -> Result<Option<NodeRow>, StoreError> {
        unimplemented!()
    }

    /// The node with an id.
    pub fn node(&self, id: NodeId) -> Result<Option<NodeRow>, StoreError> {
        let _ = id;
        unimplemented!()
    }

    /// The nodes with these ids, in the order given; ids that are gone are left out.
    pub fn nodes(&self, ids: &[NodeId]) -> Result<Vec<NodeRow>, StoreError> {
        let _ = ids;
        unimplemented!()
    }

    /// The nodes with exactly this FQN; more than one only when levels share it (a root and its package).
    pub fn nodes_by_fqn(&self, fqn: &str) -> Result<Vec<NodeRow>, StoreError> {
        let _ = fqn;
        unimplemented!()
    }

    /// The nodes whose FQN, in any case of ASCII letters, is this one.
    pub fn nodes_by_name(&self, name: &str, case: Case) -> Result<Vec<NodeRow>, StoreError> {
        let _ = (name, case);
        unimplemented!()
    }

    /// At most `limit` nodes whose name starts with `prefix`, in the order of names, then FQNs.
    pub fn nodes_by_name_prefix(&self, prefix: &str, case: Case, limit: usize) -> Result<Vec<NodeRow>, StoreError> {
        let _ = (prefix, case, limit);
        unimplemented!()
    }

    /// At most `limit` nodes of `level` (none: all levels) that lie below the FQN `under` (none: anywhere), in the order
    /// of FQNs, after the first `offset`.
    pub fn nodes_of_level(
        &self,
        level: Option<NodeLevel>,
        under: Option<&str>,
        offset: usize,
        limit: usize,
    ) -> Result<Vec<NodeRow>, StoreError> {
        let _ = (level, under, offset, limit);
        unimplemented!()
    }

    /// The nodes of a file in source order, the module first.
    pub fn nodes_in_file(&self, file: FileId) -> Result<Vec<NodeRow>, StoreError> {
        let _ = file;
        unimplemented!()
    }

    /// The nodes directly below a node, in source order; modules and packages in the order of FQNs.
    pub fn children(&self, node: NodeId) -> Result<Vec<NodeRow>, StoreError> {
        let _ = node;
        unimplemented!()
    }

    /// The nodes of a file whose lines contain `line`, the module first, the innermost last.
    pub fn nodes_at_line(&self, file: FileId, line: u32) -> Result<Vec<NodeRow>, StoreError> {
        let _ = (file, line);
        unimplemented!()
    }

    /// The parents of a node, the nearest first, the root last.
    pub fn parent_chain(&self, node: NodeId) -> Result<Vec<NodeRow>, StoreError> {
        let _ = node;
        unimplemented!()
    }

    /// Visits every distinct name, in order.
    pub fn for_each_name(&self, visit: impl FnMut(&str)) -> Result<(), StoreError> {
        let _ = visit;
        unimplemented!()
    }

    /// Visits every FQN with its node, in order.
    pub fn for_each_fqn(&self, visit: impl FnMut(&str, NodeId)) -> Result<(), StoreError> {
        let _ = visit;
        unimplemented!()
    }
}
