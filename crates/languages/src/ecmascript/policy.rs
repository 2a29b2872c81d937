//! Rules of scoping and typing for ECMAScript.

use strata_lang::Policy;
use strata_lang::policy::Linearisation;

/// Rules of the family.
pub(crate) static POLICY: Policy = Policy {
    class_scope_is_private: false,
    is_hoisted: true,
    assignment_declares: false,
    constructors: &["constructor"],
    call_constructs: false,
    explicit_receiver: false,
    linearisation: Linearisation::ClassThenInterfaces,
    wrappers: &[],
    container_methods: &[],
    call_member: Some("<call>"),
};
