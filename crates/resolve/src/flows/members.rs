//! Reading and writing members and elements of values.

use strata_model::facts::DefFlags;
use strata_model::ids::{FileIx, SymbolRef};
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;

use super::library::is_library_method;
use super::solver::{Call, Reached, SiteId, Solver, Use};
use super::values::{Key, Name, Place, Slot, Value, ValueId};

/// Longest path of something outside the root that is followed.
const MAX_PATH: usize = 120;

impl Solver<'_> {
    pub(super) fn load(&mut self, value: ValueId, name: Name, to: Place) {
        match self.get(value) {
            Value::Inst(class) => self.load_of_instance(value, class, name, to),
            Value::Class(class) => self.load_of_class(value, class, name, to),
            Value::Super(class) => self.load_of_super(class, name, to),
            Value::Module(file) => self.load_of_module(value, file, name, to),
            Value::External(path) => {
                let text = format!("{}.{}", self.text(path), self.text(name));
                if text.len() <= MAX_PATH {
                    let path = self.intern(&text);
                    let member = self.value(Value::External(path));
                    self.add(to, member);
                }
            }
            Value::Func(_) | Value::Bound(..) => {
                self.load_field(value, name, to);
                self.load_method(value, name, to);
            }
            Value::Object(_) => {
                self.load_method(value, name, to);
                if self.stored.contains(&name) {
                    self.take(value, Key::Named(name), to);
                }
            }
            Value::Builtin(_) | Value::Method(..) => {}
        }
    }

    /// What was assigned to a member from outside.
    fn load_field(&mut self, value: ValueId, name: Name, to: Place) {
        if self.stored.contains(&name) {
            let (field, _) = self.place(Slot::Field(value, name));
            self.copy(field, to);
        }
    }

    fn load_method(&mut self, value: ValueId, name: Name, to: Place) {
        if is_library_method(&self.text(name)) {
            let method = self.value(Value::Method(value, name));
            self.add(to, method);
        }
    }

    fn load_of_instance(&mut self, value: ValueId, class: SymbolRef, name: Name, to: Place) {
        self.load_field(value, name, to);
        let is_stored = self.stored.contains(&name);
        let ancestors = self.ancestors(class);
        let mut has_class_member = false;
        for ancestor in &ancestors.classes {
            for member in self.own_members(*ancestor, name) {
                let flags = self.def(member).flags;
                if flags.has(DefFlags::INSTANCE_FIELD) {
                    let from = self.variable(member);
                    self.copy(from, to);
                } else if !has_class_member {
                    self.load_class_member(member, value, to);
                }
            }
            if is_stored {
                let on_class = self.value(Value::Class(*ancestor));
                let (patched, _) = self.place(Slot::Field(on_class, name));
                self.add_use(patched, Use::Receive(value, to));
            }
            has_class_member |= self
                .own_members(*ancestor, name)
                .iter()
                .any(|member| !self.def(*member).flags.has(DefFlags::INSTANCE_FIELD));
        }
        if !has_class_member && let Some(path) = ancestors.external {
            let text = format!("{}.{}", self.text(path), self.text(name));
            if text.len() <= MAX_PATH {
                let path = self.intern(&text);
                let member = self.value(Value::External(path));
                self.add(to, member);
            }
        }
    }

    /// A member that stands in a class body, read from an instance.
    fn load_class_member(&mut self, member: SymbolRef, instance: ValueId, to: Place) {
        let def = self.def(member);
        let from = self.definition(member);
        if def.flags.has(DefFlags::STATIC) {
            self.copy(from, to);
        } else if def.flags.has(DefFlags::CLASS_METHOD) {
            let receiver = match self.get(instance) {
                Value::Inst(class) => self.value(Value::Class(class)),
                _ => instance,
            };
            self.add_use(from, Use::Receive(receiver, to));
        } else if def.flags.has(DefFlags::GETTER) {
            self.receive_this(member, instance);
            self.copy(from, to);
        } else if def.kind.is_callable() || !self.is_ecmascript(member.file) {
            self.add_use(from, Use::Receive(instance, to));
        } else {
            self.copy(from, to);
        }
    }

    fn load_of_class(&mut self, value: ValueId, class: SymbolRef, name: Name, to: Place) {
        if name == self.known.prototype && self.is_ecmascript(class.file) {
            let instance = self.value(Value::Inst(class));
            self.add(to, instance);
            return;
        }
        let ancestors = self.ancestors(class);
        for ancestor in &ancestors.classes {
            let on_class = self.value(Value::Class(*ancestor));
            self.load_field(on_class, name, to);
        }
        for ancestor in &ancestors.classes {
            let mut is_found = false;
            for member in self.own_members(*ancestor, name) {
                let flags = self.def(member).flags;
                if flags.has(DefFlags::INSTANCE_FIELD) {
                    continue;
                }
                is_found = true;
                let from = self.definition(member);
                if flags.has(DefFlags::CLASS_METHOD) || flags.has(DefFlags::STATIC) && self.is_ecmascript(member.file) {
                    self.add_use(from, Use::Receive(value, to));
                } else {
                    self.copy(from, to);
                }
            }
            if is_found {
                return;
            }
        }
    }

    fn load_of_super(&mut self, class: SymbolRef, name: Name, to: Place) {
        let ancestors = self.ancestors(class);
        let receiver = self.value(Value::Inst(class));
        for ancestor in ancestors.classes.iter().skip(1) {
            let found = self.own_members(*ancestor, name);
            if let Some(member) = found.last() {
                self.load_class_member(*member, receiver, to);
                return;
            }
        }
    }

    fn load_of_module(&mut self, value: ValueId, file: FileIx, name: Name, to: Place) {
        let (from, _) = self.export(file, name);
        self.copy(from, to);
        self.load_field(value, name, to);
        if name != self.known.assigned && self.is_ecmascript(file) {
            // `module.exports = {…}`: its members are the module's.
            let (whole, has_whole) = self.export(file, self.known.assigned);
            if has_whole {
                self.add_use(whole, Use::Member(name, to));
            }
            if name == self.known.default && !self.export(file, name).1 {
                self.copy(whole, to);
            }
        }
    }

    pub(super) fn store(&mut self, value: ValueId, name: Name, from: Place) {
        match self.get(value) {
            Value::Inst(_) | Value::Class(_) | Value::Module(_) | Value::Func(_) => {
                let (field, _) = self.place(Slot::Field(value, name));
                self.copy(from, field);
            }
            Value::Object(_) => {
                let key = Key::Named(name);
                self.put(value, key, from);
            }
            Value::Bound(..) | Value::Super(_) | Value::Builtin(_) | Value::External(_) | Value::Method(..) => {}
        }
    }

    // ---- elements ----------------------------------------------------------------------------------------------------

    /// Puts what is at a place under a key of a container.
    pub(super) fn put(&mut self, object: ValueId, key: Key, from: Place) {
        let (element, _) = self.place(Slot::Element(object, key));
        self.copy(from, element);
        let (any, _) = self.place(Slot::Element(object, Key::Any));
        self.copy(from, any);
    }

    /// Brings what stands under a key of a container to a place.
    pub(super) fn take(&mut self, object: ValueId, key: Key, to: Place) {
        let keys = match key {
            Key::At(_) | Key::Named(_) => [key, Key::Unknown],
            Key::Unknown | Key::Any => [Key::Any, Key::Any],
        };
        for key in keys {
            let (element, _) = self.place(Slot::Element(object, key));
            self.copy(element, to);
        }
    }

    pub(super) fn load_element(&mut self, value: ValueId, key: Key, to: Place) {
        match self.get(value) {
            Value::Object(_) => self.take(value, key, to),
            Value::Inst(class) => {
                if self.is_ecmascript(class.file) {
                    self.load_computed(value, class, key, to);
                } else {
                    let getter = self.intern("__getitem__");
                    let place = self.method_result(value, getter, &[], None);
                    self.copy(place, to);
                }
            }
            Value::Class(_)
            | Value::Func(_)
            | Value::Bound(..)
            | Value::Super(_)
            | Value::Module(_)
            | Value::Builtin(_)
            | Value::External(_)
            | Value::Method(..) => {}
        }
    }

    /// `object[key]` where the key is not known: any member of an object literal.
    fn load_computed(&mut self, value: ValueId, class: SymbolRef, key: Key, to: Place) {
        self.take(value, key, to);
        if !self.def(class).flags.has(DefFlags::OBJECT) {
            return;
        }
        let files = self.files;
        for (ix, def) in files[class.file.ix()].facts.defs.iter().enumerate() {
            if def.parent == Some(class.def)
                && !def.flags.has(DefFlags::ANONYMOUS)
                && (def.kind.is_callable() || def.kind == NodeKind::Property)
            {
                let member = SymbolRef {
                    file: class.file,
                    def: strata_model::ids::DefId(u32::try_from(ix).unwrap_or(u32::MAX)),
                };
                self.load_class_member(member, value, to);
            }
        }
    }

    pub(super) fn store_element(&mut self, value: ValueId, key: Key, from: Place) {
        match self.get(value) {
            Value::Object(_) | Value::Inst(_) => self.put(value, key, from),
            Value::Class(_)
            | Value::Func(_)
            | Value::Bound(..)
            | Value::Super(_)
            | Value::Module(_)
            | Value::Builtin(_)
            | Value::External(_)
            | Value::Method(..) => {}
        }
    }

    // ---- protocols ---------------------------------------------------------------------------------------------------

    pub(super) fn iterate(&mut self, value: ValueId, site: Option<SiteId>, to: Place) {
        match self.get(value) {
            Value::Object(_) => self.take(value, Key::Any, to),
            Value::Inst(class) if self.is_ecmascript(class.file) => self.take(value, Key::Any, to),
            Value::Inst(_) => {
                let name = self.known.iter;
                let iterator = self.method_result(value, name, &[], site);
                self.add_use(iterator, Use::Next(site, to));
            }
            Value::Class(_)
            | Value::Func(_)
            | Value::Bound(..)
            | Value::Super(_)
            | Value::Module(_)
            | Value::Builtin(_)
            | Value::External(_)
            | Value::Method(..) => {}
        }
    }

    pub(super) fn next(&mut self, value: ValueId, site: Option<SiteId>, to: Place) {
        match self.get(value) {
            Value::Inst(_) => {
                let name = self.known.next;
                let item = self.method_result(value, name, &[], site);
                self.copy(item, to);
            }
            Value::Object(_) => self.take(value, Key::Any, to),
            Value::Class(_)
            | Value::Func(_)
            | Value::Bound(..)
            | Value::Super(_)
            | Value::Module(_)
            | Value::Builtin(_)
            | Value::External(_)
            | Value::Method(..) => {}
        }
    }

    pub(super) fn enter(&mut self, value: ValueId, to: Place) {
        match self.get(value) {
            Value::Inst(_) => {
                let name = self.known.enter;
                let entered = self.method_result(value, name, &[], None);
                self.copy(entered, to);
            }
            Value::Object(_) => self.take(value, Key::Any, to),
            Value::Class(_)
            | Value::Func(_)
            | Value::Bound(..)
            | Value::Super(_)
            | Value::Module(_)
            | Value::Builtin(_)
            | Value::External(_)
            | Value::Method(..) => {}
        }
    }

    pub(super) fn with(&mut self, value: ValueId, site: SiteId) {
        if let Value::Inst(_) = self.get(value) {
            for name in [self.known.enter, self.known.exit] {
                self.method_result(value, name, &[], Some(site));
            }
        }
    }

    pub(super) fn raise(&mut self, value: ValueId, site: SiteId) {
        if let Value::Class(class) = self.get(value)
            && let Some(constructor) = self.constructor(class)
        {
            self.reach(Some(site), Reached::Symbol(constructor), How::ImplicitCall);
        }
    }

    /// What calling a method of a value gives; a site of the language's own calls is told what is reached.
    pub(super) fn method_result(
        &mut self,
        value: ValueId,
        name: Name,
        arguments: &[super::solver::Argument],
        site: Option<SiteId>,
    ) -> Place {
        let (result, is_new) = self.place(Slot::Invoked(value, name, site));
        if is_new {
            let callee = self.fresh();
            self.load(value, name, callee);
            let call = self.add_call(Call {
                site,
                callee,
                arguments: arguments.to_vec(),
                result,
                is_new: false,
                depth: 0,
            });
            self.add_use(callee, Use::Call(call));
        }
        result
    }
}
