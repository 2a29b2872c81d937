//! Classes: supertypes, the order of ancestors, and members.
//!
//! C3 linearisation as in K. Barrett et al., "A Monotonic Superclass Linearization for Dylan" (OOPSLA 1996), which is
//! Python's method resolution order.

use std::rc::Rc;

use strata_lang::policy::Linearisation;
use strata_model::facts::DefFlags;
use strata_model::ids::{DefId, FileIx, SymbolRef};
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;

use crate::names::NameId;
use crate::program::{Answer, Program, Question, Target, Val};
use crate::types::{Ty, TyData, Types, VarKey};

/// The ancestors of a class, itself first, with the type arguments they get in terms of the class's own variables.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Mro {
    pub(crate) entries: Vec<(SymbolRef, Rc<[Ty]>)>,
    /// The first ancestor outside the root.
    pub(crate) external: Option<NameId>,
    /// An ancestor is builtin.
    pub(crate) has_builtin: bool,
    /// An ancestor could not be determined.
    pub(crate) has_unknown: bool,
}

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
    /// All definitions that make up one type: merged interfaces, a class and its interface, a function and its namespace.
    pub(crate) fn parts(&mut self, class: SymbolRef) -> Vec<SymbolRef> {
        let file = self.file(class.file);
        let def = file.facts.def(class.def);
        if !file.is_ecmascript() || def.flags.has(DefFlags::ANONYMOUS) {
            return vec![class];
        }
        let name = file.name(def.name);
        let siblings: Vec<DefId> = match def.parent {
            Some(parent) => file.members_named(parent, name).to_vec(),
            None => file
                .module_names
                .get(&name)
                .map(|set| {
                    file.facts
                        .bind_set(*set)
                        .iter()
                        .filter_map(|bind| match file.facts.bindings[bind.ix()].source {
                            strata_model::facts::BindSource::Def(def) => Some(def),
                            _ => None,
                        })
                        .collect()
                })
                .unwrap_or_default(),
        };
        let mut parts = vec![class];
        for sibling in siblings {
            let kind = file.facts.def(sibling).kind;
            let merges = kind.is_type() || matches!(kind, NodeKind::Namespace | NodeKind::Function);
            let part = SymbolRef {
                file: class.file,
                def: sibling,
            };
            if merges && !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts
    }

    /// The type variables of a class, in order.
    pub(crate) fn class_vars(&mut self, class: SymbolRef) -> Vec<VarKey> {
        let facts = self.facts(class.file);
        self.look_up_def(class);
        let def = facts.def(class.def);
        if !def.type_params.is_empty() {
            return (0..def.type_params.len).map(|index| (class, index)).collect();
        }
        if self.file(class.file).is_ecmascript() {
            return Vec::new();
        }
        // Python before 3.12: the variables of `Generic[…]`, else those of the bases in order.
        let supers = self.supers(class);
        let mut vars: Vec<VarKey> = Vec::new();
        let mut is_closed = false;
        for ty in supers.iter() {
            let (args, is_generic) = match self.types.get(*ty).clone() {
                TyData::Ext(path, args) => (args, self.names.text(path).ends_with(".Generic")),
                TyData::Inst(_, args) | TyData::BuiltinInst(_, args) => (args, false),
                _ => continue,
            };
            let mut own = Vec::new();
            for arg in args.iter() {
                self.collect_vars(*arg, &mut own);
            }
            if is_generic && !is_closed {
                vars = own;
                is_closed = true;
            } else if !is_closed {
                for var in own {
                    if !vars.contains(&var) {
                        vars.push(var);
                    }
                }
            }
        }
        vars
    }

    fn collect_vars(&self, ty: Ty, out: &mut Vec<VarKey>) {
        match self.types.get(ty) {
            TyData::Var(owner, index) if !out.contains(&(*owner, *index)) => out.push((*owner, *index)),
            TyData::Tuple(args) | TyData::Union(args) | TyData::Inst(_, args) | TyData::BuiltinInst(_, args) => {
                for arg in args.iter() {
                    self.collect_vars(*arg, out);
                }
            }
            _ => {}
        }
    }

    /// The types that a class names as its bases.
    pub(crate) fn supers(&mut self, class: SymbolRef) -> Rc<[Ty]> {
        let nothing = Answer::Types(Rc::from([]));
        let answer = self.remember(Question::Supers(class), &nothing, |program| {
            let mut types = Vec::new();
            for part in program.parts(class) {
                program.look_up_def(part);
                let facts = program.facts(part.file);
                let supers = facts.supers[facts.def(part.def).supers.range()].to_vec();
                for super_ref in supers {
                    types.push(program.annotation(part.file, super_ref.ty).ty);
                }
                if program.facts(part.file).def(part.def).kind == NodeKind::Type
                    && let Some(alias) = program.facts(part.file).def(part.def).hint
                {
                    types.push(program.annotation(part.file, alias).ty);
                }
            }
            Answer::Types(types.into())
        });
        match answer {
            Answer::Types(types) => types,
            _ => Rc::from([]),
        }
    }

    /// The order of ancestors.
    pub(crate) fn mro(&mut self, class: SymbolRef) -> Rc<Mro> {
        let nothing = Answer::Mro(Rc::new(Mro {
            entries: vec![(class, Rc::from([]))],
            ..Mro::default()
        }));
        let answer = self.remember(Question::Mro(class), &nothing, |program| {
            Answer::Mro(Rc::new(program.compute_mro(class)))
        });
        match answer {
            Answer::Mro(mro) => mro,
            _ => Rc::default(),
        }
    }

    fn compute_mro(&mut self, class: SymbolRef) -> Mro {
        let own: Vec<Ty> = self
            .class_vars(class)
            .into_iter()
            .map(|(owner, index)| self.types.intern(TyData::Var(owner, index)))
            .collect();
        let mut mro = Mro::default();
        let mut sequences: Vec<Vec<(SymbolRef, Rc<[Ty]>)>> = Vec::new();
        let mut direct = Vec::new();
        for base in self.supers(class).iter() {
            for ty in self.types.members(*base) {
                match self.types.get(ty).clone() {
                    TyData::Inst(base, args) if base != class => {
                        let inherited = self.mro(base);
                        let env = self.environment(base, &args);
                        let sequence = inherited
                            .entries
                            .iter()
                            .map(|(ancestor, args)| {
                                let args: Rc<[Ty]> =
                                    args.iter().map(|arg| self.types.substitute(*arg, &env, None)).collect();
                                (*ancestor, args)
                            })
                            .collect();
                        mro.external = mro.external.or(inherited.external);
                        mro.has_builtin |= inherited.has_builtin;
                        mro.has_unknown |= inherited.has_unknown;
                        sequences.push(sequence);
                        direct.push((base, args));
                    }
                    TyData::Ext(path, _) => {
                        let text = self.names.text(path);
                        let adds_nothing = ["Generic", "Protocol", "ABC"]
                            .iter()
                            .any(|name| text.strip_suffix(name).is_some_and(|rest| rest.ends_with('.')));
                        if !adds_nothing {
                            mro.external = mro.external.or(Some(path));
                        }
                    }
                    TyData::BuiltinInst(..) => mro.has_builtin = true,
                    TyData::Inst(..) | TyData::SelfInst(_) | TyData::FnType(..) | TyData::Tuple(_) => {}
                    _ => mro.has_unknown = true,
                }
            }
        }
        let rest = match self.file(class.file).policy().linearisation {
            Linearisation::C3 => merge_c3(sequences, direct),
            Linearisation::ClassThenInterfaces => merge_in_order(sequences),
        };
        mro.entries.push((class, own.into()));
        mro.entries
            .extend(rest.into_iter().filter(|(ancestor, _)| *ancestor != class));
        mro
    }

    /// Variables of a class with the given arguments; missing arguments stay variables.
    pub(crate) fn environment(&mut self, class: SymbolRef, args: &[Ty]) -> Vec<(VarKey, Ty)> {
        if args.is_empty() {
            return Vec::new();
        }
        self.class_vars(class).into_iter().zip(args.iter().copied()).collect()
    }

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
            return symbols;
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
        self.mro(class)
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
            TyData::Unknown | TyData::Var(..) | TyData::SelfHole => {
                if let TyData::Var(owner, index) = self.types.get(ty).clone()
                    && let Some(bound) = self.bound_of(owner, index)
                {
                    self.member_of_one(bound, name, out);
                    return;
                }
                out.is_unknown = true;
            }
            TyData::Null => {}
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
                let found = self.own_members(function, name);
                if found.is_empty() {
                    out.is_builtin = true;
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
            | TyData::FnType(..) => out.is_builtin = true,
            TyData::Union(_) => out.is_unknown = true,
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
            let wanted: Vec<SymbolRef> = found
                .iter()
                .copied()
                .filter(|symbol| {
                    let facts = self.facts(symbol.file);
                    facts.def(symbol.def).flags.has(DefFlags::STATIC) == on_class
                })
                .collect();
            if !wanted.is_empty() {
                found = wanted;
            }
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
            self.missing_member(class, name, out);
            return;
        }
        Self::add_found(&found, receiver, members.rank > 0, out);
    }

    fn missing_member(&mut self, class: SymbolRef, name: NameId, out: &mut Members) {
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

    /// The bound of a type variable.
    pub(crate) fn bound_of(&mut self, owner: SymbolRef, index: u32) -> Option<Ty> {
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
        let bound = facts
            .args(args)
            .iter()
            .find(|arg| arg.name.is_some_and(|name| facts.str(name) == "bound"))?;
        let ty = self.value_as_type(owner.file, bound.value);
        (ty != Types::UNKNOWN).then_some(ty)
    }

    /// The value of a member of a value.
    pub(crate) fn member_value(&mut self, receiver: Val, name: NameId) -> Val {
        let members = self.member(receiver.ty, name);
        let mut values = Vec::new();
        for found in &members.targets {
            values.push(self.found_value(receiver, found));
        }
        if members.is_builtin {
            for ty in self.types.members(receiver.ty) {
                if matches!(
                    self.types.get(ty),
                    TyData::Builtin(..) | TyData::BuiltinInst(..) | TyData::Tuple(_) | TyData::BuiltinMember(..)
                ) {
                    let member = self.types.intern(TyData::BuiltinMember(ty, name));
                    values.push(receiver.with(member, How::Lexical));
                }
            }
        }
        if members.is_dynamic {
            values.push(Val::new(Types::DYNAMIC, How::Lexical));
        }
        self.join_values(values)
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
        let value = if let (TyData::Class(class, _) | TyData::SelfClass(class), NodeKind::Field) =
            (self.types.get(found.receiver).clone(), def.kind)
            && self.is_enum(class)
        {
            let ty = self.types.intern(TyData::Inst(class, Rc::from([])));
            Val::new(ty, How::StaticMember)
        } else {
            self.symbol_type(symbol)
        };
        let env = self.receiver_environment(symbol, found.receiver);
        let ty = self.types.substitute(value.ty, &env, Some(found.receiver));
        let how = if ty == value.ty {
            value.how
        } else {
            value.how.max(How::GenericSubst)
        };
        Val {
            ty,
            how: receiver.how.max(how),
            chain: receiver.chain.saturating_add(1).max(value.chain),
        }
    }

    /// Type variables of a member's class, as the receiver fixes them.
    pub(crate) fn receiver_environment(&mut self, member: SymbolRef, receiver: Ty) -> Vec<(VarKey, Ty)> {
        let (class, args) = match self.types.get(receiver).clone() {
            TyData::Inst(class, args) | TyData::Class(class, args) => (class, args),
            TyData::SelfInst(class) | TyData::SelfClass(class) => (class, Rc::from([])),
            _ => return Vec::new(),
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
        let owner_args: Vec<Ty> = owner_args
            .iter()
            .map(|arg| self.types.substitute(*arg, &own, None))
            .collect();
        self.environment(owner, &owner_args)
    }
}

fn is_object_member(name: &str) -> bool {
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

type Sequence = Vec<(SymbolRef, Rc<[Ty]>)>;

fn merge_c3(mut sequences: Vec<Sequence>, direct: Sequence) -> Sequence {
    let fallback = sequences.clone();
    sequences.push(direct);
    let mut out: Sequence = Vec::new();
    loop {
        sequences.retain(|sequence| !sequence.is_empty());
        if sequences.is_empty() {
            return out;
        }
        let candidate = sequences.iter().map(|sequence| sequence[0].clone()).find(|(head, _)| {
            !sequences
                .iter()
                .any(|sequence| sequence.iter().skip(1).any(|(ancestor, _)| ancestor == head))
        });
        let Some(next) = candidate else {
            // No consistent order: the program would not run. Left to right is the best reading of what was meant.
            return merge_in_order(fallback);
        };
        for sequence in &mut sequences {
            if sequence[0].0 == next.0 {
                sequence.remove(0);
            }
        }
        out.push(next);
    }
}

fn merge_in_order(sequences: Vec<Sequence>) -> Sequence {
    let mut out: Sequence = Vec::new();
    for (ancestor, args) in sequences.into_iter().flatten() {
        if !out.iter().any(|(known, _)| *known == ancestor) {
            out.push((ancestor, args));
        }
    }
    out
}
