//! Hides what looks like a secret in everything that is shown.
//!
//! Three things count: a private key between its PEM lines, a word that starts like the keys of a known service, and a
//! quoted literal that is long, mixed and disordered (`"qL8…"`). Identifiers, paths, hashes and alphabets are none.
//! Line breaks survive, so that line numbers stay true.

use std::borrow::Cow;

/// What stands where a secret was.
pub const REDACTED: &str = "[REDACTED]";

/// Shortest quoted literal that may be a secret.
const MIN_LITERAL: usize = 30;
/// Least disorder of one, in bits for each character.
const MIN_ENTROPY: f64 = 3.5;
/// Hexadecimal digits up to this number are a hash or an id.
const MAX_HEX: usize = 40;

/// How the keys of known services start, and how many characters follow at least.
const KEY_PREFIXES: &[(&str, usize)] = &[
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("ghr_", 30),
    ("github_pat_", 30),
    ("glpat-", 18),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxa-", 20),
    ("xoxs-", 20),
    ("sk_live_", 16),
    ("rk_live_", 16),
    ("sk-ant-", 20),
    ("sk-proj-", 20),
    ("npm_", 34),
    ("hf_", 30),
    ("pypi-AgE", 30),
    ("eyJhbGciOi", 30),
];

/// A text without its secrets, and how many there were.
pub struct Redacted<'t> {
    /// The text.
    pub text: Cow<'t, str>,
    /// Number of secrets that were hidden.
    pub count: usize,
}

/// Hides the secrets of a text.
#[must_use]
pub fn redact(text: &str) -> Redacted<'_> {
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    find_private_keys(text, &mut cuts);
    find_words(text, &mut cuts);
    if cuts.is_empty() {
        return Redacted {
            text: Cow::Borrowed(text),
            count: 0,
        };
    }
    cuts.sort_unstable();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut count) = (0, 0);
    for (start, end) in cuts {
        if start < at {
            continue;
        }
        out.push_str(&text[at..start]);
        out.push_str(REDACTED);
        out.extend(text[start..end].chars().filter(|c| *c == '\n'));
        at = end;
        count += 1;
    }
    out.push_str(&text[at..]);
    Redacted {
        text: Cow::Owned(out),
        count,
    }
}

fn find_private_keys(text: &str, cuts: &mut Vec<(usize, usize)>) {
    const BEGIN: &str = "-----BEGIN ";
    let mut from = 0;
    while let Some(found) = text[from..].find(BEGIN) {
        let start = from + found;
        from = start + BEGIN.len();
        let Some(title_end) = text[from..].find("-----") else {
            return;
        };
        if !text[from..from + title_end].ends_with("PRIVATE KEY") {
            continue;
        }
        let body = from + title_end + 5;
        let end = text[body..]
            .find("-----END ")
            .map(|end| body + end)
            .and_then(|end| text[end + 9..].find("-----").map(|close| end + 9 + close + 5))
            .unwrap_or(text.len());
        cuts.push((start, end));
        from = end;
    }
}

fn find_words(text: &str, cuts: &mut Vec<(usize, usize)>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_word_byte(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_word_byte(bytes[at]) {
            at += 1;
        }
        // No known key is shorter, and most words are.
        if at - start < 20 {
            continue;
        }
        let word = &text[start..at];
        let quote = start.checked_sub(1).map(|before| bytes[before]);
        let is_quoted = matches!(quote, Some(b'"' | b'\'' | b'`')) && bytes.get(at).copied() == quote;
        if has_key_prefix(word) || (is_quoted && is_secret_literal(word)) {
            cuts.push((start, at));
        }
    }
}

const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-' | b'.')
}

fn has_key_prefix(word: &str) -> bool {
    KEY_PREFIXES.iter().any(|(prefix, min)| {
        word.strip_prefix(prefix)
            .is_some_and(|rest| rest.len() >= *min && rest.bytes().any(|byte| byte.is_ascii_digit()))
    })
}

fn is_secret_literal(word: &str) -> bool {
    word.len() >= MIN_LITERAL
        && !word.contains('.')
        && n_classes(word) >= 3
        && entropy(word) >= MIN_ENTROPY
        && !is_short_hex(word)
        && !is_alphabet(word)
        && !is_made_of_words(word)
}

fn n_classes(word: &str) -> usize {
    let classes: [fn(&u8) -> bool; 4] = [
        u8::is_ascii_lowercase,
        u8::is_ascii_uppercase,
        u8::is_ascii_digit,
        // Padding says nothing about the content.
        |byte| !byte.is_ascii_alphanumeric() && *byte != b'=',
    ];
    classes
        .iter()
        .filter(|class| word.as_bytes().iter().any(*class))
        .count()
}

fn entropy(word: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in word.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = f64::from(u32::try_from(word.len()).unwrap_or(u32::MAX));
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / length)
        .map(|share| -share * share.log2())
        .sum()
}

fn is_short_hex(word: &str) -> bool {
    word.len() <= MAX_HEX && word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

fn is_alphabet(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    ["abcdefgh", "01234567", "12345678", "zyxwvuts"]
        .iter()
        .any(|row| lower.contains(row))
}

/// True for snake and kebab words, paths, and class names: every part between separators reads like words.
fn is_made_of_words(word: &str) -> bool {
    word.split(['_', '-', '/', '+', '='])
        .filter(|part| !part.is_empty())
        .all(reads_like_words)
}

/// True when a part without separators is humps of letters with at most one run of digits at its end.
fn reads_like_words(part: &str) -> bool {
    let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
    if letters.is_empty() {
        return part.len() <= 8;
    }
    if letters.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let n_upper = letters.bytes().filter(u8::is_ascii_uppercase).count();
    // Words have three letters and more on average; random letters change case every other time.
    n_upper == letters.len() || letters.len() >= 3 * n_upper
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[track_caller]
    fn check(text: &str, expected: &str, count: usize) {
        let redacted = redact(text);
        assert_eq!(redacted.text, expected);
        assert_eq!(redacted.count, count);
    }

    #[test]
    fn known_keys_are_hidden_wherever_they_stand() {
        check("key = AKIAIOSFODNN7EXAMPLE1", "key = [REDACTED]", 1);
        check("# ghp_0123456789abcdefghijABCDEFGHIJ012345", "# [REDACTED]", 1);
    }

    #[test]
    fn quoted_disorder_is_hidden() {
        let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYzq8K3n";
        check(&format!("x = \"{secret}\""), "x = \"[REDACTED]\"", 1);
        check(&format!("x = {secret}"), &format!("x = {secret}"), 0);
    }

    #[test]
    fn a_private_key_keeps_its_line_breaks() {
        check(
            "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb",
            "a\n[REDACTED]\n\n\nb",
            1,
        );
        let public = "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----";
        check(public, public, 0);
    }

    #[test]
    fn identifiers_paths_hashes_and_alphabets_stay() {
        for literal in [
            "a_very_long_snake_case_name_with_2_digits",
            "some-kebab-case-name-that-is-rather-long-2",
            "packages/server/src/Handlers/index2",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "AbstractSingletonProxyFactoryBeanUtf8",
        ] {
            let text = format!("'{literal}'");
            check(&text, &text, 0);
        }
    }
}
