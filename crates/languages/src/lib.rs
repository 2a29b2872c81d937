//! One folder a language, and the list of them.

mod ecmascript;
pub mod javascript;
mod markup;
pub mod notebook;
pub mod python;
pub mod svelte;
pub mod typescript;
pub mod vue;

use strata_lang::Language;

/// Every language, by name.
pub static ALL: &[&dyn Language] = &[
    &javascript::JavaScript,
    &notebook::Notebook,
    &python::Python,
    &svelte::Svelte,
    &typescript::TypeScript,
    &vue::Vue,
];
