//! What tests and assignments say about a value beyond what it is declared as.

use strata_model::facts::{DefFlags, Expr};
use strata_model::ids::{ExprId, FileIx, SymbolRef, TypeId};
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;

use crate::keys::{is_record, record_fields};
use crate::program::{Program, Val};
use crate::types::{Ty, TyData, Types, is_untyped};

/// Whether one type is a part of another. Of several that all have to be, the least counts; of several of which one is
/// enough, the most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Within {
    No,
    /// Classes outside the root take part, whose ancestors are not known, or something else is not.
    Unknown,
    Yes,
}

/// Builtin types of which a value of another one is never an instance.
const CONCRETE: [&str; 18] = [
    "BigInt",
    "Boolean",
    "Number",
    "RegExp",
    "String",
    "bool",
    "bytearray",
    "bytes",
    "complex",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "range",
    "set",
    "str",
    "tuple",
];

/// The class behind an instance or a class object; true for the object.
fn class_of(data: &TyData) -> Option<(SymbolRef, bool)> {
    match data {
        TyData::Inst(class, _) | TyData::SelfInst(class) => Some((*class, false)),
        TyData::Class(class, _) | TyData::SelfClass(class) => Some((*class, true)),
        _ => None,
    }
}

fn as_tested(value: Val, ty: Ty) -> Val {
    if ty == value.ty {
        value
    } else {
        Val {
            ty,
            how: How::Narrow,
            chain: value.chain,
        }
    }
}

