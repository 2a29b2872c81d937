//! One folder a language, and the list of them.

mod ecmascript;
pub mod javascript;
pub mod notebook;
pub mod python;
pub mod typescript;

use strata_lang::Language;

/// Every language, by name.
pub static ALL: &[&dyn Language] = &[
    &javascript::JavaScript,
    &notebook::Notebook,
    &python::Python,
    &typescript::TypeScript,
];
