//! Destructuring: which part of a value each name of a pattern gets.

use strata_lang::builder::{NewBinding, NewDef, VALUE};
use strata_model::facts::{BindSource, DefFlags, Expr, RefTarget};
use strata_model::ids::{ExprId, ScopeId, TypeId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::walk::{Child, Walk};

/// What the names of a pattern are.
#[derive(Clone, Copy)]
pub(super) enum Target<'t> {
    /// New names of the current scope without a symbol.
    Local,
    /// New names of the function's scope without a symbol (`var` in a function).
    Var(ScopeId),
    /// New names with symbols of this kind, declared by the node.
    Symbol {
        /// Kind of the symbols.
        kind: NodeKind,
        /// Their flags.
        flags: DefFlags,
        /// The declaration.
        node: Node<'t>,
        /// The scope, where it is not the current one.
        scope: Option<ScopeId>,
    },
    /// Names, members and elements that are there already.
    Assigned,
}

impl<'t> Walk<'_, '_, 't> {
    /// Takes a value apart by a pattern.
    pub(super) fn destructure(&mut self, pattern: Child<'t>, value: ExprId, target: Target<'t>) {
        if !self.descend(pattern.node) {
            return;
        }
        match pattern.kind {
            Kind::ObjectPattern | Kind::Object => self.object_pattern(pattern, value, target),
            Kind::ArrayPattern | Kind::Array => self.array_pattern(pattern, value, target),
            Kind::AssignmentPattern | Kind::ObjectAssignmentPattern | Kind::AssignmentExpression => {
                let children = self.children(pattern.node);
                let left = self.field(children, Field::Left);
                let right = self.field(children, Field::Right);
                self.release(children);
                if let Some(left) = left {
                    let value = match right {
                        Some(right) => {
                            let default = self.expression(right);
                            self.shape(Expr::Either(value, default))
                        }
                        None => value,
                    };
                    self.destructure(left, value, target);
                }
            }
            Kind::RestPattern | Kind::SpreadElement | Kind::ParenthesizedExpression | Kind::NonNullExpression => {
                if let Some(inner) = self.inner(pattern.node) {
                    self.destructure(inner, value, target);
                }
            }
            Kind::Identifier
            | Kind::ShorthandPropertyIdentifierPattern
            | Kind::ShorthandPropertyIdentifier
            | Kind::Undefined => self.bind_leaf(pattern, value, target, None),
            _ => {
                self.store_value(pattern, value);
            }
        }
        self.ascend();
    }

    fn object_pattern(&mut self, pattern: Child<'t>, value: ExprId, target: Target<'t>) {
        let children = self.children(pattern.node);
        for at in children.range() {
            let part = self.child(at);
            self.pattern_part(part, value, target);
        }
        self.release(children);
    }

    /// One part of an object pattern.
    pub(super) fn pattern_part(&mut self, part: Child<'t>, value: ExprId, target: Target<'t>) {
        match part.kind {
            Kind::ShorthandPropertyIdentifierPattern | Kind::ShorthandPropertyIdentifier => {
                let member = self.read_part(part, value);
                self.bind_leaf(part, member, target, None);
            }
            Kind::PairPattern | Kind::Pair => {
                let parts = self.children(part.node);
                let key = self.field(parts, Field::Key);
                let inner = self.field(parts, Field::Value);
                self.release(parts);
                let member = match key {
                    Some(key) => self.read_part(key, value),
                    None => self.opaque(),
                };
                if let Some(inner) = inner {
                    self.destructure(inner, member, target);
                }
            }
            Kind::ObjectAssignmentPattern | Kind::AssignmentPattern => {
                let parts = self.children(part.node);
                let left = self.field(parts, Field::Left);
                let right = self.field(parts, Field::Right);
                self.release(parts);
                let Some(left) = left else { return };
                let member = if left.kind == Kind::ShorthandPropertyIdentifierPattern {
                    self.read_part(left, value)
                } else {
                    value
                };
                let member = match right {
                    Some(right) => {
                        let default = self.expression(right);
                        self.shape(Expr::Either(member, default))
                    }
                    None => member,
                };
                self.destructure(left, member, target);
            }
            Kind::RestPattern | Kind::SpreadElement => {
                if let Some(inner) = self.inner(part.node) {
                    let rest = self.opaque();
                    self.destructure(inner, rest, target);
                }
            }
            Kind::Error => self.anything_below(part.node, Kind::Error),
            _ => {}
        }
    }

    /// The member that a key of a pattern takes out, with the reference to it.
    fn read_part(&mut self, key: Child<'t>, value: ExprId) -> ExprId {
        match key.kind {
            Kind::ComputedPropertyName => {
                let Some(inner) = self.inner(key.node) else {
                    return self.opaque();
                };
                if inner.kind == Kind::String {
                    let text = self.string_text(inner.node);
                    return self.member(value, text);
                }
                let key = self.expression(inner);
                self.shape(Expr::Index(value, key))
            }
            Kind::String => {
                let text = self.string_text(key.node);
                let member = self.member(value, text);
                self.reference_named(RefKind::Read, RefTarget::Expr(member), text, key.node, 0);
                member
            }
            _ => {
                let text = self.text(key.node);
                let member = self.member(value, text);
                self.reference(RefKind::Read, RefTarget::Expr(member), key.node, 0);
                member
            }
        }
    }

    fn array_pattern(&mut self, pattern: Child<'t>, value: ExprId, target: Target<'t>) {
        let children = self.children(pattern.node);
        let mut index = 0;
        for at in children.range() {
            let part = self.child(at);
            if part.kind == Kind::CommaToken {
                index += 1;
            } else if matches!(part.kind, Kind::RestPattern | Kind::SpreadElement) {
                if let Some(inner) = self.inner(part.node) {
                    self.destructure(inner, value, target);
                }
            } else if part.node.is_named() && !part.kind.is_comment() {
                let item = self.shape(Expr::Item(value, index));
                self.destructure(part, item, target);
            }
        }
        self.release(children);
    }

    /// Binds one name to its part of the value.
    pub(super) fn bind_leaf(&mut self, name: Child<'t>, value: ExprId, target: Target<'t>, hint: Option<TypeId>) {
        let text = self.text(name.node);
        if text.is_empty() {
            return;
        }
        let source = if self.builder.expr_at(value) == Expr::Opaque {
            BindSource::Opaque
        } else {
            BindSource::Value(value)
        };
        let new = NewBinding {
            hint,
            namespace: VALUE,
            ..NewBinding::new(source)
        };
        match target {
            Target::Local => {
                self.bind(text, new);
            }
            Target::Var(scope) => {
                self.bind(
                    text,
                    NewBinding {
                        scope: Some(scope),
                        ..new
                    },
                );
            }
            Target::Symbol {
                kind,
                flags,
                node,
                scope,
            } => {
                let def = self.add_def(NewDef {
                    name: text,
                    kind,
                    flags,
                    parent: None,
                    node,
                    name_node: name.node,
                    body: None,
                });
                self.builder.add_value(def, value);
                self.builder.def_mut(def).hint = hint;
                self.bind(
                    text,
                    NewBinding {
                        def: Some(def),
                        scope,
                        ..new
                    },
                );
                if flags.has(DefFlags::EXPORTED) {
                    self.export_name(text, name.node);
                }
            }
            Target::Assigned => self.assign_name(name, value),
        }
    }
}
