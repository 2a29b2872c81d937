//! Text, strings and positions.

use strata_model::facts::{FileFacts, Problem};
use strata_model::ids::{Position, Span, StrId};
use strata_model::kinds::ParseStatus;

use super::{Around, FactsBuilder, count};
use crate::embedded::Embedded;

impl<'s> FactsBuilder<'s> {
    /// The file's path below the root.
    #[must_use]
    pub fn path(&self) -> &'s str {
        self.path
    }

    /// The code's bytes: the file's, unless the code stands inside something else.
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

    /// The code's surroundings, where it stands inside something else.
    #[must_use]
    pub fn embedded(&self) -> Option<&'s Embedded> {
        self.around.map(|around| around.embedded)
    }

    /// The bytes of a node, in the file.
    #[must_use]
    pub fn span(&self, node: tree_sitter::Node<'_>) -> Span {
        self.span_between(node.start_byte(), node.end_byte())
    }

    /// The bytes between two bytes of the code, in the file.
    #[must_use]
    pub fn span_between(&self, start: usize, end: usize) -> Span {
        let (start, end) = match self.around {
            None => (start, end),
            Some(Around { embedded, .. }) => {
                let first = embedded.map.start(start);
                (first, embedded.map.end(end).max(first))
            }
        };
        Span {
            start: count(start),
            end: count(end),
        }
    }

    /// Line and column of a byte at which something starts.
    #[must_use]
    pub fn position(&self, byte: usize) -> Position {
        self.position_in_file(match self.around {
            None => byte,
            Some(Around { embedded, .. }) => embedded.map.start(byte),
        })
    }

    /// Line and column where a node ends.
    pub(super) fn end_position(&self, node: tree_sitter::Node<'_>) -> Position {
        if self.is_direct {
            let point = node.end_position();
            return Position {
                line: count(point.row) + 1,
                column: count(point.column) + 1,
            };
        }
        self.position_in_file(self.span(node).end as usize)
    }

    pub(super) fn position_in_file(&self, byte: usize) -> Position {
        let file = self.around.map_or(self.source, |around| around.file);
        let byte = byte.min(file.len());
        let line = self.line_starts.partition_point(|start| *start as usize <= byte) - 1;
        let start = self.line_starts[line] as usize;
        let column = if self.is_ascii {
            byte - start
        } else {
            let (last_line, last_byte, last_column) = self.last_column.get();
            // A line may be as long as the file: what was counted before is not counted again.
            let (from, before) = if last_line == line && (start..=byte).contains(&last_byte) {
                (last_byte, last_column)
            } else {
                (start, 0)
            };
            let column = before + String::from_utf8_lossy(&file[from..byte]).encode_utf16().count();
            self.last_column.set((line, byte, column));
            column
        };
        Position {
            line: count(line) + 1,
            column: count(column) + 1,
        }
    }

    /// Line and column where a node starts; cheaper than [`FactsBuilder::position`].
    #[must_use]
    pub fn at(&self, node: tree_sitter::Node<'_>) -> Position {
        if self.is_direct {
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
        let position = self.position(byte);
        self.problem_at(status, position, message.into());
    }

    pub(super) fn problem_at(&mut self, status: ParseStatus, position: Position, message: String) {
        self.facts.parse_status = self.facts.parse_status.max(status);
        if self.facts.problems.len() < FileFacts::MAX_PROBLEMS {
            self.facts.problems.push(Problem { position, message });
        }
    }

    /// Sets bits of [`FileFacts::flags`].
    pub fn set_flag(&mut self, flag: u32) {
        self.facts.flags |= flag;
    }
}
