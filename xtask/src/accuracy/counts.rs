//! The counts of one repository, as they are recorded in `eval/measured`.
//!
//! A record holds numbers only: no name, path or line of the sources that were judged. Everything that is published,
//! the tables of the book and the confidence of every edge, follows from records by arithmetic.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::rows::{Reference, Status, Truth};
use super::score::{EDGE_GROUPS, Score, Selection, Tally, pairs, score, share_of_targets};

/// Hows by which a name is looked up; where one of them answers `x.f()`, `x` is a module and no value with a type.
const HOWS_OF_NAMES: [&str; 7] = [
    "namespace-member",
    "module-scope",
    "import",
    "import-alias",
    "reexport",
    "star-import",
    "lexical",
];

/// What we say of a site, as rows of the confusion matrix.
pub(super) const OURS: [&str; 5] = ["in-repo", "external", "builtin", "unknown", "no-site"];
/// What the oracle says, as its columns.
pub(super) const THEIRS: [&str; 4] = ["internal", "external", "variable", "unresolved"];

const HEADING: &str = "# Counts of one repository, written by `cargo xtask accuracy --record`.\n";

/// Counts of a group of edges.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Group {
    pub(super) sites: f64,
    pub(super) internal: f64,
    pub(super) found: f64,
    pub(super) judged: f64,
    pub(super) right: f64,
}

/// All counts of a repository.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Counts {
    pub(super) language: String,
    pub(super) groups: BTreeMap<String, Group>,
    /// Calls on a receiver: found of internal ones.
    pub(super) receivers: Tally,
    /// (ours, theirs) → sites of every group.
    pub(super) confusion: BTreeMap<(String, String), usize>,
    /// How → right of judged, over every group.
    pub(super) hows: BTreeMap<String, Tally>,
}

impl Counts {
    /// Counts what the pairs of truth and export say.
    pub(super) fn of(truth: &[Truth], references: &[Reference]) -> Self {
        let mut counts = Self {
            language: truth.first().map_or_else(String::new, |row| row.lang.clone()),
            ..Self::default()
        };
        for (name, kinds) in EDGE_GROUPS {
            let kinds: Vec<String> = kinds.split(',').map(str::to_owned).collect();
            let selection = Selection {
                kinds: &kinds,
                prefix: "",
                n_shown: 0,
            };
            let total = score(truth, references, &selection);
            counts.groups.insert(name.to_owned(), Group::of(&total));
            for pair in pairs(truth, references, &selection) {
                let key = (ours(pair.reference).to_owned(), theirs(pair.truth.status).to_owned());
                *counts.confusion.entry(key).or_default() += 1;
                let share = share_of_targets(&pair);
                if name == "calls"
                    && pair.truth.status == Status::Internal
                    && is_receiver_call(pair.truth, pair.reference)
                {
                    counts.receivers.total += 1;
                    counts.receivers.right += f64::from(u8::from(share.is_found));
                }
                let is_judged = matches!(pair.truth.status, Status::Internal | Status::External);
                if let (true, Some(reference)) = (is_judged && share.n_targets > 0, pair.reference) {
                    let tally = counts
                        .hows
                        .entry(reference.how.clone().unwrap_or_default())
                        .or_default();
                    tally.total += 1;
                    // An ambiguous answer shares its confidence among its targets: it is right if one of them is.
                    tally.right += if reference.outcome == "ambiguous" {
                        f64::from(u8::from(share.n_right > 0))
                    } else {
                        share.right()
                    };
                }
            }
        }
        counts
    }

    /// How often a site of which we say `outcome` leads out of the repository, of those that the oracle knows.
    pub(super) fn outcome(&self, outcome: &str) -> Tally {
        let cell = |theirs: &str| {
            let key = (outcome.to_owned(), theirs.to_owned());
            self.confusion.get(&key).copied().unwrap_or_default()
        };
        let (right, wrong) = (cell("external"), cell("internal"));
        Tally {
            right: right as f64,
            total: right + wrong,
        }
    }

