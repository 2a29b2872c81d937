//! What stands before the dot of a use, by its syntax alone: `x` in `x.run()` is a name, `make()` in `make().run()` a call.
//!
//! The shape says nothing of types: `self` is a parameter where a language writes it as one. It is exported with every reference, resolved or not, so that shares of right answers
//! can be told apart by it.

use strata_model::facts::{BindSource, Expr, FileFacts, ImportKind, RefTarget, Reference};
use strata_model::ids::ExprId;

/// The word for the receiver's shape; none for a use without a receiver, such as `run()`.
pub(crate) fn receiver_shape(facts: &FileFacts, reference: &Reference) -> Option<&'static str> {
    let RefTarget::Expr(named) = reference.target else {
        return None;
    };
    let named = match facts.expr(named) {
        Expr::Call(callee, _, _) | Expr::New(callee, _, _) => callee,
        _ => named,
    };
    match facts.expr(named) {
        Expr::Member(receiver, _) => Some(shape(facts, receiver)),
        Expr::Place(member, _) => match facts.expr(member) {
            Expr::Member(receiver, _) => Some(shape(facts, receiver)),
            _ => None,
        },
        _ => None,
    }
}

fn shape(facts: &FileFacts, receiver: ExprId) -> &'static str {
    match facts.expr(receiver) {
        Expr::Local(_, set) => name_shape(facts, facts.bind_set(set)),
        Expr::Free(_) => "free",
        Expr::This(..) => "self",
        Expr::Super(..) => "super",
        Expr::Param(..) => "parameter",
        Expr::Member(..) | Expr::Place(..) => "member",
        Expr::Index(..) | Expr::Item(..) | Expr::At(..) => "element",
        Expr::Call(..) | Expr::New(..) => "call",
        Expr::Lit(_) | Expr::Tuple(_) | Expr::List(_) | Expr::Dict(_) => "literal",
        Expr::Await(_) => "await",
        Expr::Require(_) | Expr::ImportCall(_) => "module",
        _ => "other",
    }
}

/// What a name stands for, if that is the same wherever it is bound.
fn name_shape(facts: &FileFacts, bindings: &[strata_model::ids::BindId]) -> &'static str {
    let mut shapes = bindings.iter().map(|id| match facts.bindings[id.ix()].source {
        BindSource::Import(import) => match facts.imports[import.ix()].kind {
            ImportKind::Module | ImportKind::ModuleRoot => "module",
            ImportKind::Name | ImportKind::Star | ImportKind::SideEffect => "import",
        },
        BindSource::Param(..) => "parameter",
        BindSource::Def(_) => "definition",
        BindSource::Value(_) | BindSource::Typed | BindSource::TypeParam(..) | BindSource::Opaque => "variable",
    });
    match shapes.next() {
        Some(first) if shapes.all(|it| it == first) => first,
        _ => "variable",
    }
}
