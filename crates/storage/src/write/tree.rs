//! The root and the packages.

use rusqlite::{OptionalExtension, params};
use strata_model::kinds::{NodeKind, NodeLevel};

use super::batch::Batch;
use super::texts::Text;
use super::{PackageInit, RootInit};
use crate::error::StoreError;
use crate::rows::{NodeId, PackageId};

/// A node above the files, as it is stored.
struct Stored {
    name: String,
    fqn: String,
}

impl Batch<'_> {
    /// Writes the root node and the list of packages; returns the ids of the packages in the order given. Packages that
    /// are not in the list any more are removed; files that belonged to one must be put, moved or removed in this batch.
    pub fn put_tree(&mut self, root: RootInit<'_>, packages: &[PackageInit<'_>]) -> Result<Vec<PackageId>, StoreError> {
        let known = u32::try_from(self.store.meta_number("root_node")?).unwrap_or(0);
        let root_id = match known {
            0 => self.new_node_id(),
            id => NodeId(id),
        };
        self.put_upper(
            root_id,
            None,
            NodeLevel::L0_Monorepo,
            NodeKind::Monorepo,
            root.name,
            root.fqn,
        )?;
        self.set_meta("root_node", &root_id.0.to_string())?;
        let mut ids = Vec::with_capacity(packages.len());
        let stored: Vec<(u32, String, u32)> = self.store.run(|conn| {
            let mut select = conn.prepare_cached("SELECT id, folder, node_id FROM packages")?;
            let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            rows.collect()
        })?;
        let mut next = stored.iter().map(|(id, ..)| *id).max().unwrap_or(0) + 1;
        for package in packages {
            let known = stored.iter().find(|(_, folder, _)| folder == package.folder);
            let (id, node) = match known {
                Some((id, _, node)) => (*id, NodeId(*node)),
                None => {
                    next += 1;
                    (next - 1, self.new_node_id())
                }
            };
            self.put_upper(
                node,
                Some(root_id),
                NodeLevel::L1_Package,
                NodeKind::Package,
                package.name,
                package.fqn,
            )?;
            self.store.run(|conn| {
                conn.prepare_cached(
                    "INSERT OR REPLACE INTO packages (id, name, fqn, folder, manifest, marker, node_id)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute(params![
                    id,
                    package.name,
                    package.fqn,
                    package.folder,
                    package.manifest,
                    package.marker,
                    node.0
                ])
            })?;
            ids.push(PackageId(id));
        }
        for (id, folder, node) in &stored {
            if !packages.iter().any(|package| package.folder == *folder) {
                self.remove_upper(NodeId(*node))?;
                self.store
                    .run(|conn| conn.execute("DELETE FROM packages WHERE id = ?1", [id]))?;
            }
        }
        Ok(ids)
    }

    fn stored_upper(&self, id: NodeId) -> Result<Option<Stored>, StoreError> {
        self.store.run(|conn| {
            conn.prepare_cached("SELECT name, fqn FROM nodes WHERE id = ?1")?
                .query_row([id.0], |row| {
                    Ok(Stored {
                        name: row.get(0)?,
                        fqn: row.get(1)?,
                    })
                })
                .optional()
        })
    }

    fn put_upper(
        &mut self,
        id: NodeId,
        parent: Option<NodeId>,
        level: NodeLevel,
        kind: NodeKind,
        name: &str,
        fqn: &str,
    ) -> Result<(), StoreError> {
        let text = Text {
            name,
            signature: "",
            doc: None,
            fqn,
        };
        match self.stored_upper(id)? {
            Some(stored) if stored.name == name && stored.fqn == fqn => {
                self.report.kept_nodes += 1;
                return Ok(());
            }
            Some(stored) => {
                let old = Text {
                    name: &stored.name,
                    signature: "",
                    doc: None,
                    fqn: &stored.fqn,
                };
                let totals = &mut self.totals;
                self.store.run(|conn| totals.remove(conn, id.0, &old))?;
                self.report.kept_nodes += 1;
            }
            None => {
                self.report.added_nodes += 1;
                self.count_kind(level.code(), kind.code(), 1);
            }
        }
        let totals = &mut self.totals;
        self.store.run(|conn| {
            conn.prepare_cached(
                "INSERT OR REPLACE INTO nodes (id, file_id, parent_id, key, def_ix, level, kind, name, fqn, flags, start_byte,
                    end_byte, start_line, end_line, start_col, end_col, name_line, name_col, metrics, signature, doc)
                 VALUES (?1, NULL, ?2, 0, NULL, ?3, ?4, ?5, ?6, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, '', NULL)",
            )?
            .execute(params![id.0, parent.map(|it| it.0), level.code(), kind.code(), name, fqn])?;
            totals.add(conn, id.0, &text)
        })
    }

    fn remove_upper(&mut self, id: NodeId) -> Result<(), StoreError> {
        let Some(stored) = self.stored_upper(id)? else {
            return Ok(());
        };
        let text = Text {
            name: &stored.name,
            signature: "",
            doc: None,
            fqn: &stored.fqn,
        };
        let totals = &mut self.totals;
        self.store.run(|conn| {
            totals.remove(conn, id.0, &text)?;
            conn.execute("DELETE FROM nodes WHERE id = ?1", [id.0])
        })?;
        self.report.removed_nodes += 1;
        self.count_kind(NodeLevel::L1_Package.code(), NodeKind::Package.code(), -1);
        Ok(())
    }
}
