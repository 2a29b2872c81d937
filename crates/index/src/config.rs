//! What may be set about indexing. Reading it from files and the environment is the business of those above.

use strata_vfs::{DEFAULT_EXCLUDE, WalkOptions};

/// Settings of an index. The default is right for nearly every root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexConfig {
    /// Excluded names; see [`DEFAULT_EXCLUDE`] for the form. Replaces the default list.
    pub exclude: Vec<String>,
    /// Whether `.gitignore` files count.
    pub respect_gitignore: bool,
    /// Larger files, in bytes, are skipped and reported.
    pub max_file_size: u64,
    /// Replaces the name of the root and of the package whose manifest lies in the root folder.
    pub root_alias: Option<String>,
    /// Languages to be indexed, by name; empty: all.
    pub languages: Vec<String>,
    /// Longest time for parsing one file, in milliseconds.
    pub parse_millis: u64,
}

impl IndexConfig {
    /// The default limit of a file's size: one mebibyte.
    pub const MAX_FILE_SIZE: u64 = 1 << 20;

    /// What the walk needs of it.
    #[must_use]
    pub fn walk_options(&self) -> WalkOptions {
        WalkOptions {
            exclude: self.exclude.clone(),
            respect_gitignore: self.respect_gitignore,
        }
    }
}

impl Default for IndexConfig {
    fn default() -> Self {
        Self {
            exclude: DEFAULT_EXCLUDE.iter().map(|name| (*name).to_owned()).collect(),
            respect_gitignore: true,
            max_file_size: Self::MAX_FILE_SIZE,
            root_alias: None,
            languages: Vec::new(),
            parse_millis: strata_extract::Limits::default().parse_millis,
        }
    }
}
