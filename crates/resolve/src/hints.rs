//! Types as written, resolved.

use std::rc::Rc;

use strata_lang::policy::Wrapper;
use strata_model::facts::{BindSource, Expr, Literal, TypeExpr};
use strata_model::ids::{ExprId, FileIx, Run, SymbolRef, TypeId};
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;

use crate::discriminants::ASSERTS;
use crate::names::NameId;
use crate::program::{Namespace, Program, Question, Target, Val};
use crate::types::{Ty, TyData, Types, VarKey};

impl Program<'_> {
    /// The type of a value that is declared with `hint`.
    pub(crate) fn annotation(&mut self, file: FileIx, hint: TypeId) -> Val {
        self.ask(Question::Hint(file, hint), |program| {
            let ty = program.eval_annotation(file, hint);
            Val::new(ty, How::HintLocal)
        })
    }

    fn eval_annotation(&mut self, file: FileIx, hint: TypeId) -> Ty {
        let facts = self.facts(file);
        match facts.ty(hint) {
            TypeExpr::Name(expr) => self.named_type(file, expr),
            TypeExpr::App(base, args) => self.applied_type(file, base, args),
            TypeExpr::Union(run) => {
                let parts = self.annotations(file, run);
                self.types.join(parts)
            }
            TypeExpr::Intersection(run) => {
                let parts = self.annotations(file, run);
                self.types.meet(&parts)
            }
            TypeExpr::Array(inner) => {
                let inner = self.annotation(file, inner).ty;
                self.builtin_instance("Array", &[inner])
            }
            TypeExpr::Tuple(run) => {
                let parts = self.annotations(file, run);
                self.types.intern(TyData::Tuple(parts.into()))
            }
            TypeExpr::Fn(params, ret) => {
                let params = self.annotations(file, params);
                let ret = ret.map_or(Types::UNKNOWN, |ret| self.annotation(file, ret).ty);
                self.types.intern(TyData::FnType(params.into(), ret))
            }
            TypeExpr::SelfType => self.types.intern(TyData::SelfHole),
            TypeExpr::TypeOf(expr) => self.eval(file, expr).ty,
            TypeExpr::Object(def) => self.types.intern(TyData::Inst(SymbolRef { file, def }, Rc::from([]))),
            TypeExpr::Indexed(base, name) => {
                let base = self.annotation(file, base);
                let name = self.name(file, name);
                if matches!(self.types.get(base.ty), TyData::Var(..) | TyData::Indexed(..)) {
                    // What it is depends on what the variable stands for.
                    return self.types.intern(TyData::Indexed(base.ty, name));
                }
                self.member_value(base, name).ty
            }
            TypeExpr::Module(spec) => {
                let target = self.module_target(file, facts.str(spec));
                self.target_value(&target).ty
            }
            TypeExpr::Literal(literal) => self.literal(file, literal).ty,
            TypeExpr::Opaque => Types::UNKNOWN,
        }
    }

    /// True for a type that a module declares which is not there. What is declared so may be anything: the value that it
    /// begins with is one of many.
    pub(crate) fn is_declared_elsewhere(&mut self, file: FileIx, hint: TypeId) -> bool {
        let facts = self.facts(file);
        match facts.ty(hint) {
            TypeExpr::Name(expr) => {
                let is_module = |target: &Target| matches!(target, Target::Unresolved(_));
                if self.entity(file, expr, Namespace::Type).iter().any(is_module) {
                    return true;
                }
                match facts.expr(expr) {
                    Expr::Member(base, _) => self.entity(file, base, Namespace::Any).iter().any(is_module),
                    _ => false,
                }
            }
            TypeExpr::App(base, _) => self.is_declared_elsewhere(file, base),
            _ => false,
        }
    }

    /// The types of a run of annotations, such as type arguments as written.
    pub(crate) fn annotations(&mut self, file: FileIx, run: Run) -> Vec<Ty> {
        let facts = self.facts(file);
        facts
            .type_list(run)
            .iter()
            .map(|ty| self.annotation(file, *ty).ty)
            .collect()
    }

    /// The instance type that a name in type position stands for.
    pub(crate) fn named_type(&mut self, file: FileIx, expr: ExprId) -> Ty {
        let args: Rc<[Ty]> = Rc::from([]);
        let targets = self.entity(file, expr, Namespace::Type);
        let parts: Vec<Ty> = targets
            .iter()
            .map(|target| self.target_as_type(target, &args))
            .collect();
        self.types.join(parts)
    }

    pub(crate) fn target_as_type(&mut self, target: &Target, args: &Rc<[Ty]>) -> Ty {
        match target {
            Target::Symbol(symbol) => self.symbol_as_type(*symbol, args),
            Target::Binding(file, bind) => {
                let facts = self.facts(*file);
                match facts.bindings[bind.ix()].source {
                    BindSource::TypeParam(..) => self.binding(*file, *bind).ty,
                    // A type parameter of a function type is known by its bound.
                    BindSource::Typed if self.file(*file).is_ecmascript() => self.binding(*file, *bind).ty,
                    BindSource::Value(expr) => self.expr_as_type(*file, expr),
                    BindSource::Def(_)
                    | BindSource::Import(_)
                    | BindSource::Param(..)
                    | BindSource::Typed
                    | BindSource::Opaque => {
                        let value = self.binding(*file, *bind);
                        self.as_instance(value.ty)
                    }
                }
            }
            Target::Value(file, expr) => self.expr_as_type(*file, *expr),
            Target::External(path) => {
                let text = self.names.text(*path);
                let name = text.rsplit('.').next().unwrap_or(&text).to_owned();
                if text.starts_with("system:typing") || text.starts_with("pypi:typing_extensions") {
                    if name == "Self" {
                        return self.types.intern(TyData::SelfHole);
                    }
                    if name == "LiteralString" {
                        return self.builtin_instance("str", &[]);
                    }
                    if name == "Any" {
                        return Types::UNKNOWN;
                    }
                }
                if let Some(ty) = self.external_type(*path, args) {
                    return ty;
                }
                self.types.intern(TyData::Ext(*path, Rc::clone(args)))
            }
            Target::Builtin(name) => match self.global_alias(*name, args) {
                Some(ty) => ty,
                None => self.types.intern(TyData::BuiltinInst(*name, Rc::clone(args))),
            },
            Target::Module(_) | Target::Folders(_) | Target::Unresolved(_) | Target::Dynamic => Types::UNKNOWN,
        }
    }

    pub(crate) fn symbol_as_type(&mut self, symbol: SymbolRef, args: &Rc<[Ty]>) -> Ty {
        if let Some(target) = self.canonical(symbol) {
            return self.target_as_type(&target, args);
        }
        let facts = self.facts(symbol.file);
        let def = facts.def(symbol.def);
        match def.kind {
            NodeKind::Class
            | NodeKind::Interface
            | NodeKind::Enum
            | NodeKind::Struct
            | NodeKind::Record
            | NodeKind::Trait
            | NodeKind::Unknown => {
                let symbol = self.source_of(symbol);
                self.types.intern(TyData::Inst(symbol, Rc::clone(args)))
            }
            NodeKind::Type => self.alias_with(symbol, args),
            NodeKind::Variable | NodeKind::Constant | NodeKind::Field | NodeKind::Property => {
                let aliased = self.alias(symbol);
                self.fill_in(aliased, args)
            }
            NodeKind::Function => {
                // A constructor function used as a type, or a factory such as `NewType`.
                self.types.intern(TyData::Inst(symbol, Rc::clone(args)))
            }
            NodeKind::Monorepo
            | NodeKind::Package
            | NodeKind::Module
            | NodeKind::Namespace
            | NodeKind::Method
            | NodeKind::Constructor
            | NodeKind::Destructor
            | NodeKind::Operator
            | NodeKind::Decorator => Types::UNKNOWN,
        }
    }

    /// What a type alias stands for with these arguments.
    pub(crate) fn alias_with(&mut self, symbol: SymbolRef, args: &Rc<[Ty]>) -> Ty {
        let aliased = self.alias(symbol);
        let facts = self.facts(symbol.file);
        let n_params = facts.def(symbol.def).type_params.len;
        if args.is_empty() || n_params == 0 {
            return self.fill_in(aliased, args);
        }
        let mut env: Vec<(VarKey, Ty)> = (0..n_params)
            .map(|index| (symbol, index))
            .zip(args.iter().copied())
            .collect();
        self.add_defaults(symbol, n_params, &mut env);
        self.substitute(aliased, &env, None)
    }

    /// What a type alias or a variable that holds a type stands for.
    fn alias(&mut self, symbol: SymbolRef) -> Ty {
        let value = self.ask(Question::Alias(symbol), |program| {
            program.look_up_def(symbol);
            let facts = program.facts(symbol.file);
            let def = facts.def(symbol.def);
            let is_ecmascript = program.file(symbol.file).is_ecmascript();
            if let Some(hint) = def.hint
                && def.kind == NodeKind::Type
            {
                let aliased = program.annotation(symbol.file, hint).ty;
                // An object type behind an alias is known by the alias: its members are the alias's own.
                return Val::new(aliased, How::HintLocal);
            }
            if def.kind == NodeKind::Type {
                let ty = program.types.intern(TyData::Inst(symbol, Rc::from([])));
                return Val::new(ty, How::HintLocal);
            }
            let values = facts.expr_list(def.values).to_vec();
            let mut parts = Vec::new();
            for value in values {
                let variable = program.variable_type(symbol);
                if matches!(program.types.get(variable.ty), TyData::Var(..)) {
                    parts.push(variable.ty);
                } else {
                    parts.push(program.expr_as_type(symbol.file, value));
                }
            }
            if is_ecmascript {
                return Val::UNKNOWN;
            }
            let ty = program.types.join(parts);
            Val::new(ty, How::HintLocal)
        });
        value.ty
    }

    /// A value expression that stands for a type: `X = Union[A, B]`, `X = Foo`, `NewType("X", Foo)`.
    pub(crate) fn expr_as_type(&mut self, file: FileIx, expr: ExprId) -> Ty {
        let facts = self.facts(file);
        match facts.expr(expr) {
            // What is loaded may be a class or a constructor function.
            Expr::Local(..) | Expr::Free(_) | Expr::Member(..) | Expr::Require(_) => self.named_type(file, expr),
            Expr::Index(base, key) => {
                let args: Vec<Ty> = match facts.expr(key) {
                    Expr::Tuple(run) => facts
                        .expr_list(run)
                        .to_vec()
                        .iter()
                        .map(|it| self.expr_as_type(file, *it))
                        .collect(),
                    _ => vec![self.expr_as_type(file, key)],
                };
                let base = self.named_type(file, base);
                self.apply(file, base, args)
            }
            Expr::Call(callee, args, _) => {
                let is_new_type = matches!(facts.expr(callee), Expr::Local(name, _) | Expr::Free(name) | Expr::Member(_, name) if facts.str(name) == "NewType");
                if is_new_type {
                    return facts
                        .args(args)
                        .get(1)
                        .map_or(Types::UNKNOWN, |arg| self.expr_as_type(file, arg.value));
                }
                let value = self.eval(file, expr);
                self.as_instance(value.ty)
            }
            Expr::Lit(Literal::Null) => Types::NULL,
            Expr::Cast(ty) => self.annotation(file, ty).ty,
            // Several classes, as a test of the type takes them.
            Expr::Tuple(run) => {
                let parts: Vec<Ty> = facts
                    .expr_list(run)
                    .to_vec()
                    .iter()
                    .map(|it| self.expr_as_type(file, *it))
                    .collect();
                self.types.join(parts)
            }
            _ => {
                let value = self.eval(file, expr);
                self.as_instance(value.ty)
            }
        }
    }

    fn applied_type(&mut self, file: FileIx, base: TypeId, args: Run) -> Ty {
        let facts = self.facts(file);
        let args = self.annotations(file, args);
        if let TypeExpr::Name(expr) = facts.ty(base) {
            let targets = self.entity(file, expr, Namespace::Type);
            let arguments: Rc<[Ty]> = args.clone().into();
            let parts: Vec<Ty> = targets
                .iter()
                .map(|target| {
                    let ty = self.target_as_type(target, &arguments);
                    self.apply(file, ty, args.clone())
                })
                .collect();
            return self.types.join(parts);
        }
        if facts.ty(base) == TypeExpr::Literal(Literal::Null) && !args.is_empty() {
            return self.builtin_instance(ASSERTS, &args);
        }
        let base = self.annotation(file, base).ty;
        self.apply(file, base, args)
    }

    /// A generic type with its arguments; special forms of `typing` and transparent wrappers come to what they mean.
    fn apply(&mut self, file: FileIx, base: Ty, args: Vec<Ty>) -> Ty {
        let (name, is_external) = match self.types.get(base).clone() {
            TyData::Ext(path, _) => (self.last_segment(path), true),
            TyData::BuiltinInst(name, _) => (self.names.text(name).to_string(), false),
            TyData::Inst(class, own) => {
                if self.is_library(class.file)
                    && let Some((name, _)) = self.library_container(class, &own)
                    && self.wrapper(&name, file).is_some_and(|wrapper| wrapper.is_transparent)
                {
                    return args.first().copied().unwrap_or(Types::UNKNOWN);
                }
                let args = if own.is_empty() { args.into() } else { own };
                return self.types.intern(TyData::Inst(class, args));
            }
            _ => return base,
        };
        let first = args.first().copied().unwrap_or(Types::UNKNOWN);
        if !self.file(file).is_ecmascript() {
            match name.as_str() {
                "Optional" if is_external => return self.types.join([first, Types::NULL]),
                "Union" if is_external => return self.types.join(args),
                "Type" | "type" => return self.types.class_of(first),
                "Callable" if is_external => {
                    let ret = args.last().copied().unwrap_or(Types::UNKNOWN);
                    let params: Rc<[Ty]> = match self.types.get(first) {
                        TyData::Tuple(params) if args.len() > 1 => Rc::clone(params),
                        _ => Rc::from([]),
                    };
                    return self.types.intern(TyData::FnType(params, ret));
                }
                "tuple" | "Tuple" => {
                    return self.types.intern(TyData::Tuple(args.into()));
                }
                "Literal" | "LiteralString" => return Types::UNKNOWN,
                _ => {}
            }
        }
        if self.wrapper(&name, file).is_some_and(|wrapper| wrapper.is_transparent) {
            return first;
        }
        let args: Rc<[Ty]> = args.into();
        let data = match self.types.get(base).clone() {
            TyData::Ext(path, _) => match self.plain_container(file, path, &name) {
                Some(container) => TyData::BuiltinInst(container, args),
                None => TyData::Ext(path, args),
            },
            TyData::BuiltinInst(name, _) => TyData::BuiltinInst(name, args),
            other => other,
        };
        self.types.intern(data)
    }

    /// The container that a name of the library's modules of types stands for: `typing.List` is `list`.
    fn plain_container(&mut self, file: FileIx, path: NameId, name: &str) -> Option<NameId> {
        let text = self.names.text(path);
        let module = text.strip_suffix(name)?.strip_suffix('.')?;
        let is_of_types = matches!(
            module,
            "system:typing" | "system:collections" | "system:collections.abc" | "pypi:typing_extensions"
        );
        if !is_of_types || self.file(file).is_ecmascript() {
            return None;
        }
        self.wrapper(name, file)?;
        let plain = match name {
            "List" | "Dict" | "Set" | "FrozenSet" | "Deque" | "DefaultDict" => name.to_lowercase(),
            _ => name.to_owned(),
        };
        Some(self.names.intern(&plain))
    }

    fn last_segment(&self, path: NameId) -> String {
        let text = self.names.text(path);
        text.rsplit(['.', ':']).next().unwrap_or(&text).to_owned()
    }

    /// The container or wrapper of this name, in the language of a file.
    pub(crate) fn wrapper(&mut self, name: &str, file: FileIx) -> Option<&'static Wrapper> {
        self.file(file)
            .policy()
            .wrappers
            .iter()
            .find(|wrapper| wrapper.name == name)
    }

    fn library_container(&mut self, class: SymbolRef, args: &Rc<[Ty]>) -> Option<(String, Rc<[Ty]>)> {
        let facts = self.facts(class.file);
        let def = facts.def(class.def);
        def.parent
            .is_none()
            .then(|| (facts.str(def.name).to_owned(), Rc::clone(args)))
    }

    /// The container behind a builtin or library type, with its arguments.
    pub(crate) fn container(&mut self, ty: Ty) -> Option<(String, Rc<[Ty]>)> {
        match self.types.get(ty).clone() {
            TyData::BuiltinInst(name, args) => Some((self.names.text(name).to_string(), args)),
            TyData::Ext(path, args) if !args.is_empty() => Some((self.last_segment(path), args)),
            TyData::Inst(class, args) if self.is_library(class.file) => self.library_container(class, &args),
            _ => None,
        }
    }
}
