//! What frameworks add: registrations, and values that no code spells out. The rules are data of the languages
//! ([`strata_lang::framework`]); here is what they mean.
//!
//! ```text
//! @app.route("/")           the module registers `index`
//! def index(): ...
//!
//! def test(client): ...     `client` holds what the fixture of this name gives: the test takes it in
//! ```
//!
//! A rule applies where what is called, or what decorates, resolves to a path of the framework. The name alone says nothing.

mod entries;
mod fixtures;
mod registrations;
mod values;

use rustc_hash::FxHashMap;
use strata_lang::Framework;
use strata_model::facts::{Expr, FileFacts};
use strata_model::ids::{DefId, ExprId, FileIx, Position, Run, StrId, SymbolRef};

use crate::program::{Namespace, Program, Target};

/// Something of the root that a framework is handed, or hands over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Registration {
    /// Where.
    pub at: Position,
    /// The definition that stands at this end; none for the module.
    pub owner: Option<DefId>,
    /// What is at the other end.
    pub target: SymbolRef,
    /// Which of the two it is.
    pub kind: RegistrationKind,
    /// The token that says so, of the file's strings.
    pub name: StrId,
}

/// The direction of a [`Registration`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RegistrationKind {
    /// The owner hands the target to the framework, which calls it.
    Registers,
    /// The framework hands the owner what the target gives.
    Injects,
}

impl Program<'_> {
    /// What the file hands over to frameworks, and what they hand to it.
    pub(crate) fn registrations(
        &mut self,
        file: FileIx,
        outcomes: &[strata_model::outcome::Outcome],
    ) -> Vec<Registration> {
        let frameworks = self.file(file).policy().frameworks;
        let mut out = Vec::new();
        if frameworks.is_empty() {
            return out;
        }
        self.add_registered(file, outcomes, &mut out);
        for framework in frameworks {
            if let Some(fixtures) = framework.fixtures {
                self.add_injected(file, framework, fixtures, outcomes, &mut out);
            }
            if let Some(entries) = framework.entries {
                self.add_entries(file, entries, &mut out);
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The names of a decorator in a framework: what its callee resolves to, if that is one of its paths.
    fn names_of_decorator(
        &mut self,
        framework: &Framework,
        file: FileIx,
        decorator: ExprId,
    ) -> Option<(String, String)> {
        let facts = self.facts(file);
        let callee = match facts.expr(decorator) {
            Expr::Call(callee, ..) => callee,
            _ => decorator,
        };
        for target in self.entity(file, callee, Namespace::Value) {
            if let Target::External(path) = target
                && let Some((on, name)) = framework.names_in(&self.names.text(path))
            {
                return Some((on.to_owned(), name.to_owned()));
            }
        }
        None
    }
}

/// A definition with one of its decorators.
#[derive(Clone, Copy)]
struct Decorated {
    def: DefId,
    /// The arguments of the decorator.
    args: Run,
}

/// Definitions by the callees of their decorators.
fn decorated_by(facts: &FileFacts) -> FxHashMap<ExprId, Decorated> {
    let mut out = FxHashMap::default();
    for (ix, def) in facts.defs.iter().enumerate() {
        let def_id = DefId(u32::try_from(ix).unwrap_or(u32::MAX));
        for decorator in facts.expr_list(def.decorators) {
            let (callee, args) = match facts.expr(*decorator) {
                Expr::Call(callee, args, _) => (callee, args),
                _ => (*decorator, Run::default()),
            };
            out.insert(callee, Decorated { def: def_id, args });
        }
    }
    out
}
