//! The contract of a language: what a folder of `languages` has to say so that the rest of the house works on it.
//!
//! A language is an extractor (one walk over a syntax tree that fills a [`FactsBuilder`]), a module resolver (module as
//! written → file), a [`Policy`] of plain data, and a few hooks. Nothing here knows a concrete language, and nothing here
//! looks at a second file: that is the business of `resolve`, which sees facts only.

pub mod builder;
pub mod embedded;
pub mod flow;
pub mod framework;
pub mod installed;
pub mod policy;
pub mod workspace;

pub use builder::FactsBuilder;
pub use embedded::{CodeWriter, Embedded};
pub use framework::Framework;
pub use installed::{InstalledPackages, Look};
pub use policy::Policy;
pub use workspace::{ModuleResolver, Probes, SpecTarget, Workspace};

/// A language. Implementations are unit structs in `languages`, one folder each, listed in `languages::ALL`.
pub trait Language: Send + Sync {
    /// Name in lower case, as it is shown and stored: `python`.
    fn name(&self) -> &'static str;

    /// File suffixes with the dot, most specific first: `.py`.
    fn suffixes(&self) -> &'static [&'static str];

    /// Suffixes of files that are never indexed although a suffix matches, such as `.d.ts` or `.min.js`.
    fn excluded_suffixes(&self) -> &'static [&'static str] {
        &[]
    }

    /// The grammar for a file of this language; the path decides between variants (TSX).
    fn grammar(&self, path: &str) -> tree_sitter::Language;

    /// For files that hold code inside something else: the code, and where it stands. None where the text itself is the
    /// code. Must not fail: what is wrong with the file becomes a problem of what is returned.
    fn embedded(&self, _text: &[u8]) -> Option<Embedded> {
        None
    }

    /// True when little of a file is code, such as a notebook with its outputs: then the limit of size is one of the code.
    fn is_mostly_data(&self) -> bool {
        false
    }

    /// Other languages whose code files of this one may hold. The facts of such a file bear the name of its language.
    fn code_languages(&self) -> &'static [&'static dyn Language] {
        &[]
    }

    /// Version of the extractor: raise it whenever the facts of an unchanged file may differ.
    fn extractor_version(&self) -> u32;

    /// Rules of scoping and typing that are plain data.
    fn policy(&self) -> &'static Policy;

    /// Walks the tree once and fills the builder. Must not fail: what it does not understand it passes over.
    fn extract(&self, tree: &tree_sitter::Tree, builder: &mut FactsBuilder<'_>);

    /// File name patterns of manifests and settings that module resolution reads (`package.json`, `tsconfig*.json`). A
    /// pattern is a file name with at most one `*`.
    fn config_files(&self) -> &'static [&'static str];

    /// Prepares module resolution for one state of the workspace.
    fn module_resolver<'w>(&self, workspace: &'w Workspace) -> Box<dyn ModuleResolver + 'w>;

    /// The module part of an FQN for a file, as segments below the package: the path below the source root without
    /// extension, with the language's folding rules (`__init__`, `index`). `path` is relative to the package's folder.
    /// Returns the path's segments; a module at the package's root keeps its stem.
    fn module_segments(&self, path_in_package: &str) -> Vec<String>;

    /// True when the path looks like a test file.
    fn is_test_path(&self, path: &str) -> bool;

    /// The path of a file that, when it lies there, gives the types of the one at `path` (`m.pyi` beside `m.py`).
    fn stub_path(&self, _path: &str) -> Option<String> {
        None
    }

    /// The path of the file whose types the one at `path` gives; the reverse of [`Language::stub_path`].
    fn stubbed_path(&self, _path: &str) -> Option<String> {
        None
    }

    /// Names that are always there: builtin functions, types and globals.
    fn is_builtin(&self, name: &str) -> bool;

    /// Modules of the language's library that declare what is always there: first the one that declares the builtin
    /// names, with its parts (`globals`, `globals/browser`), then those that declare types which the language itself
    /// makes, such as generators.
    fn builtin_modules(&self) -> &'static [&'static str] {
        &[]
    }

    /// How packages that are installed below the root are laid out; none where nothing is known of that.
    fn installed_packages(&self) -> Option<&'static dyn InstalledPackages> {
        None
    }

    /// The line comment sign, for rendered source blocks and the fixture language.
    fn line_comment(&self) -> &'static str;

    /// Family for edges between languages: only languages of one family may refer to each other (`typescript` and
    /// `javascript` share `ecmascript`).
    fn family(&self) -> &'static str {
        self.name()
    }
}
