//! Where the values of expressions, bindings and symbols come from.

use strata_model::facts::{BindSource, DefFlags, Expr, ImplicitKind, ImportKind, Literal};
use strata_model::ids::{BindId, DefId, ExprId, FileIx, ImportId, Run, SymbolRef};
use strata_model::kinds::{NodeKind, RefKind};
use strata_model::outcome::{How, Status};

use super::solver::{Argument, Call, CallId, Site, SiteId, Solver, Use};
use super::values::{Key, Place, Slot, Value};

impl Solver<'_> {
    /// Builds the places of everything that can be called, assigned or iterated.
    pub(super) fn start(&mut self) {
        let files = self.files;
        for (ix, file) in files.iter().enumerate() {
            let ix = FileIx(u32::try_from(ix).unwrap_or(u32::MAX));
            for (target, _) in &file.facts.flow.assigned {
                if let Expr::Member(_, name) = file.facts.expr(*target) {
                    let name = self.name(ix, name);
                    self.stored.insert(name);
                }
            }
        }
        for (ix, file) in files.iter().enumerate() {
            let ix = FileIx(u32::try_from(ix).unwrap_or(u32::MAX));
            for reference in &file.facts.refs {
                if let (RefKind::Call | RefKind::Construct, strata_model::facts::RefTarget::Expr(expr)) =
                    (reference.kind, reference.target)
                {
                    self.expr(ix, expr);
                }
            }
            for def in 0..file.facts.defs.len() {
                let def = DefId(u32::try_from(def).unwrap_or(u32::MAX));
                if !file.facts.def(def).decorators.is_empty() {
                    self.definition(SymbolRef { file: ix, def });
                }
            }
            for (target, value) in &file.facts.flow.assigned {
                self.assigned(ix, *target, *value);
            }
            for implicit in &file.facts.flow.implicit {
                let place = self.expr(ix, implicit.value);
                let site = self.site(Site {
                    file: ix,
                    reference: None,
                    owner: implicit.owner,
                    at: implicit.at,
                    how: How::ImplicitCall,
                });
                match implicit.kind {
                    ImplicitKind::Iterated => {
                        let (element, _) = self.place(Slot::Made(place, 0));
                        self.add_use(place, Use::Iterate(Some(site), element));
                    }
                    ImplicitKind::Raised => self.add_use(place, Use::Raise(site)),
                    ImplicitKind::Entered => self.add_use(place, Use::With(site)),
                }
            }
        }
    }

    pub(super) fn site(&mut self, site: Site) -> SiteId {
        self.sites.push(site);
        SiteId(u32::try_from(self.sites.len() - 1).unwrap_or(u32::MAX))
    }

    fn assigned(&mut self, file: FileIx, target: ExprId, value: ExprId) {
        let files = self.files;
        match files[file.ix()].facts.expr(target) {
            Expr::Member(base, name) => {
                let from = self.expr(file, value);
                let base = self.expr(file, base);
                let name = self.name(file, name);
                self.add_use(base, Use::SetMember(name, from));
            }
            Expr::Index(base, key) => {
                let from = self.expr(file, value);
                let base = self.expr(file, base);
                let key = self.key(file, key);
                self.add_use(base, Use::SetElement(key, from));
            }
            _ => {}
        }
    }

    /// The key that an expression gives, as far as its text says.
    pub(super) fn key(&mut self, file: FileIx, key: ExprId) -> Key {
        let facts = &self.files[file.ix()].facts;
        let Some(text) = self.tables[file.ix()].keys.get(&key).copied() else {
            return Key::Unknown;
        };
        let text = facts.str(text);
        match facts.expr(key) {
            Expr::Lit(Literal::Int) => match text.parse() {
                Ok(position) => Key::At(position),
                Err(_) => Key::Unknown,
            },
            _ => {
                let text = text.to_owned();
                Key::Named(self.intern(&text))
            }
        }
    }

    /// The place of an expression.
    pub(super) fn expr(&mut self, file: FileIx, expr: ExprId) -> Place {
        if let Some(place) = self.tables[file.ix()].places[expr.ix()] {
            return place;
        }
        let place = self.fresh();
        self.tables[file.ix()].places[expr.ix()] = Some(place);
        self.connect(file, expr, place);
        place
    }

    fn connect(&mut self, file: FileIx, expr: ExprId, place: Place) {
        let files = self.files;
        let facts = &*files[file.ix()].facts;
        match facts.expr(expr) {
            Expr::Local(_, set) => {
                for bind in facts.bind_set(set) {
                    let from = self.binding(file, *bind);
                    self.copy(from, place);
                }
            }
            Expr::Free(_) | Expr::Require(_) | Expr::ImportCall(_) => self.mentioned(file, expr, place),
            Expr::Member(base, name) => {
                let from = self.expr(file, base);
                let name = self.name(file, name);
                self.add_use(from, Use::Member(name, place));
                self.mentioned(file, expr, place);
            }
            Expr::Index(base, key) => {
                let from = self.expr(file, base);
                let key = self.key(file, key);
                self.add_use(from, Use::Element(key, place));
            }
            Expr::Call(callee, args, _) => self.called(file, expr, callee, args, place, false),
            Expr::New(callee, args, _) => self.called(file, expr, callee, args, place, true),
            Expr::Super(class, _) => {
                let value = self.value(Value::Super(SymbolRef { file, def: class }));
                self.add(place, value);
            }
            Expr::This(def, is_static) => {
                let class = SymbolRef { file, def };
                let own = self.value(if is_static {
                    Value::Class(class)
                } else {
                    Value::Inst(class)
                });
                self.add(place, own);
                if !is_static {
                    let (this, _) = self.place(Slot::This(class));
                    self.copy(this, place);
                }
            }
            Expr::Param(def, index) => {
                let from = self.parameter(SymbolRef { file, def }, index);
                self.copy(from, place);
            }
            Expr::Def(def) => {
                let from = self.definition(SymbolRef { file, def });
                self.copy(from, place);
            }
            // Tests and literal positions are of no matter here: the value is one of those of the expression inside.
            Expr::Await(inner)
            | Expr::Unwrap(inner)
            | Expr::Is(inner, _)
            | Expr::IsNot(inner, _)
            | Expr::Place(inner, _)
            | Expr::At(inner, _) => {
                let from = self.expr(file, inner);
                self.copy(from, place);
            }
            Expr::Iter(inner) | Expr::AsyncIter(inner) => {
                let from = self.expr(file, inner);
                self.add_use(from, Use::Iterate(None, place));
            }
            Expr::Item(inner, index) => {
                let from = self.expr(file, inner);
                self.add_use(from, Use::Element(Key::At(index), place));
            }
            Expr::Entered(inner) | Expr::AsyncEntered(inner) => {
                let from = self.expr(file, inner);
                self.add_use(from, Use::Enter(place));
            }
            Expr::Either(a, b) => {
                for part in [a, b] {
                    let from = self.expr(file, part);
                    self.copy(from, place);
                }
            }
            Expr::Tuple(run) => self.sequence(file, run, place, true),
            Expr::List(run) => self.sequence(file, run, place, run.len > 1),
            Expr::Dict(run) => self.dictionary(file, expr, run, place),
            Expr::Sent(_) | Expr::Delegated(_) | Expr::Cast(_) | Expr::Lit(_) | Expr::Opaque => {}
        }
    }

    /// A list with one element may be a comprehension, whose element stands anywhere.
    fn sequence(&mut self, file: FileIx, run: Run, place: Place, has_positions: bool) {
        let files = self.files;
        let object = self.value(Value::Object(place));
        for (position, item) in files[file.ix()].facts.expr_list(run).iter().enumerate() {
            let from = self.expr(file, *item);
            let key = if has_positions {
                Key::At(u32::try_from(position).unwrap_or(u32::MAX))
            } else {
                Key::Unknown
            };
            self.put(object, key, from);
        }
        self.add(place, object);
    }

    fn dictionary(&mut self, file: FileIx, expr: ExprId, run: Run, place: Place) {
        let files = self.files;
        let facts = &*files[file.ix()].facts;
        let object = self.value(Value::Object(place));
        let keys = self.tables[file.ix()].dict_keys.get(&expr).copied();
        for (position, item) in facts.expr_list(run).iter().enumerate() {
            let from = self.expr(file, *item);
            let key = match keys.and_then(|keys| facts.expr_list(keys).get(position).copied()) {
                Some(key) => self.key(file, key),
                None => Key::Unknown,
            };
            self.put(object, key, from);
        }
        self.add(place, object);
    }

    /// What resolution found that a mention stands for.
    fn mentioned(&mut self, file: FileIx, expr: ExprId, place: Place) {
        let files = self.files;
        let tables = &self.tables[file.ix()];
        let found = tables.mention_of.get(&expr).or_else(|| tables.decorator_of.get(&expr));
        if let Some(reference) = found.copied() {
            self.outcome(file, reference, place);
            return;
        }
        // `from m import *` names no name, but a call of such a name has an outcome.
        if let Expr::Require(spec) | Expr::ImportCall(spec) = files[file.ix()].facts.expr(expr) {
            let spec = files[file.ix()].facts.str(spec);
            for (ix, reference) in files[file.ix()].facts.refs.iter().enumerate() {
                if reference.kind == RefKind::Import && files[file.ix()].facts.str(reference.name) == spec {
                    self.outcome(file, u32::try_from(ix).unwrap_or(u32::MAX), place);
                }
            }
        }
    }

    /// Brings what a reference names to a place.
    pub(super) fn outcome(&mut self, file: FileIx, reference: u32, place: Place) {
        let files = self.files;
        let outcome = &files[file.ix()].outcomes[reference as usize];
        for target in &outcome.targets {
            let mut target = *target;
            if !target.is_module()
                && self.def(target).kind == NodeKind::Constructor
                && let Some(parent) = self.def(target).parent
            {
                // An instantiation names the constructor; the value is the class.
                target.def = parent;
            }
            let from = self.symbol(target);
            self.copy(from, place);
        }
        if outcome.targets.is_empty()
            && let Some(path) = &outcome.external
        {
            let value = match (outcome.status, path.strip_prefix("builtin:")) {
                (Status::Builtin, Some(name)) if !name.contains('.') => {
                    let name = self.intern(name);
                    Value::Builtin(name)
                }
                (Status::External, _) => {
                    let path = self.intern(path);
                    Value::External(path)
                }
                _ => return,
            };
            let value = self.value(value);
            self.add(place, value);
        }
    }

    /// What a symbol stands for where it is named: a method with an instance of its class.
    fn symbol(&mut self, symbol: SymbolRef) -> Place {
        if symbol.is_module() {
            let (place, is_new) = self.place(Slot::Target(symbol));
            if is_new {
                self.module(symbol.file, place);
            }
            return place;
        }
        let def = self.def(symbol);
        let is_bound = def.kind == NodeKind::Method
            && !def.flags.has(DefFlags::STATIC)
            && def.parent.is_some_and(|parent| {
                let parent = self.def(SymbolRef {
                    file: symbol.file,
                    def: parent,
                });
                parent.kind.is_type() || parent.flags.has(DefFlags::OBJECT)
            });
        match def.parent {
            Some(parent) if is_bound => {
                let (place, is_new) = self.place(Slot::Target(symbol));
                if is_new {
                    let class = SymbolRef {
                        file: symbol.file,
                        def: parent,
                    };
                    let receiver = self.value(if def.flags.has(DefFlags::CLASS_METHOD) {
                        Value::Class(class)
                    } else {
                        Value::Inst(class)
                    });
                    let from = self.definition(symbol);
                    self.add_use(from, Use::Receive(receiver, place));
                }
                place
            }
            _ => self.definition(symbol),
        }
    }

    /// A module as a value: what it assigns to `module.exports`, or the module itself.
    fn module(&mut self, file: FileIx, place: Place) {
        let (whole, _) = self.export(file, self.known.assigned);
        self.copy(whole, place);
        let value = self.value(Value::Module(file));
        self.add(place, value);
    }

    pub(super) fn binding(&mut self, file: FileIx, bind: BindId) -> Place {
        let (place, is_new) = self.place(Slot::Bind(file, bind));
        if !is_new {
            return place;
        }
        let files = self.files;
        let binding = files[file.ix()].facts.bindings[bind.ix()];
        match binding.source {
            BindSource::Def(def) => {
                let from = self.definition(SymbolRef { file, def });
                self.copy(from, place);
            }
            BindSource::Import(import) => self.import(file, import, place),
            BindSource::Param(def, index) => {
                let from = self.parameter(SymbolRef { file, def }, index);
                self.copy(from, place);
            }
            BindSource::Value(value) => {
                let from = self.expr(file, value);
                self.copy(from, place);
            }
            BindSource::TypeParam(..) | BindSource::Typed | BindSource::Opaque => {}
        }
        place
    }

    fn import(&mut self, file: FileIx, import: ImportId, place: Place) {
        let files = self.files;
        let facts = &*files[file.ix()].facts;
        let entry = facts.imports[import.ix()];
        if entry.kind == ImportKind::ModuleRoot && facts.str(entry.spec).contains('.') {
            return;
        }
        if let Some(reference) = self.tables[file.ix()].import_of.get(&import).copied() {
            self.outcome(file, reference, place);
        }
    }

    fn called(&mut self, file: FileIx, expr: ExprId, callee: ExprId, args: Run, result: Place, is_new: bool) {
        let files = self.files;
        let facts = &*files[file.ix()].facts;
        let reference = self.tables[file.ix()].call_of.get(&expr).copied();
        let site = reference.map(|ix| {
            let reference = facts.refs[ix as usize];
            let how = match facts.expr(callee) {
                Expr::Member(..) | Expr::Index(..) | Expr::At(..) | Expr::Place(..) => How::FieldFlow,
                _ => How::CallbackFlow,
            };
            self.site(Site {
                file,
                reference: Some(ix),
                owner: reference.owner,
                at: reference.at,
                how,
            })
        });
        let from = self.expr(file, callee);
        let arguments = facts
            .args(args)
            .iter()
            .map(|arg| Argument {
                place: self.expr(file, arg.value),
                name: arg.name.map(|name| self.name(file, name)),
                is_spread: arg.is_spread,
            })
            .collect();
        // A callee that only resolution knows: a name without a mention of its own, a member of a declared type.
        if let Some(reference) = reference
            && !matches!(facts.expr(callee), Expr::Local(..) | Expr::Call(..) | Expr::Super(..))
        {
            self.outcome(file, reference, from);
        }
        let call = self.add_call(Call {
            site,
            callee: from,
            arguments,
            result,
            is_new,
            depth: 0,
        });
        self.add_use(from, Use::Call(call));
    }

    pub(super) fn add_call(&mut self, call: Call) -> CallId {
        self.calls.push(call);
        CallId(u32::try_from(self.calls.len() - 1).unwrap_or(u32::MAX))
    }
}
