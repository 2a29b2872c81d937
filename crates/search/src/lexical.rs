//! Ranked search by words over nodes of every level.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use strata_storage::{Case, NodeId, NodeRow, Store, StoreError};

use crate::filter::Filter;
use crate::query;
use crate::score::Scorer;

/// Candidates that are scored exactly. The full-text index ranks by nearly the same formula, so what it places below this
/// cannot reach the first fifty.
const CANDIDATES: usize = 300;

/// A search by words.
#[derive(Clone, Copy)]
pub struct LexicalRequest<'a> {
    /// What was typed: words, names, or both.
    pub query: &'a str,
    /// What may be returned.
    pub filter: Filter<'a>,
    /// Most hits.
    pub limit: usize,
    /// Hits that are passed over before the first one, for the next page.
    pub offset: usize,
}

/// A node that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct LexicalHit {
    /// The node.
    pub node: NodeRow,
    /// Its BM25 value.
    pub score: f64,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LexicalHits {
    /// Best first; equal scores in the order of FQNs.
    pub hits: Vec<LexicalHit>,
    /// Number of nodes that match and pass the filter.
    pub total_candidates: u64,
}

/// Ranks the nodes that share words with the query.
///
/// The score is BM25 (k1 1.2, b 0.75) over name, FQN, signature and documentation. Words that say nothing about code are
/// left out unless the query has no others. At most the best 300 candidates can be reached by paging.
pub fn codebase_search(store: &Store, request: &LexicalRequest<'_>) -> Result<LexicalHits, StoreError> {
    let terms = query::terms(request.query);
    let Some(expression) = query::expression(&terms) else {
        return Ok(LexicalHits::default());
    };
    let filter = request.filter.prepare(store)?;
    let mut total_candidates = 0;
    let mut ids: Vec<NodeId> = Vec::new();
    if request.filter.is_open() {
        ids = store.best_text_hits(&expression, CANDIDATES)?;
        total_candidates = if ids.len() < CANDIDATES {
            ids.len() as u64
        } else {
            store.count_text_hits(&expression)?
        };
    } else {
        store.for_each_text_hit(&expression, |hit| {
            if filter.passes(&hit) {
                total_candidates += 1;
                if ids.len() < CANDIDATES {
                    ids.push(hit.id);
                }
            }
            ControlFlow::Continue(())
        })?;
    }
    let mut nodes = store.nodes(&ids)?;
    let known: FxHashSet<NodeId> = ids.into_iter().collect();
    // A name typed in full must not be lost among many texts that only use its words.
    let exact = store.nodes_by_name(request.query.trim(), Case::Ignored)?;
    nodes.extend(
        exact
            .into_iter()
            .filter(|node| !known.contains(&node.id) && filter.accepts(node.level, node.kind, node.file_id)),
    );
    let scorer = Scorer::new(store, &terms)?;
    let mut hits: Vec<LexicalHit> = nodes
        .into_iter()
        .map(|node| LexicalHit {
            score: scorer.score(&node),
            node,
        })
        .filter(|hit| hit.score > 0.0)
        .collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.node.fqn.cmp(&b.node.fqn)));
    let hits = hits.into_iter().skip(request.offset).take(request.limit).collect();
    Ok(LexicalHits { hits, total_candidates })
}
