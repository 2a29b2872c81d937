//! Types of ECMAScript by their shape: what an interface of a library asks for, and whether a value has it.
//!
//! Nothing says that an array is an `Iterable`: it has what the interface asks for. Only small interfaces are looked at,
//! such as libraries take as parameters, and only the names of their members.

use strata_model::facts::DefFlags;
use strata_model::ids::{DefId, SymbolRef};
use strata_model::kinds::NodeKind;

use crate::narrowing::Within;
use crate::program::Program;
use crate::types::{Ty, TyData, Types};

/// Most members of an interface that is compared by its shape.
const MOST: usize = 12;

impl Program<'_> {
    /// Whether a value has all that a type of a library asks for.
    pub(crate) fn has_shape_of(&mut self, ty: Ty, of: Ty) -> Within {
        if !self.asks_ecmascript()
            || !matches!(
                self.types.get(ty),
                TyData::BuiltinInst(..) | TyData::Tuple(_) | TyData::Inst(..)
            )
        {
            return Within::Unknown;
        }
        let Some(wanted) = self.shape_asked(of) else {
            return Within::Unknown;
        };
        let mut verdict = Within::Yes;
        for symbol in wanted {
            let facts = self.facts(symbol.file);
            let def = facts.def(symbol.def);
            let found = match facts.str(def.name) {
                "<index>" => {
                    let file = symbol.file;
                    self.indexed_value(ty, file) != Types::UNKNOWN
                }
                name if name.starts_with('<') => false,
                _ => {
                    let name = self.name(symbol.file, def.name);
                    let members = self.member(ty, name);
                    if members.is_missing {
                        return Within::No;
                    }
                    !members.is_unknown
                }
            };
            if !found {
                verdict = Within::Unknown;
            }
        }
        verdict
    }

    /// The members that a value of a library's interface has to have; none where it is no interface, or a large one.
    fn shape_asked(&mut self, of: Ty) -> Option<Vec<SymbolRef>> {
        let class = match self.types.get(of).clone() {
            TyData::Inst(class, _) => class,
            _ => self.builtin_class(of)?.0,
        };
        if !self.is_library(class.file) {
            return None;
        }
        let mro = self.mro(class);
        if mro.has_unknown || mro.external.is_some() {
            return None;
        }
        let mut wanted = Vec::new();
        for (ancestor, _) in &mro.entries {
            let facts = self.facts(ancestor.file);
            let def = facts.def(ancestor.def);
            if !matches!(def.kind, NodeKind::Interface | NodeKind::Unknown) {
                return None;
            }
            for (at, member) in (0..).zip(&facts.defs) {
                if member.parent == Some(ancestor.def) && !member.flags.has(DefFlags::OPTIONAL) {
                    let member = SymbolRef {
                        file: ancestor.file,
                        def: DefId(at),
                    };
                    wanted.push(member);
                    if wanted.len() > MOST {
                        return None;
                    }
                }
            }
        }
        Some(wanted)
    }
}
