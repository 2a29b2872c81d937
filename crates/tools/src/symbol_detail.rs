//! `symbol_detail`: everything about one symbol.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strata_engine::{Expand, Freshness, Relation, Symbol, SymbolDetail as Found};
use strata_model::facts::Metrics;

use crate::code_intelligence::{DispatchOut, dispatch_line};
use crate::error::ToolError;
use crate::fit::{Detail, Window};
use crate::records::{CompactNode, clipped, counted, place, rounded, shown_signature};
use crate::tool::{Body, Call, Outcome, Reply, Tool};
use crate::words::{WordSet, Words};

/// Members unless something else is asked for.
const DEFAULT_CHILDREN: u32 = 50;
/// Most members.
const MAX_CHILDREN: u32 = 200;
/// Characters of documentation that a shortened answer keeps.
const SHORT_DOC: usize = 300;

pub(crate) struct SymbolDetail;

#[derive(Debug, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The symbol: qualified name or its end, `path::Name`, `path:line`
    #[arg(long)]
    fqn: String,
    /// Parts to add (None)
    #[arg(long)]
    expand: Option<WordSet<Part>>,
    /// Show the signature (true)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    include_signature: Option<bool>,
    /// Show the documentation (true)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    include_doc: Option<bool>,
    /// Show measures of the body (false)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    include_body_metrics: Option<bool>,
    /// Most members (50)
    #[arg(long)]
    max_children: Option<u32>,
}

/// A part of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    None,
    Members,
    Inheritance,
    Callers,
    Callees,
    PublicExports,
    Statements,
    Decorators,
    ParentChain,
    All,
}

impl Words for Part {
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("None", Self::None),
            ("Members", Self::Members),
            ("Inheritance", Self::Inheritance),
            ("Callers", Self::Callers),
            ("Callees", Self::Callees),
            ("PublicExports", Self::PublicExports),
            ("Statements", Self::Statements),
            ("Decorators", Self::Decorators),
            ("ParentChain", Self::ParentChain),
            ("All", Self::All),
        ]
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    /// Qualified name
    fqn: String,
    /// Name
    name: String,
    /// Kind
    kind: &'static str,
    /// Level
    level: &'static str,
    /// Path of the file
    virtual_file_path: String,
    /// First line
    start_line: u32,
    /// Last line
    end_line: u32,
    /// Signature
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// Documentation
    #[serde(skip_serializing_if = "Option::is_none")]
    doc_comment: Option<String>,
    /// First sentence of the documentation
    #[serde(skip_serializing_if = "Option::is_none")]
    summary_short: Option<String>,
    /// Measures of the body
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<BodyMetrics>,
    /// Number of members
    member_count: usize,
    /// Number of symbols that call it
    caller_count: usize,
    /// Number of symbols that call a member which it overrides, so that it may run
    #[serde(skip_serializing_if = "Option::is_none")]
    dispatched_caller_count: Option<usize>,
    /// Number of symbols that it calls
    callee_count: usize,
    /// Members in source order
    #[serde(skip_serializing_if = "Option::is_none")]
    members: Option<Vec<CompactNode>>,
    /// Types that it extends
    #[serde(skip_serializing_if = "Option::is_none")]
    extends: Option<Vec<String>>,
    /// Interfaces that it implements
    #[serde(skip_serializing_if = "Option::is_none")]
    implements: Option<Vec<String>>,
    /// What may run instead of it in subclasses, with Inheritance
    #[serde(skip_serializing_if = "Option::is_none")]
    implementations: Option<DispatchOut>,
    /// Those that call it most
    #[serde(skip_serializing_if = "Option::is_none")]
    top_callers: Option<Vec<RelationOut>>,
    /// Those that it calls most
    #[serde(skip_serializing_if = "Option::is_none")]
    top_callees: Option<Vec<RelationOut>>,
    /// Those that hand it to a framework, which calls it; with Callers
    #[serde(skip_serializing_if = "Option::is_none")]
    registered_by: Option<Vec<String>>,
    /// What it hands to frameworks; with Callees
    #[serde(skip_serializing_if = "Option::is_none")]
    registers: Option<Vec<String>>,
    /// Statements of the body
    #[serde(skip_serializing_if = "Option::is_none")]
    statements: Option<Vec<String>>,
    /// Public symbols of a module or package
    #[serde(skip_serializing_if = "Option::is_none")]
    public_exports: Option<Vec<String>>,
    /// Decorators
    #[serde(skip_serializing_if = "Option::is_none")]
    decorators: Option<Vec<String>>,
    /// Tags that frameworks' decorators give it, each with the framework; with Decorators, where there are any
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<BTreeMap<String, String>>,
    /// What contains it, the nearest first
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_chain: Option<Vec<String>>,
    /// True when something was left out
    truncated: bool,
}

