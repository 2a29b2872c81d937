//! `cargo xtask surfaces`: makes the packs of library surfaces from folders of type stubs.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Where the sources of the pack come from, as written into it.
const PYTHON_SOURCES: &str = "typeshed of PyPI mypy 2.4.1";

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Folder of Python's stubs, typeshed's `stdlib`; crates/surfaces/README.md says where to get it
    python: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let root = workspace::root();
    let out = root.join("crates/surfaces/packs/python.pack");
    let status = Command::new(env!("CARGO"))
        .current_dir(&root)
        .args([
            "run",
            "--quiet",
            "-p",
            "strata-surfaces",
            "--example",
            "make",
            "--",
            "python",
        ])
        .arg(&options.python)
        .arg(&out)
        .arg(PYTHON_SOURCES)
        .status()
        .context("cannot start cargo")?;
    if !status.success() {
        bail!("the pack could not be made");
    }
    Ok(())
}
