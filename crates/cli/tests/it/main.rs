//! The binary as users and agents meet it, on a small repository in two language families.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops on the first surprise, in its helpers too"
)]

mod answers;
mod commands;
mod dispatch;
mod embedded;
mod frameworks;
mod freshness;
mod mcp;
mod project;
