//! The end of the walk: every mention gets its bindings.

use rustc_hash::FxHashMap;
use strata_model::facts::{Export, Expr, FileFacts, ScopeKind};
use strata_model::ids::{BindId, BindSetId, ExprId, Position, ScopeId, StrId};

use super::{FactsBuilder, PendingUse, Redirect, TYPE, VALUE, append, count};
use crate::flow::{FlowBinding, RegionKind};

impl FactsBuilder<'_> {
    /// Binds all mentions and returns the facts.
    #[must_use]
    pub fn finish(mut self) -> FileFacts {
        let mut sets = SetTable {
            by_bind: vec![None; self.facts.bindings.len()],
            by_list: FxHashMap::default(),
        };
        let uses = std::mem::take(&mut self.uses);
        let mut reached = Vec::new();
        for pending in &uses {
            let Expr::Free(name) = self.facts.exprs[pending.expr.ix()] else {
                continue;
            };
            let mut is_bound = self.bindings_of(pending, name, &mut reached);
            if pending.or_later && reached.is_empty() {
                is_bound = self.bindings_of(
                    &PendingUse {
                        at: u32::MAX,
                        ..*pending
                    },
                    name,
                    &mut reached,
                );
            }
            if is_bound {
                let set = sets.intern(&mut self.facts, &reached);
                self.facts.exprs[pending.expr.ix()] = Expr::Local(name, set);
            }
        }
        self.bind_module_names(&mut sets);
        self.flatten_lists();
        self.facts
            .refs
            .sort_by_key(|reference| (reference.span.start, reference.span.end, reference.kind));
        self.facts.shrink();
        self.facts
    }

    /// Finds the scope that binds the name and what of it reaches the use. False: no scope binds it.
    fn bindings_of(&self, pending: &PendingUse, name: StrId, out: &mut Vec<BindId>) -> bool {
        out.clear();
        let mut crossed_function = false;
        let mut at = Some(pending.scope);
        while let Some(id) = at {
            let scope = self.facts.scopes[id.ix()];
            at = scope.parent;
            let is_hidden = scope.kind == ScopeKind::Class && self.policy.class_scope_is_private && crossed_function;
            let mut target = id;
            let mut is_elsewhere = crossed_function;
            if let Some(redirect) = self.redirects.get(&(id, name)) {
                target = match redirect {
                    Redirect::Global => ScopeId(0),
                    Redirect::Outer => self.outer_scope_with(id, name),
                };
                is_elsewhere = true;
            }
            if !is_hidden && let Some(list) = self.flow_bindings.get(&(target, name)) {
                self.reach(list, pending, is_elsewhere, out);
                if !out.is_empty() {
                    return true;
                }
                let has_namespace = list
                    .iter()
                    .any(|it| it.namespace & pending.namespace != 0 && !it.is_narrowing);
                if has_namespace {
                    if self.policy.is_hoisted || is_elsewhere {
                        Self::all_of(list, pending.namespace, out);
                        return true;
                    }
                    if matches!(scope.kind, ScopeKind::Function | ScopeKind::Comprehension) {
                        return true;
                    }
                }
            }
            if matches!(scope.kind, ScopeKind::Function | ScopeKind::Comprehension) && scope.kind == ScopeKind::Function
            {
                crossed_function = true;
            }
        }
        false
    }

    /// What of a scope's bindings reaches a mention. A value does not hide a type of the same name, nor a type a value.
    fn reach(&self, list: &[FlowBinding], pending: &PendingUse, is_elsewhere: bool, out: &mut Vec<BindId>) {
        if pending.namespace != VALUE | TYPE || !self.policy.is_hoisted || list.len() == 1 {
            self.reach_in(list, pending, is_elsewhere, out);
            return;
        }
        let mut types = Vec::new();
        self.reach_in(
            list,
            &PendingUse {
                namespace: VALUE,
                ..*pending
            },
            is_elsewhere,
            out,
        );
        self.reach_in(
            list,
            &PendingUse {
                namespace: TYPE,
                ..*pending
            },
            is_elsewhere,
            &mut types,
        );
        out.append(&mut types);
        out.sort();
        out.dedup();
    }

    fn reach_in(&self, list: &[FlowBinding], pending: &PendingUse, is_elsewhere: bool, out: &mut Vec<BindId>) {
        if let [only] = list
            && is_elsewhere
            && only.namespace & pending.namespace != 0
            && !only.is_narrowing
        {
            out.push(only.bind);
            return;
        }
        if is_elsewhere {
            self.reach_end(list, pending.namespace, out);
        } else {
            self.flow.reaching(
                list,
                pending.region,
                pending.at,
                pending.namespace,
                self.policy.is_hoisted,
                out,
            );
        }
    }

    /// What of a scope's bindings is there when the scope has run to its end: what functions inside it see.
    fn reach_end(&self, list: &[FlowBinding], namespace: u8, out: &mut Vec<BindId>) {
        let Some(first) = list.iter().min_by_key(|it| self.flow.regions[it.region.ix()].depth) else {
            return;
        };
        let mut body = first.region;
        while self.flow.regions[body.ix()].kind != RegionKind::Body {
            match self.flow.regions[body.ix()].parent {
                Some(parent) => body = parent,
                None => break,
            }
        }
        self.flow
            .reaching(list, body, u32::MAX, namespace, self.policy.is_hoisted, out);
    }

    fn all_of(list: &[FlowBinding], namespace: u8, out: &mut Vec<BindId>) {
        out.extend(
            list.iter()
                .filter(|it| it.namespace & namespace != 0 && !it.is_narrowing)
                .map(|it| it.bind),
        );
        out.sort();
        out.dedup();
    }

    fn bind_module_names(&mut self, sets: &mut SetTable) {
        let mut names: Vec<StrId> = self
            .flow_bindings
            .keys()
            .filter(|(scope, _)| scope.0 == 0)
            .map(|(_, name)| *name)
            .collect();
        names.sort();
        for name in names {
            let list = &self.flow_bindings[&(ScopeId(0), name)];
            let mut reached = Vec::new();
            let mut types = Vec::new();
            self.reach_end(list, VALUE, &mut reached);
            self.reach_end(list, TYPE, &mut types);
            reached.append(&mut types);
            if reached.is_empty() {
                Self::all_of(list, VALUE | TYPE, &mut reached);
            }
            reached.sort();
            reached.dedup();
            let set = sets.intern(&mut self.facts, &reached);
            self.facts.module_names.push((name, set));
        }
    }

    fn flatten_lists(&mut self) {
        let lists = std::mem::take(&mut self.def_lists);
        let facts = &mut self.facts;
        for (def, lists) in facts.defs.iter_mut().zip(lists) {
            def.type_params = append(&mut facts.params, lists.type_params);
            def.params = append(&mut facts.params, lists.params);
            def.returns = append(&mut facts.expr_list, lists.returns);
            def.yields = append(&mut facts.expr_list, lists.yields);
            def.decorators = append(&mut facts.expr_list, lists.decorators);
            def.values = append(&mut facts.expr_list, lists.values);
            def.supers = append(&mut facts.supers, lists.supers);
        }
    }

    /// Exports a name as it is bound at the end of the current scope: `export { local as exported }`. Returns the
    /// export's index and the mention of the name.
    pub fn export_local(&mut self, exported: &str, local: &str, is_type_only: bool, at: Position) -> (u32, ExprId) {
        let (scope, region) = (self.scope, self.region);
        let name = self.intern(local);
        let expr = self.push_expr(Expr::Free(name));
        self.uses.push(PendingUse {
            expr,
            scope,
            region,
            at: u32::MAX,
            namespace: VALUE | TYPE,
            or_later: false,
        });
        let exported = self.intern(exported);
        let index = self.add_export(Export {
            name: exported,
            source: strata_model::facts::ExportSource::Value(expr),
            is_type_only,
            at,
        });
        (index, expr)
    }
}

struct SetTable {
    by_bind: Vec<Option<BindSetId>>,
    by_list: FxHashMap<Vec<BindId>, BindSetId>,
}

impl SetTable {
    fn intern(&mut self, facts: &mut FileFacts, list: &[BindId]) -> BindSetId {
        if let [only] = list
            && let Some(set) = self.by_bind[only.ix()]
        {
            return set;
        }
        if list.len() != 1
            && let Some(set) = self.by_list.get(list)
        {
            return *set;
        }
        let set = BindSetId(count(facts.bind_sets.len()));
        facts.bind_sets.push(append(&mut facts.bind_list, list.to_vec()));
        match list {
            [only] => self.by_bind[only.ix()] = Some(set),
            _ => {
                self.by_list.insert(list.to_vec(), set);
            }
        }
        set
    }
}
