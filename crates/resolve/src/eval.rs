//! What an expression evaluates to, on demand.

use std::rc::Rc;

use strata_model::facts::{BindSource, DefFlags, Expr, Literal, ParamKind};
use strata_model::ids::{BindId, BindSetId, DefId, ExprId, FileIx, ImportId, Run, SymbolRef};
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;

use crate::names::NameId;
use crate::program::{Namespace, Program, Question, Target, Val};
use crate::types::{Ty, TyData, Types, VARIABLE};

impl Program<'_> {
    /// The value of an expression of a file.
    pub(crate) fn eval(&mut self, file: FileIx, expr: ExprId) -> Val {
        let facts = self.facts(file);
        match facts.expr(expr) {
            // Cheap shapes are not worth remembering.
            Expr::Opaque => Val::UNKNOWN,
            Expr::Lit(literal) => self.literal(file, literal),
            Expr::Free(name) => {
                let name = self.name(file, name);
                self.free_name(file, name)
            }
            Expr::Def(def) => {
                let ty = self.symbol_type(SymbolRef { file, def });
                Val::new(ty.ty, How::CtorInline)
            }
            Expr::This(def, is_static) => self.this(SymbolRef { file, def }, is_static),
            Expr::Super(def, is_static) => {
                let ty = self.types.intern(TyData::Super(SymbolRef { file, def }, is_static));
                Val::new(ty, How::Super)
            }
            Expr::Cast(hint) => self.annotation(file, hint).at_least(How::HintLocal),
            Expr::Local(_, set) => self.local(file, set),
            Expr::Param(..)
            | Expr::Member(..)
            | Expr::Index(..)
            | Expr::Call(..)
            | Expr::New(..)
            | Expr::Await(_)
            | Expr::Unwrap(_)
            | Expr::Iter(_)
            | Expr::AsyncIter(_)
            | Expr::Item(..)
            | Expr::Entered(_)
            | Expr::AsyncEntered(_)
            | Expr::Either(..)
            | Expr::Tuple(_)
            | Expr::List(_)
            | Expr::Dict(_)
            | Expr::Require(_)
            | Expr::ImportCall(_) => self.ask(Question::Expr(file, expr), |program| program.eval_compound(file, expr)),
        }
    }

    fn eval_compound(&mut self, file: FileIx, expr: ExprId) -> Val {
        let facts = self.facts(file);
        match facts.expr(expr) {
            Expr::Param(def, index) => self.parameter(SymbolRef { file, def }, index),
            Expr::Member(base, name) => {
                let receiver = self.eval(file, base);
                let name = self.name(file, name);
                self.member_value(receiver, name)
            }
            Expr::Index(base, key) => self.index(file, base, key),
            Expr::Call(callee, args, _) => {
                let callee_value = self.eval_callee(file, callee);
                self.call(file, callee_value, args)
            }
            Expr::New(class, args, types) => {
                let class = self.eval_callee(file, class);
                self.instantiate(file, class, args, types)
            }
            Expr::Await(inner) => {
                let value = self.eval(file, inner);
                let ty = self.awaited(value.ty, file);
                value.with(ty, How::Await)
            }
            Expr::Unwrap(inner) => {
                let value = self.eval(file, inner);
                let ty = self.types.without_null(value.ty);
                Val { ty, ..value }
            }
            Expr::Iter(inner) => {
                let value = self.eval(file, inner);
                let ty = self.iterated(value.ty, false, file);
                value.with(ty, How::Elem)
            }
            Expr::AsyncIter(inner) => {
                let value = self.eval(file, inner);
                let ty = self.iterated(value.ty, true, file);
                value.with(ty, How::Elem)
            }
            Expr::Item(inner, index) => {
                let value = self.eval(file, inner);
                let ty = self.item(value.ty, index, file);
                value.with(ty, How::Elem)
            }
            Expr::Entered(inner) => {
                let value = self.eval(file, inner);
                let ty = self.entered(value.ty, false, file);
                value.with(ty, How::With)
            }
            Expr::AsyncEntered(inner) => {
                let value = self.eval(file, inner);
                let ty = self.entered(value.ty, true, file);
                value.with(ty, How::With)
            }
            Expr::Either(a, b) => {
                let (a, b) = (self.eval(file, a), self.eval(file, b));
                self.join_values([a, b])
            }
            Expr::Tuple(run) => {
                let items: Vec<Ty> = facts
                    .expr_list(run)
                    .iter()
                    .map(|item| self.eval(file, *item).ty)
                    .collect();
                let ty = self.types.intern(TyData::Tuple(items.into()));
                Val::new(ty, How::CtorInline)
            }
            Expr::List(run) => {
                let items: Vec<Ty> = facts
                    .expr_list(run)
                    .iter()
                    .map(|item| self.eval(file, *item).ty)
                    .collect();
                let item = self.types.join(items);
                let name = if self.file(file).is_ecmascript() {
                    "Array"
                } else {
                    "list"
                };
                Val::new(self.builtin_instance(name, &[item]), How::CtorInline)
            }
            Expr::Dict(run) => {
                let items: Vec<Ty> = facts
                    .expr_list(run)
                    .iter()
                    .map(|item| self.eval(file, *item).ty)
                    .collect();
                let item = self.types.join(items);
                Val::new(self.builtin_instance("dict", &[Types::UNKNOWN, item]), How::CtorInline)
            }
            Expr::Require(spec) => {
                let target = self.module_target(file, facts.str(spec));
                self.required(&target)
            }
            Expr::ImportCall(spec) => {
                let target = self.module_target(file, facts.str(spec));
                let value = self.target_value(&target);
                Val::new(self.builtin_instance("Promise", &[value.ty]), How::Import)
            }
            Expr::Opaque
            | Expr::Lit(_)
            | Expr::Free(_)
            | Expr::Def(_)
            | Expr::This(..)
            | Expr::Super(..)
            | Expr::Cast(_)
            | Expr::Local(..) => Val::UNKNOWN,
        }
    }

    /// What `require` gives for a module: what it assigns to `module.exports`, else the module.
    fn required(&mut self, target: &Target) -> Val {
        if let Target::Module(module) = *target {
            let whole = self.export(module, self.well_known.assigned);
            if !whole.is_empty() {
                let values: Vec<Val> = whole.iter().map(|it| self.target_value(it)).collect();
                return self.join_values(values);
            }
        }
        self.target_value(target)
    }

    pub(crate) fn literal(&mut self, file: FileIx, literal: Literal) -> Val {
        let is_ecmascript = self.file(file).is_ecmascript();
        let name = match (literal, is_ecmascript) {
            (Literal::Null, _) => return Val::new(Types::NULL, How::Lexical),
            (Literal::Str, false) => "str",
            (Literal::Bytes, _) => "bytes",
            (Literal::Int, false) => "int",
            (Literal::Float, false) => "float",
            (Literal::Bool, false) => "bool",
            (Literal::Str, true) => "String",
            (Literal::Int | Literal::Float, true) => "Number",
            (Literal::Bool, true) => "Boolean",
            (Literal::Regex, _) => "RegExp",
        };
        Val::new(self.builtin_instance(name, &[]), How::CtorInline)
    }

    pub(crate) fn builtin_instance(&mut self, name: &str, args: &[Ty]) -> Ty {
        let name = self.names.intern(name);
        self.types.intern(TyData::BuiltinInst(name, args.into()))
    }

    fn this(&mut self, class: SymbolRef, is_static: bool) -> Val {
        let ty = if is_static {
            TyData::SelfClass(class)
        } else {
            TyData::SelfInst(class)
        };
        Val::new(self.types.intern(ty), How::SelfMember)
    }

    pub(crate) fn free_name(&mut self, file: FileIx, name: NameId) -> Val {
        let targets = self.free_targets(file, name);
        let values: Vec<Val> = targets.iter().map(|target| self.target_value(target)).collect();
        let how = if matches!(targets.first(), Some(Target::Builtin(_))) {
            How::Lexical
        } else {
            How::StarImport
        };
        self.join_values(values).at_least(how)
    }

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
            let how = if binding.is_narrowing {
                How::Narrow
            } else {
                How::HintLocal
            };
            let value = self.annotation(file, hint);
            if value.ty != Types::UNKNOWN {
                return Val::new(
                    value.ty,
                    if matches!(binding.source, BindSource::Param(..)) {
                        How::HintParam
                    } else {
                        how
                    },
                );
            }
        }
        let how = if binding.scope.0 == 0 {
            How::ModuleScope
        } else {
            How::Lexical
        };
        match binding.source {
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
        }
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
            let value = self.contextual_parameter(file, call, position, index);
            if value.ty != Types::UNKNOWN {
                return value;
            }
        }
        match param.default {
            Some(default) => {
                let value = self.eval(file, default);
                if value.ty == Types::NULL {
                    Val::UNKNOWN
                } else {
                    Val::new(value.ty, How::HintParam)
                }
            }
            None => Val::UNKNOWN,
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
    fn contextual_parameter(&mut self, file: FileIx, call: ExprId, position: u32, index: u32) -> Val {
        let facts = self.facts(file);
        let (Expr::Call(callee, args, _) | Expr::New(callee, args, _)) = facts.expr(call) else {
            return Val::UNKNOWN;
        };
        let callee = self.eval_callee(file, callee);
        for ty in self.types.members(callee.ty) {
            let expected = match self.types.get(ty).clone() {
                TyData::Func(function) | TyData::Bound(function, _) => {
                    let offset = self.receiver_offset(ty);
                    let hint = self.parameter(function, position + offset).ty;
                    let env = self.infer_type_arguments(file, function, ty, args, Some(position));
                    let receiver = self.receiver_of(ty);
                    self.types.substitute(hint, &env, receiver)
                }
                TyData::FnType(params, _) => params.get(position as usize).copied().unwrap_or(Types::UNKNOWN),
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
            for member in self.types.members(expected) {
                if let TyData::FnType(params, _) = self.types.get(member).clone()
                    && let Some(param) = params.get(index as usize)
                    && *param != Types::UNKNOWN
                {
                    return Val::new(*param, How::HintParam);
                }
            }
        }
        Val::UNKNOWN
    }

    /// The value of a symbol in value position.
    pub(crate) fn symbol_type(&mut self, symbol: SymbolRef) -> Val {
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
            Val { ty, ..value }.renamed(How::CtorInline, How::CtorField)
        })
    }

    fn index(&mut self, file: FileIx, base: ExprId, key: ExprId) -> Val {
        let facts = self.facts(file);
        let receiver = self.eval(file, base);
        let mut parts = Vec::new();
        for ty in self.types.members(receiver.ty) {
            let part = match self.types.get(ty).clone() {
                // `Box[int](…)`: the class with arguments.
                TyData::Class(class, _) if !self.file(file).is_ecmascript() && !self.is_enum(class) => {
                    let arg = self.value_as_type(file, key);
                    self.types.intern(TyData::Class(class, [arg].into()))
                }
                TyData::Class(class, _) if self.is_enum(class) => self.types.intern(TyData::Inst(class, Rc::from([]))),
                TyData::Builtin(name, _) => {
                    let arg = self.value_as_type(file, key);
                    self.types.intern(TyData::Builtin(name, [arg].into()))
                }
                TyData::Ext(path, _) => self.types.intern(TyData::Ext(path, Rc::from([]))),
                TyData::Tuple(items) => self.types.join(items.iter().copied()),
                TyData::BuiltinInst(name, args) => self
                    .wrapper(&self.names.text(name), file)
                    .and_then(|wrapper| wrapper.index)
                    .and_then(|index| args.get(usize::from(index)).copied())
                    .unwrap_or(Types::UNKNOWN),
                TyData::Inst(..) | TyData::SelfInst(_) => {
                    let name = self.names.intern("__getitem__");
                    if matches!(facts.expr(key), Expr::Lit(Literal::Str)) && self.file(file).is_ecmascript() {
                        Types::UNKNOWN
                    } else {
                        self.call_method(file, ty, name)
                    }
                }
                _ => Types::UNKNOWN,
            };
            parts.push(part);
        }
        let ty = self.types.join(parts);
        receiver.with(ty, How::Elem)
    }

    /// A value expression read as a type: `list[Foo]` as a base class, `X = Union[A, B]`.
    pub(crate) fn value_as_type(&mut self, file: FileIx, expr: ExprId) -> Ty {
        let facts = self.facts(file);
        if let Expr::Tuple(run) = facts.expr(expr) {
            let items: Vec<Ty> = facts
                .expr_list(run)
                .iter()
                .map(|item| self.value_as_type(file, *item))
                .collect();
            return self.types.intern(TyData::Tuple(items.into()));
        }
        let value = self.eval(file, expr);
        self.as_instance(value.ty)
    }

    /// The type that a class object makes instances of.
    pub(crate) fn as_instance(&mut self, ty: Ty) -> Ty {
        let members = self.types.members(ty);
        let parts: Vec<Ty> = members
            .into_iter()
            .map(|it| match self.types.get(it).clone() {
                TyData::Class(class, args) => self.types.intern(TyData::Inst(class, args)),
                TyData::SelfClass(class) => self.types.intern(TyData::SelfInst(class)),
                TyData::Builtin(name, args) => self.types.intern(TyData::BuiltinInst(name, args)),
                TyData::Var(..) | TyData::Ext(..) | TyData::Null => it,
                _ => Types::UNKNOWN,
            })
            .collect();
        self.types.join(parts)
    }

    /// Evaluates a callee: a parenthesised or awaited one is like any other expression.
    pub(crate) fn eval_callee(&mut self, file: FileIx, callee: ExprId) -> Val {
        self.eval(file, callee)
    }

    /// Number of a run's arguments that stand by position, or none when a spread hides it.
    pub(crate) fn positional_count(&self, file: FileIx, args: Run) -> Option<usize> {
        let facts = self.loaded_facts(file);
        let args = facts.args(args);
        if args.iter().any(|arg| arg.is_spread) {
            None
        } else {
            Some(args.iter().filter(|arg| arg.name.is_none()).count())
        }
    }

    /// The parent of a definition, if it is a definition.
    pub(crate) fn parent_of(&mut self, symbol: SymbolRef) -> Option<DefId> {
        let facts = self.facts(symbol.file);
        facts.def(symbol.def).parent
    }
}
