//! One root: its index, and keeping answers true to the files.
//!
//! A question first compares sizes and times with the index. In a one-shot command what changed is indexed there and
//! then. A server does that on a thread of its own, one run at a time whoever asks; a question waits for it up to ten
//! seconds and then answers with what there is, and says so.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use strata_index::{Control, Indexer, LockMode, Probe, Progress, RefreshMode, RunReport};
use strata_lang::Language;
use strata_storage::{Store, StoreError};
use strata_vfs::sha256;

use crate::error::EngineError;
use crate::git_head::head_commit;
use crate::settings::Settings;
use crate::view::{IndexState, View, summarize};

/// How long a server trusts a probe that found nothing.
const PROBE_TRUST: Duration = Duration::from_secs(2);
/// How long a question of a server waits for the index.
const SERVER_PATIENCE: Duration = Duration::from_secs(10);
/// Connections that are kept open between questions.
const MAX_IDLE_STORES: usize = 8;
/// More files than this in one refresh are worth a note.
const MANY_FILES: usize = 40;

/// Where the store keeps the commit that was checked out when it was written.
pub(crate) const COMMIT_META: &str = "commit_sha";

/// Digits of a project's id.
const PROJECT_ID_DIGITS: usize = 16;

/// How the process is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// One command, one answer.
    OneShot,
    /// Many questions over time.
    Server,
}

/// How an index has to be before a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Freshness {
    /// Brought up to date, or answered with what there is and said so.
    #[default]
    Prefer,
    /// Brought up to date, or refused.
    Require,
    /// As it is.
    AllowStale,
}

/// One root.
pub struct Engine {
    shared: Arc<Shared>,
    settings: Settings,
    stores: Mutex<Vec<Store>>,
    summary: Mutex<Option<(u64, IndexState)>>,
    manner: Manner,
}

/// What the thread that indexes shares with those that ask.
struct Shared {
    /// For refreshing; held for the whole run.
    indexer: Mutex<Indexer>,
    /// For probing, which does not wait for a run.
    prober: Indexer,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_running: bool,
    /// Number of finished runs.
    n_runs: u64,
    /// When the index last agreed with the files.
    clean_at: Option<Instant>,
    /// Why the last run failed.
    failure: Option<String>,
    /// Files that the last run brought up to date.
    n_refreshed: usize,
    notes: Vec<String>,
    progress: Option<Progress>,
}

/// How true an index is to the files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// Files that differ from the index.
    pub(crate) dirty: Vec<String>,
    /// How long ago that was looked at.
    pub(crate) probe_age: Option<Duration>,
    /// Files that were just brought up to date.
    pub(crate) n_refreshed: usize,
    /// What to tell.
    pub(crate) notes: Vec<String>,
    /// True while the index is being built or brought up to date.
    pub(crate) is_running: bool,
}

