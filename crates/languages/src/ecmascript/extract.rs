//! The entry of the walk.

use strata_lang::FactsBuilder;
use strata_model::kinds::ParseStatus;
use tree_sitter::{Node, Tree};

use super::kinds::grammar_of;
use super::repair::repaired;
use super::walk::Walk;

/// Fills the builder from a tree of one of the three grammars.
pub(crate) fn extract(tree: &Tree, builder: &mut FactsBuilder<'_>, is_typescript: bool) {
    extract_and(tree, builder, is_typescript, |_, _| {});
}

/// The same, with something to do at the end of the walk.
pub(super) fn extract_and(
    tree: &Tree,
    builder: &mut FactsBuilder<'_>,
    is_typescript: bool,
    at_end: impl for<'t> FnOnce(&mut Walk<'_, '_, 't>, Node<'t>),
) {
    let again = repaired(builder.source(), tree, is_typescript);
    let tree = again.as_ref().unwrap_or(tree);
    let root = tree.root_node();
    if root.has_error() {
        note_first_error(root, builder);
    }
    let grammar = grammar_of(&tree.language());
    let mut walk = Walk::new(builder, grammar, is_typescript, root.walk());
    if root.is_error() {
        walk.anything_below(root, super::kinds::Kind::Error);
    } else {
        walk.find_own_exports(root);
        walk.statements(root);
    }
    at_end(&mut walk, root);
}

/// Follows the first child with an error down to where the text stops making sense.
fn note_first_error(root: Node<'_>, builder: &mut FactsBuilder<'_>) {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            break;
        }
        if !cursor.goto_first_child() {
            break;
        }
        let mut is_here = false;
        loop {
            let child = cursor.node();
            if child.has_error() || child.is_missing() {
                is_here = true;
                break;
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        if !is_here {
            break;
        }
    }
    let node = cursor.node();
    let message = if node.is_missing() {
        format!("syntax error: {} is missing", node.kind())
    } else {
        "syntax error".to_owned()
    };
    builder.problem(ParseStatus::Partial, node.start_byte(), message);
}
