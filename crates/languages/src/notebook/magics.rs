//! What IPython understands beyond Python: magics, shell lines, help. It is taken out so that the rest is Python.
//!
//! ```text
//! %%time                  the rest of the cell is Python
//! %%bash                  the rest of the cell is not
//! %matplotlib inline      gone
//! %timeit -n 10 run(x)    run(x)
//! files = !ls *.py        files = None
//! run?                    gone
//! ```

/// Cell magics whose cells are Python all the same.
const PYTHON_CELLS: &[&str] = &[
    "capture",
    "debug",
    "heat",
    "ipytest",
    "lprun",
    "memit",
    "mprun",
    "mypy",
    "notify",
    "prun",
    "px",
    "pyinstrument",
    "pytest",
    "run_pytest",
    "scalene",
    "snakeviz",
    "time",
    "timeit",
];
/// Line magics whose argument is Python.
const PYTHON_LINES: &[&str] = &["lprun", "memit", "mprun", "prun", "snakeviz", "time", "timeit"];
/// Options of these that take a value.
const OPTIONS_WITH_VALUE: &[&str] = &["-n", "-r", "-p", "-s", "-l", "-f", "-m", "-D", "-T", "-c", "-i", "-t"];

/// What is to be done with the text of a cell, piece after piece: the pieces make up the whole text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// These bytes are Python.
    Python(usize, usize),
    /// Something else that stands for what was taken out.
    Instead(&'static str),
}

/// Cuts a cell into what is Python and what is not. Line breaks are always kept as Python. At the end stands what closes
/// the brackets and strings that the cell leaves open, so that they do not swallow the next one.
pub(super) fn python_of(cell: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lexer = Lexer::default();
    let indentation = common_indentation(cell);
    let (mut at, mut is_first, mut is_shell_going_on) = (0, true, false);
    for line in cell.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let text = line.trim_end_matches(['\n', '\r']);
        let break_at = start + text.len();
        let trimmed = text.trim_start();
        if is_first && !trimmed.is_empty() {
            is_first = false;
            if let Some(magic) = text.strip_prefix("%%") {
                let name = magic.split_whitespace().next().unwrap_or("");
                if !PYTHON_CELLS.contains(&name) {
                    return parts;
                }
                parts.push(Part::Python(break_at, end));
                continue;
            }
        }
        let is_statement = lexer.is_between_statements();
        if is_shell_going_on || (is_statement && is_command(trimmed)) {
            let start_of_text = break_at - trimmed.len();
            let python = if is_shell_going_on {
                None
            } else {
                python_argument(trimmed)
            };
            match python {
                Some(offset) => {
                    let from = start_of_text + offset;
                    parts.push(Part::Python(
                        start + indentation.min(text.len() - trimmed.len()),
                        start_of_text,
                    ));
                    parts.push(Part::Python(from, end));
                    lexer.line(&cell[from..end]);
                }
                None => {
                    // An indented line may be all that its block has.
                    if text.len() - trimmed.len() > indentation && !is_shell_going_on {
                        parts.push(Part::Python(start + indentation, start_of_text));
                        parts.push(Part::Instead("pass"));
                    }
                    parts.push(Part::Python(break_at, end));
                    is_shell_going_on = text.ends_with('\\');
                }
            }
            continue;
        }
        let from = if is_statement && text.len() >= indentation {
            start + indentation.min(text.len() - trimmed.len())
        } else {
            start
        };
        match is_statement.then(|| command_as_value(text)).flatten() {
            Some(offset) => {
                parts.push(Part::Python(from, start + offset));
                parts.push(Part::Instead("None"));
                parts.push(Part::Python(break_at, end));
                is_shell_going_on = text.ends_with('\\');
            }
            None => {
                parts.push(Part::Python(from, end));
                lexer.line(line);
            }
        }
    }
    for closing in lexer.closings() {
        parts.push(Part::Instead(closing));
    }
    parts
}

/// The indentation of the first line with code, which IPython takes from every line.
fn common_indentation(cell: &str) -> usize {
    let first = cell.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    first.len() - first.trim_start_matches([' ', '\t']).len()
}

/// True for a line that is for IPython and not for Python: magics, shell, help.
fn is_command(line: &str) -> bool {
    let is_magic = |rest: &str| rest.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_' || it == '%');
    line.starts_with('!')
        || line.starts_with('?')
        || line.strip_prefix('%').is_some_and(is_magic)
        || (line.trim_end().ends_with('?')
            && line
                .trim_end()
                .trim_end_matches('?')
                .chars()
                .all(|it| it.is_alphanumeric() || matches!(it, '_' | '.' | '*' | '%' | '[' | ']')))
}

/// Where the Python argument of a magic starts: `%timeit -n 10 run()`.
fn python_argument(line: &str) -> Option<usize> {
    let rest = line.strip_prefix('%')?;
    let name = rest.split_whitespace().next()?;
    if !PYTHON_LINES.contains(&name) {
        return None;
    }
    let mut at = 1 + name.len();
    let mut takes_value = false;
    for word in line[at..].split_whitespace() {
        let start = at + line[at..].find(word)?;
        if takes_value {
            takes_value = false;
        } else if word.starts_with('-') && word.len() > 1 {
            takes_value = OPTIONS_WITH_VALUE.contains(&word);
        } else {
            return Some(start);
        }
        at = start + word.len();
    }
    None
}

