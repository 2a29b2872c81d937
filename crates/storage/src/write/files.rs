//! Files and their nodes.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use rusqlite::{Connection, params};
use rustc_hash::FxHashMap;

use super::batch::{Batch, FileMap};
use super::texts::Text;
use super::{FileUpdate, NodeInit};
use crate::codec;
use crate::error::StoreError;
use crate::rows::{FileId, NodeId, PackageId};

/// What is stored of a node that its file's next version is compared with.
struct OldNode {
    id: NodeId,
    key: u64,
    level: u8,
    kind: u8,
    name: String,
    signature: String,
    doc: Option<String>,
    fqn: String,
}

impl OldNode {
    fn text(&self) -> Text<'_> {
        Text {
            name: &self.name,
            signature: &self.signature,
            doc: self.doc.as_deref(),
            fqn: &self.fqn,
        }
    }
}

impl Batch<'_> {
    /// Removes a file with its nodes, edges in both directions, links, texts and, if no other file has the same content,
    /// facts. Returns false when it was not there.
    pub fn remove_file(&mut self, path: &str) -> Result<bool, StoreError> {
        let Some(file) = self.take_stored_file(path)? else {
            return Ok(false);
        };
        let old = self.old_nodes(file)?;
        self.drop_links_of(file, old.iter().map(|node| node.id))?;
        for node in &old {
            self.remove_node(node)?;
        }
        self.store.run(|conn| {
            conn.prepare_cached("DELETE FROM unlisted WHERE file_id = ?1")?
                .execute([file.0])?;
            conn.prepare_cached("DELETE FROM files WHERE id = ?1")?
                .execute([file.0])
        })?;
        self.maps.remove(&file);
        Ok(true)
    }

    /// Writes a file that is new or whose content changed. Edges and links of the file itself are dropped; those of other
    /// files to symbols that are still there stay valid.
    pub fn put_file(&mut self, update: &FileUpdate<'_>) -> Result<FileId, StoreError> {
        let stored = self.take_stored_file(update.path)?;
        let (file, old) = match stored {
            Some(file) => {
                let old = self.old_nodes(file)?;
                self.drop_links_of(file, old.iter().map(|node| node.id))?;
                (file, old)
            }
            None => {
                let file = self.new_file_id();
                self.without_edges.insert(file);
                (file, Vec::new())
            }
        };
        let ids = self.put_nodes(file, update, old)?;
        self.put_row(
            file,
            update,
            ids.first().copied().unwrap_or(NodeId(0)),
            stored.is_none(),
        )?;
        let mut map = FileMap::of_module(ids.first().copied());
        for (node, id) in update.nodes.iter().zip(&ids) {
            if let Some(def) = node.def {
                map.set(def, *id);
            }
        }
        map.unlisted = update.unlisted.iter().map(|it| (it.def.0, *it)).collect();
        self.maps.insert(file, Rc::new(map));
        Ok(file)
    }

    fn old_nodes(&self, file: FileId) -> Result<Vec<OldNode>, StoreError> {
        self.store.run(|conn| {
            let mut select = conn.prepare_cached(
                "SELECT id, key, name, signature, doc, fqn, level, kind FROM nodes WHERE file_id = ?1",
            )?;
            let rows = select.query_map([file.0], |row| {
                Ok(OldNode {
                    id: NodeId(row.get(0)?),
                    key: row.get::<_, i64>(1)?.cast_unsigned(),
                    name: row.get(2)?,
                    signature: row.get(3)?,
                    doc: row.get(4)?,
                    fqn: row.get(5)?,
                    level: row.get(6)?,
                    kind: row.get(7)?,
                })
            })?;
            rows.collect()
        })
    }

    fn remove_node(&mut self, node: &OldNode) -> Result<(), StoreError> {
        let totals = &mut self.totals;
        let mut removed = 0;
        self.store.run(|conn| {
            totals.remove(conn, node.id.0, &node.text())?;
            // Edges from here went with the file's own; those that lead here go with the node.
            removed = conn
                .prepare_cached("DELETE FROM edges WHERE dst = ?1")?
                .execute([node.id.0])? as u64;
            conn.prepare_cached("DELETE FROM nodes WHERE id = ?1")?
                .execute([node.id.0])
        })?;
        self.removed_edges += removed;
        self.report.removed_nodes += 1;
        self.count_kind(node.level, node.kind, -1);
        Ok(())
    }

    /// Writes the nodes of a file; those with a known key keep their id. Returns the ids in the order of the nodes.
    fn put_nodes(
        &mut self,
        file: FileId,
        update: &FileUpdate<'_>,
        old: Vec<OldNode>,
    ) -> Result<Vec<NodeId>, StoreError> {
        let mut known: FxHashMap<u64, OldNode> = FxHashMap::default();
        let mut gone: Vec<OldNode> = Vec::new();
        for node in old {
            // Keys are unique within a file; should two ever be equal, the later node is written anew.
            match known.entry(node.key) {
                Entry::Vacant(entry) => {
                    entry.insert(node);
                }
                Entry::Occupied(_) => gone.push(node),
            }
        }
        let mut ids: Vec<NodeId> = Vec::with_capacity(update.nodes.len());
        let mut kept: Vec<Option<OldNode>> = Vec::with_capacity(update.nodes.len());
        for node in update.nodes {
            let before = known.remove(&node.key);
            ids.push(match &before {
                Some(before) => before.id,
                None => self.new_node_id(),
            });
            kept.push(before);
        }
        gone.extend(known.into_values());
        gone.sort_by_key(|node| node.id);
        for node in &gone {
            self.remove_node(node)?;
        }
        let parent_of_module = self.parent_of_module(update.package)?;
        for (ix, node) in update.nodes.iter().enumerate() {
            let parent = if ix == 0 {
                parent_of_module
            } else {
                ids.get(node.parent).copied()
            };
            let text = Text {
                name: node.name,
                signature: node.signature,
                doc: node.doc,
                fqn: node.fqn,
            };
            let (id, before) = (ids[ix].0, kept[ix].as_ref());
            let totals = &mut self.totals;
            self.store.run(|conn| {
                let is_same_text = before.is_some_and(|before| before.text() == text);
                if let Some(before) = before
                    && !is_same_text
                {
                    totals.remove(conn, id, &before.text())?;
                }
                write_node(conn, NodeId(id), file, parent, node, before.is_none())?;
                if is_same_text {
                    Ok(())
                } else {
                    totals.add(conn, id, &text)
                }
            })?;
            self.count_kind(node.level.code(), node.kind.code(), 1);
            match before {
                Some(before) => {
                    self.report.kept_nodes += 1;
                    self.count_kind(before.level, before.kind, -1);
                }
                None => self.report.added_nodes += 1,
            }
        }
        Ok(ids)
    }

    fn parent_of_module(&self, package: Option<PackageId>) -> Result<Option<NodeId>, StoreError> {
        match package {
            Some(package) => self.store.run(|conn| {
                conn.prepare_cached("SELECT node_id FROM packages WHERE id = ?1")?
                    .query_row([package.0], |row| Ok(Some(NodeId(row.get(0)?))))
            }),
            None => {
                let root = u32::try_from(self.store.meta_number("root_node")?).unwrap_or(0);
                Ok((root != 0).then_some(NodeId(root)))
            }
        }
    }

    fn put_row(
        &mut self,
        file: FileId,
        update: &FileUpdate<'_>,
        module: NodeId,
        is_new: bool,
    ) -> Result<(), StoreError> {
        let sql = if is_new {
            "INSERT INTO files (id, path, sha256, size_bytes, mtime_ns, language, package_id, module_fqn, node_id,
                line_count, parse_status, flags, problems, indexed_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
        } else {
            "UPDATE files SET path = ?2, sha256 = ?3, size_bytes = ?4, mtime_ns = ?5, language = ?6, package_id = ?7,
                module_fqn = ?8, node_id = ?9, line_count = ?10, parse_status = ?11, flags = ?12, problems = ?13,
                indexed_at = ?14
             WHERE id = ?1"
        };
        self.store.run(|conn| {
            conn.prepare_cached(sql)?.execute(params![
                file.0,
                update.path,
                update.sha256,
                update.size_bytes,
                update.mtime_ns,
                update.language,
                update.package.map(|it| it.0),
                update.module_fqn,
                module.0,
                update.line_count,
                update.parse_status.code(),
                update.flags,
                codec::encode_problems(update.problems),
                update.indexed_at,
            ])?;
            if let Some(facts) = update.facts {
                let values = params![update.sha256, update.language, update.extractor_version, facts];
                let n_new = conn
                    .prepare_cached(
                        "INSERT OR IGNORE INTO facts (sha256, language, extractor_version, blob)
                         VALUES (?1, ?2, ?3, ?4)",
                    )?
                    .execute(values)?;
                if n_new == 0 {
                    conn.prepare_cached(
                        "UPDATE facts SET extractor_version = ?3, blob = ?4
                         WHERE sha256 = ?1 AND language = ?2 AND extractor_version <> ?3",
                    )?
                    .execute(values)?;
                }
            }
            if !is_new {
                conn.prepare_cached("DELETE FROM unlisted WHERE file_id = ?1")?
                    .execute([file.0])?;
            }
            if !update.unlisted.is_empty() {
                let mut unlisted = update.unlisted.to_vec();
                unlisted.sort_by_key(|it| it.key);
                conn.prepare_cached("INSERT INTO unlisted (file_id, defs) VALUES (?1, ?2)")?
                    .execute(params![file.0, codec::encode_unlisted(&unlisted)])?;
            }
            Ok(())
        })
    }

    /// Notes that a file was touched and still has the same content.
    pub fn touch_file(&mut self, file: FileId, size_bytes: u64, mtime_ns: i64) -> Result<(), StoreError> {
        self.store.run(|conn| {
            conn.prepare_cached("UPDATE files SET size_bytes = ?2, mtime_ns = ?3 WHERE id = ?1")?
                .execute(params![file.0, size_bytes, mtime_ns])
                .map(drop)
        })
    }

    /// Gives an unchanged file another package or module FQN; the FQNs of its symbols follow.
    pub fn rename_module(
        &mut self,
        file: FileId,
        package: Option<PackageId>,
        module_fqn: &str,
    ) -> Result<(), StoreError> {
        let before: String = self.store.run(|conn| {
            conn.prepare_cached("SELECT module_fqn FROM files WHERE id = ?1")?
                .query_row([file.0], |row| row.get(0))
        })?;
        let parent = self.parent_of_module(package)?;
        let old = self.old_nodes(file)?;
        let totals = &mut self.totals;
        self.store.run(|conn| {
            conn.prepare_cached("UPDATE files SET package_id = ?2, module_fqn = ?3 WHERE id = ?1")?
                .execute(params![file.0, package.map(|it| it.0), module_fqn])?;
            conn.prepare_cached(
                "UPDATE nodes SET parent_id = ?2 WHERE id = (SELECT node_id FROM files WHERE id = ?1)",
            )?
            .execute(params![file.0, parent.map(|it| it.0)])?;
            for node in &old {
                let rest = node.fqn.strip_prefix(before.as_str()).unwrap_or_default();
                let fqn = format!("{module_fqn}{rest}");
                if fqn != node.fqn {
                    totals.remove(conn, node.id.0, &node.text())?;
                    conn.prepare_cached("UPDATE nodes SET fqn = ?2 WHERE id = ?1")?
                        .execute(params![node.id.0, fqn])?;
                    totals.add(
                        conn,
                        node.id.0,
                        &Text {
                            fqn: &fqn,
                            ..node.text()
                        },
                    )?;
                }
            }
            Ok(())
        })
    }
}

