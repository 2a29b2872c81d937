//! Globals of ECMAScript: what the libraries declare under the names that are always there.
//!
//! A global is a name twice: `interface Map<K, V>` is the type, and `declare var Map: MapConstructor` the value, whose
//! call and construct signatures say what it makes. Both stay known by their name, since tables and outcomes speak of
//! names; the declaration answers for members, calls and `new`.

use std::rc::Rc;

use strata_model::facts::{BindSource, DefFlags, Expr};
use strata_model::ids::{ExprId, FileIx, Run, SymbolRef};
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;

use crate::calls::Site;
use crate::names::NameId;
use crate::program::{Namespace, Program, Val};
use crate::types::{Ty, TyData, Types, VarKey};

impl Program<'_> {
    /// The declaration of a name in a module of globals: scripts declare without exporting. Of any namespace are the
    /// declarations that others stand in.
    pub(crate) fn global_in(&mut self, file: FileIx, name: NameId, namespace: Namespace) -> Option<SymbolRef> {
        let loaded = self.file(file);
        let set = loaded.module_names.get(&name)?;
        let defs: Vec<_> = loaded
            .facts
            .bind_set(*set)
            .iter()
            .filter_map(|bind| {
                let binding = loaded.facts.bindings[bind.ix()];
                let def = match binding.source {
                    BindSource::Def(def) => def,
                    _ => binding.def?,
                };
                Some((def, loaded.facts.def(def).kind))
            })
            .collect();
        let is_namespace = |kind: NodeKind| kind == NodeKind::Namespace;
        let is_value = |kind: NodeKind| !matches!(kind, NodeKind::Interface | NodeKind::Type | NodeKind::Namespace);
        let found = match namespace {
            Namespace::Type => defs.iter().find(|(_, kind)| kind.is_type()),
            Namespace::Value => {
                let value = defs.iter().find(|(_, kind)| is_value(*kind));
                value.or_else(|| defs.iter().find(|(_, kind)| is_namespace(*kind)))
            }
            Namespace::Any => defs.iter().find(|(_, kind)| is_namespace(*kind)),
        };
        found.map(|(def, _)| SymbolRef { file, def: *def })
    }

    /// The value behind a global name, as its library declares it.
    pub(crate) fn global_value(&mut self, name: NameId) -> Val {
        if !self.asks_ecmascript() {
            return Val::UNKNOWN;
        }
        match self.builtin_symbol(name, Namespace::Value) {
            Some(symbol) => self.value_of_symbol(symbol),
            None => Val::UNKNOWN,
        }
    }

    pub(crate) fn asks_ecmascript(&self) -> bool {
        self.policy_asked().is_some_and(|policy| policy.is_hoisted)
    }

    /// What an alias among the globals stands for: `type BodyInit = Blob | string`; unknown where it is computed. Wrappers
    /// such as `Partial` have rules of their own.
    pub(crate) fn global_alias(&mut self, name: NameId, args: &Rc<[Ty]>) -> Option<Ty> {
        let policy = self.policy_asked()?;
        let text = self.names.text(name);
        if !policy.is_hoisted || policy.wrappers.iter().any(|wrapper| wrapper.name == &*text) {
            return None;
        }
        let symbol = self.builtin_symbol(name, Namespace::Type)?;
        let facts = self.facts(symbol.file);
        if facts.def(symbol.def).kind != NodeKind::Type {
            return None;
        }
        Some(self.alias_with(symbol, args))
    }

    /// True unless the library declares what a builtin value is, and no such member. What is not declared there, a
    /// declaration of the root may have added.
    pub(crate) fn may_have_builtin_member(&mut self, ty: Ty, name: NameId) -> bool {
        if !self.asks_ecmascript() {
            return true;
        }
        let ty = match *self.types.get(ty) {
            TyData::Builtin(global, _) => self.global_value(global).ty,
            TyData::BuiltinInst(..) | TyData::Tuple(_) => ty,
            _ => return true,
        };
        if crate::members::is_object_member(&self.names.text(name)) {
            return true;
        }
        match self.builtin_class(ty) {
            Some((class, _)) => !self.class_members(class, name, false).found.is_empty() || self.mro(class).has_unknown,
            None => match self.types.get(ty).clone() {
                TyData::Inst(..) | TyData::Intersection(_) => {
                    let members = self.member(ty, name);
                    members.is_builtin || !members.targets.is_empty()
                }
                _ => true,
            },
        }
    }

    /// The value of a member of a global.
    pub(crate) fn global_member_value(&mut self, receiver: Val, global: NameId, name: NameId) -> Option<Val> {
        let value = self.global_value(global);
        if value.ty == Types::UNKNOWN {
            return None;
        }
        let found = self.member_value(value, name);
        (found.ty != Types::UNKNOWN).then(|| receiver.with(found.ty, found.how))
    }

    /// What calling a global gives.
    pub(crate) fn call_global(&mut self, file: FileIx, name: NameId, site: Site) -> Ty {
        let value = self.global_value(name);
        self.call_at(file, value, site).ty
    }

    /// What `Promise.all` gives, which its declaration computes from the argument's type: of a list as written every
    /// element awaited, in its place.
    pub(crate) fn joined_promises(&mut self, file: FileIx, function: SymbolRef, args: Run) -> Option<Ty> {
        if !self.is_library(function.file) || !self.asks_ecmascript() {
            return None;
        }
        let facts = self.facts(function.file);
        if facts.str(facts.def(function.def).name) != "all" {
            return None;
        }
        let (_, path) = self.library_outcome(function);
        if path != "builtin:PromiseConstructor.all" {
            return None;
        }
        let facts = self.facts(file);
        let values = facts.args(args).first()?.value;
        let listed = match facts.expr(values) {
            Expr::List(run) | Expr::Tuple(run) => facts.expr_list(run).to_vec(),
            _ => Vec::new(),
        };
        let has_spread = listed.iter().any(|it| matches!(facts.expr(*it), Expr::Iter(_)));
        let joined = if listed.is_empty() || has_spread {
            let values = self.eval(file, values).ty;
            if let TyData::Tuple(items) = self.types.get(values).clone() {
                let items: Vec<Ty> = items.iter().map(|it| self.awaited(*it, file)).collect();
                self.types.intern(TyData::Tuple(items.into()))
            } else {
                let item = self.iterated(values, false, file);
                let item = self.awaited(item, file);
                self.builtin_instance("Array", &[item])
            }
        } else {
            let mut items = Vec::new();
            for value in listed {
                let value = self.eval(file, value).ty;
                items.push(self.awaited(value, file));
            }
            self.types.intern(TyData::Tuple(items.into()))
        };
        Some(self.builtin_instance("Promise", &[joined]))
    }

    /// What `new` makes of a global: what its construct signature says, with the type arguments that the call tells.
    pub(crate) fn construct_global(&mut self, file: FileIx, name: NameId, site: Site) -> Ty {
        let written = self.annotations(file, site.types);
        if written.is_empty() {
            let value = self.global_value(name).ty;
            let signature = self.signature_of_value(value, true);
            let made = self.call_at(file, Val::new(signature, How::RetDeclared), site).ty;
            if made != Types::UNKNOWN {
                return made;
            }
        }
        self.types.intern(TyData::BuiltinInst(name, written.into()))
    }

    /// The name of the member that a key such as `Symbol.iterator` stands for.
    pub(crate) fn well_known_symbol(&mut self, file: FileIx, key: ExprId) -> Option<NameId> {
        let facts = self.facts(file);
        let Expr::Member(base, name) = facts.expr(key) else {
            return None;
        };
        let Expr::Free(of) = facts.expr(base) else {
            return None;
        };
        if facts.str(of) != "Symbol" || !self.file(file).is_ecmascript() {
            return None;
        }
        let text = format!("[Symbol.{}]", facts.str(name));
        Some(self.names.intern(&text))
    }

    /// What a library's function gives where the arguments do not tell which signature is meant: the builtin type that all
    /// of them give, of whatever.
    pub(crate) fn common_container(&mut self, function: SymbolRef) -> Ty {
        if !self.is_library(function.file) || !self.asks_ecmascript() {
            return Types::UNKNOWN;
        }
        let mut common = None;
        for signature in self.written_signatures(function) {
            let result = self.result_of(signature).ty;
            let TyData::BuiltinInst(name, _) = *self.types.get(result) else {
                return Types::UNKNOWN;
            };
            if common.is_some_and(|it| it != name) {
                return Types::UNKNOWN;
            }
            common = Some(name);
        }
        match common {
            Some(name) => self.types.intern(TyData::BuiltinInst(name, Rc::from([]))),
            None => Types::UNKNOWN,
        }
    }

    /// True for a type that has a member under every name: `process.env`.
    pub(crate) fn has_any_member(&mut self, class: SymbolRef) -> bool {
        let name = self.names.intern("<index>");
        !self.class_members(class, name, false).found.is_empty()
    }

    /// The index signature of an object type that has nothing else: `{ [key: string]: T }`.
    pub(crate) fn index_signature(&mut self, class: SymbolRef) -> Option<SymbolRef> {
        let facts = self.facts(class.file);
        if !self.asks_ecmascript() || !facts.def(class.def).flags.has(DefFlags::ANONYMOUS) {
            return None;
        }
        let name = self.names.intern("<index>");
        match self.class_members(class, name, false).found.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// What iterating a value that a library takes gives; an array-like object is taken by its elements.
    pub(crate) fn items_of(&mut self, ty: Ty) -> Ty {
        let globals = self
            .libraries
            .first_builtin_module()
            .and_then(|it| self.system_library(it));
        match globals {
            Some(file) => self.iterated(ty, false, file),
            None => Types::UNKNOWN,
        }
    }

    /// What iterating an object gives: by the iterable class that it inherits from, else by its own iterator.
    pub(crate) fn iterated_object(&mut self, ty: Ty, is_async: bool, file: FileIx) -> Ty {
        let class = match self.types.get(ty).clone() {
            TyData::Inst(class, _) | TyData::SelfInst(class) => Some(class),
            _ => self.builtin_class(ty).map(|it| it.0),
        };
        let Some(class) = class else {
            return Types::UNKNOWN;
        };
        let mro = self.mro(class);
        for (ancestor, args) in mro.entries.iter().skip(1) {
            if !self.is_library(ancestor.file) {
                continue;
            }
            let facts = self.facts(ancestor.file);
            let wrapper = self.wrapper(facts.str(facts.def(ancestor.def).name), file);
            if let Some(item) = wrapper.and_then(|it| it.iter).and_then(|at| args.get(usize::from(at))) {
                let own = self.own_environment(ty);
                return self.substitute(*item, &own, Some(ty));
            }
        }
        let name = if is_async {
            "[Symbol.asyncIterator]"
        } else {
            "[Symbol.iterator]"
        };
        let name = self.names.intern(name);
        let iterator = self.call_method(file, ty, name);
        if iterator == ty || iterator == Types::UNKNOWN {
            Types::UNKNOWN
        } else {
            self.iterated(iterator, is_async, file)
        }
    }

    fn own_environment(&mut self, ty: Ty) -> Vec<(VarKey, Ty)> {
        match self.types.get(ty).clone() {
            TyData::Inst(class, args) => self.environment(class, &args),
            _ => match self.builtin_class(ty) {
                Some((class, args)) => self.environment(class, &args),
                None => Vec::new(),
            },
        }
    }

    /// The call or construct signature of a value.
    pub(crate) fn signature_of_value(&mut self, ty: Ty, is_new: bool) -> Ty {
        let name = self.names.intern(if is_new { "<new>" } else { "<call>" });
        let receiver = Val::new(ty, How::Lexical);
        match self.types.get(ty) {
            TyData::BuiltinInst(..) if self.asks_ecmascript() => {
                self.builtin_member_value(receiver, ty, name).unwrap_or(Val::UNKNOWN).ty
            }
            TyData::Inst(..) | TyData::SelfInst(_) => self.member_value(receiver, name).ty,
            _ => Types::UNKNOWN,
        }
    }
}