/// A symbol at the other end of calls.
#[derive(Serialize, JsonSchema)]
struct RelationOut {
    #[serde(flatten)]
    node: CompactNode,
    /// Number of calls
    call_count: u32,
    /// Line of the first call
    first_call_line: u32,
    /// How the calls were resolved
    how: &'static str,
    /// How sure that is, from 0 to 1
    confidence: f64,
    /// Only where nothing was measured and the confidence is a prior: false
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<bool>,
}

/// Measures of a body.
#[derive(Clone, Copy, Serialize, JsonSchema)]
struct BodyMetrics {
    statement_count: u32,
    max_depth: u32,
    branch_count: u32,
    loop_count: u32,
    try_catch_count: u32,
    call_count: u32,
    early_return_count: u32,
    await_count: u32,
    closure_count: u32,
    cyclomatic_complexity: u32,
    is_partial: bool,
}

pub(crate) struct Details {
    found: Found,
    has_signature: bool,
    has_doc: bool,
    metrics: Option<BodyMetrics>,
    has_statements: bool,
    is_cut: bool,
}

impl Tool for SymbolDetail {
    const NAME: &'static str = "symbol_detail";
    const VERB: &'static str = "symbol-detail";
    const TITLE: &'static str = "Symbol detail";
    const DESCRIPTION: &'static str = "Use instead of opening a file to learn about one class, function or module. \
        Signature, documentation, members, supertypes, callers and callees with line numbers.";
    const PRIMARY: Option<&'static str> = Some("fqn");
    const EXAMPLE: &'static str = r#"{ "fqn": "app::UserService::create" }"#;

    type Params = Params;
    type Body = Details;

    fn run(call: &Call<'_>, params: Params) -> Result<Reply<Details>, ToolError> {
        let engine = call.engine()?;
        let parts = params.expand.unwrap_or_default().0;
        let has = |part| parts.contains(&part) || parts.contains(&Part::All);
        let expand = Expand {
            members: has(Part::Members),
            inheritance: has(Part::Inheritance),
            callers: has(Part::Callers),
            callees: has(Part::Callees),
            public_exports: has(Part::PublicExports),
            statements: has(Part::Statements),
            decorators: has(Part::Decorators),
            parent_chain: has(Part::ParentChain),
        };
        let asked = params.max_children.unwrap_or(DEFAULT_CHILDREN);
        let max_children = asked.clamp(1, MAX_CHILDREN);
        engine.ask(Freshness::Prefer, &call.control, |view| {
            let symbol = view.select(&params.fqn)?;
            let is_partial = !view.is_complete(&symbol)?;
            let metrics = symbol.metrics.filter(|_| params.include_body_metrics.unwrap_or(false));
            let mut found = view.detail(symbol, expand)?;
            let mut is_cut = false;
            if let Some(members) = &mut found.members {
                is_cut = members.len() > max_children as usize;
                members.truncate(max_children as usize);
            }
            let body = Details {
                found,
                has_signature: params.include_signature.unwrap_or(true),
                has_doc: params.include_doc.unwrap_or(true),
                metrics: metrics.map(|metrics| measures(metrics, is_partial)),
                has_statements: expand.statements,
                is_cut,
            };
            let mut reply = Reply::of(view, Outcome::Ok, body);
            if asked != max_children {
                reply = reply.with_note(format!("max_children {asked} was set to {max_children}"));
            }
            if expand.statements {
                reply = reply.with_note("statements are not part of this version");
            }
            if is_partial {
                reply = reply.with_note("the file has syntax errors, so something may be missing");
            }
            Ok(reply)
        })
    }
}

