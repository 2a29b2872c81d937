//! Documentation: docstrings, else the comment lines right above.

use strata_model::ids::DefId;
use tree_sitter::Node;

use super::Walk;
use super::strings;
use crate::python::grammar::Kind;

impl<'t> Walk<'_, '_, 't> {
    /// Takes the first statement of a body for documentation when it is a string.
    pub(super) fn docstring(&mut self, def: DefId, body: Node<'t>) {
        let Some(first) = self.part_of(body, 0) else { return };
        if self.kind(first) != Kind::ExpressionStatement {
            return;
        }
        let Some(string) = self.part_of(first, 0) else { return };
        if self.kind(string) == Kind::String {
            let doc = strings::clean(strings::content(self.b.text(string)));
            self.b.set_doc(def, &doc);
        }
    }

    /// Takes the comment lines that end on the line above a construct for documentation; a docstring, which comes later,
    /// replaces them.
    pub(super) fn comment_above(&mut self, def: DefId, node: Node<'t>) {
        let source = self.b.source();
        let before = source.get(..node.start_byte()).unwrap_or_default();
        if let Some(doc) = comment_before(before) {
            self.b.set_doc(def, &doc);
        }
    }
}

/// The comment lines at the end of `before`, which ends where a construct starts, when they are indented as it is.
fn comment_before(before: &[u8]) -> Option<String> {
    let line_start = before.iter().rposition(|byte| *byte == b'\n')?;
    let indent = before.get(line_start + 1..)?;
    if !indent.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let mut rest = &before[..line_start];
    let mut lines = Vec::new();
    loop {
        let start = rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let Some(comment) = rest[start..].strip_prefix(indent).and_then(|it| it.strip_prefix(b"#")) else {
            break;
        };
        let comment = String::from_utf8_lossy(comment);
        // A line of a string that looks like a comment.
        if comment.contains("\"\"\"") || comment.contains("'''") || (start == 0 && comment.starts_with('!')) {
            break;
        }
        let comment = comment.strip_prefix(':').unwrap_or(&comment).trim_end();
        lines.push(comment.strip_prefix(' ').unwrap_or(comment).to_owned());
        if start == 0 {
            break;
        }
        rest = &rest[..start - 1];
    }
    // Rules such as `# ------` say nothing.
    lines.retain(|line| line.is_empty() || line.chars().any(char::is_alphanumeric));
    lines.reverse();
    let doc = lines.join("\n").trim().to_owned();
    (!doc.is_empty()).then_some(doc)
}

#[cfg(test)]
mod tests {
    use super::comment_before;

    #[test]
    fn comment_lines_right_above_are_documentation() {
        assert_eq!(
            comment_before(b"x = 1\n# ---\n# One.\n#: Two.\n").as_deref(),
            Some("One.\nTwo.")
        );
    }

    #[test]
    fn a_blank_line_or_code_between_ends_the_comment() {
        assert_eq!(comment_before(b"# One.\n\n"), None);
        assert_eq!(comment_before(b"x = 1  # One.\n"), None);
    }

    #[test]
    fn a_comment_of_another_level_is_not_about_it() {
        assert_eq!(comment_before(b"    # One.\n"), None);
        assert_eq!(comment_before(b"    # One.\r\n    ").as_deref(), Some("One."));
    }
}
