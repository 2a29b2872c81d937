//! The state of one walk over a tree, and the small things every part of it needs.
//!
//! The walk is a set of functions that call each other, one for a kind of node. Each looks at the children of its node
//! once: [`Walk::children`] puts them on a common stack with their kinds and fields, so that picking one is a look into
//! memory and no call into the tree.

use rustc_hash::{FxHashMap, FxHashSet};
use strata_lang::FactsBuilder;
use strata_lang::builder::{MAX_EXPR_DEPTH, NewBinding};
use strata_model::facts::{DefFlags, Expr, Metrics, RefTarget, Reference};
use strata_model::ids::{BindId, DefId, ExprId, Run, ScopeId, StrId, TypeId};
use strata_model::kinds::{ParseStatus, RefKind};
use tree_sitter::{Node, TreeCursor};

use super::kinds::{Field, Grammar, Kind};

/// Deepest nesting of nodes that is followed. What lies deeper is left out, so that no text can exhaust the stack.
pub(super) const MAX_DEPTH: u32 = 500;

/// A node with its kind and its field below the parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<'t> {
    pub(super) node: Node<'t>,
    pub(super) kind: Kind,
    pub(super) field: Field,
}

/// A run of the stack of children.
#[derive(Clone, Copy, Debug)]
pub(super) struct Children {
    start: usize,
    end: usize,
}

/// What `this` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    /// Not known: a plain function, the top level.
    Unknown,
    /// An instance of the definition; true: the definition itself.
    Of(DefId, bool),
    /// A parameter `this` says so.
    Typed(TypeId),
}

/// What `break` leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breakable {
    Loop,
    Switch,
}

/// A function whose body is open. The first one stands for the file.
#[derive(Debug, Default)]
pub(super) struct Frame<'s> {
    pub(super) def: Option<DefId>,
    pub(super) metrics: Metrics,
    pub(super) depth: u32,
    pub(super) breakables: Vec<Breakable>,
    /// Names of the parameters in order; empty for destructured ones.
    pub(super) parameters: Vec<&'s str>,
    /// Texts of the members that it has assigned or tested so far.
    pub(super) places: Vec<&'s str>,
}

/// The token that names what is called, constructed, rendered or extended.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameToken<'s, 't> {
    pub(super) node: Node<'t>,
    pub(super) text: &'s str,
    pub(super) flags: u8,
}

/// A comment, or a run of line comments, that stands before something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Remark<'t> {
    pub(super) first: Node<'t>,
    pub(super) last: Node<'t>,
}

