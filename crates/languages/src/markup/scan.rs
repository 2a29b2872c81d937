//! Just enough of ECMAScript to find where an expression in a template ends.

/// The length of the code up to the bracket that closes what is open before it; none where nothing closes it.
pub(crate) fn length_in_brackets(text: &[u8]) -> Option<usize> {
    run(text, true)
}

/// True when every bracket, string and template that a text opens is closed in it, and nothing else is.
pub(crate) fn is_balanced(text: &[u8]) -> bool {
    run(text, false).is_some()
}

/// Runs over code. `stops`: to the first bracket that closes more than was opened; else to the end, where nothing may be
/// open. None where that is not so.
fn run(text: &[u8], stops: bool) -> Option<usize> {
    let mut brackets: Vec<u8> = Vec::new();
    let (mut at, mut before) = (0, b'(');
    while at < text.len() {
        let byte = text[at];
        match byte {
            b'(' | b'[' | b'{' => brackets.push(byte),
            b')' | b']' | b'}' => match brackets.pop() {
                // The brace that ends the hole of a template string.
                Some(b'`') if byte == b'}' => {
                    at = template_part(text, at + 1, &mut brackets)?;
                    before = b'`';
                    continue;
                }
                Some(open) if pairs(open, byte) => {}
                None if stops => return Some(at),
                Some(_) | None => return None,
            },
            b'"' | b'\'' => {
                at = string(text, at)?;
                before = byte;
                continue;
            }
            b'`' => {
                at = template_part(text, at + 1, &mut brackets)?;
                before = byte;
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'/') => {
                at += text[at..].iter().position(|it| *it == b'\n')?;
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'*') => {
                at += 4 + text[at + 2..].windows(2).position(|it| it == b"*/")?;
                continue;
            }
            b'/' if b"(,=:[!&|?{};+<>".contains(&before) => {
                if let Some(end) = pattern(text, at) {
                    at = end;
                    before = b'/';
                    continue;
                }
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
        at += 1;
    }
    (!stops && brackets.is_empty()).then_some(text.len())
}

const fn pairs(open: u8, close: u8) -> bool {
    matches!((open, close), (b'(', b')') | (b'[', b']') | (b'{', b'}'))
}

/// The end of a string that starts at `at`.
fn string(text: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 1;
    loop {
        match *text.get(end)? {
            b'\\' => end += 2,
            b'\n' => return None,
            byte if byte == text[at] => return Some(end + 1),
            _ => end += 1,
        }
    }
}

/// The end of a part of a template string: of the whole, or behind the `${` of a hole, which is noted as open.
fn template_part(text: &[u8], mut at: usize, brackets: &mut Vec<u8>) -> Option<usize> {
    loop {
        match *text.get(at)? {
            b'\\' => at += 2,
            b'`' => return Some(at + 1),
            b'$' if text.get(at + 1) == Some(&b'{') => {
                brackets.push(b'`');
                return Some(at + 2);
            }
            _ => at += 1,
        }
    }
}

/// The end of a regular expression that starts at `at`, if it is one.
fn pattern(text: &[u8], at: usize) -> Option<usize> {
    let (mut end, mut is_in_class) = (at + 1, false);
    loop {
        match *text.get(end)? {
            b'\n' => return None,
            b'\\' => end += 1,
            b'[' => is_in_class = true,
            b']' => is_in_class = false,
            b'/' if !is_in_class => return Some(end + 1),
            _ => {}
        }
        end += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{is_balanced, length_in_brackets};

    #[test]
    fn expressions_end_at_their_bracket() {
        for code in [
            "a.b(c)",
            "{ x: '}' }",
            "`a ${f(`}`)} }`",
            "/[}/]\\}/.test(x)",
            "a / b /* } */",
            "\"\\\"}\"",
            "",
        ] {
            let text = format!("{code}}} rest");
            assert_eq!(length_in_brackets(text.as_bytes()), Some(code.len()), "{code}");
            assert!(is_balanced(code.as_bytes()), "{code}");
        }
        for code in ["f(", "'a", "`${", "a)", "(]", "{", "/* "] {
            assert!(!is_balanced(code.as_bytes()), "{code}");
        }
        assert_eq!(length_in_brackets(b"a(b"), None);
    }
}