const fn measures(metrics: Metrics, is_partial: bool) -> BodyMetrics {
    BodyMetrics {
        statement_count: metrics.statements,
        max_depth: metrics.max_depth,
        branch_count: metrics.branches,
        loop_count: metrics.loops,
        try_catch_count: metrics.tries,
        call_count: metrics.calls,
        early_return_count: metrics.early_returns,
        await_count: metrics.awaits,
        closure_count: metrics.closures,
        cyclomatic_complexity: metrics.branches + 1,
        is_partial,
    }
}

/// The parts of a window that fall on each list, when the lists follow each other.
struct Parts<'f> {
    members: Option<&'f [Symbol]>,
    callers: Option<&'f [Relation]>,
    callees: Option<&'f [Relation]>,
    exports: Option<&'f [String]>,
}

impl Details {
    fn lengths(&self) -> [usize; 4] {
        let found = &self.found;
        [
            found.top_callers.as_ref().map_or(0, Vec::len),
            found.top_callees.as_ref().map_or(0, Vec::len),
            found.members.as_ref().map_or(0, Vec::len),
            found.public_exports.as_ref().map_or(0, Vec::len),
        ]
    }

    fn parts(&self, window: &Window) -> Parts<'_> {
        let [callers, callees, members, _] = self.lengths();
        let found = &self.found;
        Parts {
            callers: found.top_callers.as_deref().map(|list| window.slice(list, 0)),
            callees: found.top_callees.as_deref().map(|list| window.slice(list, callers)),
            members: found
                .members
                .as_deref()
                .map(|list| window.slice(list, callers + callees)),
            exports: found
                .public_exports
                .as_deref()
                .map(|list| window.slice(list, callers + callees + members)),
        }
    }

    fn doc(&self, detail: Detail) -> Option<String> {
        let doc = self.found.symbol.doc.as_deref().filter(|_| self.has_doc)?;
        match detail {
            Detail::Full => Some(doc.to_owned()),
            Detail::Short => Some(clipped(doc, SHORT_DOC)),
            Detail::Signature | Detail::Name => None,
        }
    }
}

impl Body for Details {
    type Structured = Output;

    fn n_items(&self) -> usize {
        self.lengths().iter().sum()
    }

    /// The symbol itself is what stays.
    fn min_items(&self) -> usize {
        0
    }

    fn structured(&self, window: &Window) -> Output {
        let symbol = &self.found.symbol;
        let parts = self.parts(window);
        // What is said of the symbol itself is cut last: the items below it give way first.
        let item_detail = window.detail.min(Detail::Short);
        let relations = |list: &[Relation]| -> Vec<RelationOut> {
            list.iter()
                .map(|relation| RelationOut {
                    node: CompactNode::of(&relation.symbol, item_detail),
                    call_count: relation.sites,
                    first_call_line: relation.at.line,
                    how: relation.how.name(),
                    confidence: rounded(f64::from(relation.confidence)),
                    measured: (!relation.is_measured).then_some(false),
                })
                .collect()
        };
        Output {
            fqn: symbol.fqn.clone(),
            name: symbol.name.clone(),
            kind: symbol.kind.name(),
            level: symbol.level.name(),
            virtual_file_path: symbol.path.clone(),
            start_line: symbol.start.line,
            end_line: symbol.end.line,
            signature: shown_signature(symbol).filter(|_| self.has_signature && window.detail > Detail::Name),
            doc_comment: self.doc(window.detail),
            summary_short: symbol
                .summary()
                .filter(|_| self.has_doc && window.detail > Detail::Name),
            body: self.metrics.filter(|_| window.detail > Detail::Name),
            member_count: self.found.n_members,
            caller_count: self.found.n_callers,
            dispatched_caller_count: Some(self.found.n_callers_via_dispatch).filter(|n| *n > 0),
            callee_count: self.found.n_callees,
            members: parts
                .members
                .map(|list| list.iter().map(|symbol| CompactNode::of(symbol, item_detail)).collect()),
            extends: self.found.extends.clone().filter(|_| window.detail > Detail::Name),
            implements: self.found.implements.clone().filter(|_| window.detail > Detail::Name),
            implementations: self
                .found
                .implementations
                .as_ref()
                .and_then(|it| DispatchOut::of(it, window.detail)),
            top_callers: parts.callers.map(relations),
            top_callees: parts.callees.map(relations),
            registered_by: some_names(self.found.registered_by.as_ref(), window.detail),
            registers: some_names(self.found.registers.as_ref(), window.detail),
            statements: self.has_statements.then(Vec::new),
            public_exports: parts.exports.map(<[String]>::to_vec),
            decorators: self.found.decorators.clone().filter(|_| window.detail > Detail::Name),
            tags: self
                .found
                .tags
                .clone()
                .filter(|tags| !tags.is_empty() && window.detail > Detail::Name),
            parent_chain: self.found.parent_chain.clone().filter(|_| window.detail > Detail::Name),
            truncated: self.is_cut || window.n_left() > 0 || window.detail < Detail::Full,
        }
    }

