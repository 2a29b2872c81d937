//! Code that stands inside something else: cells of a notebook, scripts and templates of a component.
//!
//! A language whose files are no code themselves gives an [`Embedded`]: the code as one text that a grammar can parse,
//! and a [`PositionMap`] from that text back to the file. The extractor works on the code and never sees the file;
//! [`crate::FactsBuilder`] puts every span, line and column through the map, so that facts speak of the file alone.
//!
//! The text is written by a [`CodeWriter`] from three kinds of pieces. A *copy* is text of the file as it stands. An
//! *atom* is written differently in the file (`\"` in JSON, `user-card` for `UserCard`), and a place inside it is a place
//! at its start. *Glue* is in no file; a span that starts or ends in it is cut back to what is.

use std::ops::Range;

use strata_model::kinds::ParseStatus;

use crate::Language;

/// The code of a file that holds it inside something else.
pub struct Embedded {
    /// The code.
    pub text: Vec<u8>,
    /// Where it stands in the file.
    pub map: PositionMap,
    /// What parses it.
    pub grammar: tree_sitter::Language,
    /// The language that extracts it; none: the one that found it.
    pub language: Option<&'static dyn Language>,
    /// True when the file spells the code in an encoding of its own, so that slices of the file are not what a reader
    /// wants to see.
    pub is_encoded: bool,
    /// Where in the code each numbered part starts, in order: the cells of a notebook.
    pub parts: Vec<Part>,
    /// Where in the code what is rendered is named, in order.
    pub rendered: Vec<usize>,
    /// From where on the code is a template; its end when there is none.
    pub template: usize,
    /// True when the names in the template that nothing in it binds are members of the default export.
    pub is_template_of_object: bool,
    /// A sign before a name that means the value inside of what the name stands for.
    pub value_sign: Option<char>,
    /// What is wrong with the file around the code: how badly, at which byte of the file, and what.
    pub problems: Vec<(ParseStatus, usize, String)>,
}

/// A part of the code that has a number for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it starts in the code.
    pub start: usize,
    /// Its number, from 1.
    pub number: u32,
}

impl Embedded {
    /// What a writer has written, without parts, problems and a template.
    #[must_use]
    pub fn new(writer: CodeWriter<'_>, grammar: tree_sitter::Language) -> Self {
        Self {
            template: writer.text.len(),
            text: writer.text,
            map: writer.map,
            grammar,
            language: None,
            is_encoded: false,
            parts: Vec::new(),
            rendered: Vec::new(),
            is_template_of_object: false,
            value_sign: None,
            problems: Vec::new(),
        }
    }

    /// The number of the part that holds a place of the code.
    #[must_use]
    pub fn part_at(&self, code: usize) -> Option<u32> {
        let after = self.parts.partition_point(|part| part.start <= code);
        Some(self.parts[after.checked_sub(1)?].number)
    }
}

/// From places in the code to places in the file, and back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionMap {
    /// By place in the code.
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    code: usize,
    code_length: usize,
    file: usize,
    file_length: usize,
    /// True when it is written in the file as it is in the code.
    is_copy: bool,
}

impl PositionMap {
    /// The byte of the file at which what starts at a byte of the code starts.
    #[must_use]
    pub fn start(&self, code: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.code <= code);
        let Some(piece) = after.checked_sub(1).map(|at| self.pieces[at]) else {
            return self.pieces.first().map_or(0, |piece| piece.file);
        };
        let inside = code - piece.code;
        if inside < piece.code_length {
            return if piece.is_copy { piece.file + inside } else { piece.file };
        }
        match self.pieces.get(after) {
            Some(next) => next.file,
            None => piece.file + piece.file_length,
        }
    }

    /// The byte of the file at which what ends at a byte of the code ends.
    #[must_use]
    pub fn end(&self, code: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.code < code);
        let Some(piece) = after.checked_sub(1).map(|at| self.pieces[at]) else {
            return self.start(code);
        };
        if piece.is_copy {
            piece.file + (code - piece.code).min(piece.code_length)
        } else {
            piece.file + piece.file_length
        }
    }

    /// The byte of the code that stands at a byte of the file, or the next one that stands in the file at all. Only for
    /// maps that keep the order of the file.
    #[must_use]
    pub fn code_start(&self, file: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.file <= file);
        let Some(piece) = after.checked_sub(1).map(|at| self.pieces[at]) else {
            return self.pieces.first().map_or(0, |piece| piece.code);
        };
        let inside = file - piece.file;
        if inside < piece.file_length {
            return if piece.is_copy { piece.code + inside } else { piece.code };
        }
        match self.pieces.get(after) {
            Some(next) => next.code,
            None => piece.code + piece.code_length,
        }
    }

    /// The byte of the code at which what ends at a byte of the file ends. Only for maps that keep the order of the file.
    #[must_use]
    pub fn code_end(&self, file: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.file < file);
        let Some(piece) = after.checked_sub(1).map(|at| self.pieces[at]) else {
            return self.code_start(file);
        };
        if piece.is_copy {
            piece.code + (file - piece.file).min(piece.code_length)
        } else {
            piece.code + piece.code_length
        }
    }
}

