//! What an expression evaluates to, on demand.

use std::rc::Rc;

use strata_model::facts::{Expr, Literal};
use strata_model::ids::{DefId, ExprId, FileIx, Run, SymbolRef};
use strata_model::outcome::How;

use crate::calls::Site;
use crate::expected::is_literal;
use crate::names::NameId;
use crate::program::{Program, Question, Target, Val};
use crate::types::{Ty, TyData, Types};

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
            Expr::This(def, is_static) => self.this_of(SymbolRef { file, def }, is_static),
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
            | Expr::Is(..)
            | Expr::IsNot(..)
            | Expr::Place(..)
            | Expr::At(..)
            | Expr::Sent(_)
            | Expr::Delegated(_)
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
            Expr::Call(callee, args, types) => {
                let callee_value = self.eval_callee(file, callee);
                let site = Site {
                    args,
                    types,
                    whole: Some(expr),
                    skip: None,
                };
                self.call_at(file, callee_value, site)
            }
            Expr::New(class, args, types) => {
                let class = self.eval_callee(file, class);
                let site = Site {
                    args,
                    types,
                    whole: Some(expr),
                    skip: None,
                };
                self.instantiate(file, class, site)
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
            Expr::Is(inner, ty) => self.tested(file, inner, ty, true),
            Expr::IsNot(inner, ty) => self.tested(file, inner, ty, false),
            Expr::Place(member, place) => self.place(file, member, place),
            Expr::At(element, position) => self.element_at(file, element, position),
            Expr::Sent(def) => self.sent(SymbolRef { file, def }),
            Expr::Delegated(inner) => {
                let value = self.eval(file, inner);
                let ty = self.generator_argument(value.ty, 2);
                value.with(ty, How::Elem)
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

    pub(crate) fn this(&mut self, class: SymbolRef, is_static: bool) -> Val {
        let ty = if is_static {
            TyData::SelfClass(class)
        } else {
            TyData::SelfInst(class)
        };
        Val::new(self.types.intern(ty), How::SelfMember)
    }

    /// `this`: in an object literal what the literal is expected to be, as far as that is known.
    fn this_of(&mut self, def: SymbolRef, is_static: bool) -> Val {
        let facts = self.facts(def.file);
        let (flags, kind) = (facts.def(def.def).flags, facts.def(def.def).kind);
        if is_literal(flags, kind) {
            let expected = self.expected_of_def(def);
            let expected = self.types.without_null(expected);
            let is_known = self
                .types
                .parts(expected)
                .iter()
                .all(|it| matches!(self.types.get(*it), TyData::Inst(..)));
            if is_known {
                return Val::new(expected, How::SelfMember);
            }
        }
        self.this(def, is_static)
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

    fn index(&mut self, file: FileIx, base: ExprId, key: ExprId) -> Val {
        let facts = self.facts(file);
        let receiver = self.eval(file, base);
        if let Some(name) = self.well_known_symbol(file, key) {
            return self.member_value(receiver, name);
        }
        let mut parts = Vec::new();
        for ty in self.types.members(receiver.ty) {
            let part = match self.types.get(ty).clone() {
                // `Box[int](…)`: the class with arguments.
                TyData::Class(class, _) if !self.file(file).is_ecmascript() && !self.is_enum(class) => {
                    let args = self.type_arguments(file, key);
                    self.types.intern(TyData::Class(class, args))
                }
                TyData::Class(class, _) if self.is_enum(class) => self.types.intern(TyData::Inst(class, Rc::from([]))),
                TyData::Builtin(name, _) => {
                    let args = self.type_arguments(file, key);
                    self.types.intern(TyData::Builtin(name, args))
                }
                TyData::Ext(path, _) => self.types.intern(TyData::Ext(path, Rc::from([]))),
                TyData::Tuple(items) => self.types.join(items.iter().copied()),
                TyData::BuiltinInst(name, args) => {
                    let index = self
                        .wrapper(&self.names.text(name), file)
                        .and_then(|wrapper| wrapper.index);
                    match index {
                        Some(index) => args.get(usize::from(index)).copied().unwrap_or(Types::UNKNOWN),
                        None => {
                            let name = self.names.intern("__getitem__");
                            self.call_method(file, ty, name)
                        }
                    }
                }
                TyData::Inst(..) | TyData::SelfInst(_) => {
                    let name = self.names.intern("__getitem__");
                    if self.file(file).is_ecmascript() {
                        if matches!(facts.expr(key), Expr::Lit(Literal::Str)) {
                            Types::UNKNOWN
                        } else {
                            self.indexed_value(ty, file)
                        }
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

    /// The arguments of a class: `Box[int]`, `dict[str, int]`.
    fn type_arguments(&mut self, file: FileIx, key: ExprId) -> Rc<[Ty]> {
        let facts = self.facts(file);
        match facts.expr(key) {
            Expr::Tuple(run) => facts
                .expr_list(run)
                .iter()
                .map(|item| self.value_as_type(file, *item))
                .collect(),
            _ => Rc::from([self.value_as_type(file, key)]),
        }
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
                TyData::ClassOf(of) => of,
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
    pub(crate) fn positional_count(&mut self, file: FileIx, args: Run) -> Option<usize> {
        let facts = self.facts(file);
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
