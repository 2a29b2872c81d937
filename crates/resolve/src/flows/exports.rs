//! Names of modules.

use strata_model::facts::{ExportSource, ImportKind};
use strata_model::ids::{FileIx, ImportId};

use super::solver::Solver;
use super::values::{Name, Place, Slot};

impl Solver<'_> {
    /// A name of a module, and true when the module has it.
    pub(super) fn export(&mut self, file: FileIx, name: Name) -> (Place, bool) {
        let (place, is_new) = self.place(Slot::Export(file, name));
        let files = self.files;
        let facts = &*files[file.ix()].facts;
        let local = self.tables[file.ix()].strings.get(&*self.text(name)).copied();
        if !is_new {
            return (place, local.is_some());
        }
        let Some(local) = local else {
            self.stars(file, name, place);
            return (place, false);
        };
        let mut is_found = false;
        for (ix, export) in facts.exports.iter().enumerate() {
            if export.name != local {
                continue;
            }
            is_found = true;
            match export.source {
                ExportSource::Value(value) => {
                    let from = self.expr(file, value);
                    self.copy(from, place);
                }
                ExportSource::From(..) | ExportSource::StarAs(_) => {
                    let ix = u32::try_from(ix).unwrap_or(u32::MAX);
                    if let Some(reference) = self.tables[file.ix()].export_of.get(&ix).copied() {
                        self.outcome(file, reference, place);
                    }
                }
                ExportSource::Star(_) => {}
            }
        }
        if !is_found
            && (facts.exports.is_empty() || !self.is_ecmascript(file))
            && let Ok(ix) = facts.module_names.binary_search_by_key(&local, |(name, _)| *name)
        {
            is_found = true;
            for bind in facts.bind_set(facts.module_names[ix].1) {
                let from = self.binding(file, *bind);
                self.copy(from, place);
            }
        }
        if !is_found {
            self.stars(file, name, place);
        }
        (place, is_found)
    }

    /// A name that came with all names of another module.
    fn stars(&mut self, file: FileIx, name: Name, place: Place) {
        let files = self.files;
        let facts = &*files[file.ix()].facts;
        let mut modules = Vec::new();
        for (ix, import) in facts.imports.iter().enumerate() {
            let id = ImportId(u32::try_from(ix).unwrap_or(u32::MAX));
            if import.kind == ImportKind::Star
                && let Some(reference) = self.tables[file.ix()].import_of.get(&id)
            {
                modules.extend(files[file.ix()].outcomes[*reference as usize].targets.iter().copied());
            }
        }
        for (ix, export) in facts.exports.iter().enumerate() {
            let ix = u32::try_from(ix).unwrap_or(u32::MAX);
            if matches!(export.source, ExportSource::Star(_))
                && let Some(reference) = self.tables[file.ix()].export_of.get(&ix)
            {
                modules.extend(files[file.ix()].outcomes[*reference as usize].targets.iter().copied());
            }
        }
        for module in modules.into_iter().filter(|it| it.is_module() && it.file != file) {
            let (from, _) = self.export(module.file, name);
            self.copy(from, place);
        }
    }
}
