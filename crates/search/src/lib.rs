//! Lexical search over the store: ranking by words, finding symbols by name, and what a question is after.
//!
//! [`codebase_search`] ranks nodes of every level by BM25 over their texts. [`search_symbols`] finds symbols in tiers:
//! exact names before words before prefixes. [`IntentTable`] says what kind of task a question in plain words describes.
//! Texts are cut into words by `strata_model::tokens`, here as in the store. Nothing here knows a wire format.

mod filter;
mod intent;
mod lexical;
mod names;
mod query;
mod score;

pub use filter::Filter;
pub use intent::{Classification, Intent, IntentRow, IntentTable, Trigger};
pub use lexical::{LexicalHit, LexicalHits, LexicalRequest, codebase_search};
pub use names::{MatchSource, NameHit, NameRequest, nearest_names, search_symbols};
