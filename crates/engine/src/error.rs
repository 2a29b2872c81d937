//! Why a question has no answer.

use std::path::PathBuf;

use strata_index::IndexError;
use strata_storage::StoreError;
use thiserror::Error;

use crate::selector::Candidate;
use crate::settings::SettingsError;

/// Why the engine cannot answer.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The root does not exist.
    #[error("cannot use {} as root", root.display())]
    Root {
        /// The root.
        root: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The root is a file.
    #[error("{} is not a folder; name the folder of a project with --root, the argument `root` or STRATIGRAPH_ROOT", root.display())]
    NoFolder {
        /// The root.
        root: PathBuf,
    },
    /// The root has nothing in it.
    #[error("{} is empty; name the folder of a project with --root, the argument `root` or STRATIGRAPH_ROOT", root.display())]
    EmptyRoot {
        /// The root.
        root: PathBuf,
    },
    /// The settings cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// There is no index, and none is made without being asked for.
    #[error("{} is not indexed; {hint}", root.display())]
    NotIndexed {
        /// The root.
        root: PathBuf,
        /// How to go on.
        hint: String,
    },
    /// Several symbols answer to a selector.
    #[error("`{selector}` is ambiguous: {total} symbols match")]
    Ambiguous {
        /// The selector.
        selector: String,
        /// Some of the symbols.
        candidates: Vec<Candidate>,
        /// How many there are.
        total: usize,
    },
    /// No symbol answers to a selector.
    #[error("nothing is named `{fqn}` ({})", reason.name())]
    NotFound {
        /// The selector.
        fqn: String,
        /// Why.
        reason: NotFoundReason,
        /// The nearest names.
        suggestions: Vec<String>,
    },
    /// The file changed since it was indexed, and could not be indexed again.
    #[error("{path} changed since it was indexed{}", because(cause))]
    Stale {
        /// The file.
        path: String,
        /// Why it could not be indexed again; may be empty.
        cause: String,
    },
    /// Something that was asked for makes no sense.
    #[error("{message}")]
    Invalid {
        /// What.
        message: String,
    },
    /// Indexing failed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Writing the index folder failed.
    #[error("cannot change {}", path.display())]
    Folder {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
}

fn because(cause: &str) -> String {
    if cause.is_empty() {
        String::new()
    } else {
        format!(" and could not be indexed again: {cause}")
    }
}

impl EngineError {
    /// The message with those of its causes.
    #[must_use]
    pub fn with_causes(&self) -> String {
        let mut message = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            let text = error.to_string();
            if !message.ends_with(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            cause = error.source();
        }
        message
    }
}

/// Why a name is not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFoundReason {
    /// Nothing in the index is or was named so.
    NeverExisted,
    /// It names a place that is not part of the index.
    NotIndexed,
}

impl NotFoundReason {
    /// The word that is shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NeverExisted => "never-existed",
            Self::NotIndexed => "not-indexed",
        }
    }
}
