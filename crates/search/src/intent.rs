//! What kind of task a question in plain words describes, and what an answer to it should hold.
//!
//! Both tables are data: the ones here are the defaults, and settings may add triggers and change rows.

/// A kind of task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Intent {
    /// Writing something new.
    Implement,
    /// Finding out why something fails.
    Debug,
    /// Changing how something is built.
    Refactor,
    /// Writing tests.
    Test,
    /// Understanding something.
    Explain,
    /// Judging something.
    Review,
    /// Finding something.
    Search,
}

impl Intent {
    /// Every intent, in the order of the tables.
    pub const ALL: [Self; 7] = [
        Self::Implement,
        Self::Debug,
        Self::Refactor,
        Self::Test,
        Self::Explain,
        Self::Review,
        Self::Search,
    ];

    /// The word that is shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Implement => "implement",
            Self::Debug => "debug",
            Self::Refactor => "refactor",
            Self::Test => "test",
            Self::Explain => "explain",
            Self::Review => "review",
            Self::Search => "search",
        }
    }

    /// The intent with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|intent| intent.name() == name)
    }
}

/// A phrase that speaks for an intent.
///
/// A phrase is a row of words: `a|b` is either, `word*` is any word that starts so, `(word)` may be missing, `_` is any
/// word.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// The intent it speaks for.
    pub intent: Intent,
    /// The phrase.
    pub phrase: String,
    /// How much it says.
    pub weight: f64,
}

/// What an answer to an intent holds.
#[derive(Clone, Debug, PartialEq)]
pub struct IntentRow {
    /// The intent.
    pub intent: Intent,
    /// Level of detail, 0 to 3.
    pub level: u8,
    /// Share of the budget for symbols.
    pub share: f64,
    /// Most symbols.
    pub most_symbols: usize,
    /// Kinds that come first, as the context server groups them; empty: all are alike.
    pub kinds_first: Vec<String>,
    /// Whether callers and callees of the best symbols are added.
    pub has_related: bool,
    /// Whether author and date are added.
    pub has_git: bool,
    /// Whether the file tree is added.
    pub has_tree: bool,
}

/// The two tables.
#[derive(Clone, Debug, PartialEq)]
pub struct IntentTable {
    /// Phrases, grouped by intent.
    pub triggers: Vec<Trigger>,
    /// One row an intent, in the order of [`Intent::ALL`].
    pub rows: [IntentRow; Intent::ALL.len()],
}

/// What a question was taken for.
#[derive(Clone, Debug, PartialEq)]
pub struct Classification {
    /// The intent.
    pub intent: Intent,
    /// The best intent's share of all weight that was found; 0 when none was.
    pub confidence: f64,
    /// The words of the question that spoke for the best intent, in the order of the table.
    pub triggers: Vec<String>,
}

/// A best intent with less of the weight than this is none.
const LEAST_CONFIDENCE: f64 = 0.25;

/// A best intent that leads by less of the weight than this is none.
const LEAST_LEAD: f64 = 0.05;

