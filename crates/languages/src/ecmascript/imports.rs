//! Import and export statements.

use strata_lang::builder::{NewBinding, NewDef, TYPE, VALUE};
use strata_model::facts::{BindSource, DefFlags, Export, ExportSource, Expr, FileFacts, Import, ImportKind, RefTarget};
use strata_model::ids::{ExprId, ImportId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::functions::Role;
use super::kinds::{Field, Kind};
use super::walk::{Child, Children, Receiver, Walk};

/// What an import specifier brings.
pub(super) struct Brought<'s, 't> {
    kind: ImportKind,
    name: Option<&'s str>,
    local: &'s str,
    node: Node<'t>,
    is_type_only: bool,
}

impl<'s, 't> Brought<'s, 't> {
    /// One name of a module under a local one.
    pub(super) fn named(name: &'s str, local: &'s str, node: Node<'t>) -> Self {
        Self {
            kind: ImportKind::Name,
            name: Some(name),
            local,
            node,
            is_type_only: false,
        }
    }
}

impl<'s, 't> Walk<'_, 's, 't> {
    /// `import … from "x"`, `import "x"`, `import x = require("x")`
    pub(super) fn import_statement(&mut self, child: Child<'t>) {
        self.builder.set_flag(FileFacts::IS_MODULE);
        let children = self.children(child.node);
        let source = self.field(children, Field::Source);
        let clause = self.of_kind(children, Kind::ImportClause);
        let require = self.of_kind(children, Kind::ImportRequireClause);
        let is_type_only = self.has(children, Kind::TypeToken) || self.has(children, Kind::TypeofToken);
        self.release(children);
        if let Some(require) = require {
            self.import_require(require, is_type_only);
            return;
        }
        let Some(source) = source else { return };
        let spec = self.string_text(source.node);
        let Some(clause) = clause else {
            self.module_reference(spec, source.node);
            return;
        };
        let parts = self.children(clause.node);
        let mut brings_something = false;
        for at in parts.range() {
            let part = self.child(at);
            match part.kind {
                Kind::Identifier => {
                    let local = self.text(part.node);
                    let brought = Brought {
                        kind: ImportKind::Name,
                        name: Some("default"),
                        local,
                        node: part.node,
                        is_type_only,
                    };
                    self.bring(spec, &brought, local);
                    brings_something = true;
                }
                Kind::NamespaceImport => {
                    if let Some(name) = self.inner(part.node) {
                        let local = self.text(name.node);
                        let brought = Brought {
                            kind: ImportKind::Module,
                            name: None,
                            local,
                            node: name.node,
                            is_type_only,
                        };
                        self.bring(spec, &brought, local);
                        brings_something = true;
                    }
                }
                Kind::NamedImports => {
                    brings_something |= self.named_imports(part, spec, is_type_only);
                }
                _ => {}
            }
        }
        self.release(parts);
        if !brings_something {
            self.module_reference(spec, source.node);
        }
    }

    fn named_imports(&mut self, child: Child<'t>, spec: &'s str, is_type_only: bool) -> bool {
        let children = self.items(child.node);
        let mut brings_something = false;
        for at in children.range() {
            let specifier = self.child(at);
            if specifier.kind != Kind::ImportSpecifier {
                continue;
            }
            let parts = self.children(specifier.node);
            let name = self.field(parts, Field::Name);
            let alias = self.field(parts, Field::Alias);
            let is_type_only = is_type_only || self.has(parts, Kind::TypeToken) || self.has(parts, Kind::TypeofToken);
            self.release(parts);
            let Some(name) = name else { continue };
            let imported = if name.kind == Kind::String {
                self.string_text(name.node)
            } else {
                self.text(name.node)
            };
            let local = alias.unwrap_or(name);
            let brought = Brought {
                kind: ImportKind::Name,
                name: Some(imported),
                local: self.text(local.node),
                node: local.node,
                is_type_only,
            };
            self.bring(spec, &brought, imported);
            brings_something = true;
        }
        self.release(children);
        brings_something
    }

    /// `x = require("x")` after `import`.
    fn import_require(&mut self, clause: Child<'t>, is_type_only: bool) {
        let parts = self.children(clause.node);
        let name = self.of_kind(parts, Kind::Identifier);
        let source = self.field(parts, Field::Source);
        self.release(parts);
        let (Some(name), Some(source)) = (name, source) else {
            return;
        };
        let spec = self.string_text(source.node);
        let text = self.builder.intern(spec);
        let required = self.shape(Expr::Require(text));
        let local = self.text(name.node);
        let import = self.add_import(
            spec,
            &Brought {
                kind: ImportKind::Module,
                name: None,
                local,
                node: name.node,
                is_type_only,
            },
        );
        self.reference_named(RefKind::Import, RefTarget::Import(import), local, name.node, 0);
        // The name stands for what the module assigns to its exports, which is not always the module.
        self.bind(local, NewBinding::new(BindSource::Value(required)));
    }

    pub(super) fn add_import(&mut self, spec: &str, brought: &Brought<'s, 't>) -> ImportId {
        let at = self.builder.at(brought.node);
        let spec = self.builder.intern(spec);
        let name = brought.name.map(|name| self.builder.intern(name));
        let local = self.builder.intern(brought.local);
        self.builder.add_import(Import {
            kind: brought.kind,
            spec,
            name,
            local: Some(local),
            is_type_only: brought.is_type_only,
            at,
        })
    }

    fn bring(&mut self, spec: &str, brought: &Brought<'s, 't>, written: &str) {
        let import = self.add_import(spec, brought);
        let namespace = if brought.is_type_only { TYPE } else { VALUE | TYPE };
        self.bind(
            brought.local,
            NewBinding {
                namespace,
                ..NewBinding::new(BindSource::Import(import))
            },
        );
        self.reference_named(RefKind::Import, RefTarget::Import(import), written, brought.node, 0);
    }

    // ---- exports ------------------------------------------------------------------------------------------------------

    /// `export …`
    pub(super) fn export_statement(&mut self, child: Child<'t>) {
        let is_in_file = self.builder.scope().0 == 0;
        if is_in_file {
            self.builder.set_flag(FileFacts::IS_MODULE);
        }
        let children = self.children(child.node);
        let source = self.field(children, Field::Source);
        let declaration = self.field(children, Field::Declaration);
        let value = self.field(children, Field::Value);
        let clause = self.of_kind(children, Kind::ExportClause);
        let namespace = self.of_kind(children, Kind::NamespaceExport);
        let is_default = self.has(children, Kind::DefaultToken);
        let is_type_only = self.has(children, Kind::TypeToken);
        let is_star = self.has(children, Kind::StarToken);
        let is_assignment = self.has(children, Kind::EqualsToken);
        let last = self.last_named(children);
        if let Some(declaration) = declaration {
            let mut flags = DefFlags::EXPORTED;
            if is_default {
                flags |= DefFlags::DEFAULT_EXPORT;
            }
            self.exported_declaration(child, declaration, flags, children);
            self.release(children);
            return;
        }
        self.release(children);
        if let Some(clause) = clause {
            self.export_clause(clause, source, is_type_only);
        } else if let (Some(namespace), Some(source)) = (namespace, source) {
            self.export_namespace(namespace, source, is_type_only);
        } else if let (true, Some(source)) = (is_star, source) {
            self.export_star(source, is_type_only);
        } else if let Some(value) = value {
            self.export_default(child.node, value);
        } else if let (true, Some(value)) = (is_assignment, last) {
            self.export_assignment(child.node, value);
        } else if let Some(last) = last
            && last.kind == Kind::Error
        {
            self.anything_below(last.node, Kind::Error);
        }
    }

    fn exported_declaration(&mut self, child: Child<'t>, declaration: Child<'t>, flags: DefFlags, children: Children) {
        let n_defs = self.builder.def_count();
        self.declaration(declaration, child.node, flags);
        // Decorators before `export` belong to the class.
        if self.has(children, Kind::Decorator) && self.builder.def_count() > n_defs {
            let def = strata_model::ids::DefId(u32::try_from(n_defs).unwrap_or(u32::MAX));
            self.decorate(def, children);
        }
    }

    /// `export { a as b }` and `export { a as b } from "x"`
    fn export_clause(&mut self, clause: Child<'t>, source: Option<Child<'t>>, is_type_only: bool) {
        let children = self.items(clause.node);
        for place in children.range() {
            let specifier = self.child(place);
            if specifier.kind != Kind::ExportSpecifier {
                continue;
            }
            let parts = self.children(specifier.node);
            let name = self.field(parts, Field::Name);
            let alias = self.field(parts, Field::Alias);
            let is_type_only = is_type_only || self.has(parts, Kind::TypeToken);
            self.release(parts);
            let Some(name) = name else { continue };
            let local = self.export_text(name);
            let exported = match alias {
                Some(alias) => self.export_text(alias),
                None => local,
            };
            let node = alias.unwrap_or(name).node;
            let at = self.builder.at(node);
            if let Some(source) = source {
                let spec = self.string_text(source.node);
                let spec = self.builder.intern(spec);
                let from = self.builder.intern(local);
                let exported = self.builder.intern(exported);
                let export = self.builder.add_export(Export {
                    name: exported,
                    source: ExportSource::From(spec, from),
                    is_type_only,
                    at,
                });
                self.reference_named(RefKind::Import, RefTarget::Export(export), local, node, 0);
            } else {
                let (_, expr) = self.builder.export_local(exported, local, is_type_only, at);
                self.reference_named(RefKind::Value, RefTarget::Expr(expr), local, name.node, 0);
            }
        }
        self.release(children);
    }

    fn export_text(&self, name: Child<'t>) -> &'s str {
        if name.kind == Kind::String {
            self.string_text(name.node)
        } else {
            self.text(name.node)
        }
    }

    /// `export * as ns from "x"`
    fn export_namespace(&mut self, namespace: Child<'t>, source: Child<'t>, is_type_only: bool) {
        let Some(name) = self.inner(namespace.node) else { return };
        let exported = self.export_text(name);
        let at = self.builder.at(name.node);
        let spec = self.string_text(source.node);
        let spec = self.builder.intern(spec);
        let id = self.builder.intern(exported);
        let export = self.builder.add_export(Export {
            name: id,
            source: ExportSource::StarAs(spec),
            is_type_only,
            at,
        });
        self.reference_named(RefKind::Import, RefTarget::Export(export), exported, name.node, 0);
    }

    /// `export * from "x"`
    fn export_star(&mut self, source: Child<'t>, is_type_only: bool) {
        let text = self.string_text(source.node);
        let spec = self.builder.intern(text);
        let name = self.builder.intern("");
        let at = self.builder.at(source.node);
        let export = self.builder.add_export(Export {
            name,
            source: ExportSource::Star(spec),
            is_type_only,
            at,
        });
        self.reference_named(RefKind::Import, RefTarget::Export(export), text, source.node, 0);
    }

    /// `export default …` of an expression.
    fn export_default(&mut self, node: Node<'t>, value: Child<'t>) {
        let at = self.builder.at(node);
        if value.kind == Kind::Identifier {
            let text = self.text(value.node);
            let (_, expr) = self.builder.export_local("default", text, false, at);
            self.reference(RefKind::Value, RefTarget::Expr(expr), value.node, 0);
            return;
        }
        let bare = self.bare(value);
        self.expect_component(bare.value);
        let is_literal = bare.value.kind.is_function_literal() || bare.value.kind == Kind::Class;
        if is_literal {
            let expr = self.default_literal(node, bare.value, node);
            self.bare_type(bare);
            self.export_value("default", node, expr);
            return;
        }
        if value.kind == Kind::MemberExpression {
            let expr = self.expression(value);
            self.export_value("default", node, expr);
            return;
        }
        // Any other value becomes a constant without a name of its own, so that there is something to point at.
        let def = self.add_def(NewDef {
            name: "default",
            kind: NodeKind::Constant,
            flags: DefFlags::EXPORTED
                .with(DefFlags::DEFAULT_EXPORT)
                .with(self.error_flag()),
            parent: None,
            node,
            name_node: node,
            body: Some(value.node),
        });
        let expr = if bare.value.kind == Kind::Object {
            let object = self.object_literal(bare.value, Some(def));
            match self.bare_type(bare) {
                Some(ty) if value.kind == Kind::AsExpression => self.shape(Expr::Cast(ty)),
                _ => object,
            }
        } else {
            self.expression(value)
        };
        self.builder.add_value(def, expr);
        let source = if self.builder.expr_at(expr) == Expr::Opaque {
            BindSource::Opaque
        } else {
            BindSource::Value(expr)
        };
        self.bind(
            "default",
            NewBinding {
                def: Some(def),
                namespace: VALUE,
                ..NewBinding::new(source)
            },
        );
        self.builder.export_local("default", "default", false, at);
    }

    /// A function or class without a place that names it, exported as a whole: it keeps its own name if it has one.
    pub(super) fn default_literal(&mut self, node: Node<'t>, literal: Child<'t>, name_node: Node<'t>) -> ExprId {
        let children = self.children(literal.node);
        let name = self.field(children, Field::Name);
        let body = self.field(children, Field::Body).map(|body| body.node);
        let is_class = literal.kind == Kind::Class;
        let mut flags = DefFlags::EXPORTED
            .with(DefFlags::DEFAULT_EXPORT)
            .with(self.error_flag());
        flags = flags.with(self.modifiers(children));
        if literal.kind == Kind::ArrowFunction {
            flags |= DefFlags::ARROW;
        }
        let text = name.map_or("default", |name| self.text(name.node));
        let def = self.add_def(NewDef {
            name: text,
            kind: if is_class { NodeKind::Class } else { NodeKind::Function },
            flags,
            parent: None,
            node,
            name_node: name.map_or(name_node, |name| name.node),
            body,
        });
        self.decorate(def, children);
        if is_class {
            self.class(def, children, true);
        } else {
            let body = self.field(children, Field::Body);
            let is_arrow = literal.kind == Kind::ArrowFunction;
            let receiver = if name.is_some() {
                self.receiver_of_function(def, text, body)
            } else {
                Receiver::Unknown
            };
            self.function(def, children, Role::literal((!is_arrow).then_some(receiver)));
        }
        self.release(children);
        self.shape(Expr::Def(def))
    }

    /// `export = …`
    fn export_assignment(&mut self, node: Node<'t>, value: Child<'t>) {
        if value.kind == Kind::Identifier {
            let at = self.builder.at(value.node);
            let text = self.text(value.node);
            let (_, expr) = self.builder.export_local("=", text, false, at);
            self.reference(RefKind::Value, RefTarget::Expr(expr), value.node, 0);
            return;
        }
        let bare = self.bare(value);
        let expr = if bare.value.kind.is_function_literal() || bare.value.kind == Kind::Class {
            self.default_literal(node, bare.value, node)
        } else {
            self.expression(value)
        };
        self.export_value("=", node, expr);
    }

    fn export_value(&mut self, name: &str, node: Node<'t>, value: ExprId) {
        let name = self.builder.intern(name);
        let at = self.builder.at(node);
        self.builder.add_export(Export {
            name,
            source: ExportSource::Value(value),
            is_type_only: false,
            at,
        });
    }
}
