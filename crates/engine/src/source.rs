//! Slices of source that are true: cut only out of a file whose hash is the indexed one.

use std::ops::Range;

use strata_index::{Control, LockMode, RefreshMode, decode};
use strata_lang::{Embedded, Language};
use strata_model::ids::Span;
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
    /// The line of the file on which each line of the text stands; empty where the text is no lines of the file.
    pub lines: Vec<u32>,
    /// The number of the notebook's cell.
    pub cell: Option<u32>,
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
        let is_module = symbol.level == NodeLevel::L2_Module;
        let text = std::str::from_utf8(&text.bytes).map_err(|error| stale(error.to_string()))?;
        let mut languages = self.engine.indexer().languages().iter();
        let decoded = languages
            .find(|known| known.name() == file.language)
            .and_then(|language| Decoded::new(*language, text));
        let code = decoded.as_ref().map_or(text, |decoded| decoded.code.as_str());
        let span = match &decoded {
            _ if is_module => 0..code.len(),
            Some(decoded) => decoded.range(symbol.span),
            None => symbol.span.start as usize..symbol.span.end as usize,
        };
        let construct = code
            .get(span.clone())
            .ok_or_else(|| stale("its symbols lie outside it".to_owned()))?;
        let n_lines = construct.lines().count().max(1);
        let first = symbol.start.line.max(1);
        let (lines, numbers): (Vec<&str>, Vec<u32>) = match &decoded {
            Some(decoded) => decoded.lines(span.start, n_lines, text),
            None => text.lines().skip(first as usize - 1).take(n_lines).zip(first..).unzip(),
        };
        let mut numbers = numbers;
        let (start_line, mut shown) = match request.mode {
            SourceMode::SignatureOnly | SourceMode::SignatureAndDoc => {
                numbers.clear();
                let has_doc = request.mode == SourceMode::SignatureAndDoc;
                (symbol.line().max(1), signature_lines(symbol, has_doc))
            }
            SourceMode::SignatureAndBody => {
                let n_before = n_decorator_lines(symbol, &lines);
                numbers.drain(..n_before);
                (
                    numbers.first().copied().unwrap_or(first),
                    lines[n_before..].iter().map(|line| (*line).to_owned()).collect(),
                )
            }
            SourceMode::FullSpan | SourceMode::StatementSpan => (
                numbers.first().copied().unwrap_or(first),
                lines.iter().map(|line| (*line).to_owned()).collect(),
            ),
        };
        let is_truncated = shown.len() > request.max_lines as usize;
        shown.truncate(request.max_lines as usize);
        numbers.truncate(shown.len());
        Ok(SourceSlice {
            fqn: symbol.fqn.clone(),
            path: file.path,
            start_line,
            end_line: numbers.last().copied().unwrap_or(start_line),
            lines: numbers,
            cell: decoded
                .as_ref()
                .filter(|_| !is_module)
                .and_then(|decoded| decoded.cell(symbol.span)),
            language: decoded
                .as_ref()
                .map_or(file.language, |decoded| decoded.language.to_owned()),
            source: shown.join("\n"),
            sha256: sha256(construct.as_bytes()).to_string(),
            is_stable: true,
            is_truncated,
        })
    }
}

/// The code of a file that spells it in an encoding of its own: a notebook. What is shown of it is the code.
struct Decoded {
    code: String,
    embedded: Embedded,
    language: &'static str,
}

impl Decoded {
    fn new(language: &dyn Language, file: &str) -> Option<Self> {
        let mut embedded = language.embedded(file.as_bytes()).filter(|it| it.is_encoded)?;
        let code = String::from_utf8(std::mem::take(&mut embedded.text)).ok()?;
        let language = embedded.language.map_or(language.name(), Language::name);
        Some(Self {
            code,
            embedded,
            language,
        })
    }

    /// Where in the code stands what has a span in the file.
    fn range(&self, span: Span) -> Range<usize> {
        let map = &self.embedded.map;
        map.code_start(span.start as usize)..map.code_end(span.end as usize)
    }

    /// Lines of the code from the one that holds `at`, each with its line in the file.
    fn lines(&self, at: usize, n_lines: usize, file: &str) -> (Vec<&str>, Vec<u32>) {
        let mut start = self
            .code
            .get(..at)
            .and_then(|before| before.rfind('\n'))
            .map_or(0, |line_break| line_break + 1);
        let (mut lines, mut numbers) = (Vec::new(), Vec::new());
        // Lines of the file are counted from place to place, for there may be many.
        let (mut counted, mut number) = (0, 1);
        for line in self.code[start..].split_inclusive('\n').take(n_lines) {
            let place = self.embedded.map.start(start);
            if let Some(between) = file.as_bytes().get(counted..place) {
                number += between.split(|byte| *byte == b'\n').count() as u32 - 1;
                counted = place;
            }
            lines.push(line.trim_end_matches(['\n', '\r']));
            numbers.push(number);
            start += line.len();
        }
        (lines, numbers)
    }

    fn cell(&self, span: Span) -> Option<u32> {
        self.embedded.part_at(self.range(span).start)
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
