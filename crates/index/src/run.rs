//! One run of the pipeline: what changed, its facts, the links that depend on it, one transaction.

use std::collections::BTreeMap;
use std::time::Instant;

use rustc_hash::FxHashSet;
use strata_lang::{Language, Workspace};
use strata_model::ids::FileIx;
use strata_resolve::fingerprint;
use strata_storage::{FileId, FileRow, InputRow, Store, StoreError};
use strata_vfs::{Fs, Stat};

use crate::config::IndexConfig;
use crate::cutoff;
use crate::discover::{self, Skipped, Source, language_of};
use crate::error::IndexError;
use crate::facts::StateFacts;
use crate::installed::{self, Installed};
use crate::link::{Linked, link_all};
use crate::names::{name_modules, root_name};
use crate::probe::{self, Comparison, compare, now_ns};
use crate::read::{Extracted, Fate, Job, read_all};
use crate::relink::{Change, ChangedKeys};
use crate::report::{Control, FilterStats, Phase, RefreshMode, RunReport};
use crate::settings::{self, has_version, link_key};
use crate::write::{self, Bookkeeping};

/// What is indexed, and how.
pub(crate) struct Site<'s> {
    pub(crate) fs: &'s dyn Fs,
    pub(crate) config: &'s IndexConfig,
    pub(crate) languages: &'s [&'static dyn Language],
}

/// What the new state holds of a file.
pub(crate) enum State {
    /// The stored row stands.
    Unchanged(FileRow),
    /// The stored row stands, with another size or time.
    Touched(FileRow, Stat),
    /// New content; the stored row, if there was one.
    Changed(Box<Extracted>, Option<FileRow>),
}

/// A file of the new state.
pub(crate) struct StateFile {
    pub(crate) path: String,
    pub(crate) language: &'static dyn Language,
    pub(crate) state: State,
}

/// The new state of the root.
pub(crate) struct NewState<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) files: &'a [StateFile],
    pub(crate) installed: &'a Installed<'a>,
}

/// Files, folders and inputs as they are now.
struct Present {
    sources: Vec<Source>,
    skipped: Vec<Skipped>,
    folders: Option<Vec<(String, i64)>>,
    inputs: Vec<InputRow>,
    /// Folders that may hold installed packages.
    holders: Vec<String>,
    /// What was looked at of installed packages when the stored links were made.
    of_packages: Vec<InputRow>,
    problems: Vec<(String, String)>,
    filter_stats: Option<FilterStats>,
}

