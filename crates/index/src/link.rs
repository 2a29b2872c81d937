//! Runs the linker over files and turns outcomes into edges.

use strata_lang::Workspace;
use strata_model::edge::EdgeFlags;
use strata_model::ids::{FileIx, SymbolRef};
use strata_model::kinds::{EdgeKind, RefKind};
use strata_model::outcome::{How, Outcome, Status};
use strata_resolve::{FactsSource, FileLinks, Program, Receiver, RegistrationKind};
use strata_storage::EdgeInit;

use crate::confidence::{confidence, of_how};
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
            let edges = edges(facts, *file, &links);
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
fn edges(facts: &StateFacts<'_>, file: FileIx, links: &FileLinks) -> Vec<EdgeInit> {
    let own = facts.facts(file);
    let language = facts.language_name(file);
    let mut edges = Vec::new();
    let mut receivers = links.receivers.as_slice();
    for (ix, (reference, outcome)) in own.refs.iter().zip(&links.outcomes).enumerate() {
        let n_here = receivers.iter().take_while(|it| it.reference as usize == ix).count();
        let (here, rest) = receivers.split_at(n_here);
        receivers = rest;
        if !matches!(outcome.status, Status::Resolved | Status::Ambiguous) {
            continue;
        }
        let kind = edge_kind(reference.kind);
        let src = match edge_source(&own, reference) {
            Some(def) => SymbolRef { file, def },
            None => SymbolRef::module(file),
        };
        for target in &outcome.targets {
            let (flags, receiver) = receiver_of(*target, here);
            edges.push(EdgeInit {
                src,
                dst: listed(facts, *target),
                kind,
                at: reference.at,
                end_line: reference.at.line,
                how: outcome.how,
                confidence: confidence(language, outcome),
                flags,
                receiver,
            });
        }
    }
    for it in &links.registrations {
        edges.push(EdgeInit {
            src: match nearest_listed(&own, it.owner) {
                Some(def) => SymbolRef { file, def },
                None => SymbolRef::module(file),
            },
            dst: listed(facts, it.target),
            kind: EdgeKind::References,
            at: it.at,
            end_line: it.at.line,
            how: How::Framework,
            confidence: of_how(language, How::Framework),
            flags: match it.kind {
                RegistrationKind::Registers => EdgeFlags::REGISTERS,
                RegistrationKind::Injects => EdgeFlags::default(),
            },
            receiver: None,
        });
    }
    for (member, overridden) in &links.overrides {
        let at = own.def(*member).name_at;
        edges.push(EdgeInit {
            src: SymbolRef { file, def: *member },
            dst: listed(facts, *overridden),
            kind: EdgeKind::Overrides,
            at,
            end_line: at.line,
            how: How::SelfInherited,
            confidence: of_how(language, How::SelfInherited),
            flags: EdgeFlags::default(),
            receiver: None,
        });
    }
    edges
}

/// What is known of the receivers with which a place means a target; the class only if there is one.
fn receiver_of(target: SymbolRef, here: &[Receiver]) -> (EdgeFlags, Option<SymbolRef>) {
    let mut receivers = here.iter().filter(|it| it.target == target);
    let Some(first) = receivers.next() else {
        return (EdgeFlags::default(), None);
    };
    receivers.fold((first.flags, Some(first.class)), |(flags, class), it| {
        (flags.merged(it.flags), class.filter(|class| *class == it.class))
    })
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
