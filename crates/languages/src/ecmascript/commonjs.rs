//! The exports of CommonJS: `module.exports = …`, `exports.f = …`.
//!
//! What is assigned is bound to a name that no text can have, `module.exports` or `exports.f`, so that mentions of it in the
//! same file find it wherever they stand.

use strata_lang::builder::{NewBinding, NewDef, VALUE};
use strata_model::facts::{BindSource, DefFlags, Export, ExportSource, Expr};
use strata_model::ids::{ExprId, ScopeId};
use strata_model::kinds::NodeKind;
use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::walk::{Child, Receiver, Walk};

/// The name under which the value of `module.exports` is bound.
const WHOLE: &str = "module.exports";

impl<'s, 't> Walk<'_, 's, 't> {
    /// Looks through the statements of the file for assignments to `exports`, before the walk.
    pub(super) fn find_own_exports(&mut self, root: Node<'t>) {
        if !self.builder.source().windows(7).any(|it| it == b"exports") {
            return;
        }
        let statements = self.items(root);
        for at in statements.range() {
            let statement = self.child(at);
            if statement.kind != Kind::ExpressionStatement {
                continue;
            }
            let mut next = self.inner(statement.node);
            while let Some(assignment) = next.filter(|it| it.kind == Kind::AssignmentExpression) {
                let parts = self.children(assignment.node);
                let left = self.field(parts, Field::Left);
                next = self.field(parts, Field::Right);
                self.release(parts);
                if let Some(name) = left.and_then(|left| self.exports_member(left)) {
                    self.own_exports.insert(name);
                }
            }
        }
        self.release(statements);
    }

    /// `f` of `exports.f` and `module.exports.f`, the empty string for `module.exports`.
    fn exports_member(&mut self, member: Child<'t>) -> Option<&'s str> {
        if member.kind != Kind::MemberExpression {
            return None;
        }
        let parts = self.children(member.node);
        let object = self.field(parts, Field::Object);
        let property = self.field(parts, Field::Property);
        self.release(parts);
        let (object, property) = (object?, property?);
        let name = self.text(property.node);
        match self.text(object.node) {
            "module" if name == "exports" => Some(""),
            "exports" | WHOLE => Some(name),
            _ => None,
        }
    }

    /// What `exports.f`, `module.exports.f` and `module.exports` mean in a file that assigns them; none for all else.
    pub(super) fn own_export(&mut self, member: Child<'t>) -> Option<ExprId> {
        if self.own_exports.is_empty() {
            return None;
        }
        let name = self.exports_member(member)?;
        if !self.own_exports.contains(name)
            || self.declaring_scope("module").is_some()
            || self.builder.def_named("exports").is_some()
        {
            return None;
        }
        if name.is_empty() {
            return Some(self.builder.name(WHOLE));
        }
        Some(self.builder.name(&format!("exports.{name}")))
    }

    /// `module.exports = …`.
    pub(super) fn assign_exports(&mut self, node: Node<'t>, left: Child<'t>, right: Child<'t>) -> ExprId {
        let bare = self.bare(right);
        let value = match bare.value.kind {
            kind if kind.is_function_literal() || kind == Kind::Class => {
                self.default_literal(node, bare.value, left.node)
            }
            _ => self.expression(right),
        };
        self.exported_whole = match self.builder.expr_at(value) {
            Expr::Def(def) => Some(def),
            _ => self.owner_named(bare.value),
        };
        self.add_common_export("=", left.node, value);
        value
    }

    /// A name that is added to the value of `module.exports` is a member of what that is.
    fn add_to_whole(&mut self, node: Node<'t>, key: Child<'t>, name: &'s str, value: ExprId) {
        let Some(whole) = self.exported_whole else { return };
        let flags = self.flags_beside(whole).with(self.error_flag());
        self.builder.field(
            whole,
            NewDef {
                name,
                kind: NodeKind::Property,
                flags,
                parent: Some(whole),
                node,
                name_node: key.node,
                body: None,
            },
            Some(value),
            None,
        );
    }

    /// `exports.f = …`.
    pub(super) fn assign_export(&mut self, node: Node<'t>, left: Child<'t>, right: Child<'t>, name: &'s str) -> ExprId {
        let bare = self.bare(right);
        let key = self.property(left).unwrap_or(left);
        let flags = DefFlags::EXPORTED;
        let value = match bare.value.kind {
            kind if kind.is_function_literal() => {
                let def = self.named_after_place(node, left, bare.value, name, flags);
                self.builder.def_mut(def).flags.0 &= !DefFlags::LOCAL.0;
                self.named_function(def, bare.value, Receiver::Unknown);
                self.shape(Expr::Def(def))
            }
            Kind::Class => {
                let def = self.class_of_variable(bare.value, key, node, flags);
                self.shape(Expr::Def(def))
            }
            Kind::Object
            | Kind::CallExpression
            | Kind::NewExpression
            | Kind::Array
            | Kind::String
            | Kind::TemplateString
            | Kind::Number
            | Kind::Regex
            | Kind::True
            | Kind::False
            | Kind::BinaryExpression => {
                if self.is_require(bare.value) {
                    self.expression(right)
                } else {
                    return self.assign_export_variable(node, key, right, name, flags);
                }
            }
            _ => self.expression(right),
        };
        if name != "__esModule" {
            self.add_common_export(name, key.node, value);
            self.add_to_whole(node, key, name, value);
        }
        value
    }

    pub(super) fn assign_export_variable(
        &mut self,
        node: Node<'t>,
        key: Child<'t>,
        right: Child<'t>,
        name: &'s str,
        flags: DefFlags,
    ) -> ExprId {
        if name == "__esModule" {
            return self.expression(right);
        }
        let def = self.add_def(NewDef {
            name,
            kind: NodeKind::Variable,
            flags: flags.with(self.error_flag()),
            parent: None,
            node,
            name_node: key.node,
            body: matches!(right.kind, Kind::Object | Kind::Array).then_some(right.node),
        });
        let value = if right.kind == Kind::Object {
            self.object_literal(right, Some(def))
        } else {
            self.expression(right)
        };
        self.builder.add_value(def, value);
        let exported = self.shape(Expr::Def(def));
        self.add_common_export(name, key.node, exported);
        value
    }

    pub(super) fn is_require(&mut self, call: Child<'t>) -> bool {
        if call.kind != Kind::CallExpression {
            return false;
        }
        let children = self.children(call.node);
        let function = self.field(children, Field::Function);
        self.release(children);
        function.is_some_and(|it| it.kind == Kind::Identifier && self.text(it.node) == "require")
    }

    pub(super) fn add_common_export(&mut self, name: &str, node: Node<'t>, value: ExprId) {
        let source = match self.builder.expr_at(value) {
            Expr::Def(def) => BindSource::Def(def),
            Expr::Opaque => BindSource::Opaque,
            _ => BindSource::Value(value),
        };
        let hidden = if name == "=" {
            WHOLE.to_owned()
        } else {
            format!("exports.{name}")
        };
        self.builder.bind(
            &hidden,
            NewBinding {
                namespace: VALUE,
                scope: Some(ScopeId(0)),
                ..NewBinding::new(source)
            },
        );
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
