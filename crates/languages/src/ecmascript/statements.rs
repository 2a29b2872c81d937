//! Statements: the order of execution, branches and loops, and what a test says about a value.

use strata_lang::builder::{NewBinding, VALUE};
use strata_lang::flow::Jump;
use strata_model::facts::{BindSource, DefFlags, Expr, Literal, ScopeKind, TypeExpr};
use strata_model::ids::ExprId;
use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::patterns::Target;
use super::walk::{Breakable, Child, Children, Remark, Walk};

impl<'s, 't> Walk<'_, 's, 't> {
    /// Walks the statements that are children of a node, each with the comment before it.
    pub(super) fn statements(&mut self, node: Node<'t>) {
        let children = self.items(node);
        self.frame().depth += 1;
        self.each_with_remark(children, |walk, child| {
            if child.node.is_named() {
                walk.statement(child);
            }
        });
        self.frame().depth -= 1;
        self.release(children);
    }

    /// Calls `visit` for each child that is no comment, with the comment that documents it at hand.
    pub(super) fn each_with_remark(&mut self, children: Children, mut visit: impl FnMut(&mut Self, Child<'t>)) {
        let mut remark: Option<Remark<'t>> = None;
        for at in children.range() {
            let child = self.child(at);
            if child.kind.is_comment() {
                remark = Some(self.extend_remark(remark, child.node));
                self.typedefs(child.node);
                continue;
            }
            if !child.node.is_named() {
                continue;
            }
            if child.kind == Kind::Decorator {
                // A decorator of the member that follows; the comment before it belongs to that member.
                visit(self, child);
                continue;
            }
            self.remark = remark.take();
            visit(self, child);
            self.remark = None;
        }
    }

    /// Walks one statement.
    pub(super) fn statement(&mut self, child: Child<'t>) {
        if !self.descend(child.node) {
            return;
        }
        if !matches!(child.kind, Kind::StatementBlock | Kind::EmptyStatement) {
            let frame = self.frame();
            frame.metrics.statements += 1;
            frame.metrics.max_depth = frame.metrics.max_depth.max(frame.depth);
        }
        self.statement_inside(child);
        self.ascend();
    }

    fn statement_inside(&mut self, child: Child<'t>) {
        let none = DefFlags::default();
        match child.kind {
            Kind::ExpressionStatement => {
                if let Some(inner) = self.inner(child.node) {
                    self.expression_statement(inner);
                }
            }
            Kind::LexicalDeclaration | Kind::VariableDeclaration | Kind::UsingDeclaration => {
                self.variables(child, child.node, none);
            }
            Kind::IfStatement => self.if_statement(child),
            Kind::ReturnStatement => self.return_statement(child),
            Kind::StatementBlock => {
                self.builder.enter_scope(ScopeKind::Block, None);
                self.statements(child.node);
                self.builder.exit_scope();
            }
            Kind::FunctionDeclaration | Kind::GeneratorFunctionDeclaration | Kind::FunctionSignature => {
                self.function_declaration(child, child.node, none);
            }
            Kind::ClassDeclaration | Kind::AbstractClassDeclaration => self.class_declaration(child, child.node, none),
            Kind::InterfaceDeclaration => self.interface(child, child.node, none),
            Kind::EnumDeclaration => self.enumeration(child, child.node, none),
            Kind::TypeAliasDeclaration => self.type_alias(child, child.node, none),
            Kind::Module | Kind::InternalModule => self.namespace(child, child.node, none),
            Kind::AmbientDeclaration => self.ambient(child, child.node, none),
            Kind::ImportStatement => self.import_statement(child),
            Kind::ImportAlias => self.import_alias(child, none),
            Kind::ExportStatement => self.export_statement(child),
            Kind::ForStatement => self.for_statement(child),
            Kind::ForInStatement => self.for_in(child),
            Kind::WhileStatement => self.while_statement(child),
            Kind::DoStatement => self.do_statement(child),
            Kind::SwitchStatement => self.switch(child),
            Kind::TryStatement => self.try_statement(child),
            Kind::ThrowStatement => {
                if let Some(inner) = self.inner(child.node) {
                    self.expression(inner);
                }
                self.builder.jump(Jump::Exit);
            }
            Kind::BreakStatement => {
                // A `break` with a label leaves something further out; what follows here is not told apart.
                let is_labelled = self.inner(child.node).is_some();
                if !is_labelled && self.frame().breakables.last() == Some(&Breakable::Loop) {
                    self.builder.jump(Jump::Loop);
                }
            }
            Kind::ContinueStatement => {
                if self.frame().breakables.contains(&Breakable::Loop) {
                    self.builder.jump(Jump::Loop);
                }
            }
            Kind::LabeledStatement => {
                let children = self.children(child.node);
                let body = self.field(children, Field::Body);
                self.release(children);
                if let Some(body) = body {
                    self.statement(body);
                }
            }
            Kind::WithStatement => {
                let children = self.children(child.node);
                let object = self.field(children, Field::Object);
                let body = self.field(children, Field::Body);
                self.release(children);
                if let Some(object) = object {
                    self.expression(object);
                }
                if let Some(body) = body {
                    self.nested(body);
                }
            }
            Kind::EmptyStatement | Kind::DebuggerStatement => {}
            _ => self.anything(child),
        }
    }

    /// A statement that is the body of another: one level deeper.
    fn nested(&mut self, body: Child<'t>) {
        if body.kind == Kind::StatementBlock {
            self.statement(body);
        } else {
            self.frame().depth += 1;
            self.statement(body);
            self.frame().depth -= 1;
        }
    }

    /// Walks what stands where the grammar does not tell what it is, in text that does not parse.
    pub(super) fn anything(&mut self, child: Child<'t>) {
        if child.kind.is_expression() {
            self.expression(child);
        } else if child.kind.is_type() {
            self.ty(child);
        } else {
            self.anything_below(child.node, child.kind);
        }
    }

    /// Walks the children of a node that has no meaning of its own.
    pub(super) fn anything_below(&mut self, node: Node<'t>, kind: Kind) {
        if !self.descend(node) {
            return;
        }
        let is_error = kind == Kind::Error;
        if is_error {
            self.in_error += 1;
        }
        let children = self.children(node);
        self.each_with_remark(children, |walk, child| match child.kind {
            Kind::Other | Kind::PropertyIdentifier | Kind::TypeAnnotation | Kind::FormalParameters => {
                walk.anything_below(child.node, child.kind);
            }
            Kind::MethodDefinition | Kind::FieldDefinition | Kind::PublicFieldDefinition => {
                walk.stray_member(child);
            }
            Kind::VariableDeclarator => walk.declarator(child, child.node, Target::Local, DefFlags::default()),
            _ if child.kind.is_expression() || child.kind.is_type() => walk.anything(child),
            Kind::Error => walk.anything_below(child.node, Kind::Error),
            _ => walk.statement(child),
        });
        self.release(children);
        if is_error {
            self.in_error -= 1;
        }
        self.ascend();
    }

    fn expression_statement(&mut self, inner: Child<'t>) {
        self.expression(inner);
        self.tests.clear();
    }

    fn return_statement(&mut self, child: Child<'t>) {
        let value = self.inner(child.node);
        let frame = self.frame();
        if frame.depth > 1 {
            frame.metrics.early_returns += 1;
        }
        let def = frame.def;
        if let Some(value) = value {
            let value = self.expression(value);
            self.tests.clear();
            if let Some(def) = def {
                self.builder.add_return(def, value);
            }
        }
        self.builder.jump(Jump::Exit);
    }

    // ---- branches -----------------------------------------------------------------------------------------------------

    /// `if … else if … else`; the chain is unrolled, for it may be long.
    fn if_statement(&mut self, child: Child<'t>) {
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
    fn leaves(&mut self, child: Child<'t>) -> bool {
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

    fn narrow_by(&mut self, condition: Option<Child<'t>>, holds: bool, tests: &[(usize, ExprId)]) {
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

    fn switch(&mut self, child: Child<'t>) {
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

    fn try_statement(&mut self, child: Child<'t>) {
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

    fn catch(&mut self, child: Child<'t>) {
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

    // ---- loops --------------------------------------------------------------------------------------------------------

    fn begin_loop(&mut self) {
        let frame = self.frame();
        frame.metrics.loops += 1;
        frame.metrics.branches += 1;
        frame.breakables.push(Breakable::Loop);
        self.builder.enter_loop();
    }

    fn end_loop(&mut self) {
        self.builder.exit_loop();
        self.frame().breakables.pop();
    }

    fn for_statement(&mut self, child: Child<'t>) {
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
    fn for_in(&mut self, child: Child<'t>) {
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

    fn while_statement(&mut self, child: Child<'t>) {
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

    fn do_statement(&mut self, child: Child<'t>) {
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
