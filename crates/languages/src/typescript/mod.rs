//! TypeScript: suffixes and grammars; everything else is shared by the family in [`crate::ecmascript`].

use strata_lang::{FactsBuilder, InstalledPackages, Language, ModuleResolver, Policy, Workspace};
use tree_sitter::Tree;

use crate::ecmascript;

/// TypeScript and TSX.
pub struct TypeScript;

impl Language for TypeScript {
    fn name(&self) -> &'static str {
        "typescript"
    }

    fn suffixes(&self) -> &'static [&'static str] {
        &[".tsx", ".mts", ".cts", ".ts"]
    }

    fn excluded_suffixes(&self) -> &'static [&'static str] {
        &[".d.ts", ".d.mts", ".d.cts"]
    }

    fn grammar(&self, path: &str) -> tree_sitter::Language {
        if path.ends_with(".tsx") {
            tree_sitter_typescript::LANGUAGE_TSX.into()
        } else {
            tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()
        }
    }

    fn extractor_version(&self) -> u32 {
        ecmascript::EXTRACTOR_VERSION
    }

    fn policy(&self) -> &'static Policy {
        &ecmascript::POLICY
    }

    fn extract(&self, tree: &Tree, builder: &mut FactsBuilder<'_>) {
        ecmascript::extract(tree, builder, true);
    }

    fn config_files(&self) -> &'static [&'static str] {
        ecmascript::CONFIG_FILES
    }

    fn module_resolver<'w>(&self, workspace: &'w Workspace) -> Box<dyn ModuleResolver + 'w> {
        ecmascript::module_resolver(workspace)
    }

    fn module_segments(&self, path_in_package: &str) -> Vec<String> {
        ecmascript::module_segments(path_in_package)
    }

    fn is_test_path(&self, path: &str) -> bool {
        ecmascript::is_test_path(path)
    }

    fn is_builtin(&self, name: &str) -> bool {
        ecmascript::is_builtin(name)
    }

    fn builtin_modules(&self) -> &'static [&'static str] {
        ecmascript::BUILTIN_MODULES
    }

    fn installed_packages(&self) -> Option<&'static dyn InstalledPackages> {
        Some(&ecmascript::NodeModules)
    }

    fn line_comment(&self) -> &'static str {
        "//"
    }

    fn family(&self) -> &'static str {
        ecmascript::FAMILY
    }
}
