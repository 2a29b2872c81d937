//! What libraries outside the root declare, read as facts.
//!
//! A *surface* is the facts of a module that nobody indexes: no references, no bodies, no positions, only what its users
//! can ask for. The surfaces of a language's standard library are made by the language's own extractor from type stubs
//! and travel inside the binary as a *pack*, one compressed part a module, which is decoded when it is asked for the
//! first time and shared by everybody who asks again.
//!
//! ```text
//! let facts = strata_surfaces::module("python", "system", "pathlib");
//! ```
//!
//! `cargo xtask surfaces` makes the packs anew; see `crates/surfaces/README.md` for where their sources come from.

mod pack;
mod thin;

pub use pack::{Family, Made, encode};
pub use thin::thin;

use std::sync::{Arc, LazyLock};

use strata_model::facts::FileFacts;

use crate::pack::Pack;

/// The packs, one a family of languages.
static PACKS: LazyLock<Vec<(Family, Pack)>> = LazyLock::new(|| {
    let open = |family: Family, bytes: &'static [u8]| (family, Pack::open(bytes));
    vec![
        open(Family::PYTHON, include_bytes!("../packs/python.pack")),
        open(Family::ECMASCRIPT, include_bytes!("../packs/ecmascript.pack")),
    ]
});

fn pack(family: &str) -> Option<&'static Pack> {
    PACKS
        .iter()
        .find(|(known, _)| known.name == family)
        .map(|(_, pack)| pack)
}

/// The surface of a module of a language's standard library; `ecosystem` is that of the module's path, `system`.
#[must_use]
pub fn module(family: &str, ecosystem: &str, name: &str) -> Option<Arc<FileFacts>> {
    if ecosystem != "system" {
        return None;
    }
    pack(family)?.module(name)
}

/// Whether a module declares a name, where that is known without decoding it: of modules of globals, which are searched
/// one after the other.
#[must_use]
pub fn declares(family: &str, ecosystem: &str, module: &str, name: &str) -> Option<bool> {
    if ecosystem != "system" {
        return None;
    }
    pack(family)?.declares(module, name)
}

/// Names of the modules in a family's pack, in order.
#[must_use]
pub fn modules(family: &str) -> Vec<&'static str> {
    pack(family).map(Pack::names).unwrap_or_default()
}

/// How a family's pack was made.
#[must_use]
pub fn made(family: &str) -> Option<&'static Made> {
    pack(family).and_then(Pack::made)
}

/// A hash of all packs: another one means that links may differ.
#[must_use]
pub fn fingerprint() -> u64 {
    PACKS
        .iter()
        .fold(0, |hash, (_, pack)| hash.rotate_left(7) ^ pack.hash())
}
