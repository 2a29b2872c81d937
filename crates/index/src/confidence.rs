//! How sure an edge is, by the language and by how it was resolved.
//!
//! The only source is the table in [`measured`], which is generated from counts of right and wrong answers on judged
//! repositories (`eval/measured`). What was judged too rarely has a prior in its place and says so.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use strata_model::outcome::{How, Outcome, Status};

mod measured;

/// Language, how, confidence in thousandths, and whether it was measured.
type Row = (&'static str, &'static str, u16, bool);

/// Confidence of one how in one language.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    thousandths: u16,
    is_measured: bool,
}

/// By language; the one without a name stands for all that have no rows.
static CELLS: LazyLock<FxHashMap<&'static str, [Cell; How::ALL.len()]>> = LazyLock::new(|| {
    let mut cells: FxHashMap<&str, [Cell; How::ALL.len()]> = FxHashMap::default();
    for &(language, how, thousandths, is_measured) in measured::ROWS {
        let of_language = cells.entry(language).or_insert([Cell::default(); How::ALL.len()]);
        if let Some(known) = How::ALL.iter().find(|it| it.name() == how) {
            of_language[usize::from(known.code())] = Cell {
                thousandths,
                is_measured,
            };
        }
    }
    cells
});

fn cell(language: &str, how: How) -> Cell {
    let of_language = CELLS.get(language).or_else(|| CELLS.get(""));
    of_language.map_or_else(Cell::default, |cells| cells[usize::from(how.code())])
}

/// How sure a target found in this way is, from 0 to 1.
pub(crate) fn of_how(language: &str, how: How) -> f32 {
    f32::from(cell(language, how).thousandths) / 1000.0
}

/// True where enough answers of this language and how were judged; otherwise the confidence is a prior.
#[must_use]
pub fn is_measured(language: &str, how: How) -> bool {
    cell(language, how).is_measured
}

/// How sure each of the outcome's targets is, from 0 to 1. An ambiguous outcome shares it among its targets.
pub(crate) fn confidence(language: &str, outcome: &Outcome) -> f32 {
    let base = of_how(language, outcome.how);
    match outcome.status {
        Status::Ambiguous => base / f32::from(u16::try_from(outcome.targets.len().max(1)).unwrap_or(u16::MAX)),
        Status::Resolved
        | Status::External
        | Status::Builtin
        | Status::UnknownReceiver
        | Status::UnresolvedImport
        | Status::NoSuchMember
        | Status::Dynamic
        | Status::Generated
        | Status::Budget => base,
    }
}

/// Stands for the table: with another one, stored edges have to be written again.
pub(crate) fn fingerprint() -> String {
    let mut text = String::new();
    for row in measured::ROWS {
        text.push_str(&format!("{row:?}\n"));
    }
    strata_vfs::sha256(text.as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use strata_model::ids::{DefId, FileIx, SymbolRef};
    use strata_model::outcome::{How, Outcome, Status};

    use super::{cell, confidence, is_measured, measured, of_how};

    #[test]
    fn candidates_share_the_confidence() {
        let target = |def| SymbolRef {
            file: FileIx(0),
            def: DefId(def),
        };
        let outcome = Outcome {
            how: How::OverloadAmbiguous,
            targets: vec![target(0), target(1)],
            ..Outcome::without_target(Status::Ambiguous)
        };
        let each = confidence("python", &outcome);
        assert!((each * 2.0 - of_how("python", How::OverloadAmbiguous)).abs() < 1e-6);
    }

    #[test]
    fn the_table_has_each_how_once_in_each_language() {
        let languages: BTreeSet<&str> = measured::ROWS.iter().map(|row| row.0).collect();
        for language in languages {
            for how in How::ALL {
                let rows = measured::ROWS
                    .iter()
                    .filter(|row| (row.0, row.1) == (language, how.name()));
                assert_eq!(rows.count(), 1, "{language} {}", how.name());
                assert!((1..=1000).contains(&cell(language, *how).thousandths));
            }
        }
        assert!(measured::ROWS.len().is_multiple_of(How::ALL.len()), "no other how");
    }

    #[test]
    fn nothing_is_measured_in_a_language_without_records() {
        assert!(How::ALL.iter().all(|how| !is_measured("no such language", *how)));
        assert!(of_how("no such language", How::Lexical) > 0.0);
    }
}
