//! Types as JSDoc comments write them.
//!
//! Names, `Array<T>` and `Array.<T>`, `T[]`, unions, `?T`, `import("./x").T`, `typeof x`, functions, object types. What is
//! not understood is opaque; nothing here can fail.

use strata_lang::builder::{TYPE, VALUE};
use strata_model::facts::{DefFlags, Expr, Import, ImportKind, Literal, RefTarget, TypeExpr};
use strata_model::ids::{DefId, ExprId, TypeId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::jsdoc_tags::{closing_brace, is_name};
use super::walk::Walk;

/// Deepest nesting of a type in a comment.
const MAX_DEPTH: u32 = 20;

/// Reads one type from a slice of the source.
pub(super) struct TypeParser<'w, 'b, 's, 't> {
    pub(super) walk: &'w mut Walk<'b, 's, 't>,
    /// The comment.
    pub(super) comment: Node<'t>,
    /// What is not read yet.
    pub(super) rest: &'s str,
    /// True when names get references: the text has not been read before.
    pub(super) is_new: bool,
    pub(super) depth: u32,
}

impl<'s> TypeParser<'_, '_, 's, '_> {
    fn make(&mut self, ty: TypeExpr) -> TypeId {
        self.walk.builder.ty(ty)
    }

    fn skip_space(&mut self) {
        // A type may go over several lines of a comment, each with a star.
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\r']);
            let Some(line) = self.rest.strip_prefix('\n') else {
                return;
            };
            let line = line.trim_start_matches([' ', '\t']);
            self.rest = line.strip_prefix('*').unwrap_or(line);
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

    fn word(&mut self) -> &'s str {
        self.skip_space();
        let end = self.rest.find(|it: char| !is_name(it)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// Adds the reference of a named type whose last name is `name`.
    fn refer(&mut self, ty: TypeId, name: &'s str) {
        if self.is_new && !name.is_empty() {
            let at = self.walk.offset_of(name);
            self.walk
                .builder
                .add_ref_at(RefKind::Type, RefTarget::Type(ty), name, at, 0);
        }
    }

    pub(super) fn union(&mut self) -> TypeId {
        if self.depth > MAX_DEPTH {
            self.rest = "";
            return self.make(TypeExpr::Opaque);
        }
        self.depth += 1;
        self.eat("|");
        let first = self.intersection();
        let mut parts = vec![first];
        while self.eat("|") {
            parts.push(self.intersection());
        }
        self.depth -= 1;
        if parts.len() == 1 {
            return first;
        }
        let run = self.walk.builder.type_run(&parts);
        self.make(TypeExpr::Union(run))
    }

    fn intersection(&mut self) -> TypeId {
        self.eat("&");
        let first = self.postfix();
        let mut parts = vec![first];
        while self.eat("&") {
            parts.push(self.postfix());
        }
        if parts.len() == 1 {
            return first;
        }
        let run = self.walk.builder.type_run(&parts);
        self.make(TypeExpr::Intersection(run))
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
            if self.rest.starts_with('[') {
                ty = self.indexed(ty);
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

    /// `T["key"]`, `T[number]`.
    fn indexed(&mut self, of: TypeId) -> TypeId {
        self.eat("[");
        self.skip_space();
        let quote = self.rest.chars().next().filter(|it| matches!(it, '"' | '\''));
        if let Some(quote) = quote
            && let Some(end) = self.rest[1..].find(quote)
        {
            let key = self.walk.builder.intern(&self.rest[1..=end]);
            self.rest = &self.rest[end + 2..];
            self.eat("]");
            return self.make(TypeExpr::Indexed(of, key));
        }
        self.union();
        self.eat("]");
        self.make(TypeExpr::Opaque)
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
        if is_function {
            return self.function();
        }
        self.eat("(");
        let ty = self.union();
        self.eat(")");
        ty
    }

    /// `(a: T, b: U) => R`, with a colon instead of the arrow in a signature.
    fn function(&mut self) -> TypeId {
        self.eat("(");
        let mut params = Vec::new();
        while !self.rest.is_empty() && !self.eat(")") {
            self.eat("...");
            let name = self.word();
            self.eat("?");
            let ty = if self.eat(":") {
                self.union()
            } else {
                self.make(TypeExpr::Opaque)
            };
            if name != "this" {
                params.push(ty);
            }
            if !self.eat(",") && !self.rest.trim_start().starts_with(')') {
                self.rest = "";
            }
        }
        let result = if self.eat("=>") || self.eat(":") {
            self.result()
        } else {
            self.make(TypeExpr::Opaque)
        };
        let run = self.walk.builder.type_run(&params);
        self.make(TypeExpr::Fn(run, Some(result)))
    }

    /// A result, which may be a test: `x is T`, `asserts x`.
    pub(super) fn result(&mut self) -> TypeId {
        let before = self.rest;
        let first = self.word();
        if first == "asserts" && !self.rest.trim_start().starts_with(['.', '<', '[']) {
            self.word();
            if self.eat("is ") {
                self.union();
            }
            return self.make(TypeExpr::Literal(Literal::Null));
        }
        if !first.is_empty() && self.eat("is ") {
            self.union();
            return self.make(TypeExpr::Literal(Literal::Bool));
        }
        self.rest = before;
        self.union()
    }

    /// `{ a: T, b?: U }` as a type of its own.
    fn object(&mut self) -> TypeId {
        let flags = DefFlags::OBJECT.with(DefFlags::ANONYMOUS);
        let def = self
            .walk
            .doc_def("<object>", None, NodeKind::Unknown, flags, None, self.comment);
        self.members_of(def);
        self.make(TypeExpr::Object(def))
    }

    /// Reads `{ a: T, b?: U }` into the members of a definition.
    pub(super) fn members_of(&mut self, owner: DefId) {
        self.skip_space();
        let Some(inner) = self.rest.strip_prefix('{') else {
            return;
        };
        let Some(end) = closing_brace(inner) else {
            self.rest = "";
            return;
        };
        let after = &inner[end + 1..];
        self.rest = &inner[..end];
        if self.depth > MAX_DEPTH {
            self.rest = after;
            return;
        }
        self.depth += 1;
        loop {
            while self.eat(",") || self.eat(";") {}
            if self.rest.is_empty() {
                break;
            }
            let n_left = self.rest.len();
            self.member(owner);
            if self.rest.len() == n_left {
                // Nothing that is known: on to the next separator.
                let next = self.rest.find([',', ';', '\n']).map_or(self.rest.len(), |it| it + 1);
                self.rest = &self.rest[next..];
            }
        }
        self.depth -= 1;
        self.rest = after;
    }

    fn member(&mut self, owner: DefId) {
        if self.eat("[") {
            // An index signature.
            self.word();
            if self.eat(":") {
                self.union();
            }
            self.eat("]");
            if self.eat(":") {
                self.union();
            }
            return;
        }
        let mut name = self.word();
        if name == "readonly" && self.rest.trim_start().starts_with(|it: char| is_name(it)) {
            name = self.word();
        }
        if name.is_empty() {
            let quote = self.rest.chars().next().filter(|it| matches!(it, '"' | '\''));
            let Some(quote) = quote else { return };
            let Some(end) = self.rest[1..].find(quote) else { return };
            name = &self.rest[1..=end];
            self.rest = &self.rest[end + 2..];
        }
        let is_optional = self.eat("?");
        let mut flags = DefFlags::default();
        if is_optional {
            flags |= DefFlags::OPTIONAL;
        }
        let hint = if self.rest.trim_start().starts_with('(') {
            Some(self.function())
        } else if self.eat(":") {
            Some(self.union())
        } else {
            None
        };
        let kind = NodeKind::Property;
        let def = self
            .walk
            .doc_def(name, Some(name), kind, flags, Some(owner), self.comment);
        self.walk.builder.def_mut(def).hint = hint;
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
        let word = self.word();
        let simple = match word {
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
        if matches!(word, "keyof" | "readonly" | "unique") && self.rest.starts_with(' ') {
            let inner = self.union();
            return if word == "readonly" {
                inner
            } else {
                self.make(TypeExpr::Opaque)
            };
        }
        if word == "typeof" {
            self.skip_space();
            if let Some(rest) = self.rest.strip_prefix("import(") {
                self.rest = rest;
                return self.imported();
            }
            let name = self.word();
            let expr = self.walk.builder.name_in(name, VALUE | TYPE);
            let (expr, _) = self.members(expr);
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
        if word == "new" && self.rest.trim_start().starts_with('(') {
            self.skip_space();
            self.function();
            return self.make(TypeExpr::Opaque);
        }
        let is_generic = self.rest.starts_with('<') || self.rest.starts_with(".<");
        let name = match word {
            "array" => "Array",
            "Object" if is_generic => "Record",
            "Object" => return self.make(TypeExpr::Opaque),
            other => other,
        };
        // A name that is bound to nothing here is not worth a mention in the text.
        let is_known = self.walk.declaring_scope(name).is_some() && !self.walk.type_names.contains(&word);
        // A constructor function is a type, too.
        let expr = self.walk.builder.name_in(name, VALUE | TYPE);
        let (expr, last) = self.members(expr);
        self.applied(expr, is_known.then_some(last.unwrap_or(word)))
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
        let text = &inner[..end];
        let spec = self.walk.builder.intern(text);
        if self.is_new && !text.is_empty() {
            let start = self.walk.offset_of(text);
            let import = self.walk.builder.add_import(Import {
                kind: ImportKind::SideEffect,
                spec,
                name: None,
                local: None,
                is_type_only: true,
                at: self.walk.builder.position(start),
            });
            let target = RefTarget::Import(import);
            self.walk.builder.add_ref_at(RefKind::Import, target, text, start, 0);
        }
        self.rest = &inner[end + 1..];
        self.eat(")");
        if !self.rest.starts_with('.') {
            return self.make(TypeExpr::Module(spec));
        }
        let module = self.walk.shape(Expr::Require(spec));
        let (expr, last) = self.members(module);
        self.applied(expr, last)
    }

    /// The members after a name, and the last of their names.
    fn members(&mut self, mut expr: ExprId) -> (ExprId, Option<&'s str>) {
        let mut last = None;
        while self.rest.starts_with('.') && !self.rest.starts_with(".<") && !self.rest.starts_with("...") {
            self.rest = &self.rest[1..];
            let name = self.word();
            if name.is_empty() {
                break;
            }
            expr = self.walk.member(expr, name);
            last = Some(name);
        }
        (expr, last)
    }

    fn applied(&mut self, expr: ExprId, name: Option<&'s str>) -> TypeId {
        let base = self.make(TypeExpr::Name(expr));
        if let Some(name) = name {
            self.refer(base, name);
        }
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
