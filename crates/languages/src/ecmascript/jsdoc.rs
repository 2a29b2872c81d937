//! JSDoc comments, which is where JavaScript has its types.
//!
//! Read are `@param`, `@returns`, `@type`, `@this`, `@template`, `@implements`, `@typedef` and `@callback` with what
//! belongs to them, and `@import`. TypeScript has types of its own, and its comments are text only.

use strata_lang::builder::{NewBinding, NewDef, TYPE};
use strata_model::facts::{
    BindSource, DefFlags, Import, ImportKind, Param, ParamKind, RefTarget, ScopeKind, SuperRef, TypeExpr,
};
use strata_model::ids::{DefId, Span, TypeId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::jsdoc_tags::{Tag, is_name, tags};
use super::jsdoc_types::TypeParser;
use super::walk::{Receiver, Remark, Walk};

impl<'b, 's, 't> Walk<'b, 's, 't> {
    // ---- types of variables -------------------------------------------------------------------------------------------

    /// The type of `@type {T}` in a comment.
    pub(super) fn doc_type(&mut self, remark: Remark<'t>) -> Option<TypeId> {
        if self.is_typescript {
            return None;
        }
        self.type_tag(remark.last)
    }

    /// The type of `@type {T}` in the comment before a definition.
    pub(super) fn doc_type_of(&mut self, def: DefId) -> Option<TypeId> {
        let remark = self.remarks.get(&def).copied()?;
        self.doc_type(remark)
    }

    /// The type of `/** @type {T} */` directly before a parenthesis, which casts what is inside.
    pub(super) fn doc_cast(&mut self, node: Node<'t>) -> Option<TypeId> {
        if self.is_typescript {
            return None;
        }
        let before = self.builder.source().get(..node.start_byte())?.trim_ascii_end();
        if !before.ends_with(b"*/") {
            return None;
        }
        let comment = node
            .prev_sibling()
            .filter(|it| it.end_byte() == before.len())
            .or_else(|| node.parent()?.prev_sibling().filter(|it| it.end_byte() == before.len()));
        let start = before.windows(3).rposition(|it| it == b"/**")?;
        let text = self.builder.slice(start, before.len());
        self.type_in(text, comment.unwrap_or(node))
    }

    /// The type of `@type {T}` in a comment.
    pub(super) fn type_tag(&mut self, comment: Node<'t>) -> Option<TypeId> {
        let text = self.text(comment);
        self.type_in(text, comment)
    }

    fn type_in(&mut self, text: &'s str, comment: Node<'t>) -> Option<TypeId> {
        if !text.starts_with("/**") || !text.contains("@type") {
            return None;
        }
        let tag = tags(text).find(|tag| tag.name == "type" && !tag.ty.is_empty())?;
        Some(self.parsed(tag.ty, comment))
    }

    /// Reads a type.
    fn parsed(&mut self, text: &'s str, comment: Node<'t>) -> TypeId {
        self.type_parser(text, comment).union()
    }

    fn type_parser<'w>(&'w mut self, text: &'s str, comment: Node<'t>) -> TypeParser<'w, 'b, 's, 't> {
        let at = self.offset_of(text);
        let is_new = self.read_types.insert(at);
        TypeParser {
            walk: self,
            comment,
            rest: text,
            is_new,
            depth: 0,
        }
    }

    /// The byte at which a slice of the source stands.
    pub(super) fn offset_of(&self, part: &'s str) -> usize {
        part.as_ptr().addr() - self.builder.source().as_ptr().addr()
    }

    // ---- functions and classes ----------------------------------------------------------------------------------------

    /// The tags of the comment before a definition.
    fn doc_tags(&self, def: DefId) -> Vec<Tag<'s>> {
        match self.remarks.get(&def) {
            Some(remark) => tags(self.text(remark.last)).collect(),
            None => Vec::new(),
        }
    }

    /// Opens a scope for the `@template`s of a function. False when there are none, and no scope.
    pub(super) fn open_templates(&mut self, def: DefId) -> bool {
        let tags = self.doc_tags(def);
        if !tags.iter().any(|tag| tag.name == "template") {
            return false;
        }
        self.builder.enter_scope(ScopeKind::TypeParams, Some(def));
        self.templates(def);
        true
    }

    /// Adds the `@template`s of a definition to the scope that is open for them.
    pub(super) fn templates(&mut self, def: DefId) {
        let Some(comment) = self.remarks.get(&def).map(|it| it.last) else {
            return;
        };
        let tags: Vec<Tag<'s>> = self.doc_tags(def);
        self.templates_of(def, &tags, comment);
    }

    fn templates_of(&mut self, def: DefId, tags: &[Tag<'s>], comment: Node<'t>) {
        let templates = tags.iter().filter(|tag| tag.name == "template");
        let declared: Vec<(&'s str, &'s str)> = templates
            .flat_map(|tag| tag.declared().map(|name| (name, tag.ty)))
            .collect();
        for (index, (name, _)) in declared.iter().enumerate() {
            self.type_names.push(name);
            let source = BindSource::TypeParam(def, u32::try_from(index).unwrap_or(u32::MAX));
            self.bind(
                name,
                NewBinding {
                    namespace: TYPE,
                    ..NewBinding::new(source)
                },
            );
        }
        for (name, bound) in declared {
            let hint = (!bound.is_empty()).then(|| self.parsed(bound, comment));
            let name = self.builder.intern(name);
            let param = Param {
                name,
                kind: ParamKind::Type,
                hint,
                default: None,
                is_optional: false,
            };
            self.builder.add_type_param(def, param);
        }
    }

    /// What `@this {T}` says that `this` is.
    pub(super) fn doc_receiver(&mut self, def: DefId) -> Option<Receiver> {
        let comment = self.remarks.get(&def)?.last;
        let tag = self
            .doc_tags(def)
            .into_iter()
            .find(|tag| tag.name == "this" && !tag.ty.is_empty())?;
        let ty = self.parsed(tag.ty, comment);
        (self.builder.type_at(ty) != TypeExpr::Opaque).then_some(Receiver::Typed(ty))
    }

    /// Types of parameters and result from the documentation of a function, where the text has none.
    pub(super) fn apply_doc_types(&mut self, def: DefId, names: &[&'s str]) {
        let Some(comment) = self.remarks.get(&def).map(|it| it.last) else {
            return;
        };
        let tags = self.doc_tags(def);
        let mut n_params = 0;
        for (at, tag) in tags.iter().enumerate() {
            match tag.name {
                "param" | "arg" | "argument" => {
                    let subject = tag.subject();
                    if subject.contains('.') {
                        continue;
                    }
                    // The tag of a destructured parameter is known by its place alone.
                    let index = names
                        .iter()
                        .position(|name| !name.is_empty() && *name == subject)
                        .or_else(|| names.get(n_params).is_some_and(|it| it.is_empty()).then_some(n_params));
                    n_params += 1;
                    let Some(index) = index.filter(|_| !tag.ty.is_empty()) else {
                        continue;
                    };
                    let ty = if is_object(tag.ty) && has_parts(&tags[at + 1..], subject) {
                        self.object_of_parts(subject, &tags[at + 1..], comment)
                    } else {
                        self.parsed(tag.ty, comment)
                    };
                    if self.builder.type_at(ty) != TypeExpr::Opaque {
                        self.builder
                            .set_param_hint(def, u32::try_from(index).unwrap_or(u32::MAX), ty);
                    }
                }
                "returns" | "return" if !tag.ty.is_empty() => {
                    let ty = self.type_parser(tag.ty, comment).result();
                    if self.builder.type_at(ty) != TypeExpr::Opaque {
                        self.builder.def_mut(def).ret_hint = Some(ty);
                    }
                }
                _ => {}
            }
        }
    }

    /// `@param {Object} o` with `@param {T} o.x` behind it.
    fn object_of_parts(&mut self, subject: &str, tags: &[Tag<'s>], comment: Node<'t>) -> TypeId {
        let flags = DefFlags::OBJECT.with(DefFlags::ANONYMOUS);
        let object = self.doc_def("<object>", None, NodeKind::Unknown, flags, None, comment);
        for tag in tags.iter().take_while(|tag| is_parameter(tag)) {
            if let Some(name) = part_of(tag, subject) {
                self.doc_property(object, name, tag, comment);
            }
        }
        self.builder.ty(TypeExpr::Object(object))
    }

    fn doc_property(&mut self, owner: DefId, name: &'s str, tag: &Tag<'s>, comment: Node<'t>) {
        let mut flags = DefFlags::default();
        if tag.is_optional() {
            flags |= DefFlags::OPTIONAL;
        }
        let def = self.doc_def(name, Some(name), NodeKind::Property, flags, Some(owner), comment);
        if !tag.ty.is_empty() {
            let hint = self.parsed(tag.ty, comment);
            self.builder.def_mut(def).hint = Some(hint);
        }
    }

    /// `@implements {T}` of a class.
    pub(super) fn doc_implements(&mut self, class: DefId) {
        let Some(comment) = self.remarks.get(&class).map(|it| it.last) else {
            return;
        };
        for tag in self.doc_tags(class) {
            if tag.name != "implements" || tag.ty.is_empty() {
                continue;
            }
            let ty = self.parsed(tag.ty, comment);
            if matches!(self.builder.type_at(ty), TypeExpr::Name(_) | TypeExpr::App(..)) {
                self.builder.add_super(
                    class,
                    SuperRef {
                        ty,
                        is_implements: true,
                    },
                );
            }
        }
    }

    // ---- comments of their own ----------------------------------------------------------------------------------------

    /// `@typedef`, `@callback` and `@import`.
    pub(super) fn doc_declarations(&mut self, comment: Node<'t>) {
        let text = self.text(comment);
        if self.is_typescript || !text.starts_with("/**") {
            return;
        }
        if !["@typedef", "@callback", "@import"].iter().any(|it| text.contains(it)) {
            return;
        }
        let tags: Vec<Tag<'s>> = tags(text).collect();
        for (at, tag) in tags.iter().enumerate() {
            match tag.name {
                "typedef" | "callback" => self.typedef(tag, &tags[..at], &tags[at + 1..], comment),
                "import" => self.doc_import(tag.rest, comment),
                _ => {}
            }
        }
    }

    /// `@typedef {T} Name`, `@typedef {Object} Name` with `@property`, `@callback Name` with `@param` and `@returns`.
    fn typedef(&mut self, tag: &Tag<'s>, before: &[Tag<'s>], after: &[Tag<'s>], comment: Node<'t>) {
        let name = tag.subject();
        if name.is_empty() || name.contains('.') {
            return;
        }
        let n_own = after
            .iter()
            .position(|tag| matches!(tag.name, "typedef" | "callback" | "import"));
        let after = &after[..n_own.unwrap_or(after.len())];
        let is_callback = tag.name == "callback";
        let is_literal = tag.ty.trim_start().starts_with('{') && tag.ty.trim_end().ends_with('}');
        let is_object = !is_callback && (is_object(tag.ty) || tag.ty.trim().is_empty() || is_literal);
        let mut flags = self.place_flags();
        if is_object {
            flags |= DefFlags::OBJECT;
        }
        let def = self.doc_def(name, Some(name), NodeKind::Type, flags, None, comment);
        self.builder.set_signature(def, &format!("@{} {name}", tag.name));
        self.declare(name, def, TYPE);
        let n_type_names = self.type_names.len();
        self.builder.enter_scope(ScopeKind::TypeParams, Some(def));
        let templates: Vec<Tag<'s>> = before.iter().chain(after).copied().collect();
        self.templates_of(def, &templates, comment);
        self.builder.push_owner(def);
        let hint = if is_callback {
            self.callback(after, comment)
        } else if is_object {
            if is_literal {
                self.type_parser(tag.ty, comment).members_of(def);
            }
            for tag in after.iter().filter(|tag| matches!(tag.name, "property" | "prop")) {
                let name = tag.subject();
                if !name.is_empty() && !name.contains('.') {
                    self.doc_property(def, name, tag, comment);
                }
            }
            self.builder.ty(TypeExpr::Object(def))
        } else {
            self.parsed(tag.ty, comment)
        };
        self.builder.def_mut(def).hint = Some(hint);
        self.builder.pop_owner();
        self.builder.exit_scope();
        self.type_names.truncate(n_type_names);
    }

    fn callback(&mut self, tags: &[Tag<'s>], comment: Node<'t>) -> TypeId {
        let mut params = Vec::new();
        let mut result = None;
        for tag in tags.iter().filter(|tag| !tag.ty.is_empty()) {
            match tag.name {
                "param" | "arg" | "argument" if !tag.subject().contains('.') => {
                    params.push(self.parsed(tag.ty, comment));
                }
                "returns" | "return" => result = Some(self.type_parser(tag.ty, comment).result()),
                _ => {}
            }
        }
        let run = self.builder.type_run(&params);
        self.builder.ty(TypeExpr::Fn(run, result))
    }

    /// `@import { A, B as C } from "x"`, `@import D from "x"`, `@import * as ns from "x"`
    fn doc_import(&mut self, text: &'s str, comment: Node<'t>) {
        let Some((clause, after)) = text.rsplit_once("from") else {
            return;
        };
        let after = after.trim_start();
        let Some(quote) = after.chars().next().filter(|it| matches!(it, '"' | '\'')) else {
            return;
        };
        let Some(end) = after[1..].find(quote) else { return };
        let spec = &after[1..=end];
        let (whole, listed) = match clause.split_once('{') {
            Some((whole, rest)) => (whole, rest.split('}').next().unwrap_or("")),
            None => (clause, ""),
        };
        let blanks = [' ', '\t', '\r', '\n', '*', ','];
        let trimmed = whole.trim_matches(blanks);
        if let Some(name) = trimmed.strip_prefix("as ") {
            self.doc_imported(spec, ImportKind::Module, None, last_word(name), comment);
        } else if !trimmed.is_empty() {
            self.doc_imported(spec, ImportKind::Name, Some("default"), last_word(trimmed), comment);
        }
        for part in listed.split(',') {
            let part = part.trim_matches(blanks);
            let name = part.split(|it: char| !is_name(it)).next().unwrap_or("");
            if !name.is_empty() {
                self.doc_imported(spec, ImportKind::Name, Some(name), last_word(part), comment);
            }
        }
    }

    fn doc_imported(
        &mut self,
        spec: &'s str,
        kind: ImportKind,
        name: Option<&'s str>,
        local: &'s str,
        comment: Node<'t>,
    ) {
        if local.is_empty() || comment.is_missing() {
            return;
        }
        let start = self.offset_of(local);
        let at = self.builder.position(start);
        let (spec, imported, bound) = (
            self.builder.intern(spec),
            name.map(|name| self.builder.intern(name)),
            self.builder.intern(local),
        );
        let import = self.builder.add_import(Import {
            kind,
            spec,
            name: imported,
            local: Some(bound),
            is_type_only: true,
            at,
        });
        self.bind(
            local,
            NewBinding {
                namespace: TYPE,
                ..NewBinding::new(BindSource::Import(import))
            },
        );
        self.builder
            .add_ref_at(RefKind::Import, RefTarget::Import(import), local, start, 0);
    }

    /// Adds a definition that a comment makes; `token` is its name in the text.
    pub(super) fn doc_def(
        &mut self,
        name: &str,
        token: Option<&'s str>,
        kind: NodeKind,
        flags: DefFlags,
        parent: Option<DefId>,
        comment: Node<'t>,
    ) -> DefId {
        let def = self.builder.add_def(NewDef {
            name,
            kind,
            flags: flags.with(self.error_flag()),
            parent,
            node: comment,
            name_node: comment,
            body: Some(comment),
        });
        self.builder.set_signature(def, "");
        if let Some(token) = token {
            let start = self.offset_of(token);
            let at = self.builder.position(start);
            let found = self.builder.def_mut(def);
            found.name_at = at;
            found.name_span = Span {
                start: u32::try_from(start).unwrap_or(u32::MAX),
                end: u32::try_from(start + token.len()).unwrap_or(u32::MAX),
            };
        }
        def
    }
}

fn is_object(ty: &str) -> bool {
    matches!(ty.trim().trim_end_matches('='), "Object" | "object")
}

fn is_parameter(tag: &Tag<'_>) -> bool {
    matches!(tag.name, "param" | "arg" | "argument")
}

/// True when tags follow that describe members of the parameter.
fn has_parts(tags: &[Tag<'_>], subject: &str) -> bool {
    tags.first()
        .is_some_and(|tag| is_parameter(tag) && tag.subject().split('.').next() == Some(subject))
}

/// `x` of `o.x`, where `o` is the subject.
fn part_of<'s>(tag: &Tag<'s>, subject: &str) -> Option<&'s str> {
    let name = tag.subject().strip_prefix(subject)?.strip_prefix('.')?;
    (!name.is_empty() && !name.contains('.')).then_some(name)
}

/// `B` of `A as B`.
fn last_word(text: &str) -> &str {
    let start = text
        .rfind(|it: char| !is_name(it))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    &text[start..]
}
