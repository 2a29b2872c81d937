//! Assignments: to names, to fields of `this`, to members of what the file defines.

use strata_lang::builder::{NewBinding, NewDef, VALUE};
use strata_model::facts::{BindSource, DefFlags, Expr, RefTarget};
use strata_model::ids::{DefId, ExprId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::patterns::Target;
use super::walk::{Child, Receiver, Walk};

/// A member that an assignment defines.
#[derive(Clone, Copy)]
enum Place {
    /// `exports.f`, `module.exports.f`.
    Export,
    /// `module.exports`.
    Exports,
    /// `X.prototype.f`, `this.f`, `object.f`: a member of this definition.
    Member { of: DefId, flags: DefFlags },
    /// `X.prototype`.
    Prototype(DefId),
    /// Any other member.
    Unknown,
}

impl<'s, 't> Walk<'_, 's, 't> {
    /// `left = right`.
    pub(super) fn assignment(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let left = self.field(children, Field::Left);
        let right = self.field(children, Field::Right);
        let is_using = self.has(children, Kind::UsingToken);
        self.release(children);
        let (Some(left), Some(right)) = (left, right) else {
            self.anything_below(child.node, Kind::Other);
            return self.opaque();
        };
        if is_using && left.kind == Kind::Identifier {
            // TypeScript's grammar reads `using x = f()` as an assignment.
            let value = self.expression(right);
            self.bind_leaf(left, value, Target::Local, None);
            return value;
        }
        match left.kind {
            Kind::Identifier => {
                let value = self.expression(right);
                self.assign_name(left, value);
                value
            }
            Kind::MemberExpression => self.assign_member(child, left, right),
            Kind::ObjectPattern | Kind::ArrayPattern => {
                let value = self.expression(right);
                self.destructure(left, value, Target::Assigned);
                value
            }
            _ => {
                if left.kind == Kind::SubscriptExpression && right.kind.is_function_literal() {
                    self.next_receiver = self.receiver_of_element(left);
                }
                let value = self.expression(right);
                self.next_receiver = None;
                self.store_value(left, value);
                value
            }
        }
    }

    /// What `this` means in a function that is assigned to `X.prototype[name]` or `object[name]`.
    fn receiver_of_element(&mut self, left: Child<'t>) -> Option<Receiver> {
        let children = self.children(left.node);
        let object = self.field(children, Field::Object);
        self.release(children);
        let object = object?;
        if let Some(class) = self.prototype_of(object) {
            return Some(Receiver::Of(class, false));
        }
        let of = self.owner_named(object)?;
        let is_static = self.flags_beside(of).has(DefFlags::STATIC);
        Some(Receiver::Of(of, is_static))
    }

    /// `left += right` and its like; `||=` and `??=` may assign the value.
    pub(super) fn augmented_assignment(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let left = self.field(children, Field::Left);
        let right = self.field(children, Field::Right);
        let operator = self.field(children, Field::Operator).map_or(Kind::Other, |it| it.kind);
        self.release(children);
        let value = match right {
            Some(right) => self.expression(right),
            None => self.opaque(),
        };
        let Some(left) = left else { return value };
        if !matches!(operator, Kind::OrAssignToken | Kind::CoalesceAssignToken) {
            self.store(left);
            return self.opaque();
        }
        if left.kind == Kind::Identifier {
            let text = self.text(left.node);
            let before = self.builder.name(text);
            let either = self.shape(Expr::Either(before, value));
            self.assign_name(left, either);
            return either;
        }
        let target = self.store_value(left, value);
        self.shape(Expr::Either(target, value))
    }

    /// A place that is written without a value of interest.
    pub(super) fn store(&mut self, target: Child<'t>) -> ExprId {
        match target.kind {
            Kind::Identifier => {
                let text = self.text(target.node);
                let expr = self.mention(target.node, text).expr;
                self.reference(RefKind::Write, RefTarget::Expr(expr), target.node, 0);
                expr
            }
            Kind::MemberExpression | Kind::SubscriptExpression => {
                let (expr, name) = self.member_access(target);
                if let Some(name) = name {
                    self.reference_named(RefKind::Write, RefTarget::Expr(expr), name.text, name.node, 0);
                }
                expr
            }
            Kind::ParenthesizedExpression | Kind::NonNullExpression => match self.inner(target.node) {
                Some(inner) => self.store(inner),
                None => self.opaque(),
            },
            Kind::AsExpression | Kind::SatisfiesExpression => {
                let bare = self.bare(target);
                self.bare_type(bare);
                if matches!(
                    bare.value.kind,
                    Kind::Identifier | Kind::MemberExpression | Kind::SubscriptExpression
                ) {
                    self.store(bare.value)
                } else {
                    self.expression(bare.value)
                }
            }
            _ => self.expression(target),
        }
    }

    /// A place that gets a value: a name or member may be defined or bound by it.
    pub(super) fn store_value(&mut self, target: Child<'t>, value: ExprId) -> ExprId {
        match target.kind {
            Kind::Identifier => {
                self.assign_name(target, value);
                value
            }
            Kind::MemberExpression => {
                let is_defined = if let Some((name, place)) = self.place(target)
                    && let Place::Member { of, flags } = place
                {
                    self.define_data(of, flags, target, target.node, name, value);
                    true
                } else {
                    false
                };
                let written = self.store(target);
                if !is_defined {
                    self.builder.assigned(written, value);
                }
                written
            }
            _ => {
                let written = self.store(target);
                self.builder.assigned(written, value);
                written
            }
        }
    }

    /// Binds a name that was declared before.
    pub(super) fn assign_name(&mut self, name: Child<'t>, value: ExprId) {
        let text = self.text(name.node);
        if text.is_empty() {
            return;
        }
        let mention = self.mention(name.node, text);
        self.reference(RefKind::Write, RefTarget::Expr(mention.expr), name.node, 0);
        if mention.kind == RefKind::Read || mention.value != mention.expr {
            return;
        }
        let Some(scope) = self.declaring_scope(text) else {
            return;
        };
        let source = if self.builder.expr_at(value) == Expr::Opaque {
            BindSource::Opaque
        } else {
            BindSource::Value(value)
        };
        let def = self.builder.def_named(text).filter(|def| {
            matches!(
                self.builder.def(*def).kind,
                NodeKind::Variable | NodeKind::Constant | NodeKind::Function
            )
        });
        if let Some(def) = def
            && self.builder.def(def).kind != NodeKind::Function
        {
            self.builder.add_value(def, value);
            if let Expr::Def(object) = self.builder.expr_at(value) {
                self.held.entry(def).or_insert(object);
            }
        }
        self.bind(
            text,
            NewBinding {
                def,
                scope: Some(scope),
                namespace: VALUE,
                ..NewBinding::new(source)
            },
        );
        self.forget_below(text);
    }

    fn assign_member(&mut self, child: Child<'t>, left: Child<'t>, right: Child<'t>) -> ExprId {
        let Some((name, place)) = self.place(left) else {
            let value = self.expression(right);
            let place = self.store(left);
            self.builder.assigned(place, value);
            self.assign_place(left, value);
            return value;
        };
        let is_unknown = matches!(place, Place::Unknown);
        let bare = self.bare(right);
        let value = match place {
            Place::Exports => self.assign_exports(child.node, left, right),
            Place::Export => self.assign_export(child.node, left, right, name),
            Place::Prototype(class) => self.assign_prototype(class, right),
            Place::Member { of, flags } => match bare.value.kind {
                kind if kind.is_function_literal() => {
                    self.define_function(of, flags, child.node, left, bare.value, name)
                }
                Kind::Class if self.builder.def(of).kind != NodeKind::Class => {
                    let key = self.property(left).unwrap_or(left);
                    let def = self.class_of_member(bare.value, key, name, child.node, of);
                    self.builder.note_member(of, def);
                    self.shape(Expr::Def(def))
                }
                Kind::Object => self.define_object(of, flags, left, child.node, name, bare.value),
                _ => {
                    let value = self.expression(right);
                    self.define_data(of, flags, left, child.node, name, value);
                    value
                }
            },
            Place::Unknown if bare.value.kind.is_function_literal() => {
                let def = self.named_after_place(child.node, left, bare.value, name, DefFlags::default());
                let receiver = Receiver::Unknown;
                self.named_function(def, bare.value, receiver);
                self.shape(Expr::Def(def))
            }
            Place::Unknown => self.expression(right),
        };
        if let Some(ty) = bare.ty
            && bare.value.kind.is_function_literal()
        {
            self.ty(ty);
        }
        let written = self.store(left);
        if is_unknown {
            self.builder.assigned(written, value);
        }
        self.assign_place(left, value);
        value
    }

    pub(super) fn property(&mut self, member: Child<'t>) -> Option<Child<'t>> {
        let children = self.children(member.node);
        let property = self.field(children, Field::Property);
        self.release(children);
        property
    }

    /// What a member expression on the left side names.
    fn place(&mut self, left: Child<'t>) -> Option<(&'s str, Place)> {
        let children = self.children(left.node);
        let object = self.field(children, Field::Object);
        let property = self.field(children, Field::Property);
        self.release(children);
        let (object, property) = (object?, property?);
        let name = self.text(property.node);
        if name.is_empty() {
            return None;
        }
        let place = match object.kind {
            Kind::Identifier => match self.text(object.node) {
                "module" if name == "exports" && self.declaring_scope("module").is_none() => Place::Exports,
                "exports" if !self.is_shadowed_exports() => Place::Export,
                _ if name == "prototype" => self.owner_named(object).map_or(Place::Unknown, Place::Prototype),
                text => match self.prototypes.get(text).copied() {
                    Some(class) => Place::Member {
                        of: class,
                        flags: DefFlags::default(),
                    },
                    None => match self.owner_named(object) {
                        Some(of) => Place::Member {
                            of,
                            flags: self.flags_beside(of),
                        },
                        None => Place::Unknown,
                    },
                },
            },
            Kind::This => match self.receiver {
                Receiver::Of(of, is_static) => {
                    let mut flags = DefFlags::INSTANCE_FIELD;
                    if is_static {
                        flags = DefFlags::STATIC;
                    }
                    Place::Member { of, flags }
                }
                Receiver::Unknown | Receiver::Typed(_) => Place::Unknown,
            },
            Kind::MemberExpression => match self.prototype_of(object) {
                Some(class) => Place::Member {
                    of: class,
                    flags: DefFlags::default(),
                },
                None if self.text(object.node) == "module.exports" => Place::Export,
                None => Place::Unknown,
            },
            _ => Place::Unknown,
        };
        Some((name, place))
    }

    /// A local variable or class of that name hides CommonJS's; a parameter of a wrapper around the file does not.
    fn is_shadowed_exports(&mut self) -> bool {
        self.builder.def_named("exports").is_some()
    }

    /// Members assigned to a class or function belong to itself, those assigned to an object to the object.
    pub(super) fn flags_beside(&self, of: DefId) -> DefFlags {
        if self.builder.def(of).flags.has(DefFlags::OBJECT) {
            DefFlags::default()
        } else {
            DefFlags::STATIC
        }
    }

    /// `X.prototype.f = function () {}` and its like.
    fn define_function(
        &mut self,
        of: DefId,
        flags: DefFlags,
        node: Node<'t>,
        left: Child<'t>,
        literal: Child<'t>,
        name: &'s str,
    ) -> ExprId {
        let n_defs = self.builder.def_count();
        let name_node = self.property(left).unwrap_or(left).node;
        let body = self.body_of(literal);
        let flags = flags.with(self.error_flag());
        let remark = self.remark.take();
        let def = self.builder.field(
            of,
            NewDef {
                name,
                kind: NodeKind::Method,
                flags,
                parent: Some(of),
                node,
                name_node,
                body,
            },
            None,
            None,
        );
        if def.ix() < n_defs {
            // The member is there already; this is one more value of it.
            let value = self.expression(literal);
            let found = self.builder.def(def);
            if !found.kind.is_callable() && !found.flags.has(DefFlags::GETTER) {
                self.builder.add_value(def, value);
            }
            return value;
        }
        if let Some(remark) = remark {
            self.document(def, remark);
        }
        let is_static = flags.has(DefFlags::STATIC);
        self.named_function(def, literal, Receiver::Of(of, is_static));
        self.shape(Expr::Def(def))
    }

    /// `this.x = {…}` and its like: the object belongs to the field that holds it.
    fn define_object(
        &mut self,
        of: DefId,
        flags: DefFlags,
        left: Child<'t>,
        node: Node<'t>,
        name: &'s str,
        literal: Child<'t>,
    ) -> ExprId {
        let field = self.data_field(of, flags, left, node, name, None);
        let value = self.object_literal(literal, Some(field));
        let found = self.builder.def(field);
        if !found.kind.is_callable() && !found.flags.has(DefFlags::GETTER) {
            self.builder.add_value(field, value);
        }
        value
    }

    fn define_data(
        &mut self,
        of: DefId,
        flags: DefFlags,
        left: Child<'t>,
        node: Node<'t>,
        name: &'s str,
        value: ExprId,
    ) {
        self.data_field(of, flags, left, node, name, Some(value));
    }

    fn data_field(
        &mut self,
        of: DefId,
        flags: DefFlags,
        left: Child<'t>,
        node: Node<'t>,
        name: &'s str,
        value: Option<ExprId>,
    ) -> DefId {
        let name_node = self.property(left).unwrap_or(left).node;
        let flags = flags.with(self.error_flag());
        let n_defs = self.builder.def_count();
        let remark = self.remark;
        let hint = match remark {
            Some(remark) if !self.is_typescript => self.doc_type(remark),
            _ => None,
        };
        let def = self.builder.field(
            of,
            NewDef {
                name,
                kind: NodeKind::Property,
                flags,
                parent: Some(of),
                node,
                name_node,
                body: None,
            },
            value,
            hint,
        );
        if def.ix() >= n_defs
            && let Some(remark) = self.remark.take()
        {
            self.document(def, remark);
        }
        def
    }

    /// A function that is named after the member it is assigned to, of something that is not known.
    pub(super) fn named_after_place(
        &mut self,
        node: Node<'t>,
        left: Child<'t>,
        literal: Child<'t>,
        name: &'s str,
        flags: DefFlags,
    ) -> DefId {
        let name_node = self.property(left).unwrap_or(left).node;
        let body = self.body_of(literal);
        let flags = flags.with(self.place_flags());
        self.add_def(NewDef {
            name,
            kind: NodeKind::Function,
            flags,
            parent: None,
            node,
            name_node,
            body,
        })
    }
}
