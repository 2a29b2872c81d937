//! The files of this machine below one root.

use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rustc_hash::FxHashMap;

use crate::fs::{Entry, EntryKind, Fs, FsError, Listing, Stat, check_lexically};
use crate::git;

/// A folder of the real file system.
///
/// The root is made canonical once, so two spellings of one folder are the same root. Every path is resolved before
/// it is opened, and one that ends outside the root is an error, however it got there.
#[derive(Debug)]
pub struct OsFs {
    root: PathBuf,
}

impl OsFs {
    /// Opens a folder as a root.
    ///
    /// # Errors
    /// When it does not exist or is no folder.
    pub fn new(root: &Path) -> io::Result<Self> {
        let root = fs::canonicalize(root)?;
        if !root.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder"));
        }
        Ok(Self { root })
    }

    /// The absolute place of `path` with every link followed, inside the root.
    fn locate(&self, path: &str) -> Result<PathBuf, FsError> {
        check_lexically(path)?;
        let real = fs::canonicalize(self.plain(path)).map_err(|source| io_error(path, source))?;
        if real.starts_with(&self.root) {
            Ok(real)
        } else {
            Err(FsError::Outside { path: path.to_owned() })
        }
    }

    fn plain(&self, path: &str) -> PathBuf {
        if path.is_empty() {
            self.root.clone()
        } else {
            self.root.join(path)
        }
    }
}

impl Fs for OsFs {
    fn root(&self) -> &Path {
        &self.root
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FsError> {
        let real = self.locate(path)?;
        // A pipe would block and a device never end, so the kind is looked at before anything is opened.
        let metadata = fs::metadata(&real).map_err(|source| io_error(path, source))?;
        if !metadata.is_file() {
            return Err(FsError::NotAFile { path: path.to_owned() });
        }
        fs::read(&real).map_err(|source| io_error(path, source))
    }

    fn stat(&self, path: &str) -> Result<Stat, FsError> {
        let real = self.locate(path)?;
        fs::metadata(real)
            .map(|metadata| stat_of(&metadata))
            .map_err(|source| io_error(path, source))
    }

    /// Resolves each folder once instead of each path.
    fn stat_all(&self, paths: &[&str]) -> Vec<Option<Stat>> {
        let mut folders: FxHashMap<&str, Option<PathBuf>> = FxHashMap::default();
        paths
            .iter()
            .map(|path| {
                check_lexically(path).ok()?;
                let Some((folder, name)) = path.rsplit_once('/') else {
                    return self.stat(path).ok();
                };
                let real_folder = folders
                    .entry(folder)
                    .or_insert_with(|| self.locate(folder).ok())
                    .as_ref()?;
                let metadata = fs::symlink_metadata(real_folder.join(name)).ok()?;
                if metadata.is_symlink() {
                    self.stat(path).ok()
                } else {
                    Some(stat_of(&metadata))
                }
            })
            .collect()
    }

    fn list(&self, folder: &str) -> Result<Listing, FsError> {
        let real = self.locate(folder)?;
        let mut listing = Listing::default();
        for entry in fs::read_dir(real).map_err(|source| io_error(folder, source))? {
            let entry = entry.map_err(|source| io_error(folder, source))?;
            match entry.file_name().into_string() {
                Ok(name) => {
                    let kind = entry.file_type().map_or(EntryKind::Other, kind_of);
                    listing.entries.push(Entry { name, kind });
                }
                Err(name) => listing.unreadable_names.push(name.to_string_lossy().into_owned()),
            }
        }
        listing.entries.sort_by(|a, b| a.name.cmp(&b.name));
        listing.unreadable_names.sort();
        Ok(listing)
    }

    fn real_path(&self, path: &str) -> Result<String, FsError> {
        let real = self.locate(path)?;
        let relative = real.strip_prefix(&self.root).unwrap_or(&real);
        let segments: Option<Vec<&str>> = relative.components().map(|part| part.as_os_str().to_str()).collect();
        segments
            .map(|segments| segments.join("/"))
            .ok_or_else(|| FsError::NotAFile { path: path.to_owned() })
    }

    fn tracked_files(&self, folder: &str) -> Option<Vec<String>> {
        git::tracked_files(&self.locate(folder).ok()?)
    }
}

fn io_error(path: &str, source: io::Error) -> FsError {
    FsError::Io {
        path: if path.is_empty() {
            "the root".to_owned()
        } else {
            path.to_owned()
        },
        source,
    }
}

fn kind_of(file_type: FileType) -> EntryKind {
    if file_type.is_symlink() {
        EntryKind::Link
    } else if file_type.is_dir() {
        EntryKind::Folder
    } else if file_type.is_file() {
        EntryKind::File
    } else {
        EntryKind::Other
    }
}

fn stat_of(metadata: &Metadata) -> Stat {
    let modified = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
    Stat {
        kind: kind_of(metadata.file_type()),
        size: metadata.len(),
        mtime_ns: modified.max(inode_time(metadata)),
    }
}

#[cfg(unix)]
fn inode_time(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt as _;
    metadata
        .ctime()
        .saturating_mul(1_000_000_000)
        .saturating_add(metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn inode_time(_metadata: &Metadata) -> i64 {
    0
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::OsFs;
    use crate::fs::{Fs as _, FsError};

    #[test]
    fn paths_with_dots_are_refused() {
        let root = tempfile::tempdir().unwrap();
        let os = OsFs::new(root.path()).unwrap();
        for path in ["../x", "a/../../x", "/etc/passwd", "./a", "a//b"] {
            assert!(matches!(os.read(path), Err(FsError::Outside { .. })), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_that_leave_the_root_are_refused() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "x").unwrap();
        let root = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), root.path().join("out")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret"), root.path().join("file")).unwrap();
        let os = OsFs::new(root.path()).unwrap();
        for path in ["out/secret", "file"] {
            assert!(matches!(os.read(path), Err(FsError::Outside { .. })), "{path}");
            assert!(os.stat(path).is_err());
            assert_eq!(os.stat_all(&[path]), [None]);
        }
        assert!(os.list("out").is_err());
    }

    #[test]
    fn one_stat_and_many_agree() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("a")).unwrap();
        fs::write(root.path().join("a/b.py"), "x = 1").unwrap();
        let os = OsFs::new(root.path()).unwrap();
        let many = os.stat_all(&["a/b.py", "a/c.py", "a"]);
        assert_eq!(many[0], os.stat("a/b.py").ok());
        assert_eq!(many[1], None);
        assert_eq!(many[2], os.stat("a").ok());
        assert_eq!(many[0].map(|stat| stat.size), Some(5));
    }

    #[cfg(unix)]
    #[test]
    fn a_time_that_was_set_back_does_not_hide_a_change() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a.py");
        fs::write(&path, "x = 1").unwrap();
        let os = OsFs::new(root.path()).unwrap();
        let before = os.stat("a.py").unwrap();
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::write(&path, "x = 2").unwrap();
        fs::File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(time)
            .unwrap();
        assert_ne!(os.stat("a.py").unwrap().mtime_ns, before.mtime_ns);
    }
}
