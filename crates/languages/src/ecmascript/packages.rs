//! `package.json`: names, entries, and the maps of `exports` and `imports`.

use std::collections::BTreeMap;

use serde_json::Value;
use strata_lang::Workspace;
use strata_lang::workspace::parent;

use super::json;
use super::tsconfig::best_matches;

/// Conditions of an `exports` map in the order in which they are tried; one that names sources comes first of all, what
/// is not listed comes last.
const CONDITIONS: &[&str] = &[
    "types",
    "import",
    "module",
    "module-sync",
    "node",
    "browser",
    "development",
    "require",
    "default",
];
/// Fields that name the entry of a package, in the order in which they are tried.
const ENTRY_FIELDS: &[&str] = &["source", "types", "typings", "module", "jsnext:main", "main"];

/// A package of the workspace.
#[derive(Debug)]
pub(super) struct Manifest {
    /// Its folder.
    pub(super) folder: String,
    value: Value,
}

/// All packages of a workspace.
#[derive(Debug, Default)]
pub(super) struct Manifests {
    by_folder: BTreeMap<String, Manifest>,
    folders_by_name: BTreeMap<String, Vec<String>>,
}

/// The package's name and the path below it: `@org/core/a/b` → (`@org/core`, `a/b`).
pub(super) fn split(spec: &str) -> (&str, &str) {
    let mut ends = spec.match_indices('/').map(|(at, _)| at);
    let end = if spec.starts_with('@') {
        ends.nth(1)
    } else {
        ends.next()
    };
    match end {
        Some(end) => (&spec[..end], &spec[end + 1..]),
        None => (spec, ""),
    }
}

impl Manifests {
    pub(super) fn new(workspace: &Workspace) -> Self {
        let mut manifests = Self::default();
        for (path, text) in workspace.configs() {
            if path != "package.json" && !path.ends_with("/package.json") {
                continue;
            }
            let Some(value) = json::parse(text) else { continue };
            let folder = parent(path).to_owned();
            if let Some(name) = value.get("name").and_then(Value::as_str) {
                manifests
                    .folders_by_name
                    .entry(name.to_owned())
                    .or_default()
                    .push(folder.clone());
            }
            manifests.by_folder.insert(folder.clone(), Manifest { folder, value });
        }
        manifests
    }

    /// The manifest in a folder.
    pub(super) fn in_folder(&self, folder: &str) -> Option<&Manifest> {
        self.by_folder.get(folder)
    }

    /// The manifest of the closest folder that has one.
    pub(super) fn around(&self, folder: &str) -> Option<&Manifest> {
        let mut at = folder;
        loop {
            if let Some(manifest) = self.by_folder.get(at) {
                return Some(manifest);
            }
            if at.is_empty() {
                return None;
            }
            at = parent(at);
        }
    }

    /// The package of a name; of several the one that shares most of its path with `near`.
    pub(super) fn named(&self, name: &str, near: &str) -> Option<&Manifest> {
        let folders = self.folders_by_name.get(name)?;
        let shared = |folder: &str| {
            folder
                .split('/')
                .zip(near.split('/'))
                .take_while(|(a, b)| a == b)
                .count()
        };
        let mut best: Option<&String> = None;
        for folder in folders {
            if best.is_none_or(|best| shared(folder) > shared(best)) {
                best = Some(folder);
            }
        }
        self.by_folder.get(best?)
    }
}

impl Manifest {
    /// The paths that `exports` gives for the entry `subpath` (`.`, `./x`), best first. None: there is no such map.
    pub(super) fn exported(&self, subpath: &str) -> Option<Vec<String>> {
        let exports = self.value.get("exports")?;
        let is_map = exports
            .as_object()
            .is_some_and(|map| map.keys().any(|key| key.starts_with('.')));
        if is_map {
            return Some(mapped(exports, subpath));
        }
        let mut out = Vec::new();
        if subpath == "." {
            collect(exports, "", &mut out);
        }
        Some(out)
    }

    /// The paths or packages that `imports` gives for `#name`.
    pub(super) fn imported(&self, name: &str) -> Vec<String> {
        self.value
            .get("imports")
            .map(|imports| mapped(imports, name))
            .unwrap_or_default()
    }

    /// The paths that fields such as `main` give for the package itself.
    pub(super) fn entries(&self) -> impl Iterator<Item = &str> {
        ENTRY_FIELDS
            .iter()
            .filter_map(|field| self.value.get(field).and_then(Value::as_str))
    }
}

/// The targets of a name in a map with patterns.
fn mapped(map: &Value, name: &str) -> Vec<String> {
    let mut out = Vec::new();
    let Some(map) = map.as_object() else { return out };
    for (target, star) in best_matches(map.iter().map(|(key, value)| (key.as_str(), value)), name) {
        collect(target, star, &mut out);
        if !out.is_empty() {
            break;
        }
    }
    if out.is_empty() {
        // Maps from before patterns name folders: `"./lib/": "./lib/"`.
        for (key, value) in map {
            if key.ends_with('/')
                && let Some(rest) = name.strip_prefix(key.as_str())
                && let Some(target) = value.as_str()
            {
                out.push(format!("{target}{rest}"));
            }
        }
    }
    out
}

/// Puts all paths of a target with conditions in order. Every condition leads to the same module in another form, and
/// only one of the forms is in the workspace, so all are candidates.
fn collect(target: &Value, star: &str, out: &mut Vec<String>) {
    match target {
        Value::String(path) => out.push(path.replace('*', star)),
        Value::Array(targets) => {
            for target in targets {
                collect(target, star, out);
            }
        }
        Value::Object(conditions) => {
            let rank = |name: &str| {
                if name.ends_with("source") || name == "bun" || name == "deno" {
                    return 0;
                }
                CONDITIONS
                    .iter()
                    .position(|it| *it == name)
                    .map_or(CONDITIONS.len() + 1, |at| at + 1)
            };
            let mut sorted: Vec<(&String, &Value)> = conditions.iter().collect();
            sorted.sort_by_key(|(name, _)| rank(name));
            for (_, target) in sorted {
                collect(target, star, out);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
