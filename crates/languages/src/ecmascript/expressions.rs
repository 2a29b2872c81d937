//! Expressions: each gives its shape, and the references in it on the way.

use strata_model::facts::{DefFlags, Expr, Literal, RefTarget, Reference, TypeExpr};
use strata_model::ids::ExprId;
use strata_model::kinds::RefKind;

use super::kinds::{Field, Kind};
use super::walk::{Child, NameToken, Receiver, Walk};

impl<'s, 't> Walk<'_, 's, 't> {
    /// Walks an expression.
    pub(super) fn expression(&mut self, child: Child<'t>) -> ExprId {
        if !self.descend(child.node) {
            return self.opaque();
        }
        let expr = self.expression_inside(child);
        self.ascend();
        expr
    }

    fn expression_inside(&mut self, child: Child<'t>) -> ExprId {
        let node = child.node;
        match child.kind {
            Kind::Identifier => self.load(child),
            Kind::MemberExpression | Kind::SubscriptExpression => self.member_load(child),
            Kind::CallExpression => self.call(child, 0),
            Kind::NewExpression => self.construct(child),
            Kind::ArrowFunction | Kind::FunctionExpression | Kind::GeneratorFunction => self.function_literal(child),
            Kind::Class => self.class_literal(child),
            Kind::Object => self.object_literal(child, None),
            Kind::Array => self.array(child, false),
            Kind::AssignmentExpression => self.assignment(child),
            Kind::AugmentedAssignmentExpression => self.augmented_assignment(child),
            Kind::BinaryExpression => self.binary(child),
            Kind::UnaryExpression => self.unary(child),
            Kind::UpdateExpression => self.update(child),
            Kind::TernaryExpression => self.ternary(child),
            Kind::AwaitExpression => self.await_expression(child),
            Kind::YieldExpression => self.yield_expression(child),
            Kind::SequenceExpression => self.sequence(child),
            Kind::ParenthesizedExpression => self.parenthesized(child),
            Kind::NonNullExpression => {
                let inner = self.operand(child);
                self.shape(Expr::Unwrap(inner))
            }
            Kind::AsExpression | Kind::TypeAssertion => self.cast(child, true),
            Kind::SatisfiesExpression => self.cast(child, false),
            Kind::InstantiationExpression => self.instantiation(child),
            Kind::TemplateString => self.template(child),
            Kind::String => self.text_literal(node),
            Kind::Number => self.literal(Literal::Float),
            Kind::Regex => self.literal(Literal::Regex),
            Kind::True | Kind::False => self.literal(Literal::Bool),
            Kind::Null | Kind::Undefined => self.literal(Literal::Null),
            Kind::This => self.this(),
            Kind::Super => self.super_value(),
            Kind::JsxElement | Kind::JsxSelfClosingElement => self.jsx(child),
            Kind::InternalModule => {
                self.namespace(child, child.node, DefFlags::default());
                self.opaque()
            }
            Kind::MetaProperty | Kind::Import => self.opaque(),
            _ => {
                self.anything_below(node, child.kind);
                self.opaque()
            }
        }
    }

    /// The value of the only operand of a node.
    fn operand(&mut self, child: Child<'t>) -> ExprId {
        match self.inner(child.node) {
            Some(inner) => self.expression(inner),
            None => self.opaque(),
        }
    }

    /// Adds a literal.
    pub(super) fn literal(&mut self, literal: Literal) -> ExprId {
        self.shape(Expr::Lit(literal))
    }

    /// Adds a string, with its text where it looks like a name: such strings tell types apart.
    fn text_literal(&mut self, node: tree_sitter::Node<'t>) -> ExprId {
        const LONGEST: usize = 40;
        let text = self.string_text(node);
        if text.is_empty() || text.len() > LONGEST || text.contains(char::is_whitespace) {
            return self.literal(Literal::Str);
        }
        self.builder.key(Literal::Str, text)
    }

    /// A name in value position.
    pub(super) fn load(&mut self, child: Child<'t>) -> ExprId {
        let text = self.text(child.node);
        if text.is_empty() {
            return self.opaque();
        }
        let mention = self.mention(child.node, text);
        self.reference(mention.kind, RefTarget::Expr(mention.expr), child.node, 0);
        mention.value
    }

    /// `this`.
    pub(super) fn this(&mut self) -> ExprId {
        match self.receiver {
            Receiver::Unknown => self.opaque(),
            Receiver::Of(def, is_static) => self.shape(Expr::This(def, is_static)),
            Receiver::Typed(ty) => self.shape(Expr::Cast(ty)),
        }
    }

    fn super_value(&mut self) -> ExprId {
        match self.receiver {
            Receiver::Of(def, is_static) => self.shape(Expr::Super(def, is_static)),
            Receiver::Unknown | Receiver::Typed(_) => self.opaque(),
        }
    }

    /// `a.b` and `a[b]` as a value that is read.
    fn member_load(&mut self, child: Child<'t>) -> ExprId {
        let (expr, name) = self.member_access(child);
        if let Some(name) = name {
            self.reference_named(RefKind::Read, RefTarget::Expr(expr), name.text, name.node, name.flags);
        }
        self.read_place(child, expr)
    }

    /// `a.b` or `a["b"]` with the token of the member's name; `a[b]` without. Adds the references of the object, not
    /// that of the member itself.
    pub(super) fn member_access(&mut self, child: Child<'t>) -> (ExprId, Option<NameToken<'s, 't>>) {
        let children = self.children(child.node);
        let object = self.field(children, Field::Object);
        let property = self.field(children, Field::Property);
        let index = self.field(children, Field::Index);
        let is_optional = self.has(children, Kind::OptionalChain) || self.has(children, Kind::ChainToken);
        self.release(children);
        let flags = if is_optional { Reference::OPTIONAL } else { 0 };
        let of = match object {
            Some(object) => self.expression(object),
            None => self.opaque(),
        };
        if let Some(property) = property {
            let text = self.text(property.node);
            let expr = match self.own_export(child) {
                Some(expr) => expr,
                None => self.member(of, text),
            };
            return (
                expr,
                (!text.is_empty()).then_some(NameToken {
                    node: property.node,
                    text,
                    flags,
                }),
            );
        }
        match index {
            Some(index) if index.kind == Kind::String => {
                let text = self.string_text(index.node);
                let expr = self.member(of, text);
                (
                    expr,
                    Some(NameToken {
                        node: index.node,
                        text,
                        flags: flags | Reference::BY_LITERAL,
                    }),
                )
            }
            Some(index) => {
                let key = self.expression(index);
                (self.shape(Expr::Index(of, key)), None)
            }
            None => (of, None),
        }
    }

    /// What stands in front of the parentheses of a call, after `new`, `@` or `extends`: its shape and the token that
    /// names it. The token gets no reference here; its kind is the caller's business.
    pub(super) fn callee(&mut self, child: Child<'t>) -> (ExprId, Option<NameToken<'s, 't>>) {
        if !self.descend(child.node) {
            return (self.opaque(), None);
        }
        let result = match child.kind {
            Kind::Identifier | Kind::TypeIdentifier => {
                let text = self.text(child.node);
                let mention = self.mention(child.node, text);
                if mention.value != mention.expr {
                    self.reference(mention.kind, RefTarget::Expr(mention.expr), child.node, 0);
                    return (mention.value, None);
                }
                (
                    mention.expr,
                    (!text.is_empty()).then_some(NameToken {
                        node: child.node,
                        text,
                        flags: 0,
                    }),
                )
            }
            Kind::MemberExpression | Kind::SubscriptExpression => self.member_access(child),
            Kind::Super => {
                let text = self.text(child.node);
                (
                    self.super_value(),
                    Some(NameToken {
                        node: child.node,
                        text,
                        flags: 0,
                    }),
                )
            }
            Kind::ParenthesizedExpression => match self.inner(child.node) {
                Some(inner) if inner.kind != Kind::SequenceExpression => self.callee(inner),
                Some(inner) => (self.expression(inner), None),
                None => (self.opaque(), None),
            },
            Kind::NonNullExpression => match self.inner(child.node) {
                Some(inner) => {
                    let (expr, name) = self.callee(inner);
                    (self.shape(Expr::Unwrap(expr)), name)
                }
                None => (self.opaque(), None),
            },
            Kind::AsExpression | Kind::SatisfiesExpression => {
                let children = self.children(child.node);
                let value = self.first_named(children);
                let ty = self.last_named(children);
                let is_const = self.has(children, Kind::ConstToken);
                self.release(children);
                let (expr, name) = match value {
                    Some(value) => self.callee(value),
                    None => (self.opaque(), None),
                };
                match ty {
                    Some(ty) if !is_const => {
                        let ty = self.ty(ty);
                        if child.kind == Kind::AsExpression {
                            (self.shape(Expr::Cast(ty)), name)
                        } else {
                            (expr, name)
                        }
                    }
                    _ => (expr, name),
                }
            }
            Kind::InstantiationExpression => {
                let children = self.children(child.node);
                let value = self.first_named(children);
                let arguments = self.field(children, Field::TypeArguments);
                self.release(children);
                let result = match value {
                    Some(value) => self.callee(value),
                    None => (self.opaque(), None),
                };
                if let Some(arguments) = arguments {
                    self.type_arguments(arguments);
                }
                result
            }
            _ => (self.expression(child), None),
        };
        self.ascend();
        result
    }

    fn array(&mut self, child: Child<'t>, is_tuple: bool) -> ExprId {
        let children = self.items(child.node);
        let mut items = Vec::new();
        for at in children.range() {
            let item = self.child(at);
            if item.kind == Kind::SpreadElement {
                if let Some(inner) = self.inner(item.node) {
                    let value = self.expression(inner);
                    items.push(self.shape(Expr::Iter(value)));
                }
            } else if item.node.is_named() && !item.kind.is_comment() {
                items.push(self.expression(item));
            }
        }
        self.release(children);
        self.list_shape(&items, if is_tuple { Expr::Tuple } else { Expr::List })
    }

    fn sequence(&mut self, child: Child<'t>) -> ExprId {
        let children = self.items(child.node);
        let mut last = None;
        for at in children.range() {
            let item = self.child(at);
            if item.node.is_named() && !item.kind.is_comment() {
                last = Some(self.expression(item));
            }
        }
        self.release(children);
        match last {
            Some(last) => last,
            None => self.opaque(),
        }
    }

    fn parenthesized(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let value = self.first_named(children);
        let ty = self.field(children, Field::Type);
        self.release(children);
        let value = match value {
            Some(value) => self.expression(value),
            None => self.opaque(),
        };
        match ty
            .and_then(|ty| self.annotation(ty))
            .or_else(|| self.doc_cast(child.node))
        {
            Some(ty) => self.shape(Expr::Cast(ty)),
            None => value,
        }
    }

    /// `x as T`, `<T>x`; and `x satisfies T`, which keeps the value's own type.
    fn cast(&mut self, child: Child<'t>, is_cast: bool) -> ExprId {
        let children = self.children(child.node);
        let (value, ty) = if child.kind == Kind::TypeAssertion {
            (self.last_named(children), self.first_named(children))
        } else {
            (self.first_named(children), self.last_named(children))
        };
        let is_const = self.has(children, Kind::ConstToken);
        self.release(children);
        let Some(value) = value else { return self.opaque() };
        if is_const {
            return if value.kind == Kind::Array {
                self.array(value, true)
            } else {
                self.expression(value)
            };
        }
        let expr = self.expression(value);
        let Some(ty) = ty else { return expr };
        let ty = if ty.kind == Kind::TypeArguments {
            let Some(inner) = self.inner(ty.node) else { return expr };
            if self.text(inner.node) == "const" {
                return expr;
            }
            self.ty(inner)
        } else {
            self.ty(ty)
        };
        if is_cast && self.builder.type_at(ty) != TypeExpr::Opaque {
            self.shape(Expr::Cast(ty))
        } else {
            expr
        }
    }

    fn instantiation(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let value = self.first_named(children);
        let arguments = self.field(children, Field::TypeArguments);
        self.release(children);
        let expr = match value {
            Some(value) => self.expression(value),
            None => self.opaque(),
        };
        if let Some(arguments) = arguments {
            self.type_arguments(arguments);
        }
        expr
    }

    pub(super) fn template(&mut self, child: Child<'t>) -> ExprId {
        let children = self.items(child.node);
        for at in children.range() {
            let part = self.child(at);
            if part.kind == Kind::TemplateSubstitution
                && let Some(inner) = self.inner(part.node)
            {
                self.expression(inner);
            }
        }
        self.release(children);
        self.literal(Literal::Str)
    }
}
