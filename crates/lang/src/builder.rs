//! Collects the facts of one file during the walk over its tree, and binds names when the walk is over.
//!
//! The extractor visits the tree in the order of execution as far as the text shows it: values before the names they are
//! assigned to, decorators and defaults before the function. It opens scopes and regions as it goes down, binds names,
//! and mentions names by [`FactsBuilder::name`]; which bindings such a mention can mean is settled in
//! [`FactsBuilder::finish`], when every binding is known.

use rustc_hash::FxHashMap;
use strata_model::facts::{
    AllNames, Arg, BindSource, Binding, Def, DefFlags, Export, Expr, FileFacts, Import, Metrics, Param, Problem,
    RefTarget, Reference, Scope, ScopeKind, Strings, SuperRef, TypeExpr,
};
use strata_model::ids::{
    BindId, BindSetId, DefId, ExprId, ImportId, Position, RegionId, Run, ScopeId, Span, StrId, TypeId,
};
use strata_model::kinds::{NodeKind, ParseStatus, RefKind};

use crate::flow::{Flow, FlowBinding, Group, Jump, Region, RegionKind};
use crate::policy::Policy;

/// Namespace of values, for [`NewBinding::namespace`] and mentions.
pub const VALUE: u8 = 1;
/// Namespace of types.
pub const TYPE: u8 = 2;
/// Deepest nesting of expression shapes; deeper ones are opaque.
pub const MAX_EXPR_DEPTH: u32 = 24;
/// Longest signature, in characters.
const MAX_SIGNATURE: usize = 500;

/// A definition about to be added; [`NewDef::new`] fills the rest.
#[derive(Clone, Copy, Debug)]
pub struct NewDef<'t> {
    /// Name.
    pub name: &'t str,
    /// Kind.
    pub kind: NodeKind,
    /// Flags.
    pub flags: DefFlags,
    /// What it is a member of or local to; [`FactsBuilder::owner`] unless set.
    pub parent: Option<DefId>,
    /// The whole construct.
    pub node: tree_sitter::Node<'t>,
    /// The name's token (the construct itself when it has none).
    pub name_node: tree_sitter::Node<'t>,
    /// The body, where the signature ends; none: the signature is the whole text.
    pub body: Option<tree_sitter::Node<'t>>,
}

/// A binding about to be added.
#[derive(Clone, Copy, Debug)]
pub struct NewBinding {
    /// What the name stands for.
    pub source: BindSource,
    /// Declared type.
    pub hint: Option<TypeId>,
    /// The symbol it defines.
    pub def: Option<DefId>,
    /// A test narrowed the type, for the current region only.
    pub is_narrowing: bool,
    /// [`VALUE`], [`TYPE`] or both.
    pub namespace: u8,
    /// The scope; the current one unless set.
    pub scope: Option<ScopeId>,
}

impl NewBinding {
    /// A binding in the current scope, in both namespaces, without a hint.
    #[must_use]
    pub const fn new(source: BindSource) -> Self {
        Self {
            source,
            hint: None,
            def: None,
            is_narrowing: false,
            namespace: VALUE | TYPE,
            scope: None,
        }
    }
}

#[derive(Default)]
struct DefLists {
    type_params: Vec<Param>,
    params: Vec<Param>,
    returns: Vec<ExprId>,
    yields: Vec<ExprId>,
    supers: Vec<SuperRef>,
    decorators: Vec<ExprId>,
    values: Vec<ExprId>,
}

#[derive(Clone, Copy)]
struct PendingUse {
    expr: ExprId,
    scope: ScopeId,
    region: RegionId,
    at: u32,
    namespace: u8,
    /// True when the mention is looked at only after the file has run, unless the name is bound before.
    or_later: bool,
}

#[derive(Clone, Copy)]
enum Redirect {
    Global,
    Outer,
}

/// The collector.
pub struct FactsBuilder<'s> {
    source: &'s [u8],
    policy: &'static Policy,
    path: &'s str,
    facts: FileFacts,
    interned: FxHashMap<Box<str>, StrId>,
    line_starts: Vec<u32>,
    is_ascii: bool,
    def_lists: Vec<DefLists>,
    flow: Flow,
    flow_bindings: FxHashMap<(ScopeId, StrId), Vec<FlowBinding>>,
    redirects: FxHashMap<(ScopeId, StrId), Redirect>,
    uses: Vec<PendingUse>,
    scope: ScopeId,
    region: RegionId,
    owners: Vec<DefId>,
    open_groups: Vec<u32>,
    fields: FxHashMap<(DefId, StrId), DefId>,
    clock: u32,
    opaque: Option<ExprId>,
}

