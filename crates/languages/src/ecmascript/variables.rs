//! Declared variables, and the definitions that names stand for.

use strata_lang::builder::{NewBinding, NewDef, VALUE};
use strata_model::facts::{BindSource, DefFlags, Expr};
use strata_model::ids::{DefId, ScopeId, TypeId};
use strata_model::kinds::NodeKind;
use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::patterns::Target;
use super::walk::{Child, Walk};

/// A value without the parentheses, casts and assertions around it.
#[derive(Clone, Copy)]
pub(super) struct Bare<'t> {
    pub(super) value: Child<'t>,
    /// The type it is cast to, or that it satisfies.
    pub(super) ty: Option<Child<'t>>,
}

impl<'s, 't> Walk<'_, 's, 't> {
    /// Adds a definition with the documentation before it.
    pub(super) fn add_def(&mut self, new: NewDef<'_>) -> DefId {
        let remark = self.remark.take();
        let def = self.builder.add_def(new);
        if let Some(remark) = remark {
            self.document(def, remark);
        }
        def
    }

    /// Binds the name of a definition, and exports it when it is marked so.
    pub(super) fn declare(&mut self, name: &'s str, def: DefId, namespace: u8) {
        if name.is_empty() {
            return;
        }
        self.bind(
            name,
            NewBinding {
                namespace,
                ..NewBinding::new(BindSource::Def(def))
            },
        );
        let found = self.builder.def(def);
        let (flags, at) = (found.flags, found.name_at);
        if self.builder.scope() == ScopeId(0) && flags.has(DefFlags::EXPORTED) {
            let exported = if flags.has(DefFlags::DEFAULT_EXPORT) {
                "default"
            } else {
                name
            };
            if self.exported.insert(exported) {
                self.builder.export_local(exported, name, false, at);
            }
        }
    }

    /// Exports a name of the file's scope under its own name.
    pub(super) fn export_name(&mut self, name: &'s str, node: Node<'t>) {
        if self.builder.scope() == ScopeId(0) && self.exported.insert(name) {
            let at = self.builder.at(node);
            self.builder.export_local(name, name, false, at);
        }
    }

    /// `const a = 1, b = 2;`
    pub(super) fn variables(&mut self, child: Child<'t>, outer: Node<'t>, flags: DefFlags) {
        let children = self.children(child.node);
        let is_const = self.has(children, Kind::ConstToken) || child.kind == Kind::UsingDeclaration;
        let scope = (child.kind == Kind::VariableDeclaration).then(|| self.builder.function_scope());
        let n_declarators = children
            .range()
            .filter(|at| self.child(*at).kind == Kind::VariableDeclarator)
            .count();
        let kind = if is_const {
            NodeKind::Constant
        } else {
            NodeKind::Variable
        };
        for at in children.range() {
            let declarator = self.child(at);
            match declarator.kind {
                Kind::VariableDeclarator => {
                    let node = if n_declarators == 1 { outer } else { declarator.node };
                    let target = if self.is_in_function() && !flags.has(DefFlags::EXPORTED) {
                        scope.map_or(Target::Local, Target::Var)
                    } else {
                        Target::Symbol {
                            kind,
                            flags: flags.with(self.place_flags()),
                            node,
                            scope,
                        }
                    };
                    self.declarator(declarator, node, target, flags);
                    self.tests.clear();
                }
                Kind::Error => self.anything_below(declarator.node, Kind::Error),
                _ => {}
            }
        }
        self.release(children);
    }

    /// One declared variable, or a pattern of several.
    pub(super) fn declarator(&mut self, child: Child<'t>, node: Node<'t>, target: Target<'t>, flags: DefFlags) {
        let children = self.children(child.node);
        let name = self.field(children, Field::Name);
        let ty = self.field(children, Field::Type);
        let value = self.field(children, Field::Value);
        self.release(children);
        let Some(name) = name else { return };
        let remark = self.remark;
        let mut hint = ty.and_then(|ty| self.annotation(ty));
        if hint.is_none()
            && !self.is_typescript
            && let Some(remark) = remark
        {
            hint = self.doc_type(remark);
        }
        if !self.is_typescript
            && !flags.has(DefFlags::EXPORTED)
            && hint.is_none()
            && let Some(value) = value
            && self.require_names(name, value, target)
        {
            return;
        }
        if name.kind != Kind::Identifier {
            let mut whole = match value {
                Some(value) => self.expression(value),
                None => self.opaque(),
            };
            if let Some(hint) = hint {
                whole = self.shape(Expr::Cast(hint));
            }
            self.destructure(name, whole, target);
            return;
        }
        let scope = match target {
            Target::Var(scope) => Some(scope),
            Target::Symbol { scope, .. } => scope,
            Target::Local | Target::Assigned => None,
        };
        let Some(value) = value else {
            self.declare_without_value(name, node, target, hint, scope);
            return;
        };
        let bare = self.bare(value);
        match bare.value.kind {
            kind if kind.is_function_literal() => {
                let text = self.text(name.node);
                let body = self.body_of(bare.value);
                let hint = hint.or_else(|| self.bare_type(bare));
                let def = self.add_def(NewDef {
                    name: text,
                    kind: NodeKind::Function,
                    flags: flags.with(self.place_flags()),
                    parent: None,
                    node,
                    name_node: name.node,
                    body,
                });
                self.builder.def_mut(def).hint = hint;
                self.bind(
                    text,
                    NewBinding {
                        scope,
                        hint: None,
                        namespace: VALUE,
                        ..NewBinding::new(BindSource::Def(def))
                    },
                );
                if flags.has(DefFlags::EXPORTED) {
                    self.export_name(text, name.node);
                }
                let body = self.body_child(bare.value);
                let receiver = self.receiver_of_function(def, text, body);
                self.named_function(def, bare.value, receiver);
            }
            Kind::Class => {
                let text = self.text(name.node);
                let def = self.class_of_variable(bare.value, name, node, flags);
                if let Some(ty) = bare.ty {
                    self.ty(ty);
                }
                self.bind(
                    text,
                    NewBinding {
                        scope,
                        ..NewBinding::new(BindSource::Def(def))
                    },
                );
                if flags.has(DefFlags::EXPORTED) {
                    self.export_name(text, name.node);
                }
            }
            Kind::Object => self.object_variable(name, node, target, hint, bare, value),
            _ => self.plain_variable(name, node, target, hint, value),
        }
    }

    fn declare_without_value(
        &mut self,
        name: Child<'t>,
        node: Node<'t>,
        target: Target<'t>,
        hint: Option<TypeId>,
        scope: Option<ScopeId>,
    ) {
        let text = self.text(name.node);
        let def = match target {
            Target::Symbol { kind, flags, .. } => {
                let def = self.add_def(NewDef {
                    name: text,
                    kind,
                    flags,
                    parent: None,
                    node,
                    name_node: name.node,
                    body: None,
                });
                self.builder.def_mut(def).hint = hint;
                Some(def)
            }
            Target::Local | Target::Var(_) | Target::Assigned => None,
        };
        let source = if hint.is_some() {
            BindSource::Typed
        } else {
            BindSource::Opaque
        };
        self.bind(
            text,
            NewBinding {
                hint,
                def,
                scope,
                namespace: VALUE,
                ..NewBinding::new(source)
            },
        );
        if let Target::Symbol { flags, .. } = target
            && flags.has(DefFlags::EXPORTED)
        {
            self.export_name(text, name.node);
        }
    }

    /// A variable that holds an object literal is a symbol wherever it stands, for it has members.
    fn object_variable(
        &mut self,
        name: Child<'t>,
        node: Node<'t>,
        target: Target<'t>,
        hint: Option<TypeId>,
        bare: Bare<'t>,
        value: Child<'t>,
    ) {
        let text = self.text(name.node);
        let (kind, flags, scope) = match target {
            Target::Symbol { kind, flags, scope, .. } => (kind, flags, scope),
            Target::Var(scope) => (NodeKind::Variable, self.place_flags(), Some(scope)),
            Target::Local | Target::Assigned => (NodeKind::Constant, self.place_flags(), None),
        };
        let def = self.add_def(NewDef {
            name: text,
            kind,
            flags,
            parent: None,
            node,
            name_node: name.node,
            body: Some(value.node),
        });
        self.builder.def_mut(def).hint = hint;
        let mut expr = self.object_literal(bare.value, Some(def));
        if let Expr::Def(object) = self.builder.expr_at(expr) {
            self.held.insert(def, object);
        }
        if let Some(ty) = bare.ty {
            let cast = self.ty(ty);
            if value.kind == Kind::AsExpression && self.builder.type_at(cast) != strata_model::facts::TypeExpr::Opaque {
                expr = self.shape(Expr::Cast(cast));
            }
        }
        self.builder.add_value(def, expr);
        self.bind(
            text,
            NewBinding {
                hint,
                def: Some(def),
                scope,
                namespace: VALUE,
                ..NewBinding::new(BindSource::Value(expr))
            },
        );
        if flags.has(DefFlags::EXPORTED) {
            self.export_name(text, name.node);
        }
    }

    fn plain_variable(
        &mut self,
        name: Child<'t>,
        node: Node<'t>,
        target: Target<'t>,
        hint: Option<TypeId>,
        value: Child<'t>,
    ) {
        let text = self.text(name.node);
        if let Some(class) = self.prototype_of(value) {
            self.prototypes.insert(text, class);
        }
        let Target::Symbol { kind, flags, scope, .. } = target else {
            let expr = self.expression(value);
            self.bind_leaf(name, expr, target, hint);
            return;
        };
        let def = self.add_def(NewDef {
            name: text,
            kind,
            flags,
            parent: None,
            node,
            name_node: name.node,
            body: (value.kind == Kind::Array).then_some(value.node),
        });
        self.builder.def_mut(def).hint = hint;
        let expr = self.expression(value);
        self.builder.add_value(def, expr);
        if let Expr::Def(object) = self.builder.expr_at(expr) {
            self.held.insert(def, object);
        }
        let source = if self.builder.expr_at(expr) == Expr::Opaque {
            BindSource::Opaque
        } else {
            BindSource::Value(expr)
        };
        self.bind(
            text,
            NewBinding {
                hint,
                def: Some(def),
                scope,
                namespace: VALUE,
                ..NewBinding::new(source)
            },
        );
        if flags.has(DefFlags::EXPORTED) {
            self.export_name(text, name.node);
        }
    }

    /// Takes parentheses, `as`, `satisfies` and `!` from around a value.
    pub(super) fn bare(&mut self, value: Child<'t>) -> Bare<'t> {
        let mut bare = Bare { value, ty: None };
        loop {
            match bare.value.kind {
                Kind::ParenthesizedExpression | Kind::NonNullExpression => match self.inner(bare.value.node) {
                    Some(inner) if inner.kind != Kind::SequenceExpression => bare.value = inner,
                    _ => return bare,
                },
                Kind::AsExpression | Kind::SatisfiesExpression => {
                    let children = self.children(bare.value.node);
                    let inner = self.first_named(children);
                    let ty = self.last_named(children);
                    let is_const = self.has(children, Kind::ConstToken);
                    self.release(children);
                    let (Some(inner), Some(ty)) = (inner, ty) else {
                        return bare;
                    };
                    bare.value = inner;
                    if !is_const && bare.ty.is_none() {
                        bare.ty = Some(ty);
                    }
                }
                _ => return bare,
            }
        }
    }

    /// The type around a bare value.
    pub(super) fn bare_type(&mut self, bare: Bare<'t>) -> Option<TypeId> {
        bare.ty.map(|ty| self.ty(ty))
    }

    /// The body of a function literal.
    pub(super) fn body_child(&mut self, literal: Child<'t>) -> Option<Child<'t>> {
        let children = self.children(literal.node);
        let body = self.field(children, Field::Body);
        self.release(children);
        body
    }
}
