//! Pairs truth with exported references and counts.
//!
//! A site is a file, a line and the last part of the callee's name; several such on one line are paired in the
//! order of their columns. Only the positions of names are compared, never qualified names. A site whose truth is
//! `internal` counts for recall; one that is `internal` or `external` counts for precision once we name a target
//! in the repository; `variable` and `unresolved` sites are nobody's fault and are counted apart.
//!
//! Naming every candidate is no answer: a site with several targets earns the share of them that is right, and is
//! found only if all are right or all are overloads of one name in one place.

use std::collections::{BTreeMap, BTreeSet};

use super::rows::{Reference, Status, Target, Truth, last_part};

/// Groups of edges that are scored as one, with the figure's name.
pub(super) const EDGE_GROUPS: [(&str, &str); 3] = [
    ("calls", "call,construct"),
    ("imports", "import"),
    ("inheritance", "inherits,implements"),
];

const CONSTRUCTORS: [&str; 7] = [
    "<init>",
    "__init__",
    "__new__",
    "constructor",
    "initialize",
    "__construct",
    "new",
];
const TYPE_KINDS: [&str; 5] = ["class", "struct", "record", "enum", "interface"];

/// Which rows to score, and how many misses and wrong answers to keep for reading.
pub(super) struct Selection<'a> {
    pub(super) kinds: &'a [String],
    pub(super) prefix: &'a str,
    pub(super) n_shown: usize,
}

/// Right answers out of judged ones, or found sites out of all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) right: f64,
    pub(super) total: usize,
}

impl Tally {
    /// Adds what was counted elsewhere.
    pub(super) fn add(&mut self, other: Self) {
        self.right += other.right;
        self.total += other.total;
    }

    /// Right of all, if anything was counted.
    pub(super) fn share(self) -> Option<f64> {
        rate(self.right, self.total)
    }
}

/// The counts of one repository and group; scores of several repositories can be added.
#[derive(Clone, Debug, Default)]
pub(super) struct Score {
    pub(super) n_sites: usize,
    pub(super) n_internal: usize,
    pub(super) n_external: usize,
    pub(super) n_found: usize,
    pub(super) right: f64,
    pub(super) n_judged: usize,
    pub(super) n_unjudged: usize,
    pub(super) n_sites_we_lack: usize,
    pub(super) n_targets: usize,
    pub(super) n_answered: usize,
    pub(super) n_external_right: usize,
    pub(super) n_called_external_wrongly: usize,
    pub(super) by_how: BTreeMap<String, Tally>,
    pub(super) by_form: BTreeMap<String, Tally>,
    pub(super) shown: Vec<String>,
}

impl Score {
    pub(super) fn precision(&self) -> Option<f64> {
        rate(self.right, self.n_judged)
    }

    pub(super) fn precision_low(&self) -> Option<f64> {
        wilson_low(self.right, self.n_judged)
    }

    pub(super) fn recall(&self) -> Option<f64> {
        rate(count(self.n_found), self.n_internal)
    }

    pub(super) fn recall_low(&self) -> Option<f64> {
        wilson_low(count(self.n_found), self.n_internal)
    }

    /// How often a site that we place outside the repository really leads there.
    pub(super) fn external_precision(&self) -> Option<f64> {
        rate(
            count(self.n_external_right),
            self.n_external_right + self.n_called_external_wrongly,
        )
    }

    pub(super) fn targets_per_answer(&self) -> Option<f64> {
        rate(count(self.n_targets), self.n_answered)
    }

    /// Adds the counts of another repository; its shown sites stay behind.
    pub(super) fn add(&mut self, other: &Score) {
        self.n_sites += other.n_sites;
        self.n_internal += other.n_internal;
        self.n_external += other.n_external;
        self.n_found += other.n_found;
        self.right += other.right;
        self.n_judged += other.n_judged;
        self.n_unjudged += other.n_unjudged;
        self.n_sites_we_lack += other.n_sites_we_lack;
        self.n_targets += other.n_targets;
        self.n_answered += other.n_answered;
        self.n_external_right += other.n_external_right;
        self.n_called_external_wrongly += other.n_called_external_wrongly;
        for (mine, theirs) in [(&mut self.by_how, &other.by_how), (&mut self.by_form, &other.by_form)] {
            for (key, tally) in theirs {
                let sum = mine.entry(key.clone()).or_default();
                sum.right += tally.right;
                sum.total += tally.total;
            }
        }
    }
}

