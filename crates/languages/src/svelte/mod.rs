//! Svelte components: the scripts of a file, and its markup as code that uses what they define.

mod template;

use strata_lang::{Embedded, FactsBuilder, InstalledPackages, Language, ModuleResolver, Policy, Workspace};
use tree_sitter::Tree;

use crate::ecmascript;
use crate::markup::code::ComponentCode;
use crate::markup::tags::{Piece, Tags, is_void};

/// Svelte components.
pub struct Svelte;

/// Version of what is done before the extractor of ECMAScript begins.
const VERSION: u32 = 1;

/// Runes, and what older components are given.
const BUILTINS: &[&str] = &[
    "$$props",
    "$$restProps",
    "$$slots",
    "$bindable",
    "$derived",
    "$effect",
    "$host",
    "$inspect",
    "$props",
    "$state",
];

impl Language for Svelte {
    fn name(&self) -> &'static str {
        "svelte"
    }

    fn suffixes(&self) -> &'static [&'static str] {
        &[".svelte"]
    }

    fn grammar(&self, _path: &str) -> tree_sitter::Language {
        tree_sitter_javascript::LANGUAGE.into()
    }

    fn embedded(&self, text: &[u8]) -> Option<Embedded> {
        Some(code_of(text))
    }

    fn extractor_version(&self) -> u32 {
        ecmascript::EXTRACTOR_VERSION + 100 * VERSION
    }

    fn policy(&self) -> &'static Policy {
        &ecmascript::POLICY
    }

    fn extract(&self, tree: &Tree, builder: &mut FactsBuilder<'_>) {
        ecmascript::extract_component(tree, builder);
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
        BUILTINS.binary_search(&name).is_ok() || ecmascript::is_builtin(name)
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

fn code_of(file: &[u8]) -> Embedded {
    let mut code = ComponentCode::new(file, false);
    let mut tags = Tags::new(file, 0, true);
    let mut scripts = Vec::new();
    let mut open: Vec<String> = Vec::new();
    while let Some(piece) = tags.next() {
        match piece {
            Piece::Open {
                name,
                attributes,
                is_closed: false,
            } => {
                let tag = code.text(name).to_owned();
                if matches!(tag.as_str(), "script" | "style") {
                    let content = tags.raw(tag.as_bytes());
                    if tag == "script" && open.is_empty() {
                        let is_module = code.value_of(&attributes, "module").is_some()
                            || code.value_of(&attributes, "context") == Some("module");
                        scripts.push((!is_module, attributes, content));
                    }
                } else if !is_void(&tag) {
                    open.push(tag);
                }
            }
            Piece::Close { name } => {
                let tag = code.text(name);
                if let Some(at) = open.iter().rposition(|it| it == tag) {
                    open.truncate(at);
                }
            }
            Piece::Open { .. } | Piece::Text(_) | Piece::Braces(_) => {}
        }
    }
    // The module's script runs first, once.
    scripts.sort_by_key(|(is_instance, ..)| *is_instance);
    for (_, attributes, content) in &scripts {
        code.script(attributes, content.clone());
    }
    code.begin_template();
    template::write(&mut code);
    code.end_template();
    let mut embedded = code.finish();
    embedded.value_sign = Some('$');
    embedded
}
