//! Names and keys: the FQN of each module and definition, and what makes a definition the same after an edit.
//!
//! A definition's FQN is its module's, followed by the names of the listed definitions around it and its own. Siblings of
//! one name, such as overloads or a getter and its setter, get `#2`, `#3` in the order of the source.
//!
//! A definition's key is a hash of its parent's key, its name, its kind, and its place among siblings with the same name
//! and kind. It survives edits elsewhere in the file and does not depend on the module's name.

use rustc_hash::FxHashMap;
use strata_lang::workspace::{Package, parent};
use strata_lang::{Language, Workspace};
use strata_model::facts::FileFacts;
use strata_model::ids::{DefId, FileIx};
use strata_model::symbol::{FQN_SEPARATOR, is_listed};
use strata_storage::Unlisted;

/// The key of the module itself.
pub(crate) const MODULE_KEY: u64 = 0xcbf2_9ce4_8422_2325;

/// A definition that is a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedDef {
    pub(crate) def: DefId,
    pub(crate) key: u64,
    pub(crate) fqn: String,
    /// Index of the parent among the file's nodes, where 0 is the module and `n + 1` the definition at `n`.
    pub(crate) parent: usize,
}

/// The definitions of a file, named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NamedDefs {
    /// Nodes, parents before their children.
    pub(crate) nodes: Vec<NamedDef>,
    /// The rest.
    pub(crate) unlisted: Vec<Unlisted>,
}

/// Names the definitions of a file.
pub(crate) fn name_defs(facts: &FileFacts, module_fqn: &str) -> NamedDefs {
    let keys = keys_of(facts);
    let mut out = NamedDefs::default();
    let mut node_of = vec![None; facts.defs.len()];
    let mut same_name: FxHashMap<(usize, &str), u32> = FxHashMap::default();
    let parent_of = |id: DefId| nearest_listed(facts, facts.def(id).parent);
    for id in parents_first(facts, parent_of) {
        let owner = parent_of(id);
        let key = keys[id.ix()];
        if !is_listed(facts.def(id)) {
            out.unlisted.push(Unlisted { key, def: id, owner });
            continue;
        }
        let name = facts.str(facts.def(id).name);
        let parent = owner
            .and_then(|owner| node_of[owner.ix()])
            .map_or(0, |node: usize| node + 1);
        let parent_fqn = if parent == 0 {
            module_fqn
        } else {
            &out.nodes[parent - 1].fqn
        };
        let mut fqn = format!("{parent_fqn}{FQN_SEPARATOR}{name}");
        let n = count(same_name.entry((parent, name)).or_default()) + 1;
        if n > 1 {
            push_number(&mut fqn, n);
        }
        node_of[id.ix()] = Some(out.nodes.len());
        out.nodes.push(NamedDef {
            def: id,
            key,
            fqn,
            parent,
        });
    }
    out
}

/// The key of each definition.
fn keys_of(facts: &FileFacts) -> Vec<u64> {
    let mut keys = vec![MODULE_KEY; facts.defs.len()];
    let mut same_key: FxHashMap<u64, u32> = FxHashMap::default();
    for id in parents_first(facts, |id| facts.def(id).parent) {
        let def = facts.def(id);
        let parent_key = def.parent.map_or(MODULE_KEY, |parent| keys[parent.ix()]);
        let group = hash(hash(parent_key, facts.str(def.name).as_bytes()), &[def.kind.code()]);
        let ordinal = count(same_key.entry(group).or_default());
        keys[id.ix()] = hash(group, &ordinal.to_le_bytes());
    }
    keys
}

/// The definition itself if it is a node, else the nearest one around it that is; none for the module.
pub(crate) fn nearest_listed(facts: &FileFacts, mut def: Option<DefId>) -> Option<DefId> {
    while let Some(id) = def {
        if is_listed(facts.def(id)) {
            return def;
        }
        def = facts.def(id).parent;
    }
    None
}

/// All definitions in the order of the source, except that whatever `parent_of` gives comes before what it is given for.
fn parents_first(facts: &FileFacts, parent_of: impl Fn(DefId) -> Option<DefId>) -> Vec<DefId> {
    let depth = |id: DefId| {
        // No chain is longer than the list of definitions.
        std::iter::successors(parent_of(id), |id| parent_of(*id))
            .take(facts.defs.len())
            .count()
    };
    let ids = (0..u32::try_from(facts.defs.len()).unwrap_or(u32::MAX)).map(DefId);
    let mut order: Vec<(usize, u32, DefId)> = ids.map(|id| (depth(id), facts.def(id).name_span.start, id)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, _, id)| id).collect()
}

fn push_number(fqn: &mut String, n: u32) {
    fqn.push('#');
    fqn.push_str(&n.to_string());
}

fn count(seen: &mut u32) -> u32 {
    *seen += 1;
    *seen - 1
}

/// FNV-1a, continued from `seed`. Keys are stored, so the hash may not change between builds or machines.
fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let hashed = bytes.iter().fold(seed, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    // Marks the end, so that `ab` + `c` differs from `a` + `bc`.
    (hashed ^ 0xff).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Name of the root: the alias, else the name of its folder.
pub(crate) fn root_name(root: &std::path::Path, alias: Option<&str>) -> String {
    let folder = || {
        root.file_name()
            .map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned())
    };
    alias
        .filter(|alias| !alias.is_empty())
        .map_or_else(folder, str::to_owned)
}

