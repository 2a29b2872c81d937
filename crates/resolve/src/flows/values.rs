//! Values and places, interned.

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use strata_model::ids::{BindId, FileIx, SymbolRef};

/// A name of the whole program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct Name(pub(super) u32);

/// An interned [`Value`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct ValueId(pub(super) u32);

/// A place that values get to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct Place(pub(super) u32);

/// A value that is followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Value {
    /// A function.
    Func(SymbolRef),
    /// A function with its receiver.
    Bound(SymbolRef, ValueId),
    /// A class itself.
    Class(SymbolRef),
    /// An instance of a class, or an object literal.
    Inst(SymbolRef),
    /// `super` in a class.
    Super(SymbolRef),
    /// A container, generator or partial application, by the place at which it is made.
    Object(Place),
    /// A module.
    Module(FileIx),
    /// A function or class that the language brings along.
    Builtin(Name),
    /// Something outside the root, by path.
    External(Name),
    /// A method of a value that is none of the root's: a container's, a function's.
    Method(ValueId, Name),
}

/// A key of a container.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    /// A position.
    At(u32),
    /// A literal.
    Named(Name),
    /// A key that is not known.
    Unknown,
    /// Whatever stands under any key.
    Any,
}

/// What a place is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Slot {
    Bind(FileIx, BindId),
    Param(SymbolRef, u32),
    /// What a function returns, apart from its own parameters.
    Result(SymbolRef),
    /// What the name of a definition stands for.
    Def(SymbolRef),
    /// What is assigned to a variable or field.
    Variable(SymbolRef),
    /// `this` in the members of a class or object.
    This(SymbolRef),
    /// A member that was assigned from outside.
    Field(ValueId, Name),
    Element(ValueId, Key),
    /// The function of a partial application.
    Applied(ValueId),
    /// Something made for the call or definition at a place.
    Made(Place, u32),
    /// What a method of a value gives when the language calls it.
    Invoked(ValueId, Name, Option<super::solver::SiteId>),
    /// A member of a module.
    Export(FileIx, Name),
    /// What a symbol that resolution found stands for.
    Target(SymbolRef),
}

/// Numbers for things, and things by number.
#[derive(Default)]
pub(super) struct Table<T> {
    things: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> Table<T> {
    pub(super) fn new() -> Self {
        Self {
            things: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    /// The number of a thing, and true when it is new.
    pub(super) fn intern(&mut self, thing: T) -> (u32, bool) {
        if let Some(number) = self.numbers.get(&thing) {
            return (*number, false);
        }
        let number = u32::try_from(self.things.len()).unwrap_or(u32::MAX);
        self.things.push(thing.clone());
        self.numbers.insert(thing, number);
        (number, true)
    }

    pub(super) fn get(&self, number: u32) -> &T {
        &self.things[number as usize]
    }
}

/// Names of the whole program.
pub(super) type Names = Table<Rc<str>>;
