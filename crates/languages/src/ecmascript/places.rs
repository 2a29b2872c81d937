//! Members that a function assigns or tests: `this.x`, `event.source.name`. Until the next assignment they are what was
//! assigned or tested, as far as what they are declared as allows it. A place is bound like a local variable whose name is
//! its text.

use strata_lang::builder::{NewBinding, VALUE};
use strata_model::facts::{BindSource, Expr, Literal, TypeExpr};
use strata_model::ids::ExprId;

use super::kinds::Kind;
use super::walk::{Child, Walk};

/// Most places of one function that are followed.
const MAX_PLACES: usize = 64;

impl<'s, 't> Walk<'_, 's, 't> {
    /// The text of a member of a name or of `this`, or of a member of one: what identifies a place.
    fn place_text(&mut self, node: Child<'t>) -> Option<&'s str> {
        let text = self.text(node.node);
        let is_plain = node.kind == Kind::MemberExpression
            && !text.is_empty()
            && text
                .chars()
                .all(|it| it.is_alphanumeric() || matches!(it, '_' | '$' | '.' | '#'));
        is_plain.then_some(text)
    }

    /// The member as it is read: with what the function has assigned or tested.
    pub(super) fn read_place(&mut self, node: Child<'t>, member: ExprId) -> ExprId {
        if !self.is_in_function() || self.frame().places.is_empty() {
            return member;
        }
        let Some(text) = self.place_text(node) else {
            return member;
        };
        if !self.frame().places.contains(&text) {
            return member;
        }
        let name = self.place_name(text);
        let place = self.builder.name(&name);
        self.shape(Expr::Place(member, place))
    }

    /// Binds a place to what is assigned to it.
    pub(super) fn assign_place(&mut self, target: Child<'t>, value: ExprId) {
        if !self.is_in_function() {
            return;
        }
        let Some(text) = self.place_text(target) else { return };
        self.forget_below(text);
        let Some(member) = self.plain_member(target) else {
            return;
        };
        let is_known = self.frame().places.contains(&text);
        if !is_known && !self.add_place(text) {
            return;
        }
        let name = self.place_name(text);
        let scope = Some(self.builder.function_scope());
        if !is_known && !self.builder.is_straight() {
            let before = NewBinding {
                scope,
                namespace: VALUE,
                ..NewBinding::new(BindSource::Value(member))
            };
            self.builder.bind_at_start(&name, before);
        }
        let says_nothing = matches!(self.builder.expr_at(value), Expr::Opaque | Expr::Lit(Literal::Null));
        let binding = NewBinding {
            scope,
            namespace: VALUE,
            ..NewBinding::new(BindSource::Value(if says_nothing { member } else { value }))
        };
        self.builder.bind(&name, binding);
    }

    /// Binds a place to what a test says of it.
    pub(super) fn narrow_place(&mut self, node: Child<'t>, narrowed: ExprId) {
        let Some(text) = self.place_text(node) else { return };
        if !self.frame().places.contains(&text) && !self.add_place(text) {
            return;
        }
        let scope = Some(self.builder.function_scope());
        let binding = NewBinding {
            is_narrowing: true,
            scope,
            namespace: VALUE,
            ..NewBinding::new(BindSource::Value(narrowed))
        };
        let name = self.place_name(text);
        self.builder.bind(&name, binding);
    }

    /// What was known of the members of a name or place is over when it is assigned to.
    pub(super) fn forget_below(&mut self, text: &str) {
        if !self.is_in_function() {
            return;
        }
        let below: Vec<&'s str> = self
            .frame()
            .places
            .iter()
            .filter(|place| place.strip_prefix(text).is_some_and(|rest| rest.starts_with('.')))
            .copied()
            .collect();
        for place in below {
            let unknown = self.builder.ty(TypeExpr::Opaque);
            let binding = NewBinding {
                scope: Some(self.builder.function_scope()),
                hint: Some(unknown),
                namespace: VALUE,
                ..NewBinding::new(BindSource::Typed)
            };
            let name = self.place_name(place);
            self.builder.bind(&name, binding);
        }
    }

    /// The member itself, whatever the function has assigned to it.
    fn plain_member(&mut self, target: Child<'t>) -> Option<ExprId> {
        let (object, name) = self.discriminant(target)?;
        let of = self.quiet_value(object)?;
        Some(self.member(of, name))
    }

    /// The name under which a place is bound: a function does not see the places of the functions around it.
    fn place_name(&self, text: &str) -> String {
        format!("{text}#{}", self.frames.len())
    }

    fn add_place(&mut self, text: &'s str) -> bool {
        let places = &mut self.frame().places;
        if places.len() >= MAX_PLACES {
            return false;
        }
        places.push(text);
        true
    }
}
