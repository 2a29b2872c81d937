//! Edges, outcomes and looked-up keys.

use rusqlite::{OptionalExtension as _, params};
use strata_model::edge::EdgeFlags;
use strata_model::ids::SymbolRef;

use super::LinksUpdate;
use super::batch::Batch;
use crate::codec;
use crate::error::StoreError;
use crate::rows::{FileId, NodeId, StoredTarget};

/// All sites of one (source, kind, target), merged.
struct Merged {
    src: NodeId,
    kind: u8,
    dst: NodeId,
    sites: u32,
    line: u32,
    column: u32,
    end_line: u32,
    how: u8,
    confidence: u16,
    flags: EdgeFlags,
    receiver: Option<NodeId>,
}

impl Batch<'_> {
    /// Replaces the edges, outcomes and keys of a file.
    pub fn put_links(&mut self, links: &LinksUpdate<'_>) -> Result<(), StoreError> {
        if !self.without_edges.contains(&links.file) {
            let map = self.map(links.file)?;
            let mut nodes: Vec<NodeId> = map.all_nodes().collect();
            nodes.sort_unstable();
            self.drop_links_of(links.file, nodes.into_iter())?;
        }
        self.without_edges.remove(&links.file);
        let merged = self.merge(links)?;
        self.added_edges += merged.len() as u64;
        self.store.run(|conn| {
            let mut insert = conn.prepare_cached(
                "INSERT INTO edges (src, kind, dst, sites, line, col, end_line, how, confidence, flags, receiver)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?;
            for edge in &merged {
                let end_line = (edge.end_line != edge.line).then_some(edge.end_line);
                insert.execute(params![
                    edge.src.0,
                    edge.kind,
                    edge.dst.0,
                    edge.sites,
                    edge.line,
                    edge.column,
                    end_line,
                    edge.how,
                    edge.confidence,
                    edge.flags.0,
                    edge.receiver.map(|it| it.0)
                ])?;
            }
            Ok(())
        })?;
        let outcomes = self.stored_outcomes(links)?;
        self.store.run(|conn| {
            conn.prepare_cached("INSERT INTO links (file_id, keys, outcomes) VALUES (?1, ?2, ?3)")?
                .execute(params![links.file.0, codec::encode_keys(links.keys), outcomes])
                .map(drop)
        })
    }

    /// Adds looked-up keys to those of a file whose links stand. A file without links has none to add to.
    pub fn add_keys(&mut self, file: FileId, keys: &[u64]) -> Result<(), StoreError> {
        self.store.run(|conn| {
            let stored: Option<Vec<u8>> = conn
                .prepare_cached("SELECT keys FROM links WHERE file_id = ?1")?
                .query_row([file.0], |row| row.get(0))
                .optional()?;
            let Some(stored) = stored else { return Ok(()) };
            let mut all = Vec::new();
            codec::decode_keys(&stored, &mut all);
            all.extend_from_slice(keys);
            all.sort_unstable();
            all.dedup();
            conn.prepare_cached("UPDATE links SET keys = ?2 WHERE file_id = ?1")?
                .execute(params![file.0, codec::encode_keys(&all)])
                .map(drop)
        })
    }

    fn file_of(&self, symbol: SymbolRef) -> Option<FileId> {
        self.file_ids.get(symbol.file.ix()).copied()
    }

    /// The node that an end of an edge stands for. `nearest`: a definition without a node stands for the one around it.
    fn end(&mut self, symbol: SymbolRef, nearest: bool) -> Result<Option<NodeId>, StoreError> {
        let Some(file) = self.file_of(symbol) else {
            return Ok(None);
        };
        let map = self.map(file)?;
        Ok(if symbol.is_module() {
            map.module
        } else if nearest {
            map.listed(symbol.def.0)
        } else {
            map.node(symbol.def.0)
        })
    }

    fn merge(&mut self, links: &LinksUpdate<'_>) -> Result<Vec<Merged>, StoreError> {
        let mut edges: Vec<Merged> = Vec::with_capacity(links.edges.len());
        for edge in links.edges {
            let (src, dst) = (self.end(edge.src, true)?, self.end(edge.dst, false)?);
            let (Some(src), Some(dst)) = (src, dst) else {
                self.report.edges_without_node += 1;
                continue;
            };
            // A class without a node, such as a local one in an object, is none that somebody could inherit from elsewhere.
            let receiver = match edge.receiver {
                Some(class) => self.end(class, false)?,
                None => None,
            };
            edges.push(Merged {
                src,
                kind: edge.kind.code(),
                dst,
                sites: 1,
                line: edge.at.line,
                column: edge.at.column,
                end_line: edge.end_line,
                how: edge.how.code(),
                // Three digits: a whole number between 0 and 1000.
                confidence: (edge.confidence.clamp(0.0, 1.0) * 1000.0).round() as u16,
                flags: edge.flags,
                receiver,
            });
        }
        edges.sort_by_key(|edge| (edge.src, edge.kind, edge.dst, edge.line, edge.column));
        let mut merged: Vec<Merged> = Vec::with_capacity(edges.len());
        for edge in edges {
            match merged.last_mut() {
                Some(last) if (last.src, last.kind, last.dst) == (edge.src, edge.kind, edge.dst) => {
                    last.sites += 1;
                    (last.confidence, last.how) = surest((last.confidence, last.how), (edge.confidence, edge.how));
                    last.flags = last.flags.merged(edge.flags);
                    last.receiver = last.receiver.filter(|_| last.receiver == edge.receiver);
                }
                _ => merged.push(edge),
            }
        }
        Ok(merged)
    }

    fn stored_outcomes(&mut self, links: &LinksUpdate<'_>) -> Result<Vec<u8>, StoreError> {
        let mut targets: Vec<Vec<StoredTarget>> = Vec::with_capacity(links.outcomes.len());
        for outcome in links.outcomes {
            let mut stored = Vec::with_capacity(outcome.targets.len());
            for target in &outcome.targets {
                let Some(file) = self.file_of(*target) else { continue };
                let map = self.map(file)?;
                let node = if target.is_module() {
                    map.module
                } else {
                    map.node(target.def.0)
                };
                match node {
                    Some(node) => stored.push(StoredTarget::Node(node)),
                    None => {
                        if let Some(unlisted) = map.unlisted.get(&target.def.0) {
                            stored.push(StoredTarget::Unlisted(file, unlisted.key));
                        }
                    }
                }
            }
            targets.push(stored);
        }
        let rows = links.outcomes.iter().zip(&targets).map(|(outcome, targets)| {
            (
                outcome.status,
                outcome.how,
                outcome.chain,
                targets.as_slice(),
                outcome.external.as_deref(),
            )
        });
        Ok(codec::encode_outcomes(rows))
    }
}

/// The surest place speaks for all of an edge; of equally sure ones, that of the stronger how.
fn surest(a: (u16, u8), b: (u16, u8)) -> (u16, u8) {
    if (b.0, a.1) > (a.0, b.1) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::surest;

    #[test]
    fn how_and_confidence_are_of_one_place() {
        assert_eq!(surest((900, 3), (950, 7)), (950, 7));
        assert_eq!(surest((950, 7), (900, 3)), (950, 7));
        assert_eq!(surest((900, 7), (900, 3)), (900, 3));
        assert_eq!(surest((900, 3), (900, 7)), (900, 3));
    }
}
