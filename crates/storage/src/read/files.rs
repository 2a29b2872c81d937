//! Files, packages, and what a freshness probe needs.

use rusqlite::{OptionalExtension, Row};
use strata_model::kinds::ParseStatus;

use super::{coded, collect};
use crate::codec;
use crate::error::StoreError;
use crate::rows::{FileId, FileRow, InputRow, NodeId, PackageId, PackageRow};
use crate::store::Store;

/// A query for file rows with the given tail.
macro_rules! select_files {
    ($tail:literal) => {
        concat!(
            "SELECT id, path, sha256, size_bytes, mtime_ns, language, package_id, module_fqn, node_id, line_count, \
             parse_status, flags, problems, indexed_at FROM files ",
            $tail
        )
    };
}

fn read_file(row: &Row<'_>) -> rusqlite::Result<FileRow> {
    Ok(FileRow {
        id: FileId(row.get(0)?),
        path: row.get(1)?,
        sha256: row.get(2)?,
        size_bytes: row.get(3)?,
        mtime_ns: row.get(4)?,
        language: row.get(5)?,
        package_id: row.get::<_, Option<u32>>(6)?.map(PackageId),
        module_fqn: row.get(7)?,
        node_id: NodeId(row.get(8)?),
        line_count: row.get(9)?,
        parse_status: coded(row, 10, ParseStatus::from_code)?,
        flags: row.get(11)?,
        problems: row
            .get_ref(12)?
            .as_str_or_null()?
            .map(codec::decode_problems)
            .unwrap_or_default(),
        indexed_at: row.get(13)?,
    })
}

impl Store {
    /// All files, in path order.
    pub fn files(&self) -> Result<Vec<FileRow>, StoreError> {
        self.run(|conn| collect(conn.prepare_cached(select_files!("ORDER BY path"))?, [], read_file))
    }

    /// The file at a path relative to the root.
    pub fn file_by_path(&self, path: &str) -> Result<Option<FileRow>, StoreError> {
        self.run(|conn| {
            conn.prepare_cached(select_files!("WHERE path = ?1"))?
                .query_row([path], read_file)
                .optional()
        })
    }

    /// The file with an id.
    pub fn file(&self, id: FileId) -> Result<Option<FileRow>, StoreError> {
        self.run(|conn| {
            conn.prepare_cached(select_files!("WHERE id = ?1"))?
                .query_row([id.0], read_file)
                .optional()
        })
    }

    /// All packages, in the order of their folders.
    pub fn packages(&self) -> Result<Vec<PackageRow>, StoreError> {
        let sql = "SELECT id, name, fqn, folder, manifest, marker, node_id FROM packages ORDER BY folder";
        self.run(|conn| {
            collect(conn.prepare_cached(sql)?, [], |row| {
                Ok(PackageRow {
                    id: PackageId(row.get(0)?),
                    name: row.get(1)?,
                    fqn: row.get(2)?,
                    folder: row.get(3)?,
                    manifest: row.get(4)?,
                    marker: row.get(5)?,
                    node_id: NodeId(row.get(6)?),
                })
            })
        })
    }

    /// Files that were left out, with the reason, in path order.
    pub fn skipped(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.run(|conn| {
            collect(
                conn.prepare_cached("SELECT path, reason FROM skipped ORDER BY path")?,
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
        })
    }

    /// Why a file was left out; none when it was not.
    pub fn skip_reason(&self, path: &str) -> Result<Option<String>, StoreError> {
        self.run(|conn| {
            conn.prepare_cached("SELECT reason FROM skipped WHERE path = ?1")?
                .query_row([path], |row| row.get(0))
                .optional()
        })
    }

    /// Folders with the time of their last change, in path order.
    pub fn dirs(&self) -> Result<Vec<(String, i64)>, StoreError> {
        self.run(|conn| {
            collect(
                conn.prepare_cached("SELECT path, mtime_ns FROM dirs ORDER BY path")?,
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
        })
    }

    /// Inputs that are no sources, in path order.
    pub fn inputs(&self) -> Result<Vec<InputRow>, StoreError> {
        let sql = "SELECT path, size_bytes, mtime_ns, sha256 FROM inputs ORDER BY path";
        self.run(|conn| {
            collect(conn.prepare_cached(sql)?, [], |row| {
                Ok(InputRow {
                    path: row.get(0)?,
                    size_bytes: row.get(1)?,
                    mtime_ns: row.get(2)?,
                    sha256: row.get(3)?,
                })
            })
        })
    }
}