impl Engine {
    /// The engine of the folder `root`. Costs nothing: the index is opened by the first question.
    pub fn open(
        root: &Path,
        settings: Settings,
        languages: &'static [&'static dyn Language],
        manner: Manner,
    ) -> Result<Self, EngineError> {
        let folder = root.join(&settings.index_path);
        let open = || Indexer::open(root, &folder, settings.index.clone(), languages);
        let shared = Shared {
            indexer: Mutex::new(open()?),
            prober: open()?,
            state: Mutex::new(State::default()),
            changed: Condvar::new(),
        };
        Ok(Self {
            shared: Arc::new(shared),
            settings,
            stores: Mutex::new(Vec::new()),
            summary: Mutex::new(None),
            manner,
        })
    }

    /// The root, made canonical.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.shared.prober.root()
    }

    /// A short name for the root that is the same as long as the root stays where it is.
    #[must_use]
    pub fn project_id(&self) -> String {
        let hash = sha256(self.root().to_string_lossy().as_bytes()).to_string();
        hash[..PROJECT_ID_DIGITS].to_owned()
    }

    /// The index folder.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.shared.prober.folder().to_owned()
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How the process is used.
    #[must_use]
    pub const fn manner(&self) -> Manner {
        self.manner
    }

    pub(crate) fn indexer(&self) -> &Indexer {
        &self.shared.prober
    }

    /// True when there is an index, of whatever age.
    #[must_use]
    pub fn is_indexed(&self) -> bool {
        self.folder().join(strata_storage::DATABASE_NAME).is_file()
    }

    /// How far a run is that is going on now.
    #[must_use]
    pub fn progress(&self) -> Option<Progress> {
        let state = self.shared.state();
        state.progress.filter(|_| state.is_running)
    }

    /// Builds the index or brings it up to date, and waits for it.
    pub fn refresh(&self, mode: RefreshMode, control: &Control<'_>) -> Result<RunReport, EngineError> {
        Ok(self.shared.refresh(mode, control)?)
    }

    /// Starts bringing the index up to date on a thread of its own, unless that is going on already.
    pub fn start_refresh(&self) {
        let shared = Arc::clone(&self.shared);
        {
            let mut state = shared.state();
            if state.is_running {
                return;
            }
            state.is_running = true;
        }
        let in_thread = Arc::clone(&shared);
        let spawned = std::thread::Builder::new()
            .name("strata-index".to_owned())
            .spawn(move || in_thread.run_in_background());
        if let Err(error) = spawned {
            shared.finish(Err(format!("cannot start a thread: {error}")));
        }
    }

    /// Asks a question of one consistent state of the index, after bringing it up to date.
    pub fn ask<T, E: From<EngineError>>(
        &self,
        freshness: Freshness,
        control: &Control<'_>,
        question: impl FnOnce(&View<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let standing = self.freshen(freshness, control)?;
        let store = self.take_store(&standing)?;
        let result = (|| {
            let _snapshot = store.snapshot().map_err(EngineError::from)?;
            let state = self.state_of(&store, &standing)?;
            question(&View::new(self, &store, state, standing))
        })();
        self.give_back(store);
        result
    }

    /// Brings the index up to date as far as `freshness` wants and patience allows.
    fn freshen(&self, freshness: Freshness, control: &Control<'_>) -> Result<Standing, EngineError> {
        // Whoever takes what there is has either just refreshed it or does not want to wait for a second look.
        if freshness == Freshness::AllowStale || self.manner == Manner::Server {
            let state = self.shared.state();
            if let Some(clean_at) = state
                .clean_at
                .filter(|clean_at| clean_at.elapsed() < PROBE_TRUST && !state.is_running)
            {
                return Ok(Standing {
                    probe_age: Some(clean_at.elapsed()),
                    ..Standing::default()
                });
            }
        }
        let began = Instant::now();
        let probe = self.probe()?;
        if probe.is_clean() {
            self.shared.state().clean_at = Some(began);
            return Ok(Standing {
                probe_age: Some(Duration::ZERO),
                ..Standing::default()
            });
        }
        if freshness == Freshness::AllowStale && probe.is_indexed {
            let note = "answered without bringing the index up to date, as asked".to_owned();
            return Ok(Standing {
                notes: vec![note],
                ..stale(&probe)
            });
        }
        if !probe.is_indexed && !self.settings.gates.auto_index {
            let hint = "indexing by itself is switched off; run `strata index` or call index_project".to_owned();
            return Err(EngineError::NotIndexed {
                root: self.root().to_owned(),
                hint,
            });
        }
        let standing = match self.manner {
            Manner::OneShot => self.freshen_now(&probe, control)?,
            Manner::Server => self.freshen_patiently(&probe)?,
        };
        if freshness == Freshness::Require && !standing.dirty.is_empty() {
            return Err(EngineError::Stale {
                path: standing.dirty.join(", "),
                cause: standing.notes.join("; "),
            });
        }
        Ok(standing)
    }

    fn probe(&self) -> Result<Probe, EngineError> {
        // Through a kept connection it is cheaper, but a missing or damaged index is the indexer's business.
        let kept = self.stores().pop().filter(|store| !store.is_replaced());
        match kept {
            Some(store) => {
                let probe = self.shared.prober.probe_store(&store);
                self.give_back(store);
                Ok(probe?)
            }
            None => Ok(self.shared.prober.probe()?),
        }
    }

    fn freshen_now(&self, probe: &Probe, control: &Control<'_>) -> Result<Standing, EngineError> {
        // Whoever is indexing now will be done soon, but an old answer that says so is better than a late one.
        let lock = if probe.is_indexed { LockMode::Try } else { control.lock };
        match self.shared.refresh(RefreshMode::Changed, &Control { lock, ..*control }) {
            Ok(report) => {
                let n_refreshed = if probe.is_indexed { n_refreshed(&report) } else { 0 };
                Ok(Standing {
                    probe_age: Some(Duration::ZERO),
                    n_refreshed,
                    notes: refresh_notes(&report, probe.is_indexed),
                    ..Standing::default()
                })
            }
            Err(error @ strata_index::IndexError::Cancelled) => Err(error.into()),
            Err(error) if probe.is_indexed => {
                let cause = EngineError::from(error).with_causes();
                Ok(Standing {
                    notes: vec![format!("the index could not be brought up to date: {cause}")],
                    ..stale(probe)
                })
            }
            Err(error) => Err(error.into()),
        }
    }

    fn freshen_patiently(&self, probe: &Probe) -> Result<Standing, EngineError> {
        let was_running = self.shared.state().is_running;
        let standing = self.wait_for_run(probe)?;
        if !was_running || standing.is_running {
            return Ok(standing);
        }
        // A run that was going on already may have looked at the files before they changed.
        let probe = self.probe()?;
        if probe.is_clean() {
            Ok(standing)
        } else {
            self.wait_for_run(&probe)
        }
    }

    fn wait_for_run(&self, probe: &Probe) -> Result<Standing, EngineError> {
        let began = Instant::now();
        let n_runs = self.shared.state().n_runs;
        self.start_refresh();
        let mut state = self.shared.state();
        while state.is_running && state.n_runs == n_runs {
            let Some(left) = SERVER_PATIENCE.checked_sub(began.elapsed()) else {
                break;
            };
            state = self
                .shared
                .changed
                .wait_timeout(state, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        if state.n_runs == n_runs {
            let progress = state.progress.map_or_else(String::new, |progress| {
                format!(
                    " ({}: {} of {} files)",
                    progress.phase.name(),
                    progress.done,
                    progress.total
                )
            });
            let note = format!("the index is being brought up to date{progress}, ask again for the new state");
            return Ok(Standing {
                notes: vec![note],
                is_running: true,
                ..stale(probe)
            });
        }
        match &state.failure {
            Some(cause) if probe.is_indexed => Ok(Standing {
                notes: vec![format!("the index could not be brought up to date: {cause}")],
                ..stale(probe)
            }),
            Some(cause) => Err(EngineError::NotIndexed {
                root: self.root().to_owned(),
                hint: format!("indexing failed: {cause}"),
            }),
            None => Ok(Standing {
                probe_age: Some(Duration::ZERO),
                n_refreshed: if probe.is_indexed { state.n_refreshed } else { 0 },
                notes: state.notes.clone(),
                ..Standing::default()
            }),
        }
    }

    fn take_store(&self, standing: &Standing) -> Result<Store, EngineError> {
        if let Some(store) = self.stores().pop()
            && !store.is_replaced()
        {
            return Ok(store);
        }
        match Store::open_read(&self.folder()) {
            Ok(store) => Ok(store),
            Err(StoreError::Missing { .. }) => Err(EngineError::NotIndexed {
                root: self.root().to_owned(),
                hint: match standing.notes.first() {
                    Some(note) => note.clone(),
                    None => "run `strata index` or call index_project".to_owned(),
                },
            }),
            Err(error) => Err(error.into()),
        }
    }

    fn give_back(&self, store: Store) {
        let mut stores = self.stores();
        if stores.len() < MAX_IDLE_STORES {
            stores.push(store);
        }
    }

    /// Lets go of everything that is known of the index.
    pub(crate) fn forget(&self) {
        self.stores().clear();
        *self.summary.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.shared.state().clean_at = None;
    }

    fn stores(&self) -> MutexGuard<'_, Vec<Store>> {
        self.stores.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state of the index, whose counts are kept until somebody writes.
    fn state_of(&self, store: &Store, standing: &Standing) -> Result<IndexState, EngineError> {
        let generation = store.generation()?;
        let mut summary = self.summary.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = match summary.as_ref() {
            Some((known, state)) if *known == generation && generation > 0 => state.clone(),
            _ => {
                let state = summarize(store)?;
                *summary = Some((generation, state.clone()));
                state
            }
        };
        drop(summary);
        state.take_standing(self.root(), standing);
        Ok(state)
    }
}

/// A run that has not said how it ended.
struct Unfinished<'s>(&'s Shared);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.0.finish(Err("indexing stopped on an internal fault".to_owned()));
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refresh(&self, mode: RefreshMode, control: &Control<'_>) -> Result<RunReport, strata_index::IndexError> {
        let mut indexer = self.indexer.lock().unwrap_or_else(PoisonError::into_inner);
        self.state().is_running = true;
        // A panic below must not leave those who wait without an end.
        let unfinished = Unfinished(self);
        let began = Instant::now();
        // Read before the files are: a commit that comes in between is the next run's business.
        let commit = head_commit(indexer.root()).unwrap_or_default();
        let meta = [(COMMIT_META, commit)];
        let result = indexer.refresh(
            mode,
            &Control {
                meta: &meta,
                ..*control
            },
        );
        drop(indexer);
        std::mem::forget(unfinished);
        match &result {
            Ok(report) => self.finish(Ok((report.clone(), began))),
            Err(error) => self.finish(Err(error.to_string())),
        }
        result
    }

    fn run_in_background(&self) {
        let report = |progress| self.state().progress = Some(progress);
        let control = Control {
            progress: Some(&report),
            ..Control::default()
        };
        // The failure is kept in the state for whoever asks, a panic's too.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.refresh(RefreshMode::Changed, &control)
        }));
    }

    fn finish(&self, result: Result<(RunReport, Instant), String>) {
        let mut state = self.state();
        state.is_running = false;
        state.n_runs += 1;
        state.progress = None;
        match result {
            Ok((report, began)) => {
                state.clean_at = Some(began);
                state.failure = None;
                state.n_refreshed = n_refreshed(&report);
                state.notes = refresh_notes(&report, report.new_files < report.files_total);
            }
            Err(failure) => {
                state.clean_at = None;
                state.failure = Some(failure);
            }
        }
        drop(state);
        self.changed.notify_all();
    }
}

fn n_refreshed(report: &RunReport) -> usize {
    report.new_files + report.updated_files + report.removed
}

fn refresh_notes(report: &RunReport, was_indexed: bool) -> Vec<String> {
    let mut notes = report.notes.clone();
    let n_files = n_refreshed(report);
    if was_indexed && n_files > MANY_FILES {
        notes.push(format!(
            "{n_files} files changed since the last answer and were indexed again"
        ));
    }
    notes
}

/// The standing of an index that stays as it is.
fn stale(probe: &Probe) -> Standing {
    let mut dirty = probe.dirty_files.clone();
    for folder in &probe.dirty_folders {
        let shown = if folder.is_empty() { "." } else { folder };
        // A changed file's folder is no news.
        if !dirty.iter().any(|path| path.starts_with(shown)) {
            dirty.push(format!("{shown}/"));
        }
    }
    if dirty.is_empty() && probe.is_outdated {
        dirty.push("stratigraph.toml".to_owned());
    }
    Standing {
        dirty,
        probe_age: Some(Duration::ZERO),
        ..Standing::default()
    }
}
