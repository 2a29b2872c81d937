//! Classes: supertypes, the order of ancestors, and members.
//!
//! C3 linearisation as in K. Barrett et al., "A Monotonic Superclass Linearization for Dylan" (OOPSLA 1996), which is
//! Python's method resolution order.

use std::rc::Rc;

use strata_lang::policy::Linearisation;
use strata_model::facts::{DefFlags, TypeExpr};
use strata_model::ids::{DefId, Run, SymbolRef, TypeId};
use strata_model::kinds::NodeKind;

use crate::calls::Site;
use crate::keys::path_key;
use crate::memo::NO_FILE;
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

    /// The definition in the stub beside a file that stands for this one, if there is a stub and it says anything.
    pub(crate) fn stub_of(&mut self, symbol: SymbolRef) -> Option<SymbolRef> {
        if self.is_library(symbol.file) {
            return None;
        }
        let stub = self
            .file(symbol.file)
            .language
            .stub_path(self.workspace.path(symbol.file))?;
        self.counterpart(symbol, &stub)
    }

    /// The definition that one in a stub stands for: what a stub names is the source's own.
    pub(crate) fn source_of(&mut self, symbol: SymbolRef) -> SymbolRef {
        if self.is_library(symbol.file) {
            return symbol;
        }
        let source = self
            .file(symbol.file)
            .language
            .stubbed_path(self.workspace.path(symbol.file));
        source
            .and_then(|source| self.counterpart(symbol, &source))
            .unwrap_or(symbol)
    }

    /// The definition of the same name and place in the file at `path`.
    fn counterpart(&mut self, symbol: SymbolRef, path: &str) -> Option<SymbolRef> {
        self.memo.look_up((NO_FILE, path_key(path)));
        let stub = self.workspace.file(path)?;
        let file = self.file(symbol.file);
        let def = file.facts.def(symbol.def);
        let name = file.name(def.name);
        let found = match def.parent {
            Some(parent) => {
                let parent = self.counterpart(
                    SymbolRef {
                        file: symbol.file,
                        def: parent,
                    },
                    path,
                )?;
                self.look_up_member(parent, name);
                self.file(stub).members_named(parent.def, name).to_vec()
            }
            None => {
                let targets = self.export(stub, name);
                targets
                    .iter()
                    .filter_map(|target| match target {
                        Target::Symbol(symbol) if symbol.file == stub => Some(symbol.def),
                        _ => None,
                    })
                    .collect()
            }
        };
        found.first().map(|def| SymbolRef { file: stub, def: *def })
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
                TyData::Ext(path, args) => {
                    let text = self.names.text(path);
                    (args, text.ends_with(".Generic") || text.ends_with(".Protocol"))
                }
                TyData::Inst(_, args) | TyData::BuiltinInst(_, args) => (args, false),
                _ => continue,
            };
            let mut own = Vec::new();
            for arg in args.iter() {
                self.collect_vars(*arg, &mut own);
            }
            if is_generic && !own.is_empty() && !is_closed {
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

    pub(crate) fn collect_vars(&self, ty: Ty, out: &mut Vec<VarKey>) {
        match self.types.get(ty) {
            TyData::Var(owner, index) if !out.contains(&(*owner, *index)) => out.push((*owner, *index)),
            TyData::Tuple(args)
            | TyData::Union(args)
            | TyData::Intersection(args)
            | TyData::Inst(_, args)
            | TyData::BuiltinInst(_, args) => {
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
                    let ty = program.annotation(part.file, super_ref.ty).ty;
                    types.push(match ty {
                        Types::UNKNOWN => program.made_by_base(part, super_ref.ty),
                        _ => ty,
                    });
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

    /// The value that a class extends: an object with construct signatures, or a class that a variable or a call gives.
    pub(crate) fn base_value(&mut self, class: SymbolRef, base: TypeId) -> Option<Val> {
        let facts = self.facts(class.file);
        let is_class = facts.def(class.def).kind == NodeKind::Class && self.file(class.file).is_ecmascript();
        let expr = match facts.ty(base) {
            TypeExpr::Name(expr) => expr,
            TypeExpr::App(base, _) => match facts.ty(base) {
                TypeExpr::Name(expr) => expr,
                _ => return None,
            },
            _ => return None,
        };
        if !is_class {
            return None;
        }
        let value = self.eval(class.file, expr);
        let is_object = self
            .types
            .parts(value.ty)
            .iter()
            .any(|it| matches!(self.types.get(*it), TyData::Inst(..) | TyData::Class(..)));
        is_object.then_some(value)
    }

    /// What the construct signature of a base gives.
    fn made_by_base(&mut self, class: SymbolRef, base: TypeId) -> Ty {
        let Some(value) = self.base_value(class, base) else {
            return Types::UNKNOWN;
        };
        let facts = self.facts(class.file);
        let types = match facts.ty(base) {
            TypeExpr::App(_, types) => types,
            _ => Run::default(),
        };
        let site = Site {
            types,
            ..Site::default()
        };
        let mut made = Vec::new();
        for part in self.types.parts(value.ty) {
            let part = Val { ty: part, ..value };
            made.push(self.instantiate(class.file, part, site).ty);
        }
        made.retain(|it| *it != Types::UNKNOWN);
        self.types.meet(&made)
    }

    /// The members that a class has from the value that it extends, not from a class.
    pub(crate) fn static_of_base(&mut self, class: SymbolRef, name: NameId) -> Option<Val> {
        let mro = self.mro(class);
        for (ancestor, _) in &mro.entries {
            let facts = self.facts(ancestor.file);
            let supers = facts.supers[facts.def(ancestor.def).supers.range()].to_vec();
            for super_ref in supers {
                if let Some(value) = self.base_value(*ancestor, super_ref.ty)
                    && !self.member(value.ty, name).targets.is_empty()
                {
                    return Some(value);
                }
            }
        }
        None
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
            for ty in self.types.parts(*base) {
                if let TyData::BuiltinInst(name, _) = self.types.get(ty).clone()
                    && &*self.names.text(name) == "object"
                {
                    continue;
                }
                let declared = self.builtin_class(ty);
                let data = match declared {
                    Some((base, args)) => TyData::Inst(base, args),
                    None => self.types.get(ty).clone(),
                };
                match data {
                    TyData::Inst(base, args) if base != class => {
                        let inherited = self.mro(base);
                        let env = self.environment(base, &args);
                        let sequence = inherited
                            .entries
                            .iter()
                            .map(|(ancestor, args)| {
                                let args: Rc<[Ty]> = args.iter().map(|arg| self.substitute(*arg, &env, None)).collect();
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
        let vars = self.class_vars(class);
        let n_vars = u32::try_from(vars.len()).unwrap_or(u32::MAX);
        let mut env: Vec<(VarKey, Ty)> = vars.into_iter().zip(args.iter().copied()).collect();
        if args.len() < n_vars as usize && self.file(class.file).is_ecmascript() {
            self.add_defaults(class, n_vars, &mut env);
        }
        env
    }
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
