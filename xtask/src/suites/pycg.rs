//! The micro-benchmarks of PyCG and Jarvis: folders with `main.py` and a `callgraph.json` that names every edge.
//!
//! PyCG's own test compares the two graphs for equality, node by node. Here the edges are compared in both directions.
//! Names are dotted (`main.Class.method`); builtins and modules outside the case are nodes as well. A call of a class is
//! an edge to its constructor if there is one; a class without one is no node. Lambdas are compared without their number.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::export::{Binary, Export, Symbol};
use super::{Edge, Verdict};

pub(super) fn run_pycg(folder: &Path, binary: &Binary) -> Result<BTreeMap<String, Verdict>> {
    let cases = folder.join("micro-benchmark/snippets");
    run(&cases, &cases, builtin_of_pycg, binary)
}

pub(super) fn run_jarvis(folder: &Path, binary: &Binary) -> Result<BTreeMap<String, Verdict>> {
    let cases = folder.join("Jarvis/dataset/micro_benchmark");
    run(
        &cases,
        &folder.join("Jarvis/ground_truth/micro_benchmark"),
        builtin_of_jarvis,
        binary,
    )
}

type Spelling = fn(&str) -> String;

fn run(cases: &Path, truths: &Path, spelling: Spelling, binary: &Binary) -> Result<BTreeMap<String, Verdict>> {
    let mut verdicts = BTreeMap::new();
    for category in folders(truths)? {
        for case in folders(&truths.join(&category))? {
            let truth = truths.join(&category).join(&case).join("callgraph.json");
            if !truth.is_file() {
                continue;
            }
            let text = std::fs::read_to_string(&truth).with_context(|| format!("cannot read {}", truth.display()))?;
            let expected: BTreeMap<String, Vec<String>> =
                serde_json::from_str(&text).with_context(|| format!("cannot read {}", truth.display()))?;
            let found = binary.export(&place_of(cases, &category, &case), None)?;
            let found = edges(&found, spelling);
            let expected: BTreeSet<Edge> = expected
                .iter()
                .flat_map(|(from, targets)| targets.iter().map(|to| (plain(from), plain(to))))
                .collect();
            let verdict = Verdict {
                missing: expected.difference(&found).cloned().collect(),
                excess: Some(found.difference(&expected).cloned().collect()),
            };
            verdicts.insert(format!("{category}/{case}"), verdict);
        }
    }
    Ok(verdicts)
}

/// The sources of a case. Jarvis writes a folder's name with a space on one side and with `_` on the other.
fn place_of(cases: &Path, category: &str, case: &str) -> PathBuf {
    let usual = cases.join(category).join(case);
    if usual.is_dir() {
        return usual;
    }
    let same = |name: &String| name.replace(' ', "_") == category;
    let spelled = folders(cases).ok().and_then(|names| names.into_iter().find(same));
    spelled.map_or(usual, |name| cases.join(name).join(case))
}

