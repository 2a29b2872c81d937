//! Names: bindings, imports, exports and references.

use strata_model::facts::{AllNames, BindSource, Binding, Export, Import, RefTarget, Reference, ScopeKind};
use strata_model::ids::{BindId, DefId, ImportId, Position, ScopeId, Span, StrId};
use strata_model::kinds::RefKind;

use super::{FactsBuilder, NewBinding, Redirect, count};
use crate::flow::FlowBinding;

impl FactsBuilder<'_> {
    /// Binds a name from here on.
    pub fn bind(&mut self, name: &str, new: NewBinding) -> BindId {
        let name = self.intern(name);
        let mut scope = new.scope.unwrap_or(self.scope);
        if let Some(redirect) = self.redirects.get(&(scope, name)) {
            scope = match redirect {
                Redirect::Global => ScopeId(0),
                Redirect::Outer => self.outer_scope_with(scope, name),
            };
        }
        let bind = BindId(count(self.facts.bindings.len()));
        self.clock += 1;
        let entry = self.flow_bindings.entry((scope, name)).or_default();
        let mut hint = new.hint;
        let is_assigned = matches!(new.source, BindSource::Value(_) | BindSource::Opaque) && !new.is_narrowing;
        if hint.is_none() && is_assigned {
            hint = entry.iter().find_map(|it| {
                let declared = &self.facts.bindings[it.bind.ix()];
                if declared.is_narrowing { None } else { declared.hint }
            });
        }
        entry.push(FlowBinding {
            bind,
            region: self.region,
            at: self.clock,
            namespace: new.namespace,
            is_narrowing: new.is_narrowing,
            is_def: matches!(new.source, BindSource::Def(_)),
        });
        self.facts.bindings.push(Binding {
            name,
            scope,
            source: new.source,
            hint,
            def: new.def,
            is_narrowing: new.is_narrowing,
        });
        bind
    }

    /// Binds a name of the current function as if where the function begins: what it stands for until it is bound again.
    pub fn bind_at_start(&mut self, name: &str, new: NewBinding) -> BindId {
        let scope = new.scope.unwrap_or(self.scope);
        let bind = self.bind(
            name,
            NewBinding {
                scope: Some(scope),
                ..new
            },
        );
        let name = self.intern(name);
        let body = self.flow.body_around(self.region);
        if let Some(list) = self.flow_bindings.get_mut(&(scope, name))
            && let Some(mut first) = list.pop()
        {
            first.region = body;
            first.at = 0;
            list.insert(0, first);
        }
        bind
    }

    /// True when the code at hand runs whenever the function around it does: no branch and no loop is open in it.
    #[must_use]
    pub fn is_straight(&self) -> bool {
        self.flow.body_around(self.region) == self.region
    }

    /// `global name`: in the current function, the name is the file's.
    pub fn declare_global(&mut self, name: &str) {
        let name = self.intern(name);
        self.redirects.insert((self.scope, name), Redirect::Global);
    }

    /// `nonlocal name`: in the current function, the name is an enclosing function's.
    pub fn declare_outer(&mut self, name: &str) {
        let name = self.intern(name);
        self.redirects.insert((self.scope, name), Redirect::Outer);
    }

    pub(super) fn outer_scope_with(&self, scope: ScopeId, name: StrId) -> ScopeId {
        let mut at = self.facts.scopes[scope.ix()].parent;
        while let Some(id) = at {
            if self.facts.scopes[id.ix()].kind == ScopeKind::Function && self.flow_bindings.contains_key(&(id, name)) {
                return id;
            }
            at = self.facts.scopes[id.ix()].parent;
        }
        scope
    }

    /// What a name of the current scope (not of outer ones) is bound to so far, last binding first.
    #[must_use]
    pub fn bound_here(&mut self, name: &str) -> Option<BindSource> {
        let name = self.intern(name);
        let list = self.flow_bindings.get(&(self.scope, name))?;
        list.last().map(|it| self.facts.bindings[it.bind.ix()].source)
    }

    /// The definition that a name stands for so far, looking outwards from the current scope.
    #[must_use]
    pub fn def_named(&mut self, name: &str) -> Option<DefId> {
        let name = self.intern(name);
        let mut at = Some(self.scope);
        while let Some(scope) = at {
            if let Some(list) = self.flow_bindings.get(&(scope, name)) {
                let binding = self.facts.bindings[list.last()?.bind.ix()];
                return match binding.source {
                    BindSource::Def(def) => Some(def),
                    BindSource::Import(_)
                    | BindSource::Param(..)
                    | BindSource::TypeParam(..)
                    | BindSource::Value(_)
                    | BindSource::Typed
                    | BindSource::Opaque => binding.def,
                };
            }
            at = self.facts.scopes[scope.ix()].parent;
        }
        None
    }

    /// Adds an import.
    pub fn add_import(&mut self, import: Import) -> ImportId {
        let id = ImportId(count(self.facts.imports.len()));
        self.facts.imports.push(import);
        id
    }

    /// Adds an export; the result is its index.
    pub fn add_export(&mut self, export: Export) -> u32 {
        self.facts.exports.push(export);
        count(self.facts.exports.len()) - 1
    }

    /// True when something is exported under a name so far.
    #[must_use]
    pub fn has_export(&self, name: &str) -> bool {
        let mut exports = self.facts.exports.iter();
        exports.any(|export| self.facts.strings.get(export.name) == name)
    }

    /// Sets the list of public names.
    pub fn set_all_names(&mut self, all: AllNames) {
        self.facts.all_names = Some(all);
    }

    /// The list of public names so far.
    pub fn all_names_mut(&mut self) -> Option<&mut AllNames> {
        self.facts.all_names.as_mut()
    }

    /// Adds a reference, owned by the innermost open definition.
    pub fn add_ref(&mut self, kind: RefKind, target: RefTarget, name_node: tree_sitter::Node<'_>, flags: u8) {
        let text = self.text(name_node);
        self.add_ref_named(kind, target, text, name_node, flags);
    }

    /// Sets flags of the reference that was added last.
    pub fn flag_last_ref(&mut self, flags: u8) {
        if let Some(reference) = self.facts.refs.last_mut() {
            reference.flags |= flags;
        }
    }

    /// Adds a reference whose name is not the token's text.
    pub fn add_ref_named(
        &mut self,
        kind: RefKind,
        target: RefTarget,
        name: &str,
        name_node: tree_sitter::Node<'_>,
        flags: u8,
    ) {
        let (span, at) = (self.span(name_node), self.at(name_node));
        self.push_ref(kind, target, name, span, at, flags);
    }

    /// Adds a reference whose name has no node of its own, such as a type inside a string; `start` is the byte at which
    /// `name` stands.
    pub fn add_ref_at(&mut self, kind: RefKind, target: RefTarget, name: &str, start: usize, flags: u8) {
        let span = self.span_between(start, start + name.len());
        self.push_ref(kind, target, name, span, self.position(start), flags);
    }

    fn push_ref(&mut self, kind: RefKind, target: RefTarget, name: &str, span: Span, at: Position, flags: u8) {
        let name = self.intern(name);
        self.facts.refs.push(Reference {
            kind,
            target,
            name,
            owner: self.owner(),
            span,
            at,
            flags,
        });
    }
}
