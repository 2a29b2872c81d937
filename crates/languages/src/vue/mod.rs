//! Vue components: the scripts of a file, and its template as code that uses what they define.

mod template;

use strata_lang::{Embedded, FactsBuilder, InstalledPackages, Language, ModuleResolver, Policy, Workspace};
use tree_sitter::Tree;

use crate::ecmascript;
use crate::markup::code::ComponentCode;
use crate::markup::tags::{Attribute, Piece, Tags};

/// Vue single-file components.
pub struct Vue;

/// Version of what is done before the extractor of ECMAScript begins.
const VERSION: u32 = 1;

/// Macros of the compiler, components that come with Vue, and what it gives to every template.
const BUILTINS: &[&str] = &[
    "$attrs",
    "$data",
    "$el",
    "$emit",
    "$event",
    "$forceUpdate",
    "$nextTick",
    "$options",
    "$parent",
    "$props",
    "$refs",
    "$root",
    "$slots",
    "$watch",
    "Component",
    "KeepAlive",
    "Slot",
    "Suspense",
    "Teleport",
    "Transition",
    "TransitionGroup",
    "defineEmits",
    "defineExpose",
    "defineModel",
    "defineOptions",
    "defineProps",
    "defineSlots",
    "withDefaults",
];

impl Language for Vue {
    fn name(&self) -> &'static str {
        "vue"
    }

    fn suffixes(&self) -> &'static [&'static str] {
        &[".vue"]
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

struct Script {
    attributes: Vec<Attribute>,
    content: std::ops::Range<usize>,
    is_setup: bool,
}

fn code_of(file: &[u8]) -> Embedded {
    let mut code = ComponentCode::new(file, true);
    let mut tags = Tags::new(file, 0, false);
    let (mut scripts, mut templates) = (Vec::new(), Vec::new());
    while let Some(piece) = tags.next() {
        let Piece::Open {
            name,
            attributes,
            is_closed,
        } = piece
        else {
            continue;
        };
        match code.text(name.clone()) {
            "script" => {
                let content = if is_closed {
                    tags.at()..tags.at()
                } else {
                    tags.raw(b"script")
                };
                let is_setup = code.value_of(&attributes, "setup").is_some();
                scripts.push(Script {
                    attributes,
                    content,
                    is_setup,
                });
            }
            "template" if !is_closed => {
                let lang = code.value_of(&attributes, "lang").unwrap_or("");
                if matches!(lang, "" | "html") {
                    let start = tags.at();
                    let end = template::end(file, &mut tags);
                    templates.push(start..end);
                } else {
                    let lang = lang.to_owned();
                    code.problem(name.start, format!("a template in `{lang}` is not read"));
                    tags.raw(b"template");
                }
            }
            _ if is_closed => {}
            _ => {
                tags.raw(&file[name]);
            }
        }
    }
    // The other script runs first, once.
    scripts.sort_by_key(|script| script.is_setup);
    let is_setup = scripts.iter().any(|script| script.is_setup);
    for script in &scripts {
        let source = script
            .attributes
            .iter()
            .find(|attribute| code.text(attribute.name.clone()) == "src");
        if let Some(value) = source.and_then(|source| source.value.clone()) {
            let quoted = value.start.saturating_sub(1)..(value.end + 1).min(file.len());
            if matches!(file.get(quoted.start), Some(b'"' | b'\'')) {
                code.writer.glue("\n;export { default } from ");
                code.writer.copy(quoted.clone());
                code.writer.glue(";\n");
            }
            continue;
        }
        code.script(&script.attributes, script.content.clone());
    }
    for range in templates {
        code.begin_template();
        template::write(&mut code, range);
        code.end_template();
    }
    let mut embedded = code.finish();
    embedded.is_template_of_object = !is_setup;
    embedded
}
