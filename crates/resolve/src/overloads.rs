//! Overloads: which signature a call means, for the sake of what it gives. What is called is the implementation.

use strata_model::facts::{DefFlags, Param, ParamKind};
use strata_model::ids::{DefId, FileIx, Run, SymbolRef};

use crate::calls::Site;
use crate::narrowing::Within;
use crate::program::Program;
use crate::types::{Ty, TyData, Types};

impl Program<'_> {
    /// The signature of an overloaded function that a call means: the first that fits, if it is certain that none before
    /// it does.
    pub(crate) fn overload_for(
        &mut self,
        file: FileIx,
        function: SymbolRef,
        callee: Ty,
        args: Run,
    ) -> Option<SymbolRef> {
        let signatures = self.signatures(function);
        self.one_that_fits(file, &signatures, callee, Site::of(args))
    }

    /// The first of several signatures that fits, if it is certain that none before it does, or does not matter.
    pub(crate) fn one_that_fits(
        &mut self,
        file: FileIx,
        signatures: &[SymbolRef],
        callee: Ty,
        site: Site,
    ) -> Option<SymbolRef> {
        let mut possible = Vec::new();
        for signature in signatures {
            match self.fit(file, *signature, callee, site.args, site.skip) {
                Within::No => {}
                Within::Unknown => possible.push(*signature),
                Within::Yes => {
                    possible.push(*signature);
                    break;
                }
            }
        }
        let (first, others) = possible.split_first()?;
        if others.is_empty() {
            return Some(*first);
        }
        let result = self.result_of(*first).ty;
        let is_alike = others.iter().all(|other| self.result_of(*other).ty == result);
        is_alike.then_some(*first)
    }

    /// The first of several signatures that nothing speaks against.
    pub(crate) fn first_that_fits(
        &mut self,
        file: FileIx,
        signatures: &[SymbolRef],
        callee: Ty,
        args: Run,
    ) -> Option<SymbolRef> {
        signatures
            .iter()
            .copied()
            .find(|signature| self.fit(file, *signature, callee, args, None) != Within::No)
    }

    /// The overload signatures of an implementation: the definitions of its name right before it.
    pub(crate) fn signatures(&mut self, function: SymbolRef) -> Vec<SymbolRef> {
        if self.file(function.file).is_ecmascript() {
            return Vec::new();
        }
        let facts = self.facts(function.file);
        let def = facts.def(function.def);
        let mut signatures = Vec::new();
        for ix in (0..function.def.0).rev() {
            let before = facts.def(DefId(ix));
            let belongs =
                before.name == def.name && before.parent == def.parent && before.flags.has(DefFlags::OVERLOAD);
            if !belongs {
                break;
            }
            signatures.push(SymbolRef {
                file: function.file,
                def: DefId(ix),
            });
        }
        signatures.reverse();
        for signature in &signatures {
            self.look_up_def(*signature);
        }
        signatures
    }

    /// Whether the arguments of a call are what a signature takes.
    fn fit(&mut self, file: FileIx, signature: SymbolRef, callee: Ty, args: Run, skip: Option<u32>) -> Within {
        let facts = self.facts(signature.file);
        let params: Vec<Param> = facts.params(facts.def(signature.def).params).to_vec();
        let offset = self.receiver_offset(callee) as usize;
        let is_ecmascript = self.file(signature.file).is_ecmascript();
        let caller = self.facts(file);
        let mut is_given = vec![false; params.len()];
        is_given.iter_mut().take(offset).for_each(|it| *it = true);
        let mut fit = Within::Yes;
        let mut has_spread = false;
        for (position, arg) in caller.args(args).iter().enumerate() {
            if arg.is_spread {
                has_spread = true;
                fit = fit.min(Within::Unknown);
                continue;
            }
            let at = match arg.name {
                Some(name) => params
                    .iter()
                    .position(|it| facts.str(it.name) == caller.str(name) && !matches!(it.kind, ParamKind::Rest)),
                None => {
                    Some(position + offset).filter(|at| params.get(*at).is_some_and(|it| it.kind == ParamKind::Normal))
                }
            };
            let rest = if arg.name.is_some() {
                ParamKind::KeywordRest
            } else {
                ParamKind::Rest
            };
            let Some(at) = at.or_else(|| params.iter().position(|it| it.kind == rest)) else {
                return Within::No;
            };
            is_given[at] = true;
            let Some(hint) = params[at].hint else { continue };
            if skip.is_some_and(|skip| skip as usize == position) {
                continue;
            }
            let mut declared = self.annotation(signature.file, hint).ty;
            if params[at].kind == ParamKind::Rest && is_ecmascript {
                declared = self.iterated(declared, false, signature.file);
            }
            let actual = self.eval(file, arg.value).ty;
            fit = fit.min(self.fits(actual, declared));
            if fit == Within::No {
                return Within::No;
            }
        }
        let is_short = params.iter().zip(&is_given).any(|(param, is_given)| {
            !is_given
                && !param.is_optional
                && param.default.is_none()
                && matches!(param.kind, ParamKind::Normal | ParamKind::Keyword)
        });
        if is_short && !has_spread { Within::No } else { fit }
    }

    fn fits(&mut self, actual: Ty, declared: Ty) -> Within {
        let wanted = self.types.members(declared);
        let mut worst = Within::Yes;
        for part in self.types.members(actual) {
            if matches!(
                self.types.get(part),
                TyData::Unknown | TyData::Var(..) | TyData::Dynamic
            ) {
                worst = worst.min(Within::Unknown);
                continue;
            }
            let mut best = Within::No;
            for one in &wanted {
                let is_function = self.is_function(part);
                let fit = match self.types.get(*one).clone() {
                    _ if *one == Types::UNKNOWN => Within::Unknown,
                    TyData::FnType(params, _) if is_function == Some(true) => self.fits_function(part, params.len()),
                    TyData::FnType(..) if is_function == Some(false) => Within::No,
                    TyData::BuiltinInst(name, _) if is_function == Some(true) && is_plain(&self.names.text(name)) => {
                        Within::No
                    }
                    // A variable takes anything; its bound is not looked at.
                    TyData::Var(..) => Within::Yes,
                    _ => {
                        let mut within = self.within(part, *one);
                        if within == Within::Unknown {
                            within = self.has_shape_of(part, *one);
                        }
                        if within == Within::No {
                            self.fits_by_members(part, *one)
                        } else {
                            within
                        }
                    }
                };
                best = best.max(fit);
            }
            worst = worst.min(best);
        }
        worst
    }

    /// Types of ECMAScript are compared by their members: one that lacks a member which has to be there does not fit.
    fn fits_by_members(&mut self, actual: Ty, declared: Ty) -> Within {
        let (TyData::Inst(class, _) | TyData::SelfInst(class), TyData::Inst(wanted, _)) =
            (self.types.get(actual).clone(), self.types.get(declared).clone())
        else {
            return Within::No;
        };
        let file = self.file(wanted.file);
        if !file.is_ecmascript() {
            return Within::No;
        }
        let mro = self.mro(class);
        let is_open = mro.has_unknown || mro.has_builtin || mro.external.is_some();
        self.look_up_def(wanted);
        for def in file.declared_members(wanted.def) {
            let member = file.facts.def(*def);
            let is_index = file.facts.str(member.name) == "<index>";
            if member.flags.has(DefFlags::OPTIONAL) || is_open || is_index {
                continue;
            }
            let name = file.name(member.name);
            if self.class_members(class, name, false).found.is_empty() {
                return Within::No;
            }
        }
        Within::Unknown
    }

    /// Whether a value can be called; none: not known.
    fn is_function(&self, ty: Ty) -> Option<bool> {
        match self.types.get(ty) {
            TyData::Func(_) | TyData::Bound(..) | TyData::FnType(..) => Some(true),
            TyData::Null | TyData::Tuple(_) => Some(false),
            TyData::BuiltinInst(name, _) => is_plain(&self.names.text(*name)).then_some(false),
            _ => None,
        }
    }

    /// A function goes where one with at least as many parameters is asked for.
    fn fits_function(&mut self, function: Ty, n_params: usize) -> Within {
        match self.types.get(function).clone() {
            TyData::Func(function) | TyData::Bound(function, _) => {
                let (n_required, _) = self.arity(function);
                if n_required > n_params { Within::No } else { Within::Yes }
            }
            _ => Within::Unknown,
        }
    }
}

/// Builtin types whose values are no functions.
fn is_plain(name: &str) -> bool {
    matches!(
        name,
        "String"
            | "Number"
            | "Boolean"
            | "Array"
            | "ReadonlyArray"
            | "Map"
            | "Set"
            | "Promise"
            | "Date"
            | "RegExp"
            | "BigInt"
    )
}
