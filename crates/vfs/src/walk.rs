//! The walk: every file below the root that is not left out, and what was left out and why.
//!
//! Ignore files are read on the way down; the nearest one that says something about an entry decides, and nothing below
//! an ignored folder is looked at, so a pattern cannot bring back what lies in one. Links are put aside and looked at
//! last: what they lead to is walked under the link's name only when it lies inside the root and was not met under its
//! own, so that every file is met once and a cycle of links ends.

use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::exclude::{DEFAULT_EXCLUDE, ExcludeSet, Exclusion, is_conditional};
use crate::fs::{Entry, EntryKind, Fs, FsError, Listing, join};

/// Name of the files whose rules apply to their folder and below.
const IGNORE_FILE: &str = ".gitignore";
/// Excluded entries that are listed by path; the counts go on.
const MAX_LISTED_EXCLUSIONS: usize = 1000;

/// What the walk leaves out.
#[derive(Clone, Debug)]
pub struct WalkOptions {
    /// Excluded names, see [`DEFAULT_EXCLUDE`].
    pub exclude: Vec<String>,
    /// Whether `.gitignore` files count.
    pub respect_gitignore: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self {
            exclude: DEFAULT_EXCLUDE.iter().map(|name| (*name).to_owned()).collect(),
            respect_gitignore: true,
        }
    }
}

/// What a walk found.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Paths of all files that are not left out, sorted.
    pub files: Vec<String>,
    /// Every folder whose names were read, sorted, the root included. As long as their times stay, the names do.
    pub folders: Vec<Folder>,
    /// The ignore files that were read, sorted.
    pub ignore_files: Vec<String>,
    /// What could not be read, sorted by path.
    pub problems: Vec<WalkProblem>,
    /// What was left out and why, sorted by path, at most a thousand.
    pub excluded: Vec<(String, Exclusion)>,
    /// Every folder that was left out by its name or by an ignore file, sorted. Nothing below was looked at.
    pub left_out_folders: Vec<String>,
    /// Numbers.
    pub counts: WalkCounts,
}

/// A folder that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    /// Path.
    pub path: String,
    /// Its time before it was read.
    pub mtime_ns: i64,
}

/// Something that the walk could not read. The rest is walked all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WalkProblem {
    /// Path, as readable as it can be made.
    pub path: String,
    /// What is wrong, lower case, without a full stop.
    pub message: String,
}

/// Numbers of a walk. An excluded folder counts as one entry, since nothing in it is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WalkCounts {
    /// Files, and folders that were excluded.
    pub total_enumerated: u64,
    /// Entries left out by name: excluded names, hidden folders, worktrees and links.
    pub excluded_by_exclude_set: u64,
    /// Entries left out by an ignore file.
    pub excluded_by_gitignore: u64,
}

/// Walks the tree below the root of `fs`. Never fails: what cannot be read is among the problems.
#[must_use]
pub fn walk(fs: &dyn Fs, options: &WalkOptions) -> Walk {
    let mut walker = Walker::new(fs, options);
    walker.walk_folder(Pending {
        path: String::new(),
        rules: None,
        repository: String::new(),
    });
    walker.follow_links();
    walker.finish()
}

/// Says why the walk leaves out the entry at `path`, which must exist; none when it is part of it.
#[must_use]
pub fn explain(fs: &dyn Fs, options: &WalkOptions, path: &str) -> Option<Exclusion> {
    let mut walker = Walker::new(fs, options);
    let mut pending = Pending {
        path: String::new(),
        rules: None,
        repository: String::new(),
    };
    for name in path.split('/') {
        let listing = fs.list(&pending.path).ok()?;
        walker.enter(&mut pending, &listing);
        let entry = listing.entries.iter().find(|entry| entry.name == name)?;
        let child = join(&pending.path, name);
        if entry.kind == EntryKind::Link {
            return Some(if fs.real_path(&child).is_ok() {
                Exclusion::LinkInside
            } else {
                Exclusion::LinkOutside
            });
        }
        let reason = walker.exclusion(&pending, &listing, &child, entry.kind == EntryKind::Folder);
        if reason.is_some() {
            return reason;
        }
        pending = Pending { path: child, ..pending };
    }
    None
}

/// A folder to be read.
struct Pending {
    path: String,
    rules: Option<Rc<Rules>>,
    /// The innermost folder around it that is a repository; the root, too, may lie inside one.
    repository: String,
}

/// The rules of one ignore file and those of the folders above.
struct Rules {
    folder: String,
    matcher: Gitignore,
    above: Option<Rc<Rules>>,
}

impl Rules {
    /// The ignore file that hides `path`, if any does.
    fn hiding(&self, path: &str, is_folder: bool) -> Option<String> {
        let below = if self.folder.is_empty() {
            path
        } else {
            path.get(self.folder.len() + 1..).unwrap_or(path)
        };
        match self.matcher.matched(below, is_folder) {
            Match::Ignore(_) => Some(join(&self.folder, IGNORE_FILE)),
            Match::Whitelist(_) => None,
            Match::None => self.above.as_ref()?.hiding(path, is_folder),
        }
    }
}

