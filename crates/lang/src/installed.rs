//! Packages that are installed below the root: how a language lays them out.
//!
//! Nothing of an installed package is part of the index. The modules that the root's files import are read, when a value
//! of theirs is asked for, as what they declare.

use strata_model::facts::FileFacts;

/// What may be asked of the files while a module is looked for. Every question is recorded by whoever answers, so that
/// another answer later is noticed.
pub trait Look {
    /// True for a regular file.
    fn is_file(&self, path: &str) -> bool;
    /// The names in a folder, in order; empty where there is none.
    fn names(&self, folder: &str) -> Vec<String>;
    /// The text of a file, such as a manifest; none where there is none or it is too large.
    fn text(&self, path: &str) -> Option<String>;
}

/// How a language's package manager lays packages out below a folder.
pub trait InstalledPackages: Send + Sync {
    /// The ecosystem that module resolution gives such packages: `pypi`.
    fn ecosystem(&self) -> &'static str;

    /// True for a folder that may hold installed packages at some depth, such as a virtual environment. It is asked of
    /// folders that are not indexed.
    fn is_holder(&self, folder: &str, look: &dyn Look) -> bool;

    /// The folders in which packages lie side by side, within a holder.
    fn folders(&self, holder: &str, look: &dyn Look) -> Vec<String>;

    /// The file that declares a module, within one of those folders.
    fn declaring_file(&self, folder: &str, module: &str, look: &dyn Look) -> Option<String>;

    /// Makes the facts of a module's file independent of its place in a tree of files.
    fn complete(&self, facts: &mut FileFacts, module: &str, path: &str);
}
