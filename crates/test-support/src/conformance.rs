//! The headings that each full language has to have, so that no language leaves a common case untested.

use std::collections::{BTreeMap, BTreeSet};

use libtest_mimic::Trial;

use crate::Languages;
use crate::markdown;

/// The list, one `- heading` a line.
const LIST: &str = include_str!("../conformance.md");

/// One trial a family of languages that has fixtures: languages of a family share them.
pub(crate) fn trials(languages: Languages, documents: &[(&'static str, String)]) -> Vec<Trial> {
    let mut families: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for language in languages {
        families.entry(language.family()).or_default();
    }
    for (family, text) in documents {
        let headings = markdown::parse(text).into_iter().map(|section| section.heading);
        families.entry(family).or_default().extend(headings);
    }
    let trial = |(family, headings): (&str, BTreeSet<String>)| {
        Trial::test(format!("conformance/{family}"), move || {
            let missing = missing(&headings);
            if missing.is_empty() {
                Ok(())
            } else {
                Err(format!("no section {}", missing.join(", no section ")).into())
            }
        })
    };
    families.into_iter().map(trial).collect()
}

fn missing(headings: &BTreeSet<String>) -> Vec<String> {
    let required = LIST.lines().filter_map(|line| line.strip_prefix("- "));
    required
        .filter(|heading| !headings.contains(*heading))
        .map(|heading| format!("`{heading}`"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let n_required = LIST.lines().filter(|line| line.starts_with("- ")).count();
        assert!(n_required >= 20, "{n_required}");
        assert_eq!(missing(&BTreeSet::new()).len(), n_required);
    }
}
