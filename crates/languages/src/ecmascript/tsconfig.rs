//! `tsconfig.json` and `jsconfig.json`: what they say about where modules are.

use std::collections::BTreeMap;

use serde_json::Value;
use strata_lang::Workspace;
use strata_lang::workspace::{join, parent};

use super::json;

/// How many files `extends` is followed over.
const MAX_EXTENDS: u32 = 16;

/// Settings of one folder, with those it extends.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// The folder below which module names without a dot in front are looked for.
    pub(super) base_url: Option<String>,
    /// Patterns with at most one `*`, and the paths they stand for, relative to the root.
    pub(super) paths: Vec<(String, Vec<String>)>,
    /// Where the compiler writes to and reads from: (out folder, source folder).
    pub(super) outputs: Vec<(String, Option<String>)>,
    /// Other settings that share the work; for a file that only lists those.
    references: Vec<String>,
}

/// All settings of a workspace.
#[derive(Debug, Default)]
pub(super) struct AllSettings {
    by_folder: BTreeMap<String, Settings>,
    outputs: BTreeMap<String, Vec<(String, Option<String>)>>,
}

impl AllSettings {
    pub(super) fn new(workspace: &Workspace, package_folder: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut files: BTreeMap<&str, Value> = BTreeMap::new();
        for (path, text) in workspace.configs() {
            let name = path.rsplit('/').next().unwrap_or(path);
            if name.starts_with("tsconfig") || name == "jsconfig.json" {
                files.insert(path, json::parse(text).unwrap_or(Value::Null));
            }
        }
        let mut all = Self::default();
        for path in files.keys() {
            let folder = parent(path);
            let settings = read(path, folder, &files, package_folder, 0);
            let outputs = all.outputs.entry(folder.to_owned()).or_default();
            for output in &settings.outputs {
                if !outputs.contains(output) {
                    outputs.push(output.clone());
                }
            }
            let name = path.rsplit('/').next().unwrap_or(path);
            if name == "tsconfig.json" || (name == "jsconfig.json" && !all.by_folder.contains_key(folder)) {
                all.by_folder.insert(folder.to_owned(), settings);
            }
        }
        for folder in all.by_folder.keys().cloned().collect::<Vec<_>>() {
            all.take_from_references(&folder, &files, package_folder);
        }
        all
    }

    /// A file that says nothing itself and refers to others in its folder (`tsconfig.app.json`) means theirs.
    fn take_from_references(
        &mut self,
        folder: &str,
        files: &BTreeMap<&str, Value>,
        package_folder: &dyn Fn(&str) -> Option<String>,
    ) {
        let Some(settings) = self.by_folder.get(folder) else {
            return;
        };
        if !settings.paths.is_empty() || settings.base_url.is_some() {
            return;
        }
        let found = settings
            .references
            .iter()
            .filter(|path| parent(path) == folder)
            .map(|path| read(path, folder, files, package_folder, 0))
            .find(|it| !it.paths.is_empty() || it.base_url.is_some());
        if let Some(found) = found {
            self.by_folder.insert(folder.to_owned(), found);
        }
    }

    /// The settings that apply to files of a folder: those of the closest folder that has any.
    pub(super) fn of(&self, folder: &str) -> Option<&Settings> {
        let mut at = folder;
        loop {
            if let Some(settings) = self.by_folder.get(at) {
                return Some(settings);
            }
            if at.is_empty() {
                return None;
            }
            at = parent(at);
        }
    }

    /// Where the compiler writes to and reads from, by the settings that lie in a folder.
    pub(super) fn outputs_in(&self, folder: &str) -> &[(String, Option<String>)] {
        self.outputs.get(folder).map_or(&[], Vec::as_slice)
    }
}

