//! One outcome for every reference of a file.

use strata_model::facts::{DefFlags, Expr, ImportKind, RefTarget, Reference, TypeExpr};
use strata_model::ids::{DefId, ExprId, FileIx, ImportId, SymbolRef};
use strata_model::kinds::RefKind;
use strata_model::outcome::{How, Outcome, Status};

use crate::dispatch::Receiver;
use crate::frameworks::Registration;
use crate::members::Members;
use crate::names::NameId;
use crate::program::{Namespace, Program, Target, Val, longer};
use crate::types::TyData;

/// What linking one file gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLinks {
    /// The outcome of each reference, in the order of [`FileFacts::refs`](strata_model::facts::FileFacts::refs).
    pub outcomes: Vec<Outcome>,
    /// Members of this file's classes and object literals that override one of a supertype: (member, overridden member).
    pub overrides: Vec<(DefId, SymbolRef)>,
    /// What is known of the receivers of members, in the order of references.
    pub receivers: Vec<Receiver>,
    /// What the file hands over to frameworks, and what they hand to it; in the order of places.
    pub registrations: Vec<Registration>,
    /// Every key that was looked up in another file or in the set of paths, hit or miss; sorted, without duplicates.
    pub keys: Vec<u64>,
}

impl Program<'_> {
    /// Resolves every reference of `file`.
    pub fn link(&mut self, file: FileIx) -> FileLinks {
        self.ask_for(file);
        let facts = self.facts(file);
        let outcomes: Vec<Outcome> = facts
            .refs
            .iter()
            .map(|reference| {
                let outcome = self.outcome(file, reference);
                self.unless_open(file, reference, outcome)
            })
            .collect();
        let receivers = self.receivers(file, &outcomes);
        let overrides = self.overrides(file);
        let registrations = self.registrations(file, &outcomes);
        let keys = self.memo.take_keys(file);
        FileLinks {
            outcomes,
            overrides,
            receivers,
            registrations,
            keys,
        }
    }

    /// `this` in an object literal may have members that the literal lacks: whoever is given the literal may call its
    /// methods on an object of their own, as component frameworks do. Not to find one there proves nothing.
    fn unless_open(&mut self, file: FileIx, reference: &Reference, outcome: Outcome) -> Outcome {
        let RefTarget::Expr(expr) = reference.target else {
            return outcome;
        };
        if outcome.status != Status::NoSuchMember {
            return outcome;
        }
        let facts = self.facts(file);
        let callee = match facts.expr(expr) {
            Expr::Call(callee, ..) | Expr::New(callee, ..) => callee,
            _ => expr,
        };
        let mut base = match facts.expr(callee) {
            Expr::Member(base, _) => base,
            Expr::Place(member, _) => match facts.expr(member) {
                Expr::Member(base, _) => base,
                _ => return outcome,
            },
            _ => return outcome,
        };
        while let Expr::Unwrap(inner) | Expr::Place(inner, _) = facts.expr(base) {
            base = inner;
        }
        match facts.expr(base) {
            Expr::This(def, _) if facts.def(def).flags.has(DefFlags::OBJECT) => {
                Outcome::without_target(Status::UnknownReceiver)
            }
            _ => outcome,
        }
    }

    fn outcome(&mut self, file: FileIx, reference: &Reference) -> Outcome {
        let facts = self.facts(file);
        match (reference.kind, reference.target) {
            (RefKind::Call | RefKind::Construct, RefTarget::Expr(expr)) => {
                let callee = self.call_parts(file, expr).map_or(expr, |(callee, _)| callee);
                let mut outcome = self.call_outcome(file, callee, expr, reference.kind == RefKind::Construct);
                if reference.flags & Reference::BY_LITERAL != 0 && !outcome.targets.is_empty() {
                    outcome.how = outcome.how.max(How::LiteralReflection);
                }
                outcome
            }
            (_, RefTarget::Expr(expr)) => {
                let namespace = match reference.kind {
                    RefKind::Implements | RefKind::Type => Namespace::Type,
                    // An interface may share its name with a constant, and a class is a type, too.
                    RefKind::Inherits if self.file(file).is_ecmascript() => Namespace::Type,
                    _ => Namespace::Value,
                };
                let outcome = self.mention_outcome(file, expr, namespace);
                if reference.kind == RefKind::Render {
                    self.rendered(outcome)
                } else {
                    outcome
                }
            }
            (_, RefTarget::Type(ty)) => match facts.ty(ty) {
                TypeExpr::Name(expr) => self.mention_outcome(file, expr, Namespace::Type),
                TypeExpr::App(base, _) => match facts.ty(base) {
                    TypeExpr::Name(expr) => self.mention_outcome(file, expr, Namespace::Type),
                    _ => Outcome::without_target(Status::UnknownReceiver),
                },
                _ => Outcome::without_target(Status::UnknownReceiver),
            },
            (_, RefTarget::Import(import)) => {
                let entry = facts.imports[import.ix()];
                let targets = if entry.kind == ImportKind::ModuleRoot {
                    vec![self.module_target(file, facts.str(entry.spec))]
                } else {
                    self.import_targets(file, import, Namespace::Any)
                };
                let how = if entry.local != entry.name && entry.name.is_some() && entry.local.is_some() {
                    How::ImportAlias
                } else {
                    How::Import
                };
                let how = if self.is_passed_on(file, import, &targets) {
                    How::Reexport
                } else {
                    how
                };
                self.import_outcome(targets, how, facts.str(entry.spec))
            }
            (_, RefTarget::Export(index)) => {
                let export = facts.exports[index as usize];
                let targets = self.export_source(file, export.source);
                let spec = match export.source {
                    strata_model::facts::ExportSource::From(spec, _)
                    | strata_model::facts::ExportSource::Star(spec)
                    | strata_model::facts::ExportSource::StarAs(spec) => facts.str(spec),
                    strata_model::facts::ExportSource::Value(_) => facts.str(export.name),
                };
                self.import_outcome(targets, How::Reexport, spec)
            }
        }
    }

    /// A component behind wrappers is what a tag renders.
    fn rendered(&mut self, outcome: Outcome) -> Outcome {
        if let [only] = outcome.targets.as_slice()
            && let Some(component) = self.passed_through(*only)
        {
            return self.outcome_of(component, outcome.how, outcome.chain);
        }
        outcome
    }

    fn import_outcome(&mut self, targets: Vec<Target>, how: How, spec: &str) -> Outcome {
        if targets.is_empty() {
            return Outcome {
                external: Some(spec.to_owned()),
                ..Outcome::without_target(Status::UnresolvedImport)
            };
        }
        self.outcome_of(targets, how, 0)
    }

    pub(crate) fn unknown_name(&mut self, file: FileIx, expr: ExprId) -> Outcome {
        let facts = self.facts(file);
        match facts.expr(expr) {
            // Bound in the file, but nothing that could be followed.
            Expr::Local(_, set) if !facts.bind_set(set).is_empty() => self.unfollowed(file, set),
            _ => Outcome::without_target(Status::NoSuchMember),
        }
    }

    fn unfollowed(&mut self, file: FileIx, set: strata_model::ids::BindSetId) -> Outcome {
        let facts = self.facts(file);
        for bind in facts.bind_set(set) {
            if let strata_model::facts::BindSource::Import(import) = facts.bindings[bind.ix()].source {
                let spec = facts.str(facts.imports[import.ix()].spec).to_owned();
                return Outcome {
                    external: Some(spec),
                    ..Outcome::without_target(Status::UnresolvedImport)
                };
            }
        }
        Outcome::without_target(Status::Dynamic)
    }

    pub(crate) fn memberless(&mut self, members: &Members, receiver: Val, name: NameId) -> Outcome {
        let status = if members.is_dynamic {
            Status::Dynamic
        } else if members.is_builtin && !members.is_unknown {
            Status::Builtin
        } else if members.is_missing && !members.is_unknown {
            Status::NoSuchMember
        } else {
            Status::UnknownReceiver
        };
        let external = (status == Status::Builtin).then(|| {
            let name = self.names.text(name);
            match self.types.get(receiver.ty).clone() {
                TyData::BuiltinInst(of, _) | TyData::Builtin(of, _) => {
                    format!("builtin:{}.{name}", self.names.text(of))
                }
                _ => format!("builtin:{name}"),
            }
        });
        Outcome {
            external,
            chain: receiver.chain,
            ..Outcome::without_target(status)
        }
    }

    fn mention_outcome(&mut self, file: FileIx, expr: ExprId, namespace: Namespace) -> Outcome {
        let facts = self.facts(file);
        match facts.expr(expr) {
            Expr::Member(base, name) => {
                let name = self.name(file, name);
                if namespace == Namespace::Value {
                    let receiver = self.eval(file, base);
                    let members = self.member(receiver.ty, name);
                    if members.targets.is_empty() {
                        return self.memberless(&members, receiver, name);
                    }
                    let how = self.receiver_how(file, base, receiver, &members);
                    let targets = members.targets.iter().map(|found| found.target.clone()).collect();
                    let targets = self.in_namespace(targets, namespace);
                    return self.outcome_of(targets, how, longer(receiver.chain));
                }
                let targets = self.entity(file, expr, namespace);
                if targets.is_empty() {
                    return Outcome::without_target(Status::UnknownReceiver);
                }
                self.outcome_of(targets, How::NamespaceMember, 1)
            }
            Expr::Call(callee, ..) => self.mention_outcome(file, callee, namespace),
            Expr::Index(base, _) => self.mention_outcome(file, base, namespace),
            Expr::Unwrap(inner) => self.mention_outcome(file, inner, namespace),
            Expr::Opaque => Outcome::without_target(Status::Dynamic),
            _ => {
                let targets = self.entity(file, expr, namespace);
                if targets.is_empty() {
                    return self.unknown_name(file, expr);
                }
                let how = self.name_how(file, expr, &targets);
                self.outcome_of(targets, how, 0)
            }
        }
    }

    /// Turns targets into an outcome: in-root symbols first, else what is known of the others.
    pub(crate) fn outcome_of(&mut self, targets: Vec<Target>, how: How, chain: u8) -> Outcome {
        let mut symbols = Vec::new();
        let mut other: Option<(Status, Option<String>)> = None;
        for target in targets {
            let found = match target {
                Target::Symbol(symbol) if self.is_library(symbol.file) => {
                    let (status, path) = self.library_outcome(symbol);
                    (status, Some(path))
                }
                Target::Symbol(symbol) => {
                    symbols.push(symbol);
                    continue;
                }
                Target::Module(module) if self.is_library(module) => {
                    let (status, path) = self.library_outcome(SymbolRef::module(module));
                    (status, Some(path))
                }
                Target::Module(module) => {
                    symbols.push(SymbolRef::module(module));
                    continue;
                }
                Target::Folders(_) => (Status::Resolved, None),
                Target::External(path) => (Status::External, Some(self.names.text(path).to_string())),
                Target::Builtin(name) => (Status::Builtin, Some(format!("builtin:{}", self.names.text(name)))),
                Target::Unresolved(spec) => (Status::UnresolvedImport, Some(self.names.text(spec).to_string())),
                Target::Binding(..) | Target::Value(..) | Target::Dynamic => (Status::Dynamic, None),
            };
            other.get_or_insert(found);
        }
        if symbols.is_empty() {
            let (status, external) = other.unwrap_or((Status::UnknownReceiver, None));
            return Outcome {
                status,
                how,
                chain,
                targets: Vec::new(),
                external,
            };
        }
        symbols.sort();
        symbols.dedup();
        Outcome {
            status: Status::Resolved,
            how,
            chain,
            targets: symbols,
            external: None,
        }
    }

    /// True when the module that a name is imported from has it from another one.
    fn is_passed_on(&mut self, file: FileIx, import: ImportId, targets: &[Target]) -> bool {
        let facts = self.facts(file);
        let entry = facts.imports[import.ix()];
        if entry.kind != ImportKind::Name || entry.name.is_none() {
            return false;
        }
        let is_elsewhere = |module: FileIx| {
            targets
                .iter()
                .any(|it| matches!(it, Target::Symbol(symbol) if !symbol.is_module() && symbol.file != module))
        };
        match self.module_target(file, facts.str(entry.spec)) {
            Target::Module(module) => is_elsewhere(module),
            _ => false,
        }
    }

    /// How a name was found that stands for these targets.
    pub(crate) fn name_how(&mut self, file: FileIx, expr: ExprId, targets: &[Target]) -> How {
        use strata_model::facts::BindSource;
        let facts = self.facts(file);
        let Expr::Local(_, set) = facts.expr(expr) else {
            return match facts.expr(expr) {
                Expr::Free(_) if !self.file(file).stars.is_empty() => How::StarImport,
                _ => How::Lexical,
            };
        };
        let mut how = How::Lexical;
        for bind in facts.bind_set(set) {
            let binding = facts.bindings[bind.ix()];
            how = how.max(match binding.source {
                BindSource::Import(id) => {
                    let import = facts.imports[id.ix()];
                    if self.is_passed_on(file, id, targets) {
                        How::Reexport
                    } else if import.name.is_some() && import.local != import.name {
                        How::ImportAlias
                    } else {
                        How::Import
                    }
                }
                _ if binding.scope.0 == 0 => How::ModuleScope,
                _ => How::Lexical,
            });
        }
        how
    }

    /// How a receiver's member was found, in the words of the receiver's own origin.
    pub(crate) fn receiver_how(&mut self, file: FileIx, base: ExprId, receiver: Val, members: &Members) -> How {
        let facts = self.facts(file);
        let is_inherited = members.targets.iter().any(|found| found.is_inherited);
        match self.types.get(receiver.ty).clone() {
            TyData::Module(_) | TyData::Folders(_) => receiver.how.max(How::NamespaceMember),
            TyData::Super(..) => How::Super,
            TyData::SelfInst(_) | TyData::SelfClass(_) if receiver.chain == 0 => {
                if is_inherited {
                    How::SelfInherited
                } else {
                    How::SelfMember
                }
            }
            TyData::Class(..)
                if matches!(
                    facts.expr(base),
                    Expr::Local(..) | Expr::Free(_) | Expr::Member(..) | Expr::Place(..)
                ) =>
            {
                receiver.how.max(How::StaticMember)
            }
            _ => receiver.how,
        }
    }
}
