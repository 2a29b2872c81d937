//! One consistent state of an index, with what has to be said about it. All questions are asked of a view.

use std::path::Path;
use std::time::Duration;

use strata_model::facts::{DefFlags, Metrics};
use strata_model::ids::{DefId, Position, Span};
use strata_model::kinds::{NodeKind, NodeLevel, ParseStatus};
use strata_storage::{FileId, NodeId, NodeRow, Store};

use crate::engine::{COMMIT_META, Engine, Standing};
use crate::error::EngineError;
use crate::git_head::head_commit;

/// Paths of dirty files that are listed; the count goes on.
const MAX_DIRTY_PATHS: usize = 10;

/// What an answer rests on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IndexState {
    /// SHA-256 over the paths and hashes of all indexed files.
    pub index_id: String,
    /// The commit that the indexed files belong to; none outside a repository.
    pub commit: Option<String>,
    /// Number of files that differ from the index.
    pub dirty_count: usize,
    /// Some of them.
    pub dirty_paths: Vec<String>,
    /// How much of the root the index covers.
    pub coverage: Coverage,
    /// How long ago the files were looked at, in a server that trusted an earlier look.
    pub probe_age: Option<Duration>,
    /// When the index was last written, in milliseconds since 1970.
    pub indexed_at: i64,
}

/// Numbers of files by how well they are covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Without any problem.
    pub indexed: u64,
    /// With syntax errors; the rest of them is covered.
    pub partial: u64,
    /// Nothing could be extracted.
    pub failed: u64,
    /// Left out although a language matches.
    pub skipped: u64,
}

impl IndexState {
    pub(crate) fn take_standing(&mut self, root: &Path, standing: &Standing) {
        self.dirty_count = standing.dirty.len();
        self.dirty_paths = standing.dirty.iter().take(MAX_DIRTY_PATHS).cloned().collect();
        self.probe_age = standing.probe_age;
        if standing.dirty.is_empty() {
            self.commit = head_commit(root);
        }
    }
}

/// Reads what can be said without looking at the files.
pub(crate) fn summarize(store: &Store) -> Result<IndexState, EngineError> {
    let mut state = IndexState {
        index_id: store.meta("index_id")?.unwrap_or_default(),
        commit: store.meta(COMMIT_META)?.filter(|commit| !commit.is_empty()),
        indexed_at: store.meta("indexed_at")?.and_then(|at| at.parse().ok()).unwrap_or(0),
        ..IndexState::default()
    };
    for file in store.files()? {
        match file.parse_status {
            ParseStatus::Ok => state.coverage.indexed += 1,
            ParseStatus::Partial => state.coverage.partial += 1,
            ParseStatus::Failed => state.coverage.failed += 1,
        }
        state.indexed_at = state.indexed_at.max(file.indexed_at);
    }
    state.coverage.skipped = store.skipped()?.len() as u64;
    Ok(state)
}

/// One consistent state of an index.
pub struct View<'v> {
    pub(crate) engine: &'v Engine,
    pub(crate) store: &'v Store,
    state: IndexState,
    standing: Standing,
}

impl<'v> View<'v> {
    pub(crate) const fn new(engine: &'v Engine, store: &'v Store, state: IndexState, standing: Standing) -> Self {
        Self {
            engine,
            store,
            state,
            standing,
        }
    }

    /// What the answer rests on.
    #[must_use]
    pub const fn state(&self) -> &IndexState {
        &self.state
    }

    /// What has to be told with the answer.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.standing.notes
    }

    /// Files that were brought up to date before the answer.
    #[must_use]
    pub const fn n_refreshed(&self) -> usize {
        self.standing.n_refreshed
    }

    /// True while the index is being built or brought up to date.
    #[must_use]
    pub const fn is_indexing(&self) -> bool {
        self.standing.is_running
    }

    /// True when the index holds no file.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let Coverage {
            indexed,
            partial,
            failed,
            ..
        } = self.state.coverage;
        indexed + partial + failed == 0
    }

    /// The engine.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        self.engine
    }

    /// The sign that starts a comment to the end of a line in a language.
    #[must_use]
    pub fn line_comment(&self, language: &str) -> &'static str {
        let languages = self.engine.indexer().languages();
        languages
            .iter()
            .find(|known| known.name() == language)
            .map_or("//", |language| language.line_comment())
    }

    /// The path of a file relative to the root, whatever way it was written: relative to the root, absolute, or
    /// relative to the working directory. None when it lies outside.
    #[must_use]
    pub fn relative_path(&self, written: &str) -> Option<String> {
        relative_path(self.engine.root(), written)
    }
}

