//! What dispatch needs to know: which members override which, and how well the class of a receiver is known.
//!
//! An edge leads to the member that is declared for the receiver's type. Which member runs is decided by the class of the
//! instance, and is worked out when somebody asks, from what is noted here: the members that stand in for declared ones,
//! and for every place the receiver's class and whether an instance of a subclass may stand there.
//!
//! ```text
//! class Shape: def area(self): ...
//! class Disc(Shape): def area(self): ...     Disc.area overrides Shape.area
//! def f(shape: Shape): shape.area()          virtual, receiver Shape
//! Disc().area()                              exact, receiver Disc
//! ```

use strata_model::edge::EdgeFlags;
use strata_model::facts::{BindSource, Def, DefFlags, Expr, RefTarget, Reference};
use strata_model::ids::{DefId, ExprId, FileIx, SymbolRef};
use strata_model::kinds::{NodeKind, RefKind};
use strata_model::outcome::Outcome;

use crate::program::{Namespace, Program, Target};
use crate::types::{Ty, TyData};

/// Variables that are followed to find what made their value.
const MAX_STEPS: u32 = 6;

/// The receiver at a place that uses a member of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// Index of the reference.
    pub reference: u32,
    /// The member, which is one of the reference's targets.
    pub target: SymbolRef,
    /// The class of the receiver as far as it is known; for `super`, the class in which the call stands.
    pub class: SymbolRef,
    /// Whether the member is chosen by the class of the instance.
    pub flags: EdgeFlags,
}

