//! Tags, their attributes, and the text between them.
//!
//! What browsers forgive is forgiven: nothing in a file makes reading it fail, and what is left open ends with the file.

use std::ops::Range;

use super::scan::length_in_brackets;

/// An attribute. Without a value, that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    pub(crate) name: Range<usize>,
    /// The value without its quotes; with its braces, where it is in braces.
    pub(crate) value: Option<Range<usize>>,
}

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// `<name …>`; `is_closed` for `<name … />`.
    Open {
        name: Range<usize>,
        attributes: Vec<Attribute>,
        is_closed: bool,
    },
    /// `</name>`
    Close { name: Range<usize> },
    /// What stands between tags.
    Text(Range<usize>),
    /// `{…}` without its braces, where braces have a meaning.
    Braces(Range<usize>),
}

/// Reads a file piece after piece.
pub(crate) struct Tags<'f> {
    file: &'f [u8],
    at: usize,
    /// True where braces hold code (Svelte).
    has_braces: bool,
}

impl<'f> Tags<'f> {
    pub(crate) fn new(file: &'f [u8], at: usize, has_braces: bool) -> Self {
        Self { file, at, has_braces }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'f [u8] {
        &self.file[self.at.min(self.file.len())..]
    }

    /// What stands up to the closing tag of an element, when its opening tag was just read. The closing tag is passed.
    pub(crate) fn raw(&mut self, name: &[u8]) -> Range<usize> {
        let start = self.at;
        let mut at = start;
        while let Some(step) = self.file[at..].windows(2).position(|it| it == b"</") {
            let tag = at + step;
            let after = tag + 2 + name.len();
            let is_it = (self.file.get(tag + 2..after)).is_some_and(|it| it.eq_ignore_ascii_case(name))
                && self.file.get(after).is_none_or(|it| !is_name_byte(*it));
            if is_it {
                let end = self.file[after..].iter().position(|it| *it == b'>');
                self.at = end.map_or(self.file.len(), |end| after + end + 1);
                return start..tag;
            }
            at = tag + 2;
        }
        self.at = self.file.len();
        start..self.file.len()
    }

    fn open(&mut self) -> Piece {
        let start = self.at + 1;
        let length = self.file[start..].iter().position(|it| !is_name_byte(*it));
        let name = start..length.map_or(self.file.len(), |length| start + length);
        self.at = name.end;
        let (mut attributes, mut is_closed) = (Vec::new(), false);
        loop {
            self.skip_space();
            match self.rest() {
                // At the end of the file, or where the tag was never closed and the next begins.
                [] | [b'<', ..] => break,
                [b'>', ..] => {
                    self.at += 1;
                    break;
                }
                [b'/', b'>', ..] => {
                    self.at += 2;
                    is_closed = true;
                    break;
                }
                [b'/', ..] => self.at += 1,
                _ => attributes.push(self.attribute()),
            }
        }
        Piece::Open {
            name,
            attributes,
            is_closed,
        }
    }

