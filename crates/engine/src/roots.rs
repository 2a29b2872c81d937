//! Which folder is meant, and the engines of the folders that are.
//!
//! A root is named by an argument or a variable, else it is found: the nearest folder upwards that has an index, else the
//! nearest with the marks of a project. Folders that are too wide to be meant (the home folder, the whole disk) and empty
//! ones are refused, with a sentence that says how to name the right one.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use strata_index::check_root;
use strata_lang::Language;

use crate::engine::{Engine, Manner};
use crate::error::EngineError;
use crate::settings::{INDEX_FOLDER, SETTINGS_FILE, Settings};

/// Names that mark the folder of a project.
const PROJECT_MARKS: &[&str] = &[
    SETTINGS_FILE,
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "package.json",
    "go.mod",
    "Cargo.toml",
    "pom.xml",
    "build.gradle",
    ".git",
    ".hg",
    ".svn",
];
/// How far upwards a project's mark is looked for.
const MARK_LEVELS: usize = 10;
/// Variables that name a root, in order.
const ROOT_VARIABLES: &[&str] = &["STRATIGRAPH_ROOT", "SEMTREE_ROOT"];
/// The variable by which a client tells its project.
const CLIENT_VARIABLE: &str = "CLAUDE_PROJECT_DIR";

/// What the process was given by its surroundings. Nothing below the binary reads them itself.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The working directory.
    pub working_directory: PathBuf,
    /// The home folder, if it is known.
    pub home: Option<PathBuf>,
    /// Variables, by name.
    pub variables: BTreeMap<String, String>,
}

/// The engines of a process, one a root.
pub struct Roots {
    surroundings: Surroundings,
    languages: &'static [&'static dyn Language],
    manner: Manner,
    /// The root that is meant when none is named: what the command line or the client said.
    chosen: Mutex<Chosen>,
    engines: Mutex<BTreeMap<PathBuf, Arc<Engine>>>,
}

#[derive(Default)]
struct Chosen {
    argument: Option<PathBuf>,
    of_client: Vec<PathBuf>,
}

impl Roots {
    /// No engine yet. `argument` is the root that the command line names.
    #[must_use]
    pub fn new(
        surroundings: Surroundings,
        argument: Option<PathBuf>,
        languages: &'static [&'static dyn Language],
        manner: Manner,
    ) -> Self {
        Self {
            surroundings,
            languages,
            manner,
            chosen: Mutex::new(Chosen {
                argument,
                of_client: Vec::new(),
            }),
            engines: Mutex::new(BTreeMap::new()),
        }
    }

    /// The roots that a client names. The first one is used when nothing of higher rank is said.
    pub fn set_client_roots(&self, roots: Vec<PathBuf>) {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner).of_client = roots;
    }

    /// True when a root is named by an argument or a variable, so that a client need not be asked.
    #[must_use]
    pub fn is_root_named(&self) -> bool {
        self.chosen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .argument
            .is_some()
            || self.named_by_variable().is_some()
    }

    /// The languages that can be indexed.
    #[must_use]
    pub const fn languages(&self) -> &'static [&'static dyn Language] {
        self.languages
    }

    /// The engine of the root that a call names, else of the one that is meant without a name.
    pub fn engine(&self, named: Option<&str>) -> Result<Arc<Engine>, EngineError> {
        let folder = match named.filter(|named| !named.is_empty()) {
            Some(named) => self.absolute(Path::new(named)),
            None => self.default_root(),
        };
        self.open(&folder)
    }

    /// The engine of exactly this folder.
    pub fn open(&self, folder: &Path) -> Result<Arc<Engine>, EngineError> {
        let root = self.checked(folder)?;
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = engines.get(&root) {
            return Ok(Arc::clone(engine));
        }
        let settings = Settings::load(&root, &self.surroundings.variables)?;
        let engine = Arc::new(Engine::open(&root, settings, self.languages, self.manner)?);
        engines.insert(root, Arc::clone(&engine));
        Ok(engine)
    }

    /// Opens a folder with changed settings, which hold for it from now on.
    pub fn open_with(&self, folder: &Path, change: impl FnOnce(&mut Settings)) -> Result<Arc<Engine>, EngineError> {
        let root = self.checked(folder)?;
        let mut settings = Settings::load(&root, &self.surroundings.variables)?;
        change(&mut settings);
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = engines.get(&root)
            && engine.settings().index == settings.index
        {
            return Ok(Arc::clone(engine));
        }
        let engine = Arc::new(Engine::open(&root, settings, self.languages, self.manner)?);
        engines.insert(root, Arc::clone(&engine));
        Ok(engine)
    }

    /// The engines that were opened, in the order of their roots.
    #[must_use]
    pub fn opened(&self) -> Vec<Arc<Engine>> {
        self.engines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .values()
            .cloned()
            .collect()
    }

    /// The engine of an opened root that holds an absolute path, the innermost first.
    #[must_use]
    pub fn holding(&self, path: &Path) -> Option<Arc<Engine>> {
        self.opened()
            .into_iter()
            .rev()
            .find(|engine| path.starts_with(engine.root()))
    }

    /// True when a call may index this folder: it lies in the root that is meant, or in one that the client named.
    #[must_use]
    pub fn is_allowed(&self, folder: &Path) -> bool {
        let Ok(folder) = folder.canonicalize() else { return true };
        let mut allowed = vec![self.default_root()];
        allowed.extend(
            self.chosen
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .of_client
                .iter()
                .cloned(),
        );
        allowed
            .iter()
            .filter_map(|root| root.canonicalize().ok())
            .any(|root| folder.starts_with(root))
    }

    /// A path as the user wrote it, made absolute by the working directory.
    #[must_use]
    pub fn absolute(&self, path: &Path) -> PathBuf {
        normalized(&self.surroundings.working_directory.join(path))
    }

    /// The folder that is meant when none is named.
    #[must_use]
    pub fn default_root(&self) -> PathBuf {
        let chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(argument) = &chosen.argument {
            return self.absolute(argument);
        }
        if let Some(named) = self.named_by_variable() {
            return named;
        }
        let client = self.variable(CLIENT_VARIABLE).filter(|_| self.manner == Manner::Server);
        if let Some(client) = client {
            return self.absolute(Path::new(client));
        }
        if let Some(first) = chosen.of_client.first() {
            return first.clone();
        }
        self.found_upwards()
    }

    fn named_by_variable(&self) -> Option<PathBuf> {
        ROOT_VARIABLES
            .iter()
            .find_map(|name| self.variable(name))
            .map(|root| self.absolute(Path::new(root)))
    }

    fn variable(&self, name: &str) -> Option<&str> {
        self.surroundings
            .variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    fn found_upwards(&self) -> PathBuf {
        let start = &self.surroundings.working_directory;
        // A mark in the home folder or above says nothing: people keep their settings in a repository there.
        let is_wide = |folder: &Path| check_root(folder, self.surroundings.home.as_deref()).is_err();
        let folders = || start.ancestors().take_while(|folder| !is_wide(folder));
        folders()
            .find(|folder| folder.join(INDEX_FOLDER).is_dir())
            .or_else(|| {
                folders()
                    .take(MARK_LEVELS)
                    .find(|folder| PROJECT_MARKS.iter().any(|mark| folder.join(mark).exists()))
            })
            .unwrap_or(start)
            .to_owned()
    }

    fn checked(&self, folder: &Path) -> Result<PathBuf, EngineError> {
        check_root(folder, self.surroundings.home.as_deref())?;
        let root = folder.canonicalize().map_err(|source| EngineError::Root {
            root: folder.to_owned(),
            source,
        })?;
        if !root.is_dir() {
            return Err(EngineError::NoFolder { root });
        }
        let is_empty = std::fs::read_dir(&root).is_ok_and(|mut entries| entries.next().is_none());
        if is_empty {
            Err(EngineError::EmptyRoot { root })
        } else {
            Ok(root)
        }
    }
}

