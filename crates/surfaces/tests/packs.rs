//! Packs fit the code at hand.

use strata_lang::Language;
use strata_languages::python::Python;
use strata_languages::typescript::TypeScript;
use strata_model::facts::{BindSource, FileFacts};
use strata_model::kinds::{NodeKind, ParseStatus};
use strata_surfaces::{declares, made, module, modules};

const AGAIN: &str = "make it again with `cargo xtask surfaces`, see crates/surfaces/README.md";

#[test]
fn packs_were_made_by_these_extractors_in_this_layout() {
    for language in [&Python as &dyn Language, &TypeScript] {
        let family = language.family();
        let made = made(family).expect(AGAIN);
        assert_eq!(made.layout, FileFacts::LAYOUT, "{AGAIN}");
        let extractor = format!("{family}={}", language.extractor_version());
        assert_eq!(made.extractor, extractor, "{AGAIN}");
    }
}

#[test]
fn every_module_can_be_read() {
    for (family, language, at_least) in [("python", "python", 500), ("ecmascript", "typescript", 60)] {
        let names = modules(family);
        assert!(names.len() > at_least, "{family}: {AGAIN}");
        for name in names {
            let facts = module(family, "system", name).unwrap_or_else(|| panic!("{name}: {AGAIN}"));
            assert_eq!(facts.language, language, "{name}");
            assert!(facts.refs.is_empty(), "{name}");
        }
    }
}

#[test]
fn a_surface_says_what_a_module_declares() {
    let facts = module("python", "system", "pathlib").expect(AGAIN);
    assert!(facts.defs.iter().any(|def| facts.str(def.name) == "Path"));
    assert!(module("python", "system", "no_such_module").is_none());
    assert!(module("python", "pypi", "pathlib").is_none());
}

#[test]
fn declarations_of_ecmascript_are_read_whole() {
    for name in modules("ecmascript") {
        let facts = module("ecmascript", "system", name).expect(AGAIN);
        assert_eq!(facts.parse_status, ParseStatus::Ok, "{name}");
    }
}

#[test]
fn interfaces_of_globals_are_in_one_place() {
    let mut seen = std::collections::BTreeMap::new();
    for name in TypeScript.builtin_modules() {
        let facts = module("ecmascript", "system", name).expect(AGAIN);
        for (text, set) in &facts.module_names {
            for bind in facts.bind_set(*set) {
                let BindSource::Def(def) = facts.bindings[bind.ix()].source else {
                    continue;
                };
                if facts.def(def).kind == NodeKind::Interface {
                    let first = seen.insert(facts.str(*text).to_owned(), (*name, def));
                    assert!(first.is_none(), "{} in {name} and {first:?}", facts.str(*text));
                }
            }
        }
    }
    assert!(seen.contains_key("Array"));
}

#[test]
fn globals_that_are_declared_are_known_names() {
    for name in TypeScript.builtin_modules() {
        let facts = module("ecmascript", "system", name).expect(AGAIN);
        for (text, set) in &facts.module_names {
            let text = facts.str(*text);
            let is_declared = facts.bind_set(*set).iter().any(|bind| {
                let source = facts.bindings[bind.ix()].source;
                !matches!(source, BindSource::Import(_))
            });
            // Helpers of files that declare globals.
            let is_own = text.starts_with('_') || text == "MakeVoidParameterOptional";
            assert!(
                !is_declared || is_own || TypeScript.is_builtin(text),
                "{text} in {name}"
            );
        }
    }
}

#[test]
fn what_a_module_of_globals_declares_is_known_before_it_is_read() {
    let asked = |module: &str, name: &str| declares("ecmascript", "system", module, name);
    assert_eq!(asked("globals", "Array"), Some(true), "{AGAIN}");
    assert_eq!(asked("globals", "document"), Some(false));
    assert_eq!(asked("globals/browser", "document"), Some(true));
    assert_eq!(asked("globals/node", "process"), Some(true));
    assert_eq!(asked("globals/node", "Control"), Some(false), "an import");
    assert_eq!(asked("globals", ""), Some(false));
    assert_eq!(asked("fs", "readFile"), None);
    for name in TypeScript.builtin_modules() {
        let facts = module("ecmascript", "system", name).expect(AGAIN);
        for (text, set) in &facts.module_names {
            let sources = facts.bind_set(*set).iter().map(|bind| facts.bindings[bind.ix()].source);
            let is_declared = sources.into_iter().any(|it| !matches!(it, BindSource::Import(_)));
            assert_eq!(
                asked(name, facts.str(*text)),
                Some(is_declared),
                "{} in {name}",
                facts.str(*text)
            );
        }
    }
}
