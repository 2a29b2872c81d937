//! The file system as the rest of the house sees it: a tree below a root.

use std::io;
use std::path::Path;

use thiserror::Error;

/// What an entry is. A link is not followed to say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A socket, pipe or device: never opened.
    Other,
}

/// Size and time of a file or folder; links are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stat {
    /// What it is.
    pub kind: EntryKind,
    /// Size in bytes.
    pub size: u64,
    /// When it last changed, in nanoseconds since 1970: the later of the time of its content and, where the system has
    /// one, that of its inode, so that writing a file and setting its old time again does not go unnoticed.
    pub mtime_ns: i64,
}

/// A name in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Name, without its folder.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

/// The names in a folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// Entries in the order of their names.
    pub entries: Vec<Entry>,
    /// Names that are not UTF-8, made readable.
    pub unreadable_names: Vec<String>,
}

/// Why something could not be read.
#[derive(Debug, Error)]
pub enum FsError {
    /// The path leaves the root: by `..`, by being absolute, or through a link.
    #[error("{path} lies outside the root")]
    Outside {
        /// The path as it was asked for.
        path: String,
    },
    /// It is a folder, pipe or device.
    #[error("{path} is not a regular file")]
    NotAFile {
        /// The path.
        path: String,
    },
    /// The system refused.
    #[error("cannot read {path}")]
    Io {
        /// The path.
        path: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

impl FsError {
    /// True when the file or folder is not there.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io { source, .. }
            if matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory))
    }
}

/// A tree of files below a root. Implementations never show anything outside it.
pub trait Fs: Send + Sync {
    /// Where the root lies, for messages.
    fn root(&self) -> &Path;

    /// The content of a file.
    ///
    /// # Errors
    /// When it is missing, unreadable, no regular file or outside the root.
    fn read(&self, path: &str) -> Result<Vec<u8>, FsError>;

    /// Size and time of a file or folder.
    ///
    /// # Errors
    /// When it is missing or outside the root.
    fn stat(&self, path: &str) -> Result<Stat, FsError>;

    /// The same for many paths at once, which is much cheaper where they share folders. None for what is missing or
    /// outside.
    fn stat_all(&self, paths: &[&str]) -> Vec<Option<Stat>> {
        paths.iter().map(|path| self.stat(path).ok()).collect()
    }

    /// The names in a folder.
    ///
    /// # Errors
    /// When it is missing, unreadable or outside the root.
    fn list(&self, folder: &str) -> Result<Listing, FsError>;

    /// Where a path leads when all links are followed, relative to the root.
    ///
    /// # Errors
    /// When it is missing or leads out of the root.
    fn real_path(&self, path: &str) -> Result<String, FsError>;

    /// True when there is something at the path, inside the root.
    fn exists(&self, path: &str) -> bool {
        self.stat(path).is_ok()
    }

    /// The files below `folder` that git tracks, relative to `folder`; none when git or a repository is missing.
    fn tracked_files(&self, folder: &str) -> Option<Vec<String>>;
}

/// Joins a name to a folder.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// Refuses paths that are absolute or have segments which are empty, `.` or `..`.
pub(crate) fn check_lexically(path: &str) -> Result<(), FsError> {
    let is_inside = path.is_empty()
        || (!path.contains(['\\', '\0'])
            && path
                .split('/')
                .all(|segment| !matches!(segment, "" | "." | "..") && !is_drive(segment)));
    if is_inside {
        Ok(())
    } else {
        Err(FsError::Outside { path: path.to_owned() })
    }
}

/// True for `C:` and the like, which start an absolute path on Windows.
fn is_drive(segment: &str) -> bool {
    cfg!(windows) && segment.contains(':')
}
