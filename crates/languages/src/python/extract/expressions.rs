//! Expressions: their shapes, and the references in them.

use strata_lang::builder::{NewBinding, NewDef};
use strata_model::facts::{Arg, BindSource, DefFlags, Expr, ImplicitKind, Literal, RefTarget, Reference, ScopeKind};
use strata_model::ids::{DefId, ExprId, Run};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::{Function, Walk, strings};
use crate::python::grammar::Kind;

/// Deepest nesting of an argument's shape; deeper ones are opaque, so that they do not hide the call.
const MAX_ARG_DEPTH: u8 = 12;

/// What takes types as its arguments wherever it stands: a string there is a forward reference.
const TAKES_TYPES: [&str; 12] = [
    "Callable", "Dict", "Iterable", "Iterator", "List", "Mapping", "Optional", "Sequence", "Set", "Tuple", "Type",
    "Union",
];

impl<'t> Walk<'_, '_, 't> {
    /// Walks an expression and returns its shape.
    pub(super) fn expr(&mut self, node: Node<'t>) -> ExprId {
        self.nesting += 1;
        let expr = if self.is_beyond() {
            self.opaque()
        } else {
            self.expr_inside(node)
        };
        self.nesting -= 1;
        expr
    }

    /// An element of what is iterated.
    pub(super) fn iterated(&mut self, iterable: ExprId, is_async: bool) -> ExprId {
        let element = if is_async {
            Expr::AsyncIter(iterable)
        } else {
            Expr::Iter(iterable)
        };
        self.shape(element, &[iterable])
    }

    fn expr_inside(&mut self, node: Node<'t>) -> ExprId {
        match self.kind(node) {
            Kind::Identifier => self.name_value(node),
            Kind::Attribute => self.attribute(node),
            Kind::Call => self.call(node),
            Kind::Subscript => self.subscript(node),
            Kind::String | Kind::ConcatenatedString => self.string(node),
            Kind::Integer => self.literal(Literal::Int),
            Kind::Float => self.literal(Literal::Float),
            Kind::True | Kind::False => self.literal(Literal::Bool),
            Kind::None => self.literal(Literal::Null),
            Kind::ParenthesizedExpression | Kind::Type => {
                let mut value = None;
                self.each(node, |walk, child, _| value = Some(walk.expr(child)));
                value.unwrap_or_else(|| self.opaque())
            }
            Kind::Await => {
                self.count(|metrics, _| metrics.awaits += 1);
                let mut value = None;
                self.each(node, |walk, child, _| {
                    value = Some(walk.expr(child));
                    if walk.kind(child) == Kind::Call && !walk.is_quiet {
                        walk.b.flag_last_ref(Reference::AWAITED);
                    }
                });
                match value {
                    Some(value) => self.shape(Expr::Await(value), &[value]),
                    None => self.opaque(),
                }
            }
            Kind::ConditionalExpression => self.conditional(node),
            Kind::BooleanOperator => self.boolean(node),
            Kind::BinaryOperator => self.binary(node),
            Kind::NotOperator | Kind::ComparisonOperator => {
                self.each(node, |walk, child, _| {
                    walk.expr(child);
                });
                self.literal(Literal::Bool)
            }
            Kind::NamedExpression => self.named_expression(node),
            Kind::List | Kind::Set | Kind::Tuple | Kind::ExpressionList | Kind::PatternList => self.sequence(node),
            Kind::Dictionary => self.dictionary(node),
            Kind::ListComprehension
            | Kind::SetComprehension
            | Kind::GeneratorExpression
            | Kind::DictionaryComprehension => self.comprehension(node),
            Kind::Lambda => self.lambda(node),
            Kind::Yield => self.yielded(node),
            Kind::Assignment | Kind::AugmentedAssignment => {
                self.statement(node);
                self.opaque()
            }
            Kind::Error => {
                self.syntax_error(node);
                self.errors += 1;
                self.each(node, |walk, child, _| walk.statement(child));
                self.errors -= 1;
                self.opaque()
            }
            kind if kind.is_statement() => {
                self.statement(node);
                self.opaque()
            }
            _ => {
                self.each(node, |walk, child, _| {
                    walk.expr(child);
                });
                self.opaque()
            }
        }
    }