    fn skip_space(&mut self) {
        while self.rest().first().is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn attribute(&mut self) -> Attribute {
        let start = self.at;
        if self.has_braces && self.file[start] == b'{' {
            let value = self.braces();
            return Attribute {
                name: start..start,
                value: Some(value),
            };
        }
        let mut depth = 0_usize;
        while let Some(byte) = self.rest().first() {
            match byte {
                // `#[name]`, `:[key]`
                b'[' => depth += 1,
                b']' => depth = depth.saturating_sub(1),
                b'=' | b'>' if depth == 0 && self.at > start => break,
                b'/' if depth == 0 && self.rest().get(1) == Some(&b'>') => break,
                _ if depth == 0 && byte.is_ascii_whitespace() => break,
                _ => {}
            }
            self.at += 1;
        }
        let name = start..self.at;
        let before_space = self.at;
        self.skip_space();
        if self.rest().first() != Some(&b'=') {
            self.at = before_space;
            return Attribute { name, value: None };
        }
        self.at += 1;
        self.skip_space();
        let value = match self.rest() {
            [quote @ (b'"' | b'\''), ..] => self.quoted(*quote),
            [b'{', ..] if self.has_braces => self.braces(),
            _ => {
                let start = self.at;
                while self
                    .rest()
                    .first()
                    .is_some_and(|it| !it.is_ascii_whitespace() && *it != b'>')
                {
                    self.at += 1;
                }
                start..self.at
            }
        };
        Attribute {
            name,
            value: Some(value),
        }
    }

    fn quoted(&mut self, quote: u8) -> Range<usize> {
        self.at += 1;
        let start = self.at;
        while let Some(byte) = self.rest().first() {
            if *byte == quote {
                self.at += 1;
                return start..self.at - 1;
            }
            if *byte == b'{' && self.has_braces {
                self.braces();
            } else {
                self.at += 1;
            }
        }
        start..self.at
    }

    /// Goes to the next tag, or to the next brace where braces have a meaning. Elsewhere what stands between double braces
    /// belongs to the text whatever is in it.
    fn pass_text(&mut self) {
        loop {
            let double = !self.has_braces && self.rest().starts_with(b"{{");
            let length = double
                .then(|| self.rest().windows(2).position(|it| it == b"}}"))
                .flatten();
            self.at += length.map_or(1, |length| length + 2);
            match self.rest() {
                [] | [b'<', b'!' | b'?' | b'/', ..] => return,
                [b'<', byte, ..] if byte.is_ascii_alphabetic() => return,
                [b'{', ..] if self.has_braces => return,
                _ => {}
            }
        }
    }

    /// Code in braces, which stay. A brace that nothing closes is a character.
    fn braces(&mut self) -> Range<usize> {
        let start = self.at;
        let length = length_in_brackets(&self.file[start + 1..]).map_or(1, |length| length + 2);
        self.at = start + length;
        start..self.at
    }
}

impl Iterator for Tags<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        loop {
            let start = self.at;
            match self.rest() {
                [] => return None,
                [b'<', b'!', b'-', b'-', rest @ ..] => {
                    let length = rest.windows(3).position(|it| it == b"-->");
                    self.at = length.map_or(self.file.len(), |length| start + length + 7);
                }
                [b'<', b'!' | b'?', rest @ ..] => {
                    let length = rest.iter().position(|it| *it == b'>');
                    self.at = length.map_or(self.file.len(), |length| start + length + 3);
                }
                [b'<', b'/', ..] => {
                    let name = start + 2;
                    let length = self.file[name..].iter().position(|it| !is_name_byte(*it));
                    let end = length.map_or(self.file.len(), |length| name + length);
                    let close = self.file[end..].iter().position(|it| *it == b'>');
                    self.at = close.map_or(self.file.len(), |close| end + close + 1);
                    return Some(Piece::Close { name: name..end });
                }
                [b'<', byte, ..] if byte.is_ascii_alphabetic() => return Some(self.open()),
                [b'{', ..] if self.has_braces => {
                    let range = self.braces();
                    if range.len() >= 2 {
                        return Some(Piece::Braces(range.start + 1..range.end - 1));
                    }
                }
                _ => {
                    self.pass_text();
                    return Some(Piece::Text(start..self.at));
                }
            }
        }
    }
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.') || byte >= 0x80
}

/// True for elements that have no content and no closing tag.
pub(crate) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

#[cfg(test)]
mod tests {
    use super::{Piece, Tags};

    fn shown(text: &str, has_braces: bool) -> Vec<String> {
        Tags::new(text.as_bytes(), 0, has_braces)
            .map(|piece| match piece {
                Piece::Open {
                    name,
                    attributes,
                    is_closed,
                } => {
                    let mut out = format!("<{}", &text[name]);
                    for attribute in attributes {
                        let value = attribute.value.map_or("-", |value| &text[value]);
                        out.push_str(&format!(" {}={value}", &text[attribute.name]));
                    }
                    if is_closed {
                        out.push('/');
                    }
                    out
                }
                Piece::Close { name } => format!("</{}", &text[name]),
                Piece::Text(range) => text[range].to_owned(),
                Piece::Braces(range) => format!("{{{}", &text[range]),
            })
            .collect()
    }

    #[test]
    fn tags_have_attributes_of_every_spelling() {
        assert_eq!(
            shown(
                "<a-b :x = \"a > b\" @y.z='c' w=1 #[q r]=\"s\" v/><!-- <p> --></a-b >",
                false
            ),
            ["<a-b :x=a > b @y.z=c w=1 #[q r]=s v=-/", "</a-b"]
        );
        assert_eq!(
            shown(
                "<A x={a > '}'} {b} on:c={() => { d }} e=\"f {g('\"')} h\" {...i}>{j}</A>",
                true
            ),
            [
                "<A x={a > '}'} ={b} on:c={() => { d }} e=f {g('\"')} h ={...i}",
                "{j",
                "</A"
            ]
        );
    }

    #[test]
    fn what_is_left_open_ends_with_the_file() {
        for text in [
            "<", "<a", "<a x", "<a x=", "<a x=\"", "</", "</a", "<!--", "<!", "{", "a < b", "<a {", "<a x={",
        ] {
            for has_braces in [false, true] {
                assert!(shown(text, has_braces).len() < 3, "{text}");
            }
        }
        assert_eq!(shown("a { b", true), ["a ", " b"]);
    }

    #[test]
    fn signs_in_a_text_are_text() {
        assert_eq!(
            shown("{{ a < b }} 1 < 2 {{ '<b>' }}<i>", false),
            ["{{ a < b }} 1 < 2 {{ '<b>' }}", "<i"]
        );
    }
}
