//! Python.

mod extract;
mod frameworks;
mod grammar;
mod installed;
mod modules;
mod tables;

pub use installed::absolute_imports;
use strata_lang::{FactsBuilder, InstalledPackages, Language, ModuleResolver, Policy, Workspace};
use tree_sitter::Tree;

/// Python, source and stub files.
pub struct Python;

impl Language for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn suffixes(&self) -> &'static [&'static str] {
        &[".py", ".pyi"]
    }

    fn grammar(&self, _path: &str) -> tree_sitter::Language {
        grammar::language()
    }

    fn extractor_version(&self) -> u32 {
        6
    }

    fn policy(&self) -> &'static Policy {
        &tables::POLICY
    }

    fn extract(&self, tree: &Tree, builder: &mut FactsBuilder<'_>) {
        extract::extract(tree, builder);
    }

    fn config_files(&self) -> &'static [&'static str] {
        &["pyproject.toml", "setup.cfg"]
    }

    fn module_resolver<'w>(&self, workspace: &'w Workspace) -> Box<dyn ModuleResolver + 'w> {
        Box::new(modules::Modules::new(workspace))
    }

    fn module_segments(&self, path_in_package: &str) -> Vec<String> {
        modules::segments(path_in_package)
    }

    fn is_test_path(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let in_tests = path
            .split('/')
            .rev()
            .skip(1)
            .any(|folder| matches!(folder, "tests" | "test" | "testing"));
        in_tests || name.starts_with("test_") || name.ends_with("_test.py") || name == "conftest.py"
    }

    fn stub_path(&self, path: &str) -> Option<String> {
        path.strip_suffix(".py").map(|stem| format!("{stem}.pyi"))
    }

    fn stubbed_path(&self, path: &str) -> Option<String> {
        path.strip_suffix(".pyi").map(|stem| format!("{stem}.py"))
    }

    fn is_builtin(&self, name: &str) -> bool {
        tables::BUILTINS.binary_search(&name).is_ok()
    }

    fn builtin_modules(&self) -> &'static [&'static str] {
        &["builtins", "typing", "contextlib"]
    }

    fn installed_packages(&self) -> Option<&'static dyn InstalledPackages> {
        Some(&installed::SitePackages)
    }

    fn line_comment(&self) -> &'static str {
        "#"
    }
}
