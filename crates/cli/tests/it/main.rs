//! The binary as users and agents meet it, on a small repository in two language families.

mod answers;
mod commands;
mod freshness;
mod mcp;
mod project;
