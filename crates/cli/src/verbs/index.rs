//! `strata index`: builds an index or brings it up to date, and says what that took.

use std::path::PathBuf;

use clap::ArgMatches;
use serde_json::{Value, json};
use strata_engine::{Control, Engine, RefreshMode, RunReport};

use crate::Ending;
use crate::output::Output;
use crate::progress::Bar;
use crate::session::Session;

/// Problems that are listed.
const MAX_PROBLEMS: usize = 10;

pub(crate) fn run(session: &Session, matches: &ArgMatches, output: &Output) -> anyhow::Result<Ending> {
    let is_quiet = matches.get_flag("quiet");
    let engine = match matches.get_one::<PathBuf>("path") {
        Some(path) => session.roots.open(&session.roots.absolute(path))?,
        None => session.engine()?,
    };
    let mode = if matches.get_flag("force") {
        RefreshMode::Everything
    } else {
        RefreshMode::Changed
    };
    let report = {
        let bar = Bar::default();
        let shown = |progress| bar.report(progress);
        let control = Control {
            progress: if is_quiet { None } else { Some(&shown) },
            ..Control::default()
        };
        engine.refresh(mode, &control)?
    };
    if output.is_json {
        Output::json(&summary(&engine, &report))?;
    } else if !is_quiet {
        output.text(&text(&engine, &report))?;
    }
    if !is_quiet {
        for warning in &engine.settings().warnings {
            output.remark(&format!("warning: {warning}"));
        }
    }
    for (path, why) in report.failed.iter().chain(&report.problems).take(MAX_PROBLEMS) {
        output.remark(&format!("{path}: {why}"));
    }
    Ok(Ending::Found)
}

fn text(engine: &Engine, report: &RunReport) -> String {
    let mut text = format!(
        "{}: {} files ({} new, {} changed, {} removed), {} nodes, {} edges, {:.2} s\n",
        engine.root().display(),
        report.files_total,
        report.new_files,
        report.updated_files,
        report.removed,
        report.node_count,
        report.edge_count,
        report.elapsed.as_secs_f64()
    );
    if !report.skipped.is_empty() {
        text.push_str(&format!(
            "{} files were skipped, `strata is-path-indexed PATH` says why\n",
            report.skipped.len()
        ));
    }
    if !report.failed.is_empty() {
        text.push_str(&format!("{} files could not be read\n", report.failed.len()));
    }
    for note in &report.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text
}

fn summary(engine: &Engine, report: &RunReport) -> Value {
    let total_ms = report.elapsed.as_secs_f64() * 1000.0;
    let parts = [
        ("discover", report.phases.discover),
        ("extract", report.phases.extract),
        ("resolve", report.phases.resolve),
        ("store", report.phases.store),
    ];
    let phases: Vec<Value> = parts
        .into_iter()
        .map(|(name, time)| {
            let ms = time.as_secs_f64() * 1000.0;
            json!({ "name": name, "ms": rounded(ms), "pct": rounded(if total_ms > 0.0 { ms / total_ms * 100.0 } else { 0.0 }) })
        })
        .collect();
    let n_indexed = report.new_files + report.updated_files;
    json!({
        "projectID": engine.project_id(),
        "directory": engine.root().display().to_string(),
        "worktree": engine.root().display().to_string(),
        "requested": report.files_total,
        "files": { "discovered": report.files_total + report.skipped.len() },
        "graph": { "nodes": report.node_count, "edges": report.edge_count },
        "run": {
            "nodes": report.added_node_count,
            "edges": report.edge_count,
            "indexed": n_indexed,
            "unchanged": report.files_total.saturating_sub(n_indexed),
            "skipped": report.skipped.len(),
            "failed": report.failed.len(),
            "pruned": { "files": report.removed, "nodes": report.removed_node_count },
            "elapsedMs": rounded(total_ms),
            "parsed": report.parsed,
            "relinked": report.relinked,
        },
        "timings": { "totalMs": rounded(total_ms), "phases": phases },
        "indexID": report.index_id,
    })
}

fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
