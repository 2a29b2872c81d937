//! Assignments: what a target binds, and the variables, fields and aliases that come of it.

use strata_lang::builder::{NewBinding, NewDef};
use strata_model::facts::{BindSource, DefFlags, Expr, RefTarget, ScopeKind};
use strata_model::ids::{DefId, ExprId, TypeId};
use strata_model::kinds::{NodeKind, RefKind};
use tree_sitter::Node;

use super::Walk;
use crate::python::grammar::Kind;

impl<'t> Walk<'_, '_, 't> {
    /// `left: type = right`; returns the assigned value, which a chain passes on.
    pub(super) fn assignment(&mut self, node: Node<'t>) -> Option<ExprId> {
        let left = self.field(node, self.fields.left)?;
        let annotation = self.field(node, self.fields.ty);
        let right = self.field(node, self.fields.right);
        let is_alias = annotation.is_some_and(|it| self.b.text(it).ends_with("TypeAlias"));
        let hint = annotation.filter(|_| !is_alias).map(|it| self.annotation(it));
        if is_alias {
            let aliased = right.map(|it| self.annotation(it));
            let def = self.new_alias(node, left);
            self.bind_alias(def, left, aliased);
            return None;
        }
        let value = match right {
            Some(right) if self.kind(right) == Kind::Assignment => self.assignment_below(right),
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

    /// The rest of `a = b = c`.
    fn assignment_below(&mut self, node: Node<'t>) -> Option<ExprId> {
        self.nesting += 1;
        let value = if self.is_beyond() { None } else { self.assignment(node) };
        self.nesting -= 1;
        value
    }

    pub(super) fn augmented_assignment(&mut self, node: Node<'t>) {
        let (Some(left), Some(right)) = (self.field(node, self.fields.left), self.field(node, self.fields.right))
        else {
            return;
        };
        if self.b.text(left) == "__all__" {
            let more = self.all_names(right);
            self.add_all_names(more);
        }
        let target = self.expr(left);
        self.expr(right);
        match self.kind(left) {
            Kind::Identifier => {
                let name = self.text(left);
                if self.is_global(&name) {
                    self.reference(RefKind::Write, RefTarget::Expr(target), left);
                } else if self.b.bound_here(&name).is_none() {
                    self.assign(left, None, None);
                }
            }
            Kind::Attribute => {
                // What it was is read again from its class: how `+=` changes it is not known.
                let member = match self.b.expr_at(target) {
                    Expr::Place(member, _) => member,
                    _ => target,
                };
                if let Some(attribute) = self.field(left, self.fields.attribute) {
                    self.reference(RefKind::Write, RefTarget::Expr(member), attribute);
                }
                if member != target {
                    self.assign_place(left, member, None);
                }
            }
            _ => {}
        }
    }

    /// Binds a target to a value.
    pub(super) fn assign(&mut self, target: Node<'t>, value: Option<ExprId>, hint: Option<TypeId>) {
        self.nesting += 1;
        if !self.is_beyond() {
            self.assign_inside(target, value, hint);
        }
        self.nesting -= 1;
    }

    fn assign_inside(&mut self, target: Node<'t>, value: Option<ExprId>, hint: Option<TypeId>) {
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
                    let is_star = matches!(walk.kind(child), Kind::ListSplatPattern | Kind::ListSplat);
                    let part = value.map(|value| walk.part(value, index, is_star, is_after_star));
                    is_after_star |= is_star;
                    walk.assign(child, part, None);
                    index += 1;
                });
            }
            Kind::ParenthesizedExpression | Kind::ListSplatPattern | Kind::ListSplat | Kind::AsPatternTarget => {
                self.each(target, |walk, child, _| walk.assign(child, value, hint));
            }
            _ => {
                let place = self.expr(target);
                if let Some(value) = value {
                    self.b.assigned(place, value);
                }
            }
        }
    }

    /// What the target at `index` gets of a value that is taken apart. Where a star stands before it, its place in the
    /// value is not known, only that it is an element.
    pub(super) fn part(&mut self, value: ExprId, index: u32, is_star: bool, is_after_star: bool) -> ExprId {
        if !is_star && !is_after_star {
            return self.shape(Expr::Item(value, index), &[value]);
        }
        let element = self.shape(Expr::Iter(value), &[value]);
        if is_star { self.list(&[element]) } else { element }
    }

    fn assign_name(&mut self, target: Node<'t>, value: Option<ExprId>, hint: Option<TypeId>) {
        let name = self.text(target);
        let scope = self.b.scope();
        if let Some(value) = value
            && self.b.scope_kind(scope) == ScopeKind::File
            && let Some(BindSource::Def(def)) = self.b.bound_here(&name)
            && self.wraps(value, &name, 0)
        {
            // `f = decorator(f)` decorates like `@decorator`: the definition stays what it is.
            self.bind_def(&name, def);
            let written = self.b.name(&name);
            self.reference(RefKind::Write, RefTarget::Expr(written), target);
            return;
        }
        let is_global = self.is_global(&name);
        let mut is_first = true;
        let def = match self.b.scope_kind(scope) {
            ScopeKind::File | ScopeKind::Namespace => {
                is_first = !self.variables.contains_key(&name);
                Some(self.module_variable(target, &name, value, hint))
            }
            ScopeKind::Function if is_global => {
                is_first = false;
                Some(self.module_variable(target, &name, value, hint))
            }
            ScopeKind::Class => self.b.owner().map(|class| {
                let new = self.variable(target, &name, NodeKind::Field);
                let n_defs = self.b.def_count();
                let def = self.b.field(class, new, value, hint);
                if def.ix() == n_defs {
                    self.comment_above(def, target);
                }
                def
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
        self.forget_below(&name);
        if !is_first {
            let written = self.b.name(&name);
            self.reference(RefKind::Write, RefTarget::Expr(written), target);
        }
    }

    /// True for a call that is given what a name stands for, itself or through another such call.
    fn wraps(&mut self, value: ExprId, name: &str, depth: u32) -> bool {
        const LIMIT: u32 = 6;
        let Expr::Call(_, run, _) = self.b.expr_at(value) else {
            return false;
        };
        let wanted = self.b.intern(name);
        (0..run.len as usize).any(|at| {
            let arg = self.b.arg_at(run, at);
            match self.b.expr_at(arg) {
                Expr::Free(arg) => arg == wanted,
                Expr::Call(..) => depth < LIMIT && self.wraps(arg, name, depth + 1),
                _ => false,
            }
        })
    }

    /// True in a function that says `global name`.
    fn is_global(&self, name: &str) -> bool {
        self.functions
            .last()
            .is_some_and(|it| it.globals.iter().any(|global| global == name))
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

    /// The definition of a module variable, made at its first assignment, with one more value or hint.
    fn module_variable(&mut self, target: Node<'t>, name: &str, value: Option<ExprId>, hint: Option<TypeId>) -> DefId {
        let def = match self.variables.get(name) {
            Some(def) => *def,
            None => self.new_module_variable(target, name),
        };
        if let Some(value) = value {
            self.b.add_value(def, value);
        }
        let slot = &mut self.b.def_mut(def).hint;
        if slot.is_none() {
            *slot = hint;
        }
        def
    }

    fn new_module_variable(&mut self, target: Node<'t>, name: &str) -> DefId {
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
        // Whichever function assigns it first, it is the module's.
        self.b.def_mut(def).parent = None;
        self.comment_above(def, target);
        self.variables.insert(name.to_owned(), def);
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
        let member = self.shape(Expr::Member(base, name), &[base]);
        if receiver.is_none()
            && let Some(value) = value
        {
            self.b.assigned(member, value);
        }
        self.reference(RefKind::Write, RefTarget::Expr(member), attribute);
        if !self.functions.is_empty() {
            self.assign_place(target, member, value);
        }
    }

    pub(super) fn type_alias(&mut self, node: Node<'t>) {
        let (Some(left), Some(right)) = (self.field(node, self.fields.left), self.field(node, self.fields.right))
        else {
            return;
        };
        // `type Alias[T] = …`: the name is the first name on the left, the parameters follow it.
        let mut name = left;
        let mut type_parameters = None;
        while self.kind(name) != Kind::Identifier {
            if self.kind(name) == Kind::GenericType {
                type_parameters = name.named_child(1);
            }
            let Some(inner) = name.named_child(0) else { break };
            name = inner;
        }
        let def = self.new_alias(node, name);
        if type_parameters.is_some() {
            self.b.enter_scope(ScopeKind::TypeParams, Some(def));
            self.type_parameters(def, type_parameters);
        }
        let aliased = self.annotation(right);
        if type_parameters.is_some() {
            self.b.exit_scope();
        }
        self.bind_alias(def, name, Some(aliased));
    }

    fn new_alias(&mut self, node: Node<'t>, name_node: Node<'t>) -> DefId {
        let name = self.text(name_node);
        let new = NewDef {
            node,
            ..self.variable(name_node, &name, NodeKind::Type)
        };
        let def = self.b.add_def(new);
        self.comment_above(def, node);
        def
    }

    fn bind_alias(&mut self, def: DefId, name_node: Node<'t>, aliased: Option<TypeId>) {
        let name = self.text(name_node);
        self.b.def_mut(def).hint = aliased;
        self.b.bind(&name, NewBinding::new(BindSource::Def(def)));
    }
}
