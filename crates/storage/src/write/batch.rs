//! A write transaction from its start to its commit.

use std::collections::BTreeMap;
use std::rc::Rc;

use rusqlite::{OptionalExtension, params};
use rustc_hash::{FxHashMap, FxHashSet};

use super::SurfaceInit;
use super::texts::Totals;
use crate::codec;
use crate::error::StoreError;
use crate::rows::{FileId, InputRow, NodeId, Unlisted};
use crate::schema;
use crate::store::Store;

/// SQLite's own size of the buffer of the text index.
const TEXT_BUFFER: u32 = 1024 * 1024;

/// The size for a bulk.
const BULK_TEXT_BUFFER: u32 = 16 * 1024 * 1024;

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
    /// Number of nodes by the codes of level and kind.
    kinds: BTreeMap<(u8, u8), u64>,
    pub(super) report: BatchReport,
    pub(super) removed_edges: u64,
    pub(super) added_edges: u64,
    /// Contents whose facts may be in no file any more.
    pub(super) loose_facts: FxHashSet<(Vec<u8>, String)>,
    /// True for the first batch of a store.
    is_bulk: bool,
    is_finished: bool,
}

/// The nodes of a file by definition.
#[derive(Debug, Default)]
pub(super) struct FileMap {
    pub(super) module: Option<NodeId>,
    /// By definition; most definitions are nodes.
    nodes: Vec<Option<NodeId>>,
    pub(super) unlisted: FxHashMap<u32, Unlisted>,
}

impl FileMap {
    /// A file that has nothing but its module.
    pub(super) fn of_module(module: Option<NodeId>) -> Self {
        Self {
            module,
            ..Self::default()
        }
    }

    /// The node of a definition.
    pub(super) fn node(&self, def: u32) -> Option<NodeId> {
        self.nodes.get(def as usize).copied().flatten()
    }

    /// The node of a definition, or of the nearest one around it that has one.
    pub(super) fn listed(&self, def: u32) -> Option<NodeId> {
        match self.node(def) {
            Some(node) => Some(node),
            None => self
                .unlisted
                .get(&def)?
                .owner
                .and_then(|owner| self.node(owner.0))
                .or(self.module),
        }
    }

    /// All nodes, the module's included.
    pub(super) fn all_nodes(&self) -> impl Iterator<Item = NodeId> {
        self.module.into_iter().chain(self.nodes.iter().copied().flatten())
    }

    pub(super) fn set(&mut self, def: u32, node: NodeId) {
        let ix = def as usize;
        if self.nodes.len() <= ix {
            self.nodes.resize(ix + 1, None);
        }
        self.nodes[ix] = Some(node);
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
        let mut batch = Batch {
            store: self,
            is_bulk: false,
            next_node: 1,
            next_file: 1,
            file_ids: Vec::new(),
            maps: FxHashMap::default(),
            without_edges: FxHashSet::default(),
            totals: Totals::default(),
            kinds: BTreeMap::new(),
            report: BatchReport::default(),
            removed_edges: 0,
            added_edges: 0,
            loose_facts: FxHashSet::default(),
            is_finished: false,
        };
        batch.load()?;
        Ok(batch)
    }
}

