//! The tree from above: the nodes of one level with their sizes.

use rustc_hash::FxHashMap;
use strata_model::kinds::NodeLevel;
use strata_storage::{NodeId, NodeRow, Store, StoreError};

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverviewRequest<'a> {
    /// Level of the entries.
    pub level: NodeLevel,
    /// Only what lies below this FQN.
    pub under: Option<&'a str>,
    /// Whether sizes are wanted; they take one pass over all nodes.
    pub has_sizes: bool,
    /// Entries that are passed over.
    pub offset: usize,
    /// Most entries.
    pub limit: usize,
}

/// The nodes of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// Entries in the order of FQNs.
    pub entries: Vec<OverviewEntry>,
    /// True when there are more.
    pub is_cut: bool,
}

/// A node of the level.
#[derive(Clone, Debug, PartialEq)]
pub struct OverviewEntry {
    /// The node.
    pub node: NodeRow,
    /// Nodes directly below.
    pub children_count: u64,
    /// Sizes, when they were asked for.
    pub sizes: Option<Sizes>,
}

/// How large and how branched a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Lines: of a symbol or module its own, of packages and the root those of their modules.
    pub lines: u64,
    /// Sum over everything with a body in it, itself included, of its branches plus one.
    pub cyclomatic: u64,
}

/// The nodes of one level with their numbers of children and, if wanted, sizes.
pub fn overview(store: &Store, request: &OverviewRequest<'_>) -> Result<Overview, StoreError> {
    let wanted = request.limit.saturating_add(1);
    let mut nodes = store.nodes_of_level(Some(request.level), request.under, request.offset, wanted)?;
    let is_cut = nodes.len() > request.limit;
    nodes.truncate(request.limit);
    let sums = if request.has_sizes { Some(sums(store)?) } else { None };
    let mut entries = Vec::with_capacity(nodes.len());
    for node in nodes {
        let sizes = sums
            .as_ref()
            .map(|sums| sums.get(&node.id).copied().unwrap_or_default());
        entries.push(OverviewEntry {
            children_count: store.children_count(node.id)?,
            sizes,
            node,
        });
    }
    Ok(Overview { entries, is_cut })
}

/// The sizes of all nodes, in one pass and one step up the tree for each of their parents.
fn sums(store: &Store) -> Result<FxHashMap<NodeId, Sizes>, StoreError> {
    let mut sums: FxHashMap<NodeId, Sizes> = FxHashMap::default();
    let mut parents: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    // What goes up: (node, lines that its parents gain, complexity that they and itself gain).
    let mut rising: Vec<(NodeId, u64, u64)> = Vec::new();
    store.for_each_measure(|measure| {
        if let Some(parent) = measure.parent_id {
            parents.insert(measure.id, parent);
        }
        let lines = if measure.level < NodeLevel::L2_Module {
            0
        } else {
            u64::from((measure.end_line + 1).saturating_sub(measure.start_line))
        };
        sums.entry(measure.id).or_default().lines = lines;
        let cyclomatic = measure.metrics.map_or(0, |metrics| u64::from(metrics.branches) + 1);
        let is_module = measure.level == NodeLevel::L2_Module;
        if is_module || cyclomatic > 0 {
            rising.push((measure.id, if is_module { lines } else { 0 }, cyclomatic));
        }
    })?;
    for (id, lines, cyclomatic) in rising {
        sums.entry(id).or_default().cyclomatic += cyclomatic;
        let mut at = id;
        while let Some(&parent) = parents.get(&at) {
            let sum = sums.entry(parent).or_default();
            sum.lines += lines;
            sum.cyclomatic += cyclomatic;
            at = parent;
        }
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use strata_model::kinds::NodeLevel;

    use super::{OverviewRequest, Sizes, overview};
    use crate::sample::shop;

    fn request(level: NodeLevel) -> OverviewRequest<'static> {
        OverviewRequest {
            level,
            under: None,
            has_sizes: true,
            offset: 0,
            limit: 10,
        }
    }

    #[test]
    fn sizes_add_up() {
        let store = shop();
        let package = overview(&store, &request(NodeLevel::L1_Package)).unwrap();
        assert_eq!(package.entries[0].children_count, 2);
        assert_eq!(
            package.entries[0].sizes,
            Some(Sizes {
                lines: 150,
                cyclomatic: 8
            })
        );
        let modules = overview(&store, &request(NodeLevel::L2_Module)).unwrap();
        let sizes: Vec<_> = modules
            .entries
            .iter()
            .map(|it| (it.node.name.as_str(), it.sizes))
            .collect();
        assert_eq!(
            sizes,
            [
                (
                    "cart",
                    Some(Sizes {
                        lines: 100,
                        cyclomatic: 6
                    })
                ),
                (
                    "page",
                    Some(Sizes {
                        lines: 50,
                        cyclomatic: 2
                    })
                )
            ]
        );
    }

    #[test]
    fn entries_are_cut_and_continued() {
        let store = shop();
        let names = |offset| {
            let page = OverviewRequest {
                offset,
                limit: 2,
                has_sizes: false,
                ..request(NodeLevel::L3_Symbol)
            };
            let found = overview(&store, &page).unwrap();
            (
                found.entries.into_iter().map(|it| it.node.name).collect::<Vec<_>>(),
                found.is_cut,
            )
        };
        assert_eq!(names(0), (vec!["Base".to_owned(), "Cart".to_owned()], true));
        assert_eq!(names(4), (vec!["merge".to_owned(), "show".to_owned()], false));
    }
}