impl<'s> FactsBuilder<'s> {
    /// Starts the facts of the file at `path` with the text `source`.
    #[must_use]
    pub fn new(language: &str, path: &'s str, source: &'s [u8], policy: &'static Policy) -> Self {
        let mut line_starts = vec![0];
        line_starts.extend(
            source
                .iter()
                .enumerate()
                .filter(|(_, byte)| **byte == b'\n')
                .map(|(at, _)| u32::try_from(at).unwrap_or(u32::MAX) + 1),
        );
        let line_count = line_starts.len() - usize::from(source.is_empty() || source.ends_with(b"\n"));
        let facts = FileFacts {
            language: language.to_owned(),
            line_count: u32::try_from(line_count).unwrap_or(u32::MAX),
            parse_status: ParseStatus::Ok,
            problems: Vec::new(),
            flags: 0,
            strings: Strings::default(),
            scopes: vec![Scope {
                parent: None,
                kind: ScopeKind::File,
                owner: None,
            }],
            defs: Vec::new(),
            bindings: Vec::new(),
            bind_sets: Vec::new(),
            bind_list: Vec::new(),
            module_names: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            all_names: None,
            exprs: Vec::new(),
            types: Vec::new(),
            params: Vec::new(),
            supers: Vec::new(),
            args: Vec::new(),
            expr_list: Vec::new(),
            type_list: Vec::new(),
            refs: Vec::new(),
        };
        let mut flow = Flow::default();
        flow.regions.push(Region {
            parent: None,
            depth: 0,
            kind: RegionKind::Body,
            jump: None,
        });
        Self {
            source,
            policy,
            path,
            facts,
            interned: FxHashMap::default(),
            line_starts,
            is_ascii: source.is_ascii(),
            def_lists: Vec::new(),
            flow,
            flow_bindings: FxHashMap::default(),
            redirects: FxHashMap::default(),
            uses: Vec::new(),
            scope: ScopeId(0),
            region: RegionId(0),
            owners: Vec::new(),
            open_groups: Vec::new(),
            fields: FxHashMap::default(),
            clock: 0,
            opaque: None,
        }
    }

    // ---- text -------------------------------------------------------------------------------------------------------