pub(crate) fn run(
    site: &Site<'_>,
    store: &mut Store,
    mode: RefreshMode,
    control: &Control<'_>,
) -> Result<RunReport, IndexError> {
    let started = Instant::now();
    let looked_at = now_ns();
    let compared = compare(site, store)?;
    let is_forced = mode == RefreshMode::Everything;
    let mut report = RunReport::default();
    if !is_forced && !compared.needs_walk() && compared.suspects.is_empty() {
        return nothing_changed(store, &compared, looked_at, control, report, started);
    }
    control.report(Phase::Discover, 0, 0);
    let present = present(site, store, &compared, is_forced)?;
    let settings = discover::read_settings(site, &present.inputs);
    report.phases.discover = started.elapsed();
    control.check()?;

    let at = Instant::now();
    let (files, unread) = read(site, store, &compared, &present, is_forced, control)?;
    let (skipped, mut inputs) = left_out(store, &present, &unread)?;
    report.phases.extract = at.elapsed();
    let removed = removed(&compared.files, &files);
    count(&mut report, &files);
    report.removed = removed.len();
    report.notes.clone_from(&settings.notes);
    report.problems.clone_from(&present.problems);
    report.filter_stats = present.filter_stats;

    let configs = settings.configs.clone();
    let workspace = Workspace::new(
        files.iter().map(|file| file.path.clone()).collect(),
        configs,
        settings.packages.clone(),
    );
    let installed = Installed::new(site, &present.holders);
    let new_link_key = format!(
        "{} {}",
        link_key(site, &settings, &installed),
        strata_vfs::sha256(fingerprint(&workspace, site.languages).as_bytes())
    );
    let of_packages = installed::unchanged(site.fs, &present.of_packages, &compared.dirty_inputs);
    let relinks_all =
        is_forced || of_packages.is_none() || store.meta(settings::LINK_KEY)?.is_none_or(|key| key != new_link_key);
    let alias = site.config.root_alias.as_deref();
    let root = root_name(site.fs.root(), alias);
    let modules = name_modules(&workspace, |file| files[file.ix()].language, &root, alias);

    let at = Instant::now();
    let state = NewState {
        workspace: &workspace,
        files: &files,
        installed: &installed,
    };
    let relink = if relinks_all {
        None
    } else {
        Some(relink(store, &state, &removed)?)
    };
    let linked = link(store, &state, relink.as_ref().map(|relink| &relink.dependents), control)?;
    report.relinked = linked.len();
    report.phases.resolve = at.elapsed();
    control.check()?;
    let (noted, surfaces) = installed.into_noted();
    let before = if relinks_all { None } else { of_packages };
    inputs.extend(installed::merged(before.unwrap_or_default(), noted));
    inputs.sort_by(|a, b| a.path.cmp(&b.path));

    let at = Instant::now();
    control.report(Phase::Store, 0, files.len());
    let bookkeeping = Bookkeeping {
        root: &root,
        alias,
        packages: &settings.packages,
        folders: present.folders.as_deref(),
        inputs: &inputs,
        holders: &present.holders.join("\n"),
        surfaces: &surfaces,
        drops_surfaces: relinks_all,
        skipped: &skipped,
        looked_at,
        link_key: &new_link_key,
        settings_key: &settings::settings_key(site),
        extractors: &settings::extractors(site.languages),
        root_path: &site.fs.root().to_string_lossy(),
        meta: control.meta,
        more_keys: relink.as_ref().map_or(&[], |relink| relink.more_keys.as_slice()),
    };
    write::write(store, &files, &modules, &removed, &linked, &bookkeeping, &mut report)?;
    report.failed = failed(&files);
    report.skipped = skipped;
    report.phases.store = at.elapsed();
    report.elapsed = started.elapsed();
    Ok(report)
}

/// Nothing to do. Times that were too fresh to be trusted have been checked by content: noting that spares the next look.
fn nothing_changed(
    store: &mut Store,
    compared: &Comparison,
    looked_at: i64,
    control: &Control<'_>,
    mut report: RunReport,
    started: Instant,
) -> Result<RunReport, IndexError> {
    let mut notes: Vec<(&str, String)> = Vec::new();
    if compared.had_fresh_times {
        notes.push((settings::VERIFIED_AT, looked_at.to_string()));
    }
    for (key, value) in control.meta {
        if store.meta(key)?.as_ref() != Some(value) {
            notes.push((key, value.clone()));
        }
    }
    if !notes.is_empty() {
        let mut batch = store.begin()?;
        for (key, value) in &notes {
            batch.set_meta(key, value)?;
        }
        batch.commit()?;
    }
    let (nodes, edges) = store.totals()?;
    report.index_id = store.meta(settings::INDEX_ID)?.unwrap_or_default();
    report.files_total = compared.files.len();
    report.node_count = write::as_count(nodes);
    report.edge_count = write::as_count(edges) + report.node_count.saturating_sub(1);
    report.skipped = store.skipped()?;
    report.elapsed = started.elapsed();
    report.phases.discover = report.elapsed;
    Ok(report)
}

