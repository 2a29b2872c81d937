//! Types in JSDoc comments, which is where JavaScript has them.
//!
//! `@param {T} x`, `@returns {T}`, `@type {T}` and `@typedef {T} Name` are read, with the forms of types that people
//! write: names, `Array<T>` and `Array.<T>`, `T[]`, unions, `?T`, `import("./x").T`, `typeof x`, functions. What is not
//! understood is opaque; nothing here can fail.

use strata_lang::builder::{NewDef, TYPE, VALUE};
use strata_model::facts::{DefFlags, Expr, Literal, TypeExpr};
use strata_model::ids::{DefId, ExprId, TypeId};
use strata_model::kinds::NodeKind;
use tree_sitter::Node;

use super::walk::{Remark, Walk};

/// Deepest nesting of a type in a comment.
const MAX_DEPTH: u32 = 20;

/// A tag with a type: `@param {T} name`.
struct Tag<'a> {
    name: &'a str,
    ty: &'a str,
    /// The word after the type, without brackets and default.
    subject: &'a str,
}

impl<'s, 't> Walk<'_, 's, 't> {
    /// The type of `@type {T}` in a comment.
    pub(super) fn doc_type(&mut self, remark: Remark<'t>) -> Option<TypeId> {
        if self.is_typescript {
            return None;
        }
        let text = self.builder.slice(remark.first.start_byte(), remark.last.end_byte());
        self.type_tag(text)
    }

    /// The type of `/** @type {T} */` directly before a parenthesis, which casts what is inside.
    pub(super) fn doc_cast(&mut self, node: Node<'t>) -> Option<TypeId> {
        if self.is_typescript {
            return None;
        }
        let before = self.builder.source().get(..node.start_byte())?.trim_ascii_end();
        let before = before.strip_suffix(b"*/")?;
        let start = before.windows(3).rposition(|it| it == b"/**")?;
        let text = self.builder.slice(start, before.len());
        self.type_tag(text)
    }

    fn type_tag(&mut self, text: &'s str) -> Option<TypeId> {
        if !text.starts_with("/**") || !text.contains("@type") {
            return None;
        }
        let tag = tags(text).find(|tag| tag.name == "type")?;
        Some(self.parsed(tag.ty))
    }

    /// Types of parameters and result from the documentation of a function, where the text has none.
    pub(super) fn apply_doc_types(&mut self, def: DefId, names: &[&'s str]) {
        let Some(doc) = self.builder.def(def).doc else { return };
        let doc = self.builder.interned_text(doc);
        if !doc.contains('{') || !doc.contains('@') {
            return;
        }
        let doc = doc.to_owned();
        for tag in tags(&doc) {
            match tag.name {
                "param" | "arg" | "argument" => {
                    let Some(index) = names.iter().position(|name| *name == tag.subject) else {
                        continue;
                    };
                    let ty = self.parsed(tag.ty);
                    if self.builder.type_at(ty) != TypeExpr::Opaque {
                        self.builder
                            .set_param_hint(def, u32::try_from(index).unwrap_or(u32::MAX), ty);
                    }
                }
                "returns" | "return" => {
                    let ty = self.parsed(tag.ty);
                    if self.builder.type_at(ty) != TypeExpr::Opaque {
                        self.builder.def_mut(def).ret_hint = Some(ty);
                    }
                }
                _ => {}
            }
        }
    }

    /// `@typedef {T} Name`, and `@typedef {Object} Name` with `@property {T} name`.
    pub(super) fn typedefs(&mut self, comment: Node<'t>) {
        let text = self.text(comment);
        if self.is_typescript || !text.starts_with("/**") || !text.contains("@typedef") {
            return;
        }
        let mut open: Option<DefId> = None;
        for tag in tags(text) {
            match tag.name {
                "typedef" if !tag.subject.is_empty() => {
                    let is_object = matches!(tag.ty.trim(), "Object" | "object" | "");
                    let mut flags = self.place_flags();
                    if is_object {
                        flags |= DefFlags::OBJECT;
                    }
                    let def = self
                        .builder
                        .add_def(doc_def(tag.subject, NodeKind::Type, flags, None, comment));
                    self.builder.set_signature(def, "");
                    self.declare(tag.subject, def, TYPE);
                    let hint = if is_object {
                        self.builder.ty(TypeExpr::Object(def))
                    } else {
                        self.parsed(tag.ty)
                    };
                    self.builder.def_mut(def).hint = Some(hint);
                    open = is_object.then_some(def);
                }
                "property" | "prop" => {
                    if let Some(owner) = open {
                        let flags = DefFlags::default();
                        let new = doc_def(tag.subject, NodeKind::Property, flags, Some(owner), comment);
                        let def = self.builder.add_def(new);
                        self.builder.set_signature(def, "");
                        let hint = self.parsed(tag.ty);
                        self.builder.def_mut(def).hint = Some(hint);
                    }
                }
                _ => {}
            }
        }
    }

    fn parsed(&mut self, text: &str) -> TypeId {
        let mut parser = TypeParser {
            walk: self,
            rest: text,
            depth: 0,
        };
        parser.union()
    }
}

