//! The façade: open a root, keep its index true to the files, ask questions of it.
//!
//! [`Roots`] finds which folder is meant and holds one [`Engine`] for each. [`Engine::ask`] brings the index up to date
//! and hands out a [`View`], one consistent state, on which every question is a method with plain types. Nothing here
//! knows a wire format, prints, or reads the environment: what the process was given comes in as [`Surroundings`].
//!
//! ```text
//! let roots = Roots::new(surroundings, None, languages::ALL, Manner::OneShot);
//! let engine = roots.engine(None)?;
//! let callers = engine.ask(Freshness::Prefer, &Control::default(), |view| {
//!     let symbol = view.select("UserService.create")?;
//!     view.callers(&symbol)
//! })?;
//! ```

mod context;
mod detail;
mod dispatch;
mod engine;
mod error;
mod export;
mod git_head;
mod map;
mod redact;
mod relations;
mod roots;
mod search;
mod selector;
mod settings;
mod source;
mod status;
mod symbols;
mod tags;
mod tokens;
mod view;

pub use context::{Context, ContextRequest, Related, TreeFolder};
pub use detail::{Expand, MAX_RELATIONS, SymbolDetail};
pub use dispatch::{Dispatch, MAX_CANDIDATES};
pub use engine::{Engine, Freshness, Manner};
pub use error::{EngineError, NotFoundReason};
pub use map::{CodebaseMap, MapEntry, MapRequest, MapTotals};
pub use redact::{REDACTED, Redacted, redact};
pub use relations::{ReferenceSite, Relation};
pub use roots::{Roots, Surroundings};
pub use search::{FindRequest, FoundSymbol, LexicalHit, SearchFilter};
pub use selector::Candidate;
pub use settings::{Gates, INDEX_FOLDER, LogLevel, Origin, SETTINGS_FILE, Settings, SettingsError, Structured};
pub use source::{SliceRequest, SourceMode, SourceSlice};
// What indexing says and takes is passed through as it is.
pub use status::{IndexCounts, IndexedRoot, PathStatus};
pub use strata_index::{
    Control, ExportedEdge, ExportedFlow, ExportedNode, ExportedReference, ExportedSymbol, FilterStats, IndexError,
    LockMode, Phase, PhaseTimes, Progress, RefreshMode, RunReport,
};
pub use strata_search::{Classification, Intent, IntentRow, IntentTable};
pub use strata_storage::StoreError;
pub use symbols::is_of_kind;
pub use tokens::{chars_of_tokens, count_tokens, tokens_of_chars};
pub use view::{Coverage, IndexState, Symbol, View, first_sentence};
