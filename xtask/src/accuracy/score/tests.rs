//! Small hand-made rows, one rule of the scoring a test.

use super::super::rows::parse_lines;
use super::*;

/// A row of truth: `status`, then the targets as JSON.
fn truth(line: u32, callee: &str, status: &str, targets: &str) -> String {
    format!(
        r#"{{"lang":"python","edge":"call","file":"a.py","line":{line},"col":4,"callee_text":"{callee}","form":"call","status":"{status}","targets":[{targets}]}}"#
    )
}

fn reference(line: u32, callee: &str, outcome: &str, targets: &str) -> String {
    format!(
        r#"{{"edge":"call","file":"a.py","line":{line},"col":5,"callee_text":"{callee}","outcome":"{outcome}","how":"local","targets":[{targets}]}}"#
    )
}

fn target(file: &str, line: u32, name: &str, kind: &str) -> String {
    format!(r#"{{"file":"{file}","line":{line},"name":"{name}","kind":"{kind}"}}"#)
}

fn score_rows(truth: &[String], references: &[String]) -> Score {
    let truth: Vec<Truth> = parse_lines(truth.join("\n").as_bytes()).expect("valid truth");
    let references: Vec<Reference> = parse_lines(references.join("\n").as_bytes()).expect("valid references");
    let kinds = ["call".to_owned(), "construct".to_owned()];
    score(
        &truth,
        &references,
        &Selection {
            kinds: &kinds,
            prefix: "",
            n_shown: 5,
        },
    )
}

#[test]
fn a_target_at_the_line_of_the_name_is_right() {
    let f = target("b.py", 3, "f", "function");
    let score = score_rows(&[truth(1, "m.f", "internal", &f)], &[reference(1, "f", "resolved", &f)]);
    assert_eq!((score.precision(), score.recall()), (Some(1.0), Some(1.0)));
    assert_eq!(score.by_how["local"], Tally { right: 1.0, total: 1 });
    assert_eq!(score.by_form["call"], Tally { right: 1.0, total: 1 });
    assert!(score.shown.is_empty());
}

#[test]
fn a_target_in_the_repository_is_wrong_where_the_call_leaves_it() {
    let f = target("b.py", 3, "f", "function");
    let score = score_rows(&[truth(1, "f", "external", "")], &[reference(1, "f", "resolved", &f)]);
    assert_eq!(
        (score.precision(), score.recall(), score.n_judged),
        (Some(0.0), None, 1)
    );
    assert!(score.shown[0].starts_with("WRONG a.py:1:5 f"), "{}", score.shown[0]);
}

#[test]
fn external_is_right_outside_and_wrong_inside() {
    let f = target("b.py", 3, "f", "function");
    let score = score_rows(
        &[
            truth(1, "f", "internal", &f),
            truth(2, "g", "external", ""),
            truth(3, "h", "external", ""),
        ],
        &[
            reference(1, "f", "external", ""),
            reference(2, "g", "builtin", ""),
            reference(3, "h", "external", ""),
        ],
    );
    assert_eq!(score.external_precision(), Some(2.0 / 3.0));
    assert_eq!((score.precision(), score.recall()), (None, Some(0.0)));
}

#[test]
fn an_ambiguous_answer_earns_its_share_and_finds_nothing() {
    let right = target("b.py", 3, "f", "function");
    let both = format!("{right},{}", target("c.py", 9, "f", "function"));
    let score = score_rows(
        &[truth(1, "f", "internal", &right)],
        &[reference(1, "f", "ambiguous", &both)],
    );
    assert_eq!((score.precision(), score.recall()), (Some(0.5), Some(0.0)));
    assert_eq!(score.targets_per_answer(), Some(2.0));
}

#[test]
fn overloads_of_one_name_in_one_file_are_found() {
    let second = target("b.ts", 4, "f", "function");
    let group = format!("{},{second}", target("b.ts", 3, "f", "function"));
    let score = score_rows(
        &[truth(1, "f", "internal", &second)],
        &[reference(1, "f", "resolved", &group)],
    );
    assert_eq!((score.precision(), score.recall()), (Some(0.5), Some(1.0)));
}

#[test]
fn our_constructor_is_the_oracles_class_by_its_owner_line() {
    let ours = r#"{"file":"b.py","line":7,"name":"__init__","kind":"method","owner_line":3}"#;
    let theirs = target("b.py", 3, "User", "class");
    let score = score_rows(
        &[truth(1, "User", "internal", &theirs)],
        &[reference(1, "User", "resolved", ours)],
    );
    assert_eq!(score.recall(), Some(1.0));
    let other = target("b.py", 30, "User", "class");
    let score = score_rows(
        &[truth(1, "User", "internal", &other)],
        &[reference(1, "User", "resolved", ours)],
    );
    assert_eq!(score.recall(), Some(0.0));
}

#[test]
fn our_class_is_the_oracles_constructor_by_name() {
    let ours = target("b.py", 3, "User", "class");
    let theirs = target("b.py", 7, "User.__init__", "method");
    let score = score_rows(
        &[truth(1, "User", "internal", &theirs)],
        &[reference(1, "User", "resolved", &ours)],
    );
    assert_eq!(score.recall(), Some(1.0));
}

#[test]
fn sites_without_a_static_target_are_counted_apart() {
    let f = target("b.py", 3, "f", "function");
    let score = score_rows(
        &[truth(1, "f", "variable", ""), truth(2, "f", "unresolved", "")],
        &[reference(1, "f", "resolved", &f), reference(2, "f", "resolved", &f)],
    );
    assert_eq!((score.n_unjudged, score.n_judged, score.n_sites), (2, 0, 2));
}

#[test]
fn targets_of_other_outcomes_do_not_count() {
    let f = target("b.py", 3, "f", "function");
    let score = score_rows(&[truth(1, "f", "internal", &f)], &[reference(1, "f", "budget", &f)]);
    assert_eq!((score.precision(), score.recall()), (None, Some(0.0)));
}

#[test]
fn a_site_that_we_do_not_export_is_missed_and_said_so() {
    let f = target("b.py", 3, "f", "function");
    let score = score_rows(&[truth(1, "f", "internal", &f)], &[]);
    assert_eq!((score.n_sites_we_lack, score.recall()), (1, Some(0.0)));
    assert!(score.shown[0].contains("no site"));
}

#[test]
fn sites_of_one_name_on_one_line_are_paired_by_column() {
    let (f, g) = (target("b.py", 3, "f", "function"), target("b.py", 9, "f", "function"));
    let at = |row: String, from: &str, col: u32| row.replace(from, &format!(r#""col":{col}"#));
    let score = score_rows(
        &[
            at(truth(1, "x.f", "internal", &g), r#""col":4"#, 20),
            truth(1, "y.f", "internal", &f),
        ],
        &[
            reference(1, "y.f", "resolved", &f),
            at(reference(1, "x.f", "resolved", &g), r#""col":5"#, 21),
        ],
    );
    assert_eq!((score.precision(), score.recall()), (Some(1.0), Some(1.0)));
}

#[test]
fn files_that_truth_does_not_cover_are_left_out() {
    let f = target("b.py", 3, "f", "function");
    let elsewhere = reference(1, "f", "resolved", &f).replace("a.py", "other.py");
    let score = score_rows(&[truth(1, "f", "internal", &f)], &[elsewhere]);
    assert_eq!(score.n_sites_we_lack, 1);
}

#[test]
fn the_lower_bound_falls_with_the_number_of_sites() {
    assert!(wilson_low(9.0, 10) < wilson_low(90.0, 100));
    let low = wilson_low(95.0, 100).expect("something was counted");
    assert!((low - 0.8882).abs() < 5e-5, "{low}");
    assert_eq!(wilson_low(0.0, 0), None);
}

#[test]
fn scores_of_repositories_add_up() {
    let f = target("b.py", 3, "f", "function");
    let mut sum = score_rows(&[truth(1, "f", "internal", &f)], &[reference(1, "f", "resolved", &f)]);
    sum.add(&score_rows(&[truth(1, "f", "internal", &f)], &[]));
    assert_eq!(
        (sum.recall(), sum.n_internal, sum.by_form["call"].total),
        (Some(0.5), 2, 2)
    );
}
