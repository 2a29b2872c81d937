//! Python's standard library, from the `stdlib` folder of typeshed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use strata_extract::{Limits, extract};
use strata_lang::Language;
use strata_languages::python::{Python, absolute_imports};
use strata_model::facts::FileFacts;
use strata_model::kinds::ParseStatus;
use strata_surfaces::thin;

use crate::conditions::newest_on_linux;

/// Generic aliases that the stubs declare without saying of what.
const ALIASES: &[(&str, &str)] = &[
    ("List = _Alias()", "List = list"),
    ("Dict = _Alias()", "Dict = dict"),
    ("DefaultDict = _Alias()", "DefaultDict = collections.defaultdict"),
    ("Set = _Alias()", "Set = set"),
    ("FrozenSet = _Alias()", "FrozenSet = frozenset"),
    ("Counter = _Alias()", "Counter = collections.Counter"),
    ("Deque = _Alias()", "Deque = collections.deque"),
    ("ChainMap = _Alias()", "ChainMap = collections.ChainMap"),
    ("OrderedDict = _Alias()", "OrderedDict = collections.OrderedDict"),
];

/// What a finished process wrote is text or bytes, as the process is; the stubs leave it open to spare checks for none.
const STREAMS: &[(&str, &str)] = &[
    ("    stdout: Any", "    stdout: _T"),
    ("    stderr: Any", "    stderr: _T"),
];

/// Folders of the standard library that hold its own tests and tools.
const LEFT_OUT: &[&str] = &["lib2to3", "distutils", "idlelib"];

/// The modules with their surfaces, and the extractor that made them.
pub(crate) fn modules(folder: &Path) -> Result<(Vec<(String, FileFacts)>, String)> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    paths.sort();
    let mut modules = Vec::new();
    for path in paths {
        let relative = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
        let stem = relative.trim_end_matches(".pyi");
        let (stem, is_package) = match stem.strip_suffix("/__init__") {
            Some(package) => (package, true),
            None => (stem, false),
        };
        let name = stem.replace('/', ".");
        if LEFT_OUT.contains(&name.split('.').next().unwrap_or_default()) {
            continue;
        }
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let text = corrected(&name, newest_on_linux(&text))?;
        let mut facts = extract(&Python, &relative, text.as_bytes(), Limits::default());
        if facts.parse_status != ParseStatus::Ok {
            println!("{relative}: {:?} {:?}", facts.parse_status, facts.problems);
        }
        absolute_imports(&mut facts, &name, is_package);
        thin(&mut facts);
        modules.push((name, facts));
    }
    Ok((modules, format!("python={}", Python.extractor_version())))
}

/// Replaces lines of which the stubs say less than is known.
fn corrected(module: &str, mut text: String) -> Result<String> {
    let corrections = match module {
        "typing" => ALIASES,
        "subprocess" => STREAMS,
        _ => return Ok(text),
    };
    for (line, by) in corrections {
        if !text.contains(line) {
            bail!("{module}: no line `{line}` any more; look at its correction");
        }
        text = text.replacen(line, by, 1);
    }
    Ok(text)
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|it| it == "pyi") {
            out.push(path);
        }
    }
    Ok(())
}
