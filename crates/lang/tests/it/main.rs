//! What local binding decides: scopes, order, branches, loops.

use strata_lang::FactsBuilder;
use strata_lang::builder::{NewBinding, VALUE};
use strata_lang::flow::Jump;
use strata_lang::policy::{Linearisation, Policy};
use strata_model::facts::{BindSource, Expr, FileFacts, Literal, ScopeKind};
use strata_model::ids::ExprId;

static LATE: Policy = policy(false);
static HOISTED: Policy = policy(true);

const fn policy(is_hoisted: bool) -> Policy {
    Policy {
        class_scope_is_private: !is_hoisted,
        is_hoisted,
        assignment_declares: true,
        constructors: &[],
        call_constructs: true,
        explicit_receiver: false,
        linearisation: Linearisation::C3,
        wrappers: &[],
        container_methods: &[],
        call_member: None,
        frameworks: &[],
    }
}

struct Walk {
    builder: FactsBuilder<'static>,
    uses: Vec<(&'static str, ExprId)>,
}

impl Walk {
    fn new(policy: &'static Policy) -> Self {
        Self {
            builder: FactsBuilder::new("test", "test", b"", policy),
            uses: Vec::new(),
        }
    }

    fn assign(&mut self, name: &str, literal: Literal) {
        let value = self.builder.expr(Expr::Lit(literal));
        self.builder.bind(
            name,
            NewBinding {
                namespace: VALUE,
                ..NewBinding::new(BindSource::Value(value))
            },
        );
    }

    fn mention(&mut self, label: &'static str, name: &str) {
        let expr = self.builder.name(name);
        self.uses.push((label, expr));
    }