/// The phrases by intent, with their weights.
const TRIGGERS: &[(Intent, f64, &[&str])] = &[
    (Intent::Implement, 3.0, &["implement"]),
    (Intent::Implement, 2.0, &["add (a|an) (new) _", "create"]),
    (Intent::Implement, 1.5, &["build", "endpoint"]),
    (Intent::Implement, 1.0, &["make", "feature"]),
    (Intent::Implement, 0.8, &["write"]),
    (Intent::Debug, 3.0, &["fix", "bug", "crash", "debug"]),
    (
        Intent::Debug,
        2.5,
        &["error", "exception", "not work|working", "broken"],
    ),
    (
        Intent::Debug,
        2.0,
        &["fail|failing|failed|failure", "traceback", "stack trace"],
    ),
    (Intent::Refactor, 3.0, &["refactor"]),
    (Intent::Refactor, 2.5, &["rename", "restructure"]),
    (
        Intent::Refactor,
        2.0,
        &["extract", "clean up", "simplify", "dry", "duplication"],
    ),
    (Intent::Refactor, 1.5, &["move"]),
    (Intent::Test, 3.5, &["unit test|tests", "integration test|tests"]),
    (Intent::Test, 3.0, &["test|tests", "pytest", "tdd", "test case"]),
    (Intent::Test, 2.5, &["coverage"]),
    (Intent::Test, 2.0, &["spec", "assert", "mock"]),
    (Intent::Explain, 3.0, &["explain"]),
    (
        Intent::Explain,
        2.5,
        &["what does|is", "how does|do", "walk (me) through"],
    ),
    (
        Intent::Explain,
        2.0,
        &["understand", "describe", "summari*", "architecture"],
    ),
    (Intent::Explain, 1.5, &["overview"]),
    (Intent::Review, 3.0, &["review"]),
    (Intent::Review, 2.5, &["audit", "pull request", "code quality"]),
    (Intent::Review, 2.0, &["inspect", "pr", "lint", "security"]),
    (Intent::Review, 1.5, &["check"]),
    (Intent::Search, 2.5, &["search", "where is"]),
    (Intent::Search, 2.0, &["find", "locate", "all _ that"]),
    (Intent::Search, 1.5, &["show me", "list"]),
];

impl Default for IntentTable {
    fn default() -> Self {
        let row = |intent, level, share, most_symbols, kinds: &[&str], [has_related, has_git, has_tree]: [bool; 3]| {
            IntentRow {
                intent,
                level,
                share,
                most_symbols,
                kinds_first: kinds.iter().map(|&kind| kind.to_owned()).collect(),
                has_related,
                has_git,
                has_tree,
            }
        };
        let triggers = TRIGGERS
            .iter()
            .flat_map(|&(intent, weight, phrases)| {
                phrases.iter().map(move |&phrase| Trigger {
                    intent,
                    phrase: phrase.to_owned(),
                    weight,
                })
            })
            .collect();
        let rows = [
            row(
                Intent::Implement,
                2,
                0.75,
                25,
                &["class", "function", "type"],
                [true, false, true],
            ),
            row(Intent::Debug, 3, 0.80, 20, &[], [true, true, false]),
            row(
                Intent::Refactor,
                2,
                0.70,
                30,
                &["function", "method", "class"],
                [true, true, true],
            ),
            row(
                Intent::Test,
                2,
                0.65,
                20,
                &["function", "class", "method"],
                [false, false, false],
            ),
            row(Intent::Explain, 3, 0.80, 15, &[], [false, false, true]),
            row(Intent::Review, 2, 0.60, 40, &[], [false, true, true]),
            row(Intent::Search, 1, 0.50, 50, &[], [false, false, false]),
        ];
        Self { triggers, rows }
    }
}

impl IntentTable {
    /// What an answer to `intent` holds.
    #[must_use]
    pub fn row(&self, intent: Intent) -> &IntentRow {
        &self.rows[intent as usize]
    }

    /// Takes a question for one of the intents. Without a clear winner it is a search.
    #[must_use]
    pub fn classify(&self, question: &str) -> Classification {
        let lower = question.to_lowercase();
        let words: Vec<&str> = lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let mut weights = [0.0; Intent::ALL.len()];
        let mut found: Vec<(Intent, String)> = Vec::new();
        for trigger in &self.triggers {
            if let Some(matched) = find_phrase(&trigger.phrase, &words) {
                weights[trigger.intent as usize] += trigger.weight;
                found.push((trigger.intent, matched));
            }
        }
        let total: f64 = weights.iter().sum();
        let mut ranked = Intent::ALL;
        ranked.sort_by(|&a, &b| weights[b as usize].total_cmp(&weights[a as usize]).then(a.cmp(&b)));
        let (best, second) = (weights[ranked[0] as usize], weights[ranked[1] as usize]);
        if total <= 0.0 {
            return Classification {
                intent: Intent::Search,
                confidence: 0.0,
                triggers: Vec::new(),
            };
        }
        let confidence = best / total;
        let is_clear = confidence >= LEAST_CONFIDENCE && (best - second) / total >= LEAST_LEAD;
        Classification {
            intent: if is_clear { ranked[0] } else { Intent::Search },
            confidence,
            triggers: found
                .into_iter()
                .filter(|(intent, _)| *intent == ranked[0])
                .map(|(_, words)| words)
                .collect(),
        }
    }
}

