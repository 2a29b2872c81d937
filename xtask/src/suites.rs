//! `cargo xtask suites`: small programs with hand-made call graphs, made by others, scored with derived calls on.
//!
//! Each suite lies in a folder of its own (`target/suites/<name>`) and is fetched by hand; one that is not there is named
//! and left out, and nothing is downloaded. A case is indexed and exported as a user would; what the suite expects is
//! compared edge by edge. Cases that are not right are listed in `eval/suites.toml` with the reason: one that is right by
//! now, or wrong without being listed, fails the run.
//!
//! The words are those of PyCG's paper (arXiv 2103.00587): a call graph is *complete* when it has no edge that does not
//! exist, and *sound* when every edge that exists is in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::accuracy::{PAGE, with_block};
use crate::{table, workspace};

mod export;
mod jelly;
mod pycg;
mod typeevalpy;

#[derive(Args)]
pub(crate) struct Options {
    /// Folder with one folder a suite [default: target/suites]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Suite to run: pycg, jarvis, jelly or typeevalpy [default: all]
    #[arg(long)]
    only: Option<String>,
    /// Write the table into the book's page on exactness
    #[arg(long, conflicts_with_all = ["only", "declared"])]
    write: bool,
    /// Leave derived calls out
    #[arg(long)]
    declared: bool,
    /// Print what is missing and what is too much in each case
    #[arg(long)]
    show: bool,
    /// Print the list of cases that are not right, for eval/suites.toml, keeping known reasons
    #[arg(long)]
    list: bool,
    /// Use this binary instead of building one
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// An edge: (from, to), as the suite writes them.
type Edge = (String, String);

/// What came of a case.
#[derive(Debug, Default, PartialEq, Eq)]
struct Verdict {
    missing: BTreeSet<Edge>,
    /// None where the suite does not say what must not be there.
    excess: Option<BTreeSet<Edge>>,
}

impl Verdict {
    fn is_sound(&self) -> bool {
        self.missing.is_empty()
    }

    fn is_complete(&self) -> bool {
        self.excess.as_ref().is_some_and(BTreeSet::is_empty)
    }

    /// True when nothing that the suite can tell is wrong.
    fn is_right(&self) -> bool {
        self.is_sound() && self.excess.as_ref().is_none_or(BTreeSet::is_empty)
    }
}

/// A suite.
struct Suite {
    name: &'static str,
    title: &'static str,
    /// How to get it, below the folder of suites.
    source: &'static str,
    run: fn(&Path, &export::Binary) -> Result<BTreeMap<String, Verdict>>,
}

const SUITES: [Suite; 4] = [
    Suite {
        name: "pycg",
        title: "PyCG micro-benchmark (Python)",
        source: "https://github.com/vitsalis/PyCG",
        run: pycg::run_pycg,
    },
    Suite {
        name: "jarvis",
        title: "Jarvis micro-benchmark (Python)",
        source: "https://github.com/pythonJaRvis/pythonJaRvis.github.io",
        run: pycg::run_jarvis,
    },
    Suite {
        name: "jelly",
        title: "Jelly micro tests (JavaScript)",
        source: "https://github.com/cs-au-dk/jelly",
        run: jelly::run,
    },
    Suite {
        name: "typeevalpy",
        title: "TypeEvalPy micro-benchmark (Python), functions only",
        source: "https://github.com/secure-software-engineering/TypeEvalPy",
        run: typeevalpy::run,
    },
];

const HEADING: [&str; 5] = ["suite", "cases", "sound", "complete", "both"];

pub(crate) fn run(options: &Options) -> Result<()> {
    let root = workspace::root();
    let folder = options.folder.clone().unwrap_or_else(|| root.join("target/suites"));
    let known = read_reasons(&root.join("eval/suites.toml"))?;
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => workspace::build_release(&root, &["stratigraph"])?.join("strata"),
    };
    let binary = export::Binary {
        path: binary,
        with_flows: !options.declared,
    };
    let mut rows = Vec::new();
    let mut surprises = Vec::new();
    for suite in &SUITES {
        if options.only.as_deref().is_some_and(|only| only != suite.name) {
            continue;
        }
        let place = folder.join(suite.name);
        if !place.is_dir() {
            eprintln!(
                "{}: not there; get it with\n    git clone {} {}",
                suite.name,
                suite.source,
                place.display()
            );
            continue;
        }
        let verdicts = (suite.run)(&place, &binary).with_context(|| format!("suite {}", suite.name))?;
        if verdicts.is_empty() {
            bail!("{}: no case below {}", suite.name, place.display());
        }
        rows.push(row(suite, &verdicts));
        let reasons = known.get(suite.name);
        if options.show {
            show(suite.name, &verdicts);
        }
        if options.list {
            list(suite.name, &verdicts, reasons);
        }
        surprises.extend(compare(suite.name, &verdicts, reasons));
    }
    print!("{}", table::render(&HEADING, &rows));
    if options.write {
        if rows.len() < SUITES.len() {
            bail!("the table is written only when every suite is there");
        }
        let page = root.join(PAGE);
        let text = std::fs::read_to_string(&page).with_context(|| format!("cannot read {PAGE}"))?;
        std::fs::write(&page, with_block(&text, "suites", &markdown(&rows))?)?;
    }
    if !surprises.is_empty() && !options.declared && !options.list {
        bail!("eval/suites.toml does not say so:\n{}", surprises.join("\n"));
    }
    Ok(())
}