    /// Each mention with the literals that reach it.
    fn reached(self) -> Vec<(&'static str, String)> {
        let facts = self.builder.finish();
        self.uses
            .iter()
            .map(|(label, expr)| (*label, describe(&facts, *expr)))
            .collect()
    }
}

fn describe(facts: &FileFacts, expr: ExprId) -> String {
    match facts.expr(expr) {
        Expr::Free(_) => "free".to_owned(),
        Expr::Local(_, set) => {
            let mut values: Vec<String> = facts
                .bind_set(set)
                .iter()
                .map(|bind| match facts.bindings[bind.ix()].source {
                    BindSource::Value(value) => match facts.expr(value) {
                        Expr::Lit(literal) => format!("{literal:?}"),
                        other => format!("{other:?}"),
                    },
                    other => format!("{other:?}"),
                })
                .collect();
            values.sort();
            values.join("|")
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn a_later_binding_hides_an_earlier_one() {
    let mut walk = Walk::new(&LATE);
    walk.assign("x", Literal::Int);
    walk.mention("first", "x");
    walk.assign("x", Literal::Str);
    walk.mention("second", "x");
    assert_eq!(
        walk.reached(),
        [("first", "Int".to_owned()), ("second", "Str".to_owned())]
    );
}

#[test]
fn branches_join_and_arms_exclude_each_other() {
    let mut walk = Walk::new(&LATE);
    walk.assign("x", Literal::Int);
    walk.builder.begin_branches();
    walk.builder.enter_arm(false);
    walk.assign("x", Literal::Str);
    walk.mention("then", "x");
    walk.builder.exit_arm();
    walk.builder.enter_arm(false);
    walk.mention("else", "x");
    walk.builder.exit_arm();
    walk.builder.end_branches(true);
    walk.mention("after", "x");
    let expected = [
        ("then", "Str".to_owned()),
        ("else", "Int".to_owned()),
        ("after", "Int|Str".to_owned()),
    ];
    assert_eq!(walk.reached(), expected);
}

#[test]
fn an_exhaustive_branching_hides_what_came_before() {
    let mut walk = Walk::new(&LATE);
    walk.assign("x", Literal::Int);
    walk.builder.begin_branches();
    for literal in [Literal::Str, Literal::Bool] {
        walk.builder.enter_arm(false);
        walk.assign("x", literal);
        walk.builder.exit_arm();
    }
    walk.builder.end_branches(true);
    walk.mention("after", "x");
    assert_eq!(walk.reached(), [("after", "Bool|Str".to_owned())]);
}

#[test]
fn an_arm_that_returns_does_not_reach_what_follows() {
    let mut walk = Walk::new(&LATE);
    walk.assign("x", Literal::Int);
    walk.builder.begin_branches();
    walk.builder.enter_arm(false);
    walk.assign("x", Literal::Str);
    walk.builder.jump(Jump::Exit);
    walk.builder.exit_arm();
    walk.builder.end_branches(false);
    walk.mention("after", "x");
    assert_eq!(walk.reached(), [("after", "Int".to_owned())]);
}

#[test]
fn a_loop_sees_what_it_binds_further_down() {
    let mut walk = Walk::new(&LATE);
    walk.assign("x", Literal::Int);
    walk.builder.enter_loop();
    walk.mention("top", "x");
    walk.assign("x", Literal::Str);
    walk.mention("bottom", "x");
    walk.builder.exit_loop();
    walk.mention("after", "x");
    let expected = [
        ("top", "Int|Str".to_owned()),
        ("bottom", "Str".to_owned()),
        ("after", "Int|Str".to_owned()),
    ];
    assert_eq!(walk.reached(), expected);
}

#[test]
fn a_binding_before_break_is_seen_after_the_loop_only() {
    let mut walk = Walk::new(&LATE);
    walk.assign("x", Literal::Int);
    walk.builder.enter_loop();
    walk.builder.begin_branches();
    walk.builder.enter_arm(false);
    walk.assign("x", Literal::Str);
    walk.builder.jump(Jump::Loop);
    walk.builder.exit_arm();
    walk.builder.end_branches(false);
    walk.mention("inside", "x");
    walk.builder.exit_loop();
    walk.mention("after", "x");
    assert_eq!(
        walk.reached(),
        [("inside", "Int".to_owned()), ("after", "Int|Str".to_owned())]
    );
}

#[test]
fn handlers_see_the_protected_part_and_both_reach_what_follows() {
    let mut walk = Walk::new(&LATE);
    walk.builder.begin_branches();
    walk.builder.enter_arm(true);
    walk.assign("f", Literal::Int);
    walk.builder.exit_arm();
    walk.builder.enter_arm(false);
    walk.mention("handler", "f");
    walk.assign("f", Literal::Str);
    walk.builder.exit_arm();
    walk.builder.end_branches(true);
    walk.mention("after", "f");
    assert_eq!(
        walk.reached(),
        [("handler", "Int".to_owned()), ("after", "Int|Str".to_owned())]
    );
}

#[test]
fn a_function_sees_the_end_of_the_scopes_around_it() {
    let mut walk = Walk::new(&LATE);
    walk.assign("x", Literal::Int);
    walk.builder.enter_scope(ScopeKind::Function, None);
    walk.mention("inside", "x");
    walk.builder.exit_scope();
    walk.assign("x", Literal::Str);
    assert_eq!(walk.reached(), [("inside", "Str".to_owned())]);
}

#[test]
fn use_before_assignment_is_bound_to_nothing_unless_names_are_hoisted() {
    for (policy, expected) in [(&LATE, ""), (&HOISTED, "Int")] {
        let mut walk = Walk::new(policy);
        walk.builder.enter_scope(ScopeKind::Function, None);
        walk.mention("before", "x");
        walk.assign("x", Literal::Int);
        walk.builder.exit_scope();
        assert_eq!(walk.reached(), [("before", expected.to_owned())]);
    }
}

#[test]
fn a_class_scope_is_invisible_to_functions_inside_where_the_language_says_so() {
    let mut walk = Walk::new(&LATE);
    walk.builder.enter_scope(ScopeKind::Class, None);
    walk.assign("x", Literal::Int);
    walk.mention("class", "x");
    walk.builder.enter_scope(ScopeKind::Function, None);
    walk.mention("method", "x");
    walk.builder.exit_scope();
    walk.builder.exit_scope();
    assert_eq!(
        walk.reached(),
        [("class", "Int".to_owned()), ("method", "free".to_owned())]
    );
}

#[test]
fn global_reaches_over_the_function() {
    let mut walk = Walk::new(&LATE);
    walk.builder.enter_scope(ScopeKind::Function, None);
    walk.builder.declare_global("x");
    walk.assign("x", Literal::Int);
    walk.builder.exit_scope();
    walk.mention("module", "x");
    assert_eq!(walk.reached(), [("module", "Int".to_owned())]);
}

#[test]
fn global_outlives_the_return_of_the_function() {
    let mut walk = Walk::new(&LATE);
    walk.assign("x", Literal::Null);
    walk.builder.enter_scope(ScopeKind::Function, None);
    walk.builder.declare_global("x");
    walk.assign("x", Literal::Int);
    walk.builder.jump(Jump::Exit);
    walk.builder.exit_scope();
    walk.mention("module", "x");
    assert_eq!(walk.reached(), [("module", "Int|Null".to_owned())]);
}

#[test]
fn a_name_with_thousands_of_bindings_in_a_loop_is_cheap() {
    let mut walk = Walk::new(&LATE);
    walk.builder.enter_loop();
    for _ in 0..5_000 {
        walk.mention("top", "x");
        walk.builder.begin_branches();
        walk.builder.enter_arm(false);
        walk.assign("x", Literal::Int);
        walk.builder.exit_arm();
        walk.builder.end_branches(false);
    }
    walk.builder.exit_loop();
    let facts = walk.builder.finish();
    assert!(facts.bind_list.len() < 1_000_000);
}