fn doc_def<'a>(name: &'a str, kind: NodeKind, flags: DefFlags, parent: Option<DefId>, comment: Node<'a>) -> NewDef<'a> {
    NewDef {
        name,
        kind,
        flags,
        parent,
        node: comment,
        name_node: comment,
        body: Some(comment),
    }
}

/// The tags of a comment that have a type in braces.
fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    text.split('@').skip(1).filter_map(|part| {
        let (name, rest) = part.split_at(part.find(|it: char| !it.is_ascii_alphabetic())?);
        let rest = rest.trim_start();
        let inner = rest.strip_prefix('{')?;
        let end = closing_brace(inner)?;
        let after = inner[end + 1..].trim_start_matches([' ', '\t', '*', '\n', '\r']);
        let after = after.strip_prefix('[').unwrap_or(after);
        let subject_end = after
            .find(|it: char| !(it.is_alphanumeric() || it == '_' || it == '$'))
            .unwrap_or(after.len());
        Some(Tag {
            name,
            ty: &inner[..end],
            subject: &after[..subject_end],
        })
    })
}

fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Reads one type from a text.
struct TypeParser<'a, 'w, 'b, 's, 't> {
    walk: &'w mut Walk<'b, 's, 't>,
    rest: &'a str,
    depth: u32,
}

