//! From counts to the confidence of an edge.
//!
//! The confidence of a (language, how) is the lower end of Wilson's interval at 95 % for the share of right answers
//! (E. B. Wilson 1927; recommended for small samples by Brown, Cai and DasGupta 2001). It grows with the share and, for
//! the same share, with the number of judged sites. With fewer than [`LEAST_JUDGED`] sites nothing was measured: then the
//! same how of all languages together stands in, and where that says too little as well, a prior of `eval/priors.toml`.
//! What stands in is never surer than the least that counts as measured: [`LEAST_JUDGED`] sites, all of them right.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::counts::{Counts, by_language};
use super::score::{Tally, wilson_low};

/// With fewer judged sites a share says nothing yet.
pub(super) const LEAST_JUDGED: usize = 30;

/// Where the generated table is.
pub(crate) const TABLE: &str = "crates/index/src/confidence/measured.rs";

/// Confidence of one how in one language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) confidence: f64,
    pub(super) is_measured: bool,
    pub(super) tally: Tally,
}

/// Every how with the prior that holds while nothing is known, in the order of the file.
#[derive(Deserialize)]
pub(super) struct Priors(pub(super) BTreeMap<String, f64>);

pub(super) fn read_priors(root: &Path) -> Result<Priors> {
    let path = root.join("eval/priors.toml");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("cannot read {}", path.display()))
}

/// What a cell without evidence may have at most.
fn ceiling() -> f64 {
    wilson_low(LEAST_JUDGED as f64, LEAST_JUDGED).unwrap_or_default()
}

fn cell(own: Tally, all: Tally, prior: f64) -> Cell {
    let enough = |tally: Tally| {
        (tally.total >= LEAST_JUDGED)
            .then(|| wilson_low(tally.right, tally.total))
            .flatten()
    };
    match enough(own) {
        Some(confidence) => Cell {
            confidence,
            is_measured: true,
            tally: own,
        },
        None => Cell {
            confidence: enough(all).unwrap_or(prior).min(ceiling()),
            is_measured: false,
            tally: own,
        },
    }
}

/// Language → how → cell; the language `""` stands for those of which nothing is recorded.
pub(super) fn cells(
    records: &BTreeMap<String, Counts>,
    priors: &Priors,
) -> Result<BTreeMap<String, BTreeMap<String, Cell>>> {
    let languages = by_language(records);
    let mut everything = Counts::default();
    for counts in languages.values() {
        everything.add(counts);
    }
    if let Some(how) = everything.hows.keys().find(|how| !priors.0.contains_key(*how)) {
        bail!("eval/priors.toml has no line for {how}");
    }
    let of = |counts: &Counts, how: &str| counts.hows.get(how).copied().unwrap_or_default();
    let nothing = Counts::default();
    let rows = languages.iter().map(|(name, counts)| (name.as_str(), counts));
    Ok(rows
        .chain([("", &nothing)])
        .map(|(language, counts)| {
            let cells = priors
                .0
                .iter()
                .map(|(how, prior)| (how.clone(), cell(of(counts, how), of(&everything, how), *prior)));
            (language.to_owned(), cells.collect())
        })
        .collect())
}

/// The generated file.
pub(super) fn table(records: &BTreeMap<String, Counts>, priors: &Priors) -> Result<String> {
    let mut out = String::from(
        "//! Written by `cargo xtask accuracy --record` from the counts in `eval/measured`. Not to be edited.\n\n\
         use super::Row;\n\n\
         /// Language and how, confidence in thousandths, and whether enough sites were judged to measure it. The language\n\
         /// without a name stands for all of which nothing is recorded.\n\
         #[rustfmt::skip]\n\
         pub(super) const ROWS: &[Row] = &[\n",
    );
    for (language, hows) in cells(records, priors)? {
        for (how, cell) in hows {
            let thousandths = (cell.confidence * 1000.0).floor();
            let _ = writeln!(out, "    ({language:?}, {how:?}, {thousandths}, {}),", cell.is_measured);
        }
    }
    out.push_str("];\n");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(right: usize, total: usize) -> Tally {
        Tally {
            right: right as f64,
            total,
        }
    }

    #[test]
    fn more_evidence_for_the_same_share_is_surer() {
        let of = |right, total| cell(tally(right, total), tally(right, total), 0.8).confidence;
        assert!(of(30, 30) < of(60, 60) && of(60, 60) < of(600, 600));
        assert!(of(59, 60) < of(60, 60));
        assert!((of(30, 30) - 0.8865).abs() < 1e-3, "{}", of(30, 30));
    }

    #[test]
    fn what_stands_in_is_marked_and_never_surer_than_a_measurement() {
        let few = cell(tally(29, 29), tally(5000, 5000), 0.8);
        assert!(!few.is_measured && few.confidence <= cell(tally(30, 30), Tally::default(), 0.8).confidence);
        let none = cell(Tally::default(), Tally::default(), 0.7);
        assert!(!none.is_measured && (none.confidence - 0.7).abs() < 1e-9);
        let bad_elsewhere = cell(Tally::default(), tally(50, 100), 0.8);
        assert!(bad_elsewhere.confidence < 0.5);
    }

    #[test]
    fn a_how_without_a_prior_is_named() {
        let counts = Counts {
            language: "go".to_owned(),
            hows: BTreeMap::from([("new-how".to_owned(), tally(1, 1))]),
            ..Counts::default()
        };
        let records = BTreeMap::from([("r".to_owned(), counts)]);
        let error = table(&records, &Priors(BTreeMap::new())).expect_err("no prior");
        assert!(error.to_string().contains("new-how"));
    }

    #[test]
    fn languages_without_records_have_a_row_of_their_own() {
        let priors = Priors(BTreeMap::from([("lexical".to_owned(), 0.8)]));
        let text = table(&BTreeMap::new(), &priors).expect("a table");
        assert!(text.contains("    (\"\", \"lexical\", 800, false),\n"), "{text}");
    }
}
