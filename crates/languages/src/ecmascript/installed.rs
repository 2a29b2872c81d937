//! Packages that npm installed below the root.
//!
//! They lie side by side in `node_modules`. What a package declares is in its `.d.ts` files, named by the conditions of
//! `exports`, by `types`, or beside the JavaScript; for packages without any in `@types`. Sources are not read.

use serde_json::Value;
use strata_lang::{InstalledPackages, Look, workspace};
use strata_model::facts::{FileFacts, Strings};
use strata_model::ids::StrId;

use super::json;

const FOLDER: &str = "node_modules";
/// Conditions under which a declaration may be named, besides `types` itself.
const CONDITIONS: [&str; 5] = ["types", "import", "node", "require", "default"];
/// Suffixes of JavaScript, with those of the declarations beside it.
const SUFFIXES: [(&str, &str); 3] = [(".mjs", ".d.mts"), (".cjs", ".d.cts"), (".js", ".d.ts")];
const DECLARATIONS: [&str; 3] = [".d.ts", ".d.mts", ".d.cts"];
/// Most conditions inside each other.
const DEEPEST: u32 = 8;

/// The layout of `node_modules`.
pub(crate) struct NodeModules;

impl InstalledPackages for NodeModules {
    fn ecosystem(&self) -> &'static str {
        "npm"
    }

    fn is_holder(&self, folder: &str, _look: &dyn Look) -> bool {
        folder == FOLDER || folder.ends_with("/node_modules")
    }

    fn folders(&self, holder: &str, _look: &dyn Look) -> Vec<String> {
        vec![holder.to_owned()]
    }

    fn declaring_file(&self, folder: &str, module: &str, look: &dyn Look) -> Option<String> {
        let is_name = |name: &str| !name.is_empty() && name != "." && name != ".." && !name.contains('\\');
        if !module.split('/').all(is_name) {
            return None;
        }
        let (package, below) = package_of(module);
        let typed = match package.strip_prefix('@') {
            Some(scoped) => format!("{folder}/@types/{}", scoped.replace('/', "__")),
            None => format!("{folder}/@types/{package}"),
        };
        [format!("{folder}/{package}"), typed]
            .iter()
            .filter(|root| !look.names(root).is_empty())
            .find_map(|root| within(root, below, look))
    }

    fn complete(&self, facts: &mut FileFacts, _module: &str, path: &str) {
        let inside = path
            .rfind("node_modules/")
            .map_or(path, |at| &path[at + FOLDER.len() + 1..]);
        let folder: Vec<&str> = inside.split('/').collect();
        let folder = &folder[..folder.len().saturating_sub(1)];
        let mut strings = Strings::default();
        for ix in 0..facts.strings.len() {
            let text = facts.strings.get(StrId(u32::try_from(ix).unwrap_or(u32::MAX)));
            strings.text.push_str(&absolute(folder, text));
            let end = u32::try_from(strings.text.len()).unwrap_or(u32::MAX);
            strings.ends.push(end);
        }
        facts.strings = strings;
    }
}

/// The package that a module belongs to, and the path below it.
fn package_of(module: &str) -> (&str, &str) {
    let n_names = if module.starts_with('@') { 2 } else { 1 };
    match module.match_indices('/').nth(n_names - 1) {
        Some((at, _)) => (&module[..at], &module[at + 1..]),
        None => (module, ""),
    }
}

/// A module as written, so that it does not depend on where it is written: without the suffix of the JavaScript that is
/// meant, and modules of Node.js without their prefix.
fn absolute(folder: &[&str], spec: &str) -> String {
    if let Some(name) = spec.strip_prefix("node:") {
        return name.to_owned();
    }
    if !matches!(spec, "." | "..") && !spec.starts_with("./") && !spec.starts_with("../") {
        return spec.to_owned();
    }
    let mut parts = folder.to_vec();
    for part in spec.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let stem = SUFFIXES.iter().find_map(|(suffix, _)| path.strip_suffix(suffix));
    stem.map(str::to_owned).unwrap_or(path)
}

/// The declaring file of what is `below` a package's folder.
fn within(root: &str, below: &str, look: &dyn Look) -> Option<String> {
    let manifest = look
        .text(&format!("{root}/package.json"))
        .and_then(|text| json::parse(&text))
        .unwrap_or(Value::Null);
    let key = if below.is_empty() {
        ".".to_owned()
    } else {
        format!("./{below}")
    };
    if let Some(found) = exported(&manifest["exports"], &key).and_then(|path| declaration(root, &path, look)) {
        return Some(found);
    }
    if !below.is_empty() {
        return declaration(root, below, look);
    }
    ["types", "typings", "main"]
        .iter()
        .filter_map(|field| manifest[field].as_str())
        .find_map(|path| declaration(root, path, look))
        .or_else(|| declaration(root, "index", look))
}

/// The path that `exports` has for a key.
fn exported(exports: &Value, key: &str) -> Option<String> {
    let is_table = exports
        .as_object()
        .is_some_and(|it| it.keys().any(|key| key.starts_with('.')));
    if !is_table {
        return if key == "." { chosen(exports, 0) } else { None };
    }
    let table = exports.as_object()?;
    if let Some(value) = table.get(key) {
        return chosen(value, 0);
    }
    table.iter().find_map(|(pattern, value)| {
        let (before, after) = pattern.split_once('*')?;
        let star = key.strip_prefix(before)?.strip_suffix(after)?;
        Some(chosen(value, 0)?.replace('*', star))
    })
}

/// The path under the first condition that applies.
fn chosen(value: &Value, depth: u32) -> Option<String> {
    match value {
        Value::String(path) => Some(path.clone()),
        Value::Array(items) => items.iter().find_map(|item| chosen(item, depth + 1)),
        Value::Object(table) if depth < DEEPEST => CONDITIONS
            .iter()
            .filter_map(|condition| table.get(*condition))
            .find_map(|value| chosen(value, depth + 1)),
        _ => None,
    }
}

/// The declarations at a path, or beside the JavaScript there.
fn declaration(root: &str, path: &str, look: &dyn Look) -> Option<String> {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    if path.split('/').any(|part| part == "..") {
        return None;
    }
    let base = workspace::within(root, path);
    let mut candidates = Vec::new();
    if DECLARATIONS.iter().any(|suffix| base.ends_with(suffix)) {
        candidates.push(base.clone());
    }
    for (suffix, declared) in SUFFIXES {
        if let Some(stem) = base.strip_suffix(suffix) {
            candidates.push(format!("{stem}{declared}"));
        }
    }
    candidates.extend(DECLARATIONS.iter().map(|suffix| format!("{base}{suffix}")));
    candidates.push(format!("{base}/index.d.ts"));
    candidates.into_iter().find(|path| look.is_file(path))
}
