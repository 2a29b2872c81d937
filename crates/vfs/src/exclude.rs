//! Which names are left out, whatever the ignore files say.

use std::fmt;

/// Names that are excluded unless the configuration says otherwise. A name excludes a whole segment of a path, in any
/// case; `*` and `?` are wildcards within a segment, and `a/b` excludes that sequence of segments anywhere.
pub const DEFAULT_EXCLUDE: &[&str] = &[
    "node_modules",
    "dist",
    ".git",
    "bin",
    "obj",
    ".hg",
    ".svn",
    "__pycache__",
    ".venv",
    "venv",
    "env",
    ".env",
    "build",
    "target",
    ".stratigraph",
    ".idea",
    ".vscode",
    "*.egg-info",
    "coverage",
    ".coverage",
    "htmlcov",
];

/// Excluded names that many projects also use for their own sources: such a folder is hidden only when git tracks
/// nothing in it.
pub const CONDITIONAL_FOLDERS: &[&str] = &["bin", "obj", "build", "target", "env", "coverage"];

/// The index's own folder, which no setting can bring in.
const OWN_FOLDER: &str = ".stratigraph";
/// The hidden folder that is read all the same.
const VISIBLE_HIDDEN_FOLDER: &str = ".github";

/// Why a file or folder is not part of the walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exclusion {
    /// An excluded name, as it is configured.
    Name(String),
    /// A hidden folder.
    Hidden,
    /// A rule of this ignore file.
    IgnoreFile(String),
    /// Another working tree of a repository that has one already.
    Worktree,
    /// A link that leaves the root.
    LinkOutside,
    /// A link to something that is there under its own name.
    LinkInside,
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "excluded by the name {name}"),
            Self::Hidden => f.write_str("excluded because the folder is hidden"),
            Self::IgnoreFile(path) => write!(f, "excluded by {path}"),
            Self::Worktree => f.write_str("excluded because it is another git worktree"),
            Self::LinkOutside => f.write_str("excluded because the link leaves the root"),
            Self::LinkInside => f.write_str("indexed under the name that the link points to"),
        }
    }
}

/// The excluded names, ready to be matched.
#[derive(Debug)]
pub(crate) struct ExcludeSet {
    patterns: Vec<Pattern>,
}

#[derive(Debug)]
struct Pattern {
    written: String,
    segments: Vec<String>,
}

impl ExcludeSet {
    pub(crate) fn new(exclude: &[String]) -> Self {
        let patterns = exclude
            .iter()
            .map(String::as_str)
            .chain([OWN_FOLDER])
            .map(|written| Pattern {
                written: written.to_owned(),
                segments: written
                    .split(['/', '\\'])
                    .filter(|segment| !matches!(*segment, "" | "." | "**"))
                    .map(str::to_lowercase)
                    .collect(),
            })
            .filter(|pattern| !pattern.segments.is_empty())
            .collect();
        Self { patterns }
    }

    /// Why the entry at `path` is excluded by its name alone. A [conditional](CONDITIONAL_FOLDERS) name is reported
    /// like any other; [`is_conditional`] tells it.
    pub(crate) fn reason(&self, path: &str, is_folder: bool) -> Option<Exclusion> {
        let lower = path.to_lowercase();
        let name = lower.rsplit('/').next().unwrap_or_default();
        let matching = self
            .patterns
            .iter()
            .find(|pattern| (is_folder || !is_conditional(&pattern.written)) && matches_end(&pattern.segments, &lower));
        if let Some(pattern) = matching {
            return Some(Exclusion::Name(pattern.written.clone()));
        }
        (is_folder && name.starts_with('.') && name != VISIBLE_HIDDEN_FOLDER).then_some(Exclusion::Hidden)
    }
}

/// True for a name that hides a folder only when git tracks nothing in it.
pub(crate) fn is_conditional(name: &str) -> bool {
    CONDITIONAL_FOLDERS
        .iter()
        .any(|conditional| conditional.eq_ignore_ascii_case(name))
}

/// True when the last segments of `path` match `segments`.
fn matches_end(segments: &[String], path: &str) -> bool {
    let mut names = path.rsplit('/');
    segments.iter().rev().all(|segment| {
        names
            .next()
            .is_some_and(|name| matches_name(segment.as_bytes(), name.as_bytes()))
    })
}

/// Matches one name against a pattern with `*` and `?`, in linear time by going back to the last star only.
fn matches_name(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p, n));
                p += 1;
            }
            Some(byte) if *byte == b'?' || *byte == name[n] => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((star, from)) = retry else { return false };
                retry = Some((star, from + 1));
                p = star + 1;
                n = from + 1;
            }
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT_EXCLUDE, ExcludeSet, Exclusion};

    fn reason(exclude: &[&str], path: &str, is_folder: bool) -> Option<Exclusion> {
        ExcludeSet::new(&exclude.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).reason(path, is_folder)
    }

    #[test]
    fn names_match_whole_segments_in_any_case() {
        assert!(reason(DEFAULT_EXCLUDE, "a/Node_Modules", true).is_some());
        assert!(reason(DEFAULT_EXCLUDE, "a/node_modules_2", true).is_none());
        assert!(reason(DEFAULT_EXCLUDE, "pkg.egg-info", true).is_some());
        assert!(reason(DEFAULT_EXCLUDE, "distance", true).is_none());
    }

    #[test]
    fn conditional_names_hide_folders_only() {
        assert!(reason(DEFAULT_EXCLUDE, "build", true).is_some());
        assert!(reason(DEFAULT_EXCLUDE, "build", false).is_none());
    }

    #[test]
    fn several_segments_match_in_sequence() {
        assert!(reason(&["src/gen"], "a/src/gen", true).is_some());
        assert!(reason(&["src/gen"], "a/gen", true).is_none());
    }

    #[test]
    fn hidden_folders_are_left_out_except_one() {
        assert_eq!(reason(&[], ".cache", true), Some(Exclusion::Hidden));
        assert_eq!(reason(&[], ".github", true), None);
        assert_eq!(reason(&[], ".eslintrc.js", false), None);
    }

    #[test]
    fn the_own_folder_is_always_excluded() {
        assert!(reason(&[], ".stratigraph", true).is_some_and(|reason| reason != Exclusion::Hidden));
    }
}
