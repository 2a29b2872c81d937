//! Prints scores: a table for people, JSON lines for programs.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::counts::{Counts, OURS, THEIRS, by_language};
use super::score::{Score, Tally, wilson_low};
use crate::table;

/// The score of one repository in one group of edges.
pub(super) struct Entry {
    pub(super) repository: String,
    pub(super) language: String,
    pub(super) group: String,
    pub(super) score: Score,
}

/// A group with fewer internal sites than this says little about one repository and is pooled by language.
pub(super) const MIN_INTERNAL: usize = 30;

pub(super) fn print(entries: &[Entry], by: &[String], as_json: bool) {
    if as_json {
        for entry in entries {
            println!("{}", to_json(entry, by));
        }
        return;
    }
    let rows: Vec<Vec<String>> = entries
        .iter()
        .map(|entry| row(vec![entry.repository.clone(), entry.group.clone()], &entry.score))
        .collect();
    let mut heading = vec!["repository", "edges"];
    heading.extend(FIGURES);
    print!("{}", table::render(&heading, &rows));
    for entry in entries {
        for key in by {
            let tallies = if key == "how" {
                &entry.score.by_how
            } else {
                &entry.score.by_form
            };
            println!("\n{} {} by {key}", entry.repository, entry.group);
            print!(
                "{}",
                table::render(&[key, "right", "of", "share"], &tally_rows(tallies))
            );
        }
        if !entry.score.shown.is_empty() {
            println!("\n{} {}", entry.repository, entry.group);
        }
        for line in &entry.score.shown {
            println!("  {line}");
        }
    }
}

/// Prints each group once more over all repositories of a language.
pub(super) fn print_pooled(entries: &[Entry]) {
    let rows: Vec<Vec<String>> = pooled(entries)
        .into_iter()
        .map(|((language, group), score)| row(vec![language.to_owned(), group.to_owned()], &score))
        .collect();
    let mut heading = vec!["\nall of one language", "edges"];
    heading.extend(FIGURES);
    print!("{}", table::render(&heading, &rows));
}

/// Prints what the counts say besides: hows, receivers, and what becomes of sites that lead out of the repository.
pub(super) fn print_counts(counts: &BTreeMap<String, Counts>) {
    let tally = |mut cells: Vec<String>, tally: Tally| {
        cells.extend([
            share(tally.share()),
            share(wilson_low(tally.right, tally.total)),
            tally.total.to_string(),
        ]);
        cells
    };
    let languages = by_language(counts);
    let rows: Vec<Vec<String>> = languages
        .iter()
        .flat_map(|(language, it)| it.hows.iter().map(move |(how, tally)| (language, how, *tally)))
        .map(|(language, how, of)| tally(vec![language.clone(), how.clone()], of))
        .collect();
    print!(
        "\n{}",
        table::render(&["language", "how", "precision", "(low)", "judged"], &rows)
    );
    let rows: Vec<Vec<String>> = counts
        .iter()
        .map(|(name, it)| tally(vec![name.clone()], it.receivers))
        .collect();
    print!(
        "\n{}",
        table::render(&["receiver calls", "recall", "(low)", "internal"], &rows)
    );
    let rows: Vec<Vec<String>> = counts
        .iter()
        .flat_map(|(name, it)| ["external", "builtin"].map(|outcome| (name, outcome, it.outcome(outcome))))
        .map(|(name, outcome, of)| tally(vec![name.clone(), outcome.to_owned()], of))
        .collect();
    print!(
        "\n{}",
        table::render(&["repository", "answer", "right", "(low)", "judged"], &rows)
    );
    let mut rows = Vec::new();
    for (language, it) in &languages {
        for ours in OURS {
            let mut row = vec![language.clone(), ours.to_owned()];
            row.extend(THEIRS.map(|theirs| {
                let key = (ours.to_owned(), theirs.to_owned());
                it.confusion.get(&key).copied().unwrap_or_default().to_string()
            }));
            rows.push(row);
        }
    }
    let mut heading = vec!["language", "ours"];
    heading.extend(THEIRS);
    print!("\n{}", table::render(&heading, &rows));
}

/// (language, group) → the sum over its repositories.
pub(super) fn pooled(entries: &[Entry]) -> BTreeMap<(&str, &str), Score> {
    let mut sums: BTreeMap<(&str, &str), Score> = BTreeMap::new();
    for entry in entries {
        sums.entry((&entry.language, &entry.group))
            .or_default()
            .add(&entry.score);
    }
    sums
}

const FIGURES: [&str; 10] = [
    "sites",
    "internal",
    "precision",
    "(low)",
    "recall",
    "(low)",
    "external",
    "judged",
    "unjudged",
    "no site",
];

fn row(mut cells: Vec<String>, score: &Score) -> Vec<String> {
    cells.extend([
        score.n_sites.to_string(),
        score.n_internal.to_string(),
        share(score.precision()),
        share(score.precision_low()),
        share(score.recall()),
        share(score.recall_low()),
        share(score.external_precision()),
        score.n_judged.to_string(),
        score.n_unjudged.to_string(),
        score.n_sites_we_lack.to_string(),
    ]);
    cells
}

/// A share with four digits, or `n/a` where nothing was counted.
pub(super) fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.4}"))
}

/// The most frequent first.
fn tally_rows(tallies: &BTreeMap<String, Tally>) -> Vec<Vec<String>> {
    let mut sorted: Vec<(&String, &Tally)> = tallies.iter().collect();
    sorted.sort_by(|left, right| right.1.total.cmp(&left.1.total).then(left.0.cmp(right.0)));
    sorted
        .into_iter()
        .map(|(key, tally)| {
            let name = if key.is_empty() { "(none)" } else { key };
            vec![
                name.to_owned(),
                format!("{:.1}", tally.right),
                tally.total.to_string(),
                share(share_of(tally)),
            ]
        })
        .collect()
}

fn share_of(tally: &Tally) -> Option<f64> {
    (tally.total > 0).then(|| tally.right / tally.total as f64)
}

fn to_json(entry: &Entry, by: &[String]) -> Value {
    let score = &entry.score;
    let mut object = json!({
        "repository": entry.repository,
        "edges": entry.group,
        "sites": score.n_sites,
        "internal": score.n_internal,
        "external": score.n_external,
        "precision": rounded(score.precision()),
        "precision_low": rounded(score.precision_low()),
        "recall": rounded(score.recall()),
        "recall_low": rounded(score.recall_low()),
        "external_precision": rounded(score.external_precision()),
        "judged": score.n_judged,
        "unjudged": score.n_unjudged,
        "sites_we_lack": score.n_sites_we_lack,
        "targets_per_answer": rounded(score.targets_per_answer()),
    });
    for key in by {
        let tallies = if key == "how" { &score.by_how } else { &score.by_form };
        let parts: BTreeMap<&String, Value> = tallies
            .iter()
            .map(|(name, tally)| (name, json!([tally.right, tally.total])))
            .collect();
        object[key.as_str()] = json!(parts);
    }
    object
}

/// Four digits, as in the table.
fn rounded(value: Option<f64>) -> Option<f64> {
    value.map(|value| (value * 1e4).round() / 1e4)
}
