//! Links again only what a change can reach, by the keys that linking recorded, as the index does it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use strata_lang::workspace::parent;
use strata_model::ids::{DefId, FileIx, SymbolRef};
use strata_resolve::{FileLinks, Program, fingerprint, path_key, surface};

use crate::Languages;
use crate::fixture::language_of;
use crate::world::{File, Files, Input, World};

/// A step from one state to the next.
pub(crate) struct Step {
    /// The new state.
    pub(crate) world: World,
    /// Paths of the files that were linked again.
    pub(crate) relinked: BTreeSet<String>,
    /// Targets that files which were not linked again had and that are gone.
    pub(crate) dangling: Vec<String>,
}

/// Goes from `old`, whose files were `old_input`, to the state of `new_input`.
pub(crate) fn step(languages: Languages, old: &World, old_input: &Input, new_input: &Input) -> Step {
    let files = extract_changed(languages, old, old_input, new_input);
    let workspace = files.workspace(new_input);
    let changed = changed_keys(&old.files, &files);
    let is_all = old_input.configs != new_input.configs
        || fingerprint(&old.files.workspace(old_input), languages) != fingerprint(&workspace, languages);
    let ranks: BTreeMap<&str, usize> = by_path(&old.files);
    let mut relinked = BTreeSet::new();
    let mut dangling = Vec::new();
    let mut links = Vec::new();
    let mut program = Program::new(&workspace, &files);
    for (index, file) in files.0.iter().enumerate() {
        let old_rank = ranks.get(file.path.as_str()).copied();
        let kept = old_rank.filter(|rank| {
            let is_same = Arc::ptr_eq(&old.files.0[*rank].facts, &file.facts);
            !is_all && is_same && !old.links[*rank].keys.iter().any(|key| changed.contains(key))
        });
        links.push(match kept {
            Some(rank) => carry(old, rank, &files, &mut dangling),
            None => {
                relinked.insert(file.path.clone());
                program.link(FileIx(u32::try_from(index).unwrap_or(u32::MAX)))
            }
        });
    }
    drop(program);
    Step {
        world: World { files, links },
        relinked,
        dangling,
    }
}

fn by_path(files: &Files) -> BTreeMap<&str, usize> {
    files
        .0
        .iter()
        .enumerate()
        .map(|(rank, file)| (file.path.as_str(), rank))
        .collect()
}

fn extract_changed(languages: Languages, old: &World, old_input: &Input, new_input: &Input) -> Files {
    let ranks = by_path(&old.files);
    let mut files = Vec::new();
    for (path, text) in &new_input.files {
        let Some(language) = language_of(languages, path) else {
            continue;
        };
        let same = ranks
            .get(path.as_str())
            .filter(|_| old_input.files.get(path) == Some(text));
        files.push(match same {
            Some(rank) => old.files.0[*rank].clone(),
            None => File::new(language, path, text),
        });
    }
    Files(files)
}

/// The keys whose answer is not what it was.
fn changed_keys(old: &Files, new: &Files) -> BTreeSet<u64> {
    let (old, new) = (answers(old), answers(new));
    let differs = |key: &u64| old.get(key) != new.get(key);
    old.keys().chain(new.keys()).copied().filter(differs).collect()
}

fn answers(files: &Files) -> BTreeMap<u64, Vec<u64>> {
    let mut answers: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let mut paths = BTreeSet::new();
    for file in &files.0 {
        for (key, answer) in surface(&file.path, &file.facts) {
            answers.entry(key).or_default().push(answer);
        }
        paths.insert(file.path.clone());
        let mut folder = parent(&file.path);
        while paths.insert(format!("{folder}/")) && !folder.is_empty() {
            folder = parent(folder);
        }
    }
    for path in paths {
        answers.entry(path_key(&path)).or_default().push(0);
    }
    answers
}

/// The links of a file that is not linked again, with its targets where they are now.
fn carry(old: &World, rank: usize, files: &Files, dangling: &mut Vec<String>) -> FileLinks {
    let mut links = old.links[rank].clone();
    let path = &old.files.0[rank].path;
    let mut move_one = |target: &mut SymbolRef| match find(&old.files, *target, files) {
        Some(now) => *target = now,
        None => dangling.push(format!("{path} still refers to {}", old.files.symbol(*target))),
    };
    for outcome in &mut links.outcomes {
        outcome.targets.iter_mut().for_each(&mut move_one);
        outcome.targets.sort();
    }
    for (_, overridden) in &mut links.overrides {
        move_one(overridden);
    }
    for registration in &mut links.registrations {
        move_one(&mut registration.target);
    }
    links.registrations.sort_unstable();
    for receiver in &mut links.receivers {
        move_one(&mut receiver.target);
        move_one(&mut receiver.class);
    }
    links
}

/// The symbol of the same file and name in another state.
fn find(old: &Files, target: SymbolRef, files: &Files) -> Option<SymbolRef> {
    let old_file = old.0.get(target.file.ix())?;
    let rank = files.0.binary_search_by(|file| file.path.cmp(&old_file.path)).ok()?;
    let file = FileIx(u32::try_from(rank).ok()?);
    if target.is_module() {
        return Some(SymbolRef::module(file));
    }
    let name = old_file.names.get(target.def.ix())?;
    let def = files.0[rank]
        .names
        .iter()
        .position(|it| it.path == name.path && it.ordinal == name.ordinal)?;
    Some(SymbolRef {
        file,
        def: DefId(u32::try_from(def).ok()?),
    })
}
