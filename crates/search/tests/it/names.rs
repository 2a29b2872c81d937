//! Finding symbols in tiers.

use strata_search::{MatchSource, NameRequest, nearest_names, search_symbols};
use strata_storage::Store;

use crate::sample::shop;

fn found(store: &Store, text: &str, kind: Option<&str>) -> Vec<(String, MatchSource)> {
    let request = NameRequest {
        text,
        kind,
        file: None,
        limit: 20,
    };
    search_symbols(store, &request)
        .unwrap()
        .into_iter()
        .map(|hit| (hit.node.fqn, hit.source))
        .collect()
}

#[track_caller]
fn check(text: &str, kind: Option<&str>, expected: &[(&str, MatchSource)]) {
    let found = found(&shop(), text, kind);
    let expected: Vec<(String, MatchSource)> = expected.iter().map(|&(fqn, source)| (fqn.to_owned(), source)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn an_exact_name_in_any_case_comes_before_words() {
    let store = shop();
    let hits = search_symbols(
        &store,
        &NameRequest {
            text: "EXPIRE",
            kind: None,
            file: None,
            limit: 20,
        },
    )
    .unwrap();
    let shown: Vec<(&str, MatchSource)> = hits.iter().map(|hit| (hit.node.fqn.as_str(), hit.source)).collect();
    assert_eq!(
        shown,
        [
            ("shop::session::expire", MatchSource::Exact),
            ("web::page::Expire", MatchSource::Exact),
            ("shop::session::SessionStore", MatchSource::Fts),
            ("shop::test_session::expires_late", MatchSource::Fts),
        ]
    );
    assert!(hits[..2].iter().all(|hit| (hit.score - 10.0).abs() < f64::EPSILON));
    assert!(hits[2..].iter().all(|hit| hit.score > 5.0 && hit.score < 6.0));
}

#[test]
fn a_kind_is_asked_before_the_limit() {
    check(
        "expire",
        Some("class"),
        &[
            ("web::page::Expire", MatchSource::Exact),
            ("shop::session::SessionStore", MatchSource::Fts),
        ],
    );
    check(
        "max_age",
        Some("constant"),
        &[("shop::session::MAX_AGE", MatchSource::Exact)],
    );
}

#[test]
fn a_path_to_a_name_is_exact() {
    let found = found(&shop(), "session.expire", None);
    assert_eq!(found[0], ("shop::session::expire".to_owned(), MatchSource::Exact));
    assert!(found[1..].iter().all(|(_, source)| *source == MatchSource::Fts));
}

#[test]
fn words_match_by_their_beginning() {
    let found = found(&shop(), "token validation", None);
    assert_eq!(found, [("shop::session::validate_token".to_owned(), MatchSource::Fts)]);
}

#[test]
fn a_prefix_is_the_last_resort() {
    check("vali", None, &[("shop::session::validate_token", MatchSource::Prefix)]);
    check("zzz", None, &[]);
    check("  ", None, &[]);
}

#[test]
fn patterns_match_names() {
    check(
        "*_*",
        None,
        &[
            ("shop::session::validate_token", MatchSource::Pattern),
            ("shop::session::MAX_AGE", MatchSource::Pattern),
            ("shop::test_session::expires_late", MatchSource::Pattern),
        ],
    );
    check("sho?", None, &[("web::page::show", MatchSource::Pattern)]);
}

#[test]
fn near_names_are_offered() {
    let store = shop();
    assert_eq!(nearest_names(&store, "validate_tokens", 3).unwrap(), ["validate_token"]);
    assert_eq!(nearest_names(&store, "getUserByld", 3).unwrap(), ["getUserById"]);
    assert!(nearest_names(&store, "entirely_different", 3).unwrap().is_empty());
}
