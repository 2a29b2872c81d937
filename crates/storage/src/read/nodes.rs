//! Nodes of the tree.

use rusqlite::{OptionalExtension, Row, params};
use strata_model::facts::DefFlags;
use strata_model::ids::{DefId, Position, Span};
use strata_model::kinds::{NodeKind, NodeLevel};
use strata_model::symbol::FQN_SEPARATOR;

use super::{coded, collect, unreadable};
use crate::codec;
use crate::error::StoreError;
use crate::rows::{Case, FileId, NodeId, NodeRow};
use crate::store::Store;

/// The columns of a [`NodeRow`], in the order that [`read_node`] expects; `n` is the node and `f` its file.
macro_rules! node_columns {
    () => {
        "n.id, n.file_id, f.path, f.language, n.parent_id, n.key, n.def_ix, n.level, n.kind, n.name, n.fqn, n.flags, \
         n.start_byte, n.end_byte, n.start_line, n.start_col, n.end_line, n.end_col, n.name_line, n.name_col, \
         n.signature, n.doc, n.metrics"
    };
}

/// A query for node rows with the given tail.
macro_rules! select_nodes {
    ($tail:literal) => {
        concat!(
            "SELECT ",
            node_columns!(),
            " FROM nodes n LEFT JOIN files f ON f.id = n.file_id ",
            $tail
        )
    };
}

pub(crate) use node_columns;

/// Number of columns of [`node_columns`].
pub(crate) const NODE_COLUMNS: usize = 23;

/// Reads a [`NodeRow`] from the first columns of a row.
pub(crate) fn read_node(row: &Row<'_>) -> rusqlite::Result<NodeRow> {
    let file_id: Option<u32> = row.get(1)?;
    let metrics = match row.get_ref(22)?.as_blob_or_null()? {
        None => None,
        Some(bytes) => Some(codec::decode_metrics(bytes).ok_or_else(|| unreadable(22, "broken measures"))?),
    };
    Ok(NodeRow {
        id: NodeId(row.get(0)?),
        file_id: file_id.map(FileId),
        path: row.get::<_, Option<String>>(2)?.unwrap_or_default(),
        language: row.get::<_, Option<String>>(3)?.unwrap_or_else(|| "multi".to_owned()),
        parent_id: row.get::<_, Option<u32>>(4)?.map(NodeId),
        key: row.get::<_, i64>(5)?.cast_unsigned(),
        def: row.get::<_, Option<u32>>(6)?.map(DefId),
        level: coded(row, 7, NodeLevel::from_code)?,
        kind: coded(row, 8, NodeKind::from_code)?,
        name: row.get(9)?,
        fqn: row.get(10)?,
        flags: DefFlags(row.get(11)?),
        span: Span {
            start: row.get(12)?,
            end: row.get(13)?,
        },
        start: Position {
            line: row.get(14)?,
            column: row.get(15)?,
        },
        end: Position {
            line: row.get(16)?,
            column: row.get(17)?,
        },
        name_at: Position {
            line: row.get(18)?,
            column: row.get(19)?,
        },
        signature: row.get(20)?,
        doc: row.get(21)?,
        metrics,
    })
}

impl Store {
    /// The root node; none in an empty store.
    pub fn root(&self) -> Result<Option<NodeRow>, StoreError> {
        match self.meta_number("root_node")? {
            0 => Ok(None),
            id => self.node(NodeId(u32::try_from(id).unwrap_or(0))),
        }
    }

    /// The node with an id.
    pub fn node(&self, id: NodeId) -> Result<Option<NodeRow>, StoreError> {
        self.run(|conn| {
            conn.prepare_cached(select_nodes!("WHERE n.id = ?1"))?
                .query_row([id.0], read_node)
                .optional()
        })
    }

