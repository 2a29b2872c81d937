//! Text, strings and positions.

use strata_model::facts::{FileFacts, Problem};
use strata_model::ids::{Position, Span, StrId};
use strata_model::kinds::ParseStatus;

use super::{FactsBuilder, count};

impl<'s> FactsBuilder<'s> {
    /// The file's path below the root.
    #[must_use]
    pub fn path(&self) -> &'s str {
        self.path
    }

    /// The file's bytes.
    #[must_use]
    pub fn source(&self) -> &'s [u8] {
        self.source
    }

    /// The text of a node; the empty string where it is not UTF-8.
    #[must_use]
    pub fn text(&self, node: tree_sitter::Node<'_>) -> &'s str {
        self.slice(node.start_byte(), node.end_byte())
    }

    /// The text between two bytes; the empty string where it is not UTF-8.
    #[must_use]
    pub fn slice(&self, start: usize, end: usize) -> &'s str {
        self.source
            .get(start..end)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or("")
    }

    /// Puts a string into the file's table.
    pub fn intern(&mut self, text: &str) -> StrId {
        if let Some(id) = self.interned.get(text) {
            return *id;
        }
        let strings = &mut self.facts.strings;
        let id = StrId(count(strings.ends.len()));
        strings.text.push_str(text);
        strings.ends.push(count(strings.text.len()));
        self.interned.insert(text.into(), id);
        id
    }

    /// The text of an interned string.
    #[must_use]
    pub fn interned_text(&self, id: StrId) -> &str {
        self.facts.strings.get(id)
    }

    /// The bytes of a node.
    #[must_use]
    pub fn span(&self, node: tree_sitter::Node<'_>) -> Span {
        Span {
            start: count(node.start_byte()),
            end: count(node.end_byte()),
        }
    }

    /// Line and column of a byte.
    #[must_use]
    pub fn position(&self, byte: usize) -> Position {
        let byte = byte.min(self.source.len());
        let line = self.line_starts.partition_point(|start| *start as usize <= byte) - 1;
        let start = self.line_starts[line] as usize;
        let column = if self.is_ascii {
            byte - start
        } else {
            String::from_utf8_lossy(&self.source[start..byte])
                .encode_utf16()
                .count()
        };
        Position {
            line: count(line) + 1,
            column: count(column) + 1,
        }
    }

    /// Line and column where a node starts; cheaper than [`FactsBuilder::position`].
    #[must_use]
    pub fn at(&self, node: tree_sitter::Node<'_>) -> Position {
        if self.is_ascii {
            let point = node.start_position();
            Position {
                line: count(point.row) + 1,
                column: count(point.column) + 1,
            }
        } else {
            self.position(node.start_byte())
        }
    }

    /// Sets the status and remembers a problem.
    pub fn problem(&mut self, status: ParseStatus, byte: usize, message: impl Into<String>) {
        self.facts.parse_status = self.facts.parse_status.max(status);
        if self.facts.problems.len() < FileFacts::MAX_PROBLEMS {
            let position = self.position(byte);
            self.facts.problems.push(Problem {
                position,
                message: message.into(),
            });
        }
    }

    /// Sets bits of [`FileFacts::flags`].
    pub fn set_flag(&mut self, flag: u32) {
        self.facts.flags |= flag;
    }
}
