//! Everything about one symbol.

use std::collections::BTreeMap;

use strata_model::facts::{DefFlags, Expr, FileFacts};
use strata_model::ids::ExprId;
use strata_model::kinds::{EdgeKind, NodeLevel};

use crate::dispatch::Dispatch;
use crate::error::EngineError;
use crate::relations::Relation;
use crate::view::{Symbol, View};

/// Callers and callees that are listed.
pub const MAX_RELATIONS: usize = 10;

/// Which parts are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expand {
    /// Members.
    pub members: bool,
    /// Supertypes.
    pub inheritance: bool,
    /// Callers.
    pub callers: bool,
    /// Callees.
    pub callees: bool,
    /// Public symbols of a module or package.
    pub public_exports: bool,
    /// Statements.
    pub statements: bool,
    /// Decorators.
    pub decorators: bool,
    /// What contains it.
    pub parent_chain: bool,
}

/// A symbol and what was asked for with it; none where it was not.
#[derive(Clone, Debug, PartialEq)]
pub struct SymbolDetail {
    /// The symbol.
    pub symbol: Symbol,
    /// Members in source order.
    pub members: Option<Vec<Symbol>>,
    /// Supertypes that are extended.
    pub extends: Option<Vec<String>>,
    /// Interfaces that are implemented.
    pub implements: Option<Vec<String>>,
    /// The callers with most calls.
    pub top_callers: Option<Vec<Relation>>,
    /// The callees with most calls.
    pub top_callees: Option<Vec<Relation>>,
    /// FQNs of those that hand it to a framework, with the callers.
    pub registered_by: Option<Vec<String>>,
    /// FQNs of what it hands to frameworks, with the callees.
    pub registers: Option<Vec<String>>,
    /// Public symbols.
    pub public_exports: Option<Vec<String>>,
    /// Decorators, outermost first, without their signs and arguments.
    pub decorators: Option<Vec<String>>,
    /// Tags of frameworks, each with the framework, with the decorators.
    pub tags: Option<BTreeMap<String, String>>,
    /// FQNs of what contains it, the nearest first.
    pub parent_chain: Option<Vec<String>>,
    /// What stands in for it in the classes below its own.
    pub implementations: Option<Dispatch>,
    /// Number of callers of members that it overrides whose calls may reach it.
    pub n_callers_via_dispatch: usize,
    /// Number of members.
    pub n_members: usize,
    /// Number of callers.
    pub n_callers: usize,
    /// Number of callees.
    pub n_callees: usize,
}

impl View<'_> {
    /// Everything about a symbol.
    pub fn detail(&self, symbol: Symbol, expand: Expand) -> Result<SymbolDetail, EngineError> {
        let members: Vec<Symbol> = self.store.children(symbol.id)?.into_iter().map(Symbol::from).collect();
        let callers = self.callers(&symbol)?;
        let callees = self.callees(&symbol)?;
        let (n_members, n_callers, n_callees) = (members.len(), callers.len(), callees.len());
        let supertypes = |kind| -> Result<Vec<String>, EngineError> {
            Ok(self
                .supertypes(&symbol, kind)?
                .into_iter()
                .map(|symbol| symbol.fqn)
                .collect())
        };
        let (extends, implements) = if expand.inheritance {
            (
                Some(supertypes(EdgeKind::Extends)?),
                Some(supertypes(EdgeKind::Implements)?),
            )
        } else {
            (None, None)
        };
        let top = |relations: Vec<Relation>| relations.into_iter().take(MAX_RELATIONS).collect();
        Ok(SymbolDetail {
            extends,
            implements,
            top_callers: expand.callers.then(|| top(callers)),
            top_callees: expand.callees.then(|| top(callees)),
            registered_by: if expand.callers {
                Some(names_of(self.registered_by(&symbol)?))
            } else {
                None
            },
            registers: if expand.callees {
                Some(names_of(self.registers(&symbol)?))
            } else {
                None
            },
            public_exports: if expand.public_exports {
                Some(self.public_exports(&symbol)?)
            } else {
                None
            },
            decorators: if expand.decorators {
                Some(self.decorators(&symbol)?)
            } else {
                None
            },
            tags: if expand.decorators {
                Some(self.tags(&symbol)?)
            } else {
                None
            },
            parent_chain: if expand.parent_chain {
                Some(
                    self.store
                        .parent_chain(symbol.id)?
                        .into_iter()
                        .map(|node| node.fqn)
                        .collect(),
                )
            } else {
                None
            },
            implementations: if expand.inheritance {
                Some(self.implementations(&symbol)?)
            } else {
                None
            },
            n_callers_via_dispatch: self.callers_via_dispatch(&symbol)?.len(),
            members: expand.members.then_some(members),
            n_members,
            n_callers,
            n_callees,
            symbol,
        })
    }

    /// The FQNs of the public symbols at the top of a module, or of all modules of a package.
    fn public_exports(&self, symbol: &Symbol) -> Result<Vec<String>, EngineError> {
        let mut exports = Vec::new();
        for child in self.store.children(symbol.id)? {
            match child.level {
                NodeLevel::L2_Module => {
                    let symbols = self.store.children(child.id)?.into_iter().map(Symbol::from);
                    exports.extend(symbols.filter(is_exported).map(|symbol| symbol.fqn));
                }
                NodeLevel::L3_Symbol => {
                    let child = Symbol::from(child);
                    if is_exported(&child) {
                        exports.push(child.fqn);
                    }
                }
                NodeLevel::L0_Monorepo | NodeLevel::L1_Package | NodeLevel::L4_Statement => {}
            }
        }
        exports.sort();
        Ok(exports)
    }

    fn decorators(&self, symbol: &Symbol) -> Result<Vec<String>, EngineError> {
        let (Some(file), Some(def)) = (symbol.file_id, symbol.def) else {
            return Ok(Vec::new());
        };
        let Some(facts) = self.store.facts(file)? else {
            return Ok(Vec::new());
        };
        let Some(def) = facts.defs.get(def.ix()) else {
            return Ok(Vec::new());
        };
        Ok(facts
            .expr_list(def.decorators)
            .iter()
            .filter_map(|expr| dotted(&facts, *expr))
            .collect())
    }
}

fn names_of(relations: Vec<Relation>) -> Vec<String> {
    let names = relations.into_iter().map(|relation| relation.symbol.fqn);
    names.take(MAX_RELATIONS).collect()
}

/// True for what is exported; where a language exports by name rather than by word, for what is not private.
fn is_exported(symbol: &Symbol) -> bool {
    let by_word = matches!(symbol.language.as_str(), "typescript" | "javascript" | "vue" | "svelte");
    if by_word {
        symbol.flags.has(DefFlags::EXPORTED)
    } else {
        symbol.is_public()
    }
}

/// A name or a chain of members as text, calls passed over.
pub(crate) fn dotted(facts: &FileFacts, expr: ExprId) -> Option<String> {
    match facts.expr(expr) {
        Expr::Local(name, _) | Expr::Free(name) => Some(facts.str(name).to_owned()),
        Expr::Member(receiver, name) => Some(format!("{}.{}", dotted(facts, receiver)?, facts.str(name))),
        Expr::Place(member, _) => dotted(facts, member),
        Expr::Call(callee, _, _) | Expr::New(callee, _, _) => dotted(facts, callee),
        _ => None,
    }
}
