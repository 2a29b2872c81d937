//! What a search may return: filters that hold before anything is ranked or cut.

use rustc_hash::FxHashSet;
use strata_model::kinds::{NodeKind, NodeLevel};
use strata_storage::{FileId, Store, StoreError, TextHit};

/// Filters of a search. An empty list lets everything pass; several filters must all pass.
#[derive(Clone, Copy, Default)]
pub struct Filter<'a> {
    /// Levels.
    pub levels: &'a [NodeLevel],
    /// Kinds.
    pub kinds: &'a [NodeKind],
    /// FQNs of packages; that of the root stands for the files that belong to no package.
    pub packages: &'a [String],
    /// Languages, in lower case.
    pub languages: &'a [String],
    /// Whether a path passes.
    pub path: Option<&'a dyn Fn(&str) -> bool>,
    /// Leaves out what stands in test files.
    pub exclude_tests: bool,
}

impl Filter<'_> {
    /// True when everything passes.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.levels.is_empty() && self.kinds.is_empty() && !self.is_about_files()
    }

    const fn is_about_files(&self) -> bool {
        !self.packages.is_empty() || !self.languages.is_empty() || self.path.is_some() || self.exclude_tests
    }

    /// Works out which files pass, so that testing a node is a look-up.
    pub(crate) fn prepare(&self, store: &Store) -> Result<Prepared<'_>, StoreError> {
        let files = if self.is_about_files() {
            Some(self.passing_files(store)?)
        } else {
            None
        };
        Ok(Prepared {
            levels: self.levels,
            kinds: self.kinds,
            files,
        })
    }

    fn passing_files(&self, store: &Store) -> Result<FxHashSet<FileId>, StoreError> {
        let is_named = |fqn: &str| self.packages.iter().any(|package| package == fqn);
        let packages: FxHashSet<_> = store
            .packages()?
            .into_iter()
            .filter(|package| is_named(&package.fqn))
            .map(|package| package.id)
            .collect();
        let has_root = !self.packages.is_empty() && store.root()?.is_some_and(|root| is_named(&root.fqn));
        let mut passing = FxHashSet::default();
        for file in store.files()? {
            let is_in_package =
                self.packages.is_empty() || file.package_id.map_or(has_root, |id| packages.contains(&id));
            let is_in_language = self.languages.is_empty() || self.languages.contains(&file.language);
            let is_test = self.exclude_tests && file.is_test();
            if is_in_package && is_in_language && !is_test && self.path.is_none_or(|passes| passes(&file.path)) {
                passing.insert(file.id);
            }
        }
        Ok(passing)
    }
}

/// A filter that knows its files.
pub(crate) struct Prepared<'a> {
    levels: &'a [NodeLevel],
    kinds: &'a [NodeKind],
    files: Option<FxHashSet<FileId>>,
}

impl Prepared<'_> {
    /// True when a node passes. A filter about files keeps the root and packages out: they are in none.
    pub(crate) fn passes(&self, hit: &TextHit) -> bool {
        self.accepts(hit.level, hit.kind, hit.file_id)
    }

    pub(crate) fn accepts(&self, level: NodeLevel, kind: NodeKind, file: Option<FileId>) -> bool {
        (self.levels.is_empty() || self.levels.contains(&level))
            && (self.kinds.is_empty() || self.kinds.contains(&kind))
            && self
                .files
                .as_ref()
                .is_none_or(|files| file.is_some_and(|file| files.contains(&file)))
    }
}
