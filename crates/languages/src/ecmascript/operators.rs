//! Operators: arithmetic, choices, `await` and `yield`.

use strata_model::facts::{Expr, Literal, Reference};
use strata_model::ids::ExprId;

use super::kinds::{Field, Kind};
use super::walk::{Child, Walk};

impl<'t> Walk<'_, '_, 't> {
    /// Operators with two operands. Chains lean to the left and may be thousands long, so the left side is unrolled.
    pub(super) fn binary(&mut self, child: Child<'t>) -> ExprId {
        let mut pending = Vec::new();
        let mut at = child;
        let first = loop {
            let children = self.children(at.node);
            let left = self.field(children, Field::Left);
            let right = self.field(children, Field::Right);
            let operator = self.field(children, Field::Operator).map_or(Kind::Other, |it| it.kind);
            self.release(children);
            pending.push((operator, right, left, at.node.id()));
            match left {
                Some(left) if left.kind == Kind::BinaryExpression => at = left,
                _ => break left,
            }
        };
        let mut value = match first {
            Some(first) if first.kind == Kind::PrivatePropertyIdentifier => self.opaque(),
            Some(first) => self.expression(first),
            None => self.opaque(),
        };
        while let Some((operator, right, left, _)) = pending.pop() {
            let Some(right) = right else { continue };
            value = match operator {
                Kind::AndToken => {
                    self.builder.begin_branches();
                    self.builder.enter_arm(false);
                    if let Some(left) = left {
                        self.narrow(left, true);
                    }
                    let right = self.expression(right);
                    self.builder.exit_arm();
                    self.builder.end_branches(false);
                    right
                }
                Kind::OrToken | Kind::CoalesceToken => {
                    self.builder.begin_branches();
                    self.builder.enter_arm(false);
                    if let Some(left) = left {
                        self.narrow(left, false);
                    }
                    let right = self.expression(right);
                    self.builder.exit_arm();
                    self.builder.end_branches(false);
                    self.shape(Expr::Either(value, right))
                }
                Kind::InstanceofToken => {
                    let id = right.node.id();
                    let right = self.expression(right);
                    self.tests.push((id, right));
                    self.literal(Literal::Bool)
                }
                Kind::PlusToken => {
                    let right = self.expression(right);
                    self.sum(value, right)
                }
                Kind::MinusToken | Kind::StarToken | Kind::DivideToken | Kind::RemainderToken => {
                    self.expression(right);
                    self.literal(Literal::Float)
                }
                _ => {
                    self.expression(right);
                    self.opaque()
                }
            };
        }
        value
    }

    pub(super) fn sum(&mut self, left: ExprId, right: ExprId) -> ExprId {
        let (left, right) = (self.builder.expr_at(left), self.builder.expr_at(right));
        if left == Expr::Lit(Literal::Str) || right == Expr::Lit(Literal::Str) {
            self.literal(Literal::Str)
        } else if left == Expr::Lit(Literal::Float) && right == Expr::Lit(Literal::Float) {
            self.literal(Literal::Float)
        } else {
            self.opaque()
        }
    }

    pub(super) fn unary(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let operator = self.field(children, Field::Operator).map_or(Kind::Other, |it| it.kind);
        let argument = self.field(children, Field::Argument);
        self.release(children);
        if let Some(argument) = argument {
            self.expression(argument);
        }
        match operator {
            Kind::NotToken => self.literal(Literal::Bool),
            Kind::TypeofToken => self.literal(Literal::Str),
            Kind::PlusToken | Kind::MinusToken | Kind::TildeToken => self.literal(Literal::Float),
            Kind::VoidToken => self.literal(Literal::Null),
            _ => self.opaque(),
        }
    }

    pub(super) fn update(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let argument = self.field(children, Field::Argument);
        self.release(children);
        if let Some(argument) = argument {
            self.store(argument);
        }
        self.literal(Literal::Float)
    }

    pub(super) fn ternary(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let condition = self.field(children, Field::Condition);
        let consequence = self.field(children, Field::Consequence);
        let alternative = self.field(children, Field::Alternative);
        self.release(children);
        if let Some(condition) = condition {
            self.expression(condition);
        }
        let tests = std::mem::take(&mut self.tests);
        self.builder.begin_branches();
        let mut arms = [None, None];
        for (at, arm) in [consequence, alternative].into_iter().enumerate() {
            let Some(arm) = arm else { continue };
            self.builder.enter_arm(false);
            self.tests.clone_from(&tests);
            if let Some(condition) = condition {
                self.narrow(condition, at == 0);
            }
            self.tests.clear();
            arms[at] = Some(self.expression(arm));
            self.builder.exit_arm();
        }
        self.builder.end_branches(true);
        match arms {
            [Some(then), Some(other)] => self.shape(Expr::Either(then, other)),
            [Some(one), None] | [None, Some(one)] => one,
            [None, None] => self.opaque(),
        }
    }

    pub(super) fn await_expression(&mut self, child: Child<'t>) -> ExprId {
        self.frame().metrics.awaits += 1;
        let Some(inner) = self.inner(child.node) else {
            return self.opaque();
        };
        let value = if inner.kind == Kind::CallExpression {
            if !self.descend(inner.node) {
                return self.opaque();
            }
            let value = self.call(inner, Reference::AWAITED);
            self.ascend();
            value
        } else {
            self.expression(inner)
        };
        self.shape(Expr::Await(value))
    }

    pub(super) fn yield_expression(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let is_delegating = self.has(children, Kind::StarToken);
        let value = self.first_named(children);
        self.release(children);
        if let Some(value) = value {
            let mut value = self.expression(value);
            if is_delegating {
                value = self.shape(Expr::Iter(value));
            }
            if let Some(def) = self.frame().def {
                self.builder.add_yield(def, value);
            }
        }
        self.opaque()
    }
}
