//! `codebase_map`: the tree from above.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strata_engine::{Freshness, MapEntry, MapRequest, MapTotals};
use strata_model::kinds::NodeLevel;

use crate::error::ToolError;
use crate::fit::{Detail, Window};
use crate::tool::{Body, Call, Outcome, Reply, Tool};
use crate::words::Word;

/// Entries unless something else is asked for.
const DEFAULT_ENTRIES: u32 = 200;
/// Most entries.
const MAX_ENTRIES: u32 = 1000;

pub(crate) struct CodebaseMap;

#[derive(Debug, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Level of the entries (L1_Package)
    #[arg(long)]
    level: Option<Word<NodeLevel>>,
    /// Add complexity and lines (false)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    include_metrics: Option<bool>,
    /// Only below this symbol
    #[arg(long)]
    root_fqn: Option<String>,
    /// Most entries (200)
    #[arg(long)]
    max_entries: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    /// Level of the entries
    level: Word<NodeLevel>,
    /// What there is at that level, in the order of names
    entries: Vec<Entry>,
    /// How much the whole index holds
    totals: Totals,
    /// True when something was left out
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
struct Entry {
    /// Qualified name
    fqn: String,
    /// Name
    name: String,
    /// Kind
    kind: &'static str,
    /// Language
    language: String,
    /// Number of nodes directly below
    children_count: u64,
    /// Sum of cyclomatic complexities
    #[serde(skip_serializing_if = "Option::is_none")]
    cyclomatic: Option<u64>,
    /// Lines
    #[serde(skip_serializing_if = "Option::is_none")]
    loc: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Totals {
    /// Nodes of all levels
    node_count: u64,
    /// Packages
    package_count: u64,
    /// Modules
    module_count: u64,
    /// Symbols
    symbol_count: u64,
}

pub(crate) struct Map {
    level: NodeLevel,
    entries: Vec<MapEntry>,
    totals: MapTotals,
    is_cut: bool,
}

impl Tool for CodebaseMap {
    const NAME: &'static str = "codebase_map";
    const VERB: &'static str = "codebase-map";
    const TITLE: &'static str = "Codebase map";
    const DESCRIPTION: &'static str = "Use instead of listing folders to see what a repository consists of. \
        Lists packages, modules or symbols with kind, language and size.";
    const PRIMARY: Option<&'static str> = Some("root-fqn");
    const EXAMPLE: &'static str = r#"{ "level": "L2_Module" }"#;

    type Params = Params;
    type Body = Map;

    fn run(call: &Call<'_>, params: Params) -> Result<Reply<Map>, ToolError> {
        let level = params.level.map_or(NodeLevel::L1_Package, |level| level.0);
        if level == NodeLevel::L4_Statement {
            return Err(ToolError::invalid("statements are not stored; ask for L3_Symbol"));
        }
        let asked = params.max_entries.unwrap_or(DEFAULT_ENTRIES);
        let max_entries = asked.clamp(1, MAX_ENTRIES);
        let request = MapRequest {
            level,
            under: params.root_fqn,
            has_metrics: params.include_metrics.unwrap_or(false),
            max_entries: max_entries as usize,
        };
        call.engine()?.ask(Freshness::Prefer, &call.control, |view| {
            let map = view.map(&request)?;
            let outcome = if map.entries.is_empty() {
                Outcome::None
            } else {
                Outcome::Ok
            };
            let is_packages = level == NodeLevel::L1_Package;
            let no_packages = is_packages && map.totals.package_count == 0;
            let is_cut = map.is_cut;
            let body = Map {
                level,
                entries: map.entries,
                totals: map.totals,
                is_cut,
            };
            let mut reply = Reply::of(view, outcome, body);
            if asked != max_entries {
                reply = reply.with_note(format!("max_entries {asked} was set to {max_entries}"));
            }
            if no_packages {
                reply = reply.with_note("no folder has a manifest, so there are no packages; ask for level L2_Module");
            }
            if is_cut {
                reply = reply.with_note(format!("there are more than {max_entries} entries"));
            }
            Ok(reply)
        })
    }
}

impl Body for Map {
    type Structured = Output;

    fn n_items(&self) -> usize {
        self.entries.len()
    }

    fn structured(&self, window: &Window) -> Output {
        Output {
            level: Word(self.level),
            entries: window
                .slice(&self.entries, 0)
                .iter()
                .map(|entry| Entry {
                    fqn: entry.fqn.clone(),
                    name: entry.name.clone(),
                    kind: entry.kind,
                    language: entry.language.clone(),
                    children_count: entry.children_count,
                    cyclomatic: entry.cyclomatic,
                    loc: entry.loc,
                })
                .collect(),
            totals: Totals {
                node_count: self.totals.node_count,
                package_count: self.totals.package_count,
                module_count: self.totals.module_count,
                symbol_count: self.totals.symbol_count,
            },
            truncated: self.is_cut || window.n_left() > 0,
        }
    }

    fn text(&self, window: &Window) -> String {
        let MapTotals {
            package_count,
            module_count,
            symbol_count,
            ..
        } = self.totals;
        let mut text = format!("{package_count} packages, {module_count} modules, {symbol_count} symbols\n");
        for entry in window.slice(&self.entries, 0) {
            text.push_str(&entry.fqn);
            if window.detail >= Detail::Signature {
                text.push_str(&format!(
                    " [{} {}] {} below",
                    entry.kind, entry.language, entry.children_count
                ));
            }
            if let (Some(cyclomatic), Some(loc)) = (entry.cyclomatic, entry.loc) {
                text.push_str(&format!(", {loc} lines, complexity {cyclomatic}"));
            }
            text.push('\n');
        }
        text
    }
}
