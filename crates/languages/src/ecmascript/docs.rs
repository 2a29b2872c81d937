//! Comments before definitions: the documentation they hold.

use strata_model::ids::DefId;
use tree_sitter::Node;

use super::walk::{Remark, Walk};

/// Comments that speak to tools.
const DIRECTIVES: &[&str] = &[
    "eslint",
    "@ts-",
    "tslint",
    "prettier-ignore",
    "istanbul",
    "c8 ",
    "v8 ",
    "webpack",
    "@__PURE__",
    "#__PURE__",
    "biome-ignore",
    "global ",
    "globals ",
    "jshint",
    "oxlint",
    "<reference",
    "#region",
    "#endregion",
    "@license",
    "@preserve",
    "!",
];

impl<'t> Walk<'_, '_, 't> {
    /// Joins a comment with the line comments directly before it.
    pub(super) fn extend_remark(&self, before: Option<Remark<'t>>, comment: Node<'t>) -> Remark<'t> {
        let is_line = self.text(comment).starts_with("//");
        match before {
            Some(before)
                if is_line
                    && self.text(before.last).starts_with("//")
                    && before.last.end_position().row + 1 == comment.start_position().row =>
            {
                Remark {
                    first: before.first,
                    last: comment,
                }
            }
            _ => Remark {
                first: comment,
                last: comment,
            },
        }
    }

    /// Makes a comment the documentation of a definition, when it is meant for it: JSDoc always, other comments when
    /// they end on the line before.
    pub(super) fn document(&mut self, def: DefId, remark: Remark<'t>) {
        let text = self.builder.slice(remark.first.start_byte(), remark.last.end_byte());
        let is_jsdoc = text.starts_with("/**");
        let start = self.builder.def(def).start.line as usize;
        if !is_jsdoc && remark.last.end_position().row + 2 < start {
            return;
        }
        if is_jsdoc && !self.is_typescript && text.contains('@') {
            self.remarks.insert(def, remark);
        }
        let cleaned = clean(text);
        if DIRECTIVES.iter().any(|directive| cleaned.starts_with(directive)) {
            return;
        }
        self.builder.set_doc(def, &cleaned);
    }
}

/// A comment without its signs: lines trimmed, leading stars and slashes gone, empty lines at the ends dropped.
fn clean(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    if text.starts_with("//") {
        for line in text.lines() {
            lines.push(line.trim_start().trim_start_matches('/').trim());
        }
    } else {
        let inner = text.trim_start_matches('/').trim_start_matches('*');
        let inner = inner.strip_suffix("*/").unwrap_or(inner);
        for line in inner.lines() {
            let line = line.trim();
            lines.push(line.strip_prefix('*').unwrap_or(line).trim());
        }
    }
    let start = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let end = lines
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(start, |at| at + 1);
    lines[start..end].join("\n")
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn comment_signs_are_dropped() {
        assert_eq!(
            clean("/**\n * Does it.\n *\n * @returns x\n */"),
            "Does it.\n\n@returns x"
        );
        assert_eq!(clean("// one\n  // two"), "one\ntwo");
        assert_eq!(clean("/* a */"), "a");
    }
}