/// A path without `.` and `..`, as far as its text tells.
fn normalized(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => out.push(component),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{Roots, Surroundings};
    use crate::engine::Manner;

    fn roots(directory: &Path, home: &Path, variables: &[(&str, &Path)], manner: Manner) -> Roots {
        let variables: BTreeMap<String, String> = variables
            .iter()
            .map(|(name, path)| ((*name).to_owned(), path.display().to_string()))
            .collect();
        let surroundings = Surroundings {
            working_directory: directory.to_owned(),
            home: Some(home.to_owned()),
            variables,
        };
        Roots::new(surroundings, None, &[], manner)
    }

    #[test]
    fn the_root_is_found_in_the_order_of_the_contract() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let project = home.join("project");
        let inner = project.join("src/deep");
        fs::create_dir_all(&inner).unwrap();
        fs::create_dir_all(home.join(".git")).unwrap();
        let found = |variables: &[(&str, &Path)], manner| roots(&inner, &home, variables, manner).default_root();

        assert_eq!(
            found(&[], Manner::OneShot),
            inner,
            "the mark of the home folder says nothing"
        );
        fs::write(project.join("package.json"), "{}").unwrap();
        assert_eq!(found(&[], Manner::OneShot), project);
        fs::create_dir_all(project.join("src/.stratigraph")).unwrap();
        assert_eq!(found(&[], Manner::OneShot), project.join("src"));
        let elsewhere = folder.path().join("elsewhere");
        let client = [("CLAUDE_PROJECT_DIR", elsewhere.as_path())];
        assert_eq!(found(&client, Manner::OneShot), project.join("src"));
        assert_eq!(found(&client, Manner::Server), elsewhere);
        let both = [
            ("CLAUDE_PROJECT_DIR", elsewhere.as_path()),
            ("STRATIGRAPH_ROOT", project.as_path()),
        ];
        assert_eq!(found(&both, Manner::Server), project);

        let server = roots(&inner, &home, &[], Manner::Server);
        server.set_client_roots(vec![PathBuf::from("/work/client")]);
        assert_eq!(server.default_root(), Path::new("/work/client"));
    }

    #[test]
    fn home_and_empty_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let empty = home.join("empty");
        fs::create_dir_all(&empty).unwrap();
        let roots = roots(&empty, &home, &[], Manner::OneShot);
        let error = roots.engine(None).err().unwrap().to_string();
        assert!(error.contains("is empty") && error.contains("--root"), "{error}");
        let error = roots.open(&home).err().unwrap().to_string();
        assert!(error.contains("the home folder"), "{error}");
        assert!(roots.open(&folder.path().join("missing")).is_err());
    }
}
