//! A scanner over JSON that builds nothing: it tells where values start and end, and passes over what nobody asked for.
//!
//! A notebook is mostly outputs, images of megabytes among them. They are run over once, byte by byte, without recursion
//! and without a copy.

use std::ops::Range;

/// Where and why reading ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) at: usize,
    pub(super) reason: &'static str,
}

/// The scanner.
pub(super) struct Scanner<'f> {
    file: &'f [u8],
    at: usize,
}

impl<'f> Scanner<'f> {
    pub(super) fn new(file: &'f [u8]) -> Self {
        let at = if file.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { file, at }
    }

    /// The byte at which the next value or sign starts; none at the end of the file.
    pub(super) fn peek(&mut self) -> Option<u8> {
        while self.file.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.file.get(self.at).copied()
    }

    fn broken<T>(&self, reason: &'static str) -> Result<T, Broken> {
        let reason = if self.at >= self.file.len() {
            "the file ends in the middle"
        } else {
            reason
        };
        Err(Broken { at: self.at, reason })
    }

    fn expect(&mut self, sign: u8, reason: &'static str) -> Result<(), Broken> {
        if self.peek() != Some(sign) {
            return self.broken(reason);
        }
        self.at += 1;
        Ok(())
    }

    /// Reads an object: `member` is called with each key, when the scanner stands before the value, which it has to read
    /// or to skip.
    pub(super) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, &'f [u8]) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        self.expect(b'{', "an object is missing")?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.expect(b':', "`:` is missing")?;
            let key = &self.file[key];
            member(self, key)?;
            if !self.has_next(b'}')? {
                return Ok(());
            }
        }
    }

    /// Reads an array: `item` is called before each value, which it has to read or to skip.
    pub(super) fn array(&mut self, mut item: impl FnMut(&mut Self) -> Result<(), Broken>) -> Result<(), Broken> {
        self.expect(b'[', "a list is missing")?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.has_next(b']')? {
                return Ok(());
            }
        }
    }

    fn has_next(&mut self, end: u8) -> Result<bool, Broken> {
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            Some(sign) if sign == end => {
                self.at += 1;
                Ok(false)
            }
            _ => self.broken("`,` is missing"),
        }
    }

    /// Reads a string: the bytes between its quotes.
    pub(super) fn string(&mut self) -> Result<Range<usize>, Broken> {
        self.expect(b'"', "a string is missing")?;
        let start = self.at;
        loop {
            match self.file.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(start..self.at - 1);
                }
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
                None => {
                    self.at = self.file.len();
                    return self.broken("");
                }
            }
        }
    }

    /// Reads a value that is a string; passes over any other.
    pub(super) fn string_or_skip(&mut self) -> Result<Option<Range<usize>>, Broken> {
        if self.peek() == Some(b'"') {
            return self.string().map(Some);
        }
        self.skip()?;
        Ok(None)
    }

    /// Passes over a value.
    pub(super) fn skip(&mut self) -> Result<(), Broken> {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.string()?;
                }
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') => {
                    if depth == 0 {
                        return self.broken("a value is missing");
                    }
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',' | b':') => {
                    if depth == 0 {
                        return self.broken("a value is missing");
                    }
                    self.at += 1;
                }
                Some(byte) if byte.is_ascii_alphanumeric() || byte == b'-' => {
                    while (self.file.get(self.at))
                        .is_some_and(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'+' | b'.'))
                    {
                        self.at += 1;
                    }
                }
                _ => return self.broken("what is no JSON"),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

/// A character of a string as it is spelled: `\"`, `\n`, `\u00e9`, two such for what is beyond 16 bits. Gives the
/// character and the number of bytes. What is no escape, or a broken one, gives its first byte's character as it stands.
pub(super) fn unescape(spelled: &[u8]) -> (char, usize) {
    let two = |character| (character, 2);
    match spelled {
        [b'\\', b'n', ..] => two('\n'),
        [b'\\', b't', ..] => two('\t'),
        [b'\\', b'r', ..] => two('\r'),
        [b'\\', b'b', ..] => two('\u{8}'),
        [b'\\', b'f', ..] => two('\u{c}'),
        [b'\\', sign @ (b'"' | b'\\' | b'/'), ..] => two(char::from(*sign)),
        [b'\\', b'u', rest @ ..] => {
            let Some(first) = unit(rest) else { return ('\\', 1) };
            if let [b'\\', b'u', low @ ..] = &rest[4..]
                && let Some(second) = unit(low)
                && let Some(Ok(character)) = char::decode_utf16([first, second]).next()
                && character.len_utf16() == 2
            {
                return (character, 12);
            }
            (
                char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER),
                6,
            )
        }
        [first, ..] => (char::from(*first), 1),
        [] => (' ', 0),
    }
}

fn unit(digits: &[u8]) -> Option<u16> {
    let digits = std::str::from_utf8(digits.get(..4)?).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{Scanner, unescape};

    #[test]
    fn values_are_passed_over_whatever_is_in_them() {
        for text in ["[{\"a\": [1, -2.5e+7, null]}, \"}\\\"]\"]", "\"x\"", "true", "{}", "[]"] {
            let padded = format!("{text} ,");
            let mut scanner = Scanner::new(padded.as_bytes());
            scanner.skip().unwrap();
            assert_eq!(scanner.at, text.len(), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(Scanner::new(deep.as_bytes()).skip(), Ok(()));
    }

    #[test]
    fn what_is_broken_says_where() {
        let reason = |text: &str| {
            let broken = Scanner::new(text.as_bytes()).skip().unwrap_err();
            (broken.at, broken.reason)
        };
        assert_eq!(reason("[1, \"ab"), (7, "the file ends in the middle"));
        assert_eq!(reason("[1, \"ab\\"), (8, "the file ends in the middle"));
        assert_eq!(reason("[;]"), (1, "what is no JSON"));
        assert_eq!(reason(", 1"), (0, "a value is missing"));
    }

    #[test]
    fn escapes_give_one_character_each() {
        for (spelled, character, length) in [
            ("\\\"x", '"', 2),
            ("\\u00e9x", 'é', 6),
            ("\\ud83d\\ude00", '😀', 12),
            ("\\ud83dx", char::REPLACEMENT_CHARACTER, 6),
            ("\\u12", '\\', 1),
            ("ab", 'a', 1),
        ] {
            assert_eq!(unescape(spelled.as_bytes()), (character, length), "{spelled}");
        }
    }
}
