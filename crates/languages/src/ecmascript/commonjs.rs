//! The exports of CommonJS: `module.exports = …`, `exports.f = …`.

use strata_lang::builder::NewDef;
use strata_model::facts::{DefFlags, Export, ExportSource, Expr};
use strata_model::ids::ExprId;
use strata_model::kinds::NodeKind;
use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::walk::{Child, Receiver, Walk};

impl<'s, 't> Walk<'_, 's, 't> {
    /// `module.exports = …`.
    pub(super) fn assign_exports(&mut self, node: Node<'t>, left: Child<'t>, right: Child<'t>) -> ExprId {
        let bare = self.bare(right);
        let value = match bare.value.kind {
            kind if kind.is_function_literal() || kind == Kind::Class => {
                self.default_literal(node, bare.value, left.node)
            }
            _ => self.expression(right),
        };
        self.add_common_export("=", left.node, value);
        value
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
