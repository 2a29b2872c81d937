//! A symbol at the other end of edges.

use std::cmp::Reverse;

use strata_model::ids::Position;
use strata_model::outcome::How;
use strata_storage::{LinkedNode, NodeRow};

/// A symbol that uses another one, or is used by it.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The symbol at the other end.
    pub node: NodeRow,
    /// Number of places in the text.
    pub sites: u32,
    /// The first of them, in the file of the using symbol.
    pub at: Position,
    /// How the surest of them was resolved.
    pub how: How,
    /// How sure that is, from 0 to 1.
    pub confidence: f32,
}

/// One relation for each symbol: those with the most places first, then by FQN.
pub(crate) fn ranked(mut links: Vec<LinkedNode>) -> Vec<Relation> {
    links.sort_by_key(|link| link.node.id);
    let mut relations: Vec<Relation> = Vec::with_capacity(links.len());
    for LinkedNode { edge, node } in links {
        match relations.last_mut() {
            Some(last) if last.node.id == node.id => {
                last.sites += edge.sites;
                last.at = last.at.min(edge.at);
                if edge.confidence > last.confidence {
                    (last.how, last.confidence) = (edge.how, edge.confidence);
                }
            }
            _ => relations.push(Relation {
                node,
                sites: edge.sites,
                at: edge.at,
                how: edge.how,
                confidence: edge.confidence,
            }),
        }
    }
    relations.sort_by(|a, b| (Reverse(a.sites), &a.node.fqn).cmp(&(Reverse(b.sites), &b.node.fqn)));
    relations
}