    /// Adds the counts of another repository of the language.
    pub(super) fn add(&mut self, other: &Self) {
        for (name, group) in &other.groups {
            let sum = self.groups.entry(name.clone()).or_default();
            sum.sites += group.sites;
            sum.internal += group.internal;
            sum.found += group.found;
            sum.judged += group.judged;
            sum.right += group.right;
        }
        self.receivers.add(other.receivers);
        for (key, n) in &other.confusion {
            *self.confusion.entry(key.clone()).or_default() += n;
        }
        for (how, tally) in &other.hows {
            self.hows.entry(how.clone()).or_default().add(*tally);
        }
    }

    /// The record: a line a number, in a fixed order.
    pub(super) fn to_tsv(&self) -> String {
        let mut out = String::from(HEADING);
        let mut line = |cells: [&str; 3], number: String| {
            out.push_str(&cells.join("\t"));
            out.push('\t');
            out.push_str(&number);
            out.push('\n');
        };
        line(["language", &self.language, "-"], "1".to_owned());
        for (name, group) in &self.groups {
            for (column, number) in group.columns() {
                line(["group", name, column], plain(number));
            }
        }
        line(["receivers", "calls", "found"], plain(self.receivers.right));
        line(["receivers", "calls", "internal"], self.receivers.total.to_string());
        for ((ours, theirs), n) in &self.confusion {
            line(["confusion", ours, theirs], n.to_string());
        }
        for (how, tally) in &self.hows {
            line(["how", how, "right"], plain(tally.right));
            line(["how", how, "judged"], tally.total.to_string());
        }
        out
    }

    pub(super) fn from_tsv(text: &str) -> Result<Self> {
        let mut counts = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [table, row, column, number] = cells.as_slice() else {
                bail!("not four cells: {line:?}");
            };
            let value: f64 = number.parse().with_context(|| format!("no number: {line:?}"))?;
            let whole = value as usize;
            match (*table, *column) {
                ("language", _) => (*row).clone_into(&mut counts.language),
                ("group", column) => {
                    let group = counts.groups.entry((*row).to_owned()).or_default();
                    match column {
                        "sites" => group.sites = value,
                        "internal" => group.internal = value,
                        "found" => group.found = value,
                        "judged" => group.judged = value,
                        "right" => group.right = value,
                        _ => bail!("no such column: {line:?}"),
                    }
                }
                ("receivers", "found") => counts.receivers.right = value,
                ("receivers", "internal") => counts.receivers.total = whole,
                ("confusion", column) => {
                    counts.confusion.insert(((*row).to_owned(), column.to_owned()), whole);
                }
                ("how", "right") => counts.hows.entry((*row).to_owned()).or_default().right = value,
                ("how", "judged") => counts.hows.entry((*row).to_owned()).or_default().total = whole,
                _ => bail!("not understood: {line:?}"),
            }
        }
        Ok(counts)
    }
}

impl Group {
    fn of(score: &Score) -> Self {
        Self {
            sites: score.n_sites as f64,
            internal: score.n_internal as f64,
            found: score.n_found as f64,
            judged: score.n_judged as f64,
            right: score.right,
        }
    }

    const fn columns(self) -> [(&'static str, f64); 5] {
        [
            ("sites", self.sites),
            ("internal", self.internal),
            ("found", self.found),
            ("judged", self.judged),
            ("right", self.right),
        ]
    }
}

/// A number with at most three digits after the point, and none that say nothing.
fn plain(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn ours(reference: Option<&Reference>) -> &'static str {
    match reference.map(|it| it.outcome.as_str()) {
        None => "no-site",
        Some("resolved" | "ambiguous") => "in-repo",
        Some("external") => "external",
        Some("builtin") => "builtin",
        Some(_) => "unknown",
    }
}

const fn theirs(status: Status) -> &'static str {
    match status {
        Status::Internal => "internal",
        Status::External => "external",
        Status::Variable => "variable",
        Status::Unresolved => "unresolved",
    }
}

/// Whether a call stands on a receiver whose type decides what is called. Where we have an answer its how tells modules
/// from values, elsewhere the receiver's syntax.
fn is_receiver_call(truth: &Truth, reference: Option<&Reference>) -> bool {
    if !truth.form.contains("attr") {
        return false;
    }
    let Some(reference) = reference else { return true };
    match reference.how.as_deref() {
        Some(how) if !reference.targets.is_empty() => !HOWS_OF_NAMES.contains(&how),
        _ => reference.receiver.as_deref() != Some("module"),
    }
}

