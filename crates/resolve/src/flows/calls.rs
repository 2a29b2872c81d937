//! Calls: what is reached, and where arguments and results go.

use strata_model::facts::{DefFlags, ParamKind};
use strata_model::ids::SymbolRef;
use strata_model::outcome::How;

use super::solver::{Argument, Call, CallId, Reached, Solver};
use super::values::{Key, Place, Slot, Value, ValueId};

impl Solver<'_> {
    /// A value gets to the callee of a call.
    pub(super) fn call(&mut self, id: CallId, callee: ValueId) {
        let call = self.calls[id.0 as usize].clone();
        match self.get(callee) {
            Value::Func(function) => {
                if call.is_new {
                    // A constructor function.
                    let made = self.value(Value::Inst(function));
                    self.add(call.result, made);
                }
                self.reach_function(id, function);
                self.pass(function, 0, &call.arguments, call.result);
            }
            Value::Bound(function, receiver) => {
                self.reach_function(id, function);
                self.receive_this(function, receiver);
                let offset = self.receiver_count(function);
                self.pass(function, offset, &call.arguments, call.result);
            }
            Value::Class(class) => {
                let made = self.value(Value::Inst(class));
                self.add(call.result, made);
                if let Some(constructor) = self.constructor(class) {
                    self.reach(call.site, Reached::Symbol(constructor), How::ImplicitCall);
                    self.receive_this(constructor, made);
                    let nowhere = self.place(Slot::Made(call.result, 0)).0;
                    let offset = self.receiver_count(constructor);
                    self.pass(constructor, offset, &call.arguments, nowhere);
                } else if let Some(path) = self.ancestors(class).external {
                    let text = format!("{}.__init__", self.text(path));
                    let path = self.intern(&text);
                    self.reach(call.site, Reached::External(path), How::ImplicitCall);
                }
            }
            Value::Inst(_) => {
                let name = self.known.call;
                let place = self.place(Slot::Invoked(callee, name, None)).0;
                self.load(callee, name, place);
                let mut again = call;
                again.callee = place;
                again.depth += 1;
                let key = (id, callee);
                if again.depth <= Call::MAX_DEPTH && self.forwarded.insert(key) {
                    let next = self.add_call(again);
                    self.add_use(place, super::solver::Use::Call(next));
                }
            }
            Value::Object(_) => self.call_object(id, callee),
            Value::Builtin(name) => self.call_builtin(id, name),
            Value::External(path) => {
                self.reach(call.site, Reached::External(path), self.how_of(id));
                self.call_external(id, path);
            }
            Value::Method(of, name) => self.call_method(id, of, name),
            Value::Super(_) | Value::Module(_) => {}
        }
    }

    fn how_of(&self, id: CallId) -> How {
        match self.calls[id.0 as usize].site {
            Some(site) => self.sites[site.0 as usize].how,
            None => How::CallbackFlow,
        }
    }

    fn reach_function(&mut self, id: CallId, function: SymbolRef) {
        let call = &self.calls[id.0 as usize];
        let (site, how) = (call.site, self.how_of(id));
        self.reach(site, Reached::Symbol(function), how);
    }

    /// Parameters that the receiver takes.
    fn receiver_count(&self, function: SymbolRef) -> u32 {
        let is_explicit = self.files[function.file.ix()].language.policy().explicit_receiver;
        u32::from(is_explicit && !self.def(function).flags.has(DefFlags::STATIC))
    }

    /// A receiver gets to a function.
    pub(super) fn receive_this(&mut self, function: SymbolRef, receiver: ValueId) {
        if self.is_ecmascript(function.file) {
            let Some(parent) = self.def(function).parent else {
                return;
            };
            let owner = SymbolRef {
                file: function.file,
                def: parent,
            };
            let (this, _) = self.place(Slot::This(owner));
            self.add(this, receiver);
        } else if self.receiver_count(function) == 1 {
            let first = self.parameter(function, 0);
            self.add(first, receiver);
        }
    }

    /// Passes arguments to the parameters of a function from `offset` on, and its result on.
    pub(super) fn pass(&mut self, function: SymbolRef, offset: u32, arguments: &[Argument], result: Place) {
        let files = self.files;
        let facts = &*files[function.file.ix()].facts;
        let params = facts.params(facts.def(function.def).params);
        let own = self.result(function);
        self.copy(own, result);
        let returned = self.returned.get(&function).cloned();
        let is_returned = |index: u32| returned.as_ref().is_some_and(|it| it.contains(&index));
        let mut given = vec![false; params.len()];
        let mut position = offset;
        for argument in arguments {
            if argument.is_spread {
                self.pass_spread(function, position, *argument, result, &is_returned);
                given.fill(true);
                continue;
            }
            let index = match argument.name {
                Some(name) => {
                    let name = self.text(name);
                    params.iter().position(|param| facts.str(param.name) == &*name)
                }
                None => Some(position as usize),
            };
            let is_plain = |index: &usize| {
                params
                    .get(*index)
                    .is_some_and(|it| matches!(it.kind, ParamKind::Normal | ParamKind::Keyword))
            };
            match index.filter(is_plain) {
                Some(index) => {
                    given[index] = true;
                    let index = u32::try_from(index).unwrap_or(u32::MAX);
                    let param = self.parameter(function, index);
                    self.copy(argument.place, param);
                    if is_returned(index) {
                        self.copy(argument.place, result);
                    }
                }
                None => self.pass_rest(function, position, *argument),
            }
            if argument.name.is_none() {
                position += 1;
            }
        }
        for index in returned.iter().flat_map(|it| it.iter()) {
            let is_given = given.get(*index as usize).copied().unwrap_or(true);
            if *index < offset || (!is_given && params[*index as usize].default.is_some()) {
                let param = match params[*index as usize].default {
                    Some(default) if *index >= offset => self.expr(function.file, default),
                    _ => self.parameter(function, *index),
                };
                self.copy(param, result);
            }
        }
    }

    /// An argument that no parameter takes goes to `*rest` or `**rest`.
    fn pass_rest(&mut self, function: SymbolRef, position: u32, argument: Argument) {
        let files = self.files;
        let facts = &*files[function.file.ix()].facts;
        let params = facts.params(facts.def(function.def).params);
        let wanted = match argument.name {
            Some(_) => ParamKind::KeywordRest,
            None => ParamKind::Rest,
        };
        let Some(index) = params.iter().position(|param| param.kind == wanted) else {
            return;
        };
        let place = self.parameter(function, u32::try_from(index).unwrap_or(u32::MAX));
        let rest = self.value(Value::Object(place));
        let key = match argument.name {
            Some(name) => Key::Named(name),
            None => Key::At(position - u32::try_from(index).unwrap_or(position)),
        };
        self.put(rest, key, argument.place);
    }

    /// `*values`, `**values`, `...values`: what it holds may get to each parameter that follows.
    fn pass_spread(
        &mut self,
        function: SymbolRef,
        position: u32,
        argument: Argument,
        result: Place,
        is_returned: &dyn Fn(u32) -> bool,
    ) {
        let files = self.files;
        let facts = &*files[function.file.ix()].facts;
        let params = facts.params(facts.def(function.def).params);
        for (index, param) in params.iter().enumerate().skip(position as usize) {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            let place = self.parameter(function, index);
            match param.kind {
                ParamKind::Normal | ParamKind::Keyword => {
                    // A list holds it by position, a dictionary by name.
                    let at = Key::At(index - position);
                    self.add_use(argument.place, super::solver::Use::Element(at, place));
                    let name = self.name(function.file, param.name);
                    self.add_use(argument.place, super::solver::Use::Element(Key::Named(name), place));
                    if is_returned(index) {
                        self.add_use(argument.place, super::solver::Use::Element(at, result));
                        self.add_use(argument.place, super::solver::Use::Element(Key::Named(name), result));
                    }
                }
                ParamKind::Rest | ParamKind::KeywordRest => {
                    let (elements, _) = self.place(Slot::Made(argument.place, 1));
                    self.add_use(argument.place, super::solver::Use::Element(Key::Any, elements));
                    let rest = self.value(Value::Object(place));
                    self.put(rest, Key::Unknown, elements);
                }
                ParamKind::Type => {}
            }
        }
    }
}