/// Counts of sites stay far below the 2^52 that a float holds exactly.
fn count(n: usize) -> f64 {
    n as f64
}

fn rate(part: f64, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part / count(whole))
}

/// Lower end of Wilson's interval at 95 %: what a share is at least, given how few were counted.
pub(super) fn wilson_low(part: f64, whole: usize) -> Option<f64> {
    const Z: f64 = 1.96;
    let n = count(whole);
    let p = rate(part, whole)?;
    let denominator = 1.0 + Z * Z / n;
    let centre = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    Some((centre - half) / denominator)
}

type Site<'a> = (&'a str, u32, &'a str);

/// A site of truth with the reference that answers it, if there is one.
pub(super) struct Pair<'a> {
    pub(super) truth: &'a Truth,
    pub(super) reference: Option<&'a Reference>,
}

impl<'a> Pair<'a> {
    /// Targets that we stand by; other outcomes name none.
    pub(super) fn targets(&self) -> &'a [Target] {
        match self.reference {
            Some(reference) if matches!(reference.outcome.as_str(), "resolved" | "ambiguous") => &reference.targets,
            _ => &[],
        }
    }
}

/// Pairs every selected site of truth with an exported reference.
pub(super) fn pairs<'a>(truth: &'a [Truth], references: &'a [Reference], selection: &Selection<'_>) -> Vec<Pair<'a>> {
    let covered: BTreeSet<&str> = truth.iter().map(|row| row.file.as_str()).collect();
    let is_wanted = |edge: &str, with_calls: bool| {
        selection
            .kinds
            .iter()
            .any(|kind| kind == edge || (with_calls && kind == "construct" && edge == "call"))
    };
    // Sites keep the order of their first row, so that shares are summed, and sites shown, in the order of truth.
    let mut sites: BTreeMap<Site<'a>, Vec<&'a Truth>> = BTreeMap::new();
    let mut order: Vec<Site<'a>> = Vec::new();
    for row in truth {
        if is_wanted(&row.edge, false) && row.file.starts_with(selection.prefix) {
            let site = (row.file.as_str(), row.line, last_part(&row.callee_text));
            let rows = sites.entry(site).or_default();
            if rows.is_empty() {
                order.push(site);
            }
            rows.push(row);
        }
    }
    let mut ours: BTreeMap<Site<'a>, Vec<&'a Reference>> = BTreeMap::new();
    for row in references {
        if is_wanted(&row.edge, true) && covered.contains(row.file.as_str()) && row.file.starts_with(selection.prefix) {
            ours.entry((&row.file, row.line, last_part(&row.callee_text)))
                .or_default()
                .push(row);
        }
    }
    let mut pairs = Vec::new();
    for site in order {
        let mut theirs = sites.remove(&site).unwrap_or_default();
        theirs.sort_by_key(|row| row.col);
        let mut mine = ours.remove(&site).unwrap_or_default();
        mine.sort_by_key(|row| row.col);
        for (index, truth) in theirs.into_iter().enumerate() {
            // With fewer of ours than of theirs the last one answers the rest.
            let reference = mine.get(index).or(mine.last()).copied();
            pairs.push(Pair { truth, reference });
        }
    }
    pairs
}

/// How many of the targets that we stand by the oracle accepts.
pub(super) struct Share {
    pub(super) n_right: usize,
    pub(super) n_targets: usize,
    /// Whether the site counts as found.
    pub(super) is_found: bool,
}

impl Share {
    /// The share that is right; 0 without targets.
    pub(super) fn right(&self) -> f64 {
        rate(count(self.n_right), self.n_targets).unwrap_or_default()
    }
}

pub(super) fn share_of_targets(pair: &Pair<'_>) -> Share {
    let targets = pair.targets();
    let n_right = targets
        .iter()
        .filter(|target| pair.truth.accepted().any(|accepted| is_same(target, accepted)))
        .count();
    Share {
        n_right,
        n_targets: targets.len(),
        is_found: n_right > 0 && (n_right == targets.len() || is_overload_group(targets)),
    }
}

