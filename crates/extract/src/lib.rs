//! Turns text and a language into file facts, safely: a time limit for parsing, panics contained.
//!
//! A file that cannot be read is not an error of the program. It yields facts with the status `Failed`, a problem that
//! says why, and nothing else, so that the rest of the index is not touched by it.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use strata_lang::{FactsBuilder, Language};
use strata_model::facts::FileFacts;
use strata_model::kinds::ParseStatus;
use tree_sitter::{ParseOptions, Parser, Tree};

/// Limits of extraction.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest time for parsing one file, in milliseconds.
    pub parse_millis: u64,
    /// Most bytes of code in a file that holds it inside something else.
    pub code_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            parse_millis: 10_000,
            code_bytes: 1 << 20,
        }
    }
}

thread_local! {
    // Making a parser allocates its stacks; one a thread serves all files and languages.
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Extracts the facts of one file. Never fails: what cannot be read gives facts with status `Failed` and a problem. The
/// parser is kept per thread, so this may be called from as many threads as there are.
#[must_use]
pub fn extract(language: &'static dyn Language, path: &str, text: &[u8], limits: Limits) -> FileFacts {
    let outcome = catch_unwind(AssertUnwindSafe(|| try_extract(language, path, text, limits)));
    match outcome {
        Ok(Ok(facts)) => facts,
        Ok(Err(reason)) => failed(language, path, text, &reason),
        Err(panic) => {
            PARSER.take();
            let reason = panic
                .downcast_ref::<&str>()
                .map(ToString::to_string)
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            failed(language, path, text, &format!("the extractor gave up: {reason}"))
        }
    }
}

fn try_extract(language: &'static dyn Language, path: &str, text: &[u8], limits: Limits) -> Result<FileFacts, String> {
    let Some(embedded) = language.embedded(text) else {
        let tree = parse(language, path, text, limits)?;
        let mut builder = FactsBuilder::new(language.name(), path, text, language.policy());
        note_place(language, path, text, &mut builder);
        language.extract(&tree, &mut builder);
        return Ok(builder.finish());
    };
    if embedded.text.len() > limits.code_bytes {
        return Err(format!(
            "too much code: {} bytes, the limit is {}",
            embedded.text.len(),
            limits.code_bytes
        ));
    }
    let tree = parse_as(&embedded.grammar, &embedded.text, limits)?;
    let code_language = embedded.language.unwrap_or(language);
    let is_of_another = language
        .code_languages()
        .iter()
        .any(|it| it.name() == code_language.name());
    let name = if is_of_another {
        code_language.name()
    } else {
        language.name()
    };
    let mut builder = FactsBuilder::inside(name, path, text, &embedded, code_language.policy());
    note_place(language, path, &embedded.text, &mut builder);
    code_language.extract(&tree, &mut builder);
    Ok(builder.finish())
}

/// Notes what the path and the look of the code say about the file.
fn note_place(language: &dyn Language, path: &str, code: &[u8], builder: &mut FactsBuilder<'_>) {
    if language.is_test_path(path) {
        builder.set_flag(FileFacts::IS_TEST);
    }
    if looks_generated(code) {
        builder.set_flag(FileFacts::IS_GENERATED);
    }
}

/// Parses a text.
///
/// # Errors
///
/// When the grammar does not fit the parser, or the time limit is hit; the message says which.
pub fn parse(language: &'static dyn Language, path: &str, text: &[u8], limits: Limits) -> Result<Tree, String> {
    parse_as(&language.grammar(path), text, limits)
}

fn parse_as(grammar: &tree_sitter::Language, text: &[u8], limits: Limits) -> Result<Tree, String> {
    PARSER.with_borrow_mut(|slot| {
        let parser = slot.get_or_insert_with(Parser::new);
        parser.reset();
        parser
            .set_language(grammar)
            .map_err(|error| format!("grammar does not load: {error}"))?;
        let deadline = Instant::now() + Duration::from_millis(limits.parse_millis);
        let mut watch = |_: &tree_sitter::ParseState| {
            if Instant::now() > deadline {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        parser
            .parse_with_options(
                &mut |at, _| text.get(at..).unwrap_or_default(),
                None,
                Some(ParseOptions::new().progress_callback(&mut watch)),
            )
            .ok_or_else(|| format!("parsing took longer than {} ms", limits.parse_millis))
    })
}

fn failed(language: &'static dyn Language, path: &str, text: &[u8], reason: &str) -> FileFacts {
    let mut builder = FactsBuilder::new(language.name(), path, text, language.policy());
    builder.problem(ParseStatus::Failed, 0, reason);
    builder.finish()
}

/// True for texts that say they are generated, or whose lines are too long to have been typed.
fn looks_generated(text: &[u8]) -> bool {
    const HEAD: usize = 2_000;
    const LONG_LINE: usize = 5_000;
    let head = String::from_utf8_lossy(&text[..text.len().min(HEAD)]);
    if head.contains("@generated") || head.contains("DO NOT EDIT") {
        return true;
    }
    text.len() > LONG_LINE && text.split(|byte| *byte == b'\n').any(|line| line.len() > LONG_LINE * 4)
}
