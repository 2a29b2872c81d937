//! Packs fit the code at hand.

use strata_lang::Language;
use strata_languages::python::Python;
use strata_model::facts::FileFacts;
use strata_surfaces::{made, module, modules};

const AGAIN: &str = "make it again with `cargo xtask surfaces FOLDER`, see crates/surfaces/README.md";

#[test]
fn the_pack_was_made_by_this_extractor_in_this_layout() {
    let made = made("python").expect(AGAIN);
    assert_eq!(made.layout, FileFacts::LAYOUT, "{AGAIN}");
    assert_eq!(
        made.extractor,
        format!("python={}", Python.extractor_version()),
        "{AGAIN}"
    );
}

#[test]
fn every_module_can_be_read() {
    let names = modules("python");
    assert!(names.len() > 500, "{AGAIN}");
    for name in names {
        let facts = module("python", "system", name).unwrap_or_else(|| panic!("{name}: {AGAIN}"));
        assert_eq!(facts.language, "python", "{name}");
        assert!(facts.refs.is_empty(), "{name}");
    }
}

#[test]
fn a_surface_says_what_a_module_declares() {
    let facts = module("python", "system", "pathlib").expect(AGAIN);
    assert!(facts.defs.iter().any(|def| facts.str(def.name) == "Path"));
    assert!(module("python", "system", "no_such_module").is_none());
    assert!(module("python", "pypi", "pathlib").is_none());
}
