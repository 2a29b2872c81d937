//! `code_intelligence`: the indexed graph, one operation a question.

use std::fmt::Write as _;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strata_engine::{Dispatch, EngineError, Freshness, ReferenceSite, Relation, Symbol, View, is_of_kind};
use strata_model::ids::Position;
use strata_model::kinds::NodeKind;

use crate::cursor::fingerprint;
use crate::error::{ErrorCode, ToolError};
use crate::fit::{Detail, Window};
use crate::records::shown_signature;
use crate::tool::{Body, Call, Outcome, Reply, Tool};
use crate::words::{Word, Words};

/// Entries unless something else is asked for, and most of them.
const MAX_LIMIT: u32 = 50;

pub(crate) struct CodeIntelligence;

#[derive(Debug, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// What to ask
    #[arg(long)]
    operation: Word<Operation>,
    /// For findSymbol and findSymbolByPrefix
    #[arg(long)]
    name: Option<String>,
    /// For symbolsInFile
    #[arg(long)]
    file: Option<String>,
    /// Symbol, for the other operations
    #[arg(id = "symbolID", long = "symbol-id")]
    #[serde(rename = "symbolID")]
    symbol_id: Option<String>,
    /// Only this kind: function, method, class, interface, type, variable, constant, module or enum
    #[arg(long)]
    #[schemars(with = "Option<String>")]
    kind: Option<Word<Kind>>,
    /// Most entries (50)
    #[arg(long)]
    limit: Option<u32>,
    /// How fresh (preferGraph)
    #[arg(long)]
    freshness: Option<Word<Fresh>>,
    // What follows belongs to buildContext and is listed when that exists.
    #[arg(long, hide = true)]
    #[schemars(skip)]
    query: Option<String>,
    #[arg(skip)]
    #[schemars(skip)]
    #[serde(default)]
    #[expect(
        dead_code,
        reason = "accepted, so that the refusal names what is missing and not the argument"
    )]
    seeds: Option<serde_json::Value>,
    #[arg(long, hide = true)]
    #[schemars(skip)]
    #[serde(rename = "maxSymbols")]
    max_symbols: Option<u32>,
    #[arg(long, hide = true)]
    #[schemars(skip)]
    #[serde(rename = "maxSnippets")]
    max_snippets: Option<u32>,
    #[arg(long, hide = true)]
    #[schemars(skip)]
    #[serde(rename = "maxDepth")]
    max_depth: Option<u32>,
    #[arg(long, hide = true)]
    #[schemars(skip)]
    #[serde(rename = "includeImpact")]
    include_impact: Option<bool>,
}

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    FindSymbol,
    FindSymbolByPrefix,
    SymbolsInFile,
    FindReferences,
    FindCallers,
    FindCallees,
    BuildContext,
}

impl Words for Operation {
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("findSymbol", Self::FindSymbol),
            ("findSymbolByPrefix", Self::FindSymbolByPrefix),
            ("symbolsInFile", Self::SymbolsInFile),
            ("findReferences", Self::FindReferences),
            ("findCallers", Self::FindCallers),
            ("findCallees", Self::FindCallees),
            ("buildContext", Self::BuildContext),
        ]
    }
}

/// A kind as this tool names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind(&'static str);

impl Words for Kind {
    fn all() -> Vec<(&'static str, Self)> {
        let words = [
            "function",
            "method",
            "class",
            "interface",
            "type",
            "variable",
            "constant",
            "module",
            "parameter",
            "enum",
        ];
        words.into_iter().map(|word| (word, Self(word))).collect()
    }
}

/// How fresh the answer has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fresh {
    PreferGraph,
    RequireFresh,
    AllowStaleWithWarning,
}

