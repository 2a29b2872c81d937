//! `symbol_source`: the source of one symbol, cut out of a file that is the indexed one.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strata_engine::{SliceRequest, SourceMode, SourceSlice};

use crate::error::ToolError;
use crate::fit::Window;
use crate::tool::{Body, Call, Outcome, Reply, Tool};
use crate::words::{Word, Words};

/// Lines unless something else is asked for.
const DEFAULT_LINES: u32 = 40;
/// Most lines.
const MAX_LINES: u32 = 200;
/// Digits of the short hash.
const SHORT_SHA: usize = 8;

pub(crate) struct SymbolSource;

#[derive(Debug, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The symbol: qualified name or its end, `path::Name`, `path:line`
    #[arg(long)]
    fqn: String,
    /// How much of it (SignatureAndBody)
    #[arg(long)]
    mode: Option<Word<SourceMode>>,
    /// Most lines (40, at most 200)
    #[arg(long)]
    max_lines: Option<u32>,
    /// One statement of it
    #[arg(long)]
    statement_id: Option<String>,
}

impl Words for SourceMode {
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("SignatureOnly", Self::SignatureOnly),
            ("SignatureAndDoc", Self::SignatureAndDoc),
            ("SignatureAndBody", Self::SignatureAndBody),
            ("FullSpan", Self::FullSpan),
            ("StatementSpan", Self::StatementSpan),
        ]
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    /// Path of the file
    virtual_file_path: String,
    /// First line shown
    start_line: u32,
    /// Last line shown
    end_line: u32,
    /// Cell of the notebook, counted from 1
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<u32>,
    /// Language
    language: String,
    /// The text
    source: String,
    /// Hash of the whole symbol
    sha256: String,
    /// True when the file is the indexed one
    stable: bool,
    /// True when lines were left out
    truncated: bool,
    /// Qualified name
    fqn: String,
    /// First digits of the hash
    short_sha: String,
    /// The text as a block with its source, for citing
    markdown_ready_block: String,
}

pub(crate) struct Source {
    slice: SourceSlice,
    lines: Vec<String>,
    comment: &'static str,
    /// True when the lines are lines of the file, so that their numbers mean something.
    is_span: bool,
}

impl Tool for SymbolSource {
    const NAME: &'static str = "symbol_source";
    const VERB: &'static str = "symbol-source";
    const TITLE: &'static str = "Symbol source";
    const DESCRIPTION: &'static str = "Use instead of reading a file to see the code of one function, method or class. \
        Exact current lines with path and hash; refuses rather than show lines of a changed file.";
    const PRIMARY: Option<&'static str> = Some("fqn");
    const EXAMPLE: &'static str = r#"{ "fqn": "app::UserService::create", "mode": "SignatureAndBody" }"#;

    type Params = Params;
    type Body = Source;

    fn run(call: &Call<'_>, params: Params) -> Result<Reply<Source>, ToolError> {
        let engine = call.engine()?;
        let mode = params.mode.map_or(SourceMode::SignatureAndBody, |mode| mode.0);
        let asked = params.max_lines.unwrap_or(DEFAULT_LINES);
        let max_lines = asked.clamp(1, MAX_LINES);
        let request = SliceRequest { mode, max_lines };
        let reply = engine.source(&params.fqn, request, &call.control, |view, slice| {
            let body = Source {
                lines: slice.source.lines().map(str::to_owned).collect(),
                comment: view.line_comment(&slice.language),
                is_span: !matches!(mode, SourceMode::SignatureOnly | SourceMode::SignatureAndDoc),
                slice,
            };
            let mut reply = Reply::of(view, Outcome::Ok, body);
            if asked != max_lines {
                reply = reply.with_note(format!("max_lines {asked} was set to {max_lines}"));
            }
            if let Some(id) = &params.statement_id {
                reply = reply.with_note(format!("there is no statement `{id}`, this is the whole symbol"));
            } else if mode == SourceMode::StatementSpan {
                reply = reply.with_note("no statement was named, this is the whole symbol");
            }
            if reply.body.slice.is_truncated {
                reply = reply.with_note("lines are left out at the end; a larger max_lines shows more");
            }
            reply
        })?;
        Ok(reply)
    }
}

impl Source {
    fn shown(&self, window: &Window) -> (u32, u32, String) {
        let lines = window.slice(&self.lines, 0);
        let (start, end) = if self.is_span {
            let numbers = window.slice(&self.slice.lines, 0);
            let start = numbers.first().copied().unwrap_or(self.slice.start_line);
            (start, numbers.last().copied().unwrap_or(start))
        } else {
            (self.slice.start_line, self.slice.end_line)
        };
        (start, end, lines.join("\n"))
    }

    fn block(&self, window: &Window) -> String {
        let (start, end, source) = self.shown(window);
        let longest = longest_run_of_ticks(&source);
        let fence = "`".repeat(3.max(longest + 1));
        let comment = self.comment;
        let cell = self.slice.cell.map_or(String::new(), |cell| format!(" (cell {cell})"));
        format!(
            "{fence}{}\n{comment} FQN  : {}\n{comment} File : {}:{start}-{end}{cell}\n{comment} SHA  : sha256:{}\n{source}\n{fence}",
            self.slice.language,
            self.slice.fqn,
            self.slice.path,
            self.short_sha()
        )
    }

    fn short_sha(&self) -> &str {
        &self.slice.sha256[..SHORT_SHA.min(self.slice.sha256.len())]
    }
}

fn longest_run_of_ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

impl Body for Source {
    type Structured = Output;

    fn n_items(&self) -> usize {
        self.lines.len()
    }

    fn structured(&self, window: &Window) -> Output {
        let (start_line, end_line, source) = self.shown(window);
        Output {
            virtual_file_path: self.slice.path.clone(),
            start_line,
            end_line,
            cell: self.slice.cell,
            language: self.slice.language.clone(),
            source,
            sha256: self.slice.sha256.clone(),
            stable: self.slice.is_stable,
            truncated: self.slice.is_truncated || window.n_left() > 0 || window.start > 0,
            fqn: self.slice.fqn.clone(),
            short_sha: self.short_sha().to_owned(),
            markdown_ready_block: self.block(window),
        }
    }

    fn text(&self, window: &Window) -> String {
        self.block(window)
    }
}

#[cfg(test)]
mod tests {
    use super::longest_run_of_ticks;

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        assert_eq!(longest_run_of_ticks("a ``` b ` c"), 3);
        assert_eq!(longest_run_of_ticks("none"), 0);
    }
}
