//! Branches: which of several ways is taken, and what a test says about a value.

use strata_lang::builder::{NewBinding, VALUE};
use strata_model::facts::{BindSource, ScopeKind, TypeExpr};
use strata_model::ids::ExprId;

use super::kinds::{Field, Kind};
use super::patterns::Target;
use super::walk::{Breakable, Child, Walk};

impl<'t> Walk<'_, '_, 't> {
    /// `if … else if … else`; the chain is unrolled, for it may be long.
    pub(super) fn if_statement(&mut self, child: Child<'t>) {
        let mut at = child;
        let mut n_open = 0;
        loop {
            self.frame().metrics.branches += 1;
            let children = self.children(at.node);
            let condition = self.field(children, Field::Condition);
            let consequence = self.field(children, Field::Consequence);
            let alternative = self.field(children, Field::Alternative);
            self.release(children);
            if let Some(condition) = condition {
                self.expression(condition);
            }
            let tests = std::mem::take(&mut self.tests);
            self.builder.begin_branches();
            n_open += 1;
            self.builder.enter_arm(false);
            self.narrow_by(condition, true, &tests);
            if let Some(consequence) = consequence {
                self.nested(consequence);
            }
            self.builder.exit_arm();
            let Some(alternative) = alternative else {
                self.builder.end_branches(false);
                n_open -= 1;
                if consequence.is_some_and(|it| self.leaves(it)) {
                    self.narrow_by(condition, false, &tests);
                }
                break;
            };
            self.builder.enter_arm(false);
            self.narrow_by(condition, false, &tests);
            let inner = if alternative.kind == Kind::ElseClause {
                self.inner(alternative.node)
            } else {
                Some(alternative)
            };
            match inner {
                Some(inner) if inner.kind == Kind::IfStatement => at = inner,
                inner => {
                    if let Some(inner) = inner {
                        self.nested(inner);
                    }
                    break;
                }
            }
        }
        for _ in 0..n_open {
            self.builder.exit_arm();
            self.builder.end_branches(true);
        }
    }

    /// True when a statement always leaves what it stands in.
    pub(super) fn leaves(&mut self, child: Child<'t>) -> bool {
        match child.kind {
            Kind::ReturnStatement | Kind::ThrowStatement | Kind::BreakStatement | Kind::ContinueStatement => true,
            Kind::StatementBlock => {
                let children = self.children(child.node);
                let last = self.last_named(children);
                self.release(children);
                last.is_some_and(|last| {
                    matches!(
                        last.kind,
                        Kind::ReturnStatement | Kind::ThrowStatement | Kind::BreakStatement | Kind::ContinueStatement
                    )
                })
            }
            _ => false,
        }
    }

    pub(super) fn narrow_by(&mut self, condition: Option<Child<'t>>, holds: bool, tests: &[(usize, ExprId)]) {
        if let Some(condition) = condition
            && !tests.is_empty()
        {
            self.tests.extend_from_slice(tests);
            self.narrow(condition, holds);
            self.tests.clear();
        }
    }

