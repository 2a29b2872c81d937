//! Jupyter notebooks: the code cells as one module, in the order of the file.
//!
//! The code is Python unless the kernel says otherwise; what IPython adds to Python is taken out ([`magics`]). All
//! positions are those in the `.ipynb` file: the line and column at which the name stands in its JSON string. Outputs
//! are never looked at.

mod cells;
mod json;
mod magics;
#[cfg(test)]
mod tests;

use std::ops::Range;

use strata_lang::embedded::Part;
use strata_lang::{CodeWriter, Embedded, FactsBuilder, Language, ModuleResolver, Policy, Workspace};
use strata_model::kinds::ParseStatus;
use tree_sitter::{Parser, Tree};

use crate::javascript::JavaScript;
use crate::python::Python;
use crate::typescript::TypeScript;

/// Names that IPython adds to the builtins.
const BUILTINS: &[&str] = &["In", "Out", "display", "exit", "get_ipython", "quit"];

/// Jupyter notebooks.
pub struct Notebook;

impl Language for Notebook {
    fn name(&self) -> &'static str {
        "notebook"
    }

    fn suffixes(&self) -> &'static [&'static str] {
        &[".ipynb"]
    }

    fn grammar(&self, path: &str) -> tree_sitter::Language {
        Python.grammar(path)
    }

    fn embedded(&self, text: &[u8]) -> Option<Embedded> {
        Some(code_of(text))
    }

    fn is_mostly_data(&self) -> bool {
        true
    }

    fn code_languages(&self) -> &'static [&'static dyn Language] {
        &[&JavaScript, &TypeScript]
    }

    fn extractor_version(&self) -> u32 {
        // Whatever changes the facts of a language changes those of its notebooks.
        Python.extractor_version() + TypeScript.extractor_version() + 100 * VERSION
    }

    fn policy(&self) -> &'static Policy {
        Python.policy()
    }

    fn extract(&self, tree: &Tree, builder: &mut FactsBuilder<'_>) {
        Python.extract(tree, builder);
    }

    fn config_files(&self) -> &'static [&'static str] {
        Python.config_files()
    }

    fn module_resolver<'w>(&self, workspace: &'w Workspace) -> Box<dyn ModuleResolver + 'w> {
        Python.module_resolver(workspace)
    }

    fn module_segments(&self, path_in_package: &str) -> Vec<String> {
        let stem = path_in_package.strip_suffix(".ipynb").unwrap_or(path_in_package);
        Python.module_segments(stem)
    }

    fn is_test_path(&self, path: &str) -> bool {
        Python.is_test_path(path)
    }

    fn is_builtin(&self, name: &str) -> bool {
        BUILTINS.binary_search(&name).is_ok() || Python.is_builtin(name)
    }

    fn line_comment(&self) -> &'static str {
        Python.line_comment()
    }

    fn family(&self) -> &'static str {
        Python.family()
    }
}

/// Version of what is done before Python's extractor begins.
const VERSION: u32 = 1;

