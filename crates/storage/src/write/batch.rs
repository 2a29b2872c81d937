//! A write transaction from its start to its commit.
use rustc_hash::FxHashMap;

use super::{FileUpdate, LinksUpdate, PackageInit, RootInit};
use crate::error::StoreError;
use crate::rows::{FileId, InputRow, NodeId, PackageId};
use crate::store::Store;

/// One write transaction. Dropped without [`Batch::commit`], it leaves the store as it was.
pub struct Batch<'s> {
    pub(super) store: &'s mut Store,
    _todo: FxHashMap<u32, u32>,
}

/// What a batch changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchReport {
    /// Nodes that are new.
    pub added_nodes: u64,
    /// Nodes that are gone.
    pub removed_nodes: u64,
    /// Nodes that kept their id.
    pub kept_nodes: u64,
    /// Edges in the store now, the tree's own not counted.
    pub edges: u64,
    /// Nodes in the store now.
    pub nodes: u64,
    /// Edges that were not stored because their target is no node.
    pub edges_without_node: u64,
}

impl Store {
    /// Starts a write transaction. Fails with [`StoreError::Busy`] when another process writes.
    pub fn begin(&mut self) -> Result<Batch<'_>, StoreError> {
        unimplemented!()
    }
}

impl Batch<'_> {
    /// Writes the root node and the list of packages; returns the ids of the packages in the order given. Packages that
    /// are not in the list any more are removed; files that belonged to one must be put, moved or removed in this batch.
    pub fn put_tree(&mut self, root: RootInit<'_>, packages: &[PackageInit<'_>]) -> Result<Vec<PackageId>, StoreError> {
        let _ = (root, packages);
        unimplemented!()
    }

    /// Removes a file with its nodes, edges in both directions, links, texts and, if no other file has the same content,
    /// facts. Returns false when it was not there.
    pub fn remove_file(&mut self, path: &str) -> Result<bool, StoreError> {
        let _ = path;
        unimplemented!()
    }

    /// Writes a file that is new or whose content changed. Edges and links of the file itself are dropped; those of other
    /// files to symbols that are still there stay valid.
    pub fn put_file(&mut self, update: &FileUpdate<'_>) -> Result<FileId, StoreError> {
        let _ = update;
        unimplemented!()
    }

    /// Notes that a file was touched and still has the same content.
    pub fn touch_file(&mut self, file: FileId, size_bytes: u64, mtime_ns: i64) -> Result<(), StoreError> {
        let _ = (file, size_bytes, mtime_ns);
        unimplemented!()
    }

    /// Gives an unchanged file another package or module FQN; the FQNs of its symbols follow.
    pub fn rename_module(
        &mut self,
        file: FileId,
        package: Option<PackageId>,
        module_fqn: &str,
    ) -> Result<(), StoreError> {
        let _ = (file, package, module_fqn);
        unimplemented!()
    }

    /// Says which stored file each file index of the linker is: `files[FileIx]`. Must precede [`Batch::put_links`].
    pub fn set_file_ids(&mut self, files: Vec<FileId>) {
        let _ = files;
        unimplemented!()
    }

    /// The node of a definition (none: of the module) of a file; none for a definition that is no node.
    pub fn node_of(&mut self, file: FileId, def: Option<u32>) -> Result<Option<NodeId>, StoreError> {
        let _ = (file, def);
        unimplemented!()
    }

    /// Replaces the edges, outcomes and keys of a file.
    pub fn put_links(&mut self, links: &LinksUpdate<'_>) -> Result<(), StoreError> {
        let _ = links;
        unimplemented!()
    }

    /// Replaces the list of folders with their times.
    pub fn put_dirs<'a>(&mut self, dirs: impl IntoIterator<Item = (&'a str, i64)>) -> Result<(), StoreError> {
        let _ = dirs.into_iter().count();
        unimplemented!()
    }

    /// Replaces the list of inputs that are no sources.
    pub fn put_inputs(&mut self, inputs: &[InputRow]) -> Result<(), StoreError> {
        let _ = inputs;
        unimplemented!()
    }

    /// Replaces the list of files that were left out, with the reason.
    pub fn put_skipped<'a>(&mut self, skipped: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<(), StoreError> {
        let _ = skipped.into_iter().count();
        unimplemented!()
    }

    /// Sets an entry of `schema_meta`.
    pub fn set_meta(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        let _ = (key, value);
        unimplemented!()
    }

    /// Makes everything visible to readers.
    pub fn commit(self) -> Result<BatchReport, StoreError> {
        unimplemented!()
    }
}
