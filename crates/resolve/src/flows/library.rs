//! What functions of the language's library do with functions and containers.

use super::solver::{Argument, Call, CallId, Solver, Use};
use super::values::{Key, Name, Place, Slot, Value, ValueId};

/// Makers of containers from what they are given.
const MAKERS: [&str; 16] = [
    "list",
    "tuple",
    "set",
    "frozenset",
    "dict",
    "sorted",
    "reversed",
    "iter",
    "deque",
    "OrderedDict",
    "defaultdict",
    "Array",
    "Map",
    "Set",
    "WeakMap",
    "Object",
];

/// Functions that call the functions they are given, once and without arguments of interest.
const STARTERS: [&str; 6] = [
    "setTimeout",
    "setInterval",
    "setImmediate",
    "queueMicrotask",
    "requestAnimationFrame",
    "nextTick",
];

/// True for methods of functions and containers whose effect is known.
pub(super) fn is_library_method(name: &str) -> bool {
    METHODS.contains(&name)
}

/// Methods of functions and containers whose effect is known.
const METHODS: [&str; 54] = [
    "call",
    "apply",
    "bind",
    "append",
    "add",
    "appendleft",
    "push",
    "unshift",
    "insert",
    "setdefault",
    "set",
    "fill",
    "extend",
    "update",
    "extendleft",
    "get",
    "pop",
    "popleft",
    "shift",
    "at",
    "popitem",
    "find",
    "__getitem__",
    "__next__",
    "send",
    "values",
    "copy",
    "keys",
    "slice",
    "concat",
    "splice",
    "reverse",
    "sort",
    "entries",
    "flat",
    "items",
    "forEach",
    "map",
    "flatMap",
    "some",
    "every",
    "reduce",
    "reduceRight",
    "findIndex",
    "filter",
    "then",
    "catch",
    "finally",
    "__enter__",
    "__exit__",
    "__iter__",
    "next",
    "throw",
    "close",
];

