//! What was reached, as flows.

use std::collections::BTreeMap;

use strata_model::facts::RefTarget;
use strata_model::ids::SymbolRef;
use strata_model::outcome::How;

use super::solver::{Reached, Site, SiteId, Solver};
use super::{Flow, MAX_TARGETS};

impl Solver<'_> {
    pub(super) fn results(mut self) -> Vec<Flow> {
        let mut by_site: BTreeMap<u32, BTreeMap<Reached, How>> = BTreeMap::new();
        let mut reached: Vec<(SiteId, Reached, How)> = std::mem::take(&mut self.reached).into_iter().collect();
        reached.sort_unstable();
        for (site, target, how) in reached {
            let found = by_site.entry(site.0).or_default().entry(target).or_insert(how);
            *found = (*found).min(how);
        }
        let full: Vec<u32> = self
            .calls
            .iter()
            .filter(|call| self.is_full(call.callee))
            .filter_map(|call| call.site.map(|site| site.0))
            .collect();
        for site in full {
            by_site.remove(&site);
        }
        let mut flows = Vec::new();
        for (site, targets) in by_site {
            let site = self.sites[site as usize];
            let declared = self.declared(&site);
            let is_instead = self.replaces(&site, &declared);
            let derived: Vec<(Reached, How)> = targets
                .into_iter()
                .filter(|(target, _)| !self.is_declared(&site, &declared, *target))
                .collect();
            if derived.len() > MAX_TARGETS {
                continue;
            }
            for (target, how) in derived {
                let (symbol, external) = match target {
                    Reached::Symbol(symbol) => (Some(symbol), None),
                    Reached::External(path) => (None, Some(self.text(path).to_string())),
                };
                flows.push(Flow {
                    file: site.file,
                    at: site.at,
                    reference: site.reference,
                    owner: site.owner,
                    target: symbol,
                    external,
                    how,
                    is_instead,
                });
            }
        }
        flows.sort();
        flows.dedup();
        flows
    }

    fn declared(&self, site: &Site) -> Vec<SymbolRef> {
        match site.reference {
            Some(reference) => self.files[site.file.ix()].outcomes[reference as usize].targets.clone(),
            None => Vec::new(),
        }
    }

    fn is_declared(&self, site: &Site, declared: &[SymbolRef], target: Reached) -> bool {
        match target {
            Reached::Symbol(symbol) => declared.contains(&symbol),
            Reached::External(path) => {
                let Some(reference) = site.reference else { return false };
                let outcome = &self.files[site.file.ix()].outcomes[reference as usize];
                let path = self.text(path);
                outcome.external.as_deref() == Some(&*path)
            }
        }
    }

    /// True when what a site names is decorated, and what the decorators made of it does not have it any more.
    fn replaces(&mut self, site: &Site, declared: &[SymbolRef]) -> bool {
        let (Some(reference), [named]) = (site.reference, declared) else {
            return false;
        };
        let RefTarget::Expr(_) = self.files[site.file.ix()].facts.refs[reference as usize].target else {
            return false;
        };
        if named.is_module() || self.def(*named).decorators.is_empty() {
            return false;
        }
        let place = self.definition(*named);
        let values = self.values_of(place);
        !values.is_empty()
            && !values.iter().any(|value| {
                use super::values::Value;
                match self.get(*value) {
                    Value::Func(function) | Value::Bound(function, _) => function == *named,
                    Value::Class(class) => class == *named,
                    _ => false,
                }
            })
    }
}
