//! What a run says about itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::error::IndexError;

/// How much a run does again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RefreshMode {
    /// Only what changed.
    #[default]
    Changed,
    /// Reads and parses every file, whatever is known of it.
    Everything,
}

/// What to do when another process is indexing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LockMode {
    /// Wait until it is done.
    #[default]
    Wait,
    /// Give up at once with [`IndexError::Busy`].
    Try,
}

/// What the caller has to say while a run goes on.
#[derive(Clone, Copy, Default)]
pub struct Control<'a> {
    /// Called now and then, from any thread.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// Looked at between files; once it is true the run stops and nothing of it is kept.
    pub cancel: Option<&'a AtomicBool>,
    /// What to do when another process is indexing.
    pub lock: LockMode,
    /// What else to note about the state that is indexed, as (key, value): the commit, for one. It is stored in the same
    /// transaction and read by `Store::meta`.
    pub meta: &'a [(&'a str, String)],
}

impl Control<'_> {
    pub(crate) fn report(&self, phase: Phase, done: usize, total: usize) {
        if let Some(progress) = self.progress {
            progress(Progress { phase, done, total });
        }
    }

    pub(crate) fn check(&self) -> Result<(), IndexError> {
        // The flag carries no other data, so no ordering is needed.
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            Err(IndexError::Cancelled)
        } else {
            Ok(())
        }
    }
}

/// A part of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Finding files.
    Discover,
    /// Parsing and extracting.
    Extract,
    /// Resolving references.
    Resolve,
    /// Writing.
    Store,
}

impl Phase {
    /// The word that is shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Discover => "discover",
            Self::Extract => "extract",
            Self::Resolve => "resolve",
            Self::Store => "store",
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The part that it is at.
    pub phase: Phase,
    /// Files done.
    pub done: usize,
    /// Files to do.
    pub total: usize,
}

/// What a run did, and what the index holds after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunReport {
    /// SHA-256 over the sorted lines `path:sha` of all indexed files: equal contents have equal ids.
    pub index_id: String,
    /// False when there was nothing to do and nothing was written.
    pub is_changed: bool,
    /// Files in the index.
    pub files_total: usize,
    /// Files that are new in the index.
    pub new_files: usize,
    /// Files whose content changed.
    pub updated_files: usize,
    /// Files that left the index.
    pub removed: usize,
    /// Files that were parsed.
    pub parsed: usize,
    /// Files that are new or changed and needed no parsing, since their content had been seen before.
    pub reused_facts: usize,
    /// Files whose references were resolved.
    pub relinked: usize,
    /// Nodes that came.
    pub added_node_count: usize,
    /// Nodes that went.
    pub removed_node_count: usize,
    /// Nodes in the index.
    pub node_count: usize,
    /// Edges in the index, the containing ones among them.
    pub edge_count: usize,
    /// Sources that are not indexed: (path, why), by path.
    pub skipped: Vec<(String, String)>,
    /// Indexed files of which nothing could be extracted: (path, why), by path.
    pub failed: Vec<(String, String)>,
    /// Folders and names that could not be read: (path, why), by path.
    pub problems: Vec<(String, String)>,
    /// What else is worth saying, such as a manifest that could not be read.
    pub notes: Vec<String>,
    /// Numbers of the walk; absent when no walk was needed.
    pub filter_stats: Option<FilterStats>,
    /// Time of the whole run.
    pub elapsed: Duration,
    /// Time of its parts.
    pub phases: PhaseTimes,
}

/// What the walk left out, in numbers. An excluded folder counts as one entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterStats {
    /// Everything that was looked at.
    pub total_enumerated: u64,
    /// Left out by name.
    pub excluded_by_exclude_set: u64,
    /// Left out by an ignore file.
    pub excluded_by_gitignore: u64,
    /// Files of no language that is indexed.
    pub excluded_by_language: u64,
    /// Files with a suffix that is never indexed.
    pub excluded_by_suffix: u64,
    /// Files that are too large.
    pub excluded_by_size: u64,
}

/// Time of the parts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseTimes {
    /// Finding out what changed, and reading and hashing it.
    pub discover: Duration,
    /// Parsing and extracting.
    pub extract: Duration,
    /// Resolving.
    pub resolve: Duration,
    /// Writing.
    pub store: Duration,
}
