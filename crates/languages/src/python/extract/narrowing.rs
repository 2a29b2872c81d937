//! What conditions say about the types of names.

use strata_lang::builder::{NewBinding, TYPE, VALUE};
use strata_model::facts::{BindSource, TypeExpr};
use strata_model::ids::TypeId;
use tree_sitter::Node;

use super::Walk;
use crate::python::grammar::Kind;

/// Most parts of a condition that are looked at.
const MAX_PARTS: u32 = 24;

impl<'t> Walk<'_, '_, 't> {
    /// Binds the names that a condition, when it holds, says to be instances of a type: `isinstance(x, T)`.
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
                Kind::Call if holds => {
                    if let Some((name, ty)) = self.instance_test(condition) {
                        self.narrow_name(&name, ty);
                    }
                }
                Kind::ComparisonOperator if holds => {
                    if let Some((name, ty)) = self.exact_test(condition) {
                        self.narrow_name(&name, ty);
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

    pub(super) fn narrow_name(&mut self, name: &str, ty: TypeId) {
        let binding = NewBinding {
            hint: Some(ty),
            is_narrowing: true,
            ..NewBinding::new(BindSource::Typed)
        };
        self.b.bind(name, binding);
    }

    /// `isinstance(x, T)`, `issubclass(x, T)`: the name and the type that it is of.
    fn instance_test(&mut self, call: Node<'t>) -> Option<(String, TypeId)> {
        let function = self.field(call, self.fields.function)?;
        let is_about_class = match self.b.text(function) {
            "isinstance" => false,
            "issubclass" => true,
            _ => return None,
        };
        let arguments = self.field(call, self.fields.arguments)?;
        let (value, class) = (self.part_of(arguments, 0)?, self.part_of(arguments, 1)?);
        if self.kind(value) != Kind::Identifier {
            return None;
        }
        let name = self.text(value);
        let ty = self.quietly(|walk| walk.type_now(class));
        Some((name, if is_about_class { self.class_of(ty) } else { ty }))
    }

    /// `type(x) is T`, `type(x) == T`.
    fn exact_test(&mut self, comparison: Node<'t>) -> Option<(String, TypeId)> {
        let (call, class) = (self.part_of(comparison, 0)?, self.part_of(comparison, 1)?);
        let function = self.field(call, self.fields.function)?;
        let is_test = self.kind(call) == Kind::Call
            && self.b.text(function) == "type"
            && matches!(self.kind(class), Kind::Identifier | Kind::Attribute)
            && matches!(self.b.slice(call.end_byte(), class.start_byte()).trim(), "is" | "==");
        let arguments = self.field(call, self.fields.arguments).filter(|_| is_test)?;
        let value = self.part_of(arguments, 0)?;
        if self.kind(value) != Kind::Identifier || self.part_of(arguments, 1).is_some() {
            return None;
        }
        let name = self.text(value);
        Some((name, self.quietly(|walk| walk.annotation_inside(class))))
    }

    /// `type[T]`.
    fn class_of(&mut self, ty: TypeId) -> TypeId {
        let head = self.b.name_in("type", VALUE | TYPE);
        let head = self.b.ty(TypeExpr::Name(head));
        let run = self.b.type_run(&[ty]);
        self.b.ty(TypeExpr::App(head, run))
    }
}
