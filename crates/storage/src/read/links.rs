//! Facts, outcomes and looked-up keys of files.
use strata_model::facts::FileFacts;

use crate::error::StoreError;
use crate::rows::{FileId, StoredOutcome, Unlisted};
use crate::store::Store;

impl Store {
    /// The encoded facts for a content, language and extractor version.
    pub fn facts_blob(&self, sha256: &[u8; 32], language: &str, version: u32) -> Result<Option<Vec<u8>>, StoreError> {
        let _ = (sha256, language, version);
        unimplemented!()
    }

    /// The facts of a stored file, whatever extractor version made them.
    pub fn facts(&self, file: FileId) -> Result<Option<FileFacts>, StoreError> {
        let _ = file;
        unimplemented!()
    }

    /// The outcome of each reference of a file, in the order of its references. Empty when it was never linked.
    pub fn outcomes(&self, file: FileId) -> Result<Vec<StoredOutcome>, StoreError> {
        let _ = file;
        unimplemented!()
    }

    /// The definitions of a file that are no nodes, sorted by key.
    pub fn unlisted(&self, file: FileId) -> Result<Vec<Unlisted>, StoreError> {
        let _ = file;
        unimplemented!()
    }

    /// Visits the looked-up keys (sorted) of every linked file, in the order of ids.
    pub fn for_each_key_list(&self, visit: impl FnMut(FileId, &[u64])) -> Result<(), StoreError> {
        let _ = visit;
        unimplemented!()
    }
}