/// Writes a row of a node; `is_new` says that there is none with this id.
fn write_node(
    conn: &Connection,
    id: NodeId,
    file: FileId,
    parent: Option<NodeId>,
    node: &NodeInit<'_>,
    is_new: bool,
) -> rusqlite::Result<()> {
    // Not INSERT OR REPLACE: that opens a savepoint, and at each of those the text index writes out what it has gathered.
    let sql = if is_new {
        "INSERT INTO nodes (id, file_id, parent_id, key, def_ix, level, kind, name, fqn, flags, start_byte, end_byte,
            start_line, end_line, start_col, end_col, name_line, name_col, metrics, signature, doc)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)"
    } else {
        "UPDATE nodes SET file_id = ?2, parent_id = ?3, key = ?4, def_ix = ?5, level = ?6, kind = ?7, name = ?8,
            fqn = ?9, flags = ?10, start_byte = ?11, end_byte = ?12, start_line = ?13, end_line = ?14, start_col = ?15,
            end_col = ?16, name_line = ?17, name_col = ?18, metrics = ?19, signature = ?20, doc = ?21
         WHERE id = ?1"
    };
    let metrics = node.metrics.as_ref().map(codec::encode_metrics);
    conn.prepare_cached(sql)?
        .execute(params![
            id.0,
            file.0,
            parent.map(|it| it.0),
            node.key.cast_signed(),
            node.def,
            node.level.code(),
            node.kind.code(),
            node.name,
            node.fqn,
            node.flags.0,
            node.span.start,
            node.span.end,
            node.start.line,
            node.end.line,
            node.start.column,
            node.end.column,
            node.name_at.line,
            node.name_at.column,
            metrics,
            node.signature,
            node.doc,
        ])
        .map(drop)
}
