//! What can go wrong with a store.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// A failure of the store. Every variant names the database or folder at hand.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no index yet.
    #[error("no index in {}, run `strata index`", folder.display())]
    Missing {
        /// The index folder.
        folder: PathBuf,
    },
    /// The file is no database, or no longer a sound one. `index` moves it away with [`crate::quarantine`] and builds a
    /// new one.
    #[error("the index {} is damaged: {reason}", path.display())]
    Corrupt {
        /// The database.
        path: PathBuf,
        /// What SQLite or the decoder says.
        reason: String,
    },
    /// A newer version wrote it. The file was left as it is.
    #[error("the index {} has schema {found} and this version knows {known}, update strata or delete the file", path.display())]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// The newest schema version that this build knows.
        known: u32,
    },
    /// An older version wrote it, and it was opened for reading only.
    #[error("the index {} has the older schema {found} (now {known}), run `strata index` to bring it up to date", path.display())]
    Older {
        /// The database.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// The schema version that is needed.
        known: u32,
    },
    /// Another process holds a lock for longer than we wait.
    #[error("the index {} is in use by another process, try again", path.display())]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// The disk is full. Nothing was changed.
    #[error("no space left for the index {}", path.display())]
    Full {
        /// The database.
        path: PathBuf,
    },
    /// The folder or file may not be written.
    #[error("the index {} cannot be written, it is read-only", path.display())]
    ReadOnly {
        /// The database.
        path: PathBuf,
    },
    /// Any other failure of a statement.
    #[error("the index {} failed", path.display())]
    Sql {
        /// The database.
        path: PathBuf,
        /// What SQLite says.
        #[source]
        source: rusqlite::Error,
    },
    /// The file system failed.
    #[error("cannot use {}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
}

impl StoreError {
    /// True when the file should be moved away and built anew.
    #[must_use]
    pub const fn is_corrupt(&self) -> bool {
        matches!(self, Self::Corrupt { .. })
    }

    /// Sorts a failure of SQLite into the variants that callers act upon.
    pub(crate) fn from_sql(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        let reason = |source: &rusqlite::Error| source.to_string();
        match &source {
            rusqlite::Error::SqliteFailure(failure, _) => match failure.code {
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Self::Corrupt {
                    reason: reason(&source),
                    path,
                },
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Busy { path },
                ErrorCode::DiskFull => Self::Full { path },
                ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Self::ReadOnly { path },
                _ => Self::Sql { path, source },
            },
            // A column that does not hold what the schema says was not written by us.
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..) => Self::Corrupt {
                reason: reason(&source),
                path,
            },
            _ => Self::Sql { path, source },
        }
    }

    /// A failure of the file system at `path`.
    pub(crate) fn from_io(path: &Path, source: std::io::Error) -> Self {
        match source.kind() {
            std::io::ErrorKind::StorageFull => Self::Full { path: path.to_owned() },
            std::io::ErrorKind::ReadOnlyFilesystem | std::io::ErrorKind::PermissionDenied => {
                Self::ReadOnly { path: path.to_owned() }
            }
            _ => Self::Io {
                path: path.to_owned(),
                source,
            },
        }
    }
}
