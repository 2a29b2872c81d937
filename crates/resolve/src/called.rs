//! Outcomes of calls and instantiations.

use strata_model::facts::{DefFlags, Expr};
use strata_model::ids::{ExprId, FileIx, SymbolRef};
use strata_model::kinds::NodeKind;
use strata_model::outcome::{How, Outcome, Status};

use crate::members::Members;
use crate::names::NameId;
use crate::program::{Namespace, Program, Target, Val, longer};
use crate::types::{TyData, Types};

impl Program<'_> {
    pub(crate) fn call_outcome(&mut self, file: FileIx, callee: ExprId, call: ExprId, is_new: bool) -> Outcome {
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
                let how = self.name_how(file, callee, &targets);
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
                let targets = self.meant_callables(file, value, call);
                // A literal position decides which element of a tuple it is, but not which of a list.
                let element = match facts.expr(callee) {
                    Expr::At(element, _) => facts.expr(element),
                    other => other,
                };
                if let Expr::Index(base, _) = element {
                    // Which of a container's functions is called is decided by the key. A class with arguments is itself.
                    let base = self.eval(file, base);
                    let is_container = !matches!(
                        self.types.get(base.ty),
                        TyData::Unknown
                            | TyData::Var(..)
                            | TyData::Made(_)
                            | TyData::Class(..)
                            | TyData::Builtin(..)
                            | TyData::Ext(..)
                    );
                    let is_decided = matches!(facts.expr(callee), Expr::At(..))
                        && matches!(self.types.get(base.ty), TyData::Tuple(_));
                    if is_container && !is_decided {
                        return Outcome::without_target(Status::Dynamic);
                    }
                }
                if targets.is_empty() {
                    return Outcome::without_target(Status::UnknownReceiver);
                }
                self.called(file, targets, value.how, value.chain, is_new, call)
            }
        }
    }

    fn super_call_outcome(&mut self, class: SymbolRef) -> Outcome {
        if let Some(outcome) = self.super_call_of_value(class) {
            return outcome;
        }
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
            None if mro.has_builtin || (!mro.has_unknown && !self.supers(class).is_empty()) => {
                Outcome::without_target(Status::Builtin)
            }
            None => Outcome::without_target(Status::UnknownReceiver),
        }
    }

    /// The outcome of `super()` where what the class extends is no class of the root: a value with construct signatures, or
    /// something builtin. The interfaces that it implements have no constructor.
    fn super_call_of_value(&mut self, class: SymbolRef) -> Option<Outcome> {
        if !self.file(class.file).is_ecmascript() {
            return None;
        }
        let facts = self.facts(class.file);
        let base = facts.supers[facts.def(class.def).supers.range()]
            .iter()
            .find(|it| !it.is_implements)?
            .ty;
        let ty = self.annotation(class.file, base).ty;
        if ty == Types::UNKNOWN
            && let Some(value) = self.base_value(class, base)
        {
            if self
                .types
                .parts(value.ty)
                .iter()
                .any(|it| matches!(self.types.get(*it), TyData::Class(..)))
            {
                return None;
            }
            let new = self.names.intern("<new>");
            let mut targets = Vec::new();
            for found in self.member(value.ty, new).targets {
                crate::modules::push(&mut targets, found.target);
            }
            targets.truncate(1);
            return (!targets.is_empty()).then(|| self.outcome_of(targets, How::Super, 1));
        }
        match self.types.get(ty) {
            TyData::BuiltinInst(..) => Some(Outcome::without_target(Status::Builtin)),
            TyData::Unknown => Some(Outcome::without_target(Status::UnknownReceiver)),
            _ => None,
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
        self.called(file, targets, how, longer(receiver.chain), is_new, call)
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
        let callable = self.without_namespaces(targets);
        let candidates = self.chosen_by_arity(file, callable, call);
        for target in candidates {
            match &target {
                Target::Symbol(symbol) if self.is_library(symbol.file) => {
                    crate::modules::push(&mut reached, target.clone());
                }
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
                            let found = match self.passed_through(*symbol) {
                                Some(component) => component,
                                None => self.meant_callables(file, value, call),
                            };
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
                            // A getter runs, whatever it gives: where that is nothing of the root, it is what is called.
                            let is_getter = def.flags.has(DefFlags::GETTER);
                            if is_getter && !found.iter().any(|it| matches!(it, Target::Symbol(_))) {
                                is_variable = false;
                                crate::modules::push(&mut reached, target.clone());
                                continue;
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
                    let found = self.meant_callables(file, value, call);
                    if found.is_empty() {
                        is_variable = true;
                    } else {
                        how = how.max(value.how);
                    }
                    for it in found {
                        let it = match it {
                            Target::Symbol(symbol) => {
                                let facts = self.facts(symbol.file);
                                if facts.def(symbol.def).kind == NodeKind::Class && !self.is_library(symbol.file) {
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

    /// Of a function and the namespace or interface that shares its name, a call means the function.
    fn without_namespaces(&mut self, targets: Vec<Target>) -> Vec<Target> {
        let mut kept = Vec::new();
        for target in &targets {
            let is_callable = match target {
                Target::Symbol(symbol) if !symbol.is_module() => {
                    let facts = self.facts(symbol.file);
                    let kind = facts.def(symbol.def).kind;
                    kind.is_callable() || kind == NodeKind::Class
                }
                _ => false,
            };
            if is_callable {
                kept.push(target.clone());
            }
        }
        let has_namespace = targets.len() > kept.len() && !kept.is_empty() && self.share_a_name(&targets);
        if has_namespace { kept } else { targets }
    }

    /// What a call through a value reaches; of several call signatures the one that is meant.
    fn meant_callables(&mut self, file: FileIx, value: Val, call: ExprId) -> Vec<Target> {
        let targets = self.callables(file, value);
        let Some((_, args)) = self.call_parts(file, call) else {
            return targets;
        };
        let mut meant = Vec::new();
        for target in targets {
            let target = match target {
                Target::Symbol(symbol)
                    if !symbol.is_module()
                        && !self.is_library(symbol.file)
                        && self.file(symbol.file).is_ecmascript() =>
                {
                    Target::Symbol(self.meant_signature(file, symbol, args))
                }
                other => other,
            };
            crate::modules::push(&mut meant, target);
        }
        meant
    }

    fn share_a_name(&mut self, targets: &[Target]) -> bool {
        let mut names = Vec::new();
        for target in targets {
            let Target::Symbol(symbol) = target else { return false };
            if symbol.is_module() {
                return false;
            }
            let facts = self.facts(symbol.file);
            let def = facts.def(symbol.def);
            names.push((symbol.file, def.parent, def.name));
        }
        names.windows(2).all(|pair| pair[0] == pair[1])
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
                let facts = self.facts(symbol.file);
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

    /// What a variable holds when its value is something handed through a library function that returns it in essence:
    /// `memo(forwardRef(C))`, `connect(m)(C)`, `lazy(() => import("./c"))`.
    pub(crate) fn passed_through(&mut self, variable: SymbolRef) -> Option<Vec<Target>> {
        if variable.is_module() || !self.file(variable.file).is_ecmascript() {
            return None;
        }
        let facts = self.facts(variable.file);
        let def = facts.def(variable.def);
        if !matches!(def.kind, NodeKind::Variable | NodeKind::Constant) {
            return None;
        }
        let [value] = *facts.expr_list(def.values) else {
            return None;
        };
        self.unwrapped(variable.file, value, 0)
    }

    fn unwrapped(&mut self, file: FileIx, value: ExprId, depth: u32) -> Option<Vec<Target>> {
        const LIMIT: u32 = 6;
        let facts = self.facts(file);
        let Expr::Call(callee, args, _) = facts.expr(value) else {
            return None;
        };
        if depth > LIMIT || !self.is_wrapper(file, callee) {
            return None;
        }
        let inner = facts.args(args).first()?.value;
        if let Some(found) = self.unwrapped(file, inner, depth + 1) {
            return Some(found);
        }
        let targets = match facts.expr(inner) {
            Expr::Def(function) => {
                // A loader: what it returns is a module, whose default export is meant.
                let result = self.result_of(SymbolRef { file, def: function });
                let module = self.awaited(result.ty, file);
                match self.types.get(module).clone() {
                    TyData::Module(module) => self.export(module, self.well_known.default).to_vec(),
                    _ => self.entity(file, inner, Namespace::Value),
                }
            }
            _ => self.entity(file, inner, Namespace::Value),
        };
        let is_found = targets.iter().any(|target| matches!(target, Target::Symbol(_)));
        is_found.then_some(targets)
    }

    fn is_wrapper(&mut self, file: FileIx, callee: ExprId) -> bool {
        const WRAPPERS: [&str; 7] = [
            "memo",
            "forwardRef",
            "lazy",
            "observer",
            "connect",
            "withRouter",
            "injectIntl",
        ];
        let facts = self.facts(file);
        if let Expr::Call(inner, ..) = facts.expr(callee) {
            return self.is_wrapper(file, inner);
        }
        self.entity(file, callee, Namespace::Value)
            .iter()
            .any(|target| match target {
                Target::External(path) => {
                    let text = self.names.text(*path);
                    text.rsplit('.').next().is_some_and(|last| WRAPPERS.contains(&last))
                }
                _ => false,
            })
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
}
