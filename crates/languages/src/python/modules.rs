//! Which file a module is, in Python.
//!
//! A *root* is a folder that could be on `sys.path`: the indexed root, `src`, folders that a package's settings name,
//! and every folder that holds a top-level package. A module outside packages sees its own folder first, as a script
//! does. A regular package is a folder with `__init__`; folders without one are portions of a namespace package
//! (PEP 420) and are merged over all roots. Where `m.py` and `m.pyi` lie side by side the source is the module.

use strata_lang::workspace::{join, parent, within};
use strata_lang::{ModuleResolver, Probes, SpecTarget, Workspace};
use strata_model::ids::FileIx;

use super::tables::STDLIB;

/// Module resolution for one state of the workspace.
pub(super) struct Modules<'w> {
    workspace: &'w Workspace,
    roots: Vec<String>,
}

impl<'w> Modules<'w> {
    /// Finds the roots.
    pub(super) fn new(workspace: &'w Workspace) -> Self {
        let mut roots = vec![String::new()];
        let mut add = |root: String| {
            if !roots.contains(&root) {
                roots.push(root);
            }
        };
        for (path, text) in workspace.configs() {
            let folder = parent(path);
            if path.ends_with("pyproject.toml") || path.ends_with("setup.cfg") {
                for name in std::iter::once("src".to_owned()).chain(named_roots(text)) {
                    if let Some(root) = join(folder, &name)
                        && workspace.has_folder(&root)
                    {
                        add(root);
                    }
                }
                if workspace.has_folder(folder) {
                    add(folder.to_owned());
                }
            }
        }
        for path in workspace.paths() {
            if path.ends_with("/__init__.py") {
                let package = parent(path);
                let above = parent(package);
                let is_top = workspace.file(&within(above, "__init__.py")).is_none();
                if is_top && !above.is_empty() {
                    add(above.to_owned());
                }
            }
        }
        if workspace.has_folder("src") {
            add("src".to_owned());
        }
        Self { workspace, roots }
    }

    /// The folder on whose account a file can name modules first: its own when it is outside packages, else the folder
    /// that holds its top-level package.
    fn own_root(&self, from: FileIx, probes: &Probes<'_>) -> String {
        let path = self.workspace.path(from);
        let mut folder = parent(path);
        // A notebook runs in its folder, be that a package or not.
        if path.ends_with(".ipynb") {
            return folder.to_owned();
        }
        while Self::is_package(folder, probes) {
            folder = parent(folder);
        }
        folder.to_owned()
    }

    fn is_package(folder: &str, probes: &Probes<'_>) -> bool {
        !folder.is_empty()
            && (probes.file(&within(folder, "__init__.py")).is_some()
                || probes.file(&within(folder, "__init__.pyi")).is_some())
    }

    /// The module `path` (segments joined by `/`) below one folder.
    fn below(folder: &str, path: &str, probes: &Probes<'_>) -> Option<SpecTarget> {
        let base = within(folder, path);
        for candidate in [
            within(&base, "__init__.py"),
            format!("{base}.py"),
            within(&base, "__init__.pyi"),
            format!("{base}.pyi"),
        ] {
            if let Some(file) = probes.file(&candidate) {
                return Some(SpecTarget::File(file));
            }
        }
        None
    }

    fn absolute(&self, from: FileIx, spec: &str, probes: &Probes<'_>) -> SpecTarget {
        let first = spec.split('.').next().unwrap_or(spec);
        let path = spec.replace('.', "/");
        let is_stdlib = STDLIB.binary_search(&first).is_ok();
        let own = self.own_root(from, probes);
        let mut folders = Vec::new();
        let mut has_first = false;
        for root in std::iter::once(&own).chain(self.roots.iter().filter(|root| **root != own)) {
            // The standard library comes before everything but a script's own folder and the root.
            if is_stdlib && *root != own {
                continue;
            }
            if let Some(found) = Self::below(root, &path, probes) {
                return found;
            }
            let first_folder = within(root, first);
            has_first |= Self::is_package(&first_folder, probes)
                || (spec.contains('.') && probes.file(&format!("{first_folder}.py")).is_some());
            let folder = within(root, &path);
            if !is_stdlib && probes.has_folder(&folder) && !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        if !folders.is_empty() {
            return SpecTarget::Folders(folders);
        }
        if has_first && !is_stdlib {
            return SpecTarget::Unresolved;
        }
        // Stubs of a package whose source is elsewhere: what they declare is all that is known of it here.
        let rest = path.strip_prefix(first).unwrap_or("");
        for root in std::iter::once(&own).chain(self.roots.iter().filter(|root| **root != own)) {
            if let Some(found) = Self::below(root, &format!("{first}-stubs{rest}"), probes) {
                return found;
            }
        }
        SpecTarget::External {
            ecosystem: if is_stdlib { "system" } else { "pypi" },
            package: first.to_owned(),
        }
    }

    fn relative(&self, from: FileIx, spec: &str, probes: &Probes<'_>) -> SpecTarget {
        let name = spec.trim_start_matches('.');
        let n_dots = spec.len() - name.len();
        let mut folder = Some(parent(self.workspace.path(from)));
        for _ in 1..n_dots {
            folder = folder.filter(|it| !it.is_empty()).map(parent);
        }
        let Some(folder) = folder else {
            return SpecTarget::Unresolved;
        };
        let path = name.replace('.', "/");
        if let Some(found) = Self::below(folder, &path, probes) {
            return found;
        }
        let folder = within(folder, &path);
        if probes.has_folder(&folder) {
            SpecTarget::Folders(vec![folder])
        } else {
            SpecTarget::Unresolved
        }
    }
}

impl ModuleResolver for Modules<'_> {
    fn fingerprint(&self) -> String {
        self.roots.join("\n")
    }

