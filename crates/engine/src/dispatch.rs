//! What may run where a declared member is called.

use strata_graph as graph;
use strata_storage::EdgeKinds;

use crate::error::EngineError;
use crate::relations::Relation;
use crate::view::{Symbol, View};

/// Candidates of one call that are listed; the count is always exact.
pub const MAX_CANDIDATES: usize = 32;

/// What may run where a member is called, besides the member itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dispatch {
    /// All candidates with how sure each is (`made`, `maybe`, `structural`): the surest first, then by FQN.
    pub candidates: Vec<(Symbol, &'static str)>,
    /// True when the member has no implementation of its own and the root has exactly one.
    pub is_sole: bool,
}

impl Dispatch {
    /// The candidates of one degree of certainty that are listed, as FQNs.
    #[must_use]
    pub fn listed(&self, certainty: &str) -> Vec<String> {
        let listed = self.candidates.iter().take(MAX_CANDIDATES);
        listed
            .filter(|(_, it)| *it == certainty)
            .map(|(symbol, _)| symbol.fqn.clone())
            .collect()
    }
}

impl From<graph::Dispatch> for Dispatch {
    fn from(found: graph::Dispatch) -> Self {
        let candidate = |it: graph::Candidate| (Symbol::from(it.node), it.certainty.name());
        Self {
            candidates: found.candidates.into_iter().map(candidate).collect(),
            is_sole: found.is_sole,
        }
    }
}

impl View<'_> {
    /// What may run where `caller` calls `callee`, as far as the receivers of these calls are known.
    pub fn dispatch(&self, caller: &Symbol, callee: &Symbol) -> Result<Dispatch, EngineError> {
        let edges = self.store.edge_rows_out(caller.id, EdgeKinds::CALLS)?;
        let edge = edges.into_iter().find(|edge| edge.dst == callee.id);
        let (Some(edge), Some(node)) = (edge, self.store.node(callee.id)?) else {
            return Ok(Dispatch::default());
        };
        Ok(graph::dispatch(self.store, &strata_storage::LinkedNode { edge, node })?.into())
    }

    /// What stands in for a member in the classes below its own.
    pub fn implementations(&self, symbol: &Symbol) -> Result<Dispatch, EngineError> {
        let Some(node) = self.store.node(symbol.id)? else {
            return Ok(Dispatch::default());
        };
        Ok(graph::implementations(self.store, &node)?.into())
    }

    /// Who calls a member that `symbol` overrides so that `symbol` may run, each with the FQN of the member that it calls.
    pub fn callers_via_dispatch(&self, symbol: &Symbol) -> Result<Vec<(Relation, String)>, EngineError> {
        let Some(node) = self.store.node(symbol.id)? else {
            return Ok(Vec::new());
        };
        let found = graph::callers_via_dispatch(self.store, &node)?;
        Ok(found
            .into_iter()
            .map(|it| (Relation::of_user(it.relation), it.via.fqn))
            .collect())
    }
}
