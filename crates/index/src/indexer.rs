//! The index of one root.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use strata_lang::Language;
use strata_storage::{Store, StoreError, quarantine};
use strata_vfs::{Fs, OsFs};

use crate::config::IndexConfig;
use crate::error::IndexError;
use crate::lock::Lock;
use crate::probe::{self, Probe};
use crate::report::{Control, RefreshMode, RunReport};
use crate::run::{self, Site};

/// Keeps the index of one root in step with its files. Opening costs nothing; each call opens the store anew, so an
/// index that was deleted or replaced in between is noticed.
pub struct Indexer {
    fs: Arc<dyn Fs>,
    folder: PathBuf,
    config: IndexConfig,
    languages: Vec<&'static dyn Language>,
}

impl Indexer {
    /// The indexer of the folder `root`, which keeps its index in `folder`. Of `languages` it uses those that the
    /// configuration does not leave out.
    ///
    /// # Errors
    /// When the root is no folder.
    pub fn open(
        root: &Path,
        folder: &Path,
        config: IndexConfig,
        languages: &[&'static dyn Language],
    ) -> Result<Self, IndexError> {
        let fs = OsFs::new(root).map_err(|source| IndexError::Root {
            root: root.to_owned(),
            source,
        })?;
        Ok(Self::over(Arc::new(fs), folder, config, languages))
    }

    /// The same over any tree of files.
    #[must_use]
    pub fn over(fs: Arc<dyn Fs>, folder: &Path, config: IndexConfig, languages: &[&'static dyn Language]) -> Self {
        let mut languages: Vec<&'static dyn Language> = languages
            .iter()
            .copied()
            .filter(|language| {
                config.languages.is_empty()
                    || config
                        .languages
                        .iter()
                        .any(|name| name.eq_ignore_ascii_case(language.name()))
            })
            .collect();
        languages.sort_by_key(|language| language.name());
        Self {
            fs,
            folder: folder.to_owned(),
            config,
            languages,
        }
    }

    /// The files.
    #[must_use]
    pub fn fs(&self) -> &dyn Fs {
        self.fs.as_ref()
    }

    /// The root, made canonical.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.fs.root()
    }

    /// The index folder, for opening the store.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &IndexConfig {
        &self.config
    }

    /// The languages that are indexed, by name.
    #[must_use]
    pub fn languages(&self) -> &[&'static dyn Language] {
        &self.languages
    }

    /// Tells what changed since the last run, by sizes and times alone; files that are too fresh for their times to be
    /// trusted are read. Writes nothing. Costs a few milliseconds at three thousand files.
    ///
    /// # Errors
    /// When the store cannot be read. A missing or damaged index is no error: everything is dirty then.
    pub fn probe(&self) -> Result<Probe, IndexError> {
        match Store::open_read(&self.folder) {
            Ok(store) => self.probe_store(&store),
            Err(StoreError::Missing { .. } | StoreError::Older { .. }) => Ok(Probe::without_index()),
            Err(error) if error.is_corrupt() => Ok(Probe::without_index()),
            Err(error) => Err(error.into()),
        }
    }

    /// The same for a store that is open already, such as one that a server keeps.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn probe_store(&self, store: &Store) -> Result<Probe, IndexError> {
        match probe::probe(&self.site(), store) {
            Err(IndexError::Store(error)) if error.is_corrupt() => Ok(Probe::without_index()),
            other => other,
        }
    }

    /// Brings the index up to date, or builds it. With nothing changed it reads no file and writes nothing.
    ///
    /// Readers see the old state until the new one is complete. A damaged index is moved aside and built anew, and the
    /// report says so.
    ///
    /// # Errors
    /// When the root or the index folder fails, another process is indexing (in [`LockMode::Try`]), or the caller
    /// stopped it. The index is then as it was.
    ///
    /// [`LockMode::Try`]: crate::LockMode::Try
    pub fn refresh(&mut self, mode: RefreshMode, control: &Control<'_>) -> Result<RunReport, IndexError> {
        let _lock = Lock::take(&self.folder, control)?;
        match self.run(mode, control) {
            Err(IndexError::Store(error)) if error.is_corrupt() => {
                let kept = quarantine(&self.folder)?;
                let mut report = self.run(mode, control)?;
                let place = kept.map_or_else(String::new, |kept| format!(", the old file is {}", kept.display()));
                report
                    .notes
                    .push(format!("the index was damaged and has been built anew{place}"));
                Ok(report)
            }
            other => other,
        }
    }

    fn run(&self, mode: RefreshMode, control: &Control<'_>) -> Result<RunReport, IndexError> {
        let mut store = Store::open_write(&self.folder)?;
        run::run(&self.site(), &mut store, mode, control)
    }

    fn site(&self) -> Site<'_> {
        Site {
            fs: self.fs.as_ref(),
            config: &self.config,
            languages: &self.languages,
        }
    }
}
