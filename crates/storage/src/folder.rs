//! The index folder and the files in it.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::StoreError;

/// File name of the database in the index folder.
pub const DATABASE_NAME: &str = "index.db";

/// An unfinished build of a crashed process is removed when it is older than this.
const STALE_BUILD: Duration = Duration::from_hours(1);

/// Moves a damaged database (with its side files) to `index.db.corrupt-N`, keeping it for inspection. Returns where it is
/// now; none when there was no database.
pub fn quarantine(folder: &Path) -> Result<Option<PathBuf>, StoreError> {
    let path = folder.join(DATABASE_NAME);
    if !path.exists() {
        return Ok(None);
    }
    let mut number = 1;
    let target = loop {
        let target = with_suffix(&path, &format!(".corrupt-{number}"));
        if !target.exists() {
            break target;
        }
        number += 1;
    };
    std::fs::rename(&path, &target).map_err(|error| StoreError::from_io(&path, error))?;
    for suffix in SIDE_FILES {
        let side = with_suffix(&path, suffix);
        if side.exists() {
            std::fs::rename(&side, with_suffix(&target, suffix)).map_err(|error| StoreError::from_io(&side, error))?;
        }
    }
    Ok(Some(target))
}

/// What tells a file from another one at the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    #[cfg(unix)]
    pub(crate) fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata(path).ok().map(|metadata| Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        })
    }

    #[cfg(not(unix))]
    pub(crate) fn of(_path: &Path) -> Option<Self> {
        None
    }
}

/// Files that SQLite keeps beside a database.
pub(crate) const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];

pub(crate) fn create_folder(folder: &Path) -> Result<(), StoreError> {
    std::fs::create_dir_all(folder).map_err(|error| StoreError::from_io(folder, error))?;
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        std::fs::write(&ignore, "*\n").map_err(|error| StoreError::from_io(&ignore, error))?;
    }
    Ok(())
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

pub(crate) fn remove_database(path: &Path) {
    // What cannot be removed now is removed as a stale build later.
    let _ = std::fs::remove_file(path);
    for suffix in SIDE_FILES {
        let _ = std::fs::remove_file(with_suffix(path, suffix));
    }
}

pub(crate) fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StoreError::from_io(path, error)),
        _ => Ok(()),
    }
}

pub(crate) fn remove_stale_builds(folder: &Path) -> Result<(), StoreError> {
    let entries = std::fs::read_dir(folder).map_err(|error| StoreError::from_io(folder, error))?;
    for entry in entries.flatten() {
        let is_build = entry.file_name().to_string_lossy().starts_with("index.db.new-");
        let age = entry
            .metadata()
            .and_then(|metadata| metadata.modified())
            .ok()
            .and_then(|time| time.elapsed().ok());
        if is_build && age.is_some_and(|age| age > STALE_BUILD) {
            remove_if_there(&entry.path())?;
        }
    }
    Ok(())
}

/// True when a database with a log could not be opened because its folder cannot be written, and nothing is left in the
/// log: then the file alone is the whole truth and may be read as one that never changes.
pub(crate) fn needs_immutable(error: &rusqlite::Error, path: &Path) -> bool {
    let is_refused = matches!(
        error.sqlite_error_code(),
        Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly | rusqlite::ErrorCode::PermissionDenied)
    );
    let log_is_empty = std::fs::metadata(with_suffix(path, "-wal")).map_or(true, |metadata| metadata.len() == 0);
    is_refused && log_is_empty
}

pub(crate) fn immutable_uri(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut uri = String::from("file:");
    for byte in absolute.to_string_lossy().replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri.push_str("?immutable=1");
    uri
}
