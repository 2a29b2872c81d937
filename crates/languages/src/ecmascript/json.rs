//! JSON as settings files have it: with comments and trailing commas.

use serde_json::Value;

/// Reads JSON with comments and trailing commas. None when it is no JSON all the same.
pub(super) fn parse(text: &str) -> Option<Value> {
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text)
        .ok()
        .or_else(|| serde_json::from_str(&strict(text)).ok())
}

/// The text with comments and trailing commas left out. Strings stay as they are.
fn strict(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let n_taken = match first {
            '"' => {
                let end = string_end(rest);
                out.push_str(&rest[..end]);
                end
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            ']' | '}' => {
                let kept = out.trim_end();
                if kept.ends_with(',') {
                    out.truncate(kept.len() - 1);
                }
                out.push(first);
                1
            }
            other => {
                out.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[n_taken..];
    }
    out
}

/// The end of the string that the text starts with.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn comments_and_trailing_commas_are_tolerated() {
        let value = parse("\u{feff}{ // one\n \"a\": [1, 2,], /* two */ \"b\": \"// no, /* no */ ,}\", }").unwrap();
        assert_eq!(value.to_string(), r#"{"a":[1,2],"b":"// no, /* no */ ,}"}"#);
        assert!(parse("{").is_none());
    }
}
