//! Fingerprints of everything besides the files that decides what the index holds, and the entries of the store's own
//! notes.

use strata_lang::Language;
use strata_lang::workspace::Package;
use strata_model::facts::FileFacts;

use crate::discover::Settings;
use crate::installed::Installed;
use crate::run::Site;

/// Id of the indexed contents.
pub(crate) const INDEX_ID: &str = "index_id";
/// Absolute path of the root.
pub(crate) const ROOT: &str = "root";
/// When the stored sizes and times were last compared with the files, in nanoseconds since 1970.
pub(crate) const VERIFIED_AT: &str = "verified_at_ns";
/// When files were last written to the index, in milliseconds since 1970.
pub(crate) const INDEXED_AT: &str = "indexed_at";
/// Fingerprint of the configuration and the languages: another one means that files have to be found again.
pub(crate) const SETTINGS_KEY: &str = "settings_key";
/// Fingerprint of what every link may depend on: another one means that every file is linked again.
pub(crate) const LINK_KEY: &str = "link_key";
/// Folders that may hold installed packages, one a line.
pub(crate) const HOLDERS: &str = "package_holders";
/// The versions of the extractors.
pub(crate) const EXTRACTORS: &str = "extractors";

/// Raised when the way in which this crate indexes changes so that unchanged files have to be linked and written again.
const INDEX_VERSION: u32 = 13;
/// Facts of another layout that are stored are not read any more.
const FACTS_VERSION: u32 = FileFacts::LAYOUT;
/// More than any extractor's own version; see [`facts_version`].
const MAX_EXTRACTOR_VERSION: u32 = 10_000;
/// No language has more suffixes than this; see [`facts_version`].
const MAX_SUFFIXES: u32 = 64;

/// Fingerprint of the configuration and the languages.
pub(crate) fn settings_key(site: &Site<'_>) -> String {
    let text = format!("{INDEX_VERSION}\n{:?}\n{}", site.config, extractors(site.languages));
    strata_vfs::sha256(text.as_bytes()).to_string()
}

/// Fingerprint of what every link may depend on.
pub(crate) fn link_key(site: &Site<'_>, settings: &Settings, installed: &Installed<'_>) -> String {
    let mut text = format!(
        "{INDEX_VERSION}\n{}\n{:x}\n{}\n",
        extractors(site.languages),
        strata_surfaces::fingerprint(),
        crate::confidence::fingerprint()
    );
    let package = |it: &Package| format!("{:?} {:?} {:?}\n", it.name, it.folder, it.manifest);
    text.extend(settings.packages.iter().map(package));
    text.extend(installed.folders().flat_map(|folder| [folder, "\n"]));
    let config = |(path, content): (&String, &String)| format!("{path:?} {}\n", strata_vfs::sha256(content.as_bytes()));
    text.extend(settings.configs.iter().map(config));
    strata_vfs::sha256(text.as_bytes()).to_string()
}

/// The languages with the versions of their facts, as `python=1.3 typescript=1.1`.
pub(crate) fn extractors(languages: &[&'static dyn Language]) -> String {
    let words: Vec<String> = languages.iter().map(|language| word(*language)).collect();
    words.join(" ")
}

/// True when the stored list names this language with its present version.
pub(crate) fn has_version(stored: &str, language: &dyn Language) -> bool {
    let word = word(language);
    stored.split(' ').any(|stored| stored == word)
}

fn word(language: &dyn Language) -> String {
    format!("{}={FACTS_VERSION}.{}", language.name(), language.extractor_version())
}

/// The version under which facts are cached. Besides the extractor's own it holds that of the layout, and the
/// suffix, since one text gives different facts as `.ts` and as `.tsx`, or as `.py` and as `.pyi`.
pub(crate) fn facts_version(language: &dyn Language, path: &str) -> u32 {
    let suffix = language
        .suffixes()
        .iter()
        .position(|suffix| path.to_ascii_lowercase().ends_with(suffix));
    let suffix = suffix.and_then(|at| u32::try_from(at + 1).ok()).unwrap_or(0);
    let version = FACTS_VERSION * MAX_EXTRACTOR_VERSION + language.extractor_version();
    version * MAX_SUFFIXES + suffix.min(MAX_SUFFIXES - 1)
}