/// The walk.
pub(super) struct Walk<'b, 's, 't> {
    pub(super) builder: &'b mut FactsBuilder<'s>,
    pub(super) grammar: &'static Grammar,
    /// True for TypeScript's grammars.
    pub(super) is_typescript: bool,
    cursor: TreeCursor<'t>,
    stack: Vec<Child<'t>>,
    depth: u32,
    is_too_deep: bool,
    pub(super) in_error: u32,
    pub(super) receiver: Receiver,
    pub(super) frames: Vec<Frame<'s>>,
    /// Names of the type parameters in sight.
    pub(super) type_names: Vec<&'s str>,
    /// The documentation that belongs to the next definition.
    pub(super) remark: Option<Remark<'t>>,
    /// Right sides of `instanceof` and calls of the condition at hand, by node.
    pub(super) tests: Vec<(usize, ExprId)>,
    /// Exported names, each of which is exported once although it may be declared several times.
    pub(super) exported: FxHashSet<&'s str>,
    /// Signatures without a body, until an implementation follows.
    pub(super) signatures: FxHashMap<(ScopeId, &'s str), Vec<DefId>>,
    /// The object literal or class that a variable or property holds.
    pub(super) held: FxHashMap<DefId, DefId>,
    /// The JSDoc comments of definitions, where types are read from them.
    pub(super) remarks: FxHashMap<DefId, Remark<'t>>,
    /// Where types in comments start that have been read.
    pub(super) read_types: FxHashSet<usize>,
    /// The names that the file assigns to members of `exports`; the empty string for `module.exports` itself.
    pub(super) own_exports: FxHashSet<&'s str>,
    /// The definition that is assigned to `module.exports`.
    pub(super) exported_whole: Option<DefId>,
    /// Local names for `X.prototype`.
    pub(super) prototypes: FxHashMap<&'s str, DefId>,
    /// Signatures of methods without a body, by class, name and whether they are static.
    pub(super) member_signatures: FxHashMap<(DefId, &'s str, bool), Vec<DefId>>,
    /// The kind of the reference that the type at hand gives, where it is not a plain use.
    pub(super) type_reference: Option<RefKind>,
    /// What `this` means in the function literal that comes next, where its place tells.
    pub(super) next_receiver: Option<Receiver>,
    /// The component whose object literal is the default export.
    pub(super) component: Option<super::components::Component>,
    declared: FxHashSet<(ScopeId, StrId)>,
    shape_depths: Vec<u8>,
}

impl<'b, 's, 't> Walk<'b, 's, 't> {
    pub(super) fn new(
        builder: &'b mut FactsBuilder<'s>,
        grammar: &'static Grammar,
        is_typescript: bool,
        cursor: TreeCursor<'t>,
    ) -> Self {
        Self {
            builder,
            grammar,
            is_typescript,
            cursor,
            stack: Vec::new(),
            depth: 0,
            is_too_deep: false,
            in_error: 0,
            receiver: Receiver::Unknown,
            frames: vec![Frame::default()],
            type_names: Vec::new(),
            remark: None,
            tests: Vec::new(),
            exported: FxHashSet::default(),
            signatures: FxHashMap::default(),
            held: FxHashMap::default(),
            remarks: FxHashMap::default(),
            read_types: FxHashSet::default(),
            own_exports: FxHashSet::default(),
            exported_whole: None,
            prototypes: FxHashMap::default(),
            member_signatures: FxHashMap::default(),
            type_reference: None,
            next_receiver: None,
            component: None,
            declared: FxHashSet::default(),
            shape_depths: Vec::new(),
        }
    }

    // ---- nodes --------------------------------------------------------------------------------------------------------

    /// Puts the children of a node on the stack. Give them back with [`Walk::release`].
    pub(super) fn children(&mut self, node: Node<'t>) -> Children {
        self.open(node, true)
    }

    /// The same for a node whose children are known by their kind or order alone; cheaper, for it leaves out the fields.
    pub(super) fn items(&mut self, node: Node<'t>) -> Children {
        self.open(node, false)
    }

    fn open(&mut self, node: Node<'t>, with_fields: bool) -> Children {
        let start = self.stack.len();
        // Asking the cursor for a sibling that is not there costs more than counting.
        let n_children = node.child_count();
        if n_children > 0 {
            self.cursor.reset(node);
            self.cursor.goto_first_child();
        }
        for at in 0..n_children {
            if at > 0 && !self.cursor.goto_next_sibling() {
                break;
            }
            let node = self.cursor.node();
            let field = if with_fields {
                self.grammar.field(self.cursor.field_id())
            } else {
                Field::None
            };
            self.stack.push(Child {
                node,
                kind: self.grammar.kind(node.kind_id()),
                field,
            });
        }
        Children {
            start,
            end: self.stack.len(),
        }
    }

    /// Takes children from the stack, and all that were put above them.
    pub(super) fn release(&mut self, children: Children) {
        self.stack.truncate(children.start);
    }

    /// The child on a place of the stack.
    pub(super) fn child(&self, at: usize) -> Child<'t> {
        self.stack[at]
    }

    /// The child of a field.
    pub(super) fn field(&self, children: Children, field: Field) -> Option<Child<'t>> {
        self.stack[children.range()]
            .iter()
            .find(|child| child.field == field)
            .copied()
    }

    /// The first child of a kind.
    pub(super) fn of_kind(&self, children: Children, kind: Kind) -> Option<Child<'t>> {
        self.stack[children.range()]
            .iter()
            .find(|child| child.kind == kind)
            .copied()
    }

    /// True when one of the children is of the kind.
    pub(super) fn has(&self, children: Children, kind: Kind) -> bool {
        self.of_kind(children, kind).is_some()
    }

    /// The first named child that is no comment.
    pub(super) fn first_named(&self, children: Children) -> Option<Child<'t>> {
        self.stack[children.range()]
            .iter()
            .find(|child| child.node.is_named() && !child.kind.is_comment())
            .copied()
    }

    /// The last named child that is no comment.
    pub(super) fn last_named(&self, children: Children) -> Option<Child<'t>> {
        self.stack[children.range()]
            .iter()
            .rfind(|child| child.node.is_named() && !child.kind.is_comment())
            .copied()
    }

    /// The only named child of a node that has one, such as parentheses.
    pub(super) fn inner(&mut self, node: Node<'t>) -> Option<Child<'t>> {
        let children = self.items(node);
        let inner = self.first_named(children);
        self.release(children);
        inner
    }

    /// The text of a node.
    pub(super) fn text(&self, node: Node<'t>) -> &'s str {
        self.builder.text(node)
    }

    /// The text of a string without its quotes.
    pub(super) fn string_text(&self, node: Node<'t>) -> &'s str {
        let (start, end) = (node.start_byte(), node.end_byte());
        if end >= start + 2 {
            self.builder.slice(start + 1, end - 1)
        } else {
            ""
        }
    }

    /// Goes one level down. False when that would be too deep; then nothing is to be undone.
    pub(super) fn descend(&mut self, node: Node<'t>) -> bool {
        if self.depth >= MAX_DEPTH {
            if !self.is_too_deep {
                self.is_too_deep = true;
                let message = format!("nested more than {MAX_DEPTH} levels deep; what lies deeper is left out");
                self.builder.problem(ParseStatus::Partial, node.start_byte(), message);
            }
            return false;
        }
        self.depth += 1;
        true
    }

    /// Undoes [`Walk::descend`].
    pub(super) fn ascend(&mut self) {
        self.depth -= 1;
    }

    // ---- functions ----------------------------------------------------------------------------------------------------

    /// The innermost open function; at the top level one that stands for the file.
    pub(super) fn frame(&mut self) -> &mut Frame<'s> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// True inside a function's body.
    pub(super) fn is_in_function(&self) -> bool {
        self.frames.len() > 1
    }

    /// The flags that a definition has because of where it stands.
    pub(super) fn place_flags(&self) -> DefFlags {
        let mut flags = DefFlags::default();
        if self.is_in_function() {
            flags |= DefFlags::LOCAL;
        }
        flags.with(self.error_flag())
    }

    /// The flag of a definition inside a part that does not parse.
    pub(super) fn error_flag(&self) -> DefFlags {
        if self.in_error > 0 {
            DefFlags::IN_ERROR
        } else {
            DefFlags::default()
        }
    }

    // ---- facts --------------------------------------------------------------------------------------------------------

    /// Binds a name and remembers where it was bound.
    pub(super) fn bind(&mut self, name: &str, new: NewBinding) -> BindId {
        let scope = new.scope.unwrap_or_else(|| self.builder.scope());
        let id = self.builder.intern(name);
        self.declared.insert((scope, id));
        self.builder.bind(name, new)
    }

    /// The scope that has bound a name so far, looking outwards.
    pub(super) fn declaring_scope(&mut self, name: &str) -> Option<ScopeId> {
        let id = self.builder.intern(name);
        let mut at = Some(self.builder.scope());
        while let Some(scope) = at {
            if self.declared.contains(&(scope, id)) {
                return Some(scope);
            }
            at = self.builder.scope_parent(scope);
        }
        None
    }

    /// Adds a reference.
    pub(super) fn reference(&mut self, kind: RefKind, target: RefTarget, node: Node<'t>, flags: u8) {
        let flags = flags | if self.in_error > 0 { Reference::IN_ERROR } else { 0 };
        self.builder.add_ref(kind, target, node, flags);
    }

    /// Adds a reference under a name of its own.
    pub(super) fn reference_named(&mut self, kind: RefKind, target: RefTarget, name: &str, node: Node<'t>, flags: u8) {
        let flags = flags | if self.in_error > 0 { Reference::IN_ERROR } else { 0 };
        self.builder.add_ref_named(kind, target, name, node, flags);
    }

    /// An expression that says nothing.
    pub(super) fn opaque(&mut self) -> ExprId {
        self.builder.expr(Expr::Opaque)
    }

    /// Adds an expression shape, or an opaque one where it would nest too deep.
    pub(super) fn shape(&mut self, expr: Expr) -> ExprId {
        let depth = match expr {
            Expr::Local(..)
            | Expr::Free(_)
            | Expr::This(..)
            | Expr::Super(..)
            | Expr::Param(..)
            | Expr::Def(_)
            | Expr::Cast(_)
            | Expr::Lit(_)
            | Expr::Require(_)
            | Expr::ImportCall(_)
            | Expr::Sent(_)
            | Expr::Opaque => 0,
            Expr::Member(of, _)
            | Expr::Await(of)
            | Expr::Unwrap(of)
            | Expr::Iter(of)
            | Expr::AsyncIter(of)
            | Expr::Item(of, _)
            | Expr::Entered(of)
            | Expr::AsyncEntered(of)
            | Expr::Is(of, _)
            | Expr::IsNot(of, _)
            | Expr::Place(of, _)
            | Expr::At(of, _)
            | Expr::Delegated(of)
            // Calls take their arguments into account, see `calls`.
            | Expr::Call(of, ..)
            | Expr::New(of, ..) => self.depth_of(of) + 1,
            Expr::Index(of, with) | Expr::Either(of, with) => self.depth_of(of).max(self.depth_of(with)) + 1,
            Expr::Tuple(_) | Expr::List(_) | Expr::Dict(_) => 1,
        };
        self.shape_of_depth(expr, depth)
    }

    /// Adds a shape over others of which the deepest is known.
    pub(super) fn shape_of_depth(&mut self, expr: Expr, depth: u8) -> ExprId {
        if u32::from(depth) > MAX_EXPR_DEPTH {
            return self.opaque();
        }
        let id = self.builder.expr(expr);
        if depth > 0 {
            if self.shape_depths.len() <= id.ix() {
                self.shape_depths.resize(id.ix() + 1, 0);
            }
            self.shape_depths[id.ix()] = depth;
        }
        id
    }

    /// How deep a shape nests.
    pub(super) fn depth_of(&self, expr: ExprId) -> u8 {
        self.shape_depths.get(expr.ix()).copied().unwrap_or(0)
    }

    /// Adds a shape over a list of expressions; opaque where one of them nests too deep.
    pub(super) fn list_shape(&mut self, items: &[ExprId], make: impl FnOnce(Run) -> Expr) -> ExprId {
        let depth = items.iter().map(|item| self.depth_of(*item)).max().unwrap_or(0) + 1;
        if u32::from(depth) > MAX_EXPR_DEPTH {
            return self.opaque();
        }
        let run = self.builder.expr_run(items);
        self.shape_of_depth(make(run), depth)
    }

    /// A member of a value.
    pub(super) fn member(&mut self, of: ExprId, name: &str) -> ExprId {
        let name = self.builder.intern(name);
        self.shape(Expr::Member(of, name))
    }
}

impl Children {
    /// The places of the children on the stack.
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}
