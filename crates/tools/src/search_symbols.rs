//! `search_symbols`: symbols by name, words or pattern.

use std::fmt::Write as _;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strata_engine::{FindRequest, FoundSymbol, Freshness, first_sentence};

use crate::error::ToolError;
use crate::fit::{Detail, Window};
use crate::records::SymbolRecord;
use crate::tool::{Body, Call, Outcome, Reply, Tool};
use crate::words::{Word, Words};

/// Hits unless something else is asked for.
const DEFAULT_LIMIT: u32 = 20;
/// Most hits.
const MAX_LIMIT: u32 = 200;
/// Characters of documentation of each hit.
const DOC_CHARS: usize = 200;

pub(crate) struct SearchSymbols;

#[derive(Debug, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// A name, words, or a pattern with `*` and `?`
    #[arg(long)]
    pattern: Option<String>,
    /// The same as `pattern`
    #[arg(long)]
    query: Option<String>,
    /// Only this kind
    #[arg(long, short)]
    kind: Option<Word<ContextKind>>,
    /// Most hits (20, at most 200)
    #[arg(long, short = 'n')]
    limit: Option<u32>,
}

/// A kind as the context server names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContextKind {
    Function,
    Method,
    Class,
    Constant,
    Type,
    Variable,
}

impl Words for ContextKind {
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("function", Self::Function),
            ("class", Self::Class),
            ("method", Self::Method),
            ("constant", Self::Constant),
            ("type", Self::Type),
            ("var", Self::Variable),
            ("const", Self::Constant),
            ("variable", Self::Variable),
        ]
    }
}

impl ContextKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Constant => "constant",
            Self::Type => "type",
            Self::Variable => "var",
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    /// The best first
    results: Vec<SymbolRecord>,
    /// True when something was left out
    truncated: bool,
}

pub(crate) struct Results {
    found: Vec<FoundSymbol>,
    is_cut: bool,
}

impl Tool for SearchSymbols {
    const NAME: &'static str = "search_symbols";
    const VERB: &'static str = "search-symbols";
    const TITLE: &'static str = "Search symbols";
    const DESCRIPTION: &'static str = "Use instead of grep when you know a name or part of one. \
        Finds functions, classes, methods, constants, types and variables by exact name, words or a pattern such as `Auth*`.";
    const PRIMARY: Option<&'static str> = Some("pattern");
    const EXAMPLE: &'static str = r#"{ "pattern": "AuthHandler", "kind": "class" }"#;

    type Params = Params;
    type Body = Results;

    fn run(call: &Call<'_>, params: Params) -> Result<Reply<Results>, ToolError> {
        let pattern = match (params.pattern, params.query) {
            (Some(pattern), Some(query)) if pattern != query => {
                return Err(ToolError::invalid(
                    "pattern and query are the same argument; give one of them",
                ));
            }
            (Some(pattern), _) | (None, Some(pattern)) => pattern,
            (None, None) => String::new(),
        };
        if pattern.trim().is_empty() {
            return Err(ToolError::invalid(
                "pattern or query is needed: a name, words, or a pattern with * and ?",
            ));
        }
        let asked = params.limit.unwrap_or(DEFAULT_LIMIT);
        let limit = asked.clamp(1, MAX_LIMIT);
        call.engine()?.ask(Freshness::Prefer, &call.control, |view| {
            let request = FindRequest {
                pattern: pattern.clone(),
                kind: params.kind.map(|kind| kind.0.name()),
                file: None,
                // One more tells whether there are more.
                limit: limit as usize + 1,
            };
            let mut found = view.find(&request)?;
            let is_cut = found.len() > limit as usize;
            found.truncate(limit as usize);
            let outcome = if found.is_empty() { Outcome::None } else { Outcome::Ok };
            let is_empty = found.is_empty();
            let mut reply = Reply::of(view, outcome, Results { found, is_cut });
            if is_empty {
                let nearest = view.nearest_names(pattern.trim())?;
                reply = reply.with_note(match nearest.as_slice() {
                    [] => "nothing has a similar name".to_owned(),
                    names => format!("nearest names: {}", names.join(", ")),
                });
            }
            if asked != limit {
                reply = reply.with_note(format!("limit {asked} was set to {limit}"));
            }
            Ok(reply)
        })
    }
}

impl Body for Results {
    type Structured = Output;

    fn n_items(&self) -> usize {
        self.found.len()
    }

    fn structured(&self, window: &Window) -> Output {
        Output {
            results: window
                .slice(&self.found, 0)
                .iter()
                .map(|found| SymbolRecord::of(&found.symbol, found.score, found.source, window.detail, DOC_CHARS))
                .collect(),
            truncated: self.is_cut || window.n_left() > 0 || window.start > 0,
        }
    }

    fn text(&self, window: &Window) -> String {
        let mut text = String::new();
        for found in window.slice(&self.found, 0) {
            let symbol = &found.symbol;
            let kind = strata_model::symbol::context_kind(symbol.kind);
            let _ = writeln!(text, "{kind} {} {}:{}", symbol.name, symbol.path, symbol.start.line);
            if window.detail >= Detail::Short
                && let Some(summary) = symbol.doc.as_deref().and_then(first_sentence)
            {
                let _ = writeln!(text, "    {summary}");
            }
        }
        text
    }
}
