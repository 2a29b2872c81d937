//! The tables of the book's page on exactness, made from the records.
//!
//! A table stands between `<!-- name:begin -->` and `<!-- name:end -->`; what is around it is written by hand.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use super::certainty::{Cell, LEAST_JUDGED, Priors, cells};
use super::counts::{Counts, OURS, THEIRS, by_language};
use super::score::{Tally, wilson_low};

/// The page that the tables are in.
pub(crate) const PAGE: &str = "docs/book/src/exactness.md";

/// The page with the tables that the records give.
pub(super) fn render(page: &str, records: &BTreeMap<String, Counts>, priors: &Priors) -> Result<String> {
    let blocks = [
        ("accuracy", accuracy(records)),
        ("receivers", receivers(records)),
        ("confusion", confusion(records)),
        ("outside", outside(records)),
        ("confidence", confidence(&cells(records, priors)?)),
    ];
    let mut page = page.to_owned();
    for (name, body) in blocks {
        page = with_block(&page, name, &body)?;
    }
    Ok(page)
}

/// The text with what stands between the marks of a block replaced.
pub(crate) fn with_block(text: &str, name: &str, body: &str) -> Result<String> {
    let (begin, end) = (format!("<!-- {name}:begin -->\n"), format!("<!-- {name}:end -->"));
    let (before, rest) = text
        .split_once(&begin)
        .with_context(|| format!("no `{}`", begin.trim()))?;
    let (_, after) = rest
        .split_once(&end)
        .with_context(|| format!("no `{end}` after its beginning"))?;
    Ok(format!("{before}{begin}{body}{end}{after}"))
}

fn accuracy(records: &BTreeMap<String, Counts>) -> String {
    let mut rows = Vec::new();
    for (name, counts) in records {
        for (group, it) in counts.groups.iter().filter(|(_, it)| it.internal > 0.0) {
            rows.push(vec![
                name.clone(),
                counts.language.clone(),
                group.clone(),
                format!("{}", it.internal),
                percent(part(it.right, it.judged)),
                percent(wilson_low(it.right, it.judged as usize)),
                percent(part(it.found, it.internal)),
                percent(wilson_low(it.found, it.internal as usize)),
            ]);
        }
    }
    markdown(
        &[
            "repository",
            "language",
            "edges",
            "sites",
            "precision",
            "at least",
            "recall",
            "at least",
        ],
        3,
        &rows,
    )
}

fn receivers(records: &BTreeMap<String, Counts>) -> String {
    let rows: Vec<Vec<String>> = records
        .iter()
        .filter(|(_, counts)| counts.receivers.total > 0)
        .map(|(name, counts)| {
            vec![
                name.clone(),
                counts.language.clone(),
                counts.receivers.total.to_string(),
                percent(counts.receivers.share()),
            ]
        })
        .collect();
    markdown(&["repository", "language", "sites", "recall"], 2, &rows)
}

fn confusion(records: &BTreeMap<String, Counts>) -> String {
    let mut rows = Vec::new();
    for (language, counts) in by_language(records) {
        for ours in OURS {
            let mut row = vec![language.clone(), ours.to_owned()];
            row.extend(THEIRS.map(|theirs| {
                let key = (ours.to_owned(), theirs.to_owned());
                counts.confusion.get(&key).copied().unwrap_or_default().to_string()
            }));
            rows.push(row);
        }
    }
    markdown(
        &[
            "language",
            "Stratigraph says",
            "in the repository",
            "outside",
            "a variable",
            "unknown",
        ],
        2,
        &rows,
    )
}

fn outside(records: &BTreeMap<String, Counts>) -> String {
    let mut rows = Vec::new();
    for (language, counts) in by_language(records) {
        for outcome in ["external", "builtin"] {
            let Tally { right, total } = counts.outcome(outcome);
            rows.push(vec![
                language.clone(),
                outcome.to_owned(),
                total.to_string(),
                percent(counts.outcome(outcome).share()),
                percent(wilson_low(right, total)),
            ]);
        }
    }
    markdown(&["language", "answer", "sites", "right", "at least"], 2, &rows)
}

