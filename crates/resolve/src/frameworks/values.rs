//! What calls of a framework's own functions give, where a rule says it.

use strata_lang::framework::Made;
use strata_model::ids::{FileIx, Run};
use strata_model::outcome::How;

use crate::program::{Program, Val};
use crate::types::{TyData, Types};

impl Program<'_> {
    /// What calling something of a framework gives, if a rule says so.
    pub(crate) fn framework_call(&mut self, file: FileIx, path: &str, args: Run) -> Option<Val> {
        if let Some(value) = self.fixture_by_text(file, path, args) {
            return Some(value);
        }
        match self.framework_rule(file, path)? {
            Made::Injected => self.injected(file, args),
        }
    }

    /// The rule for a path.
    fn framework_rule(&mut self, file: FileIx, path: &str) -> Option<Made> {
        let frameworks = self.file(file).policy().frameworks;
        frameworks.iter().find_map(|framework| {
            let (on, name) = framework.names_in(path)?;
            let rule = framework.values.iter().find(|rule| rule.of.has(on, name))?;
            Some(rule.gives)
        })
    }

    /// What the function that is the first argument gives; an instance, where it is a class.
    fn injected(&mut self, file: FileIx, args: Run) -> Option<Val> {
        let facts = self.facts(file);
        let first = facts.args(args).first()?.value;
        let value = self.eval(file, first);
        let result = self.call(file, value, Run::default());
        let ty = match *self.types.get(value.ty) {
            TyData::Func(function) | TyData::Bound(function, _) => self.delivered(function, result.ty),
            _ => result.ty,
        };
        (ty != Types::UNKNOWN).then_some(Val {
            ty,
            how: How::Framework,
            chain: result.chain,
        })
    }
}
