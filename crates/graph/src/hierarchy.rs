//! What a type extends, what extends it, and which methods override which.

use rustc_hash::FxHashSet;
use strata_model::kinds::EdgeKind;
use strata_storage::{EdgeKinds, LinkedNode, NodeId, NodeRow, Store, StoreError};

/// A type in a hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    /// The type.
    pub node: NodeRow,
    /// Number of steps from the type that was asked about.
    pub distance: u32,
    /// The edge that led here: extends or implements.
    pub kind: EdgeKind,
}

/// Both ways of becoming a subtype.
const SUBTYPING: &[EdgeKind] = &[EdgeKind::Extends, EdgeKind::Implements];

/// The types that `node` itself extends and implements, in the order of FQNs.
pub fn supertypes(store: &Store, node: &NodeRow) -> Result<Vec<LinkedNode>, StoreError> {
    store.edges_out(node.id, EdgeKinds::of(SUBTYPING))
}

/// The types that extend or implement `node` itself, in the order of FQNs.
pub fn subtypes(store: &Store, node: &NodeRow) -> Result<Vec<LinkedNode>, StoreError> {
    store.edges_in(node.id, EdgeKinds::of(SUBTYPING))
}

/// The methods that `node` overrides, in the order of FQNs.
pub fn overridden(store: &Store, node: &NodeRow) -> Result<Vec<NodeRow>, StoreError> {
    Ok(ends(store.edges_out(node.id, EdgeKinds::of(&[EdgeKind::Overrides]))?))
}

/// The methods that override `node`, in the order of FQNs.
pub fn overriders(store: &Store, node: &NodeRow) -> Result<Vec<NodeRow>, StoreError> {
    Ok(ends(store.edges_in(node.id, EdgeKinds::of(&[EdgeKind::Overrides]))?))
}

/// All types above `node`, the nearest first, then by FQN. Each type once; cycles in broken code end.
pub fn ancestors(store: &Store, node: &NodeRow) -> Result<Vec<Hierarchy>, StoreError> {
    by_distance(node, |node| supertypes(store, node))
}

/// All types below `node`, the nearest first, then by FQN.
pub fn descendants(store: &Store, node: &NodeRow) -> Result<Vec<Hierarchy>, StoreError> {
    by_distance(node, |node| subtypes(store, node))
}

fn by_distance(
    node: &NodeRow,
    step: impl Fn(&NodeRow) -> Result<Vec<LinkedNode>, StoreError>,
) -> Result<Vec<Hierarchy>, StoreError> {
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    seen.insert(node.id);
    let mut out: Vec<Hierarchy> = Vec::new();
    let mut layer = vec![node.clone()];
    let mut distance = 0;
    while !layer.is_empty() {
        distance += 1;
        let mut next: Vec<Hierarchy> = Vec::new();
        for node in &layer {
            for LinkedNode { edge, node } in step(node)? {
                if seen.insert(node.id) {
                    next.push(Hierarchy {
                        node,
                        distance,
                        kind: edge.kind,
                    });
                }
            }
        }
        next.sort_by(|a, b| a.node.fqn.cmp(&b.node.fqn));
        layer = next.iter().map(|it| it.node.clone()).collect();
        out.append(&mut next);
    }
    Ok(out)
}

fn ends(links: Vec<LinkedNode>) -> Vec<NodeRow> {
    links.into_iter().map(|link| link.node).collect()
}

#[cfg(test)]
mod tests {
    use super::{ancestors, descendants, subtypes, supertypes};
    use crate::sample::{node, shop};

    #[test]
    fn one_step_and_all_steps() {
        let store = shop();
        let (base, cart) = (node(&store, "shop::cart::Base"), node(&store, "shop::cart::Cart"));
        assert_eq!(supertypes(&store, &cart).unwrap()[0].node.id, base.id);
        assert_eq!(subtypes(&store, &base).unwrap()[0].node.id, cart.id);
        // The two classes extend each other, which is an error in the code and must not loop.
        let up = ancestors(&store, &cart).unwrap();
        assert_eq!(
            up.iter()
                .map(|it| (it.node.name.as_str(), it.distance))
                .collect::<Vec<_>>(),
            [("Base", 1)]
        );
        assert_eq!(descendants(&store, &base).unwrap().len(), 1);
    }
}
