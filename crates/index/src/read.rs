//! Reads, hashes and extracts the files that may have changed, in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use strata_extract::{Limits, extract};
use strata_model::facts::{FileFacts, Problem};
use strata_model::ids::Position;
use strata_model::kinds::ParseStatus;
use strata_storage::{FileRow, Store, StoreError};
use strata_vfs::{EntryKind, FsError, Stat, sha256};

use crate::discover::{Source, max_size, too_large};
use crate::error::IndexError;
use crate::report::{Control, Phase};
use crate::run::Site;
use crate::settings::facts_version;
use crate::text::decode;

/// What became of a file.
pub(crate) enum Fate {
    /// The content is the known one; size or time are not.
    Touched(Stat),
    /// New content.
    Changed(Box<Extracted>),
    /// Not to be indexed; why.
    Skipped(String),
    /// It went away while we looked.
    Gone,
}

/// A file with its facts.
pub(crate) struct Extracted {
    pub(crate) sha256: [u8; 32],
    pub(crate) stat: Stat,
    pub(crate) facts: Arc<FileFacts>,
    /// True when the store has the encoded facts.
    pub(crate) is_stored: bool,
    pub(crate) is_parsed: bool,
}

/// A file to be looked at.
pub(crate) struct Job<'a> {
    pub(crate) source: &'a Source,
    /// What the store knows of it, if that still counts.
    pub(crate) known: Option<&'a FileRow>,
}

/// Looks at every job. The fates are in the order of the jobs. `cache`: where facts of contents that were seen before are
/// looked up; none to extract everything.
pub(crate) fn read_all(
    site: &Site<'_>,
    jobs: &[Job<'_>],
    cache: Option<&mut Store>,
    control: &Control<'_>,
) -> Result<Vec<Fate>, IndexError> {
    let cache = cache.map(Mutex::new);
    let done = AtomicUsize::new(0);
    // Large files first, so that no thread is left alone with one at the end.
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|ix| std::cmp::Reverse(jobs[*ix].source.stat.size));
    let mut fates: Vec<(usize, Fate)> = order
        .into_par_iter()
        .with_max_len(1)
        .map(|ix| {
            control.check()?;
            let fate = read_one(site, &jobs[ix], cache.as_ref())?;
            // A counter for display only.
            control.report(Phase::Extract, done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
            Ok((ix, fate))
        })
        .collect::<Result<_, IndexError>>()?;
    fates.sort_by_key(|(ix, _)| *ix);
    Ok(fates.into_iter().map(|(_, fate)| fate).collect())
}

fn read_one(site: &Site<'_>, job: &Job<'_>, cache: Option<&Mutex<&mut Store>>) -> Result<Fate, IndexError> {
    let source = job.source;
    // The size and time that are stored are those before the content was read: a write in between is found next time.
    let stat = match site.fs.stat(&source.path) {
        Ok(stat) => stat,
        Err(error) if error.is_not_found() => return Ok(Fate::Gone),
        Err(error) => return Ok(Fate::Skipped(unreadable(&error))),
    };
    if stat.kind != EntryKind::File {
        return Ok(Fate::Gone);
    }
    let max_size = max_size(source.language, site.config.max_file_size);
    if stat.size > max_size {
        return Ok(Fate::Skipped(too_large(stat.size, max_size)));
    }
    let content = match site.fs.read(&source.path) {
        Ok(content) => content,
        Err(error) if error.is_not_found() => return Ok(Fate::Gone),
        Err(error) => return Ok(Fate::Skipped(unreadable(&error))),
    };
    let hash = sha256(&content).0;
    if job.known.is_some_and(|known| known.sha256 == hash) {
        return Ok(Fate::Touched(stat));
    }
    let Some(text) = decode(&content) else {
        return Ok(Fate::Skipped("binary".to_owned()));
    };
    let version = facts_version(source.language, &source.path);
    if let Some(facts) = cached(cache, &hash, source.language.name(), version)? {
        let extracted = Extracted {
            sha256: hash,
            stat,
            facts: Arc::new(facts),
            is_stored: true,
            is_parsed: false,
        };
        return Ok(Fate::Changed(Box::new(extracted)));
    }
    let limits = Limits {
        parse_millis: site.config.parse_millis,
        code_bytes: usize::try_from(site.config.max_file_size).unwrap_or(usize::MAX),
    };
    let mut facts = extract(source.language, &source.path, &text.bytes, limits);
    // Whether it is a test depends on the place, and facts must not: two files with one content share them.
    facts.flags &= !FileFacts::IS_TEST;
    if let Some(note) = text.note {
        add_note(&mut facts, note, &text.bytes);
    }
    Ok(Fate::Changed(Box::new(Extracted {
        sha256: hash,
        stat,
        facts: Arc::new(facts),
        is_stored: false,
        is_parsed: true,
    })))
}

fn cached(
    cache: Option<&Mutex<&mut Store>>,
    hash: &[u8; 32],
    language: &str,
    version: u32,
) -> Result<Option<FileFacts>, StoreError> {
    let Some(cache) = cache else { return Ok(None) };
    let blob = cache
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .facts_blob(hash, language, version)?;
    // What cannot be decoded was written by another build: it is extracted again.
    Ok(blob.and_then(|blob| bitcode::decode(&blob).ok()))
}

/// Says in the file's problems that its text was not plain UTF-8.
fn add_note(facts: &mut FileFacts, message: String, text: &[u8]) {
    let is_lossy = message.starts_with("not UTF-8");
    if is_lossy && facts.parse_status == ParseStatus::Ok && !text.is_empty() {
        facts.parse_status = ParseStatus::Partial;
    }
    facts.problems.insert(
        0,
        Problem {
            position: Position { line: 1, column: 1 },
            message,
        },
    );
    facts.problems.truncate(FileFacts::MAX_PROBLEMS);
}

fn unreadable(error: &FsError) -> String {
    match error {
        FsError::Io { source, .. } => format!("cannot be read: {source}"),
        FsError::Outside { .. } | FsError::NotAFile { .. } => error.to_string(),
    }
}
