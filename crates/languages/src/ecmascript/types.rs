//! Types as written.

use strata_lang::builder::{NewBinding, TYPE, VALUE};
use strata_model::facts::{BindSource, Expr, Literal, RefTarget, ScopeKind, TypeExpr};
use strata_model::ids::{ExprId, Run, TypeId};
use strata_model::kinds::RefKind;

use super::kinds::{Field, Kind};
use super::walk::{Child, Walk};

impl<'t> Walk<'_, '_, 't> {
    /// The type in an annotation: `: T`, `: x is T`, `: asserts x`.
    pub(super) fn annotation(&mut self, child: Child<'t>) -> Option<TypeId> {
        let inner = self.inner(child.node)?;
        Some(self.ty(inner))
    }

    /// Walks a type.
    pub(super) fn ty(&mut self, child: Child<'t>) -> TypeId {
        if !self.descend(child.node) {
            return self.builder.ty(TypeExpr::Opaque);
        }
        let kind = self.type_reference.take().unwrap_or(RefKind::Type);
        let ty = self.type_inside(child, kind);
        self.ascend();
        ty
    }

    fn type_inside(&mut self, child: Child<'t>, kind: RefKind) -> TypeId {
        match child.kind {
            Kind::TypeIdentifier | Kind::Identifier => self.named(child, kind),
            Kind::NestedTypeIdentifier => self.qualified(child, kind),
            Kind::GenericType => self.generic(child, kind),
            Kind::PredefinedType => {
                let ty = match self.text(child.node) {
                    "string" => TypeExpr::Literal(Literal::Str),
                    "number" => TypeExpr::Literal(Literal::Float),
                    "boolean" => TypeExpr::Literal(Literal::Bool),
                    "void" => TypeExpr::Literal(Literal::Null),
                    _ => TypeExpr::Opaque,
                };
                self.builder.ty(ty)
            }
            Kind::UnionType | Kind::IntersectionType => self.union(child),
            Kind::ArrayType => {
                let item = self.inner_type(child);
                self.builder.ty(TypeExpr::Array(item))
            }
            Kind::ReadonlyType | Kind::ParenthesizedType | Kind::OptionalType | Kind::FlowMaybeType => {
                self.inner_type(child)
            }
            Kind::RestType => self.inner_type(child),
            Kind::TupleType => self.tuple(child),
            Kind::FunctionType => self.function_type(child),
            Kind::ConstructorType => self.constructor_type(child),
            Kind::ObjectType => self.object_type(child),
            Kind::TypeQuery => self.type_query(child),
            Kind::LookupType => self.lookup(child),
            Kind::ConditionalType => self.conditional(child),
            Kind::InferType => {
                let children = self.children(child.node);
                let name = self.first_named(children);
                let bound = self.last_named(children);
                self.release(children);
                if let (Some(name), Some(bound)) = (name, bound) {
                    if bound.node != name.node {
                        self.ty(bound);
                    }
                    self.type_variable(name);
                }
                self.builder.ty(TypeExpr::Opaque)
            }
            Kind::ThisType => self.builder.ty(TypeExpr::SelfType),
            Kind::LiteralType => self.literal_type(child),
            Kind::TypePredicate => {
                let said = self.predicate(child);
                let base = self.builder.ty(TypeExpr::Literal(Literal::Bool));
                self.builder.ty(TypeExpr::App(base, said))
            }
            Kind::Asserts => {
                let said = match self.inner(child.node) {
                    Some(inner) if inner.kind == Kind::TypePredicate => self.predicate(inner),
                    _ => Run::default(),
                };
                let base = self.builder.ty(TypeExpr::Literal(Literal::Null));
                self.builder.ty(TypeExpr::App(base, said))
            }
            Kind::MemberExpression | Kind::CallExpression => self.import_type(child, kind),
            Kind::TypeArguments => {
                self.type_arguments(child);
                self.builder.ty(TypeExpr::Opaque)
            }
            _ => {
                // `keyof`, template literals and what does not parse: only what is mentioned counts.
                let children = self.children(child.node);
                for at in children.range() {
                    let part = self.child(at);
                    if part.kind.is_type() || part.kind == Kind::TypeAnnotation || part.kind == Kind::TemplateType {
                        self.ty(part);
                    } else if part.kind == Kind::Error {
                        self.anything_below(part.node, Kind::Error);
                    }
                }
                self.release(children);
                self.builder.ty(TypeExpr::Opaque)
            }
        }
    }

