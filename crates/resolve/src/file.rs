//! A file's facts with the tables that resolution looks things up in.

use std::cell::OnceCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use strata_lang::{Language, Policy};
use strata_model::facts::{DefFlags, ExportSource, Expr, FileFacts, ImportKind};
use strata_model::ids::{BindSetId, DefId, ExprId, StrId};

use crate::expected::Place;
use crate::keys;
use crate::names::{NameId, Names};

/// A loaded file.
pub(crate) struct File {
    pub(crate) facts: Arc<FileFacts>,
    pub(crate) language: &'static dyn Language,
    pub(crate) path_hash: u64,
    names: Vec<NameId>,
    pub(crate) module_names: FxHashMap<NameId, BindSetId>,
    pub(crate) exports: FxHashMap<NameId, Vec<u32>>,
    /// Modules whose public names are this module's too, as written.
    pub(crate) stars: Vec<StrId>,
    members: FxHashMap<(DefId, NameId), Vec<DefId>>,
    top_level: OnceCell<FxHashMap<NameId, Vec<DefId>>>,
    children: OnceCell<FxHashMap<DefId, Vec<DefId>>>,
    def_hashes: OnceCell<Vec<u64>>,
    /// Argument of a decorator, the name it gives, and the definition.
    aliases: OnceCell<Vec<(StrId, String, DefId)>>,
    places: OnceCell<Places>,
}

/// Where literals and calls stand that may be asked for their expected type.
#[derive(Default)]
struct Places {
    of_defs: FxHashMap<DefId, Place>,
    of_exprs: FxHashMap<ExprId, Place>,
}

impl File {
    pub(crate) fn new(path: &str, facts: Arc<FileFacts>, language: &'static dyn Language, table: &mut Names) -> Self {
        let names: Vec<NameId> = (0..facts.strings.len())
            .map(|ix| table.intern(facts.strings.get(StrId(u32::try_from(ix).unwrap_or(u32::MAX)))))
            .collect();
        let module_names = facts
            .module_names
            .iter()
            .map(|(name, set)| (names[name.ix()], *set))
            .collect();
        let mut exports: FxHashMap<NameId, Vec<u32>> = FxHashMap::default();
        let mut stars = Vec::new();
        for (ix, export) in facts.exports.iter().enumerate() {
            match export.source {
                ExportSource::Star(spec) => stars.push(spec),
                ExportSource::Value(_) | ExportSource::From(..) | ExportSource::StarAs(_) => {
                    exports
                        .entry(names[export.name.ix()])
                        .or_default()
                        .push(u32::try_from(ix).unwrap_or(u32::MAX));
                }
            }
        }
        stars.extend(
            facts
                .imports
                .iter()
                .filter(|it| it.kind == ImportKind::Star)
                .map(|it| it.spec),
        );
        let mut members: FxHashMap<(DefId, NameId), Vec<DefId>> = FxHashMap::default();
        for (ix, def) in facts.defs.iter().enumerate() {
            if let Some(parent) = def.parent {
                let id = DefId(u32::try_from(ix).unwrap_or(u32::MAX));
                if !def.flags.has(DefFlags::ANONYMOUS) || facts.str(def.name).starts_with('<') {
                    members.entry((parent, names[def.name.ix()])).or_default().push(id);
                }
            }
        }
        Self {
            path_hash: keys::hash_text(path),
            facts,
            language,
            names,
            module_names,
            exports,
            stars,
            members,
            top_level: OnceCell::new(),
            children: OnceCell::new(),
            def_hashes: OnceCell::new(),
            places: OnceCell::new(),
            aliases: OnceCell::new(),
        }
    }

