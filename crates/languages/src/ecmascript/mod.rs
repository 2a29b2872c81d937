//! What TypeScript and JavaScript share: the extractor, module resolution, rules, and the names that are always there.
//!
//! Start reading at [`extract()`]; one file holds one kind of construct. `walk` has the state and the small things all
//! others need, `kinds` the tables of the grammars.

mod assignments;
mod branches;
mod builtins;
mod calls;
mod classes;
mod commonjs;
mod components;
mod docs;
mod expressions;
mod extract;
mod frameworks;
mod functions;
mod imports;
mod installed;
mod jsdoc;
mod jsdoc_tags;
mod jsdoc_types;
mod json;
mod kinds;
mod loops;
mod modules;
mod namespaces;
mod narrowing;
mod objects;
mod operators;
mod packages;
mod parameters;
mod patterns;
mod places;
mod policy;
mod prototypes;
mod repair;
mod requires;
mod statements;
#[cfg(test)]
mod tests;
mod tsconfig;
mod type_members;
mod types;
mod variables;
mod walk;

pub(crate) use builtins::{BUILTIN_MODULES, is_builtin};
pub(crate) use components::extract_component;
pub(crate) use extract::extract;
pub(crate) use installed::NodeModules;
pub(crate) use modules::{is_test_path, module_resolver, module_segments};
pub(crate) use policy::POLICY;

/// Raised whenever the facts of an unchanged file may differ.
pub(crate) const EXTRACTOR_VERSION: u32 = 9;

/// The languages that may refer to each other.
pub(crate) const FAMILY: &str = "ecmascript";

/// Manifests and settings that module resolution reads.
pub(crate) const CONFIG_FILES: &[&str] = &["package.json", "tsconfig*.json", "jsconfig.json"];