/// FQN of a package: its name, or what replaces it for the one in the root folder.
pub(crate) fn package_fqn<'a>(package: &'a Package, alias: Option<&'a str>) -> &'a str {
    match alias {
        Some(alias) if package.folder.is_empty() && !alias.is_empty() => alias,
        Some(_) | None => &package.name,
    }
}

/// The package of each file, as an index into the workspace's packages, and the FQN of each module.
pub(crate) fn name_modules(
    workspace: &Workspace,
    language: impl Fn(FileIx) -> &'static dyn Language,
    root_name: &str,
    alias: Option<&str>,
) -> Vec<(Option<usize>, String)> {
    let packages = workspace.packages();
    let by_folder: FxHashMap<&str, usize> = packages
        .iter()
        .enumerate()
        .map(|(ix, package)| (package.folder.as_str(), ix))
        .collect();
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    let mut out = Vec::with_capacity(workspace.paths().len());
    for (ix, path) in workspace.paths().iter().enumerate() {
        let file = FileIx(u32::try_from(ix).unwrap_or(u32::MAX));
        let package = folders_around(path).find_map(|folder| by_folder.get(folder).copied());
        let (first, folder) = package.map_or((root_name, ""), |ix| {
            (package_fqn(&packages[ix], alias), packages[ix].folder.as_str())
        });
        let below = if folder.is_empty() {
            path.as_str()
        } else {
            &path[folder.len() + 1..]
        };
        let mut fqn = first.to_owned();
        for segment in language(file).module_segments(below) {
            fqn.push_str(FQN_SEPARATOR);
            fqn.push_str(&segment);
        }
        let n = count(seen.entry(fqn.clone()).or_default()) + 1;
        if n > 1 {
            push_number(&mut fqn, n);
        }
        out.push((package, fqn));
    }
    out
}

/// The folders that hold a path, the nearest first, the root last.
fn folders_around(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(parent(path)), |folder| {
        (!folder.is_empty()).then(|| parent(folder))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use strata_lang::Workspace;
    use strata_lang::workspace::Package;
    use strata_languages::python::Python;

    use super::{name_defs, name_modules, root_name};

    fn modules(paths: &[&str], packages: &[(&str, &str)], alias: Option<&str>) -> Vec<String> {
        let packages = packages.iter().map(|(name, folder)| Package {
            name: (*name).to_owned(),
            folder: (*folder).to_owned(),
            manifest: String::new(),
            marker: "python",
        });
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let workspace = Workspace::new(paths, BTreeMap::new(), packages.collect());
        name_modules(&workspace, |_| &Python, "root", alias)
            .into_iter()
            .map(|(_, fqn)| fqn)
            .collect()
    }

    #[test]
    fn the_nearest_package_names_a_module() {
        let packages = [("outer", "a"), ("inner", "a/b")];
        assert_eq!(
            modules(&["a/b/x.py", "a/bc/x.py", "z.py"], &packages, None),
            ["inner::x", "outer::bc::x", "root::z"]
        );
    }

    #[test]
    fn colliding_modules_are_numbered_in_path_order() {
        assert_eq!(
            modules(&["m/x.py", "m/x/__init__.py"], &[("p", "")], None),
            ["p::m::x", "p::m::x#2"]
        );
    }

    #[test]
    fn an_alias_replaces_the_package_in_the_root_only() {
        let packages = [("p", ""), ("q", "q")];
        assert_eq!(modules(&["a.py", "q/b.py"], &packages, Some("top")), ["top::a", "q::b"]);
        assert_eq!(root_name(std::path::Path::new("/x/shop"), None), "shop");
        assert_eq!(root_name(std::path::Path::new("/x/shop"), Some("s")), "s");
    }

    fn fqns(text: &str) -> Vec<String> {
        let facts = strata_extract::extract(&Python, "m.py", text.as_bytes(), strata_extract::Limits::default());
        name_defs(&facts, "p::m").nodes.into_iter().map(|it| it.fqn).collect()
    }

    #[test]
    fn siblings_of_one_name_are_numbered_in_source_order() {
        let text = "class A:\n    @property\n    def x(self): ...\n    @x.setter\n    def x(self, v): ...\ndef f(): ...\ndef f(): ...\n";
        assert_eq!(
            fqns(text),
            ["p::m::A", "p::m::f", "p::m::f#2", "p::m::A::x", "p::m::A::x#2"]
        );
    }

    #[test]
    fn a_key_survives_edits_elsewhere_in_the_file() {
        let keys = |text: &str| {
            let facts = strata_extract::extract(&Python, "m.py", text.as_bytes(), strata_extract::Limits::default());
            let named = name_defs(&facts, "p::m").nodes;
            named.into_iter().find(|it| it.fqn == "p::m::A::x").map(|it| it.key)
        };
        let alone = keys("class A:\n    def x(self): ...\n");
        assert!(alone.is_some());
        assert_eq!(
            keys("import os\ndef g(): ...\n\nclass A:\n    def w(self): ...\n    def x(self): return 1\n"),
            alone
        );
    }
}
