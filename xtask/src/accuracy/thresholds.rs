//! The figures that must not be missed: `eval/thresholds.toml` against scores.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::counts::{Counts, by_language};
use super::report::{Entry, MIN_INTERNAL, pooled, share};
use super::score::{Score, Tally};

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Threshold {
    precision: f64,
    recall: f64,
    /// Recall of calls on a receiver.
    receiver: Option<f64>,
}

/// Group of edges → what every repository must reach; a language or a repository may have figures of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Thresholds {
    groups: BTreeMap<String, Threshold>,
    /// Outcome (`external`, `builtin`) → how often it must be right.
    #[serde(default)]
    outcomes: BTreeMap<String, f64>,
    #[serde(default)]
    languages: BTreeMap<String, BTreeMap<String, Threshold>>,
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
            if let Some(threshold) = self.of(&entry.repository, language, group) {
                compare(&entry.repository, group, threshold, &entry.score, &mut failures);
            }
        }
        for (language, group) in pooled_groups {
            if let (Some(threshold), Some(score)) = (self.of("", language, group), sums.get(&(language, group))) {
                compare(&format!("all {language}"), group, threshold, score, &mut failures);
            }
        }
        failures
    }

    /// The same for receivers and for answers that lead outside. What was counted too rarely in a repository is judged
    /// for its whole language.
    pub(super) fn failures_of_counts(&self, counts: &BTreeMap<String, Counts>) -> Vec<String> {
        let mut failures = Vec::new();
        let mut judge = |name: &str, figure: &str, tally: Tally, least: f64| {
            if tally.share().is_some_and(|value| value < least) {
                failures.push(format!(
                    "{name}: {figure} is {}, at least {least} is demanded",
                    share(tally.share())
                ));
            }
        };
        let languages = by_language(counts);
        let mut small = BTreeSet::new();
        for (name, it) in counts {
            let least = self
                .of(name, &it.language, "calls")
                .and_then(|threshold| threshold.receiver);
            if let Some(least) = least {
                if it.receivers.total < MIN_INTERNAL {
                    small.insert((it.language.clone(), "receivers".to_owned()));
                } else {
                    judge(name, "recall of receiver calls", it.receivers, least);
                }
            }
            for (outcome, least) in &self.outcomes {
                let tally = it.outcome(outcome);
                if tally.total < MIN_INTERNAL {
                    small.insert((it.language.clone(), outcome.clone()));
                } else {
                    judge(name, &format!("precision of {outcome} answers"), tally, *least);
                }
            }
        }
        for (language, what) in small {
            let (Some(sum), name) = (languages.get(&language), format!("all {language}")) else {
                continue;
            };
            if let Some(least) = self.outcomes.get(&what) {
                judge(
                    &name,
                    &format!("precision of {what} answers"),
                    sum.outcome(&what),
                    *least,
                );
            } else if let Some(least) = self.of("", &language, "calls").and_then(|it| it.receiver) {
                judge(&name, "recall of receiver calls", sum.receivers, least);
            }
        }
        failures
    }

    fn of(&self, repository: &str, language: &str, group: &str) -> Option<Threshold> {
        let of_repository = self.repositories.get(repository).and_then(|groups| groups.get(group));
        let of_language = || self.languages.get(language).and_then(|groups| groups.get(group));
        of_repository
            .or_else(of_language)
            .or_else(|| self.groups.get(group))
            .copied()
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

    #[test]
    fn languages_have_figures_of_their_own() {
        let text = format!("{TEXT}[languages.go.calls]\nprecision = 0.5\nrecall = 0.5\n");
        let thresholds = read(&text).expect("valid thresholds");
        assert!(thresholds.failures(&[entry("a", 100, 60)]).is_empty());
        assert_eq!(thresholds.failures(&[entry("a", 100, 40)]).len(), 1);
    }

    #[test]
    fn receivers_and_answers_that_lead_outside_are_judged() {
        let text = "[groups.calls]\nprecision = 0.9\nrecall = 0.8\nreceiver = 0.9\n[outcomes]\nexternal = 0.97\n";
        let counts = |found: f64, total: usize, n_wrong: usize| Counts {
            language: "go".to_owned(),
            receivers: Tally { right: found, total },
            confusion: BTreeMap::from([
                (("external".to_owned(), "external".to_owned()), 90),
                (("external".to_owned(), "internal".to_owned()), n_wrong),
            ]),
            ..Counts::default()
        };
        let failures = |all: &[(&str, Counts)]| {
            let all = all.iter().map(|(name, it)| ((*name).to_owned(), it.clone())).collect();
            read(text).expect("valid thresholds").failures_of_counts(&all)
        };
        assert!(failures(&[("a", counts(90.0, 100, 2))]).is_empty());
        assert_eq!(
            failures(&[("a", counts(80.0, 100, 10))]),
            [
                "a: recall of receiver calls is 0.8000, at least 0.9 is demanded",
                "a: precision of external answers is 0.9000, at least 0.97 is demanded",
            ]
        );
        assert_eq!(
            failures(&[("a", counts(1.0, 10, 0))]),
            ["all go: recall of receiver calls is 0.1000, at least 0.9 is demanded"]
        );
    }
}
