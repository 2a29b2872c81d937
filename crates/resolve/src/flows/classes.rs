//! Ancestors of classes and their members.

use std::rc::Rc;

use strata_lang::policy::Linearisation;
use strata_model::facts::{Expr, TypeExpr};
use strata_model::ids::{DefId, SymbolRef, TypeId};
use strata_model::kinds::NodeKind;

use super::solver::Solver;
use super::values::Name;

/// A class and what it inherits from, nearest first.
#[derive(Debug, Default)]
pub(super) struct Ancestors {
    pub(super) classes: Vec<SymbolRef>,
    /// The first base outside the root, by path.
    pub(super) external: Option<Name>,
}

/// Deepest inheritance that is followed.
const MAX_DEPTH: u32 = 64;

impl Solver<'_> {
    pub(super) fn ancestors(&mut self, class: SymbolRef) -> Rc<Ancestors> {
        if let Some(known) = self.ancestors.get(&class) {
            return Rc::clone(known);
        }
        // Stands there meanwhile, which ends cycles.
        let itself = Rc::new(Ancestors {
            classes: vec![class],
            external: None,
        });
        self.ancestors.insert(class, itself);
        let found = Rc::new(self.linearised(class, 0));
        self.ancestors.insert(class, Rc::clone(&found));
        found
    }

    fn linearised(&mut self, class: SymbolRef, depth: u32) -> Ancestors {
        let mut out = Ancestors {
            classes: vec![class],
            external: None,
        };
        if depth > MAX_DEPTH {
            return out;
        }
        let (bases, external) = self.bases(class);
        out.external = external;
        let mut lists: Vec<Vec<SymbolRef>> = Vec::new();
        for base in &bases {
            let above = self.ancestors(*base);
            lists.push(above.classes.clone());
            out.external = out.external.or(above.external);
        }
        lists.push(bases);
        let is_c3 = self.files[class.file.ix()].language.policy().linearisation == Linearisation::C3;
        if is_c3 {
            merge(&mut out.classes, lists);
        } else {
            for base in lists.into_iter().flatten() {
                if !out.classes.contains(&base) {
                    out.classes.push(base);
                }
            }
        }
        out
    }

    fn bases(&mut self, class: SymbolRef) -> (Vec<SymbolRef>, Option<Name>) {
        let files = self.files;
        let file = &files[class.file.ix()];
        let mut bases = Vec::new();
        let mut external = None;
        for base in &file.facts.supers[file.facts.def(class.def).supers.range()] {
            let Some(reference) = self.reference_of_type(class, base.ty) else {
                continue;
            };
            let outcome = &file.outcomes[reference as usize];
            for target in &outcome.targets {
                let is_class = !target.is_module() && {
                    let kind = self.def(*target).kind;
                    kind.is_type() || kind == NodeKind::Unknown || kind.is_callable()
                };
                if is_class && !bases.contains(target) {
                    bases.push(*target);
                }
            }
            if outcome.targets.is_empty()
                && let Some(path) = &outcome.external
                && external.is_none()
            {
                external = Some(self.intern(path));
            }
        }
        (bases, external)
    }

    fn reference_of_type(&self, class: SymbolRef, ty: TypeId) -> Option<u32> {
        let tables = &self.tables[class.file.ix()];
        if let Some(reference) = tables.type_of.get(&ty) {
            return Some(*reference);
        }
        let facts = &self.files[class.file.ix()].facts;
        match facts.ty(ty) {
            TypeExpr::Name(expr) => {
                let expr = match facts.expr(expr) {
                    Expr::Call(callee, ..) | Expr::Index(callee, _) => callee,
                    _ => expr,
                };
                tables.mention_of.get(&expr).copied()
            }
            TypeExpr::App(base, _) => self.reference_of_type(class, base),
            TypeExpr::Union(_)
            | TypeExpr::Intersection(_)
            | TypeExpr::Array(_)
            | TypeExpr::Tuple(_)
            | TypeExpr::Fn(..)
            | TypeExpr::SelfType
            | TypeExpr::TypeOf(_)
            | TypeExpr::Object(_)
            | TypeExpr::Indexed(..)
            | TypeExpr::Module(_)
            | TypeExpr::Literal(_)
            | TypeExpr::Opaque => None,
        }
    }

    /// Members of a class's own with a name, in source order.
    pub(super) fn own_members(&self, class: SymbolRef, name: Name) -> Vec<SymbolRef> {
        let tables = &self.tables[class.file.ix()];
        let Some(local) = tables.strings.get(&*self.text(name)) else {
            return Vec::new();
        };
        let found: &[DefId] = tables.members.get(&(class.def, *local)).map_or(&[], Vec::as_slice);
        found
            .iter()
            .map(|def| SymbolRef {
                file: class.file,
                def: *def,
            })
            .collect()
    }

    /// The function that makes an instance of a class ready, its own or inherited.
    pub(super) fn constructor(&mut self, class: SymbolRef) -> Option<SymbolRef> {
        let names = self.files[class.file.ix()].language.policy().constructors;
        let ancestors = self.ancestors(class);
        for ancestor in &ancestors.classes {
            for name in names {
                let name = self.intern(name);
                if let Some(found) = self.own_members(*ancestor, name).last() {
                    return Some(*found);
                }
            }
        }
        None
    }
}

/// Merges the orders of all bases, as C3 does; where they contradict each other, the first unplaced one comes next.
fn merge(out: &mut Vec<SymbolRef>, mut lists: Vec<Vec<SymbolRef>>) {
    loop {
        lists.retain(|list| !list.is_empty());
        let Some(first) = lists.first().map(|list| list[0]) else {
            return;
        };
        let next = lists
            .iter()
            .map(|list| list[0])
            .find(|head| lists.iter().all(|list| !list[1..].contains(head)))
            .unwrap_or(first);
        if !out.contains(&next) {
            out.push(next);
        }
        for list in &mut lists {
            list.retain(|it| *it != next);
        }
    }
}
