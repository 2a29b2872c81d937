//! Branches: which of several ways is taken, and what a test says about a value.

use strata_lang::builder::{NewBinding, VALUE};
use strata_model::facts::{BindSource, ScopeKind, TypeExpr};
use strata_model::ids::{ExprId, TypeId};

use super::kinds::{Field, Kind};
use super::patterns::Target;
use super::walk::{Breakable, Child, Walk};

impl<'t> Walk<'_, '_, 't> {
    /// `if … else if … else`; the chain is unrolled, for it may be long.
    pub(super) fn if_statement(&mut self, child: Child<'t>) {
        let mut at = child;
        let mut n_open = 0;
        let mut after = None;
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
                    after = Some((condition, false, tests));
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
                        if self.leaves(inner) && n_open == 1 {
                            after = Some((condition, true, tests));
                        }
                    }
                    break;
                }
            }
        }
        for _ in 0..n_open {
            self.builder.exit_arm();
            self.builder.end_branches(true);
        }
        // What leads on is the other way: `if (!(x instanceof A)) return;`.
        if let Some((condition, holds, tests)) = after {
            self.narrow_by(condition, holds, &tests);
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
        if let Some(condition) = condition {
            self.tests.extend_from_slice(tests);
            self.narrow(condition, holds);
            self.tests.clear();
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
        self.tests.clear();
        let Some(body) = body else { return };
        let tested_value = value.and_then(|value| self.inner(value.node));
        let mut labels = Vec::new();
        let mut all_labels = Vec::new();
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
                labels.push(tested);
                all_labels.push(tested);
            }
            if let Some(value) = tested_value {
                match case.kind {
                    Kind::SwitchCase => self.narrow_by_case(value, &labels, true),
                    _ => self.narrow_by_case(value, &all_labels, false),
                }
            }
            self.each_with_remark(parts, |walk, part| {
                if tested.is_none_or(|tested| tested.node != part.node) {
                    walk.statement(part);
                }
            });
            let last = self.last_named(parts);
            self.release(parts);
            // A case that does not leave goes on into the next one.
            if last.is_some_and(|last| tested.is_none_or(|tested| tested.node != last.node) && self.leaves(last)) {
                labels.clear();
            }
            self.builder.exit_arm();
        }
        self.release(cases);
        self.frame().depth -= 1;
        self.frame().breakables.pop();
        self.builder.end_branches(has_default);
        self.builder.exit_scope();
    }

    /// What the labels of a case say of the value that the `switch` is about; false: none of them is it.
    fn narrow_by_case(&mut self, value: Child<'t>, labels: &[Child<'t>], holds: bool) {
        if let Some((object, name)) = self.discriminant(value) {
            let name = self.builder.intern(name);
            let mut tests = Vec::new();
            for label in labels {
                let Some(value) = self.compared_with(*label) else {
                    return;
                };
                tests.push(self.builder.ty(TypeExpr::Indexed(value, name)));
            }
            self.narrow_to_one_of(object, &tests, holds);
        } else if value.kind == Kind::UnaryExpression {
            let children = self.children(value.node);
            let is_typeof = self.has(children, Kind::TypeofToken);
            let argument = self.field(children, Field::Argument);
            self.release(children);
            let Some(argument) = argument.filter(|_| is_typeof) else {
                return;
            };
            let mut tests = Vec::new();
            for label in labels {
                let name = self.string_text(label.node);
                let Some(test) = self.type_named_by_typeof(name) else {
                    return;
                };
                tests.push(test);
            }
            self.narrow_to_one_of(argument, &tests, holds);
        }
    }

    fn narrow_to_one_of(&mut self, value: Child<'t>, tests: &[TypeId], holds: bool) {
        match tests {
            [] => {}
            [only] => self.narrow_value(value, *only, holds),
            _ => {
                let run = self.builder.type_run(tests);
                let test = self.builder.ty(TypeExpr::Union(run));
                self.narrow_value(value, test, holds);
            }
        }
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