impl Program<'_> {
    /// The value of an expression after a test of its type, which holds or does not.
    pub(crate) fn tested(&mut self, file: FileIx, inner: ExprId, test: TypeId, holds: bool) -> Val {
        let value = self.eval(file, inner);
        if self.file(file).is_ecmascript()
            && let Some(ty) = self.tested_otherwise(file, value.ty, test, holds)
        {
            return as_tested(value, ty);
        }
        let test = self.annotation(file, test).ty;
        let says_nothing = self.types.members(test).into_iter().any(|it| {
            matches!(
                self.types.get(it),
                TyData::Unknown | TyData::Var(..) | TyData::Made(_) | TyData::ClassOf(_) | TyData::Dynamic
            )
        });
        if says_nothing {
            return value;
        }
        let ty = if holds {
            self.those_within(value.ty, test)
        } else {
            self.those_not_within(value.ty, test)
        };
        as_tested(value, ty)
    }

    /// What of a value's possible types a test lets through; the tested type itself where it says more.
    pub(crate) fn those_within(&mut self, ty: Ty, test: Ty) -> Ty {
        let tests = self.types.members(test);
        let mut parts = Vec::new();
        for member in self.types.members(ty) {
            if matches!(
                self.types.get(member),
                TyData::Unknown | TyData::Var(..) | TyData::Dynamic
            ) {
                parts.extend(tests.iter().copied());
                continue;
            }
            let mut more_special = Vec::new();
            let mut is_within = false;
            let is_of_root = class_of(self.types.get(member)).is_some();
            for test in &tests {
                match (self.within(member, *test), self.within(*test, member)) {
                    (Within::Yes, _) => is_within = true,
                    (_, Within::Yes) => more_special.push(*test),
                    // Of two types whose relation is not known the one of the root says more.
                    (Within::Unknown, _) if is_of_root || class_of(self.types.get(*test)).is_none() => is_within = true,
                    (Within::Unknown, _) | (Within::No, Within::Unknown) => more_special.push(*test),
                    (Within::No, Within::No) => {}
                }
            }
            if is_within {
                parts.push(member);
            } else {
                parts.extend(more_special);
            }
        }
        let narrowed = self.types.join(parts);
        if narrowed == Types::UNKNOWN { test } else { narrowed }
    }

    /// What of a value's possible types is left when it is none of the tested ones.
    pub(crate) fn those_not_within(&mut self, ty: Ty, test: Ty) -> Ty {
        let tests = self.types.members(test);
        let mut parts = Vec::new();
        for member in self.types.members(ty) {
            let is_excluded = tests.iter().any(|test| self.within(member, *test) == Within::Yes);
            if !is_excluded {
                parts.push(member);
            }
        }
        self.types.join(parts)
    }

    /// Whether every value of `ty` is one of `of`; neither is a union.
    pub(crate) fn within(&mut self, ty: Ty, of: Ty) -> Within {
        if ty == of {
            return Within::Yes;
        }
        let (data, of_data) = (self.types.get(ty).clone(), self.types.get(of).clone());
        if matches!(&of_data, TyData::BuiltinInst(name, _) if &*self.names.text(*name) == "object") {
            return Within::Yes;
        }
        if let TyData::Intersection(parts) = &of_data {
            let each = parts.iter().map(|part| self.within(ty, *part));
            return each.min().unwrap_or(Within::Yes);
        }
        if let TyData::Intersection(parts) = &data {
            let each = parts.iter().map(|part| self.within(*part, of));
            return each.max().unwrap_or(Within::No);
        }
        match (class_of(&data), class_of(&of_data)) {
            (Some((class, on_class)), Some((of, of_on_class))) => {
                let mro = self.mro(class);
                if on_class == of_on_class && mro.entries.iter().any(|(ancestor, _)| *ancestor == of) {
                    Within::Yes
                } else if mro.has_unknown || self.is_open(of) || self.is_library(class.file) || self.is_library(of.file)
                {
                    Within::Unknown
                } else {
                    Within::No
                }
            }
            (Some((class, _)), None) => {
                let mro = self.mro(class);
                // A library's protocols and abstract classes have members that do not name them as a base: `dict` is a
                // `Mapping`.
                let is_closed =
                    mro.external.is_none() && !mro.has_unknown && !mro.has_builtin && !self.is_library(class.file);
                if is_closed && self.is_concrete(&of_data) {
                    Within::No
                } else {
                    Within::Unknown
                }
            }
            (None, Some((of, _))) => {
                if let Some((class, _)) = self.builtin_class(ty)
                    && self.mro(class).entries.iter().any(|(ancestor, _)| *ancestor == of)
                {
                    Within::Yes
                } else if self.is_concrete(&data) && !self.is_open(of) && !self.is_library(of.file) {
                    Within::No
                } else {
                    Within::Unknown
                }
            }
            (None, None) => self.builtin_within(&data, &of_data),
        }
    }

    fn builtin_within(&self, data: &TyData, of: &TyData) -> Within {
        let name = |data: &TyData| match data {
            TyData::BuiltinInst(name, _) => Some(self.names.text(*name)),
            TyData::Tuple(_) => Some("tuple".into()),
            TyData::Null => Some("None".into()),
            _ => None,
        };
        if let (TyData::Ext(path, _), TyData::Ext(of, _)) = (data, of)
            && path == of
        {
            return Within::Yes;
        }
        let (Some(data_name), Some(of_name)) = (name(data), name(of)) else {
            return Within::Unknown;
        };
        let is_part = data_name == of_name
            || matches!(
                (&*data_name, &*of_name),
                ("bool", "int") | ("int" | "bool", "float" | "complex")
            );
        if is_part {
            Within::Yes
        } else if self.is_concrete(data) && self.is_concrete(of) {
            Within::No
        } else {
            Within::Unknown
        }
    }

    /// True for the builtin types that are what they are and no protocol.
    fn is_concrete(&self, data: &TyData) -> bool {
        match data {
            TyData::Null | TyData::Tuple(_) => true,
            TyData::BuiltinInst(name, _) => CONCRETE.contains(&&*self.names.text(*name)),
            _ => false,
        }
    }

    /// True for a class that others may belong to without naming it: a protocol, an abstract base.
    fn is_open(&mut self, class: SymbolRef) -> bool {
        let facts = self.facts(class.file);
        let def = facts.def(class.def);
        def.kind == NodeKind::Interface || def.flags.has(DefFlags::OBJECT)
    }

    /// The value of a member that the function around assigns or tests.
    pub(crate) fn place(&mut self, file: FileIx, member: ExprId, place: ExprId) -> Val {
        let declared = self.eval(file, member);
        let facts = self.facts(file);
        let Expr::Local(_, set) = facts.expr(place) else {
            return declared;
        };
        let binds = facts.bind_set(set);
        if binds.is_empty() {
            return declared;
        }
        let is_tested = binds.iter().all(|bind| facts.bindings[bind.ix()].is_narrowing);
        let value = self.local(file, set).renamed(How::CtorLocal, How::CtorField);
        if is_tested {
            return if value.ty == Types::UNKNOWN { declared } else { value };
        }
        if self.file(file).is_ecmascript() && declared.ty != Types::UNKNOWN {
            return self.assigned_part(declared, value);
        }
        self.assigned(declared, value)
    }

    /// What a variable with a declared type is after an assignment: the assigned value where its class is a part of what is
    /// declared, else what is declared.
    pub(crate) fn assigned(&mut self, declared: Val, value: Val) -> Val {
        let is_open = match self.types.get(declared.ty) {
            TyData::Var(_, index) => is_untyped(*index),
            TyData::Unknown => true,
            _ => false,
        };
        if is_open {
            return value;
        }
        let members = self.types.members(declared.ty);
        for part in self.types.members(value.ty) {
            let is_class = matches!(
                self.types.get(part),
                TyData::Inst(..) | TyData::SelfInst(_) | TyData::Class(..) | TyData::SelfClass(_) | TyData::Func(_)
            );
            if !is_class || !members.iter().any(|it| self.within(part, *it) == Within::Yes) {
                return declared;
            }
        }
        value
    }

    /// The element at a literal position: of a tuple, and of what is one with names.
    pub(crate) fn element_at(&mut self, file: FileIx, element: ExprId, position: u32) -> Val {
        let facts = self.facts(file);
        if let Expr::Index(base, _) = facts.expr(element) {
            let receiver = self.eval(file, base);
            let members = self.types.members(receiver.ty);
            let is_tuple = members.iter().all(|it| match self.types.get(*it).clone() {
                TyData::Tuple(_) => true,
                TyData::Inst(class, _) => self.is_named_tuple(class),
                _ => false,
            });
            if is_tuple {
                let ty = self.item(receiver.ty, position, file);
                return receiver.with(ty, How::Elem);
            }
        }
        self.eval(file, element)
    }

    /// What a generator function declares to be sent.
    pub(crate) fn sent(&mut self, function: SymbolRef) -> Val {
        let facts = self.facts(function.file);
        let Some(hint) = facts.def(function.def).ret_hint else {
            return Val::UNKNOWN;
        };
        let declared = self.annotation(function.file, hint).ty;
        let ty = self.generator_argument(declared, 1);
        Val::new(ty, How::HintLocal)
    }

    pub(crate) fn generator_argument(&mut self, generator: Ty, index: usize) -> Ty {
        let mut parts = Vec::new();
        for member in self.types.members(generator) {
            if let Some((name, args)) = self.container(member)
                && matches!(name.as_str(), "Generator" | "AsyncGenerator")
            {
                parts.extend(args.get(index).copied());
            }
        }
        self.types.join(parts)
    }

    /// True for a class whose instances are tuples with named elements.
    pub(crate) fn is_named_tuple(&mut self, class: SymbolRef) -> bool {
        self.is_kind_of(class, "typing", "NamedTuple")
            || self
                .mro(class)
                .external
                .is_some_and(|path| self.names.text(path).ends_with(".NamedTuple"))
    }

    /// The types of the fields of a class in order, where it is a named tuple or decorated: what is at the places of the
    /// tuple, and what a class pattern takes apart.
    pub(crate) fn fields_in_order(&mut self, class: SymbolRef) -> Vec<Ty> {
        let mro = self.mro(class);
        for (ancestor, _) in &mro.entries {
            self.look_up_def(*ancestor);
            let facts = self.facts(ancestor.file);
            if !is_record(&facts, ancestor.def) {
                continue;
            }
            let mut types = Vec::new();
            for def in record_fields(&facts, ancestor.def) {
                let field = SymbolRef {
                    file: ancestor.file,
                    def,
                };
                types.push(self.variable_type(field).ty);
            }
            return types;
        }
        Vec::new()
    }
}
