//! Collects the facts of one file during the walk over its tree, and binds names when the walk is over.
//!
//! The extractor visits the tree in the order of execution as far as the text shows it: values before the names they are
//! assigned to, decorators and defaults before the function. It opens scopes and regions as it goes down, binds names,
//! and mentions names by [`FactsBuilder::name`]; which bindings such a mention can mean is settled in
//! [`FactsBuilder::finish`], when every binding is known.

mod defs;
mod exprs;
mod finish;
mod flows;
mod names;
mod regions;
mod text;

use std::cell::Cell;

use rustc_hash::FxHashMap;
use strata_model::facts::{BindSource, DefFlags, FileFacts, FlowFacts, Param, Scope, ScopeKind, Strings, SuperRef};
use strata_model::ids::{DefId, ExprId, RegionId, Run, ScopeId, StrId, TypeId};
use strata_model::kinds::{NodeKind, ParseStatus};

use crate::embedded::Embedded;
use crate::flow::{Flow, FlowBinding, Region, RegionKind};
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

/// A file that holds code inside something else.
#[derive(Clone, Copy)]
struct Around<'s> {
    embedded: &'s Embedded,
    file: &'s [u8],
}

/// The collector.
pub struct FactsBuilder<'s> {
    source: &'s [u8],
    policy: &'static Policy,
    path: &'s str,
    facts: FileFacts,
    interned: FxHashMap<Box<str>, StrId>,
    /// What the code stands in, where that is not the code itself.
    around: Option<Around<'s>>,
    /// Of the file.
    line_starts: Vec<u32>,
    /// True when the file is.
    is_ascii: bool,
    /// True when line and column of a node in the tree are those in the file.
    is_direct: bool,
    /// Line, byte and column that were worked out last, for lines that are long.
    last_column: Cell<(usize, usize, usize)>,
    def_lists: Vec<DefLists>,
    flow: Flow,
    flow_bindings: FxHashMap<(ScopeId, StrId), Vec<FlowBinding>>,
    redirects: FxHashMap<(ScopeId, StrId), Redirect>,
    uses: Vec<PendingUse>,
    scope: ScopeId,
    region: RegionId,
    owners: Vec<DefId>,
    open_groups: Vec<u32>,
    /// By class, name, and whether it belongs to the class itself.
    fields: FxHashMap<(DefId, StrId, bool), DefId>,
    clock: u32,
    opaque: Option<ExprId>,
}

impl<'s> FactsBuilder<'s> {
    /// Starts the facts of the file at `path` with the text `source`.
    #[must_use]
    pub fn new(language: &str, path: &'s str, source: &'s [u8], policy: &'static Policy) -> Self {
        Self::over(language, path, source, None, policy)
    }

    /// Starts the facts of a file that holds code inside something else. What the extractor says of the code is noted
    /// for the places in the file.
    #[must_use]
    pub fn inside(
        language: &str,
        path: &'s str,
        file: &'s [u8],
        embedded: &'s Embedded,
        policy: &'static Policy,
    ) -> Self {
        let around = Around { embedded, file };
        let mut builder = Self::over(language, path, &embedded.text, Some(around), policy);
        for (status, byte, message) in &embedded.problems {
            let position = builder.position_in_file(*byte);
            builder.problem_at(*status, position, message.clone());
        }
        builder
    }

    fn over(
        language: &str,
        path: &'s str,
        source: &'s [u8],
        around: Option<Around<'s>>,
        policy: &'static Policy,
    ) -> Self {
        let file = around.map_or(source, |around| around.file);
        let mut line_starts = vec![0];
        line_starts.extend(
            file.iter()
                .enumerate()
                .filter(|(_, byte)| **byte == b'\n')
                .map(|(at, _)| u32::try_from(at).unwrap_or(u32::MAX) + 1),
        );
        let line_count = line_starts.len() - usize::from(file.is_empty() || file.ends_with(b"\n"));
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
            flow: FlowFacts::default(),
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
            around,
            is_ascii: file.is_ascii(),
            is_direct: around.is_none() && file.is_ascii(),
            last_column: Cell::default(),
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