fn folders(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// A node's name without the numbers of lambdas.
fn plain(name: &str) -> String {
    let mut out = String::new();
    for (ix, part) in name.split('.').enumerate() {
        if ix > 0 {
            out.push('.');
        }
        let is_lambda = part.starts_with("<lambda") && part.ends_with('>');
        out.push_str(if is_lambda { "<lambda>" } else { part });
    }
    out
}

fn edges(export: &Export, spelling: Spelling) -> BTreeSet<Edge> {
    let modules: BTreeMap<&str, &str> = export
        .nodes
        .iter()
        .filter(|node| node.kind.eq_ignore_ascii_case("module") && !node.file.is_empty())
        .map(|node| (node.file.as_str(), node.fqn.as_str()))
        .collect();
    let name = |symbol: &Symbol| name(symbol, &modules);
    let replaced: BTreeSet<(&str, u32, u32)> = export
        .flows
        .iter()
        .filter(|flow| flow.instead)
        .map(|flow| (flow.file.as_str(), flow.line, flow.col))
        .collect();
    let mut edges = BTreeSet::new();
    for reference in &export.references {
        let is_call = matches!(reference.edge.as_str(), "call" | "construct");
        if !is_call || replaced.contains(&(reference.file.as_str(), reference.line, reference.col)) {
            continue;
        }
        let from = name(&reference.caller);
        for target in reference.targets.iter().filter(|it| is_node(it)) {
            edges.insert((from.clone(), name(target)));
        }
        let is_outside = matches!(reference.outcome.as_str(), "external" | "builtin" | "unresolved_import");
        if let Some(path) = &reference.external
            && is_outside
            && reference.targets.is_empty()
        {
            edges.insert((from, outside(path, spelling)));
        }
    }
    for flow in &export.flows {
        let to = match (&flow.target, &flow.external) {
            (Some(target), _) if is_node(target) => name(target),
            (None, Some(path)) => outside(path, spelling),
            _ => continue,
        };
        edges.insert((name(&flow.caller), to));
    }
    edges
}

fn is_node(symbol: &Symbol) -> bool {
    !matches!(symbol.kind.as_str(), "class" | "module")
}

/// A symbol by the path of its file and the names around it.
fn name(symbol: &Symbol, modules: &BTreeMap<&str, &str>) -> String {
    let path = symbol.file.strip_suffix(".py").unwrap_or(&symbol.file);
    let path = path.strip_suffix("/__init__").unwrap_or(path);
    let mut out = path.replace('/', ".");
    let module = modules.get(symbol.file.as_str()).copied().unwrap_or_default();
    let inside = symbol.fqn.strip_prefix(module).unwrap_or_default();
    for part in inside.split("::").filter(|part| !part.is_empty()) {
        out.push('.');
        out.push_str(part.split('#').next().unwrap_or(part));
    }
    out
}

/// A path outside the case as the suites write it.
fn outside(path: &str, spelling: Spelling) -> String {
    if let Some(builtin) = path.strip_prefix("builtin:") {
        return spelling(builtin);
    }
    let path = path.split_once(':').map_or(path, |(_, path)| path);
    path.replace("()", "")
}

fn builtin_of_pycg(name: &str) -> String {
    match name.split_once('.') {
        Some(("str", member)) => format!("<**PyStr**>.{member}"),
        Some(("dict", member)) => format!("<**PyDict**>.{member}"),
        Some(("list", member)) => format!("<**PyList**>.{member}"),
        Some(("int" | "float", member)) => format!("<**PyNum**>.{member}"),
        _ => format!("<builtin>.{name}"),
    }
}

fn builtin_of_jarvis(name: &str) -> String {
    match name.split_once('.') {
        Some(("dict", member)) => format!("<map>.{member}"),
        Some((kind, member)) => format!("<{kind}>.{member}"),
        None => format!("<builtin>.{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lambdas_lose_their_number() {
        assert_eq!(plain("main.f.<lambda12>.g"), "main.f.<lambda>.g");
    }

    #[test]
    fn names_are_paths_and_what_is_around() {
        let symbol = Symbol {
            fqn: "case::pkg::A::f#2".to_owned(),
            file: "pkg/__init__.py".to_owned(),
            line: 1,
            kind: "method".to_owned(),
            owner_line: None,
        };
        let modules = BTreeMap::from([("pkg/__init__.py", "case::pkg")]);
        assert_eq!(name(&symbol, &modules), "pkg.A.f");
    }

    #[test]
    fn what_is_outside_is_spelled_as_the_suite_does() {
        assert_eq!(outside("builtin:str.join", builtin_of_pycg), "<**PyStr**>.join");
        assert_eq!(outside("builtin:dict.items", builtin_of_jarvis), "<map>.items");
        assert_eq!(outside("pypi:ext.Cls().fun", builtin_of_pycg), "ext.Cls.fun");
    }
}