impl Words for Fresh {
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("preferGraph", Self::PreferGraph),
            ("requireFresh", Self::RequireFresh),
            ("allowStaleWithWarning", Self::AllowStaleWithWarning),
        ]
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    /// Number of entries
    count: usize,
    /// True when something was left out
    truncated: bool,
    /// Symbols, for findSymbol, findSymbolByPrefix and symbolsInFile
    #[serde(skip_serializing_if = "Option::is_none")]
    symbols: Option<Vec<SymbolOut>>,
    /// Uses that are no calls, for findReferences
    #[serde(skip_serializing_if = "Option::is_none")]
    references: Option<Vec<ReferenceOut>>,
    /// Who calls it, for findCallers
    #[serde(skip_serializing_if = "Option::is_none")]
    callers: Option<Vec<LinkOut>>,
    /// What it calls, for findCallees
    #[serde(skip_serializing_if = "Option::is_none")]
    callees: Option<Vec<LinkOut>>,
    /// Where the answer comes from; its data is the list beside it
    envelope: Envelope,
}

/// Where an answer comes from.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    /// Always `graph`
    source: &'static str,
    /// `full` or `empty`
    completeness: &'static str,
    /// When the index was last written, in milliseconds since 1970
    timestamp: i64,
    /// Language servers that took part: none
    #[serde(rename = "serverIDs")]
    server_ids: Vec<String>,
    /// True when files differ from the index
    #[serde(skip_serializing_if = "Option::is_none")]
    degraded: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SymbolOut {
    /// The same as qualifiedName
    id: String,
    /// Kind
    kind: &'static str,
    /// Name
    name: String,
    /// Qualified name
    qualified_name: String,
    /// Path of the file
    file: String,
    /// The whole construct
    range: RangeOut,
    /// Signature
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// public or private
    visibility: &'static str,
    /// Provenance
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Explain>,
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
struct RangeOut {
    start: PositionOut,
    end: PositionOut,
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
struct PositionOut {
    line: u32,
    character: u32,
}

#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Explain {
    /// Always `code-graph`
    source: &'static str,
    /// When the index was last written, in milliseconds since 1970
    indexed_at: i64,
    /// `full`, or `partial` when the file has syntax errors
    completeness: &'static str,
    /// Same for the same question to the same index
    query_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ReferenceOut {
    /// Path of the file
    source_file: String,
    /// The name in the text
    range: RangeOut,
    /// Kind of the use
    edge_kind: &'static str,
    /// Provenance
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Explain>,
}

#[derive(Serialize, JsonSchema)]
struct LinkOut {
    /// The symbol
    symbol: SymbolOut,
    /// Always 1
    depth: u32,
    /// Number of calls; of places, where it is registered
    call_count: u32,
    /// How they were resolved
    how: &'static str,
    /// How sure that is, from 0 to 1
    confidence: f64,
    /// Only where nothing was measured and the confidence is a prior: false
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<bool>,
    /// `via-dispatch`: it calls a member that the symbol overrides; `registers`: no call, it hands a framework the one that
    /// is called
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'static str>,
    /// The member that it calls, with that label
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<String>,
    /// What may run instead, for findCallees
    #[serde(skip_serializing_if = "Option::is_none")]
    dispatch: Option<DispatchOut>,
}

/// What may run instead of a member that is called.
#[derive(Serialize, JsonSchema)]
pub(crate) struct DispatchOut {
    /// Number of members, listed or not
    count: usize,
    /// `sole-impl`: the only implementation of a member that has none of its own
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'static str>,
    /// Of classes that the root makes instances of
    #[serde(skip_serializing_if = "Vec::is_empty")]
    targets: Vec<String>,
    /// Of classes that nothing in the root makes an instance of
    #[serde(skip_serializing_if = "Vec::is_empty")]
    maybe: Vec<String>,
    /// Of classes that have the interface's members without naming it
    #[serde(skip_serializing_if = "Vec::is_empty")]
    structural: Vec<String>,
}

impl DispatchOut {
    pub(crate) fn of(dispatch: &Dispatch, detail: Detail) -> Option<Self> {
        let listed = |certainty| {
            if detail > Detail::Name {
                dispatch.listed(certainty)
            } else {
                Vec::new()
            }
        };
        let out = Self {
            count: dispatch.candidates.len(),
            label: dispatch.is_sole.then_some("sole-impl"),
            targets: listed("made"),
            maybe: listed("maybe"),
            structural: listed("structural"),
        };
        (out.count > 0).then_some(out)
    }
}

/// A symbol that calls or is called.
struct Link {
    relation: Relation,
    /// Whether its file parsed without errors.
    is_complete: bool,
    /// The declared member that a caller calls instead.
    via: Option<String>,
    /// True where nothing is called: a framework is handed what it will call.
    is_registration: bool,
    dispatch: Dispatch,
}

enum List {
    /// Symbols, and whether their file parsed without errors.
    Symbols(Vec<(Symbol, bool)>),
    References(Vec<ReferenceSite>),
    Callers(Vec<Link>),
    Callees(Vec<Link>),
}

impl List {
    const fn len(&self) -> usize {
        match self {
            Self::Symbols(list) => list.len(),
            Self::References(list) => list.len(),
            Self::Callers(list) | Self::Callees(list) => list.len(),
        }
    }

    fn truncate(&mut self, limit: usize) {
        match self {
            Self::Symbols(list) => list.truncate(limit),
            Self::References(list) => list.truncate(limit),
            Self::Callers(list) | Self::Callees(list) => list.truncate(limit),
        }
    }
}

pub(crate) struct GraphAnswer {
    list: List,
    total: usize,
    empty: String,
    envelope: Envelope,
    query_id: String,
}

impl Tool for CodeIntelligence {
    const NAME: &'static str = "code_intelligence";
    const VERB: &'static str = "code-intelligence";
    const TITLE: &'static str = "Code intelligence";
    const DESCRIPTION: &'static str = "Use instead of grep to find callers, callees and references: same-named functions are not mixed up. \
        Also finds symbols by exact name or prefix and lists those of a file.";
    const PRIMARY: Option<&'static str> = Some("operation");
    const EXAMPLE: &'static str = r#"{ "operation": "findCallers", "symbolID": "UserService.create" }"#;

    type Params = Params;
    type Body = GraphAnswer;

    fn run(call: &Call<'_>, params: Params) -> Result<Reply<GraphAnswer>, ToolError> {
        let engine = call.engine()?;
        if !engine.settings().gates.code_intelligence {
            let message = "code_intelligence is switched off by STRATIGRAPH_EXPERIMENTAL_CODE_INTELLIGENCE";
            return Err(ToolError::new(ErrorCode::BackendFailed, message));
        }
        let operation = params.operation.0;
        if operation == Operation::BuildContext {
            return Err(ToolError {
                next: Some("get_context with the same query".to_owned()),
                ..ToolError::new(ErrorCode::BackendFailed, "buildContext is not part of this version")
            });
        }
        let subject = subject(&params)?.to_owned();
        let asked = params.limit.unwrap_or(MAX_LIMIT);
        let limit = asked.clamp(1, MAX_LIMIT);
        let kind = params.kind.map(|kind| kind.0.0);
        let freshness = match params.freshness.map_or(Fresh::PreferGraph, |fresh| fresh.0) {
            Fresh::PreferGraph => Freshness::Prefer,
            Fresh::RequireFresh => Freshness::Require,
            Fresh::AllowStaleWithWarning => Freshness::AllowStale,
        };
        let subject = if operation == Operation::SymbolsInFile {
            call.path(&subject, &engine)
        } else {
            subject
        };
        engine.ask(freshness, &call.control, |view| {
            let (mut list, empty) = ask(view, operation, &subject, kind)?;
            let total = list.len();
            list.truncate(limit as usize);
            if let List::Callees(links) = &mut list {
                let caller = view.select(&subject)?;
                for link in links.iter_mut().filter(|link| !link.is_registration) {
                    link.dispatch = view.dispatch(&caller, &link.relation.symbol)?;
                }
            }
            let state = view.state();
            let is_degraded = state.dirty_count > 0 || state.index_id.is_empty();
            let envelope = Envelope {
                source: "graph",
                completeness: if total == 0 { "empty" } else { "full" },
                timestamp: state.indexed_at,
                server_ids: Vec::new(),
                degraded: is_degraded.then_some(true),
            };
            let key = [
                state.index_id.as_str(),
                params.operation.0.spelled(),
                &subject,
                kind.unwrap_or(""),
            ];
            let body = GraphAnswer {
                list,
                total,
                empty,
                envelope,
                query_id: format!("q{:016x}", fingerprint(&key)),
            };
            let outcome = if total == 0 { Outcome::None } else { Outcome::Ok };
            let mut reply = Reply::of(view, outcome, body);
            if asked != limit {
                reply = reply.with_note(format!("limit {asked} was set to {limit}"));
            }
            if total > limit as usize {
                reply = reply.with_note(format!("the first {limit} of {total}"));
            }
            Ok(reply)
        })
    }
}

impl Operation {
    fn spelled(self) -> &'static str {
        Self::all()
            .into_iter()
            .find(|(_, operation)| *operation == self)
            .map_or("", |(word, _)| word)
    }
}

/// The argument that an operation needs.
fn subject(params: &Params) -> Result<&str, ToolError> {
    let (name, value) = match params.operation.0 {
        Operation::FindSymbol | Operation::FindSymbolByPrefix => ("name", &params.name),
        Operation::SymbolsInFile => ("file", &params.file),
        Operation::FindReferences | Operation::FindCallers | Operation::FindCallees => ("symbolID", &params.symbol_id),
        Operation::BuildContext => ("query", &params.query),
    };
    value
        .as_deref()
        .filter(|value| !value.trim().is_empty())
        .ok_or_else(|| ToolError::invalid(format!("{} requires `{name}`", params.operation.0.spelled())))
}

/// The list that answers, and what to say when it is empty.
fn ask(
    view: &View<'_>,
    operation: Operation,
    subject: &str,
    kind: Option<&str>,
) -> Result<(List, String), EngineError> {
    let is_wanted = |symbol: &Symbol| kind.is_none_or(|kind| is_of_kind(symbol.kind, kind));
    let with_completeness = |symbols: Vec<Symbol>| -> Result<List, EngineError> {
        let mut list = Vec::new();
        for symbol in symbols.into_iter().filter(is_wanted) {
            let is_complete = view.is_complete(&symbol)?;
            list.push((symbol, is_complete));
        }
        Ok(List::Symbols(list))
    };
    let link = |relation: Relation, via: Option<String>| -> Result<Link, EngineError> {
        Ok(Link {
            is_complete: view.is_complete(&relation.symbol)?,
            relation,
            via,
            is_registration: false,
            dispatch: Dispatch::default(),
        })
    };
    let relations = |relations: Vec<Relation>| -> Result<Vec<Link>, EngineError> {
        let wanted = relations.into_iter().filter(|relation| is_wanted(&relation.symbol));
        wanted.map(|relation| link(relation, None)).collect()
    };
    let registrations = |relations: Vec<Relation>| -> Result<Vec<Link>, EngineError> {
        let wanted = relations.into_iter().filter(|relation| is_wanted(&relation.symbol));
        let registration = |relation| {
            Ok(Link {
                is_registration: true,
                ..link(relation, None)?
            })
        };
        wanted.map(registration).collect()
    };
    Ok(match operation {
        Operation::FindSymbol => (
            with_completeness(view.symbols_named(subject)?)?,
            format!("No symbols named {subject}"),
        ),
        Operation::FindSymbolByPrefix => (
            with_completeness(view.symbols_with_prefix(subject)?)?,
            format!("No symbols with prefix {subject}"),
        ),
        Operation::SymbolsInFile => (
            with_completeness(view.symbols_in_file(subject)?)?,
            format!("No indexed symbols in {subject}"),
        ),
        Operation::FindReferences => {
            let symbol = view.select(subject)?;
            (
                List::References(view.references(&symbol)?),
                "No references found".to_owned(),
            )
        }
        Operation::FindCallers => {
            let symbol = view.select(subject)?;
            let mut list = relations(view.callers(&symbol)?)?;
            for (relation, via) in view.callers_via_dispatch(&symbol)? {
                if is_wanted(&relation.symbol) {
                    list.push(link(relation, Some(via))?);
                }
            }
            list.extend(registrations(view.registered_by(&symbol)?)?);
            (List::Callers(list), "No callers found".to_owned())
        }
        Operation::FindCallees | Operation::BuildContext => {
            let symbol = view.select(subject)?;
            let mut list = relations(view.callees(&symbol)?)?;
            list.extend(registrations(view.registers(&symbol)?)?);
            (List::Callees(list), "No callees found".to_owned())
        }
    })
}

impl GraphAnswer {
    fn explain(&self, is_complete: bool, detail: Detail) -> Option<Explain> {
        let explain = Explain {
            source: "code-graph",
            indexed_at: self.envelope.timestamp,
            completeness: if is_complete { "full" } else { "partial" },
            query_id: self.query_id.clone(),
        };
        Some(explain).filter(|_| detail > Detail::Name)
    }

    fn symbol(&self, symbol: &Symbol, is_complete: bool, detail: Detail) -> SymbolOut {
        SymbolOut {
            id: symbol.fqn.clone(),
            kind: kind_name(symbol.kind),
            name: symbol.name.clone(),
            qualified_name: symbol.fqn.clone(),
            file: symbol.path.clone(),
            range: range(symbol.start, symbol.end),
            signature: shown_signature(symbol).filter(|_| detail >= Detail::Signature),
            visibility: if symbol.is_public() { "public" } else { "private" },
            explain: self.explain(is_complete, detail),
        }
    }

    fn links(&self, list: &[Link], window: &Window) -> Vec<LinkOut> {
        window
            .slice(list, 0)
            .iter()
            .map(|link| LinkOut {
                symbol: self.symbol(&link.relation.symbol, link.is_complete, window.detail),
                depth: 1,
                call_count: link.relation.sites,
                how: link.relation.how.name(),
                confidence: crate::records::rounded(f64::from(link.relation.confidence)),
                measured: (!link.relation.is_measured).then_some(false),
                label: if link.is_registration {
                    Some("registers")
                } else {
                    link.via.is_some().then_some("via-dispatch")
                },
                via: link.via.clone(),
                dispatch: DispatchOut::of(&link.dispatch, window.detail),
            })
            .collect()
    }
}

const fn range(start: Position, end: Position) -> RangeOut {
    RangeOut {
        start: PositionOut {
            line: start.line,
            character: start.column,
        },
        end: PositionOut {
            line: end.line,
            character: end.column,
        },
    }
}

const fn kind_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Function => "function",
        NodeKind::Method | NodeKind::Constructor | NodeKind::Destructor | NodeKind::Operator => "method",
        NodeKind::Class | NodeKind::Struct | NodeKind::Record => "class",
        NodeKind::Interface | NodeKind::Trait => "interface",
        NodeKind::Type => "type",
        NodeKind::Constant => "constant",
        NodeKind::Enum => "enum",
        NodeKind::Monorepo | NodeKind::Package | NodeKind::Module | NodeKind::Namespace => "module",
        NodeKind::Variable | NodeKind::Property | NodeKind::Field | NodeKind::Decorator | NodeKind::Unknown => {
            "variable"
        }
    }
}

