//! Rules of a language that are plain data, read by the binder and by type evaluation.

use crate::framework::Framework;

/// How ancestors are put in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linearisation {
    /// Superclass chain first, then interfaces.
    ClassThenInterfaces,
    /// C3, as Python's method resolution order.
    C3,
}

/// Rules of scoping and typing.
#[derive(Debug)]
pub struct Policy {
    /// True when the names of a class body are invisible to the functions inside it.
    pub class_scope_is_private: bool,
    /// True when a use before any binding of its own scope still means that binding (hoisting of functions, classes and
    /// `var`; the temporal dead zone is ignored). False: it means nothing (`UnboundLocal`).
    pub is_hoisted: bool,
    /// True when an assignment in a function makes the name local to the whole function.
    pub assignment_declares: bool,
    /// Name of the constructor method.
    pub constructors: &'static [&'static str],
    /// True when calling a class makes an instance (`C()`); otherwise only `new` does.
    pub call_constructs: bool,
    /// True when the first parameter of a method is its receiver.
    pub explicit_receiver: bool,
    /// Order of ancestors.
    pub linearisation: Linearisation,
    /// What containers and wrappers of the language or its library yield: see [`Wrapper`].
    pub wrappers: &'static [Wrapper],
    /// Methods of containers, by (container, method): see [`ContainerMethod`].
    pub container_methods: &'static [ContainerMethod],
    /// Name of the member that makes an instance callable.
    pub call_member: Option<&'static str>,
    /// What is known of frameworks, in the order in which they are asked.
    pub frameworks: &'static [&'static Framework],
}

/// A generic library type whose element, key or awaited type is one of its arguments.
#[derive(Debug)]
pub struct Wrapper {
    /// The type's own name, such as `list`, `Promise`, `Iterator` (last segment).
    pub name: &'static str,
    /// What iterating it yields: index of the type argument.
    pub iter: Option<u8>,
    /// What indexing it yields.
    pub index: Option<u8>,
    /// What awaiting it yields.
    pub awaited: Option<u8>,
    /// What entering it by `with` yields.
    pub entered: Option<u8>,
    /// True when the type is only a mark around its argument: `Final[T]`, `Annotated[T, …]`, `Readonly<T>`.
    pub is_transparent: bool,
}

/// What a method of a container returns or passes to its function argument.
#[derive(Debug)]
pub struct ContainerMethod {
    /// The container's name.
    pub container: &'static str,
    /// The method's name.
    pub method: &'static str,
    /// What the call gives.
    pub gives: Gives,
    /// What the first parameter of a function argument gets.
    pub passes: Gives,
}

/// A type in terms of the container's own type arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    /// Not modelled.
    Nothing,
    /// The container itself.
    Same,
    /// The type argument with this index.
    Arg(u8),
    /// An array or list of the type argument with this index.
    ListOf(u8),
    /// Something iterable over pairs of the two arguments.
    PairsOf(u8, u8),
    /// An array of what the function argument returns.
    ListOfResult,
    /// What the function argument returns.
    Result,
    /// The container over what the function argument returns (`Promise.then`).
    SameOfResult,
}