fn read(
    path: &str,
    config_folder: &str,
    files: &BTreeMap<&str, Value>,
    package_folder: &dyn Fn(&str) -> Option<String>,
    depth: u32,
) -> Settings {
    let mut settings = Settings::default();
    let Some(value) = files.get(path) else { return settings };
    if depth > MAX_EXTENDS {
        return settings;
    }
    let folder = parent(path);
    let bases: Vec<&str> = match value.get("extends") {
        Some(Value::String(base)) => vec![base],
        Some(Value::Array(bases)) => bases.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    for base in bases {
        if let Some(found) = extended(base, folder, files, package_folder) {
            let inherited = read(&found, config_folder, files, package_folder, depth + 1);
            settings.take_over(inherited);
        }
    }
    settings.references = value
        .get("references")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|it| it.get("path").and_then(Value::as_str))
        .filter_map(|it| join(folder, it))
        .collect();
    let Some(options) = value.get("compilerOptions") else {
        return settings;
    };
    let place = |text: &str| match text.strip_prefix("${configDir}") {
        Some(rest) => join(config_folder, rest.trim_start_matches('/')),
        None => join(folder, text),
    };
    let folder_of = |key: &str| options.get(key).and_then(Value::as_str).and_then(place);
    if let Some(base) = folder_of("baseUrl") {
        settings.base_url = Some(base);
    }
    if let Some(Value::Object(paths)) = options.get("paths") {
        let base = settings.base_url.clone().unwrap_or_else(|| folder.to_owned());
        settings.paths = paths
            .iter()
            .map(|(pattern, targets)| {
                let targets = targets.as_array().into_iter().flatten().filter_map(Value::as_str);
                let targets = targets.filter_map(|target| match target.strip_prefix("${configDir}") {
                    Some(rest) => join(config_folder, rest.trim_start_matches('/')),
                    None => join(&base, target),
                });
                (pattern.clone(), targets.collect())
            })
            .collect();
    }
    let out = folder_of("outDir").or_else(|| folder_of("declarationDir"));
    let source = folder_of("rootDir");
    if let Some(out) = out {
        settings.outputs = vec![(out, source)];
    } else if source.is_some() {
        for output in &mut settings.outputs {
            output.1.clone_from(&source);
        }
    }
    settings
}

impl Settings {
    fn take_over(&mut self, other: Self) {
        if other.base_url.is_some() {
            self.base_url = other.base_url;
        }
        if !other.paths.is_empty() {
            self.paths = other.paths;
        }
        if !other.outputs.is_empty() {
            self.outputs = other.outputs;
        }
    }
}

/// The file that `extends` names.
fn extended(
    base: &str,
    folder: &str,
    files: &BTreeMap<&str, Value>,
    package_folder: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let path = if base.starts_with('.') {
        join(folder, base)?
    } else {
        let (package, rest) = super::packages::split(base);
        join(&package_folder(package)?, rest)?
    };
    [path.clone(), format!("{path}.json"), format!("{path}/tsconfig.json")]
        .into_iter()
        .map(|it| it.trim_start_matches('/').to_owned())
        .find(|it| files.contains_key(it.as_str()))
}

/// What of `spec` a pattern with at most one `*` leaves for the star; none when it does not fit.
pub(super) fn matched<'a>(pattern: &str, spec: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        None => (pattern == spec).then_some(""),
        Some((before, after)) => {
            let fits = spec.len() >= before.len() + after.len() && spec.starts_with(before) && spec.ends_with(after);
            fits.then(|| &spec[before.len()..spec.len() - after.len()])
        }
    }
}

/// The entries whose pattern fits, best first: exact ones, then by the length of the part before the star.
pub(super) fn best_matches<'p, 's, T>(
    patterns: impl Iterator<Item = (&'p str, T)>,
    spec: &'s str,
) -> Vec<(T, &'s str)> {
    let mut found: Vec<(usize, T, &str)> = patterns
        .filter_map(|(pattern, value)| {
            let star = matched(pattern, spec)?;
            let rank = pattern.find('*').unwrap_or(usize::MAX);
            Some((rank, value, star))
        })
        .collect();
    found.sort_by_key(|(rank, ..)| std::cmp::Reverse(*rank));
    found.into_iter().map(|(_, value, star)| (value, star)).collect()
}
