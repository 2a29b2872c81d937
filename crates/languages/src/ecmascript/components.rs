//! Components of Vue and Svelte: the names of their templates, and what `this` is in an object of options.
//!
//! ```text
//! export default {
//!     data() { return { n: 1 } },              this: { n } & { save, … } & { double } & …
//!     computed: { double() { return 2 * this.n } },
//!     methods: { save() { this.double } },
//! }
//! ```
//!
//! The parts of the object are known when it has been walked; until then the type of `this` is a place that is filled.

use strata_lang::FactsBuilder;
use strata_lang::builder::{NewBinding, NewDef, VALUE};
use strata_model::facts::{BindSource, DefFlags, Expr, TypeExpr};
use strata_model::ids::{DefId, ExprId, ScopeId, TypeId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::{Node, Tree};

use super::extract::extract_and;
use super::kinds::{Field, Kind};
use super::walk::{Child, Receiver, Walk};

/// Calls that return the options they are given.
const DEFINERS: &[&str] = &[
    "defineComponent",
    "defineNuxtComponent",
    "defineCustomElement",
    "Vue.extend",
];
/// Names that are Svelte's own, whatever is in scope without their sign.
const RUNES: &[&str] = &["bindable", "derived", "effect", "host", "inspect", "props", "state"];

/// The component at hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Component {
    /// The node of the object of options.
    object: Option<usize>,
    /// The type of `this`.
    this: Option<TypeId>,
    /// True between the braces of the object and of its groups, outside of functions.
    is_open: bool,
    depth: u32,
}

/// A name in an expression.
pub(super) struct Mention {
    /// What is named.
    pub(super) expr: ExprId,
    /// What its value is.
    pub(super) value: ExprId,
    /// The kind of use where nothing else says it.
    pub(super) kind: RefKind,
}

/// Fills the builder from a component, which always has a default export: itself.
pub(crate) fn extract_component(tree: &Tree, builder: &mut FactsBuilder<'_>) {
    let javascript: tree_sitter::Language = tree_sitter_javascript::LANGUAGE.into();
    let is_typescript = *tree.language() != javascript;
    extract_and(tree, builder, is_typescript, |walk, root| {
        if !walk.builder.has_export("default") {
            walk.export_component(root);
        }
    });
}

impl<'t> Walk<'_, '_, 't> {
    /// A component without an object of its own: the file is what is imported.
    fn export_component(&mut self, root: Node<'t>) {
        let at = self.builder.at(root);
        let def = self.builder.add_def(NewDef {
            name: "default",
            kind: NodeKind::Constant,
            flags: DefFlags::EXPORTED
                .with(DefFlags::DEFAULT_EXPORT)
                .with(DefFlags::ANONYMOUS),
            parent: None,
            node: root,
            name_node: root,
            body: Some(root),
        });
        self.bind(
            "default",
            NewBinding {
                def: Some(def),
                namespace: VALUE,
                ..NewBinding::new(BindSource::Opaque)
            },
        );
        self.builder.export_local("default", "default", false, at);
    }

    /// A name in an expression. In the template of a component it may mean something else than the scopes say.
    pub(super) fn mention(&mut self, node: Node<'t>, text: &str) -> Mention {
        let Some(embedded) = self.builder.embedded() else {
            return self.plain_mention(text, RefKind::Value);
        };
        let at = node.start_byte();
        if embedded.rendered.binary_search(&at).is_ok() {
            return self.plain_mention(text, RefKind::Render);
        }
        if let Some(sign) = embedded.value_sign
            && let Some(inner) = text.strip_prefix(sign)
            && !inner.is_empty()
            && !RUNES.contains(&inner)
            && self.declaring_scope(text).is_none()
            && self.declaring_scope(inner) == Some(ScopeId(0))
        {
            return Mention {
                expr: self.builder.name(inner),
                value: self.opaque(),
                kind: RefKind::Value,
            };
        }
        if embedded.is_template_of_object
            && at >= embedded.template
            && matches!(self.declaring_scope(text), None | Some(ScopeId(0)))
            && let Some(this) = self.component.as_ref().and_then(|component| component.this)
        {
            let of = self.shape(Expr::Cast(this));
            let expr = self.member(of, text);
            return Mention {
                expr,
                value: expr,
                kind: RefKind::Read,
            };
        }
        self.plain_mention(text, RefKind::Value)
    }

    fn plain_mention(&mut self, text: &str, kind: RefKind) -> Mention {
        let expr = self.builder.name(text);
        Mention {
            expr,
            value: expr,
            kind,
        }
    }

