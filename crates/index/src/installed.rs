//! Packages that are installed below the root: read as what they declare, when a value of theirs is asked for.
//!
//! They are no part of the index, and most of them are never looked at. Whatever was read of them, files and the names
//! in folders, is noted as an input of the index: a package that is installed, upgraded or removed changes one of these
//! at least, and then every file is linked again. What was extracted is kept with the facts of the root's own files.
//!
//! A module that lies in several environments is taken from the one nearest to the root, the first by path.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use strata_extract::{Limits, extract};
use strata_lang::workspace::{is_below, parent};
use strata_lang::{InstalledPackages, Language, Look};
use strata_model::facts::FileFacts;
use strata_model::kinds::ParseStatus;
use strata_resolve::{Library, LibraryModule};
use strata_storage::{InputRow, Store, StoreError, SurfaceInit};
use strata_vfs::{EntryKind, Fs, Listing, Stat, sha256};

use crate::run::Site;
use crate::settings::facts_version;
use crate::text::decode;

/// Larger manifests of packages are not read.
const MAX_MANIFEST_SIZE: u64 = 1 << 20;
/// Folders that interpreters fill while they run; their coming and going means nothing.
const CACHE_FOLDER: &str = "__pycache__";

/// The folders of one language's packages.
struct Place {
    language: &'static dyn Language,
    packages: &'static dyn InstalledPackages,
    folders: Vec<String>,
}

/// The installed packages of a root.
pub(crate) struct Installed<'s> {
    site: &'s Site<'s>,
    places: Vec<Place>,
    notes: Notes<'s>,
    loaded: Mutex<FxHashMap<(&'static str, String), Option<Loaded>>>,
    extracted: Mutex<Vec<SurfaceInit>>,
}

/// A module that was read.
#[derive(Clone)]
struct Loaded {
    facts: Arc<FileFacts>,
    language: &'static dyn Language,
}

/// The folders among `left_out` that may hold packages.
pub(crate) fn holders(site: &Site<'_>, left_out: &[String]) -> Vec<String> {
    let notes = Notes::new(site.fs);
    let is_holder = |folder: &&String| {
        let mut packages = site.languages.iter().filter_map(|it| it.installed_packages());
        packages.any(|it| it.is_holder(folder, &notes))
    };
    left_out.iter().filter(is_holder).cloned().collect()
}

/// What was noted of installed packages when the stored links were made, as it is now; none when something of it is
/// another one. `dirty` are the paths whose size or time differ, in order.
pub(crate) fn unchanged(fs: &dyn Fs, stored: &[InputRow], dirty: &[String]) -> Option<Vec<InputRow>> {
    let same = |input: &InputRow| {
        if dirty.binary_search(&input.path).is_err() {
            return Some(input.clone());
        }
        // The time is taken first: a write in between is found next time.
        let stat = fs.stat(&input.path).ok()?;
        (content_hash(fs, &input.path) == Some(input.sha256)).then(|| InputRow {
            size_bytes: stat.size,
            mtime_ns: stat.mtime_ns,
            ..input.clone()
        })
    };
    stored.iter().map(same).collect()
}

/// Adds what was noted now to what was noted before, by path.
pub(crate) fn merged(before: Vec<InputRow>, noted: Vec<InputRow>) -> Vec<InputRow> {
    let rows = before.into_iter().chain(noted);
    let by_path: BTreeMap<String, InputRow> = rows.map(|row| (row.path.clone(), row)).collect();
    by_path.into_values().collect()
}

/// The hash of a file's content, or of the names in a folder.
pub(crate) fn content_hash(fs: &dyn Fs, path: &str) -> Option<[u8; 32]> {
    match fs.stat(path).ok()?.kind {
        EntryKind::Folder => Some(names_hash(&fs.list(path).unwrap_or_default())),
        EntryKind::File | EntryKind::Link | EntryKind::Other => fs.read(path).ok().map(|content| sha256(&content).0),
    }
}

fn names_hash(listing: &Listing) -> [u8; 32] {
    let names = listing.entries.iter().map(|entry| entry.name.as_str());
    let names: Vec<&str> = names.filter(|name| *name != CACHE_FOLDER).collect();
    sha256(names.join("\n").as_bytes()).0
}

