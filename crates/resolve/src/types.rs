//! Types as evaluation knows them: interned terms, compared by number.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use strata_model::ids::{FileIx, SymbolRef};

use crate::names::NameId;

/// An interned type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ty(u32);

/// Most members of a union; wider ones are unknown.
pub(crate) const MAX_UNION: usize = 8;

/// A type variable: a declared type parameter (owner, index), or a variable that holds one (Python's `TypeVar`), whose
/// index is [`VARIABLE`].
pub(crate) type VarKey = (SymbolRef, u32);

/// Index of type variables that are module variables.
pub(crate) const VARIABLE: u32 = u32::MAX;

/// Marks the index of a variable as that of a parameter without a declared type: what a call passes is what it is.
pub(crate) const UNTYPED: u32 = 1 << 31;

/// True for the variable that stands for a parameter without a declared type.
pub(crate) const fn is_untyped(index: u32) -> bool {
    index != VARIABLE && index & UNTYPED != 0
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TyData {
    /// Nothing is known.
    Unknown,
    /// `None`, `null`, `undefined`.
    Null,
    /// Decided when the program runs.
    Dynamic,
    /// An instance of a class, interface, enum or object literal, with type arguments.
    Inst(SymbolRef, Rc<[Ty]>),
    /// The class itself.
    Class(SymbolRef, Rc<[Ty]>),
    /// The receiver inside a method of the class: replaced by the actual receiver when a result leaves the method.
    SelfInst(SymbolRef),
    /// The class of the receiver.
    SelfClass(SymbolRef),
    /// `Self` in an annotation.
    SelfHole,
    /// A function.
    Func(SymbolRef),
    /// A function with its receiver.
    Bound(SymbolRef, Ty),
    /// A module.
    Module(FileIx),
    /// Folders that act as one module, by number.
    Folders(u32),
    /// Something outside the root, by path.
    Ext(NameId, Rc<[Ty]>),
    /// A builtin function or type itself.
    Builtin(NameId, Rc<[Ty]>),
    /// An instance of a builtin type.
    BuiltinInst(NameId, Rc<[Ty]>),
    /// A member of a builtin value.
    BuiltinMember(Ty, NameId),
    /// A tuple.
    Tuple(Rc<[Ty]>),
    /// One of several.
    Union(Rc<[Ty]>),
    /// All of several at once.
    Intersection(Rc<[Ty]>),
    /// A type variable.
    Var(SymbolRef, u32),
    /// The class of what a type variable stands for: `type[T]`.
    ClassOf(Ty),
    /// What calling what a type variable stands for makes, when that is a class.
    Made(Ty),
    /// `super` in the class; true: on the class side.
    Super(SymbolRef, bool),
    /// A function type: parameters, result.
    FnType(Rc<[Ty]>, Ty),
    /// The type of a member of what a type variable stands for: `T["name"]`.
    Indexed(Ty, NameId),
}

/// Nesting of a type beyond which nothing is known of it.
const MAX_DEPTH: u32 = 32;
/// Parts of a type beyond which nothing is known of it. A part that occurs twice counts twice, because whoever goes through
/// the type meets it twice: an alias of an alias of itself doubles with every step.
const MAX_PARTS: u32 = 1 << 14;

/// How far a type reaches.
#[derive(Clone, Copy, Debug)]
struct Extent {
    n_parts: u32,
    depth: u32,
    /// Whether something in it waits to be replaced.
    has_holes: bool,
}

/// The table of types.
pub(crate) struct Types {
    data: Vec<TyData>,
    /// By type.
    extents: Vec<Extent>,
    by_data: FxHashMap<TyData, Ty>,
}

impl Types {
    pub(crate) const UNKNOWN: Ty = Ty(0);
    pub(crate) const NULL: Ty = Ty(1);
    pub(crate) const DYNAMIC: Ty = Ty(2);

    pub(crate) fn new() -> Self {
        let mut types = Self {
            data: Vec::new(),
            extents: Vec::new(),
            by_data: FxHashMap::default(),
        };
        types.intern(TyData::Unknown);
        types.intern(TyData::Null);
        types.intern(TyData::Dynamic);
        types
    }

    fn extent(&self, data: &TyData) -> Extent {
        let over = |parts: &[Ty], last: Option<Ty>| {
            let alone = Extent {
                n_parts: 1,
                depth: 1,
                has_holes: false,
            };
            parts.iter().copied().chain(last).fold(alone, |sum, part| {
                let part = self.extents[part.0 as usize];
                Extent {
                    n_parts: sum.n_parts.saturating_add(part.n_parts),
                    depth: sum.depth.max(part.depth + 1),
                    has_holes: sum.has_holes || part.has_holes,
                }
            })
        };
        match data {
            TyData::Inst(_, args)
            | TyData::Class(_, args)
            | TyData::Ext(_, args)
            | TyData::Builtin(_, args)
            | TyData::BuiltinInst(_, args)
            | TyData::Tuple(args)
            | TyData::Intersection(args)
            | TyData::Union(args) => over(args, None),
            TyData::FnType(params, ret) => over(params, Some(*ret)),
            TyData::BuiltinMember(of, _) | TyData::Bound(_, of) | TyData::Indexed(of, _) => over(&[], Some(*of)),
            TyData::ClassOf(of) | TyData::Made(of) => Extent {
                has_holes: true,
                ..over(&[], Some(*of))
            },
            TyData::Var(..) | TyData::SelfInst(_) | TyData::SelfClass(_) | TyData::SelfHole => Extent {
                has_holes: true,
                ..over(&[], None)
            },
            TyData::Unknown
            | TyData::Null
            | TyData::Dynamic
            | TyData::Func(_)
            | TyData::Module(_)
            | TyData::Folders(_)
            | TyData::Super(..) => over(&[], None),
        }
    }

    pub(crate) fn intern(&mut self, data: TyData) -> Ty {
        if let Some(ty) = self.by_data.get(&data) {
            return *ty;
        }
        let extent = self.extent(&data);
        if extent.n_parts > MAX_PARTS || extent.depth > MAX_DEPTH {
            return Self::UNKNOWN;
        }
        let ty = Ty(u32::try_from(self.data.len()).unwrap_or(u32::MAX));
        self.data.push(data.clone());
        self.extents.push(extent);
        self.by_data.insert(data, ty);
        ty
    }

    pub(crate) fn get(&self, ty: Ty) -> &TyData {
        &self.data[ty.0 as usize]
    }

    /// The members of a union, or the type itself.
    pub(crate) fn members(&self, ty: Ty) -> Vec<Ty> {
        match self.get(ty) {
            TyData::Union(members) => members.to_vec(),
            _ => vec![ty],
        }
    }

    /// The parts of unions and intersections, all of which are asked where any of them may answer.
    pub(crate) fn parts(&self, ty: Ty) -> Vec<Ty> {
        let mut parts = Vec::new();
        for member in self.members(ty) {
            match self.get(member) {
                TyData::Intersection(inner) => parts.extend(inner.iter().copied()),
                _ => parts.push(member),
            }
        }
        parts
    }

    /// All of several: of a union each member with the rest. What is not known is kept, for it may have any member.
    pub(crate) fn meet(&mut self, parts: &[Ty]) -> Ty {
        let mut combined: Vec<Vec<Ty>> = vec![Vec::new()];
        for part in parts {
            let members = self.members(*part);
            if members.len() * combined.len() > MAX_UNION {
                return Self::UNKNOWN;
            }
            let before = std::mem::take(&mut combined);
            for one in &before {
                for member in &members {
                    let mut all = one.clone();
                    let inner = match self.get(*member) {
                        TyData::Intersection(inner) => inner.to_vec(),
                        _ => vec![*member],
                    };
                    for it in inner {
                        if !all.contains(&it) {
                            all.push(it);
                        }
                    }
                    combined.push(all);
                }
            }
        }
        let met: Vec<Ty> = combined
            .into_iter()
            .map(|all| match all.as_slice() {
                [] => Self::UNKNOWN,
                [only] => *only,
                _ if all.iter().all(|it| *it == Self::UNKNOWN) => Self::UNKNOWN,
                _ => self.intern(TyData::Intersection(all.into())),
            })
            .collect();
        self.join(met)
    }

    /// One of several: unknown parts are left out, so that what is known is kept.
    pub(crate) fn join(&mut self, parts: impl IntoIterator<Item = Ty>) -> Ty {
        let mut members: Vec<Ty> = Vec::new();
        for part in parts {
            match self.get(part) {
                TyData::Unknown => {}
                TyData::Union(inner) => {
                    for ty in inner.iter() {
                        if !members.contains(ty) {
                            members.push(*ty);
                        }
                    }
                }
                _ => {
                    if !members.contains(&part) {
                        members.push(part);
                    }
                }
            }
        }
        match members.as_slice() {
            [] => Self::UNKNOWN,
            [only] => *only,
            _ if members.len() > MAX_UNION => Self::UNKNOWN,
            _ => self.intern(TyData::Union(members.into())),
        }
    }

    /// The type without its null part.
    pub(crate) fn without_null(&mut self, ty: Ty) -> Ty {
        match self.get(ty) {
            TyData::Null => Self::UNKNOWN,
            TyData::Union(members) => {
                let rest: Vec<Ty> = members.iter().copied().filter(|it| *it != Self::NULL).collect();
                self.join(rest)
            }
            _ => ty,
        }
    }

    /// True when a variable or a receiver is anywhere inside.
    pub(crate) fn has_holes(&self, ty: Ty) -> bool {
        self.extents[ty.0 as usize].has_holes
    }

    /// Replaces variables by the types of `env`, and the receiver by `receiver`.
    pub(crate) fn substitute(&mut self, ty: Ty, env: &[(VarKey, Ty)], receiver: Option<Ty>) -> Ty {
        if !self.has_holes(ty) {
            return ty;
        }
        match self.get(ty).clone() {
            TyData::Var(owner, index) => env
                .iter()
                .find(|(key, _)| *key == (owner, index))
                .map_or(ty, |(_, actual)| *actual),
            TyData::SelfInst(_) | TyData::SelfHole => match receiver.map(|it| (it, self.get(it).clone())) {
                Some((_, TyData::Class(class, args))) => self.intern(TyData::Inst(class, args)),
                Some((_, TyData::SelfClass(class))) => self.intern(TyData::SelfInst(class)),
                Some((_, TyData::Builtin(name, args))) => self.intern(TyData::BuiltinInst(name, args)),
                Some((receiver, _)) => receiver,
                None => ty,
            },
            TyData::SelfClass(_) => match receiver.map(|it| (it, self.get(it).clone())) {
                Some((_, TyData::Inst(class, args))) => self.intern(TyData::Class(class, args)),
                Some((_, TyData::SelfInst(class))) => self.intern(TyData::SelfClass(class)),
                Some((_, TyData::BuiltinInst(name, args))) => self.intern(TyData::Builtin(name, args)),
                Some((receiver, _)) => receiver,
                None => ty,
            },
            TyData::ClassOf(of) => {
                let of = self.substitute(of, env, receiver);
                self.class_of(of)
            }
            TyData::Made(by) => {
                let by = self.substitute(by, env, receiver);
                self.made_by(by)
            }
            TyData::Inst(class, args) => {
                let args = self.substitute_all(&args, env, receiver);
                self.intern(TyData::Inst(class, args))
            }
            TyData::Class(class, args) => {
                let args = self.substitute_all(&args, env, receiver);
                self.intern(TyData::Class(class, args))
            }
            TyData::Ext(path, args) => {
                let args = self.substitute_all(&args, env, receiver);
                self.intern(TyData::Ext(path, args))
            }
            TyData::Builtin(name, args) => {
                let args = self.substitute_all(&args, env, receiver);
                self.intern(TyData::Builtin(name, args))
            }
            TyData::BuiltinInst(name, args) => {
                let args = self.substitute_all(&args, env, receiver);
                self.intern(TyData::BuiltinInst(name, args))
            }
            TyData::Tuple(args) => {
                let args = self.substitute_all(&args, env, receiver);
                self.intern(TyData::Tuple(args))
            }
            TyData::Union(args) => {
                let args = self.substitute_all(&args, env, receiver);
                self.join(args.iter().copied())
            }
            TyData::Intersection(args) => {
                let args = self.substitute_all(&args, env, receiver);
                self.meet(&args)
            }
            TyData::FnType(params, ret) => {
                let params = self.substitute_all(&params, env, receiver);
                let ret = self.substitute(ret, env, receiver);
                self.intern(TyData::FnType(params, ret))
            }
            TyData::BuiltinMember(of, name) => {
                let of = self.substitute(of, env, receiver);
                self.intern(TyData::BuiltinMember(of, name))
            }
            TyData::Bound(function, of) => {
                let of = self.substitute(of, env, receiver);
                self.intern(TyData::Bound(function, of))
            }
            TyData::Indexed(of, name) => {
                let of = self.substitute(of, env, receiver);
                self.intern(TyData::Indexed(of, name))
            }
            TyData::Unknown
            | TyData::Null
            | TyData::Dynamic
            | TyData::Func(_)
            | TyData::Module(_)
            | TyData::Folders(_)
            | TyData::Super(..) => ty,
        }
    }

    /// The class object of an instance type.
    pub(crate) fn class_of(&mut self, ty: Ty) -> Ty {
        let parts: Vec<Ty> = self
            .members(ty)
            .into_iter()
            .map(|it| match self.get(it).clone() {
                TyData::Inst(class, args) => self.intern(TyData::Class(class, args)),
                TyData::SelfInst(class) => self.intern(TyData::SelfClass(class)),
                TyData::BuiltinInst(name, args) => self.intern(TyData::Builtin(name, args)),
                TyData::Var(..) => self.intern(TyData::ClassOf(it)),
                TyData::Ext(..) => it,
                _ => Self::UNKNOWN,
            })
            .collect();
        self.join(parts)
    }

    /// What calling a class, or a variable that may stand for one, makes.
    pub(crate) fn made_by(&mut self, ty: Ty) -> Ty {
        let parts: Vec<Ty> = self
            .members(ty)
            .into_iter()
            .map(|it| match self.get(it).clone() {
                TyData::Class(class, args) => self.intern(TyData::Inst(class, args)),
                TyData::SelfClass(class) => self.intern(TyData::SelfInst(class)),
                TyData::ClassOf(of) => of,
                TyData::Var(..) => self.intern(TyData::Made(it)),
                TyData::FnType(_, result) => result,
                _ => Self::UNKNOWN,
            })
            .collect();
        self.join(parts)
    }

    fn substitute_all(&mut self, tys: &[Ty], env: &[(VarKey, Ty)], receiver: Option<Ty>) -> Rc<[Ty]> {
        tys.iter().map(|ty| self.substitute(*ty, env, receiver)).collect()
    }
}