    /// A name that is read.
    fn name_value(&mut self, node: Node<'t>) -> ExprId {
        let name = self.b.text(node);
        let is_plain_local = self.b.scope_kind(self.b.scope()) == ScopeKind::Function
            && matches!(
                self.b.bound_here(name),
                Some(BindSource::Param(..) | BindSource::Value(_) | BindSource::Typed | BindSource::Opaque)
            );
        let expr = self.b.name(name);
        if !is_plain_local {
            self.reference(RefKind::Value, RefTarget::Expr(expr), node);
        }
        expr
    }

    fn attribute(&mut self, node: Node<'t>) -> ExprId {
        let (Some(object), Some(attribute)) = (
            self.field(node, self.fields.object),
            self.field(node, self.fields.attribute),
        ) else {
            return self.opaque();
        };
        let base = self.expr(object);
        let name = self.b.text(attribute);
        let name = self.b.intern(name);
        let member = self.shape(Expr::Member(base, name), &[base]);
        self.reference(RefKind::Read, RefTarget::Expr(member), attribute);
        self.read_place(node, member)
    }

    /// A dotted name or attribute as a shape, with a value reference for each part.
    pub(super) fn dotted(&mut self, node: Node<'t>) -> ExprId {
        if self.kind(node) != Kind::DottedName {
            return self.expr(node);
        }
        let mut expr = None;
        self.each(node, |walk, part, _| {
            expr = Some(match expr {
                None => walk.name_value(part),
                Some(base) => {
                    let name = walk.b.text(part);
                    let name = walk.b.intern(name);
                    let member = walk.shape(Expr::Member(base, name), &[base]);
                    walk.reference(RefKind::Read, RefTarget::Expr(member), part);
                    member
                }
            });
        });
        expr.unwrap_or_else(|| self.opaque())
    }

    /// The callee of a call without a reference of its own, and the node that names it.
    fn callee(&mut self, function: Node<'t>) -> (ExprId, Node<'t>) {
        let mut function = function;
        while self.kind(function) == Kind::ParenthesizedExpression {
            match self.part_of(function, 0) {
                Some(inner) => function = inner,
                None => return (self.opaque(), function),
            }
        }
        match self.kind(function) {
            Kind::Identifier => {
                let name = self.b.text(function);
                (self.b.name(name), function)
            }
            Kind::Attribute => {
                let (Some(object), Some(attribute)) = (
                    self.field(function, self.fields.object),
                    self.field(function, self.fields.attribute),
                ) else {
                    return (self.opaque(), function);
                };
                let base = self.expr(object);
                let name = self.b.text(attribute);
                let name = self.b.intern(name);
                (self.shape(Expr::Member(base, name), &[base]), attribute)
            }
            _ => (self.expr(function), function),
        }
    }

    fn call(&mut self, node: Node<'t>) -> ExprId {
        self.count(|metrics, _| metrics.calls += 1);
        let Some(function) = self.field(node, self.fields.function) else {
            return self.opaque();
        };
        let arguments = self.field(node, self.fields.arguments);
        let text = if self.kind(function) == Kind::Identifier {
            self.b.text(function)
        } else {
            ""
        };
        if text == "super"
            && let Some((class, is_on_class)) = self.class_around()
        {
            let callee = self.b.name("super");
            let (run, depth, _) = self.arguments(arguments);
            let call = self.shape_of_depth(Expr::Call(callee, run, Run::default()), depth + 1);
            self.reference(RefKind::Call, RefTarget::Expr(call), function);
            let class = self.class_of_super(arguments).unwrap_or(class);
            return self.b.expr(Expr::Super(class, is_on_class));
        }
        let (callee, name_node) = self.callee(function);
        let (run, depth, literals) = self.arguments(arguments);
        let depth = depth.max(self.depth_of(callee)) + 1;
        let call = self.shape_of_depth(Expr::Call(callee, run, Run::default()), depth);
        for (def, index) in literals {
            self.b.def_mut(def).context = Some((call, index));
        }
        self.reference(RefKind::Call, RefTarget::Expr(call), name_node);
        let is_by_literal = self.kind(function) == Kind::Call && matches!(self.b.expr_at(callee), Expr::Member(..));
        if is_by_literal && !self.is_quiet {
            self.b.flag_last_ref(Reference::BY_LITERAL);
        }
        match self.b.text(name_node) {
            "cast" if run.len == 2 && !self.is_quiet => self.cast(arguments).unwrap_or(call),
            "getattr" if text == "getattr" => self.literal_member(arguments, run).unwrap_or(call),
            "import_module" if run.len == 1 => self.literal_module(arguments).unwrap_or(call),
            "TypeVar" if run.len > 1 && !self.is_quiet => self.forward_bounds(arguments, run).unwrap_or(call),
            _ => call,
        }
    }

