//! One file a verb; `tool` is for all verbs that are tools.

pub(crate) mod clean;
pub(crate) mod context;
pub(crate) mod export;
pub(crate) mod index;
pub(crate) mod mcp;
pub(crate) mod search;
pub(crate) mod status;
pub(crate) mod tool;
