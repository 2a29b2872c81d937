//! Searches over a small shop.

#![expect(clippy::unwrap_used, reason = "a test may stop on the first surprise")]

mod lexical;
mod names;
mod sample;