    /// `x is T`: what it says, as the type arguments of the result. The type comes first; as many unknown ones follow as
    /// there are parameters before `x`.
    fn predicate(&mut self, child: Child<'t>) -> Run {
        let children = self.children(child.node);
        let name = self.field(children, Field::Name);
        let ty = self.field(children, Field::Type);
        self.release(children);
        let Some(ty) = ty else { return Run::default() };
        let ty = self.ty(ty);
        let Some(name) = name.filter(|name| name.kind != Kind::This) else {
            return Run::default();
        };
        let name = self.text(name.node);
        let position = self.frame().parameters.iter().position(|it| *it == name).unwrap_or(0);
        let mut said = vec![ty];
        for _ in 0..position {
            said.push(self.builder.ty(TypeExpr::Opaque));
        }
        self.builder.type_run(&said)
    }

    fn inner_type(&mut self, child: Child<'t>) -> TypeId {
        match self.inner(child.node) {
            Some(inner) => self.ty(inner),
            None => self.builder.ty(TypeExpr::Opaque),
        }
    }

    /// A name in type position.
    fn named(&mut self, child: Child<'t>, kind: RefKind) -> TypeId {
        let text = self.text(child.node);
        if text.is_empty() || text == "const" {
            return self.builder.ty(TypeExpr::Opaque);
        }
        if text == "undefined" {
            return self.builder.ty(TypeExpr::Literal(Literal::Null));
        }
        let expr = self.builder.name_in(text, TYPE);
        let ty = self.builder.ty(TypeExpr::Name(expr));
        if !self.type_names.contains(&text) {
            self.reference(kind, RefTarget::Type(ty), child.node, 0);
        }
        ty
    }

    /// `a.b.T`
    fn qualified(&mut self, child: Child<'t>, kind: RefKind) -> TypeId {
        let children = self.children(child.node);
        let module = self.field(children, Field::Module);
        let name = self.field(children, Field::Name);
        self.release(children);
        let (Some(module), Some(name)) = (module, name) else {
            return self.builder.ty(TypeExpr::Opaque);
        };
        let of = self.entity_name(module, RefKind::Value, VALUE | TYPE);
        let text = self.text(name.node);
        let expr = self.member(of, text);
        let ty = self.builder.ty(TypeExpr::Name(expr));
        self.reference(kind, RefTarget::Type(ty), name.node, 0);
        ty
    }

    fn generic(&mut self, child: Child<'t>, kind: RefKind) -> TypeId {
        let children = self.children(child.node);
        let name = self.field(children, Field::Name);
        let arguments = self.field(children, Field::TypeArguments);
        self.release(children);
        let Some(name) = name else {
            return self.builder.ty(TypeExpr::Opaque);
        };
        self.type_reference = Some(kind);
        let base = self.ty(name);
        let run = match arguments {
            Some(arguments) => self.type_arguments(arguments),
            None => Run::default(),
        };
        self.builder.ty(TypeExpr::App(base, run))
    }

    /// The types between `<` and `>`.
    pub(super) fn type_arguments(&mut self, child: Child<'t>) -> Run {
        let children = self.items(child.node);
        let mut types = Vec::new();
        for at in children.range() {
            let part = self.child(at);
            if part.node.is_named() && !part.kind.is_comment() {
                types.push(self.ty(part));
            }
        }
        self.release(children);
        self.builder.type_run(&types)
    }

    /// Unions and intersections; chains lean to the left and may be long, so they are unrolled.
    fn union(&mut self, child: Child<'t>) -> TypeId {
        let kind = child.kind;
        let mut pending = vec![child];
        let mut types = Vec::new();
        while let Some(next) = pending.pop() {
            if next.kind != kind {
                types.push(self.ty(next));
                continue;
            }
            let children = self.items(next.node);
            for at in children.range().rev() {
                let part = self.child(at);
                if part.node.is_named() && !part.kind.is_comment() {
                    pending.push(part);
                }
            }
            self.release(children);
        }
        let run = self.builder.type_run(&types);
        self.builder.ty(if kind == Kind::UnionType {
            TypeExpr::Union(run)
        } else {
            TypeExpr::Intersection(run)
        })
    }

    fn tuple(&mut self, child: Child<'t>) -> TypeId {
        let children = self.items(child.node);
        let mut types = Vec::new();
        // Elements that stand for several leave open what is where.
        let mut is_open = false;
        for at in children.range() {
            let part = self.child(at);
            if !part.node.is_named() || part.kind.is_comment() {
                continue;
            }
            is_open |= part.kind == Kind::RestType;
            if matches!(part.kind, Kind::RequiredParameter | Kind::OptionalParameter) {
                let parts = self.children(part.node);
                let ty = self.field(parts, Field::Type);
                let name = self.field(parts, Field::Name);
                is_open |= name.is_some_and(|it| it.kind == Kind::RestPattern);
                self.release(parts);
                let ty = match ty.and_then(|ty| self.annotation(ty)) {
                    Some(ty) => ty,
                    None => self.builder.ty(TypeExpr::Opaque),
                };
                types.push(ty);
            } else {
                types.push(self.ty(part));
            }
        }
        self.release(children);
        if is_open {
            return self.builder.ty(TypeExpr::Opaque);
        }
        let run = self.builder.type_run(&types);
        self.builder.ty(TypeExpr::Tuple(run))
    }