struct Walker<'a> {
    fs: &'a dyn Fs,
    exclude: ExcludeSet,
    respect_gitignore: bool,
    out: Walk,
    links: Vec<(String, Option<Rc<Rules>>, String)>,
    /// Files and folders met so far, by the path that links resolve to.
    met: FxHashSet<String>,
    /// For each repository: the folders in which git tracks something; none without git.
    tracked: FxHashMap<String, Option<FxHashSet<String>>>,
}

impl<'a> Walker<'a> {
    fn new(fs: &'a dyn Fs, options: &WalkOptions) -> Self {
        Self {
            fs,
            exclude: ExcludeSet::new(&options.exclude),
            respect_gitignore: options.respect_gitignore,
            out: Walk::default(),
            links: Vec::new(),
            met: FxHashSet::default(),
            tracked: FxHashMap::default(),
        }
    }

    fn walk_folder(&mut self, top: Pending) {
        let mut stack = vec![top];
        while let Some(mut pending) = stack.pop() {
            // The time is taken first: a name that appears in between makes the folder look changed, never unchanged.
            let mtime_ns = self.fs.stat(&pending.path).map_or(0, |stat| stat.mtime_ns);
            let listing = match self.fs.list(&pending.path) {
                Ok(listing) => listing,
                Err(error) => {
                    self.problem(&pending.path, &error);
                    self.out.folders.push(Folder {
                        path: pending.path,
                        mtime_ns,
                    });
                    continue;
                }
            };
            for name in &listing.unreadable_names {
                let path = join(&pending.path, name);
                self.out.problems.push(WalkProblem {
                    path,
                    message: "the name is not UTF-8".to_owned(),
                });
            }
            self.enter(&mut pending, &listing);
            for entry in &listing.entries {
                self.visit(&pending, &listing, entry, &mut stack);
            }
            self.out.folders.push(Folder {
                path: pending.path,
                mtime_ns,
            });
        }
    }

    /// Takes in what a folder says about itself: ignore rules, and being a repository.
    fn enter(&mut self, pending: &mut Pending, listing: &Listing) {
        let has = |name: &str| listing.entries.iter().any(|entry| entry.name == name);
        if has(".git") {
            pending.repository.clone_from(&pending.path);
        }
        if self.respect_gitignore && has(IGNORE_FILE) {
            let path = join(&pending.path, IGNORE_FILE);
            match self.fs.read(&path) {
                Ok(text) => {
                    let matcher = parse_ignore_file(&String::from_utf8_lossy(&text));
                    let above = pending.rules.take();
                    pending.rules = Some(Rc::new(Rules {
                        folder: pending.path.clone(),
                        matcher,
                        above,
                    }));
                }
                Err(error) => self.problem(&path, &error),
            }
            self.out.ignore_files.push(path);
        }
    }

    fn visit(&mut self, pending: &Pending, listing: &Listing, entry: &Entry, stack: &mut Vec<Pending>) {
        let path = join(&pending.path, &entry.name);
        match entry.kind {
            EntryKind::Other => return,
            EntryKind::Link => {
                self.links
                    .push((path, pending.rules.clone(), pending.repository.clone()));
                return;
            }
            EntryKind::File | EntryKind::Folder => {}
        }
        let is_folder = entry.kind == EntryKind::Folder;
        if let Some(reason) = self.exclusion(pending, listing, &path, is_folder) {
            if is_folder && !matches!(reason, Exclusion::Worktree) {
                self.out.left_out_folders.push(path.clone());
            }
            self.exclude(path, reason);
        } else if is_folder {
            self.met.insert(path.clone());
            stack.push(Pending {
                path,
                rules: pending.rules.clone(),
                repository: pending.repository.clone(),
            });
        } else {
            self.out.counts.total_enumerated += 1;
            self.met.insert(path.clone());
            self.out.files.push(path);
        }
    }

    fn exclusion(&mut self, pending: &Pending, listing: &Listing, path: &str, is_folder: bool) -> Option<Exclusion> {
        match self.exclude.reason(path, is_folder) {
            Some(Exclusion::Name(name))
                if is_conditional(&name) && !self.hides_conditionally(pending, listing, path, &name) => {}
            Some(reason) => return Some(reason),
            None => {}
        }
        if let Some(ignore_file) = pending.rules.as_ref().and_then(|rules| rules.hiding(path, is_folder)) {
            return Some(Exclusion::IgnoreFile(ignore_file));
        }
        (is_folder && self.is_worktree(path)).then_some(Exclusion::Worktree)
    }

