//! String literals as text.

/// The text between a literal's quotes, escapes left as they are.
pub(super) fn content(literal: &str) -> &str {
    let body = without_prefix(literal);
    for quote in ["\"\"\"", "'''", "\"", "'"] {
        if let Some(rest) = body.strip_prefix(quote) {
            return rest.strip_suffix(quote).unwrap_or(rest);
        }
    }
    body
}

/// A literal from its opening quote on.
pub(super) fn without_prefix(literal: &str) -> &str {
    literal.trim_start_matches(|it: char| it.is_ascii_alphabetic())
}

/// Bytes before the text of a literal: its prefix and opening quote.
pub(super) fn opening(literal: &str) -> usize {
    let body = without_prefix(literal);
    let prefix = literal.len() - body.len();
    let quote = if body.starts_with("\"\"\"") || body.starts_with("'''") {
        3
    } else {
        1
    };
    prefix + quote
}

/// True for a text that can name things in code: a name, dotted or not, or several with commas between them.
pub(super) fn names_something(text: &str) -> bool {
    text.split(',').map(str::trim).all(|name| {
        name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
            && name
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || it == b'_' || it == b'.')
    })
}

/// A docstring without the indentation of its place, as PEP 257 describes.
pub(super) fn clean(doc: &str) -> String {
    let doc = doc.replace("\r\n", "\n");
    let mut lines = doc.lines();
    let first = lines.next().unwrap_or_default().trim().to_owned();
    let rest: Vec<&str> = lines.collect();
    let indent = rest
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut out = vec![first];
    out.extend(
        rest.iter()
            .map(|line| line.get(indent..).unwrap_or_default().trim_end().to_owned()),
    );
    out.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{clean, content, opening};

    #[test]
    fn quotes_and_prefixes_are_no_content() {
        assert_eq!(content("rb'x'"), "x");
        assert_eq!(content("\"\"\"a \"b\" c\"\"\""), "a \"b\" c");
        assert_eq!(opening("r'''x'''"), 4);
    }

    #[test]
    fn a_docstring_loses_the_indentation_of_its_place() {
        assert_eq!(
            clean("Sum.\n\n    Long:\n        inner\n    "),
            "Sum.\n\nLong:\n    inner"
        );
    }
}
