//! The tree from above: packages, modules or symbols with their sizes.

use strata_graph as graph;
use strata_model::kinds::NodeLevel;

use crate::error::EngineError;
use crate::view::View;

/// A line of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapEntry {
    /// FQN.
    pub fqn: String,
    /// Name.
    pub name: String,
    /// Kind.
    pub kind: &'static str,
    /// Language.
    pub language: String,
    /// Nodes directly below.
    pub children_count: u64,
    /// Sum of the complexities of the functions below; none when it was not asked for.
    pub cyclomatic: Option<u64>,
    /// Lines; none when it was not asked for.
    pub loc: Option<u64>,
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapTotals {
    /// Nodes of all levels.
    pub node_count: u64,
    /// Packages.
    pub package_count: u64,
    /// Modules.
    pub module_count: u64,
    /// Symbols.
    pub symbol_count: u64,
}

/// A map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodebaseMap {
    /// Entries in the order of FQNs.
    pub entries: Vec<MapEntry>,
    /// How much the whole index holds.
    pub totals: MapTotals,
    /// True when there are more entries.
    pub is_cut: bool,
}

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapRequest {
    /// Level of the entries.
    pub level: NodeLevel,
    /// Only what lies below this symbol; a selector.
    pub under: Option<String>,
    /// Whether sizes and complexities are wanted.
    pub has_metrics: bool,
    /// Most entries.
    pub max_entries: usize,
}

impl View<'_> {
    /// The tree from above.
    pub fn map(&self, request: &MapRequest) -> Result<CodebaseMap, EngineError> {
        let under = match &request.under {
            Some(selector) => Some(self.select(selector)?.fqn),
            None => None,
        };
        let overview = graph::overview(
            self.store,
            &graph::OverviewRequest {
                level: request.level,
                under: under.as_deref(),
                has_sizes: request.has_metrics,
                offset: 0,
                limit: request.max_entries,
            },
        )?;
        let entries = overview
            .entries
            .into_iter()
            .map(|entry| MapEntry {
                fqn: entry.node.fqn,
                name: entry.node.name,
                kind: entry.node.kind.name(),
                language: entry.node.language,
                children_count: entry.children_count,
                cyclomatic: entry.sizes.map(|sizes| sizes.cyclomatic),
                loc: entry.sizes.map(|sizes| sizes.lines),
            })
            .collect();
        let is_cut = overview.is_cut;
        Ok(CodebaseMap {
            entries,
            totals: self.totals()?,
            is_cut,
        })
    }

    /// How much the whole index holds.
    pub fn totals(&self) -> Result<MapTotals, EngineError> {
        let counts = self.store.counts()?;
        let of_level = |wanted| {
            counts
                .nodes_by_kind
                .iter()
                .filter(|((level, _), _)| *level == wanted)
                .map(|(_, n)| n)
                .sum()
        };
        Ok(MapTotals {
            node_count: counts.nodes,
            package_count: of_level(NodeLevel::L1_Package),
            module_count: of_level(NodeLevel::L2_Module),
            symbol_count: counts.symbols,
        })
    }
}
