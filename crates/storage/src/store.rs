//! One connection to an index: opening, what is said about the index as a whole, and consistent reading.
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::error::StoreError;

/// File name of the database in the index folder.
pub const DATABASE_NAME: &str = "index.db";

/// One connection. Cheap to open; a server opens one a thread.
pub struct Store {
    pub(crate) conn: Connection,
    pub(crate) path: PathBuf,
}

/// While this lives, all reads of the store see one state, whatever a writer does.
pub struct Snapshot<'s> {
    _store: &'s Store,
}

impl Store {
    /// Opens the index in `folder` for reading. Works on read-only media. [`StoreError::Missing`] when there is none.
    pub fn open_read(folder: &Path) -> Result<Self, StoreError> {
        let _ = folder;
        unimplemented!()
    }

    /// Opens the index in `folder` for writing: creates the folder (with a `.gitignore` that hides it), migrates an older
    /// schema, or starts a new index. A new one is built beside its final place and appears there, complete, with the
    /// first commit.
    pub fn open_write(folder: &Path) -> Result<Self, StoreError> {
        let _ = folder;
        unimplemented!()
    }

    /// A store in memory, for tests.
    pub fn in_memory() -> Result<Self, StoreError> {
        unimplemented!()
    }

    /// True until the first commit of a new index.
    #[must_use]
    pub fn is_new(&self) -> bool {
        unimplemented!()
    }

    /// The database file (`:memory:` for a store in memory).
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Starts reading one consistent state.
    pub fn snapshot(&self) -> Result<Snapshot<'_>, StoreError> {
        unimplemented!()
    }

    /// The number of the committed state; another number means that a writer committed in between.
    pub fn data_version(&self) -> Result<u64, StoreError> {
        unimplemented!()
    }

    /// An entry of `schema_meta`, such as `index_id`.
    pub fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        let _ = key;
        unimplemented!()
    }

    /// Reads every page and reports damage as [`StoreError::Corrupt`]. Costs about as much as reading the whole file.
    pub fn check(&self) -> Result<(), StoreError> {
        unimplemented!()
    }
}

/// Moves a damaged database (with its side files) to `index.db.corrupt-N`, keeping it for inspection. Returns where it is
/// now; none when there was no database.
pub fn quarantine(folder: &Path) -> Result<Option<PathBuf>, StoreError> {
    let _ = folder;
    unimplemented!()
}
