//! Tags of a symbol: what the text of its decorators says to those who know the frameworks.
//!
//! A rule goes by how a decorator starts, so it also fires for an object of which nothing is known, as in a file whose
//! imports are not installed. It describes and draws no edge. Where two frameworks have a rule for one decorator, the one
//! that the file imports is meant, and without an import the first in the language's list.

use std::collections::BTreeMap;

use strata_lang::Framework;
use strata_lang::framework::{Fingerprint, Verb};
use strata_model::facts::{Expr, FileFacts};
use strata_model::ids::{DefId, ExprId};

use crate::detail::dotted;
use crate::error::EngineError;
use crate::view::{Symbol, View};

/// Tag of what answers HTTP requests; such a symbol has one more for each method.
const ENDPOINT: &str = "http-endpoint";
/// The argument that lists methods.
const METHODS: &str = "methods";

impl View<'_> {
    /// The tags of a symbol, each with the framework that gives it. The framework's own name is among them.
    pub fn tags(&self, symbol: &Symbol) -> Result<BTreeMap<String, String>, EngineError> {
        let (Some(file), Some(def)) = (symbol.file_id, symbol.def) else {
            return Ok(BTreeMap::new());
        };
        let mut languages = self.engine.indexer().languages().iter();
        let Some(language) = languages.find(|it| it.name() == symbol.language) else {
            return Ok(BTreeMap::new());
        };
        let Some(facts) = self.store.facts(file)? else {
            return Ok(BTreeMap::new());
        };
        Ok(tags(&facts, def, language.policy().frameworks))
    }
}

fn tags(facts: &FileFacts, def: DefId, frameworks: &[&Framework]) -> BTreeMap<String, String> {
    let mut tags = BTreeMap::new();
    let Some(def) = facts.defs.get(def.ix()) else {
        return tags;
    };
    for decorator in facts.expr_list(def.decorators) {
        let Some(text) = dotted(facts, *decorator) else {
            continue;
        };
        let matching: Vec<(&Framework, &Fingerprint)> = frameworks
            .iter()
            .flat_map(|framework| framework.fingerprints.iter().map(|rule| (*framework, rule)))
            .filter(|(_, rule)| starts_with(&text, rule.decorator))
            .collect();
        let imported = matching.iter().find(|(framework, _)| imports(facts, framework));
        let Some((framework, _)) = imported.or(matching.first()).copied() else {
            continue;
        };
        let of_it = matching.iter().filter(|(of, _)| of.name == framework.name);
        for (_, rule) in of_it {
            let mut add = |tag: String| {
                tags.entry(tag).or_insert_with(|| framework.name.to_owned());
            };
            add(framework.name.to_owned());
            for tag in rule.tags {
                add((*tag).to_owned());
            }
            if rule.tags.contains(&ENDPOINT) {
                for verb in verbs(facts, *decorator, rule.verb) {
                    add(format!("http-{verb}"));
                }
            }
        }
    }
    tags
}

/// A decorator without its arguments starts with a rule's name when it is that name, or one of its members.
fn starts_with(text: &str, name: &str) -> bool {
    text.strip_prefix(name)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn imports(facts: &FileFacts, framework: &Framework) -> bool {
    facts.imports.iter().any(|import| {
        let spec = facts.str(import.spec);
        framework.packages.iter().any(|package| {
            let name = package.rsplit(':').next().unwrap_or(package);
            spec.strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
        })
    })
}

/// The methods that an endpoint answers, in lower case. Where the text of the list does not say, none.
fn verbs(facts: &FileFacts, decorator: ExprId, verb: Option<Verb>) -> Vec<String> {
    match verb {
        None => Vec::new(),
        Some(Verb::Is(verb)) => vec![verb.to_owned()],
        Some(Verb::Listed) => {
            let listed = match facts.expr(decorator) {
                Expr::Call(_, args, _) => facts.named_arg(args, METHODS),
                _ => None,
            };
            let Some(listed) = listed else {
                return vec!["get".to_owned()];
            };
            match facts.expr(listed.value) {
                Expr::List(items) | Expr::Tuple(items) => facts
                    .expr_list(items)
                    .iter()
                    .filter_map(|item| facts.literal_text(*item))
                    .map(str::to_ascii_lowercase)
                    .collect(),
                _ => Vec::new(),
            }
        }
    }
}
