//! `__all__`: the names that a module says are its public ones.

use strata_model::facts::AllNames;
use tree_sitter::Node;

use super::{Walk, strings};
use crate::python::grammar::Kind;

impl<'t> Walk<'_, '_, 't> {
    /// `__all__.extend([…])`, `__all__.append("x")`.
    pub(super) fn extend_all(&mut self, node: Node<'t>) {
        if self.b.scope().0 != 0 || self.kind(node) != Kind::Call {
            return;
        }
        let (Some(function), Some(arguments)) = (
            self.field(node, self.fields.function),
            self.field(node, self.fields.arguments),
        ) else {
            return;
        };
        if matches!(self.b.text(function), "__all__.extend" | "__all__.append") {
            let mut more = Vec::new();
            self.each(arguments, |walk, child, _| more.push(walk.all_names(child)));
            for names in more {
                self.add_all_names(names);
            }
        }
    }

    pub(super) fn add_all_names(&mut self, more: AllNames) {
        match self.b.all_names_mut() {
            Some(all) => {
                all.names.extend(more.names);
                all.lists.extend(more.lists);
                all.is_dynamic |= more.is_dynamic;
            }
            None => self.b.set_all_names(more),
        }
    }

    /// The names that an expression adds to `__all__`.
    pub(super) fn all_names(&mut self, node: Node<'t>) -> AllNames {
        let mut all = AllNames {
            names: Vec::new(),
            lists: Vec::new(),
            is_dynamic: false,
        };
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            match self.kind(node) {
                Kind::String => {
                    let text = strings::content(self.b.text(node));
                    all.names.push(self.b.intern(text));
                }
                Kind::List
                | Kind::Tuple
                | Kind::ParenthesizedExpression
                | Kind::Set
                | Kind::ListSplat
                | Kind::BinaryOperator => {
                    let range = self.open(node);
                    pending.extend(self.kids[range.clone()].iter().rev().map(|(part, _)| *part));
                    self.close(&range);
                }
                Kind::Identifier | Kind::Attribute => {
                    let list = self.quietly(|walk| walk.expr(node));
                    all.lists.push(list);
                }
                _ => all.is_dynamic = true,
            }
        }
        all
    }
}
