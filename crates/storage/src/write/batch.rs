//! A write transaction from its start to its commit.

use std::rc::Rc;

use rusqlite::{OptionalExtension, params};
use rustc_hash::{FxHashMap, FxHashSet};

use super::texts::Totals;
use crate::error::StoreError;
use crate::rows::{FileId, InputRow, NodeId, Unlisted};
use crate::schema;
use crate::store::Store;

/// One write transaction. Dropped without [`Batch::commit`], it leaves the store as it was.
pub struct Batch<'s> {
    pub(super) store: &'s mut Store,
    /// The first id that was never given to a node.
    pub(super) next_node: u32,
    /// The first id that was never given to a file.
    next_file: u32,
    /// Which stored file each file index of the linker is.
    pub(super) file_ids: Vec<FileId>,
    /// Nodes and other definitions of the files that were asked for.
    pub(super) maps: FxHashMap<FileId, Rc<FileMap>>,
    /// Files whose edges have been dropped in this batch already.
    pub(super) without_edges: FxHashSet<FileId>,
    pub(super) totals: Totals,
    pub(super) report: BatchReport,
    pub(super) removed_edges: u64,
    pub(super) added_edges: u64,
    pub(super) has_loose_facts: bool,
    is_finished: bool,
}

/// The nodes of a file by definition.
#[derive(Debug, Default)]
pub(super) struct FileMap {
    pub(super) module: Option<NodeId>,
    pub(super) nodes: FxHashMap<u32, NodeId>,
    pub(super) unlisted: FxHashMap<u32, Unlisted>,
}

impl FileMap {
    /// The node of a definition, or of the nearest one around it that has one.
    pub(super) fn listed(&self, def: u32) -> Option<NodeId> {
        match self.nodes.get(&def) {
            Some(node) => Some(*node),
            None => match self.unlisted.get(&def)?.owner {
                Some(owner) => self.nodes.get(&owner.0).copied().or(self.module),
                None => self.module,
            },
        }
    }
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
        self.run(|conn| conn.execute_batch("BEGIN IMMEDIATE"))?;
        let number = |store: &Self, key| store.meta_number(key).map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        let (next_node, next_file) = (number(self, "next_node")?.max(1), number(self, "next_file")?.max(1));
        let (texts, tokens) = self.text_totals()?;
        Ok(Batch {
            store: self,
            next_node,
            next_file,
            file_ids: Vec::new(),
            maps: FxHashMap::default(),
            without_edges: FxHashSet::default(),
            totals: Totals { texts, tokens },
            report: BatchReport::default(),
            removed_edges: 0,
            added_edges: 0,
            has_loose_facts: false,
            is_finished: false,
        })
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if !self.is_finished {
            // The transaction is given up; what fails here leaves it given up all the same.
            let _ = self.store.conn.execute_batch("ROLLBACK");
        }
    }
}

