//! What is looked up in a file by expression, type or name.

use rustc_hash::FxHashMap;
use strata_model::facts::{DefFlags, RefTarget};
use strata_model::ids::{DefId, ExprId, ImportId, Run, StrId, TypeId};
use strata_model::kinds::RefKind;

use super::FlowFile;
use super::values::Place;

/// The lookups of a file.
pub(super) struct FileTables {
    /// The call or instantiation of an expression.
    pub(super) call_of: FxHashMap<ExprId, u32>,
    /// The mention of an expression as a value.
    pub(super) mention_of: FxHashMap<ExprId, u32>,
    pub(super) import_of: FxHashMap<ImportId, u32>,
    pub(super) export_of: FxHashMap<u32, u32>,
    pub(super) type_of: FxHashMap<TypeId, u32>,
    pub(super) decorator_of: FxHashMap<ExprId, u32>,
    /// Members of a definition by name.
    pub(super) members: FxHashMap<(DefId, StrId), Vec<DefId>>,
    pub(super) keys: FxHashMap<ExprId, StrId>,
    pub(super) dict_keys: FxHashMap<ExprId, Run>,
    /// Names by text, to find a name of another file in this one.
    pub(super) strings: FxHashMap<Box<str>, StrId>,
    /// Places of expressions that have one.
    pub(super) places: Vec<Option<Place>>,
}

impl FileTables {
    pub(super) fn new(file: &FlowFile) -> Self {
        let facts = &*file.facts;
        let mut tables = Self {
            call_of: FxHashMap::default(),
            mention_of: FxHashMap::default(),
            import_of: FxHashMap::default(),
            export_of: FxHashMap::default(),
            type_of: FxHashMap::default(),
            decorator_of: FxHashMap::default(),
            members: FxHashMap::default(),
            keys: facts.flow.keys.iter().copied().collect(),
            dict_keys: facts.flow.dict_keys.iter().copied().collect(),
            strings: FxHashMap::default(),
            places: vec![None; facts.exprs.len()],
        };
        for (ix, reference) in facts.refs.iter().enumerate() {
            let ix = u32::try_from(ix).unwrap_or(u32::MAX);
            match (reference.kind, reference.target) {
                (RefKind::Call | RefKind::Construct | RefKind::Render, RefTarget::Expr(expr)) => {
                    tables.call_of.insert(expr, ix);
                }
                (RefKind::Decorator, RefTarget::Expr(expr)) => {
                    tables.decorator_of.insert(expr, ix);
                }
                (RefKind::Inherits | RefKind::Implements, RefTarget::Expr(expr)) => {
                    tables.mention_of.insert(expr, ix);
                }
                (RefKind::Write, RefTarget::Expr(_)) => {}
                (_, RefTarget::Expr(expr)) => {
                    tables.mention_of.entry(expr).or_insert(ix);
                }
                (_, RefTarget::Type(ty)) => {
                    tables.type_of.insert(ty, ix);
                }
                (_, RefTarget::Import(import)) => {
                    tables.import_of.insert(import, ix);
                }
                (_, RefTarget::Export(export)) => {
                    tables.export_of.insert(export, ix);
                }
            }
        }
        for (ix, def) in facts.defs.iter().enumerate() {
            let Some(parent) = def.parent else { continue };
            if !def.flags.has(DefFlags::ANONYMOUS) && !def.flags.has(DefFlags::LOCAL) {
                let id = DefId(u32::try_from(ix).unwrap_or(u32::MAX));
                tables.members.entry((parent, def.name)).or_default().push(id);
            }
        }
        for ix in 0..facts.strings.len() {
            let id = StrId(u32::try_from(ix).unwrap_or(u32::MAX));
            tables.strings.insert(facts.str(id).into(), id);
        }
        tables
    }
}
