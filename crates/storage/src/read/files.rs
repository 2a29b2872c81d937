//! Files, packages, and what a freshness probe needs.
use crate::error::StoreError;
use crate::rows::{FileId, FileRow, InputRow, PackageRow};
use crate::store::Store;

impl Store {
    /// All files, in path order.
    pub fn files(&self) -> Result<Vec<FileRow>, StoreError> {
        unimplemented!()
    }

    /// The file at a path relative to the root.
    pub fn file_by_path(&self, path: &str) -> Result<Option<FileRow>, StoreError> {
        let _ = path;
        unimplemented!()
    }

    /// The file with an id.
    pub fn file(&self, id: FileId) -> Result<Option<FileRow>, StoreError> {
        let _ = id;
        unimplemented!()
    }

    /// All packages, in the order of their folders.
    pub fn packages(&self) -> Result<Vec<PackageRow>, StoreError> {
        unimplemented!()
    }

    /// Files that were left out, with the reason, in path order.
    pub fn skipped(&self) -> Result<Vec<(String, String)>, StoreError> {
        unimplemented!()
    }

    /// Why a file was left out; none when it was not.
    pub fn skip_reason(&self, path: &str) -> Result<Option<String>, StoreError> {
        let _ = path;
        unimplemented!()
    }

    /// Folders with the time of their last change, in path order.
    pub fn dirs(&self) -> Result<Vec<(String, i64)>, StoreError> {
        unimplemented!()
    }

    /// Inputs that are no sources, in path order.
    pub fn inputs(&self) -> Result<Vec<InputRow>, StoreError> {
        unimplemented!()
    }
}
