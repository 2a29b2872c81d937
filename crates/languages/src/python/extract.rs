//! One walk over a Python tree that fills the facts.
//!
//! The walk follows the order of execution: values before the names they are assigned to, decorators, defaults and
//! annotations before the function, bases before the class. Bodies are walked where they stand; which binding a name
//! inside them means is settled when the whole file is known.

mod all_names;
mod assignments;
mod classes;
mod definitions;
mod documentation;
mod expressions;
mod imports;
mod narrowing;
mod patterns;
mod places;
mod statements;
mod strings;
#[cfg(test)]
mod tests;
mod types;

use rustc_hash::FxHashMap;
use strata_lang::FactsBuilder;
use strata_lang::builder::MAX_EXPR_DEPTH;
use strata_model::facts::{Expr, Literal, Reference};
use strata_model::ids::{DefId, ExprId};
use strata_model::kinds::ParseStatus;
use tree_sitter::{Node, Tree, TreeCursor};

use super::grammar::{Fields, Grammar, Kind};

/// Deepest nesting that is followed; what lies deeper is passed over with a note.
const MAX_NESTING: u32 = 300;
/// Number of kinds of literals.
const N_LITERALS: usize = Literal::Regex as usize + 1;

/// Fills the facts of one file.
pub(super) fn extract(tree: &Tree, builder: &mut FactsBuilder<'_>) {
    let root = tree.root_node();
    let mut walk = Walk {
        b: builder,
        grammar: Grammar::get(),
        fields: Fields::get(),
        cursor: root.walk(),
        kids: Vec::new(),
        nesting: 0,
        arguments: 0,
        is_too_deep: false,
        errors: 0,
        conditions: 0,
        is_quiet: false,
        functions: Vec::new(),
        variables: FxHashMap::default(),
        has_problem: false,
        literals: [None; N_LITERALS],
        shape_depths: Vec::new(),
    };
    walk.block(root);
    let (is_too_deep, has_problem) = (walk.is_too_deep, walk.has_problem);
    if is_too_deep {
        builder.problem(
            ParseStatus::Partial,
            0,
            format!("nested deeper than {MAX_NESTING}; the rest is passed over"),
        );
    }
    if root.has_error() && !has_problem {
        builder.problem(ParseStatus::Partial, 0, "syntax error: something is missing");
    }
}

/// A function whose body is open.
struct Function {
    def: DefId,
    /// Class and receiver's name, in a method.
    receiver: Option<(DefId, String)>,
    /// True where the receiver is the class.
    is_on_class: bool,
    depth: u32,
    /// Names that it says are the module's.
    globals: Vec<String>,
    /// Members that it assigns or tests, as they are written: `self.x`.
    places: Vec<String>,
}

/// The walk's state.
struct Walk<'w, 's, 't> {
    b: &'w mut FactsBuilder<'s>,
    grammar: Grammar,
    fields: Fields,
    cursor: TreeCursor<'t>,
    /// Children of the nodes that are open, those of the innermost last: one list instead of one a node.
    kids: Vec<(Node<'t>, u16)>,
    nesting: u32,
    /// Lists of arguments that are open.
    arguments: u32,
    is_too_deep: bool,
    errors: u32,
    /// Branches and protected parts that are open outside functions.
    conditions: u32,
    /// True while something is read again that has been walked before: no references.
    is_quiet: bool,
    functions: Vec<Function>,
    /// Module variables so far.
    variables: FxHashMap<String, DefId>,
    has_problem: bool,
    /// The one shape of each kind of literal.
    literals: [Option<ExprId>; N_LITERALS],
    /// How deep each shape nests, by id.
    shape_depths: Vec<u8>,
}

impl<'t> Walk<'_, '_, 't> {
    fn kind(&self, node: Node<'t>) -> Kind {
        self.grammar.kind(node)
    }

