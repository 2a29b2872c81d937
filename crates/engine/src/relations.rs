//! Who uses a symbol, and what it uses.

use strata_graph as graph;
use strata_model::ids::Position;
use strata_model::kinds::EdgeKind;
use strata_model::outcome::How;
use strata_storage::{EdgeKinds, NodeRow};

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
    /// False where nothing was measured and the confidence is a prior.
    pub is_measured: bool,
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

impl Relation {
    /// A relation whose places are in a file of `language`.
    pub(crate) fn of(relation: graph::Relation, language: &str) -> Self {
        Self {
            is_measured: strata_index::is_measured(language, relation.how),
            symbol: Symbol::from(relation.node),
            sites: relation.sites,
            at: relation.at,
            how: relation.how,
            confidence: relation.confidence,
        }
    }

    /// A relation to a symbol that uses another one: the places are in its own file.
    pub(crate) fn of_user(relation: graph::Relation) -> Self {
        let language = relation.node.language.clone();
        Self::of(relation, &language)
    }
}

impl View<'_> {
    /// Who calls a symbol, most places first, then by FQN. Instantiating a type calls it, whether or not it spells out
    /// its constructor.
    pub fn callers(&self, symbol: &Symbol) -> Result<Vec<Relation>, EngineError> {
        let Some(node) = self.node_of(symbol)? else {
            return Ok(Vec::new());
        };
        Ok(graph::callers(self.store, &node)?
            .into_iter()
            .map(Relation::of_user)
            .collect())
    }

    /// What a symbol calls, most places first, then by FQN. A recursive call is among them.
    pub fn callees(&self, symbol: &Symbol) -> Result<Vec<Relation>, EngineError> {
        let Some(node) = self.node_of(symbol)? else {
            return Ok(Vec::new());
        };
        Ok(graph::callees(self.store, &node)?
            .into_iter()
            .map(|it| Relation::of(it, &symbol.language))
            .collect())
    }

    /// Who hands a symbol to a framework to be called, most places first, then by FQN.
    pub fn registered_by(&self, symbol: &Symbol) -> Result<Vec<Relation>, EngineError> {
        let Some(node) = self.node_of(symbol)? else {
            return Ok(Vec::new());
        };
        Ok(graph::registered_by(self.store, &node)?
            .into_iter()
            .map(Relation::of_user)
            .collect())
    }

    /// What a symbol hands to frameworks to be called, most places first, then by FQN.
    pub fn registers(&self, symbol: &Symbol) -> Result<Vec<Relation>, EngineError> {
        let Some(node) = self.node_of(symbol)? else {
            return Ok(Vec::new());
        };
        Ok(graph::registers(self.store, &node)?
            .into_iter()
            .map(|it| Relation::of(it, &symbol.language))
            .collect())
    }

    /// The types that a type extends, or that it implements, in the order of FQNs.
    pub fn supertypes(&self, symbol: &Symbol, kind: EdgeKind) -> Result<Vec<Symbol>, EngineError> {
        let Some(node) = self.node_of(symbol)? else {
            return Ok(Vec::new());
        };
        let links = graph::supertypes(self.store, &node)?;
        Ok(links
            .into_iter()
            .filter(|link| link.edge.kind == kind)
            .map(|link| Symbol::from(link.node))
            .collect())
    }

    /// Every place that names a symbol and does not call it, by file and position.
    pub fn references(&self, symbol: &Symbol) -> Result<Vec<ReferenceSite>, EngineError> {
        let Some(node) = self.node_of(symbol)? else {
            return Ok(Vec::new());
        };
        let sites = graph::references(self.store, &node, EdgeKinds::USES)?;
        let site = |site: graph::Site| ReferenceSite {
            path: site.path,
            start: site.start,
            end: site.end,
            kind: site.kind,
            is_complete: site.is_complete,
        };
        Ok(sites.into_iter().map(site).collect())
    }

    fn node_of(&self, symbol: &Symbol) -> Result<Option<NodeRow>, EngineError> {
        Ok(self.store.node(symbol.id)?)
    }
}
