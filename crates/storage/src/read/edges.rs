//! Edges, and the nodes at their ends.

use rusqlite::Row;
use strata_model::edge::EdgeFlags;
use strata_model::ids::Position;
use strata_model::kinds::EdgeKind;
use strata_model::outcome::How;

use super::nodes::{NODE_COLUMNS, node_columns, read_node};
use super::{coded, collect};
use crate::error::StoreError;
use crate::rows::{EdgeKinds, EdgeRow, FileId, LinkedNode, NodeId};
use crate::store::Store;

/// The columns of an [`EdgeRow`], in the order that [`read_edge`] expects.
macro_rules! edge_columns {
    () => {
        "e.src, e.kind, e.dst, e.sites, e.line, e.col, e.end_line, e.how, e.confidence, e.flags, \
         e.receiver"
    };
}

/// Reads an [`EdgeRow`] from the columns that start at `at`.
fn read_edge(row: &Row<'_>, at: usize) -> rusqlite::Result<EdgeRow> {
    let line: u32 = row.get(at + 4)?;
    Ok(EdgeRow {
        src: NodeId(row.get(at)?),
        kind: coded(row, at + 1, EdgeKind::from_code)?,
        dst: NodeId(row.get(at + 2)?),
        sites: row.get(at + 3)?,
        at: Position {
            line,
            column: row.get(at + 5)?,
        },
        end_line: row.get::<_, Option<u32>>(at + 6)?.unwrap_or(line),
        how: coded(row, at + 7, How::from_code)?,
        confidence: f32::from(row.get::<_, u16>(at + 8)?) / 1000.0,
        flags: EdgeFlags(row.get(at + 9)?),
        receiver: row.get::<_, Option<u32>>(at + 10)?.map(NodeId),
    })
}

impl Store {
    /// The edges that leave a node, with their targets, in the order of the targets' FQNs, then kinds.
    pub fn edges_out(&self, node: NodeId, kinds: EdgeKinds) -> Result<Vec<LinkedNode>, StoreError> {
        self.linked(
            concat!(
                "SELECT ",
                node_columns!(),
                ", ",
                edge_columns!(),
                " FROM edges e JOIN nodes n ON n.id = e.dst LEFT JOIN files f ON f.id = n.file_id \
                 WHERE e.src = ?1 AND e.kind & ?2 ORDER BY n.fqn, n.id, e.kind"
            ),
            node,
            kinds,
        )
    }

    /// The edges that lead to a node, with their sources, in the order of the sources' FQNs, then kinds.
    pub fn edges_in(&self, node: NodeId, kinds: EdgeKinds) -> Result<Vec<LinkedNode>, StoreError> {
        self.linked(
            concat!(
                "SELECT ",
                node_columns!(),
                ", ",
                edge_columns!(),
                " FROM edges e JOIN nodes n ON n.id = e.src LEFT JOIN files f ON f.id = n.file_id \
                 WHERE e.dst = ?1 AND e.kind & ?2 ORDER BY n.fqn, n.id, e.kind"
            ),
            node,
            kinds,
        )
    }

    /// The edges that leave a node, alone.
    pub fn edge_rows_out(&self, node: NodeId, kinds: EdgeKinds) -> Result<Vec<EdgeRow>, StoreError> {
        let sql = concat!(
            "SELECT ",
            edge_columns!(),
            " FROM edges e WHERE e.src = ?1 AND e.kind & ?2 ORDER BY e.kind, e.dst"
        );
        self.run(|conn| collect(conn.prepare_cached(sql)?, (node.0, kinds.0), |row| read_edge(row, 0)))
    }

    /// The edges that lead to a node, alone.
    pub fn edge_rows_in(&self, node: NodeId, kinds: EdgeKinds) -> Result<Vec<EdgeRow>, StoreError> {
        let sql = concat!(
            "SELECT ",
            edge_columns!(),
            " FROM edges e WHERE e.dst = ?1 AND e.kind & ?2 ORDER BY e.kind, e.src"
        );
        self.run(|conn| collect(conn.prepare_cached(sql)?, (node.0, kinds.0), |row| read_edge(row, 0)))
    }

    /// The files with edges of these kinds to a node, in path order. Their facts and outcomes hold every exact site.
    pub fn files_linking_to(&self, node: NodeId, kinds: EdgeKinds) -> Result<Vec<FileId>, StoreError> {
        let sql = "SELECT DISTINCT f.path, f.id
             FROM edges e JOIN nodes n ON n.id = e.src JOIN files f ON f.id = n.file_id
             WHERE e.dst = ?1 AND e.kind & ?2 ORDER BY f.path";
        self.run(|conn| {
            collect(conn.prepare_cached(sql)?, (node.0, kinds.0), |row| {
                Ok(FileId(row.get(1)?))
            })
        })
    }

    /// Visits every stored edge, ordered by (src, kind, dst). For exports and whole-graph analyses.
    pub fn for_each_edge(&self, mut visit: impl FnMut(EdgeRow)) -> Result<(), StoreError> {
        let sql = concat!(
            "SELECT ",
            edge_columns!(),
            " FROM edges e ORDER BY e.src, e.kind, e.dst"
        );
        self.run(|conn| {
            let mut statement = conn.prepare_cached(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                visit(read_edge(row, 0)?);
            }
            Ok(())
        })
    }

    fn linked(&self, sql: &str, node: NodeId, kinds: EdgeKinds) -> Result<Vec<LinkedNode>, StoreError> {
        self.run(|conn| {
            collect(conn.prepare_cached(sql)?, (node.0, kinds.0), |row| {
                Ok(LinkedNode {
                    edge: read_edge(row, NODE_COLUMNS)?,
                    node: read_node(row)?,
                })
            })
        })
    }
}
