//! The facts of all files for the linker: those at hand, and the others from the store when they are asked for.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use strata_lang::Language;
use strata_model::facts::{FileFacts, FlowFacts, Strings};
use strata_model::ids::FileIx;
use strata_model::kinds::ParseStatus;
use strata_resolve::{FactsSource, Library, LibraryModule};
use strata_storage::{FileId, Store, StoreError};

use crate::installed::Installed;

/// One file of a state.
pub(crate) struct FileOfState {
    pub(crate) language: &'static dyn Language,
    /// Where the store keeps its facts; none for a file whose facts are at hand.
    pub(crate) stored: Option<FileId>,
    pub(crate) facts: OnceLock<Arc<FileFacts>>,
}

/// The facts of one state.
pub(crate) struct StateFacts<'s> {
    files: Vec<FileOfState>,
    installed: &'s Installed<'s>,
    store: Mutex<&'s mut Store>,
    failure: Mutex<Option<StoreError>>,
}

impl<'s> StateFacts<'s> {
    pub(crate) fn new(files: Vec<FileOfState>, installed: &'s Installed<'s>, store: &'s mut Store) -> Self {
        Self {
            files,
            installed,
            store: Mutex::new(store),
            failure: Mutex::new(None),
        }
    }

    /// Name of the language of a file, as it is listed.
    pub(crate) fn language_name(&self, file: FileIx) -> &'static str {
        self.files[file.ix()].language.name()
    }

    /// The first failure of the store, if there was one; then what was linked is worth nothing.
    pub(crate) fn into_failure(self) -> Option<StoreError> {
        self.failure.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn installed(&self, wanted: &LibraryModule<'_>) -> Option<Library> {
        match self.installed.module(wanted, &self.store) {
            Ok(found) => found,
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    fn fail(&self, error: StoreError) {
        self.failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(error);
    }

    fn load(&self, file: &FileOfState) -> Arc<FileFacts> {
        let stored = file
            .stored
            .map(|id| self.store.lock().unwrap_or_else(PoisonError::into_inner).facts(id));
        let facts = match stored {
            Some(Ok(facts)) => facts,
            Some(Err(error)) => {
                self.fail(error);
                None
            }
            None => None,
        };
        Arc::new(facts.unwrap_or_else(|| no_facts(file.language.name())))
    }
}

impl FactsSource for StateFacts<'_> {
    fn facts(&self, file: FileIx) -> Arc<FileFacts> {
        let file = &self.files[file.ix()];
        Arc::clone(file.facts.get_or_init(|| self.load(file)))
    }

    fn language(&self, file: FileIx) -> &'static dyn Language {
        let language = self.files[file.ix()].language;
        if language.code_languages().is_empty() {
            return language;
        }
        // A notebook has the rules of what its kernel runs.
        let name = &self.facts(file).language;
        let mut others = language.code_languages().iter().copied();
        others.find(|it| it.name() == name).unwrap_or(language)
    }

    fn library_declares(&self, wanted: &LibraryModule<'_>, name: &str) -> Option<bool> {
        strata_surfaces::declares(wanted.family, wanted.ecosystem, wanted.name, name)
    }

    fn library(&self, wanted: &LibraryModule<'_>) -> Option<Library> {
        let Some(facts) = strata_surfaces::module(wanted.family, wanted.ecosystem, wanted.name) else {
            return self.installed(wanted);
        };
        // A family shares its rules: where the root has no file in the language of the library, another one speaks for it.
        let languages = || self.files.iter().map(|file| file.language);
        let language = languages()
            .find(|language| language.name() == facts.language)
            .or_else(|| languages().find(|language| language.family() == wanted.family))?;
        Some(Library { facts, language })
    }
}

/// The facts of a file about which nothing is known.
fn no_facts(language: &str) -> FileFacts {
    FileFacts {
        language: language.to_owned(),
        line_count: 0,
        parse_status: ParseStatus::Failed,
        problems: Vec::new(),
        flags: 0,
        strings: Strings::default(),
        scopes: Vec::new(),
        defs: Vec::new(),
        bindings: Vec::new(),
        bind_sets: Vec::new(),
        bind_list: Vec::new(),
        module_names: Vec::new(),
        imports: Vec::new(),
        exports: Vec::new(),
        all_names: None,
        exprs: Vec::new(),
        types: Vec::new(),
        params: Vec::new(),
        supers: Vec::new(),
        args: Vec::new(),
        expr_list: Vec::new(),
        type_list: Vec::new(),
        refs: Vec::new(),
        flow: FlowFacts::default(),
    }
}
