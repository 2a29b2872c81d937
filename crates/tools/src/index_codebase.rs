//! `index_codebase`: builds an index, or builds it again.

use std::fmt::Write as _;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strata_engine::{FilterStats, Freshness, RefreshMode, RunReport};

use crate::error::{ErrorCode, ToolError};
use crate::fit::Window;
use crate::tool::{Body, Call, Outcome, Reply, Tool};

/// Entries of the root that are counted to tell whether it is readable at all.
const MAX_PROBED: usize = 10_000;

pub(crate) struct IndexCodebase;

#[derive(Debug, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Folder to index
    #[arg(long)]
    #[serde(default)]
    root_path: Option<String>,
    /// Only these languages (all)
    #[arg(long, value_delimiter = ',')]
    #[serde(default)]
    languages: Vec<String>,
    /// Names to leave out, instead of the default ones
    #[arg(long, value_delimiter = ',')]
    #[serde(default)]
    exclude: Option<Vec<String>>,
    /// Summaries by a model (false)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    enrich_with_llm: Option<bool>,
    /// Store statements (false)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    include_statements: Option<bool>,
    /// Model for embeddings
    #[arg(long)]
    embedding_model: Option<String>,
    /// Model for summaries
    #[arg(long)]
    summarizer_model: Option<String>,
    /// Most tokens of a summary (120)
    #[arg(long)]
    summarizer_max_tokens: Option<u32>,
    /// Summaries at a time (5)
    #[arg(long)]
    summarizer_concurrency: Option<u32>,
    /// Name instead of the root's own
    #[arg(long)]
    root_alias: Option<String>,
    /// Follow .gitignore (true)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    respect_gitignore: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    /// Id of the indexed contents
    index_id: String,
    /// Nodes
    node_count: usize,
    /// Edges
    edge_count: usize,
    /// Statements
    statement_count: usize,
    /// Files
    file_count: usize,
    /// Seconds
    elapsed: f64,
    /// Files of which nothing could be read
    errors: Vec<String>,
    /// What was embedded
    embedding_stats: EmbeddingStats,
    /// What was left out
    filter_stats: FilterStatsOut,
}

#[derive(Serialize, JsonSchema)]
struct EmbeddingStats {
    provider: &'static str,
    model: String,
    dimensions: u32,
    nodes_embedded: usize,
    nodes_skipped: usize,
    elapsed: f64,
}

#[derive(Serialize, JsonSchema)]
struct FilterStatsOut {
    total_enumerated: u64,
    excluded_by_exclude_set: u64,
    excluded_by_gitignore: u64,
    excluded_by_language: u64,
    excluded_by_suffix: u64,
    excluded_by_size: u64,
    vfs_file_entries_yielded: u64,
    physical_entries_probe: usize,
    physical_root: String,
}

pub(crate) struct Indexed {
    report: RunReport,
    errors: Vec<String>,
    n_probed: usize,
    root: String,
}

impl Tool for IndexCodebase {
    const NAME: &'static str = "index_codebase";
    const VERB: &'static str = "index-codebase";
    const TITLE: &'static str = "Index a codebase";
    const DESCRIPTION: &'static str = "Use to index a folder that no question has been asked about yet, or with other settings. \
        Questions index by themselves, so this is rarely needed.";
    const PRIMARY: Option<&'static str> = Some("root-path");
    const EXAMPLE: &'static str = r#"{ "root_path": "/src" }"#;

    type Params = Params;
    type Body = Indexed;

