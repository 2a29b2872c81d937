//! What calls give: results declared and inferred, instances, and what containers and wrappers yield.

use std::rc::Rc;

use strata_lang::policy::Gives;
use strata_model::facts::{Def, DefFlags, Expr, TypeExpr};
use strata_model::ids::{ExprId, FileIx, Run, SymbolRef};
use strata_model::outcome::How;

use crate::names::NameId;
use crate::program::{Program, Question, Target, Val};
use crate::types::{Ty, TyData, Types, VarKey};

/// How far the definitions of a decorator are followed for its own result.
const CONTEXT_MANAGERS: [&str; 2] = ["contextmanager", "asynccontextmanager"];

impl Program<'_> {
    /// What calling a value gives.
    pub(crate) fn call(&mut self, file: FileIx, callee: Val, args: Run) -> Val {
        let mut values = Vec::new();
        for ty in self.types.members(callee.ty) {
            values.push(self.call_one(file, callee, ty, args));
        }
        self.join_values(values)
    }

    fn call_one(&mut self, file: FileIx, callee: Val, ty: Ty, args: Run) -> Val {
        match self.types.get(ty).clone() {
            TyData::Func(function) | TyData::Bound(function, _) => {
                let result = self.result_of(function);
                let mut env = self.infer_type_arguments(file, function, ty, args, None);
                let receiver = self.receiver_of(ty);
                if let Some(receiver) = receiver {
                    env.extend(self.receiver_environment(function, receiver));
                }
                let substituted = self.types.substitute(result.ty, &env, receiver);
                let how = if substituted == result.ty {
                    result.how
                } else {
                    result.how.max(How::GenericSubst)
                };
                Val {
                    ty: substituted,
                    how: callee.how.max(how),
                    chain: callee.chain.saturating_add(1).max(result.chain),
                }
            }
            TyData::Class(..) | TyData::SelfClass(_) => {
                if self.file(file).policy().call_constructs {
                    let made = self.construct(file, ty, args);
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
                let result = self.call_method_value(file, ty, name);
                callee.with(result.ty, result.how)
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
                let ty = self.call_builtin(file, name, &type_args, args);
                callee.with(ty, How::Lexical)
            }
            TyData::BuiltinMember(of, method) => {
                let ty = self.call_builtin_member(file, of, method, args);
                callee.with(ty, How::Elem)
            }
            TyData::Ext(path, _) => {
                let text = format!("{}()", self.names.text(path).trim_end_matches("()"));
                let ty = self.call_external(file, path, args).unwrap_or_else(|| {
                    let path = self.names.intern(&text);
                    self.types.intern(TyData::Ext(path, Rc::from([])))
                });
                callee.with(ty, How::Import)
            }
            TyData::Dynamic => Val::new(Types::DYNAMIC, How::Lexical),
            TyData::Unknown
            | TyData::Null
            | TyData::SelfHole
            | TyData::Module(_)
            | TyData::Folders(_)
            | TyData::BuiltinInst(..)
            | TyData::Tuple(_)
            | TyData::Union(_)
            | TyData::Var(..) => Val::UNKNOWN,
        }
    }

    /// What `new` gives.
    pub(crate) fn instantiate(&mut self, file: FileIx, class: Val, args: Run, types: Run) -> Val {
        let facts = self.facts(file);
        let mut parts = Vec::new();
        let mut how = How::CtorInline;
        for ty in self.types.members(class.ty) {
            let made = match self.types.get(ty).clone() {
                TyData::Class(symbol, own) => {
                    let type_args: Vec<Ty> = facts
                        .type_list(types)
                        .iter()
                        .map(|it| self.annotation(file, *it).ty)
                        .collect();
                    if type_args.is_empty() && own.is_empty() {
                        self.construct(file, ty, args)
                    } else {
                        let args = if type_args.is_empty() { own } else { type_args.into() };
                        self.types.intern(TyData::Inst(symbol, args))
                    }
                }
                TyData::SelfClass(symbol) => self.types.intern(TyData::SelfInst(symbol)),
                // A constructor function.
                TyData::Func(function) => self.types.intern(TyData::Inst(function, Rc::from([]))),
                TyData::Inst(..) | TyData::SelfInst(_) => {
                    let name = self.names.intern("<new>");
                    let result = self.call_method_value(file, ty, name);
                    how = how.max(How::RetDeclared);
                    result.ty
                }
                TyData::Builtin(name, _) => {
                    let type_args: Vec<Ty> = facts
                        .type_list(types)
                        .iter()
                        .map(|it| self.annotation(file, *it).ty)
                        .collect();
                    self.types.intern(TyData::BuiltinInst(name, type_args.into()))
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
    fn construct(&mut self, file: FileIx, class_ty: Ty, args: Run) -> Ty {
        match self.types.get(class_ty).clone() {
            TyData::SelfClass(class) => self.types.intern(TyData::SelfInst(class)),
            TyData::Class(class, own) if !own.is_empty() => self.types.intern(TyData::Inst(class, own)),
            TyData::Class(class, _) => {
                let vars = self.class_vars(class);
                if vars.is_empty() {
                    return self.types.intern(TyData::Inst(class, Rc::from([])));
                }
                let constructors = self.file(class.file).policy().constructors;
                let mut env = Vec::new();
                for name in constructors {
                    let name = self.names.intern(name);
                    let found = self.class_members(class, name, false);
                    if let Some(constructor) = found.found.first() {
                        let receiver = self.types.intern(TyData::SelfInst(class));
                        let bound = self.types.intern(TyData::Bound(*constructor, receiver));
                        env = self.infer_type_arguments(file, *constructor, bound, args, None);
                        break;
                    }
                }
                let args: Vec<Ty> = vars
                    .iter()
                    .map(|var| {
                        env.iter()
                            .find(|(key, _)| key == var)
                            .map_or(Types::UNKNOWN, |(_, ty)| *ty)
                    })
                    .collect();
                self.types.intern(TyData::Inst(class, args.into()))
            }
            _ => Types::UNKNOWN,
        }
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
        let on_class = matches!(self.types.get(receiver), TyData::Class(..) | TyData::SelfClass(_));
        let takes = self.file(symbol.file).policy().explicit_receiver
            && !flags.has(DefFlags::STATIC)
            && (!on_class || flags.has(DefFlags::CLASS_METHOD));
        u32::from(takes)
    }

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
            return Val::new(self.builtin_instance(name, &[item]), How::RetInferred);
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

    fn call_builtin(&mut self, file: FileIx, name: NameId, type_args: &Rc<[Ty]>, args: Run) -> Ty {
        let facts = self.facts(file);
        let first = facts.args(args).first().map(|arg| arg.value);
        let text = self.names.text(name);
        if self.file(file).is_ecmascript() {
            return Types::UNKNOWN;
        }
        match &*text {
            "type" => match first {
                Some(value) if args.len == 1 => {
                    let value = self.eval(file, value).ty;
                    self.as_class(value)
                }
                _ => Types::UNKNOWN,
            },
            "list" | "set" | "frozenset" | "tuple" | "sorted" | "reversed" | "iter" => {
                let item = match first {
                    Some(value) => {
                        let value = self.eval(file, value).ty;
                        self.iterated(value, false, file)
                    }
                    None => type_args.first().copied().unwrap_or(Types::UNKNOWN),
                };
                let made = match &*text {
                    "set" | "frozenset" | "tuple" => &*text,
                    _ => "list",
                };
                self.builtin_instance(made, &[item])
            }
            "enumerate" => {
                let item = first.map_or(Types::UNKNOWN, |value| {
                    let value = self.eval(file, value).ty;
                    self.iterated(value, false, file)
                });
                let number = self.builtin_instance("int", &[]);
                let pair = self.types.intern(TyData::Tuple([number, item].into()));
                self.builtin_instance("list", &[pair])
            }
            "zip" => {
                let items: Vec<Ty> = facts
                    .args(args)
                    .to_vec()
                    .iter()
                    .map(|arg| {
                        let value = self.eval(file, arg.value).ty;
                        self.iterated(value, false, file)
                    })
                    .collect();
                let tuple = self.types.intern(TyData::Tuple(items.into()));
                self.builtin_instance("list", &[tuple])
            }
            "next" | "min" | "max" => first.map_or(Types::UNKNOWN, |value| {
                let value = self.eval(file, value).ty;
                if &*text == "next" || args.len == 1 {
                    self.iterated(value, false, file)
                } else {
                    value
                }
            }),
            "filter" => facts
                .args(args)
                .get(1)
                .map(|arg| arg.value)
                .map_or(Types::UNKNOWN, |value| {
                    let value = self.eval(file, value).ty;
                    let item = self.iterated(value, false, file);
                    self.builtin_instance("list", &[item])
                }),
            "map" => {
                let item = first.map_or(Types::UNKNOWN, |value| {
                    let function = self.eval(file, value);
                    self.call(file, function, Run::default()).ty
                });
                self.builtin_instance("list", &[item])
            }
            "getattr" | "setattr" | "vars" | "eval" | "exec" | "__import__" | "globals" | "locals" | "object" => {
                Types::UNKNOWN
            }
            _ => self.types.intern(TyData::BuiltinInst(name, Rc::clone(type_args))),
        }
    }

    fn call_builtin_member(&mut self, file: FileIx, of: Ty, method: NameId, args: Run) -> Ty {
        let Some((gives, _)) = self.container_method(file, of, method) else {
            return Types::UNKNOWN;
        };
        let facts = self.facts(file);
        let result = |program: &mut Self| {
            facts.args(args).first().map_or(Types::UNKNOWN, |arg| {
                let function = program.eval(file, arg.value);
                program.call(file, function, Run::default()).ty
            })
        };
        match gives {
            Given::Type(ty) => ty,
            Given::ListOfResult => {
                let item = result(self);
                let name = if self.file(file).is_ecmascript() {
                    "Array"
                } else {
                    "list"
                };
                self.builtin_instance(name, &[item])
            }
            Given::Result => result(self),
            Given::SameOfResult => {
                let item = result(self);
                let inner = self.awaited(item, file);
                match self.types.get(of).clone() {
                    TyData::BuiltinInst(name, _) => self.types.intern(TyData::BuiltinInst(name, [inner].into())),
                    _ => Types::UNKNOWN,
                }
            }
        }
    }

    /// What a container's method gives, and what it passes to a function argument.
    pub(crate) fn container_method(&mut self, file: FileIx, of: Ty, method: NameId) -> Option<(Given, Ty)> {
        let (container, args) = self.container(of)?;
        let method = self.names.text(method);
        let rule = self
            .file(file)
            .policy()
            .container_methods
            .iter()
            .find(|rule| rule.container == container && rule.method == &*method)?;
        let arg = |index: u8| args.get(usize::from(index)).copied().unwrap_or(Types::UNKNOWN);
        let list = if self.file(file).is_ecmascript() {
            "Array"
        } else {
            "list"
        };
        let given = |program: &mut Self, gives: Gives| match gives {
            Gives::Nothing => Given::Type(Types::UNKNOWN),
            Gives::Same => Given::Type(of),
            Gives::Arg(index) => Given::Type(arg(index)),
            Gives::ListOf(index) => Given::Type(program.builtin_instance(list, &[arg(index)])),
            Gives::PairsOf(a, b) => {
                let pair = program.types.intern(TyData::Tuple([arg(a), arg(b)].into()));
                Given::Type(program.builtin_instance(list, &[pair]))
            }
            Gives::ListOfResult => Given::ListOfResult,
            Gives::Result => Given::Result,
            Gives::SameOfResult => Given::SameOfResult,
        };
        let gives = given(self, rule.gives);
        let passes = match given(self, rule.passes) {
            Given::Type(ty) => ty,
            Given::ListOfResult | Given::Result | Given::SameOfResult => Types::UNKNOWN,
        };
        Some((gives, passes))
    }

    /// Library functions whose result is one of their arguments or made of it.
    fn call_external(&mut self, file: FileIx, path: NameId, args: Run) -> Option<Ty> {
        let text = self.names.text(path);
        let facts = self.facts(file);
        let first = facts.args(args).first()?.value;
        match &*text {
            "system:copy.copy" | "system:copy.deepcopy" | "system:typing.cast" => Some(self.eval(file, first).ty),
            "system:contextlib.closing" | "system:contextlib.nullcontext" | "system:contextlib.aclosing" => {
                let inner = self.eval(file, first).ty;
                Some(self.builtin_instance("AbstractContextManager", &[inner]))
            }
            _ => None,
        }
    }

    /// What awaiting gives.
    pub(crate) fn awaited(&mut self, ty: Ty, file: FileIx) -> Ty {
        let is_ecmascript = self.file(file).is_ecmascript();
        let members = self.types.members(ty);
        let mut parts = Vec::new();
        for member in members {
            if let Some((name, args)) = self.container(member)
                && let Some(index) = self.wrapper(&name, file).and_then(|wrapper| wrapper.awaited)
            {
                parts.push(args.get(usize::from(index)).copied().unwrap_or(Types::UNKNOWN));
                continue;
            }
            match self.types.get(member).clone() {
                TyData::Inst(..) | TyData::SelfInst(_) if !is_ecmascript => {
                    let name = self.names.intern("__await__");
                    let generator = self.call_method(file, member, name);
                    // The awaited value is a generator's return value, which is its third argument.
                    if let Some((_, args)) = self.container(generator) {
                        parts.push(args.get(2).copied().unwrap_or(Types::UNKNOWN));
                    }
                }
                TyData::Ext(..) => parts.push(member),
                _ if is_ecmascript => parts.push(member),
                _ => {}
            }
        }
        self.types.join(parts)
    }

    /// What iterating gives.
    pub(crate) fn iterated(&mut self, ty: Ty, is_async: bool, file: FileIx) -> Ty {
        let mut parts = Vec::new();
        for member in self.types.members(ty) {
            if let Some((name, args)) = self.container(member)
                && let Some(index) = self.wrapper(&name, file).and_then(|wrapper| wrapper.iter)
            {
                if name == "Map" {
                    let pair = self.types.intern(TyData::Tuple(Rc::clone(&args)));
                    parts.push(pair);
                } else {
                    parts.push(args.get(usize::from(index)).copied().unwrap_or(Types::UNKNOWN));
                }
                continue;
            }
            match self.types.get(member).clone() {
                TyData::Tuple(items) => parts.extend(items.iter().copied()),
                TyData::Inst(class, _) | TyData::SelfInst(class) => {
                    let (iter, next) = if is_async {
                        ("__aiter__", "__anext__")
                    } else {
                        ("__iter__", "__next__")
                    };
                    let (iter, next) = (self.names.intern(iter), self.names.intern(next));
                    let iterator = self.call_method(class.file, member, iter);
                    if iterator == member || matches!(self.types.get(iterator), TyData::Inst(..) | TyData::SelfInst(_))
                    {
                        let item = self.call_method(class.file, iterator, next);
                        parts.push(if is_async { self.awaited(item, class.file) } else { item });
                    } else if iterator != Types::UNKNOWN {
                        parts.push(self.iterated(iterator, is_async, file));
                    }
                }
                TyData::Class(class, _) if self.is_enum(class) => {
                    parts.push(self.types.intern(TyData::Inst(class, Rc::from([]))));
                }
                TyData::Ext(path, _) => {
                    let text = format!("{}[]", self.names.text(path).trim_end_matches("[]"));
                    let path = self.names.intern(&text);
                    parts.push(self.types.intern(TyData::Ext(path, Rc::from([]))));
                }
                _ => {}
            }
        }
        self.types.join(parts)
    }

    /// The element at a position.
    pub(crate) fn item(&mut self, ty: Ty, index: u32, file: FileIx) -> Ty {
        let mut parts = Vec::new();
        for member in self.types.members(ty) {
            match self.types.get(member).clone() {
                TyData::Tuple(items) => parts.push(items.get(index as usize).copied().unwrap_or(Types::UNKNOWN)),
                TyData::Inst(..) | TyData::SelfInst(_) => {}
                _ => parts.push(self.iterated(member, false, file)),
            }
        }
        self.types.join(parts)
    }

    /// What `with` binds.
    pub(crate) fn entered(&mut self, ty: Ty, is_async: bool, file: FileIx) -> Ty {
        let mut parts = Vec::new();
        for member in self.types.members(ty) {
            if let Some((name, args)) = self.container(member)
                && let Some(index) = self.wrapper(&name, file).and_then(|wrapper| wrapper.entered)
            {
                parts.push(args.get(usize::from(index)).copied().unwrap_or(Types::UNKNOWN));
                continue;
            }
            match self.types.get(member).clone() {
                TyData::Inst(..) | TyData::SelfInst(_) => {
                    let name = self.names.intern(if is_async { "__aenter__" } else { "__enter__" });
                    let result = self.call_method(file, member, name);
                    parts.push(if is_async { self.awaited(result, file) } else { result });
                }
                TyData::Ext(..) => parts.push(member),
                _ => {}
            }
        }
        self.types.join(parts)
    }

    /// The function or class that a value calls, if it is known: what a call through a variable reaches.
    pub(crate) fn callables(&mut self, file: FileIx, value: Val) -> Vec<Target> {
        let mut targets = Vec::new();
        for ty in self.types.members(value.ty) {
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

/// What a container's method gives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given {
    /// This type.
    Type(Ty),
    /// A list of what the function argument returns.
    ListOfResult,
    /// What the function argument returns.
    Result,
    /// The container over what the function argument returns.
    SameOfResult,
}