    /// The file's path below the root.
    #[must_use]
    pub fn path(&self) -> &'s str {
        self.path
    }

    /// The file's bytes.
    #[must_use]
    pub fn source(&self) -> &'s [u8] {
        self.source
    }

    /// The text of a node; the empty string where it is not UTF-8.
    #[must_use]
    pub fn text(&self, node: tree_sitter::Node<'_>) -> &'s str {
        self.slice(node.start_byte(), node.end_byte())
    }

    /// The text between two bytes; the empty string where it is not UTF-8.
    #[must_use]
    pub fn slice(&self, start: usize, end: usize) -> &'s str {
        self.source
            .get(start..end)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or("")
    }

    /// Puts a string into the file's table.
    pub fn intern(&mut self, text: &str) -> StrId {
        if let Some(id) = self.interned.get(text) {
            return *id;
        }
        let strings = &mut self.facts.strings;
        let id = StrId(count(strings.ends.len()));
        strings.text.push_str(text);
        strings.ends.push(count(strings.text.len()));
        self.interned.insert(text.into(), id);
        id
    }

    /// The text of an interned string.
    #[must_use]
    pub fn interned_text(&self, id: StrId) -> &str {
        self.facts.strings.get(id)
    }

    /// The bytes of a node.
    #[must_use]
    pub fn span(&self, node: tree_sitter::Node<'_>) -> Span {
        Span {
            start: count(node.start_byte()),
            end: count(node.end_byte()),
        }
    }

    /// Line and column of a byte.
    #[must_use]
    pub fn position(&self, byte: usize) -> Position {
        let byte = byte.min(self.source.len());
        let line = self.line_starts.partition_point(|start| *start as usize <= byte) - 1;
        let start = self.line_starts[line] as usize;
        let column = if self.is_ascii {
            byte - start
        } else {
            String::from_utf8_lossy(&self.source[start..byte])
                .encode_utf16()
                .count()
        };
        Position {
            line: count(line) + 1,
            column: count(column) + 1,
        }
    }

    /// Line and column where a node starts; cheaper than [`FactsBuilder::position`].
    #[must_use]
    pub fn at(&self, node: tree_sitter::Node<'_>) -> Position {
        if self.is_ascii {
            let point = node.start_position();
            Position {
                line: count(point.row) + 1,
                column: count(point.column) + 1,
            }
        } else {
            self.position(node.start_byte())
        }
    }

    /// Sets the status and remembers a problem.
    pub fn problem(&mut self, status: ParseStatus, byte: usize, message: impl Into<String>) {
        self.facts.parse_status = self.facts.parse_status.max(status);
        if self.facts.problems.len() < FileFacts::MAX_PROBLEMS {
            let position = self.position(byte);
            self.facts.problems.push(Problem {
                position,
                message: message.into(),
            });
        }
    }

    /// Sets bits of [`FileFacts::flags`].
    pub fn set_flag(&mut self, flag: u32) {
        self.facts.flags |= flag;
    }

    // ---- scopes and regions -----------------------------------------------------------------------------------------

    /// The current scope.
    #[must_use]
    pub fn scope(&self) -> ScopeId {
        self.scope
    }

    /// A scope's kind.
    #[must_use]
    pub fn scope_kind(&self, scope: ScopeId) -> ScopeKind {
        self.facts.scopes[scope.ix()].kind
    }

    /// The scope around a scope.
    #[must_use]
    pub fn scope_parent(&self, scope: ScopeId) -> Option<ScopeId> {
        self.facts.scopes[scope.ix()].parent
    }

    /// The closest scope that is a function's, a namespace's, a class's or the file's: where `var` binds.
    #[must_use]
    pub fn function_scope(&self) -> ScopeId {
        let mut at = self.scope;
        loop {
            let scope = self.facts.scopes[at.ix()];
            match scope.kind {
                ScopeKind::Block | ScopeKind::Comprehension | ScopeKind::TypeParams => match scope.parent {
                    Some(parent) => at = parent,
                    None => return at,
                },
                ScopeKind::File | ScopeKind::Namespace | ScopeKind::Class | ScopeKind::Function => return at,
            }
        }
    }

    /// Opens a scope. A function's scope opens a region too, and with an owner it becomes the body of that definition,
    /// which owns what follows.
    pub fn enter_scope(&mut self, kind: ScopeKind, owner: Option<DefId>) -> ScopeId {
        let id = ScopeId(count(self.facts.scopes.len()));
        self.facts.scopes.push(Scope {
            parent: Some(self.scope),
            kind,
            owner,
        });
        self.scope = id;
        if kind == ScopeKind::Function {
            self.push_region(RegionKind::Body);
        }
        if let Some(def) = owner
            && kind != ScopeKind::TypeParams
        {
            self.facts.defs[def.ix()].body = Some(id);
            self.owners.push(def);
        }
        id
    }

    /// Closes the current scope.
    pub fn exit_scope(&mut self) {
        let scope = self.facts.scopes[self.scope.ix()];
        if scope.kind == ScopeKind::Function {
            self.pop_region();
        }
        if scope.owner.is_some() && scope.kind != ScopeKind::TypeParams {
            self.owners.pop();
        }
        if let Some(parent) = scope.parent {
            self.scope = parent;
        }
    }

    /// Opens a loop's body.
    pub fn enter_loop(&mut self) {
        self.push_region(RegionKind::Loop);
    }

    /// Closes a loop's body.
    pub fn exit_loop(&mut self) {
        self.pop_region();
    }

    /// Starts a branching: `if`, `match`, `switch`, `try`, a conditional expression.
    pub fn begin_branches(&mut self) {
        self.open_groups.push(count(self.flow.groups.len()));
        self.flow.groups.push(Group::default());
    }

    /// Opens an arm of the innermost branching. `is_try` marks the protected part of a `try`, which its handlers follow.
    pub fn enter_arm(&mut self, is_try: bool) {
        let group = self.open_groups.last().copied().unwrap_or_default();
        if let Some(state) = self.flow.groups.get_mut(group as usize) {
            state.arms += 1;
        }
        self.push_region(RegionKind::Arm { group, is_try });
    }

    /// Closes the arm.
    pub fn exit_arm(&mut self) {
        let region = self.flow.regions[self.region.ix()];
        if let (RegionKind::Arm { group, .. }, Some(_)) = (region.kind, region.jump)
            && let Some(state) = self.flow.groups.get_mut(group as usize)
        {
            state.exited_arms += 1;
        }
        self.pop_region();
    }

    /// Ends the innermost branching; `is_exhaustive` when one of its arms is always taken.
    pub fn end_branches(&mut self, is_exhaustive: bool) {
        if let Some(group) = self.open_groups.pop() {
            let state = &mut self.flow.groups[group as usize];
            state.is_exhaustive = is_exhaustive;
            if is_exhaustive && state.arms > 0 && state.arms == state.exited_arms {
                self.jump(Jump::Exit);
            }
        }
    }

    /// Notes that control leaves the current region here.
    pub fn jump(&mut self, jump: Jump) {
        let region = &mut self.flow.regions[self.region.ix()];
        if region.jump.is_none() {
            region.jump = Some(jump);
        }
    }

    fn push_region(&mut self, kind: RegionKind) {
        let depth = self.flow.regions[self.region.ix()].depth + 1;
        let id = RegionId(count(self.flow.regions.len()));
        self.flow.regions.push(Region {
            parent: Some(self.region),
            depth,
            kind,
            jump: None,
        });
        self.region = id;
    }

    fn pop_region(&mut self) {
        if let Some(parent) = self.flow.regions[self.region.ix()].parent {
            self.region = parent;
        }
    }

    // ---- definitions ------------------------------------------------------------------------------------------------

    /// The innermost definition whose body is open.
    #[must_use]
    pub fn owner(&self) -> Option<DefId> {
        self.owners.last().copied()
    }

    /// Makes `def` own what follows although no scope opens, such as the value of a variable that holds an object
    /// literal. Pair with [`FactsBuilder::pop_owner`].
    pub fn push_owner(&mut self, def: DefId) {
        self.owners.push(def);
    }

    /// Undoes [`FactsBuilder::push_owner`].
    pub fn pop_owner(&mut self) {
        self.owners.pop();
    }

    /// Adds a definition. It is not bound to its name; see [`FactsBuilder::bind`].
    pub fn add_def(&mut self, new: NewDef<'_>) -> DefId {
        let signature_end = new.body.map_or(new.node.end_byte(), |body| body.start_byte());
        let signature = collapse(self.slice(new.node.start_byte(), signature_end.max(new.node.start_byte())));
        let def = Def {
            name: self.intern(new.name),
            kind: new.kind,
            flags: new.flags,
            parent: new.parent.or_else(|| self.owner()),
            body: None,
            span: self.span(new.node),
            name_span: self.span(new.name_node),
            start: self.at(new.node),
            end: if self.is_ascii {
                let point = new.node.end_position();
                Position {
                    line: count(point.row) + 1,
                    column: count(point.column) + 1,
                }
            } else {
                self.position(new.node.end_byte())
            },
            name_at: self.at(new.name_node),
            signature: self.intern(&signature),
            doc: None,
            type_params: Run::default(),
            params: Run::default(),
            ret_hint: None,
            returns: Run::default(),
            yields: Run::default(),
            supers: Run::default(),
            decorators: Run::default(),
            hint: None,
            values: Run::default(),
            context: None,
            metrics: Metrics::default(),
        };
        let id = DefId(count(self.facts.defs.len()));
        self.facts.defs.push(def);
        self.def_lists.push(DefLists::default());
        id
    }

    /// A definition, to be read or completed (flags, hints, doc, metrics; not the runs, which `finish` fills).
    pub fn def_mut(&mut self, def: DefId) -> &mut Def {
        &mut self.facts.defs[def.ix()]
    }

    /// A definition.
    #[must_use]
    pub fn def(&self, def: DefId) -> &Def {
        &self.facts.defs[def.ix()]
    }

    /// Number of definitions so far.
    #[must_use]
    pub fn def_count(&self) -> usize {
        self.facts.defs.len()
    }

    /// Replaces a definition's signature.
    pub fn set_signature(&mut self, def: DefId, text: &str) {
        let collapsed = collapse(text);
        self.facts.defs[def.ix()].signature = self.intern(&collapsed);
    }

    /// Sets a definition's documentation.
    pub fn set_doc(&mut self, def: DefId, doc: &str) {
        if !doc.is_empty() {
            let doc = self.intern(doc);
            self.facts.defs[def.ix()].doc = Some(doc);
        }
    }

    /// Adds a parameter; the result is its index.
    pub fn add_param(&mut self, def: DefId, param: Param) -> u32 {
        let params = &mut self.def_lists[def.ix()].params;
        params.push(param);
        count(params.len()) - 1
    }

    /// Sets the declared type of a parameter that was added before.
    pub fn set_param_hint(&mut self, def: DefId, index: u32, hint: TypeId) {
        if let Some(param) = self.def_lists[def.ix()].params.get_mut(index as usize) {
            param.hint = Some(hint);
        }
    }

    /// Adds a type parameter; the result is its index.
    pub fn add_type_param(&mut self, def: DefId, param: Param) -> u32 {
        let params = &mut self.def_lists[def.ix()].type_params;
        params.push(param);
        count(params.len()) - 1
    }

    /// Adds a returned expression.
    pub fn add_return(&mut self, def: DefId, value: ExprId) {
        self.def_lists[def.ix()].returns.push(value);
    }

    /// Adds a yielded expression.
    pub fn add_yield(&mut self, def: DefId, value: ExprId) {
        self.def_lists[def.ix()].yields.push(value);
    }

    /// Adds a base class or interface.
    pub fn add_super(&mut self, def: DefId, super_ref: SuperRef) {
        self.def_lists[def.ix()].supers.push(super_ref);
    }

    /// Adds a decorator: the expression after `@`, its call included.
    pub fn add_decorator(&mut self, def: DefId, decorator: ExprId) {
        self.def_lists[def.ix()].decorators.push(decorator);
    }

    /// Adds an assigned value of a variable, field or property.
    pub fn add_value(&mut self, def: DefId, value: ExprId) {
        self.def_lists[def.ix()].values.push(value);
    }

    /// The field `new.name` of `class` (a class, object literal or constructor function): added at its first mention,
    /// found again at later ones. A member that is there under the same name (a method, a declared property) is
    /// returned instead. Value and hint are added to it when it is a field or property.
    pub fn field(&mut self, class: DefId, new: NewDef<'_>, value: Option<ExprId>, hint: Option<TypeId>) -> DefId {
        let name = self.intern(new.name);
        let def = match self.fields.get(&(class, name)) {
            Some(def) => *def,
            None => {
                let def = self.add_def(NewDef {
                    parent: Some(class),
                    ..new
                });
                self.fields.insert((class, name), def);
                def
            }
        };
        let is_data = matches!(
            self.facts.defs[def.ix()].kind,
            NodeKind::Field | NodeKind::Property | NodeKind::Constant | NodeKind::Variable
        ) && !self.facts.defs[def.ix()].flags.has(DefFlags::GETTER);
        if is_data {
            if let Some(value) = value {
                self.add_value(def, value);
            }
            let slot = &mut self.facts.defs[def.ix()].hint;
            if slot.is_none() {
                *slot = hint;
            }
        }
        def
    }

    /// Makes a member known to [`FactsBuilder::field`], so that `self.x = …` in a method does not define it again.
    pub fn note_member(&mut self, class: DefId, member: DefId) {
        let name = self.facts.defs[member.ix()].name;
        self.fields.insert((class, name), member);
    }

    // ---- expressions and types ----------------------------------------------------------------------------------------

    /// A mention of a name as a value, here and now.
    pub fn name(&mut self, name: &str) -> ExprId {
        self.name_in(name, VALUE)
    }

    /// A mention of a name in the given namespaces.
    pub fn name_in(&mut self, name: &str, namespace: u8) -> ExprId {
        self.mention(name, namespace, false)
    }

    /// A mention that nobody may look at before the whole file has run, such as an annotation: it means what the name
    /// is bound to here, or else what it is bound to when its scope has run to its end.
    pub fn name_or_later(&mut self, name: &str, namespace: u8) -> ExprId {
        self.mention(name, namespace, true)
    }

    fn mention(&mut self, name: &str, namespace: u8, or_later: bool) -> ExprId {
        let name = self.intern(name);
        let expr = self.push_expr(Expr::Free(name));
        self.clock += 1;
        let (scope, region, at) = (self.scope, self.region, self.clock);
        self.uses.push(PendingUse {
            expr,
            scope,
            region,
            at,
            namespace,
            or_later,
        });
        expr
    }

    /// Adds an expression shape. Names are added by [`FactsBuilder::name`].
    pub fn expr(&mut self, expr: Expr) -> ExprId {
        if expr == Expr::Opaque {
            if let Some(id) = self.opaque {
                return id;
            }
            let id = self.push_expr(expr);
            self.opaque = Some(id);
            return id;
        }
        self.push_expr(expr)
    }

    /// The shape behind an id (names are [`Expr::Free`] until `finish`).
    #[must_use]
    pub fn expr_at(&self, id: ExprId) -> Expr {
        self.facts.exprs[id.ix()]
    }

    fn push_expr(&mut self, expr: Expr) -> ExprId {
        let id = ExprId(count(self.facts.exprs.len()));
        self.facts.exprs.push(expr);
        id
    }

    /// Adds a list of expressions.
    pub fn expr_run(&mut self, exprs: &[ExprId]) -> Run {
        let run = Run {
            start: count(self.facts.expr_list.len()),
            len: count(exprs.len()),
        };
        self.facts.expr_list.extend_from_slice(exprs);
        run
    }

    /// Adds a list of arguments.
    pub fn arg_run(&mut self, args: &[Arg]) -> Run {
        let run = Run {
            start: count(self.facts.args.len()),
            len: count(args.len()),
        };
        self.facts.args.extend_from_slice(args);
        run
    }

    /// Adds a type.
    pub fn ty(&mut self, ty: TypeExpr) -> TypeId {
        let id = TypeId(count(self.facts.types.len()));
        self.facts.types.push(ty);
        id
    }

    /// The type behind an id.
    #[must_use]
    pub fn type_at(&self, id: TypeId) -> TypeExpr {
        self.facts.types[id.ix()]
    }

    /// Adds a list of types.
    pub fn type_run(&mut self, types: &[TypeId]) -> Run {
        let run = Run {
            start: count(self.facts.type_list.len()),
            len: count(types.len()),
        };
        self.facts.type_list.extend_from_slice(types);
        run
    }

    // ---- names ------------------------------------------------------------------------------------------------------

    /// Binds a name from here on.
    pub fn bind(&mut self, name: &str, new: NewBinding) -> BindId {
        let name = self.intern(name);
        let mut scope = new.scope.unwrap_or(self.scope);
        if let Some(redirect) = self.redirects.get(&(scope, name)) {
            scope = match redirect {
                Redirect::Global => ScopeId(0),
                Redirect::Outer => self.outer_scope_with(scope, name),
            };
        }
        let bind = BindId(count(self.facts.bindings.len()));
        self.clock += 1;
        let entry = self.flow_bindings.entry((scope, name)).or_default();
        let mut hint = new.hint;
        if hint.is_none() && matches!(new.source, BindSource::Value(_) | BindSource::Opaque) {
            hint = entry.iter().find_map(|it| {
                let declared = &self.facts.bindings[it.bind.ix()];
                if declared.is_narrowing { None } else { declared.hint }
            });
        }
        entry.push(FlowBinding {
            bind,
            region: self.region,
            at: self.clock,
            namespace: new.namespace,
            is_narrowing: new.is_narrowing,
            is_def: matches!(new.source, BindSource::Def(_)),
        });
        self.facts.bindings.push(Binding {
            name,
            scope,
            source: new.source,
            hint,
            def: new.def,
            is_narrowing: new.is_narrowing,
        });
        bind
    }

    /// `global name`: in the current function, the name is the file's.
    pub fn declare_global(&mut self, name: &str) {
        let name = self.intern(name);
        self.redirects.insert((self.scope, name), Redirect::Global);
    }

    /// `nonlocal name`: in the current function, the name is an enclosing function's.
    pub fn declare_outer(&mut self, name: &str) {
        let name = self.intern(name);
        self.redirects.insert((self.scope, name), Redirect::Outer);
    }

    fn outer_scope_with(&self, scope: ScopeId, name: StrId) -> ScopeId {
        let mut at = self.facts.scopes[scope.ix()].parent;
        while let Some(id) = at {
            if self.facts.scopes[id.ix()].kind == ScopeKind::Function && self.flow_bindings.contains_key(&(id, name)) {
                return id;
            }
            at = self.facts.scopes[id.ix()].parent;
        }
        scope
    }

    /// What a name of the current scope (not of outer ones) is bound to so far, last binding first.
    #[must_use]
    pub fn bound_here(&mut self, name: &str) -> Option<BindSource> {
        let name = self.intern(name);
        let list = self.flow_bindings.get(&(self.scope, name))?;
        list.last().map(|it| self.facts.bindings[it.bind.ix()].source)
    }

    /// The definition that a name stands for so far, looking outwards from the current scope.
    #[must_use]
    pub fn def_named(&mut self, name: &str) -> Option<DefId> {
        let name = self.intern(name);
        let mut at = Some(self.scope);
        while let Some(scope) = at {
            if let Some(list) = self.flow_bindings.get(&(scope, name)) {
                let binding = self.facts.bindings[list.last()?.bind.ix()];
                return match binding.source {
                    BindSource::Def(def) => Some(def),
                    BindSource::Import(_)
                    | BindSource::Param(..)
                    | BindSource::TypeParam(..)
                    | BindSource::Value(_)
                    | BindSource::Typed
                    | BindSource::Opaque => binding.def,
                };
            }
            at = self.facts.scopes[scope.ix()].parent;
        }
        None
    }

    /// Adds an import.
    pub fn add_import(&mut self, import: Import) -> ImportId {
        let id = ImportId(count(self.facts.imports.len()));
        self.facts.imports.push(import);
        id
    }

    /// Adds an export; the result is its index.
    pub fn add_export(&mut self, export: Export) -> u32 {
        self.facts.exports.push(export);
        count(self.facts.exports.len()) - 1
    }

    /// Sets the list of public names.
    pub fn set_all_names(&mut self, all: AllNames) {
        self.facts.all_names = Some(all);
    }

    /// The list of public names so far.
    pub fn all_names_mut(&mut self) -> Option<&mut AllNames> {
        self.facts.all_names.as_mut()
    }

    /// Adds a reference, owned by the innermost open definition.
    pub fn add_ref(&mut self, kind: RefKind, target: RefTarget, name_node: tree_sitter::Node<'_>, flags: u8) {
        let text = self.text(name_node);
        self.add_ref_named(kind, target, text, name_node, flags);
    }

    /// Adds a reference whose name is not the token's text.
    pub fn add_ref_named(
        &mut self,
        kind: RefKind,
        target: RefTarget,
        name: &str,
        name_node: tree_sitter::Node<'_>,
        flags: u8,
    ) {
        let (span, at) = (self.span(name_node), self.at(name_node));
        self.push_ref(kind, target, name, span, at, flags);
    }

    /// Adds a reference whose name has no node of its own, such as a type inside a string; `start` is the byte at which
    /// `name` stands.
    pub fn add_ref_at(&mut self, kind: RefKind, target: RefTarget, name: &str, start: usize, flags: u8) {
        let span = Span {
            start: count(start),
            end: count(start + name.len()),
        };
        self.push_ref(kind, target, name, span, self.position(start), flags);
    }

    fn push_ref(&mut self, kind: RefKind, target: RefTarget, name: &str, span: Span, at: Position, flags: u8) {
        let name = self.intern(name);
        self.facts.refs.push(Reference {
            kind,
            target,
            name,
            owner: self.owner(),
            span,
            at,
            flags,
        });
    }

    // ---- the end ------------------------------------------------------------------------------------------------------

    /// Binds all mentions and returns the facts.
    #[must_use]
    pub fn finish(mut self) -> FileFacts {
        let mut sets = SetTable {
            by_bind: vec![None; self.facts.bindings.len()],
            by_list: FxHashMap::default(),
        };
        let uses = std::mem::take(&mut self.uses);
        let mut reached = Vec::new();
        for pending in &uses {
            let Expr::Free(name) = self.facts.exprs[pending.expr.ix()] else {
                continue;
            };
            let mut is_bound = self.bindings_of(pending, name, &mut reached);
            if pending.or_later && reached.is_empty() {
                is_bound = self.bindings_of(
                    &PendingUse {
                        at: u32::MAX,
                        ..*pending
                    },
                    name,
                    &mut reached,
                );
            }
            if is_bound {
                let set = sets.intern(&mut self.facts, &reached);
                self.facts.exprs[pending.expr.ix()] = Expr::Local(name, set);
            }
        }
        self.bind_module_names(&mut sets);
        self.flatten_lists();
        self.facts
            .refs
            .sort_by_key(|reference| (reference.span.start, reference.span.end, reference.kind));
        self.facts
    }

    /// Finds the scope that binds the name and what of it reaches the use. False: no scope binds it.
    fn bindings_of(&self, pending: &PendingUse, name: StrId, out: &mut Vec<BindId>) -> bool {
        out.clear();
        let mut crossed_function = false;
        let mut at = Some(pending.scope);
        while let Some(id) = at {
            let scope = self.facts.scopes[id.ix()];
            at = scope.parent;
            let is_hidden = scope.kind == ScopeKind::Class && self.policy.class_scope_is_private && crossed_function;
            let mut target = id;
            let mut is_elsewhere = crossed_function;
            if let Some(redirect) = self.redirects.get(&(id, name)) {
                target = match redirect {
                    Redirect::Global => ScopeId(0),
                    Redirect::Outer => self.outer_scope_with(id, name),
                };
                is_elsewhere = true;
            }
            if !is_hidden && let Some(list) = self.flow_bindings.get(&(target, name)) {
                self.reach(list, pending, is_elsewhere, out);
                if !out.is_empty() {
                    return true;
                }
                let has_namespace = list
                    .iter()
                    .any(|it| it.namespace & pending.namespace != 0 && !it.is_narrowing);
                if has_namespace {
                    if self.policy.is_hoisted || is_elsewhere {
                        self.all_of(list, pending.namespace, out);
                        return true;
                    }
                    if matches!(scope.kind, ScopeKind::Function | ScopeKind::Comprehension) {
                        return true;
                    }
                }
            }
            if matches!(scope.kind, ScopeKind::Function | ScopeKind::Comprehension) && scope.kind == ScopeKind::Function
            {
                crossed_function = true;
            }
        }
        false
    }

    fn reach(&self, list: &[FlowBinding], pending: &PendingUse, is_elsewhere: bool, out: &mut Vec<BindId>) {
        if let [only] = list
            && is_elsewhere
            && only.namespace & pending.namespace != 0
            && !only.is_narrowing
        {
            out.push(only.bind);
            return;
        }
        if is_elsewhere {
            self.reach_end(list, pending.namespace, out);
        } else {
            self.flow.reaching(
                list,
                pending.region,
                pending.at,
                pending.namespace,
                self.policy.is_hoisted,
                out,
            );
        }
    }

    /// What of a scope's bindings is there when the scope has run to its end: what functions inside it see.
    fn reach_end(&self, list: &[FlowBinding], namespace: u8, out: &mut Vec<BindId>) {
        let Some(first) = list.iter().min_by_key(|it| self.flow.regions[it.region.ix()].depth) else {
            return;
        };
        let mut body = first.region;
        while self.flow.regions[body.ix()].kind != RegionKind::Body {
            match self.flow.regions[body.ix()].parent {
                Some(parent) => body = parent,
                None => break,
            }
        }
        self.flow
            .reaching(list, body, u32::MAX, namespace, self.policy.is_hoisted, out);
    }

    fn all_of(&self, list: &[FlowBinding], namespace: u8, out: &mut Vec<BindId>) {
        out.extend(
            list.iter()
                .filter(|it| it.namespace & namespace != 0 && !it.is_narrowing)
                .map(|it| it.bind),
        );
        out.sort();
        out.dedup();
    }

    fn bind_module_names(&mut self, sets: &mut SetTable) {
        let mut names: Vec<StrId> = self
            .flow_bindings
            .keys()
            .filter(|(scope, _)| scope.0 == 0)
            .map(|(_, name)| *name)
            .collect();
        names.sort();
        for name in names {
            let list = &self.flow_bindings[&(ScopeId(0), name)];
            let mut reached = Vec::new();
            let mut types = Vec::new();
            self.reach_end(list, VALUE, &mut reached);
            self.reach_end(list, TYPE, &mut types);
            reached.append(&mut types);
            if reached.is_empty() {
                self.all_of(list, VALUE | TYPE, &mut reached);
            }
            reached.sort();
            reached.dedup();
            let set = sets.intern(&mut self.facts, &reached);
            self.facts.module_names.push((name, set));
        }
    }

    fn flatten_lists(&mut self) {
        let lists = std::mem::take(&mut self.def_lists);
        let facts = &mut self.facts;
        for (def, lists) in facts.defs.iter_mut().zip(lists) {
            def.type_params = append(&mut facts.params, lists.type_params);
            def.params = append(&mut facts.params, lists.params);
            def.returns = append(&mut facts.expr_list, lists.returns);
            def.yields = append(&mut facts.expr_list, lists.yields);
            def.decorators = append(&mut facts.expr_list, lists.decorators);
            def.values = append(&mut facts.expr_list, lists.values);
            def.supers = append(&mut facts.supers, lists.supers);
        }
    }

    /// Exports a name as it is bound at the end of the current scope: `export { local as exported }`. Returns the
    /// export's index and the mention of the name.
    pub fn export_local(&mut self, exported: &str, local: &str, is_type_only: bool, at: Position) -> (u32, ExprId) {
        let (scope, region) = (self.scope, self.region);
        let name = self.intern(local);
        let expr = self.push_expr(Expr::Free(name));
        self.uses.push(PendingUse {
            expr,
            scope,
            region,
            at: u32::MAX,
            namespace: VALUE | TYPE,
            or_later: false,
        });
        let exported = self.intern(exported);
        let index = self.add_export(Export {
            name: exported,
            source: strata_model::facts::ExportSource::Value(expr),
            is_type_only,
            at,
        });
        (index, expr)
    }
}

