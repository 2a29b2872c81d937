//! Ranking by words.

use strata_model::kinds::{NodeKind, NodeLevel};
use strata_model::tokens::tokens;
use strata_search::{Filter, LexicalHits, LexicalRequest, codebase_search};
use strata_storage::{NodeRow, Store};

use crate::sample::shop;

fn search(store: &Store, query: &str, filter: Filter<'_>) -> LexicalHits {
    codebase_search(
        store,
        &LexicalRequest {
            query,
            filter,
            limit: 50,
            offset: 0,
        },
    )
    .unwrap()
}

fn names(hits: &LexicalHits) -> Vec<&str> {
    hits.hits.iter().map(|hit| hit.node.name.as_str()).collect()
}

fn all_nodes(store: &Store) -> Vec<NodeRow> {
    store.nodes_of_level(None, None, 0, 1000).unwrap()
}

/// The formula, worked out over every node in the plainest way.
fn bm25(store: &Store, words: &[&str]) -> Vec<(String, f64)> {
    let texts: Vec<(String, Vec<String>)> = all_nodes(store)
        .into_iter()
        .map(|node| {
            let text = [
                node.name,
                node.fqn.clone(),
                node.signature,
                node.doc.unwrap_or_default(),
            ]
            .join("\n");
            (node.fqn, tokens(&text))
        })
        .collect();
    let total = texts.len() as f64;
    let average = texts.iter().map(|(_, text)| text.len() as f64).sum::<f64>() / total;
    let count = |text: &[String], word: &str| text.iter().filter(|token| token.as_str() == word).count() as f64;
    let mut scores: Vec<(String, f64)> = texts
        .iter()
        .map(|(fqn, text)| {
            let score = words.iter().map(|word| {
                let n = texts.iter().filter(|(_, text)| count(text, word) > 0.0).count() as f64;
                let idf = (1.0 + (total - n + 0.5) / (n + 0.5)).ln();
                let tf = count(text, word);
                idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * text.len() as f64 / average))
            });
            (fqn.clone(), score.sum())
        })
        .filter(|(_, score)| *score > 0.0)
        .collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    scores
}

#[test]
fn scores_are_those_of_the_formula() {
    let store = shop();
    for (query, words) in [
        ("session expire", vec!["session", "expire"]),
        ("getUserById", vec!["get", "user", "id", "getuserbyid"]),
        ("where is the token", vec!["token"]),
    ] {
        let found = search(&store, query, Filter::default());
        let expected = bm25(&store, &words);
        assert_eq!(found.total_candidates, expected.len() as u64, "{query}");
        assert_eq!(found.hits.len(), expected.len(), "{query}");
        for (hit, (fqn, score)) in found.hits.iter().zip(&expected) {
            assert_eq!(&hit.node.fqn, fqn, "{query}");
            assert!((hit.score - score).abs() < 1e-9, "{query}: {fqn} {} {score}", hit.score);
        }
    }
}

#[test]
fn a_name_in_any_spelling_comes_first() {
    let store = shop();
    for query in ["getUserById", "get_user_by_id", "get user by id"] {
        assert_eq!(
            names(&search(&store, query, Filter::default()))[0],
            "getUserById",
            "{query}"
        );
    }
    assert!(search(&store, "", Filter::default()).hits.is_empty());
    assert!(search(&store, "\" OR NEAR(", Filter::default()).hits.is_empty());
}

#[test]
fn filters_hold_before_ranking() {
    let store = shop();
    let of = |filter: Filter<'_>| {
        let found = search(&store, "session", filter);
        assert_eq!(found.total_candidates, found.hits.len() as u64);
        let mut names: Vec<String> = found.hits.into_iter().map(|hit| hit.node.name).collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(
        of(Filter::default()),
        "MAX_AGE SessionStore expire expires_late getUserById session show test_session validate_token"
    );
    assert_eq!(
        of(Filter {
            levels: &[NodeLevel::L2_Module],
            ..Filter::default()
        }),
        "session test_session"
    );
    assert_eq!(
        of(Filter {
            kinds: &[NodeKind::Class],
            ..Filter::default()
        }),
        "SessionStore"
    );
    assert_eq!(
        of(Filter {
            packages: &["web".to_owned()],
            ..Filter::default()
        }),
        "show"
    );
    assert_eq!(
        of(Filter {
            languages: &["typescript".to_owned()],
            ..Filter::default()
        }),
        "show"
    );
    assert_eq!(
        of(Filter {
            path: Some(&|path| path.starts_with("web/")),
            ..Filter::default()
        }),
        "show"
    );
    assert_eq!(
        of(Filter {
            exclude_tests: true,
            kinds: &[NodeKind::Function],
            ..Filter::default()
        }),
        "expire getUserById show validate_token"
    );
}

#[test]
fn pages_follow_each_other() {
    let store = shop();
    let all = search(&store, "session", Filter::default());
    let page = |offset| {
        let request = LexicalRequest {
            query: "session",
            filter: Filter::default(),
            limit: 4,
            offset,
        };
        codebase_search(&store, &request).unwrap().hits
    };
    assert_eq!([page(0), page(4), page(8)].concat(), all.hits);
}