/// True for an input that was noted because of packages in one of the holders.
pub(crate) fn is_theirs(path: &str, holders: &[String]) -> bool {
    holders.iter().any(|holder| path == holder || is_below(path, holder))
}

impl<'s> Installed<'s> {
    /// Finds the folders of packages within the holders.
    pub(crate) fn new(site: &'s Site<'s>, holders: &[String]) -> Self {
        let notes = Notes::new(site.fs);
        let mut places = Vec::new();
        for language in site.languages {
            let Some(packages) = language.installed_packages() else {
                continue;
            };
            let is_known = |it: &Place| it.packages.ecosystem() == packages.ecosystem();
            if places.iter().any(is_known) {
                continue;
            }
            let of_them = holders.iter().filter(|holder| packages.is_holder(holder, &notes));
            let mut folders: Vec<String> = of_them.flat_map(|holder| packages.folders(holder, &notes)).collect();
            folders.sort_by_key(|folder| (folder.matches('/').count(), folder.clone()));
            folders.dedup();
            places.push(Place {
                language: *language,
                packages,
                folders,
            });
        }
        Self {
            site,
            places,
            notes,
            loaded: Mutex::default(),
            extracted: Mutex::default(),
        }
    }

    /// What a module of an installed package declares.
    pub(crate) fn module(
        &self,
        wanted: &LibraryModule<'_>,
        store: &Mutex<&mut Store>,
    ) -> Result<Option<Library>, StoreError> {
        let Some(place) = self
            .places
            .iter()
            .find(|place| place.packages.ecosystem() == wanted.ecosystem && place.language.family() == wanted.family)
        else {
            return Ok(None);
        };
        let entry = (place.packages.ecosystem(), wanted.name.to_owned());
        let known = lock(&self.loaded).get(&entry).cloned();
        let loaded = match known {
            Some(known) => known,
            None => {
                let loaded = self.load(place, wanted.name, store)?;
                lock(&self.loaded).insert(entry, loaded.clone());
                loaded
            }
        };
        Ok(loaded.map(|Loaded { facts, language }| Library { facts, language }))
    }

    fn load(&self, place: &Place, module: &str, store: &Mutex<&mut Store>) -> Result<Option<Loaded>, StoreError> {
        let mut folders = place.folders.iter();
        let Some(path) = folders.find_map(|folder| place.packages.declaring_file(folder, module, &self.notes)) else {
            return Ok(None);
        };
        let Some(language) = self.language_of(&path, place.language.family()) else {
            return Ok(None);
        };
        let Some((content, hash)) = self.notes.read(&path, self.site.config.max_file_size) else {
            return Ok(None);
        };
        // A surface is another thing than the facts of a file, even of one with the same content.
        let kind = format!("{} surface", language.name());
        let version = facts_version(language, &path);
        let stored = lock(store).facts_blob(&hash, &kind, version)?;
        // What cannot be decoded was written by another build: it is extracted again.
        let stored = stored.and_then(|blob| bitcode::decode::<FileFacts>(&blob).ok());
        let mut facts = match stored {
            Some(facts) => facts,
            None => {
                let Some(text) = decode(&content) else { return Ok(None) };
                let limits = Limits {
                    parse_millis: self.site.config.parse_millis,
                    code_bytes: usize::try_from(self.site.config.max_file_size).unwrap_or(usize::MAX),
                };
                let mut facts = extract(language, &path, &text.bytes, limits);
                if facts.parse_status == ParseStatus::Failed {
                    return Ok(None);
                }
                strata_surfaces::thin(&mut facts);
                lock(&self.extracted).push(SurfaceInit {
                    sha256: hash,
                    language: kind,
                    extractor_version: version,
                    facts: bitcode::encode(&facts),
                });
                facts
            }
        };
        place.packages.complete(&mut facts, module, &path);
        Ok(Some(Loaded {
            facts: Arc::new(facts),
            language,
        }))
    }

