//! Definitions and their lists.

use strata_model::facts::{Def, DefFlags, Metrics, Param, SuperRef};
use strata_model::ids::{DefId, ExprId, Run, TypeId};
use strata_model::kinds::NodeKind;

use super::{DefLists, FactsBuilder, MAX_SIGNATURE, NewDef, count};

impl FactsBuilder<'_> {
    /// The innermost definition whose body is open.
    #[must_use]
    pub fn owner(&self) -> Option<DefId> {
        self.owners.last().copied()
    }

    /// Makes `def` own what follows although no scope opens, such as the value of a variable that holds an object
    /// literal. Pair with [`FactsBuilder::pop_owner`].
    pub fn push_owner(&mut self, def: DefId) {
        self.owners.push(def);
    }

    /// Undoes [`FactsBuilder::push_owner`].
    pub fn pop_owner(&mut self) {
        self.owners.pop();
    }

    /// Adds a definition. It is not bound to its name; see [`FactsBuilder::bind`].
    pub fn add_def(&mut self, new: NewDef<'_>) -> DefId {
        let signature_end = new.body.map_or(new.node.end_byte(), |body| body.start_byte());
        let signature = collapse(self.slice(new.node.start_byte(), signature_end.max(new.node.start_byte())));
        let def = Def {
            name: self.intern(new.name),
            kind: new.kind,
            flags: new.flags,
            parent: new.parent.or_else(|| self.owner()),
            body: None,
            span: self.span(new.node),
            name_span: self.span(new.name_node),
            start: self.at(new.node),
            end: self.end_position(new.node),
            name_at: self.at(new.name_node),
            signature: self.intern(&signature),
            doc: None,
            type_params: Run::default(),
            params: Run::default(),
            ret_hint: None,
            returns: Run::default(),
            yields: Run::default(),
            supers: Run::default(),
            decorators: Run::default(),
            hint: None,
            values: Run::default(),
            context: None,
            metrics: Metrics::default(),
        };
        let id = DefId(count(self.facts.defs.len()));
        self.facts.defs.push(def);
        self.def_lists.push(DefLists::default());
        id
    }

    /// A definition, to be read or completed (flags, hints, doc, metrics; not the runs, which `finish` fills).
    pub fn def_mut(&mut self, def: DefId) -> &mut Def {
        &mut self.facts.defs[def.ix()]
    }

    /// A definition.
    #[must_use]
    pub fn def(&self, def: DefId) -> &Def {
        &self.facts.defs[def.ix()]
    }

    /// Number of definitions so far.
    #[must_use]
    pub fn def_count(&self) -> usize {
        self.facts.defs.len()
    }

    /// Replaces a definition's signature.
    pub fn set_signature(&mut self, def: DefId, text: &str) {
        let collapsed = collapse(text);
        self.facts.defs[def.ix()].signature = self.intern(&collapsed);
    }

    /// Sets a definition's documentation.
    pub fn set_doc(&mut self, def: DefId, doc: &str) {
        if !doc.is_empty() {
            let doc = self.intern(doc);
            self.facts.defs[def.ix()].doc = Some(doc);
        }
    }

    /// Adds a parameter; the result is its index.
    pub fn add_param(&mut self, def: DefId, param: Param) -> u32 {
        let params = &mut self.def_lists[def.ix()].params;
        params.push(param);
        count(params.len()) - 1
    }

    /// Sets the declared type of a parameter that was added before.
    pub fn set_param_hint(&mut self, def: DefId, index: u32, hint: TypeId) {
        if let Some(param) = self.def_lists[def.ix()].params.get_mut(index as usize) {
            param.hint = Some(hint);
        }
    }

    /// Adds a type parameter; the result is its index.
    pub fn add_type_param(&mut self, def: DefId, param: Param) -> u32 {
        let params = &mut self.def_lists[def.ix()].type_params;
        params.push(param);
        count(params.len()) - 1
    }

    /// Adds a returned expression.
    pub fn add_return(&mut self, def: DefId, value: ExprId) {
        self.def_lists[def.ix()].returns.push(value);
    }

    /// The returned expressions so far.
    #[must_use]
    pub fn returns_of(&self, def: DefId) -> &[ExprId] {
        &self.def_lists[def.ix()].returns
    }

    /// Adds a yielded expression.
    pub fn add_yield(&mut self, def: DefId, value: ExprId) {
        self.def_lists[def.ix()].yields.push(value);
    }

    /// Adds a base class or interface.
    pub fn add_super(&mut self, def: DefId, super_ref: SuperRef) {
        self.def_lists[def.ix()].supers.push(super_ref);
    }

    /// Adds a decorator: the expression after `@`, its call included.
    pub fn add_decorator(&mut self, def: DefId, decorator: ExprId) {
        self.def_lists[def.ix()].decorators.push(decorator);
    }

    /// Adds an assigned value of a variable, field or property.
    pub fn add_value(&mut self, def: DefId, value: ExprId) {
        self.def_lists[def.ix()].values.push(value);
    }

    /// The field `new.name` of `class` (a class, object literal or constructor function): added at its first mention,
    /// found again at later ones. A member that is there under the same name (a method, a declared property) is
    /// returned instead. Value and hint are added to it when it is a field or property.
    pub fn field(&mut self, class: DefId, new: NewDef<'_>, value: Option<ExprId>, hint: Option<TypeId>) -> DefId {
        let name = self.intern(new.name);
        let is_static = new.flags.has(DefFlags::STATIC);
        let def = match self.fields.get(&(class, name, is_static)) {
            Some(def) => *def,
            None => {
                let def = self.add_def(NewDef {
                    parent: Some(class),
                    ..new
                });
                self.fields.insert((class, name, is_static), def);
                def
            }
        };
        let is_data = matches!(
            self.facts.defs[def.ix()].kind,
            NodeKind::Field | NodeKind::Property | NodeKind::Constant | NodeKind::Variable
        ) && !self.facts.defs[def.ix()].flags.has(DefFlags::GETTER);
        if is_data {
            if let Some(value) = value {
                self.add_value(def, value);
            }
            let slot = &mut self.facts.defs[def.ix()].hint;
            if slot.is_none() {
                *slot = hint;
            }
        }
        def
    }

    /// Makes a member known to [`FactsBuilder::field`], so that `self.x = …` in a method does not define it again.
    pub fn note_member(&mut self, class: DefId, member: DefId) {
        let (name, flags) = (self.facts.defs[member.ix()].name, self.facts.defs[member.ix()].flags);
        self.fields.insert((class, name, flags.has(DefFlags::STATIC)), member);
    }
}

/// White space collapsed, cut to the longest signature.
fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(MAX_SIGNATURE));
    let mut n_chars = 0;
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
            n_chars += 1;
        }
        for character in word.chars() {
            if n_chars == MAX_SIGNATURE {
                out.push('…');
                return out;
            }
            out.push(character);
            n_chars += 1;
        }
    }
    out
}