/// The records of a folder by the name of their repository.
pub(crate) fn read_all(folder: &Path) -> Result<BTreeMap<String, Counts>> {
    let mut all = BTreeMap::new();
    if !folder.is_dir() {
        return Ok(all);
    }
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let Some(name) = path
            .file_name()
            .and_then(|it| it.to_str())
            .and_then(|it| it.strip_suffix(".tsv"))
        else {
            continue;
        };
        let text = std::fs::read_to_string(&path)?;
        let counts = Counts::from_tsv(&text).with_context(|| format!("cannot read {}", path.display()))?;
        all.insert(name.to_owned(), counts);
    }
    Ok(all)
}

/// The sum over the repositories of each language.
pub(super) fn by_language(all: &BTreeMap<String, Counts>) -> BTreeMap<String, Counts> {
    let mut sums: BTreeMap<String, Counts> = BTreeMap::new();
    for counts in all.values() {
        sums.entry(counts.language.clone()).or_default().add(counts);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::super::rows::parse_lines;
    use super::*;

    fn counts(truth: &[(&str, &str, &str)], references: &[(&str, &str, &str)]) -> Counts {
        let place = r#"{"file":"b.py","line":9,"name":"f"}"#;
        let truth: Vec<String> = truth
            .iter()
            .enumerate()
            .map(|(line, (form, status, callee))| {
                let targets = if *status == "internal" { place } else { "" };
                format!(
                    r#"{{"lang":"python","edge":"call","file":"a.py","line":{line},"callee_text":"{callee}","form":"{form}","status":"{status}","targets":[{targets}]}}"#
                )
            })
            .collect();
        let references: Vec<String> = references
            .iter()
            .enumerate()
            .map(|(line, (outcome, how, receiver))| {
                let target = if *outcome == "resolved" { place } else { "" };
                format!(
                    r#"{{"edge":"call","file":"a.py","line":{line},"callee_text":"f","outcome":"{outcome}","how":"{how}","receiver":"{receiver}","targets":[{target}]}}"#
                )
            })
            .collect();
        Counts::of(
            &parse_lines(truth.join("\n").as_bytes()).expect("valid truth"),
            &parse_lines(references.join("\n").as_bytes()).expect("valid references"),
        )
    }

    #[test]
    fn calls_of_modules_are_no_receiver_calls() {
        let found = counts(
            &[
                ("attr", "internal", "x.f"),
                ("attr", "internal", "x.f"),
                ("attr", "internal", "m.f"),
                ("attr", "internal", "m.f"),
                ("name", "internal", "f"),
            ],
            &[
                ("resolved", "hint-param", "parameter"),
                ("unknown_receiver", "", "variable"),
                ("resolved", "namespace-member", "module"),
                ("unknown_receiver", "", "module"),
                ("resolved", "lexical", ""),
            ],
        );
        assert_eq!(found.receivers, Tally { right: 1.0, total: 2 });
    }

    #[test]
    fn outside_is_right_only_where_the_oracle_says_so() {
        let found = counts(
            &[
                ("name", "external", "f"),
                ("name", "internal", "f"),
                ("name", "variable", "f"),
                ("name", "external", "f"),
            ],
            &[
                ("external", "", ""),
                ("external", "", ""),
                ("external", "", ""),
                ("builtin", "", ""),
            ],
        );
        assert_eq!(found.outcome("external"), Tally { right: 1.0, total: 2 });
        assert_eq!(found.outcome("builtin"), Tally { right: 1.0, total: 1 });
    }

    #[test]
    fn a_record_can_be_read_back() {
        let found = counts(
            &[("attr", "internal", "x.f"), ("name", "external", "f")],
            &[("resolved", "hint-param", "parameter"), ("resolved", "lexical", "")],
        );
        assert_eq!(found.hows["lexical"], Tally { right: 0.0, total: 1 });
        let text = found.to_tsv();
        assert_eq!(Counts::from_tsv(&text).expect("a valid record"), found);
        assert!(text.contains("how\thint-param\tjudged\t1\n"), "{text}");
        assert!(Counts::from_tsv("how\tx\tright\n").is_err());
    }
}
