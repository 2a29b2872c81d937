//! `codebase_search`: symbols by words.

use std::fmt::Write as _;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strata_engine::{Freshness, LexicalHit, SearchFilter};
use strata_model::kinds::{NodeKind, NodeLevel};

use crate::error::ToolError;
use crate::fit::{Detail, Window};
use crate::records::{CompactNode, rounded, symbol_lines};
use crate::tool::{Body, Call, Outcome, Reply, Tool};
use crate::words::{Word, WordSet, Words};

/// Hits unless something else is asked for.
const DEFAULT_TOP: u32 = 10;
/// Most hits.
const MAX_TOP: u32 = 50;

pub(crate) struct CodebaseSearch;

#[derive(Debug, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Words or identifiers
    #[arg(long)]
    query: String,
    /// Only these levels, such as L3_Symbol
    #[arg(long)]
    #[schemars(with = "Vec<String>")]
    #[serde(default)]
    levels: Option<WordSet<NodeLevel>>,
    /// Most hits (10, at most 50)
    #[arg(long)]
    top_k: Option<u32>,
    /// Only these kinds, such as Class
    #[arg(long)]
    #[schemars(with = "Vec<String>")]
    #[serde(default)]
    filter_kinds: Option<WordSet<NodeKind>>,
    /// Only these packages
    #[arg(long, value_delimiter = ',')]
    #[serde(default)]
    filter_packages: Vec<String>,
    /// Only these languages
    #[arg(long, value_delimiter = ',')]
    #[serde(default)]
    filter_languages: Vec<String>,
    /// Only files that match one of these globs
    #[arg(long, value_delimiter = ',')]
    #[serde(default)]
    filter_paths: Vec<String>,
    /// Leave out tests (false)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    exclude_tests: Option<bool>,
    /// Least score, for vectors only
    #[arg(long)]
    min_score: Option<f64>,
    /// Show signatures (false)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    include_signature: Option<bool>,
    /// How to search (Hybrid)
    #[arg(long)]
    mode: Option<Word<Mode>>,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Hybrid,
    Vector,
    Lexical,
}

impl Words for Mode {
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("Hybrid", Self::Hybrid),
            ("Vector", Self::Vector),
            ("Lexical", Self::Lexical),
        ]
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    /// The best first
    hits: Vec<SearchHit>,
    /// Number of symbols that match
    total_candidates: usize,
    /// True when something was left out
    truncated: bool,
    /// Files that were indexed again before the search
    refreshed_files: usize,
}

#[derive(Serialize, JsonSchema)]
struct SearchHit {
    /// Qualified name
    fqn: String,
    /// Kind
    kind: &'static str,
    /// Path of the file
    virtual_file_path: String,
    /// First line
    start_line: u32,
    /// Last line
    end_line: u32,
    /// How well it matches; not comparable across origins
    score: f64,
    /// First sentence of the documentation
    #[serde(skip_serializing_if = "Option::is_none")]
    summary_short: Option<String>,
    /// Signature
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// What matched: vector, bm25 or hybrid
    match_origin: &'static str,
}

pub(crate) struct Hits {
    hits: Vec<LexicalHit>,
    total: usize,
    n_refreshed: usize,
    has_signature: bool,
}

impl Tool for CodebaseSearch {
    const NAME: &'static str = "codebase_search";
    const VERB: &'static str = "codebase-search";
    const TITLE: &'static str = "Search the codebase";
    const DESCRIPTION: &'static str = "Use instead of grep to find where something is defined, by identifiers or plain words. \
        Ranked symbols with path and lines.";
    const PRIMARY: Option<&'static str> = Some("query");
    const EXAMPLE: &'static str = r#"{ "query": "session expiration", "top_k": 10 }"#;

    type Params = Params;
    type Body = Hits;

    fn run(call: &Call<'_>, params: Params) -> Result<Reply<Hits>, ToolError> {
        if params.query.trim().is_empty() {
            return Err(ToolError::invalid(
                "query is empty; name what is looked for, such as `session expiration`",
            ));
        }
        let asked = params.top_k.unwrap_or(DEFAULT_TOP);
        let top_k = asked.clamp(1, MAX_TOP);
        let mode = params.mode.map_or(Mode::Hybrid, |mode| mode.0);
        let filter = SearchFilter {
            levels: params.levels.unwrap_or_default().0,
            kinds: params.filter_kinds.unwrap_or_default().0,
            packages: params.filter_packages,
            languages: params.filter_languages,
            paths: params.filter_paths,
            excludes_tests: params.exclude_tests.unwrap_or(false),
        };
        call.engine()?.ask(Freshness::Prefer, &call.control, |view| {
            let empty = |total| Hits {
                hits: Vec::new(),
                total,
                n_refreshed: view.n_refreshed(),
                has_signature: false,
            };
            if mode == Mode::Vector {
                let note = "there are no vectors in this version; ask with mode Lexical";
                return Ok(Reply::of(view, Outcome::BackendFailed, empty(0)).with_note(note));
            }
            let (hits, total) = view.search(&params.query, &filter, top_k as usize)?;
            let mut reply = if hits.is_empty() {
                let nearest = view.nearest_names(params.query.trim())?;
                let mut reply = Reply::of(view, Outcome::None, empty(total));
                if !nearest.is_empty() {
                    reply = reply.with_note(format!("nearest names: {}", nearest.join(", ")));
                }
                reply
            } else {
                let has_signature = params.include_signature.unwrap_or(false);
                let body = Hits {
                    hits,
                    total,
                    n_refreshed: view.n_refreshed(),
                    has_signature,
                };
                Reply::of(view, Outcome::Ok, body)
            };
            if asked != top_k {
                reply = reply.with_note(format!("top_k {asked} was set to {top_k}"));
            }
            if params.min_score.is_some_and(|least| least > 0.0) {
                reply = reply.with_note("min_score applies to vectors only and changed nothing");
            }
            Ok(reply)
        })
    }
}

impl Body for Hits {
    type Structured = Output;

    fn n_items(&self) -> usize {
        self.hits.len()
    }

    fn structured(&self, window: &Window) -> Output {
        let hits = window.slice(&self.hits, 0).iter().map(|hit| {
            let node = CompactNode::of(&hit.symbol, window.detail);
            SearchHit {
                fqn: node.fqn,
                kind: node.kind,
                virtual_file_path: node.virtual_file_path,
                start_line: node.start_line,
                end_line: node.end_line,
                score: rounded(hit.score),
                summary_short: node.summary_short,
                signature: node.signature.filter(|_| self.has_signature),
                match_origin: "bm25",
            }
        });
        Output {
            hits: hits.collect(),
            total_candidates: self.total,
            truncated: self.total > self.hits.len() || window.n_left() > 0 || window.start > 0,
            refreshed_files: self.n_refreshed,
        }
    }

    fn text(&self, window: &Window) -> String {
        let mut text = String::new();
        let shown = window.slice(&self.hits, 0);
        let _ = writeln!(text, "{} of {} matches", shown.len(), self.total);
        for hit in shown {
            // Signatures cost little and save the next call.
            symbol_lines(&hit.symbol, window.detail.max(Detail::Name), &mut text);
        }
        text
    }
}
