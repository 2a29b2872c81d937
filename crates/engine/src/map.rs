//! The tree from above: packages, modules or symbols with their sizes.

use rustc_hash::FxHashMap;
use strata_model::kinds::NodeLevel;
use strata_storage::NodeId;

use crate::error::EngineError;
use crate::view::{Symbol, View};

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

#[derive(Clone, Copy, Default)]
struct Sums {
    children: u64,
    cyclomatic: u64,
    loc: u64,
}

impl View<'_> {
    /// The tree from above.
    pub fn map(&self, request: &MapRequest) -> Result<CodebaseMap, EngineError> {
        let under = match &request.under {
            Some(selector) => Some(self.select(selector)?.fqn),
            None => None,
        };
        let wanted = request.max_entries.saturating_add(1);
        let mut nodes = self
            .store
            .nodes_of_level(Some(request.level), under.as_deref(), 0, wanted)?;
        let is_cut = nodes.len() > request.max_entries;
        nodes.truncate(request.max_entries);
        let sums = if request.has_metrics { Some(self.sums()?) } else { None };
        let mut entries = Vec::with_capacity(nodes.len());
        for node in nodes {
            let sum = sums
                .as_ref()
                .map(|sums| sums.get(&node.id).copied().unwrap_or_default());
            let children_count = match sum {
                Some(sum) => sum.children,
                None => self.store.children_count(node.id)?,
            };
            let symbol = Symbol::from(node);
            let loc = sum.map(|sum| {
                if symbol.level < NodeLevel::L2_Module {
                    sum.loc
                } else {
                    u64::from(symbol.n_lines())
                }
            });
            entries.push(MapEntry {
                fqn: symbol.fqn,
                name: symbol.name,
                kind: symbol.kind.name(),
                language: symbol.language,
                children_count,
                cyclomatic: sum.map(|sum| sum.cyclomatic),
                loc,
            });
        }
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

    /// What lies below each node, added up in one pass.
    fn sums(&self) -> Result<FxHashMap<NodeId, Sums>, EngineError> {
        let mut sums: FxHashMap<NodeId, Sums> = FxHashMap::default();
        let mut parents: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        let mut own: Vec<(NodeId, u64, u64)> = Vec::new();
        self.store.for_each_measure(|measure| {
            if let Some(parent) = measure.parent_id {
                parents.insert(measure.id, parent);
                sums.entry(parent).or_default().children += 1;
            }
            let cyclomatic = measure.metrics.map_or(0, |metrics| u64::from(metrics.branches) + 1);
            let is_module = measure.level == NodeLevel::L2_Module;
            let loc = if is_module {
                u64::from((measure.end_line + 1).saturating_sub(measure.start_line))
            } else {
                0
            };
            if cyclomatic > 0 || loc > 0 {
                own.push((measure.id, cyclomatic, loc));
            }
        })?;
        for (id, cyclomatic, loc) in own {
            let mut at = Some(id);
            while let Some(id) = at {
                let sum = sums.entry(id).or_default();
                sum.cyclomatic += cyclomatic;
                sum.loc += loc;
                at = parents.get(&id).copied();
            }
        }
        Ok(sums)
    }
}
