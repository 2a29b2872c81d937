//! `match`: what patterns bind, and what they say about the subject.

use strata_lang::builder::NewBinding;
use strata_model::facts::{BindSource, Expr, Literal, TypeExpr};
use strata_model::ids::{ExprId, TypeId};
use tree_sitter::Node;

use super::Walk;
use crate::python::grammar::Kind;

/// What a pattern is held against.
#[derive(Clone, Copy)]
struct Subject<'n> {
    /// Its value.
    value: ExprId,
    /// Its name, where it is one: a pattern that matches narrows it.
    name: Option<&'n str>,
}

/// Most classes that a subject is said not to be of.
const MAX_FAILED: usize = 8;

impl<'t> Walk<'_, '_, 't> {
    pub(super) fn match_statement(&mut self, node: Node<'t>) {
        let subject_field = self.fields.subject;
        let mut subjects = Vec::new();
        let mut values = Vec::new();
        self.each(node, |walk, child, field| {
            if field == subject_field {
                subjects.push(child);
                values.push(walk.expr(child));
            }
        });
        let (value, name) = match (values.as_slice(), subjects.as_slice()) {
            ([value], [subject]) if self.kind(*subject) == Kind::Identifier => (*value, Some(self.text(*subject))),
            ([value], _) => (*value, None),
            _ => (self.tuple(&values), None),
        };
        let Some(body) = self.field(node, self.fields.body) else {
            return;
        };
        let name = name.as_deref();
        self.b.begin_branches();
        self.conditions += 1;
        let mut is_exhaustive = false;
        // Classes that the subject is not of where a later case is tried.
        let mut failed: Vec<TypeId> = Vec::new();
        self.each(body, |walk, case, _| match walk.kind(case) {
            Kind::CaseClause => {
                walk.count(|metrics, _| metrics.branches += 1);
                walk.arm(None, |walk| {
                    if let Some(name) = name {
                        for ty in &failed {
                            walk.narrow_name(name, *ty, false);
                        }
                    }
                    is_exhaustive |= walk.case_clause(case, Subject { value, name });
                });
                if name.is_some() && failed.len() < MAX_FAILED {
                    failed.extend(walk.failed_class(case));
                }
            }
            _ => walk.statement(case),
        });
        self.conditions -= 1;
        self.b.end_branches(is_exhaustive);
    }

    /// Walks a case; true when it matches whatever the subject is.
    fn case_clause(&mut self, case: Node<'t>, subject: Subject<'_>) -> bool {
        let guard = self.field(case, self.fields.guard);
        let consequence = self.field(case, self.fields.consequence);
        let mut patterns = Vec::new();
        self.each(case, |walk, part, _| match walk.kind(part) {
            Kind::CasePattern => patterns.push(part),
            Kind::Error => walk.statement(part),
            _ => {}
        });
        let is_irrefutable = match patterns.as_slice() {
            [only] => guard.is_none() && is_name(self.b.text(*only)),
            _ => false,
        };
        if let [only] = patterns.as_slice() {
            self.pattern(*only, subject);
        } else {
            self.parts(&patterns, subject);
        }
        if let Some(guard) = guard {
            self.each(guard, |walk, condition, _| {
                walk.expr(condition);
                walk.narrow(condition);
            });
        }
        if let Some(consequence) = consequence {
            self.deeper(|walk| walk.block(consequence));
        }
        is_irrefutable
    }

    /// Walks a pattern: captures bind, class patterns say what the subject is. Returns the type that a match proves.
    fn pattern(&mut self, node: Node<'t>, subject: Subject<'_>) -> Option<TypeId> {
        self.nesting += 1;
        let ty = if self.is_beyond() {
            None
        } else {
            self.pattern_inside(node, subject)
        };
        self.nesting -= 1;
        ty
    }

    fn pattern_inside(&mut self, node: Node<'t>, subject: Subject<'_>) -> Option<TypeId> {
        match self.kind(node) {
            Kind::CasePattern => {
                let inner = self.part_of(node, 0)?;
                self.pattern(inner, subject)
            }
            Kind::ClassPattern => self.class_pattern(node, subject),
            Kind::UnionPattern => self.union_pattern(node, subject),
            Kind::AsPattern => {
                let inner = self.part_of(node, 0)?;
                let ty = self.pattern(inner, subject);
                if let Some(alias) = self.part_of(node, 1) {
                    self.capture(alias, subject, ty);
                }
                ty
            }
            Kind::DottedName if node.named_child_count() == 1 => {
                self.capture(node, subject, None);
                None
            }
            Kind::DottedName => {
                self.dotted(node);
                None
            }
            Kind::ListPattern | Kind::TuplePattern => {
                let mut parts = Vec::new();
                self.each(node, |_, part, _| parts.push(part));
                self.parts(&parts, subject);
                None
            }
            Kind::DictPattern => {
                self.dict_pattern(node, subject);
                None
            }
            Kind::SplatPattern => {
                if let Some(name) = self.part_of(node, 0) {
                    self.capture(name, subject, None);
                }
                None
            }
            Kind::Error => {
                self.statement(node);
                None
            }
            _ => None,
        }
    }

