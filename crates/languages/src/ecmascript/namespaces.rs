//! Enumerations, namespaces, and what stands under `declare` and `export`.

use strata_lang::builder::{NewBinding, NewDef, TYPE, VALUE};
use strata_model::facts::{BindSource, DefFlags, Expr, RefTarget, ScopeKind};
use strata_model::ids::{DefId, ExprId, ScopeId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::walk::{Child, Receiver, Walk};

impl<'s, 't> Walk<'_, 's, 't> {
    /// `enum E { A, B = 1 }`
    pub(super) fn enumeration(&mut self, child: Child<'t>, outer: Node<'t>, flags: DefFlags) {
        let children = self.children(child.node);
        let name = self.field(children, Field::Name);
        let body = self.field(children, Field::Body);
        self.release(children);
        let Some(name) = name else { return };
        let text = self.text(name.node);
        let def = self.add_def(NewDef {
            name: text,
            kind: NodeKind::Enum,
            flags: flags.with(self.place_flags()),
            parent: None,
            node: outer,
            name_node: name.node,
            body: body.map(|body| body.node),
        });
        self.declare(text, def, VALUE | TYPE);
        let Some(body) = body else { return };
        self.builder.enter_scope(ScopeKind::Class, Some(def));
        let children = self.children(body.node);
        self.each_with_remark(children, |walk, member| {
            if member.kind == Kind::EnumAssignment {
                let parts = walk.children(member.node);
                let key = walk.field(parts, Field::Name);
                let value = walk.field(parts, Field::Value);
                walk.release(parts);
                if let Some(key) = key {
                    walk.enum_member(def, member, key, value);
                }
            } else if member.field == Field::Name {
                walk.enum_member(def, member, member, None);
            }
        });
        self.release(children);
        self.builder.exit_scope();
    }

    pub(super) fn enum_member(&mut self, owner: DefId, member: Child<'t>, key: Child<'t>, value: Option<Child<'t>>) {
        let name = self.member_name(key);
        let def = self.add_def(NewDef {
            name,
            kind: NodeKind::Field,
            flags: DefFlags::STATIC.with(DefFlags::READONLY).with(self.error_flag()),
            parent: Some(owner),
            node: member.node,
            name_node: key.node,
            body: None,
        });
        if let Some(value) = value {
            let value = self.expression(value);
            self.builder.add_value(def, value);
        }
        self.bind(name, NewBinding::new(BindSource::Def(def)));
    }

    /// `namespace A.B { … }`, `module "x" { … }`
    pub(super) fn namespace(&mut self, child: Child<'t>, outer: Node<'t>, flags: DefFlags) {
        let children = self.children(child.node);
        let name = self.field(children, Field::Name);
        let body = self.field(children, Field::Body);
        self.release(children);
        let Some(name) = name else { return };
        let mut flags = flags.with(self.place_flags());
        let mut names = Vec::new();
        if name.kind == Kind::String {
            flags |= DefFlags::AMBIENT;
            names.push((self.string_text(name.node), name.node));
        } else {
            self.segments(name, &mut names);
        }
        let mut n_open = 0;
        for (text, node) in names {
            let def = self.add_def(NewDef {
                name: text,
                kind: NodeKind::Namespace,
                flags: if n_open > 0 {
                    flags.with(DefFlags::EXPORTED)
                } else {
                    flags
                },
                parent: None,
                node: outer,
                name_node: node,
                body: body.map(|body| body.node),
            });
            if name.kind != Kind::String {
                self.declare(text, def, VALUE | TYPE);
            }
            self.builder.enter_scope(ScopeKind::Namespace, Some(def));
            n_open += 1;
        }
        if let Some(body) = body {
            let around = std::mem::replace(&mut self.receiver, Receiver::Unknown);
            self.statements(body.node);
            self.receiver = around;
        }
        for _ in 0..n_open {
            self.builder.exit_scope();
        }
    }

    pub(super) fn segments(&mut self, name: Child<'t>, out: &mut Vec<(&'s str, Node<'t>)>) {
        if matches!(name.kind, Kind::NestedIdentifier | Kind::MemberExpression) {
            if !self.descend(name.node) {
                return;
            }
            let children = self.children(name.node);
            let object = self.field(children, Field::Object);
            let property = self.field(children, Field::Property);
            self.release(children);
            if let Some(object) = object {
                self.segments(object, out);
            }
            if let Some(property) = property {
                out.push((self.text(property.node), property.node));
            }
            self.ascend();
        } else {
            out.push((self.text(name.node), name.node));
        }
    }

    /// `declare …`
    pub(super) fn ambient(&mut self, child: Child<'t>, outer: Node<'t>, flags: DefFlags) {
        let children = self.children(child.node);
        let is_global = self.has(children, Kind::GlobalToken);
        let inner = self.first_named(children);
        self.release(children);
        let Some(inner) = inner else { return };
        let flags = flags.with(DefFlags::AMBIENT);
        if is_global && inner.kind == Kind::StatementBlock {
            let def = self.add_def(NewDef {
                name: "global",
                kind: NodeKind::Namespace,
                flags: flags.with(self.place_flags()),
                parent: None,
                node: outer,
                name_node: child.node,
                body: Some(inner.node),
            });
            self.builder.enter_scope(ScopeKind::Namespace, Some(def));
            self.statements(inner.node);
            self.builder.exit_scope();
            return;
        }
        self.declaration(inner, outer, flags);
    }

    /// A declaration under `export` or `declare`.
    pub(super) fn declaration(&mut self, child: Child<'t>, outer: Node<'t>, flags: DefFlags) {
        match child.kind {
            Kind::LexicalDeclaration | Kind::VariableDeclaration | Kind::UsingDeclaration => {
                self.variables(child, outer, flags);
            }
            Kind::FunctionDeclaration | Kind::GeneratorFunctionDeclaration | Kind::FunctionSignature => {
                self.function_declaration(child, outer, flags);
            }
            Kind::ClassDeclaration | Kind::AbstractClassDeclaration => self.class_declaration(child, outer, flags),
            Kind::InterfaceDeclaration => self.interface(child, outer, flags),
            Kind::EnumDeclaration => self.enumeration(child, outer, flags),
            Kind::TypeAliasDeclaration => self.type_alias(child, outer, flags),
            Kind::Module | Kind::InternalModule => self.namespace(child, outer, flags),
            Kind::AmbientDeclaration => self.ambient(child, outer, flags),
            Kind::ImportAlias => self.import_alias(child, flags),
            _ => self.statement(child),
        }
    }

    /// `import a = b.c;`
    pub(super) fn import_alias(&mut self, child: Child<'t>, flags: DefFlags) {
        let children = self.children(child.node);
        let name = self.first_named(children);
        let target = self.last_named(children);
        self.release(children);
        let (Some(name), Some(target)) = (name, target) else {
            return;
        };
        let value = self.entity_name(target, RefKind::Value, VALUE | TYPE);
        let text = self.text(name.node);
        self.bind(text, NewBinding::new(BindSource::Value(value)));
        if flags.has(DefFlags::EXPORTED) && self.builder.scope() == ScopeId(0) {
            self.export_name(text, name.node);
        }
    }

    /// A dotted name whose last part is the target of a reference of the kind.
    pub(super) fn entity_name(&mut self, child: Child<'t>, kind: RefKind, namespace: u8) -> ExprId {
        let mut names = Vec::new();
        self.segments(child, &mut names);
        let mut expr = None;
        let last = names.len().saturating_sub(1);
        for (at, (text, node)) in names.into_iter().enumerate() {
            let next = match expr {
                None => self.builder.name_in(text, namespace),
                Some(of) => self.member(of, text),
            };
            let kind = if at == last {
                kind
            } else if at == 0 {
                RefKind::Value
            } else {
                RefKind::Read
            };
            self.reference(kind, RefTarget::Expr(next), node, 0);
            expr = Some(next);
        }
        expr.unwrap_or_else(|| self.shape(Expr::Opaque))
    }
}
