//! `require` as CommonJS's import: names that are bound by it are imports and no symbols of their own.

use strata_lang::builder::{NewBinding, TYPE, VALUE};
use strata_model::facts::{BindSource, RefTarget};
use strata_model::ids::ScopeId;
use strata_model::kinds::RefKind;

use super::imports::Brought;
use super::kinds::{Field, Kind};
use super::patterns::Target;
use super::walk::{Child, Walk};

/// `require("x")` or `require("x").name`.
#[derive(Clone, Copy)]
struct Required<'s, 't> {
    spec: &'s str,
    member: Option<Child<'t>>,
}

impl<'s, 't> Walk<'_, 's, 't> {
    /// `const x = require("m")`, `const x = require("m").f`, `const { f, g: h } = require("m")`: binds the names. False
    /// when the declaration is none of these; then nothing has been done.
    pub(super) fn require_names(&mut self, name: Child<'t>, value: Child<'t>, target: Target<'t>) -> bool {
        let Some(required) = self.required(value) else {
            return false;
        };
        let scope = match target {
            Target::Var(scope) => Some(scope),
            Target::Symbol { scope, .. } => scope,
            Target::Local => None,
            Target::Assigned => return false,
        };
        match (name.kind, required.member) {
            (Kind::Identifier, None) => {
                // The name stands for what the module assigns to its exports, which is not always the module.
                let whole = self.expression(value);
                let text = self.text(name.node);
                self.bind(
                    text,
                    NewBinding {
                        scope,
                        ..NewBinding::new(BindSource::Value(whole))
                    },
                );
            }
            (Kind::Identifier, Some(member)) => {
                self.expression(value);
                let imported = self.text(member.node);
                self.bring_required(required.spec, imported, name, scope);
            }
            (Kind::ObjectPattern, None) => {
                let whole = self.expression(value);
                let children = self.children(name.node);
                for at in children.range() {
                    let part = self.child(at);
                    match self.simple_part(part) {
                        Some((key, local)) => {
                            let imported = self.text(key.node);
                            let import = self.bring_required(required.spec, imported, local, scope);
                            self.reference_named(RefKind::Read, import, imported, key.node, 0);
                        }
                        None => self.pattern_part(part, whole, target),
                    }
                }
                self.release(children);
            }
            _ => return false,
        }
        true
    }

    fn bring_required(&mut self, spec: &'s str, name: &'s str, local: Child<'t>, scope: Option<ScopeId>) -> RefTarget {
        let text = self.text(local.node);
        let import = self.add_import(spec, &Brought::named(name, text, local.node));
        self.bind(
            text,
            NewBinding {
                scope,
                namespace: VALUE | TYPE,
                ..NewBinding::new(BindSource::Import(import))
            },
        );
        RefTarget::Import(import)
    }

    /// Key and local name of `f` and `f: g` in a pattern.
    fn simple_part(&mut self, part: Child<'t>) -> Option<(Child<'t>, Child<'t>)> {
        match part.kind {
            Kind::ShorthandPropertyIdentifierPattern => Some((part, part)),
            Kind::PairPattern => {
                let parts = self.children(part.node);
                let key = self.field(parts, Field::Key);
                let value = self.field(parts, Field::Value);
                self.release(parts);
                let (key, value) = (key?, value?);
                let is_simple = key.kind == Kind::PropertyIdentifier && value.kind == Kind::Identifier;
                is_simple.then_some((key, value))
            }
            _ => None,
        }
    }

    fn required(&mut self, value: Child<'t>) -> Option<Required<'s, 't>> {
        let (call, member) = if value.kind == Kind::MemberExpression {
            let children = self.children(value.node);
            let object = self.field(children, Field::Object);
            let property = self.field(children, Field::Property);
            self.release(children);
            (object?, Some(property?))
        } else {
            (value, None)
        };
        if !self.is_require(call) || self.declaring_scope("require").is_some() {
            return None;
        }
        let children = self.children(call.node);
        let arguments = self.field(children, Field::Arguments);
        self.release(children);
        let literal = self.only_string(arguments)?;
        let spec = self.string_text(literal);
        Some(Required { spec, member })
    }
}