fn code_of(file: &[u8]) -> Embedded {
    let notebook = cells::read(file);
    let language = notebook.language.as_deref().unwrap_or("python");
    let code_language: Option<&'static dyn Language> = match language {
        "javascript" | "js" | "node" | "nodejs" => Some(&JavaScript),
        "typescript" | "ts" | "deno" | "tslab" => Some(&TypeScript),
        _ if is_python(language) => Some(&Python),
        _ => None,
    };
    let mut problems = Vec::new();
    let is_usable = notebook.has_cells && code_language.is_some();
    match &notebook.broken {
        Some(broken) => {
            let message = format!("no whole notebook: {}", broken.reason);
            problems.push((ParseStatus::Partial, broken.at, message));
        }
        None if !notebook.has_cells => {
            problems.push((
                ParseStatus::Failed,
                0,
                "no notebook: it has no list of cells".to_owned(),
            ));
        }
        None => {}
    }
    if code_language.is_none() {
        let message = format!("the kernel's language `{language}` is not read");
        problems.push((ParseStatus::Failed, 0, message));
    }
    let code_language = code_language.unwrap_or(&Python);
    let is_python = code_language.name() == Python.name();
    let mut writer = CodeWriter::new(file);
    let mut parts = Vec::new();
    let mut parser = Parser::new();
    // Without a grammar nothing parses, and nothing is unfinished.
    let _ = parser.set_language(&code_language.grammar(""));
    for cell in notebook.cells.iter().filter(|_| is_usable) {
        parts.push(Part {
            start: writer.len(),
            number: cell.number,
        });
        let number = cell.number;
        let cell = CellText::new(file, &cell.source);
        if is_python {
            for part in magics::python_of(&cell.text) {
                match part {
                    magics::Part::Python(start, end) => cell.write(start..end, &mut writer),
                    magics::Part::Instead(text) => writer.glue(text),
                }
            }
        } else {
            cell.write(0..cell.text.len(), &mut writer);
        }
        writer.end_line();
        let start = parts[parts.len() - 1].start;
        if let Some(broken) = unfinished_end(&writer.text()[start..], &mut parser) {
            let message = format!("cell {number}: syntax error, the end of the cell is left out");
            problems.push((ParseStatus::Partial, writer.place(start + broken), message));
            writer.truncate(start + broken);
        }
    }
    let mut embedded = Embedded::new(writer, code_language.grammar(""));
    embedded.language = Some(code_language);
    embedded.is_encoded = true;
    embedded.parts = parts;
    embedded.problems = problems;
    embedded
}

/// Where the last lines of a cell start that keep the rest of it from being parsed, such as the `for x in` of a sketch:
/// they would swallow the cell that follows. None where the cell is whole, or broken elsewhere.
fn unfinished_end(code: &[u8], parser: &mut Parser) -> Option<usize> {
    const MAX_LINES: usize = 3;
    let mut is_broken = |code: &[u8]| {
        parser
            .parse(code, None)
            .is_some_and(|tree| tree.root_node().has_error())
    };
    if !is_broken(code) {
        return None;
    }
    let mut end = code.len();
    for _ in 0..MAX_LINES {
        let before = code[..end].strip_suffix(b"\n").unwrap_or(&code[..end]);
        end = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if !is_broken(&code[..end]) {
            return Some(end);
        }
    }
    None
}

fn is_python(language: &str) -> bool {
    let kernels = [
        "python",
        "ipython",
        "conda",
        "pyodide",
        "xpython",
        "xeus-python",
        "sage",
    ];
    kernels.iter().any(|kernel| language.starts_with(kernel))
}

/// The text of a cell, and where its characters stand.
struct CellText {
    text: String,
    /// Start in the text, start and end in the file, of runs of plain text and of single escapes.
    pieces: Vec<(usize, Range<usize>)>,
}

impl CellText {
    fn new(file: &[u8], strings: &[Range<usize>]) -> Self {
        let mut cell = Self {
            text: String::new(),
            pieces: Vec::new(),
        };
        for string in strings {
            let mut at = string.start;
            while at < string.end {
                let rest = &file[at..string.end];
                let n_plain = rest.iter().position(|byte| *byte == b'\\').unwrap_or(rest.len());
                let length = if n_plain > 0 {
                    cell.pieces.push((cell.text.len(), at..at + n_plain));
                    cell.text.push_str(&String::from_utf8_lossy(&rest[..n_plain]));
                    n_plain
                } else {
                    let (character, length) = json::unescape(rest);
                    cell.pieces.push((cell.text.len(), at..at + length));
                    cell.text.push(character);
                    length
                };
                at += length;
            }
        }
        cell
    }

    /// Writes a range of the text.
    fn write(&self, range: Range<usize>, writer: &mut CodeWriter<'_>) {
        let first = self
            .pieces
            .partition_point(|(start, _)| *start <= range.start)
            .saturating_sub(1);
        for (index, (start, file)) in self.pieces.iter().enumerate().skip(first) {
            let end = self.pieces.get(index + 1).map_or(self.text.len(), |next| next.0);
            let (from, to) = ((*start).max(range.start), end.min(range.end));
            if *start >= range.end {
                break;
            }
            if from >= to {
                continue;
            }
            if end - start == file.len() {
                writer.copy(file.start + (from - start)..file.start + (to - start));
            } else {
                writer.atom(&self.text[from..to], file.clone());
            }
        }
    }
}
