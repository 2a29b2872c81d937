//! Ranked search by words over nodes of every level.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use strata_storage::{Case, NodeId, NodeRow, Store, StoreError};

use crate::filter::{Filter, Prepared};
use crate::query::{self, Term};
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
    let Some(expression_of_all) = query::expression(&terms) else {
        return Ok(LexicalHits::default());
    };
    let filter = request.filter.prepare(store)?;
    let scorer = Scorer::new(store, &terms)?;
    let order = scorer.rarest_first();
    let wanted = request.offset + request.limit;
    let mut hits: Vec<LexicalHit> = Vec::new();
    let mut total_candidates = 0;
    for n_terms in 1..=order.len() {
        let (asked, left) = order.split_at(n_terms);
        // Rare words alone first: texts without any of them are not worth looking at once enough texts are worth more
        // than those can be (the idea of MaxScore; Turtle and Flood, 1995). Most queries end here, and the common words,
        // which half of all texts have, are never ranked.
        let is_last = left.is_empty();
        if !is_last && scorer.most(left) >= scorer.most(asked) {
            continue;
        }
        let some: Vec<Term> = asked.iter().map(|ix| terms[*ix].clone()).collect();
        let Some(expression) = query::expression(&some) else {
            continue;
        };
        let (ids, total) = candidates(store, &expression, request, &filter)?;
        total_candidates = total;
        hits = scored(store, request, &filter, &scorer, &ids)?;
        let is_settled = hits
            .get(wanted.saturating_sub(1))
            .is_some_and(|hit| hit.score >= scorer.most(left));
        if is_settled {
            if !is_last {
                total_candidates = count(store, &expression_of_all, request, &filter)?;
            }
            break;
        }
    }
    let hits = hits.into_iter().skip(request.offset).take(request.limit).collect();
    Ok(LexicalHits { hits, total_candidates })
}

/// The best candidates by the full-text index's own ranking, and the number of all that match and pass the filter.
fn candidates(
    store: &Store,
    expression: &str,
    request: &LexicalRequest<'_>,
    filter: &Prepared<'_>,
) -> Result<(Vec<NodeId>, u64), StoreError> {
    if request.filter.is_open() {
        let ids = store.best_text_hits(expression, CANDIDATES)?;
        let total = if ids.len() < CANDIDATES {
            ids.len() as u64
        } else {
            store.count_text_hits(expression)?
        };
        return Ok((ids, total));
    }
    let mut total = 0;
    let mut ids: Vec<NodeId> = Vec::new();
    store.for_each_text_hit(expression, |hit| {
        if filter.passes(&hit) {
            total += 1;
            if ids.len() < CANDIDATES {
                ids.push(hit.id);
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok((ids, total))
}

fn count(
    store: &Store,
    expression: &str,
    request: &LexicalRequest<'_>,
    filter: &Prepared<'_>,
) -> Result<u64, StoreError> {
    if request.filter.is_open() {
        store.count_text_hits(expression)
    } else {
        Ok(candidates(store, expression, request, filter)?.1)
    }
}

/// Scores candidates, and nodes with exactly the name that was typed; best first.
fn scored(
    store: &Store,
    request: &LexicalRequest<'_>,
    filter: &Prepared<'_>,
    scorer: &Scorer<'_>,
    ids: &[NodeId],
) -> Result<Vec<LexicalHit>, StoreError> {
    let mut nodes = store.nodes(ids)?;
    let known: FxHashSet<NodeId> = ids.iter().copied().collect();
    // A name typed in full must not be lost among many texts that only use its words.
    let exact = store.nodes_by_name(request.query.trim(), Case::Ignored)?;
    nodes.extend(
        exact
            .into_iter()
            .filter(|node| !known.contains(&node.id) && filter.accepts(node.level, node.kind, node.file_id)),
    );
    let mut hits: Vec<LexicalHit> = nodes
        .into_iter()
        .map(|node| LexicalHit {
            score: scorer.score(&node),
            node,
        })
        .filter(|hit| hit.score > 0.0)
        .collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.node.fqn.cmp(&b.node.fqn)));
    Ok(hits)
}
