//! Leaves of a file's facts what a surface needs.

use strata_model::facts::{ExportSource, Expr, FileFacts, Metrics, Strings, TypeExpr};
use strata_model::ids::{Position, Span, StrId};

/// Drops references, positions, measures, documentation and signatures, and every string that nothing names any more.
pub fn thin(facts: &mut FileFacts) {
    facts.refs.clear();
    facts.problems.clear();
    facts.line_count = 0;
    let old = std::mem::take(&mut facts.strings);
    let mut strings = Renumbered::new(&old);
    let empty = strings.id_of("");
    for def in &mut facts.defs {
        def.name = strings.keep(def.name);
        def.signature = empty;
        def.doc = None;
        def.span = Span::default();
        def.name_span = Span::default();
        def.start = Position::default();
        def.end = Position::default();
        def.name_at = Position::default();
        def.metrics = Metrics::default();
    }
    for binding in &mut facts.bindings {
        binding.name = strings.keep(binding.name);
    }
    for import in &mut facts.imports {
        import.spec = strings.keep(import.spec);
        import.name = import.name.map(|name| strings.keep(name));
        import.local = import.local.map(|name| strings.keep(name));
        import.at = Position::default();
    }
    for export in &mut facts.exports {
        export.name = strings.keep(export.name);
        export.at = Position::default();
        export.source = match export.source {
            ExportSource::Value(expr) => ExportSource::Value(expr),
            ExportSource::From(spec, name) => ExportSource::From(strings.keep(spec), strings.keep(name)),
            ExportSource::Star(spec) => ExportSource::Star(strings.keep(spec)),
            ExportSource::StarAs(spec) => ExportSource::StarAs(strings.keep(spec)),
        };
    }
    for param in &mut facts.params {
        param.name = strings.keep(param.name);
    }
    for arg in &mut facts.args {
        arg.name = arg.name.map(|name| strings.keep(name));
    }
    for expr in &mut facts.exprs {
        *expr = match *expr {
            Expr::Local(name, set) => Expr::Local(strings.keep(name), set),
            Expr::Free(name) => Expr::Free(strings.keep(name)),
            Expr::Member(base, name) => Expr::Member(base, strings.keep(name)),
            Expr::Require(spec) => Expr::Require(strings.keep(spec)),
            Expr::ImportCall(spec) => Expr::ImportCall(strings.keep(spec)),
            other => other,
        };
    }
    for ty in &mut facts.types {
        *ty = match *ty {
            TypeExpr::Indexed(base, name) => TypeExpr::Indexed(base, strings.keep(name)),
            TypeExpr::Module(spec) => TypeExpr::Module(strings.keep(spec)),
            other => other,
        };
    }
    if let Some(all) = &mut facts.all_names {
        for name in &mut all.names {
            *name = strings.keep(*name);
        }
    }
    let mut module_names = std::mem::take(&mut facts.module_names);
    for (name, _) in &mut module_names {
        *name = strings.keep(*name);
    }
    module_names.sort_unstable();
    facts.module_names = module_names;
    facts.strings = strings.new;
    facts.shrink();
}

/// The strings that are kept, in the order in which they were first kept.
struct Renumbered<'s> {
    old: &'s Strings,
    ids: Vec<Option<StrId>>,
    new: Strings,
}

impl<'s> Renumbered<'s> {
    fn new(old: &'s Strings) -> Self {
        Self {
            old,
            ids: vec![None; old.len()],
            new: Strings::default(),
        }
    }

    fn keep(&mut self, id: StrId) -> StrId {
        if let Some(kept) = self.ids[id.ix()] {
            return kept;
        }
        let kept = self.id_of(self.old.get(id));
        self.ids[id.ix()] = Some(kept);
        kept
    }

    fn id_of(&mut self, text: &str) -> StrId {
        self.new.text.push_str(text);
        self.new
            .ends
            .push(u32::try_from(self.new.text.len()).unwrap_or(u32::MAX));
        StrId(u32::try_from(self.new.len() - 1).unwrap_or(u32::MAX))
    }
}
