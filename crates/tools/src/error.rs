//! Errors as callers see them: a code, a message, and what to do about it.

use schemars::JsonSchema;
use serde::Serialize;
use strata_engine::{EngineError, IndexError, NotFoundReason, StoreError};

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// Nothing has this name.
    FqnNotFound,
    /// Several symbols have it.
    FqnAmbiguous,
    /// There is no index.
    NotIndexed,
    /// The index is older than the files, and could not be brought up to date.
    IndexStale,
    /// An argument that the tool does not have.
    UnknownArgument,
    /// An argument that makes no sense.
    InvalidArgument,
    /// A part that the answer needs failed or is missing.
    BackendFailed,
}

impl ErrorCode {
    /// The code as it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FqnNotFound => "fqn_not_found",
            Self::FqnAmbiguous => "fqn_ambiguous",
            Self::NotIndexed => "not_indexed",
            Self::IndexStale => "index_stale",
            Self::UnknownArgument => "unknown_argument",
            Self::InvalidArgument => "invalid_argument",
            Self::BackendFailed => "backend_failed",
        }
    }
}

/// An error as callers see it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ToolError {
    /// What kind of error it is.
    pub code: ErrorCode,
    /// What is wrong, and how to go on.
    pub message: String,
    /// The name that was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fqn: Option<String>,
    /// Why it was not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// The symbols that may be meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<CandidateOut>,
    /// The nearest names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestions: Option<Vec<String>>,
    /// The call that most likely helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A symbol that may be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CandidateOut {
    /// Qualified name.
    pub fqn: String,
    /// Kind.
    pub kind: &'static str,
    /// Path of the file.
    pub file: String,
    /// Line of the name.
    pub line: u32,
}

impl ToolError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            fqn: None,
            reason: None,
            candidates: Vec::new(),
            suggestions: None,
            next: None,
        }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidArgument, message)
    }

    /// The compact text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}", self.code.name(), self.message);
        for candidate in &self.candidates {
            text.push_str(&format!("\n  {} [{}]", candidate.fqn, candidate.kind));
            if !candidate.file.is_empty() {
                text.push_str(&format!(" {}:{}", candidate.file, candidate.line));
            }
        }
        match self.suggestions.as_deref() {
            None | Some([]) => {}
            Some(names) => text.push_str(&format!("\nnearest: {}", names.join(", "))),
        }
        if let Some(next) = &self.next {
            text.push_str(&format!("\ntry: {next}"));
        }
        text
    }
}

impl From<EngineError> for ToolError {
    fn from(error: EngineError) -> Self {
        let message = error.with_causes();
        match error {
            EngineError::Ambiguous { candidates, total, .. } => {
                let listed = candidates.len();
                let more = if total > listed {
                    format!(", the first {listed} are listed")
                } else {
                    String::new()
                };
                Self {
                    candidates: candidates
                        .into_iter()
                        .map(|candidate| CandidateOut {
                            fqn: candidate.fqn,
                            kind: candidate.kind,
                            file: candidate.file,
                            line: candidate.line,
                        })
                        .collect(),
                    next: Some("the same call with one of these names".to_owned()),
                    ..Self::new(ErrorCode::FqnAmbiguous, format!("{message}{more}"))
                }
            }
            EngineError::NotFound {
                fqn,
                reason,
                suggestions,
            } => {
                let last = fqn
                    .rsplit(['.', ':', '#', '/'])
                    .find(|word| !word.is_empty())
                    .unwrap_or(&fqn);
                let next = match reason {
                    NotFoundReason::NeverExisted => format!("codebase_search {{\"query\": \"{last}\"}}"),
                    NotFoundReason::NotIndexed => format!("is_path_indexed {{\"virtual_path\": \"{fqn}\"}}"),
                };
                Self {
                    fqn: Some(fqn),
                    reason: Some(reason.name()),
                    suggestions: Some(suggestions),
                    next: Some(next),
                    ..Self::new(ErrorCode::FqnNotFound, message)
                }
            }
            EngineError::NotIndexed { .. } | EngineError::Store(StoreError::Missing { .. }) => {
                Self::new(ErrorCode::NotIndexed, message)
            }
            EngineError::Stale { .. } => Self::new(ErrorCode::IndexStale, message),
            EngineError::Root { .. }
            | EngineError::NoFolder { .. }
            | EngineError::EmptyRoot { .. }
            | EngineError::Settings(_)
            | EngineError::Invalid { .. }
            | EngineError::Index(IndexError::Root { .. } | IndexError::RootTooWide { .. }) => {
                Self::new(ErrorCode::InvalidArgument, message)
            }
            EngineError::Index(_) | EngineError::Store(_) | EngineError::Folder { .. } => {
                Self::new(ErrorCode::BackendFailed, message)
            }
        }
    }
}
