//! The figures that must not be missed: `eval/thresholds.toml` against scores.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::report::{Entry, MIN_INTERNAL, pooled, share};
use super::score::Score;

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Threshold {
    precision: f64,
    recall: f64,
}

/// Group of edges → what every repository must reach; a repository may have figures of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Thresholds {
    groups: BTreeMap<String, Threshold>,
    #[serde(default)]
    repositories: BTreeMap<String, BTreeMap<String, Threshold>>,
}

pub(super) fn read(text: &str) -> Result<Thresholds> {
    toml::from_str(text).context("cannot read eval/thresholds.toml")
}

impl Thresholds {
    /// One line for each figure that is too low. Small groups are judged once for their whole language.
    pub(super) fn failures(&self, entries: &[Entry]) -> Vec<String> {
        let mut failures = Vec::new();
        let mut pooled_groups = BTreeSet::new();
        let sums = pooled(entries);
        for entry in entries {
            let (language, group) = (entry.language.as_str(), entry.group.as_str());
            if entry.score.n_internal < MIN_INTERNAL {
                pooled_groups.insert((language, group));
                continue;
            }
            if let Some(threshold) = self.of(&entry.repository, group) {
                compare(&entry.repository, group, threshold, &entry.score, &mut failures);
            }
        }
        for (language, group) in pooled_groups {
            if let (Some(threshold), Some(score)) = (self.groups.get(group), sums.get(&(language, group))) {
                compare(&format!("all {language}"), group, *threshold, score, &mut failures);
            }
        }
        failures
    }

    fn of(&self, repository: &str, group: &str) -> Option<Threshold> {
        let own = self.repositories.get(repository).and_then(|groups| groups.get(group));
        own.or_else(|| self.groups.get(group)).copied()
    }
}

fn compare(name: &str, group: &str, threshold: Threshold, score: &Score, failures: &mut Vec<String>) {
    let figures = [
        ("precision", score.precision(), threshold.precision),
        ("recall", score.recall(), threshold.recall),
    ];
    for (figure, value, least) in figures {
        // A repository that has sites but got no answer at all has failed, too.
        let is_low = match value {
            Some(value) => value < least,
            None => score.n_internal > 0,
        };
        if is_low {
            failures.push(format!(
                "{name}: {figure} of {group} is {}, at least {least} is demanded",
                share(value)
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "[groups.calls]\nprecision = 0.9\nrecall = 0.8\n[repositories.weak.calls]\nprecision = 0.5\nrecall = 0.1\n";

    fn entry(repository: &str, n_internal: usize, n_found: usize) -> Entry {
        let right = f64::from(u32::try_from(n_found).expect("a small number"));
        let score = Score {
            n_internal,
            n_found,
            right,
            n_judged: n_found,
            ..Score::default()
        };
        Entry {
            repository: repository.to_owned(),
            language: "go".to_owned(),
            group: "calls".to_owned(),
            score,
        }
    }

    #[track_caller]
    fn check(entries: &[Entry], expected: &[&str]) {
        assert_eq!(read(TEXT).expect("valid thresholds").failures(entries), expected);
    }

    #[test]
    fn a_low_figure_is_named() {
        check(
            &[entry("a", 100, 79)],
            &["a: recall of calls is 0.7900, at least 0.8 is demanded"],
        );
        check(&[entry("a", 100, 80)], &[]);
    }

    #[test]
    fn a_repository_may_have_figures_of_its_own() {
        check(&[entry("weak", 100, 20)], &[]);
    }

    #[test]
    fn small_groups_are_judged_by_language() {
        check(&[entry("a", 10, 0), entry("b", 100, 100)], &[]);
        check(
            &[entry("a", 10, 5), entry("b", 10, 5)],
            &["all go: recall of calls is 0.5000, at least 0.8 is demanded"],
        );
    }

    #[test]
    fn no_answer_is_below_every_threshold() {
        check(
            &[entry("a", 100, 0)],
            &[
                "a: precision of calls is n/a, at least 0.9 is demanded",
                "a: recall of calls is 0.0000, at least 0.8 is demanded",
            ],
        );
    }
}
