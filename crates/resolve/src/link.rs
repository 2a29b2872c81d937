//! One outcome for every reference of a file.

use strata_model::facts::{DefFlags, Expr, RefTarget, Reference, TypeExpr};
use strata_model::ids::{DefId, ExprId, FileIx, SymbolRef};
use strata_model::kinds::{NodeKind, RefKind};
use strata_model::outcome::{How, Outcome, Status};

use crate::classes::Members;
use crate::names::NameId;
use crate::program::{Namespace, Program, Target, Val};
use crate::types::{TyData, Types};

/// What linking one file gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLinks {
    /// The outcome of each reference, in the order of [`FileFacts::refs`](strata_model::facts::FileFacts::refs).
    pub outcomes: Vec<Outcome>,
    /// Members of this file's classes that override one of a base class: (member, overridden member).
    pub overrides: Vec<(DefId, SymbolRef)>,
    /// Every key that was looked up in another file or in the set of paths, hit or miss; sorted, without duplicates.
    pub keys: Vec<u64>,
}

impl Program<'_> {
    /// Resolves every reference of `file`.
    pub fn link(&mut self, file: FileIx) -> FileLinks {
        let facts = self.facts(file);
        let outcomes = facts
            .refs
            .iter()
            .map(|reference| self.outcome(file, reference))
            .collect();
        let overrides = self.overrides(file);
        let keys = self.memo.take_keys(file);
        FileLinks {
            outcomes,
            overrides,
            keys,
        }
    }

    fn outcome(&mut self, file: FileIx, reference: &Reference) -> Outcome {
        let facts = self.facts(file);
        match (reference.kind, reference.target) {
            (RefKind::Call | RefKind::Construct, RefTarget::Expr(expr)) => {
                let callee = self.call_parts(file, expr).map_or(expr, |(callee, _)| callee);
                self.call_outcome(file, callee, expr, reference.kind == RefKind::Construct)
            }
            (_, RefTarget::Expr(expr)) => {
                let namespace = match reference.kind {
                    RefKind::Implements | RefKind::Type => Namespace::Type,
                    _ => Namespace::Value,
                };
                self.mention_outcome(file, expr, namespace)
            }
            (_, RefTarget::Type(ty)) => match facts.ty(ty) {
                TypeExpr::Name(expr) => self.mention_outcome(file, expr, Namespace::Type),
                TypeExpr::App(base, _) => match facts.ty(base) {
                    TypeExpr::Name(expr) => self.mention_outcome(file, expr, Namespace::Type),
                    _ => Outcome::without_target(Status::UnknownReceiver),
                },
                _ => Outcome::without_target(Status::UnknownReceiver),
            },
            (_, RefTarget::Import(import)) => {
                let entry = facts.imports[import.ix()];
                let targets = if entry.kind == strata_model::facts::ImportKind::ModuleRoot {
                    vec![self.module_target(file, facts.str(entry.spec))]
                } else {
                    self.import_targets(file, import, Namespace::Any)
                };
                let how = if entry.local != entry.name && entry.name.is_some() && entry.local.is_some() {
                    How::ImportAlias
                } else {
                    How::Import
                };
                self.import_outcome(targets, how, facts.str(entry.spec))
            }
            (_, RefTarget::Export(index)) => {
                let export = facts.exports[index as usize];
                let targets = self.export_source(file, export.source);
                let spec = match export.source {
                    strata_model::facts::ExportSource::From(spec, _)
                    | strata_model::facts::ExportSource::Star(spec)
                    | strata_model::facts::ExportSource::StarAs(spec) => facts.str(spec),
                    strata_model::facts::ExportSource::Value(_) => facts.str(export.name),
                };
                self.import_outcome(targets, How::Reexport, spec)
            }
        }
    }

    fn import_outcome(&mut self, targets: Vec<Target>, how: How, spec: &str) -> Outcome {
        if targets.is_empty() {
            return Outcome {
                external: Some(spec.to_owned()),
                ..Outcome::without_target(Status::UnresolvedImport)
            };
        }
        self.outcome_of(targets, how, 0)
    }

    // ---- calls --------------------------------------------------------------------------------------------------------

    fn call_outcome(&mut self, file: FileIx, callee: ExprId, call: ExprId, is_new: bool) -> Outcome {
        let facts = self.facts(file);
        match facts.expr(callee) {
            Expr::Member(base, name) => {
                let receiver = self.eval(file, base);
                let name = self.name(file, name);
                let members = self.member(receiver.ty, name);
                let how = self.receiver_how(file, base, receiver, &members);
                self.member_call_outcome(file, receiver, &members, how, name, is_new, call)
            }
            Expr::Super(class, _) => self.super_call_outcome(SymbolRef { file, def: class }),
            Expr::Unwrap(inner) => self.call_outcome(file, inner, call, is_new),
            Expr::Local(..) | Expr::Free(_) | Expr::Def(_) | Expr::Require(_) => {
                let targets = self.entity(file, callee, Namespace::Value);
                let how = self.name_how(file, callee);
                if targets.is_empty() {
                    return self.unknown_name(file, callee);
                }
                self.called(file, targets, how, 0, is_new, call)
            }
            _ => {
                let value = self.eval_callee(file, callee);
                if value.ty == Types::DYNAMIC {
                    return Outcome::without_target(Status::Dynamic);
                }
                let targets = self.callables(file, value);
                if targets.is_empty() {
                    return Outcome::without_target(Status::UnknownReceiver);
                }
                self.called(file, targets, value.how, value.chain, is_new, call)
            }
        }
    }

    fn unknown_name(&mut self, file: FileIx, expr: ExprId) -> Outcome {
        let facts = self.facts(file);
        match facts.expr(expr) {
            // Bound in the file, but nothing that could be followed.
            Expr::Local(_, set) if !facts.bind_set(set).is_empty() => self.unfollowed(file, set),
            _ => Outcome::without_target(Status::NoSuchMember),
        }
    }

    fn unfollowed(&mut self, file: FileIx, set: strata_model::ids::BindSetId) -> Outcome {
        let facts = self.facts(file);
        for bind in facts.bind_set(set) {
            if let strata_model::facts::BindSource::Import(import) = facts.bindings[bind.ix()].source {
                let spec = facts.str(facts.imports[import.ix()].spec).to_owned();
                return Outcome {
                    external: Some(spec),
                    ..Outcome::without_target(Status::UnresolvedImport)
                };
            }
        }
        Outcome::without_target(Status::Dynamic)
    }

    fn super_call_outcome(&mut self, class: SymbolRef) -> Outcome {
        let constructors = self.file(class.file).policy().constructors;
        for name in constructors {
            let name = self.names.intern(name);
            let found = self.class_members(class, name, true);
            if !found.found.is_empty() {
                let targets = found.found.iter().map(|symbol| Target::Symbol(*symbol)).collect();
                return self.outcome_of(targets, How::Super, 1);
            }
        }
        let mro = self.mro(class);
        if let Some(path) = mro.external {
            return self.outcome_of(vec![Target::External(path)], How::Super, 1);
        }
        match mro.entries.get(1) {
            Some((base, _)) => {
                let base = *base;
                self.outcome_of(vec![Target::Symbol(base)], How::Super, 1)
            }
            None if mro.has_builtin => Outcome::without_target(Status::Builtin),
            None => Outcome::without_target(Status::UnknownReceiver),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one call site's facts, used together")]
    fn member_call_outcome(
        &mut self,
        file: FileIx,
        receiver: Val,
        members: &Members,
        how: How,
        name: NameId,
        is_new: bool,
        call: ExprId,
    ) -> Outcome {
        if members.targets.is_empty() {
            return self.memberless(members, receiver, name);
        }
        let targets: Vec<Target> = members.targets.iter().map(|found| found.target.clone()).collect();
        self.called(file, targets, how, receiver.chain.saturating_add(1), is_new, call)
    }

    fn memberless(&mut self, members: &Members, receiver: Val, name: NameId) -> Outcome {
        let status = if members.is_dynamic {
            Status::Dynamic
        } else if members.is_builtin && !members.is_unknown {
            Status::Builtin
        } else if members.is_missing && !members.is_unknown {
            Status::NoSuchMember
        } else {
            Status::UnknownReceiver
        };
        let external = (status == Status::Builtin).then(|| {
            let name = self.names.text(name);
            match self.types.get(receiver.ty).clone() {
                TyData::BuiltinInst(of, _) | TyData::Builtin(of, _) => {
                    format!("builtin:{}.{name}", self.names.text(of))
                }
                _ => format!("builtin:{name}"),
            }
        });
        Outcome {
            external,
            chain: receiver.chain,
            ..Outcome::without_target(status)
        }
    }

    /// The outcome of calling what a name or member stands for.
    fn called(
        &mut self,
        file: FileIx,
        targets: Vec<Target>,
        how: How,
        chain: u8,
        is_new: bool,
        call: ExprId,
    ) -> Outcome {
        let mut reached = Vec::new();
        let mut how = how;
        let mut is_variable = false;
        let candidates = self.chosen_by_arity(file, targets, call);
        for target in candidates {
            match &target {
                Target::Symbol(symbol) if !symbol.is_module() => {
                    let facts = self.facts(symbol.file);
                    let def = facts.def(symbol.def);
                    match def.kind {
                        NodeKind::Variable | NodeKind::Constant | NodeKind::Field | NodeKind::Property => {
                            if is_new && let Some(interface) = self.merged_type(*symbol) {
                                crate::modules::push(&mut reached, Target::Symbol(interface));
                                continue;
                            }
                            let value = self.symbol_type(*symbol);
                            let found = self.callables(file, value);
                            if found.is_empty() {
                                // A member of function type is itself what the call names.
                                let is_declared = def.parent.is_some_and(|parent| {
                                    let parent = facts.def(parent);
                                    parent.kind.is_type() && parent.kind != NodeKind::Class
                                });
                                if is_declared && self.file(symbol.file).is_ecmascript() {
                                    crate::modules::push(&mut reached, target.clone());
                                } else {
                                    is_variable = true;
                                }
                            }
                            how = if found.is_empty() { how } else { how.max(value.how) };
                            for it in found {
                                crate::modules::push(&mut reached, it);
                            }
                        }
                        NodeKind::Class | NodeKind::Struct | NodeKind::Record => {
                            let constructor = self.own_constructor(*symbol);
                            crate::modules::push(&mut reached, Target::Symbol(constructor));
                        }
                        NodeKind::Interface if !self.file(symbol.file).is_ecmascript() => {
                            let constructor = self.own_constructor(*symbol);
                            crate::modules::push(&mut reached, Target::Symbol(constructor));
                        }
                        NodeKind::Unknown => is_variable = true,
                        _ => crate::modules::push(&mut reached, target.clone()),
                    }
                }
                Target::Binding(..) | Target::Value(..) => {
                    let value = self.target_value(&target);
                    let found = self.callables(file, value);
                    if found.is_empty() {
                        is_variable = true;
                    } else {
                        how = how.max(value.how);
                    }
                    for it in found {
                        let it = match it {
                            Target::Symbol(symbol) => {
                                let facts = self.facts(symbol.file);
                                if facts.def(symbol.def).kind == NodeKind::Class {
                                    Target::Symbol(self.own_constructor(symbol))
                                } else {
                                    it
                                }
                            }
                            other => other,
                        };
                        crate::modules::push(&mut reached, it);
                    }
                }
                Target::Symbol(_)
                | Target::Module(_)
                | Target::Folders(_)
                | Target::External(_)
                | Target::Builtin(_)
                | Target::Unresolved(_)
                | Target::Dynamic => crate::modules::push(&mut reached, target.clone()),
            }
        }
        if reached.is_empty() {
            let status = if is_variable {
                Status::Dynamic
            } else {
                Status::UnknownReceiver
            };
            return Outcome {
                chain,
                ..Outcome::without_target(status)
            };
        }
        self.outcome_of(reached, how, chain)
    }

    /// Among several signatures of one name, those that take the call's number of arguments; all when none does.
    fn chosen_by_arity(&mut self, file: FileIx, targets: Vec<Target>, call: ExprId) -> Vec<Target> {
        if targets.len() < 2 || !self.file(file).is_ecmascript() {
            return targets;
        }
        let mut symbols = Vec::new();
        for target in &targets {
            let Target::Symbol(symbol) = target else { return targets };
            symbols.push(*symbol);
        }
        let symbols = self.those_that_count(symbols);
        let Some((_, args)) = self.call_parts(file, call) else {
            return targets;
        };
        let n_args = self.positional_count(file, args);
        let mut fitting: Vec<Target> = Vec::new();
        let mut parents = Vec::new();
        for symbol in &symbols {
            let facts = self.facts(symbol.file);
            let def = facts.def(symbol.def);
            parents.push((symbol.file, def.parent));
            let params = facts.params(def.params);
            let n_required = params
                .iter()
                .filter(|it| {
                    !it.is_optional && it.default.is_none() && it.kind == strata_model::facts::ParamKind::Normal
                })
                .count();
            let takes_any = params.iter().any(|it| it.kind == strata_model::facts::ParamKind::Rest);
            let fits = n_args.is_none_or(|n| n >= n_required && (takes_any || n <= params.len()));
            if fits || !def.kind.is_callable() {
                fitting.push(Target::Symbol(*symbol));
            }
        }
        if fitting.is_empty() {
            fitting = symbols.into_iter().map(Target::Symbol).collect();
        }
        // Signatures of one group: the first that fits is the one that is meant.
        let is_one_group = parents.windows(2).all(|pair| pair[0] == pair[1]);
        let are_callable = fitting.iter().all(|target| match target {
            Target::Symbol(symbol) => {
                let facts = self.loaded_facts(symbol.file);
                facts.def(symbol.def).kind.is_callable()
            }
            _ => false,
        });
        if is_one_group && are_callable {
            fitting.truncate(1);
        }
        fitting
    }

    /// The constructor that the class itself declares, else the class.
    fn own_constructor(&mut self, class: SymbolRef) -> SymbolRef {
        let names = self.file(class.file).policy().constructors;
        for name in names {
            let name = self.names.intern(name);
            self.look_up_member(class, name);
            let file = self.file(class.file);
            let found: Vec<SymbolRef> = file
                .members_named(class.def, name)
                .iter()
                .map(|def| SymbolRef {
                    file: class.file,
                    def: *def,
                })
                .collect();
            if !found.is_empty() {
                return self.those_that_count(found)[0];
            }
        }
        class
    }

    /// The interface that shares its name with a variable: what `new` on the variable makes.
    fn merged_type(&mut self, variable: SymbolRef) -> Option<SymbolRef> {
        let file = self.file(variable.file);
        if !file.is_ecmascript() {
            return None;
        }
        let def = file.facts.def(variable.def);
        if def.parent.is_some() {
            return None;
        }
        let set = file.module_names.get(&file.name(def.name))?;
        file.facts
            .bind_set(*set)
            .iter()
            .find_map(|bind| match file.facts.bindings[bind.ix()].source {
                strata_model::facts::BindSource::Def(def)
                    if matches!(file.facts.def(def).kind, NodeKind::Interface | NodeKind::Class) =>
                {
                    Some(SymbolRef {
                        file: variable.file,
                        def,
                    })
                }
                _ => None,
            })
    }

    // ---- mentions -----------------------------------------------------------------------------------------------------

    fn mention_outcome(&mut self, file: FileIx, expr: ExprId, namespace: Namespace) -> Outcome {
        let facts = self.facts(file);
        match facts.expr(expr) {
            Expr::Member(base, name) => {
                let name = self.name(file, name);
                if namespace == Namespace::Value {
                    let receiver = self.eval(file, base);
                    let members = self.member(receiver.ty, name);
                    if members.targets.is_empty() {
                        return self.memberless(&members, receiver, name);
                    }
                    let how = self.receiver_how(file, base, receiver, &members);
                    let targets = members.targets.iter().map(|found| found.target.clone()).collect();
                    let targets = self.in_namespace(targets, namespace);
                    return self.outcome_of(targets, how, receiver.chain.saturating_add(1));
                }
                let targets = self.entity(file, expr, namespace);
                if targets.is_empty() {
                    return Outcome::without_target(Status::UnknownReceiver);
                }
                self.outcome_of(targets, How::NamespaceMember, 1)
            }
            Expr::Call(callee, ..) => self.mention_outcome(file, callee, namespace),
            Expr::Index(base, _) => self.mention_outcome(file, base, namespace),
            Expr::Unwrap(inner) => self.mention_outcome(file, inner, namespace),
            Expr::Opaque => Outcome::without_target(Status::Dynamic),
            _ => {
                let targets = self.entity(file, expr, namespace);
                if targets.is_empty() {
                    return self.unknown_name(file, expr);
                }
                let how = self.name_how(file, expr);
                self.outcome_of(targets, how, 0)
            }
        }
    }

    /// Turns targets into an outcome: in-root symbols first, else what is known of the others.
    fn outcome_of(&mut self, targets: Vec<Target>, how: How, chain: u8) -> Outcome {
        let mut symbols = Vec::new();
        let mut other: Option<(Status, Option<String>)> = None;
        for target in targets {
            let found = match target {
                Target::Symbol(symbol) => {
                    symbols.push(symbol);
                    continue;
                }
                Target::Module(module) => {
                    symbols.push(SymbolRef::module(module));
                    continue;
                }
                Target::Folders(_) => (Status::Resolved, None),
                Target::External(path) => (Status::External, Some(self.names.text(path).to_string())),
                Target::Builtin(name) => (Status::Builtin, Some(format!("builtin:{}", self.names.text(name)))),
                Target::Unresolved(spec) => (Status::UnresolvedImport, Some(self.names.text(spec).to_string())),
                Target::Binding(..) | Target::Value(..) | Target::Dynamic => (Status::Dynamic, None),
            };
            other.get_or_insert(found);
        }
        if symbols.is_empty() {
            let (status, external) = other.unwrap_or((Status::UnknownReceiver, None));
            return Outcome {
                status,
                how,
                chain,
                targets: Vec::new(),
                external,
            };
        }
        symbols.sort();
        symbols.dedup();
        Outcome {
            status: Status::Resolved,
            how,
            chain,
            targets: symbols,
            external: None,
        }
    }

    // ---- how ----------------------------------------------------------------------------------------------------------

    fn name_how(&mut self, file: FileIx, expr: ExprId) -> How {
        use strata_model::facts::BindSource;
        let facts = self.facts(file);
        let Expr::Local(_, set) = facts.expr(expr) else {
            return match facts.expr(expr) {
                Expr::Free(_) if !self.file(file).stars.is_empty() => How::StarImport,
                _ => How::Lexical,
            };
        };
        let mut how = How::Lexical;
        for bind in facts.bind_set(set) {
            let binding = facts.bindings[bind.ix()];
            how = how.max(match binding.source {
                BindSource::Import(import) => {
                    let import = facts.imports[import.ix()];
                    if import.name.is_some() && import.local != import.name {
                        How::ImportAlias
                    } else {
                        How::Import
                    }
                }
                _ if binding.scope.0 == 0 => How::ModuleScope,
                _ => How::Lexical,
            });
        }
        how
    }

    /// How a receiver's member was found, in the words of the receiver's own origin.
    fn receiver_how(&mut self, file: FileIx, base: ExprId, receiver: Val, members: &Members) -> How {
        let facts = self.facts(file);
        let is_inherited = members.targets.iter().any(|found| found.is_inherited);
        match self.types.get(receiver.ty).clone() {
            TyData::Module(_) | TyData::Folders(_) => receiver.how.max(How::NamespaceMember),
            TyData::Super(..) => How::Super,
            TyData::SelfInst(_) | TyData::SelfClass(_) if receiver.chain == 0 => {
                if is_inherited {
                    How::SelfInherited
                } else {
                    How::SelfMember
                }
            }
            TyData::Class(..) if matches!(facts.expr(base), Expr::Local(..) | Expr::Free(_) | Expr::Member(..)) => {
                receiver.how.max(How::StaticMember)
            }
            _ => receiver.how,
        }
    }

    // ---- overrides ----------------------------------------------------------------------------------------------------

    fn overrides(&mut self, file: FileIx) -> Vec<(DefId, SymbolRef)> {
        let facts = self.facts(file);
        let mut out = Vec::new();
        for (ix, def) in facts.defs.iter().enumerate() {
            let Some(parent) = def.parent else { continue };
            let is_member = def.kind.is_callable() || def.kind == NodeKind::Property;
            let owner = facts.def(parent);
            if !is_member
                || !matches!(owner.kind, NodeKind::Class | NodeKind::Interface)
                || owner.supers.is_empty()
                || def.flags.has(DefFlags::LOCAL)
                || def.flags.has(DefFlags::ANONYMOUS)
                || def.flags.has(DefFlags::SETTER)
            {
                continue;
            }
            let name = self.name(file, def.name);
            let class = SymbolRef { file, def: parent };
            let found = self.class_members(class, name, true);
            if let Some(overridden) = found.found.first() {
                out.push((DefId(u32::try_from(ix).unwrap_or(u32::MAX)), *overridden));
            }
        }
        out
    }
}
