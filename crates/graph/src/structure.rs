//! Classes that have the members of an interface without naming it.
//!
//! TypeScript's interfaces and Python's protocols are satisfied by shape. Such classes are candidates of dispatch only:
//! they give no edge, and are marked.

use rustc_hash::FxHashSet;
use strata_model::facts::DefFlags;
use strata_model::kinds::{EdgeKind, NodeKind};
use strata_storage::{EdgeKinds, NodeId, NodeRow, Store, StoreError};

/// Classes with a member of the name that are looked at; more are too many to tell apart by shape.
const MAX_LOOKED_AT: usize = 256;

/// Supertypes that are followed up for members.
const MAX_ANCESTORS: usize = 64;

/// The members with the name of `member` in classes that have every member of its interface and do not name it.
pub(crate) fn structural(store: &Store, member: &NodeRow) -> Result<Vec<NodeId>, StoreError> {
    let Some(owner) = member.parent_id else {
        return Ok(Vec::new());
    };
    let Some((NodeKind::Interface, _)) = store.kind_of(owner)? else {
        return Ok(Vec::new());
    };
    let is_ecmascript = member.language != "python";
    if !is_ecmascript && !is_protocol(store, owner)? {
        return Ok(Vec::new());
    }
    let mut required: FxHashSet<String> = FxHashSet::default();
    for class in with_ancestors(store, owner)? {
        for row in store.children(class)? {
            if !row.flags.has(DefFlags::OPTIONAL) && !row.name.starts_with('<') {
                required.insert(row.name);
            }
        }
    }
    let named = store.types_below(owner)?;
    let mut out = Vec::new();
    let rows = store.members_named(&member.name)?;
    for row in rows.iter().take(MAX_LOOKED_AT) {
        let is_same_use = row.kind.is_callable() == member.kind.is_callable();
        if !is_same_use || row.flags.has(DefFlags::ABSTRACT) || named.binary_search(&row.owner).is_ok() {
            continue;
        }
        let Some((NodeKind::Class, _)) = store.kind_of(row.owner)? else {
            continue;
        };
        let Some(node) = store.node(row.id)? else { continue };
        let is_same_language = (node.language == "python") != is_ecmascript;
        if is_same_language
            && takes_as_many(&node.signature, &member.signature)
            && has_all(store, row.owner, &required)?
        {
            out.push(row.id);
        }
    }
    Ok(out)
}

/// True for a protocol: a class whose head names `Protocol` among its bases.
pub(crate) fn is_protocol(store: &Store, class: NodeId) -> Result<bool, StoreError> {
    Ok(store.node(class)?.is_some_and(|node| {
        let mut words = node
            .signature
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .skip_while(|word| *word != node.name);
        words.next();
        words.any(|word| word == "Protocol")
    }))
}

fn has_all(store: &Store, class: NodeId, required: &FxHashSet<String>) -> Result<bool, StoreError> {
    let mut missing = required.clone();
    for class in with_ancestors(store, class)? {
        for row in store.children(class)? {
            missing.remove(&row.name);
        }
        if missing.is_empty() {
            return Ok(true);
        }
    }
    Ok(missing.is_empty())
}

/// A class and what it inherits from, the nearest first.
fn with_ancestors(store: &Store, class: NodeId) -> Result<Vec<NodeId>, StoreError> {
    let mut all = vec![class];
    let mut at = 0;
    while at < all.len() && all.len() < MAX_ANCESTORS {
        let kinds = EdgeKinds::of(&[EdgeKind::Extends, EdgeKind::Implements]);
        for edge in store.edge_rows_out(all[at], kinds)? {
            if !all.contains(&edge.dst) {
                all.push(edge.dst);
            }
        }
        at += 1;
    }
    Ok(all)
}

/// True when two signatures have the same number of parameters, as far as their texts tell.
fn takes_as_many(a: &str, b: &str) -> bool {
    match (n_parameters(a), n_parameters(b)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

/// Number of parameters in the first parentheses of a signature.
fn n_parameters(signature: &str) -> Option<usize> {
    let rest = &signature[signature.find('(')? + 1..];
    let (mut depth, mut n_commas, mut is_empty) = (0_u32, 0, true);
    let mut last = ' ';
    for c in rest.chars() {
        match c {
            ')' if depth == 0 => {
                let is_trailing = last == ',';
                return Some(if is_empty {
                    0
                } else {
                    n_commas + usize::from(!is_trailing)
                });
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => n_commas += 1,
            _ => {}
        }
        if !c.is_whitespace() {
            (last, is_empty) = (c, false);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::n_parameters;

    #[test]
    fn parameters_are_counted_at_the_outer_level() {
        assert_eq!(n_parameters("def f()"), Some(0));
        assert_eq!(n_parameters("def f(self, x: dict[str, int] = {}, )"), Some(2));
        assert_eq!(n_parameters("run(task: (a: A, b: B) => void): void"), Some(1));
        assert_eq!(n_parameters("x: number"), None);
    }
}