const fn edge_name(kind: strata_model::kinds::EdgeKind) -> &'static str {
    use strata_model::kinds::EdgeKind;
    match kind {
        EdgeKind::Imports => "imports",
        EdgeKind::Calls => "calls",
        EdgeKind::Extends => "extends",
        EdgeKind::Implements => "implements",
        EdgeKind::Contains => "defines",
        EdgeKind::Overrides => "overrides",
        EdgeKind::References => "references",
    }
}

impl Body for GraphAnswer {
    type Structured = Output;

    fn n_items(&self) -> usize {
        self.list.len()
    }

    fn structured(&self, window: &Window) -> Output {
        let mut output = Output {
            count: self.total,
            truncated: self.total > window.end - window.start,
            symbols: None,
            references: None,
            callers: None,
            callees: None,
            envelope: self.envelope.clone(),
        };
        match &self.list {
            List::Symbols(list) => {
                let shown = window.slice(list, 0).iter();
                output.symbols = Some(
                    shown
                        .map(|(symbol, is_complete)| self.symbol(symbol, *is_complete, window.detail))
                        .collect(),
                );
            }
            List::References(list) => {
                let shown = window.slice(list, 0).iter().map(|site| ReferenceOut {
                    source_file: site.path.clone(),
                    range: range(site.start, site.end),
                    edge_kind: edge_name(site.kind),
                    explain: self.explain(site.is_complete, window.detail),
                });
                output.references = Some(shown.collect());
            }
            List::Callers(list) => output.callers = Some(self.links(list, window)),
            List::Callees(list) => output.callees = Some(self.links(list, window)),
        }
        output
    }

