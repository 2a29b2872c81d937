//! From bytes to text. Extraction reads UTF-8; whatever else a file holds is turned into it here.
//!
//! Whoever cuts source out of a file by the stored spans has to decode it by the same function: spans count the bytes of
//! the decoded text. For UTF-8, and for 8-bit encodings, these are the bytes of the file.

use std::borrow::Cow;

/// How many bytes are looked at to tell a binary file.
const BINARY_WINDOW: usize = 8 * 1024;
/// Stands for a byte that is not UTF-8. A letter, since such bytes are mostly letters of an 8-bit encoding; one byte
/// long, so that positions stay those of the file.
const REPLACEMENT: u8 = b'_';

/// The text of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text<'b> {
    /// The text, in UTF-8.
    pub bytes: Cow<'b, [u8]>,
    /// What had to be done to it, lower case, without a full stop.
    pub note: Option<String>,
}

/// Decodes the content of a file by its byte order mark, else as UTF-8. None for a binary file: a zero byte near the
/// start, in a file that does not say it is UTF-16.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<Text<'_>> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => Some(from_utf16(rest, u16::from_le_bytes, "UTF-16 (little endian)")),
        [0xfe, 0xff, rest @ ..] => Some(from_utf16(rest, u16::from_be_bytes, "UTF-16 (big endian)")),
        _ if bytes[..bytes.len().min(BINARY_WINDOW)].contains(&0) => None,
        _ => Some(from_utf8(bytes)),
    }
}

fn from_utf16<'b>(bytes: &[u8], unit: fn([u8; 2]) -> u16, name: &str) -> Text<'b> {
    let units = bytes.chunks(2).map(|pair| match *pair {
        [a, b] => unit([a, b]),
        _ => u16::from(REPLACEMENT),
    });
    let text: String = char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    Text {
        bytes: Cow::Owned(text.into_bytes()),
        note: Some(format!("read as {name}")),
    }
}

fn from_utf8(bytes: &[u8]) -> Text<'_> {
    let Err(mut error) = std::str::from_utf8(bytes) else {
        return Text {
            bytes: Cow::Borrowed(bytes),
            note: None,
        };
    };
    let mut text = bytes.to_vec();
    let (mut at, mut n_replaced) = (0, 0);
    loop {
        let start = at + error.valid_up_to();
        let end = error.error_len().map_or(text.len(), |len| start + len);
        text[start..end].fill(REPLACEMENT);
        n_replaced += end - start;
        at = end;
        match std::str::from_utf8(&text[at..]) {
            Ok(_) => break,
            Err(next) => error = next,
        }
    }
    Text {
        bytes: Cow::Owned(text),
        note: Some(format!("not UTF-8, {n_replaced} bytes were read as `_`")),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn text(bytes: &[u8]) -> Option<String> {
        decode(bytes).map(|text| String::from_utf8(text.bytes.into_owned()).unwrap())
    }

    #[test]
    fn utf8_is_borrowed_and_has_no_note() {
        let decoded = decode("déjà".as_bytes()).unwrap();
        assert!(matches!(decoded.bytes, std::borrow::Cow::Borrowed(_)));
        assert_eq!(decoded.note, None);
    }

    #[test]
    fn other_bytes_keep_the_length_of_the_text() {
        let decoded = decode(b"caf\xe9 = 1 # \xe0\xe8\n").unwrap();
        assert_eq!(decoded.bytes.as_ref(), b"caf_ = 1 # __\n");
        assert!(decoded.note.unwrap().contains('3'));
        assert_eq!(text(b"x = 1 # \xc3").unwrap(), "x = 1 # _");
    }

    #[test]
    fn byte_order_marks_tell_utf16() {
        assert_eq!(text(b"\xff\xfea\0=\0").unwrap(), "a=");
        assert_eq!(text(b"\xfe\xff\0a\0=").unwrap(), "a=");
    }

    #[test]
    fn a_zero_byte_makes_it_binary() {
        assert_eq!(decode(b"\x7fELF\0\0"), None);
        assert!(decode(b"").is_some());
    }
}