    /// The nodes with these ids, in the order given; ids that are gone are left out.
    pub fn nodes(&self, ids: &[NodeId]) -> Result<Vec<NodeRow>, StoreError> {
        self.run(|conn| {
            let mut statement = conn.prepare_cached(select_nodes!("WHERE n.id = ?1"))?;
            let mut out = Vec::with_capacity(ids.len());
            for id in ids {
                out.extend(statement.query_row([id.0], read_node).optional()?);
            }
            Ok(out)
        })
    }

    /// The nodes with exactly this FQN; more than one only when levels share it (a root and its package).
    pub fn nodes_by_fqn(&self, fqn: &str) -> Result<Vec<NodeRow>, StoreError> {
        self.run(|conn| {
            collect(
                conn.prepare_cached(select_nodes!("WHERE n.fqn = ?1 ORDER BY n.level, n.id"))?,
                [fqn],
                read_node,
            )
        })
    }

    /// The nodes with this name, in the order of FQNs. Ignoring case is about letters of ASCII.
    pub fn nodes_by_name(&self, name: &str, case: Case) -> Result<Vec<NodeRow>, StoreError> {
        // The index ignores case and answers both questions; the exact one filters its answer.
        let sql = match case {
            Case::Exact => {
                select_nodes!("WHERE n.name = ?1 COLLATE NOCASE AND n.name = ?1 COLLATE BINARY ORDER BY n.fqn, n.id")
            }
            Case::Ignored => select_nodes!("WHERE n.name = ?1 COLLATE NOCASE ORDER BY n.fqn, n.id"),
        };
        self.run(|conn| collect(conn.prepare_cached(sql)?, [name], read_node))
    }

    /// At most `limit` nodes whose name starts with `prefix`, in the order of names (ignoring case), then FQNs.
    pub fn nodes_by_name_prefix(&self, prefix: &str, case: Case, limit: usize) -> Result<Vec<NodeRow>, StoreError> {
        // Everything that starts with the prefix lies between it and it followed by the last character there is.
        let end = format!("{prefix}\u{10ffff}");
        let sql = match case {
            Case::Exact => select_nodes!(
                "WHERE n.name >= ?1 COLLATE NOCASE AND n.name < ?2 COLLATE NOCASE
                   AND substr(n.name, 1, length(?1)) = ?1 COLLATE BINARY
                 ORDER BY n.name COLLATE NOCASE, n.fqn, n.id LIMIT ?3"
            ),
            Case::Ignored => select_nodes!(
                "WHERE n.name >= ?1 COLLATE NOCASE AND n.name < ?2 COLLATE NOCASE
                 ORDER BY n.name COLLATE NOCASE, n.fqn, n.id LIMIT ?3"
            ),
        };
        self.run(|conn| {
            collect(
                conn.prepare_cached(sql)?,
                params![prefix, end, sql_count(limit)],
                read_node,
            )
        })
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
        let (offset, limit) = (sql_count(offset), sql_count(limit));
        let (start, end) = under.map_or((String::new(), "\u{10ffff}".to_owned()), |under| {
            (
                format!("{under}{FQN_SEPARATOR}"),
                format!("{under}{FQN_SEPARATOR}\u{10ffff}"),
            )
        });
        self.run(|conn| match level {
            None => {
                let sql =
                    select_nodes!("WHERE n.fqn >= ?1 AND n.fqn < ?2 ORDER BY n.fqn, n.level, n.id LIMIT ?4 OFFSET ?3");
                collect(conn.prepare_cached(sql)?, params![start, end, offset, limit], read_node)
            }
            // The literal bound lets the index of the few upper nodes serve.
            Some(level) if level < NodeLevel::L3_Symbol => {
                let sql = select_nodes!(
                    "WHERE n.level = ?5 AND n.level < 3 AND n.fqn >= ?1 AND n.fqn < ?2
                     ORDER BY n.fqn, n.id LIMIT ?4 OFFSET ?3"
                );
                collect(
                    conn.prepare_cached(sql)?,
                    params![start, end, offset, limit, level.code()],
                    read_node,
                )
            }
            Some(level) => {
                let sql = select_nodes!(
                    "WHERE n.fqn >= ?1 AND n.fqn < ?2 AND n.level = ?5 ORDER BY n.fqn, n.id LIMIT ?4 OFFSET ?3"
                );
                collect(
                    conn.prepare_cached(sql)?,
                    params![start, end, offset, limit, level.code()],
                    read_node,
                )
            }
        })
    }