    /// Svelte's `$: double = 2 * n` declares `double`. True when that was it.
    pub(super) fn reactive_declaration(&mut self, label: Child<'t>, body: Child<'t>) -> bool {
        let sign = self.builder.embedded().and_then(|embedded| embedded.value_sign);
        if sign != Some('$') || !self.text(label.node).starts_with('$') || body.kind != Kind::ExpressionStatement {
            return false;
        }
        let Some(assignment) = self.inner(body.node).filter(|it| it.kind == Kind::AssignmentExpression) else {
            return false;
        };
        let children = self.children(assignment.node);
        let left = self.field(children, Field::Left);
        let right = self.field(children, Field::Right);
        self.release(children);
        let (Some(left), Some(right)) = (left, right) else {
            return false;
        };
        let text = self.text(left.node);
        if left.kind != Kind::Identifier || self.declaring_scope(text).is_some() {
            return false;
        }
        let value = self.expression(right);
        let def = self.add_def(NewDef {
            name: text,
            kind: NodeKind::Variable,
            flags: self.place_flags(),
            parent: None,
            node: body.node,
            name_node: left.node,
            body: None,
        });
        self.builder.add_value(def, value);
        let source = if self.builder.expr_at(value) == Expr::Opaque {
            BindSource::Opaque
        } else {
            BindSource::Value(value)
        };
        self.bind(
            text,
            NewBinding {
                def: Some(def),
                namespace: VALUE,
                ..NewBinding::new(source)
            },
        );
        true
    }

    // ---- objects of options -------------------------------------------------------------------------------------------

    /// Notes that the default export is the object of a component, if that is so: an object in a file of a component, or
    /// the argument of a call that takes such objects.
    pub(super) fn expect_component(&mut self, value: Child<'t>) {
        let object = match value.kind {
            Kind::Object if self.builder.embedded().is_some() => Some(value),
            Kind::CallExpression => {
                let children = self.children(value.node);
                let function = self.field(children, Field::Function);
                let arguments = self.field(children, Field::Arguments);
                self.release(children);
                match (function, arguments) {
                    (Some(function), Some(arguments)) if DEFINERS.contains(&self.text(function.node)) => {
                        self.inner(arguments.node).filter(|it| it.kind == Kind::Object)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(object) = object {
            self.component = Some(Component {
                object: Some(object.node.id()),
                ..Component::default()
            });
        }
    }

    /// To be called before the members of an object literal; true inside of a component's options.
    pub(super) fn enter_component_object(&mut self, node: Node<'t>) -> bool {
        let Some(component) = &self.component else { return false };
        if component.object == Some(node.id()) {
            let this = self.builder.ty(TypeExpr::Opaque);
            self.component = Some(Component {
                this: Some(this),
                is_open: true,
                depth: 1,
                ..Component::default()
            });
            return true;
        }
        let is_open = component.is_open;
        if is_open && let Some(component) = &mut self.component {
            component.depth += 1;
        }
        is_open
    }

    /// To be called behind the members of an object literal, with what entering it gave.
    pub(super) fn leave_component_object(&mut self, was_open: bool, object: DefId) {
        let Some(component) = self.component.as_mut().filter(|_| was_open) else {
            return;
        };
        component.depth -= 1;
        if component.depth > 0 {
            return;
        }
        component.is_open = false;
        let this = component.this;
        let parts = self.parts_of(object);
        // What the library, plugins and mixins add is not known, so that a miss says nothing.
        let mut types = vec![self.builder.ty(TypeExpr::Opaque)];
        for part in &parts {
            types.push(self.builder.ty(TypeExpr::TypeOf(*part)));
        }
        let run = self.builder.type_run(&types);
        if let Some(this) = this {
            self.builder.set_type(this, TypeExpr::Intersection(run));
        }
    }

    /// The objects whose members a component has: its groups, and what `data` and `setup` return.
    fn parts_of(&mut self, object: DefId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        for member in self.members_of(object) {
            let name = self.builder.interned_text(self.builder.def(member).name).to_owned();
            match name.as_str() {
                "data" | "setup" => parts.extend_from_slice(self.builder.returns_of(member)),
                "methods" | "computed" | "props" => {
                    let Some(group) = self.members_of(member).into_iter().next() else {
                        continue;
                    };
                    for entry in self.members_of(group) {
                        let hint = self.builder.ty(TypeExpr::Opaque);
                        let def = self.builder.def_mut(entry);
                        match name.as_str() {
                            // Read like a field.
                            "computed" if def.kind == NodeKind::Method => {
                                def.kind = NodeKind::Property;
                                def.flags |= DefFlags::GETTER;
                            }
                            // What is written is a description of the value, not the value.
                            "computed" | "props" => def.hint = Some(hint),
                            _ => {}
                        }
                    }
                    parts.push(self.shape(Expr::Def(group)));
                }
                _ => {}
            }
        }
        parts
    }

    fn members_of(&self, parent: DefId) -> Vec<DefId> {
        (parent.ix() + 1..self.builder.def_count())
            .filter_map(|at| u32::try_from(at).ok().map(DefId))
            .filter(|def| self.builder.def(*def).parent == Some(parent))
            .collect()
    }

    /// What `this` means in a function that is a member of an object literal.
    pub(super) fn receiver_in_object(&self, object: DefId) -> Receiver {
        match &self.component {
            Some(Component {
                is_open: true,
                this: Some(this),
                ..
            }) => Receiver::Typed(*this),
            _ => Receiver::Of(object, false),
        }
    }

    /// Goes into a function, where objects are no options.
    pub(super) fn leave_component(&mut self) -> bool {
        let Some(component) = &mut self.component else {
            return false;
        };
        std::mem::replace(&mut component.is_open, false)
    }

    /// Undoes [`Walk::leave_component`].
    pub(super) fn enter_component_again(&mut self, was_open: bool) {
        if let Some(component) = &mut self.component {
            component.is_open = was_open;
        }
    }
}