fn confidence(cells: &BTreeMap<String, BTreeMap<String, Cell>>) -> String {
    let mut rows = Vec::new();
    for (language, hows) in cells.iter().filter(|(language, _)| !language.is_empty()) {
        let judged = |cell: &&Cell| cell.tally.total > 0;
        let mut seen: Vec<(&String, &Cell)> = hows.iter().filter(|(_, cell)| judged(cell)).collect();
        seen.sort_by(|a, b| b.1.tally.total.cmp(&a.1.tally.total).then(a.0.cmp(b.0)));
        for (how, cell) in seen {
            rows.push(vec![
                language.clone(),
                format!("`{how}`"),
                cell.tally.total.to_string(),
                percent(cell.tally.share()),
                percent(wilson_low(cell.tally.right, cell.tally.total)),
                format!("{:.3}", (cell.confidence * 1000.0).floor() / 1000.0),
                if cell.is_measured { "yes" } else { "no" }.to_owned(),
            ]);
        }
    }
    let heading = [
        "language",
        "how",
        "judged",
        "precision",
        "at least",
        "confidence",
        "measured",
    ];
    let mut out = markdown(&heading, 2, &rows);
    out.push_str(&format!(
        "\nFewer than {LEAST_JUDGED} judged sites count as not measured.\n\n"
    ));
    out
}

fn part(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

fn percent(share: Option<f64>) -> String {
    // Rounded down: 100 % is said only where nothing was wrong.
    share.map_or_else(
        || "–".to_owned(),
        |share| format!("{:.1} %", (share * 1000.0 + 1e-9).floor() / 10.0),
    )
}

/// A table whose first columns are text and whose others are numbers.
fn markdown(heading: &[&str], n_text: usize, rows: &[Vec<String>]) -> String {
    let mut out = format!("\n| {} |\n|", heading.join(" | "));
    for column in 0..heading.len() {
        out.push_str(if column < n_text { "---|" } else { "--:|" });
    }
    out.push('\n');
    for row in rows {
        out.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_is_replaced() {
        let text = "a\n<!-- t:begin -->\nold\n<!-- t:end -->\nb\n";
        let new = with_block(text, "t", "new\n").expect("both marks");
        assert_eq!(new, "a\n<!-- t:begin -->\nnew\n<!-- t:end -->\nb\n");
        assert!(with_block(text, "other", "").is_err());
        assert!(with_block("<!-- t:begin -->\n", "t", "").is_err());
    }

    #[test]
    fn a_hundred_percent_is_said_only_where_nothing_was_wrong() {
        assert_eq!(percent(Some(1.0)), "100.0 %");
        assert_eq!(percent(Some(0.9999)), "99.9 %");
        assert_eq!(percent(None), "–");
    }

    #[test]
    fn every_table_is_on_the_page() {
        let page = ["accuracy", "receivers", "confusion", "outside", "confidence"]
            .map(|name| format!("<!-- {name}:begin -->\n<!-- {name}:end -->\n"))
            .concat();
        let counts = Counts {
            language: "python".to_owned(),
            receivers: Tally { right: 1.0, total: 4 },
            hows: BTreeMap::from([("self".to_owned(), Tally { right: 2.0, total: 2 })]),
            ..Counts::default()
        };
        let priors = Priors(BTreeMap::from([("self".to_owned(), 0.8)]));
        let page = render(&page, &BTreeMap::from([("r-1".to_owned(), counts)]), &priors).expect("all marks");
        assert!(page.contains("| r-1 | python | 4 | 25.0 % |"), "{page}");
        assert!(
            page.contains("| python | `self` | 2 | 100.0 % | 34.2 % | 0.800 | no |"),
            "{page}"
        );
    }
}
