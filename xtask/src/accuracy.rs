//! `cargo xtask accuracy`: how right the edges of the built binary are, judged by compilers.
//!
//! For each repository the binary indexes the sources and exports every reference; the scorer pairs them with the
//! rows that a type checker wrote for the same sources (`eval/truth/`), and reports precision and recall by group
//! of edges. Run by hand it is a microscope (`--show`, `--by`); with `--check` it is a gate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::workspace;

mod certainty;
mod counts;
mod judged;
mod page;
mod record;
mod report;
mod rows;
mod score;
mod thresholds;

use counts::Counts;
pub(crate) use page::{PAGE, with_block};
pub(crate) use record::problems;
use report::Entry;
use rows::{Reference, Truth};
use score::{EDGE_GROUPS, Score, Selection};

#[derive(Args)]
pub(crate) struct Options {
    /// Folder with the sources, as eval/get-sources.sh lays them out
    /// [default: $XTASK_CORPORA, else target/corpora]
    #[arg(long)]
    sources: Option<PathBuf>,
    /// Repository to score, such as flask-3.1.3; a prefix is enough [default: all]
    #[arg(long)]
    only: Option<String>,
    /// Print one JSON object per repository and group
    #[arg(long)]
    json: bool,
    /// Break figures down by how an edge was resolved, by the form of the site, or both
    #[arg(long, value_delimiter = ',', value_parser = ["how", "form"])]
    by: Vec<String>,
    /// Print this many misses and wrong answers per repository and group
    #[arg(long, default_value_t = 0)]
    show: usize,
    /// Fail if a figure is below eval/thresholds.toml
    #[arg(long)]
    check: bool,
    /// Edges to score together, such as `call,construct` [default: each group of its own]
    #[arg(long)]
    edge: Option<String>,
    /// Only files whose path starts with this
    #[arg(long, default_value = "")]
    prefix: String,
    /// Score this export against --truth; build and run nothing
    #[arg(long, requires = "truth")]
    export: Option<PathBuf>,
    /// File of truth rows for --export, plain or gzipped
    #[arg(long, requires = "export")]
    truth: Option<PathBuf>,
    /// Print up to this many unjudged call edges per repository as rows for eval/judged.jsonl, and no scores
    #[arg(long, value_name = "N")]
    unjudged: Option<usize>,
    /// Write the counts to eval/measured, and from all counts there the confidence of edges and the tables of the book
    #[arg(long)]
    record: bool,
    /// Write the confidence of edges and the tables of the book from the counts in eval/measured; measure nothing
    #[arg(long, conflicts_with = "record")]
    render: bool,
    /// Folder with more repositories: `truth/NAME.jsonl.gz` and `sources/NAME`
    #[arg(long, value_name = "DIR")]
    also: Option<PathBuf>,
    /// Use this binary instead of building one
    #[arg(long)]
    binary: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let root = workspace::root();
    let groups = groups(options.edge.as_deref());
    if let (Some(truth), Some(export)) = (&options.truth, &options.export) {
        let truth_rows = rows::read_truth(truth)?;
        let references = rows::read_references(export)?;
        let entries = score_repository("", &truth_rows, &references, &groups, options);
        report::print(&entries, &options.by, options.json);
        return Ok(());
    }

