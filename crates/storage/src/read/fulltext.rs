//! The full-text index.

use std::ops::ControlFlow;

use rusqlite::{OptionalExtension, params};
use strata_model::kinds::{NodeKind, NodeLevel};

use super::{coded, collect};
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
        mut visit: impl FnMut(TextHit) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.run(|conn| {
            let mut statement = conn.prepare_cached(
                // CROSS JOIN keeps the order of the loops: matches by rank outside, their nodes inside.
                "SELECT t.rowid, t.rank, n.file_id, n.level, n.kind
                 FROM symbols_fts t CROSS JOIN nodes n ON n.id = t.rowid
                 WHERE t.symbols_fts MATCH ?1 ORDER BY t.rank",
            )?;
            let mut rows = statement.query([expression])?;
            while let Some(row) = rows.next()? {
                let hit = TextHit {
                    id: NodeId(row.get(0)?),
                    file_id: row.get::<_, Option<u32>>(2)?.map(FileId),
                    level: coded(row, 3, NodeLevel::from_code)?,
                    kind: coded(row, 4, NodeKind::from_code)?,
                    score: -row.get::<_, f64>(1)?,
                };
                if visit(hit).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// At most `limit` nodes that match an FTS5 expression, best first by SQLite's own ranking. Cheaper than
    /// [`Store::for_each_text_hit`], because only the best are sorted and no node is read.
    pub fn best_text_hits(&self, expression: &str, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        let sql = "SELECT rowid FROM symbols_fts WHERE symbols_fts MATCH ?1 ORDER BY rank LIMIT ?2";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.run(|conn| {
            collect(conn.prepare_cached(sql)?, params![expression, limit], |row| {
                Ok(NodeId(row.get(0)?))
            })
        })
    }

    /// Number of nodes that match an FTS5 expression.
    pub fn count_text_hits(&self, expression: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM symbols_fts WHERE symbols_fts MATCH ?1";
        self.run(|conn| conn.prepare_cached(sql)?.query_row([expression], |row| row.get(0)))
    }

    /// Number of nodes whose text has the term.
    pub fn document_frequency(&self, term: &str) -> Result<u64, StoreError> {
        self.run(|conn| {
            conn.prepare_cached("SELECT doc FROM symbols_fts_terms WHERE term = ?1")?
                .query_row([term], |row| row.get(0))
                .optional()
                .map(Option::unwrap_or_default)
        })
    }

    /// Number of texts in the index, and of tokens in them.
    pub fn text_totals(&self) -> Result<(u64, u64), StoreError> {
        Ok((self.meta_number("text_count")?, self.meta_number("text_tokens")?))
    }
}