/// Scores one repository.
pub(super) fn score(truth: &[Truth], references: &[Reference], selection: &Selection<'_>) -> Score {
    let mut score = Score::default();
    let (mut missed, mut wrong) = (Vec::new(), Vec::new());
    for pair in pairs(truth, references, selection) {
        let (row, targets) = (pair.truth, pair.targets());
        let outcome = pair.reference.map_or("", |reference| reference.outcome.as_str());
        let says_external = matches!(outcome, "external" | "builtin");
        let Share { n_right, is_found, .. } = share_of_targets(&pair);

        score.n_sites += 1;
        score.n_sites_we_lack += usize::from(pair.reference.is_none());
        score.n_targets += targets.len();
        score.n_answered += usize::from(!targets.is_empty());
        match row.status {
            Status::Internal => {
                score.n_internal += 1;
                score.n_found += usize::from(is_found);
                score.n_called_external_wrongly += usize::from(says_external);
                let tally = score.by_form.entry(row.form.clone()).or_default();
                tally.total += 1;
                tally.right += f64::from(u8::from(is_found));
                if !is_found && missed.len() < selection.n_shown {
                    missed.push(describe("MISSED", &pair));
                }
            }
            Status::External => {
                score.n_external += 1;
                score.n_external_right += usize::from(says_external);
            }
            Status::Variable | Status::Unresolved => {
                score.n_unjudged += usize::from(!targets.is_empty());
                continue;
            }
        }
        if targets.is_empty() {
            continue;
        }
        let share = count(n_right) / count(targets.len());
        score.n_judged += 1;
        score.right += share;
        let how = pair
            .reference
            .and_then(|reference| reference.how.clone())
            .unwrap_or_else(|| "None".to_owned());
        let tally = score.by_how.entry(how).or_default();
        tally.total += 1;
        tally.right += share;
        if n_right < targets.len() && wrong.len() < selection.n_shown {
            wrong.push(describe("WRONG", &pair));
        }
    }
    score.shown = missed;
    score.shown.extend(wrong);
    score
}

/// Whether our target is the oracle's: the same name's line, where a class and its constructor count as one.
fn is_same(ours: &Target, theirs: &Target) -> bool {
    if ours.file != theirs.file {
        return false;
    }
    if ours.line == theirs.line {
        return true;
    }
    let our_kind = ours.kind.as_deref().unwrap_or("").to_lowercase();
    if (our_kind == "constructor" || is_constructor(ours)) && ours.owner_line == Some(theirs.line) {
        return true;
    }
    if is_constructor(theirs) && TYPE_KINDS.contains(&our_kind.as_str()) {
        let name = theirs.name.as_deref().unwrap_or("").replace("::", ".");
        let mut parts = name.rsplit('.').skip(1);
        return parts
            .next()
            .is_some_and(|owner| owner == last_part(ours.name.as_deref().unwrap_or("")));
    }
    false
}

fn is_constructor(target: &Target) -> bool {
    CONSTRUCTORS.contains(&last_part(target.name.as_deref().unwrap_or("")))
}

/// Whether all targets bear one name in one file and type.
fn is_overload_group(targets: &[Target]) -> bool {
    let key = |target: &Target| {
        (
            target.file.clone(),
            last_part(target.name.as_deref().unwrap_or("")).to_owned(),
            target.owner_line,
        )
    };
    targets.windows(2).all(|pair| key(&pair[0]) == key(&pair[1]))
}

fn describe(label: &str, pair: &Pair<'_>) -> String {
    let row = pair.truth;
    let places = |targets: &[Target]| {
        let shown: Vec<String> = targets
            .iter()
            .take(3)
            .map(|target| {
                format!(
                    "{}:{} {}",
                    target.file,
                    target.line,
                    target.name.as_deref().unwrap_or("")
                )
            })
            .collect();
        if shown.is_empty() {
            "-".to_owned()
        } else {
            shown.join(", ")
        }
    };
    let (outcome, how) = match pair.reference {
        Some(reference) => (reference.outcome.as_str(), reference.how.as_deref().unwrap_or("-")),
        None => ("no site", "-"),
    };
    format!(
        "{label} {}:{}:{} {} [{}]: {outcome} by {how}; ours {}; truth {:?} {}",
        row.file,
        row.line,
        row.col + 1,
        row.callee_text,
        row.form,
        places(pair.targets()),
        row.status,
        places(&row.targets)
    )
}

#[cfg(test)]
mod tests;
