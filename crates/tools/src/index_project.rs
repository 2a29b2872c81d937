//! `index_project`: brings the index of a project up to date.

use std::fmt::Write as _;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strata_engine::{Freshness, IndexCounts, RefreshMode, RunReport};

use crate::error::ToolError;
use crate::fit::Window;
use crate::tool::{Body, Call, Outcome, Reply, Tool};

/// Errors that are listed.
const MAX_ERRORS: usize = 5;

pub(crate) struct IndexProject;

#[derive(Debug, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Folder to index (the root)
    #[arg(long)]
    path: Option<String>,
    /// Parse every file again (false)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    force: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    /// `ok`, or `partial` when files failed
    status: &'static str,
    /// The root
    root: String,
    /// Files in the index
    total_files: usize,
    /// Files that are new
    new_files: usize,
    /// Files that changed
    updated_files: usize,
    /// Files that needed nothing
    skipped_files: usize,
    /// Symbols in the index
    total_symbols: u64,
    /// Symbols by kind
    symbols_by_kind: Map<String, Value>,
    /// Files by language
    languages: Map<String, Value>,
    /// Seconds
    elapsed_seconds: f64,
    /// What went wrong, each with its path
    errors: Vec<String>,
}

pub(crate) struct Indexed {
    root: String,
    report: RunReport,
    counts: IndexCounts,
}

impl Tool for IndexProject {
    const NAME: &'static str = "index_project";
    const VERB: &'static str = "index-project";
    const TITLE: &'static str = "Index a project";
    const DESCRIPTION: &'static str = "Use before the first question if you want to wait for a complete index. \
        Indexes or refreshes the project and says what it holds.";
    const PRIMARY: Option<&'static str> = Some("path");
    const EXAMPLE: &'static str = r#"{ "path": ".", "force": false }"#;

    type Params = Params;
    type Body = Indexed;

    fn run(call: &Call<'_>, params: Params) -> Result<Reply<Indexed>, ToolError> {
        let engine = match params.path.as_deref().filter(|path| !matches!(*path, "" | "." | "./")) {
            None => call.engine()?,
            Some(path) => {
                let from_root = call.engine().map(|engine| engine.root().join(path)).ok();
                let folder = match from_root.filter(|folder| !call.is_local && folder.is_dir()) {
                    Some(folder) => folder,
                    None => call.roots.absolute(std::path::Path::new(path)),
                };
                if !call.is_local && !call.roots.is_allowed(&folder) {
                    return Err(ToolError::invalid(format!(
                        "{} lies outside the roots of this server; start it with --root, or name a folder inside",
                        folder.display()
                    )));
                }
                call.roots.open(&folder)?
            }
        };
        let mode = if params.force.unwrap_or(false) {
            RefreshMode::Everything
        } else {
            RefreshMode::Changed
        };
        let report = engine.refresh(mode, &call.control)?;
        engine.ask(Freshness::AllowStale, &call.control, |view| {
            let n_errors = report.failed.len() + report.problems.len();
            let body = Indexed {
                root: engine.root().display().to_string(),
                counts: view.counts()?,
                report: report.clone(),
            };
            let mut reply = Reply::of(view, Outcome::Ok, body);
            reply.notes.extend(report.notes.iter().cloned());
            if n_errors > MAX_ERRORS {
                reply = reply.with_note(format!("{n_errors} errors, the first {MAX_ERRORS} are listed"));
            }
            Ok(reply)
        })
    }
}

impl Indexed {
    fn errors(&self) -> Vec<String> {
        let report = &self.report;
        let all = report.failed.iter().chain(&report.problems);
        all.map(|(path, why)| format!("{path}: {why}"))
            .take(MAX_ERRORS)
            .collect()
    }
}

impl Body for Indexed {
    type Structured = Output;

    fn structured(&self, _window: &Window) -> Output {
        let report = &self.report;
        let numbers = |list: &[(String, u64)]| list.iter().map(|(name, n)| (name.clone(), Value::from(*n))).collect();
        Output {
            status: if report.failed.is_empty() { "ok" } else { "partial" },
            root: self.root.clone(),
            total_files: report.files_total,
            new_files: report.new_files,
            updated_files: report.updated_files,
            skipped_files: report.files_total.saturating_sub(report.parsed + report.reused_facts),
            total_symbols: self.counts.symbols,
            symbols_by_kind: numbers(&self.counts.symbols_by_kind),
            languages: numbers(&self.counts.languages),
            elapsed_seconds: report.elapsed.as_secs_f64(),
            errors: self.errors(),
        }
    }

    fn text(&self, _window: &Window) -> String {
        let report = &self.report;
        let mut text = format!(
            "{}: {} files ({} new, {} changed, {} removed), {} symbols, {:.1} s\n",
            self.root,
            report.files_total,
            report.new_files,
            report.updated_files,
            report.removed,
            self.counts.symbols,
            report.elapsed.as_secs_f64()
        );
        for error in self.errors() {
            let _ = writeln!(text, "failed: {error}");
        }
        text
    }
}
