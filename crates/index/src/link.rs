//! Runs the linker over files and turns outcomes into edges.

use strata_lang::Workspace;
use strata_model::ids::{FileIx, SymbolRef};
use strata_model::kinds::{EdgeKind, RefKind};
use strata_model::outcome::{How, Outcome, Status};
use strata_resolve::{FactsSource, Program};
use strata_storage::EdgeInit;

use crate::confidence::confidence;
use crate::error::IndexError;
use crate::facts::StateFacts;
use crate::names::nearest_listed;
use crate::owner::edge_source;
use crate::report::{Control, Phase};

/// Evaluation nests as deep as the program's definitions do; this is room for the deepest that it allows.
const STACK_SIZE: usize = 256 << 20;

/// What linking a file gave, ready to be stored.
pub(crate) struct Linked {
    pub(crate) file: FileIx,
    pub(crate) edges: Vec<EdgeInit>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) keys: Vec<u64>,
}

/// Links files, in the order given.
pub(crate) fn link_all(
    workspace: &Workspace,
    facts: &StateFacts<'_>,
    files: &[FileIx],
    control: &Control<'_>,
) -> Result<Vec<Linked>, IndexError> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    with_deep_stack("link", || {
        let mut program = Program::new(workspace, facts);
        let mut linked = Vec::with_capacity(files.len());
        for (done, file) in files.iter().enumerate() {
            control.check()?;
            let links = program.link(*file);
            let edges = edges(facts, *file, &links.outcomes, &links.overrides);
            linked.push(Linked {
                file: *file,
                edges,
                outcomes: links.outcomes,
                keys: links.keys,
            });
            control.report(Phase::Resolve, done + 1, files.len());
        }
        Ok(linked)
    })
}

/// Runs an evaluation where it may nest deeply.
pub(crate) fn with_deep_stack<T: Send>(name: &str, evaluate: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| {
        match std::thread::Builder::new()
            .name(name.to_owned())
            .stack_size(STACK_SIZE)
            .spawn_scoped(scope, &evaluate)
        {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // No thread to be had: the stack at hand must do.
            Err(_) => evaluate(),
        }
    })
}

/// The edges that start in a file, one a site.
fn edges(
    facts: &StateFacts<'_>,
    file: FileIx,
    outcomes: &[Outcome],
    overrides: &[(strata_model::ids::DefId, SymbolRef)],
) -> Vec<EdgeInit> {
    let own = facts.facts(file);
    let mut edges = Vec::new();
    for (reference, outcome) in own.refs.iter().zip(outcomes) {
        if !matches!(outcome.status, Status::Resolved | Status::Ambiguous) {
            continue;
        }
        let kind = edge_kind(reference.kind);
        let src = match edge_source(&own, reference) {
            Some(def) => SymbolRef { file, def },
            None => SymbolRef::module(file),
        };
        for target in &outcome.targets {
            edges.push(EdgeInit {
                src,
                dst: listed(facts, *target),
                kind,
                at: reference.at,
                end_line: reference.at.line,
                how: outcome.how,
                confidence: confidence(outcome),
            });
        }
    }
    for (member, overridden) in overrides {
        let at = own.def(*member).name_at;
        edges.push(EdgeInit {
            src: SymbolRef { file, def: *member },
            dst: listed(facts, *overridden),
            kind: EdgeKind::Overrides,
            at,
            end_line: at.line,
            how: How::SelfInherited,
            confidence: 0.99,
        });
    }
    edges
}

/// The symbol itself if it is a node, else the nearest one around it that is.
fn listed(facts: &StateFacts<'_>, symbol: SymbolRef) -> SymbolRef {
    if symbol.is_module() {
        return symbol;
    }
    match nearest_listed(&facts.facts(symbol.file), Some(symbol.def)) {
        Some(def) => SymbolRef { file: symbol.file, def },
        None => SymbolRef::module(symbol.file),
    }
}

const fn edge_kind(kind: RefKind) -> EdgeKind {
    match kind {
        RefKind::Call | RefKind::Construct => EdgeKind::Calls,
        RefKind::Inherits => EdgeKind::Extends,
        RefKind::Implements => EdgeKind::Implements,
        RefKind::Import => EdgeKind::Imports,
        RefKind::Type | RefKind::Value | RefKind::Read | RefKind::Write | RefKind::Decorator | RefKind::Render => {
            EdgeKind::References
        }
    }
}