impl Store {
    /// Sets how many bytes of words the text index gathers before it writes them as a segment.
    fn set_text_buffer(&self, bytes: u32) -> Result<(), StoreError> {
        self.run(|conn| {
            conn.execute(
                "INSERT INTO symbols_fts (symbols_fts, rank) VALUES ('hashsize', ?1)",
                [bytes],
            )
            .map(drop)
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
    /// Reads the figures that the last batch left.
    fn load(&mut self) -> Result<(), StoreError> {
        let number = |store: &Store, key| store.meta_number(key).map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        self.next_node = number(self.store, "next_node")?.max(1);
        self.next_file = number(self.store, "next_file")?.max(1);
        let (texts, tokens) = self.store.text_totals()?;
        self.totals = Totals { texts, tokens };
        self.kinds = self.store.node_kinds()?;
        // An empty store takes a bulk: the text index may gather more before it writes a segment, which saves merging.
        self.is_bulk = self.next_node == 1;
        if self.is_bulk {
            self.store.set_text_buffer(BULK_TEXT_BUFFER)?;
        }
        Ok(())
    }

    /// Counts a node of a kind in or, by a negative number, out.
    pub(super) fn count_kind(&mut self, level: u8, kind: u8, change: i64) {
        let n_nodes = self.kinds.entry((level, kind)).or_default();
        *n_nodes = n_nodes.saturating_add_signed(change);
    }

    /// Says which stored file each file index of the linker is: `files[FileIx]`. Must precede [`Batch::put_links`].
    pub fn set_file_ids(&mut self, files: Vec<FileId>) {
        self.file_ids = files;
    }

    /// The node of a definition (none: of the module) of a file; none for a definition that is no node.
    pub fn node_of(&mut self, file: FileId, def: Option<u32>) -> Result<Option<NodeId>, StoreError> {
        let map = self.map(file)?;
        Ok(match def {
            Some(def) => map.node(def),
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

    /// Keeps what was extracted of installed packages.
    pub fn put_surfaces(&mut self, surfaces: &[SurfaceInit]) -> Result<(), StoreError> {
        self.store.run(|conn| {
            let mut insert = conn.prepare_cached(
                "INSERT OR REPLACE INTO facts (sha256, language, extractor_version, blob) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for it in surfaces {
                insert.execute(params![it.sha256, it.language, it.extractor_version, it.facts])?;
            }
            Ok(())
        })
    }

    /// Drops the surfaces of contents that are no input any more.
    pub fn drop_surfaces(&mut self) -> Result<(), StoreError> {
        self.store.run(|conn| {
            conn.execute(
                "DELETE FROM facts WHERE language LIKE '% surface' AND sha256 NOT IN (SELECT sha256 FROM inputs)",
                [],
            )
            .map(drop)
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
        self.drop_loose_facts()?;
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
        self.kinds.retain(|_, n_nodes| *n_nodes > 0);
        let kinds = codec::encode_kinds(&self.kinds);
        self.set_meta("node_kinds", &kinds)?;
        if self.is_bulk {
            self.store.set_text_buffer(TEXT_BUFFER)?;
        }
        self.store.run(|conn| conn.execute_batch(schema::INDEXES))?;
        self.store.run(|conn| conn.execute_batch("COMMIT"))?;
        self.is_finished = true;
        let report = self.report;
        self.store.publish()?;
        Ok(report)
    }

    /// Drops the facts of contents that were in a file before this batch and are in none now.
    fn drop_loose_facts(&mut self) -> Result<(), StoreError> {
        if self.loose_facts.is_empty() {
            return Ok(());
        }
        let mut loose: Vec<(Vec<u8>, String)> = std::mem::take(&mut self.loose_facts).into_iter().collect();
        loose.sort();
        self.store.run(|conn| {
            // The hashes of all files once: an index on them would serve nothing else.
            let mut files = conn.prepare_cached("SELECT sha256, language FROM files")?;
            let used = files.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let used: FxHashSet<(Vec<u8>, String)> = used.collect::<rusqlite::Result<_>>()?;
            let mut delete = conn.prepare_cached("DELETE FROM facts WHERE sha256 = ?1 AND language = ?2")?;
            for content in loose.iter().filter(|content| !used.contains(content)) {
                delete.execute(params![content.0, content.1])?;
            }
            Ok(())
        })
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
                    Some(def) => map.set(def, id),
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

    /// Drops the edges that start at the nodes of a file, and its outcomes and keys.
    pub(super) fn drop_links_of(
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
            conn.prepare_cached("DELETE FROM links WHERE file_id = ?1")?
                .execute([file.0])
        })?;
        self.removed_edges += removed;
        Ok(())
    }

    /// The id of a stored file, whose content is about to go.
    pub(super) fn take_stored_file(&mut self, path: &str) -> Result<Option<FileId>, StoreError> {
        let stored = self.store.run(|conn| {
            conn.prepare_cached("SELECT id, sha256, language FROM files WHERE path = ?1")?
                .query_row([path], |row| Ok((FileId(row.get(0)?), row.get(1)?, row.get(2)?)))
                .optional()
        })?;
        Ok(stored.map(|(file, sha256, language)| {
            self.loose_facts.insert((sha256, language));
            file
        }))
    }
}