    /// The value of `cast(T, x)`.
    fn cast(&mut self, arguments: Option<Node<'t>>) -> Option<ExprId> {
        let ty = self.part_of(arguments?, 0)?;
        let ty = if self.kind(ty) == Kind::String {
            self.annotation_inside(ty)
        } else {
            // It has been walked as an argument.
            self.quietly(|walk| walk.annotation_inside(ty))
        };
        Some(self.b.expr(Expr::Cast(ty)))
    }

    /// The value of `getattr(x, "name")`.
    fn literal_member(&mut self, arguments: Option<Node<'t>>, run: Run) -> Option<ExprId> {
        let name = self.part_of(arguments?, 1)?;
        if self.kind(name) != Kind::String {
            return None;
        }
        let object = self.b.arg_at(run, 0);
        let name = strings::content(self.b.text(name));
        let name = self.b.intern(name);
        Some(self.shape(Expr::Member(object, name), &[object]))
    }

    /// The value of `import_module("a.b")`.
    fn literal_module(&mut self, arguments: Option<Node<'t>>) -> Option<ExprId> {
        let name = self.part_of(arguments?, 0)?;
        let spec = strings::content(self.b.text(name));
        if self.kind(name) != Kind::String || spec.is_empty() || spec.starts_with('.') || spec.contains('{') {
            return None;
        }
        let spec = self.b.intern(spec);
        Some(self.b.expr(Expr::Require(spec)))
    }

    /// `TypeVar("T", bound="A")`: the same call with the bounds that stand in strings read as types.
    fn forward_bounds(&mut self, arguments: Option<Node<'t>>, run: Run) -> Option<ExprId> {
        let arguments = arguments?;
        let mut args = Vec::new();
        let mut has_string = false;
        for at in 0..run.len as usize {
            let node = self.part_of(arguments, at)?;
            let is_named = self.kind(node) == Kind::KeywordArgument;
            let name = if is_named {
                self.field(node, self.fields.name)
            } else {
                None
            };
            let value = if is_named {
                self.field(node, self.fields.value)?
            } else {
                node
            };
            let is_bound = name.map_or(at > 0, |name| self.b.text(name) == "bound");
            let mut expr = self.b.arg_at(run, at);
            if is_bound && self.kind(value) == Kind::String {
                let ty = self.annotation_inside(value);
                expr = self.b.expr(Expr::Cast(ty));
                has_string = true;
            }
            let name = name.map(|it| self.text(it)).map(|it| self.b.intern(&it));
            args.push(Arg {
                name,
                value: expr,
                is_spread: false,
            });
        }
        if !has_string {
            return None;
        }
        let callee = self.b.name("TypeVar");
        let run = self.b.arg_run(&args);
        Some(self.b.expr(Expr::Call(callee, run, Run::default())))
    }

    /// The class in whose method the walk is; true where the method's receiver is the class itself.
    fn class_around(&self) -> Option<(DefId, bool)> {
        self.functions
            .iter()
            .rev()
            .find_map(|it| it.receiver.as_ref().map(|(class, _)| (*class, it.is_on_class)))
    }

    /// The class that `super(C, self)` names, when the file has defined it already: not the one around.
    fn class_of_super(&mut self, arguments: Option<Node<'t>>) -> Option<DefId> {
        let class = self.part_of(arguments?, 0)?;
        if self.kind(class) != Kind::Identifier {
            return None;
        }
        let def = self.b.def_named(self.b.text(class))?;
        self.b.def(def).kind.is_type().then_some(def)
    }

