//! Which files are sources of which language, and which others decide how they resolve.

use std::collections::BTreeMap;

use strata_lang::Language;
use strata_lang::workspace::Package;
use strata_storage::InputRow;
use strata_vfs::{Folder, Fs, Stat, Walk, sha256, walk};

use crate::installed;
use crate::manifests;
use crate::names::root_name;
use crate::report::FilterStats;
use crate::run::Site;
use crate::text::decode;

/// Larger manifests and settings are not read.
const MAX_CONFIG_SIZE: u64 = 1 << 20;

/// A file that is to be indexed.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) language: &'static dyn Language,
    pub(crate) stat: Stat,
}

/// A source that is not indexed.
pub(crate) struct Skipped {
    pub(crate) path: String,
    pub(crate) reason: String,
    /// Its size and time: when they change, it is looked at again.
    pub(crate) stat: Stat,
}

impl Skipped {
    /// The row by which a change of the file is noticed. The content does not matter, so its hash is not kept.
    pub(crate) fn input(&self) -> InputRow {
        InputRow {
            path: self.path.clone(),
            size_bytes: self.stat.size,
            mtime_ns: self.stat.mtime_ns,
            sha256: [0; 32],
        }
    }
}

/// What the walk and the manifests say.
pub(crate) struct Discovered {
    /// Sources, by path.
    pub(crate) sources: Vec<Source>,
    /// Sources that are too large, by path.
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) folders: Vec<Folder>,
    /// Ignore files, manifests, settings: whatever else decides the result.
    pub(crate) inputs: Vec<InputRow>,
    /// Folders that may hold installed packages, by path.
    pub(crate) holders: Vec<String>,
    pub(crate) problems: Vec<(String, String)>,
    pub(crate) filter_stats: FilterStats,
}

/// The texts that module resolution may look at, and the packages.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) configs: BTreeMap<String, String>,
    pub(crate) packages: Vec<Package>,
    pub(crate) notes: Vec<String>,
}

