//! Ids, spans, kinds, levels, file facts, edges and outcomes: the words that all crates share.
//!
//! The crate holds plain data. It does no IO and knows no SQL, no wire format and no syntax tree. The only
//! encoding it knows of is the compact binary form of [`facts::FileFacts`], derived here because a derive has to
//! stand where the type does (see `docs/decisions/0001-facts-barrier.md`).

pub mod edge;
pub mod facts;
pub mod ids;
pub mod kinds;
pub mod lines;
pub mod outcome;
pub mod symbol;
pub mod tokens;