    pub(crate) fn policy(&self) -> &'static Policy {
        self.language.policy()
    }

    pub(crate) fn is_ecmascript(&self) -> bool {
        self.policy().is_hoisted
    }

    pub(crate) fn name(&self, id: StrId) -> NameId {
        self.names[id.ix()]
    }

    /// Members of a definition with this name, in source order.
    pub(crate) fn members_named(&self, parent: DefId, name: NameId) -> &[DefId] {
        self.members.get(&(parent, name)).map_or(&[], Vec::as_slice)
    }

    /// Definitions outside all others with this name, in source order.
    pub(crate) fn top_level_named(&self, name: NameId) -> &[DefId] {
        let table = self.top_level.get_or_init(|| {
            let mut table: FxHashMap<NameId, Vec<DefId>> = FxHashMap::default();
            for (ix, def) in self.facts.defs.iter().enumerate() {
                if def.parent.is_none() {
                    let id = DefId(u32::try_from(ix).unwrap_or(u32::MAX));
                    table.entry(self.name(def.name)).or_default().push(id);
                }
            }
            table
        });
        table.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The members that a type or object literal declares, in source order. Whoever goes through them rests on the
    /// declaration of the type, whose key knows their names.
    pub(crate) fn declared_members(&self, parent: DefId) -> &[DefId] {
        let table = self.children.get_or_init(|| {
            let mut table: FxHashMap<DefId, Vec<DefId>> = FxHashMap::default();
            for (ix, def) in self.facts.defs.iter().enumerate() {
                if let Some(parent) = def.parent
                    && keys::lists_members(&self.facts, parent)
                {
                    let id = DefId(u32::try_from(ix).unwrap_or(u32::MAX));
                    table.entry(parent).or_default().push(id);
                }
            }
            table
        });
        table.get(&parent).map_or(&[], Vec::as_slice)
    }

    /// Definitions that the argument `argument` of a decorator gives the name `name`.
    pub(crate) fn aliased(&self, argument: &str, name: &str) -> Vec<DefId> {
        let aliases = self.aliases.get_or_init(|| {
            keys::aliases(&self.facts)
                .into_iter()
                .map(|(argument, name, def)| (argument, name.to_owned(), def))
                .collect()
        });
        aliases
            .iter()
            .filter(|(by, text, _)| text == name && self.facts.str(*by) == argument)
            .map(|(_, _, def)| *def)
            .collect()
    }

    /// A hash of a definition's place in the file that does not depend on its position.
    pub(crate) fn def_hash(&self, def: DefId) -> u64 {
        self.def_hashes.get_or_init(|| keys::def_hashes(&self.facts))[def.ix()]
    }

    /// Where a function or object literal stands.
    pub(crate) fn place_of_def(&self, def: DefId) -> Option<Place> {
        self.places().of_defs.get(&def).copied()
    }

    /// Where a call or a list stands.
    pub(crate) fn place_of_expr(&self, expr: ExprId) -> Option<Place> {
        self.places().of_exprs.get(&expr).copied()
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| {
            let facts = &self.facts;
            let mut places = Places::default();
            for (ix, def) in facts.defs.iter().enumerate() {
                let id = DefId(u32::try_from(ix).unwrap_or(u32::MAX));
                for value in facts.expr_list(def.values) {
                    places.note(facts, *value, Place::Value(id));
                }
                for value in facts.expr_list(def.returns) {
                    places.note(facts, *value, Place::Returned(id));
                }
            }
            places
        })
    }
}

impl Places {
    fn note(&mut self, facts: &FileFacts, expr: ExprId, place: Place) {
        let mut pending = vec![(expr, place)];
        while let Some((expr, place)) = pending.pop() {
            match facts.expr(expr) {
                Expr::Def(def) => {
                    self.of_defs.insert(def, place);
                }
                Expr::Call(..) | Expr::New(..) => {
                    self.of_exprs.insert(expr, place);
                }
                Expr::List(run) => {
                    self.of_exprs.insert(expr, place);
                    pending.extend(facts.expr_list(run).iter().map(|it| (*it, Place::Element(expr))));
                }
                Expr::Either(a, b) => {
                    self.of_exprs.insert(expr, place);
                    pending.extend([(a, Place::Alternative(expr)), (b, Place::Alternative(expr))]);
                }
                _ => {}
            }
        }
    }
}