    /// The nodes of a file in source order, the module first.
    pub fn nodes_in_file(&self, file: FileId) -> Result<Vec<NodeRow>, StoreError> {
        let sql = select_nodes!("WHERE n.file_id = ?1 ORDER BY n.level, n.start_byte, n.end_byte DESC, n.id");
        self.run(|conn| collect(conn.prepare_cached(sql)?, [file.0], read_node))
    }

    /// The nodes directly below a node, in source order; modules and packages in the order of FQNs.
    pub fn children(&self, node: NodeId) -> Result<Vec<NodeRow>, StoreError> {
        let sql = select_nodes!(
            "WHERE n.parent_id = ?1
             ORDER BY n.level, CASE WHEN n.level < 3 THEN 0 ELSE n.start_byte END, n.fqn, n.id"
        );
        self.run(|conn| collect(conn.prepare_cached(sql)?, [node.0], read_node))
    }

    /// Number of nodes directly below a node.
    pub fn children_count(&self, node: NodeId) -> Result<u64, StoreError> {
        self.run(|conn| {
            conn.prepare_cached("SELECT count(*) FROM nodes WHERE parent_id = ?1")?
                .query_row([node.0], |row| row.get(0))
        })
    }

    /// The nodes of a file whose lines contain `line`, the module first, the innermost last.
    pub fn nodes_at_line(&self, file: FileId, line: u32) -> Result<Vec<NodeRow>, StoreError> {
        let sql = select_nodes!(
            "WHERE n.file_id = ?1 AND n.start_line <= ?2 AND (n.end_line >= ?2 OR n.level = 2)
             ORDER BY n.level, n.start_byte, n.end_byte DESC, n.id"
        );
        self.run(|conn| collect(conn.prepare_cached(sql)?, [file.0, line], read_node))
    }

    /// The parents of a node, the nearest first, the root last.
    pub fn parent_chain(&self, node: NodeId) -> Result<Vec<NodeRow>, StoreError> {
        let mut out: Vec<NodeRow> = Vec::new();
        let mut next = self.node(node)?.and_then(|node| node.parent_id);
        while let Some(id) = next {
            let Some(parent) = self.node(id)? else { break };
            next = parent.parent_id;
            out.push(parent);
        }
        Ok(out)
    }

    /// Visits every distinct name, in order (ignoring case).
    pub fn for_each_name(&self, mut visit: impl FnMut(&str)) -> Result<(), StoreError> {
        self.run(|conn| {
            let mut statement = conn.prepare_cached("SELECT name FROM nodes ORDER BY name COLLATE NOCASE")?;
            let mut rows = statement.query([])?;
            let mut last = String::new();
            while let Some(row) = rows.next()? {
                let name = row.get_ref(0)?.as_str()?;
                if name != last {
                    visit(name);
                    name.clone_into(&mut last);
                }
            }
            Ok(())
        })
    }

    /// Visits every FQN with its node, in order.
    pub fn for_each_fqn(&self, mut visit: impl FnMut(&str, NodeId)) -> Result<(), StoreError> {
        self.run(|conn| {
            let mut statement = conn.prepare_cached("SELECT fqn, id FROM nodes ORDER BY fqn, id")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                visit(row.get_ref(0)?.as_str()?, NodeId(row.get(1)?));
            }
            Ok(())
        })
    }
}

/// A count as SQL takes it.
fn sql_count(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
