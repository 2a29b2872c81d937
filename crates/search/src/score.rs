//! BM25 over the texts of nodes.
//!
//! The full-text index gives candidates in nearly this order. The exact value is worked out from the stored texts, because
//! SQLite's own weighs very common words as nothing and because a score should not depend on how the index is laid out.

use strata_model::tokens::for_each_token;
use strata_storage::{NodeRow, Store, StoreError};

use crate::query::{Term, expression};

/// How fast further occurrences of a term stop to count.
const K1: f64 = 1.2;

/// How much long texts are held back.
const B: f64 = 0.75;

/// The weights of a query's terms in the present store.
pub(crate) struct Scorer<'t> {
    terms: &'t [Term],
    /// Inverse document frequency of each term, times its weight.
    idf: Vec<f64>,
    average_length: f64,
}

impl<'t> Scorer<'t> {
    pub(crate) fn new(store: &Store, terms: &'t [Term]) -> Result<Self, StoreError> {
        let (texts, tokens) = store.text_totals()?;
        let mut idf = Vec::with_capacity(terms.len());
        for term in terms {
            let frequency = if term.is_prefix {
                let expression = expression(std::slice::from_ref(term)).unwrap_or_default();
                store.count_text_hits(&expression)?
            } else {
                store.document_frequency(&term.text)?
            };
            let (total, with_term) = (texts as f64, frequency as f64);
            idf.push(term.weight * (1.0 + (total - with_term + 0.5).max(0.0) / (with_term + 0.5)).ln());
        }
        Ok(Self {
            terms,
            idf,
            average_length: tokens as f64 / (texts as f64).max(1.0),
        })
    }

    /// The terms from the rarest to the most common, as indices.
    pub(crate) fn rarest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.terms.len()).collect();
        order.sort_by(|a, b| self.idf[*b].total_cmp(&self.idf[*a]).then(a.cmp(b)));
        order
    }

    /// What a text can be worth at most that has none but these terms.
    pub(crate) fn most(&self, terms: &[usize]) -> f64 {
        terms.iter().map(|ix| self.idf[*ix].max(0.0) * (K1 + 1.0)).sum()
    }

    /// The value of a node's name, FQN, signature and documentation; 0 when no term is in them.
    pub(crate) fn score(&self, node: &NodeRow) -> f64 {
        let mut counts = vec![0u32; self.terms.len()];
        let mut length = 0u32;
        for text in [
            &node.name,
            &node.fqn,
            &node.signature,
            node.doc.as_ref().unwrap_or(&String::new()),
        ] {
            for_each_token(text, |token| {
                length += 1;
                for (term, count) in self.terms.iter().zip(&mut counts) {
                    *count += u32::from(term.matches(token));
                }
            });
        }
        let norm = K1 * (1.0 - B + B * f64::from(length) / self.average_length.max(f64::MIN_POSITIVE));
        counts
            .iter()
            .zip(&self.idf)
            .filter(|(count, _)| **count > 0)
            .map(|(count, idf)| idf * f64::from(*count) * (K1 + 1.0) / (f64::from(*count) + norm))
            .sum()
    }
}