impl Batch<'_> {
    /// Says which stored file each file index of the linker is: `files[FileIx]`. Must precede [`Batch::put_links`].
    pub fn set_file_ids(&mut self, files: Vec<FileId>) {
        self.file_ids = files;
    }

    /// The node of a definition (none: of the module) of a file; none for a definition that is no node.
    pub fn node_of(&mut self, file: FileId, def: Option<u32>) -> Result<Option<NodeId>, StoreError> {
        let map = self.map(file)?;
        Ok(match def {
            Some(def) => map.nodes.get(&def).copied(),
            None => map.module,
        })
    }

    /// Replaces the list of folders with their times.
    pub fn put_dirs<'a>(&mut self, dirs: impl IntoIterator<Item = (&'a str, i64)>) -> Result<(), StoreError> {
        self.store.run(|conn| {
            conn.execute("DELETE FROM dirs", [])?;
            let mut insert = conn.prepare_cached("INSERT INTO dirs (path, mtime_ns) VALUES (?1, ?2)")?;
            for (path, mtime_ns) in dirs {
                insert.execute(params![path, mtime_ns])?;
            }
            Ok(())
        })
    }

    /// Replaces the list of inputs that are no sources.
    pub fn put_inputs(&mut self, inputs: &[InputRow]) -> Result<(), StoreError> {
        self.store.run(|conn| {
            conn.execute("DELETE FROM inputs", [])?;
            let mut insert =
                conn.prepare_cached("INSERT INTO inputs (path, size_bytes, mtime_ns, sha256) VALUES (?1, ?2, ?3, ?4)")?;
            for input in inputs {
                insert.execute(params![input.path, input.size_bytes, input.mtime_ns, input.sha256])?;
            }
            Ok(())
        })
    }

    /// Replaces the list of files that were left out, with the reason.
    pub fn put_skipped<'a>(&mut self, skipped: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<(), StoreError> {
        self.store.run(|conn| {
            conn.execute("DELETE FROM skipped", [])?;
            let mut insert = conn.prepare_cached("INSERT OR REPLACE INTO skipped (path, reason) VALUES (?1, ?2)")?;
            for (path, reason) in skipped {
                insert.execute(params![path, reason])?;
            }
            Ok(())
        })
    }

    /// Sets an entry of `schema_meta`.
    pub fn set_meta(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.store.run(|conn| {
            conn.prepare_cached(
                "INSERT INTO schema_meta (key, value) VALUES (?1, ?2)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            )?
            .execute(params![key, value])
            .map(drop)
        })
    }

    /// Makes everything visible to readers.
    pub fn commit(mut self) -> Result<BatchReport, StoreError> {
        if self.has_loose_facts {
            self.store.run(|conn| {
                conn.execute(
                    "DELETE FROM facts WHERE (sha256, language) NOT IN (SELECT sha256, language FROM files)",
                    [],
                )
            })?;
        }
        let nodes = self.store.meta_number("node_count")? + self.report.added_nodes;
        let edges = self.store.meta_number("edge_count")? + self.added_edges;
        self.report.nodes = nodes.saturating_sub(self.report.removed_nodes);
        self.report.edges = edges.saturating_sub(self.removed_edges);
        let generation = self.store.meta_number("generation")? + 1;
        for (key, value) in [
            ("node_count", self.report.nodes),
            ("edge_count", self.report.edges),
            ("generation", generation),
            ("next_node", u64::from(self.next_node)),
            ("next_file", u64::from(self.next_file)),
            ("text_count", self.totals.texts),
            ("text_tokens", self.totals.tokens),
        ] {
            self.set_meta(key, &value.to_string())?;
        }
        self.store.run(|conn| conn.execute_batch(schema::INDEXES))?;
        self.store.run(|conn| conn.execute_batch("COMMIT"))?;
        self.is_finished = true;
        let report = self.report;
        self.store.publish()?;
        Ok(report)
    }

    pub(super) fn new_node_id(&mut self) -> NodeId {
        let id = NodeId(self.next_node);
        self.next_node += 1;
        id
    }

    pub(super) fn new_file_id(&mut self) -> FileId {
        let id = FileId(self.next_file);
        self.next_file += 1;
        id
    }

    /// The nodes of a file, from this batch or from the store.
    pub(super) fn map(&mut self, file: FileId) -> Result<Rc<FileMap>, StoreError> {
        if let Some(map) = self.maps.get(&file) {
            return Ok(Rc::clone(map));
        }
        let mut map = FileMap::default();
        self.store.run(|conn| {
            let mut select = conn.prepare_cached("SELECT def_ix, id FROM nodes WHERE file_id = ?1")?;
            let mut rows = select.query([file.0])?;
            while let Some(row) = rows.next()? {
                let id = NodeId(row.get(1)?);
                match row.get::<_, Option<u32>>(0)? {
                    Some(def) => {
                        map.nodes.insert(def, id);
                    }
                    None => map.module = Some(id),
                }
            }
            Ok(())
        })?;
        map.unlisted = self
            .store
            .unlisted(file)?
            .into_iter()
            .map(|it| (it.def.0, it))
            .collect();
        let map = Rc::new(map);
        self.maps.insert(file, Rc::clone(&map));
        Ok(map)
    }

    /// Drops the edges that start in a file, once a batch.
    pub(super) fn drop_edges_of(
        &mut self,
        file: FileId,
        nodes: impl Iterator<Item = NodeId>,
    ) -> Result<(), StoreError> {
        if !self.without_edges.insert(file) {
            return Ok(());
        }
        let mut removed = 0;
        self.store.run(|conn| {
            let mut delete = conn.prepare_cached("DELETE FROM edges WHERE src = ?1")?;
            for node in nodes {
                removed += delete.execute([node.0])? as u64;
            }
            Ok(())
        })?;
        self.removed_edges += removed;
        Ok(())
    }

    /// The id of a stored file and of its module's node.
    pub(super) fn stored_file(&self, path: &str) -> Result<Option<(FileId, NodeId)>, StoreError> {
        self.store.run(|conn| {
            conn.prepare_cached("SELECT id, node_id FROM files WHERE path = ?1")?
                .query_row([path], |row| Ok((FileId(row.get(0)?), NodeId(row.get(1)?))))
                .optional()
        })
    }
}
