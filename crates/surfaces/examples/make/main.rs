//! Makes the pack of a language from a folder of type stubs: `make python FOLDER OUT SOURCES`, where the last says in
//! words where the folder comes from. Started by `cargo xtask surfaces`.
#![allow(clippy::print_stdout, reason = "a task prints what it did")]

mod ambient;
mod conditions;
mod ecmascript;
mod merge;
mod python;

use std::path::Path;

use anyhow::{Context, Result, bail};
use strata_model::facts::FileFacts;
use strata_surfaces::{Made, encode};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [family, folder, out, sources] = arguments.as_slice() else {
        bail!("usage: make FAMILY FOLDER OUT SOURCES");
    };
    let (modules, extractor) = match family.as_str() {
        "python" => python::modules(Path::new(folder))?,
        "ecmascript" => ecmascript::modules(Path::new(folder))?,
        other => bail!("no pack is made for `{other}`"),
    };
    let n_modules = modules.len();
    let made = Made {
        layout: FileFacts::LAYOUT,
        extractor,
        sources: sources.clone(),
    };
    let bytes = encode(made, modules, &ecmascript::GLOBALS)?;
    std::fs::write(out, &bytes).with_context(|| format!("cannot write {out}"))?;
    println!("{out}: {n_modules} modules, {} KiB", bytes.len() / 1024);
    Ok(())
}
