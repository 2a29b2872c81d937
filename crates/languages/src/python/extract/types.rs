//! Annotations: types as written, in code and in strings.

use strata_lang::builder::{TYPE, VALUE};
use strata_model::facts::{Expr, Literal, RefTarget, TypeExpr};
use strata_model::ids::{ExprId, TypeId};
use strata_model::kinds::RefKind;
use tree_sitter::Node;

use super::Walk;
use super::strings;
use crate::python::grammar::Kind;

impl<'t> Walk<'_, '_, 't> {
    /// An annotation: nobody looks at it before the file has run, so its names mean what they mean in the end.
    pub(super) fn annotation(&mut self, node: Node<'t>) -> TypeId {
        if self.kind(node) == Kind::Type {
            let mut ty = None;
            self.each(node, |walk, child, _| ty = Some(walk.annotation_inside(child)));
            return ty.unwrap_or_else(|| self.b.ty(TypeExpr::Opaque));
        }
        self.annotation_inside(node)
    }

    /// A type that a test names: read here and now, a tuple means any of its members.
    pub(super) fn type_now(&mut self, node: Node<'t>) -> TypeId {
        if self.kind(node) == Kind::Tuple {
            let mut types = Vec::new();
            self.each(node, |walk, child, _| types.push(walk.annotation_inside(child)));
            let run = self.b.type_run(&types);
            return self.b.ty(TypeExpr::Union(run));
        }
        self.annotation_inside(node)
    }

    pub(super) fn annotation_inside(&mut self, node: Node<'t>) -> TypeId {
        self.nesting += 1;
        let ty = if self.is_beyond() {
            self.b.ty(TypeExpr::Opaque)
        } else {
            self.annotation_shape(node)
        };
        self.nesting -= 1;
        ty
    }

    fn annotation_shape(&mut self, node: Node<'t>) -> TypeId {
        match self.kind(node) {
            Kind::Type | Kind::ParenthesizedExpression => self.annotation(node.named_child(0).unwrap_or(node)),
            Kind::Identifier => {
                let name = self.b.text(node);
                let expr = self.b.name_or_later(name, VALUE | TYPE);
                self.reference(RefKind::Type, RefTarget::Expr(expr), node);
                self.b.ty(TypeExpr::Name(expr))
            }
            Kind::Attribute | Kind::MemberType => {
                let (Some(object), Some(attribute)) = (
                    self.field(node, self.fields.object),
                    self.field(node, self.fields.attribute),
                ) else {
                    return self.b.ty(TypeExpr::Opaque);
                };
                let base = match self.kind(object) {
                    Kind::Identifier => {
                        let name = self.b.text(object);
                        let expr = self.b.name_or_later(name, VALUE | TYPE);
                        self.reference(RefKind::Value, RefTarget::Expr(expr), object);
                        expr
                    }
                    Kind::Attribute => self.expr(object),
                    _ => self.expr_once(object),
                };
                let name = self.b.text(attribute);
                let name = self.b.intern(name);
                let expr = self.shape(Expr::Member(base, name), &[base]);
                self.reference(RefKind::Type, RefTarget::Expr(expr), attribute);
                self.b.ty(TypeExpr::Name(expr))
            }
            Kind::Subscript | Kind::GenericType => self.applied(node),
            Kind::BinaryOperator | Kind::UnionType => {
                let mut types = Vec::new();
                self.each(node, |walk, child, _| types.push(walk.annotation_inside(child)));
                let run = self.b.type_run(&types);
                self.b.ty(TypeExpr::Union(run))
            }
            Kind::None => self.b.ty(TypeExpr::Literal(Literal::Null)),
            Kind::String => self.string_annotation(node),
            Kind::List | Kind::Tuple => {
                let mut types = Vec::new();
                self.each(node, |walk, child, _| types.push(walk.annotation_inside(child)));
                let run = self.b.type_run(&types);
                self.b.ty(TypeExpr::Tuple(run))
            }
            Kind::Call => {
                let expr = self.expr_once(node);
                self.b.ty(TypeExpr::Name(expr))
            }
            Kind::ListSplat | Kind::SplatType => {
                self.each(node, |walk, child, _| {
                    walk.annotation_inside(child);
                });
                self.b.ty(TypeExpr::Opaque)
            }
            _ => self.b.ty(TypeExpr::Opaque),
        }
    }

    /// An expression inside a type. It is walked only where it has not been before.
    fn expr_once(&mut self, node: Node<'t>) -> ExprId {
        if self.is_quiet { self.opaque() } else { self.expr(node) }
    }

