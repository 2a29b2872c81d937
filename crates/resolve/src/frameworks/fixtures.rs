//! What the parameters of tests hold: the results of functions that a test framework finds by the parameter's name.
//!
//! A name is looked for in the class of the test, then in its module, then in the shared file of its folder and of every
//! folder above. A fixture that asks for its own name means the next one outwards, which it replaces.

use strata_lang::Framework;
use strata_lang::framework::Fixtures;
use strata_lang::workspace::{parent, within};
use strata_model::facts::{DefFlags, Expr, ParamKind, RefTarget};
use strata_model::ids::{DefId, ExprId, FileIx, Run, SymbolRef};
use strata_model::kinds::{NodeKind, RefKind};
use strata_model::outcome::{How, Outcome, Status};

use super::{Registration, RegistrationKind, decorated_by};
use crate::program::{Program, Target, Val};
use crate::types::TyData;

/// The rules of a framework with fixtures.
type Rules = (&'static Framework, &'static Fixtures);

impl Program<'_> {
    fn fixture_rules(&mut self, file: FileIx) -> Option<Rules> {
        let frameworks = self.file(file).policy().frameworks;
        frameworks
            .iter()
            .find_map(|framework| framework.fixtures.map(|fixtures| (*framework, fixtures)))
    }

    /// What a parameter without a declared type holds, if its function is a test or a fixture.
    pub(crate) fn fixture_parameter(&mut self, function: SymbolRef, index: u32) -> Option<Val> {
        let rules = self.fixture_rules(function.file)?;
        let facts = self.facts(function.file);
        let param = *facts.params(facts.def(function.def).params).get(index as usize)?;
        if !self.takes_fixtures(rules, function) {
            return None;
        }
        let name = facts.str(param.name).to_owned();
        if self.is_given(rules, function, &name) {
            return None;
        }
        if let Some(fixture) = self.fixture_named(rules, function, &name) {
            return Some(self.fixture_value(fixture));
        }
        let (_, path) = rules.1.builtin.iter().find(|(it, _)| *it == name)?;
        let class = self.names.intern(path.trim_end_matches("()"));
        let value = self.external_value(class);
        let ty = match self.types.get(value.ty) {
            TyData::Ext(..) => {
                let path = self.names.intern(path);
                self.types.intern(TyData::Ext(path, [].into()))
            }
            _ => self.as_instance(value.ty),
        };
        Some(Val::new(ty, How::Framework))
    }

    /// What a call gives that names a fixture by its text: `request.getfixturevalue("x")`.
    pub(crate) fn fixture_by_text(&mut self, file: FileIx, path: &str, args: Run) -> Option<Val> {
        let rules = self.fixture_rules(file)?;
        let (on, name) = rules.0.names_in(path)?;
        if !rules.1.by_name.has(on, name) {
            return None;
        }
        let facts = self.facts(file);
        let name = facts.literal_text(facts.args(args).first()?.value)?.to_owned();
        let fixture = self.fixture_named(rules, SymbolRef::module(file), &name)?;
        Some(self.fixture_value(fixture))
    }

    /// True for tests and for fixtures themselves.
    fn takes_fixtures(&mut self, rules: Rules, function: SymbolRef) -> bool {
        let facts = self.facts(function.file);
        let def = facts.def(function.def);
        if !matches!(def.kind, NodeKind::Function | NodeKind::Method) || def.flags.has(DefFlags::ANONYMOUS) {
            return false;
        }
        let is_test = facts.str(def.name).starts_with(rules.1.test_prefix) && {
            let path = self.workspace.path(function.file);
            self.source.language(function.file).is_test_path(path)
        };
        is_test || self.is_fixture(rules, function)
    }

    fn is_fixture(&mut self, rules: Rules, function: SymbolRef) -> bool {
        self.look_up_def(function);
        let facts = self.facts(function.file);
        facts
            .expr_list(facts.def(function.def).decorators)
            .iter()
            .any(|decorator| self.is_fixture_decorator(rules, function.file, *decorator))
    }

    fn is_fixture_decorator(&mut self, rules: Rules, file: FileIx, decorator: ExprId) -> bool {
        self.names_of_decorator(rules.0, file, decorator)
            .is_some_and(|(on, name)| rules.1.decorator.has(&on, &name))
    }

    /// True when a decorator gives the parameter its values.
    fn is_given(&mut self, rules: Rules, function: SymbolRef, name: &str) -> bool {
        let facts = self.facts(function.file);
        let mut at = Some(function.def);
        // The decorators of a class speak for its methods.
        while let Some(id) = at {
            let def = facts.def(id);
            self.look_up_def(SymbolRef {
                file: function.file,
                def: id,
            });
            for decorator in facts.expr_list(def.decorators) {
                let Expr::Call(_, args, _) = facts.expr(*decorator) else {
                    continue;
                };
                let is_indirect = facts.named_arg(args, rules.1.indirect_argument).is_some();
                let is_named = facts
                    .args(args)
                    .first()
                    .is_some_and(|arg| texts(&facts, arg.value).iter().any(|text| text == name));
                if is_named
                    && !is_indirect
                    && self
                        .names_of_decorator(rules.0, function.file, *decorator)
                        .is_some_and(|(on, by)| rules.1.given.has(&on, &by))
                {
                    return true;
                }
            }
            at = def.parent;
        }
        false
    }

    /// The fixture that a name means for a function; for a module, that of its functions.
    fn fixture_named(&mut self, rules: Rules, function: SymbolRef, name: &str) -> Option<SymbolRef> {
        if !function.is_module()
            && let Some(class) = self.class_around(function)
        {
            let id = self.names.intern(name);
            let members = self.class_members(class, id, false);
            let own = members.found.clone();
            if let Some(found) = self.first_fixture(rules, &own, name, function) {
                return Some(found);
            }
        }
        if let Some(found) = self.fixture_of_module(rules, function.file, name, function) {
            return Some(found);
        }
        let mut folder = parent(self.workspace.path(function.file)).to_owned();
        loop {
            if let Some(module) = self.file_at(&within(&folder, rules.1.shared_file))
                && module != function.file
                && let Some(found) = self.fixture_of_module(rules, module, name, function)
            {
                return Some(found);
            }
            if folder.is_empty() {
                return None;
            }
            folder = parent(&folder).to_owned();
        }
    }

    fn fixture_of_module(&mut self, rules: Rules, module: FileIx, name: &str, asking: SymbolRef) -> Option<SymbolRef> {
        self.look_up_alias(module, name);
        let aliased: Vec<SymbolRef> = self
            .file(module)
            .aliased(rules.1.name_argument, name)
            .into_iter()
            .map(|def| SymbolRef { file: module, def })
            .collect();
        let facts = self.facts(module);
        for symbol in aliased {
            if symbol != asking && facts.def(symbol.def).parent.is_none() && self.is_fixture(rules, symbol) {
                return Some(symbol);
            }
        }
        let id = self.names.intern(name);
        let symbols: Vec<SymbolRef> = self
            .export(module, id)
            .iter()
            .filter_map(|target| match target {
                Target::Symbol(symbol) if !symbol.is_module() && !self.is_library(symbol.file) => Some(*symbol),
                _ => None,
            })
            .collect();
        self.first_fixture(rules, &symbols, name, asking)
    }

    /// The first of the functions that is a fixture under its own name.
    fn first_fixture(
        &mut self,
        rules: Rules,
        symbols: &[SymbolRef],
        name: &str,
        asking: SymbolRef,
    ) -> Option<SymbolRef> {
        symbols.iter().copied().find(|symbol| {
            *symbol != asking && !self.is_library(symbol.file) && self.is_fixture(rules, *symbol) && {
                let facts = self.facts(symbol.file);
                own_name(&facts, symbol.def, rules.1.name_argument).is_none_or(|own| own == name)
            }
        })
    }

    /// What a fixture gives to those who ask for it: what it returns or yields.
    fn fixture_value(&mut self, fixture: SymbolRef) -> Val {
        let result = self.result_of(fixture);
        let ty = self.delivered(fixture, result.ty);
        Val {
            ty,
            how: How::Framework,
            chain: result.chain,
        }
    }

    /// The result of a function, awaited and without the generator around it.
    pub(crate) fn delivered(&mut self, function: SymbolRef, result: crate::types::Ty) -> crate::types::Ty {
        let facts = self.facts(function.file);
        let def = facts.def(function.def);
        let is_async = def.flags.has(DefFlags::ASYNC);
        if def.flags.has(DefFlags::GENERATOR) || !def.yields.is_empty() {
            self.iterated(result, is_async, function.file)
        } else if is_async {
            self.awaited(result, function.file)
        } else {
            result
        }
    }

    /// The fixtures that tests and fixtures of a file take in.
    pub(super) fn add_injected(
        &mut self,
        file: FileIx,
        framework: &'static Framework,
        fixtures: &'static Fixtures,
        outcomes: &[Outcome],
        out: &mut Vec<Registration>,
    ) {
        let rules = (framework, fixtures);
        let facts = self.facts(file);
        for (ix, def) in facts.defs.iter().enumerate() {
            let is_candidate = !def.params.is_empty()
                && (!def.decorators.is_empty() || facts.str(def.name).starts_with(fixtures.test_prefix));
            let function = SymbolRef {
                file,
                def: DefId(u32::try_from(ix).unwrap_or(u32::MAX)),
            };
            if !is_candidate || !self.takes_fixtures(rules, function) {
                continue;
            }
            for param in facts.params(def.params) {
                let name = facts.str(param.name);
                let is_plain = matches!(param.kind, ParamKind::Normal | ParamKind::Keyword) && param.default.is_none();
                if is_plain
                    && !self.is_given(rules, function, name)
                    && let Some(target) = self.fixture_named(rules, function, name)
                {
                    out.push(Registration {
                        at: def.name_at,
                        owner: Some(function.def),
                        target,
                        kind: RegistrationKind::Injects,
                        name: param.name,
                    });
                }
            }
        }
        let mut decorated = None;
        for (reference, outcome) in facts.refs.iter().zip(outcomes) {
            let (RefKind::Decorator | RefKind::Call, RefTarget::Expr(expr)) = (reference.kind, reference.target) else {
                continue;
            };
            let Some(path) = outcome
                .external
                .as_deref()
                .filter(|_| outcome.status == Status::External)
            else {
                continue;
            };
            let Some((on, name)) = framework.names_in(path) else {
                continue;
            };
            let is_decorator = reference.kind == RefKind::Decorator && fixtures.using.has(on, name);
            let is_call = reference.kind == RefKind::Call && fixtures.by_name.has(on, name);
            let (owner, args) = if is_decorator {
                match decorated.get_or_insert_with(|| decorated_by(&facts)).get(&expr) {
                    Some(decorated) => (Some(decorated.def), decorated.args),
                    None => continue,
                }
            } else if is_call {
                match self.call_parts(file, expr) {
                    Some((_, args)) => (reference.owner, args),
                    None => continue,
                }
            } else {
                continue;
            };
            let around = owner.map_or(SymbolRef::module(file), |def| SymbolRef { file, def });
            for arg in facts.args(args) {
                for text in texts(&facts, arg.value) {
                    if let Some(target) = self.fixture_named(rules, around, &text) {
                        out.push(Registration {
                            at: reference.at,
                            owner,
                            target,
                            kind: RegistrationKind::Injects,
                            name: reference.name,
                        });
                    }
                }
            }
        }
    }
}

/// The names in a text or in a list of texts.
fn texts(facts: &strata_model::facts::FileFacts, expr: ExprId) -> Vec<String> {
    match facts.expr(expr) {
        Expr::List(run) | Expr::Tuple(run) => facts
            .expr_list(run)
            .iter()
            .filter_map(|item| facts.literal_text(*item))
            .map(str::to_owned)
            .collect(),
        _ => facts
            .literal_text(expr)
            .map(|text| text.split(',').map(|name| name.trim().to_owned()).collect())
            .unwrap_or_default(),
    }
}

/// The name that a decorator gives a function instead of its own.
fn own_name<'f>(facts: &'f strata_model::facts::FileFacts, def: DefId, argument: &str) -> Option<&'f str> {
    facts.expr_list(facts.def(def).decorators).iter().find_map(|decorator| {
        let Expr::Call(_, args, _) = facts.expr(*decorator) else {
            return None;
        };
        facts.literal_text(facts.named_arg(args, argument)?.value)
    })
}
