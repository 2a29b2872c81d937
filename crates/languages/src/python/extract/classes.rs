//! Classes and their bases.

use strata_lang::builder::{NewDef, TYPE, VALUE};
use strata_model::facts::{Expr, RefTarget, ScopeKind, SuperRef, TypeExpr};
use strata_model::ids::{DefId, TypeId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::Walk;
use crate::python::grammar::Kind;

impl<'t> Walk<'_, '_, 't> {
    pub(super) fn class(&mut self, node: Node<'t>, decorators: &[Node<'t>], outer: Node<'t>) {
        let Some(name_node) = self.field(node, self.fields.name) else {
            return;
        };
        let name = self.text(name_node);
        let decorator_exprs = self.decorators(decorators);
        let body = self.field(node, self.fields.body);
        let type_parameters = self.field(node, self.fields.type_parameters);
        let def = self.b.add_def(NewDef {
            name: &name,
            kind: NodeKind::Class,
            flags: self.common_flags(&name),
            parent: None,
            node,
            name_node,
            body,
        });
        self.widen(def, outer);
        self.comment_above(def, outer);
        for decorator in decorator_exprs {
            self.b.add_decorator(def, decorator);
        }
        if type_parameters.is_some() {
            self.b.enter_scope(ScopeKind::TypeParams, Some(def));
            self.type_parameters(def, type_parameters);
        }
        if let Some(bases) = self.field(node, self.fields.superclasses) {
            self.bases(def, bases);
        }
        self.b.enter_scope(ScopeKind::Class, Some(def));
        if let Some(body) = body {
            self.docstring(def, body);
            self.block(body);
        }
        self.b.exit_scope();
        if type_parameters.is_some() {
            self.b.exit_scope();
        }
        self.bind_def(&name, def);
    }

    fn bases(&mut self, class: DefId, node: Node<'t>) {
        self.each(node, |walk, child, _| match walk.kind(child) {
            Kind::KeywordArgument => {
                if let Some(value) = walk.field(child, walk.fields.value) {
                    walk.expr(value);
                    if walk.b.text(value).ends_with("ABCMeta") {
                        walk.b.def_mut(class).kind = NodeKind::Interface;
                    }
                }
            }
            Kind::ListSplat | Kind::DictionarySplat => {
                walk.expr(child);
            }
            _ => {
                let head = if walk.kind(child) == Kind::Subscript {
                    walk.field(child, walk.fields.value).unwrap_or(child)
                } else {
                    child
                };
                let last = walk.b.text(head).rsplit('.').next().unwrap_or_default();
                if matches!(last, "ABC" | "Protocol") {
                    walk.b.def_mut(class).kind = NodeKind::Interface;
                }
                let ty = walk.base(child);
                walk.b.add_super(
                    class,
                    SuperRef {
                        ty,
                        is_implements: false,
                    },
                );
            }
        });
    }

    /// A base class: a value that is read now, with arguments that are types.
    fn base(&mut self, node: Node<'t>) -> TypeId {
        self.nesting += 1;
        let ty = if self.is_beyond() {
            self.b.ty(TypeExpr::Opaque)
        } else {
            self.base_inside(node)
        };
        self.nesting -= 1;
        ty
    }

    fn base_inside(&mut self, node: Node<'t>) -> TypeId {
        match self.kind(node) {
            Kind::Subscript => {
                let value_field = self.fields.value;
                let mut head = None;
                let mut args = Vec::new();
                self.each(node, |walk, child, field| {
                    if field == value_field && head.is_none() {
                        head = Some(walk.base(child));
                    } else {
                        args.push(walk.annotation_inside(child));
                    }
                });
                let Some(head) = head else {
                    return self.b.ty(TypeExpr::Opaque);
                };
                let run = self.b.type_run(&args);
                self.b.ty(TypeExpr::App(head, run))
            }
            Kind::Identifier => {
                let name = self.b.text(node);
                let expr = self.b.name_in(name, VALUE | TYPE);
                self.reference(RefKind::Inherits, RefTarget::Expr(expr), node);
                self.b.ty(TypeExpr::Name(expr))
            }
            Kind::Attribute => {
                let (Some(object), Some(attribute)) = (
                    self.field(node, self.fields.object),
                    self.field(node, self.fields.attribute),
                ) else {
                    return self.b.ty(TypeExpr::Opaque);
                };
                let base = self.expr(object);
                let name = self.b.text(attribute);
                let name = self.b.intern(name);
                let expr = self.shape(Expr::Member(base, name), &[base]);
                self.reference(RefKind::Inherits, RefTarget::Expr(expr), attribute);
                self.b.ty(TypeExpr::Name(expr))
            }
            _ => {
                let expr = self.expr(node);
                self.b.ty(TypeExpr::Name(expr))
            }
        }
    }
}