    /// `<T>(x: A) => B`
    fn function_type(&mut self, child: Child<'t>) -> TypeId {
        let children = self.children(child.node);
        let parameters = self.field(children, Field::Parameters);
        let result = self.field(children, Field::ReturnType);
        let type_parameters = self.field(children, Field::TypeParameters);
        self.release(children);
        let n_type_names = self.type_names.len();
        if let Some(list) = type_parameters {
            self.builder.enter_scope(ScopeKind::TypeParams, None);
            self.loose_type_parameters(list);
        }
        let mut types = Vec::new();
        if let Some(list) = parameters {
            let children = self.children(list.node);
            for at in children.range() {
                let parameter = self.child(at);
                if !matches!(parameter.kind, Kind::RequiredParameter | Kind::OptionalParameter) {
                    continue;
                }
                let parts = self.children(parameter.node);
                let is_this = self
                    .field(parts, Field::Pattern)
                    .is_some_and(|it| it.kind == Kind::This);
                let ty = self.field(parts, Field::Type);
                self.release(parts);
                let ty = match ty.and_then(|ty| self.annotation(ty)) {
                    Some(ty) => ty,
                    None => self.builder.ty(TypeExpr::Opaque),
                };
                if !is_this {
                    types.push(ty);
                }
            }
            self.release(children);
        }
        let result = result.map(|result| self.ty(result));
        if type_parameters.is_some() {
            self.builder.exit_scope();
            self.type_names.truncate(n_type_names);
        }
        let run = self.builder.type_run(&types);
        self.builder.ty(TypeExpr::Fn(run, result))
    }

    /// Type parameters of a function type, which has no definition: a name stands for its bound.
    fn loose_type_parameters(&mut self, list: Child<'t>) {
        for parameter in self.type_parameter_parts(list) {
            let bound = parameter.bound.map(|it| self.ty(it));
            if let Some(default) = parameter.default {
                self.ty(default);
            }
            let source = if bound.is_some() {
                BindSource::Typed
            } else {
                BindSource::Opaque
            };
            self.bind(
                parameter.name,
                NewBinding {
                    hint: bound,
                    namespace: TYPE,
                    ..NewBinding::new(source)
                },
            );
        }
    }

    /// `typeof x`
    fn type_query(&mut self, child: Child<'t>) -> TypeId {
        let Some(inner) = self.inner(child.node) else {
            return self.builder.ty(TypeExpr::Opaque);
        };
        if inner.kind == Kind::CallExpression
            && let Some(spec) = self.import_spec(inner)
        {
            return self.builder.ty(TypeExpr::Module(spec));
        }
        let expr = self.queried(inner);
        self.builder.ty(TypeExpr::TypeOf(expr))
    }

    /// The value after `typeof` in a type.
    fn queried(&mut self, child: Child<'t>) -> ExprId {
        if !self.descend(child.node) {
            return self.opaque();
        }
        let expr = match child.kind {
            Kind::Identifier => {
                let text = self.text(child.node);
                let expr = self.builder.name_in(text, VALUE | TYPE);
                self.reference(RefKind::Value, RefTarget::Expr(expr), child.node, 0);
                expr
            }
            Kind::This => self.this(),
            Kind::MemberExpression | Kind::SubscriptExpression => {
                let children = self.children(child.node);
                let object = self.field(children, Field::Object);
                let property = self.field(children, Field::Property);
                self.release(children);
                let of = match object {
                    Some(object) => self.queried(object),
                    None => self.opaque(),
                };
                match property {
                    Some(property) => {
                        let text = self.text(property.node);
                        let expr = self.member(of, text);
                        self.reference(RefKind::Read, RefTarget::Expr(expr), property.node, 0);
                        expr
                    }
                    None => self.opaque(),
                }
            }
            Kind::CallExpression => match self.import_spec(child) {
                Some(spec) => self.shape(Expr::Require(spec)),
                None => self.opaque(),
            },
            Kind::InstantiationExpression => {
                let children = self.children(child.node);
                let function = self
                    .field(children, Field::Function)
                    .or_else(|| self.first_named(children));
                let arguments = self.field(children, Field::TypeArguments);
                self.release(children);
                if let Some(arguments) = arguments {
                    self.type_arguments(arguments);
                }
                match function {
                    Some(function) => self.queried(function),
                    None => self.opaque(),
                }
            }
            _ => self.opaque(),
        };
        self.ascend();
        expr
    }

