//! Facts, outcomes and looked-up keys of files.

use rusqlite::{OptionalExtension, params};
use strata_model::facts::FileFacts;

use super::unreadable;
use crate::codec;
use crate::error::StoreError;
use crate::rows::{FileId, StoredOutcome, Unlisted};
use crate::store::Store;

impl Store {
    /// The encoded facts for a content, language and extractor version.
    pub fn facts_blob(&self, sha256: &[u8; 32], language: &str, version: u32) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT blob FROM facts WHERE sha256 = ?1 AND language = ?2 AND extractor_version = ?3";
        self.run(|conn| {
            conn.prepare_cached(sql)?
                .query_row(params![sha256, language, version], |row| row.get(0))
                .optional()
        })
    }

    /// The contents of which surfaces are kept, in order.
    pub fn surfaces(&self) -> Result<Vec<[u8; 32]>, StoreError> {
        let sql = "SELECT sha256 FROM facts WHERE language LIKE '% surface' ORDER BY sha256";
        self.run(|conn| conn.prepare_cached(sql)?.query_map([], |row| row.get(0))?.collect())
    }

    /// The facts of a stored file, whatever extractor version made them.
    pub fn facts(&self, file: FileId) -> Result<Option<FileFacts>, StoreError> {
        let sql = "SELECT facts.blob FROM files
             JOIN facts ON facts.sha256 = files.sha256 AND facts.language = files.language
             WHERE files.id = ?1";
        self.run(|conn| {
            conn.prepare_cached(sql)?
                .query_row([file.0], |row| {
                    bitcode::decode(row.get_ref(0)?.as_blob()?).map_err(|_| unreadable(0, "broken facts"))
                })
                .optional()
        })
    }

    /// The version of the extractor that made the facts of a stored file.
    pub fn facts_version(&self, file: FileId) -> Result<Option<u32>, StoreError> {
        let sql = "SELECT facts.extractor_version FROM files
             JOIN facts ON facts.sha256 = files.sha256 AND facts.language = files.language
             WHERE files.id = ?1";
        self.run(|conn| {
            conn.prepare_cached(sql)?
                .query_row([file.0], |row| row.get(0))
                .optional()
        })
    }

    /// The outcome of each reference of a file, in the order of its references. Empty when it was never linked.
    pub fn outcomes(&self, file: FileId) -> Result<Vec<StoredOutcome>, StoreError> {
        self.run(|conn| {
            conn.prepare_cached("SELECT outcomes FROM links WHERE file_id = ?1")?
                .query_row([file.0], |row| {
                    let bytes = row.get_ref(0)?.as_blob()?;
                    codec::decode_outcomes(bytes).ok_or_else(|| unreadable(0, "broken outcomes"))
                })
                .optional()
                .map(Option::unwrap_or_default)
        })
    }

    /// The definitions of a file that are no nodes, sorted by key.
    pub fn unlisted(&self, file: FileId) -> Result<Vec<Unlisted>, StoreError> {
        self.run(|conn| {
            conn.prepare_cached("SELECT defs FROM unlisted WHERE file_id = ?1")?
                .query_row([file.0], |row| {
                    let bytes = row.get_ref(0)?.as_blob()?;
                    codec::decode_unlisted(bytes).ok_or_else(|| unreadable(0, "broken definitions"))
                })
                .optional()
                .map(Option::unwrap_or_default)
        })
    }

    /// Visits the looked-up keys (sorted) of every linked file, in the order of ids.
    pub fn for_each_key_list(&self, mut visit: impl FnMut(FileId, &[u64])) -> Result<(), StoreError> {
        self.run(|conn| {
            let mut statement = conn.prepare_cached("SELECT file_id, keys FROM links ORDER BY file_id")?;
            let mut rows = statement.query([])?;
            let mut keys = Vec::new();
            while let Some(row) = rows.next()? {
                codec::decode_keys(row.get_ref(1)?.as_blob()?, &mut keys);
                visit(FileId(row.get(0)?), &keys);
            }
            Ok(())
        })
    }
}
