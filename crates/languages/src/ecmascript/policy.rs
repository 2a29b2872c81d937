//! Rules of scoping and typing, and what the containers of the standard library yield.

use strata_lang::Policy;
use strata_lang::policy::{ContainerMethod, Gives, Linearisation, Wrapper};

/// Rules of the family.
pub(crate) static POLICY: Policy = Policy {
    class_scope_is_private: false,
    is_hoisted: true,
    assignment_declares: false,
    constructors: &["constructor"],
    call_constructs: false,
    explicit_receiver: false,
    linearisation: Linearisation::ClassThenInterfaces,
    wrappers: WRAPPERS,
    container_methods: CONTAINER_METHODS,
    call_member: Some("<call>"),
    frameworks: super::frameworks::ALL,
};

const fn container(name: &'static str, iter: u8, index: Option<u8>) -> Wrapper {
    Wrapper {
        name,
        iter: Some(iter),
        index,
        awaited: None,
        entered: None,
        is_transparent: false,
    }
}

const fn promise(name: &'static str) -> Wrapper {
    Wrapper {
        name,
        iter: None,
        index: None,
        awaited: Some(0),
        entered: None,
        is_transparent: false,
    }
}

const fn indexed(name: &'static str, index: u8) -> Wrapper {
    Wrapper {
        name,
        iter: None,
        index: Some(index),
        awaited: None,
        entered: None,
        is_transparent: false,
    }
}

/// Types that say something about their first argument and have its members.
const fn mark(name: &'static str) -> Wrapper {
    Wrapper {
        name,
        iter: None,
        index: None,
        awaited: None,
        entered: None,
        is_transparent: true,
    }
}

const WRAPPERS: &[Wrapper] = &[
    container("Array", 0, Some(0)),
    container("ReadonlyArray", 0, Some(0)),
    container("ArrayLike", 0, Some(0)),
    container("NodeListOf", 0, Some(0)),
    container("Set", 0, None),
    container("ReadonlySet", 0, None),
    container("Map", 0, None),
    container("ReadonlyMap", 0, None),
    container("Iterable", 0, None),
    container("Iterator", 0, None),
    container("IterableIterator", 0, None),
    container("ArrayIterator", 0, None),
    container("MapIterator", 0, None),
    container("SetIterator", 0, None),
    container("Generator", 0, None),
    container("AsyncIterable", 0, None),
    container("AsyncIterator", 0, None),
    container("AsyncIterableIterator", 0, None),
    container("AsyncGenerator", 0, None),
    promise("Promise"),
    promise("PromiseLike"),
    indexed("Record", 1),
    mark("Readonly"),
    mark("Required"),
    mark("Partial"),
    mark("NonNullable"),
    mark("NoInfer"),
    mark("Awaited"),
    mark("Pick"),
    mark("Omit"),
];

const fn row(container: &'static str, method: &'static str, gives: Gives, passes: Gives) -> ContainerMethod {
    ContainerMethod {
        container,
        method,
        gives,
        passes,
    }
}

/// Methods of arrays, for one name of the container.
macro_rules! array_rows {
    ($($name:literal),+) => {
        &[
            $(
                row($name, "map", Gives::ListOfResult, Gives::Arg(0)),
                row($name, "flatMap", Gives::Result, Gives::Arg(0)),
                row($name, "filter", Gives::Same, Gives::Arg(0)),
                row($name, "find", Gives::Arg(0), Gives::Arg(0)),
                row($name, "findLast", Gives::Arg(0), Gives::Arg(0)),
                row($name, "findIndex", Gives::Nothing, Gives::Arg(0)),
                row($name, "findLastIndex", Gives::Nothing, Gives::Arg(0)),
                row($name, "forEach", Gives::Nothing, Gives::Arg(0)),
                row($name, "some", Gives::Nothing, Gives::Arg(0)),
                row($name, "every", Gives::Nothing, Gives::Arg(0)),
                row($name, "sort", Gives::Same, Gives::Arg(0)),
                row($name, "toSorted", Gives::Same, Gives::Arg(0)),
                row($name, "pop", Gives::Arg(0), Gives::Nothing),
                row($name, "shift", Gives::Arg(0), Gives::Nothing),
                row($name, "at", Gives::Arg(0), Gives::Nothing),
                row($name, "slice", Gives::Same, Gives::Nothing),
                row($name, "splice", Gives::Same, Gives::Nothing),
                row($name, "concat", Gives::Same, Gives::Nothing),
                row($name, "reverse", Gives::Same, Gives::Nothing),
                row($name, "toReversed", Gives::Same, Gives::Nothing),
                row($name, "fill", Gives::Same, Gives::Nothing),
                row($name, "with", Gives::Same, Gives::Nothing),
                row($name, "values", Gives::ListOf(0), Gives::Nothing),
                row($name, "entries", Gives::PairsOf(1, 0), Gives::Nothing),
            )+
            row("NodeListOf", "forEach", Gives::Nothing, Gives::Arg(0)),
            row("Set", "forEach", Gives::Nothing, Gives::Arg(0)),
            row("Set", "add", Gives::Same, Gives::Nothing),
            row("Set", "values", Gives::ListOf(0), Gives::Nothing),
            row("Set", "keys", Gives::ListOf(0), Gives::Nothing),
            row("ReadonlySet", "forEach", Gives::Nothing, Gives::Arg(0)),
            row("ReadonlySet", "values", Gives::ListOf(0), Gives::Nothing),
            row("Map", "get", Gives::Arg(1), Gives::Nothing),
            row("Map", "set", Gives::Same, Gives::Nothing),
            row("Map", "values", Gives::ListOf(1), Gives::Nothing),
            row("Map", "keys", Gives::ListOf(0), Gives::Nothing),
            row("Map", "entries", Gives::PairsOf(0, 1), Gives::Nothing),
            row("Map", "forEach", Gives::Nothing, Gives::Arg(1)),
            row("ReadonlyMap", "get", Gives::Arg(1), Gives::Nothing),
            row("ReadonlyMap", "values", Gives::ListOf(1), Gives::Nothing),
            row("ReadonlyMap", "keys", Gives::ListOf(0), Gives::Nothing),
            row("ReadonlyMap", "entries", Gives::PairsOf(0, 1), Gives::Nothing),
            row("ReadonlyMap", "forEach", Gives::Nothing, Gives::Arg(1)),
            row("WeakMap", "get", Gives::Arg(1), Gives::Nothing),
            row("WeakMap", "set", Gives::Same, Gives::Nothing),
            row("Iterator", "next", Gives::Nothing, Gives::Nothing),
            row("WeakRef", "deref", Gives::Arg(0), Gives::Nothing),
            row("Promise", "then", Gives::SameOfResult, Gives::Arg(0)),
            row("Promise", "catch", Gives::Same, Gives::Nothing),
            row("Promise", "finally", Gives::Same, Gives::Nothing),
            row("PromiseLike", "then", Gives::SameOfResult, Gives::Arg(0)),
        ]
    };
}

const CONTAINER_METHODS: &[ContainerMethod] = array_rows!("Array", "ReadonlyArray");