    /// Arguments of a call, how deep they nest, and the function literals among them with their places.
    fn arguments(&mut self, node: Option<Node<'t>>) -> (Run, u8, Vec<(DefId, u32)>) {
        let Some(node) = node else {
            return (Run::default(), 0, Vec::new());
        };
        let mut args = Vec::new();
        let mut literals = Vec::new();
        self.arguments += 1;
        if self.kind(node) == Kind::GeneratorExpression {
            let value = self.expr(node);
            args.push(Arg {
                name: None,
                value,
                is_spread: false,
            });
        } else {
            self.each(node, |walk, child, _| {
                let arg = match walk.kind(child) {
                    Kind::KeywordArgument => {
                        let Some(value) = walk.field(child, walk.fields.value) else {
                            return;
                        };
                        let name = walk.field(child, walk.fields.name).map(|it| walk.b.text(it));
                        let name = name.map(|it| walk.b.intern(it));
                        let value = walk.expr(value);
                        Arg {
                            name,
                            value,
                            is_spread: false,
                        }
                    }
                    Kind::ListSplat | Kind::DictionarySplat => {
                        let mut value = None;
                        walk.each(child, |walk, inner, _| value = Some(walk.expr(inner)));
                        let value = value.unwrap_or_else(|| walk.opaque());
                        Arg {
                            name: None,
                            value,
                            is_spread: true,
                        }
                    }
                    _ => Arg {
                        name: None,
                        value: walk.expr(child),
                        is_spread: false,
                    },
                };
                if let Expr::Def(def) = walk.b.expr_at(arg.value) {
                    literals.push((def, u32::try_from(args.len()).unwrap_or(u32::MAX)));
                }
                args.push(arg);
            });
        }
        self.arguments -= 1;
        let mut depth = 0;
        for arg in &mut args {
            let depth_of_arg = self.depth_of(arg.value);
            if depth_of_arg > MAX_ARG_DEPTH {
                arg.value = self.opaque();
            } else {
                depth = depth.max(depth_of_arg);
            }
        }
        (self.b.arg_run(&args), depth, literals)
    }

    fn subscript(&mut self, node: Node<'t>) -> ExprId {
        let value_field = self.fields.value;
        let mut base = None;
        let mut keys = Vec::new();
        let mut is_slice = false;
        let mut position = None;
        let mut is_of_types = false;
        self.each(node, |walk, child, field| {
            let is_base = field == value_field && base.is_none();
            let expr = if is_base {
                walk.expr(child)
            } else if is_of_types && walk.kind(child) == Kind::String && !walk.is_quiet {
                let ty = walk.annotation_inside(child);
                walk.b.expr(Expr::Cast(ty))
            } else {
                walk.key(child)
            };
            if is_base {
                let name = walk.b.text(child).rsplit('.').next().unwrap_or_default();
                is_of_types = TAKES_TYPES.contains(&name);
                base = Some(expr);
            } else {
                is_slice = walk.kind(child) == Kind::Slice;
                if walk.kind(child) == Kind::Integer && keys.is_empty() {
                    position = walk.b.text(child).parse().ok();
                }
                keys.push(expr);
            }
        });
        let base = base.unwrap_or_else(|| self.opaque());
        let key = match keys.as_slice() {
            // A part of a sequence is a sequence of the same kind.
            [_] if is_slice => return base,
            [only] => *only,
            _ => {
                position = None;
                self.tuple(&keys)
            }
        };
        let element = self.shape(Expr::Index(base, key), &[base, key]);
        match position {
            Some(position) => self.shape(Expr::At(element, position), &[element]),
            None => element,
        }
    }

    fn string(&mut self, node: Node<'t>) -> ExprId {
        let text = self.b.text(node);
        let prefix = &text[..text.len() - strings::without_prefix(text).len()];
        if self.kind(node) == Kind::ConcatenatedString || prefix.contains(['f', 'F', 't', 'T']) {
            self.interpolations(node);
        }
        let is_plain = self.kind(node) == Kind::String && prefix.is_empty();
        if is_plain && self.arguments > 0 && strings::names_something(strings::content(text)) {
            return self.b.key(Literal::Str, strings::content(text));
        }
        self.literal(if prefix.contains(['b', 'B']) {
            Literal::Bytes
        } else {
            Literal::Str
        })
    }

    fn interpolations(&mut self, node: Node<'t>) {
        self.nesting += 1;
        if !self.is_beyond() {
            self.interpolations_inside(node);
        }
        self.nesting -= 1;
    }

    fn interpolations_inside(&mut self, node: Node<'t>) {
        self.each(node, |walk, child, _| match walk.kind(child) {
            Kind::Interpolation | Kind::FormatExpression => walk.each(child, |walk, inner, _| {
                if walk.kind(inner) == Kind::FormatSpecifier {
                    walk.interpolations(inner);
                } else {
                    walk.expr(inner);
                }
            }),
            Kind::String | Kind::FormatSpecifier => walk.interpolations(child),
            _ => {}
        });
    }

