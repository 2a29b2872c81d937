//! Object literals, and the names of members everywhere.

use strata_lang::builder::NewDef;
use strata_model::facts::{DefFlags, Expr, RefTarget, SuperRef, TypeExpr};
use strata_model::ids::{DefId, ExprId};
use strata_model::kinds::{NodeKind, RefKind};

use super::functions::Role;
use super::kinds::{Field, Kind};
use super::walk::{Child, Walk};

impl<'s, 't> Walk<'_, 's, 't> {
    /// An object literal; `holder` is the variable or property that holds it.
    pub(super) fn object_literal(&mut self, child: Child<'t>, holder: Option<DefId>) -> ExprId {
        let flags = DefFlags::OBJECT.with(DefFlags::ANONYMOUS).with(self.error_flag());
        let remark = self.remark.take();
        let object = self.builder.add_def(NewDef {
            name: "<object>",
            kind: NodeKind::Unknown,
            flags,
            parent: holder,
            node: child.node,
            name_node: child.node,
            body: Some(child.node),
        });
        let before = self.enter_component_object(child.node);
        self.object_members(child, object);
        self.leave_component_object(before, object);
        self.remark = remark;
        self.shape(Expr::Def(object))
    }

    /// The members of an object literal, as members of `object`: the literal's own definition, or the constructor
    /// function whose prototype it becomes.
    pub(super) fn object_members(&mut self, child: Child<'t>, object: DefId) {
        let children = self.items(child.node);
        self.each_with_remark(children, |walk, member| match member.kind {
            Kind::Pair => walk.pair(member, object),
            Kind::MethodDefinition => walk.object_method(member, object),
            Kind::ShorthandPropertyIdentifier => walk.shorthand(member, object),
            Kind::SpreadElement => {
                if let Some(inner) = walk.inner(member.node) {
                    let value = walk.expression(inner);
                    // What is spread into the object lends it its members.
                    if walk.builder.expr_at(value) != Expr::Opaque {
                        let ty = walk.builder.ty(TypeExpr::TypeOf(value));
                        walk.builder.add_super(
                            object,
                            SuperRef {
                                ty,
                                is_implements: false,
                            },
                        );
                    }
                }
            }
            Kind::Error => walk.anything_below(member.node, Kind::Error),
            _ => {}
        });
        self.release(children);
    }

    fn shorthand(&mut self, member: Child<'t>, object: DefId) {
        let text = self.text(member.node);
        let def = self.add_def(NewDef {
            name: text,
            kind: NodeKind::Property,
            flags: self.error_flag(),
            parent: Some(object),
            node: member.node,
            name_node: member.node,
            body: None,
        });
        self.builder.note_member(object, def);
        let value = self.builder.name(text);
        self.reference(RefKind::Value, RefTarget::Expr(value), member.node, 0);
        self.builder.add_value(def, value);
    }

    fn pair(&mut self, member: Child<'t>, object: DefId) {
        let children = self.children(member.node);
        let key = self.field(children, Field::Key);
        let value = self.field(children, Field::Value);
        self.release(children);
        let (Some(key), Some(value)) = (key, value) else { return };
        let name = self.member_name(key);
        let bare = self.bare(value);
        let is_function = bare.value.kind.is_function_literal();
        let kind = match bare.value.kind {
            _ if is_function => NodeKind::Method,
            Kind::Class => NodeKind::Class,
            _ => NodeKind::Property,
        };
        if kind == NodeKind::Class {
            let def = self.class_of_member(bare.value, key, name, member.node, object);
            if let Some(ty) = bare.ty {
                self.ty(ty);
            }
            self.builder.note_member(object, def);
            return;
        }
        let body = match bare.value.kind {
            _ if is_function => self.body_of(bare.value),
            Kind::Object | Kind::Array => Some(value.node),
            _ => None,
        };
        let def = self.add_def(NewDef {
            name,
            kind,
            flags: self.error_flag(),
            parent: Some(object),
            node: member.node,
            name_node: key.node,
            body,
        });
        self.builder.note_member(object, def);
        if is_function {
            let hint = self.bare_type(bare);
            self.builder.def_mut(def).hint = hint;
            let receiver = self.receiver_in_object(object);
            let before = self.leave_component();
            self.named_function(def, bare.value, receiver);
            self.enter_component_again(before);
            return;
        }
        let value = if bare.value.kind == Kind::Object {
            let mut value = self.object_literal(bare.value, Some(def));
            if let Some(ty) = self.bare_type(bare)
                && self.builder.type_at(ty) != TypeExpr::Opaque
            {
                value = self.shape(Expr::Cast(ty));
            }
            value
        } else {
            self.expression(value)
        };
        let hint = self.doc_type_of(def);
        self.builder.def_mut(def).hint = hint;
        self.builder.add_value(def, value);
    }

    /// `m() {}` and accessors in an object literal.
    fn object_method(&mut self, member: Child<'t>, object: DefId) {
        let children = self.children(member.node);
        let Some(key) = self.field(children, Field::Name) else {
            self.release(children);
            return;
        };
        let name = self.member_name(key);
        let flags = self.modifiers(children).with(self.error_flag());
        let is_accessor = flags.has(DefFlags::GETTER) || flags.has(DefFlags::SETTER);
        let body = self.field(children, Field::Body).map(|body| body.node);
        let def = self.add_def(NewDef {
            name,
            kind: if is_accessor {
                NodeKind::Property
            } else {
                NodeKind::Method
            },
            flags,
            parent: Some(object),
            node: member.node,
            name_node: key.node,
            body,
        });
        self.builder.note_member(object, def);
        let receiver = self.receiver_in_object(object);
        let before = self.leave_component();
        self.function(def, children, Role::declared(receiver));
        self.enter_component_again(before);
        self.release(children);
    }

    /// The name of a member from its key. Computed keys are walked; a computed string counts as its text.
    pub(super) fn member_name(&mut self, key: Child<'t>) -> &'s str {
        match key.kind {
            Kind::String => self.string_text(key.node),
            Kind::ComputedPropertyName => match self.inner(key.node) {
                Some(inner) if inner.kind == Kind::String => self.string_text(inner.node),
                Some(inner) => {
                    let remark = self.remark.take();
                    self.expression(inner);
                    self.remark = remark;
                    self.text(key.node)
                }
                None => self.text(key.node),
            },
            _ => self.text(key.node),
        }
    }
}