fn present(site: &Site<'_>, store: &Store, compared: &Comparison, is_forced: bool) -> Result<Present, IndexError> {
    let stored = store.meta(settings::HOLDERS)?.unwrap_or_default();
    let holders: Vec<String> = stored.lines().map(str::to_owned).collect();
    let (of_packages, inputs): (Vec<InputRow>, Vec<InputRow>) = compared
        .inputs
        .iter()
        .cloned()
        .partition(|input| installed::is_theirs(&input.path, &holders));
    if !is_forced && !compared.needs_walk() {
        // The set of files is the stored one: every folder has its old time and every file is there.
        let sources = compared.files.iter().zip(&compared.stats).filter_map(|(file, stat)| {
            let language = language_of(&file.path, site.languages)?;
            Some(Source {
                path: file.path.clone(),
                language,
                stat: (*stat)?,
            })
        });
        return Ok(Present {
            sources: sources.collect(),
            skipped: Vec::new(),
            folders: None,
            inputs,
            holders,
            of_packages,
            problems: Vec::new(),
            filter_stats: None,
        });
    }
    let found = discover::discover(site);
    Ok(Present {
        sources: found.sources,
        skipped: found.skipped,
        folders: Some(
            found
                .folders
                .into_iter()
                .map(|folder| (folder.path, folder.mtime_ns))
                .collect(),
        ),
        inputs: found.inputs,
        holders: found.holders,
        of_packages,
        problems: found.problems,
        filter_stats: Some(found.filter_stats),
    })
}