impl Program<'_> {
    /// The receivers of the members that a file's references use.
    pub(crate) fn receivers(&mut self, file: FileIx, outcomes: &[Outcome]) -> Vec<Receiver> {
        let facts = self.facts(file);
        let mut out = Vec::new();
        for (ix, (reference, outcome)) in facts.refs.iter().zip(outcomes).enumerate() {
            if outcome.targets.is_empty() {
                continue;
            }
            let Some(member) = self.used_member(file, reference) else {
                continue;
            };
            let ix = u32::try_from(ix).unwrap_or(u32::MAX);
            self.receivers_of(file, ix, member, &outcome.targets, &mut out);
        }
        out
    }

    /// The member expression that a reference calls or reads.
    fn used_member(&mut self, file: FileIx, reference: &Reference) -> Option<ExprId> {
        let RefTarget::Expr(mut expr) = reference.target else {
            return None;
        };
        match reference.kind {
            RefKind::Call => expr = self.call_parts(file, expr)?.0,
            RefKind::Read => {}
            RefKind::Construct
            | RefKind::Inherits
            | RefKind::Implements
            | RefKind::Import
            | RefKind::Type
            | RefKind::Value
            | RefKind::Write
            | RefKind::Decorator
            | RefKind::Render => return None,
        }
        let facts = self.facts(file);
        while let Expr::Unwrap(inner) = facts.expr(expr) {
            expr = inner;
        }
        matches!(facts.expr(expr), Expr::Member(..)).then_some(expr)
    }

    fn receivers_of(
        &mut self,
        file: FileIx,
        reference: u32,
        member: ExprId,
        targets: &[SymbolRef],
        out: &mut Vec<Receiver>,
    ) {
        let facts = self.facts(file);
        let Expr::Member(base, name) = facts.expr(member) else {
            return;
        };
        let name = self.name(file, name);
        let receiver = self.eval(file, base);
        let mut is_exact = None;
        for ty in self.types.members(receiver.ty) {
            let Some((class, is_super)) = self.class_of_receiver(ty) else {
                continue;
            };
            for found in self.member(ty, name).targets {
                let Target::Symbol(target) = found.target else { continue };
                if !targets.contains(&target) || !self.is_dispatched(target, is_super) {
                    continue;
                }
                let flags = if is_super {
                    EdgeFlags::SUPER
                } else if *is_exact.get_or_insert_with(|| self.is_exact(file, base, 0)) {
                    EdgeFlags::RECV_EXACT
                } else {
                    EdgeFlags::VIRTUAL
                };
                out.push(Receiver {
                    reference,
                    target,
                    class,
                    flags,
                });
            }
        }
    }

    fn class_of_receiver(&self, ty: Ty) -> Option<(SymbolRef, bool)> {
        match *self.types.get(ty) {
            TyData::Inst(class, _) | TyData::Class(class, _) | TyData::SelfInst(class) | TyData::SelfClass(class) => {
                Some((class, false))
            }
            TyData::Super(class, _) => Some((class, true)),
            _ => None,
        }
    }

    /// True for members that a subclass may replace. A constructor is chosen by the class that is named, except after
    /// `super`.
    fn is_dispatched(&mut self, member: SymbolRef, is_super: bool) -> bool {
        if member.is_module() || self.is_library(member.file) {
            return false;
        }
        let facts = self.facts(member.file);
        let def = facts.def(member.def);
        let is_member = match def.kind {
            NodeKind::Constructor => is_super,
            kind => kind.is_callable() || kind == NodeKind::Property,
        };
        is_member && def.parent.is_some_and(|parent| facts.def(parent).kind.is_type())
    }

    /// True when the value of an expression is of exactly the class that evaluation gives: it was made there, is written
    /// there as a literal, or is the class itself by name.
    fn is_exact(&mut self, file: FileIx, expr: ExprId, steps: u32) -> bool {
        if steps > MAX_STEPS {
            return false;
        }
        let facts = self.facts(file);
        match facts.expr(expr) {
            Expr::Call(callee, ..) if self.file(file).policy().call_constructs => self.names_a_class(file, callee),
            Expr::New(class, ..) => self.names_a_class(file, class),
            // A test does not change what its value is.
            Expr::Unwrap(inner) | Expr::Is(inner, _) | Expr::IsNot(inner, _) => self.is_exact(file, inner, steps + 1),
            Expr::Either(a, b) => self.is_exact(file, a, steps + 1) && self.is_exact(file, b, steps + 1),
            Expr::Def(_) | Expr::Lit(_) => true,
            Expr::Local(_, set) => {
                let binds = facts.bind_set(set).to_vec();
                !binds.is_empty()
                    && binds.iter().all(|bind| {
                        let binding = facts.bindings[bind.ix()];
                        match binding.source {
                            BindSource::Value(value) => self.is_exact(file, value, steps + 1),
                            BindSource::Def(_) => true,
                            BindSource::Import(_) => {
                                let targets = self.binding_targets(file, *bind, Namespace::Value);
                                !targets.is_empty() && targets.iter().all(|it| self.is_exact_target(it, steps + 1))
                            }
                            BindSource::Param(..)
                            | BindSource::TypeParam(..)
                            | BindSource::Typed
                            | BindSource::Opaque => false,
                        }
                    })
            }
            Expr::Member(..) => self.names_a_class(file, expr),
            Expr::Place(member, _) => self.names_a_class(file, member),
            Expr::Free(_)
            | Expr::This(..)
            | Expr::Super(..)
            | Expr::Param(..)
            | Expr::Index(..)
            | Expr::Call(..)
            | Expr::Cast(_)
            | Expr::Await(_)
            | Expr::Iter(_)
            | Expr::AsyncIter(_)
            | Expr::Item(..)
            | Expr::Entered(_)
            | Expr::AsyncEntered(_)
            | Expr::Tuple(_)
            | Expr::List(_)
            | Expr::Dict(_)
            | Expr::At(..)
            | Expr::Sent(_)
            | Expr::Delegated(_)
            | Expr::Require(_)
            | Expr::ImportCall(_)
            | Expr::Opaque => false,
        }
    }

    /// True for a class by its name, and for a variable of a module that is given nothing but exact values.
    fn is_exact_target(&mut self, target: &Target, steps: u32) -> bool {
        let Target::Symbol(symbol) = *target else { return false };
        if symbol.is_module() {
            return false;
        }
        self.look_up_def(symbol);
        let facts = self.facts(symbol.file);
        let def = facts.def(symbol.def);
        match def.kind {
            NodeKind::Class | NodeKind::Enum => true,
            NodeKind::Variable | NodeKind::Constant => {
                let values = facts.expr_list(def.values).to_vec();
                !values.is_empty() && values.iter().all(|value| self.is_exact(symbol.file, *value, steps))
            }
            _ => false,
        }
    }

    fn names_a_class(&mut self, file: FileIx, expr: ExprId) -> bool {
        let targets = self.entity(file, expr, Namespace::Value);
        !targets.is_empty()
            && targets.iter().all(|target| match target {
                Target::Symbol(symbol) if !symbol.is_module() => {
                    let facts = self.facts(symbol.file);
                    let def = facts.def(symbol.def);
                    // Inside its own class, a name such as `__class__` or a field may stand for a subclass.
                    def.kind.is_type() && !def.flags.has(DefFlags::INSTANCE_FIELD)
                }
                _ => false,
            })
    }

    /// Members of a file's classes and object literals with the member that each stands in for: of every supertype that
    /// the class itself names, the one that it would inherit.
    pub(crate) fn overrides(&mut self, file: FileIx) -> Vec<(DefId, SymbolRef)> {
        let facts = self.facts(file);
        let mut out = Vec::new();
        for (ix, def) in facts.defs.iter().enumerate() {
            let Some(parent) = def.parent else { continue };
            let owner = facts.def(parent);
            if !may_override(def) || !(owner.kind.is_type() || owner.flags.has(DefFlags::OBJECT)) {
                continue;
            }
            let member = DefId(u32::try_from(ix).unwrap_or(u32::MAX));
            let owner = SymbolRef { file, def: parent };
            let name = self.name(file, def.name);
            let mut found: Vec<SymbolRef> = Vec::new();
            for class in self.named_supertypes(owner) {
                let members = self.class_members(class, name, false);
                if let Some(overridden) = members.found.first()
                    && self.is_overridden_by(*overridden, def)
                    && !found.contains(overridden)
                {
                    found.push(*overridden);
                }
            }
            found.sort();
            out.extend(found.into_iter().map(|overridden| (member, overridden)));
        }
        out
    }

    /// The classes and interfaces of the root that a class names as its supertypes; for an object literal, the types that
    /// its place asks for.
    fn named_supertypes(&mut self, owner: SymbolRef) -> Vec<SymbolRef> {
        let facts = self.facts(owner.file);
        let def = facts.def(owner.def);
        let supers = if def.flags.has(DefFlags::OBJECT) {
            vec![self.type_of_place(owner)]
        } else if def.supers.is_empty() && self.parts(owner).len() < 2 {
            return Vec::new();
        } else {
            self.supers(owner).to_vec()
        };
        let mut out = Vec::new();
        for ty in supers {
            for ty in self.types.members(ty) {
                if let TyData::Inst(class, _) = *self.types.get(ty)
                    && class != owner
                    && !self.is_library(class.file)
                    && !out.contains(&class)
                {
                    out.push(class);
                }
            }
        }
        out
    }

    /// The type that is declared for an object literal: of the variable that holds it, or of the result that it is.
    fn type_of_place(&mut self, object: SymbolRef) -> Ty {
        let facts = self.facts(object.file);
        let literal = |value: &ExprId| facts.expr(*value) == Expr::Def(object.def);
        let hint = facts.def(object.def).parent.and_then(|holder| {
            let holder = facts.def(holder);
            if holder.kind.is_callable() {
                let is_returned = facts.expr_list(holder.returns).iter().any(literal);
                holder.ret_hint.filter(|_| is_returned)
            } else {
                holder.hint
            }
        });
        hint.map_or(crate::types::Types::UNKNOWN, |hint| {
            self.annotation(object.file, hint).ty
        })
    }

    /// A field stands in for what can be called or runs a function, not for another field.
    fn is_overridden_by(&mut self, overridden: SymbolRef, def: &Def) -> bool {
        if overridden.is_module() || self.is_library(overridden.file) {
            return false;
        }
        let facts = self.facts(overridden.file);
        let declared = facts.def(overridden.def).kind;
        if def.kind == NodeKind::Field {
            declared.is_callable() || declared == NodeKind::Property
        } else {
            declared.is_callable() || matches!(declared, NodeKind::Property | NodeKind::Field)
        }
    }
}

fn may_override(def: &Def) -> bool {
    let is_member = def.kind.is_callable() || matches!(def.kind, NodeKind::Property | NodeKind::Field);
    let is_other = [
        DefFlags::LOCAL,
        DefFlags::ANONYMOUS,
        DefFlags::SETTER,
        DefFlags::INSTANCE_FIELD,
    ];
    is_member && !is_other.into_iter().any(|flag| def.flags.has(flag))
}
