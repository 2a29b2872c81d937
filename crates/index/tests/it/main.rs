//! The whole pipeline over files in memory and on disk, with the real languages.

#![allow(clippy::unwrap_used, reason = "a test may stop on the first surprise")]

mod equal;
mod faults;
mod incremental;
mod packages;
mod project;
mod receivers;