impl TypeParser<'_, '_, '_, '_, '_> {
    fn make(&mut self, ty: TypeExpr) -> TypeId {
        self.walk.builder.ty(ty)
    }

    fn skip_space(&mut self) {
        // A type may go over several lines of a comment.
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        while let Some(rest) = self.rest.strip_prefix("* ") {
            self.rest = rest.trim_start();
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip_space();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> &str {
        self.skip_space();
        let end = self
            .rest
            .find(|it: char| !(it.is_alphanumeric() || it == '_' || it == '$'))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn union(&mut self) -> TypeId {
        if self.depth > MAX_DEPTH {
            self.rest = "";
            return self.make(TypeExpr::Opaque);
        }
        self.depth += 1;
        self.eat("|");
        let first = self.postfix();
        let mut parts = vec![first];
        while self.eat("|") {
            parts.push(self.postfix());
        }
        self.depth -= 1;
        if parts.len() == 1 {
            return first;
        }
        let run = self.walk.builder.type_run(&parts);
        self.make(TypeExpr::Union(run))
    }

    fn postfix(&mut self) -> TypeId {
        let is_rest = self.eat("...");
        while self.eat("?") || self.eat("!") {}
        let mut ty = self.primary();
        loop {
            if self.eat("[]") {
                ty = self.make(TypeExpr::Array(ty));
                continue;
            }
            // `T=` is optional; `=>` belongs to a function.
            self.skip_space();
            let is_mark =
                self.rest.starts_with(['?', '!']) || (self.rest.starts_with('=') && !self.rest.starts_with("=>"));
            if !is_mark {
                break;
            }
            self.rest = &self.rest[1..];
        }
        if is_rest { self.make(TypeExpr::Array(ty)) } else { ty }
    }

    fn primary(&mut self) -> TypeId {
        self.skip_space();
        match self.rest.chars().next() {
            Some('(') => self.parenthesis(),
            Some('{') => self.object(),
            Some('[') => self.tuple(),
            Some(quote @ ('"' | '\'' | '`')) => {
                let inner = &self.rest[1..];
                self.rest = inner.find(quote).map_or("", |end| &inner[end + 1..]);
                self.make(TypeExpr::Literal(Literal::Str))
            }
            Some(digit) if digit.is_ascii_digit() || digit == '-' => {
                let end = self.rest[1..]
                    .find(|it: char| !(it.is_ascii_digit() || it == '.'))
                    .map_or(self.rest.len(), |it| it + 1);
                self.rest = &self.rest[end..];
                self.make(TypeExpr::Literal(Literal::Float))
            }
            Some(letter) if letter.is_alphabetic() || letter == '_' || letter == '$' => self.named(),
            Some(other) => {
                self.rest = &self.rest[other.len_utf8()..];
                self.make(TypeExpr::Opaque)
            }
            None => self.make(TypeExpr::Opaque),
        }
    }

    /// `(T)` or `(a: T, b: U) => R`.
    fn parenthesis(&mut self) -> TypeId {
        let is_function = closing(self.rest).is_some_and(|end| self.rest[end..].trim_start().starts_with("=>"));
        self.eat("(");
        if !is_function {
            let ty = self.union();
            self.eat(")");
            return ty;
        }
        let mut params = Vec::new();
        while !self.rest.is_empty() && !self.eat(")") {
            self.eat("...");
            self.word();
            self.eat("?");
            let ty = if self.eat(":") {
                self.union()
            } else {
                self.make(TypeExpr::Opaque)
            };
            params.push(ty);
            if !self.eat(",") && !self.rest.trim_start().starts_with(')') {
                self.rest = "";
            }
        }
        self.eat("=>");
        let result = self.union();
        let run = self.walk.builder.type_run(&params);
        self.make(TypeExpr::Fn(run, Some(result)))
    }

    /// `{ a: T }`: skipped.
    fn object(&mut self) -> TypeId {
        let inner = &self.rest[1..];
        self.rest = closing_brace(inner).map_or("", |end| &inner[end + 1..]);
        self.make(TypeExpr::Opaque)
    }

    fn tuple(&mut self) -> TypeId {
        self.eat("[");
        let items = self.list("]");
        let run = self.walk.builder.type_run(&items);
        self.make(TypeExpr::Tuple(run))
    }

    /// Types with commas between, up to a closing sign.
    fn list(&mut self, end: &str) -> Vec<TypeId> {
        let mut items = Vec::new();
        loop {
            if self.rest.trim_start().is_empty() || self.eat(end) {
                return items;
            }
            items.push(self.union());
            if !self.eat(",") {
                self.eat(end);
                return items;
            }
        }
    }

    fn named(&mut self) -> TypeId {
        if let Some(rest) = self.rest.strip_prefix("import(") {
            self.rest = rest;
            return self.imported();
        }
        let word = self.word().to_owned();
        let simple = match word.as_str() {
            "string" | "String" => Some(TypeExpr::Literal(Literal::Str)),
            "number" | "Number" | "bigint" => Some(TypeExpr::Literal(Literal::Float)),
            "boolean" | "Boolean" => Some(TypeExpr::Literal(Literal::Bool)),
            "null" | "undefined" | "void" => Some(TypeExpr::Literal(Literal::Null)),
            "any" | "unknown" | "never" | "object" | "symbol" | "Function" => Some(TypeExpr::Opaque),
            "this" => Some(TypeExpr::SelfType),
            _ => None,
        };
        if let Some(simple) = simple {
            return self.make(simple);
        }
        if word == "typeof" {
            let name = self.word().to_owned();
            let expr = self.walk.builder.name_in(&name, VALUE | TYPE);
            let expr = self.members(expr);
            return self.make(TypeExpr::TypeOf(expr));
        }
        if word == "function" && self.rest.starts_with('(') {
            let end = closing(self.rest).unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
            if self.eat(":") {
                self.union();
            }
            return self.make(TypeExpr::Opaque);
        }
        let is_generic = self.rest.starts_with('<') || self.rest.starts_with(".<");
        let name = match word.as_str() {
            "array" => "Array",
            "Object" if is_generic => "Record",
            "Object" => return self.make(TypeExpr::Opaque),
            other => other,
        };
        let expr = self.walk.builder.name_in(name, TYPE);
        let expr = self.members(expr);
        self.applied(expr)
    }

    /// `import("x")`, `import("x").T`, `import("x").default`.
    fn imported(&mut self) -> TypeId {
        self.skip_space();
        let Some(quote) = self.rest.chars().next().filter(|it| matches!(it, '"' | '\'')) else {
            return self.make(TypeExpr::Opaque);
        };
        let inner = &self.rest[1..];
        let Some(end) = inner.find(quote) else {
            return self.make(TypeExpr::Opaque);
        };
        let spec = self.walk.builder.intern(&inner[..end]);
        self.rest = &inner[end + 1..];
        self.eat(")");
        if !self.rest.starts_with('.') {
            return self.make(TypeExpr::Module(spec));
        }
        let module = self.walk.shape(Expr::Require(spec));
        let expr = self.members(module);
        self.applied(expr)
    }

    fn members(&mut self, mut expr: ExprId) -> ExprId {
        while self.rest.starts_with('.') && !self.rest.starts_with(".<") && !self.rest.starts_with("...") {
            self.rest = &self.rest[1..];
            let name = self.word().to_owned();
            if name.is_empty() {
                break;
            }
            expr = self.walk.member(expr, &name);
        }
        expr
    }

    fn applied(&mut self, expr: ExprId) -> TypeId {
        let base = self.make(TypeExpr::Name(expr));
        if self.eat(".<") || self.eat("<") {
            let args = self.list(">");
            let run = self.walk.builder.type_run(&args);
            return self.make(TypeExpr::App(base, run));
        }
        base
    }
}

/// The place after the parenthesis that closes the one the text starts with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth <= 1 => return Some(at + 1),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}
