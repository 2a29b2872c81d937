//! `cargo xtask surfaces`: makes the packs of library surfaces from folders of type stubs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Where the sources of a pack come from, as written into it.
const PYTHON_SOURCES: &str = "typeshed of PyPI mypy 2.4.1";
const ECMASCRIPT_SOURCES: &str = "npm typescript 5.9.3 and @types/node 26.6.11";

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Folder of Python's stubs, typeshed's `stdlib`; crates/surfaces/README.md says where to get it
    #[arg(required_unless_present = "ecmascript")]
    python: Option<PathBuf>,
    /// `node_modules` with the declarations of TypeScript and of Node.js
    #[arg(long, value_name = "NODE_MODULES")]
    ecmascript: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(folder) = &options.python {
        make("python", folder, PYTHON_SOURCES)?;
    }
    if let Some(folder) = &options.ecmascript {
        make("ecmascript", folder, ECMASCRIPT_SOURCES)?;
    }
    Ok(())
}

fn make(family: &str, folder: &Path, sources: &str) -> Result<()> {
    let root = workspace::root();
    let out = root.join(format!("crates/surfaces/packs/{family}.pack"));
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
            family,
        ])
        .arg(folder)
        .arg(&out)
        .arg(sources)
        .status()
        .context("cannot start cargo")?;
    if !status.success() {
        bail!("the pack could not be made");
    }
    Ok(())
}
