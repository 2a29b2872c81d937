//! Functions, and what classes and functions have in common.

use strata_lang::builder::{NewBinding, NewDef};
use strata_model::facts::{BindSource, DefFlags, Expr, Param, ParamKind, RefTarget, ScopeKind};
use strata_model::ids::{DefId, ExprId, TypeId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::{Function, Walk};
use crate::python::grammar::Kind;

/// What a parameter costs before the function exists: its default and its annotation.
pub(super) struct Outside {
    default: Option<ExprId>,
    hint: Option<TypeId>,
}

impl<'t> Walk<'_, '_, 't> {
    pub(super) fn decorated(&mut self, node: Node<'t>) {
        let mut decorators = Vec::new();
        self.each(node, |walk, child, _| {
            if walk.kind(child) == Kind::Decorator {
                decorators.push(child);
            }
        });
        let Some(definition) = self.field(node, self.fields.definition) else {
            return;
        };
        match self.kind(definition) {
            Kind::ClassDefinition => self.class(definition, &decorators, node),
            _ => self.function(definition, &decorators, node),
        }
    }

    /// Walks decorators; returns their shapes.
    pub(super) fn decorators(&mut self, decorators: &[Node<'t>]) -> Vec<ExprId> {
        let mut exprs = Vec::new();
        for decorator in decorators {
            self.each(*decorator, |walk, inner, _| {
                let expr = walk.expr(inner);
                let (target, name) = match walk.kind(inner) {
                    Kind::Call => match (walk.b.expr_at(expr), walk.field(inner, walk.fields.function)) {
                        (Expr::Call(callee, ..), Some(function)) => (callee, function),
                        _ => (expr, inner),
                    },
                    _ => (expr, inner),
                };
                let name = walk.field(name, walk.fields.attribute).unwrap_or(name);
                walk.reference(RefKind::Decorator, RefTarget::Expr(target), name);
                exprs.push(expr);
            });
        }
        exprs
    }

    /// The last segments of decorators' names: `app.route` → `route`; with the whole text for setters.
    fn decorator_names(&self, decorators: &[Node<'t>]) -> Vec<String> {
        decorators
            .iter()
            .filter_map(|decorator| {
                let inner = decorator.named_child(0)?;
                let function = if self.kind(inner) == Kind::Call {
                    self.field(inner, self.fields.function)?
                } else {
                    inner
                };
                Some(self.b.text(function).to_owned())
            })
            .collect()
    }

    // ---- functions ----------------------------------------------------------------------------------------------------

    pub(super) fn function(&mut self, node: Node<'t>, decorators: &[Node<'t>], outer: Node<'t>) {
        let Some(name_node) = self.field(node, self.fields.name) else {
            return;
        };
        let name = self.text(name_node);
        let decorator_exprs = self.decorators(decorators);
        let names = self.decorator_names(decorators);
        let parameters = self.field(node, self.fields.parameters);
        let body = self.field(node, self.fields.body);
        let type_parameters = self.field(node, self.fields.type_parameters);
        let class = if self.b.scope_kind(self.b.scope()) == ScopeKind::Class {
            self.b.owner()
        } else {
            None
        };
        let mut flags = self.common_flags(&name);
        let is_property = decorator_flags(&names, &mut flags);
        if self.is_async(node) {
            flags |= DefFlags::ASYNC;
        }
        if class.is_some() && name == "__new__" {
            flags |= DefFlags::CLASS_METHOD;
        }
        if class.is_some() && matches!(name.as_str(), "__init_subclass__" | "__class_getitem__") {
            flags |= DefFlags::CLASS_METHOD;
        }
        let def = self.b.add_def(NewDef {
            name: &name,
            kind: function_kind(&name, class.is_some(), is_property),
            flags,
            parent: None,
            node,
            name_node,
            body,
        });
        self.widen(def, outer);
        self.comment_above(def, outer);
        for decorator in decorator_exprs {
            self.b.add_decorator(def, decorator);
        }
        if type_parameters.is_some() {
            self.b.enter_scope(ScopeKind::TypeParams, Some(def));
            self.type_parameters(def, type_parameters);
        }
        // Defaults and annotations belong to the scope around.
        let outside = self.defaults(parameters);
        let ret = self.field(node, self.fields.return_type).map(|it| self.annotation(it));
        self.b.def_mut(def).ret_hint = ret;
        if let Some(class) = class {
            self.b.note_member(class, def);
        }
        if type_parameters.is_none() {
            self.bind_def(&name, def);
        }
        self.function_body(def, class, parameters, &outside, body);
        if type_parameters.is_some() {
            self.b.exit_scope();
            self.bind_def(&name, def);
        }
    }

    fn function_body(
        &mut self,
        def: DefId,
        class: Option<DefId>,
        parameters: Option<Node<'t>>,
        outside: &[Outside],
        body: Option<Node<'t>>,
    ) {
        let flags = self.b.def(def).flags;
        self.b.enter_scope(ScopeKind::Function, Some(def));
        let first = self.parameters(def, parameters, outside);
        let receiver = match (class, first) {
            (Some(class), Some(first)) if !flags.has(DefFlags::STATIC) => Some((class, first)),
            _ => None,
        };
        // A function inside a method sees the method's receiver by its name.
        let (receiver, is_on_class) = match receiver {
            Some(receiver) => (Some(receiver), flags.has(DefFlags::CLASS_METHOD)),
            None if class.is_none() => self.receiver_around(),
            None => (None, false),
        };
        self.functions.push(Function {
            def,
            receiver,
            is_on_class,
            depth: 1,
            globals: Vec::new(),
            places: Vec::new(),
        });
        let was_conditional = std::mem::replace(&mut self.conditions, 0);
        if let Some(body) = body {
            if let Some(function) = body.parent() {
                self.errors_of(function);
            }
            self.docstring(def, body);
            self.block(body);
        }
        self.conditions = was_conditional;
        self.functions.pop();
        self.b.exit_scope();
    }

    /// The receiver of the method around, unless a parameter of the function whose scope is open hides it.
    fn receiver_around(&mut self) -> (Option<(DefId, String)>, bool) {
        let Some(outer) = self.functions.last() else {
            return (None, false);
        };
        let (receiver, is_on_class) = (outer.receiver.clone(), outer.is_on_class);
        match receiver {
            Some((_, name)) if self.b.bound_here(&name).is_some() => (None, false),
            receiver => (receiver, is_on_class),
        }
    }

    /// Walks what does not parse directly below a definition: the parser puts there what it could not fit into the body.
    fn errors_of(&mut self, node: Node<'t>) {
        if node.has_error() {
            self.each(node, |walk, child, _| {
                if walk.kind(child) == Kind::Error {
                    walk.statement(child);
                }
            });
        }
    }

    /// Walks defaults and annotations of parameters, in order.
    pub(super) fn defaults(&mut self, parameters: Option<Node<'t>>) -> Vec<Outside> {
        let mut outside = Vec::new();
        let Some(parameters) = parameters else { return outside };
        self.each(parameters, |walk, child, _| {
            let default = walk.field(child, walk.fields.value).map(|it| walk.expr(it));
            let hint = walk.field(child, walk.fields.ty).map(|it| walk.annotation(it));
            outside.push(Outside { default, hint });
        });
        outside
    }

    /// Adds and binds parameters; returns the first one's name.
    pub(super) fn parameters(
        &mut self,
        def: DefId,
        parameters: Option<Node<'t>>,
        outside: &[Outside],
    ) -> Option<String> {
        let mut first = None;
        let mut is_keyword_only = false;
        let mut at = 0;
        let parameters = parameters?;
        self.each(parameters, |walk, child, _| {
            let Some(outside) = outside.get(at) else { return };
            at += 1;
            let kind = walk.kind(child);
            let mut name_node = walk.field(child, walk.fields.name).unwrap_or(child);
            if kind == Kind::TypedParameter {
                name_node = child.named_child(0).unwrap_or(child);
            }
            let mut param_kind = if is_keyword_only {
                ParamKind::Keyword
            } else {
                ParamKind::Normal
            };
            match walk.kind(name_node) {
                Kind::ListSplatPattern => {
                    param_kind = ParamKind::Rest;
                    is_keyword_only = true;
                    name_node = name_node.named_child(0).unwrap_or(name_node);
                }
                Kind::DictionarySplatPattern => {
                    param_kind = ParamKind::KeywordRest;
                    name_node = name_node.named_child(0).unwrap_or(name_node);
                }
                Kind::KeywordSeparator => {
                    is_keyword_only = true;
                    return;
                }
                Kind::PositionalSeparator | Kind::Error => return,
                _ => {}
            }
            let name = walk.text(name_node);
            let interned = walk.b.intern(&name);
            let index = walk.b.add_param(
                def,
                Param {
                    name: interned,
                    kind: param_kind,
                    hint: outside.hint,
                    default: outside.default,
                    is_optional: outside.default.is_some(),
                },
            );
            walk.b.bind(&name, NewBinding::new(BindSource::Param(def, index)));
            if index == 0 && param_kind == ParamKind::Normal {
                first = Some(name);
            }
        });
        first
    }

    pub(super) fn type_parameters(&mut self, def: DefId, node: Option<Node<'t>>) {
        let Some(node) = node else { return };
        self.each(node, |walk, child, _| {
            // `T`, `T: Bound`, `*Ts`, `**P`: the first name is the parameter, what follows a colon its bound.
            let mut name = child;
            let mut bound = None;
            while walk.kind(name) != Kind::Identifier {
                if walk.kind(name) == Kind::ConstrainedType {
                    bound = name.named_child(1);
                }
                let Some(inner) = name.named_child(0) else { return };
                name = inner;
            }
            let hint = bound.map(|it| walk.annotation(it));
            let text = walk.text(name);
            let interned = walk.b.intern(&text);
            let index = walk.b.add_type_param(
                def,
                Param {
                    name: interned,
                    kind: ParamKind::Type,
                    hint,
                    default: None,
                    is_optional: false,
                },
            );
            walk.b.bind(&text, NewBinding::new(BindSource::TypeParam(def, index)));
        });
    }

    // ---- both ---------------------------------------------------------------------------------------------------------

    pub(super) fn common_flags(&self, name: &str) -> DefFlags {
        let mut flags = DefFlags::default();
        let is_dunder = name.starts_with("__") && name.ends_with("__");
        if name.starts_with('_') && !is_dunder {
            flags |= DefFlags::PRIVATE;
        }
        if self.conditions > 0 {
            flags |= DefFlags::CONDITIONAL;
        }
        if self.errors > 0 {
            flags |= DefFlags::IN_ERROR;
        }
        if self.b.scope_kind(self.b.function_scope()) == ScopeKind::Function {
            flags |= DefFlags::LOCAL;
        }
        flags
    }

    /// Lets a definition begin where its decorators begin.
    pub(super) fn widen(&mut self, def: DefId, outer: Node<'t>) {
        let (start, at) = (self.b.span(outer).start, self.b.at(outer));
        let def = self.b.def_mut(def);
        def.span.start = start;
        def.start = at;
    }

    pub(super) fn bind_def(&mut self, name: &str, def: DefId) {
        self.b.bind(name, NewBinding::new(BindSource::Def(def)));
    }
}

/// Flags that decorators give; true: the function is read like a field.
fn decorator_flags(names: &[String], flags: &mut DefFlags) -> bool {
    let mut is_property = false;
    for name in names {
        let last = name.rsplit('.').next().unwrap_or(name);
        match last {
            "staticmethod" => *flags |= DefFlags::STATIC,
            "classmethod" => *flags |= DefFlags::CLASS_METHOD,
            "overload" => *flags |= DefFlags::OVERLOAD,
            "abstractmethod" => *flags |= DefFlags::ABSTRACT,
            "abstractclassmethod" => *flags |= DefFlags::ABSTRACT.with(DefFlags::CLASS_METHOD),
            "abstractstaticmethod" => *flags |= DefFlags::ABSTRACT.with(DefFlags::STATIC),
            "setter" | "deleter" if name.contains('.') => {
                *flags |= DefFlags::SETTER;
                is_property = true;
            }
            "getter" if name.contains('.') => {
                *flags |= DefFlags::GETTER;
                is_property = true;
            }
            // `property`, `cached_property`, and the like that frameworks bring: `hybrid_property`, `classproperty`.
            _ if last.ends_with("property") => {
                *flags |= DefFlags::GETTER;
                if last.starts_with("abstract") {
                    *flags |= DefFlags::ABSTRACT;
                }
                is_property = true;
            }
            _ => {}
        }
    }
    is_property
}

fn function_kind(name: &str, is_member: bool, is_property: bool) -> NodeKind {
    if is_property {
        return NodeKind::Property;
    }
    if !is_member {
        return NodeKind::Function;
    }
    match name {
        "__init__" | "__new__" => NodeKind::Constructor,
        "__del__" => NodeKind::Destructor,
        _ if super::super::tables::OPERATORS.binary_search(&name).is_ok() => NodeKind::Operator,
        _ => NodeKind::Method,
    }
}
