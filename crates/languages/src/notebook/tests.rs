//! Positions lead back to the file, and what is wrong with a file is said.

use strata_extract::{Limits, extract};
use strata_lang::Language;
use strata_model::facts::FileFacts;
use strata_model::ids::{Position, Span};
use strata_model::kinds::ParseStatus;

use super::Notebook;

fn facts(text: &str) -> FileFacts {
    extract(&Notebook, "a.ipynb", text.as_bytes(), Limits::default())
}

/// A string of JSON as different writers spell it.
fn spelled(text: &str, is_ascii: bool) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            _ if is_ascii && !character.is_ascii() => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// A notebook of these cells: `is_split` for a string a line, else a string a cell.
fn notebook(cells: &[&str], is_split: bool, is_ascii: bool, line_break: &str) -> String {
    let cells: Vec<String> = cells
        .iter()
        .map(|cell| {
            let source = if is_split {
                let lines: Vec<String> = cell.split_inclusive('\n').map(|line| spelled(line, is_ascii)).collect();
                format!("[{line_break}{}]", lines.join(&format!(",{line_break}    ")))
            } else {
                spelled(cell, is_ascii)
            };
            format!("{{\"cell_type\": \"code\", \"source\": {source}, \"outputs\": [{{\"image/png\": \"aé==\"}}]}}")
        })
        .collect();
    format!(
        "{{\"cells\": [{}],{line_break} \"nbformat\": 4}}{line_break}",
        cells.join(&format!(",{line_break}"))
    )
}

fn position_of(text: &str, byte: usize) -> Position {
    let before = &text[..byte];
    let line = before.matches('\n').count() + 1;
    let column = before[before.rfind('\n').map_or(0, |at| at + 1)..]
        .encode_utf16()
        .count()
        + 1;
    Position {
        line: u32::try_from(line).unwrap(),
        column: u32::try_from(column).unwrap(),
    }
}

fn decoded(text: &str, span: Span) -> String {
    let spelled = &text[span.start as usize..span.end as usize];
    serde_json::from_str(&format!("\"{spelled}\"")).unwrap_or_else(|error| panic!("{spelled}: {error}"))
}

const CELLS: &[&str] = &[
    "import os as p\n%matplotlib inline\nclass Größe:\n\t\"\"\"Says \"hi\" \\ 😀.\"\"\"\n\tdef löse(self, x=\"é\"):\n\t\treturn self.löse(p.join(x, '\\n'))",
    "%%time\ng = Größe(); g.löse(\"😀\"); print(f\"{g.löse('ü')} \\t\")\n",
    "  @staticmethod\n  def später(names: 'list[Größe]'):\n    for n in names:\n      !ls\n      n.löse()\n",
    "%%html\n<b>Größe()</b>",
    "x = !ls\nspäter([Größe()])\ng.löse?\nopen_(",
    "später([g])",
];

#[test]
fn every_position_is_that_of_the_very_name_in_the_file() {
    let mut first: Option<Vec<String>> = None;
    for (is_split, is_ascii, line_break) in [
        (true, false, "\n"),
        (true, true, "\n"),
        (true, true, "\r\n"),
        (false, false, "\n"),
        (false, true, " "),
    ] {
        let text = notebook(CELLS, is_split, is_ascii, line_break);
        let facts = facts(&text);
        let mut names = Vec::new();
        for def in &facts.defs {
            assert_eq!(decoded(&text, def.name_span), facts.str(def.name));
            assert_eq!(position_of(&text, def.name_span.start as usize), def.name_at);
            assert_eq!(position_of(&text, def.span.start as usize), def.start);
            assert_eq!(position_of(&text, def.span.end as usize), def.end);
            names.push(facts.str(def.name).to_owned());
        }
        for reference in &facts.refs {
            assert_eq!(decoded(&text, reference.span), facts.str(reference.name));
            assert_eq!(position_of(&text, reference.span.start as usize), reference.at);
            names.push(facts.str(reference.name).to_owned());
        }
        assert!(names.len() >= 25, "{names:?}");
        assert!(names.iter().any(|name| name == "später"));
        let doc = facts.defs.iter().find_map(|def| def.doc).unwrap();
        assert_eq!(facts.str(doc), "Says \"hi\" \\ 😀.");
        assert_eq!(*first.get_or_insert_with(|| names.clone()), names);
    }
}

