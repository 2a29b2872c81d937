//! Expected types: what the place where an expression stands asks for. They type the parameters of function literals, `this`
//! in object literals, and type arguments that nothing else tells.

use strata_model::facts::{DefFlags, Expr, ParamKind};
use strata_model::ids::{DefId, ExprId, FileIx, SymbolRef};
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;

use crate::calls::Site;
use crate::program::{Program, Question, Val};
use crate::types::{Ty, TyData, Types};

/// Where an expression stands that is asked for its expected type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// The value of a variable or property.
    Value(DefId),
    /// What a function returns.
    Returned(DefId),
    /// One of the elements of a list.
    Element(ExprId),
    /// One of the alternatives that an expression comes to.
    Alternative(ExprId),
}

impl Program<'_> {
    /// The type that the place of a function or object literal, or of a function that a property holds, asks for.
    pub(crate) fn expected_of_def(&mut self, symbol: SymbolRef) -> Ty {
        let value = self.ask(Question::Expected(symbol), |program| {
            let ty = program.find_expected(symbol);
            Val::new(ty, How::HintLocal)
        });
        value.ty
    }

    fn find_expected(&mut self, symbol: SymbolRef) -> Ty {
        self.look_up_def(symbol);
        let facts = self.facts(symbol.file);
        let def = facts.def(symbol.def);
        if let Some(hint) = def.hint {
            return self.annotation(symbol.file, hint).ty;
        }
        if let Some((call, position)) = def.context {
            return self.expected_argument(symbol.file, call, position);
        }
        if let Some(parent) = def.parent
            && def.kind == NodeKind::Method
            && is_literal(facts.def(parent).flags, facts.def(parent).kind)
        {
            let object = SymbolRef {
                file: symbol.file,
                def: parent,
            };
            return self.expected_member(object, symbol);
        }
        let file = self.file(symbol.file);
        match file.place_of_def(symbol.def) {
            Some(place) => self.expected_at(symbol.file, place),
            None => Types::UNKNOWN,
        }
    }

    /// The type that the place of a call asks for.
    pub(crate) fn expected_of_expr(&mut self, file: FileIx, expr: ExprId) -> Ty {
        let loaded = self.file(file);
        match loaded.place_of_expr(expr) {
            Some(place) => self.expected_at(file, place),
            None => Types::UNKNOWN,
        }
    }

    fn expected_at(&mut self, file: FileIx, place: Place) -> Ty {
        match place {
            Place::Value(def) => self.expected_value(SymbolRef { file, def }),
            Place::Returned(def) => self.expected_result(SymbolRef { file, def }),
            Place::Element(list) => {
                let list = self.expected_of_expr(file, list);
                self.iterated(list, false, file)
            }
            Place::Alternative(whole) => self.expected_of_expr(file, whole),
        }
    }

    /// What the value of a variable or property has to be.
    fn expected_value(&mut self, holder: SymbolRef) -> Ty {
        self.look_up_def(holder);
        let facts = self.facts(holder.file);
        let def = facts.def(holder.def);
        if let Some(hint) = def.hint {
            return self.annotation(holder.file, hint).ty;
        }
        let Some(parent) = def.parent else {
            return Types::UNKNOWN;
        };
        let around = facts.def(parent);
        if !is_literal(around.flags, around.kind) {
            return Types::UNKNOWN;
        }
        let object = SymbolRef {
            file: holder.file,
            def: parent,
        };
        self.expected_member(object, holder)
    }

    /// What a member of an object literal has to be: what the literal's own expected type says of the name.
    fn expected_member(&mut self, object: SymbolRef, member: SymbolRef) -> Ty {
        let expected = self.expected_of_def(object);
        if expected == Types::UNKNOWN {
            return Types::UNKNOWN;
        }
        let facts = self.facts(member.file);
        let name = self.name(member.file, facts.def(member.def).name);
        let expected = self.types.without_null(expected);
        let receiver = Val::new(expected, How::HintLocal);
        let found = self.member_value(receiver, name).ty;
        if found != Types::UNKNOWN {
            return found;
        }
        self.indexed_value(expected, member.file)
    }

    /// What a function has to return.
    fn expected_result(&mut self, function: SymbolRef) -> Ty {
        self.look_up_def(function);
        self.look_up_body(function);
        let facts = self.facts(function.file);
        let def = facts.def(function.def);
        if def.flags.has(DefFlags::GENERATOR) {
            return Types::UNKNOWN;
        }
        let result = match def.ret_hint {
            Some(hint) => self.annotation(function.file, hint).ty,
            None => {
                let expected = self.expected_of_def(function);
                self.result_of_type(expected)
            }
        };
        if def.flags.has(DefFlags::ASYNC) {
            self.awaited(result, function.file)
        } else {
            result
        }
    }

    /// What calling a value of a function type gives, whatever it is called with.
    fn result_of_type(&mut self, ty: Ty) -> Ty {
        let mut results = Vec::new();
        for part in self.types.parts(ty) {
            results.push(match self.types.get(part).clone() {
                TyData::FnType(_, result) => result,
                TyData::Inst(class, _) => match self.only_call_signature(class) {
                    Some(signature) => {
                        let result = self.result_of(signature).ty;
                        let env = self.receiver_environment(signature, part);
                        self.substitute(result, &env, Some(part))
                    }
                    None => Types::UNKNOWN,
                },
                TyData::Func(function) | TyData::Bound(function, _) => self.result_of(function).ty,
                _ => Types::UNKNOWN,
            });
        }
        self.types.join(results)
    }

    pub(crate) fn only_call_signature(&mut self, class: SymbolRef) -> Option<SymbolRef> {
        let call = self.names.intern("<call>");
        match self.class_members(class, call, false).found.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The type of the parameter that an argument is passed to, with what else the call says about type parameters.
    pub(crate) fn expected_argument(&mut self, file: FileIx, call: ExprId, position: u32) -> Ty {
        let facts = self.facts(file);
        let (callee, args, types, is_new) = match facts.expr(call) {
            Expr::Call(callee, args, types) => (callee, args, types, false),
            Expr::New(callee, args, types) => (callee, args, types, true),
            _ => return Types::UNKNOWN,
        };
        let site = Site {
            args,
            types,
            whole: Some(call),
            skip: Some(position),
        };
        let callee = self.eval_callee(file, callee);
        self.expected_by(file, callee.ty, site, position, is_new)
    }

    fn expected_by(&mut self, file: FileIx, callee: Ty, site: Site, position: u32, is_new: bool) -> Ty {
        let mut parts = Vec::new();
        for ty in self.types.parts(callee) {
            if let TyData::Func(function) | TyData::Bound(function, _) = *self.types.get(ty)
                && let Some(declared) = self.declared_as(function)
            {
                parts.push(self.expected_by(file, declared, site, position, is_new));
                continue;
            }
            let part = match self.types.get(ty).clone() {
                TyData::FnType(params, _) => parameter_at(&params, position),
                TyData::Func(_) | TyData::Bound(..) if !is_new => self.parameter_of_call(file, ty, site, position),
                TyData::Class(..) | TyData::SelfClass(_) => self.parameter_of_new(file, ty, site, position),
                TyData::Builtin(name, _) => {
                    let value = self.global_value(name).ty;
                    let signature = match self.types.get(value) {
                        TyData::Func(_) => value,
                        _ => self.signature_of_value(value, is_new),
                    };
                    self.parameter_of_call(file, signature, site, position)
                }
                TyData::Inst(..) | TyData::SelfInst(_) | TyData::BuiltinInst(..) => {
                    let signature = self.signature_of_value(ty, is_new);
                    self.parameter_of_call(file, signature, site, position)
                }
                _ => Types::UNKNOWN,
            };
            parts.push(part);
        }
        self.types.join(parts)
    }

    fn parameter_of_call(&mut self, file: FileIx, callee: Ty, site: Site, position: u32) -> Ty {
        let (TyData::Func(function) | TyData::Bound(function, _)) = self.types.get(callee).clone() else {
            return Types::UNKNOWN;
        };
        let Some((signature, callee)) = self.signature_for(file, function, callee, site) else {
            return Types::UNKNOWN;
        };
        let offset = self.receiver_offset(callee);
        let declared = self.declared_parameter(signature, position + offset);
        let mut env = self.type_arguments_of(file, signature, callee, site);
        let receiver = self.receiver_of(callee);
        if let Some(receiver) = receiver {
            env.extend(self.receiver_environment(signature, receiver));
        }
        self.substitute(declared, &env, receiver)
    }

    fn parameter_of_new(&mut self, file: FileIx, class_ty: Ty, site: Site, position: u32) -> Ty {
        let (TyData::Class(class, _) | TyData::SelfClass(class)) = self.types.get(class_ty).clone() else {
            return Types::UNKNOWN;
        };
        let Some((constructor, bound)) = self.constructor_for(file, class, site) else {
            return Types::UNKNOWN;
        };
        let declared = self.declared_parameter(constructor, position);
        let made = self.made_with(file, class, constructor, bound, site);
        let env = self.receiver_environment(constructor, made);
        self.substitute(declared, &env, Some(made))
    }

    /// The declared type of the parameter at a position; a rest parameter stands for all from its own on.
    fn declared_parameter(&mut self, function: SymbolRef, position: u32) -> Ty {
        self.look_up_def(function);
        let facts = self.facts(function.file);
        let params = facts.params(facts.def(function.def).params);
        let rest = params.iter().position(|it| it.kind == ParamKind::Rest);
        match rest {
            Some(at) if at <= position as usize => {
                let whole = self.parameter(function, u32::try_from(at).unwrap_or(u32::MAX)).ty;
                self.iterated(whole, false, function.file)
            }
            _ => self.parameter(function, position).ty,
        }
    }

    /// The parameter with an index of a function type, or of a type with a call signature.
    pub(crate) fn parameter_of_type(&mut self, ty: Ty, index: u32) -> Val {
        let mut parts = Vec::new();
        for part in self.types.parts(ty) {
            let found = match self.types.get(part).clone() {
                TyData::FnType(params, _) => parameter_at(&params, index),
                TyData::Inst(class, _) => match self.only_call_signature(class) {
                    Some(signature) => {
                        let declared = self.declared_parameter(signature, index);
                        let env = self.receiver_environment(signature, part);
                        self.substitute(declared, &env, Some(part))
                    }
                    None => continue,
                },
                TyData::Func(function) => self.declared_parameter(function, index),
                TyData::Bound(function, receiver) => {
                    let declared = self.declared_parameter(function, index);
                    let env = self.receiver_environment(function, receiver);
                    self.substitute(declared, &env, Some(receiver))
                }
                _ => continue,
            };
            parts.push(found);
        }
        Val::new(self.types.join(parts), How::HintParam)
    }
}

/// True for an object literal, which is not the type of anything declared.
pub(crate) fn is_literal(flags: DefFlags, kind: NodeKind) -> bool {
    kind == NodeKind::Unknown && flags.has(DefFlags::OBJECT) && flags.has(DefFlags::ANONYMOUS)
}

fn parameter_at(params: &[Ty], position: u32) -> Ty {
    params.get(position as usize).copied().unwrap_or(Types::UNKNOWN)
}