/// See [`View::relative_path`]. Relative paths are tried below the root only: whoever starts a command elsewhere writes
/// absolute ones, or paths that the command line made absolute.
pub(crate) fn relative_path(root: &Path, written: &str) -> Option<String> {
    let written = written.replace('\\', "/");
    let path = Path::new(&written);
    if path.is_absolute() {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let inner = real.strip_prefix(root).or_else(|_| path.strip_prefix(root)).ok()?;
        return Some(inner.to_string_lossy().replace('\\', "/"));
    }
    let mut segments: Vec<&str> = Vec::new();
    for segment in written.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            _ => segments.push(segment),
        }
    }
    Some(segments.join("/"))
}

/// A node of the tree as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    pub(crate) id: NodeId,
    pub(crate) file_id: Option<FileId>,
    pub(crate) parent_id: Option<NodeId>,
    pub(crate) def: Option<DefId>,
    /// Level.
    pub level: NodeLevel,
    /// Kind.
    pub kind: NodeKind,
    /// Name.
    pub name: String,
    /// Fully qualified name.
    pub fqn: String,
    /// Path of the file relative to the root; empty for the root and packages.
    pub path: String,
    /// Language of the file; `multi` for the root and packages.
    pub language: String,
    /// Bits of properties.
    pub flags: DefFlags,
    /// The whole construct, in bytes of the decoded text.
    pub span: Span,
    /// Where the construct starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// Where its name stands; line 0 for what has none in the text.
    pub name_at: Position,
    /// Signature; empty where there is none.
    pub signature: String,
    /// Documentation.
    pub doc: Option<String>,
    /// Measures of the body, for what has one.
    pub metrics: Option<Metrics>,
}

impl From<NodeRow> for Symbol {
    fn from(row: NodeRow) -> Self {
        Self {
            id: row.id,
            file_id: row.file_id,
            parent_id: row.parent_id,
            def: row.def,
            level: row.level,
            kind: row.kind,
            name: row.name,
            fqn: row.fqn,
            path: row.path,
            language: row.language,
            flags: row.flags,
            span: row.span,
            start: row.start,
            end: row.end,
            name_at: row.name_at,
            signature: row.signature,
            doc: row.doc,
            metrics: row.metrics,
        }
    }
}

impl Symbol {
    /// The first sentence of the documentation, in one line.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        self.doc.as_deref().and_then(first_sentence)
    }

    /// True for what other modules may use.
    #[must_use]
    pub const fn is_public(&self) -> bool {
        !self.flags.has(DefFlags::PRIVATE)
    }

    /// Number of lines from the first to the last.
    #[must_use]
    pub const fn n_lines(&self) -> u32 {
        (self.end.line + 1).saturating_sub(self.start.line)
    }

    /// The line of the name, else the first one.
    #[must_use]
    pub const fn line(&self) -> u32 {
        if self.name_at.line > 0 {
            self.name_at.line
        } else {
            self.start.line
        }
    }
}

/// The first sentence of a text, in one line, at most 200 characters.
#[must_use]
pub fn first_sentence(doc: &str) -> Option<String> {
    const MAX_CHARS: usize = 200;
    let mut words = String::new();
    for line in doc.lines().map(str::trim) {
        if line.is_empty() {
            if words.is_empty() {
                continue;
            }
            break;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(line);
        if let Some(end) = words.find(". ") {
            words.truncate(end + 1);
            break;
        }
    }
    if words.chars().count() > MAX_CHARS {
        words = words.chars().take(MAX_CHARS - 1).collect::<String>() + "…";
    }
    (!words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{first_sentence, relative_path};

    #[test]
    fn the_first_sentence_ends_at_a_stop_or_an_empty_line() {
        assert_eq!(first_sentence("Saves it. And more.").as_deref(), Some("Saves it."));
        assert_eq!(
            first_sentence("\n  Saves\n  it all\n\nMore").as_deref(),
            Some("Saves it all")
        );
        assert_eq!(first_sentence(" \n"), None);
    }

    #[test]
    fn paths_are_taken_as_they_are_written() {
        let root = Path::new("/work/shop");
        assert_eq!(relative_path(root, "./src/a.py").as_deref(), Some("src/a.py"));
        assert_eq!(relative_path(root, "/work/shop/src/a.py").as_deref(), Some("src/a.py"));
        assert_eq!(relative_path(root, "/work/other/a.py"), None);
        assert_eq!(relative_path(root, "../a.py"), None);
    }
}
