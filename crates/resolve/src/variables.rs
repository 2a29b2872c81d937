//! Values of bindings, parameters, variables and other symbols.

use std::rc::Rc;

use strata_model::facts::{BindSource, DefFlags, Expr, ParamKind, ScopeKind};
use strata_model::ids::{BindId, BindSetId, ExprId, FileIx, ImportId, Run, SymbolRef};
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;

use crate::names::NameId;
use crate::program::{Namespace, Program, Question, Target, Val};
use crate::types::{Ty, TyData, Types, UNTYPED, VARIABLE, is_untyped};

impl Program<'_> {
    /// What the bindings in a set come to.
    pub(crate) fn local(&mut self, file: FileIx, set: BindSetId) -> Val {
        let facts = self.facts(file);
        let binds = facts.bind_set(set);
        if let [only] = binds {
            return self.binding(file, *only);
        }
        let values: Vec<Val> = binds.iter().map(|bind| self.binding(file, *bind)).collect();
        self.join_values(values)
    }

    /// What one binding binds its name to.
    pub(crate) fn binding(&mut self, file: FileIx, bind: BindId) -> Val {
        self.ask(Question::Bind(file, bind), |program| program.eval_binding(file, bind))
    }

    fn eval_binding(&mut self, file: FileIx, bind: BindId) -> Val {
        let facts = self.facts(file);
        let binding = facts.bindings[bind.ix()];
        if binding.scope.0 == 0 {
            let name = self.name(file, binding.name);
            self.look_up_name(file, name);
        }
        if let Some(hint) = binding.hint {
            let value = self.annotation(file, hint);
            if value.ty != Types::UNKNOWN {
                let how = match binding.source {
                    BindSource::Param(..) => How::HintParam,
                    _ if binding.is_narrowing => How::Narrow,
                    _ => How::HintLocal,
                };
                let declared = Val::new(value.ty, how);
                return match binding.source {
                    // Elsewhere a variable is what it is declared as; here it is what it has just been given.
                    BindSource::Value(expr)
                        if !self.file(file).is_ecmascript()
                            && facts.scopes[binding.scope.ix()].kind == ScopeKind::Function =>
                    {
                        let value = self.eval(file, expr).renamed(How::CtorInline, How::CtorLocal);
                        let is_known = value.ty != Types::UNKNOWN && value.ty != Types::NULL;
                        if is_known {
                            self.assigned(declared, value)
                        } else {
                            declared
                        }
                    }
                    BindSource::Value(expr) if self.file(file).is_ecmascript() => {
                        if self.types.members(declared.ty).len() < 2 {
                            return declared;
                        }
                        let value = self.eval(file, expr);
                        self.assigned_part(declared, value)
                    }
                    _ => declared,
                };
            }
        }
        if let Some(hint) = binding.hint
            && self.file(file).is_ecmascript()
            && self.is_declared_elsewhere(file, hint)
        {
            return Val::UNKNOWN;
        }
        let how = if binding.scope.0 == 0 {
            How::ModuleScope
        } else {
            How::Lexical
        };
        let value = match binding.source {
            BindSource::Def(def) => self.symbol_type(SymbolRef { file, def }).at_least(how),
            BindSource::Import(import) => self.import_value(file, import),
            BindSource::Param(def, index) => self.parameter(SymbolRef { file, def }, index),
            BindSource::TypeParam(def, index) => {
                let ty = self.types.intern(TyData::Var(SymbolRef { file, def }, index));
                Val::new(ty, How::Bound)
            }
            BindSource::Value(expr) => {
                if let Some(def) = binding.def
                    && let Some(ty) = self.type_variable(SymbolRef { file, def }, expr)
                {
                    return Val::new(ty, How::Bound);
                }
                let value = self.eval(file, expr);
                value.renamed(How::CtorInline, How::CtorLocal)
            }
            BindSource::Typed | BindSource::Opaque => Val::UNKNOWN,
        };
        self.or_more(file, binding.hint.is_some(), value)
    }

    /// A value behind a declared type that could not be followed, such as `any`: it has the members of what is assigned,
    /// and perhaps others. Python's checkers take what is assigned for the type then.
    fn or_more(&mut self, file: FileIx, is_declared: bool, value: Val) -> Val {
        if !is_declared || value.ty == Types::UNKNOWN || !self.file(file).is_ecmascript() {
            return value;
        }
        let ty = self.types.meet(&[Types::UNKNOWN, value.ty]);
        Val { ty, ..value }
    }

    /// A variable that holds a type variable: `T = TypeVar("T")`.
    fn type_variable(&mut self, variable: SymbolRef, value: ExprId) -> Option<Ty> {
        let facts = self.facts(variable.file);
        let Expr::Call(callee, ..) = facts.expr(value) else {
            return None;
        };
        let callee = match facts.expr(callee) {
            Expr::Local(name, _) | Expr::Free(name) | Expr::Member(_, name) => facts.str(name),
            _ => return None,
        };
        let is_variable =
            matches!(callee, "TypeVar" | "ParamSpec" | "TypeVarTuple") && !self.file(variable.file).is_ecmascript();
        is_variable.then(|| self.types.intern(TyData::Var(variable, VARIABLE)))
    }

    fn import_value(&mut self, file: FileIx, import: ImportId) -> Val {
        let facts = self.facts(file);
        let entry = facts.imports[import.ix()];
        let targets = self.import_targets(file, import, Namespace::Value);
        let values: Vec<Val> = targets.iter().map(|target| self.target_value(target)).collect();
        let how = if entry.local != entry.name && entry.name.is_some() {
            How::ImportAlias
        } else {
            How::Import
        };
        self.join_values(values).at_least(how)
    }

    /// The value of a parameter inside its function.
    pub(crate) fn parameter(&mut self, function: SymbolRef, index: u32) -> Val {
        self.ask(Question::Param(function, index), |program| {
            program.eval_parameter(function, index)
        })
    }

    fn eval_parameter(&mut self, function: SymbolRef, index: u32) -> Val {
        let file = function.file;
        let facts = self.facts(file);
        self.look_up_def(function);
        let def = facts.def(function.def);
        let Some(param) = facts.params(def.params).get(index as usize).copied() else {
            return Val::UNKNOWN;
        };
        if let Some(hint) = param.hint {
            let value = self.annotation(file, hint);
            if value.ty != Types::UNKNOWN {
                let ty = match param.kind {
                    ParamKind::Rest if !self.file(file).is_ecmascript() => {
                        let name = self.names.intern("tuple");
                        self.types.intern(TyData::BuiltinInst(name, [value.ty].into()))
                    }
                    ParamKind::KeywordRest => self.builtin_instance("dict", &[Types::UNKNOWN, value.ty]),
                    ParamKind::Normal | ParamKind::Keyword | ParamKind::Rest | ParamKind::Type => value.ty,
                };
                return Val::new(ty, How::HintParam);
            }
        }
        if param.hint.is_none()
            && let Some(stub) = self.stub_of(function)
        {
            let declared = self.parameter(stub, index);
            if index > 0 && declared.ty != Types::UNKNOWN {
                return declared;
            }
        }
        if index == 0
            && self.file(file).policy().explicit_receiver
            && !def.flags.has(DefFlags::STATIC)
            && let Some(class) = self.class_around(function)
        {
            return self.this(
                class,
                def.flags.has(DefFlags::CLASS_METHOD) || facts.str(def.name) == "__new__",
            );
        }
        if let Some((call, position)) = def.context {
            let value = self.contextual_parameter(function, call, position, index);
            if value.ty != Types::UNKNOWN {
                return value;
            }
        }
        if def.kind == NodeKind::Function || def.kind == NodeKind::Method {
            let expected = self.expected_of_def(function);
            let value = self.parameter_of_type(expected, index);
            if value.ty != Types::UNKNOWN {
                return value;
            }
        }
        let is_single = matches!(param.kind, ParamKind::Normal | ParamKind::Keyword);
        if param.hint.is_none() && is_single && !self.file(file).is_ecmascript() {
            let inherited = self.inherited_parameter(function, index);
            if inherited != Types::UNKNOWN {
                return Val::new(inherited, How::HintParam);
            }
        }
        if let Some(default) = param.default {
            let value = self.eval(file, default);
            if value.ty != Types::NULL && value.ty != Types::UNKNOWN {
                let is_made = value.how == How::Framework;
                let value = Val::new(value.ty, if is_made { value.how } else { How::HintParam });
                return self.or_more(file, param.hint.is_some(), value);
            }
        }
        if param.hint.is_none()
            && param.default.is_none()
            && is_single
            && let Some(value) = self.fixture_parameter(function, index)
        {
            return value;
        }
        if param.hint.is_none() && is_single && !self.file(file).is_ecmascript() {
            let ty = self.types.intern(TyData::Var(function, index | UNTYPED));
            return Val::new(ty, How::Lexical);
        }
        Val::UNKNOWN
    }

    /// The type that the method which this one overrides declares for a parameter of the same name.
    fn inherited_parameter(&mut self, function: SymbolRef, index: u32) -> Ty {
        let Some(class) = self.class_around(function) else {
            return Types::UNKNOWN;
        };
        let facts = self.facts(function.file);
        let def = facts.def(function.def);
        let name = self.name(function.file, def.name);
        let overridden = self.class_members(class, name, true);
        let [method] = *overridden.found.as_slice() else {
            return Types::UNKNOWN;
        };
        let wanted = facts.params(def.params)[index as usize];
        let above = self.facts(method.file);
        let params = above.params(above.def(method.def).params);
        let Some(at) = params
            .iter()
            .position(|it| it.kind == wanted.kind && above.str(it.name) == facts.str(wanted.name))
        else {
            return Types::UNKNOWN;
        };
        self.look_up_def(method);
        let declared = self.parameter(method, u32::try_from(at).unwrap_or(u32::MAX)).ty;
        let receiver = self.types.intern(TyData::SelfInst(class));
        let env = self.receiver_environment(method, receiver);
        match self.types.get(declared) {
            TyData::Var(_, index) if is_untyped(*index) => Types::UNKNOWN,
            _ => self.substitute(declared, &env, Some(receiver)),
        }
    }

    /// The class whose body a function stands in directly.
    pub(crate) fn class_around(&mut self, function: SymbolRef) -> Option<SymbolRef> {
        let facts = self.facts(function.file);
        let parent = facts.def(function.def).parent?;
        let owner = facts.def(parent);
        let is_class = owner.kind.is_type() || owner.flags.has(DefFlags::OBJECT);
        is_class.then_some(SymbolRef {
            file: function.file,
            def: parent,
        })
    }

    /// What a function literal's parameter gets from the call that the literal is an argument of.
    fn contextual_parameter(&mut self, literal: SymbolRef, call: ExprId, position: u32, index: u32) -> Val {
        let file = literal.file;
        let facts = self.facts(file);
        let (Expr::Call(callee, args, _) | Expr::New(callee, args, _)) = facts.expr(call) else {
            return Val::UNKNOWN;
        };
        let callee = self.eval_callee(file, callee);
        for ty in self.types.members(callee.ty) {
            let expected = match self.types.get(ty).clone() {
                TyData::Func(_)
                | TyData::Bound(..)
                | TyData::FnType(..)
                | TyData::Inst(..)
                | TyData::SelfInst(_)
                | TyData::Class(..)
                | TyData::SelfClass(_) => self.expected_of_def(literal),
                TyData::Builtin(..) | TyData::BuiltinInst(..) if self.file(file).is_ecmascript() => {
                    self.expected_of_def(literal)
                }
                TyData::Builtin(name, _) if index == 0 => {
                    let passed = self.passed_by_builtin(file, name, args, position);
                    if passed != Types::UNKNOWN {
                        return Val::new(passed, How::Elem);
                    }
                    continue;
                }
                TyData::BuiltinMember(of, method) => {
                    let passed = self
                        .container_method(file, of, method)
                        .map_or(Types::UNKNOWN, |it| it.1);
                    if index == 0 && passed != Types::UNKNOWN {
                        return Val::new(passed, How::Elem);
                    }
                    continue;
                }
                _ => continue,
            };
            let value = self.parameter_of_type(expected, index);
            if value.ty != Types::UNKNOWN {
                return value;
            }
        }
        Val::UNKNOWN
    }

    /// What a builtin function passes to the function that it is given: `map(f, xs)`, `sorted(xs, key=f)`.
    fn passed_by_builtin(&mut self, file: FileIx, name: NameId, args: Run, position: u32) -> Ty {
        let facts = self.facts(file);
        let args = facts.args(args);
        let Some(function) = args.get(position as usize) else {
            return Types::UNKNOWN;
        };
        let is_key = function.name.is_some_and(|name| facts.str(name) == "key");
        let items = match &*self.names.text(name) {
            "map" | "filter" if position == 0 => args.get(1),
            "sorted" | "min" | "max" if is_key => args.first(),
            _ => None,
        };
        match items {
            Some(items) => {
                let items = self.eval(file, items.value).ty;
                self.iterated(items, false, file)
            }
            None => Types::UNKNOWN,
        }
    }

    /// The value of a symbol in value position.
    pub(crate) fn symbol_type(&mut self, symbol: SymbolRef) -> Val {
        if let Some(target) = self.canonical(symbol) {
            return match target {
                Target::Builtin(name) => self.builtin_value(name),
                Target::External(path) => Val::new(self.types.intern(TyData::Ext(path, Rc::from([]))), How::Import),
                _ => Val::UNKNOWN,
            };
        }
        self.value_of_symbol(symbol)
    }

    /// The same, as the definition itself says.
    pub(crate) fn value_of_symbol(&mut self, symbol: SymbolRef) -> Val {
        let facts = self.facts(symbol.file);
        let def = facts.def(symbol.def);
        let is_ecmascript = self.file(symbol.file).is_ecmascript();
        let data = match def.kind {
            NodeKind::Class | NodeKind::Enum | NodeKind::Struct | NodeKind::Record => {
                TyData::Class(symbol, Rc::from([]))
            }
            NodeKind::Interface if !is_ecmascript => TyData::Class(symbol, Rc::from([])),
            NodeKind::Function
            | NodeKind::Method
            | NodeKind::Constructor
            | NodeKind::Destructor
            | NodeKind::Operator => TyData::Func(symbol),
            NodeKind::Namespace => TyData::Inst(symbol, Rc::from([])),
            NodeKind::Unknown if def.flags.has(DefFlags::OBJECT) => TyData::Inst(symbol, Rc::from([])),
            NodeKind::Property if def.flags.has(DefFlags::GETTER) => return self.result_of(symbol),
            NodeKind::Property | NodeKind::Field | NodeKind::Constant | NodeKind::Variable => {
                return self.variable_type(symbol);
            }
            NodeKind::Type if !is_ecmascript => return self.variable_type(symbol),
            NodeKind::Monorepo
            | NodeKind::Package
            | NodeKind::Module
            | NodeKind::Interface
            | NodeKind::Trait
            | NodeKind::Type
            | NodeKind::Decorator
            | NodeKind::Unknown => return Val::UNKNOWN,
        };
        Val::new(self.types.intern(data), How::Lexical)
    }

    /// The type of a variable, field or property: as declared, else what is assigned to it.
    pub(crate) fn variable_type(&mut self, symbol: SymbolRef) -> Val {
        self.ask(Question::Variable(symbol), |program| {
            program.look_up_def(symbol);
            let facts = program.facts(symbol.file);
            let def = facts.def(symbol.def);
            if let Some(hint) = def.hint {
                let value = program.annotation(symbol.file, hint);
                if value.ty != Types::UNKNOWN {
                    return Val::new(value.ty, How::HintField);
                }
                if program.file(symbol.file).is_ecmascript() && program.is_declared_elsewhere(symbol.file, hint) {
                    return Val::UNKNOWN;
                }
            }
            if let Some(stub) = program.stub_of(symbol) {
                let declared = program.variable_type(stub);
                if declared.ty != Types::UNKNOWN {
                    return declared;
                }
            }
            let values: Vec<ExprId> = facts.expr_list(def.values).to_vec();
            if let [only] = values.as_slice()
                && let Some(ty) = program.type_variable(symbol, *only)
            {
                return Val::new(ty, How::Bound);
            }
            let values: Vec<Val> = values.iter().map(|value| program.eval(symbol.file, *value)).collect();
            let value = program.join_values(values);
            let ty = if value.ty == Types::NULL {
                Types::UNKNOWN
            } else {
                value.ty
            };
            let value = Val { ty, ..value }.renamed(How::CtorInline, How::CtorField);
            program.or_more(symbol.file, facts.def(symbol.def).hint.is_some(), value)
        })
    }
}