struct SetTable {
    by_bind: Vec<Option<BindSetId>>,
    by_list: FxHashMap<Vec<BindId>, BindSetId>,
}

impl SetTable {
    fn intern(&mut self, facts: &mut FileFacts, list: &[BindId]) -> BindSetId {
        if let [only] = list
            && let Some(set) = self.by_bind[only.ix()]
        {
            return set;
        }
        if list.len() != 1
            && let Some(set) = self.by_list.get(list)
        {
            return *set;
        }
        let set = BindSetId(count(facts.bind_sets.len()));
        facts.bind_sets.push(append(&mut facts.bind_list, list.to_vec()));
        match list {
            [only] => self.by_bind[only.ix()] = Some(set),
            _ => {
                self.by_list.insert(list.to_vec(), set);
            }
        }
        set
    }
}

fn append<T>(list: &mut Vec<T>, items: Vec<T>) -> Run {
    let run = Run {
        start: count(list.len()),
        len: count(items.len()),
    };
    list.extend(items);
    run
}

/// Sizes within a file fit in 32 bits: files are limited far below 4 GiB.
fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// White space collapsed, cut to the longest signature.
fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(MAX_SIGNATURE));
    let mut n_chars = 0;
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
            n_chars += 1;
        }
        for character in word.chars() {
            if n_chars == MAX_SIGNATURE {
                out.push('…');
                return out;
            }
            out.push(character);
            n_chars += 1;
        }
    }
    out
}
