//! Slices of source that are true: cut only out of a file whose hash is the indexed one.

use strata_index::{Control, LockMode, RefreshMode, decode};
use strata_model::kinds::NodeLevel;
use strata_vfs::sha256;

use crate::engine::{Engine, Freshness};
use crate::error::EngineError;
use crate::view::{Symbol, View};

/// How much of a symbol is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceMode {
    /// The signature.
    SignatureOnly,
    /// The documentation and the signature.
    SignatureAndDoc,
    /// The construct from its first line that is no decorator.
    SignatureAndBody,
    /// The whole construct.
    FullSpan,
    /// One statement.
    StatementSpan,
}

/// A piece of source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceSlice {
    /// FQN of the symbol.
    pub fqn: String,
    /// Path of the file.
    pub path: String,
    /// First line of the text.
    pub start_line: u32,
    /// Last line of the text.
    pub end_line: u32,
    /// Language.
    pub language: String,
    /// The text, without a line break at its end.
    pub source: String,
    /// Hash of the symbol's whole construct, in hexadecimal.
    pub sha256: String,
    /// True when the file's hash is the indexed one.
    pub is_stable: bool,
    /// True when lines were left out at the end.
    pub is_truncated: bool,
}

/// What is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceRequest {
    /// How much of the symbol.
    pub mode: SourceMode,
    /// Most lines.
    pub max_lines: u32,
}

impl Engine {
    /// The source of the symbol that a selector means. When its file changed between indexing and reading, the index is
    /// brought up to date and the symbol located again, once.
    pub fn source<T>(
        &self,
        selector: &str,
        request: SliceRequest,
        control: &Control<'_>,
        with: impl Fn(&View<'_>, SourceSlice) -> T,
    ) -> Result<T, EngineError> {
        let attempt = || {
            self.ask(Freshness::Prefer, control, |view| {
                let symbol = view.select(selector)?;
                view.slice(&symbol, request).map(|slice| with(view, slice))
            })
        };
        match attempt() {
            Err(EngineError::Stale { path, .. }) => {
                // Whoever is indexing now may take long; a refusal that says why is better than waiting.
                let control = Control {
                    lock: LockMode::Try,
                    ..*control
                };
                match self.refresh(RefreshMode::Changed, &control) {
                    Ok(_) => attempt(),
                    Err(error) => Err(EngineError::Stale {
                        path,
                        cause: error.with_causes(),
                    }),
                }
            }
            other => other,
        }
    }
}

impl View<'_> {
    /// A piece of the source of a symbol. [`EngineError::Stale`] when its file is not the indexed one.
    pub fn slice(&self, symbol: &Symbol, request: SliceRequest) -> Result<SourceSlice, EngineError> {
        let Some(file_id) = symbol.file_id else {
            return Err(EngineError::Invalid {
                message: format!(
                    "`{}` is a {} and has no source of its own",
                    symbol.fqn,
                    symbol.kind.name().to_lowercase()
                ),
            });
        };
        let stale = |cause: String| EngineError::Stale {
            path: symbol.path.clone(),
            cause,
        };
        let file = self
            .store
            .file(file_id)?
            .ok_or_else(|| stale("it is no longer indexed".to_owned()))?;
        let bytes = self
            .engine
            .indexer()
            .fs()
            .read(&file.path)
            .map_err(|error| stale(error.to_string()))?;
        if sha256(&bytes).0 != file.sha256 {
            return Err(stale(String::new()));
        }
        let text = decode(&bytes).ok_or_else(|| stale("it is binary".to_owned()))?;
        let text = std::str::from_utf8(&text.bytes).map_err(|error| stale(error.to_string()))?;
        let span = if symbol.level == NodeLevel::L2_Module {
            0..text.len()
        } else {
            symbol.span.start as usize..symbol.span.end as usize
        };
        let construct = text
            .get(span)
            .ok_or_else(|| stale("its symbols lie outside it".to_owned()))?;
        let first = symbol.start.line.max(1);
        let lines: Vec<&str> = text
            .lines()
            .skip(first as usize - 1)
            .take(construct.lines().count().max(1))
            .collect();
        let (start_line, mut shown) = match request.mode {
            SourceMode::SignatureOnly => (symbol.line().max(1), signature_lines(symbol, false)),
            SourceMode::SignatureAndDoc => (symbol.line().max(1), signature_lines(symbol, true)),
            SourceMode::SignatureAndBody => {
                let n_before = n_decorator_lines(symbol, &lines);
                (
                    first + n_before as u32,
                    lines[n_before..].iter().map(|line| (*line).to_owned()).collect(),
                )
            }
            SourceMode::FullSpan | SourceMode::StatementSpan => {
                (first, lines.iter().map(|line| (*line).to_owned()).collect())
            }
        };
        let is_truncated = shown.len() > request.max_lines as usize;
        shown.truncate(request.max_lines as usize);
        let end_line = match request.mode {
            SourceMode::SignatureOnly | SourceMode::SignatureAndDoc => start_line,
            SourceMode::SignatureAndBody | SourceMode::FullSpan | SourceMode::StatementSpan => {
                start_line + (shown.len() as u32).saturating_sub(1)
            }
        };
        Ok(SourceSlice {
            fqn: symbol.fqn.clone(),
            path: file.path,
            start_line,
            end_line,
            language: file.language,
            source: shown.join("\n"),
            sha256: sha256(construct.as_bytes()).to_string(),
            is_stable: true,
            is_truncated,
        })
    }
}

fn signature_lines(symbol: &Symbol, has_doc: bool) -> Vec<String> {
    let mut lines = vec![symbol.signature.clone()];
    if let Some(doc) = symbol.doc.as_deref().filter(|_| has_doc) {
        lines.extend(doc.lines().map(|line| format!("    {line}")));
    }
    lines
}

/// Number of lines before the one with the name that are decorators or attributes.
fn n_decorator_lines(symbol: &Symbol, lines: &[&str]) -> usize {
    let n_before = symbol.name_at.line.saturating_sub(symbol.start.line.max(1)) as usize;
    let before = &lines[..n_before.min(lines.len())];
    let is_decorated = before.first().is_some_and(|line| {
        let line = line.trim_start();
        line.starts_with('@') || line.starts_with("#[") || line.starts_with('[')
    });
    if is_decorated { before.len() } else { 0 }
}