    fn applied(&mut self, node: Node<'t>) -> TypeId {
        let range = self.open(node);
        let parts: Vec<Node<'t>> = range.clone().map(|at| self.kids[at].0).collect();
        self.close(&range);
        let Some((head, rest)) = parts.split_first() else {
            return self.b.ty(TypeExpr::Opaque);
        };
        let head_name = self.b.text(*head).rsplit('.').next().unwrap_or_default();
        let is_literal = head_name == "Literal";
        // What follows the type in `Annotated[T, …]` are values.
        let n_types = if head_name == "Annotated" { 1 } else { usize::MAX };
        let base = self.annotation_inside(*head);
        let mut args = Vec::new();
        for part in rest {
            let items: Vec<Node<'t>> = if matches!(self.kind(*part), Kind::TypeParameter) {
                let range = self.open(*part);
                let items = range.clone().map(|at| self.kids[at].0).collect();
                self.close(&range);
                items
            } else {
                vec![*part]
            };
            for item in items {
                let inner = if self.kind(item) == Kind::Type {
                    item.named_child(0).unwrap_or(item)
                } else {
                    item
                };
                match self.kind(inner) {
                    _ if args.len() >= n_types => {
                        self.expr_once(inner);
                    }
                    // `tuple[X, ...]`: any number of the one before.
                    Kind::Ellipsis => {}
                    Kind::String if is_literal => args.push(self.b.ty(TypeExpr::Literal(Literal::Str))),
                    _ => args.push(self.annotation_inside(inner)),
                }
            }
        }
        let run = self.b.type_run(&args);
        self.b.ty(TypeExpr::App(base, run))
    }

    /// A type inside a string: a forward reference.
    fn string_annotation(&mut self, node: Node<'t>) -> TypeId {
        let literal = self.b.text(node);
        let text = strings::content(literal).to_owned();
        let start = node.start_byte() + strings::opening(literal);
        let mut reader = Reader { text: &text, at: 0 };
        let ty = self.union(&mut reader, start, 0);
        reader.skip_space();
        if reader.at < text.len() {
            // Not a type: a literal, or something that this small reader does not know.
            return self.b.ty(TypeExpr::Opaque);
        }
        ty
    }

    fn union(&mut self, reader: &mut Reader<'_>, start: usize, depth: u32) -> TypeId {
        let mut types = vec![self.term(reader, start, depth)];
        while reader.eat('|') {
            types.push(self.term(reader, start, depth));
        }
        if let [only] = types.as_slice() {
            return *only;
        }
        let run = self.b.type_run(&types);
        self.b.ty(TypeExpr::Union(run))
    }

    fn term(&mut self, reader: &mut Reader<'_>, start: usize, depth: u32) -> TypeId {
        reader.skip_space();
        if depth > 20 {
            return self.b.ty(TypeExpr::Opaque);
        }
        if reader.eat('[') {
            let args = self.type_list(reader, start, depth);
            let run = self.b.type_run(&args);
            return self.b.ty(TypeExpr::Tuple(run));
        }
        if let Some(quote @ ('"' | '\'')) = reader.peek() {
            reader.at += 1;
            let ty = self.union(reader, start, depth + 1);
            reader.eat(quote);
            return ty;
        }
        let Some((name, at)) = reader.word() else {
            return self.b.ty(TypeExpr::Opaque);
        };
        if name == "None" {
            return self.b.ty(TypeExpr::Literal(Literal::Null));
        }
        let mut expr = self.b.name_or_later(name, VALUE | TYPE);
        let (mut last, mut last_at) = (name, at);
        while reader.peek() == Some('.') {
            reader.at += 1;
            let Some((member, at)) = reader.word() else {
                return self.b.ty(TypeExpr::Opaque);
            };
            if !self.is_quiet {
                let flags = self.flags();
                self.b
                    .add_ref_at(RefKind::Value, RefTarget::Expr(expr), last, start + last_at, flags);
            }
            let name = self.b.intern(member);
            expr = self.shape(Expr::Member(expr, name), &[expr]);
            (last, last_at) = (member, at);
        }
        if !self.is_quiet {
            let flags = self.flags();
            self.b
                .add_ref_at(RefKind::Type, RefTarget::Expr(expr), last, start + last_at, flags);
        }
        let base = self.b.ty(TypeExpr::Name(expr));
        if reader.eat('[') {
            let args = if last == "Literal" {
                reader.skip_brackets();
                Vec::new()
            } else {
                self.type_list(reader, start, depth)
            };
            let run = self.b.type_run(&args);
            return self.b.ty(TypeExpr::App(base, run));
        }
        base
    }

    fn type_list(&mut self, reader: &mut Reader<'_>, start: usize, depth: u32) -> Vec<TypeId> {
        let mut args = Vec::new();
        loop {
            if reader.eat(']') || reader.peek().is_none() {
                return args;
            }
            if reader.rest().starts_with("...") {
                reader.at += 3;
            } else {
                let before = reader.at;
                args.push(self.union(reader, start, depth + 1));
                if reader.at == before {
                    return args;
                }
            }
            reader.eat(',');
        }
    }
}

/// Reads a type in a string.
struct Reader<'r> {
    text: &'r str,
    at: usize,
}

impl<'r> Reader<'r> {
    fn rest(&self) -> &'r str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        if self.peek() == Some(wanted) {
            self.at += wanted.len_utf8();
            return true;
        }
        false
    }

    /// A name and where it stands.
    fn word(&mut self) -> Option<(&'r str, usize)> {
        self.skip_space();
        let rest = self.rest();
        let end = rest
            .find(|it: char| !it.is_alphanumeric() && it != '_')
            .unwrap_or(rest.len());
        let word = &rest[..end];
        if word.is_empty() || word.starts_with(|it: char| it.is_ascii_digit()) {
            return None;
        }
        let at = self.at;
        self.at += end;
        Some((word, at))
    }

    /// Goes behind the bracket that closes the one just read.
    fn skip_brackets(&mut self) {
        let mut depth = 1;
        for (at, character) in self.rest().char_indices() {
            match character {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at += at + 1;
                return;
            }
        }
        self.at = self.text.len();
    }
}
