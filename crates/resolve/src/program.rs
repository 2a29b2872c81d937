//! One state of all files, and the questions that resolution asks of it.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use strata_lang::workspace::parent;
use strata_lang::{Language, ModuleResolver, Probes, SpecTarget, Workspace};
use strata_model::facts::FileFacts;
use strata_model::ids::{BindId, ExprId, FileIx, StrId, SymbolRef, TypeId};
use strata_model::outcome::How;

use crate::classes::Mro;
use crate::file::File;
use crate::keys;
use crate::libraries::Libraries;
use crate::members::OwnMembers;
use crate::memo::{Close, Memo, NO_FILE, Step};
use crate::names::{NameId, Names};
use crate::types::{Ty, Types};

/// Gives the facts of a file, which may be loaded when asked for.
pub trait FactsSource {
    /// The facts of `file`.
    fn facts(&self, file: FileIx) -> Arc<FileFacts>;
    /// The language of `file`.
    fn language(&self, file: FileIx) -> &'static dyn Language;
    /// What a module outside the root declares, if that is known.
    fn library(&self, _wanted: &LibraryModule<'_>) -> Option<Library> {
        None
    }
    /// Whether a module outside the root declares a name, where that is known without loading it.
    fn library_declares(&self, _wanted: &LibraryModule<'_>, _name: &str) -> Option<bool> {
        None
    }
}

/// A module outside the root, as module resolution names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LibraryModule<'a> {
    /// The family of the languages that can use it.
    pub family: &'a str,
    /// Ecosystem: `system` for what the language brings along, else that of a package manager.
    pub ecosystem: &'a str,
    /// The module's name as it is written after the ecosystem: `os.path`, `@org/core`.
    pub name: &'a str,
}

/// What a module outside the root declares.
pub struct Library {
    /// Its surface.
    pub facts: Arc<FileFacts>,
    /// The language that it is written in.
    pub language: &'static dyn Language,
}

/// The facts of a loaded file. Shared within the program, so it costs no more than a counter.
pub(crate) struct Facts(Rc<File>);

impl std::ops::Deref for Facts {
    type Target = FileFacts;

    fn deref(&self) -> &FileFacts {
        &self.0.facts
    }
}

/// A value: its type, the weakest step on the way to it, and the number of members stepped through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Val {
    pub(crate) ty: Ty,
    pub(crate) how: How,
    pub(crate) chain: u8,
}

impl Val {
    pub(crate) const UNKNOWN: Self = Self {
        ty: Types::UNKNOWN,
        how: How::Lexical,
        chain: 0,
    };

    pub(crate) const fn new(ty: Ty, how: How) -> Self {
        Self { ty, how, chain: 0 }
    }

    /// Another type reached from this value by one more step.
    pub(crate) fn with(self, ty: Ty, how: How) -> Self {
        Self {
            ty,
            how: self.how.max(how),
            chain: longer(self.chain),
        }
    }

    pub(crate) fn at_least(self, how: How) -> Self {
        Self {
            how: self.how.max(how),
            ..self
        }
    }

    pub(crate) fn renamed(self, from: How, to: How) -> Self {
        if self.how == from {
            Self { how: to, ..self }
        } else {
            self
        }
    }
}

/// One step more. Counting ends early: a value that depends on itself would grow by a step a round and never stand.
pub(crate) const fn longer(chain: u8) -> u8 {
    const MOST: u8 = 3;
    if chain < MOST { chain + 1 } else { MOST }
}

/// What a name, a member or an import stands for.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Target {
    /// A definition.
    Symbol(SymbolRef),
    /// A binding that is no symbol: a parameter, a local variable.
    Binding(FileIx, BindId),
    /// The value of an expression.
    Value(FileIx, ExprId),
    /// A module.
    Module(FileIx),
    /// Folders that act as one module.
    Folders(u32),
    /// Something outside the root, by path.
    External(NameId),
    /// Something the language brings along.
    Builtin(NameId),
    /// A module that is not there, as written.
    Unresolved(NameId),
    /// Decided when the program runs.
    Dynamic,
}

/// Namespace of a question about names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Namespace {
    /// Values.
    Value,
    /// Types.
    Type,
    /// Either.
    Any,
}

/// A question whose answer is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Question {
    Expr(FileIx, ExprId),
    Bind(FileIx, BindId),
    Param(SymbolRef, u32),
    Variable(SymbolRef),
    Result(SymbolRef),
    Hint(FileIx, TypeId),
    Alias(SymbolRef),
    Expected(SymbolRef),
    Indexed(Ty, NameId),
    Export(FileIx, NameId),
    Supers(SymbolRef),
    Mro(SymbolRef),
    Member(SymbolRef, NameId, bool),
    /// A module as written, by its number.
    Spec(u32),
}

/// The answer to a [`Question`].
#[derive(Clone, PartialEq)]
pub(crate) enum Answer {
    Val(Val),
    Targets(Rc<[Target]>),
    Types(Rc<[Ty]>),
    Mro(Rc<Mro>),
    Members(Rc<OwnMembers>),
}