    fn conditional(&mut self, node: Node<'t>) -> ExprId {
        let range = self.open(node);
        let parts: Vec<Node<'t>> = range.clone().map(|at| self.kids[at].0).collect();
        self.close(&range);
        let [value, condition, otherwise] = parts.as_slice() else {
            return self.opaque();
        };
        self.expr(*condition);
        self.b.begin_branches();
        self.b.enter_arm(false);
        self.narrow(*condition);
        let value = self.expr(*value);
        self.b.exit_arm();
        self.b.enter_arm(false);
        self.narrow_otherwise(*condition);
        let otherwise = self.expr(*otherwise);
        self.b.exit_arm();
        self.b.end_branches(true);
        self.shape(Expr::Either(value, otherwise), &[value, otherwise])
    }

    /// `and` and `or` nest to the left, an operand a level: long chains are walked without recursion.
    fn boolean(&mut self, node: Node<'t>) -> ExprId {
        let mut operators = Vec::new();
        let mut at = node;
        while self.kind(at) == Kind::BooleanOperator {
            operators.push(at);
            match self.field(at, self.fields.left) {
                Some(left) => at = left,
                None => break,
            }
        }
        let mut value = self.expr(at);
        while let Some(operator) = operators.pop() {
            let is_and = self.operator_is(operator, "and");
            self.b.begin_branches();
            self.b.enter_arm(false);
            if let Some(left) = self.field(operator, self.fields.left) {
                if is_and {
                    self.narrow(left);
                } else {
                    self.narrow_otherwise(left);
                }
            }
            let right = match self.field(operator, self.fields.right) {
                Some(right) => self.expr(right),
                None => self.opaque(),
            };
            self.b.exit_arm();
            self.b.end_branches(false);
            value = if is_and {
                right
            } else {
                self.shape(Expr::Either(value, right), &[value, right])
            };
        }
        value
    }

    /// Binary operators nest to the left, a term a level: long sums are walked without recursion.
    fn binary(&mut self, node: Node<'t>) -> ExprId {
        let mut rights = Vec::new();
        let mut at = node;
        while self.kind(at) == Kind::BinaryOperator {
            rights.extend(self.field(at, self.fields.right));
            match self.field(at, self.fields.left) {
                Some(left) => at = left,
                None => break,
            }
        }
        let first = self.expr(at);
        let mut is_text = matches!(self.b.expr_at(first), Expr::Lit(Literal::Str));
        while let Some(right) = rights.pop() {
            let value = self.expr(right);
            is_text |= matches!(self.b.expr_at(value), Expr::Lit(Literal::Str));
        }
        if is_text {
            self.literal(Literal::Str)
        } else {
            self.opaque()
        }
    }

    fn named_expression(&mut self, node: Node<'t>) -> ExprId {
        let (Some(name), Some(value)) = (self.field(node, self.fields.name), self.field(node, self.fields.value))
        else {
            return self.opaque();
        };
        let value = self.expr(value);
        let name = self.text(name);
        let scope = self.b.function_scope();
        self.b.bind(
            &name,
            NewBinding {
                scope: Some(scope),
                ..NewBinding::new(BindSource::Value(value))
            },
        );
        value
    }

    fn sequence(&mut self, node: Node<'t>) -> ExprId {
        let is_tuple = matches!(self.kind(node), Kind::Tuple | Kind::ExpressionList | Kind::PatternList);
        let mut items = Vec::new();
        self.each(node, |walk, child, _| {
            let item = if walk.kind(child) == Kind::ListSplat {
                let mut inner = None;
                walk.each(child, |walk, value, _| inner = Some(walk.expr(value)));
                let inner = inner.unwrap_or_else(|| walk.opaque());
                walk.iterated(inner, false)
            } else {
                walk.expr(child)
            };
            items.push(item);
        });
        if is_tuple {
            self.tuple(&items)
        } else {
            self.list(&items)
        }
    }

    fn dictionary(&mut self, node: Node<'t>) -> ExprId {
        let mut values = Vec::new();
        let mut keys = Vec::new();
        self.each(node, |walk, child, _| {
            if walk.kind(child) == Kind::Pair {
                let key = walk.field(child, walk.fields.key).map(|key| walk.key(key));
                if let Some(value) = walk.field(child, walk.fields.value) {
                    values.push(walk.expr(value));
                    keys.push(key.unwrap_or_else(|| walk.opaque()));
                }
            } else {
                walk.expr(child);
            }
        });
        let dict = self.dict(&values);
        self.b.dict_keys(dict, &keys);
        dict
    }

