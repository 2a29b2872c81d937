//! What Vue and Svelte share: files of tags with scripts between them.
//!
//! A component becomes one text of code: its scripts as they stand, and behind them the template as code that uses what
//! the scripts define. Each expression of the template is a copy with its own place in the file; loops and slots become
//! blocks, so that the names they bring hide the outer ones. A tag of a component is a mention of its name.

pub(crate) mod code;
pub(crate) mod scan;
pub(crate) mod tags;
#[cfg(test)]
mod tests;
