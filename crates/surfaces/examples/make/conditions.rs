//! Decides the conditions in stubs that ask for the version of Python or for the platform: newest, on Linux.
//!
//! A branch that is taken is moved out to the level of its `if`; the others go. Conditions that ask for something else
//! stay.

/// The version that `sys.version_info` is taken for.
const VERSION: (u32, u32) = (3, 14);

/// The text with its conditions decided.
pub(crate) fn newest_on_linux(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    block(&lines, 0, &mut out);
    out
}

/// Writes lines, `dedent` columns further to the left.
fn block(lines: &[&str], dedent: usize, out: &mut String) {
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let indent = indent_of(line);
        let Some(first) = line.trim_start().strip_prefix("if ").and_then(condition) else {
            out.push_str(line.get(dedent.min(indent)..).unwrap_or_default());
            out.push('\n');
            at += 1;
            continue;
        };
        let mut is_decided = false;
        let mut verdict = Some(first);
        while let Some(taken) = verdict {
            let start = at + 1;
            let mut end = start;
            while end < lines.len() && (says_nothing(lines[end]) || indent_of(lines[end]) > indent) {
                end += 1;
            }
            if taken && !is_decided {
                is_decided = true;
                let body = &lines[start..end];
                let inner = body
                    .iter()
                    .find(|line| !says_nothing(line))
                    .map_or(indent, |line| indent_of(line));
                block(body, dedent + inner - indent, out);
            }
            at = end;
            verdict = lines.get(at).filter(|line| indent_of(line) == indent).and_then(|line| {
                let line = line.trim_start();
                match line.strip_prefix("elif ") {
                    Some(rest) => Some(condition(rest).unwrap_or(true)),
                    None => line.starts_with("else:").then_some(true),
                }
            });
        }
    }
}

/// True for lines whose place decides nothing: empty ones and comments.
fn says_nothing(line: &str) -> bool {
    let text = line.trim();
    text.is_empty() || text.starts_with('#')
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// What a condition comes to; none when it asks for something else.
fn condition(text: &str) -> Option<bool> {
    let text = text.split(" #").next().unwrap_or(text).trim().strip_suffix(':')?;
    disjunction(text.trim())
}

fn disjunction(text: &str) -> Option<bool> {
    let mut any = false;
    for part in split_outside(text, " or ") {
        any |= conjunction(part)?;
    }
    Some(any)
}

fn conjunction(text: &str) -> Option<bool> {
    let mut all = true;
    for part in split_outside(text, " and ") {
        all &= atom(part.trim())?;
    }
    Some(all)
}

/// Splits where no bracket is open.
fn split_outside<'t>(text: &'t str, by: &str) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ if depth == 0 && at >= start && text[at..].starts_with(by) => {
                parts.push(&text[start..at]);
                start = at + by.len();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn atom(text: &str) -> Option<bool> {
    if let Some(inner) = text.strip_prefix("not ") {
        return atom(inner.trim()).map(|it| !it);
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        return disjunction(inner);
    }
    if let Some(rest) = text.strip_prefix("sys.version_info") {
        let (operator, version) = rest.trim().split_once(' ')?;
        let mut numbers = version
            .trim()
            .trim_matches(['(', ')'])
            .split(',')
            .filter_map(|it| it.trim().parse::<u32>().ok());
        let version = (numbers.next()?, numbers.next().unwrap_or(0));
        return match operator {
            ">=" => Some(VERSION >= version),
            ">" => Some(VERSION > version),
            "<" => Some(VERSION < version),
            "<=" => Some(VERSION <= version),
            "==" => Some(VERSION == version),
            _ => None,
        };
    }
    let rest = text.strip_prefix("sys.platform")?;
    if let Some(names) = rest.strip_prefix(".startswith(") {
        return Some(names.trim_matches([')', '"', '\'']) == "linux");
    }
    let (operator, name) = rest.trim().split_once(' ')?;
    let is_linux = name.trim().trim_matches(['"', '\'']) == "linux";
    match operator {
        "==" => Some(is_linux),
        "!=" => Some(!is_linux),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::newest_on_linux;

    #[test]
    fn the_branch_that_is_taken_moves_out() {
        let text = "class A:\n    if sys.version_info >= (3, 9):\n        def f(self): ...\n    else:\n        def g(self): ...\n    x: int\n";
        assert_eq!(newest_on_linux(text), "class A:\n    def f(self): ...\n    x: int\n");
    }

    #[test]
    fn conditions_nest_and_join() {
        let text = "if sys.platform != \"win32\":\n    if sys.version_info < (3, 9) or (sys.platform == \"linux\" and True):\n        a = 1\n    if sys.version_info >= (3, 99):\n        b = 1\n    elif sys.version_info >= (3, 10):\n        c = 1\n";
        assert_eq!(
            newest_on_linux(text),
            "if sys.version_info < (3, 9) or (sys.platform == \"linux\" and True):\n    a = 1\nc = 1\n"
        );
    }
}
