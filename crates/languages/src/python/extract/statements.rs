//! Statements.

use strata_lang::builder::{NewBinding, NewDef};
use strata_lang::flow::Jump;
use strata_model::facts::{AllNames, BindSource, DefFlags, Expr, Literal, RefTarget, ScopeKind};
use strata_model::ids::{DefId, ExprId, TypeId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::Walk;
use crate::python::grammar::Kind;

impl<'t> Walk<'_, '_, 't> {
    /// Walks the statements of a block (or the module).
    pub(super) fn block(&mut self, node: Node<'t>) {
        self.each(node, |walk, child, _| walk.statement(child));
    }

    pub(super) fn statement(&mut self, node: Node<'t>) {
        self.nesting += 1;
        if !self.is_beyond() {
            self.statement_inside(node);
        }
        self.nesting -= 1;
    }

    fn statement_inside(&mut self, node: Node<'t>) {
        let kind = self.kind(node);
        if kind.is_statement() {
            self.count_statement();
        }
        // A statement without a body is one line of thought: a part of it that does not parse makes all of it doubtful.
        let is_doubtful = kind.is_simple_statement() && node.has_error();
        if is_doubtful {
            self.syntax_error(node);
            self.errors += 1;
        }
        self.statement_of_kind(node, kind);
        if is_doubtful {
            self.errors -= 1;
        }
    }

    fn statement_of_kind(&mut self, node: Node<'t>, kind: Kind) {
        match kind {
            Kind::ExpressionStatement => self.each(node, |walk, child, _| walk.expression_statement(child)),
            Kind::FunctionDefinition => self.function(node, &[], node),
            Kind::ClassDefinition => self.class(node, &[], node),
            Kind::DecoratedDefinition => self.decorated(node),
            Kind::IfStatement => self.if_statement(node),
            Kind::WhileStatement => self.while_statement(node),
            Kind::ForStatement => self.for_statement(node),
            Kind::TryStatement => self.try_statement(node),
            Kind::WithStatement => self.with_statement(node),
            Kind::MatchStatement => self.match_statement(node),
            Kind::ReturnStatement => {
                let value = self.only_value(node);
                self.count(|metrics, depth| metrics.early_returns += u32::from(depth > 1));
                if let Some(function) = self.functions.last().map(|it| it.def) {
                    self.b.add_return(function, value);
                }
                self.b.jump(Jump::Exit);
            }
            Kind::RaiseStatement => {
                self.each(node, |walk, child, _| {
                    walk.expr(child);
                });
                self.b.jump(Jump::Exit);
            }
            Kind::BreakStatement | Kind::ContinueStatement => self.b.jump(Jump::Loop),
            Kind::GlobalStatement => self.each(node, |walk, child, _| {
                let name = walk.text(child);
                walk.b.declare_global(&name);
            }),
            Kind::NonlocalStatement => self.each(node, |walk, child, _| {
                let name = walk.text(child);
                walk.b.declare_outer(&name);
            }),
            Kind::AssertStatement => self.each(node, |walk, child, _| {
                walk.expr(child);
                walk.narrow(child);
            }),
            Kind::ImportStatement => self.import_statement(node),
            Kind::ImportFromStatement | Kind::FutureImportStatement => self.import_from(node),
            Kind::TypeAliasStatement => self.type_alias(node),
            Kind::Block => self.block(node),
            Kind::Error => {
                self.syntax_error(node);
                self.errors += 1;
                self.each(node, |walk, child, _| walk.statement(child));
                self.errors -= 1;
            }
            Kind::Comment | Kind::PassStatement | Kind::Token => {}
            Kind::DeleteStatement | Kind::PrintStatement | Kind::ExecStatement | Kind::Chevron => {
                self.each(node, |walk, child, _| {
                    walk.expr(child);
                });
            }
            _ => {
                self.expr(node);
            }
        }
    }

    /// The one expression of a statement, `None` when there is none.
    fn only_value(&mut self, node: Node<'t>) -> ExprId {
        let mut value = None;
        self.each(node, |walk, child, _| value = Some(walk.expr(child)));
        value.unwrap_or_else(|| self.b.expr(Expr::Lit(Literal::Null)))
    }

    fn expression_statement(&mut self, node: Node<'t>) {
        match self.kind(node) {
            Kind::Assignment => {
                self.assignment(node);
            }
            Kind::AugmentedAssignment => self.augmented_assignment(node),
            _ => {
                self.extend_all(node);
                self.expr(node);
            }
        }
    }

    /// `left: type = right`; returns the assigned value, which a chain passes on.
    fn assignment(&mut self, node: Node<'t>) -> Option<ExprId> {
        let left = self.field(node, self.fields.left)?;
        let annotation = self.field(node, self.fields.ty);
        let right = self.field(node, self.fields.right);
        let is_alias = annotation.is_some_and(|it| self.b.text(it).ends_with("TypeAlias"));
        let hint = annotation.filter(|_| !is_alias).map(|it| self.annotation(it));
        if is_alias {
            let aliased = right.map(|it| self.annotation(it));
            self.named_alias(node, left, aliased);
            return None;
        }
        let value = match right {
            Some(right) if self.kind(right) == Kind::Assignment => self.assignment(right),
            Some(right) => Some(self.expr(right)),
            None => None,
        };
        if let Some(right) = right
            && self.b.text(left) == "__all__"
            && self.b.scope().0 == 0
        {
            let all = self.all_names(right);
            self.b.set_all_names(all);
        }
        self.assign(left, value, hint);
        value
    }

    fn augmented_assignment(&mut self, node: Node<'t>) {
        let (Some(left), Some(right)) = (self.field(node, self.fields.left), self.field(node, self.fields.right))
        else {
            return;
        };
        if self.b.text(left) == "__all__" {
            let more = self.all_names(right);
            self.add_all_names(more);
        }
        self.expr(left);
        self.expr(right);
        if self.kind(left) == Kind::Identifier {
            let name = self.text(left);
            if self.b.bound_here(&name).is_none() {
                self.assign(left, None, None);
            }
        }
    }

    /// `__all__.extend([…])`, `__all__.append("x")`.
    fn extend_all(&mut self, node: Node<'t>) {
        if self.b.scope().0 != 0 || self.kind(node) != Kind::Call {
            return;
        }
        let (Some(function), Some(arguments)) = (
            self.field(node, self.fields.function),
            self.field(node, self.fields.arguments),
        ) else {
            return;
        };
        if matches!(self.b.text(function), "__all__.extend" | "__all__.append") {
            let mut more = Vec::new();
            self.each(arguments, |walk, child, _| more.push(walk.all_names(child)));
            for names in more {
                self.add_all_names(names);
            }
        }
    }

    fn add_all_names(&mut self, more: AllNames) {
        match self.b.all_names_mut() {
            Some(all) => {
                all.names.extend(more.names);
                all.lists.extend(more.lists);
                all.is_dynamic |= more.is_dynamic;
            }
            None => self.b.set_all_names(more),
        }
    }

    /// The names that an expression adds to `__all__`.
    fn all_names(&mut self, node: Node<'t>) -> AllNames {
        let mut all = AllNames {
            names: Vec::new(),
            lists: Vec::new(),
            is_dynamic: false,
        };
        match self.kind(node) {
            Kind::String => {
                let text = super::strings::content(self.b.text(node)).to_owned();
                all.names.push(self.b.intern(&text));
            }
            Kind::List | Kind::Tuple | Kind::ParenthesizedExpression | Kind::Set => {
                self.each(node, |walk, child, _| {
                    let inner = walk.all_names(child);
                    all.names.extend(inner.names);
                    all.lists.extend(inner.lists);
                    all.is_dynamic |= inner.is_dynamic;
                });
            }
            Kind::ListSplat => self.each(node, |walk, child, _| {
                let inner = walk.all_names(child);
                all.names.extend(inner.names);
                all.lists.extend(inner.lists);
                all.is_dynamic |= inner.is_dynamic;
            }),
            Kind::BinaryOperator => {
                for side in [self.fields.left, self.fields.right] {
                    if let Some(side) = self.field(node, side) {
                        let inner = self.all_names(side);
                        all.names.extend(inner.names);
                        all.lists.extend(inner.lists);
                        all.is_dynamic |= inner.is_dynamic;
                    }
                }
            }
            Kind::Identifier | Kind::Attribute => {
                let list = self.quietly(|walk| walk.expr(node));
                all.lists.push(list);
            }
            _ => all.is_dynamic = true,
        }
        all
    }

    /// Binds a target to a value.
    pub(super) fn assign(&mut self, target: Node<'t>, value: Option<ExprId>, hint: Option<TypeId>) {
        match self.kind(target) {
            Kind::Identifier => self.assign_name(target, value, hint),
            Kind::Attribute => self.assign_attribute(target, value, hint),
            Kind::PatternList
            | Kind::TuplePattern
            | Kind::ListPattern
            | Kind::Tuple
            | Kind::List
            | Kind::ExpressionList => {
                let mut index = 0;
                let mut is_after_star = false;
                self.each(target, |walk, child, _| {
                    let is_star = walk.kind(child) == Kind::ListSplatPattern;
                    let part = match value {
                        Some(value) if !is_star && !is_after_star => Some(walk.b.expr(Expr::Item(value, index))),
                        Some(_) => Some(walk.b.expr(Expr::Opaque)),
                        None => None,
                    };
                    is_after_star |= is_star;
                    walk.assign(child, part, None);
                    index += 1;
                });
            }
            Kind::ParenthesizedExpression | Kind::ListSplatPattern | Kind::AsPatternTarget => {
                self.each(target, |walk, child, _| walk.assign(child, value, hint));
            }
            _ => {
                self.expr(target);
            }
        }
    }

    fn assign_name(&mut self, target: Node<'t>, value: Option<ExprId>, hint: Option<TypeId>) {
        let name = self.text(target);
        let scope = self.b.scope();
        let def = match self.b.scope_kind(scope) {
            ScopeKind::File | ScopeKind::Namespace => {
                let def = self.module_variable(target, &name);
                if let Some(value) = value {
                    self.b.add_value(def, value);
                }
                if hint.is_some() && self.b.def(def).hint.is_none() {
                    self.b.def_mut(def).hint = hint;
                }
                Some(def)
            }
            ScopeKind::Class => self.b.owner().map(|class| {
                let new = self.variable(target, &name, NodeKind::Field);
                self.b.field(class, new, value, hint)
            }),
            ScopeKind::Function | ScopeKind::Block | ScopeKind::Comprehension | ScopeKind::TypeParams => None,
        };
        let source = match (value, hint) {
            (Some(value), _) => BindSource::Value(value),
            (None, Some(_)) => BindSource::Typed,
            (None, None) => BindSource::Opaque,
        };
        self.b.bind(
            &name,
            NewBinding {
                hint,
                def,
                ..NewBinding::new(source)
            },
        );
    }

    fn variable<'n>(&self, node: Node<'t>, name: &'n str, kind: NodeKind) -> NewDef<'n>
    where
        't: 'n,
    {
        let is_dunder = name.starts_with("__") && name.ends_with("__");
        let mut flags = DefFlags::default();
        if name.starts_with('_') && !is_dunder {
            flags |= DefFlags::PRIVATE;
        }
        let statement = node
            .parent()
            .filter(|it| self.kind(*it) == Kind::Assignment)
            .unwrap_or(node);
        NewDef {
            name,
            kind,
            flags,
            parent: None,
            node: statement,
            name_node: node,
            body: None,
        }
    }

    /// The definition of a module variable, made at its first assignment.
    fn module_variable(&mut self, target: Node<'t>, name: &str) -> DefId {
        let key = (self.b.scope(), name.to_owned());
        if let Some(def) = self.variables.get(&key) {
            return *def;
        }
        let is_constant = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
        let kind = if is_constant {
            NodeKind::Constant
        } else {
            NodeKind::Variable
        };
        let mut new = self.variable(target, name, kind);
        if self.conditions > 0 {
            new.flags |= DefFlags::CONDITIONAL;
        }
        let def = self.b.add_def(new);
        self.variables.insert(key, def);
        def
    }

    fn assign_attribute(&mut self, target: Node<'t>, value: Option<ExprId>, hint: Option<TypeId>) {
        let (Some(object), Some(attribute)) = (
            self.field(target, self.fields.object),
            self.field(target, self.fields.attribute),
        ) else {
            return;
        };
        let receiver = self.functions.last().and_then(|it| {
            let (class, name) = it.receiver.as_ref()?;
            (self.kind(object) == Kind::Identifier && self.b.text(object) == name).then_some((*class, it.is_on_class))
        });
        if let Some((class, is_on_class)) = receiver {
            let name = self.text(attribute);
            let mut new = self.variable(attribute, &name, NodeKind::Field);
            if !is_on_class {
                new.flags |= DefFlags::INSTANCE_FIELD;
            }
            new.node = target
                .parent()
                .filter(|it| self.kind(*it) == Kind::Assignment)
                .unwrap_or(target);
            self.b.field(class, new, value, hint);
        }
        let base = self.expr(object);
        let name = self.text(attribute);
        let name = self.b.intern(&name);
        let member = self.b.expr(Expr::Member(base, name));
        self.reference(RefKind::Write, RefTarget::Expr(member), attribute);
    }

    fn if_statement(&mut self, node: Node<'t>) {
        let Some(condition) = self.field(node, self.fields.condition) else {
            return;
        };
        self.expr(condition);
        self.count(|metrics, _| metrics.branches += 1);
        let text = self.b.text(condition);
        let is_for_checker = text == "TYPE_CHECKING" || text.ends_with(".TYPE_CHECKING");
        let consequence = self.field(node, self.fields.consequence);
        if is_for_checker {
            // What only the type checker sees is what hints mean; the alternative is what runs and says less.
            self.deeper(|walk| {
                if let Some(consequence) = consequence {
                    walk.block(consequence);
                }
            });
        }
        self.b.begin_branches();
        self.conditions += 1;
        if !is_for_checker {
            self.b.enter_arm(false);
            self.narrow(condition);
            self.deeper(|walk| {
                if let Some(consequence) = consequence {
                    walk.block(consequence);
                }
            });
            self.b.exit_arm();
        }
        let mut is_exhaustive = false;
        let alternative = self.fields.alternative;
        self.each(node, |walk, child, field| {
            if field != alternative {
                return;
            }
            walk.b.enter_arm(false);
            if walk.kind(child) == Kind::ElifClause {
                walk.count(|metrics, _| metrics.branches += 1);
                if let Some(condition) = walk.field(child, walk.fields.condition) {
                    walk.expr(condition);
                    walk.narrow(condition);
                }
                if let Some(consequence) = walk.field(child, walk.fields.consequence) {
                    walk.deeper(|walk| walk.block(consequence));
                }
            } else {
                is_exhaustive = true;
                if let Some(body) = walk.field(child, walk.fields.body) {
                    walk.deeper(|walk| walk.block(body));
                }
            }
            if is_for_checker {
                walk.b.jump(Jump::Exit);
            }
            walk.b.exit_arm();
        });
        self.conditions -= 1;
        self.b.end_branches(is_exhaustive && !is_for_checker);
        if !is_exhaustive && consequence.is_some_and(|it| self.ends_by_jump(it)) {
            self.narrow_otherwise(condition);
        }
    }

    /// True when the last statement of a block leaves it.
    fn ends_by_jump(&self, block: Node<'t>) -> bool {
        u32::try_from(block.named_child_count())
            .ok()
            .and_then(|n| block.named_child(n.checked_sub(1)?))
            .is_some_and(|it| {
                matches!(
                    self.kind(it),
                    Kind::ReturnStatement | Kind::RaiseStatement | Kind::ContinueStatement | Kind::BreakStatement
                )
            })
    }

    fn while_statement(&mut self, node: Node<'t>) {
        self.count(|metrics, _| {
            metrics.branches += 1;
            metrics.loops += 1;
        });
        self.b.enter_loop();
        if let Some(condition) = self.field(node, self.fields.condition) {
            self.expr(condition);
            self.narrow(condition);
        }
        if let Some(body) = self.field(node, self.fields.body) {
            self.deeper(|walk| walk.block(body));
        }
        self.b.exit_loop();
        self.else_of(node);
    }

    fn else_of(&mut self, node: Node<'t>) {
        if let Some(alternative) = self.field(node, self.fields.alternative)
            && let Some(body) = self.field(alternative, self.fields.body)
        {
            self.deeper(|walk| walk.block(body));
        }
    }

    fn for_statement(&mut self, node: Node<'t>) {
        self.count(|metrics, _| {
            metrics.branches += 1;
            metrics.loops += 1;
        });
        let iterated = self.field(node, self.fields.right).map(|right| self.expr(right));
        let is_async = self.b.text(node).starts_with("async");
        self.b.enter_loop();
        let item = iterated.map(|it| self.b.expr(if is_async { Expr::AsyncIter(it) } else { Expr::Iter(it) }));
        if let Some(left) = self.field(node, self.fields.left) {
            self.assign(left, item, None);
        }
        if let Some(body) = self.field(node, self.fields.body) {
            self.deeper(|walk| walk.block(body));
        }
        self.b.exit_loop();
        self.else_of(node);
    }

    fn try_statement(&mut self, node: Node<'t>) {
        self.count(|metrics, _| {
            metrics.branches += 1;
            metrics.tries += 1;
        });
        let range = self.open(node);
        let children: Vec<Node<'t>> = range.clone().map(|at| self.kids[at].0).collect();
        self.close(&range);
        self.conditions += 1;
        self.b.begin_branches();
        self.b.enter_arm(true);
        for child in &children {
            match self.kind(*child) {
                Kind::Block => self.deeper(|walk| walk.block(*child)),
                Kind::ElseClause => {
                    if let Some(body) = self.field(*child, self.fields.body) {
                        self.deeper(|walk| walk.block(body));
                    }
                }
                _ => {}
            }
        }
        self.b.exit_arm();
        let mut has_handler = false;
        for child in &children {
            if self.kind(*child) == Kind::ExceptClause {
                has_handler = true;
                self.b.enter_arm(false);
                self.except_clause(*child);
                self.b.exit_arm();
            }
        }
        self.b.end_branches(has_handler);
        self.conditions -= 1;
        for child in &children {
            if self.kind(*child) == Kind::FinallyClause {
                self.each(*child, |walk, block, _| walk.deeper(|walk| walk.block(block)));
            }
        }
    }

    fn except_clause(&mut self, node: Node<'t>) {
        self.each(node, |walk, child, _| match walk.kind(child) {
            Kind::Block => walk.deeper(|walk| walk.block(child)),
            Kind::AsPattern => {
                let range = walk.open(child);
                let parts: Vec<Node<'t>> = range.clone().map(|at| walk.kids[at].0).collect();
                walk.close(&range);
                let Some(class) = parts.first() else { return };
                walk.expr(*class);
                let hint = walk.quietly(|walk| walk.type_now(*class));
                if let Some(alias) = parts.get(1) {
                    let name = walk.text(*alias);
                    walk.b.bind(
                        &name,
                        NewBinding {
                            hint: Some(hint),
                            ..NewBinding::new(BindSource::Typed)
                        },
                    );
                }
            }
            _ => {
                walk.expr(child);
            }
        });
    }

    fn with_statement(&mut self, node: Node<'t>) {
        let is_async = self.b.text(node).starts_with("async");
        let body = self.field(node, self.fields.body);
        self.each(node, |walk, child, _| {
            if walk.kind(child) == Kind::WithClause {
                walk.each(child, |walk, item, _| {
                    if let Some(value) = walk.field(item, walk.fields.value) {
                        walk.with_item(value, is_async);
                    }
                });
            }
        });
        if let Some(body) = body {
            self.deeper(|walk| walk.block(body));
        }
    }

    fn with_item(&mut self, value: Node<'t>, is_async: bool) {
        if self.kind(value) != Kind::AsPattern {
            self.expr(value);
            return;
        }
        let range = self.open(value);
        let parts: Vec<Node<'t>> = range.clone().map(|at| self.kids[at].0).collect();
        self.close(&range);
        let Some(manager) = parts.first() else { return };
        let manager = self.expr(*manager);
        let entered = self.b.expr(if is_async {
            Expr::AsyncEntered(manager)
        } else {
            Expr::Entered(manager)
        });
        if let Some(alias) = parts.get(1) {
            self.assign(*alias, Some(entered), None);
        }
    }

    fn type_alias(&mut self, node: Node<'t>) {
        let (Some(left), Some(right)) = (self.field(node, self.fields.left), self.field(node, self.fields.right))
        else {
            return;
        };
        // `type Alias[T] = …`: the name is the first name on the left.
        let mut name = left;
        while self.kind(name) != Kind::Identifier {
            let Some(inner) = name.named_child(0) else { break };
            name = inner;
        }
        let aliased = self.annotation(right);
        self.named_alias(node, name, Some(aliased));
    }

    fn named_alias(&mut self, node: Node<'t>, name_node: Node<'t>, aliased: Option<TypeId>) {
        let name = self.text(name_node);
        let new = NewDef {
            node,
            ..self.variable(name_node, &name, NodeKind::Type)
        };
        let def = self.b.add_def(new);
        self.b.def_mut(def).hint = aliased;
        self.b.bind(&name, NewBinding::new(BindSource::Def(def)));
    }

    // ---- measures -----------------------------------------------------------------------------------------------------

    /// Walks what stands one level deeper in the current function.
    pub(super) fn deeper(&mut self, walk: impl FnOnce(&mut Self)) {
        if let Some(function) = self.functions.last_mut() {
            function.depth += 1;
            let (def, depth) = (function.def, function.depth);
            let metrics = &mut self.b.def_mut(def).metrics;
            metrics.max_depth = metrics.max_depth.max(depth - 1);
        }
        walk(self);
        if let Some(function) = self.functions.last_mut() {
            function.depth -= 1;
        }
    }

    pub(super) fn count(&mut self, count: impl FnOnce(&mut strata_model::facts::Metrics, u32)) {
        if let Some(function) = self.functions.last() {
            count(&mut self.b.def_mut(function.def).metrics, function.depth);
        }
    }

    fn count_statement(&mut self) {
        self.count(|metrics, _| metrics.statements += 1);
    }

    /// Reads something again without mentioning it again.
    pub(super) fn quietly<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let was_quiet = std::mem::replace(&mut self.is_quiet, true);
        let result = read(self);
        self.is_quiet = was_quiet;
        result
    }

    pub(super) fn reference(&mut self, kind: RefKind, target: RefTarget, name: Node<'t>) {
        if !self.is_quiet {
            let flags = self.flags();
            self.b.add_ref(kind, target, name, flags);
        }
    }
}
