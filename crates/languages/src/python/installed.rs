//! Packages that pip installed below the root.
//!
//! They lie side by side in a folder `site-packages`, nearly always that of a virtual environment. Stubs win over
//! sources: `name-stubs` beside a package (PEP 561), then `m.pyi` beside `m.py`.

use strata_lang::workspace::within;
use strata_lang::{InstalledPackages, Look};
use strata_model::facts::FileFacts;
use strata_model::ids::StrId;

/// Names of folders that are environments or lie in one.
const HOLDERS: [&str; 6] = [".venv", "venv", "env", ".env", "site-packages", "__pypackages__"];
const PACKAGES: &str = "site-packages";

/// The layout of `site-packages`.
pub(super) struct SitePackages;

impl InstalledPackages for SitePackages {
    fn ecosystem(&self) -> &'static str {
        "pypi"
    }

    fn is_holder(&self, folder: &str, look: &dyn Look) -> bool {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        HOLDERS.contains(&name) || look.is_file(&format!("{folder}/pyvenv.cfg"))
    }

    fn folders(&self, holder: &str, look: &dyn Look) -> Vec<String> {
        let mut folders = Vec::new();
        if holder == PACKAGES || holder.ends_with("/site-packages") {
            folders.push(holder.to_owned());
        }
        for library in ["lib", "Lib"] {
            let library = format!("{holder}/{library}");
            let direct = format!("{library}/{PACKAGES}");
            if !look.names(&direct).is_empty() {
                folders.push(direct);
            }
            for version in look.names(&library) {
                let below = format!("{library}/{version}/{PACKAGES}");
                if version.starts_with("python") && !look.names(&below).is_empty() {
                    folders.push(below);
                }
            }
        }
        folders
    }

    fn declaring_file(&self, folder: &str, module: &str, look: &dyn Look) -> Option<String> {
        let is_name = |name: &str| !name.is_empty() && !name.contains(['/', '\\']);
        if !module.split('.').all(is_name) {
            return None;
        }
        let (first, rest) = module.split_once('.').unwrap_or((module, ""));
        let top = look.names(folder);
        let has = |name: &str| top.binary_search_by(|known| known.as_str().cmp(name)).is_ok();
        let below = rest.replace('.', "/");
        let stubs = format!("{first}-stubs");
        for package in [stubs.as_str(), first] {
            if !has(package) {
                continue;
            }
            let base = within(&within(folder, package), &below);
            let candidates = [
                format!("{base}/__init__.pyi"),
                format!("{base}/__init__.py"),
                format!("{base}.pyi"),
                format!("{base}.py"),
            ];
            if let Some(found) = candidates.into_iter().find(|path| look.is_file(path)) {
                return Some(found);
            }
        }
        let is_single = |path: &String| rest.is_empty() && look.is_file(path);
        [format!("{folder}/{first}.pyi"), format!("{folder}/{first}.py")]
            .into_iter()
            .find(is_single)
    }

    fn complete(&self, facts: &mut FileFacts, module: &str, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        absolute_imports(facts, module, name.starts_with("__init__."));
    }
}

/// Writes the relative imports of a module out: what stands for itself has no place in a tree of files.
pub fn absolute_imports(facts: &mut FileFacts, module: &str, is_package: bool) {
    let mut specs: Vec<(usize, String)> = Vec::new();
    for (ix, import) in facts.imports.iter().enumerate() {
        let spec = facts.str(import.spec);
        let name = spec.trim_start_matches('.');
        let n_dots = spec.len() - name.len();
        if n_dots == 0 {
            continue;
        }
        let mut folder: Vec<&str> = module.split('.').collect();
        if !is_package {
            folder.pop();
        }
        for _ in 1..n_dots {
            folder.pop();
        }
        if !name.is_empty() {
            folder.push(name);
        }
        specs.push((ix, folder.join(".")));
    }
    for (ix, spec) in specs {
        facts.strings.text.push_str(&spec);
        facts
            .strings
            .ends
            .push(u32::try_from(facts.strings.text.len()).unwrap_or(u32::MAX));
        facts.imports[ix].spec = StrId(u32::try_from(facts.strings.len() - 1).unwrap_or(u32::MAX));
    }
}
