//! What conditions say about the types of names.

use strata_lang::builder::{NewBinding, TYPE, VALUE};
use strata_model::facts::{BindSource, Expr, TypeExpr};
use strata_model::ids::{ExprId, TypeId};
use tree_sitter::Node;

use super::Walk;
use crate::python::grammar::Kind;

/// Most parts of a condition that are looked at.
const MAX_PARTS: u32 = 24;

impl<'t> Walk<'_, '_, 't> {
    /// Binds the names and places that a condition, when it holds, says to be instances of a type: `isinstance(x, T)`.
    pub(super) fn narrow(&mut self, condition: Node<'t>) {
        self.narrow_when(condition, true);
    }

    /// The same for a condition that is known not to hold: `if not isinstance(x, T): return`.
    pub(super) fn narrow_otherwise(&mut self, condition: Node<'t>) {
        self.narrow_when(condition, false);
    }

    fn narrow_when(&mut self, condition: Node<'t>, holds: bool) {
        let mut pending = vec![(condition, holds)];
        // Conditions with more parts than this are not written for a reader.
        for _ in 0..MAX_PARTS {
            let Some((condition, holds)) = pending.pop() else {
                return;
            };
            match self.kind(condition) {
                Kind::ParenthesizedExpression => pending.extend(self.part_of(condition, 0).map(|it| (it, holds))),
                Kind::NotOperator => pending.extend(self.part_of(condition, 0).map(|it| (it, !holds))),
                // All parts hold where `and` does, none where `or` does not.
                Kind::BooleanOperator if self.operator_is(condition, if holds { "and" } else { "or" }) => {
                    for side in [self.fields.left, self.fields.right] {
                        pending.extend(self.field(condition, side).map(|it| (it, holds)));
                    }
                }
                Kind::Call => {
                    if let Some((value, ty)) = self.instance_test(condition) {
                        self.narrow_value(value, ty, holds);
                    }
                }
                // A value that is not exactly of a class may be of a subclass.
                Kind::ComparisonOperator if holds => {
                    if let Some((value, ty)) = self.exact_test(condition) {
                        self.narrow_value(value, ty, true);
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn operator_is(&self, node: Node<'t>, operator: &str) -> bool {
        self.field(node, self.grammar.operator)
            .is_some_and(|it| self.b.text(it) == operator)
    }

    /// Binds a name or a place to what a test of its type says.
    fn narrow_value(&mut self, value: Node<'t>, ty: TypeId, holds: bool) {
        if self.kind(value) == Kind::Identifier {
            let name = self.text(value);
            self.narrow_name(&name, ty, holds);
            return;
        }
        if self.functions.is_empty() || self.place_text(value).is_none() {
            return;
        }
        let before = self.quietly(|walk| walk.expr(value));
        let narrowed = self.narrowed(before, ty, holds);
        self.narrow_place(value, narrowed);
    }

    pub(super) fn narrow_name(&mut self, name: &str, ty: TypeId, holds: bool) {
        let before = self.b.name(name);
        let narrowed = self.narrowed(before, ty, holds);
        let binding = NewBinding {
            is_narrowing: true,
            ..NewBinding::new(BindSource::Value(narrowed))
        };
        self.b.bind(name, binding);
    }

    fn narrowed(&mut self, before: ExprId, ty: TypeId, holds: bool) -> ExprId {
        let expr = if holds {
            Expr::Is(before, ty)
        } else {
            Expr::IsNot(before, ty)
        };
        self.shape(expr, &[before])
    }

    /// `isinstance(x, T)`, `issubclass(x, T)`: the value and the type that it is of.
    fn instance_test(&mut self, call: Node<'t>) -> Option<(Node<'t>, TypeId)> {
        let function = self.field(call, self.fields.function)?;
        let is_about_class = match self.b.text(function) {
            "isinstance" => false,
            "issubclass" => true,
            _ => return None,
        };
        let arguments = self.field(call, self.fields.arguments)?;
        let (value, class) = (self.part_of(arguments, 0)?, self.part_of(arguments, 1)?);
        if !matches!(self.kind(value), Kind::Identifier | Kind::Attribute) {
            return None;
        }
        let ty = self.quietly(|walk| walk.type_now(class));
        Some((value, if is_about_class { self.class_of(ty) } else { ty }))
    }

    /// `type(x) is T`, `type(x) == T`.
    fn exact_test(&mut self, comparison: Node<'t>) -> Option<(Node<'t>, TypeId)> {
        let (call, class) = (self.part_of(comparison, 0)?, self.part_of(comparison, 1)?);
        let function = self.field(call, self.fields.function)?;
        let is_test = self.kind(call) == Kind::Call
            && self.b.text(function) == "type"
            && matches!(self.kind(class), Kind::Identifier | Kind::Attribute)
            && matches!(self.b.slice(call.end_byte(), class.start_byte()).trim(), "is" | "==");
        let arguments = self.field(call, self.fields.arguments).filter(|_| is_test)?;
        let value = self.part_of(arguments, 0)?;
        if !matches!(self.kind(value), Kind::Identifier | Kind::Attribute) || self.part_of(arguments, 1).is_some() {
            return None;
        }
        Some((value, self.quietly(|walk| walk.annotation_inside(class))))
    }

    /// `type[T]`.
    fn class_of(&mut self, ty: TypeId) -> TypeId {
        let head = self.b.name_in("type", VALUE | TYPE);
        let head = self.b.ty(TypeExpr::Name(head));
        let run = self.b.type_run(&[ty]);
        self.b.ty(TypeExpr::App(head, run))
    }
}