    /// An expression that is a key: of a literal, the text is kept.
    fn key(&mut self, node: Node<'t>) -> ExprId {
        match self.kind(node) {
            Kind::String => {
                let text = self.b.text(node);
                let prefix = &text[..text.len() - strings::without_prefix(text).len()];
                if prefix.is_empty() || prefix.eq_ignore_ascii_case("r") {
                    return self.b.key(Literal::Str, strings::content(text));
                }
                self.expr(node)
            }
            Kind::Integer => {
                let text = self.b.text(node);
                self.b.key(Literal::Int, text)
            }
            _ => self.expr(node),
        }
    }

    /// Comprehensions: the first iterable belongs to the scope around, everything else to a scope of its own.
    fn comprehension(&mut self, node: Node<'t>) -> ExprId {
        let range = self.open(node);
        let parts: Vec<Node<'t>> = range.clone().map(|at| self.kids[at].0).collect();
        self.close(&range);
        let mut scope_is_open = false;
        let mut body = None;
        for part in &parts {
            match self.kind(*part) {
                Kind::ForInClause => {
                    let right = self.field(*part, self.fields.right);
                    let iterated = right.map(|right| self.expr(right));
                    if !scope_is_open {
                        self.b.enter_scope(ScopeKind::Comprehension, None);
                        scope_is_open = true;
                    }
                    let is_async = self.is_async(*part);
                    if let (Some(value), Some(right)) = (iterated, right)
                        && !is_async
                    {
                        self.b.implicit(ImplicitKind::Iterated, value, right);
                    }
                    let item = iterated.map(|it| self.iterated(it, is_async));
                    if let Some(left) = self.field(*part, self.fields.left) {
                        self.assign(left, item, None);
                    }
                }
                Kind::IfClause => self.each(*part, |walk, condition, _| {
                    walk.expr(condition);
                    walk.narrow(condition);
                }),
                _ => body = body.or(Some(*part)),
            }
        }
        let value = match body {
            Some(body) if self.kind(body) == Kind::Pair => {
                if let Some(key) = self.field(body, self.fields.key) {
                    self.expr(key);
                }
                self.field(body, self.fields.value).map(|value| self.expr(value))
            }
            Some(body) => Some(self.expr(body)),
            None => None,
        };
        if scope_is_open {
            self.b.exit_scope();
        }
        let is_dictionary = self.kind(node) == Kind::DictionaryComprehension;
        if is_dictionary {
            self.dict(value.as_slice())
        } else {
            self.list(value.as_slice())
        }
    }

    fn lambda(&mut self, node: Node<'t>) -> ExprId {
        self.count(|metrics, _| metrics.closures += 1);
        let parameters = self.field(node, self.fields.parameters);
        let body = self.field(node, self.fields.body);
        let defaults = self.defaults(parameters);
        let def = self.b.add_def(NewDef {
            name: "<lambda>",
            kind: NodeKind::Function,
            flags: DefFlags::ANONYMOUS,
            parent: None,
            node,
            name_node: node,
            body: None,
        });
        self.b.enter_scope(ScopeKind::Function, Some(def));
        self.parameters(def, parameters, &defaults);
        self.functions.push(Function {
            def,
            receiver: None,
            is_on_class: false,
            depth: 1,
            globals: Vec::new(),
            places: Vec::new(),
        });
        if let Some(body) = body {
            let value = self.expr(body);
            self.b.add_return(def, value);
        }
        self.functions.pop();
        self.b.exit_scope();
        self.b.expr(Expr::Def(def))
    }

    fn yielded(&mut self, node: Node<'t>) -> ExprId {
        let mut value = None;
        self.each(node, |walk, child, _| value = Some(walk.expr(child)));
        let is_from = node.child(1).is_some_and(|it| self.b.text(it) == "from");
        if let Some(function) = self.functions.last().map(|it| it.def) {
            self.b.def_mut(function).flags |= DefFlags::GENERATOR;
            if let Some(value) = value {
                let item = if is_from { self.iterated(value, false) } else { value };
                self.b.add_yield(function, item);
            }
            match value {
                Some(value) if is_from => return self.shape(Expr::Delegated(value), &[value]),
                _ if self.b.def(function).ret_hint.is_some() => return self.b.expr(Expr::Sent(function)),
                _ => {}
            }
        }
        self.opaque()
    }
}