    /// The language of a declaring file. Suffixes that are never indexed in the root are read here.
    fn language_of(&self, path: &str, family: &str) -> Option<&'static dyn Language> {
        let of_family = self.site.languages.iter().filter(|it| it.family() == family);
        let suffix_length = |language: &&&'static dyn Language| {
            let suffixes = language.suffixes().iter().filter(|suffix| path.ends_with(**suffix));
            suffixes.map(|suffix| suffix.len()).max()
        };
        let fitting = of_family.filter(|it| suffix_length(it).is_some());
        fitting.max_by_key(suffix_length).copied()
    }

    /// The folders of packages, for the fingerprint of what links rest on.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &str> {
        self.places.iter().flat_map(|place| &place.folders).map(String::as_str)
    }

    /// Everything that was looked at, by path, and the surfaces that the store does not have yet.
    pub(crate) fn into_noted(self) -> (Vec<InputRow>, Vec<SurfaceInit>) {
        let mut extracted = self.extracted.into_inner().unwrap_or_else(PoisonError::into_inner);
        extracted.sort_by(|a, b| (&a.sha256, &a.language).cmp(&(&b.sha256, &b.language)));
        extracted.dedup_by(|a, b| (&a.sha256, &a.language) == (&b.sha256, &b.language));
        (self.notes.into_rows(), extracted)
    }
}

/// Looks at files and folders, and notes what it saw.
struct Notes<'s> {
    fs: &'s dyn Fs,
    listings: Mutex<FxHashMap<String, Arc<Listing>>>,
    rows: Mutex<BTreeMap<String, InputRow>>,
}

impl<'s> Notes<'s> {
    fn new(fs: &'s dyn Fs) -> Self {
        Self {
            fs,
            listings: Mutex::default(),
            rows: Mutex::default(),
        }
    }

    fn note(&self, path: &str, stat: Stat, sha256: [u8; 32]) {
        let row = InputRow {
            path: path.to_owned(),
            size_bytes: stat.size,
            mtime_ns: stat.mtime_ns,
            sha256,
        };
        lock(&self.rows).insert(path.to_owned(), row);
    }

    /// The names in a folder. A folder that is not there is noted by the nearest one around it that is.
    fn listing(&self, folder: &str) -> Arc<Listing> {
        if let Some(known) = lock(&self.listings).get(folder) {
            return Arc::clone(known);
        }
        // The time is taken first: a name that appears in between makes the folder look changed.
        let listing = match self.fs.stat(folder) {
            Ok(stat) if stat.kind == EntryKind::Folder => {
                let listing = self.fs.list(folder).unwrap_or_default();
                self.note(folder, stat, names_hash(&listing));
                listing
            }
            Ok(_) => Listing::default(),
            Err(_) => {
                if !folder.is_empty() {
                    self.listing(parent(folder));
                }
                Listing::default()
            }
        };
        let listing = Arc::new(listing);
        lock(&self.listings).insert(folder.to_owned(), Arc::clone(&listing));
        listing
    }

    fn read(&self, path: &str, max_size: u64) -> Option<(Vec<u8>, [u8; 32])> {
        let stat = self.fs.stat(path).ok()?;
        if stat.kind != EntryKind::File {
            return None;
        }
        let content = if stat.size <= max_size {
            self.fs.read(path).ok()
        } else {
            None
        };
        let hash = content.as_ref().map_or([0; 32], |content| sha256(content).0);
        self.note(path, stat, hash);
        content.map(|content| (content, hash))
    }

    fn into_rows(self) -> Vec<InputRow> {
        let rows = self.rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        rows.into_values().collect()
    }
}

impl Look for Notes<'_> {
    fn is_file(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let listing = self.listing(parent(path));
        let entry = listing.entries.iter().find(|entry| entry.name == name);
        entry.is_some_and(|entry| match entry.kind {
            EntryKind::File => true,
            EntryKind::Link => self.fs.stat(path).is_ok_and(|stat| stat.kind == EntryKind::File),
            EntryKind::Folder | EntryKind::Other => false,
        })
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let listing = self.listing(folder);
        listing.entries.iter().map(|entry| entry.name.clone()).collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        let (content, _) = self.read(path, MAX_MANIFEST_SIZE)?;
        Some(String::from_utf8_lossy(&content).into_owned())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
