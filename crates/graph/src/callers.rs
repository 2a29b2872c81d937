//! Who calls a symbol.

use strata_model::kinds::NodeKind;
use strata_storage::{EdgeKinds, NodeRow, Store, StoreError};

use crate::relation::{Relation, ranked};

/// The symbols that call `node`: those with the most calls first, then by FQN. A function that calls itself is among them.
///
/// Who instantiates a type calls it, whether or not it spells out its constructor, so the callers of a type's constructors
/// are callers of the type.
pub fn callers(store: &Store, node: &NodeRow) -> Result<Vec<Relation>, StoreError> {
    let mut links = store.edges_in(node.id, EdgeKinds::CALLS)?;
    if node.kind.is_type() {
        for member in store.children(node.id)? {
            if member.kind == NodeKind::Constructor {
                links.extend(store.edges_in(member.id, EdgeKinds::CALLS)?);
            }
        }
    }
    Ok(ranked(links))
}

#[cfg(test)]
mod tests {
    use super::callers;
    use crate::sample::{node, shop};

    #[test]
    fn most_calls_come_first() {
        let store = shop();
        let found = callers(&store, &node(&store, "shop::cart::Cart::add")).unwrap();
        let shown: Vec<(&str, u32)> = found.iter().map(|it| (it.node.fqn.as_str(), it.sites)).collect();
        assert_eq!(shown, [("shop::page::show", 2), ("shop::cart::Cart::merge", 1)]);
        assert_eq!(found[0].at.line, 3);
    }

    #[test]
    fn calling_the_constructor_is_calling_the_class() {
        let store = shop();
        let found = callers(&store, &node(&store, "shop::cart::Cart")).unwrap();
        assert_eq!(
            found.iter().map(|it| it.node.fqn.as_str()).collect::<Vec<_>>(),
            ["shop::page::show"]
        );
    }
}
