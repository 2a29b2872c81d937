//! Walks, reads and hashes files below a root and never leaves it.
//!
//! Everything works on paths relative to the root, written with `/`; the root itself is the empty string. The walk, the
//! excludes and the ignore rules are written once over the trait [`Fs`], so a test on [`MemoryFs`] exercises the code
//! that runs on a disk. The crate knows no language: which of the files are sources is decided above it.

mod exclude;
mod fs;
mod git;
mod hash;
mod memory;
mod os;
mod walk;

pub use exclude::{CONDITIONAL_FOLDERS, DEFAULT_EXCLUDE, Exclusion};
pub use fs::{Entry, EntryKind, Fs, FsError, Listing, Stat};
pub use git::git_program;
pub use hash::{Sha256, sha256};
pub use memory::MemoryFs;
pub use os::OsFs;
pub use walk::{Folder, Walk, WalkCounts, WalkOptions, WalkProblem, explain, walk};
