//! Runs the fixtures of every language, one test a section. `UPDATE=1` proposes assertions for sections without any.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let propose = std::env::var_os("UPDATE").is_some();
    strata_test_support::run(strata_languages::ALL, &folder, propose)
}