    /// True when a folder with a conditional name is hidden: git tracks nothing in it, or there is no git and the name
    /// means build output here.
    fn hides_conditionally(&mut self, pending: &Pending, listing: &Listing, path: &str, name: &str) -> bool {
        let repository = &pending.repository;
        if !self.tracked.contains_key(repository) {
            let files = self.fs.tracked_files(repository);
            self.tracked
                .insert(repository.clone(), files.map(|files| folders_of(&files)));
        }
        if let Some(Some(tracked)) = self.tracked.get(repository) {
            let below = if repository.is_empty() {
                path
            } else {
                path.get(repository.len() + 1..).unwrap_or(path)
            };
            return !tracked.contains(below);
        }
        if name.eq_ignore_ascii_case("env") {
            // Many projects keep sources in a folder of this name; a Python environment says what it is.
            return ["pyvenv.cfg", "conda-meta", "bin/activate", "Scripts/activate"]
                .iter()
                .any(|mark| self.fs.stat(&join(path, mark)).is_ok());
        }
        let needs_project = ["bin", "obj"].iter().any(|output| output.eq_ignore_ascii_case(name));
        !needs_project
            || listing
                .entries
                .iter()
                .any(|entry| entry.name.to_lowercase().ends_with(".csproj"))
    }

    /// True when the folder is a further working tree of a repository: its `.git` is a file that says so. Submodules
    /// have such a file, too, but point elsewhere.
    fn is_worktree(&self, path: &str) -> bool {
        let marker = join(path, ".git");
        let is_file = self
            .fs
            .stat(&marker)
            .is_ok_and(|stat| stat.kind == EntryKind::File && stat.size < 4096);
        is_file
            && self
                .fs
                .read(&marker)
                .is_ok_and(|text| String::from_utf8_lossy(&text).contains("/worktrees/"))
    }

    /// Looks at the links in the order of their paths. Walking one may bring new links to light.
    fn follow_links(&mut self) {
        while !self.links.is_empty() {
            let mut links = std::mem::take(&mut self.links);
            links.sort_by(|a, b| a.0.cmp(&b.0));
            for (path, rules, repository) in links {
                self.follow(path, rules, repository);
            }
        }
    }

    fn follow(&mut self, path: String, rules: Option<Rc<Rules>>, repository: String) {
        let real = match self.fs.real_path(&path) {
            Ok(real) => real,
            Err(FsError::Outside { .. }) => {
                self.exclude(path, Exclusion::LinkOutside);
                return;
            }
            // A link to nothing, or a link of a cycle of links, is no file.
            Err(_) => return,
        };
        // A folder around the link contains itself; what is met already is there under its own name.
        let is_around = real.is_empty() || path.starts_with(&format!("{real}/"));
        if is_around || self.met.contains(&real) {
            self.exclude(path, Exclusion::LinkInside);
            return;
        }
        let Ok(stat) = self.fs.stat(&path) else { return };
        let is_folder = stat.kind == EntryKind::Folder;
        let pending = Pending {
            path: String::new(),
            rules,
            repository,
        };
        if let Some(reason) = self.exclusion(&pending, &Listing::default(), &path, is_folder) {
            self.exclude(path, reason);
            return;
        }
        self.met.insert(real);
        if is_folder {
            self.walk_folder(Pending { path, ..pending });
        } else if stat.kind == EntryKind::File {
            self.out.counts.total_enumerated += 1;
            self.out.files.push(path);
        }
    }

    fn exclude(&mut self, path: String, reason: Exclusion) {
        self.out.counts.total_enumerated += 1;
        match reason {
            Exclusion::IgnoreFile(_) => self.out.counts.excluded_by_gitignore += 1,
            Exclusion::Name(_)
            | Exclusion::Hidden
            | Exclusion::Worktree
            | Exclusion::LinkOutside
            | Exclusion::LinkInside => self.out.counts.excluded_by_exclude_set += 1,
        }
        if self.out.excluded.len() < MAX_LISTED_EXCLUSIONS {
            self.out.excluded.push((path, reason));
        }
    }

    fn problem(&mut self, path: &str, error: &FsError) {
        let message = match error {
            FsError::Io { source, .. } => format!("cannot be read: {source}"),
            FsError::Outside { .. } | FsError::NotAFile { .. } => error.to_string(),
        };
        self.out.problems.push(WalkProblem {
            path: path.to_owned(),
            message,
        });
    }

    fn finish(mut self) -> Walk {
        self.out.files.sort();
        self.out.folders.sort_by(|a, b| a.path.cmp(&b.path));
        self.out.ignore_files.sort();
        self.out.problems.sort_by(|a, b| a.path.cmp(&b.path));
        self.out.left_out_folders.sort();
        self.out.excluded.sort_by(|a, b| a.0.cmp(&b.0));
        self.out
    }
}

/// Reads an ignore file. A line that is no pattern is passed over and the others count.
fn parse_ignore_file(text: &str) -> Gitignore {
    let mut builder = GitignoreBuilder::new("");
    for line in text.trim_start_matches('\u{feff}').lines() {
        // A broken line hides nothing, which git does as well.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// Every folder that holds one of the files, at any depth.
fn folders_of(files: &[String]) -> FxHashSet<String> {
    let mut folders = FxHashSet::default();
    for file in files {
        let mut rest = file.as_str();
        while let Some(cut) = rest.rfind('/') {
            rest = &rest[..cut];
            if !folders.insert(rest.to_owned()) {
                break;
            }
        }
    }
    folders
}
