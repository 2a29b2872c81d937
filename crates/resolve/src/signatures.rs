//! Which of several signatures a call means, and its type arguments, where signatures are written out: overloads of functions
//! and methods, call and construct signatures of interfaces.

use strata_model::facts::{DefFlags, Expr, ParamKind};
use strata_model::ids::{DefId, FileIx, Run, SymbolRef};
use strata_model::outcome::How;

use crate::calls::Site;

use crate::program::{Program, Question, Val};
use crate::types::{Ty, TyData, Types, VarKey};

impl Program<'_> {
    /// The signature of a function that a call means, with the callee's type for it. None: one of several, and what is
    /// known of the arguments does not tell which.
    pub(crate) fn signature_for(
        &mut self,
        file: FileIx,
        function: SymbolRef,
        callee: Ty,
        site: Site,
    ) -> Option<(SymbolRef, Ty)> {
        if !self.file(function.file).is_ecmascript() {
            return Some(if self.is_library(function.file) {
                self.chosen_signature(file, function, callee, site.args)
            } else {
                let signature = self.overload_for(file, function, callee, site.args);
                (signature.unwrap_or(function), callee)
            });
        }
        let written = self.written_signatures(function);
        if written.len() < 2 {
            return Some((written.first().copied().unwrap_or(function), callee));
        }
        let signature = self.one_that_fits(file, &written, callee, site)?;
        let data = match self.types.get(callee).clone() {
            TyData::Bound(_, receiver) => TyData::Bound(signature, receiver),
            _ => TyData::Func(signature),
        };
        let callee = self.types.intern(data);
        Some((signature, callee))
    }

    /// The type that the variable or property of a function literal is declared to have.
    pub(crate) fn declared_as(&mut self, function: SymbolRef) -> Option<Ty> {
        let facts = self.facts(function.file);
        let def = facts.def(function.def);
        let hint = def.hint?;
        if !self.file(function.file).is_ecmascript() {
            return None;
        }
        self.look_up_def(function);
        let ty = self.annotation(function.file, hint).ty;
        (ty != Types::UNKNOWN && self.types.get(ty) != &TyData::Func(function)).then_some(ty)
    }

    /// The signatures under which a function is declared, in order: those before an implementation, or the function itself and
    /// all that share its name where none is implemented.
    pub(crate) fn written_signatures(&mut self, function: SymbolRef) -> Vec<SymbolRef> {
        let file = self.file(function.file);
        let facts = &file.facts;
        let def = facts.def(function.def);
        let siblings: Vec<DefId> = match def.parent {
            Some(parent) => file.members_named(parent, file.name(def.name)).to_vec(),
            None => file.top_level_named(file.name(def.name)).to_vec(),
        };
        if siblings.len() < 2 {
            return vec![function];
        }
        let is_static = def.flags.has(DefFlags::STATIC);
        let alike: Vec<DefId> = siblings
            .into_iter()
            .filter(|id| {
                let it = facts.def(*id);
                it.kind.is_callable() && it.flags.has(DefFlags::STATIC) == is_static
            })
            .collect();
        let has_overloads = alike.iter().any(|id| facts.def(*id).flags.has(DefFlags::OVERLOAD));
        let signatures: Vec<SymbolRef> = alike
            .into_iter()
            .filter(|id| !has_overloads || facts.def(*id).flags.has(DefFlags::OVERLOAD))
            .map(|def| SymbolRef {
                file: function.file,
                def,
            })
            .collect();
        for signature in &signatures {
            self.look_up_def(*signature);
        }
        if signatures.is_empty() {
            vec![function]
        } else {
            signatures
        }
    }

    /// The signature of an interface's calls, or of an implementation, that a call leads to: `signatures` are those of one name.
    pub(crate) fn meant_signature(&mut self, file: FileIx, signature: SymbolRef, args: Run) -> SymbolRef {
        let written = self.written_signatures(signature);
        if written.len() < 2 || !written.contains(&signature) {
            return signature;
        }
        let callee = self.types.intern(TyData::Func(signature));
        self.first_that_fits(file, &written, callee, args).unwrap_or(signature)
    }

    /// What a call says about the type parameters of the function: as written, inferred from arguments, from the type that the
    /// call's place asks for, and at last their defaults.
    pub(crate) fn type_arguments_of(
        &mut self,
        file: FileIx,
        function: SymbolRef,
        callee: Ty,
        site: Site,
    ) -> Vec<(VarKey, Ty)> {
        let facts = self.facts(function.file);
        let n_own = facts.def(function.def).type_params.len;
        let is_ecmascript = self.file(function.file).is_ecmascript();
        let written = if is_ecmascript {
            self.annotations(file, site.types)
        } else {
            Vec::new()
        };
        if !written.is_empty() {
            let mut env: Vec<(VarKey, Ty)> = (0..n_own).map(|index| (function, index)).zip(written).collect();
            self.add_defaults(function, n_own, &mut env);
            return env;
        }
        let mut env = self.infer_type_arguments(file, function, callee, site.args, site.skip);
        if !is_ecmascript || n_own == 0 {
            return env;
        }
        let is_open = (0..n_own).any(|index| !env.iter().any(|(key, _)| *key == (function, index)));
        if is_open && let Some(whole) = site.whole {
            let expected = self.expected_of_expr(file, whole);
            if expected != Types::UNKNOWN {
                let result = self.result_of(function).ty;
                self.infer_from_expected(result, expected, &mut env);
            }
        }
        if is_open {
            self.add_defaults(function, n_own, &mut env);
        }
        env
    }

    /// Type parameters that nothing else tells are what their defaults say.
    pub(crate) fn add_defaults(&mut self, owner: SymbolRef, n_params: u32, env: &mut Vec<(VarKey, Ty)>) {
        for index in 0..n_params {
            let key = (owner, index);
            if env.iter().any(|(known, _)| *known == key) {
                continue;
            }
            let default = self.default_of(owner, index);
            if default != Types::UNKNOWN {
                let ty = self.substitute(default, env, None);
                env.push((key, ty));
            }
        }
    }

    /// Replaces variables, and settles what depended on them.
    pub(crate) fn substitute(&mut self, ty: Ty, env: &[(VarKey, Ty)], receiver: Option<Ty>) -> Ty {
        let ty = self.types.substitute(ty, env, receiver);
        self.settled(ty)
    }

    /// A member of what a variable stood for, once that is known.
    fn settled(&mut self, ty: Ty) -> Ty {
        match self.types.get(ty).clone() {
            TyData::Indexed(of, name) => {
                let of = self.settled(of);
                if matches!(self.types.get(of), TyData::Var(..) | TyData::Indexed(..)) {
                    return self.types.intern(TyData::Indexed(of, name));
                }
                self.member_value(Val::new(of, How::HintLocal), name).ty
            }
            TyData::Union(members)
                if members
                    .iter()
                    .any(|it| matches!(self.types.get(*it), TyData::Indexed(..))) =>
            {
                let members: Vec<Ty> = members.iter().map(|it| self.settled(*it)).collect();
                self.types.join(members)
            }
            _ => ty,
        }
    }

    /// The type of a member, of a variable as far as its bound tells.
    pub(crate) fn indexed_by_bound(&mut self, of: Ty, name: crate::names::NameId) -> Ty {
        let value = self.ask(Question::Indexed(of, name), |program| {
            program.member_value(Val::new(of, How::HintLocal), name)
        });
        value.ty
    }

    /// The default of a type parameter.
    pub(crate) fn default_of(&mut self, owner: SymbolRef, index: u32) -> Ty {
        let facts = self.facts(owner.file);
        let params = facts.params(facts.def(owner.def).type_params);
        let Some(default) = params.get(index as usize).and_then(|it| it.default) else {
            return Types::UNKNOWN;
        };
        match facts.expr(default) {
            Expr::Cast(ty) => self.annotation(owner.file, ty).ty,
            _ => Types::UNKNOWN,
        }
    }

    /// Of the parts of an intersection those that a number of arguments speaks for: functions of fewer parameters are out.
    pub(crate) fn parts_that_take(&mut self, file: FileIx, parts: &[Ty], args: Run) -> Vec<Ty> {
        let Some(n_args) = self.positional_count(file, args) else {
            return parts.to_vec();
        };
        parts
            .iter()
            .copied()
            .filter(|part| match self.types.get(*part) {
                TyData::FnType(params, _) => n_args <= params.len(),
                _ => true,
            })
            .collect()
    }

    /// What a value of a type gives for a key that is not known: an index signature, or an element.
    pub(crate) fn indexed_value(&mut self, ty: Ty, file: FileIx) -> Ty {
        let mut found = Vec::new();
        for part in self.types.parts(ty) {
            if let Some((name, args)) = self.container(part)
                && let Some(index) = self.wrapper(&name, file).and_then(|wrapper| wrapper.index)
            {
                found.push(args.get(usize::from(index)).copied().unwrap_or(Types::UNKNOWN));
                continue;
            }
            if let TyData::Inst(class, _) = self.types.get(part).clone()
                && self.file(class.file).is_ecmascript()
            {
                let name = self.names.intern("<index>");
                let members = self.class_members(class, name, false);
                if let [signature] = *members.found.as_slice() {
                    let value = self.symbol_type(signature).ty;
                    let env = self.receiver_environment(signature, part);
                    found.push(self.substitute(value, &env, Some(part)));
                }
            }
        }
        self.types.join(found)
    }

    /// How many arguments a function has to be given, and how many it takes at most.
    pub(crate) fn arity(&mut self, function: SymbolRef) -> (usize, Option<usize>) {
        let facts = self.facts(function.file);
        let params = facts.params(facts.def(function.def).params);
        let n_required = params
            .iter()
            .filter(|it| !it.is_optional && it.default.is_none() && it.kind == ParamKind::Normal)
            .count();
        let takes_any = params.iter().any(|it| it.kind == ParamKind::Rest);
        (n_required, (!takes_any).then_some(params.len()))
    }
}
