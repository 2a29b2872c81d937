//! Members that a function assigns or tests: `self.x`, `event.source.name`. Until the next assignment they are what was
//! assigned or tested, whatever the class declares. A place is bound like a local variable whose name is its text.

use strata_lang::builder::NewBinding;
use strata_model::facts::{BindSource, Expr, Literal, TypeExpr};
use strata_model::ids::ExprId;
use tree_sitter::Node;

use super::Walk;
use crate::python::grammar::Kind;

/// Most places of one function that are followed.
const MAX_PLACES: usize = 64;

impl<'t> Walk<'_, '_, 't> {
    /// The text of a member of a name, or of a member of one: what identifies a place.
    pub(super) fn place_text(&self, node: Node<'t>) -> Option<&str> {
        let mut at = node;
        while self.kind(at) == Kind::Attribute {
            at = self.field(at, self.fields.object)?;
        }
        let text = self.b.text(node);
        let is_plain = self.kind(at) == Kind::Identifier && !text.contains(char::is_whitespace);
        is_plain.then_some(text)
    }

    /// The member as it is read: with what the function has assigned or tested.
    pub(super) fn read_place(&mut self, node: Node<'t>, member: ExprId) -> ExprId {
        let Some(function) = self.functions.last() else {
            return member;
        };
        if function.places.is_empty() {
            return member;
        }
        let text = self.b.text(node);
        if !function.places.iter().any(|place| place == text) {
            return member;
        }
        let name = self.place_name(text);
        let place = self.b.name(&name);
        self.shape(Expr::Place(member, place), &[member])
    }

    /// Binds a place to what is assigned to it. `None` alone says nothing of what the member is later.
    pub(super) fn assign_place(&mut self, target: Node<'t>, member: ExprId, value: Option<ExprId>) {
        let Some(text) = self.place_text(target).map(str::to_owned) else {
            return;
        };
        self.forget_below(&text);
        let is_known = self.place_is_known(&text);
        if !is_known && !self.add_place(&text) {
            return;
        }
        let scope = Some(self.b.function_scope());
        if !is_known && !self.b.is_straight() {
            let before = NewBinding {
                scope,
                ..NewBinding::new(BindSource::Value(member))
            };
            let name = self.place_name(&text);
            self.b.bind_at_start(&name, before);
        }
        let name = self.place_name(&text);
        let value = value.filter(|value| !matches!(self.b.expr_at(*value), Expr::Opaque | Expr::Lit(Literal::Null)));
        let binding = NewBinding {
            scope,
            ..NewBinding::new(BindSource::Value(value.unwrap_or(member)))
        };
        self.b.bind(&name, binding);
    }

    /// Binds a place to what a test says of it.
    pub(super) fn narrow_place(&mut self, node: Node<'t>, narrowed: ExprId) {
        let Some(text) = self.place_text(node).map(str::to_owned) else {
            return;
        };
        if !self.place_is_known(&text) && !self.add_place(&text) {
            return;
        }
        let scope = Some(self.b.function_scope());
        let binding = NewBinding {
            is_narrowing: true,
            scope,
            ..NewBinding::new(BindSource::Value(narrowed))
        };
        let name = self.place_name(&text);
        self.b.bind(&name, binding);
    }

    /// What was known of the members of a name or place is over when it is assigned to.
    pub(super) fn forget_below(&mut self, text: &str) {
        let Some(function) = self.functions.last() else {
            return;
        };
        let below: Vec<String> = function
            .places
            .iter()
            .filter(|place| place.strip_prefix(text).is_some_and(|rest| rest.starts_with('.')))
            .cloned()
            .collect();
        for place in below {
            let unknown = self.b.ty(TypeExpr::Opaque);
            let binding = NewBinding {
                scope: Some(self.b.function_scope()),
                hint: Some(unknown),
                ..NewBinding::new(BindSource::Typed)
            };
            let name = self.place_name(&place);
            self.b.bind(&name, binding);
        }
    }

    /// The name under which a place is bound: a function does not see the places of the functions around it.
    fn place_name(&self, text: &str) -> String {
        match self.functions.len() {
            0 | 1 => text.to_owned(),
            depth => format!("{text}#{depth}"),
        }
    }

    fn place_is_known(&self, text: &str) -> bool {
        self.functions
            .last()
            .is_some_and(|function| function.places.iter().any(|place| place == text))
    }

    fn add_place(&mut self, text: &str) -> bool {
        match self.functions.last_mut() {
            Some(function) if function.places.len() < MAX_PLACES => {
                function.places.push(text.to_owned());
                true
            }
            _ => false,
        }
    }
}
