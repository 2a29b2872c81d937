//! What calls and decorators hand over to a framework.

use rustc_hash::FxHashMap;
use strata_lang::Framework;
use strata_lang::framework::Handed;
use strata_model::facts::{DefFlags, Expr, RefTarget, Reference};
use strata_model::ids::{ExprId, FileIx, SymbolRef};
use strata_model::kinds::{NodeKind, RefKind};
use strata_model::outcome::{Outcome, Status};

use super::{Decorated, Registration, RegistrationKind, decorated_by};
use crate::program::{Namespace, Program, Target, Val};
use crate::types::TyData;

/// Wrappers that are looked through.
const MAX_DEPTH: u32 = 4;

/// What is being collected for one call.
struct Handlers<'f> {
    framework: &'f Framework,
    /// True where a class may be handed over by its name.
    takes_classes: bool,
    found: Vec<SymbolRef>,
}

impl Program<'_> {
    pub(super) fn add_registered(&mut self, file: FileIx, outcomes: &[Outcome], out: &mut Vec<Registration>) {
        let facts = self.facts(file);
        let frameworks = self.file(file).policy().frameworks;
        let mut decorated = None;
        for (reference, outcome) in facts.refs.iter().zip(outcomes) {
            let is_candidate =
                matches!(reference.kind, RefKind::Call | RefKind::Decorator) && outcome.status == Status::External;
            let Some(path) = outcome.external.as_deref().filter(|_| is_candidate) else {
                continue;
            };
            for framework in frameworks {
                let Some((on, name)) = framework.names_in(path) else {
                    continue;
                };
                for rule in framework.registrations {
                    if rule.by.has(on, name) {
                        let decorated = decorated.get_or_insert_with(|| decorated_by(&facts));
                        self.add_handed(file, framework, rule.what, reference, decorated, out);
                    }
                }
            }
        }
    }

    fn add_handed(
        &mut self,
        file: FileIx,
        framework: &Framework,
        what: Handed,
        reference: &Reference,
        decorated: &FxHashMap<ExprId, Decorated>,
        out: &mut Vec<Registration>,
    ) {
        let RefTarget::Expr(expr) = reference.target else {
            return;
        };
        let facts = self.facts(file);
        let (owner, args, def) = if reference.kind == RefKind::Decorator {
            let Some(decorated) = decorated.get(&expr) else { return };
            (Some(decorated.def), decorated.args, Some(decorated.def))
        } else {
            let Some((_, args)) = self.call_parts(file, expr) else {
                return;
            };
            (reference.owner, args, None)
        };
        let placed = facts.args(args);
        let mut handlers = Handlers {
            framework,
            takes_classes: true,
            found: Vec::new(),
        };
        let mut owner = owner;
        match what {
            Handed::Decorated => {
                let Some(def) = def else { return };
                owner = reference.owner;
                handlers.found.push(SymbolRef { file, def });
            }
            Handed::From(first) => {
                for arg in placed.iter().filter(|arg| arg.name.is_none()).skip(usize::from(first)) {
                    self.add_handlers(file, arg.value, 0, &mut handlers);
                }
            }
            Handed::Argument(index, name) => {
                let named = facts.named_arg(args, name);
                let placed = placed.get(usize::from(index)).filter(|arg| arg.name.is_none());
                if let Some(arg) = named.or(placed).filter(|arg| !arg.is_spread) {
                    self.add_handlers(file, arg.value, 0, &mut handlers);
                }
            }
            Handed::Module(index) => {
                if let Some(arg) = placed.get(usize::from(index)) {
                    self.add_module(file, arg.value, &mut handlers.found);
                }
            }
            Handed::Properties(names) => {
                let Some(Expr::Def(object)) = placed.first().map(|arg| facts.expr(arg.value)) else {
                    return;
                };
                for property in facts.defs.iter().filter(|it| it.parent == Some(object)) {
                    if names.contains(&facts.str(property.name)) {
                        for value in facts.expr_list(property.values) {
                            self.add_handlers(file, *value, 0, &mut handlers);
                        }
                    }
                }
            }
        }
        for target in handlers.found {
            out.push(Registration {
                at: reference.at,
                owner,
                target,
                kind: RegistrationKind::Registers,
                name: reference.name,
            });
        }
    }

    /// The module that a text or an expression names; of a tuple, its first element.
    fn add_module(&mut self, file: FileIx, expr: ExprId, out: &mut Vec<SymbolRef>) {
        let facts = self.facts(file);
        let target = match facts.expr(expr) {
            Expr::Tuple(run) => {
                if let Some(first) = facts.expr_list(run).first() {
                    self.add_module(file, *first, out);
                }
                return;
            }
            Expr::Lit(_) => match facts.literal_text(expr) {
                Some(text) => self.module_target(file, text),
                None => return,
            },
            Expr::Local(..) | Expr::Free(_) | Expr::Member(..) => {
                match self.entity(file, expr, Namespace::Value).as_slice() {
                    [only] => only.clone(),
                    _ => return,
                }
            }
            _ => return,
        };
        if let Target::Module(module) = target
            && !self.is_library(module)
        {
            out.push(SymbolRef::module(module));
        }
    }

    /// The functions and classes of the root that an expression hands over.
    fn add_handlers(&mut self, file: FileIx, expr: ExprId, depth: u32, out: &mut Handlers<'_>) {
        if depth > MAX_DEPTH {
            return;
        }
        let facts = self.facts(file);
        match facts.expr(expr) {
            Expr::List(run) | Expr::Tuple(run) => {
                for item in facts.expr_list(run) {
                    self.add_handlers(file, *item, depth + 1, out);
                }
            }
            Expr::Call(callee, args, _) => {
                if let Expr::Member(base, name) = facts.expr(callee) {
                    let name = facts.str(name);
                    if out.framework.makers.contains(&name) {
                        let takes_classes = std::mem::replace(&mut out.takes_classes, true);
                        self.add_handlers(file, base, depth + 1, out);
                        out.takes_classes = takes_classes;
                        return;
                    }
                    // A function with its receiver.
                    if name == "bind" && self.file(file).is_ecmascript() {
                        self.add_handlers(file, base, depth + 1, out);
                        return;
                    }
                }
                // What registers by itself speaks for itself.
                if self.registers(file, out.framework, callee) {
                    return;
                }
                // A wrapper hands on what it is given; what is given nothing to wrap makes the handler.
                let n_found = out.found.len();
                let takes_classes = std::mem::replace(&mut out.takes_classes, false);
                for arg in facts.args(args).iter().filter(|arg| !arg.is_spread) {
                    self.add_handlers(file, arg.value, depth + 1, out);
                }
                out.takes_classes = takes_classes;
                if out.found.len() == n_found {
                    let value = self.eval(file, expr);
                    self.add_value(value, out);
                }
            }
            Expr::New(..) => {
                let value = self.eval(file, expr);
                self.add_value(value, out);
            }
            Expr::Local(..)
            | Expr::Free(_)
            | Expr::Member(..)
            | Expr::Def(_)
            | Expr::Require(_)
            | Expr::Unwrap(_)
            | Expr::Place(..) => {
                for target in self.entity(file, expr, Namespace::Value) {
                    self.add_target(target, out);
                }
            }
            _ => {}
        }
    }

    /// True when calling `callee` registers something.
    fn registers(&mut self, file: FileIx, framework: &Framework, callee: ExprId) -> bool {
        self.names_of_decorator(framework, file, callee)
            .is_some_and(|(on, name)| framework.registrations.iter().any(|rule| rule.by.has(&on, &name)))
    }

    fn add_target(&mut self, target: Target, out: &mut Handlers<'_>) {
        let symbol = match target {
            Target::Symbol(symbol) if !symbol.is_module() => symbol,
            Target::Binding(..) | Target::Value(..) => {
                let value = self.target_value(&target);
                self.add_value(value, out);
                return;
            }
            _ => return,
        };
        if self.is_library(symbol.file) {
            return;
        }
        let facts = self.facts(symbol.file);
        let kind = facts.def(symbol.def).kind;
        if kind.is_callable() || kind.is_type() {
            self.add_symbol(symbol, out);
            return;
        }
        let n_found = out.found.len();
        let value = self.symbol_type(symbol);
        self.add_value(value, out);
        // A router or blueprint is handed over by the variable that holds it.
        let path = match *self.types.get(value.ty) {
            TyData::Ext(path, _) => self.names.text(path).to_string(),
            // It is installed.
            TyData::Inst(class, _) if self.is_library(class.file) => self.library_outcome(class).1,
            _ => String::new(),
        };
        let is_of_framework = out.framework.names_in(&path).is_some();
        let is_variable = matches!(kind, NodeKind::Variable | NodeKind::Constant);
        if out.found.len() == n_found && is_of_framework && is_variable {
            out.found.push(symbol);
        }
    }

    fn add_value(&mut self, value: Val, out: &mut Handlers<'_>) {
        for ty in self.types.members(value.ty) {
            match *self.types.get(ty) {
                TyData::Func(symbol) | TyData::Bound(symbol, _) => self.add_symbol(symbol, out),
                TyData::Class(class, _) | TyData::Inst(class, _) => self.add_symbol(class, out),
                _ => {}
            }
        }
    }

    /// A function literal has no name to be found by, and an object none to be called by.
    fn add_symbol(&mut self, symbol: SymbolRef, out: &mut Handlers<'_>) {
        if self.is_library(symbol.file) {
            return;
        }
        self.look_up_def(symbol);
        let facts = self.facts(symbol.file);
        let def = facts.def(symbol.def);
        let is_named = !def.flags.has(DefFlags::ANONYMOUS) && !def.flags.has(DefFlags::OBJECT);
        let is_taken = def.kind.is_callable() || (out.takes_classes && def.kind.is_type());
        if is_named && is_taken && !out.found.contains(&symbol) {
            out.found.push(symbol);
        }
    }
}