    fn text(&self, window: &Window) -> String {
        let found = &self.found;
        let symbol = &found.symbol;
        let parts = self.parts(window);
        let mut text = format!("{} {} {}", symbol.kind.name(), symbol.fqn, place(symbol));
        if symbol.end.line > symbol.start.line {
            let _ = write!(text, "-{}", symbol.end.line);
        }
        text.push('\n');
        if self.has_signature && !symbol.signature.is_empty() {
            let _ = writeln!(text, "    {}", symbol.signature);
        }
        if let Some(doc) = self.doc(window.detail) {
            for line in doc.lines() {
                let _ = writeln!(text, "    {line}");
            }
        }
        if let Some(metrics) = &self.metrics {
            let _ = writeln!(
                text,
                "complexity {}, {} statements, depth {}, {} calls",
                metrics.cyclomatic_complexity, metrics.statement_count, metrics.max_depth, metrics.call_count
            );
        }
        let _ = writeln!(
            text,
            "{}, {}{}, {}",
            counted(found.n_members, "member"),
            counted(found.n_callers, "caller"),
            match found.n_callers_via_dispatch {
                0 => String::new(),
                n => format!(" (and {n} via dispatch)"),
            },
            counted(found.n_callees, "callee")
        );
        names(&mut text, "decorators", found.decorators.as_deref());
        let tags: Option<Vec<String>> = found.tags.as_ref().map(|tags| tags.keys().cloned().collect());
        names(&mut text, "tags", tags.as_deref());
        names(&mut text, "in", found.parent_chain.as_deref());
        names(&mut text, "extends", found.extends.as_deref());
        names(&mut text, "implements", found.implements.as_deref());
        if let Some(implementations) = &found.implementations {
            dispatch_line(&mut text, implementations, window.detail);
        }
        relation_lines(&mut text, "callers", parts.callers, window.detail);
        relation_lines(&mut text, "callees", parts.callees, window.detail);
        names(&mut text, "registered by", found.registered_by.as_deref());
        names(&mut text, "registers", found.registers.as_deref());
        if let Some(members) = parts.members.filter(|members| !members.is_empty()) {
            text.push_str("members:\n");
            for member in members {
                let shown = if window.detail >= Detail::Signature {
                    member.signature.as_str()
                } else {
                    ""
                };
                let shown = if shown.is_empty() { member.name.as_str() } else { shown };
                let _ = writeln!(text, "  [{}] {shown} (L{})", member.kind.name(), member.line());
            }
        }
        names(&mut text, "exports", parts.exports);
        text
    }
}

fn some_names(names: Option<&Vec<String>>, detail: Detail) -> Option<Vec<String>> {
    let is_shown = |names: &&Vec<String>| !names.is_empty() && detail > Detail::Name;
    names.filter(is_shown).cloned()
}

fn names(text: &mut String, title: &str, names: Option<&[String]>) {
    if let Some(names) = names.filter(|names| !names.is_empty()) {
        let _ = writeln!(text, "{title}: {}", names.join(", "));
    }
}

fn relation_lines(text: &mut String, title: &str, relations: Option<&[Relation]>, detail: Detail) {
    let Some(relations) = relations.filter(|relations| !relations.is_empty()) else {
        return;
    };
    let _ = writeln!(text, "{title}:");
    for relation in relations {
        let _ = write!(text, "  {} {}", relation.symbol.fqn, place(&relation.symbol));
        if relation.sites > 1 {
            let _ = write!(text, " ×{}", relation.sites);
        }
        if detail >= Detail::Short {
            let unmeasured = if relation.is_measured { "" } else { " unmeasured" };
            let _ = write!(
                text,
                " [{} {:.2}{unmeasured}]",
                relation.how.name(),
                relation.confidence
            );
        }
        text.push('\n');
    }
}
