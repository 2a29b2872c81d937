//! Which files have to be linked again after a change.
//!
//! While it is linked, a file records every key that it looked up elsewhere, hit or miss. A change of a file changes some
//! of the keys that it answers; a file that appears or goes changes the keys of its path and of folders that begin or
//! cease to hold sources. Whoever recorded one of these is linked again, nobody else is. One round is enough, because
//! keys stand for single facts of single files and not for evaluated results.
//!
//! There is one early cut-off. When a function's returned expressions changed and nothing else did, [`cutoff`] compares
//! what it gives before and after; if that is the same, those who had asked for it stay as they are.
//!
//! [`cutoff`]: crate::cutoff

use rustc_hash::{FxHashMap, FxHashSet};
use strata_model::facts::FileFacts;
use strata_model::ids::DefId;
use strata_resolve::{body_keys, path_key, surface};
use strata_storage::{FileId, Store};

use crate::error::IndexError;

/// A file whose content is another one than before, or that came or went.
pub(crate) struct Change<'a> {
    pub(crate) path: &'a str,
    /// What it was; none when it is new.
    pub(crate) before: Option<&'a FileFacts>,
    /// What it is; none when it is gone.
    pub(crate) after: Option<&'a FileFacts>,
}

/// A function whose returned expressions changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangedBody {
    pub(crate) key: u64,
    /// The definition before.
    pub(crate) before: DefId,
    /// The same one now.
    pub(crate) after: DefId,
}

/// The keys whose answer changed.
#[derive(Default)]
pub(crate) struct ChangedKeys {
    keys: FxHashSet<u64>,
}

impl ChangedKeys {
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Adds the keys of one file. Returns the functions that are there in both states and return something else.
    pub(crate) fn add(&mut self, change: &Change<'_>) -> Vec<ChangedBody> {
        let answers = |facts: Option<&FileFacts>| facts.map_or_else(Vec::new, |facts| surface(change.path, facts));
        let (before, after) = (answers(change.before), answers(change.after));
        let old: FxHashSet<&(u64, u64)> = before.iter().collect();
        let new: FxHashSet<&(u64, u64)> = after.iter().collect();
        let changed: FxHashSet<u64> = old.symmetric_difference(&new).map(|(key, _)| *key).collect();
        let mut bodies = Vec::new();
        if let (Some(before), Some(after)) = (change.before, change.after) {
            let before: FxHashMap<u64, DefId> = body_keys(change.path, before).into_iter().collect();
            for (key, after) in body_keys(change.path, after) {
                if let Some(before) = before.get(&key).filter(|_| changed.contains(&key)) {
                    bodies.push(ChangedBody {
                        key,
                        before: *before,
                        after,
                    });
                }
            }
        } else {
            self.keys.insert(path_key(change.path));
        }
        self.keys.extend(changed);
        bodies
    }

    /// Adds the keys of folders that hold sources in one of two states only.
    pub(crate) fn add_folders<'a>(
        &mut self,
        before: impl Iterator<Item = &'a str>,
        after: impl Iterator<Item = &'a str>,
    ) {
        let (before, after) = (folders_of(before), folders_of(after));
        self.keys.extend(
            before
                .symmetric_difference(&after)
                .map(|folder| path_key(&format!("{folder}/"))),
        );
    }

    /// Takes a key out: its answer turned out to be what it was.
    pub(crate) fn remove(&mut self, key: u64) {
        self.keys.remove(&key);
    }

    /// The stored files that looked up one of the keys.
    pub(crate) fn dependents(&self, store: &Store) -> Result<FxHashSet<FileId>, IndexError> {
        if self.is_empty() {
            return Ok(FxHashSet::default());
        }
        let mut sorted: Vec<u64> = self.keys.iter().copied().collect();
        sorted.sort_unstable();
        files_that_asked(store, &sorted)
    }
}

/// The stored files that looked up one of the keys, which are sorted.
pub(crate) fn files_that_asked(store: &Store, keys: &[u64]) -> Result<FxHashSet<FileId>, IndexError> {
    let mut files = FxHashSet::default();
    store.for_each_key_list(|file, looked_up| {
        if have_common(keys, looked_up) {
            files.insert(file);
        }
    })?;
    Ok(files)
}

/// True when two sorted lists have a common element. Looks the shorter one's up in the longer one.
fn have_common(a: &[u64], b: &[u64]) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let mut rest = long;
    for key in short {
        match rest.binary_search(key) {
            Ok(_) => return true,
            Err(at) => rest = &rest[at..],
        }
    }
    false
}

fn folders_of<'a>(paths: impl Iterator<Item = &'a str>) -> FxHashSet<&'a str> {
    let mut folders = FxHashSet::default();
    for path in paths {
        let mut rest = path;
        while let Some(cut) = rest.rfind('/') {
            rest = &rest[..cut];
            if !folders.insert(rest) {
                break;
            }
        }
        folders.insert("");
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::{folders_of, have_common};

    #[test]
    fn sorted_lists_are_compared() {
        assert!(have_common(&[1, 5, 9], &[2, 3, 9]));
        assert!(!have_common(&[1, 5, 9], &[2, 3, 4, 8]));
        assert!(!have_common(&[], &[1]));
    }

    #[test]
    fn folders_are_those_around_files() {
        let mut folders: Vec<&str> = folders_of(["a/b/c.py", "d.py"].into_iter()).into_iter().collect();
        folders.sort_unstable();
        assert_eq!(folders, ["", "a", "a/b"]);
    }
}