    /// Binds the names whose type a condition tells, when it holds or when it does not.
    pub(super) fn narrow(&mut self, condition: Child<'t>, holds: bool) {
        if self.tests.is_empty() {
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
            Kind::BinaryExpression => {
                let children = self.children(condition.node);
                let left = self.field(children, Field::Left);
                let right = self.field(children, Field::Right);
                let operator = self.field(children, Field::Operator).map_or(Kind::Other, |it| it.kind);
                self.release(children);
                let (Some(left), Some(right)) = (left, right) else {
                    return;
                };
                match operator {
                    Kind::AndToken if holds => {
                        self.narrow(left, true);
                        self.narrow(right, true);
                    }
                    Kind::OrToken if !holds => {
                        self.narrow(left, false);
                        self.narrow(right, false);
                    }
                    Kind::InstanceofToken if holds && left.kind == Kind::Identifier => {
                        let id = right.node.id();
                        let Some((_, class)) = self.tests.iter().find(|(test, _)| *test == id).copied() else {
                            return;
                        };
                        let hint = self.builder.ty(TypeExpr::Name(class));
                        let name = self.text(left.node);
                        self.builder.bind(
                            name,
                            NewBinding {
                                hint: Some(hint),
                                is_narrowing: true,
                                namespace: VALUE,
                                ..NewBinding::new(BindSource::Typed)
                            },
                        );
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    pub(super) fn switch(&mut self, child: Child<'t>) {
        let children = self.children(child.node);
        let value = self.field(children, Field::Value);
        let body = self.field(children, Field::Body);
        self.release(children);
        if let Some(value) = value {
            self.expression(value);
        }
        let Some(body) = body else { return };
        self.builder.enter_scope(ScopeKind::Block, None);
        self.builder.begin_branches();
        self.frame().breakables.push(Breakable::Switch);
        self.frame().depth += 1;
        let cases = self.children(body.node);
        let mut has_default = false;
        for at in cases.range() {
            let case = self.child(at);
            if !matches!(case.kind, Kind::SwitchCase | Kind::SwitchDefault) {
                continue;
            }
            has_default |= case.kind == Kind::SwitchDefault;
            self.frame().metrics.branches += 1;
            self.builder.enter_arm(false);
            let parts = self.children(case.node);
            let tested = self.field(parts, Field::Value);
            if let Some(tested) = tested {
                self.expression(tested);
            }
            self.each_with_remark(parts, |walk, part| {
                if tested.is_none_or(|tested| tested.node != part.node) {
                    walk.statement(part);
                }
            });
            self.release(parts);
            self.builder.exit_arm();
        }
        self.release(cases);
        self.frame().depth -= 1;
        self.frame().breakables.pop();
        self.builder.end_branches(has_default);
        self.builder.exit_scope();
    }

    pub(super) fn try_statement(&mut self, child: Child<'t>) {
        let children = self.children(child.node);
        let body = self.field(children, Field::Body);
        let handler = self.field(children, Field::Handler);
        let finalizer = self.field(children, Field::Finalizer);
        self.release(children);
        let metrics = &mut self.frame().metrics;
        metrics.tries += 1;
        metrics.branches += 1;
        match (body, handler) {
            (Some(body), Some(handler)) => {
                self.builder.begin_branches();
                self.builder.enter_arm(true);
                self.statement(body);
                self.builder.exit_arm();
                self.builder.enter_arm(false);
                self.catch(handler);
                self.builder.exit_arm();
                self.builder.end_branches(true);
            }
            (Some(body), None) => self.statement(body),
            (None, _) => {}
        }
        if let Some(finalizer) = finalizer {
            let children = self.children(finalizer.node);
            let body = self.field(children, Field::Body);
            self.release(children);
            if let Some(body) = body {
                self.statement(body);
            }
        }
    }

    pub(super) fn catch(&mut self, child: Child<'t>) {
        let children = self.children(child.node);
        let parameter = self.field(children, Field::Parameter);
        let ty = self.field(children, Field::Type);
        let body = self.field(children, Field::Body);
        self.release(children);
        self.builder.enter_scope(ScopeKind::Block, None);
        let hint = ty.and_then(|ty| self.annotation(ty));
        if let Some(parameter) = parameter {
            if parameter.kind == Kind::Identifier {
                let name = self.text(parameter.node);
                let source = if hint.is_some() {
                    BindSource::Typed
                } else {
                    BindSource::Opaque
                };
                self.bind(
                    name,
                    NewBinding {
                        hint,
                        namespace: VALUE,
                        ..NewBinding::new(source)
                    },
                );
            } else {
                let value = self.opaque();
                self.destructure(parameter, value, Target::Local);
            }
        }
        if let Some(body) = body {
            self.statements(body.node);
        }
        self.builder.exit_scope();
    }
}
