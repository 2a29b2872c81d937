//! The cells of a notebook file, in formats 3 and 4, and the language that its kernel runs.

use std::ops::Range;

use super::json::{Broken, Scanner};

/// A code cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// Its number among all cells, from 1.
    pub(super) number: u32,
    /// Where the strings stand that make up its source, without their quotes.
    pub(super) source: Vec<Range<usize>>,
}

/// What of a notebook file is of interest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notebook {
    pub(super) cells: Vec<Cell>,
    /// The language as the kernel names it, in lower case; none where the file does not say.
    pub(super) language: Option<String>,
    /// True when there was a list of cells, empty or not.
    pub(super) has_cells: bool,
    /// Where reading ended early.
    pub(super) broken: Option<Broken>,
}

#[derive(Default)]
struct Names {
    of_info: Option<String>,
    of_kernel: Option<String>,
    of_cells: Option<String>,
}

/// Reads a notebook file. Of one that is broken, what stands before the break.
pub(super) fn read(file: &[u8]) -> Notebook {
    let mut notebook = Notebook::default();
    let mut names = Names::default();
    let mut n_cells = 0;
    let mut scanner = Scanner::new(file);
    let result = scanner.object(|scanner, key| match key {
        b"cells" => cells(scanner, file, &mut n_cells, &mut notebook, &mut names),
        // Format 3.
        b"worksheets" => scanner.array(|scanner| {
            scanner.object(|scanner, key| match key {
                b"cells" => cells(scanner, file, &mut n_cells, &mut notebook, &mut names),
                _ => scanner.skip(),
            })
        }),
        b"metadata" => metadata(scanner, file, &mut names),
        _ => scanner.skip(),
    });
    notebook.broken = result.err();
    notebook.language = names.of_info.or(names.of_kernel).or(names.of_cells);
    notebook
}

fn cells(
    scanner: &mut Scanner<'_>,
    file: &[u8],
    n_cells: &mut u32,
    notebook: &mut Notebook,
    names: &mut Names,
) -> Result<(), Broken> {
    if scanner.peek() != Some(b'[') {
        return scanner.skip();
    }
    notebook.has_cells = true;
    scanner.array(|scanner| {
        if scanner.peek() != Some(b'{') {
            return scanner.skip();
        }
        *n_cells += 1;
        let mut cell = Cell {
            number: *n_cells,
            source: Vec::new(),
        };
        let mut is_code = false;
        let read = scanner.object(|scanner, key| {
            match key {
                b"cell_type" => {
                    let kind = scanner.string_or_skip()?;
                    is_code = kind.is_some_and(|kind| &file[kind] == b"code");
                }
                // `input` in format 3.
                b"source" | b"input" => source(scanner, &mut cell)?,
                b"language" => {
                    let name = text(scanner, file)?;
                    names.of_cells = names.of_cells.take().or(name);
                }
                _ => scanner.skip()?,
            }
            Ok(())
        });
        // A cell that is cut off counts with what is there of it.
        if is_code {
            notebook.cells.push(cell);
        }
        read
    })
}

fn source(scanner: &mut Scanner<'_>, cell: &mut Cell) -> Result<(), Broken> {
    cell.source.clear();
    match scanner.peek() {
        Some(b'[') => scanner.array(|scanner| {
            cell.source.extend(scanner.string_or_skip()?);
            Ok(())
        }),
        _ => {
            cell.source.extend(scanner.string_or_skip()?);
            Ok(())
        }
    }
}

fn metadata(scanner: &mut Scanner<'_>, file: &[u8], names: &mut Names) -> Result<(), Broken> {
    if scanner.peek() != Some(b'{') {
        return scanner.skip();
    }
    scanner.object(|scanner, key| {
        let is_info = key == b"language_info";
        if !(is_info || key == b"kernelspec") || scanner.peek() != Some(b'{') {
            return scanner.skip();
        }
        scanner.object(|scanner, key| {
            match (is_info, key) {
                (true, b"name") => names.of_info = text(scanner, file)?,
                (false, b"language") => names.of_kernel = text(scanner, file)?,
                // The kernel's own name says it where nothing else does: `python3`, `ir`.
                (false, b"name") => {
                    let name = text(scanner, file)?;
                    names.of_kernel = names.of_kernel.take().or(name);
                }
                _ => scanner.skip()?,
            }
            Ok(())
        })
    })
}

/// A string's text in lower case; none where it is empty or the value is no string.
fn text(scanner: &mut Scanner<'_>, file: &[u8]) -> Result<Option<String>, Broken> {
    let range = scanner.string_or_skip()?;
    let text = range.map(|range| String::from_utf8_lossy(&file[range]).trim().to_ascii_lowercase());
    Ok(text.filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::read;

    fn cells(text: &str) -> Vec<(u32, Vec<&str>)> {
        let notebook = read(text.as_bytes());
        let cell = |cell: &super::Cell| (cell.number, cell.source.iter().map(|it| &text[it.clone()]).collect());
        notebook.cells.iter().map(cell).collect()
    }

    #[test]
    fn code_cells_are_found_in_both_formats_and_in_any_order_of_keys() {
        let four = r##"{"cells": [{"cell_type": "markdown", "source": ["# x"]},
            {"outputs": [{"data": {"source": "no"}}], "source": ["a\n", "b"], "cell_type": "code"},
            {"cell_type": "code", "source": "c"}, {"cell_type": "raw", "source": "d"}]}"##;
        assert_eq!(cells(four), [(2, vec!["a\\n", "b"]), (3, vec!["c"])]);
        let three = r#"{"worksheets": [{"cells": [{"cell_type": "code", "input": ["a"], "language": "python"}]},
            {"cells": [{"cell_type": "code", "input": "b"}]}]}"#;
        assert_eq!(cells(three), [(1, vec!["a"]), (2, vec!["b"])]);
        assert_eq!(read(three.as_bytes()).language.as_deref(), Some("python"));
    }

    #[test]
    fn the_kernel_says_the_language() {
        let language =
            |metadata: &str| read(format!("{{\"metadata\": {metadata}, \"cells\": []}}").as_bytes()).language;
        assert_eq!(
            language(r#"{"kernelspec": {"name": "python3"}}"#).as_deref(),
            Some("python3")
        );
        assert_eq!(
            language(r#"{"kernelspec": {"language": "R", "name": "ir"}}"#).as_deref(),
            Some("r")
        );
        let both = r#"{"language_info": {"name": "typescript"}, "kernelspec": {"name": "deno"}}"#;
        assert_eq!(language(both).as_deref(), Some("typescript"));
        assert_eq!(language("{}"), None);
        assert_eq!(language("7"), None);
    }

    #[test]
    fn what_stands_before_a_break_counts() {
        let text = r#"{"cells": [{"cell_type": "code", "source": ["a"]}, {"cell_type": "code", "source": ["b", "c"#;
        assert_eq!(cells(text), [(1, vec!["a"]), (2, vec!["b"])]);
        let broken = read(text.as_bytes()).broken.unwrap();
        assert_eq!((broken.at, broken.reason), (text.len(), "the file ends in the middle"));
        for text in ["", "[]", "7", "\"x\"", "{\"cells\": 3}", "{\"cells\": [3]}"] {
            assert_eq!(cells(text), [], "{text}");
        }
        assert!(!read(b"{\"cells\": 3}").has_cells);
    }
}
