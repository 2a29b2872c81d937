//! How sure an edge is, by how it was resolved.
//!
//! The figures are provisional: rough shares of right answers, to be replaced by what the accuracy benchmark measures
//! for each language.

use strata_model::outcome::{How, Outcome, Status};

/// How sure each of the outcome's targets is, from 0 to 1. An ambiguous outcome shares it among its targets.
pub(crate) fn confidence(outcome: &Outcome) -> f32 {
    let base = of_how(outcome.how);
    match outcome.status {
        Status::Ambiguous => base / f32::from(u16::try_from(outcome.targets.len().max(1)).unwrap_or(u16::MAX)),
        Status::Resolved
        | Status::External
        | Status::Builtin
        | Status::UnknownReceiver
        | Status::UnresolvedImport
        | Status::NoSuchMember
        | Status::Dynamic
        | Status::Generated
        | Status::Budget => base,
    }
}

pub(crate) const fn of_how(how: How) -> f32 {
    match how {
        How::Lexical | How::ModuleScope | How::Import | How::ImportAlias => 0.99,
        How::Reexport | How::NamespaceMember | How::StaticMember | How::SelfMember | How::Super => 0.98,
        How::StarImport | How::SelfInherited | How::CtorLocal | How::CtorInline => 0.97,
        How::HintParam | How::HintLocal | How::HintField | How::CtorField => 0.96,
        How::RetDeclared | How::OverloadArity | How::Bound => 0.95,
        How::RetInferred | How::Elem | How::With | How::Await | How::Unwrap | How::Pattern | How::Narrow => 0.93,
        How::GenericSubst | How::OverloadType | How::LiteralReflection | How::Framework => 0.9,
        How::DecoratorAssumed | How::ImplicitCall => 0.85,
        How::OverloadAmbiguous => 0.8,
        How::CallbackFlow => 0.7,
        How::FieldFlow => 0.6,
    }
}

#[cfg(test)]
mod tests {
    use strata_model::ids::{DefId, FileIx, SymbolRef};
    use strata_model::outcome::{How, Outcome, Status};

    use super::confidence;

    #[test]
    fn candidates_share_the_confidence() {
        let targets = vec![
            SymbolRef {
                file: FileIx(0),
                def: DefId(0),
            },
            SymbolRef {
                file: FileIx(0),
                def: DefId(1),
            },
        ];
        let outcome = Outcome {
            how: How::OverloadAmbiguous,
            targets,
            ..Outcome::without_target(Status::Ambiguous)
        };
        assert!((confidence(&outcome) - 0.4).abs() < 1e-6);
    }
}
