//! What a store promises to those who write and read it.

#![expect(clippy::unwrap_used, reason = "a test may stop on the first surprise")]

mod batches;
mod history;
mod opening;
mod sample;
mod views;
