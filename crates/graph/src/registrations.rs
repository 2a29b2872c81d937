//! What is handed to frameworks to be called, and by whom.
//!
//! Such a place is no call: the framework calls what it was given, some time later.

use strata_model::edge::EdgeFlags;
use strata_model::kinds::EdgeKind;
use strata_model::outcome::How;
use strata_storage::{EdgeKinds, LinkedNode, NodeRow, Store, StoreError};

use crate::relation::{Relation, ranked};

/// Who hands `node` to a framework: those that do so at most places first, then by FQN.
pub fn registered_by(store: &Store, node: &NodeRow) -> Result<Vec<Relation>, StoreError> {
    Ok(registering(
        store.edges_in(node.id, EdgeKinds::of(&[EdgeKind::References]))?,
    ))
}

/// What `node` hands to frameworks, in the same order.
pub fn registers(store: &Store, node: &NodeRow) -> Result<Vec<Relation>, StoreError> {
    Ok(registering(
        store.edges_out(node.id, EdgeKinds::of(&[EdgeKind::References]))?,
    ))
}

fn registering(links: Vec<LinkedNode>) -> Vec<Relation> {
    let is_registration = |link: &LinkedNode| link.edge.flags.has(EdgeFlags::REGISTERS);
    let mut relations = ranked(links.into_iter().filter(is_registration).collect());
    // The edge stands for every mention; that this one is a registration is what the framework's rule says.
    for relation in &mut relations {
        relation.how = How::Framework;
    }
    relations
}
