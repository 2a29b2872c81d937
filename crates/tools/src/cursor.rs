//! Where the next part of an answer starts.
//!
//! A cursor holds the number of the next item and a fingerprint of everything that decides the list: the tool, its
//! arguments, the root and the state of the index. One that does not fit is outdated, which is an error and never a list
//! with holes.

use crate::error::ToolError;

/// The number of the item that a cursor points at.
pub(crate) fn parse_cursor(cursor: &str, fingerprint: u64, n_items: usize) -> Result<usize, ToolError> {
    let parsed = cursor
        .split_once('.')
        .and_then(|(start, known)| Some((start.parse::<usize>().ok()?, u64::from_str_radix(known, 16).ok()?)));
    match parsed {
        None => Err(ToolError::invalid(format!(
            "`{cursor}` is no cursor; pass the `next_cursor` of the last answer"
        ))),
        Some((start, known)) if known == fingerprint && start < n_items => Ok(start),
        Some(_) => Err(ToolError::invalid(
            "the cursor is outdated: the index or the arguments changed since; make the call without it",
        )),
    }
}

/// The cursor of an item.
pub(crate) fn write_cursor(start: usize, fingerprint: u64) -> String {
    format!("{start}.{fingerprint:016x}")
}

/// FNV-1a over texts: stable across versions and machines, and enough to tell lists apart.
pub(crate) fn fingerprint(texts: &[&str]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mut hash = OFFSET;
    for text in texts {
        // 0xff is in no UTF-8 text, so neighbours cannot trade characters.
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::{fingerprint, parse_cursor, write_cursor};

    #[test]
    fn a_cursor_fits_only_what_it_was_made_for() {
        let here = fingerprint(&["tool", "args", "state"]);
        let cursor = write_cursor(7, here);
        assert_eq!(parse_cursor(&cursor, here, 10), Ok(7));
        assert!(parse_cursor(&cursor, here, 7).unwrap_err().message.contains("outdated"));
        let other = fingerprint(&["tool", "argss", "tate"]);
        assert_ne!(here, other);
        assert!(
            parse_cursor(&cursor, other, 10)
                .unwrap_err()
                .message
                .contains("outdated")
        );
        assert!(
            parse_cursor("later", here, 10)
                .unwrap_err()
                .message
                .contains("is no cursor")
        );
    }
}