/// Where the command of an assignment starts: `files = !ls`, `times = %timeit -o f()`.
fn command_as_value(line: &str) -> Option<usize> {
    let (target, value) = line.split_once('=')?;
    let value = value.trim_start();
    let is_target = !target.trim().is_empty()
        && target
            .chars()
            .all(|it| it.is_alphanumeric() || matches!(it, '_' | '.' | ',' | ' ' | '[' | ']' | '(' | ')'));
    let is_command = (value.starts_with('!') && !value.starts_with("!="))
        || (value.starts_with('%') && value[1..].starts_with(|it: char| it.is_ascii_alphabetic()));
    (is_target && is_command).then(|| line.len() - value.len())
}

/// Just enough of Python to tell whether a line starts a statement.
#[derive(Default)]
struct Lexer {
    brackets: Vec<u8>,
    /// The quotes of the string that is open over lines.
    string: Option<&'static str>,
    is_continued: bool,
}

impl Lexer {
    fn is_between_statements(&self) -> bool {
        self.brackets.is_empty() && self.string.is_none() && !self.is_continued
    }

    fn line(&mut self, line: &str) {
        let bytes = line.as_bytes();
        let mut at = 0;
        self.is_continued = false;
        while at < bytes.len() {
            let rest = &line.as_bytes()[at..];
            if let Some(quotes) = self.string {
                if rest[0] == b'\\' {
                    at += 2;
                } else if rest.starts_with(quotes.as_bytes()) {
                    self.string = None;
                    at += 3;
                } else {
                    at += 1;
                }
                continue;
            }
            match rest[0] {
                b'#' => return,
                b'\\' if matches!(rest, [_, b'\n' | b'\r', ..]) => self.is_continued = true,
                b'(' | b'[' | b'{' => self.brackets.push(rest[0]),
                b')' | b']' | b'}' => {
                    self.brackets.pop();
                }
                quote @ (b'"' | b'\'') => {
                    let quotes = if quote == b'"' { "\"\"\"" } else { "'''" };
                    if rest.starts_with(quotes.as_bytes()) {
                        self.string = Some(quotes);
                        at += 3;
                        continue;
                    }
                    at += 1 + short_string(&rest[1..], quote);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn closings(&self) -> Vec<&'static str> {
        let string = self.string.into_iter();
        let is_open = !self.brackets.is_empty() || self.string.is_some();
        // Past a comment at the end.
        let line = is_open.then_some("\n");
        let brackets = self.brackets.iter().rev().map(|bracket| match bracket {
            b'(' => ")",
            b'[' => "]",
            _ => "}",
        });
        string.chain(line).chain(brackets).collect()
    }
}

/// The length of what is left of a string that ends on its line, its last quote included.
fn short_string(rest: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            _ if *byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::{Part, python_of};

    #[track_caller]
    fn check(cell: &str, expected: &str) {
        let mut found = String::new();
        for part in python_of(cell) {
            match part {
                Part::Python(start, end) => found.push_str(&cell[start..end]),
                Part::Instead(text) => found.push_str(text),
            }
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn python_stays_as_it_is() {
        for cell in [
            "x = 1\nplot(x);\n",
            "a = b % c\nx = (1\n% 2)\n",
            "s = '''\n%time\n!ls\n'''\n",
            "y = x \\\n% 3\n",
            "if a != b: f('?')  # why?\n",
            "x['!'] = \"(\"\n",
            "def f():\n    return {\n        'a': 1,\n    }\n",
        ] {
            check(cell, cell);
        }
    }

    #[test]
    fn commands_are_taken_out_and_their_lines_stay() {
        check("%matplotlib inline\nx = 1\n", "\nx = 1\n");
        check("!pip install \\\n  a b\nx = 1", "\n\nx = 1");
        check("f?\nmod.f??\n?f\nx = 1", "\n\n\nx = 1");
        check("if x:\n    !ls\n", "if x:\n    pass\n");
        check("!ls", "");
    }

    #[test]
    fn python_inside_of_commands_stays() {
        check("%time f(x)\n", "f(x)\n");
        check("%timeit -n 10 -r3 g(f(x))\n", "g(f(x))\n");
        check("%timeit\n", "\n");
        check("files = !ls *.py\nx = 1", "files = None\nx = 1");
        check("t = %timeit -o f()\n", "t = None\n");
    }

    #[test]
    fn cell_magics_tell_what_the_cell_is() {
        check("%%time\nx = f()\n", "\nx = f()\n");
        check("\n%%capture out\nx = f()", "\n\nx = f()");
        check("%%bash\nls (\n", "");
        check("%%writefile a.py\nimport x\n", "");
    }

    #[test]
    fn what_a_cell_leaves_open_is_closed() {
        check("f(a, [b", "f(a, [b\n])");
        check("x = (1 # no", "x = (1 # no\n)");
        check("s = \"\"\"abc", "s = \"\"\"abc\"\"\"\n");
    }

    #[test]
    fn a_cell_that_is_indented_as_a_whole_is_not() {
        check("  x = 1\n  if x:\n    f()\n", "x = 1\nif x:\n  f()\n");
    }
}
