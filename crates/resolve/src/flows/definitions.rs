//! What definitions, parameters, variables and results hold.

use strata_model::facts::{BindSource, DefFlags, Expr, ParamKind};
use strata_model::ids::{ExprId, SymbolRef};
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;

use super::solver::{Argument, Call, Site, Solver, Use};
use super::values::{Key, Place, Slot, Value, ValueId};

/// Decorators that leave a definition what it is, or whose meaning its flags tell.
const PLAIN_DECORATORS: [&str; 5] = ["staticmethod", "classmethod", "property", "abstractmethod", "override"];

impl Solver<'_> {
    /// A parameter: its default, and whatever calls pass.
    pub(super) fn parameter(&mut self, function: SymbolRef, index: u32) -> Place {
        let (place, is_new) = self.place(Slot::Param(function, index));
        if !is_new {
            return place;
        }
        let files = self.files;
        let facts = &*files[function.file.ix()].facts;
        let def = facts.def(function.def);
        let Some(param) = facts.params(def.params).get(index as usize).copied() else {
            return place;
        };
        if matches!(param.kind, ParamKind::Rest | ParamKind::KeywordRest) {
            let object = self.value(Value::Object(place));
            self.add(place, object);
        }
        if let Some(default) = param.default {
            let from = self.expr(function.file, default);
            self.copy(from, place);
        }
        let is_receiver = index == 0
            && self.files[function.file.ix()].language.policy().explicit_receiver
            && !def.flags.has(DefFlags::STATIC);
        if is_receiver
            && let Some(parent) = def.parent
            && facts.def(parent).kind.is_type()
        {
            let class = SymbolRef {
                file: function.file,
                def: parent,
            };
            let is_on_class = def.flags.has(DefFlags::CLASS_METHOD) || facts.str(def.name) == "__new__";
            let own = self.value(if is_on_class {
                Value::Class(class)
            } else {
                Value::Inst(class)
            });
            self.add(place, own);
        }
        place
    }

    /// What a definition's name stands for: the function or class, or what its decorators make of it.
    pub(super) fn definition(&mut self, symbol: SymbolRef) -> Place {
        let (place, is_new) = self.place(Slot::Def(symbol));
        if !is_new {
            return place;
        }
        let def = self.def(symbol);
        match def.kind {
            NodeKind::Function
            | NodeKind::Method
            | NodeKind::Constructor
            | NodeKind::Operator
            | NodeKind::Destructor => {
                let value = self.value(Value::Func(symbol));
                self.decorate(symbol, value, place);
            }
            NodeKind::Class | NodeKind::Struct | NodeKind::Record | NodeKind::Enum => {
                let value = self.value(Value::Class(symbol));
                self.decorate(symbol, value, place);
            }
            NodeKind::Property if def.flags.has(DefFlags::GETTER) => {
                let from = self.result(symbol);
                self.copy(from, place);
            }
            NodeKind::Variable | NodeKind::Constant | NodeKind::Field | NodeKind::Property => {
                let from = self.variable(symbol);
                self.copy(from, place);
            }
            NodeKind::Unknown | NodeKind::Namespace
                if def.flags.has(DefFlags::OBJECT) || def.kind == NodeKind::Namespace =>
            {
                let value = self.value(Value::Inst(symbol));
                self.add(place, value);
            }
            _ => {}
        }
        place
    }

    fn decorate(&mut self, symbol: SymbolRef, value: ValueId, place: Place) {
        let files = self.files;
        let facts = &*files[symbol.file.ix()].facts;
        let decorators = facts.expr_list(facts.def(symbol.def).decorators);
        let (mut inner, _) = self.place(Slot::Made(place, u32::MAX));
        self.add(inner, value);
        let mut is_decorated = false;
        for (rank, decorator) in decorators.iter().enumerate().rev() {
            let file = symbol.file;
            // The list holds the decorator with its call, the reference names the decorator alone.
            let callee = *decorator;
            let named = match facts.expr(*decorator) {
                Expr::Call(inner, ..) => inner,
                _ => *decorator,
            };
            let Some(reference) = self.tables[file.ix()].decorator_of.get(&named).copied() else {
                continue;
            };
            let name = facts.str(facts.refs[reference as usize].name);
            if PLAIN_DECORATORS.contains(&name) || name == "setter" || name == "deleter" {
                continue;
            }
            if files[file.ix()].outcomes[reference as usize].targets.is_empty() {
                // What is not of the root is taken to give back what it gets.
                continue;
            }
            is_decorated = true;
            let reference_facts = facts.refs[reference as usize];
            let site = self.site(Site {
                file,
                reference: None,
                owner: reference_facts.owner,
                at: reference_facts.at,
                how: How::ImplicitCall,
            });
            let rank = u32::try_from(rank).unwrap_or(u32::MAX);
            let (result, _) = self.place(Slot::Made(place, rank));
            let callee = self.expr(file, callee);
            let call = self.add_call(Call {
                site: Some(site),
                callee,
                arguments: vec![Argument {
                    place: inner,
                    name: None,
                    is_spread: false,
                }],
                result,
                is_new: false,
                depth: 0,
            });
            self.add_use(callee, Use::Call(call));
            inner = result;
        }
        self.copy(inner, place);
        if is_decorated {
            self.decorated.push(symbol);
        }
    }

    /// A decorator that gives nothing that is known is taken to give back what it got. True when that changed something.
    pub(super) fn assume_unknown_decorators(&mut self) -> bool {
        let decorated = std::mem::take(&mut self.decorated);
        let mut has_changed = false;
        for symbol in &decorated {
            let (place, _) = self.place(Slot::Def(*symbol));
            if self.values_of(place).is_empty() {
                let is_class = self.def(*symbol).kind == NodeKind::Class;
                let value = self.value(if is_class {
                    Value::Class(*symbol)
                } else {
                    Value::Func(*symbol)
                });
                self.add(place, value);
                has_changed = true;
            }
        }
        has_changed
    }

    /// What is assigned to a variable or field.
    pub(super) fn variable(&mut self, symbol: SymbolRef) -> Place {
        let (place, is_new) = self.place(Slot::Variable(symbol));
        if is_new {
            let files = self.files;
            let facts = &*files[symbol.file.ix()].facts;
            for value in facts.expr_list(facts.def(symbol.def).values) {
                let from = self.expr(symbol.file, *value);
                self.copy(from, place);
            }
        }
        place
    }

    /// What a function returns, apart from parameters that it returns as they are.
    pub(super) fn result(&mut self, function: SymbolRef) -> Place {
        let (place, is_new) = self.place(Slot::Result(function));
        if !is_new {
            return place;
        }
        let files = self.files;
        let facts = &*files[function.file.ix()].facts;
        let def = facts.def(function.def);
        if def.flags.has(DefFlags::GENERATOR) || !def.yields.is_empty() {
            let object = self.value(Value::Object(place));
            for value in facts.expr_list(def.yields) {
                let from = self.expr(function.file, *value);
                self.put(object, Key::Unknown, from);
            }
            self.add(place, object);
            return place;
        }
        let mut returned = Vec::new();
        for value in facts.expr_list(def.returns) {
            match self.own_parameter(function, *value) {
                Some(index) => returned.push(index),
                None => {
                    let from = self.expr(function.file, *value);
                    self.copy(from, place);
                }
            }
        }
        self.returned.insert(function, returned.into());
        place
    }

    /// The parameter of the function that an expression names and nothing else.
    fn own_parameter(&self, function: SymbolRef, expr: ExprId) -> Option<u32> {
        let facts = &self.files[function.file.ix()].facts;
        let Expr::Local(_, set) = facts.expr(expr) else {
            return None;
        };
        let [only] = facts.bind_set(set) else { return None };
        match facts.bindings[only.ix()].source {
            BindSource::Param(def, index) if def == function.def => {
                let param = facts.params(facts.def(def).params).get(index as usize)?;
                matches!(param.kind, ParamKind::Normal | ParamKind::Keyword).then_some(index)
            }
            _ => None,
        }
    }
}