fn row(suite: &Suite, verdicts: &BTreeMap<String, Verdict>) -> Vec<String> {
    let count = |holds: fn(&Verdict) -> bool| verdicts.values().filter(|it| holds(it)).count();
    let tells_excess = verdicts.values().any(|it| it.excess.is_some());
    let or_dash = |n: usize| if tells_excess { n.to_string() } else { "-".to_owned() };
    vec![
        suite.title.to_owned(),
        verdicts.len().to_string(),
        count(Verdict::is_sound).to_string(),
        or_dash(count(Verdict::is_complete)),
        or_dash(count(|it| it.is_sound() && it.is_complete())),
    ]
}

/// The table as it stands in the book.
fn markdown(rows: &[Vec<String>]) -> String {
    let mut out = format!("| {} |\n|---|--:|--:|--:|--:|\n", HEADING.join(" | "));
    for row in rows {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
    out
}

fn show(suite: &str, verdicts: &BTreeMap<String, Verdict>) {
    for (case, verdict) in verdicts.iter().filter(|(_, verdict)| !verdict.is_right()) {
        println!("{suite}/{case}");
        for (from, to) in &verdict.missing {
            println!("    missing  {from} -> {to}");
        }
        for (from, to) in verdict.excess.iter().flatten() {
            println!("    too much {from} -> {to}");
        }
    }
}

fn list(suite: &str, verdicts: &BTreeMap<String, Verdict>, reasons: Option<&BTreeMap<String, String>>) {
    println!("[{suite}]");
    for (case, _) in verdicts.iter().filter(|(_, verdict)| !verdict.is_right()) {
        let reason = reasons.and_then(|it| it.get(case)).map_or("", String::as_str);
        println!("{case:?} = {reason:?}");
    }
    println!();
}

/// Cases that are not as the list of reasons says.
fn compare(
    suite: &str,
    verdicts: &BTreeMap<String, Verdict>,
    reasons: Option<&BTreeMap<String, String>>,
) -> Vec<String> {
    let is_listed = |case: &String| reasons.is_some_and(|it| it.contains_key(case));
    let mut out = Vec::new();
    for (case, verdict) in verdicts {
        match (verdict.is_right(), is_listed(case)) {
            (true, true) => out.push(format!("  {suite}/{case} is right by now")),
            (false, false) => out.push(format!("  {suite}/{case} is wrong")),
            (true, false) | (false, true) => {}
        }
    }
    for case in reasons.into_iter().flat_map(BTreeMap::keys) {
        if !verdicts.contains_key(case) {
            out.push(format!("  {suite}/{case} is no case"));
        }
    }
    out
}

/// Suite, case, reason.
type Reasons = BTreeMap<String, BTreeMap<String, String>>;

fn read_reasons(path: &Path) -> Result<Reasons> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let reasons: Reasons = toml::from_str(&text).with_context(|| format!("cannot read {}", path.display()))?;
    for (suite, cases) in &reasons {
        if let Some((case, _)) = cases.iter().find(|(_, reason)| reason.trim().is_empty()) {
            bail!("{suite}/{case} has no reason");
        }
    }
    Ok(reasons)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(missing: &[(&str, &str)], excess: Option<&[(&str, &str)]>) -> Verdict {
        let edges = |edges: &[(&str, &str)]| {
            edges
                .iter()
                .map(|(from, to)| ((*from).to_owned(), (*to).to_owned()))
                .collect()
        };
        Verdict {
            missing: edges(missing),
            excess: excess.map(edges),
        }
    }

    #[test]
    fn sound_is_without_misses_and_complete_without_excess() {
        let both = verdict(&[], Some(&[]));
        assert!(both.is_sound() && both.is_complete() && both.is_right());
        let excess = verdict(&[], Some(&[("a", "b")]));
        assert!(excess.is_sound() && !excess.is_complete() && !excess.is_right());
        let unjudged = verdict(&[], None);
        assert!(unjudged.is_sound() && !unjudged.is_complete() && unjudged.is_right());
    }

    #[test]
    fn the_table_has_a_line_a_suite() {
        let rows = vec![["s", "3", "2", "-", "-"].map(str::to_owned).to_vec()];
        assert!(markdown(&rows).ends_with("|---|--:|--:|--:|--:|\n| s | 3 | 2 | - | - |\n"));
    }

    #[test]
    fn cases_have_to_be_as_listed() {
        let verdicts = BTreeMap::from([
            ("good".to_owned(), verdict(&[], Some(&[]))),
            ("bad".to_owned(), verdict(&[("a", "b")], Some(&[]))),
            ("known".to_owned(), verdict(&[("a", "b")], Some(&[]))),
        ]);
        let reasons = ["known", "good", "gone"].map(|case| (case.to_owned(), "because".to_owned()));
        let found = compare("s", &verdicts, Some(&BTreeMap::from(reasons)));
        assert_eq!(
            found,
            ["  s/bad is wrong", "  s/good is right by now", "  s/gone is no case"]
        );
    }

    #[test]
    fn every_listed_case_has_a_reason() {
        let reasons = read_reasons(&workspace::root().join("eval/suites.toml")).expect("the list is well-formed");
        assert!(reasons.keys().all(|suite| SUITES.iter().any(|it| it.name == suite)));
    }
}
