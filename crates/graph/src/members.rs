//! What a node contains.

use strata_storage::{NodeRow, Store, StoreError};

/// A node with its depth below the one that was asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The node.
    pub node: NodeRow,
    /// 1 for a child.
    pub depth: u32,
}

/// The nodes below `node` down to `depth`, a parent before its children; siblings in source order, modules and packages
/// in the order of FQNs.
pub fn members(store: &Store, node: &NodeRow, depth: u32) -> Result<Vec<Member>, StoreError> {
    let mut out = Vec::new();
    let mut open: Vec<Member> = children(store, node, depth.min(1))?;
    while let Some(member) = open.pop() {
        if member.depth < depth {
            open.extend(children(store, &member.node, member.depth + 1)?);
        }
        out.push(member);
    }
    Ok(out)
}

/// The children in reverse order, so that the first is the next to be taken.
fn children(store: &Store, node: &NodeRow, depth: u32) -> Result<Vec<Member>, StoreError> {
    if depth == 0 {
        return Ok(Vec::new());
    }
    Ok(store
        .children(node.id)?
        .into_iter()
        .rev()
        .map(|node| Member { node, depth })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::members;
    use crate::sample::{node, shop};

    #[test]
    fn parents_come_before_their_children() {
        let store = shop();
        let below = |fqn: &str, depth| -> Vec<(String, u32)> {
            let found = members(&store, &node(&store, fqn), depth).unwrap();
            found
                .into_iter()
                .map(|member| (member.node.name, member.depth))
                .collect()
        };
        let named = |names: &[(&str, u32)]| {
            names
                .iter()
                .map(|&(name, depth)| (name.to_owned(), depth))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            below("shop::cart::Cart", 1),
            named(&[("__init__", 1), ("add", 1), ("merge", 1)])
        );
        assert_eq!(
            below("shop", 2),
            named(&[("cart", 1), ("Base", 2), ("Cart", 2), ("page", 1), ("show", 2)])
        );
        assert!(below("shop", 0).is_empty());
    }
}
