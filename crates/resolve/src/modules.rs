//! Names across files: what a module exports, what an import brings, what a name or member stands for.

use std::rc::Rc;

use strata_model::facts::{BindSource, DefFlags, ExportSource, Expr, FileFacts, ImportKind};
use strata_model::ids::{BindId, ExprId, FileIx, ImportId, SymbolRef};
use strata_model::kinds::NodeKind;

use crate::names::NameId;
use crate::program::{Namespace, Program, Question, Target, Val};
use crate::types::{TyData, Types};

impl Program<'_> {
    /// What a module gives under a name; empty: nothing.
    pub(crate) fn export(&mut self, module: FileIx, name: NameId) -> Rc<[Target]> {
        self.ask_targets(Question::Export(module, name), |program| {
            program.look_up_name(module, name);
            if program.file(module).is_ecmascript() {
                program.export_explicit(module, name)
            } else {
                program.export_of_scope(module, name)
            }
        })
    }

    /// Languages in which every name of the module's scope can be imported.
    fn export_of_scope(&mut self, module: FileIx, name: NameId) -> Vec<Target> {
        let file = self.file(module);
        if let Some(set) = file.module_names.get(&name) {
            let binds = file.facts.bind_set(*set).to_vec();
            let mut targets = Vec::new();
            for bind in binds {
                for target in self.binding_targets(module, bind, Namespace::Any) {
                    push(&mut targets, target);
                }
            }
            if self.is_library(module) {
                return self.of_one_name(targets);
            }
            return targets;
        }
        self.export_of_stars(module, name)
    }

    fn export_of_stars(&mut self, module: FileIx, name: NameId) -> Vec<Target> {
        self.look_up_stars(module);
        let file = self.file(module);
        let mut targets: Vec<Target> = Vec::new();
        for spec in &file.stars {
            let source = self.module_target(module, file.facts.str(*spec));
            if let Target::Module(source) = source
                && self.is_public(source, name)
            {
                for target in self.export(source, name).iter() {
                    push(&mut targets, target.clone());
                }
            } else if let Target::External(path) = source
                && let Some(library) = self.library_module(path)
                && self.is_public(library, name)
                && !self.export(library, name).is_empty()
            {
                let member = self.external_member(path, name);
                push(&mut targets, member);
            }
        }
        targets
    }

    /// True when `*` brings the name along.
    fn is_public(&mut self, module: FileIx, name: NameId) -> bool {
        if self.file(module).is_ecmascript() {
            return name != self.well_known.default;
        }
        self.is_listed(module, name, &mut Vec::new())
    }

    /// True when the list of a module's public names holds the name; without a list every name without an underscore
    /// is public. A list with a part that could not be read counts as no list for what its other parts do not hold.
    fn is_listed(&mut self, module: FileIx, name: NameId, seen: &mut Vec<FileIx>) -> bool {
        if seen.contains(&module) {
            return false;
        }
        seen.push(module);
        self.look_up_stars(module);
        let file = self.file(module);
        let text = self.names.text(name);
        let Some(all) = &file.facts.all_names else {
            return !text.starts_with('_');
        };
        if all.names.iter().any(|it| file.facts.str(*it) == &*text) {
            return true;
        }
        let mut is_dynamic = all.is_dynamic;
        for list in &all.lists {
            let mut is_followed = false;
            for target in self.entity(module, *list, Namespace::Value) {
                if let Target::Symbol(symbol) = target
                    && self.is_name_list(symbol)
                {
                    is_followed = true;
                    if self.is_listed(symbol.file, name, seen) {
                        return true;
                    }
                }
            }
            is_dynamic |= !is_followed;
        }
        is_dynamic && !text.starts_with('_')
    }

    fn is_name_list(&mut self, symbol: SymbolRef) -> bool {
        if symbol.is_module() {
            return false;
        }
        let facts = self.facts(symbol.file);
        let def = facts.def(symbol.def);
        def.parent.is_none() && facts.str(def.name) == "__all__"
    }

    /// ECMAScript and CommonJS: only what is exported.
    fn export_explicit(&mut self, module: FileIx, name: NameId) -> Vec<Target> {
        let file = self.file(module);
        let mut targets = Vec::new();
        if let Some(exports) = file.exports.get(&name) {
            for export in exports {
                let export = file.facts.exports[*export as usize];
                for target in self.export_source(module, export.source) {
                    push(&mut targets, target);
                }
            }
            return targets;
        }
        targets.extend(self.documented_type(module, name));
        if !targets.is_empty() {
            return targets;
        }
        if name != self.well_known.assigned {
            // A miss counts, too: with an assignment to `module.exports` the names are those of its value.
            self.look_up_name(module, self.well_known.assigned);
        }
        if name != self.well_known.assigned && file.exports.contains_key(&self.well_known.assigned) {
            let whole = self.export(module, self.well_known.assigned);
            if name == self.well_known.default {
                return whole.to_vec();
            }
            for target in whole.iter() {
                let value = self.target_value(target);
                for found in self.member(value.ty, name).targets {
                    push(&mut targets, found.target);
                }
            }
            if !targets.is_empty() {
                return targets;
            }
        }
        if name == self.well_known.default {
            self.look_up_stars(module);
            let is_common_js = file.facts.flags & FileFacts::IS_MODULE == 0 && !file.exports.is_empty();
            // What a library exports is, as a whole, its default where it names no other.
            return if is_common_js || self.is_library(module) {
                vec![Target::Module(module)]
            } else {
                Vec::new()
            };
        }
        if name == self.well_known.assigned {
            return Vec::new();
        }
        self.export_of_stars(module, name)
    }

    /// A type that comments of a module declare (`@typedef`, `@callback`): other modules can name it without an export.
    fn documented_type(&mut self, module: FileIx, name: NameId) -> Option<Target> {
        let file = self.file(module);
        let set = file.module_names.get(&name)?;
        file.facts.bind_set(*set).iter().find_map(|bind| {
            let BindSource::Def(def) = file.facts.bindings[bind.ix()].source else {
                return None;
            };
            let declared = file.facts.def(def);
            let is_documented = declared.kind == NodeKind::Type && file.facts.str(declared.signature).starts_with('@');
            is_documented.then_some(Target::Symbol(SymbolRef { file: module, def }))
        })
    }

    pub(crate) fn export_source(&mut self, module: FileIx, source: ExportSource) -> Vec<Target> {
        let facts = self.facts(module);
        match source {
            ExportSource::Value(expr) => self.entity(module, expr, Namespace::Any),
            ExportSource::From(spec, name) => {
                let of = self.module_target(module, facts.str(spec));
                let name = self.name(module, name);
                self.module_member(module, &of, name)
            }
            ExportSource::StarAs(spec) | ExportSource::Star(spec) => {
                vec![self.module_target(module, facts.str(spec))]
            }
        }
    }

    /// A name of a module, wherever the module is.
    pub(crate) fn module_member(&mut self, from: FileIx, of: &Target, name: NameId) -> Vec<Target> {
        match of {
            Target::Module(module) => {
                let found = self.export(*module, name);
                if !found.is_empty() {
                    return found.to_vec();
                }
                if let Some(submodule) = self.submodule(from, of, name) {
                    return vec![submodule];
                }
                if !self.file(*module).is_ecmascript()
                    && !self.export(*module, self.well_known.module_getattr).is_empty()
                {
                    return vec![Target::Dynamic];
                }
                Vec::new()
            }
            Target::Folders(_) => self.submodule(from, of, name).into_iter().collect(),
            Target::External(path) => vec![self.external_member(*path, name)],
            Target::Unresolved(_) | Target::Dynamic => vec![of.clone()],
            Target::Symbol(_) | Target::Binding(..) | Target::Value(..) | Target::Builtin(_) => {
                let value = self.target_value(of);
                self.member(value.ty, name)
                    .targets
                    .into_iter()
                    .map(|found| found.target)
                    .collect()
            }
        }
    }

    pub(crate) fn external_member(&mut self, path: NameId, name: NameId) -> Target {
        let text = format!("{}.{}", self.names.text(path), self.names.text(name));
        Target::External(self.names.intern(&text))
    }

    /// What an import brings.
    pub(crate) fn import_targets(&mut self, file: FileIx, import: ImportId, namespace: Namespace) -> Vec<Target> {
        let facts = self.facts(file);
        let import = facts.imports[import.ix()];
        let spec = facts.str(import.spec);
        match import.kind {
            ImportKind::Module | ImportKind::SideEffect | ImportKind::Star => vec![self.module_target(file, spec)],
            ImportKind::ModuleRoot => {
                let root = spec.split('.').next().unwrap_or(spec);
                vec![self.module_target(file, root)]
            }
            ImportKind::Name => {
                let of = self.module_target(file, spec);
                let Some(name) = import.name else { return vec![of] };
                let name = self.name(file, name);
                let found = self.module_member(file, &of, name);
                self.in_namespace(found, namespace)
            }
        }
    }

    /// What a binding stands for.
    pub(crate) fn binding_targets(&mut self, file: FileIx, bind: BindId, namespace: Namespace) -> Vec<Target> {
        let facts = self.facts(file);
        let binding = facts.bindings[bind.ix()];
        match (binding.source, binding.def) {
            (BindSource::Import(import), _) => self.import_targets(file, import, namespace),
            (BindSource::Def(def), _) | (_, Some(def)) => vec![Target::Symbol(SymbolRef { file, def })],
            (
                BindSource::Param(..)
                | BindSource::TypeParam(..)
                | BindSource::Value(_)
                | BindSource::Typed
                | BindSource::Opaque,
                None,
            ) => vec![Target::Binding(file, bind)],
        }
    }

    /// What a name that the file does not bind stands for: a name of a star import, else a builtin.
    pub(crate) fn free_targets(&mut self, file: FileIx, name: NameId) -> Vec<Target> {
        let loaded = self.file(file);
        if !loaded.is_ecmascript() {
            let found = self.export_of_stars(file, name);
            if !found.is_empty() {
                return found;
            }
        }
        let text = self.names.text(name);
        if loaded.language.is_builtin(&text) {
            vec![Target::Builtin(name)]
        } else if loaded.is_ecmascript() {
            Vec::new()
        } else {
            self.name_of_external_star(file, name).into_iter().collect()
        }
    }

    /// A name that nothing in the root brings can only come from the one star of a library, if there is one.
    fn name_of_external_star(&mut self, file: FileIx, name: NameId) -> Option<Target> {
        let loaded = self.file(file);
        let mut paths = Vec::new();
        for spec in &loaded.stars {
            match self.module_target(file, loaded.facts.str(*spec)) {
                Target::External(path) => paths.push(path),
                Target::Module(_) | Target::Folders(_) => {}
                _ => return None,
            }
        }
        match paths.as_slice() {
            [only] => Some(self.external_member(*only, name)),
            _ => None,
        }
    }

    /// What an expression names: symbols rather than their values.
    pub(crate) fn entity(&mut self, file: FileIx, expr: ExprId, namespace: Namespace) -> Vec<Target> {
        let facts = self.facts(file);
        match facts.expr(expr) {
            Expr::Local(name, set) => {
                let mut targets = Vec::new();
                for bind in facts.bind_set(set) {
                    if facts.bindings[bind.ix()].scope.0 == 0 {
                        let name = self.name(file, name);
                        self.look_up_name(file, name);
                    }
                    for target in self.binding_targets(file, *bind, namespace) {
                        push(&mut targets, target);
                    }
                }
                self.in_namespace(targets, namespace)
            }
            Expr::Free(name) => {
                let name = self.name(file, name);
                let found = self.free_targets(file, name);
                self.in_namespace(found, namespace)
            }
            Expr::Member(base, name) => {
                let name = self.name(file, name);
                if namespace != Namespace::Value {
                    // A qualified type: the qualifier may be a namespace, which is no value.
                    let mut qualifiers = self.entity(file, base, Namespace::Any);
                    if let Expr::Require(spec) = facts.expr(base) {
                        // The module itself has types that what it assigns to `module.exports` lacks.
                        let module = self.module_target(file, facts.str(spec));
                        push(&mut qualifiers, module);
                    }
                    let mut targets = Vec::new();
                    for qualifier in &qualifiers {
                        for target in self.qualified(file, qualifier, name) {
                            push(&mut targets, target);
                        }
                    }
                    if !targets.is_empty() {
                        return self.in_namespace(targets, namespace);
                    }
                }
                let receiver = self.eval(file, base);
                let found = self.member(receiver.ty, name);
                let mut targets = Vec::new();
                for it in found.targets {
                    push(&mut targets, it.target);
                }
                self.in_namespace(targets, namespace)
            }
            Expr::Def(def) => vec![Target::Symbol(SymbolRef { file, def })],
            Expr::Require(spec) => {
                let target = self.module_target(file, facts.str(spec));
                if let Target::Module(module) = target {
                    let whole = self.export(module, self.well_known.assigned);
                    if !whole.is_empty() {
                        return whole.to_vec();
                    }
                }
                vec![target]
            }
            Expr::Unwrap(inner) | Expr::Place(inner, _) => self.entity(file, inner, namespace),
            Expr::Opaque => Vec::new(),
            Expr::This(..)
            | Expr::Super(..)
            | Expr::Param(..)
            | Expr::Index(..)
            | Expr::Call(..)
            | Expr::New(..)
            | Expr::Cast(_)
            | Expr::Await(_)
            | Expr::Iter(_)
            | Expr::AsyncIter(_)
            | Expr::Item(..)
            | Expr::Entered(_)
            | Expr::AsyncEntered(_)
            | Expr::Either(..)
            | Expr::Tuple(_)
            | Expr::List(_)
            | Expr::Dict(_)
            | Expr::Lit(_)
            | Expr::Is(..)
            | Expr::IsNot(..)
            | Expr::At(..)
            | Expr::Sent(_)
            | Expr::Delegated(_)
            | Expr::ImportCall(_) => vec![Target::Value(file, expr)],
        }
    }

    fn qualified(&mut self, file: FileIx, qualifier: &Target, name: NameId) -> Vec<Target> {
        match qualifier {
            Target::Module(_) | Target::Folders(_) | Target::External(_) | Target::Unresolved(_) => {
                self.module_member(file, qualifier, name)
            }
            Target::Symbol(symbol) => {
                let loaded = self.file(symbol.file);
                self.look_up_member(*symbol, name);
                loaded
                    .members_named(symbol.def, name)
                    .iter()
                    .map(|def| {
                        Target::Symbol(SymbolRef {
                            file: symbol.file,
                            def: *def,
                        })
                    })
                    .collect()
            }
            Target::Builtin(global) if self.file(file).is_ecmascript() => {
                match self.builtin_symbol(*global, Namespace::Any) {
                    Some(symbol) => self.qualified(file, &Target::Symbol(symbol), name),
                    None => Vec::new(),
                }
            }
            Target::Binding(..) | Target::Value(..) | Target::Builtin(_) | Target::Dynamic => Vec::new(),
        }
    }

    /// Keeps what is in the namespace, where a name stands for several things (an interface and a constant).
    pub(crate) fn in_namespace(&mut self, targets: Vec<Target>, namespace: Namespace) -> Vec<Target> {
        if namespace == Namespace::Any || targets.len() < 2 {
            return targets;
        }
        let mut kept = Vec::new();
        for target in &targets {
            let keep = match target {
                Target::Symbol(symbol) if !symbol.is_module() => {
                    let facts = self.facts(symbol.file);
                    let def = facts.def(symbol.def);
                    let is_type = def.kind.is_type() || def.kind == NodeKind::Namespace;
                    let is_only_type = matches!(def.kind, NodeKind::Interface | NodeKind::Type)
                        && self.file(symbol.file).is_ecmascript();
                    match namespace {
                        Namespace::Type => is_type,
                        Namespace::Value | Namespace::Any => !is_only_type,
                    }
                }
                _ => true,
            };
            if keep {
                kept.push(target.clone());
            }
        }
        if kept.is_empty() { targets } else { kept }
    }

    /// The value of what a name stands for.
    pub(crate) fn target_value(&mut self, target: &Target) -> Val {
        use strata_model::outcome::How;
        match target {
            Target::Symbol(symbol) => {
                let facts = self.facts(symbol.file);
                let def = facts.def(symbol.def);
                if def.flags.has(DefFlags::ANONYMOUS) && def.kind == NodeKind::Unknown {
                    return Val::new(self.types.intern(TyData::Inst(*symbol, Rc::from([]))), How::Lexical);
                }
                self.symbol_type(*symbol)
            }
            Target::Binding(file, bind) => self.binding(*file, *bind),
            Target::Value(file, expr) => self.eval(*file, *expr),
            Target::Module(module) => Val::new(self.types.intern(TyData::Module(*module)), How::NamespaceMember),
            Target::Folders(number) => Val::new(self.types.intern(TyData::Folders(*number)), How::NamespaceMember),
            Target::External(path) => self.external_value(*path),
            Target::Builtin(name) => Val::new(self.types.intern(TyData::Builtin(*name, Rc::from([]))), How::Lexical),
            Target::Dynamic => Val::new(Types::DYNAMIC, How::Import),
            Target::Unresolved(_) => Val::UNKNOWN,
        }
    }
}

/// Adds a target unless it is there.
pub(crate) fn push(targets: &mut Vec<Target>, target: Target) {
    if !targets.contains(&target) {
        targets.push(target);
    }
}
