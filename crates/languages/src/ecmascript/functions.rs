//! Functions of every form, their bodies, and decorators.

use strata_lang::builder::{NewBinding, NewDef, VALUE};
use strata_model::facts::{BindSource, DefFlags, Expr, RefTarget, ScopeKind};
use strata_model::ids::{DefId, ExprId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::walk::{Child, Children, Frame, Receiver, Walk};

/// How a function's body is to be read.
#[derive(Clone, Copy)]
pub(super) struct Role {
    /// What `this` means in it; none: what it means around it.
    pub(super) receiver: Option<Receiver>,
    /// The class whose constructor it is.
    pub(super) constructor_of: Option<DefId>,
    /// True for function literals, whose statements and calls count for the function around them too.
    pub(super) is_literal: bool,
}

impl Role {
    /// A function literal.
    pub(super) const fn literal(receiver: Option<Receiver>) -> Self {
        Self {
            receiver,
            constructor_of: None,
            is_literal: true,
        }
    }

    /// A declared function or method.
    pub(super) const fn declared(receiver: Receiver) -> Self {
        Self {
            receiver: Some(receiver),
            constructor_of: None,
            is_literal: false,
        }
    }
}

impl<'t> Walk<'_, '_, 't> {
    /// The flags that keywords among the children stand for.
    pub(super) fn modifiers(&self, children: Children) -> DefFlags {
        let mut flags = DefFlags::default();
        for at in children.range() {
            let child = self.child(at);
            match child.kind {
                Kind::AsyncToken => flags |= DefFlags::ASYNC,
                Kind::StarToken => flags |= DefFlags::GENERATOR,
                Kind::StaticToken => flags |= DefFlags::STATIC,
                Kind::GetToken => flags |= DefFlags::GETTER,
                Kind::SetToken => flags |= DefFlags::SETTER,
                Kind::StaticGetToken => flags |= DefFlags::STATIC.with(DefFlags::GETTER),
                Kind::ReadonlyToken => flags |= DefFlags::READONLY,
                Kind::AbstractToken => flags |= DefFlags::ABSTRACT,
                Kind::QuestionToken => flags |= DefFlags::OPTIONAL,
                Kind::DeclareToken => flags |= DefFlags::AMBIENT,
                Kind::AccessibilityModifier if self.text(child.node) == "private" => flags |= DefFlags::PRIVATE,
                _ => {}
            }
        }
        flags
    }

    /// `function f() {}`, and its signature without a body.
    pub(super) fn function_declaration(&mut self, child: Child<'t>, outer: Node<'t>, flags: DefFlags) {
        let children = self.children(child.node);
        let Some(name) = self.field(children, Field::Name) else {
            self.release(children);
            self.anything_below(child.node, Kind::Other);
            return;
        };
        let body = self.field(children, Field::Body);
        let text = self.text(name.node);
        let flags = flags.with(self.modifiers(children)).with(self.place_flags());
        let def = self.add_def(NewDef {
            name: text,
            kind: NodeKind::Function,
            flags,
            parent: None,
            node: outer,
            name_node: name.node,
            body: body.map(|body| body.node),
        });
        self.declare(text, def, VALUE);
        let scope = self.builder.scope();
        if body.is_some() {
            for signature in self.signatures.remove(&(scope, text)).unwrap_or_default() {
                self.builder.def_mut(signature).flags |= DefFlags::OVERLOAD;
            }
        } else {
            self.signatures.entry((scope, text)).or_default().push(def);
        }
        let receiver = self.receiver_of_function(def, text, body);
        self.function(def, children, Role::declared(receiver));
        self.release(children);
    }

    /// What `this` means in a plain function: an instance when the function looks like a constructor.
    pub(super) fn receiver_of_function(&mut self, def: DefId, name: &str, body: Option<Child<'t>>) -> Receiver {
        let Some(body) = body else { return Receiver::Unknown };
        let text = self.text(body.node);
        let is_constructor = match name.chars().next() {
            Some(first) if first.is_uppercase() => text.contains("this."),
            _ => assigns_to_this(text),
        };
        if is_constructor {
            Receiver::Of(def, false)
        } else {
            Receiver::Unknown
        }
    }

    /// A function literal without a place that names it.
    pub(super) fn function_literal(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let name = self.field(children, Field::Name);
        let body = self.field(children, Field::Body);
        let text = name.map_or("<anonymous>", |name| self.text(name.node));
        let mut flags = self.modifiers(children).with(self.place_flags());
        if name.is_none() {
            flags |= DefFlags::ANONYMOUS;
        }
        let is_arrow = child.kind == Kind::ArrowFunction;
        if is_arrow {
            flags |= DefFlags::ARROW;
        }
        let place_receiver = self.next_receiver.take();
        let remark = self.remark.take();
        let def = self.builder.add_def(NewDef {
            name: text,
            kind: NodeKind::Function,
            flags,
            parent: None,
            node: child.node,
            name_node: name.map_or(child.node, |name| name.node),
            body: body.map(|body| body.node),
        });
        let receiver = match name {
            _ if is_arrow => None,
            Some(_) => Some(place_receiver.unwrap_or_else(|| self.receiver_of_function(def, text, body))),
            None => Some(place_receiver.unwrap_or(Receiver::Unknown)),
        };
        self.function(def, children, Role::literal(receiver));
        self.release(children);
        self.remark = remark;
        self.shape(Expr::Def(def))
    }

    /// The function literal of something that names it: a variable, a property, an assignment.
    pub(super) fn named_function(&mut self, def: DefId, literal: Child<'t>, receiver: Receiver) {
        let children = self.children(literal.node);
        let is_arrow = literal.kind == Kind::ArrowFunction;
        let modifiers = self.modifiers(children);
        self.builder.def_mut(def).flags |= modifiers;
        if is_arrow {
            self.builder.def_mut(def).flags |= DefFlags::ARROW;
        }
        let role = Role::literal((!is_arrow).then_some(receiver));
        self.function(def, children, role);
        self.release(children);
    }

    /// The body of a function literal, where the signature of what it is bound to ends.
    pub(super) fn body_of(&mut self, literal: Child<'t>) -> Option<Node<'t>> {
        let children = self.children(literal.node);
        let body = self.field(children, Field::Body);
        self.release(children);
        body.map(|body| body.node)
    }

    /// Parameters, result and body of a function whose definition is there.
    pub(super) fn function(&mut self, def: DefId, children: Children, role: Role) {
        let remark = self.remark.take();
        let type_parameters = self.field(children, Field::TypeParameters);
        let n_type_names = self.type_names.len();
        if let Some(parameters) = type_parameters {
            self.builder.enter_scope(ScopeKind::TypeParams, Some(def));
            self.type_parameters(parameters, def);
        }
        let has_templates = type_parameters.is_none() && self.open_templates(def);
        if role.is_literal {
            self.frame().metrics.closures += 1;
        }
        self.builder.enter_scope(ScopeKind::Function, Some(def));
        if let Some(name) = self.field(children, Field::Name)
            && name.kind == Kind::Identifier
            && role.is_literal
        {
            let text = self.text(name.node);
            self.bind(
                text,
                NewBinding {
                    namespace: VALUE,
                    ..NewBinding::new(BindSource::Def(def))
                },
            );
        }
        let around = self.receiver;
        if let Some(receiver) = role.receiver {
            self.receiver = self.doc_receiver(def).unwrap_or(receiver);
        }
        self.frames.push(Frame {
            def: Some(def),
            ..Frame::default()
        });
        if let Some(parameter) = self.field(children, Field::Parameter) {
            self.parameter(def, parameter, role, None);
        } else if let Some(parameters) = self.field(children, Field::Parameters) {
            self.parameters(def, parameters, role);
        }
        let result = self
            .field(children, Field::ReturnType)
            .or_else(|| self.field(children, Field::Type));
        if let Some(result) = result {
            let hint = if result.kind.is_type() || result.kind.is_expression() {
                Some(self.ty(result))
            } else {
                self.annotation(result)
            };
            self.builder.def_mut(def).ret_hint = hint;
        }
        match self.field(children, Field::Body) {
            Some(body) if body.kind == Kind::StatementBlock => self.statements(body.node),
            Some(body) => {
                let value = self.expression(body);
                self.builder.add_return(def, value);
            }
            None => {}
        }
        let frame = self.frames.pop().unwrap_or_default();
        if !self.is_typescript {
            self.apply_doc_types(def, &frame.parameters);
        }
        self.builder.def_mut(def).metrics = frame.metrics;
        if role.is_literal {
            let outer = &mut self.frame().metrics;
            outer.statements += frame.metrics.statements;
            outer.calls += frame.metrics.calls;
        }
        self.receiver = around;
        self.builder.exit_scope();
        if type_parameters.is_some() || has_templates {
            self.builder.exit_scope();
            self.type_names.truncate(n_type_names);
        }
        self.remark = remark;
    }

    /// `@d` or `@d(…)`; the result is the expression after the sign.
    pub(super) fn decorator(&mut self, child: Child<'t>) -> ExprId {
        let Some(inner) = self.inner(child.node) else {
            return self.opaque();
        };
        let inner = if inner.kind == Kind::ParenthesizedExpression {
            self.inner(inner.node).unwrap_or(inner)
        } else {
            inner
        };
        if inner.kind == Kind::CallExpression {
            return self.decorator_call(inner);
        }
        let (expr, name) = self.callee(inner);
        if let Some(name) = name {
            self.reference_named(RefKind::Decorator, RefTarget::Expr(expr), name.text, name.node, 0);
        }
        expr
    }

    /// Decorates a definition with all decorators among the children, in the order they are written.
    pub(super) fn decorate(&mut self, def: DefId, children: Children) {
        for at in children.range() {
            let child = self.child(at);
            if child.kind == Kind::Decorator {
                let decorator = self.decorator(child);
                self.builder.add_decorator(def, decorator);
            }
        }
    }
}

/// True when the text assigns to a field of `this`.
fn assigns_to_this(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("this.") {
        rest = &rest[at + "this.".len()..];
        let end = rest
            .find(|it: char| !(it.is_alphanumeric() || it == '_' || it == '$'))
            .unwrap_or(rest.len());
        let after = rest[end..].trim_start();
        if end > 0 && after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>") {
            return true;
        }
    }
    false
}
