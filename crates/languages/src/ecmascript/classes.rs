//! Classes: what they inherit, and their members.

use rustc_hash::FxHashMap;
use strata_lang::builder::{NewBinding, NewDef, TYPE, VALUE};
use strata_model::facts::{BindSource, DefFlags, Expr, RefTarget, ScopeKind, SuperRef, TypeExpr};
use strata_model::ids::{DefId, ExprId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::functions::Role;
use super::kinds::{Field, Kind};
use super::walk::{Child, Children, Frame, Receiver, Walk};

impl<'s, 't> Walk<'_, 's, 't> {
    /// `class C {}` as a statement.
    pub(super) fn class_declaration(&mut self, child: Child<'t>, outer: Node<'t>, flags: DefFlags) {
        let children = self.children(child.node);
        let name = self.field(children, Field::Name);
        let flags = flags.with(self.modifiers(children)).with(self.place_flags());
        let body = self.field(children, Field::Body).map(|body| body.node);
        let text = name.map_or("default", |name| self.text(name.node));
        let def = self.add_def(NewDef {
            name: text,
            kind: NodeKind::Class,
            flags,
            parent: None,
            node: outer,
            name_node: name.map_or(child.node, |name| name.node),
            body,
        });
        self.decorate(def, children);
        self.declare(text, def, VALUE | TYPE);
        self.class(def, children, false);
        self.release(children);
    }

    /// A class expression without a place that names it.
    pub(super) fn class_literal(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let name = self.field(children, Field::Name);
        let body = self.field(children, Field::Body).map(|body| body.node);
        let mut flags = self.place_flags();
        if name.is_none() {
            flags |= DefFlags::ANONYMOUS;
        }
        let remark = self.remark.take();
        let def = self.builder.add_def(NewDef {
            name: name.map_or("<anonymous>", |name| self.text(name.node)),
            kind: NodeKind::Class,
            flags,
            parent: None,
            node: child.node,
            name_node: name.map_or(child.node, |name| name.node),
            body,
        });
        self.decorate(def, children);
        self.class(def, children, true);
        self.release(children);
        self.remark = remark;
        self.shape(Expr::Def(def))
    }

    /// `const C = class {}`, `exports.C = class {}`: the class has the variable's name. It is not bound here.
    pub(super) fn class_of_variable(
        &mut self,
        literal: Child<'t>,
        name: Child<'t>,
        node: Node<'t>,
        flags: DefFlags,
    ) -> DefId {
        let text = self.text(name.node);
        let flags = flags.with(self.place_flags());
        self.named_class(literal, name, text, node, flags, None)
    }

    /// A class that is a member of an object literal, or assigned to a member.
    pub(super) fn class_of_member(
        &mut self,
        literal: Child<'t>,
        key: Child<'t>,
        name: &'s str,
        node: Node<'t>,
        of: DefId,
    ) -> DefId {
        let flags = self.error_flag();
        self.named_class(literal, key, name, node, flags, Some(of))
    }

    fn named_class(
        &mut self,
        literal: Child<'t>,
        key: Child<'t>,
        name: &'s str,
        node: Node<'t>,
        flags: DefFlags,
        parent: Option<DefId>,
    ) -> DefId {
        let children = self.children(literal.node);
        let body = self.field(children, Field::Body).map(|body| body.node);
        let def = self.add_def(NewDef {
            name,
            kind: NodeKind::Class,
            flags,
            parent,
            node,
            name_node: key.node,
            body,
        });
        self.decorate(def, children);
        self.class(def, children, true);
        self.release(children);
        def
    }

    /// Type parameters, bases and members of a class whose definition is there.
    pub(super) fn class(&mut self, def: DefId, children: Children, is_expression: bool) {
        let remark = self.remark.take();
        let n_type_names = self.type_names.len();
        self.builder.enter_scope(ScopeKind::TypeParams, Some(def));
        if let Some(name) = self.field(children, Field::Name)
            && is_expression
        {
            // A class expression sees itself under its own name, whatever else it is called.
            let text = self.text(name.node);
            self.bind(text, NewBinding::new(BindSource::Def(def)));
        }
        if let Some(parameters) = self.field(children, Field::TypeParameters) {
            self.type_parameters(parameters, def);
        }
        if !self.is_typescript {
            self.templates(def);
            self.doc_implements(def);
        }
        if let Some(heritage) = self.of_kind(children, Kind::ClassHeritage) {
            self.builder.push_owner(def);
            self.heritage(def, heritage);
            self.builder.pop_owner();
        }
        if let Some(body) = self.field(children, Field::Body) {
            self.builder.enter_scope(ScopeKind::Class, Some(def));
            let around = self.receiver;
            self.class_members(def, body);
            self.receiver = around;
            self.builder.exit_scope();
        }
        self.builder.exit_scope();
        self.type_names.truncate(n_type_names);
        self.remark = remark;
    }

    fn heritage(&mut self, def: DefId, child: Child<'t>) {
        let clauses = self.children(child.node);
        for at in clauses.range() {
            let clause = self.child(at);
            match clause.kind {
                Kind::ExtendsClause => {
                    let parts = self.children(clause.node);
                    for at in parts.range() {
                        let part = self.child(at);
                        if part.field == Field::Value {
                            let next = (at + 1..parts.range().end).map(|at| self.child(at));
                            let arguments = next
                                .into_iter()
                                .take_while(|it| it.field != Field::Value)
                                .find(|it| it.kind == Kind::TypeArguments);
                            self.base(def, part, arguments);
                        }
                    }
                    self.release(parts);
                }
                Kind::ImplementsClause => {
                    let parts = self.children(clause.node);
                    for at in parts.range() {
                        let part = self.child(at);
                        if part.node.is_named() && !part.kind.is_comment() {
                            self.super_type(def, part, RefKind::Implements);
                        }
                    }
                    self.release(parts);
                }
                kind if kind.is_expression() => self.base(def, clause, None),
                _ => {}
            }
        }
        self.release(clauses);
    }

    /// The expression after `extends` of a class.
    fn base(&mut self, def: DefId, child: Child<'t>, arguments: Option<Child<'t>>) {
        let is_call = child.kind == Kind::CallExpression;
        let (expr, name) = self.callee(child);
        let ty = self.builder.ty(TypeExpr::Name(expr));
        if let Some(name) = name
            && !is_call
        {
            self.reference_named(RefKind::Inherits, RefTarget::Type(ty), name.text, name.node, 0);
        }
        let ty = match arguments {
            Some(arguments) => {
                let run = self.type_arguments(arguments);
                self.builder.ty(TypeExpr::App(ty, run))
            }
            None => ty,
        };
        self.builder.add_super(
            def,
            SuperRef {
                ty,
                is_implements: false,
            },
        );
        if is_call {
            self.mixed_in(def, child);
        }
    }

    /// `extends Mixin(Base)`: the arguments that are names count as bases too, for a mixin extends what it is given.
    fn mixed_in(&mut self, def: DefId, call: Child<'t>) {
        let children = self.children(call.node);
        let arguments = self.field(children, Field::Arguments);
        self.release(children);
        let Some(arguments) = arguments else { return };
        let children = self.children(arguments.node);
        for at in children.range() {
            let argument = self.child(at);
            if argument.kind == Kind::Identifier {
                let text = self.text(argument.node);
                let expr = self.builder.name(text);
                let ty = self.builder.ty(TypeExpr::Name(expr));
                self.builder.add_super(
                    def,
                    SuperRef {
                        ty,
                        is_implements: false,
                    },
                );
            }
        }
        self.release(children);
    }

    // ---- members ------------------------------------------------------------------------------------------------------

    /// The members of a class: first all definitions, so that an assignment to `this.x` in a method finds the declared
    /// field wherever it stands, then their types, values and bodies.
    fn class_members(&mut self, class: DefId, body: Child<'t>) {
        let children = self.children(body.node);
        let mut members: FxHashMap<usize, DefId> = FxHashMap::default();
        self.each_with_remark(children, |walk, child| {
            if let Some(def) = walk.class_member(class, child) {
                members.insert(child.node.id(), def);
            }
        });
        let mut decorators: Vec<ExprId> = Vec::new();
        for at in children.range() {
            let child = self.child(at);
            match child.kind {
                Kind::Decorator => {
                    let decorator = self.decorator(child);
                    decorators.push(decorator);
                }
                Kind::ClassStaticBlock => self.static_block(class, child),
                Kind::IndexSignature => {
                    self.index_signature(child);
                }
                Kind::Error => self.anything_below(child.node, Kind::Error),
                _ => {
                    if let Some(def) = members.get(&child.node.id()).copied() {
                        for decorator in std::mem::take(&mut decorators) {
                            self.builder.add_decorator(def, decorator);
                        }
                        self.class_member_body(class, def, child);
                    }
                }
            }
        }
        self.release(children);
    }

    /// Adds the definition of one member.
    fn class_member(&mut self, class: DefId, child: Child<'t>) -> Option<DefId> {
        let is_method = match child.kind {
            Kind::MethodDefinition | Kind::MethodSignature | Kind::AbstractMethodSignature => true,
            Kind::FieldDefinition | Kind::PublicFieldDefinition => false,
            _ => return None,
        };
        let children = self.children(child.node);
        let key = self
            .field(children, Field::Name)
            .or_else(|| self.field(children, Field::Property));
        let body = self.field(children, Field::Body);
        let value = self.field(children, Field::Value);
        let mut flags = self.modifiers(children).with(self.error_flag());
        self.release(children);
        let key = key?;
        let name = self.plain_member_name(key);
        if key.kind == Kind::PrivatePropertyIdentifier {
            flags |= DefFlags::PRIVATE;
        }
        let is_accessor = flags.has(DefFlags::GETTER) || flags.has(DefFlags::SETTER);
        let is_static = flags.has(DefFlags::STATIC);
        let function = match value {
            Some(value) if !is_method => {
                let bare = self.bare(value);
                (bare.value.kind.is_function_literal() || bare.value.kind == Kind::Class).then_some(bare.value)
            }
            _ => None,
        };
        let kind = match function {
            _ if is_method && is_accessor => NodeKind::Property,
            _ if is_method && name == "constructor" && !is_static => NodeKind::Constructor,
            _ if is_method => NodeKind::Method,
            Some(value) if value.kind == Kind::Class => NodeKind::Class,
            Some(_) => NodeKind::Method,
            None => NodeKind::Property,
        };
        let ends_at = match (function, value) {
            (Some(function), _) if function.kind != Kind::Class => self.body_of(function),
            (Some(class), _) => Some(class.node),
            (None, Some(value)) if matches!(value.kind, Kind::Object | Kind::Array) => Some(value.node),
            _ => body.map(|body| body.node),
        };
        let def = self.add_def(NewDef {
            name,
            kind,
            flags,
            parent: Some(class),
            node: child.node,
            name_node: key.node,
            body: ends_at,
        });
        self.note_signature(class, def, name, is_method && body.is_none());
        self.builder.note_member(class, def);
        Some(def)
    }

    /// A signature without a body is one of several if an implementation of the same name follows.
    fn note_signature(&mut self, class: DefId, def: DefId, name: &'s str, is_signature: bool) {
        let is_static = self.builder.def(def).flags.has(DefFlags::STATIC);
        let key = (class, name, is_static);
        if is_signature {
            self.member_signatures.entry(key).or_default().push(def);
            return;
        }
        if self.builder.def(def).kind.is_callable()
            && let Some(signatures) = self.member_signatures.remove(&key)
        {
            for signature in signatures {
                self.builder.def_mut(signature).flags |= DefFlags::OVERLOAD;
            }
        }
    }

    /// The name of a member, without walking a computed key: the second pass does.
    fn plain_member_name(&mut self, key: Child<'t>) -> &'s str {
        match key.kind {
            Kind::String => self.string_text(key.node),
            Kind::ComputedPropertyName => match self.inner(key.node) {
                Some(inner) if inner.kind == Kind::String => self.string_text(inner.node),
                _ => self.text(key.node),
            },
            _ => self.text(key.node),
        }
    }

    fn class_member_body(&mut self, class: DefId, def: DefId, child: Child<'t>) {
        let children = self.children(child.node);
        let found = self.builder.def(def);
        let (kind, flags) = (found.kind, found.flags);
        let is_static = flags.has(DefFlags::STATIC);
        self.receiver = Receiver::Of(class, is_static);
        self.decorate(def, children);
        let key = self
            .field(children, Field::Name)
            .or_else(|| self.field(children, Field::Property));
        if let Some(key) = key
            && key.kind == Kind::ComputedPropertyName
        {
            self.member_name(key);
        }
        if matches!(child.kind, Kind::FieldDefinition | Kind::PublicFieldDefinition) {
            self.field_value(class, def, children, is_static);
        } else {
            let role = Role {
                constructor_of: (kind == NodeKind::Constructor).then_some(class),
                ..Role::declared(Receiver::Of(class, is_static))
            };
            self.function(def, children, role);
        }
        self.release(children);
    }

    fn field_value(&mut self, class: DefId, def: DefId, children: Children, is_static: bool) {
        let hint = match self.field(children, Field::Type) {
            Some(ty) => self.annotation(ty),
            None => self.doc_type_of(def),
        };
        self.builder.def_mut(def).hint = hint;
        let Some(value) = self.field(children, Field::Value) else {
            return;
        };
        let bare = self.bare(value);
        match bare.value.kind {
            kind if kind.is_function_literal() => {
                if hint.is_none() {
                    let hint = self.bare_type(bare);
                    self.builder.def_mut(def).hint = hint;
                }
                self.named_function(def, bare.value, Receiver::Of(class, is_static));
            }
            Kind::Class => {
                let children = self.children(bare.value.node);
                self.class(def, children, true);
                self.release(children);
            }
            Kind::Object => {
                let mut value = self.object_literal(bare.value, Some(def));
                if let Some(ty) = self.bare_type(bare)
                    && self.builder.type_at(ty) != TypeExpr::Opaque
                {
                    value = self.shape(Expr::Cast(ty));
                }
                self.builder.add_value(def, value);
            }
            _ => {
                let value = self.expression(value);
                self.builder.add_value(def, value);
            }
        }
    }

    fn static_block(&mut self, class: DefId, child: Child<'t>) {
        let children = self.children(child.node);
        let body = self.field(children, Field::Body);
        self.release(children);
        self.receiver = Receiver::Of(class, true);
        if let Some(body) = body {
            self.frames.push(Frame {
                def: Some(class),
                ..Frame::default()
            });
            self.builder.enter_scope(ScopeKind::Block, None);
            self.statements(body.node);
            self.builder.exit_scope();
            self.frames.pop();
        }
    }

    /// A member outside a class body, in text that does not parse: its parts are walked as they are.
    pub(super) fn stray_member(&mut self, child: Child<'t>) {
        let children = self.children(child.node);
        if child.kind == Kind::MethodDefinition
            && let Some(key) = self.field(children, Field::Name)
        {
            let name = self.plain_member_name(key);
            let flags = self.modifiers(children).with(self.error_flag());
            let body = self.field(children, Field::Body).map(|body| body.node);
            let def = self.add_def(NewDef {
                name,
                kind: NodeKind::Function,
                flags,
                parent: None,
                node: child.node,
                name_node: key.node,
                body,
            });
            self.function(def, children, Role::declared(Receiver::Unknown));
        } else if let Some(value) = self.field(children, Field::Value) {
            self.expression(value);
        }
        self.release(children);
    }
}
