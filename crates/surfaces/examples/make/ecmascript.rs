//! What is there in every ECMAScript program, from TypeScript's own declarations of the language and of browsers, and
//! what Node.js brings along, from its declarations on npm.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use strata_extract::{Limits, extract, parse};
use strata_lang::Language;
use strata_languages::typescript::TypeScript;
use strata_model::facts::FileFacts;
use strata_model::kinds::ParseStatus;
use strata_surfaces::thin;

use crate::ambient::{Declarations, read};
use crate::merge::{merged, move_to_first};

/// Declarations of the language, those it refers to first.
const LANGUAGE: &str = "esnext";
/// Declarations of browsers.
const BROWSER: &[&str] = &["dom", "dom.iterable", "dom.asynciterable"];

/// Modules of globals: of the language, of browsers, of Node.js.
pub(crate) const GLOBALS: [&str; 3] = ["globals", "globals/browser", "globals/node"];

/// Parts of the declarations that the grammar does not read, and how they read else.
const REWRITTEN: &[(&str, &str)] = &[("keyof readonly any[]", "keyof any[]")];

/// Tables in which a value's type is looked up by a literal, and the type that all of them have: what is looked up is at
/// least that.
const TABLES: &[(&str, &str)] = &[
    ("HTMLElementTagNameMap[K]", "HTMLElement"),
    ("HTMLElementDeprecatedTagNameMap[K]", "HTMLElement"),
    ("SVGElementTagNameMap[K]", "SVGElement"),
    ("MathMLElementTagNameMap[K]", "MathMLElement"),
    ("EventMap[K]", "Event"),
];

/// Modules whose class has its members from an interface of the globals. They belong to the module.
const MEMBERS_ELSEWHERE: &[(&str, &str)] = &[("events", "EventEmitter")];

/// The modules with their surfaces, and the extractor that made them. `folder` is a `node_modules` with `typescript` and
/// `@types/node`.
pub(crate) fn modules(folder: &Path) -> Result<(Vec<(String, FileFacts)>, String)> {
    let lib = folder.join("typescript/lib");
    let mut language = String::new();
    let mut seen = Vec::new();
    collect_lib(&lib, LANGUAGE, &mut seen, &mut language)?;
    let mut browser = String::new();
    for name in BROWSER {
        collect_lib(&lib, name, &mut seen, &mut browser)?;
    }
    for (table, by) in TABLES {
        browser = looked_up(&browser, table, by);
    }
    let node = node(&folder.join("@types/node"))?;
    let mut all = node.modules;
    with_members(&mut all, &node.globals)?;
    let mut globals = [rewritten(language), browser, node.globals];
    move_to_first(&mut globals).map_err(|reason| anyhow::anyhow!("{reason}"))?;
    for (name, text) in GLOBALS.iter().zip(globals) {
        all.insert((*name).to_owned(), text);
    }
    let mut modules = Vec::new();
    for (name, text) in all {
        let text = merged(&text).map_err(|reason| anyhow::anyhow!("{name}: {reason}"))?;
        if let Ok(out) = std::env::var("KEEP") {
            let path = Path::new(&out).join(format!("{}.ts", name.replace('/', "+")));
            std::fs::write(path, &text)?;
        }
        let mut facts = extract(&TypeScript, "m.ts", text.as_bytes(), Limits::default());
        if facts.parse_status != ParseStatus::Ok {
            println!("{name}: {:?} {:?}", facts.parse_status, facts.problems);
        }
        thin(&mut facts);
        modules.push((name, facts));
    }
    Ok((modules, format!("ecmascript={}", TypeScript.extractor_version())))
}

fn rewritten(mut text: String) -> String {
    for (from, to) in REWRITTEN {
        text = text.replace(from, to);
    }
    text
}

/// Replaces a table's name, whatever stands before it in the same word.
fn looked_up(text: &str, table: &str, by: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(table) {
        let before = rest[..at].trim_end_matches(|it: char| it.is_ascii_alphanumeric());
        out.push_str(before);
        out.push_str(by);
        rest = &rest[at + table.len()..];
    }
    out.push_str(rest);
    out
}

/// Gives the interface of a module the members of the one that it extends.
fn with_members(modules: &mut BTreeMap<String, String>, globals: &str) -> Result<()> {
    for (module, interface) in MEMBERS_ELSEWHERE {
        let head = format!("        interface {interface}<");
        let body = globals
            .split_once(&head)
            .and_then(|(_, it)| it.split_once('{'))
            .and_then(|(_, it)| it.split_once("\n            }"));
        let Some((body, _)) = body else {
            bail!("no interface {interface} among the globals any more");
        };
        let empty = format!("extends NodeJS.{interface}<T> {{}}");
        let full = format!("extends NodeJS.{interface}<T> {{{body}\n}}");
        let text = modules
            .get(*module)
            .filter(|it| it.contains(&empty))
            .with_context(|| format!("{module}: no `{empty}` any more"))?;
        let text = text.replace(&empty, &full);
        modules.insert((*module).to_owned(), text);
    }
    Ok(())
}

/// Appends a library of TypeScript, after those that it refers to.
fn collect_lib(folder: &Path, name: &str, seen: &mut Vec<String>, out: &mut String) -> Result<()> {
    if seen.iter().any(|it| it == name) {
        return Ok(());
    }
    seen.push(name.to_owned());
    let path = folder.join(format!("lib.{name}.d.ts"));
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    for line in text.lines() {
        let wanted = line
            .strip_prefix("/// <reference lib=\"")
            .and_then(|it| it.split('"').next());
        if let Some(wanted) = wanted {
            collect_lib(folder, wanted, seen, out)?;
        }
    }
    out.push_str(&text);
    out.push('\n');
    Ok(())
}

/// All of Node.js: its modules under their names without `node:`, and what they and others declare for everybody.
fn node(folder: &Path) -> Result<Declarations> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    paths.sort();
    let mut all = Declarations::default();
    for path in paths {
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let text = text.replace("\"node:", "\"");
        let tree = match parse(&TypeScript, "m.ts", text.as_bytes(), Limits::default()) {
            Ok(tree) => tree,
            Err(reason) => bail!("{}: {reason}", path.display()),
        };
        read(&text, tree.root_node(), &mut all);
    }
    if all.modules.is_empty() {
        bail!("{}: no module is declared there", folder.display());
    }
    Ok(all)
}

/// Declarations for compilers before the newest have folders of their own.
fn collect(folder: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with("ts") {
                collect(&path, out)?;
            }
        } else if name.ends_with(".d.ts") {
            out.push(path);
        }
    }
    Ok(())
}
