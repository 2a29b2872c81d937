//! `match`, and what tests say about the types of names.

use strata_lang::builder::NewBinding;
use strata_model::facts::{BindSource, TypeExpr};
use strata_model::ids::TypeId;
use tree_sitter::Node;

use super::Walk;
use crate::python::grammar::Kind;

impl<'t> Walk<'_, '_, 't> {
    /// Binds the names that a condition, when it holds, says to be instances of a type: `isinstance(x, T)`.
    pub(super) fn narrow(&mut self, condition: Node<'t>) {
        match self.kind(condition) {
            Kind::ParenthesizedExpression => self.each(condition, |walk, child, _| walk.narrow(child)),
            Kind::BooleanOperator if self.operator_is(condition, "and") => {
                for side in [self.fields.left, self.fields.right] {
                    if let Some(side) = self.field(condition, side) {
                        self.narrow(side);
                    }
                }
            }
            Kind::Call => {
                if let Some((name, ty)) = self.instance_test(condition) {
                    self.narrow_name(&name, ty);
                }
            }
            _ => {}
        }
    }

    /// The same for a condition that is known not to hold: `if not isinstance(x, T): return`.
    pub(super) fn narrow_otherwise(&mut self, condition: Node<'t>) {
        match self.kind(condition) {
            Kind::ParenthesizedExpression => self.each(condition, |walk, child, _| walk.narrow_otherwise(child)),
            Kind::NotOperator => self.each(condition, |walk, child, _| walk.narrow(child)),
            Kind::BooleanOperator if self.operator_is(condition, "or") => {
                for side in [self.fields.left, self.fields.right] {
                    if let Some(side) = self.field(condition, side) {
                        self.narrow_otherwise(side);
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn operator_is(&self, node: Node<'t>, operator: &str) -> bool {
        self.field(node, self.grammar.operator)
            .is_some_and(|it| self.b.text(it) == operator)
    }

    fn narrow_name(&mut self, name: &str, ty: TypeId) {
        let binding = NewBinding {
            hint: Some(ty),
            is_narrowing: true,
            ..NewBinding::new(BindSource::Typed)
        };
        self.b.bind(name, binding);
    }

    fn instance_test(&mut self, call: Node<'t>) -> Option<(String, TypeId)> {
        let function = self.field(call, self.fields.function)?;
        if self.b.text(function) != "isinstance" {
            return None;
        }
        let arguments = self.field(call, self.fields.arguments)?;
        let (value, class) = (arguments.named_child(0)?, arguments.named_child(1)?);
        if self.kind(value) != Kind::Identifier {
            return None;
        }
        let name = self.text(value);
        let ty = self.quietly(|walk| walk.type_now(class));
        Some((name, ty))
    }

    pub(super) fn match_statement(&mut self, node: Node<'t>) {
        let subject = self.field(node, self.fields.subject);
        if let Some(subject) = subject {
            self.expr(subject);
        }
        let subject = subject
            .filter(|it| self.kind(*it) == Kind::Identifier)
            .map(|it| self.text(it));
        let Some(body) = self.field(node, self.fields.body) else {
            return;
        };
        self.b.begin_branches();
        let mut is_exhaustive = false;
        self.each(body, |walk, case, _| {
            if walk.kind(case) != Kind::CaseClause {
                return;
            }
            walk.count(|metrics, _| metrics.branches += 1);
            walk.b.enter_arm(false);
            let guard = walk.field(case, walk.fields.guard);
            let consequence = walk.field(case, walk.fields.consequence);
            walk.each(case, |walk, part, _| {
                if Some(part) != guard && Some(part) != consequence {
                    is_exhaustive |= walk.b.text(part) == "_" && guard.is_none();
                    walk.pattern(part, subject.as_deref());
                }
            });
            if let Some(guard) = guard {
                walk.each(guard, |walk, condition, _| {
                    walk.expr(condition);
                    walk.narrow(condition);
                });
            }
            if let Some(consequence) = consequence {
                walk.deeper(|walk| walk.block(consequence));
            }
            walk.b.exit_arm();
        });
        self.b.end_branches(is_exhaustive);
    }

    /// Walks a pattern: captures bind, class patterns say what the subject is.
    fn pattern(&mut self, node: Node<'t>, subject: Option<&str>) {
        self.nesting += 1;
        if !self.is_beyond() {
            self.pattern_inside(node, subject);
        }
        self.nesting -= 1;
    }

    fn pattern_inside(&mut self, node: Node<'t>, subject: Option<&str>) {
        match self.kind(node) {
            Kind::CasePattern => self.each(node, |walk, child, _| walk.pattern(child, subject)),
            Kind::ClassPattern => {
                if let Some(ty) = self.class_pattern(node)
                    && let Some(subject) = subject
                {
                    self.narrow_name(subject, ty);
                }
            }
            Kind::AsPattern => {
                let range = self.open(node);
                let parts: Vec<Node<'t>> = range.clone().map(|at| self.kids[at].0).collect();
                self.close(&range);
                let mut hint = None;
                if let Some(first) = parts.first() {
                    let inner = if self.kind(*first) == Kind::CasePattern {
                        first.named_child(0)
                    } else {
                        Some(*first)
                    };
                    match inner {
                        Some(inner) if self.kind(inner) == Kind::ClassPattern => hint = self.class_pattern(inner),
                        _ => self.pattern(*first, subject),
                    }
                }
                if let (Some(ty), Some(subject)) = (hint, subject) {
                    self.narrow_name(subject, ty);
                }
                if let Some(alias) = parts.get(1) {
                    let name = self.text(*alias);
                    let source = if hint.is_some() {
                        BindSource::Typed
                    } else {
                        BindSource::Opaque
                    };
                    self.b.bind(
                        &name,
                        NewBinding {
                            hint,
                            ..NewBinding::new(source)
                        },
                    );
                }
            }
            Kind::DottedName if node.named_child_count() == 1 => {
                let name = self.text(node);
                if name != "_" {
                    self.b.bind(&name, NewBinding::new(BindSource::Opaque));
                }
            }
            Kind::DottedName => {
                self.dotted(node);
            }
            Kind::Identifier => {
                let name = self.text(node);
                self.b.bind(&name, NewBinding::new(BindSource::Opaque));
            }
            _ => self.each(node, |walk, child, _| walk.pattern(child, None)),
        }
    }

    fn class_pattern(&mut self, node: Node<'t>) -> Option<TypeId> {
        let range = self.open(node);
        let parts: Vec<Node<'t>> = range.clone().map(|at| self.kids[at].0).collect();
        self.close(&range);
        let class = *parts.first()?;
        let expr = self.dotted(class);
        for part in &parts[1..] {
            self.pattern(*part, None);
        }
        Some(self.b.ty(TypeExpr::Name(expr)))
    }
}
