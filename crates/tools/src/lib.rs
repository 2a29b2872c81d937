//! One file a tool: its arguments, what it answers, and how that is shown as text.
//!
//! [`ALL`] lists them. The command line and the servers walk that list and know no tool by name. A new tool is a file
//! that implements `Tool`, its `mod` line and its line in the list.

mod code_intelligence;
mod codebase_map;
mod codebase_search;
mod cursor;
mod error;
mod fit;
mod get_context;
mod index_codebase;
mod index_project;
mod index_status;
mod is_path_indexed;
mod records;
mod redacted;
mod schema;
mod search_symbols;
mod symbol_detail;
mod symbol_source;
mod tool;
mod words;

pub use error::{CandidateOut, ErrorCode, ToolError};
pub use schema::compact;
pub use tool::{Answer, Call, Outcome, ToolEntry};

use tool::entry;

/// Every tool, in the order in which they are listed.
pub const ALL: &[ToolEntry] = &[
    entry::<get_context::GetContext>(),
    entry::<codebase_search::CodebaseSearch>(),
    entry::<symbol_detail::SymbolDetail>(),
    entry::<symbol_source::SymbolSource>(),
    entry::<codebase_map::CodebaseMap>(),
    entry::<code_intelligence::CodeIntelligence>(),
    entry::<search_symbols::SearchSymbols>(),
    entry::<index_codebase::IndexCodebase>(),
    entry::<index_project::IndexProject>(),
    entry::<index_status::IndexStatus>(),
    entry::<is_path_indexed::IsPathIndexed>(),
];

/// The tool with this name or verb.
#[must_use]
pub fn find(name: &str) -> Option<&'static ToolEntry> {
    ALL.iter().find(|tool| tool.name == name || tool.verb == name)
}

#[cfg(test)]
mod tests;