/// The words that a phrase matches, at their first place in the question.
fn find_phrase(phrase: &str, words: &[&str]) -> Option<String> {
    let parts: Vec<&str> = phrase.split_whitespace().collect();
    (0..words.len()).find_map(|start| {
        let n_words = matched_words(&parts, &words[start..])?;
        Some(words[start..start + n_words].join(" "))
    })
}

/// Number of words that the parts match from the start on.
fn matched_words(parts: &[&str], words: &[&str]) -> Option<usize> {
    let Some((&part, rest)) = parts.split_first() else {
        return Some(0);
    };
    let (part, is_optional) = match part.strip_prefix('(').and_then(|part| part.strip_suffix(')')) {
        Some(part) => (part, true),
        None => (part, false),
    };
    let taken = match words.split_first() {
        Some((word, following)) if matches_word(part, word) => {
            matched_words(rest, following).map(|n_words| n_words + 1)
        }
        _ => None,
    };
    taken.or_else(|| if is_optional { matched_words(rest, words) } else { None })
}

fn matches_word(part: &str, word: &str) -> bool {
    part.split('|').any(|choice| match choice.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => choice == "_" || choice == word,
    })
}

#[cfg(test)]
mod tests {
    use super::{Intent, IntentTable, find_phrase};

    #[track_caller]
    fn check(question: &str, intent: Intent, confidence: f64, triggers: &[&str]) {
        let found = IntentTable::default().classify(question);
        assert_eq!(found.intent, intent, "{question}: {found:?}");
        assert!((found.confidence - confidence).abs() < 0.005, "{question}: {found:?}");
        assert_eq!(found.triggers, triggers, "{question}");
    }

    #[test]
    fn clear_questions() {
        check(
            "add logout to the /auth endpoint",
            Intent::Implement,
            1.0,
            &["add logout", "endpoint"],
        );
        check("Fix session expiry", Intent::Debug, 1.0, &["fix"]);
        check("walk me through the parser", Intent::Explain, 1.0, &["walk me through"]);
        check("summarize it", Intent::Explain, 1.0, &["summarize"]);
        check("unit tests for the store", Intent::Test, 1.0, &["unit tests", "tests"]);
        check("where is the cache", Intent::Search, 1.0, &["where is"]);
    }

    #[test]
    fn without_a_clear_winner_it_is_a_search() {
        check("session expiration", Intent::Search, 0.0, &[]);
        check("refactor and review", Intent::Search, 0.5, &["refactor"]);
        check("prefix checks", Intent::Search, 0.0, &[]);
    }

    #[test]
    fn the_heavier_side_wins() {
        check("fix the failing test", Intent::Debug, 5.0 / 8.0, &["fix", "failing"]);
    }

    #[test]
    fn phrases() {
        let words = ["please", "add", "a", "new", "route"];
        assert_eq!(
            find_phrase("add (a|an) (new) _", &words),
            Some("add a new route".to_owned())
        );
        assert_eq!(find_phrase("add _", &words), Some("add a".to_owned()));
        assert_eq!(find_phrase("add route", &words), None);
        assert_eq!(find_phrase("route _", &words), None);
        assert_eq!(find_phrase("pl*", &words), Some("please".to_owned()));
    }

    #[test]
    fn every_intent_has_a_row() {
        let table = IntentTable::default();
        for intent in Intent::ALL {
            assert_eq!(table.row(intent).intent, intent);
            assert_eq!(Intent::parse(intent.name()), Some(intent));
        }
    }
}