    /// The module of `import("x")`, with the reference to it.
    fn import_spec(&mut self, call: Child<'t>) -> Option<strata_model::ids::StrId> {
        let children = self.children(call.node);
        let function = self.field(children, Field::Function);
        let arguments = self.field(children, Field::Arguments);
        self.release(children);
        if function?.kind != Kind::Import {
            return None;
        }
        let string = self.inner(arguments?.node)?;
        if string.kind != Kind::String {
            return None;
        }
        let spec = self.string_text(string.node);
        self.module_reference(spec, string.node);
        Some(self.builder.intern(spec))
    }

    /// `import("x")` and `import("x").T` as types.
    fn import_type(&mut self, child: Child<'t>, kind: RefKind) -> TypeId {
        if child.kind == Kind::CallExpression {
            return match self.import_spec(child) {
                Some(spec) => self.builder.ty(TypeExpr::Module(spec)),
                None => self.builder.ty(TypeExpr::Opaque),
            };
        }
        let children = self.children(child.node);
        let object = self.field(children, Field::Object);
        let property = self.field(children, Field::Property);
        self.release(children);
        let (Some(object), Some(property)) = (object, property) else {
            return self.builder.ty(TypeExpr::Opaque);
        };
        let of = self.queried(object);
        let text = self.text(property.node);
        let expr = self.member(of, text);
        let ty = self.builder.ty(TypeExpr::Name(expr));
        self.reference(kind, RefTarget::Type(ty), property.node, 0);
        ty
    }

    /// `T["key"]`, `T[number]`
    fn lookup(&mut self, child: Child<'t>) -> TypeId {
        let children = self.children(child.node);
        let of = self.first_named(children);
        let key = self.last_named(children);
        self.release(children);
        let (Some(of), Some(key)) = (of, key) else {
            return self.builder.ty(TypeExpr::Opaque);
        };
        let of = self.ty(of);
        if key.kind == Kind::LiteralType
            && let Some(inner) = self.inner(key.node)
            && inner.kind == Kind::String
        {
            let text = self.string_text(inner.node);
            let name = self.builder.intern(text);
            return self.builder.ty(TypeExpr::Indexed(of, name));
        }
        self.ty(key);
        if let TypeExpr::Array(item) = self.builder.type_at(of) {
            return item;
        }
        self.builder.ty(TypeExpr::Opaque)
    }

    fn conditional(&mut self, child: Child<'t>) -> TypeId {
        let mut at = child;
        let mut n_open = 0;
        let n_type_names = self.type_names.len();
        loop {
            let children = self.children(at.node);
            let left = self.field(children, Field::Left);
            let right = self.field(children, Field::Right);
            let consequence = self.field(children, Field::Consequence);
            let alternative = self.field(children, Field::Alternative);
            self.release(children);
            if let Some(left) = left {
                self.ty(left);
            }
            self.builder.enter_scope(ScopeKind::TypeParams, None);
            n_open += 1;
            for part in [right, consequence].into_iter().flatten() {
                self.ty(part);
            }
            match alternative {
                Some(alternative) if alternative.kind == Kind::ConditionalType => at = alternative,
                Some(alternative) => {
                    self.ty(alternative);
                    break;
                }
                None => break,
            }
        }
        for _ in 0..n_open {
            self.builder.exit_scope();
        }
        self.type_names.truncate(n_type_names);
        self.builder.ty(TypeExpr::Opaque)
    }

    fn literal_type(&mut self, child: Child<'t>) -> TypeId {
        let inner = self.inner(child.node);
        let literal = match inner.map(|inner| (inner.kind, inner.node)) {
            Some((Kind::String, node)) => Some((Literal::Str, self.string_text(node))),
            Some((Kind::Number | Kind::UnaryExpression, node)) => Some((Literal::Float, self.text(node))),
            Some((Kind::True | Kind::False, node)) => Some((Literal::Bool, self.text(node))),
            _ => None,
        };
        if let Some((literal, text)) = literal {
            return self.literal_type_of(literal, text);
        }
        let ty = match inner.map(|inner| inner.kind) {
            Some(Kind::Null | Kind::Undefined) => TypeExpr::Literal(Literal::Null),
            _ => TypeExpr::Opaque,
        };
        self.builder.ty(ty)
    }
}
