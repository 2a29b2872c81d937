//! Statements in the order of execution, with the comments before them; and what stands where nothing parses.

use strata_lang::flow::Jump;
use strata_model::facts::{DefFlags, Expr, ScopeKind};
use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::patterns::Target;
use super::walk::{Breakable, Child, Children, Remark, Walk};

impl<'t> Walk<'_, '_, 't> {
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
                self.doc_declarations(child.node);
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
                if let Some(body) = body
                    && !self.reactive_declaration(child, body)
                {
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
    pub(super) fn nested(&mut self, body: Child<'t>) {
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
        let value = self.expression(inner);
        // A function may return only if its argument is of a type: `assertIsFoo(x);`. Asking every call for that would
        // make a chain of all calls that a value is passed to, so only those that are named for it are asked.
        if inner.kind == Kind::CallExpression
            && let Expr::Call(callee, ..) = self.builder.expr_at(value)
            && let Expr::Member(_, name) | Expr::Free(name) = self.builder.expr_at(callee)
            && may_assert(self.builder.interned_text(name))
        {
            self.narrow_arguments(inner, value, true);
        }
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
}

/// True for names of functions that return only if their argument is as it should be.
fn may_assert(name: &str) -> bool {
    ["assert", "ensure", "expect", "check", "invariant", "verify"]
        .iter()
        .any(|start| name.starts_with(start))
}
