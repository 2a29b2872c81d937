//! What TypeScript and JavaScript share: extractor, module resolution, rules and names that are always there.

mod assignments;
mod calls;
mod classes;
mod docs;
mod expressions;
mod extract;
mod functions;
mod imports;
mod kinds;
mod objects;
mod patterns;
mod policy;
mod statements;
mod type_members;
mod types;
mod variables;
mod walk;

use strata_lang::{ModuleResolver, Probes, SpecTarget, Workspace};
use strata_model::ids::FileIx;

pub(crate) use extract::extract;
pub(crate) use policy::POLICY;

/// Raised whenever the facts of an unchanged file may differ.
pub(crate) const EXTRACTOR_VERSION: u32 = 1;

/// The languages that may refer to each other.
pub(crate) const FAMILY: &str = "ecmascript";

/// Manifests and settings that module resolution reads.
pub(crate) const CONFIG_FILES: &[&str] = &["package.json", "tsconfig*.json", "jsconfig.json"];

struct Nothing;
impl ModuleResolver for Nothing {
    fn resolve(&self, _from: FileIx, _spec: &str, _probes: &Probes<'_>) -> SpecTarget {
        SpecTarget::Unresolved
    }
}

pub(crate) fn module_resolver<'w>(_workspace: &'w Workspace) -> Box<dyn ModuleResolver + 'w> {
    Box::new(Nothing)
}

pub(crate) fn module_segments(path_in_package: &str) -> Vec<String> {
    path_in_package.split('/').map(str::to_owned).collect()
}

pub(crate) fn is_test_path(_path: &str) -> bool {
    false
}

pub(crate) fn is_builtin(_name: &str) -> bool {
    false
}
