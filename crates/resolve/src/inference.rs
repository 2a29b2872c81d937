//! Type arguments of a call, by matching declared parameter types against arguments. One pass, no bounds are solved.

use strata_model::ids::{FileIx, Run, SymbolRef};

use crate::program::Program;
use crate::types::{Ty, TyData, Types, VarKey};

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
        if params.iter().all(|param| param.hint.is_none()) || args.is_empty() {
            return Vec::new();
        }
        let offset = self.receiver_offset(callee);
        let caller = self.facts(file);
        let mut env = Vec::new();
        for (position, arg) in caller.args(args).iter().enumerate() {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            if arg.is_spread || skip == Some(position) {
                continue;
            }
            let param = match arg.name {
                Some(name) => params.iter().find(|param| facts.str(param.name) == caller.str(name)),
                None => params.get((position + offset) as usize),
            };
            let Some(hint) = param.and_then(|param| param.hint) else {
                continue;
            };
            let declared = self.annotation(function.file, hint).ty;
            if self.types.has_holes(declared) {
                let actual = self.eval(file, arg.value).ty;
                self.unify(declared, actual, &mut env, 0);
            }
        }
        env
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
            (TyData::Union(parts), _) => {
                let rest = self.types.without_null(actual);
                for part in parts.iter() {
                    self.unify(*part, rest, env, depth + 1);
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
                    let args: Vec<Ty> = args
                        .iter()
                        .map(|arg| self.types.substitute(*arg, &env_b, None))
                        .collect();
                    for (declared, actual) in declared_args.iter().zip(args) {
                        self.unify(*declared, actual, env, depth + 1);
                    }
                }
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
            (TyData::FnType(_, ret), TyData::Func(function) | TyData::Bound(function, _)) => {
                let result = self.result_of(function).ty;
                self.unify(ret, result, env, depth + 1);
            }
            (TyData::FnType(_, ret), TyData::Class(..)) => {
                let made = self.as_instance(actual);
                self.unify(ret, made, env, depth + 1);
            }
            (TyData::BuiltinInst(..) | TyData::Ext(..), _) => {
                let (Some((_, declared_args)), Some((_, actual_args))) =
                    (self.container(declared), self.container(actual))
                else {
                    return;
                };
                for (declared, actual) in declared_args.iter().zip(actual_args.iter()) {
                    self.unify(*declared, *actual, env, depth + 1);
                }
            }
            _ => {}
        }
    }
}
