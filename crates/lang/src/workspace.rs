//! What module resolution may look at: the paths of the root, its packages, and the texts of manifests and settings.
//!
//! Paths are relative to the root and use `/`; the root itself is the empty string.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use strata_model::ids::FileIx;

/// A package: a folder with a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Name as the manifest gives it, else the folder's; made unique within the root.
    pub name: String,
    /// Folder, relative to the root.
    pub folder: String,
    /// The manifest, relative to the root.
    pub manifest: String,
    /// The marker, such as `npm` or `python`.
    pub marker: &'static str,
}

/// One state of the files below a root.
#[derive(Debug, Default)]
pub struct Workspace {
    paths: Vec<String>,
    by_path: FxHashMap<String, FileIx>,
    folders: FxHashSet<String>,
    configs: BTreeMap<String, String>,
    packages: Vec<Package>,
}

impl Workspace {
    /// A workspace of the source files `paths` (any order; they are sorted, and a file's rank is its [`FileIx`]), the
    /// texts of configuration files by path, and the packages.
    #[must_use]
    pub fn new(mut paths: Vec<String>, configs: BTreeMap<String, String>, packages: Vec<Package>) -> Self {
        paths.sort();
        let mut folders = FxHashSet::default();
        folders.insert(String::new());
        for path in &paths {
            let mut rest = path.as_str();
            while let Some(cut) = rest.rfind('/') {
                rest = &rest[..cut];
                if !folders.insert(rest.to_owned()) {
                    break;
                }
            }
        }
        let by_path = paths
            .iter()
            .enumerate()
            .map(|(ix, path)| (path.clone(), FileIx(u32::try_from(ix).unwrap_or(u32::MAX))))
            .collect();
        Self {
            paths,
            by_path,
            folders,
            configs,
            packages,
        }
    }

    /// Paths of all source files in order; the index is the [`FileIx`].
    #[must_use]
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// The path of a file.
    #[must_use]
    pub fn path(&self, file: FileIx) -> &str {
        &self.paths[file.ix()]
    }

    /// The source file at a path.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<FileIx> {
        self.by_path.get(path).copied()
    }

    /// True when a source file lies in the folder or below it.
    #[must_use]
    pub fn has_folder(&self, folder: &str) -> bool {
        self.folders.contains(folder)
    }

    /// The text of a configuration file (whatever its language named in `config_files`).
    #[must_use]
    pub fn config(&self, path: &str) -> Option<&str> {
        self.configs.get(path).map(String::as_str)
    }

    /// All configuration files in path order.
    pub fn configs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.configs.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// All packages, in path order.
    #[must_use]
    pub fn packages(&self) -> &[Package] {
        &self.packages
    }

    /// The package with the longest folder that holds the path.
    #[must_use]
    pub fn package_of(&self, path: &str) -> Option<&Package> {
        self.packages
            .iter()
            .filter(|package| is_below(path, &package.folder))
            .max_by_key(|package| package.folder.len())
    }
}

/// True when `path` lies in `folder` or below.
#[must_use]
pub fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || (path.starts_with(folder) && path.as_bytes().get(folder.len()) == Some(&b'/'))
}

/// The folder that holds `path`; the empty string for the root.
#[must_use]
pub fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |cut| &path[..cut])
}

/// What lies at `path` in a folder. Either may be empty: the folder is the root then, or the path the folder itself.
#[must_use]
pub fn within(folder: &str, path: &str) -> String {
    match (folder.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (false, true) => folder.to_owned(),
        (false, false) => format!("{folder}/{path}"),
    }
}

/// Joins `relative` (with `.` and `..` segments) to `folder`. None when it leaves the root.
#[must_use]
pub fn join(folder: &str, relative: &str) -> Option<String> {
    let mut segments: Vec<&str> = if folder.is_empty() {
        Vec::new()
    } else {
        folder.split('/').collect()
    };
    for segment in relative.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            name => segments.push(name),
        }
    }
    Some(segments.join("/"))
}

/// Looks up paths and remembers every one it was asked for, hit or miss, so that a file which appears, vanishes or would
/// now win is noticed. Every look-up during module resolution goes through it.
#[derive(Debug)]
pub struct Probes<'w> {
    workspace: &'w Workspace,
    asked: RefCell<FxHashSet<String>>,
}

impl<'w> Probes<'w> {
    /// Starts with nothing asked.
    #[must_use]
    pub fn new(workspace: &'w Workspace) -> Self {
        Self {
            workspace,
            asked: RefCell::default(),
        }
    }

    /// The source file at `path`.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<FileIx> {
        self.note(path);
        self.workspace.file(path)
    }

    /// True when source files lie below `folder`.
    #[must_use]
    pub fn has_folder(&self, folder: &str) -> bool {
        self.note(&format!("{folder}/"));
        self.workspace.has_folder(folder)
    }

    /// The workspace, for configuration. A change of any configuration file relinks everything, so reading those needs
    /// no record.
    #[must_use]
    pub fn workspace(&self) -> &'w Workspace {
        self.workspace
    }

    /// Everything that was asked for so far, in order; folders end in `/`.
    #[must_use]
    pub fn into_asked(self) -> Vec<String> {
        let mut asked: Vec<String> = self.asked.into_inner().into_iter().collect();
        asked.sort();
        asked
    }

    fn note(&self, path: &str) {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(path) {
            asked.insert(path.to_owned());
        }
    }
}

/// What a module as written turns out to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecTarget {
    /// A file of the root.
    File(FileIx),
    /// Folders without a file of their own that act as one module (Python namespace packages), in order.
    Folders(Vec<String>),
    /// A package outside the root: ecosystem (`pypi`, `npm`, `system` for what the language brings along) and name.
    External {
        /// Ecosystem.
        ecosystem: &'static str,
        /// Package name.
        package: String,
    },
    /// It should be inside the root and is not there.
    Unresolved,
}

/// Module resolution for one state of the workspace. The caller remembers results per (folder of `from`, `spec`), so an
/// answer may depend on the folder of `from`, not on its name.
pub trait ModuleResolver {
    /// Finds the module that `spec` means in the file `from`.
    fn resolve(&self, from: FileIx, spec: &str, probes: &Probes<'_>) -> SpecTarget;

    /// What resolution read of the workspace without a probe, such as the folders it searches. Another fingerprint means
    /// that every import may mean something else. The empty string: nothing.
    fn fingerprint(&self) -> String {
        String::new()
    }

    /// Finds the module `name` directly below a module: Python's submodules. Other languages have none.
    fn submodule(&self, _of: &SpecTarget, _name: &str, _probes: &Probes<'_>) -> Option<SpecTarget> {
        None
    }
}
