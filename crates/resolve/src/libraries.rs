//! Libraries: what modules outside the root declare, and what that makes of names and values.
//!
//! A library's module is one more file of the program, with a number above those of the root's files. A *name* that
//! leads out of the root stays a path ([`Target::External`]), since tables and outcomes speak of paths; the library
//! answers for its *value*. Whatever a library declares ends in an outcome as a path again, so no symbol of a library
//! becomes an edge. Libraries do not change while a program lives, so looking into one leaves no key.
//!
//! Files of one family of languages refer to that family alone, so all that happens while a file is linked happens in
//! its family; paths of two families may be equal in letters.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use strata_lang::{Language, Policy};
use strata_model::facts::{DefFlags, ParamKind, TypeExpr};
use strata_model::ids::{DefId, FileIx, Run, SymbolRef};
use strata_model::kinds::NodeKind;
use strata_model::outcome::{How, Status};

use crate::file::File;
use crate::names::NameId;
use crate::program::{LibraryModule, Namespace, Program, Target, Val};
use crate::types::{Ty, TyData};

/// Ecosystem of what a language brings along.
const SYSTEM: &str = "system";
/// Modules that declare what annotations mean by themselves.
const SPECIAL_FORMS: [&str; 2] = ["typing", "typing_extensions"];

/// Of these modules, what is declared as something else than a special form.
const FORMS: [&str; 3] = ["Any", "Generic", "Protocol"];
/// Functions whose result is a type that is made when the program runs.
const OPAQUE: [&str; 1] = ["system:collections.namedtuple"];
/// Builtin types of which one is never another.
const SCALARS: [&str; 12] = [
    "bool",
    "bytearray",
    "bytes",
    "complex",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "range",
    "set",
    "str",
];

/// The libraries that were asked for.
#[derive(Default)]
pub(crate) struct Libraries {
    /// The language whose file is being linked.
    language: Option<&'static dyn Language>,
    by_module: FxHashMap<(&'static str, Rc<str>), Option<FileIx>>,
    /// Ecosystem and name of each loaded module, in the order of their numbers.
    names: Vec<(Rc<str>, Rc<str>)>,
    by_path: FxHashMap<(&'static str, NameId), Rc<[Target]>>,
    builtin_symbols: FxHashMap<(&'static str, NameId, Namespace), Option<SymbolRef>>,
}

impl Libraries {
    /// The module that declares the builtin names of the language whose file is being linked.
    pub(crate) fn first_builtin_module(&self) -> Option<&'static str> {
        self.language
            .and_then(|language| language.builtin_modules().first().copied())
    }
}

impl Program<'_> {
    /// Says for which language's file questions are asked from now on.
    pub(crate) fn ask_for(&mut self, file: FileIx) {
        let language = self.file(file).language;
        self.libraries.language = Some(language);
    }

    fn family(&self) -> &'static str {
        self.libraries.language.map_or("", Language::family)
    }

    /// True for the files of libraries.
    pub(crate) fn is_library(&self, file: FileIx) -> bool {
        file.ix() >= self.workspace.paths().len()
    }

    fn library_name(&self, file: FileIx) -> (Rc<str>, Rc<str>) {
        let (ecosystem, name) = &self.libraries.names[file.ix() - self.workspace.paths().len()];
        (Rc::clone(ecosystem), Rc::clone(name))
    }

    /// The file of a module that the language brings along.
    pub(crate) fn system_library(&mut self, name: &str) -> Option<FileIx> {
        self.library(SYSTEM, name)
    }