    /// Puts the named children of a node, with their fields, at the end of the list; returns where they stand. The
    /// caller cuts the list back to `start`.
    fn open(&mut self, node: Node<'t>) -> std::ops::Range<usize> {
        let start = self.kids.len();
        self.cursor.reset(node);
        if self.cursor.goto_first_child() {
            loop {
                let child = self.cursor.node();
                if child.is_named() && (!child.is_extra() || child.is_error()) {
                    let field = self.cursor.field_id().map_or(0, std::num::NonZeroU16::get);
                    self.kids.push((child, field));
                }
                if !self.cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        start..self.kids.len()
    }

    fn close(&mut self, range: &std::ops::Range<usize>) {
        self.kids.truncate(range.start);
    }

    /// Runs `each` on every named child.
    fn each(&mut self, node: Node<'t>, mut each: impl FnMut(&mut Self, Node<'t>, u16)) {
        let range = self.open(node);
        for at in range.clone() {
            let (child, field) = self.kids[at];
            each(self, child, field);
        }
        self.close(&range);
    }

    /// The named child with this index, comments aside.
    fn part_of(&mut self, node: Node<'t>, index: usize) -> Option<Node<'t>> {
        let range = self.open(node);
        let part = self.kids[range.clone()].get(index).map(|(part, _)| *part);
        self.close(&range);
        part
    }

    #[expect(clippy::unused_self, reason = "reads like the other questions about nodes")]
    fn field(&self, node: Node<'t>, field: u16) -> Option<Node<'t>> {
        node.child_by_field_id(field)
    }

    /// True for a construct that starts with `async`.
    fn is_async(&self, node: Node<'t>) -> bool {
        self.b
            .source()
            .get(node.start_byte()..)
            .is_some_and(|it| it.starts_with(b"async"))
    }

    fn text(&self, node: Node<'t>) -> String {
        self.b.text(node).to_owned()
    }

    fn flags(&self) -> u8 {
        if self.errors > 0 { Reference::IN_ERROR } else { 0 }
    }

    /// True, and noted, when nesting has become too deep.
    fn is_beyond(&mut self) -> bool {
        if self.nesting > MAX_NESTING {
            self.is_too_deep = true;
            return true;
        }
        false
    }

    // ---- shapes -------------------------------------------------------------------------------------------------------

    fn opaque(&mut self) -> ExprId {
        self.b.expr(Expr::Opaque)
    }

    fn literal(&mut self, literal: Literal) -> ExprId {
        match self.literals[literal as usize] {
            Some(id) => id,
            None => {
                let id = self.b.expr(Expr::Lit(literal));
                self.literals[literal as usize] = Some(id);
                id
            }
        }
    }

    /// Adds a shape over others; opaque where they nest too deep already.
    fn shape(&mut self, expr: Expr, below: &[ExprId]) -> ExprId {
        let depth = 1 + below.iter().map(|it| self.depth_of(*it)).max().unwrap_or(0);
        self.shape_of_depth(expr, depth)
    }

    fn shape_of_depth(&mut self, expr: Expr, depth: u8) -> ExprId {
        if u32::from(depth) > MAX_EXPR_DEPTH {
            return self.opaque();
        }
        let id = self.b.expr(expr);
        if self.shape_depths.len() <= id.ix() {
            self.shape_depths.resize(id.ix() + 1, 0);
        }
        self.shape_depths[id.ix()] = depth;
        id
    }

    fn depth_of(&self, expr: ExprId) -> u8 {
        self.shape_depths.get(expr.ix()).copied().unwrap_or(0)
    }

    fn tuple(&mut self, items: &[ExprId]) -> ExprId {
        let run = self.b.expr_run(items);
        self.shape(Expr::Tuple(run), items)
    }

    /// A list of these elements. Their places say nothing, so that equal neighbours are one.
    fn list(&mut self, items: &[ExprId]) -> ExprId {
        let items = without_repetitions(items);
        let run = self.b.expr_run(&items);
        self.shape(Expr::List(run), &items)
    }

    /// A dictionary of these values.
    fn dict(&mut self, values: &[ExprId]) -> ExprId {
        let values = without_repetitions(values);
        let run = self.b.expr_run(&values);
        self.shape(Expr::Dict(run), &values)
    }

    fn syntax_error(&mut self, node: Node<'t>) {
        if !self.has_problem {
            self.has_problem = true;
            self.b.problem(ParseStatus::Partial, node.start_byte(), "syntax error");
        }
    }
}

fn without_repetitions(items: &[ExprId]) -> Vec<ExprId> {
    let mut items = items.to_vec();
    items.dedup();
    items
}