    fn text(&self, window: &Window) -> String {
        if self.total == 0 {
            return format!("{}\n", self.empty);
        }
        let mut text = String::new();
        match &self.list {
            List::Symbols(list) => {
                for (symbol, _) in window.slice(list, 0) {
                    symbol_line(&mut text, symbol, window.detail);
                    text.push('\n');
                }
            }
            List::References(list) => {
                for site in window.slice(list, 0) {
                    let Position { line, column } = site.start;
                    let _ = writeln!(text, "{}:{line}:{column} [{}]", site.path, edge_name(site.kind));
                }
            }
            List::Callers(list) | List::Callees(list) => {
                for link in window.slice(list, 0) {
                    symbol_line(&mut text, &link.relation.symbol, window.detail);
                    text.push_str(" (depth=1)");
                    if link.relation.sites > 1 {
                        let _ = write!(text, " ×{}", link.relation.sites);
                    }
                    if let Some(via) = &link.via {
                        let _ = write!(text, " via-dispatch {via}");
                    }
                    if link.is_registration {
                        text.push_str(" registers");
                    }
                    text.push('\n');
                    dispatch_line(&mut text, &link.dispatch, window.detail);
                }
            }
        }
        text
    }
}

/// `  dispatch 3: A::f, B::f, C::f maybe`; as a count alone where names take too much.
pub(crate) fn dispatch_line(text: &mut String, dispatch: &Dispatch, detail: Detail) {
    if dispatch.candidates.is_empty() {
        return;
    }
    let label = if dispatch.is_sole { " sole-impl" } else { "" };
    let _ = write!(text, "  dispatch {}{label}", dispatch.candidates.len());
    if detail > Detail::Name {
        let listed = dispatch.candidates.iter().take(strata_engine::MAX_CANDIDATES);
        for (ix, (symbol, certainty)) in listed.enumerate() {
            let mark = if *certainty == "made" { "" } else { certainty };
            let _ = write!(text, "{} {}", if ix == 0 { ":" } else { "," }, symbol.fqn);
            if !mark.is_empty() {
                let _ = write!(text, " {mark}");
            }
        }
        if dispatch.candidates.len() > strata_engine::MAX_CANDIDATES {
            text.push_str(", …");
        }
    }
    text.push('\n');
}

fn symbol_line(text: &mut String, symbol: &Symbol, detail: Detail) {
    let _ = write!(text, "[{}] {}", kind_name(symbol.kind), symbol.fqn);
    if detail >= Detail::Signature && !symbol.signature.is_empty() {
        let _ = write!(text, " {}", symbol.signature);
    }
    if !symbol.path.is_empty() {
        let column = if symbol.name_at.line > 0 {
            symbol.name_at.column
        } else {
            symbol.start.column
        };
        let _ = write!(text, " ({}:{}:{column})", symbol.path, symbol.line());
    }
}
