//! What conditions say about the values of names and members: `instanceof`, `typeof`, comparisons with a literal that tells the
//! members of a union apart, `in`, and functions that test a type.
//!
//! A test is a type of its own kind in [`Expr::Is`] and [`Expr::IsNot`]:
//!
//! - a plain type, for `instanceof` and `typeof`; a function type without parameters for `typeof x === "function"`;
//! - [`TypeExpr::Indexed`] of a literal or of a name: the member of that name has that value;
//! - [`TypeExpr::Indexed`] of nothing known: there is a member of that name;
//! - [`TypeExpr::Indexed`] of a call: what the function that is called says of the argument at that position.

use strata_lang::builder::{NewBinding, VALUE};
use strata_model::facts::{BindSource, Expr, Literal, TypeExpr};
use strata_model::ids::{ExprId, TypeId};

use super::kinds::{Field, Kind};
use super::walk::{Child, Walk};

/// Most arguments of a call that are looked at for a test.
const MAX_TESTED: usize = 4;

impl<'s, 't> Walk<'_, 's, 't> {
    /// Binds the names and members that a condition tells something about, when it holds or when it does not.
    pub(super) fn narrow(&mut self, condition: Child<'t>, holds: bool) {
        if !self.descend(condition.node) {
            return;
        }
        match condition.kind {
            Kind::ParenthesizedExpression => {
                if let Some(inner) = self.inner(condition.node) {
                    self.narrow(inner, holds);
                }
            }
            Kind::UnaryExpression => {
                let children = self.children(condition.node);
                let is_negation = self.has(children, Kind::NotToken);
                let argument = self.field(children, Field::Argument);
                self.release(children);
                if let Some(argument) = argument
                    && is_negation
                {
                    self.narrow(argument, !holds);
                }
            }
            Kind::BinaryExpression => self.narrow_by_operator(condition, holds),
            Kind::CallExpression => self.narrow_by_call(condition, holds),
            _ => {}
        }
        self.ascend();
    }

    fn narrow_by_operator(&mut self, condition: Child<'t>, holds: bool) {
        let children = self.children(condition.node);
        let left = self.field(children, Field::Left);
        let right = self.field(children, Field::Right);
        let operator = self.field(children, Field::Operator);
        self.release(children);
        let (Some(left), Some(right), Some(operator)) = (left, right, operator) else {
            return;
        };
        match operator.kind {
            Kind::AndToken if holds => {
                self.narrow(left, true);
                self.narrow(right, true);
            }
            Kind::OrToken if !holds => {
                self.narrow(left, false);
                self.narrow(right, false);
            }
            Kind::InstanceofToken => {
                if let Some(class) = self.walked(right) {
                    let test = self.builder.ty(TypeExpr::Name(class));
                    self.narrow_value(left, test, holds);
                }
            }
            _ => match self.text(operator.node) {
                "===" | "==" => self.narrow_by_comparison(left, right, holds),
                "!==" | "!=" => self.narrow_by_comparison(left, right, !holds),
                "in" if left.kind == Kind::String => {
                    let text = self.string_text(left.node);
                    let unknown = self.builder.ty(TypeExpr::Opaque);
                    let test = self.indexed(unknown, text);
                    self.narrow_value(right, test, holds);
                }
                _ => {}
            },
        }
    }

    /// `typeof x === "string"`, `x.kind === "a"`, and the same the other way round.
    fn narrow_by_comparison(&mut self, left: Child<'t>, right: Child<'t>, holds: bool) {
        for (tested, with) in [(left, right), (right, left)] {
            if tested.kind == Kind::UnaryExpression && with.kind == Kind::String {
                self.narrow_by_typeof(tested, self.string_text(with.node), holds);
                return;
            }
        }
        for (tested, with) in [(left, right), (right, left)] {
            if let Some((object, name)) = self.discriminant(tested)
                && let Some(value) = self.compared_with(with)
            {
                let test = self.indexed(value, name);
                self.narrow_value(object, test, holds);
                return;
            }
        }
    }

    fn narrow_by_typeof(&mut self, test: Child<'t>, name: &str, holds: bool) {
        let children = self.children(test.node);
        let is_typeof = self.has(children, Kind::TypeofToken);
        let argument = self.field(children, Field::Argument);
        self.release(children);
        if let Some(argument) = argument
            && is_typeof
            && let Some(ty) = self.type_named_by_typeof(name)
        {
            self.narrow_value(argument, ty, holds);
        }
    }

    /// The type that `typeof` gives this name to, where it is one type.
    pub(super) fn type_named_by_typeof(&mut self, name: &str) -> Option<TypeId> {
        let ty = match name {
            "string" => TypeExpr::Literal(Literal::Str),
            "number" => TypeExpr::Literal(Literal::Float),
            "boolean" => TypeExpr::Literal(Literal::Bool),
            "undefined" => TypeExpr::Literal(Literal::Null),
            "function" => TypeExpr::Fn(strata_model::ids::Run::default(), None),
            _ => return None,
        };
        Some(self.builder.ty(ty))
    }

    /// The object and the name of a member that a condition compares.
    pub(super) fn discriminant(&mut self, tested: Child<'t>) -> Option<(Child<'t>, &'s str)> {
        if tested.kind != Kind::MemberExpression {
            return None;
        }
        let children = self.children(tested.node);
        let object = self.field(children, Field::Object);
        let property = self.field(children, Field::Property);
        self.release(children);
        let name = self.text(property?.node);
        Some((object?, name))
    }

    /// The value that a member is compared with: a literal, or the name of one.
    pub(super) fn compared_with(&mut self, value: Child<'t>) -> Option<TypeId> {
        let literal = match value.kind {
            Kind::String => Some((Literal::Str, self.string_text(value.node))),
            Kind::Number => Some((Literal::Float, self.text(value.node))),
            Kind::True | Kind::False => Some((Literal::Bool, self.text(value.node))),
            _ => None,
        };
        if let Some((literal, text)) = literal {
            return Some(self.literal_type_of(literal, text));
        }
        if !matches!(value.kind, Kind::Identifier | Kind::MemberExpression) {
            return None;
        }
        let value = self.quiet_value(value)?;
        Some(self.builder.ty(TypeExpr::Name(value)))
    }

    /// The type of a literal with its text.
    pub(super) fn literal_type_of(&mut self, literal: Literal, text: &str) -> TypeId {
        let expr = self.builder.key(literal, text);
        self.builder.ty(TypeExpr::TypeOf(expr))
    }

    fn indexed(&mut self, of: TypeId, name: &str) -> TypeId {
        let name = self.builder.intern(name);
        self.builder.ty(TypeExpr::Indexed(of, name))
    }

    /// `isFoo(x)`, `Foo.is(x)`: what the function says of its arguments.
    fn narrow_by_call(&mut self, call: Child<'t>, holds: bool) {
        let Some(expr) = self.walked(call) else { return };
        self.narrow_arguments(call, expr, holds);
    }

    /// What a call says of its arguments by having a result, or by returning at all.
    pub(super) fn narrow_arguments(&mut self, call: Child<'t>, expr: ExprId, holds: bool) {
        let children = self.children(call.node);
        let arguments = self.field(children, Field::Arguments);
        self.release(children);
        let Some(arguments) = arguments else { return };
        let children = self.items(arguments.node);
        let mut tested = Vec::new();
        for at in children.range() {
            let argument = self.child(at);
            if argument.node.is_named() && !argument.kind.is_comment() {
                tested.push(argument);
            }
        }
        self.release(children);
        let whole = self.builder.ty(TypeExpr::TypeOf(expr));
        for (position, argument) in tested.into_iter().take(MAX_TESTED).enumerate() {
            if matches!(argument.kind, Kind::Identifier | Kind::MemberExpression) {
                let test = self.indexed(whole, &position.to_string());
                self.narrow_value(argument, test, holds);
            }
        }
    }

    /// Binds a name or a member to what a test says of it.
    pub(super) fn narrow_value(&mut self, value: Child<'t>, test: TypeId, holds: bool) {
        match value.kind {
            Kind::ParenthesizedExpression | Kind::NonNullExpression => {
                if let Some(inner) = self.inner(value.node) {
                    self.narrow_value(inner, test, holds);
                }
            }
            Kind::Identifier => {
                let text = self.text(value.node);
                let Some(scope) = self.declaring_scope(text) else {
                    return;
                };
                let before = self.builder.name(text);
                let narrowed = self.narrowed(before, test, holds);
                self.builder.bind(
                    text,
                    NewBinding {
                        is_narrowing: true,
                        namespace: VALUE,
                        scope: Some(scope),
                        ..NewBinding::new(BindSource::Value(narrowed))
                    },
                );
            }
            Kind::MemberExpression if self.is_in_function() => {
                if let Some(before) = self.quiet_value(value) {
                    let narrowed = self.narrowed(before, test, holds);
                    self.narrow_place(value, narrowed);
                }
            }
            _ => {}
        }
    }

    fn narrowed(&mut self, before: ExprId, test: TypeId, holds: bool) -> ExprId {
        self.shape(if holds {
            Expr::Is(before, test)
        } else {
            Expr::IsNot(before, test)
        })
    }

    /// The shape of a name or member that was walked before, without its references.
    pub(super) fn quiet_value(&mut self, value: Child<'t>) -> Option<ExprId> {
        match value.kind {
            Kind::Identifier => {
                let text = self.text(value.node);
                Some(self.builder.name(text))
            }
            Kind::This => Some(self.this()),
            Kind::NonNullExpression | Kind::ParenthesizedExpression => {
                let inner = self.inner(value.node)?;
                self.quiet_value(inner)
            }
            Kind::MemberExpression => {
                if !self.descend(value.node) {
                    return None;
                }
                let children = self.children(value.node);
                let object = self.field(children, Field::Object);
                let property = self.field(children, Field::Property);
                self.release(children);
                let of = object.and_then(|object| self.quiet_value(object));
                self.ascend();
                let name = self.text(property?.node);
                let member = self.member(of?, name);
                Some(self.read_place(value, member))
            }
            _ => None,
        }
    }

    /// The shape of a part of the condition at hand.
    fn walked(&self, part: Child<'t>) -> Option<ExprId> {
        let id = part.node.id();
        self.tests
            .iter()
            .rev()
            .find(|(test, _)| *test == id)
            .map(|(_, expr)| *expr)
    }
}
