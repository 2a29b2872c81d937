//! Counts and measures over many nodes.

use std::collections::BTreeMap;

use strata_model::facts::Metrics;
use strata_model::kinds::{NodeKind, NodeLevel, ParseStatus};

use super::coded;
use crate::codec;
use crate::error::StoreError;
use crate::rows::{FileId, NodeId};
use crate::store::Store;

/// How much the store holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files.
    pub files: u64,
    /// Nodes of all levels.
    pub nodes: u64,
    /// Edges of all kinds; the tree's own (`Contains`) are counted too.
    pub edges: u64,
    /// Symbols (level 3).
    pub symbols: u64,
    /// Files that were left out.
    pub skipped: u64,
    /// Files by language, in the order of the names.
    pub files_by_language: BTreeMap<String, u64>,
    /// Files by parse status: ok, partial, failed.
    pub files_by_status: [u64; 3],
    /// Nodes by level and kind.
    pub nodes_by_kind: BTreeMap<(NodeLevel, NodeKind), u64>,
}

/// The measures of a node, without its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The node.
    pub id: NodeId,
    /// The file it stands in.
    pub file_id: Option<FileId>,
    /// What contains it.
    pub parent_id: Option<NodeId>,
    /// Level.
    pub level: NodeLevel,
    /// Kind.
    pub kind: NodeKind,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Measures of the body, for what has one.
    pub metrics: Option<Metrics>,
}

impl Store {
    /// Counts everything. Nodes and edges are kept as figures, files are counted: a millisecond at three thousand of them.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let (nodes, edges) = self.totals()?;
        let mut counts = Counts {
            nodes,
            // Every node but the root hangs on its parent.
            edges: edges + nodes.saturating_sub(1),
            ..Counts::default()
        };
        self.run(|conn| {
            counts.skipped = conn.query_row("SELECT count(*) FROM skipped", [], |row| row.get(0))?;
            let mut statement =
                conn.prepare_cached("SELECT language, parse_status, count(*) FROM files GROUP BY 1, 2 ORDER BY 1, 2")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let status = coded(row, 1, ParseStatus::from_code)?;
                let number: u64 = row.get(2)?;
                counts.files += number;
                *counts.files_by_language.entry(row.get(0)?).or_default() += number;
                counts.files_by_status[usize::from(status.code())] += number;
            }
            Ok(())
        })?;
        for ((level, kind), n_nodes) in self.node_kinds()? {
            let (Some(level), Some(kind)) = (NodeLevel::from_code(level), NodeKind::from_code(kind)) else {
                continue;
            };
            counts.nodes_by_kind.insert((level, kind), n_nodes);
            if level == NodeLevel::L3_Symbol {
                counts.symbols += n_nodes;
            }
        }
        Ok(counts)
    }

    /// Number of (nodes, edges), from the figures kept with each commit: free. The tree's own edges are not counted: they are
    /// one fewer than the nodes.
    pub fn totals(&self) -> Result<(u64, u64), StoreError> {
        Ok((self.meta_number("node_count")?, self.meta_number("edge_count")?))
    }

    /// Number of nodes by the codes of level and kind, from the figures kept with each commit.
    pub(crate) fn node_kinds(&self) -> Result<BTreeMap<(u8, u8), u64>, StoreError> {
        match self.meta("node_kinds")?.as_deref().and_then(codec::decode_kinds) {
            Some(kinds) => Ok(kinds),
            None => self.counted_node_kinds(),
        }
    }

    fn counted_node_kinds(&self) -> Result<BTreeMap<(u8, u8), u64>, StoreError> {
        self.run(|conn| {
            let mut statement = conn.prepare_cached("SELECT level, kind, count(*) FROM nodes GROUP BY 1, 2")?;
            let rows = statement.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
            rows.collect()
        })
    }

    /// Visits the measures of every node, in the order of ids.
    pub fn for_each_measure(&self, mut visit: impl FnMut(Measure)) -> Result<(), StoreError> {
        self.run(|conn| {
            let mut statement = conn.prepare_cached(
                "SELECT id, file_id, parent_id, level, kind, start_line, end_line, metrics FROM nodes ORDER BY id",
            )?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let metrics = row.get_ref(7)?.as_blob_or_null()?;
                visit(Measure {
                    id: NodeId(row.get(0)?),
                    file_id: row.get::<_, Option<u32>>(1)?.map(FileId),
                    parent_id: row.get::<_, Option<u32>>(2)?.map(NodeId),
                    level: coded(row, 3, NodeLevel::from_code)?,
                    kind: coded(row, 4, NodeKind::from_code)?,
                    start_line: row.get(5)?,
                    end_line: row.get(6)?,
                    metrics: metrics.and_then(codec::decode_metrics),
                });
            }
            Ok(())
        })
    }
}