/// Walks the root.
pub(crate) fn discover(site: &Site<'_>) -> Discovered {
    let walk = walk(site.fs, &site.config.walk_options());
    let mut filter_stats = FilterStats {
        total_enumerated: walk.counts.total_enumerated,
        excluded_by_exclude_set: walk.counts.excluded_by_exclude_set,
        excluded_by_gitignore: walk.counts.excluded_by_gitignore,
        ..FilterStats::default()
    };
    let mut candidates: Vec<(&str, &'static dyn Language)> = Vec::new();
    for path in &walk.files {
        match kind_of(path, site.languages) {
            Kind::Source(language) => candidates.push((path, language)),
            Kind::ExcludedSuffix => filter_stats.excluded_by_suffix += 1,
            Kind::Other => filter_stats.excluded_by_language += 1,
        }
    }
    let paths: Vec<&str> = candidates.iter().map(|(path, _)| *path).collect();
    let mut sources = Vec::with_capacity(paths.len());
    let mut skipped = Vec::new();
    for ((path, language), stat) in candidates.iter().zip(site.fs.stat_all(&paths)) {
        // A file that went away since its folder was read is simply not there.
        let Some(stat) = stat else { continue };
        let max_size = max_size(*language, site.config.max_file_size);
        if stat.size > max_size {
            filter_stats.excluded_by_size += 1;
            skipped.push(Skipped {
                path: (*path).to_owned(),
                reason: too_large(stat.size, max_size),
                stat,
            });
        } else {
            sources.push(Source {
                path: (*path).to_owned(),
                language: *language,
                stat,
            });
        }
    }
    let inputs = inputs(site, &walk);
    let problems = walk
        .problems
        .into_iter()
        .map(|problem| (problem.path, problem.message))
        .collect();
    Discovered {
        sources,
        skipped,
        folders: walk.folders,
        inputs,
        holders: installed::holders(site, &walk.left_out_folders),
        problems,
        filter_stats,
    }
}

/// The largest file of a language that is read. Where little of a file is code, the limit holds for that little, which is
/// known only when the file has been read; then this one keeps memory within bounds.
pub(crate) fn max_size(language: &dyn Language, max_code_size: u64) -> u64 {
    const DATA_PER_CODE: u64 = 64;
    if language.is_mostly_data() {
        max_code_size.saturating_mul(DATA_PER_CODE)
    } else {
        max_code_size
    }
}

/// Why a large file is skipped.
pub(crate) fn too_large(size: u64, max: u64) -> String {
    format!("too large: {size} bytes, the limit is {max}")
}

enum Kind {
    Source(&'static dyn Language),
    ExcludedSuffix,
    Other,
}

/// What a path is by its suffix. The longest suffix decides, in any case of letters.
fn kind_of(path: &str, languages: &[&'static dyn Language]) -> Kind {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is = |suffix: &str| {
        name.len() > suffix.len()
            && name.is_char_boundary(name.len() - suffix.len())
            && name[name.len() - suffix.len()..].eq_ignore_ascii_case(suffix)
    };
    let mut longest: (usize, Kind) = (0, Kind::Other);
    for language in languages {
        for suffix in language.excluded_suffixes().iter().filter(|suffix| is(suffix)) {
            if suffix.len() >= longest.0 {
                longest = (suffix.len(), Kind::ExcludedSuffix);
            }
        }
        for suffix in language.suffixes().iter().filter(|suffix| is(suffix)) {
            if suffix.len() > longest.0 {
                longest = (suffix.len(), Kind::Source(*language));
            }
        }
    }
    longest.1
}

/// The language of a path, if it is one that is indexed.
pub(crate) fn language_of(path: &str, languages: &[&'static dyn Language]) -> Option<&'static dyn Language> {
    match kind_of(path, languages) {
        Kind::Source(language) => Some(language),
        Kind::ExcludedSuffix | Kind::Other => None,
    }
}

/// True when module resolution or the list of packages depends on a file of this name.
fn is_input(path: &str, languages: &[&'static dyn Language]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    manifests::is_manifest(name) || is_config(name, languages)
}

/// True when module resolution may read a file of this name.
fn is_config(name: &str, languages: &[&'static dyn Language]) -> bool {
    let mut patterns = languages.iter().flat_map(|language| language.config_files());
    patterns.any(|pattern| matches_pattern(pattern, name))
}

/// Matches a file name against a pattern with at most one `*`.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
        None => pattern == name,
    }
}

fn inputs(site: &Site<'_>, walk: &Walk) -> Vec<InputRow> {
    let configs = walk.files.iter().filter(|path| is_input(path, site.languages));
    let mut paths: Vec<&str> = walk.ignore_files.iter().chain(configs).map(String::as_str).collect();
    paths.sort_unstable();
    paths.dedup();
    let stats = site.fs.stat_all(&paths);
    let row = |(path, stat): (&&str, Option<Stat>)| {
        let stat = stat?;
        let content = if stat.size <= MAX_CONFIG_SIZE {
            site.fs.read(path).unwrap_or_default()
        } else {
            Vec::new()
        };
        Some(InputRow {
            path: (*path).to_owned(),
            size_bytes: stat.size,
            mtime_ns: stat.mtime_ns,
            sha256: sha256(&content).0,
        })
    };
    paths.iter().zip(stats).filter_map(row).collect()
}

/// Reads the manifests and settings among the inputs.
pub(crate) fn read_settings(site: &Site<'_>, inputs: &[InputRow]) -> Settings {
    let mut settings = Settings::default();
    let mut manifests: BTreeMap<String, String> = BTreeMap::new();
    for input in inputs.iter().filter(|input| is_input(&input.path, site.languages)) {
        let Some(text) = read_config(site.fs, input, &mut settings.notes) else {
            continue;
        };
        let name = input.path.rsplit('/').next().unwrap_or(&input.path);
        if manifests::is_manifest(name) {
            manifests.insert(input.path.clone(), text.clone());
        }
        if is_config(name, site.languages) {
            settings.configs.insert(input.path.clone(), text);
        }
    }
    let (packages, notes) = manifests::packages(&manifests, &root_name(site.fs.root(), None));
    settings.packages = packages;
    settings.notes.extend(notes);
    settings
}

fn read_config(fs: &dyn Fs, input: &InputRow, notes: &mut Vec<String>) -> Option<String> {
    if input.size_bytes > MAX_CONFIG_SIZE {
        notes.push(format!(
            "{}: {}",
            input.path,
            too_large(input.size_bytes, MAX_CONFIG_SIZE)
        ));
        return None;
    }
    match fs.read(&input.path) {
        Ok(bytes) => decode(&bytes).map(|text| String::from_utf8_lossy(&text.bytes).into_owned()),
        Err(error) => {
            notes.push(error.to_string());
            None
        }
    }
}
