//! What only the flow of function values asks for: assigned members and elements, keys, calls without call syntax.

use strata_model::facts::{Expr, Implicit, ImplicitKind, Literal};
use strata_model::ids::{ExprId, Run};

use super::FactsBuilder;

/// Longest literal that is kept as a key, in bytes.
const MAX_KEY: usize = 64;

impl FactsBuilder<'_> {
    /// Notes that a member or element gets a value. Values that can hold no function are left out.
    pub fn assigned(&mut self, target: ExprId, value: ExprId) {
        // What is known of it at this place of the text is what it held before.
        let mut target = target;
        while let Expr::Place(inner, _) | Expr::At(inner, _) = self.expr_at(target) {
            target = inner;
        }
        let is_place = matches!(self.expr_at(target), Expr::Member(..) | Expr::Index(..));
        if is_place && !matches!(self.expr_at(value), Expr::Opaque | Expr::Lit(_)) {
            self.facts.flow.assigned.push((target, value));
        }
    }

    /// A literal that is a key, with its text.
    pub fn key(&mut self, literal: Literal, text: &str) -> ExprId {
        let expr = self.push_expr(Expr::Lit(literal));
        if text.len() <= MAX_KEY {
            let text = self.intern(text);
            self.facts.flow.keys.push((expr, text));
        }
        expr
    }

    /// The keys of a dictionary literal, one for each of its values. Those of a literal without a value that could hold a
    /// function are not kept.
    pub fn dict_keys(&mut self, dict: ExprId, keys: &[ExprId]) {
        let Expr::Dict(values) = self.expr_at(dict) else { return };
        let holds_none = self.facts.expr_list[values.range()]
            .iter()
            .all(|value| matches!(self.facts.exprs[value.ix()], Expr::Opaque | Expr::Lit(_)));
        if values.len as usize == keys.len() && !holds_none {
            let run: Run = self.expr_run(keys);
            self.facts.flow.dict_keys.push((dict, run));
        }
    }

    /// Notes a place where the language calls something by itself.
    pub fn implicit(&mut self, kind: ImplicitKind, value: ExprId, node: tree_sitter::Node<'_>) {
        if matches!(
            self.expr_at(value),
            Expr::Opaque | Expr::Lit(_) | Expr::List(_) | Expr::Tuple(_) | Expr::Dict(_)
        ) {
            return;
        }
        let (owner, at) = (self.owner(), self.at(node));
        self.facts.flow.implicit.push(Implicit { kind, value, owner, at });
    }
}