    /// The file of a library's module.
    pub(crate) fn library(&mut self, ecosystem: &str, name: &str) -> Option<FileIx> {
        let family = self.family();
        let entry = (family, Rc::from(format!("{ecosystem}:{name}")));
        if let Some(known) = self.libraries.by_module.get(&entry) {
            return *known;
        }
        let wanted = LibraryModule {
            family,
            ecosystem,
            name,
        };
        let found = self.source.library(&wanted).map(|library| {
            let path = format!("{ecosystem}:{name}");
            let loaded = File::new(&path, library.facts, library.language, &mut self.names);
            self.files.push(Some(Rc::new(loaded)));
            self.libraries.names.push((ecosystem.into(), name.into()));
            FileIx(u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX))
        });
        self.libraries.by_module.insert(entry, found);
        found
    }

    /// What a module as written in a library is: a path like every other that leads out of the root.
    pub(crate) fn library_spec(&mut self, from: FileIx, spec: &str) -> Target {
        let (own, _) = self.library_name(from);
        let ecosystem: Rc<str> = match self.library(SYSTEM, spec) {
            Some(_) => SYSTEM.into(),
            None => own,
        };
        Target::External(self.names.intern(&format!("{ecosystem}:{spec}")))
    }

    /// A module below a library's module, as a path.
    pub(crate) fn library_submodule(&mut self, module: FileIx, name: NameId) -> Option<Target> {
        let (ecosystem, above) = self.library_name(module);
        let below = format!("{above}.{}", self.names.text(name));
        self.library(&ecosystem, &below)?;
        Some(Target::External(self.names.intern(&format!("{ecosystem}:{below}"))))
    }

    /// The library's module that a path names.
    pub(crate) fn library_module(&mut self, path: NameId) -> Option<FileIx> {
        let text = self.names.text(path);
        let (ecosystem, name) = text.split_once(':')?;
        self.library(ecosystem, name)
    }

    /// Definitions of one name in a library: an overloaded function is known by its first signature.
    pub(crate) fn of_one_name(&mut self, targets: Vec<Target>) -> Vec<Target> {
        if targets.len() < 2 {
            return targets;
        }
        let mut symbols = Vec::new();
        for target in &targets {
            match target {
                Target::Symbol(symbol) if !symbol.is_module() => symbols.push(*symbol),
                _ => return targets,
            }
        }
        self.those_that_count(symbols).into_iter().map(Target::Symbol).collect()
    }

    /// What libraries have under a path; empty: nothing that is known.
    pub(crate) fn library_targets(&mut self, path: NameId) -> Rc<[Target]> {
        let entry = (self.family(), path);
        if let Some(known) = self.libraries.by_path.get(&entry) {
            return Rc::clone(known);
        }
        // A path that leads to itself leads nowhere.
        self.libraries.by_path.insert(entry, Rc::from([]));
        let mut found = Vec::new();
        for target in self.find_in_libraries(path) {
            match target {
                Target::External(further) if further != path => {
                    let targets = self.library_targets(further);
                    if targets.is_empty() {
                        crate::modules::push(&mut found, target);
                    }
                    for it in targets.iter() {
                        crate::modules::push(&mut found, it.clone());
                    }
                }
                other => crate::modules::push(&mut found, other),
            }
        }
        let found: Rc<[Target]> = found.into();
        self.libraries.by_path.insert(entry, Rc::clone(&found));
        found
    }

    /// Finds the module by the longest part of the path that names one, and in it what the rest names.
    fn find_in_libraries(&mut self, path: NameId) -> Vec<Target> {
        let text = self.names.text(path);
        let Some((ecosystem, rest)) = text.split_once(':') else {
            return Vec::new();
        };
        if rest.ends_with([')', ']']) {
            return Vec::new();
        }
        let mut end = rest.len();
        loop {
            if let Some(module) = self.library(ecosystem, &rest[..end]) {
                let mut found = vec![Target::Module(module)];
                for name in rest[end..].split('.').skip(1) {
                    let name = self.names.intern(name);
                    found = self.library_members(&found, name);
                }
                return found;
            }
            match rest[..end].rfind('.') {
                Some(cut) => end = cut,
                None => return Vec::new(),
            }
        }
    }

    fn library_members(&mut self, of: &[Target], name: NameId) -> Vec<Target> {
        let mut found = Vec::new();
        for target in of {
            let targets = match target {
                Target::Module(module) => self.module_member(*module, target, name),
                _ => {
                    let value = self.target_value(target);
                    let members = self.member(value.ty, name);
                    members.targets.into_iter().map(|it| it.target).collect()
                }
            };
            for it in targets {
                crate::modules::push(&mut found, it);
            }
        }
        found
    }

    /// The value of a path that leads out of the root: as its library declares it, else the path itself.
    pub(crate) fn external_value(&mut self, path: NameId) -> Val {
        let by_path = self.types.intern(TyData::Ext(path, Rc::from([])));
        let by_path = Val::new(by_path, How::Import);
        let targets = self.library_targets(path);
        let mut values = Vec::new();
        for target in targets.iter() {
            match target {
                // A module is known by its path, and so are its members.
                Target::Module(_) => return by_path,
                Target::Symbol(symbol) if self.is_special_form(*symbol) => return by_path,
                Target::External(further) => {
                    let ty = self.types.intern(TyData::Ext(*further, Rc::from([])));
                    values.push(Val::new(ty, How::Import));
                }
                other => values.push(self.target_value(other)),
            }
        }
        if values.is_empty() {
            return by_path;
        }
        self.join_values(values).at_least(How::Import)
    }

    /// The type that a path names in an annotation, if a library declares it; special forms stay paths.
    pub(crate) fn external_type(&mut self, path: NameId, args: &Rc<[Ty]>) -> Option<Ty> {
        let targets = self.library_targets(path);
        let mut parts = Vec::new();
        for target in targets.iter() {
            match target {
                Target::Symbol(symbol) if !symbol.is_module() => {
                    if self.is_special_form(*symbol) {
                        return None;
                    }
                    parts.push(self.symbol_as_type(*symbol, args));
                }
                Target::Binding(..) | Target::Value(..) | Target::Builtin(_) => {
                    parts.push(self.target_as_type(target, args));
                }
                _ => return None,
            }
        }
        (!parts.is_empty()).then(|| self.types.join(parts))
    }

    /// True for what the library's own stubs cannot say of annotations: `Optional: _SpecialForm`.
    pub(crate) fn is_special_form(&mut self, symbol: SymbolRef) -> bool {
        if !self.is_library(symbol.file) || symbol.is_module() {
            return false;
        }
        let (ecosystem, module) = self.library_name(symbol.file);
        if !SPECIAL_FORMS.contains(&&*module) || (&*ecosystem != SYSTEM && &*ecosystem != "pypi") {
            return false;
        }
        let facts = self.facts(symbol.file);
        let def = facts.def(symbol.def);
        let is_form = |hint| match facts.ty(hint) {
            TypeExpr::Name(name) => match facts.expr(name) {
                strata_model::facts::Expr::Local(name, _) | strata_model::facts::Expr::Free(name) => {
                    facts.str(name) == "_SpecialForm"
                }
                _ => false,
            },
            _ => false,
        };
        def.parent.is_none()
            && (FORMS.contains(&facts.str(def.name))
                || (matches!(def.kind, NodeKind::Variable | NodeKind::Constant) && def.hint.is_some_and(is_form)))
    }

    /// What a symbol of a library is known as elsewhere: a builtin by its name, a special form by its path.
    pub(crate) fn canonical(&mut self, symbol: SymbolRef) -> Option<Target> {
        if !self.is_library(symbol.file) || symbol.is_module() {
            return None;
        }
        let facts = self.facts(symbol.file);
        let def = facts.def(symbol.def);
        if def.parent.is_some() {
            return None;
        }
        if self.declares_builtins(symbol.file) {
            let name = self.name(symbol.file, def.name);
            return self.is_builtin_name(name).then_some(Target::Builtin(name));
        }
        if self.is_special_form(symbol) {
            let (ecosystem, module) = self.library_name(symbol.file);
            let path = format!("{ecosystem}:{module}.{}", facts.str(def.name));
            return Some(Target::External(self.names.intern(&path)));
        }
        None
    }

    fn is_builtin_name(&self, name: NameId) -> bool {
        let text = self.names.text(name);
        self.libraries
            .language
            .is_some_and(|language| language.is_builtin(&text))
    }

    /// True for the module that declares the builtin names, and its parts.
    fn declares_builtins(&self, file: FileIx) -> bool {
        let (ecosystem, module) = self.library_name(file);
        &*ecosystem == SYSTEM
            && self
                .libraries
                .first_builtin_module()
                .and_then(|first| module.strip_prefix(first))
                .is_some_and(|part| part.is_empty() || part.starts_with('/'))
    }

    /// The declaration of a builtin name.
    pub(crate) fn builtin_symbol(&mut self, name: NameId, namespace: Namespace) -> Option<SymbolRef> {
        let entry = (self.family(), name, namespace);
        if let Some(known) = self.libraries.builtin_symbols.get(&entry) {
            return *known;
        }
        let modules = self.libraries.language.map_or(&[][..], Language::builtin_modules);
        let mut found = None;
        let family = self.family();
        for module in modules {
            let wanted = LibraryModule {
                family,
                ecosystem: SYSTEM,
                name: module,
            };
            if self.source.library_declares(&wanted, &self.names.text(name)) == Some(false) {
                continue;
            }
            let Some(file) = self.library(SYSTEM, module) else {
                continue;
            };
            found = self.declared_in(file, name, namespace);
            if found.is_some() {
                break;
            }
        }
        self.libraries.builtin_symbols.insert(entry, found);
        found
    }

    fn declared_in(&mut self, file: FileIx, name: NameId, namespace: Namespace) -> Option<SymbolRef> {
        if self.file(file).is_ecmascript() {
            return self.global_in(file, name, namespace);
        }
        let targets = self.export(file, name);
        targets.iter().find_map(|target| match target {
            Target::Symbol(symbol) if symbol.file == file && !symbol.is_module() => Some(*symbol),
            _ => None,
        })
    }

    /// The library's class behind a builtin type, with its arguments.
    pub(crate) fn builtin_class(&mut self, ty: Ty) -> Option<(SymbolRef, Rc<[Ty]>)> {
        let (name, args) = match self.types.get(ty).clone() {
            TyData::BuiltinInst(name, args) => (name, args),
            TyData::Tuple(items) => {
                let item = self.types.join(items.iter().copied());
                let name = if self.asks_ecmascript() { "Array" } else { "tuple" };
                (self.names.intern(name), Rc::from([item]))
            }
            _ => return None,
        };
        let symbol = self.builtin_symbol(name, Namespace::Type)?;
        let facts = self.facts(symbol.file);
        facts.def(symbol.def).kind.is_type().then_some((symbol, args))
    }

    /// The value of a member of a builtin value, as the library declares it.
    pub(crate) fn builtin_member_value(&mut self, receiver: Val, ty: Ty, name: NameId) -> Option<Val> {
        let (class, args) = self.builtin_class(ty)?;
        let found = self.class_members(class, name, false);
        let mut values = Vec::new();
        for member in &found.found {
            let facts = self.facts(member.file);
            let def = facts.def(member.def);
            if def.kind.is_callable() && !def.flags.has(DefFlags::GETTER) {
                let bound = self.types.intern(TyData::Bound(*member, ty));
                values.push(receiver.with(bound, How::Lexical));
                continue;
            }
            let value = self.symbol_type(*member);
            let instance = self.types.intern(TyData::Inst(class, Rc::clone(&args)));
            let env = self.receiver_environment(*member, instance);
            let substituted = self.substitute(value.ty, &env, Some(ty));
            values.push(receiver.with(substituted, value.how));
        }
        (!values.is_empty()).then(|| self.join_values(values))
    }

    /// How an outcome names a symbol of a library.
    pub(crate) fn library_outcome(&mut self, symbol: SymbolRef) -> (Status, String) {
        let (ecosystem, module) = self.library_name(symbol.file);
        if symbol.is_module() {
            return (Status::External, format!("{ecosystem}:{module}"));
        }
        let facts = self.facts(symbol.file);
        let mut names = Vec::new();
        let mut at: Option<DefId> = Some(symbol.def);
        while let Some(id) = at {
            let def = facts.def(id);
            names.push(facts.str(def.name));
            at = def.parent;
        }
        names.reverse();
        let path = names.join(".");
        if self.declares_builtins(symbol.file) {
            (Status::Builtin, format!("builtin:{path}"))
        } else {
            (Status::External, format!("{ecosystem}:{module}.{path}"))
        }
    }

    /// A member of a library's class that the library does not declare, as a path.
    pub(crate) fn undeclared_member(&mut self, class: SymbolRef, name: NameId) -> Option<Target> {
        if !self.is_library(class.file) || self.file(class.file).is_ecmascript() {
            return None;
        }
        let (_, path) = self.library_outcome(class);
        let path = format!("{path}.{}", self.names.text(name));
        Some(Target::External(self.names.intern(&path)))
    }

    /// True when a class is, or inherits from, the library's class of this module and name.
    pub(crate) fn is_kind_of(&mut self, class: SymbolRef, module: &str, name: &str) -> bool {
        let mro = self.mro(class);
        mro.entries.iter().any(|(ancestor, _)| {
            self.is_library(ancestor.file) && {
                let (_, own) = self.library_name(ancestor.file);
                let facts = self.facts(ancestor.file);
                let def = facts.def(ancestor.def);
                &*own == module && def.parent.is_none() && facts.str(def.name) == name
            }
        })
    }

    /// Variables inside a type, in the order in which they stand there, replaced by arguments.
    pub(crate) fn fill_in(&mut self, ty: Ty, args: &[Ty]) -> Ty {
        if args.is_empty() || !self.types.has_holes(ty) {
            return ty;
        }
        let mut vars = Vec::new();
        self.collect_vars(ty, &mut vars);
        let env: Vec<_> = vars.into_iter().zip(args.iter().copied()).collect();
        self.substitute(ty, &env, None)
    }

    /// What calling a builtin function gives, as the library declares it; none for classes and unknown names.
    pub(crate) fn builtin_function(&mut self, name: NameId) -> Option<SymbolRef> {
        let symbol = self.builtin_symbol(name, Namespace::Value)?;
        let facts = self.facts(symbol.file);
        facts.def(symbol.def).kind.is_callable().then_some(symbol)
    }

    /// The rules of the language whose file is being linked.
    pub(crate) fn policy_asked(&self) -> Option<&'static Policy> {
        self.libraries.language.map(Language::policy)
    }

    /// The value of a builtin name that a library mentions: functions as declared, types by their name.
    pub(crate) fn builtin_value(&mut self, name: NameId) -> Val {
        let ty = self.types.intern(TyData::Builtin(name, Rc::from([])));
        Val::new(ty, How::Lexical)
    }

    /// Functions that make types while the program runs: what they give is known by their path alone.
    pub(crate) fn opaque_function(&mut self, function: SymbolRef) -> Option<Ty> {
        if !self.is_library(function.file) {
            return None;
        }
        let (_, path) = self.library_outcome(function);
        if !OPAQUE.contains(&path.as_str()) {
            return None;
        }
        let path = self.names.intern(&format!("{path}()"));
        Some(self.types.intern(TyData::Ext(path, Rc::from([]))))
    }

    /// Of an overloaded function of a library the first signature that takes the arguments; with it the callee's type.
    pub(crate) fn chosen_signature(
        &mut self,
        file: FileIx,
        function: SymbolRef,
        callee: Ty,
        args: Run,
    ) -> (SymbolRef, Ty) {
        if !self.is_library(function.file) {
            return (function, callee);
        }
        let library = self.file(function.file);
        let def = library.facts.def(function.def);
        if !def.flags.has(DefFlags::OVERLOAD) || library.is_ecmascript() {
            return (function, callee);
        }
        for candidate in self.library_signatures(function) {
            let data = match self.types.get(callee).clone() {
                TyData::Bound(_, receiver) => TyData::Bound(candidate, receiver),
                _ => TyData::Func(candidate),
            };
            let ty = self.types.intern(data);
            if self.takes(file, candidate, ty, args) {
                return (candidate, ty);
            }
        }
        (function, callee)
    }

    /// All signatures of an overloaded function, in order.
    fn library_signatures(&mut self, function: SymbolRef) -> Vec<SymbolRef> {
        let file = self.file(function.file);
        let def = file.facts.def(function.def);
        let name = file.name(def.name);
        let defs: Vec<DefId> = match def.parent {
            Some(parent) => file.members_named(parent, name).to_vec(),
            None => file
                .facts
                .defs
                .iter()
                .enumerate()
                .filter(|(_, it)| it.parent.is_none() && it.name == def.name)
                .map(|(ix, _)| DefId(u32::try_from(ix).unwrap_or(u32::MAX)))
                .collect(),
        };
        let overload = |id: &DefId| file.facts.def(*id).flags.has(DefFlags::OVERLOAD);
        let symbol = |def| SymbolRef {
            file: function.file,
            def,
        };
        defs.into_iter().filter(overload).map(symbol).collect()
    }

    /// True unless the number, the names or the types of the arguments speak against a signature.
    fn takes(&mut self, file: FileIx, function: SymbolRef, callee: Ty, args: Run) -> bool {
        let library = self.facts(function.file);
        let params = library.params(library.def(function.def).params).to_vec();
        let caller = self.facts(file);
        let args = caller.args(args).to_vec();
        let offset = self.receiver_offset(callee) as usize;
        let has_spread = args.iter().any(|arg| arg.is_spread);
        let takes_more = params.iter().any(|param| param.kind == ParamKind::Rest);
        let takes_names = params.iter().any(|param| param.kind == ParamKind::KeywordRest);
        let mut filled = vec![false; params.len()];
        let mut at = offset;
        for arg in args.iter().filter(|arg| !arg.is_spread) {
            let param = match arg.name {
                Some(name) => {
                    let name = caller.str(name);
                    let found = params.iter().position(|param| library.str(param.name) == name);
                    if found.is_none() && !takes_names {
                        return false;
                    }
                    found
                }
                None => {
                    let position = at;
                    at += 1;
                    let is_there = params
                        .get(position)
                        .is_some_and(|param| param.kind == ParamKind::Normal);
                    if !is_there && !takes_more {
                        return false;
                    }
                    is_there.then_some(position)
                }
            };
            let Some(param) = param else { continue };
            filled[param] = true;
            if let Some(hint) = params[param].hint {
                let declared = self.annotation(function.file, hint).ty;
                let actual = self.eval(file, arg.value).ty;
                if self.excludes(declared, actual) {
                    return false;
                }
            }
        }
        has_spread
            || params.iter().enumerate().skip(offset).all(|(ix, param)| {
                filled[ix]
                    || param.is_optional
                    || param.default.is_some()
                    || !matches!(param.kind, ParamKind::Normal | ParamKind::Keyword)
            })
    }

    /// True when a value of a type is certainly none of the declared one.
    fn excludes(&mut self, declared: Ty, actual: Ty) -> bool {
        match (self.types.get(declared).clone(), self.types.get(actual).clone()) {
            (TyData::Union(parts), _) => parts.iter().all(|part| self.excludes(*part, actual)),
            (_, TyData::Union(parts)) => parts.iter().all(|part| self.excludes(declared, *part)),
            (TyData::Null, it) => !matches!(
                it,
                TyData::Null | TyData::Unknown | TyData::Dynamic | TyData::Var(..) | TyData::Ext(..)
            ),
            (TyData::BuiltinInst(..) | TyData::Inst(..) | TyData::Tuple(_) | TyData::FnType(..), TyData::Null) => true,
            (TyData::BuiltinInst(a, _), TyData::BuiltinInst(b, _)) => {
                let (a, b) = (self.names.text(a), self.names.text(b));
                a != b && SCALARS.contains(&&*a) && SCALARS.contains(&&*b) && !widens(&b, &a)
            }
            (TyData::BuiltinInst(a, _), it) => {
                SCALARS.contains(&&*self.names.text(a)) && matches!(it, TyData::Func(_) | TyData::Tuple(_))
            }
            (TyData::FnType(..), it) => matches!(it, TyData::BuiltinInst(..) | TyData::Tuple(_)),
            _ => false,
        }
    }
}

/// True when a value of the one type goes where the other is asked for.
fn widens(from: &str, to: &str) -> bool {
    matches!(
        (from, to),
        ("bool", "int" | "float" | "complex") | ("int", "float" | "complex") | ("float", "complex")
    )
}
