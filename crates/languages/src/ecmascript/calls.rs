//! Calls and instantiations, with the calls that load modules, and JSX elements.

use strata_model::facts::{Arg, Expr, Import, ImportKind, RefTarget};
use strata_model::ids::{DefId, ExprId, Run};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::walk::{Child, NameToken, Walk};

/// Arguments whose shapes nest deeper are opaque, so that an outer call keeps its own shape.
const MAX_ARGUMENT_DEPTH: u8 = 12;

/// The arguments of a call, walked.
struct Arguments {
    run: Run,
    depth: u8,
    /// Function and object literals among them, by index.
    literals: Vec<(DefId, u32)>,
}

impl<'s, 't> Walk<'_, 's, 't> {
    /// `f(…)` and `` f`…` ``.
    pub(super) fn call(&mut self, child: Child<'t>, flags: u8) -> ExprId {
        let children = self.children(child.node);
        let function = self.field(children, Field::Function);
        let type_arguments = self.field(children, Field::TypeArguments);
        let arguments = self.field(children, Field::Arguments);
        self.release(children);
        let Some(function) = function else { return self.opaque() };
        if function.kind == Kind::Import {
            return self.import_call(arguments);
        }
        self.frame().metrics.calls += 1;
        let is_require = function.kind == Kind::Identifier && self.text(function.node) == "require";
        if is_require
            && let Some(literal) = self.only_string(arguments)
            && self.declaring_scope("require").is_none()
        {
            let callee = self.builder.name("require");
            self.reference(RefKind::Call, RefTarget::Expr(callee), function.node, 0);
            let spec = self.string_text(literal);
            self.module_reference(spec, literal);
            let spec = self.builder.intern(spec);
            return self.shape(Expr::Require(spec));
        }
        let (callee, name) = self.callee(function);
        let types = match type_arguments {
            Some(types) => self.type_arguments(types),
            None => Run::default(),
        };
        let arguments = self.arguments(arguments);
        let depth = self.depth_of(callee).max(arguments.depth) + 1;
        let expr = self.shape_of_depth(Expr::Call(callee, arguments.run, types), depth);
        self.set_contexts(expr, &arguments);
        self.tests.push((child.node.id(), expr));
        if let Some(name) = name.or_else(|| self.whole_callee(callee, function.node)) {
            self.reference_named(
                RefKind::Call,
                RefTarget::Expr(expr),
                name.text,
                name.node,
                flags | name.flags,
            );
        }
        expr
    }

    /// `@d(…)`: the decorator is what is called; the result is the whole call.
    pub(super) fn decorator_call(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let function = self.field(children, Field::Function);
        let type_arguments = self.field(children, Field::TypeArguments);
        let arguments = self.field(children, Field::Arguments);
        self.release(children);
        let Some(function) = function else { return self.opaque() };
        let (callee, name) = self.callee(function);
        if let Some(name) = name {
            self.reference_named(RefKind::Decorator, RefTarget::Expr(callee), name.text, name.node, 0);
        }
        let types = match type_arguments {
            Some(types) => self.type_arguments(types),
            None => Run::default(),
        };
        let arguments = self.arguments(arguments);
        let depth = self.depth_of(callee).max(arguments.depth) + 1;
        let expr = self.shape_of_depth(Expr::Call(callee, arguments.run, types), depth);
        self.set_contexts(expr, &arguments);
        expr
    }

    /// `new C(…)`.
    pub(super) fn construct(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        let class = self.field(children, Field::Constructor);
        let type_arguments = self.field(children, Field::TypeArguments);
        let arguments = self.field(children, Field::Arguments);
        self.release(children);
        let Some(class) = class else { return self.opaque() };
        self.frame().metrics.calls += 1;
        let (callee, name) = self.callee(class);
        let types = match type_arguments {
            Some(types) => self.type_arguments(types),
            None => Run::default(),
        };
        let arguments = self.arguments(arguments);
        let depth = self.depth_of(callee).max(arguments.depth) + 1;
        let expr = self.shape_of_depth(Expr::New(callee, arguments.run, types), depth);
        self.set_contexts(expr, &arguments);
        if let Some(name) = name.or_else(|| self.whole_callee(callee, class.node)) {
            self.reference_named(
                RefKind::Construct,
                RefTarget::Expr(expr),
                name.text,
                name.node,
                name.flags,
            );
        }
        expr
    }

    /// A callee without a name of its own stands for itself: `table[key]()`, `make()()`, `new this()`. A function literal
    /// that is called on the spot names nothing.
    fn whole_callee(&self, callee: ExprId, node: Node<'t>) -> Option<NameToken<'s, 't>> {
        if matches!(self.builder.expr_at(callee), Expr::Def(_)) {
            return None;
        }
        Some(NameToken {
            node,
            text: self.text(node),
            flags: 0,
        })
    }

    fn arguments(&mut self, child: Option<Child<'t>>) -> Arguments {
        let mut out = Arguments {
            run: Run::default(),
            depth: 0,
            literals: Vec::new(),
        };
        let Some(child) = child else { return out };
        if child.kind == Kind::TemplateString {
            self.template(child);
            return out;
        }
        let children = self.items(child.node);
        let mut args: Vec<Arg> = Vec::new();
        for at in children.range() {
            let item = self.child(at);
            if !item.node.is_named() || item.kind.is_comment() {
                continue;
            }
            let (value, is_spread) = if item.kind == Kind::SpreadElement {
                let value = match self.inner(item.node) {
                    Some(inner) => self.expression(inner),
                    None => self.opaque(),
                };
                (value, true)
            } else {
                let n_defs = self.builder.def_count();
                let value = self.expression(item);
                if let Expr::Def(def) = self.builder.expr_at(value)
                    && def.ix() >= n_defs
                    && matches!(self.builder.def(def).kind, NodeKind::Function | NodeKind::Unknown)
                {
                    out.literals.push((def, u32::try_from(args.len()).unwrap_or(u32::MAX)));
                }
                (value, false)
            };
            let depth = self.depth_of(value);
            let value = if depth > MAX_ARGUMENT_DEPTH {
                self.opaque()
            } else {
                value
            };
            out.depth = out.depth.max(depth.min(MAX_ARGUMENT_DEPTH));
            args.push(Arg {
                name: None,
                value,
                is_spread,
            });
        }
        self.release(children);
        out.run = self.builder.arg_run(&args);
        out
    }

    fn set_contexts(&mut self, call: ExprId, arguments: &Arguments) {
        for (def, index) in &arguments.literals {
            self.builder.def_mut(*def).context = Some((call, *index));
        }
    }

    /// The node of the string when it is the only argument.
    pub(super) fn only_string(&mut self, arguments: Option<Child<'t>>) -> Option<Node<'t>> {
        let children = self.items(arguments?.node);
        let first = self.first_named(children);
        let last = self.last_named(children);
        self.release(children);
        let (first, last) = (first?, last?);
        (first.kind == Kind::String && first.node == last.node).then_some(first.node)
    }

    /// `import("x")`.
    fn import_call(&mut self, arguments: Option<Child<'t>>) -> ExprId {
        let Some(arguments) = arguments else {
            return self.opaque();
        };
        let children = self.children(arguments.node);
        let first = self.first_named(children);
        self.release(children);
        match first {
            Some(first) if first.kind == Kind::String => {
                let spec = self.string_text(first.node);
                self.module_reference(spec, first.node);
                let spec = self.builder.intern(spec);
                self.shape(Expr::ImportCall(spec))
            }
            Some(first) => {
                self.expression(first);
                self.opaque()
            }
            None => self.opaque(),
        }
    }

    /// Notes that the file uses a module without binding a name of it.
    pub(super) fn module_reference(&mut self, spec: &'s str, node: Node<'t>) {
        let at = self.builder.at(node);
        let text = self.builder.intern(spec);
        let import = self.builder.add_import(Import {
            kind: ImportKind::SideEffect,
            spec: text,
            name: None,
            local: None,
            is_type_only: false,
            at,
        });
        self.reference_named(RefKind::Import, RefTarget::Import(import), spec, node, 0);
    }

    // ---- JSX ----------------------------------------------------------------------------------------------------------

    /// `<a.B x={y}>…</a.B>`.
    pub(super) fn jsx(&mut self, child: Child<'t>) -> ExprId {
        let children = self.children(child.node);
        if child.kind == Kind::JsxSelfClosingElement {
            self.jsx_tag(child);
        } else {
            for at in children.range() {
                let part = self.child(at);
                match part.kind {
                    Kind::JsxOpeningElement => self.jsx_tag(part),
                    Kind::JsxElement | Kind::JsxSelfClosingElement => {
                        self.expression(part);
                    }
                    Kind::JsxExpression => self.jsx_expression(part),
                    Kind::Error => self.anything_below(part.node, part.kind),
                    _ => {}
                }
            }
        }
        self.release(children);
        self.opaque()
    }

    fn jsx_tag(&mut self, child: Child<'t>) {
        let children = self.children(child.node);
        if let Some(name) = self.field(children, Field::Name) {
            self.jsx_name(name);
        }
        for at in children.range() {
            let part = self.child(at);
            match part.kind {
                Kind::JsxAttribute => {
                    if let Some(value) = self.jsx_attribute_value(part) {
                        match value.kind {
                            Kind::JsxExpression => self.jsx_expression(value),
                            Kind::JsxElement | Kind::JsxSelfClosingElement => {
                                self.expression(value);
                            }
                            _ => {}
                        }
                    }
                }
                Kind::JsxExpression => self.jsx_expression(part),
                Kind::TypeArguments => {
                    self.type_arguments(part);
                }
                _ => {}
            }
        }
        self.release(children);
    }

    fn jsx_attribute_value(&mut self, child: Child<'t>) -> Option<Child<'t>> {
        let children = self.children(child.node);
        let value = self.last_named(children);
        self.release(children);
        value
    }

    /// The name of an element. Lower-case names and such with a dash or a colon are the platform's own.
    fn jsx_name(&mut self, name: Child<'t>) {
        let text = self.text(name.node);
        if name.kind == Kind::Identifier && !text.starts_with(|it: char| it.is_ascii_lowercase()) && !text.contains('-')
        {
            let expr = self.builder.name(text);
            self.reference(RefKind::Render, RefTarget::Expr(expr), name.node, 0);
        } else if name.kind == Kind::MemberExpression {
            let (expr, token) = self.member_access(name);
            if let Some(token) = token {
                self.reference_named(RefKind::Render, RefTarget::Expr(expr), token.text, token.node, 0);
            }
        } else {
            // Written so that it cannot be mistaken for a name of the file.
            let id = self.builder.intern(&format!("<{text}>"));
            let expr = self.shape(Expr::Free(id));
            self.reference(RefKind::Render, RefTarget::Expr(expr), name.node, 0);
        }
    }

    fn jsx_expression(&mut self, child: Child<'t>) {
        if let Some(inner) = self.inner(child.node) {
            if inner.kind == Kind::SpreadElement {
                if let Some(inner) = self.inner(inner.node) {
                    self.expression(inner);
                }
            } else {
                self.expression(inner);
            }
        }
    }
}