/// Names that resolution itself looks for.
pub(crate) struct WellKnown {
    /// Name of the export that stands for `module.exports`.
    pub(crate) assigned: NameId,
    pub(crate) default: NameId,
    pub(crate) class: NameId,
    pub(crate) module_getattr: NameId,
}

/// Folder of the asking file, its language, and the module as written.
type SpecQuestion = (NameId, NameId, NameId);

/// What module resolution of these languages read of a workspace without a probe. When it differs between two states,
/// every file has to be linked again.
#[must_use]
pub fn fingerprint(workspace: &Workspace, languages: &[&'static dyn Language]) -> String {
    let mut text = String::new();
    for language in languages {
        text.push_str(language.name());
        text.push_str(": ");
        text.push_str(&language.module_resolver(workspace).fingerprint());
        text.push('\n');
    }
    text
}

/// All files of a root at one moment.
pub struct Program<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) source: &'a dyn FactsSource,
    /// The files of the root, then the libraries that were asked for.
    pub(crate) files: Vec<Option<Rc<File>>>,
    pub(crate) libraries: Libraries,
    pub(crate) names: Names,
    pub(crate) types: Types,
    pub(crate) memo: Memo<Question, Answer>,
    resolvers: FxHashMap<&'static str, Box<dyn ModuleResolver + 'a>>,
    no_targets: Rc<[Target]>,
    /// Numbers of the modules that were asked for.
    specs: FxHashMap<SpecQuestion, u32>,
    pub(crate) folders: Vec<SpecTarget>,
    pub(crate) well_known: WellKnown,
}

impl<'a> Program<'a> {
    /// A program over the files of `workspace`.
    #[must_use]
    pub fn new(workspace: &'a Workspace, source: &'a dyn FactsSource) -> Self {
        let mut names = Names::default();
        let well_known = WellKnown {
            assigned: names.intern("="),
            default: names.intern("default"),
            class: names.intern("__class__"),
            module_getattr: names.intern("__getattr__"),
        };
        Self {
            workspace,
            source,
            files: vec![None; workspace.paths().len()],
            libraries: Libraries::default(),
            names,
            types: Types::new(),
            memo: Memo::new(),
            resolvers: FxHashMap::default(),
            no_targets: Rc::from([]),
            specs: FxHashMap::default(),
            folders: Vec::new(),
            well_known,
        }
    }

    // ---- files --------------------------------------------------------------------------------------------------------

    pub(crate) fn file(&mut self, file: FileIx) -> Rc<File> {
        if let Some(loaded) = &self.files[file.ix()] {
            return Rc::clone(loaded);
        }
        // Libraries are loaded when they are found.
        let facts = self.source.facts(file);
        let language = self.source.language(file);
        let loaded = Rc::new(File::new(self.workspace.path(file), facts, language, &mut self.names));
        self.files[file.ix()] = Some(Rc::clone(&loaded));
        loaded
    }

    pub(crate) fn facts(&mut self, file: FileIx) -> Facts {
        Facts(self.file(file))
    }

    /// The program's id of a string of a file.
    pub(crate) fn name(&mut self, file: FileIx, id: StrId) -> NameId {
        self.file(file).name(id)
    }

    // ---- keys ---------------------------------------------------------------------------------------------------------

    pub(crate) fn look_up_name(&mut self, file: FileIx, name: NameId) {
        if self.is_library(file) {
            return;
        }
        let key = keys::name_key(self.file(file).path_hash, &self.names.text(name));
        self.memo.look_up((file, key));
    }

    pub(crate) fn look_up_stars(&mut self, file: FileIx) {
        if self.is_library(file) {
            return;
        }
        let key = keys::stars_key(self.file(file).path_hash);
        self.memo.look_up((file, key));
    }

    pub(crate) fn look_up_def(&mut self, symbol: SymbolRef) {
        if self.is_library(symbol.file) {
            return;
        }
        let file = self.file(symbol.file);
        self.memo
            .look_up((symbol.file, keys::def_key(file.path_hash, file.def_hash(symbol.def))));
    }

    pub(crate) fn look_up_body(&mut self, symbol: SymbolRef) {
        if self.is_library(symbol.file) {
            return;
        }
        let file = self.file(symbol.file);
        self.memo
            .look_up((symbol.file, keys::body_key(file.path_hash, file.def_hash(symbol.def))));
    }

    pub(crate) fn look_up_member(&mut self, class: SymbolRef, name: NameId) {
        if self.is_library(class.file) {
            return;
        }
        let file = self.file(class.file);
        let key = keys::member_key(file.path_hash, file.def_hash(class.def), &self.names.text(name));
        self.memo.look_up((class.file, key));
    }

    pub(crate) fn look_up_alias(&mut self, file: FileIx, name: &str) {
        if self.is_library(file) {
            return;
        }
        let key = keys::alias_key(self.file(file).path_hash, name);
        self.memo.look_up((file, key));
    }

    /// The source file at a path; whether there is one is noted.
    pub(crate) fn file_at(&mut self, path: &str) -> Option<FileIx> {
        self.memo.look_up((NO_FILE, keys::path_key(path)));
        self.workspace.file(path)
    }

    // ---- memory -------------------------------------------------------------------------------------------------------

