//! Functions of every form: their parameters, types and bodies.

use strata_lang::builder::{NewBinding, NewDef, TYPE, VALUE};
use strata_model::facts::{BindSource, DefFlags, Expr, Param, ParamKind, RefTarget, ScopeKind};
use strata_model::ids::{DefId, ExprId, StrId, TypeId};
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

/// A type parameter as it is written.
#[derive(Clone, Copy)]
pub(super) struct TypeParameter<'s, 't> {
    pub(super) name: &'s str,
    pub(super) bound: Option<Child<'t>>,
    pub(super) default: Option<Child<'t>>,
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

impl<'s, 't> Walk<'_, 's, 't> {
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
            self.receiver = receiver;
        }
        self.frames.push(Frame {
            def: Some(def),
            ..Frame::default()
        });
        if let Some(parameter) = self.field(children, Field::Parameter) {
            self.parameter(def, parameter, role);
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
        if type_parameters.is_some() {
            self.builder.exit_scope();
            self.type_names.truncate(n_type_names);
        }
        self.remark = remark;
    }

    fn parameters(&mut self, def: DefId, list: Child<'t>, role: Role) {
        let children = self.items(list.node);
        for at in children.range() {
            let parameter = self.child(at);
            if parameter.node.is_named() && !parameter.kind.is_comment() {
                self.parameter(def, parameter, role);
            }
        }
        self.release(children);
    }

    fn parameter(&mut self, def: DefId, child: Child<'t>, role: Role) {
        match child.kind {
            Kind::RequiredParameter | Kind::OptionalParameter => self.typed_parameter(def, child, role),
            Kind::AssignmentPattern => {
                let children = self.children(child.node);
                let left = self.field(children, Field::Left);
                let right = self.field(children, Field::Right);
                self.release(children);
                let default = right.map(|right| self.expression(right));
                if let Some(left) = left {
                    self.add_parameter(def, left, None, default, default.is_some());
                }
            }
            Kind::Error => self.anything_below(child.node, Kind::Error),
            _ => {
                self.add_parameter(def, child, None, None, false);
            }
        }
    }

    fn typed_parameter(&mut self, def: DefId, child: Child<'t>, role: Role) {
        let children = self.children(child.node);
        let pattern = self
            .field(children, Field::Pattern)
            .or_else(|| self.field(children, Field::Name));
        let ty = self.field(children, Field::Type);
        let value = self.field(children, Field::Value);
        let is_property = self.has(children, Kind::AccessibilityModifier)
            || self.has(children, Kind::ReadonlyToken)
            || self.has(children, Kind::OverrideModifier);
        let modifiers = self.modifiers(children);
        for at in children.range() {
            let decorator = self.child(at);
            if decorator.kind == Kind::Decorator {
                self.decorator(decorator);
            }
        }
        self.release(children);
        let hint = ty.and_then(|ty| self.annotation(ty));
        let Some(pattern) = pattern else { return };
        if pattern.kind == Kind::This {
            if let Some(hint) = hint {
                self.receiver = Receiver::Typed(hint);
            }
            return;
        }
        let default = value.map(|value| self.expression(value));
        let is_optional = default.is_some() || child.kind == Kind::OptionalParameter;
        let index = self.add_parameter(def, pattern, hint, default, is_optional);
        if let Some(class) = role.constructor_of
            && is_property
            && pattern.kind == Kind::Identifier
        {
            self.parameter_property(def, class, child, pattern, index, hint, modifiers);
        }
    }

    /// `constructor(private repo: Repo)`: a parameter that is a property too.
    #[allow(clippy::too_many_arguments, reason = "all of it describes one parameter")]
    fn parameter_property(
        &mut self,
        def: DefId,
        class: DefId,
        child: Child<'t>,
        name: Child<'t>,
        index: u32,
        hint: Option<TypeId>,
        modifiers: DefFlags,
    ) {
        let value = self.shape(Expr::Param(def, index));
        let text = self.text(name.node);
        let flags = self.error_flag().with(modifiers);
        self.builder.field(
            class,
            NewDef {
                name: text,
                kind: NodeKind::Property,
                flags,
                parent: Some(class),
                node: child.node,
                name_node: name.node,
                body: None,
            },
            Some(value),
            hint,
        );
    }

    /// Adds a parameter and binds its names; the result is its index.
    fn add_parameter(
        &mut self,
        def: DefId,
        pattern: Child<'t>,
        hint: Option<TypeId>,
        default: Option<ExprId>,
        is_optional: bool,
    ) -> u32 {
        let (pattern, kind) = if pattern.kind == Kind::RestPattern {
            (self.inner(pattern.node), ParamKind::Rest)
        } else {
            (Some(pattern), ParamKind::Normal)
        };
        let is_name = pattern.is_some_and(|it| matches!(it.kind, Kind::Identifier | Kind::Undefined));
        let text = match pattern {
            Some(pattern) if is_name => self.text(pattern.node),
            _ => "",
        };
        let name: StrId = self.builder.intern(text);
        let index = self.builder.add_param(
            def,
            Param {
                name,
                kind,
                hint,
                default,
                is_optional,
            },
        );
        self.frame().parameters.push(text);
        match pattern {
            Some(_) if is_name => {
                self.bind(
                    text,
                    NewBinding {
                        hint,
                        namespace: VALUE,
                        ..NewBinding::new(BindSource::Param(def, index))
                    },
                );
            }
            Some(pattern) => {
                let value = self.shape(Expr::Param(def, index));
                self.destructure(pattern, value, super::patterns::Target::Local);
            }
            None => {}
        }
        index
    }

    /// Takes a list of type parameters apart, and puts their names in sight.
    ///
    /// The grammar does not know `in` and `out` in front of a name: it takes them for the name, and the name for an
    /// error.
    pub(super) fn type_parameter_parts(&mut self, list: Child<'t>) -> Vec<TypeParameter<'s, 't>> {
        let children = self.children(list.node);
        let mut parameters: Vec<TypeParameter<'s, 't>> = Vec::new();
        for at in children.range() {
            let child = self.child(at);
            if child.kind == Kind::Error
                && let Some(name) = self.last_name_in(child)
                && let Some(last) = parameters.last_mut()
                && matches!(last.name, "in" | "out")
            {
                last.name = name;
            }
            if child.kind != Kind::TypeParameter {
                continue;
            }
            let parts = self.children(child.node);
            let name = self.field(parts, Field::Name);
            let error = self.of_kind(parts, Kind::Error);
            let constraint = self.of_kind(parts, Kind::Constraint);
            let default = self.of_kind(parts, Kind::DefaultType);
            self.release(parts);
            let Some(name) = name else { continue };
            let mut name = self.text(name.node);
            if matches!(name, "in" | "out")
                && let Some(error) = error
                && let Some(real) = self.last_name_in(error)
            {
                name = real;
            }
            let bound = constraint.and_then(|it| self.inner(it.node));
            let default = default.and_then(|it| self.inner(it.node));
            parameters.push(TypeParameter { name, bound, default });
        }
        self.release(children);
        self.type_names
            .extend(parameters.iter().map(|parameter| parameter.name));
        parameters
    }

    fn last_name_in(&mut self, error: Child<'t>) -> Option<&'s str> {
        let children = self.children(error.node);
        let last = self.last_named(children);
        self.release(children);
        last.filter(|last| matches!(last.kind, Kind::Identifier | Kind::TypeIdentifier))
            .map(|last| self.text(last.node))
    }

    /// Adds the type parameters of a definition to the scope that was opened for them.
    pub(super) fn type_parameters(&mut self, list: Child<'t>, def: DefId) {
        let parameters = self.type_parameter_parts(list);
        for (index, parameter) in parameters.iter().enumerate() {
            let text = parameter.name;
            let source = BindSource::TypeParam(def, u32::try_from(index).unwrap_or(u32::MAX));
            self.bind(
                text,
                NewBinding {
                    namespace: TYPE,
                    ..NewBinding::new(source)
                },
            );
        }
        for parameter in parameters {
            let text = parameter.name;
            let bound = parameter.bound.map(|it| self.ty(it));
            let default = parameter.default.map(|it| self.ty(it));
            let default = default.map(|ty| self.shape(Expr::Cast(ty)));
            let name = self.builder.intern(text);
            let is_optional = default.is_some();
            self.builder.add_type_param(
                def,
                Param {
                    name,
                    kind: ParamKind::Type,
                    hint: bound,
                    default,
                    is_optional,
                },
            );
        }
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
