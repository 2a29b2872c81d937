//! Members of values: what a name after a dot stands for.

use std::rc::Rc;

use strata_model::facts::{DefFlags, FileFacts};
use strata_model::ids::{FileIx, SymbolRef};
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;

use crate::names::NameId;
use crate::program::{Answer, Program, Question, Target, Val, longer};
use crate::types::{Ty, TyData, Types, VarKey};

/// Members of one name that a class has, itself or by inheritance.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct OwnMembers {
    pub(crate) found: Vec<SymbolRef>,
    /// Place of the owner in the order of ancestors.
    pub(crate) rank: usize,
}

/// One member found on a receiver.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Found {
    pub(crate) target: Target,
    /// The receiver's type, for methods and fields.
    pub(crate) receiver: Ty,
    /// True when an ancestor brought it.
    pub(crate) is_inherited: bool,
}

/// What a member look-up found.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Members {
    pub(crate) targets: Vec<Found>,
    /// A part of the receiver is not known.
    pub(crate) is_unknown: bool,
    /// The receiver is decided at run time.
    pub(crate) is_dynamic: bool,
    /// The receiver is known and has no such member.
    pub(crate) is_missing: bool,
    /// The member belongs to a builtin type.
    pub(crate) is_builtin: bool,
}

impl Program<'_> {
    /// Members named `name` of a class or its ancestors, from the first that has any. `skip_self`: start after the class.
    pub(crate) fn class_members(&mut self, class: SymbolRef, name: NameId, skip_self: bool) -> Rc<OwnMembers> {
        let nothing = Answer::Members(Rc::default());
        let answer = self.remember(Question::Member(class, name, skip_self), &nothing, |program| {
            // The class itself is asked before its ancestors are put in order: most look-ups end here.
            if !skip_self {
                let own = program.own_members(class, name);
                if !own.is_empty() {
                    return Answer::Members(Rc::new(OwnMembers { found: own, rank: 0 }));
                }
            }
            let mro = program.mro(class);
            for (rank, (ancestor, _)) in mro.entries.iter().enumerate().skip(1) {
                let found = program.own_members(*ancestor, name);
                if !found.is_empty() {
                    return Answer::Members(Rc::new(OwnMembers { found, rank }));
                }
            }
            Answer::Members(Rc::default())
        });
        match answer {
            Answer::Members(members) => members,
            _ => Rc::default(),
        }
    }

    /// Members that the class itself declares; of same-named ones those that count.
    fn own_members(&mut self, class: SymbolRef, name: NameId) -> Vec<SymbolRef> {
        let mut found = Vec::new();
        for part in self.parts(class) {
            self.look_up_member(part, name);
            let file = self.file(part.file);
            for def in file.members_named(part.def, name) {
                if !file.facts.def(*def).flags.has(DefFlags::LOCAL) {
                    found.push(SymbolRef {
                        file: part.file,
                        def: *def,
                    });
                }
            }
        }
        if found.len() > 1 {
            self.those_that_count(found)
        } else {
            found
        }
    }

    /// Of several definitions of one name: the implementation rather than overload signatures, the getter rather than
    /// the setter, and in a language without overloads the last one unless it is conditional.
    pub(crate) fn those_that_count(&mut self, symbols: Vec<SymbolRef>) -> Vec<SymbolRef> {
        let flags = |program: &mut Self, symbol: &SymbolRef| {
            let facts = program.facts(symbol.file);
            let def = facts.def(symbol.def);
            (def.flags, def.kind)
        };
        let mut kept: Vec<SymbolRef> = Vec::new();
        for symbol in &symbols {
            if !flags(self, symbol).0.has(DefFlags::OVERLOAD) {
                kept.push(*symbol);
            }
        }
        if kept.is_empty() {
            let is_known_by_first = self.is_library(symbols[0].file) && !self.file(symbols[0].file).is_ecmascript();
            return if is_known_by_first { vec![symbols[0]] } else { symbols };
        }
        let getters: Vec<SymbolRef> = kept
            .iter()
            .copied()
            .filter(|symbol| flags(self, symbol).0.has(DefFlags::GETTER))
            .collect();
        if !getters.is_empty() {
            return vec![getters[0]];
        }
        if self.file(kept[0].file).is_ecmascript() {
            return kept;
        }
        let last = kept[kept.len() - 1];
        if flags(self, &last).0.has(DefFlags::CONDITIONAL) {
            kept
        } else {
            vec![last]
        }
    }

    /// True for enumerations: accessing a member of the class gives an instance.
    pub(crate) fn is_enum(&mut self, class: SymbolRef) -> bool {
        let facts = self.facts(class.file);
        if facts.def(class.def).kind == NodeKind::Enum {
            return true;
        }
        if self.file(class.file).is_ecmascript() {
            return false;
        }
        self.is_kind_of(class, "enum", "Enum")
            || self
                .mro(class)
                .external
                .is_some_and(|path| self.names.text(path).starts_with("system:enum."))
    }

    /// Looks a member up on a value of a type.
    pub(crate) fn member(&mut self, receiver: Ty, name: NameId) -> Members {
        let mut members = Members::default();
        for ty in self.types.members(receiver) {
            self.member_of_one(ty, name, &mut members);
        }
        if !members.targets.is_empty() {
            members.is_missing = false;
        }
        members
    }

    fn member_of_one(&mut self, ty: Ty, name: NameId, out: &mut Members) {
        match self.types.get(ty).clone() {
            TyData::Var(owner, index) => match self.bound_of(owner, index) {
                Some(bound) => {
                    for bound in self.types.members(bound) {
                        self.member_of_one(bound, name, out);
                    }
                }
                None => match self.default_bound(owner, index) {
                    Some(default) => self.member_of_one(default, name, out),
                    None => out.is_unknown = true,
                },
            },
            TyData::Indexed(of, key) => {
                let value = self.indexed_by_bound(of, key);
                for part in self.types.members(value) {
                    self.member_of_one(part, name, out);
                }
            }
            TyData::ClassOf(of) => {
                let bound = match self.types.get(of).clone() {
                    TyData::Var(owner, index) => self.bound_of(owner, index),
                    _ => None,
                };
                match bound.map(|bound| self.types.class_of(bound)) {
                    Some(class) => {
                        for class in self.types.members(class) {
                            self.member_of_one(class, name, out);
                        }
                    }
                    None => out.is_unknown = true,
                }
            }
            TyData::Unknown | TyData::Made(_) | TyData::SelfHole | TyData::Union(_) => out.is_unknown = true,
            TyData::Null => {}
            TyData::Intersection(parts) => self.member_of_all(&parts, name, out),
            TyData::Dynamic => out.is_dynamic = true,
            TyData::Inst(class, _) | TyData::SelfInst(class) => self.member_of_class(ty, class, name, false, out),
            TyData::Class(class, _) | TyData::SelfClass(class) => self.member_of_class(ty, class, name, true, out),
            TyData::Super(class, is_static) => {
                let found = self.class_members(class, name, true);
                let receiver = if is_static {
                    TyData::SelfClass(class)
                } else {
                    TyData::SelfInst(class)
                };
                let receiver = self.types.intern(receiver);
                if found.found.is_empty() {
                    self.missing_member(class, name, out);
                } else {
                    Self::add_found(&found.found, receiver, true, out);
                }
            }
            TyData::Func(function) | TyData::Bound(function, _) => {
                let mut found = self.own_members(function, name);
                if !self.has_static(&found) {
                    // What the prototype has belongs to instances.
                    let beside = self.exported_beside(function, name);
                    if !beside.is_empty() {
                        found = beside;
                    }
                }
                if found.is_empty() {
                    let text = self.names.text(name);
                    let is_library = self.is_library(function.file);
                    if self.file(function.file).is_ecmascript() && !is_library && !is_function_member(&text) {
                        out.is_unknown = true;
                    } else {
                        out.is_builtin = true;
                    }
                } else {
                    Self::add_found(&found, ty, false, out);
                }
            }
            TyData::Module(module) => {
                let of = Target::Module(module);
                let targets = self.module_member(module, &of, name);
                Self::add_module_members(targets, ty, out);
            }
            TyData::Folders(number) => {
                let of = Target::Folders(number);
                // Any file of the language can ask: folders are absolute.
                let asker = self.folder_asker(number);
                let targets = asker
                    .map(|file| self.module_member(file, &of, name))
                    .unwrap_or_default();
                Self::add_module_members(targets, ty, out);
            }
            TyData::Ext(path, _) => {
                let target = self.external_member(path, name);
                out.targets.push(Found {
                    target,
                    receiver: ty,
                    is_inherited: false,
                });
            }
            TyData::Builtin(..)
            | TyData::BuiltinInst(..)
            | TyData::BuiltinMember(..)
            | TyData::Tuple(_)
            | TyData::FnType(..) => {
                if self.may_have_builtin_member(ty, name) {
                    out.is_builtin = true;
                } else {
                    out.is_unknown = true;
                }
            }
        }
    }

    /// What a file exports name by name besides the function that is its whole export: members of the function.
    fn exported_beside(&mut self, function: SymbolRef, name: NameId) -> Vec<SymbolRef> {
        let file = self.file(function.file);
        if !file.is_ecmascript() || !file.exports.contains_key(&self.well_known.assigned) {
            return Vec::new();
        }
        let whole = self.export(function.file, self.well_known.assigned);
        if !whole.contains(&Target::Symbol(function)) || !file.exports.contains_key(&name) {
            return Vec::new();
        }
        self.export(function.file, name)
            .iter()
            .filter_map(|target| match target {
                Target::Symbol(symbol) if !symbol.is_module() => Some(*symbol),
                _ => None,
            })
            .collect()
    }

    /// A member of something that is all of several: from every part that has it.
    fn member_of_all(&mut self, parts: &[Ty], name: NameId, out: &mut Members) {
        let mut found = Members::default();
        for part in parts {
            self.member_of_one(*part, name, &mut found);
        }
        if found.targets.is_empty() {
            out.is_unknown |= found.is_unknown;
            out.is_dynamic |= found.is_dynamic;
            out.is_builtin |= found.is_builtin;
            out.is_missing |= found.is_missing;
        }
        for it in found.targets {
            if !out.targets.contains(&it) {
                out.targets.push(it);
            }
        }
    }

    fn folder_asker(&mut self, number: u32) -> Option<FileIx> {
        let strata_lang::SpecTarget::Folders(folders) = self.folders[number as usize].clone() else {
            return None;
        };
        let folder = folders.first()?;
        let paths = self.workspace.paths();
        let start = paths.partition_point(|path| path.as_str() < folder.as_str());
        let found = paths[start..]
            .iter()
            .position(|path| strata_lang::workspace::is_below(path, folder))?;
        Some(FileIx(u32::try_from(start + found).unwrap_or(u32::MAX)))
    }

    fn add_module_members(targets: Vec<Target>, receiver: Ty, out: &mut Members) {
        if targets.is_empty() {
            out.is_missing = true;
        }
        for target in targets {
            if target == Target::Dynamic {
                out.is_dynamic = true;
            } else {
                out.targets.push(Found {
                    target,
                    receiver,
                    is_inherited: false,
                });
            }
        }
    }

    fn add_found(found: &[SymbolRef], receiver: Ty, is_inherited: bool, out: &mut Members) {
        for symbol in found {
            let it = Found {
                target: Target::Symbol(*symbol),
                receiver,
                is_inherited,
            };
            if !out.targets.contains(&it) {
                out.targets.push(it);
            }
        }
    }

    fn member_of_class(&mut self, receiver: Ty, class: SymbolRef, name: NameId, on_class: bool, out: &mut Members) {
        let members = self.class_members(class, name, false);
        let mut found = members.found.clone();
        if self.file(class.file).is_ecmascript() && found.len() > 1 {
            // Static and instance members are apart.
            found = self.on_side(found, on_class);
        }
        let mut is_inherited = members.rank > 0;
        if let Some(further) = self.on_the_other_side(class, name, &found, members.rank, on_class) {
            found = further;
            is_inherited = true;
        }
        if found.is_empty() {
            if name == self.well_known.class && !on_class {
                out.targets.push(Found {
                    target: Target::Symbol(class),
                    receiver,
                    is_inherited: false,
                });
                return;
            }
            if on_class
                && self.file(class.file).is_ecmascript()
                && let Some(base) = self.static_of_base(class, name)
            {
                for part in self.types.members(base.ty) {
                    self.member_of_one(part, name, out);
                }
                return;
            }
            self.missing_member(class, name, out);
            return;
        }
        Self::add_found(&found, receiver, is_inherited, out);
    }

    /// Those of several members that belong to the class itself, or to its instances; all when there are none.
    fn on_side(&mut self, found: Vec<SymbolRef>, on_class: bool) -> Vec<SymbolRef> {
        let wanted: Vec<SymbolRef> = found
            .iter()
            .copied()
            .filter(|symbol| {
                let facts = self.facts(symbol.file);
                facts.def(symbol.def).flags.has(DefFlags::STATIC) == on_class
            })
            .collect();
        if wanted.is_empty() { found } else { wanted }
    }

    fn has_static(&mut self, found: &[SymbolRef]) -> bool {
        found.iter().any(|symbol| {
            let facts = self.facts(symbol.file);
            facts.def(symbol.def).flags.has(DefFlags::STATIC)
        })
    }

    /// A static member does not hide an inherited one of instances, nor the other way round: what is meant is further up.
    fn on_the_other_side(
        &mut self,
        class: SymbolRef,
        name: NameId,
        found: &[SymbolRef],
        rank: usize,
        on_class: bool,
    ) -> Option<Vec<SymbolRef>> {
        let first = found.first()?;
        let facts = self.facts(first.file);
        let is_of_side = |flags: DefFlags| flags.has(DefFlags::STATIC) == on_class;
        let owner = facts.def(first.def).parent?;
        let is_class = matches!(facts.def(owner).kind, NodeKind::Class | NodeKind::Function);
        if !is_class || is_of_side(facts.def(first.def).flags) || !self.file(first.file).is_ecmascript() {
            return None;
        }
        let mro = self.mro(class);
        for (ancestor, _) in mro.entries.iter().skip(rank + 1) {
            let mut further = self.own_members(*ancestor, name);
            further.retain(|symbol| {
                let facts = self.facts(symbol.file);
                is_of_side(facts.def(symbol.def).flags)
            });
            if !further.is_empty() {
                return Some(further);
            }
        }
        None
    }

    fn missing_member(&mut self, class: SymbolRef, name: NameId, out: &mut Members) {
        if let Some(target) = self.undeclared_member(class, name) {
            let receiver = self.types.intern(TyData::Inst(class, Rc::from([])));
            out.targets.push(Found {
                target,
                receiver,
                is_inherited: false,
            });
            return;
        }
        if self.is_library(class.file) && !is_object_member(&self.names.text(name)) {
            if self.has_any_member(class) {
                out.is_builtin = true;
            } else {
                // A declaration of the root may have added it.
                out.is_unknown = true;
            }
            return;
        }
        let mro = self.mro(class);
        if let Some(path) = mro.external {
            let target = self.external_member(path, name);
            let receiver = self.types.intern(TyData::Inst(class, Rc::from([])));
            out.targets.push(Found {
                target,
                receiver,
                is_inherited: true,
            });
            return;
        }
        if mro.has_unknown {
            out.is_unknown = true;
            return;
        }
        if mro.has_builtin {
            out.is_builtin = true;
            return;
        }
        let text = self.names.text(name);
        let is_ecmascript = self.file(class.file).is_ecmascript();
        if !is_ecmascript && text.starts_with("__") && text.ends_with("__") {
            out.is_builtin = true;
            return;
        }
        if is_ecmascript && is_object_member(&text) {
            out.is_builtin = true;
            return;
        }
        if !is_ecmascript
            && !self
                .class_members(class, self.well_known.module_getattr, false)
                .found
                .is_empty()
        {
            out.is_dynamic = true;
            return;
        }
        out.is_missing = true;
    }

    /// The default of a type variable that has no bound.
    fn default_bound(&mut self, owner: SymbolRef, index: u32) -> Option<Ty> {
        if index >= crate::types::UNTYPED || !self.file(owner.file).is_ecmascript() {
            return None;
        }
        let default = self.default_of(owner, index);
        // A default that is another variable may lead back to this one.
        matches!(self.types.get(default), TyData::Inst(..) | TyData::Indexed(..)).then_some(default)
    }

    /// The bound of a type variable.
    pub(crate) fn bound_of(&mut self, owner: SymbolRef, index: u32) -> Option<Ty> {
        if crate::types::is_untyped(index) {
            return None;
        }
        let facts = self.facts(owner.file);
        let def = facts.def(owner.def);
        self.look_up_def(owner);
        if index != crate::types::VARIABLE {
            let hint = facts.params(def.type_params).get(index as usize)?.hint?;
            let ty = self.annotation(owner.file, hint).ty;
            return (ty != Types::UNKNOWN).then_some(ty);
        }
        let value = *facts.expr_list(def.values).first()?;
        let strata_model::facts::Expr::Call(_, args, _) = facts.expr(value) else {
            return None;
        };
        // `TypeVar("T", bound=A)` has a bound, `TypeVar("T", A, B)` is either.
        let args = facts.args(args).to_vec();
        let mut parts = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let is_bound = arg.name.is_some_and(|name| facts.str(name) == "bound");
            if is_bound || arg.name.is_none() && at > 0 {
                parts.push(self.expr_as_type(owner.file, arg.value));
            }
        }
        let ty = self.types.join(parts);
        (ty != Types::UNKNOWN).then_some(ty)
    }

    /// The value of a member of a value.
    pub(crate) fn member_value(&mut self, receiver: Val, name: NameId) -> Val {
        let members = self.member(receiver.ty, name);
        let mut values = Vec::new();
        for (at, found) in members.targets.iter().enumerate() {
            // Signatures of one name stand for each other: the call chooses.
            let is_signature = at > 0 && self.are_signatures(&members.targets[at - 1], found);
            if !is_signature {
                values.push(self.found_value(receiver, found));
            }
        }
        if members.is_builtin {
            for ty in self.types.members(receiver.ty) {
                if matches!(
                    self.types.get(ty),
                    TyData::Builtin(..)
                        | TyData::BuiltinInst(..)
                        | TyData::Tuple(_)
                        | TyData::BuiltinMember(..)
                        | TyData::Super(..)
                        | TyData::Class(..)
                        | TyData::SelfClass(_)
                ) {
                    if !self.has_rule(ty, name)
                        && let Some(value) = self.builtin_member_value(receiver, ty, name)
                    {
                        values.push(value);
                        continue;
                    }
                    if let TyData::Builtin(global, _) = *self.types.get(ty)
                        && let Some(value) = self.global_member_value(receiver, global, name)
                    {
                        values.push(value);
                        continue;
                    }
                    let member = self.types.intern(TyData::BuiltinMember(ty, name));
                    values.push(receiver.with(member, How::Lexical));
                } else if let TyData::Inst(class, _) = *self.types.get(ty)
                    && self.is_library(class.file)
                {
                    let value = self.indexed_value(ty, class.file);
                    values.push(receiver.with(value, How::Elem));
                }
            }
        }
        if members.is_dynamic {
            let made = self.made_up_member(receiver);
            values.push(if made.ty == Types::UNKNOWN {
                Val::new(Types::DYNAMIC, How::Lexical)
            } else {
                made
            });
        }
        self.join_values(values)
    }

    /// True for two signatures of one function, which is declared under several.
    fn are_signatures(&mut self, one: &Found, other: &Found) -> bool {
        let (Target::Symbol(a), Target::Symbol(b)) = (&one.target, &other.target) else {
            return false;
        };
        if a.file != b.file || a.is_module() || b.is_module() || !self.file(a.file).is_ecmascript() {
            return false;
        }
        let facts = self.facts(a.file);
        let (a, b) = (facts.def(a.def), facts.def(b.def));
        one.receiver == other.receiver
            && a.parent == b.parent
            && a.name == b.name
            && a.kind.is_callable()
            && b.kind.is_callable()
    }

    /// What `__getattr__` declares to give for the members that a class does not have.
    fn made_up_member(&mut self, receiver: Val) -> Val {
        let mut parts = Vec::new();
        for ty in self.types.members(receiver.ty) {
            if let TyData::Inst(class, _) | TyData::SelfInst(class) = self.types.get(ty).clone() {
                let name = self.well_known.module_getattr;
                parts.push(self.call_method(class.file, ty, name));
            }
        }
        let ty = self.types.join(parts);
        receiver.with(ty, How::RetDeclared)
    }

    /// A field of a class that holds an instance with `__get__` is read through it.
    fn got_from_descriptor(&mut self, facts: &FileFacts, field: SymbolRef, value: Val, receiver: Ty) -> Val {
        let def = facts.def(field.def);
        let is_shared = def.kind == NodeKind::Field && !def.flags.has(DefFlags::INSTANCE_FIELD);
        if !is_shared || def.values.is_empty() || self.file(field.file).is_ecmascript() {
            return value;
        }
        let TyData::Inst(class, _) = self.types.get(value.ty).clone() else {
            return value;
        };
        let name = self.names.intern("__get__");
        let members = self.class_members(class, name, false);
        let [getter] = *members.found.as_slice() else {
            return value;
        };
        // An overload tells apart whether it is read from the class, where the instance is `None`.
        let on_class = matches!(self.types.get(receiver), TyData::Class(..) | TyData::SelfClass(_));
        for signature in self.signatures(getter) {
            let instance = self.parameter(signature, 1).ty;
            if (instance == Types::NULL) == on_class {
                let result = self.result_of(signature);
                let env = self.receiver_environment(getter, value.ty);
                let ty = self.substitute(result.ty, &env, Some(value.ty));
                return value.with(ty, How::RetDeclared);
            }
        }
        let ty = self.call_method(field.file, value.ty, name);
        value.with(ty, How::RetDeclared)
    }

    pub(crate) fn found_value(&mut self, receiver: Val, found: &Found) -> Val {
        let Target::Symbol(symbol) = &found.target else {
            let value = self.target_value(&found.target);
            return receiver.with(value.ty, value.how);
        };
        let symbol = *symbol;
        let facts = self.facts(symbol.file);
        let def = facts.def(symbol.def);
        if def.kind.is_callable() {
            let ty = if matches!(self.types.get(found.receiver), TyData::Module(_)) {
                TyData::Func(symbol)
            } else {
                TyData::Bound(symbol, found.receiver)
            };
            let ty = self.types.intern(ty);
            return receiver.with(ty, How::Lexical);
        }
        if def.kind == NodeKind::Class
            && let TyData::Inst(class, args) = self.types.get(found.receiver).clone()
            && class == symbol
        {
            let ty = self.types.intern(TyData::Class(class, args));
            return receiver.with(ty, How::Lexical);
        }
        if let TyData::SelfInst(class) = self.types.get(found.receiver).clone()
            && class == symbol
        {
            let ty = self.types.intern(TyData::SelfClass(class));
            return receiver.with(ty, How::Lexical);
        }
        let value = if let (
            TyData::Class(class, _) | TyData::SelfClass(class) | TyData::Inst(class, _) | TyData::SelfInst(class),
            NodeKind::Field,
        ) = (self.types.get(found.receiver).clone(), def.kind)
            && !def.flags.has(DefFlags::INSTANCE_FIELD)
            && !def.values.is_empty()
            && self.is_enum(class)
        {
            let ty = self.types.intern(TyData::Inst(class, Rc::from([])));
            Val::new(ty, How::StaticMember)
        } else {
            let value = self.symbol_type(symbol);
            self.got_from_descriptor(&facts, symbol, value, found.receiver)
        };
        let env = self.receiver_environment(symbol, found.receiver);
        let ty = self.substitute(value.ty, &env, Some(found.receiver));
        let how = if ty == value.ty {
            value.how
        } else {
            value.how.max(How::GenericSubst)
        };
        Val {
            ty,
            how: receiver.how.max(how),
            chain: longer(receiver.chain).max(value.chain),
        }
    }

    /// Type variables of a member's class, as the receiver fixes them.
    pub(crate) fn receiver_environment(&mut self, member: SymbolRef, receiver: Ty) -> Vec<(VarKey, Ty)> {
        let (class, args) = match self.types.get(receiver).clone() {
            TyData::Inst(class, args) | TyData::Class(class, args) => (class, args),
            TyData::SelfInst(class) | TyData::SelfClass(class) => (class, Rc::from([])),
            _ => match self.builtin_class(receiver) {
                Some(found) => found,
                None => return Vec::new(),
            },
        };
        let Some(owner) = self.parent_of(member) else {
            return Vec::new();
        };
        let owner = SymbolRef {
            file: member.file,
            def: owner,
        };
        if owner == class {
            return self.environment(class, &args);
        }
        let mro = self.mro(class);
        let own = self.environment(class, &args);
        let Some((_, owner_args)) = mro.entries.iter().find(|(ancestor, _)| *ancestor == owner) else {
            return own;
        };
        let owner_args: Vec<Ty> = owner_args.iter().map(|arg| self.substitute(*arg, &own, None)).collect();
        self.environment(owner, &owner_args)
    }
}

fn is_function_member(name: &str) -> bool {
    is_object_member(name)
        || matches!(
            name,
            "apply" | "call" | "bind" | "length" | "name" | "prototype" | "arguments" | "caller"
        )
}

pub(crate) fn is_object_member(name: &str) -> bool {
    matches!(
        name,
        "toString"
            | "toLocaleString"
            | "valueOf"
            | "hasOwnProperty"
            | "isPrototypeOf"
            | "propertyIsEnumerable"
            | "constructor"
    )
}