    pub(crate) fn remember(
        &mut self,
        question: Question,
        nothing: &Answer,
        mut evaluate: impl FnMut(&mut Self) -> Answer,
    ) -> Answer {
        match self.memo.open(question, nothing.clone()) {
            Step::Known(answer) => answer,
            Step::Evaluate => loop {
                let answer = evaluate(self);
                match self.memo.close(question, answer, nothing.clone()) {
                    Close::Done(answer) => return answer,
                    Close::Again => {}
                }
            },
        }
    }

    pub(crate) fn ask(&mut self, question: Question, mut evaluate: impl FnMut(&mut Self) -> Val) -> Val {
        match self.remember(question, &Answer::Val(Val::UNKNOWN), |program| {
            Answer::Val(evaluate(program))
        }) {
            Answer::Val(value) => value,
            _ => Val::UNKNOWN,
        }
    }

    pub(crate) fn ask_targets(
        &mut self,
        question: Question,
        mut evaluate: impl FnMut(&mut Self) -> Vec<Target>,
    ) -> Rc<[Target]> {
        let nothing = Answer::Targets(Rc::clone(&self.no_targets));
        match self.remember(question, &nothing, |program| Answer::Targets(evaluate(program).into())) {
            Answer::Targets(targets) => targets,
            _ => Rc::from([]),
        }
    }

    pub(crate) fn join_values(&mut self, values: impl IntoIterator<Item = Val>) -> Val {
        let mut how = How::Lexical;
        let mut chain = 0;
        let mut parts = Vec::new();
        for value in values {
            if value.ty != Types::UNKNOWN {
                if value.ty != Types::NULL {
                    how = how.max(value.how);
                    chain = chain.max(value.chain);
                }
                parts.push(value.ty);
            }
        }
        Val {
            ty: self.types.join(parts),
            how,
            chain,
        }
    }

    // ---- modules ------------------------------------------------------------------------------------------------------

    /// The module that a text names in a file, with everything that was probed recorded.
    pub(crate) fn module_target(&mut self, file: FileIx, spec: &str) -> Target {
        if self.is_library(file) {
            return self.library_spec(file, spec);
        }
        let language = self.source.language(file);
        let folder = self.names.intern(parent(self.workspace.path(file)));
        let entry = (folder, self.names.intern(language.name()), self.names.intern(spec));
        let next = u32::try_from(self.specs.len()).unwrap_or(u32::MAX);
        let number = *self.specs.entry(entry).or_insert(next);
        let found = self.ask_targets(Question::Spec(number), |program| {
            vec![program.find_module(file, language, spec)]
        });
        match found.first() {
            Some(target) => target.clone(),
            // Evaluation is nested too deeply to be remembered.
            None => self.find_module(file, language, spec),
        }
    }

    fn find_module(&mut self, file: FileIx, language: &'static dyn Language, spec: &str) -> Target {
        let workspace = self.workspace;
        let probes = Probes::new(workspace);
        let resolver = self
            .resolvers
            .entry(language.name())
            .or_insert_with(|| language.module_resolver(workspace));
        let found = resolver.resolve(file, spec, &probes);
        for path in probes.into_asked() {
            self.memo.look_up((NO_FILE, keys::path_key(&path)));
        }
        self.spec_target(found, spec)
    }

    pub(crate) fn spec_target(&mut self, found: SpecTarget, spec: &str) -> Target {
        match found {
            SpecTarget::File(file) => Target::Module(file),
            SpecTarget::Folders(folders) => {
                let found = SpecTarget::Folders(folders);
                let number = self.folders.iter().position(|it| *it == found).unwrap_or_else(|| {
                    self.folders.push(found);
                    self.folders.len() - 1
                });
                Target::Folders(u32::try_from(number).unwrap_or(u32::MAX))
            }
            SpecTarget::External { ecosystem, package } => {
                // Below the package the path goes on as the language writes it: `pypi:a.b`, `npm:a/b`.
                let rest = spec.strip_prefix(package.as_str()).unwrap_or("");
                Target::External(self.names.intern(&format!("{ecosystem}:{package}{rest}")))
            }
            SpecTarget::Unresolved => Target::Unresolved(self.names.intern(spec)),
        }
    }

    /// A module below a module, where the language has such (`from package import module`).
    pub(crate) fn submodule(&mut self, file: FileIx, of: &Target, name: NameId) -> Option<Target> {
        let found = match of {
            Target::Module(module) if self.is_library(*module) => return self.library_submodule(*module, name),
            Target::Module(module) => SpecTarget::File(*module),
            Target::Folders(number) => self.folders[*number as usize].clone(),
            _ => return None,
        };
        let language = self.source.language(file);
        let workspace = self.workspace;
        let probes = Probes::new(workspace);
        let resolver = self
            .resolvers
            .entry(language.name())
            .or_insert_with(|| language.module_resolver(workspace));
        let name = self.names.text(name);
        let target = resolver.submodule(&found, &name, &probes);
        for path in probes.into_asked() {
            self.memo.look_up((NO_FILE, keys::path_key(&path)));
        }
        let target = target?;
        Some(self.spec_target(target, &name))
    }
}