/// Writes the code of a file.
pub struct CodeWriter<'f> {
    file: &'f [u8],
    text: Vec<u8>,
    map: PositionMap,
}

impl<'f> CodeWriter<'f> {
    /// Starts with nothing written.
    #[must_use]
    pub fn new(file: &'f [u8]) -> Self {
        Self {
            file,
            text: Vec::new(),
            map: PositionMap::default(),
        }
    }

    /// What has been written.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Where the next piece will stand.
    #[must_use]
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// True when nothing has been written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Writes bytes of the file as they stand.
    pub fn copy(&mut self, range: Range<usize>) {
        let Some(bytes) = self.file.get(range.clone()).filter(|bytes| !bytes.is_empty()) else {
            return;
        };
        let code = self.text.len();
        self.text.extend_from_slice(bytes);
        if let Some(last) = self.map.pieces.last_mut()
            && last.is_copy
            && last.code + last.code_length == code
            && last.file + last.file_length == range.start
        {
            last.code_length += bytes.len();
            last.file_length += bytes.len();
            return;
        }
        self.map.pieces.push(Piece {
            code,
            code_length: bytes.len(),
            file: range.start,
            file_length: bytes.len(),
            is_copy: true,
        });
    }

    /// Writes what the file spells otherwise in `range`.
    pub fn atom(&mut self, code: &str, range: Range<usize>) {
        if code.is_empty() {
            return;
        }
        self.map.pieces.push(Piece {
            code: self.text.len(),
            code_length: code.len(),
            file: range.start,
            file_length: range.len(),
            is_copy: false,
        });
        self.text.extend_from_slice(code.as_bytes());
    }

    /// Writes what is not in the file.
    pub fn glue(&mut self, code: &str) {
        self.text.extend_from_slice(code.as_bytes());
    }

    /// Takes back what was written from a byte on.
    pub fn truncate(&mut self, code: usize) {
        self.text.truncate(code);
        self.map.pieces.retain(|piece| piece.code < code);
        if let Some(last) = self.map.pieces.last_mut()
            && last.is_copy
        {
            last.code_length = last.code_length.min(code - last.code);
            last.file_length = last.code_length;
        }
    }

    /// The byte of the file at which what starts at a byte of the code starts.
    #[must_use]
    pub fn place(&self, code: usize) -> usize {
        self.map.start(code)
    }

    /// Ends a line, unless one has just ended.
    pub fn end_line(&mut self) {
        if self.text.last().is_some_and(|last| *last != b'\n') {
            self.text.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CodeWriter;

    #[test]
    fn places_lead_to_the_file_and_back() {
        // The code is `say("é")` and a line break that the file does not have.
        let file = br#"["say(\"\u00e9\")"]"#;
        let mut writer = CodeWriter::new(file);
        writer.copy(2..6);
        writer.atom("\"", 6..8);
        writer.atom("é", 8..14);
        writer.atom("\"", 14..16);
        writer.copy(16..17);
        writer.glue("\n");
        assert_eq!(writer.text(), "say(\"é\")\n".as_bytes());
        let map = writer.map;
        assert_eq!((map.start(0), map.end(3)), (2, 5));
        assert_eq!((map.start(4), map.end(5)), (6, 8));
        assert_eq!((map.start(5), map.end(7)), (8, 14));
        assert_eq!((map.start(8), map.end(9)), (16, 17));
        assert_eq!(map.end(10), 17);
        assert_eq!((map.code_start(0), map.code_start(2), map.code_end(5)), (0, 0, 3));
        assert_eq!((map.code_start(8), map.code_end(14)), (5, 7));
    }

    #[test]
    fn neighbours_become_one_piece() {
        let mut writer = CodeWriter::new(b"abcdef");
        writer.copy(0..2);
        writer.copy(2..4);
        writer.copy(5..6);
        assert_eq!(writer.map.pieces.len(), 2);
        writer.copy(9..12);
        assert_eq!(writer.text(), b"abcdf");
        writer.truncate(3);
        writer.copy(3..4);
        assert_eq!((writer.text(), writer.map.pieces.len()), (&b"abcd"[..], 1));
    }

    #[test]
    fn what_starts_or_ends_in_glue_is_cut_back_to_the_file() {
        let mut writer = CodeWriter::new(b"x y");
        writer.glue("(");
        writer.copy(0..1);
        writer.glue(")(");
        writer.copy(2..3);
        writer.glue(")");
        let map = writer.map;
        assert_eq!((map.start(0), map.end(3)), (0, 1));
        assert_eq!((map.start(3), map.end(6)), (2, 3));
        assert_eq!((map.start(5), map.end(0)), (3, 0));
    }
}