/// Reads what may have changed. Returns the files of the new state by path, and those that cannot be indexed.
fn read(
    site: &Site<'_>,
    store: &mut Store,
    compared: &Comparison,
    present: &Present,
    is_forced: bool,
    control: &Control<'_>,
) -> Result<(Vec<StateFile>, Vec<Skipped>), IndexError> {
    let known = probe::by_path(&compared.files);
    let suspects: FxHashSet<&str> = compared
        .suspects
        .iter()
        .map(|ix| compared.files[*ix].path.as_str())
        .collect();
    let stored_versions = store.meta(settings::EXTRACTORS)?.unwrap_or_default();
    let mut jobs = Vec::new();
    let mut files = Vec::with_capacity(present.sources.len());
    for source in &present.sources {
        let row = known.get(source.path.as_str()).copied();
        let same_language = row.filter(|row| {
            !is_forced && row.language == source.language.name() && has_version(&stored_versions, source.language)
        });
        match same_language {
            Some(row)
                if !suspects.contains(source.path.as_str())
                    && (row.size_bytes, row.mtime_ns) == (source.stat.size, source.stat.mtime_ns) =>
            {
                files.push(StateFile {
                    path: source.path.clone(),
                    language: source.language,
                    state: State::Unchanged(row.clone()),
                });
            }
            known => jobs.push(Job { source, known }),
        }
    }
    let fates = read_all(site, &jobs, if is_forced { None } else { Some(store) }, control)?;
    let mut skipped = Vec::new();
    for (job, fate) in jobs.iter().zip(fates) {
        let path = job.source.path.clone();
        let row = known.get(path.as_str()).copied();
        let state = match (fate, row) {
            (Fate::Touched(stat), Some(row)) => State::Touched(row.clone(), stat),
            (Fate::Changed(extracted), row) => State::Changed(extracted, row.cloned()),
            (Fate::Skipped(reason), _) => {
                skipped.push(Skipped {
                    path,
                    reason,
                    stat: job.source.stat,
                });
                continue;
            }
            (Fate::Gone | Fate::Touched(_), _) => continue,
        };
        files.push(StateFile {
            path,
            language: job.source.language,
            state,
        });
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((files, skipped))
}

/// Paths with reasons.
type Reasons = Vec<(String, String)>;

/// What is left out, with the reasons, and everything besides the indexed files whose change has to be noticed. Without a
/// walk, what was left out before stays so: its sizes and times are the old ones.
fn left_out(store: &Store, present: &Present, unread: &[Skipped]) -> Result<(Reasons, Vec<InputRow>), IndexError> {
    let mut reasons: BTreeMap<String, String> = BTreeMap::new();
    if present.folders.is_none() {
        reasons.extend(store.skipped()?);
    }
    let mut inputs: BTreeMap<&str, InputRow> = present
        .inputs
        .iter()
        .map(|input| (input.path.as_str(), input.clone()))
        .collect();
    for skipped in present.skipped.iter().chain(unread) {
        reasons.insert(skipped.path.clone(), skipped.reason.clone());
        inputs.entry(&skipped.path).or_insert_with(|| skipped.input());
    }
    Ok((reasons.into_iter().collect(), inputs.into_values().collect()))
}

fn removed(stored: &[FileRow], files: &[StateFile]) -> Vec<FileRow> {
    let there: FxHashSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    stored
        .iter()
        .filter(|row| !there.contains(row.path.as_str()))
        .cloned()
        .collect()
}

fn count(report: &mut RunReport, files: &[StateFile]) {
    report.files_total = files.len();
    for file in files {
        if let State::Changed(extracted, row) = &file.state {
            match row {
                Some(row) if row.sha256 == extracted.sha256 => {}
                Some(_) => report.updated_files += 1,
                None => report.new_files += 1,
            }
            if extracted.is_parsed {
                report.parsed += 1;
            } else {
                report.reused_facts += 1;
            }
        }
    }
}

fn failed(files: &[StateFile]) -> Vec<(String, String)> {
    use strata_model::kinds::ParseStatus;
    let why = |problems: &[strata_model::facts::Problem]| {
        problems.first().map_or_else(
            || "nothing could be extracted".to_owned(),
            |problem| problem.message.clone(),
        )
    };
    files
        .iter()
        .filter_map(|file| match &file.state {
            State::Unchanged(row) | State::Touched(row, _) => {
                (row.parse_status == ParseStatus::Failed).then(|| (file.path.clone(), why(&row.problems)))
            }
            State::Changed(extracted, _) => (extracted.facts.parse_status == ParseStatus::Failed)
                .then(|| (file.path.clone(), why(&extracted.facts.problems))),
        })
        .collect()
}

/// What follows from a change for the files that are what they were.
struct Relink {
    /// Those that looked up something that has another answer now.
    dependents: FxHashSet<FileId>,
    /// Keys to add to those of files that stay linked as they are.
    more_keys: cutoff::MoreKeys,
}

fn relink(store: &mut Store, state: &NewState<'_>, removed: &[FileRow]) -> Result<Relink, IndexError> {
    let files = state.files;
    let mut changed = ChangedKeys::default();
    let mut bodies = Vec::new();
    let mut sets_differ = !removed.is_empty();
    for (file, ix) in files.iter().zip(0..) {
        if let State::Changed(extracted, row) = &file.state {
            let before = match row {
                Some(row) => store.facts(row.id)?,
                None => {
                    sets_differ = true;
                    None
                }
            };
            let changed_bodies = changed.add(&Change {
                path: &file.path,
                before: before.as_ref(),
                after: Some(&extracted.facts),
            });
            bodies.extend(changed_bodies.into_iter().map(|body| (FileIx(ix), body)));
        }
    }
    for row in removed {
        let before = store.facts(row.id)?;
        changed.add(&Change {
            path: &row.path,
            before: before.as_ref(),
            after: None,
        });
    }
    let mut more_keys = Vec::new();
    if sets_differ {
        let before = files
            .iter()
            .filter(|file| !matches!(file.state, State::Changed(_, None)))
            .map(|file| file.path.as_str())
            .chain(removed.iter().map(|row| row.path.as_str()));
        changed.add_folders(before, files.iter().map(|file| file.path.as_str()));
    } else {
        more_keys = cutoff::apply(store, state, &bodies, &mut changed)?;
    }
    let dependents = changed.dependents(store)?;
    more_keys.retain(|(file, _)| !dependents.contains(file));
    Ok(Relink { dependents, more_keys })
}

/// Links what has to be linked: files with new content and, of the others, those in `dependents` (none: all).
fn link(
    store: &mut Store,
    state: &NewState<'_>,
    dependents: Option<&FxHashSet<FileId>>,
    control: &Control<'_>,
) -> Result<Vec<Linked>, IndexError> {
    let mut to_link = Vec::new();
    for (file, ix) in state.files.iter().zip(0..) {
        let is_dirty = match &file.state {
            State::Unchanged(row) | State::Touched(row, _) => dependents.is_none_or(|set| set.contains(&row.id)),
            State::Changed(..) => true,
        };
        if is_dirty {
            to_link.push(FileIx(ix));
        }
    }
    let facts = StateFacts::new(cutoff::state_of(state.files, cutoff::present), state.installed, store);
    let linked = link_all(state.workspace, &facts, &to_link, control);
    let failure: Option<StoreError> = facts.into_failure();
    match failure {
        Some(error) => Err(error.into()),
        None => linked,
    }
}