#[test]
fn the_code_has_a_way_back_for_every_span() {
    let text = notebook(CELLS, true, true, "\n");
    let embedded = Notebook.embedded(text.as_bytes()).unwrap();
    for def in &facts(&text).defs {
        let range =
            embedded.map.code_start(def.name_span.start as usize)..embedded.map.code_end(def.name_span.end as usize);
        let code = std::str::from_utf8(&embedded.text[range]).unwrap();
        assert_eq!(code, decoded(&text, def.name_span));
    }
    let numbers: Vec<u32> = embedded.parts.iter().map(|part| part.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
}

#[track_caller]
fn check_problem(text: &str, status: ParseStatus, message: &str) {
    let facts = facts(text);
    assert_eq!(facts.parse_status, status);
    let messages: Vec<&str> = facts.problems.iter().map(|it| it.message.as_str()).collect();
    assert!(messages.iter().any(|it| it.contains(message)), "{messages:?}");
}

#[test]
fn what_is_no_notebook_is_said() {
    for text in [
        "",
        "{",
        "{\"cells\": [",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"a\\",
    ] {
        check_problem(text, ParseStatus::Partial, "the file ends in the middle");
    }
    check_problem("[]", ParseStatus::Partial, "an object is missing");
    check_problem("{\"cells\": [}", ParseStatus::Partial, "a value is missing");
    check_problem("{}", ParseStatus::Failed, "it has no list of cells");
    check_problem("{\"cells\": {}}", ParseStatus::Failed, "it has no list of cells");
    let deep = format!("{{\"metadata\": {}{}}}", "[".repeat(200_000), "]".repeat(200_000));
    check_problem(&deep, ParseStatus::Failed, "it has no list of cells");
    assert_eq!(facts("\u{feff}{\"cells\": []}").parse_status, ParseStatus::Ok);
}

#[test]
fn a_kernel_of_another_language_is_said_or_read() {
    let of = |language: &str, source: &str| {
        format!(
            "{{\"cells\": [{{\"cell_type\": \"code\", \"source\": [{}]}}], \"metadata\": {{\"kernelspec\": {{\"language\": \
             \"{language}\"}}}}}}",
            spelled(source, false)
        )
    };
    check_problem(&of("R", "x <- 1"), ParseStatus::Failed, "`r` is not read");
    let facts = facts(&of("TypeScript", "const f = (x: number) => x;\nf(1)"));
    assert_eq!(
        (facts.language.as_str(), facts.parse_status),
        ("typescript", ParseStatus::Ok)
    );
    assert_eq!(facts.str(facts.defs[0].name), "f");
    assert_eq!(super::tests::facts(&of("python", "x = 1")).language, "notebook");
}

#[test]
fn the_limit_of_size_is_one_of_the_code() {
    let limits = Limits {
        code_bytes: 100,
        ..Limits::default()
    };
    let images = format!("{{\"cells\": [], \"x\": \"{}\"}}", "A".repeat(1_000_000));
    let found = extract(&Notebook, "a.ipynb", images.as_bytes(), limits);
    assert_eq!(found.parse_status, ParseStatus::Ok);
    let much = notebook(&[&"x = 1\n".repeat(100)], true, false, "\n");
    let found = extract(&Notebook, "a.ipynb", much.as_bytes(), limits);
    assert_eq!(found.parse_status, ParseStatus::Failed);
    assert!(found.problems[0].message.contains("too much code: 600 bytes"));
}