    fn capture(&mut self, name: Node<'t>, subject: Subject<'_>, ty: Option<TypeId>) {
        let name = self.text(name);
        if name == "_" {
            return;
        }
        let source = if ty.is_some() {
            BindSource::Typed
        } else {
            BindSource::Value(subject.value)
        };
        self.b.bind(
            &name,
            NewBinding {
                hint: ty,
                ..NewBinding::new(source)
            },
        );
    }

    /// Elements of a sequence pattern.
    fn parts(&mut self, parts: &[Node<'t>], subject: Subject<'_>) {
        let mut is_after_star = false;
        for (index, part) in (0_u32..).zip(parts) {
            let is_star = self.b.text(*part).starts_with('*');
            let value = self.part(subject.value, index, is_star, is_after_star);
            is_after_star |= is_star;
            self.pattern(*part, Subject { value, name: None });
        }
    }

    fn dict_pattern(&mut self, node: Node<'t>, subject: Subject<'_>) {
        let key = self.literal(Literal::Str);
        let value = self.shape(Expr::Index(subject.value, key), &[subject.value]);
        let opaque = self.opaque();
        let key_field = self.fields.key;
        self.each(node, |walk, part, field| {
            let is_rest = walk.kind(part) == Kind::SplatPattern;
            let value = if is_rest { opaque } else { value };
            // A key is a literal or a dotted name: never a capture.
            if field != key_field || part.named_child_count() > 1 {
                walk.pattern(part, Subject { value, name: None });
            }
        });
    }

    fn union_pattern(&mut self, node: Node<'t>, subject: Subject<'_>) -> Option<TypeId> {
        let mut types = Vec::new();
        let mut n_alternatives = 0;
        self.each(node, |walk, part, _| {
            n_alternatives += 1;
            types.extend(walk.pattern(part, Subject { name: None, ..subject }));
        });
        if types.len() != n_alternatives {
            return None;
        }
        let run = self.b.type_run(&types);
        let ty = self.b.ty(TypeExpr::Union(run));
        self.prove(subject, ty);
        Some(ty)
    }

    fn class_pattern(&mut self, node: Node<'t>, subject: Subject<'_>) -> Option<TypeId> {
        let mut parts = Vec::new();
        self.each(node, |_, part, _| parts.push(part));
        let (class, parts) = parts.split_first()?;
        let expr = self.dotted(*class);
        let ty = self.b.ty(TypeExpr::Name(expr));
        let instance = self.b.expr(Expr::Cast(ty));
        for (position, part) in (0_u32..).zip(parts) {
            self.attribute_pattern(*part, instance, position);
        }
        self.prove(subject, ty);
        Some(ty)
    }

    /// `name=pattern` in a class pattern; a pattern without a name is about the field at its place.
    fn attribute_pattern(&mut self, part: Node<'t>, instance: ExprId, position: u32) {
        let keyword = self
            .part_of(part, 0)
            .filter(|it| self.kind(*it) == Kind::KeywordPattern);
        let (pattern, value) = match keyword {
            Some(keyword) => {
                let (Some(name), Some(pattern)) = (self.part_of(keyword, 0), self.part_of(keyword, 1)) else {
                    return;
                };
                let name = self.b.text(name);
                let name = self.b.intern(name);
                (pattern, self.shape(Expr::Member(instance, name), &[instance]))
            }
            None => (part, self.shape(Expr::Item(instance, position), &[instance])),
        };
        self.pattern(pattern, Subject { value, name: None });
    }

    fn prove(&mut self, subject: Subject<'_>, ty: TypeId) {
        if let Some(name) = subject.name {
            self.narrow_name(name, ty, true);
        }
    }

    /// The class that the subject is not of when this case does not match.
    fn failed_class(&mut self, case: Node<'t>) -> Option<TypeId> {
        if self.field(case, self.fields.guard).is_some() {
            return None;
        }
        let mut patterns = Vec::new();
        self.each(case, |walk, part, _| {
            if walk.kind(part) == Kind::CasePattern {
                patterns.push(part);
            }
        });
        match patterns.as_slice() {
            [only] => self.plain_class(*only),
            _ => None,
        }
    }

    /// The class that a pattern asks for and nothing else: `case A():`.
    fn plain_class(&mut self, pattern: Node<'t>) -> Option<TypeId> {
        let inner = match self.kind(pattern) {
            Kind::CasePattern => self.part_of(pattern, 0)?,
            _ => pattern,
        };
        if self.kind(inner) != Kind::ClassPattern || inner.named_child_count() != 1 {
            return None;
        }
        let class = self.part_of(inner, 0)?;
        let expr = self.quietly(|walk| walk.dotted(class));
        Some(self.b.ty(TypeExpr::Name(expr)))
    }
}

fn is_name(text: &str) -> bool {
    text.chars().all(|it| it.is_alphanumeric() || it == '_')
        && !text.starts_with(|it: char| it.is_ascii_digit())
        && !matches!(text, "True" | "False" | "None")
}
