//! Classes from before classes: `X.prototype` and what is assigned to it.

use strata_model::facts::{DefFlags, Expr, SuperRef, TypeExpr};
use strata_model::ids::{DefId, ExprId};
use strata_model::kinds::NodeKind;

use super::kinds::{Field, Kind};
use super::walk::{Child, Receiver, Walk};

impl<'t> Walk<'_, '_, 't> {
    /// The class or constructor function `X` of `X.prototype`, or of a local name for it.
    pub(super) fn prototype_of(&mut self, value: Child<'t>) -> Option<DefId> {
        if value.kind == Kind::Identifier {
            let text = self.text(value.node);
            return self.prototypes.get(text).copied();
        }
        if value.kind != Kind::MemberExpression {
            return None;
        }
        let children = self.children(value.node);
        let object = self.field(children, Field::Object);
        let property = self.field(children, Field::Property);
        self.release(children);
        let (object, property) = (object?, property?);
        if self.text(property.node) != "prototype" {
            return None;
        }
        self.owner_named(object)
    }

    /// The definition with members that an identifier or `this` stands for: a class, a function, an object literal.
    pub(super) fn owner_named(&mut self, object: Child<'t>) -> Option<DefId> {
        match object.kind {
            Kind::Identifier => {
                let text = self.text(object.node);
                let def = self.builder.def_named(text)?;
                let def = self.held.get(&def).copied().unwrap_or(def);
                let found = self.builder.def(def);
                let has_members =
                    matches!(found.kind, NodeKind::Class | NodeKind::Function) || found.flags.has(DefFlags::OBJECT);
                has_members.then_some(def)
            }
            Kind::This => match self.receiver {
                Receiver::Of(def, _) => Some(def),
                Receiver::Unknown | Receiver::Typed(_) => None,
            },
            _ => None,
        }
    }

    /// `X.prototype = {…}`, `= Object.create(Y.prototype)`, `= new Y()`.
    pub(super) fn assign_prototype(&mut self, class: DefId, right: Child<'t>) -> ExprId {
        match right.kind {
            Kind::Object => {
                self.object_members(right, class);
                self.opaque()
            }
            Kind::CallExpression | Kind::NewExpression => {
                let value = self.expression(right);
                let base = match self.builder.expr_at(value) {
                    Expr::New(base, ..) => Some(base),
                    Expr::Call(callee, ..) if self.is_object_create(callee) => self.created_from(right),
                    _ => None,
                };
                if let Some(base) = base {
                    let ty = self.builder.ty(TypeExpr::Name(base));
                    self.builder.add_super(
                        class,
                        SuperRef {
                            ty,
                            is_implements: false,
                        },
                    );
                }
                value
            }
            _ => self.expression(right),
        }
    }

    pub(super) fn is_object_create(&self, callee: ExprId) -> bool {
        let Expr::Member(_, name) = self.builder.expr_at(callee) else {
            return false;
        };
        self.builder.interned_text(name) == "create"
    }

    /// `Y` of `Object.create(Y.prototype, …)`.
    pub(super) fn created_from(&mut self, call: Child<'t>) -> Option<ExprId> {
        let children = self.children(call.node);
        let arguments = self.field(children, Field::Arguments);
        self.release(children);
        let children = self.children(arguments?.node);
        let first = self.first_named(children);
        self.release(children);
        let first = first?;
        if first.kind != Kind::MemberExpression {
            return None;
        }
        let children = self.children(first.node);
        let object = self.field(children, Field::Object);
        let property = self.field(children, Field::Property);
        self.release(children);
        let (object, property) = (object?, property?);
        if object.kind != Kind::Identifier || self.text(property.node) != "prototype" {
            return None;
        }
        let text = self.text(object.node);
        Some(self.builder.name(text))
    }
}