    fn resolve(&self, from: FileIx, spec: &str, probes: &Probes<'_>) -> SpecTarget {
        if spec.starts_with('.') {
            self.relative(from, spec, probes)
        } else {
            self.absolute(from, spec, probes)
        }
    }

    fn submodule(&self, of: &SpecTarget, name: &str, probes: &Probes<'_>) -> Option<SpecTarget> {
        let folders: Vec<String> = match of {
            SpecTarget::File(file) => {
                let path = self.workspace.path(*file);
                let is_package = path.ends_with("__init__.py") || path.ends_with("__init__.pyi");
                if !is_package {
                    return None;
                }
                vec![parent(path).to_owned()]
            }
            SpecTarget::Folders(folders) => folders.clone(),
            SpecTarget::External { .. } | SpecTarget::Unresolved => return None,
        };
        let mut portions = Vec::new();
        for folder in &folders {
            if let Some(found) = Self::below(folder, name, probes) {
                return Some(found);
            }
            let below = within(folder, name);
            if probes.has_folder(&below) {
                portions.push(below);
            }
        }
        if portions.is_empty() {
            None
        } else {
            Some(SpecTarget::Folders(portions))
        }
    }
}

/// Folders that settings name as the place of packages: `where = ["lib"]`, `package-dir = {"" = "lib"}`, `"" = lib`.
///
/// Read line by line: the three spellings are all that matters here, and a broken file gives what can be read of it.
fn named_roots(text: &str) -> Vec<String> {
    let mut roots = Vec::new();
    for line in text.lines() {
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let key = key.trim().trim_matches('"').trim_matches('\'');
        let is_root = key.is_empty() || matches!(key, "where" | "package-dir" | "package_dir" | "from");
        if !is_root {
            continue;
        }
        for part in value.split(['"', '\'', ',', '[', ']', '{', '}', '=', ' ']) {
            let part = part.trim().trim_end_matches('/');
            if !part.is_empty()
                && part
                    .chars()
                    .all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '/' | '.'))
            {
                roots.push(part.to_owned());
            }
        }
    }
    roots
}

/// The module part of an FQN: the path without extension; `__init__` folds into its folder, `src` is no part of a name.
pub(super) fn segments(path: &str) -> Vec<String> {
    let stem = path
        .strip_suffix(".pyi")
        .or_else(|| path.strip_suffix(".py"))
        .unwrap_or(path);
    let mut segments: Vec<String> = stem.split('/').map(str::to_owned).collect();
    if segments.len() > 1 && segments[0] == "src" {
        segments.remove(0);
    }
    if segments.len() > 1 && segments.last().is_some_and(|last| last == "__init__") {
        segments.pop();
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::{named_roots, segments};

    #[test]
    fn init_folds_into_its_folder_and_keeps_its_name_at_the_root() {
        assert_eq!(segments("src/app/db/__init__.py"), ["app", "db"]);
        assert_eq!(segments("__init__.py"), ["__init__"]);
        assert_eq!(segments("app/svc.py"), ["app", "svc"]);
    }

    #[test]
    fn settings_name_the_place_of_packages() {
        assert_eq!(
            named_roots("[tool.setuptools.packages.find]\nwhere = [\"lib\"]"),
            ["lib"]
        );
        assert_eq!(named_roots("package_dir =\n    = source"), ["source"]);
    }
}
