//! Edges, and the nodes at their ends.
use crate::error::StoreError;
use crate::rows::{EdgeKinds, EdgeRow, FileId, LinkedNode, NodeId};
use crate::store::Store;

impl Store {
    /// The edges that leave a node, with their targets, in the order of the targets' FQNs.
    pub fn edges_out(&self, node: NodeId, kinds: EdgeKinds) -> Result<Vec<LinkedNode>, StoreError> {
        let _ = (node, kinds);
        unimplemented!()
    }

    /// The edges that lead to a node, with their sources, in the order of the sources' FQNs.
    pub fn edges_in(&self, node: NodeId, kinds: EdgeKinds) -> Result<Vec<LinkedNode>, StoreError> {
        let _ = (node, kinds);
        unimplemented!()
    }

    /// The edges that leave a node, alone.
    pub fn edge_rows_out(&self, node: NodeId, kinds: EdgeKinds) -> Result<Vec<EdgeRow>, StoreError> {
        let _ = (node, kinds);
        unimplemented!()
    }

    /// The edges that lead to a node, alone.
    pub fn edge_rows_in(&self, node: NodeId, kinds: EdgeKinds) -> Result<Vec<EdgeRow>, StoreError> {
        let _ = (node, kinds);
        unimplemented!()
    }

    /// The files with edges of these kinds to a node, in path order. Their facts and outcomes hold every exact site.
    pub fn files_linking_to(&self, node: NodeId, kinds: EdgeKinds) -> Result<Vec<FileId>, StoreError> {
        let _ = (node, kinds);
        unimplemented!()
    }

    /// Visits every stored edge, ordered by (src, kind, dst). For exports and whole-graph analyses.
    pub fn for_each_edge(&self, visit: impl FnMut(EdgeRow)) -> Result<(), StoreError> {
        let _ = visit;
        unimplemented!()
    }
}
