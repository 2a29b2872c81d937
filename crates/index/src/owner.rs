//! Which definition a reference speaks for.
//!
//! A reference in a body belongs to the definition around it. Two kinds stand outside the body of what they are about: a
//! base class stands in the head of its heir, and a decorator before the decorated.

use strata_model::facts::{Def, DefFlags, FileFacts, Reference};
use strata_model::ids::{DefId, Span};
use strata_model::kinds::RefKind;

/// The definition at which an edge of the reference starts; none for the module.
pub(crate) fn edge_source(facts: &FileFacts, reference: &Reference) -> Option<DefId> {
    match reference.kind {
        RefKind::Import => None,
        RefKind::Decorator => innermost(facts, |def| decorates(reference.span, def)).or(reference.owner),
        RefKind::Inherits
        | RefKind::Implements
        | RefKind::Call
        | RefKind::Construct
        | RefKind::Type
        | RefKind::Value
        | RefKind::Read
        | RefKind::Write
        | RefKind::Render => caller(facts, reference),
    }
}

/// The definition that is named as the one which refers; none for the module. A decorator belongs to the scope in which it
/// is evaluated, a base class to its heir.
pub(crate) fn caller(facts: &FileFacts, reference: &Reference) -> Option<DefId> {
    match reference.kind {
        RefKind::Inherits | RefKind::Implements => {
            innermost(facts, |def| is_heir(reference.span, def)).or(reference.owner)
        }
        RefKind::Call
        | RefKind::Construct
        | RefKind::Import
        | RefKind::Type
        | RefKind::Value
        | RefKind::Read
        | RefKind::Write
        | RefKind::Decorator
        | RefKind::Render => reference.owner,
    }
}

fn is_heir(base: Span, def: &Def) -> bool {
    def.kind.is_type() && !def.flags.has(DefFlags::OBJECT) && contains(def.span, base)
}

fn decorates(decorator: Span, def: &Def) -> bool {
    !def.decorators.is_empty() && contains(def.span, decorator) && decorator.end <= def.name_span.start
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The shortest of the definitions that fit.
fn innermost(facts: &FileFacts, fits: impl Fn(&Def) -> bool) -> Option<DefId> {
    let defs = facts.defs.iter().enumerate().filter(|(_, def)| fits(def));
    let ix = defs
        .min_by_key(|(_, def)| def.span.end - def.span.start)
        .map(|(ix, _)| ix)?;
    u32::try_from(ix).ok().map(DefId)
}

#[cfg(test)]
mod tests {
    use strata_languages::python::Python;
    use strata_model::kinds::RefKind;

    use super::{caller, edge_source};

    fn check(kind: RefKind, text: &str, source: Option<&str>, called_by: Option<&str>) {
        let facts = strata_extract::extract(&Python, "m.py", text.as_bytes(), strata_extract::Limits::default());
        let reference = facts.refs.iter().find(|reference| reference.kind == kind).unwrap();
        let name = |def: Option<strata_model::ids::DefId>| def.map(|def| facts.str(facts.def(def).name));
        assert_eq!(name(edge_source(&facts, reference)), source);
        assert_eq!(name(caller(&facts, reference)), called_by);
    }

    #[test]
    fn a_base_belongs_to_its_heir() {
        check(
            RefKind::Inherits,
            "class A:\n    class B(C):\n        class D: ...\n",
            Some("B"),
            Some("B"),
        );
    }

    #[test]
    fn a_decorator_belongs_to_the_decorated_and_is_called_around_it() {
        check(
            RefKind::Decorator,
            "class A:\n    @deco(1)\n    def f(self): ...\n",
            Some("f"),
            Some("A"),
        );
    }

    #[test]
    fn an_import_belongs_to_the_module() {
        check(RefKind::Import, "def f():\n    import os\n", None, Some("f"));
    }
}
