//! From what was typed to the terms that are looked up.

use std::fmt::Write as _;

use strata_model::tokens::for_each_token;

/// Words that say nothing about code. They are left out of a query unless nothing else is in it.
const STOP_WORDS: &[&str] = &[
    "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by", "can", "could",
    "did", "do", "does", "done", "for", "from", "had", "has", "have", "he", "how", "if", "in", "into", "is", "it",
    "its", "me", "my", "of", "on", "or", "our", "please", "she", "should", "so", "some", "such", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "those", "to", "was", "we", "were", "what", "when",
    "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

/// A word of at least this many characters also matches by a prefix.
const PREFIX_FROM: usize = 5;

/// The least length of such a prefix.
const PREFIX_LEAST: usize = 4;

/// What a match by prefix counts, next to one of the whole word.
const PREFIX_WEIGHT: f64 = 0.5;

/// A term of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    /// The word, or the start of one.
    pub(crate) text: String,
    /// Whether `text` is only the start.
    pub(crate) is_prefix: bool,
    /// What it counts.
    pub(crate) weight: f64,
}

impl Term {
    /// True when a token of a text is, or starts with, this term.
    pub(crate) fn matches(&self, token: &str) -> bool {
        if self.is_prefix {
            token.starts_with(&self.text)
        } else {
            token == self.text
        }
    }
}

/// The distinct terms of `text`, in the order of their first place.
pub(crate) fn terms(text: &str) -> Vec<Term> {
    let mut words: Vec<String> = Vec::new();
    for_each_token(text, |token| {
        if !words.iter().any(|word| word == token) {
            words.push(token.to_owned());
        }
    });
    if words.iter().any(|word| !is_stop_word(word)) {
        words.retain(|word| !is_stop_word(word));
    }
    words
        .into_iter()
        .map(|text| Term {
            text,
            is_prefix: false,
            weight: 1.0,
        })
        .collect()
}

/// Adds for each long word the prefix of its first 60 %, so that `validation` finds `validate`.
pub(crate) fn with_prefixes(mut terms: Vec<Term>) -> Vec<Term> {
    let mut prefixes: Vec<Term> = Vec::new();
    for term in &terms {
        let n_chars = term.text.chars().count();
        // A whole identifier that was joined by underscores has its parts as terms of their own.
        if n_chars < PREFIX_FROM || term.text.contains('_') {
            continue;
        }
        let text: String = term.text.chars().take((n_chars * 3 / 5).max(PREFIX_LEAST)).collect();
        if !prefixes.iter().any(|prefix| prefix.text == text) {
            prefixes.push(Term {
                text,
                is_prefix: true,
                weight: PREFIX_WEIGHT,
            });
        }
    }
    terms.append(&mut prefixes);
    terms
}

/// The terms as an FTS5 expression that matches any of them. None when there is no term.
pub(crate) fn expression(terms: &[Term]) -> Option<String> {
    let mut out = String::new();
    for term in terms {
        if !out.is_empty() {
            out.push_str(" OR ");
        }
        // Tokens hold letters, digits and underscores only, so quoting is all the escaping there is.
        let _ = write!(out, "\"{}\"{}", term.text, if term.is_prefix { "*" } else { "" });
    }
    (!out.is_empty()).then_some(out)
}

fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{STOP_WORDS, expression, terms, with_prefixes};

    fn check(text: &str, expected: &str) {
        assert_eq!(expression(&terms(text)).unwrap_or_default(), expected);
    }

    #[test]
    fn terms_are_distinct_and_without_stop_words() {
        check("where is the session session handled", r#""session" OR "handled""#);
        check("getUserById", r#""get" OR "user" OR "id" OR "getuserbyid""#);
        check("how is it", r#""how" OR "is" OR "it""#);
        check("  --  ", "");
    }

    #[test]
    fn long_words_match_by_their_first_part() {
        let words = |text: &str| expression(&with_prefixes(terms(text))).unwrap_or_default();
        assert_eq!(
            words("validation token"),
            r#""validation" OR "token" OR "valida"* OR "toke"*"#
        );
        assert_eq!(words("auth"), r#""auth""#);
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }
}
