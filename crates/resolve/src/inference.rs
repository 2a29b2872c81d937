//! Type arguments of a call, by matching declared parameter types against arguments. One pass, no bounds are solved.

use strata_model::facts::{Arg, FileFacts, Param, ParamKind};
use strata_model::ids::{FileIx, Run, SymbolRef};
use strata_model::outcome::How;

use crate::program::{Program, Val};
use crate::types::{Ty, TyData, Types, UNTYPED, VarKey};

impl Program<'_> {
    /// Matches arguments against declared parameter types to find a call's type variables. `skip`: an argument that is
    /// being typed itself.
    pub(crate) fn infer_type_arguments(
        &mut self,
        file: FileIx,
        function: SymbolRef,
        callee: Ty,
        args: Run,
        skip: Option<u32>,
    ) -> Vec<(VarKey, Ty)> {
        let facts = self.facts(function.file);
        let params = facts.params(facts.def(function.def).params).to_vec();
        if params.iter().all(|param| param.hint.is_none()) {
            return Vec::new();
        }
        let offset = self.receiver_offset(callee);
        let is_ecmascript = self.file(function.file).is_ecmascript();
        let caller = self.facts(file);
        let mut env = Vec::new();
        // `def enter(self: T) -> T`: the receiver is an argument, too.
        if offset == 1
            && let Some(hint) = params.first().and_then(|param| param.hint)
            && let Some(receiver) = self.receiver_of(callee)
        {
            let declared = self.annotation(function.file, hint).ty;
            if self.types.has_holes(declared) {
                self.unify(declared, receiver, &mut env, 0);
            }
        }
        for (position, arg) in caller.args(args).iter().enumerate() {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            if arg.is_spread || skip == Some(position) {
                continue;
            }
            let index = parameter_of(&facts, &params, &caller, arg, position + offset);
            let rest = params
                .iter()
                .position(|param| param.kind == ParamKind::Rest)
                .filter(|rest| is_ecmascript && *rest <= (position + offset) as usize);
            let param = rest.or(index).map(|index| params[index]);
            let Some(hint) = param.and_then(|param| param.hint) else {
                continue;
            };
            let mut declared = self.annotation(function.file, hint).ty;
            if rest.is_some() {
                declared = self.iterated(declared, false, function.file);
            }
            if self.types.has_holes(declared) {
                let actual = self.eval(file, arg.value).ty;
                self.unify(declared, actual, &mut env, 0);
            }
        }
        env
    }

    /// Adds what the call passes for parameters without a declared type; what it does not pass is not known.
    pub(crate) fn add_untyped(
        &mut self,
        file: FileIx,
        function: SymbolRef,
        callee: Ty,
        args: Run,
        env: &mut Vec<(VarKey, Ty)>,
    ) {
        let facts = self.facts(function.file);
        let params = facts.params(facts.def(function.def).params).to_vec();
        let offset = self.receiver_offset(callee);
        let caller = self.facts(file);
        for (position, arg) in (0..).zip(caller.args(args)) {
            if arg.is_spread {
                break;
            }
            let Some(index) = parameter_of(&facts, &params, &caller, arg, position + offset) else {
                continue;
            };
            if params[index].hint.is_none() && matches!(params[index].kind, ParamKind::Normal | ParamKind::Keyword) {
                let actual = self.eval(file, arg.value).ty;
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                env.push(((function, index | UNTYPED), actual));
            }
        }
        for index in 0..u32::try_from(params.len()).unwrap_or(u32::MAX) {
            let key = (function, index | UNTYPED);
            if !env.iter().any(|(known, _)| *known == key) {
                env.push((key, Types::UNKNOWN));
            }
        }
    }

    /// Matches what a call gives against the type that its place asks for; what arguments said stands.
    pub(crate) fn infer_from_expected(&mut self, result: Ty, expected: Ty, env: &mut Vec<(VarKey, Ty)>) {
        let mut found = Vec::new();
        self.unify(result, expected, &mut found, 0);
        for (key, ty) in found {
            if !env.iter().any(|(known, _)| *known == key) {
                env.push((key, ty));
            }
        }
    }

    fn unify(&mut self, declared: Ty, actual: Ty, env: &mut Vec<(VarKey, Ty)>, depth: u32) {
        if actual == Types::UNKNOWN || depth > 6 {
            return;
        }
        match (self.types.get(declared).clone(), self.types.get(actual).clone()) {
            (TyData::Var(owner, index), _) => {
                let key = (owner, index);
                match env.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, ty)) => {
                        let known = *ty;
                        let joined = self.types.join([known, actual]);
                        if let Some((_, ty)) = env.iter_mut().find(|(known, _)| *known == key) {
                            *ty = joined;
                        }
                    }
                    None => env.push((key, actual)),
                }
            }
            (TyData::Intersection(parts), _) => {
                for part in parts.iter() {
                    self.unify(*part, actual, env, depth + 1);
                }
            }
            (_, TyData::Intersection(parts)) => {
                for part in parts.iter() {
                    self.unify(declared, *part, env, depth + 1);
                }
            }
            (TyData::Union(parts), _) => {
                let rest = self.types.without_null(actual);
                for part in parts.iter() {
                    self.unify(*part, rest, env, depth + 1);
                }
            }
            (TyData::Inst(class, _), _) if self.index_signature(class).is_some() => {
                if let Some(signature) = self.index_signature(class) {
                    let value = self.symbol_type(signature).ty;
                    let held = self.indexed_value(actual, class.file);
                    self.unify(value, held, env, depth + 1);
                }
            }
            (TyData::Inst(..), TyData::BuiltinInst(..) | TyData::Tuple(_)) => {
                if let Some((class, args)) = self.builtin_class(actual) {
                    let actual = self.types.intern(TyData::Inst(class, args));
                    self.unify(declared, actual, env, depth + 1);
                }
            }
            (TyData::BuiltinInst(..) | TyData::Tuple(_), TyData::Inst(..)) => {
                if let Some((class, args)) = self.builtin_class(declared) {
                    let declared = self.types.intern(TyData::Inst(class, args));
                    self.unify(declared, actual, env, depth + 1);
                }
            }
            (TyData::Inst(a, declared_args), TyData::Inst(b, _)) => {
                // The actual class may be a subclass: bring it to the declared class first.
                let mro = self.mro(b);
                let env_b = match self.types.get(actual).clone() {
                    TyData::Inst(class, args) => self.environment(class, &args),
                    _ => Vec::new(),
                };
                if let Some((_, args)) = mro.entries.iter().find(|(ancestor, _)| *ancestor == a) {
                    let args: Vec<Ty> = args.iter().map(|arg| self.substitute(*arg, &env_b, None)).collect();
                    for (declared, actual) in declared_args.iter().zip(args) {
                        self.unify(*declared, actual, env, depth + 1);
                    }
                } else {
                    self.unify_members(a, declared, actual, env, depth);
                }
            }
            (TyData::ClassOf(of), _) => {
                let made = self.as_instance(actual);
                self.unify(of, made, env, depth + 1);
            }
            (TyData::Class(_, _), TyData::Class(..)) => {
                let (declared, actual) = (self.as_instance(declared), self.as_instance(actual));
                self.unify(declared, actual, env, depth + 1);
            }
            (TyData::Tuple(a), TyData::Tuple(b)) => {
                for (declared, actual) in a.iter().zip(b.iter()) {
                    self.unify(*declared, *actual, env, depth + 1);
                }
            }
            (TyData::FnType(..), TyData::Func(function) | TyData::Bound(function, _))
                if self.declared_as(function).is_some() =>
            {
                let as_declared = self.declared_as(function).unwrap_or(Types::UNKNOWN);
                self.unify(declared, as_declared, env, depth + 1);
            }
            (TyData::FnType(params, ret), TyData::Func(function) | TyData::Bound(function, _)) => {
                self.unify_declared_parameters(&params, function, env, depth);
                let result = self.result_of(function).ty;
                self.unify(ret, result, env, depth + 1);
            }
            (TyData::FnType(params, ret), TyData::FnType(actual_params, actual_ret)) => {
                for (declared, actual) in params.iter().zip(actual_params.iter()) {
                    self.unify(*declared, *actual, env, depth + 1);
                }
                self.unify(ret, actual_ret, env, depth + 1);
            }
            (TyData::Inst(class, _), TyData::Func(_) | TyData::Bound(..) | TyData::FnType(..)) => {
                if let Some(signature) = self.only_call_signature(class) {
                    let wanted = self.function_type_of(signature, declared);
                    self.unify(wanted, actual, env, depth + 1);
                }
            }
            (TyData::FnType(..), TyData::Inst(class, _)) => {
                if let Some(signature) = self.only_call_signature(class) {
                    let given = self.function_type_of(signature, actual);
                    self.unify(declared, given, env, depth + 1);
                }
            }
            (TyData::FnType(_, ret), TyData::Class(..)) => {
                let made = self.as_instance(actual);
                self.unify(ret, made, env, depth + 1);
            }
            (TyData::BuiltinInst(..) | TyData::Ext(..), _) => {
                let Some((name, declared_args)) = self.container(declared) else {
                    return;
                };
                if self.asks_ecmascript() && matches!(name.as_str(), "Iterable" | "ArrayLike") {
                    let item = self.items_of(actual);
                    if let Some(declared) = declared_args.first() {
                        self.unify(*declared, item, env, depth + 1);
                    }
                    return;
                }
                let Some((_, actual_args)) = self.container(actual) else {
                    return;
                };
                for (declared, actual) in declared_args.iter().zip(actual_args.iter()) {
                    self.unify(*declared, *actual, env, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// A type that is not named as an ancestor may still have what is asked for: members are matched by name.
    fn unify_members(&mut self, class: SymbolRef, declared: Ty, actual: Ty, env: &mut Vec<(VarKey, Ty)>, depth: u32) {
        const LIMIT: usize = 24;
        let file = self.file(class.file);
        if !file.is_ecmascript() || depth > 3 {
            return;
        }
        self.look_up_def(class);
        for def in file.declared_members(class.def).iter().take(LIMIT) {
            let name = file.name(file.facts.def(*def).name);
            let member = SymbolRef {
                file: class.file,
                def: *def,
            };
            if file.facts.def(*def).kind.is_callable() {
                continue;
            }
            let wanted = self.symbol_type(member).ty;
            let own = self.receiver_environment(member, declared);
            let wanted = self.substitute(wanted, &own, Some(declared));
            if !self.types.has_holes(wanted) {
                continue;
            }
            let given = self.member_value(Val::new(actual, How::Lexical), name).ty;
            self.unify(wanted, given, env, depth + 1);
        }
    }

    /// What the parameters of a function are declared as; those of literals that depend on the call say nothing.
    fn unify_declared_parameters(
        &mut self,
        declared: &[Ty],
        function: SymbolRef,
        env: &mut Vec<(VarKey, Ty)>,
        depth: u32,
    ) {
        if !self.file(function.file).is_ecmascript() {
            return;
        }
        self.look_up_def(function);
        let facts = self.facts(function.file);
        let params = facts.params(facts.def(function.def).params);
        for (declared, param) in declared.iter().zip(params) {
            if let Some(hint) = param.hint
                && param.kind == ParamKind::Normal
                && self.types.has_holes(*declared)
            {
                let actual = self.annotation(function.file, hint).ty;
                self.unify(*declared, actual, env, depth + 1);
            }
        }
    }

    /// A call signature of a type as a function type, in terms of the type's arguments.
    pub(crate) fn function_type_of(&mut self, signature: SymbolRef, of: Ty) -> Ty {
        let facts = self.facts(signature.file);
        let n_params = facts.def(signature.def).params.len;
        let params: Vec<Ty> = (0..n_params).map(|index| self.parameter(signature, index).ty).collect();
        let result = self.result_of(signature).ty;
        let whole = self.types.intern(TyData::FnType(params.into(), result));
        let env = self.receiver_environment(signature, of);
        self.substitute(whole, &env, Some(of))
    }
}

/// The index of the parameter that an argument is passed to; `position` counts the receiver.
fn parameter_of(facts: &FileFacts, params: &[Param], caller: &FileFacts, arg: &Arg, position: u32) -> Option<usize> {
    match arg.name {
        Some(name) => params
            .iter()
            .position(|param| facts.str(param.name) == caller.str(name)),
        None => Some(position as usize).filter(|index| *index < params.len()),
    }
}
