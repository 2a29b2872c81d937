//! The records that several tools show.

use schemars::JsonSchema;
use serde::Serialize;
use strata_engine::{Symbol, first_sentence};
use strata_model::symbol::context_kind;

use crate::fit::Detail;

/// A symbol in short.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct CompactNode {
    /// Qualified name
    pub(crate) fqn: String,
    /// Kind
    pub(crate) kind: &'static str,
    /// First sentence of the documentation
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary_short: Option<String>,
    /// Signature
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signature: Option<String>,
    /// Path of the file
    pub(crate) virtual_file_path: String,
    /// First line
    pub(crate) start_line: u32,
    /// Last line
    pub(crate) end_line: u32,
}

impl CompactNode {
    pub(crate) fn of(symbol: &Symbol, detail: Detail) -> Self {
        Self {
            fqn: symbol.fqn.clone(),
            kind: symbol.kind.name(),
            summary_short: symbol.summary().filter(|_| detail >= Detail::Short),
            signature: shown_signature(symbol).filter(|_| detail >= Detail::Signature),
            virtual_file_path: symbol.path.clone(),
            start_line: symbol.start.line,
            end_line: symbol.end.line,
        }
    }
}

/// A symbol as the context server shows it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct SymbolRecord {
    /// Qualified name
    pub(crate) fqn: String,
    /// Name
    pub(crate) name: String,
    /// Kind: function, method, class, constant, type or var
    pub(crate) kind: &'static str,
    /// Path of the file
    pub(crate) file: String,
    /// First line
    pub(crate) line: u32,
    /// First line
    pub(crate) line_start: u32,
    /// Last line
    pub(crate) line_end: u32,
    /// Signature
    pub(crate) signature: Option<String>,
    /// Documentation
    pub(crate) docstring: Option<String>,
    /// Who last changed it
    pub(crate) git_author: Option<String>,
    /// When it was last changed
    pub(crate) git_date: Option<String>,
    /// How well it matches
    pub(crate) score: f64,
    /// What matched: exact, pattern, fts, semantic or prefix
    pub(crate) match_source: &'static str,
}

impl SymbolRecord {
    /// With at most `doc_chars` characters of documentation.
    pub(crate) fn of(
        symbol: &Symbol,
        score: f64,
        match_source: &'static str,
        detail: Detail,
        doc_chars: usize,
    ) -> Self {
        let doc = match detail {
            Detail::Full => symbol.doc.as_deref().map(|doc| clipped(doc, doc_chars)),
            Detail::Short => symbol.doc.as_deref().and_then(first_sentence),
            Detail::Signature | Detail::Name => None,
        };
        Self {
            fqn: symbol.fqn.clone(),
            name: symbol.name.clone(),
            kind: context_kind(symbol.kind),
            file: symbol.path.clone(),
            line: symbol.start.line,
            line_start: symbol.start.line,
            line_end: symbol.end.line,
            signature: shown_signature(symbol).filter(|_| detail >= Detail::Signature),
            docstring: doc,
            git_author: None,
            git_date: None,
            score: rounded(score),
            match_source,
        }
    }
}

/// The signature, if there is one.
pub(crate) fn shown_signature(symbol: &Symbol) -> Option<String> {
    (!symbol.signature.is_empty()).then(|| symbol.signature.clone())
}

/// The first characters of a text.
pub(crate) fn clipped(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some(_) => {
            let end = text
                .char_indices()
                .nth(max_chars.saturating_sub(1))
                .map_or(text.len(), |(at, _)| at);
            format!("{}…", &text[..end])
        }
    }
}

/// A number of things: `1 caller`, `2 callers`.
pub(crate) fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// To four digits, as scores are shown.
pub(crate) fn rounded(score: f64) -> f64 {
    (score * 10_000.0).round() / 10_000.0
}

/// `path:line` of a symbol, or what stands for it.
pub(crate) fn place(symbol: &Symbol) -> String {
    if symbol.path.is_empty() {
        "(no file)".to_owned()
    } else {
        format!("{}:{}", symbol.path, symbol.line())
    }
}

/// The lines of one symbol in a list: kind, name and place, then signature and first sentence as far as shown.
pub(crate) fn symbol_lines(symbol: &Symbol, detail: Detail, out: &mut String) {
    use std::fmt::Write as _;
    // Writing to a text cannot fail.
    let _ = writeln!(out, "{} {} {}", symbol.kind.name(), symbol.fqn, place(symbol));
    if detail >= Detail::Signature && !symbol.signature.is_empty() {
        let _ = writeln!(out, "    {}", symbol.signature);
    }
    if detail >= Detail::Short
        && let Some(summary) = symbol.summary()
    {
        let _ = writeln!(out, "    {summary}");
    }
}

/// A moment as text, in UTC: `2026-11-30T12:00:00Z`.
pub(crate) fn iso_time(ms: i64) -> String {
    let seconds = ms.div_euclid(1000);
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil_date(days);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        of_day / 3600,
        of_day / 60 % 60,
        of_day % 60
    )
}

/// Year, month and day of a number of days since 1970, in the Gregorian calendar.
const fn civil_date(days: i64) -> (i64, i64, i64) {
    // Years start in March here, so that the leap day is the last one.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::{clipped, iso_time};

    #[test]
    fn moments_are_shown_in_utc() {
        assert_eq!(iso_time(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_time(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(iso_time(1_796_083_199_999), "2026-11-30T23:59:59Z");
    }

    #[test]
    fn clipping_counts_characters() {
        assert_eq!(clipped("äöü", 3), "äöü");
        assert_eq!(clipped("äöüß", 3), "äö…");
    }
}
