//! Has anything changed? By sizes and times, without a walk.
//!
//! A folder whose time is that of the last run holds the same names, so nothing appeared or went. A file with the same
//! size and time has the same content, unless it was written so shortly before the last look at it that a later write
//! could bear the same time: such a file is read.

use std::time::{SystemTime, UNIX_EPOCH};

use rustc_hash::FxHashMap;
use strata_storage::{FileRow, InputRow, Store};
use strata_vfs::Stat;

use crate::error::IndexError;
use crate::installed::content_hash;
use crate::run::Site;
use crate::settings::{self, settings_key};

/// Times closer than this to the last look are not trusted, on file systems that keep fractions of a second. Kernels
/// move that clock every 1 to 10 ms.
const FINE_WINDOW_NS: i64 = 50_000_000;
/// The same for file systems that keep whole seconds, or every other one.
const COARSE_WINDOW_NS: i64 = 2_000_000_000;
const SECOND_NS: i64 = 1_000_000_000;

/// What a probe found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// False when there is no usable index.
    pub is_indexed: bool,
    /// Files that changed or are gone, in order.
    pub dirty_files: Vec<String>,
    /// Folders in which names came or went, in order; the root is the empty string.
    pub dirty_folders: Vec<String>,
    /// True when the settings or a language's extractor are not those of the index.
    pub is_outdated: bool,
}

impl Probe {
    /// True when the index agrees with the files, as far as sizes and times tell.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.is_indexed && !self.is_outdated && self.dirty_files.is_empty() && self.dirty_folders.is_empty()
    }

    pub(crate) fn without_index() -> Self {
        Self::default()
    }
}

/// What is stored, and how it compares with the files.
pub(crate) struct Comparison {
    pub(crate) files: Vec<FileRow>,
    pub(crate) inputs: Vec<InputRow>,
    /// The present state of each file; none when it is gone.
    pub(crate) stats: Vec<Option<Stat>>,
    /// Files (by index) whose content may have changed.
    pub(crate) suspects: Vec<usize>,
    pub(crate) dirty_inputs: Vec<String>,
    pub(crate) dirty_folders: Vec<String>,
    /// True when a time was too fresh to be trusted, and the content had to tell.
    pub(crate) had_fresh_times: bool,
    pub(crate) has_index: bool,
    pub(crate) is_outdated: bool,
}

impl Comparison {
    /// True when the set of files may have changed.
    pub(crate) fn needs_walk(&self) -> bool {
        !self.has_index
            || self.is_outdated
            || !self.dirty_inputs.is_empty()
            || !self.dirty_folders.is_empty()
            || self.stats.iter().any(Option::is_none)
    }
}

/// Compares sizes and times. Suspects are not read yet, except those that differ in nothing but freshness.
pub(crate) fn compare(site: &Site<'_>, store: &Store) -> Result<Comparison, IndexError> {
    let verified_at = store.meta(settings::VERIFIED_AT)?.and_then(|at| at.parse::<i64>().ok());
    let mut out = Comparison {
        files: store.files()?,
        inputs: store.inputs()?,
        stats: Vec::new(),
        suspects: Vec::new(),
        dirty_inputs: Vec::new(),
        dirty_folders: Vec::new(),
        had_fresh_times: false,
        has_index: verified_at.is_some(),
        is_outdated: store
            .meta(settings::SETTINGS_KEY)?
            .is_none_or(|key| key != settings_key(site)),
    };
    let Some(verified_at) = verified_at else { return Ok(out) };
    let paths: Vec<&str> = out.files.iter().map(|file| file.path.as_str()).collect();
    out.stats = site.fs.stat_all(&paths);
    for (ix, (file, stat)) in out.files.iter().zip(&out.stats).enumerate() {
        let Some(stat) = stat else { continue };
        if (stat.size, stat.mtime_ns) != (file.size_bytes, file.mtime_ns) {
            out.suspects.push(ix);
        } else if is_fresh(stat.mtime_ns, verified_at) {
            out.had_fresh_times = true;
            if is_changed(site, &file.path, &file.sha256) {
                out.suspects.push(ix);
            }
        }
    }
    let paths: Vec<&str> = out.inputs.iter().map(|input| input.path.as_str()).collect();
    for (input, stat) in out.inputs.iter().zip(site.fs.stat_all(&paths)) {
        let is_same = stat.is_some_and(|stat| (stat.size, stat.mtime_ns) == (input.size_bytes, input.mtime_ns));
        let is_fresh = is_fresh(input.mtime_ns, verified_at);
        out.had_fresh_times |= is_fresh;
        if !is_same || (is_fresh && is_changed(site, &input.path, &input.sha256)) {
            out.dirty_inputs.push(input.path.clone());
        }
    }
    let folders = store.dirs()?;
    let paths: Vec<&str> = folders.iter().map(|(path, _)| path.as_str()).collect();
    for ((path, mtime_ns), stat) in folders.iter().zip(site.fs.stat_all(&paths)) {
        let is_same = stat.is_some_and(|stat| stat.mtime_ns == *mtime_ns);
        if !is_same || is_fresh(*mtime_ns, verified_at) {
            out.dirty_folders.push(path.clone());
        }
    }
    Ok(out)
}

/// The public probe.
pub(crate) fn probe(site: &Site<'_>, store: &Store) -> Result<Probe, IndexError> {
    let compared = compare(site, store)?;
    let gone = compared
        .files
        .iter()
        .zip(&compared.stats)
        .filter(|(_, stat)| stat.is_none())
        .map(|(file, _)| &file.path);
    let suspects = compared.suspects.iter().map(|ix| &compared.files[*ix]);
    let changed = suspects
        .filter(|file| is_changed(site, &file.path, &file.sha256))
        .map(|file| &file.path);
    let mut dirty_files: Vec<String> = gone.chain(changed).chain(&compared.dirty_inputs).cloned().collect();
    dirty_files.sort();
    dirty_files.dedup();
    Ok(Probe {
        is_indexed: compared.has_index,
        dirty_files,
        dirty_folders: compared.dirty_folders,
        is_outdated: compared.is_outdated,
    })
}

fn is_changed(site: &Site<'_>, path: &str, known: &[u8; 32]) -> bool {
    content_hash(site.fs, path) != Some(*known)
}

/// True when a write after the look at `verified_at` could have left this time.
pub(crate) fn is_fresh(mtime_ns: i64, verified_at: i64) -> bool {
    let window = if mtime_ns % SECOND_NS == 0 {
        COARSE_WINDOW_NS
    } else {
        FINE_WINDOW_NS
    };
    mtime_ns.saturating_add(window) >= verified_at
}

/// Now, in nanoseconds since 1970.
pub(crate) fn now_ns() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

/// The stored files by path.
pub(crate) fn by_path(files: &[FileRow]) -> FxHashMap<&str, &FileRow> {
    files.iter().map(|file| (file.path.as_str(), file)).collect()
}

#[cfg(test)]
mod tests {
    use super::is_fresh;

    #[test]
    fn coarse_times_are_distrusted_for_longer() {
        let second = 1_000_000_000;
        assert!(is_fresh(10 * second, 11 * second));
        assert!(!is_fresh(10 * second + 1, 11 * second));
        assert!(is_fresh(10 * second + 1, 10 * second + 2));
        assert!(
            is_fresh(12 * second, 11 * second),
            "a time in the future is never trusted"
        );
    }
}