    fn run(call: &Call<'_>, params: Params) -> Result<Reply<Indexed>, ToolError> {
        let Some(root) = params.root_path.filter(|root| !root.trim().is_empty()) else {
            let body = Indexed {
                report: RunReport::default(),
                errors: vec!["root_path is required".to_owned()],
                n_probed: 0,
                root: String::new(),
            };
            return Ok(Reply::without_index(Outcome::Ok, body).with_error(ErrorCode::InvalidArgument));
        };
        let known: Vec<&str> = call.roots.languages().iter().map(|language| language.name()).collect();
        if let Some(unknown) = params
            .languages
            .iter()
            .find(|name| !known.iter().any(|known| known.eq_ignore_ascii_case(name)))
        {
            return Err(ToolError::invalid(format!(
                "`{unknown}` is no language; there are {}",
                known.join(", ")
            )));
        }
        let folder = call.roots.absolute(std::path::Path::new(&root));
        let engine = call.roots.open_with(&folder, |settings| {
            if !params.languages.is_empty() {
                settings.index.languages.clone_from(&params.languages);
            }
            if let Some(exclude) = &params.exclude {
                settings.index.exclude.clone_from(exclude);
            }
            if let Some(alias) = params.root_alias.as_ref().filter(|alias| !alias.is_empty()) {
                settings.index.root_alias = Some(alias.clone());
            }
            if let Some(respects) = params.respect_gitignore {
                settings.index.respect_gitignore = respects;
            }
        })?;
        let report = engine.refresh(RefreshMode::Everything, &call.control)?;
        engine.ask(Freshness::AllowStale, &call.control, |view| {
            let body = Indexed {
                errors: report.failed.iter().map(|(path, _)| path.clone()).collect(),
                n_probed: std::fs::read_dir(engine.root()).map_or(0, |entries| entries.take(MAX_PROBED).count()),
                root: engine.root().display().to_string(),
                report: report.clone(),
            };
            let mut reply = Reply::of(view, Outcome::Ok, body);
            reply.notes.extend(report.notes.iter().cloned());
            reply.notes.extend(
                report
                    .problems
                    .iter()
                    .map(|(path, why)| format!("{path}: {why}"))
                    .take(5),
            );
            if params.enrich_with_llm == Some(true) {
                reply = reply.with_note("summaries are not part of this version");
            }
            if params.include_statements == Some(true) {
                reply = reply.with_note("statements are not part of this version");
            }
            if params.embedding_model.is_some() {
                reply = reply.with_note("vectors are not part of this version");
            }
            Ok(reply)
        })
    }
}

impl Body for Indexed {
    type Structured = Output;

    fn n_items(&self) -> usize {
        self.errors.len()
    }

    fn structured(&self, window: &Window) -> Output {
        let report = &self.report;
        let stats: FilterStats = report.filter_stats.unwrap_or_default();
        Output {
            index_id: report.index_id.clone(),
            node_count: report.node_count,
            edge_count: report.edge_count,
            statement_count: 0,
            file_count: report.files_total,
            elapsed: report.elapsed.as_secs_f64(),
            errors: window.slice(&self.errors, 0).to_vec(),
            embedding_stats: EmbeddingStats {
                provider: "None",
                model: String::new(),
                dimensions: 0,
                nodes_embedded: 0,
                nodes_skipped: report.node_count,
                elapsed: 0.0,
            },
            filter_stats: FilterStatsOut {
                total_enumerated: stats.total_enumerated,
                excluded_by_exclude_set: stats.excluded_by_exclude_set,
                excluded_by_gitignore: stats.excluded_by_gitignore,
                excluded_by_language: stats.excluded_by_language,
                excluded_by_suffix: stats.excluded_by_suffix,
                excluded_by_size: stats.excluded_by_size,
                vfs_file_entries_yielded: report.files_total as u64
                    + stats.excluded_by_language
                    + stats.excluded_by_suffix,
                physical_entries_probe: self.n_probed,
                physical_root: self.root.clone(),
            },
        }
    }

    fn text(&self, window: &Window) -> String {
        if self.root.is_empty() {
            return format!("{}\n", self.errors.join("\n"));
        }
        let report = &self.report;
        let mut text = format!(
            "indexed {} in {:.1} s: {} files, {} nodes, {} edges\n",
            self.root,
            report.elapsed.as_secs_f64(),
            report.files_total,
            report.node_count,
            report.edge_count
        );
        for path in window.slice(&self.errors, 0) {
            let _ = writeln!(text, "failed: {path}");
        }
        text
    }
}
