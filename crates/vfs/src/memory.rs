//! Files that exist in memory only, for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::fs::{Entry, EntryKind, Fs, FsError, Listing, Stat, check_lexically};

/// A tree of files in memory. Every change moves a clock by one second, so that times differ without waiting.
#[derive(Debug, Default)]
pub struct MemoryFs {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    files: BTreeMap<String, File>,
    folders: BTreeMap<String, i64>,
    unreadable: BTreeSet<String>,
    tracked: Option<Vec<String>>,
    clock_s: i64,
}

#[derive(Debug)]
struct File {
    content: Vec<u8>,
    mtime_ns: i64,
}

impl MemoryFs {
    /// A tree without files.
    #[must_use]
    pub fn new() -> Self {
        let memory = Self::default();
        memory.state().folders.insert(String::new(), 0);
        memory
    }

    /// A tree with these files.
    #[must_use]
    pub fn with<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let memory = Self::new();
        for (path, content) in files {
            memory.write(path, content);
        }
        memory
    }

    /// Writes a file and makes the folders around it.
    pub fn write(&self, path: &str, content: impl Into<Vec<u8>>) {
        let mut state = self.state();
        let mtime_ns = state.tick();
        let is_new = state
            .files
            .insert(
                path.to_owned(),
                File {
                    content: content.into(),
                    mtime_ns,
                },
            )
            .is_none();
        if is_new {
            state.touch_folders(path, mtime_ns);
        }
    }

    /// Removes a file, and the folders that hold nothing any more.
    pub fn remove(&self, path: &str) {
        let mut state = self.state();
        let mtime_ns = state.tick();
        state.files.remove(path);
        let mut folder = parent(path);
        while !folder.is_empty() && !state.holds_something(folder) {
            state.folders.remove(folder);
            folder = parent(folder);
        }
        state.folders.insert(folder.to_owned(), mtime_ns);
    }

    /// Sets the time of a file.
    pub fn set_mtime(&self, path: &str, mtime_ns: i64) {
        if let Some(file) = self.state().files.get_mut(path) {
            file.mtime_ns = mtime_ns;
        }
    }

    /// Makes a file or folder unreadable.
    pub fn forbid(&self, path: &str) {
        self.state().unreadable.insert(path.to_owned());
    }

    /// Says which files git tracks; without it there is no git.
    pub fn set_tracked(&self, paths: &[&str]) {
        self.state().tracked = Some(paths.iter().map(|path| (*path).to_owned()).collect());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn tick(&mut self) -> i64 {
        self.clock_s += 1;
        self.clock_s * 1_000_000_000
    }

    fn touch_folders(&mut self, path: &str, mtime_ns: i64) {
        let mut folder = parent(path);
        while !self.folders.contains_key(folder) {
            self.folders.insert(folder.to_owned(), mtime_ns);
            folder = parent(folder);
        }
        self.folders.insert(folder.to_owned(), mtime_ns);
    }

    fn holds_something(&self, folder: &str) -> bool {
        let prefix = format!("{folder}/");
        let is_below = |path: &String| path.starts_with(&prefix);
        self.files.keys().any(is_below) || self.folders.keys().any(is_below)
    }

    fn check(&self, path: &str) -> Result<(), FsError> {
        check_lexically(path)?;
        if self.unreadable.contains(path) {
            Err(error(path, io::ErrorKind::PermissionDenied))
        } else {
            Ok(())
        }
    }
}

impl Fs for MemoryFs {
    fn root(&self) -> &Path {
        Path::new("/memory")
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FsError> {
        let state = self.state();
        state.check(path)?;
        state
            .files
            .get(path)
            .map(|file| file.content.clone())
            .ok_or_else(|| error(path, io::ErrorKind::NotFound))
    }

    fn stat(&self, path: &str) -> Result<Stat, FsError> {
        check_lexically(path)?;
        let state = self.state();
        if let Some(file) = state.files.get(path) {
            return Ok(Stat {
                kind: EntryKind::File,
                size: file.content.len() as u64,
                mtime_ns: file.mtime_ns,
            });
        }
        let folder = state.folders.get(path).map(|mtime_ns| Stat {
            kind: EntryKind::Folder,
            size: 0,
            mtime_ns: *mtime_ns,
        });
        folder.ok_or_else(|| error(path, io::ErrorKind::NotFound))
    }

    fn list(&self, folder: &str) -> Result<Listing, FsError> {
        let state = self.state();
        state.check(folder)?;
        if !state.folders.contains_key(folder) {
            return Err(error(folder, io::ErrorKind::NotFound));
        }
        let in_folder = |path: &&String| !path.is_empty() && parent(path) == folder;
        let entry = |path: &String, kind| Entry {
            name: path.rsplit('/').next().unwrap_or(path).to_owned(),
            kind,
        };
        let files = state
            .files
            .keys()
            .filter(in_folder)
            .map(|path| entry(path, EntryKind::File));
        let folders = state
            .folders
            .keys()
            .filter(in_folder)
            .map(|path| entry(path, EntryKind::Folder));
        let mut entries: Vec<Entry> = files.chain(folders).collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Listing {
            entries,
            unreadable_names: Vec::new(),
        })
    }

    fn real_path(&self, path: &str) -> Result<String, FsError> {
        self.stat(path).map(|_| path.to_owned())
    }

    fn tracked_files(&self, folder: &str) -> Option<Vec<String>> {
        let state = self.state();
        let tracked = state.tracked.as_ref()?;
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        Some(
            tracked
                .iter()
                .filter_map(|path| path.strip_prefix(&prefix))
                .map(str::to_owned)
                .collect(),
        )
    }
}

fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |cut| &path[..cut])
}

fn error(path: &str, kind: io::ErrorKind) -> FsError {
    FsError::Io {
        path: path.to_owned(),
        source: kind.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::MemoryFs;
    use crate::fs::Fs as _;

    #[test]
    fn a_new_file_changes_its_folder_and_a_rewrite_does_not() {
        let memory = MemoryFs::with([("a/b.py", "")]);
        let before = memory.stat("a").unwrap();
        memory.write("a/b.py", "x = 1");
        assert_eq!(memory.stat("a").unwrap(), before);
        memory.write("a/c.py", "");
        assert_ne!(memory.stat("a").unwrap(), before);
    }

    #[test]
    fn folders_go_with_their_last_file() {
        let memory = MemoryFs::with([("a/b/c.py", ""), ("d.py", "")]);
        memory.remove("a/b/c.py");
        assert!(!memory.exists("a"));
        assert!(memory.exists("d.py"));
    }
}
