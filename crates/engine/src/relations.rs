//! Who uses a symbol, and what it uses.

use std::cmp::Reverse;

use strata_model::facts::{FileFacts, Reference};
use strata_model::ids::Position;
use strata_model::kinds::{EdgeKind, NodeKind, RefKind};
use strata_model::outcome::How;
use strata_storage::{EdgeKinds, FileId, LinkedNode, NodeId, StoredTarget};

use crate::error::EngineError;
use crate::view::{Symbol, View};

/// A symbol at the other end of an edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The symbol.
    pub symbol: Symbol,
    /// Number of places in the text.
    pub sites: u32,
    /// The first of them.
    pub at: Position,
    /// How it was resolved.
    pub how: How,
    /// How sure that is, from 0 to 1.
    pub confidence: f32,
}

/// One place in the text that names a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceSite {
    /// Path of the file.
    pub path: String,
    /// Where the name starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// Kind of the edge that the place stands for.
    pub kind: EdgeKind,
    /// True when the file parsed without errors.
    pub is_complete: bool,
}

impl View<'_> {
    /// Who calls a symbol, most places first, then by FQN. Instantiating a type calls it, whether or not it spells out
    /// its constructor.
    pub fn callers(&self, symbol: &Symbol) -> Result<Vec<Relation>, EngineError> {
        let mut links = Vec::new();
        for target in self.call_targets(symbol)? {
            links.extend(self.store.edges_in(target, EdgeKinds::CALLS)?);
        }
        Ok(ranked(links, |link| link.edge.src))
    }

    /// What a symbol calls, most places first, then by FQN. A recursive call is among them.
    pub fn callees(&self, symbol: &Symbol) -> Result<Vec<Relation>, EngineError> {
        let links = self.store.edges_out(symbol.id, EdgeKinds::CALLS)?;
        Ok(ranked(links, |link| link.edge.dst))
    }

    /// The types that a type extends, or that it implements, in the order of FQNs.
    pub fn supertypes(&self, symbol: &Symbol, kind: EdgeKind) -> Result<Vec<Symbol>, EngineError> {
        let links = self.store.edges_out(symbol.id, EdgeKinds::of(&[kind]))?;
        Ok(links.into_iter().map(|link| Symbol::from(link.node)).collect())
    }

    /// Every place that names a symbol and does not call it, by file and position.
    pub fn references(&self, symbol: &Symbol) -> Result<Vec<ReferenceSite>, EngineError> {
        let mut sites = Vec::new();
        for file in self.store.files_linking_to(symbol.id, EdgeKinds::USES)? {
            self.sites_in(file, symbol.id, &mut sites)?;
        }
        sites.sort_by(|a, b| (&a.path, a.start).cmp(&(&b.path, b.start)));
        sites.dedup();
        Ok(sites)
    }

    fn sites_in(&self, file_id: FileId, target: NodeId, sites: &mut Vec<ReferenceSite>) -> Result<(), EngineError> {
        let (Some(file), Some(facts)) = (self.store.file(file_id)?, self.store.facts(file_id)?) else {
            return Ok(());
        };
        let outcomes = self.store.outcomes(file_id)?;
        for (reference, outcome) in facts.refs.iter().zip(&outcomes) {
            let kind = edge_kind(reference.kind);
            if kind == EdgeKind::Calls || !outcome.targets.contains(&StoredTarget::Node(target)) {
                continue;
            }
            sites.push(ReferenceSite {
                path: file.path.clone(),
                start: reference.at,
                end: end_of(&facts, reference),
                kind,
                is_complete: file.parse_status == strata_model::kinds::ParseStatus::Ok,
            });
        }
        Ok(())
    }

    /// The nodes that a call of the symbol may lead to: itself and, for a type, its constructors.
    fn call_targets(&self, symbol: &Symbol) -> Result<Vec<NodeId>, EngineError> {
        let mut targets = vec![symbol.id];
        if symbol.kind.is_type() {
            let members = self.store.children(symbol.id)?;
            targets.extend(
                members
                    .iter()
                    .filter(|node| node.kind == NodeKind::Constructor)
                    .map(|node| node.id),
            );
        }
        Ok(targets)
    }
}

/// The kind of edge that a kind of reference gives.
const fn edge_kind(kind: RefKind) -> EdgeKind {
    match kind {
        RefKind::Call | RefKind::Construct => EdgeKind::Calls,
        RefKind::Inherits => EdgeKind::Extends,
        RefKind::Implements => EdgeKind::Implements,
        RefKind::Import => EdgeKind::Imports,
        RefKind::Type | RefKind::Value | RefKind::Read | RefKind::Write | RefKind::Decorator | RefKind::Render => {
            EdgeKind::References
        }
    }
}

fn end_of(facts: &FileFacts, reference: &Reference) -> Position {
    let n_units = facts.str(reference.name).encode_utf16().count() as u32;
    Position {
        line: reference.at.line,
        column: reference.at.column + n_units,
    }
}

/// One relation for each symbol, most places first.
fn ranked(links: Vec<LinkedNode>, end: impl Fn(&LinkedNode) -> NodeId) -> Vec<Relation> {
    let mut links = links;
    links.sort_by_key(&end);
    let mut relations: Vec<Relation> = Vec::with_capacity(links.len());
    let mut last = None;
    for link in links {
        let id = end(&link);
        match relations.last_mut().filter(|_| last == Some(id)) {
            Some(relation) => {
                relation.sites += link.edge.sites;
                relation.at = relation.at.min(link.edge.at);
                if link.edge.confidence > relation.confidence {
                    relation.confidence = link.edge.confidence;
                    relation.how = link.edge.how;
                }
            }
            None => relations.push(Relation {
                symbol: Symbol::from(link.node),
                sites: link.edge.sites,
                at: link.edge.at,
                how: link.edge.how,
                confidence: link.edge.confidence,
            }),
        }
        last = Some(id);
    }
    relations.sort_by(|a, b| (Reverse(a.sites), &a.symbol.fqn).cmp(&(Reverse(b.sites), &b.symbol.fqn)));
    relations
}
