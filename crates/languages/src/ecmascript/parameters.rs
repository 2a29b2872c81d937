//! Parameters and type parameters.

use strata_lang::builder::{NewBinding, NewDef, TYPE, VALUE};
use strata_model::facts::{BindSource, DefFlags, Expr, Param, ParamKind};
use strata_model::ids::{DefId, ExprId, StrId, TypeId};
use strata_model::kinds::NodeKind;

use super::functions::Role;
use super::kinds::{Field, Kind};
use super::patterns::Target;
use super::walk::{Child, Receiver, Walk};

/// A type parameter as it is written.
#[derive(Clone, Copy)]
pub(super) struct TypeParameter<'s, 't> {
    pub(super) name: &'s str,
    pub(super) bound: Option<Child<'t>>,
    pub(super) default: Option<Child<'t>>,
}

impl<'s, 't> Walk<'_, 's, 't> {
    pub(super) fn parameters(&mut self, def: DefId, list: Child<'t>, role: Role) {
        let children = self.items(list.node);
        let mut comment = None;
        for at in children.range() {
            let parameter = self.child(at);
            if parameter.kind.is_comment() {
                comment = Some(parameter.node);
            } else if parameter.node.is_named() {
                let hint = comment
                    .take()
                    .filter(|_| !self.is_typescript)
                    .and_then(|comment| self.type_tag(comment));
                self.parameter(def, parameter, role, hint);
            }
        }
        self.release(children);
    }

    /// Adds one parameter; `hint` is the type that a comment before it gives.
    pub(super) fn parameter(&mut self, def: DefId, child: Child<'t>, role: Role, hint: Option<TypeId>) {
        match child.kind {
            Kind::RequiredParameter | Kind::OptionalParameter => self.typed_parameter(def, child, role),
            Kind::AssignmentPattern => {
                let children = self.children(child.node);
                let left = self.field(children, Field::Left);
                let right = self.field(children, Field::Right);
                self.release(children);
                let default = right.map(|right| self.expression(right));
                if let Some(left) = left {
                    self.add_parameter(def, left, hint, default, default.is_some());
                }
            }
            Kind::Error => self.anything_below(child.node, Kind::Error),
            _ => {
                self.add_parameter(def, child, hint, None, false);
            }
        }
    }

    pub(super) fn typed_parameter(&mut self, def: DefId, child: Child<'t>, role: Role) {
        let children = self.children(child.node);
        let pattern = self
            .field(children, Field::Pattern)
            .or_else(|| self.field(children, Field::Name));
        let ty = self.field(children, Field::Type);
        let value = self.field(children, Field::Value);
        let is_property = self.has(children, Kind::AccessibilityModifier)
            || self.has(children, Kind::ReadonlyToken)
            || self.has(children, Kind::OverrideModifier);
        let modifiers = self.modifiers(children);
        for at in children.range() {
            let decorator = self.child(at);
            if decorator.kind == Kind::Decorator {
                self.decorator(decorator);
            }
        }
        self.release(children);
        let hint = ty.and_then(|ty| self.annotation(ty));
        let Some(pattern) = pattern else { return };
        if pattern.kind == Kind::This {
            if let Some(hint) = hint {
                self.receiver = Receiver::Typed(hint);
            }
            return;
        }
        let default = value.map(|value| self.expression(value));
        let is_optional = default.is_some() || child.kind == Kind::OptionalParameter;
        let index = self.add_parameter(def, pattern, hint, default, is_optional);
        if let Some(class) = role.constructor_of
            && is_property
            && pattern.kind == Kind::Identifier
        {
            self.parameter_property(def, class, child, pattern, index, hint, modifiers);
        }
    }

    /// `constructor(private repo: Repo)`: a parameter that is a property too.
    #[allow(clippy::too_many_arguments, reason = "all of it describes one parameter")]
    pub(super) fn parameter_property(
        &mut self,
        def: DefId,
        class: DefId,
        child: Child<'t>,
        name: Child<'t>,
        index: u32,
        hint: Option<TypeId>,
        modifiers: DefFlags,
    ) {
        let value = self.shape(Expr::Param(def, index));
        let text = self.text(name.node);
        let flags = self.error_flag().with(modifiers);
        self.builder.field(
            class,
            NewDef {
                name: text,
                kind: NodeKind::Property,
                flags,
                parent: Some(class),
                node: child.node,
                name_node: name.node,
                body: None,
            },
            Some(value),
            hint,
        );
    }

    /// Adds a parameter and binds its names; the result is its index.
    pub(super) fn add_parameter(
        &mut self,
        def: DefId,
        pattern: Child<'t>,
        hint: Option<TypeId>,
        default: Option<ExprId>,
        is_optional: bool,
    ) -> u32 {
        let (pattern, kind) = if pattern.kind == Kind::RestPattern {
            (self.inner(pattern.node), ParamKind::Rest)
        } else {
            (Some(pattern), ParamKind::Normal)
        };
        let is_name = pattern.is_some_and(|it| matches!(it.kind, Kind::Identifier | Kind::Undefined));
        let text = match pattern {
            Some(pattern) if is_name => self.text(pattern.node),
            _ => "",
        };
        let name: StrId = self.builder.intern(text);
        let index = self.builder.add_param(
            def,
            Param {
                name,
                kind,
                hint,
                default,
                is_optional,
            },
        );
        self.frame().parameters.push(text);
        match pattern {
            Some(_) if is_name => {
                self.bind(
                    text,
                    NewBinding {
                        hint,
                        namespace: VALUE,
                        ..NewBinding::new(BindSource::Param(def, index))
                    },
                );
            }
            Some(pattern) => {
                let value = self.shape(Expr::Param(def, index));
                self.destructure(pattern, value, Target::Local);
            }
            None => {}
        }
        index
    }

    /// Takes a list of type parameters apart, and puts their names in sight.
    pub(super) fn type_parameter_parts(&mut self, list: Child<'t>) -> Vec<TypeParameter<'s, 't>> {
        let children = self.children(list.node);
        let mut parameters: Vec<TypeParameter<'s, 't>> = Vec::new();
        for at in children.range() {
            let child = self.child(at);
            if child.kind != Kind::TypeParameter {
                continue;
            }
            let parts = self.children(child.node);
            let name = self.field(parts, Field::Name);
            let constraint = self.of_kind(parts, Kind::Constraint);
            let default = self.of_kind(parts, Kind::DefaultType);
            self.release(parts);
            let Some(name) = name else { continue };
            let name = self.text(name.node);
            let bound = constraint.and_then(|it| self.inner(it.node));
            let default = default.and_then(|it| self.inner(it.node));
            parameters.push(TypeParameter { name, bound, default });
        }
        self.release(children);
        self.type_names
            .extend(parameters.iter().map(|parameter| parameter.name));
        parameters
    }

    /// Adds the type parameters of a definition to the scope that was opened for them.
    pub(super) fn type_parameters(&mut self, list: Child<'t>, def: DefId) {
        let parameters = self.type_parameter_parts(list);
        for (index, parameter) in parameters.iter().enumerate() {
            let text = parameter.name;
            let source = BindSource::TypeParam(def, u32::try_from(index).unwrap_or(u32::MAX));
            self.bind(
                text,
                NewBinding {
                    namespace: TYPE,
                    ..NewBinding::new(source)
                },
            );
        }
        for parameter in parameters {
            let text = parameter.name;
            let bound = parameter.bound.map(|it| self.ty(it));
            let default = parameter.default.map(|it| self.ty(it));
            let default = default.map(|ty| self.shape(Expr::Cast(ty)));
            let name = self.builder.intern(text);
            let is_optional = default.is_some();
            self.builder.add_type_param(
                def,
                Param {
                    name,
                    kind: ParamKind::Type,
                    hint: bound,
                    default,
                    is_optional,
                },
            );
        }
    }
}