    if options.render {
        return record::derive(&root);
    }
    let strata = match &options.binary {
        Some(binary) => binary.clone(),
        None => workspace::build_release(&root, &["stratigraph"])?.join("strata"),
    };
    let sources = options.sources.clone().unwrap_or_else(|| workspace::corpora(&root));
    let mut repositories = repositories(&root.join("eval/truth"), &sources, options.only.as_deref())?;
    let gated: BTreeSet<String> = repositories.iter().map(|(name, ..)| name.clone()).collect();
    if let Some(also) = &options.also {
        let more = self::repositories(&also.join("truth"), &also.join("sources"), options.only.as_deref())?;
        repositories.extend(more);
    }
    if repositories.is_empty() {
        bail!("no truth for {:?}", options.only.as_deref().unwrap_or("any repository"));
    }
    let verdicts = judged::read(&root)?;
    let (mut entries, mut counts) = (Vec::new(), BTreeMap::new());
    for (name, truth_file, source) in repositories {
        if !source.is_dir() {
            bail!(
                "{} is not there: run `eval/get-sources.sh {}` first",
                source.display(),
                sources.display()
            );
        }
        let references = export(&strata, &source)?;
        let truth_rows = rows::read_truth(&truth_file)?;
        counts.insert(name.clone(), Counts::of(&truth_rows, &references));
        entries.extend(score_repository(&name, &truth_rows, &references, &groups, options));
        if let Some(n_wanted) = options.unjudged {
            for edge in judged::sample(&name, &truth_rows, &references, &verdicts, n_wanted) {
                println!("{}", serde_json::to_string(&edge)?);
            }
        }
    }
    if options.unjudged.is_some() {
        return Ok(());
    }
    report::print(&entries, &options.by, options.json);
    if !options.json {
        report::print_pooled(&entries);
        report::print_counts(&counts);
        println!("\nunjudged edges, judged by reading the code");
        for line in judged::shares(&verdicts) {
            println!("{line}");
        }
    }
    if options.record {
        record::record(&root, &counts)?;
        record::derive(&root)?;
    }
    if options.check {
        let text = std::fs::read_to_string(root.join("eval/thresholds.toml"))?;
        let thresholds = thresholds::read(&text)?;
        // Repositories that were brought along are counted; the gate is for those whose truth is kept here.
        entries.retain(|entry| gated.contains(&entry.repository));
        counts.retain(|name, _| gated.contains(name));
        let mut failures = thresholds.failures(&entries);
        failures.extend(thresholds.failures_of_counts(&counts));
        for failure in &failures {
            eprintln!("{failure}");
        }
        if !failures.is_empty() {
            bail!("{} figure(s) below eval/thresholds.toml", failures.len());
        }
        println!("every figure meets eval/thresholds.toml");
    }
    Ok(())
}

/// Name and edge kinds of each group that is scored as one.
fn groups(edge: Option<&str>) -> Vec<(String, Vec<String>)> {
    let split = |kinds: &str| kinds.split(',').map(str::to_owned).collect();
    match edge {
        Some(kinds) => vec![(kinds.to_owned(), split(kinds))],
        None => EDGE_GROUPS
            .iter()
            .map(|&(name, kinds)| (name.to_owned(), split(kinds)))
            .collect(),
    }
}

fn score_repository(
    name: &str,
    truth: &[Truth],
    references: &[Reference],
    groups: &[(String, Vec<String>)],
    options: &Options,
) -> Vec<Entry> {
    let language = truth.first().map_or_else(String::new, |row| row.lang.clone());
    let mut entries = Vec::new();
    for (group, kinds) in groups {
        let selection = Selection {
            kinds,
            prefix: &options.prefix,
            n_shown: options.show,
        };
        let score: Score = score::score(truth, references, &selection);
        entries.push(Entry {
            repository: name.to_owned(),
            language: language.clone(),
            group: group.clone(),
            score,
        });
    }
    entries
}

/// Name, truth and sources of each repository that a folder has truth for, in order of name.
fn repositories(folder: &Path, sources: &Path, only: Option<&str>) -> Result<Vec<(String, PathBuf, PathBuf)>> {
    const SUFFIX: &str = ".jsonl.gz";
    let mut repositories = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        if let Some(name) = file_name.strip_suffix(SUFFIX)
            && only.is_none_or(|only| name.starts_with(only))
        {
            repositories.push((name.to_owned(), path.clone(), sources.join(name)));
        }
    }
    repositories.sort();
    Ok(repositories)
}

/// Indexes a folder and reads back every reference, as a user would; the index lies elsewhere.
fn export(strata: &Path, source: &Path) -> Result<Vec<Reference>> {
    let scratch = tempfile::tempdir().context("no room for an index")?;
    let command = |arguments: &[&str]| {
        let mut command = Command::new(strata);
        command.env("STRATIGRAPH_INDEX_PATH", scratch.path().join("index"));
        command.args(arguments).arg("--root").arg(source);
        command
    };
    workspace::output(&mut command(&["index"]))?;
    let lines = workspace::output(&mut command(&["export", "references", "--format", "jsonl"]))?;
    rows::parse_lines(lines.as_bytes()).with_context(|| format!("the export of {}", source.display()))
}
