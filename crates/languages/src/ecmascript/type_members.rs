//! Interfaces, object types and type aliases: what has members for the type checker.

use strata_lang::builder::{NewBinding, NewDef, TYPE};
use strata_model::facts::{BindSource, DefFlags, ScopeKind, SuperRef, TypeExpr};
use strata_model::ids::{DefId, TypeId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::functions::Role;
use super::kinds::{Field, Kind};
use super::walk::{Child, Receiver, Walk};

/// The name under which a call signature is a member.
const CALL: &str = "<call>";
/// The name under which a construct signature is a member.
const NEW: &str = "<new>";
/// The name under which an index signature is a member.
const INDEX: &str = "<index>";

impl<'t> Walk<'_, '_, 't> {
    /// `interface I extends J { … }`
    pub(super) fn interface(&mut self, child: Child<'t>, outer: Node<'t>, flags: DefFlags) {
        let children = self.children(child.node);
        let Some(name) = self.field(children, Field::Name) else {
            self.release(children);
            return;
        };
        let text = self.text(name.node);
        let body = self.field(children, Field::Body);
        let def = self.add_def(NewDef {
            name: text,
            kind: NodeKind::Interface,
            flags: flags.with(self.place_flags()),
            parent: None,
            node: outer,
            name_node: name.node,
            body: body.map(|body| body.node),
        });
        self.declare(text, def, TYPE);
        let n_type_names = self.type_names.len();
        self.builder.enter_scope(ScopeKind::TypeParams, Some(def));
        if let Some(parameters) = self.field(children, Field::TypeParameters) {
            self.type_parameters(parameters, def);
        }
        if let Some(bases) = self.of_kind(children, Kind::ExtendsTypeClause) {
            self.builder.push_owner(def);
            let parts = self.children(bases.node);
            for at in parts.range() {
                let part = self.child(at);
                if part.node.is_named() && !part.kind.is_comment() {
                    self.super_type(def, part, RefKind::Inherits);
                }
            }
            self.release(parts);
            self.builder.pop_owner();
        }
        if let Some(body) = body {
            self.builder.enter_scope(ScopeKind::Class, Some(def));
            self.type_members(def, body);
            self.builder.exit_scope();
        }
        self.builder.exit_scope();
        self.type_names.truncate(n_type_names);
        self.release(children);
    }

    /// A type after `implements`, or after `extends` of an interface.
    pub(super) fn super_type(&mut self, def: DefId, child: Child<'t>, kind: RefKind) {
        let around = self.type_reference.replace(kind);
        let ty = self.ty(child);
        self.type_reference = around;
        self.builder.add_super(
            def,
            SuperRef {
                ty,
                is_implements: kind == RefKind::Implements,
            },
        );
    }

    /// The members of an interface or object type, as members of `owner`.
    pub(super) fn type_members(&mut self, owner: DefId, body: Child<'t>) {
        let around = self.receiver;
        self.receiver = Receiver::Of(owner, false);
        let children = self.items(body.node);
        self.each_with_remark(children, |walk, child| match child.kind {
            Kind::MethodSignature => walk.method_signature(owner, child),
            Kind::PropertySignature => walk.property_signature(owner, child),
            Kind::CallSignature => walk.call_signature(owner, child, CALL),
            Kind::ConstructSignature => walk.call_signature(owner, child, NEW),
            Kind::IndexSignature => walk.index_member(owner, child),
            Kind::Error => walk.anything_below(child.node, Kind::Error),
            _ => {}
        });
        self.release(children);
        self.receiver = around;
    }

    fn method_signature(&mut self, owner: DefId, child: Child<'t>) {
        let children = self.children(child.node);
        if let Some(key) = self.field(children, Field::Name) {
            let name = self.member_name(key);
            let flags = self
                .modifiers(children)
                .with(self.error_flag())
                .with(DefFlags::ABSTRACT);
            let is_accessor = flags.has(DefFlags::GETTER) || flags.has(DefFlags::SETTER);
            let def = self.add_def(NewDef {
                name,
                kind: if is_accessor {
                    NodeKind::Property
                } else {
                    NodeKind::Method
                },
                flags,
                parent: Some(owner),
                node: child.node,
                name_node: key.node,
                body: None,
            });
            self.function(def, children, Role::declared(self.receiver));
        }
        self.release(children);
    }

    fn property_signature(&mut self, owner: DefId, child: Child<'t>) {
        let children = self.children(child.node);
        let key = self.field(children, Field::Name);
        let ty = self.field(children, Field::Type);
        let flags = self.modifiers(children).with(self.error_flag());
        self.release(children);
        let Some(key) = key else { return };
        let name = self.member_name(key);
        let def = self.add_def(NewDef {
            name,
            kind: NodeKind::Property,
            flags,
            parent: Some(owner),
            node: child.node,
            name_node: key.node,
            body: None,
        });
        let hint = ty.and_then(|ty| self.annotation(ty));
        self.builder.def_mut(def).hint = hint;
    }

    /// `(x: T): R` and `new (x: T): R` as members: what calling or constructing a value of the type gives.
    fn call_signature(&mut self, owner: DefId, child: Child<'t>, name: &'static str) {
        let children = self.children(child.node);
        let flags = DefFlags::ABSTRACT.with(DefFlags::ANONYMOUS).with(self.error_flag());
        let def = self.add_def(NewDef {
            name,
            kind: NodeKind::Method,
            flags,
            parent: Some(owner),
            node: child.node,
            name_node: child.node,
            body: None,
        });
        self.function(def, children, Role::declared(self.receiver));
        self.release(children);
    }

    /// `[key: string]: T` as a member: what a value has under any key.
    fn index_member(&mut self, owner: DefId, child: Child<'t>) {
        let hint = self.index_signature(child);
        let flags = DefFlags::ABSTRACT.with(DefFlags::ANONYMOUS).with(self.error_flag());
        let def = self.add_def(NewDef {
            name: INDEX,
            kind: NodeKind::Property,
            flags,
            parent: Some(owner),
            node: child.node,
            name_node: child.node,
            body: None,
        });
        self.builder.def_mut(def).hint = hint;
    }

    /// `[key: string]: T` and mapped types: walked for what they mention. Returns the type after the colon.
    pub(super) fn index_signature(&mut self, child: Child<'t>) -> Option<TypeId> {
        let mut held = None;
        let children = self.children(child.node);
        let n_type_names = self.type_names.len();
        self.builder.enter_scope(ScopeKind::TypeParams, None);
        for at in children.range() {
            let part = self.child(at);
            match part.kind {
                Kind::MappedTypeClause => {
                    let parts = self.children(part.node);
                    let name = self.field(parts, Field::Name);
                    let over = self.field(parts, Field::Type);
                    let alias = self.field(parts, Field::Alias);
                    self.release(parts);
                    if let Some(over) = over {
                        self.ty(over);
                    }
                    if let Some(name) = name {
                        self.type_variable(name);
                    }
                    if let Some(alias) = alias {
                        self.ty(alias);
                    }
                }
                Kind::TypeAnnotation
                | Kind::AddingTypeAnnotation
                | Kind::OmittingTypeAnnotation
                | Kind::OptingTypeAnnotation => held = self.annotation(part),
                _ if part.field == Field::IndexType => {
                    self.ty(part);
                }
                _ => {}
            }
        }
        self.builder.exit_scope();
        self.type_names.truncate(n_type_names);
        self.release(children);
        held
    }

    /// Binds a name that stands for a type nobody wrote: of `infer T` or of a mapped type.
    pub(super) fn type_variable(&mut self, name: Child<'t>) {
        let text = self.text(name.node);
        self.type_names.push(text);
        self.bind(
            text,
            NewBinding {
                namespace: TYPE,
                ..NewBinding::new(BindSource::Opaque)
            },
        );
    }

    /// `{ a: T; b(): U }` in type position.
    pub(super) fn object_type(&mut self, child: Child<'t>) -> TypeId {
        if self.is_mapped(child) {
            let children = self.children(child.node);
            for at in children.range() {
                let part = self.child(at);
                if part.kind == Kind::IndexSignature {
                    self.index_signature(part);
                }
            }
            self.release(children);
            return self.builder.ty(TypeExpr::Opaque);
        }
        let flags = DefFlags::OBJECT.with(DefFlags::ANONYMOUS).with(self.error_flag());
        let def = self.builder.add_def(NewDef {
            name: "<object>",
            kind: NodeKind::Unknown,
            flags,
            parent: None,
            node: child.node,
            name_node: child.node,
            body: Some(child.node),
        });
        let remark = self.remark.take();
        self.type_members(def, child);
        self.remark = remark;
        self.builder.ty(TypeExpr::Object(def))
    }

    /// `new (x: T) => U` in type position: an object type with a construct signature.
    pub(super) fn constructor_type(&mut self, child: Child<'t>) -> TypeId {
        let flags = DefFlags::OBJECT.with(DefFlags::ANONYMOUS).with(self.error_flag());
        let def = self.builder.add_def(NewDef {
            name: "<object>",
            kind: NodeKind::Unknown,
            flags,
            parent: None,
            node: child.node,
            name_node: child.node,
            body: Some(child.node),
        });
        let remark = self.remark.take();
        self.call_signature(def, child, NEW);
        self.remark = remark;
        self.builder.ty(TypeExpr::Object(def))
    }

    fn is_mapped(&mut self, child: Child<'t>) -> bool {
        let children = self.children(child.node);
        let signature = self.of_kind(children, Kind::IndexSignature);
        self.release(children);
        let Some(signature) = signature else { return false };
        let children = self.children(signature.node);
        let is_mapped = self.has(children, Kind::MappedTypeClause);
        self.release(children);
        is_mapped
    }

    /// `type A = …`
    pub(super) fn type_alias(&mut self, child: Child<'t>, outer: Node<'t>, flags: DefFlags) {
        let children = self.children(child.node);
        let name = self.field(children, Field::Name);
        let value = self.field(children, Field::Value);
        let parameters = self.field(children, Field::TypeParameters);
        self.release(children);
        let Some(name) = name else { return };
        let text = self.text(name.node);
        let is_object = value.is_some_and(|value| value.kind == Kind::ObjectType) && {
            let value = value.unwrap_or(name);
            !self.is_mapped(value)
        };
        let mut flags = flags.with(self.place_flags());
        if is_object {
            flags |= DefFlags::OBJECT;
        }
        let def = self.add_def(NewDef {
            name: text,
            kind: NodeKind::Type,
            flags,
            parent: None,
            node: outer,
            name_node: name.node,
            body: value.filter(|_| is_object).map(|value| value.node),
        });
        self.declare(text, def, TYPE);
        let n_type_names = self.type_names.len();
        self.builder.enter_scope(ScopeKind::TypeParams, Some(def));
        if let Some(parameters) = parameters {
            self.type_parameters(parameters, def);
        }
        self.builder.push_owner(def);
        if let Some(value) = value {
            let hint = if is_object {
                self.type_members(def, value);
                self.builder.ty(TypeExpr::Object(def))
            } else {
                self.ty(value)
            };
            self.builder.def_mut(def).hint = Some(hint);
        }
        self.builder.pop_owner();
        self.builder.exit_scope();
        self.type_names.truncate(n_type_names);
    }
}
