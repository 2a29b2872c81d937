//! What builtin functions, containers and wrappers yield: by the tables of the language's policy.

use std::rc::Rc;

use strata_lang::policy::Gives;
use strata_model::ids::{FileIx, Run};
use strata_model::outcome::How;

use crate::names::NameId;
use crate::program::{Program, Val};
use crate::types::{Ty, TyData, Types};

impl Program<'_> {
    pub(crate) fn call_builtin(&mut self, file: FileIx, name: NameId, type_args: &Rc<[Ty]>, args: Run) -> Ty {
        let facts = self.facts(file);
        let first = facts.args(args).first().map(|arg| arg.value);
        let text = self.names.text(name);
        match &*text {
            "type" => match first {
                Some(value) if args.len == 1 => {
                    let value = self.eval(file, value).ty;
                    self.types.class_of(value)
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
            "dict" => {
                let value = first.map_or(Types::UNKNOWN, |value| self.eval(file, value).ty);
                let inner = match self.container(value) {
                    Some((_, args)) if args.len() == 2 => args,
                    _ => Rc::clone(type_args),
                };
                self.types.intern(TyData::BuiltinInst(name, inner))
            }
            "next" | "min" | "max" => first.map_or(Types::UNKNOWN, |value| {
                let value = self.eval(file, value).ty;
                let n_values = facts.args(args).iter().filter(|arg| arg.name.is_none()).count();
                if &*text == "next" || n_values == 1 {
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
            // With a literal name it is a member and does not come here.
            "getattr" => Types::DYNAMIC,
            "setattr" | "vars" | "eval" | "exec" | "__import__" | "globals" | "locals" | "object" => Types::UNKNOWN,
            _ => match self.builtin_function(name) {
                Some(function) => {
                    let function = self.types.intern(TyData::Func(function));
                    self.call(file, Val::new(function, How::Lexical), args).ty
                }
                None => self.types.intern(TyData::BuiltinInst(name, Rc::clone(type_args))),
            },
        }
    }

    pub(crate) fn call_builtin_member(&mut self, file: FileIx, of: Ty, method: NameId, args: Run) -> Ty {
        let facts = self.facts(file);
        if &*self.names.text(method) == "__new__" && !self.file(file).is_ecmascript() {
            // `super().__new__(cls)`, `object.__new__(cls)`.
            return facts.args(args).first().map_or(Types::UNKNOWN, |class| {
                let class = self.eval(file, class.value).ty;
                self.types.made_by(class)
            });
        }
        let Some((gives, _)) = self.container_method(file, of, method) else {
            return Types::UNKNOWN;
        };
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

    /// True when the tables say what a method of a container gives.
    pub(crate) fn has_rule(&mut self, of: Ty, method: NameId) -> bool {
        let Some((container, _)) = self.container(of) else {
            return false;
        };
        let method = self.names.text(method);
        self.policy_asked().is_some_and(|policy| {
            policy
                .container_methods
                .iter()
                .any(|rule| rule.container == container && rule.method == &*method)
        })
    }

    /// Library functions whose result is one of their arguments or made of it.
    pub(crate) fn call_external(&mut self, file: FileIx, path: NameId, args: Run) -> Option<Ty> {
        let text = self.names.text(path);
        let facts = self.facts(file);
        let first = facts.args(args).first()?.value;
        match &*text {
            "system:copy.copy"
            | "system:copy.deepcopy"
            | "system:copy.replace"
            | "system:dataclasses.replace"
            | "system:typing.cast" => Some(self.eval(file, first).ty),
            "system:contextlib.closing" | "system:contextlib.nullcontext" | "system:contextlib.aclosing" => {
                let inner = self.eval(file, first).ty;
                Some(self.builtin_instance("AbstractContextManager", &[inner]))
            }
            _ if text.ends_with(".__new__") => {
                let class = self.eval(file, first).ty;
                let made = self.types.made_by(class);
                (made != Types::UNKNOWN).then_some(made)
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
                TyData::Inst(class, _) if self.is_named_tuple(class) => {
                    let fields = self.fields_in_order(class);
                    parts.extend(fields);
                }
                TyData::Inst(..) | TyData::SelfInst(_) | TyData::BuiltinInst(..) if self.file(file).is_ecmascript() => {
                    parts.push(self.iterated_object(member, is_async, file));
                }
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
                TyData::BuiltinInst(..) => {
                    let name = self.names.intern(if is_async { "__aiter__" } else { "__iter__" });
                    let iterator = self.call_method(file, member, name);
                    if iterator != member && iterator != Types::UNKNOWN {
                        parts.push(self.iterated(iterator, is_async, file));
                    }
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
                TyData::Inst(class, _) | TyData::SelfInst(class) if !self.file(class.file).is_ecmascript() => {
                    let fields = self.fields_in_order(class);
                    if !fields.is_empty() {
                        parts.push(fields.get(index as usize).copied().unwrap_or(Types::UNKNOWN));
                    } else if !self.is_named_tuple(class) {
                        parts.push(self.iterated(member, false, file));
                    }
                }
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
