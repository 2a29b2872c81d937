//! Scopes and regions of control flow.

use strata_model::facts::{Scope, ScopeKind};
use strata_model::ids::{DefId, RegionId, ScopeId};

use super::{FactsBuilder, count};
use crate::flow::{Group, Jump, Region, RegionKind};

impl FactsBuilder<'_> {
    /// The current scope.
    #[must_use]
    pub fn scope(&self) -> ScopeId {
        self.scope
    }

    /// A scope's kind.
    #[must_use]
    pub fn scope_kind(&self, scope: ScopeId) -> ScopeKind {
        self.facts.scopes[scope.ix()].kind
    }

    /// The scope around a scope.
    #[must_use]
    pub fn scope_parent(&self, scope: ScopeId) -> Option<ScopeId> {
        self.facts.scopes[scope.ix()].parent
    }

    /// The closest scope that is a function's, a namespace's, a class's or the file's: where `var` binds.
    #[must_use]
    pub fn function_scope(&self) -> ScopeId {
        let mut at = self.scope;
        loop {
            let scope = self.facts.scopes[at.ix()];
            match scope.kind {
                ScopeKind::Block | ScopeKind::Comprehension | ScopeKind::TypeParams => match scope.parent {
                    Some(parent) => at = parent,
                    None => return at,
                },
                ScopeKind::File | ScopeKind::Namespace | ScopeKind::Class | ScopeKind::Function => return at,
            }
        }
    }

    /// Opens a scope. A function's scope opens a region too, and with an owner it becomes the body of that definition,
    /// which owns what follows.
    pub fn enter_scope(&mut self, kind: ScopeKind, owner: Option<DefId>) -> ScopeId {
        let id = ScopeId(count(self.facts.scopes.len()));
        self.facts.scopes.push(Scope {
            parent: Some(self.scope),
            kind,
            owner,
        });
        self.scope = id;
        if kind == ScopeKind::Function {
            self.push_region(RegionKind::Body);
        }
        if let Some(def) = owner
            && kind != ScopeKind::TypeParams
        {
            self.facts.defs[def.ix()].body = Some(id);
            self.owners.push(def);
        }
        id
    }

    /// Closes the current scope.
    pub fn exit_scope(&mut self) {
        let scope = self.facts.scopes[self.scope.ix()];
        if scope.kind == ScopeKind::Function {
            self.pop_region();
        }
        if scope.owner.is_some() && scope.kind != ScopeKind::TypeParams {
            self.owners.pop();
        }
        if let Some(parent) = scope.parent {
            self.scope = parent;
        }
    }

    /// Opens a loop's body.
    pub fn enter_loop(&mut self) {
        self.push_region(RegionKind::Loop);
    }

    /// Closes a loop's body.
    pub fn exit_loop(&mut self) {
        self.pop_region();
    }

    /// Starts a branching: `if`, `match`, `switch`, `try`, a conditional expression.
    pub fn begin_branches(&mut self) {
        self.open_groups.push(count(self.flow.groups.len()));
        self.flow.groups.push(Group::default());
    }

    /// Opens an arm of the innermost branching. `is_try` marks the protected part of a `try`, which its handlers follow.
    pub fn enter_arm(&mut self, is_try: bool) {
        let group = self.open_groups.last().copied().unwrap_or_default();
        if let Some(state) = self.flow.groups.get_mut(group as usize) {
            state.arms += 1;
        }
        self.push_region(RegionKind::Arm { group, is_try });
    }

    /// Closes the arm.
    pub fn exit_arm(&mut self) {
        let region = self.flow.regions[self.region.ix()];
        if let (RegionKind::Arm { group, .. }, Some(_)) = (region.kind, region.jump)
            && let Some(state) = self.flow.groups.get_mut(group as usize)
        {
            state.exited_arms += 1;
        }
        self.pop_region();
    }

    /// Ends the innermost branching; `is_exhaustive` when one of its arms is always taken.
    pub fn end_branches(&mut self, is_exhaustive: bool) {
        if let Some(group) = self.open_groups.pop() {
            let state = &mut self.flow.groups[group as usize];
            state.is_exhaustive = is_exhaustive;
            if is_exhaustive && state.arms > 0 && state.arms == state.exited_arms {
                self.jump(Jump::Exit);
            }
        }
    }

    /// Notes that control leaves the current region here.
    pub fn jump(&mut self, jump: Jump) {
        let region = &mut self.flow.regions[self.region.ix()];
        if region.jump.is_none() {
            region.jump = Some(jump);
        }
    }

    fn push_region(&mut self, kind: RegionKind) {
        let depth = self.flow.regions[self.region.ix()].depth + 1;
        let id = RegionId(count(self.flow.regions.len()));
        self.flow.regions.push(Region {
            parent: Some(self.region),
            depth,
            kind,
            jump: None,
        });
        self.region = id;
    }

    fn pop_region(&mut self) {
        if let Some(parent) = self.flow.regions[self.region.ix()].parent {
            self.region = parent;
        }
    }
}
