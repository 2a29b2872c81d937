//! What can go wrong with indexing as a whole. What is wrong with one file is in the report, never an error.

use std::path::PathBuf;

use strata_storage::StoreError;
use thiserror::Error;

/// Why an index could not be brought up to date. The index that was there before is still there and usable.
#[derive(Debug, Error)]
pub enum IndexError {
    /// The root does not exist or is no folder.
    #[error("cannot index {}", root.display())]
    Root {
        /// The root.
        root: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The root is so wide that indexing it can only be a mistake.
    #[error(
        "{} is {what}, which is too much to index; name a project folder, or force it",
        root.display()
    )]
    RootTooWide {
        /// The root.
        root: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// The index folder cannot be made or written.
    #[error("cannot write the index folder {}; set another one with STRATIGRAPH_INDEX_PATH", folder.display())]
    IndexFolder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Another process is indexing, and the caller did not want to wait, or waited long enough.
    #[error("process {pid} is indexing this root")]
    Busy {
        /// That process.
        pid: u32,
    },
    /// The caller stopped it.
    #[error("indexing was stopped")]
    Cancelled,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
