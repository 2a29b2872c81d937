//! What calls give: results declared and inferred, instances, and what containers and wrappers yield.

use std::rc::Rc;

use strata_model::facts::{Def, DefFlags, Expr, TypeExpr};
use strata_model::ids::{ExprId, FileIx, Run, SymbolRef};
use strata_model::outcome::How;

use crate::names::NameId;
use crate::program::{Program, Question, Target, Val, longer};
use crate::types::{Ty, TyData, Types, VarKey};

/// How far the definitions of a decorator are followed for its own result.
const CONTEXT_MANAGERS: [&str; 2] = ["contextmanager", "asynccontextmanager"];

/// What a call has besides its callee.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Site {
    /// Arguments.
    pub(crate) args: Run,
    /// Type arguments as written.
    pub(crate) types: Run,
    /// The whole call, where its place may say what it has to give.
    pub(crate) whole: Option<ExprId>,
    /// The argument that is being typed itself.
    pub(crate) skip: Option<u32>,
}

impl Site {
    /// A call of which only the arguments count.
    pub(crate) fn of(args: Run) -> Self {
        Self {
            args,
            ..Self::default()
        }
    }
}

impl Program<'_> {
    /// What calling a value gives.
    pub(crate) fn call(&mut self, file: FileIx, callee: Val, args: Run) -> Val {
        self.call_at(file, callee, Site::of(args))
    }

    pub(crate) fn call_at(&mut self, file: FileIx, callee: Val, site: Site) -> Val {
        let mut values = Vec::new();
        for ty in self.types.members(callee.ty) {
            values.push(self.call_one(file, callee, ty, site));
        }
        self.join_values(values)
    }

    fn call_one(&mut self, file: FileIx, callee: Val, ty: Ty, site: Site) -> Val {
        let args = site.args;
        match self.types.get(ty).clone() {
            TyData::Func(function) | TyData::Bound(function, _) => {
                if let Some(path) = self.opaque_function(function) {
                    return callee.with(path, How::Import);
                }
                if let Some(declared) = self.declared_as(function) {
                    let value = self.call_at(file, callee.with(declared, How::HintLocal), site);
                    if value.ty != Types::UNKNOWN {
                        return value;
                    }
                }
                if let Some(joined) = self.joined_promises(file, function, args) {
                    return callee.with(joined, How::Elem);
                }
                let Some((signature, ty)) = self.signature_for(file, function, ty, site) else {
                    let common = self.common_container(function);
                    return callee.with(common, How::RetDeclared);
                };
                let result = self.result_of(signature);
                let substituted = self.result_for(file, signature, ty, result.ty, site);
                let how = if substituted == result.ty {
                    result.how
                } else {
                    result.how.max(How::GenericSubst)
                };
                Val {
                    ty: substituted,
                    how: callee.how.max(how),
                    chain: longer(callee.chain).max(result.chain),
                }
            }
            TyData::Class(..) | TyData::SelfClass(_) => {
                if self.file(file).policy().call_constructs {
                    let made = self.construct(file, ty, site);
                    Val {
                        ty: made,
                        how: callee.how.max(How::CtorInline),
                        chain: callee.chain,
                    }
                } else {
                    Val::UNKNOWN
                }
            }
            TyData::Inst(..) | TyData::SelfInst(_) => {
                let name = self.file(file).policy().call_member.unwrap_or("<call>");
                let name = self.names.intern(name);
                let method = self.member_value(Val::new(ty, How::Lexical), name);
                let result = self.call_at(file, method, site);
                callee.with(result.ty, result.how)
            }
            TyData::Intersection(parts) => {
                let parts = self.parts_that_take(file, &parts, args);
                for part in parts {
                    let value = self.call_one(file, callee, part, site);
                    if value.ty != Types::UNKNOWN {
                        return value;
                    }
                }
                Val::UNKNOWN
            }
            TyData::FnType(_, ret) => callee.with(ret, How::RetDeclared),
            TyData::Super(class, is_static) => {
                let data = if is_static {
                    TyData::SelfClass(class)
                } else {
                    TyData::SelfInst(class)
                };
                callee.with(self.types.intern(data), How::Super)
            }
            TyData::Builtin(name, type_args) => {
                let ty = if self.file(file).is_ecmascript() {
                    self.call_global(file, name, site)
                } else {
                    self.call_builtin(file, name, &type_args, args)
                };
                callee.with(ty, How::Lexical)
            }
            TyData::BuiltinMember(of, method) => {
                let ty = self.call_builtin_member(file, of, method, args);
                callee.with(ty, How::Elem)
            }
            TyData::Ext(path, _) => {
                let text = self.names.text(path);
                if let Some(value) = self.framework_call(file, &text, args) {
                    return value;
                }
                let text = format!("{}()", text.trim_end_matches("()"));
                let ty = self.call_external(file, path, args).unwrap_or_else(|| {
                    let path = self.names.intern(&text);
                    self.types.intern(TyData::Ext(path, Rc::from([])))
                });
                callee.with(ty, How::Import)
            }
            TyData::Var(..) | TyData::ClassOf(_) => {
                let made = self.types.made_by(ty);
                callee.with(made, How::GenericSubst)
            }
            TyData::Dynamic => Val::new(Types::DYNAMIC, How::Lexical),
            TyData::Indexed(of, name) => {
                let value = self.indexed_by_bound(of, name);
                if value == ty || value == Types::UNKNOWN {
                    return Val::UNKNOWN;
                }
                self.call_at(file, callee.with(value, How::GenericSubst), site)
            }
            TyData::Unknown
            | TyData::Null
            | TyData::SelfHole
            | TyData::Module(_)
            | TyData::Folders(_)
            | TyData::Tuple(_)
            | TyData::Union(_)
            | TyData::Made(_) => Val::UNKNOWN,
            TyData::BuiltinInst(..) => {
                let signature = self.signature_of_value(ty, false);
                let result = self.call_at(file, Val::new(signature, How::Lexical), site);
                callee.with(result.ty, result.how)
            }
        }
    }

    /// The result of a function, with what this call says about its type variables, its receiver and its parameters
    /// without a declared type.
    fn result_for(&mut self, file: FileIx, function: SymbolRef, callee: Ty, result: Ty, site: Site) -> Ty {
        if !self.types.has_holes(result) {
            return result;
        }
        let args = site.args;
        let mut env = self.type_arguments_of(file, function, callee, site);
        let receiver = self.receiver_of(callee);
        if let Some(receiver) = receiver {
            env.extend(self.receiver_environment(function, receiver));
        }
        self.add_untyped(file, function, callee, args, &mut env);
        self.substitute(result, &env, receiver)
    }

    /// What `new` gives.
    pub(crate) fn instantiate(&mut self, file: FileIx, class: Val, site: Site) -> Val {
        let mut parts = Vec::new();
        let mut how = How::CtorInline;
        for ty in self.types.members(class.ty) {
            let made = match self.types.get(ty).clone() {
                TyData::Class(symbol, own) => {
                    let type_args = self.annotations(file, site.types);
                    if type_args.is_empty() && own.is_empty() {
                        self.construct(file, ty, site)
                    } else {
                        let args = if type_args.is_empty() { own } else { type_args.into() };
                        self.types.intern(TyData::Inst(symbol, args))
                    }
                }
                TyData::SelfClass(symbol) => self.types.intern(TyData::SelfInst(symbol)),
                // A constructor function.
                TyData::Func(function) => self.types.intern(TyData::Inst(function, Rc::from([]))),
                TyData::Builtin(name, _) => self.construct_global(file, name, site),
                TyData::Inst(..) | TyData::SelfInst(_) | TyData::BuiltinInst(..) => {
                    let signature = self.signature_of_value(ty, true);
                    how = how.max(How::RetDeclared);
                    self.call_at(file, Val::new(signature, How::Lexical), site).ty
                }
                TyData::Ext(path, _) => {
                    let text = format!("{}()", self.names.text(path).trim_end_matches("()"));
                    let path = self.names.intern(&text);
                    self.types.intern(TyData::Ext(path, Rc::from([])))
                }
                _ => Types::UNKNOWN,
            };
            parts.push(made);
        }
        let ty = self.types.join(parts);
        Val {
            ty,
            how: class.how.max(how),
            chain: class.chain,
        }
    }

    /// An instance of a class, its type arguments inferred from the constructor's arguments.
    fn construct(&mut self, file: FileIx, class_ty: Ty, site: Site) -> Ty {
        match self.types.get(class_ty).clone() {
            TyData::SelfClass(class) => self.types.intern(TyData::SelfInst(class)),
            TyData::Class(class, own) if !own.is_empty() => self.types.intern(TyData::Inst(class, own)),
            TyData::Class(class, _) => {
                if let Some(made) = self.declared_new(class) {
                    return made;
                }
                if self.class_vars(class).is_empty() {
                    return self.types.intern(TyData::Inst(class, Rc::from([])));
                }
                match self.constructor_for(file, class, site) {
                    Some((constructor, bound)) => self.made_with(file, class, constructor, bound, site),
                    None => self.made_without(file, class, site),
                }
            }
            _ => Types::UNKNOWN,
        }
    }

    /// The signature of a class's constructor that a call means, bound to the instance.
    pub(crate) fn constructor_for(&mut self, file: FileIx, class: SymbolRef, site: Site) -> Option<(SymbolRef, Ty)> {
        let constructors = self.file(class.file).policy().constructors;
        for name in constructors {
            let name = self.names.intern(name);
            let found = self.class_members(class, name, false);
            if let Some(constructor) = found.found.first() {
                let receiver = self.types.intern(TyData::SelfInst(class));
                let bound = self.types.intern(TyData::Bound(*constructor, receiver));
                return Some(
                    self.signature_for(file, *constructor, bound, site)
                        .unwrap_or((*constructor, bound)),
                );
            }
        }
        None
    }

    /// The instance that a constructor makes.
    pub(crate) fn made_with(
        &mut self,
        file: FileIx,
        class: SymbolRef,
        constructor: SymbolRef,
        bound: Ty,
        site: Site,
    ) -> Ty {
        let written = self.annotations(file, site.types);
        if !written.is_empty() {
            return self.types.intern(TyData::Inst(class, written.into()));
        }
        let mut env = self.infer_type_arguments(file, constructor, bound, site.args, site.skip);
        let owner = self.parent_of(constructor).map(|def| SymbolRef {
            file: constructor.file,
            def,
        });
        if owner != Some(class) {
            // What an inherited constructor says of the ancestor's variables, it says of those passed on to it.
            env = self.of_descendant(class, owner, &env);
        }
        self.made_of(file, class, env, site)
    }

    fn made_without(&mut self, file: FileIx, class: SymbolRef, site: Site) -> Ty {
        let written = self.annotations(file, site.types);
        if !written.is_empty() {
            return self.types.intern(TyData::Inst(class, written.into()));
        }
        self.made_of(file, class, Vec::new(), site)
    }

    fn made_of(&mut self, file: FileIx, class: SymbolRef, mut env: Vec<(VarKey, Ty)>, site: Site) -> Ty {
        let vars = self.class_vars(class);
        let is_open = vars.iter().any(|var| !env.iter().any(|(key, _)| key == var));
        if is_open
            && self.file(class.file).is_ecmascript()
            && let Some(whole) = site.whole
        {
            let expected = self.expected_of_expr(file, whole);
            if expected != Types::UNKNOWN {
                let own: Vec<Ty> = vars
                    .iter()
                    .map(|(owner, index)| self.types.intern(TyData::Var(*owner, *index)))
                    .collect();
                let general = self.types.intern(TyData::Inst(class, own.into()));
                self.infer_from_expected(general, expected, &mut env);
            }
        }
        let args: Vec<Ty> = vars
            .iter()
            .map(|var| {
                env.iter()
                    .find(|(key, _)| key == var)
                    .map_or_else(|| self.unsaid(*var), |(_, ty)| *ty)
            })
            .collect();
        self.types.intern(TyData::Inst(class, args.into()))
    }

    /// What a type parameter is that nothing tells: its default, else its bound.
    fn unsaid(&mut self, (owner, index): VarKey) -> Ty {
        if !self.file(owner.file).is_ecmascript() {
            return Types::UNKNOWN;
        }
        match self.default_of(owner, index) {
            Types::UNKNOWN => self.bound_of(owner, index).unwrap_or(Types::UNKNOWN),
            default => default,
        }
    }

    fn of_descendant(&mut self, class: SymbolRef, owner: Option<SymbolRef>, env: &[(VarKey, Ty)]) -> Vec<(VarKey, Ty)> {
        let mro = self.mro(class);
        let Some((owner, passed)) = mro.entries.iter().find(|(ancestor, _)| Some(*ancestor) == owner) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for (var, passed) in self.class_vars(*owner).iter().zip(passed.iter()) {
            if let (TyData::Var(of, index), Some((_, ty))) =
                (self.types.get(*passed).clone(), env.iter().find(|(key, _)| key == var))
            {
                out.push(((of, index), *ty));
            }
        }
        out
    }

    /// What the `__new__` of a class declares to make, where that is not the class itself.
    fn declared_new(&mut self, class: SymbolRef) -> Option<Ty> {
        if self.file(class.file).is_ecmascript() {
            return None;
        }
        let name = self.names.intern("__new__");
        let found = self.class_members(class, name, false);
        let [method] = *found.found.as_slice() else {
            return None;
        };
        let facts = self.facts(method.file);
        self.look_up_def(method);
        let hint = facts.def(method.def).ret_hint?;
        let declared = self.annotation(method.file, hint).ty;
        let is_other = matches!(self.types.get(declared), TyData::Inst(other, _) if *other != class);
        (is_other && !self.types.has_holes(declared)).then_some(declared)
    }

    /// What calling the method `name` without regard to arguments gives.
    pub(crate) fn call_method(&mut self, file: FileIx, receiver: Ty, name: NameId) -> Ty {
        self.call_method_value(file, receiver, name).ty
    }

    fn call_method_value(&mut self, file: FileIx, receiver: Ty, name: NameId) -> Val {
        let method = self.member_value(Val::new(receiver, How::Lexical), name);
        self.call(file, method, Run::default())
    }

    pub(crate) fn receiver_of(&self, function: Ty) -> Option<Ty> {
        match self.types.get(function) {
            TyData::Bound(_, receiver) => Some(*receiver),
            _ => None,
        }
    }

    /// Parameters to skip because the receiver takes them.
    pub(crate) fn receiver_offset(&mut self, function: Ty) -> u32 {
        let TyData::Bound(symbol, receiver) = self.types.get(function).clone() else {
            return 0;
        };
        let facts = self.facts(symbol.file);
        let flags = facts.def(symbol.def).flags;
        let on_class = matches!(
            self.types.get(receiver),
            TyData::Class(..) | TyData::SelfClass(_) | TyData::Builtin(..)
        );
        let takes = self.file(symbol.file).policy().explicit_receiver
            && !flags.has(DefFlags::STATIC)
            && (!on_class || flags.has(DefFlags::CLASS_METHOD));
        u32::from(takes)
    }

    /// What a function returns: as declared, else what its `return` and `yield` expressions come to.
    pub(crate) fn result_of(&mut self, function: SymbolRef) -> Val {
        self.ask(Question::Result(function), |program| {
            program.look_up_def(function);
            let facts = program.facts(function.file);
            let def = facts.def(function.def).clone();
            let value = program.plain_result(function, &def);
            program.decorated_result(function, &def, value)
        })
    }

    fn plain_result(&mut self, function: SymbolRef, def: &Def) -> Val {
        let file = function.file;
        let facts = self.facts(file);
        let is_ecmascript = self.file(file).is_ecmascript();
        if let Some(hint) = def.ret_hint {
            let declared = self.annotation(file, hint).ty;
            let is_async = def.flags.has(DefFlags::ASYNC) && !def.flags.has(DefFlags::GENERATOR) && !is_ecmascript;
            if is_async {
                let wrapped = self.builtin_instance("Coroutine", &[Types::UNKNOWN, Types::UNKNOWN, declared]);
                return Val::new(wrapped, How::RetDeclared);
            }
            if declared != Types::UNKNOWN || !matches!(facts.ty(hint), TypeExpr::Opaque) {
                return Val::new(declared, How::RetDeclared);
            }
        }
        if let Some(stub) = self.stub_of(function) {
            let declared = self.result_of(stub);
            if declared.ty != Types::UNKNOWN {
                return declared;
            }
        }
        if def.flags.has(DefFlags::ABSTRACT) || def.flags.has(DefFlags::OVERLOAD) {
            return Val::UNKNOWN;
        }
        self.look_up_body(function);
        if def.flags.has(DefFlags::GENERATOR) || !def.yields.is_empty() {
            let yields: Vec<Ty> = facts
                .expr_list(def.yields)
                .to_vec()
                .iter()
                .map(|it| self.eval(file, *it).ty)
                .collect();
            let item = self.types.join(yields);
            let name = if def.flags.has(DefFlags::ASYNC) {
                "AsyncGenerator"
            } else {
                "Generator"
            };
            let mut args = vec![item];
            if !def.returns.is_empty() && !is_ecmascript {
                let returns: Vec<Ty> = facts
                    .expr_list(def.returns)
                    .to_vec()
                    .iter()
                    .map(|it| self.eval(file, *it).ty)
                    .collect();
                args.extend([Types::UNKNOWN, self.types.join(returns)]);
            }
            return Val::new(self.builtin_instance(name, &args), How::RetInferred);
        }
        let returns: Vec<Val> = facts
            .expr_list(def.returns)
            .to_vec()
            .iter()
            .map(|it| self.eval(file, *it))
            .collect();
        let value = self.join_values(returns);
        let ty = if def.flags.has(DefFlags::ASYNC) {
            if is_ecmascript {
                let inner = self.awaited(value.ty, file);
                self.builtin_instance("Promise", &[inner])
            } else {
                self.builtin_instance("Coroutine", &[Types::UNKNOWN, Types::UNKNOWN, value.ty])
            }
        } else {
            value.ty
        };
        Val {
            ty,
            how: value.how.max(How::RetInferred),
            chain: value.chain,
        }
    }

    /// A context manager made of a generator yields by `with` what the generator yields.
    fn decorated_result(&mut self, function: SymbolRef, def: &Def, value: Val) -> Val {
        let facts = self.facts(function.file);
        for decorator in facts.expr_list(def.decorators) {
            let name = match facts.expr(*decorator) {
                Expr::Local(name, _) | Expr::Free(name) | Expr::Member(_, name) => facts.str(name),
                _ => continue,
            };
            if CONTEXT_MANAGERS.contains(&name) {
                let item = self.iterated(value.ty, name.starts_with("async"), function.file);
                return Val {
                    ty: self.builtin_instance("AbstractContextManager", &[item]),
                    ..value
                };
            }
        }
        value
    }

    /// The function or class that a value calls, if it is known: what a call through a variable reaches.
    pub(crate) fn callables(&mut self, file: FileIx, value: Val) -> Vec<Target> {
        let mut targets = Vec::new();
        for ty in self.types.parts(value.ty) {
            let target = match self.types.get(ty).clone() {
                TyData::Func(function) | TyData::Bound(function, _) => Target::Symbol(function),
                TyData::Class(class, _) | TyData::SelfClass(class) => Target::Symbol(class),
                TyData::Inst(class, _) | TyData::SelfInst(class) => {
                    let name = self.file(file).policy().call_member.unwrap_or("<call>");
                    let name = self.names.intern(name);
                    let found = self.class_members(class, name, false);
                    let Some(member) = found.found.first() else { continue };
                    Target::Symbol(*member)
                }
                TyData::Ext(path, _) => Target::External(path),
                TyData::Builtin(name, _) | TyData::BuiltinMember(_, name) => Target::Builtin(name),
                _ => continue,
            };
            crate::modules::push(&mut targets, target);
        }
        targets
    }

    /// The expression that a call or instantiation calls, with its arguments.
    pub(crate) fn call_parts(&mut self, file: FileIx, expr: ExprId) -> Option<(ExprId, Run)> {
        let facts = self.facts(file);
        match facts.expr(expr) {
            Expr::Call(callee, args, _) | Expr::New(callee, args, _) => Some((callee, args)),
            _ => None,
        }
    }
}
