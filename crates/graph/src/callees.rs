//! What a symbol calls.

use strata_storage::{EdgeKinds, NodeRow, Store, StoreError};

use crate::relation::{Relation, ranked};

/// The symbols that `node` calls in its own body: those with the most calls first, then by FQN. A recursive call is among
/// them.
pub fn callees(store: &Store, node: &NodeRow) -> Result<Vec<Relation>, StoreError> {
    Ok(ranked(store.edges_out(node.id, EdgeKinds::CALLS)?))
}

#[cfg(test)]
mod tests {
    use super::callees;
    use crate::sample::{node, shop};

    #[test]
    fn callees_are_ranked_by_calls() {
        let store = shop();
        let found = callees(&store, &node(&store, "shop::page::show")).unwrap();
        let shown: Vec<(&str, u32)> = found.iter().map(|it| (it.node.fqn.as_str(), it.sites)).collect();
        assert_eq!(shown, [("shop::cart::Cart::add", 2), ("shop::cart::Cart::__init__", 1)]);
        assert!(callees(&store, &node(&store, "shop::cart::Cart")).unwrap().is_empty());
    }
}