impl Solver<'_> {
    pub(super) fn call_builtin(&mut self, id: CallId, name: Name) {
        let name = self.text(name);
        self.call_library(id, &name);
    }

    pub(super) fn call_external(&mut self, id: CallId, path: Name) {
        let path = self.text(path);
        if !path.starts_with("system:") {
            return;
        }
        let name = path.rsplit(['.', ':']).next().unwrap_or_default().to_owned();
        self.call_library(id, &name);
    }

    fn call_library(&mut self, id: CallId, name: &str) {
        let call = self.calls[id.0 as usize].clone();
        match name {
            "map" | "filter" | "starmap" | "reduce" => {
                let result = self.call_functions(id, &call.arguments, &call.arguments);
                let made = self.value(Value::Object(call.result));
                if name == "filter" {
                    self.fill_from(made, &call.arguments);
                } else {
                    self.put(made, Key::Unknown, result);
                    if name == "reduce" {
                        self.copy(result, call.result);
                    }
                }
                self.add(call.result, made);
            }
            "min" | "max" | "sorted" | "groupby" => {
                let functions: Vec<Argument> = call
                    .arguments
                    .iter()
                    .copied()
                    .filter(|argument| argument.name.is_some())
                    .collect();
                self.call_functions(id, &functions, &call.arguments);
                if name == "sorted" {
                    let made = self.value(Value::Object(call.result));
                    self.fill_from(made, &call.arguments);
                    self.add(call.result, made);
                }
            }
            "next" => {
                for argument in &call.arguments {
                    self.add_use(argument.place, Use::Next(None, call.result));
                }
            }
            "partial" | "partialmethod" => {
                let made = self.value(Value::Object(call.result));
                if let Some(function) = call.arguments.first() {
                    let (applied, is_new) = self.place(Slot::Applied(made));
                    if is_new {
                        self.partials.insert(made, call.arguments[1..].to_vec());
                    }
                    self.copy(function.place, applied);
                }
                self.add(call.result, made);
            }
            "wraps" | "update_wrapper" | "lru_cache" | "cache" | "contextmanager" | "asynccontextmanager" => {
                // Gives back what it, or what it makes, is called with.
                for argument in call.arguments.iter().filter(|it| it.name.is_none()) {
                    if name != "wraps" {
                        self.copy(argument.place, call.result);
                    }
                }
                let made = self.value(Value::Object(call.result));
                self.identities.insert(made);
                self.add(call.result, made);
            }
            _ if MAKERS.contains(&name) => {
                let made = self.value(Value::Object(call.result));
                self.fill_from(made, &call.arguments);
                self.add(call.result, made);
            }
            "enumerate" | "zip" => {
                let made = self.value(Value::Object(call.result));
                let pair = self.made(call.result, 2);
                let pair = self.value(Value::Object(pair));
                for (position, argument) in call.arguments.iter().enumerate() {
                    let (elements, _) = self.place(Slot::Made(argument.place, 1));
                    self.add_use(argument.place, Use::Iterate(None, elements));
                    let shift = usize::from(name == "enumerate");
                    let key = Key::At(u32::try_from(position + shift).unwrap_or(u32::MAX));
                    self.put(pair, key, elements);
                }
                let holder = self.made(call.result, 3);
                self.add(holder, pair);
                self.put(made, Key::Unknown, holder);
                self.add(call.result, made);
            }
            _ if STARTERS.contains(&name) => {
                self.call_functions(id, &call.arguments, &[]);
            }
            _ => {}
        }
    }

    fn made(&mut self, place: Place, rank: u32) -> Place {
        self.place(Slot::Made(place, rank)).0
    }

    /// A container holds what the containers among the arguments hold.
    fn fill_from(&mut self, made: ValueId, arguments: &[Argument]) {
        for argument in arguments {
            let key = match argument.name {
                Some(name) => {
                    self.put(made, Key::Named(name), argument.place);
                    continue;
                }
                None => Key::Unknown,
            };
            let (elements, _) = self.place(Slot::Made(argument.place, 1));
            self.add_use(argument.place, Use::Iterate(None, elements));
            self.put(made, key, elements);
        }
    }

    /// Calls the functions among `functions` with the elements of `given`; the result is what they give.
    fn call_functions(&mut self, id: CallId, functions: &[Argument], given: &[Argument]) -> Place {
        let call = self.calls[id.0 as usize].clone();
        let result = self.made(call.result, 4);
        let mut elements = Vec::new();
        for argument in given {
            let (place, _) = self.place(Slot::Made(argument.place, 1));
            self.add_use(argument.place, Use::Iterate(None, place));
            elements.push(place);
        }
        for (rank, function) in functions.iter().enumerate() {
            let arguments = elements
                .iter()
                .map(|place| Argument {
                    place: *place,
                    name: None,
                    is_spread: false,
                })
                // Elements of a function there are none; what is left are those of the others, in order.
                .enumerate()
                .filter(|(position, _)| given.len() != functions.len() || *position != rank)
                .map(|(_, argument)| argument)
                .collect();
            self.forward(id, function.place, arguments, result);
        }
        result
    }

    /// At the site of a call, something else is called.
    fn forward(&mut self, id: CallId, callee: Place, arguments: Vec<Argument>, result: Place) {
        if !self.forwards.insert((id, callee)) {
            return;
        }
        let (site, depth) = {
            let call = &self.calls[id.0 as usize];
            (call.site, call.depth)
        };
        if depth >= Call::MAX_DEPTH {
            return;
        }
        let next = self.add_call(Call {
            site,
            callee,
            arguments,
            result,
            is_new: false,
            depth: depth + 1,
        });
        self.add_use(callee, Use::Call(next));
    }

    /// A partial application is called, or something that gives back its argument.
    pub(super) fn call_object(&mut self, id: CallId, object: ValueId) {
        let call = self.calls[id.0 as usize].clone();
        if self.identities.contains(&object) {
            if let Some(first) = call.arguments.first() {
                self.copy(first.place, call.result);
            }
            return;
        }
        let Some(before) = self.partials.get(&object).cloned() else {
            return;
        };
        let (applied, _) = self.place(Slot::Applied(object));
        let mut arguments = before;
        arguments.extend(call.arguments.iter().copied());
        self.forward(id, applied, arguments, call.result);
    }

    /// A method of a container or a function is called.
    pub(super) fn call_method(&mut self, id: CallId, of: ValueId, name: Name) {
        let call = self.calls[id.0 as usize].clone();
        let name = self.text(name);
        match (self.get(of), &*name) {
            (Value::Func(_) | Value::Bound(..), "call" | "apply") => {
                let callee = self.made(call.result, 5);
                self.add(callee, of);
                let arguments = if &*name == "call" {
                    call.arguments.iter().skip(1).copied().collect()
                } else {
                    call.arguments
                        .iter()
                        .skip(1)
                        .map(|argument| Argument {
                            is_spread: true,
                            ..*argument
                        })
                        .collect()
                };
                self.forward(id, callee, arguments, call.result);
            }
            (Value::Func(_) | Value::Bound(..), "bind") => {
                let made = self.value(Value::Object(call.result));
                let (applied, _) = self.place(Slot::Applied(made));
                self.add(applied, of);
                self.partials
                    .insert(made, call.arguments.iter().skip(1).copied().collect());
                self.add(call.result, made);
            }
            (Value::Object(_), method) => self.call_container_method(id, of, method),
            _ => {}
        }
    }

    fn call_container_method(&mut self, id: CallId, object: ValueId, method: &str) {
        let call = self.calls[id.0 as usize].clone();
        match method {
            "append" | "add" | "appendleft" | "push" | "unshift" | "insert" | "setdefault" | "set" | "fill" => {
                for argument in &call.arguments {
                    self.put(object, Key::Unknown, argument.place);
                }
                if matches!(method, "setdefault" | "add" | "set") {
                    self.add(call.result, object);
                    if method == "setdefault" {
                        self.take(object, Key::Any, call.result);
                    }
                }
            }
            "extend" | "update" | "extendleft" => {
                for argument in &call.arguments {
                    if let Some(name) = argument.name {
                        self.put(object, Key::Named(name), argument.place);
                        continue;
                    }
                    let (elements, _) = self.place(Slot::Made(argument.place, 1));
                    self.add_use(argument.place, Use::Iterate(None, elements));
                    self.put(object, Key::Unknown, elements);
                }
            }
            "get" | "pop" | "popleft" | "shift" | "at" | "popitem" | "find" | "__getitem__" | "__next__" | "send" => {
                self.take(object, Key::Any, call.result);
                for argument in call.arguments.iter().skip(1) {
                    self.copy(argument.place, call.result);
                }
                if method == "find" {
                    self.call_with_elements(id, object);
                }
            }
            "values" | "copy" | "keys" | "slice" | "concat" | "splice" | "reverse" | "sort" | "entries" | "flat" => {
                self.add(call.result, object);
            }
            "items" => {
                let pair = self.made(call.result, 2);
                let pair = self.value(Value::Object(pair));
                let elements = self.made(call.result, 6);
                self.take(object, Key::Any, elements);
                self.put(pair, Key::At(1), elements);
                let holder = self.made(call.result, 3);
                self.add(holder, pair);
                let made = self.value(Value::Object(call.result));
                self.put(made, Key::Unknown, holder);
                self.add(call.result, made);
            }
            "forEach" | "map" | "flatMap" | "some" | "every" | "reduce" | "reduceRight" | "findIndex" => {
                let result = self.call_with_elements(id, object);
                if matches!(method, "map" | "flatMap") {
                    let made = self.value(Value::Object(call.result));
                    self.put(made, Key::Unknown, result);
                    self.add(call.result, made);
                } else {
                    self.copy(result, call.result);
                }
            }
            "filter" => {
                self.call_with_elements(id, object);
                self.add(call.result, object);
            }
            _ => {}
        }
    }

    /// Calls the first argument with the elements of a container.
    fn call_with_elements(&mut self, id: CallId, object: ValueId) -> Place {
        let call = self.calls[id.0 as usize].clone();
        let result = self.made(call.result, 4);
        let element = self.made(call.result, 7);
        self.take(object, Key::Any, element);
        if let Some(function) = call.arguments.first() {
            let argument = Argument {
                place: element,
                name: None,
                is_spread: false,
            };
            // `reduce` passes the result so far first: both get the element.
            self.forward(id, function.place, vec![argument, argument], result);
        }
        result
    }
}
