//! Loops.

use strata_model::facts::{Expr, Literal, ScopeKind};

use super::kinds::{Field, Kind};
use super::patterns::Target;
use super::walk::{Breakable, Child, Walk};

impl<'t> Walk<'_, '_, 't> {
    pub(super) fn begin_loop(&mut self) {
        let frame = self.frame();
        frame.metrics.loops += 1;
        frame.metrics.branches += 1;
        frame.breakables.push(Breakable::Loop);
        self.builder.enter_loop();
    }

    pub(super) fn end_loop(&mut self) {
        self.builder.exit_loop();
        self.frame().breakables.pop();
    }

    pub(super) fn for_statement(&mut self, child: Child<'t>) {
        let children = self.children(child.node);
        let initializer = self.field(children, Field::Initializer);
        let condition = self.field(children, Field::Condition);
        let increment = self.field(children, Field::Increment);
        let body = self.field(children, Field::Body);
        self.release(children);
        self.builder.enter_scope(ScopeKind::Block, None);
        match initializer {
            Some(initializer) if initializer.kind.is_expression() => {
                self.expression(initializer);
            }
            Some(initializer) => self.statement(initializer),
            None => {}
        }
        self.begin_loop();
        for part in [condition, increment].into_iter().flatten() {
            match part.kind {
                Kind::ExpressionStatement => self.statement(part),
                _ if part.kind.is_expression() => {
                    self.expression(part);
                }
                _ => {}
            }
        }
        if let Some(body) = body {
            self.nested(body);
        }
        self.end_loop();
        self.builder.exit_scope();
    }

    /// `for (const x of xs)`, `for await`, `for (const key in object)`.
    pub(super) fn for_in(&mut self, child: Child<'t>) {
        let children = self.children(child.node);
        let left = self.field(children, Field::Left);
        let right = self.field(children, Field::Right);
        let body = self.field(children, Field::Body);
        let is_of = self.has(children, Kind::OfToken);
        let is_async = self.has(children, Kind::AwaitToken);
        let is_var = self.has(children, Kind::VarToken);
        let is_declared = self.field(children, Field::Kind).is_some();
        self.release(children);
        let value = match right {
            Some(right) => self.expression(right),
            None => self.opaque(),
        };
        let value = match (is_of, is_async) {
            (true, false) => self.shape(Expr::Iter(value)),
            (true, true) => self.shape(Expr::AsyncIter(value)),
            (false, _) => self.literal(Literal::Str),
        };
        self.builder.enter_scope(ScopeKind::Block, None);
        self.begin_loop();
        if let Some(left) = left {
            let target = match (is_declared, is_var) {
                (true, true) => Target::Var(self.builder.function_scope()),
                (true, false) => Target::Local,
                (false, _) => Target::Assigned,
            };
            self.destructure(left, value, target);
        }
        if let Some(body) = body {
            self.nested(body);
        }
        self.end_loop();
        self.builder.exit_scope();
    }

    pub(super) fn while_statement(&mut self, child: Child<'t>) {
        let children = self.children(child.node);
        let condition = self.field(children, Field::Condition);
        let body = self.field(children, Field::Body);
        self.release(children);
        self.begin_loop();
        if let Some(condition) = condition {
            self.expression(condition);
        }
        let tests = std::mem::take(&mut self.tests);
        self.narrow_by(condition, true, &tests);
        if let Some(body) = body {
            self.nested(body);
        }
        self.end_loop();
    }

    pub(super) fn do_statement(&mut self, child: Child<'t>) {
        let children = self.children(child.node);
        let body = self.field(children, Field::Body);
        let condition = self.field(children, Field::Condition);
        self.release(children);
        self.begin_loop();
        if let Some(body) = body {
            self.nested(body);
        }
        if let Some(condition) = condition {
            self.expression(condition);
        }
        self.tests.clear();
        self.end_loop();
    }
}
