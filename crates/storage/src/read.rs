//! Reads: methods of [`Store`](crate::Store), by what they return.

pub(crate) mod counts;
mod edges;
mod files;
pub(crate) mod fulltext;
mod links;
mod nodes;
