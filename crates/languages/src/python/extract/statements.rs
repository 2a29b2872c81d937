//! Statements.

use strata_lang::builder::NewBinding;
use strata_lang::flow::Jump;
use strata_model::facts::{BindSource, Expr, ImplicitKind, Literal, RefTarget};
use strata_model::ids::ExprId;
use strata_model::kinds::RefKind;
use tree_sitter::Node;

use super::Walk;
use crate::python::grammar::Kind;

/// Most conditions of one `if` that are said not to hold in its later branches.
const MAX_FAILED: usize = 8;

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
                let mut raised = None;
                self.each(node, |walk, child, _| {
                    let value = walk.expr(child);
                    raised = raised.or(Some((value, child)));
                });
                if let Some((value, child)) = raised
                    && matches!(self.b.expr_at(value), Expr::Free(_) | Expr::Member(..))
                {
                    self.b.implicit(ImplicitKind::Raised, value, child);
                }
                self.b.jump(Jump::Exit);
            }
            Kind::BreakStatement | Kind::ContinueStatement => self.b.jump(Jump::Loop),
            Kind::GlobalStatement => self.each(node, |walk, child, _| {
                let name = walk.text(child);
                walk.b.declare_global(&name);
                if let Some(function) = walk.functions.last_mut() {
                    function.globals.push(name);
                }
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
        value.unwrap_or_else(|| self.literal(Literal::Null))
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

    fn if_statement(&mut self, node: Node<'t>) {
        let Some(condition) = self.field(node, self.fields.condition) else {
            return;
        };
        self.expr(condition);
        self.count(|metrics, _| metrics.branches += 1);
        let consequence = self.field(node, self.fields.consequence);
        let seen = self.seen_by_checker(condition);
        self.b.begin_branches();
        self.conditions += u32::from(seen.is_none());
        if let Some(consequence) = consequence {
            self.arm(seen, |walk| {
                walk.narrow(condition);
                walk.deeper(|walk| walk.block(consequence));
            });
        }
        // Conditions that did not hold when an alternative runs.
        let mut failed = vec![condition];
        let mut is_exhaustive = false;
        let mut left = Vec::new();
        let alternative = self.fields.alternative;
        self.each(node, |walk, child, field| {
            if field == alternative {
                is_exhaustive |= walk.kind(child) == Kind::ElseClause;
                left.extend(walk.condition_of_jump(child));
                walk.arm(seen.map(|it| !it), |walk| walk.alternative(child, &mut failed));
            }
        });
        self.conditions -= u32::from(seen.is_none());
        self.b.end_branches(is_exhaustive && seen.is_none());
        if !is_exhaustive && consequence.is_some_and(|it| self.ends_by_jump(it)) {
            self.narrow_otherwise(condition);
        }
        if !is_exhaustive {
            for condition in left {
                self.narrow_otherwise(condition);
            }
        }
    }

    /// The condition of an `elif` whose block does not come to its end.
    fn condition_of_jump(&self, clause: Node<'t>) -> Option<Node<'t>> {
        if self.kind(clause) != Kind::ElifClause {
            return None;
        }
        let block = self.field(clause, self.fields.consequence)?;
        if self.ends_by_jump(block) {
            self.field(clause, self.fields.condition)
        } else {
            None
        }
    }

    /// Walks an arm. What only the type checker sees (`Some(true)`) counts as always there, for it says what hints mean;
    /// its counterpart (`Some(false)`) as never.
    pub(super) fn arm(&mut self, seen_by_checker: Option<bool>, walk: impl FnOnce(&mut Self)) {
        if seen_by_checker == Some(true) {
            walk(self);
            return;
        }
        self.b.enter_arm(false);
        walk(self);
        if seen_by_checker.is_some() {
            self.b.jump(Jump::Exit);
        }
        self.b.exit_arm();
    }

    /// Walks `elif` or `else`.
    fn alternative(&mut self, clause: Node<'t>, failed: &mut Vec<Node<'t>>) {
        for condition in failed.iter() {
            self.narrow_otherwise(*condition);
        }
        if self.kind(clause) == Kind::ElifClause {
            self.count(|metrics, _| metrics.branches += 1);
            if let Some(condition) = self.field(clause, self.fields.condition) {
                self.expr(condition);
                self.narrow(condition);
                if failed.len() < MAX_FAILED {
                    failed.push(condition);
                }
            }
            if let Some(consequence) = self.field(clause, self.fields.consequence) {
                self.deeper(|walk| walk.block(consequence));
            }
        } else if let Some(body) = self.field(clause, self.fields.body) {
            self.deeper(|walk| walk.block(body));
        }
    }

    /// Whether the type checker sees what follows a condition: true for `TYPE_CHECKING`, false for its negation.
    fn seen_by_checker(&self, condition: Node<'t>) -> Option<bool> {
        let (is_seen, name) = match self.kind(condition) {
            Kind::NotOperator => (false, condition.named_child(0)?),
            _ => (true, condition),
        };
        let is_name = matches!(self.kind(name), Kind::Identifier | Kind::Attribute);
        let last = self.b.text(name).rsplit('.').next();
        (is_name && last == Some("TYPE_CHECKING")).then_some(is_seen)
    }

    /// True when the last statement of a block leaves it.
    fn ends_by_jump(&self, block: Node<'t>) -> bool {
        let n_children = u32::try_from(block.named_child_count()).unwrap_or(0);
        let last = (0..n_children)
            .rev()
            .filter_map(|at| block.named_child(at))
            .map(|it| self.kind(it))
            .find(|kind| *kind != Kind::Comment);
        matches!(
            last,
            Some(Kind::ReturnStatement | Kind::RaiseStatement | Kind::ContinueStatement | Kind::BreakStatement)
        )
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

    /// The `else` of a loop, which a `break` skips.
    fn else_of(&mut self, node: Node<'t>) {
        if let Some(alternative) = self.field(node, self.fields.alternative)
            && let Some(body) = self.field(alternative, self.fields.body)
        {
            self.b.begin_branches();
            self.arm(None, |walk| walk.deeper(|walk| walk.block(body)));
            self.b.end_branches(false);
        }
    }

    fn for_statement(&mut self, node: Node<'t>) {
        self.count(|metrics, _| {
            metrics.branches += 1;
            metrics.loops += 1;
        });
        let right = self.field(node, self.fields.right);
        let iterated = right.map(|right| self.expr(right));
        let is_async = self.is_async(node);
        if let (Some(value), Some(right)) = (iterated, right)
            && !is_async
        {
            self.b.implicit(ImplicitKind::Iterated, value, right);
        }
        self.b.enter_loop();
        let item = iterated.map(|it| self.iterated(it, is_async));
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
        let has_handler = children.iter().any(|it| self.kind(*it) == Kind::ExceptClause);
        if has_handler {
            self.conditions += 1;
            self.b.begin_branches();
            self.b.enter_arm(true);
        }
        for child in &children {
            match self.kind(*child) {
                Kind::Block => self.deeper(|walk| walk.block(*child)),
                Kind::ElseClause => {
                    if let Some(body) = self.field(*child, self.fields.body) {
                        self.deeper(|walk| walk.block(body));
                    }
                }
                Kind::Error => self.statement(*child),
                _ => {}
            }
        }
        if has_handler {
            self.b.exit_arm();
            for child in &children {
                if self.kind(*child) == Kind::ExceptClause {
                    self.arm(None, |walk| walk.except_clause(*child));
                }
            }
            // Either the protected part ran to its end or a handler did.
            self.b.end_branches(true);
            self.conditions -= 1;
        }
        for child in &children {
            if self.kind(*child) == Kind::FinallyClause {
                self.each(*child, |walk, block, _| walk.deeper(|walk| walk.block(block)));
            }
        }
    }

    fn except_clause(&mut self, node: Node<'t>) {
        // `except* E as e` binds a group of exceptions.
        let is_group = node.child(1).is_some_and(|it| self.b.text(it) == "*");
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
                    let binding = if is_group {
                        NewBinding::new(BindSource::Opaque)
                    } else {
                        NewBinding {
                            hint: Some(hint),
                            ..NewBinding::new(BindSource::Typed)
                        }
                    };
                    walk.b.bind(&name, binding);
                }
            }
            _ => {
                walk.expr(child);
            }
        });
    }

    fn with_statement(&mut self, node: Node<'t>) {
        let is_async = self.is_async(node);
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
            let manager = self.expr(value);
            if !is_async {
                self.b.implicit(ImplicitKind::Entered, manager, value);
            }
            return;
        }
        let range = self.open(value);
        let parts: Vec<Node<'t>> = range.clone().map(|at| self.kids[at].0).collect();
        self.close(&range);
        let Some(manager_node) = parts.first() else { return };
        let manager = self.expr(*manager_node);
        if !is_async {
            self.b.implicit(ImplicitKind::Entered, manager, *manager_node);
        }
        let entered = if is_async {
            Expr::AsyncEntered(manager)
        } else {
            Expr::Entered(manager)
        };
        let entered = self.shape(entered, &[manager]);
        if let Some(alias) = parts.get(1) {
            self.assign(*alias, Some(entered), None);
        }
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
