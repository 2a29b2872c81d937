//! `index_status`: which roots are indexed, and how they stand.

use std::fmt::Write as _;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strata_engine::{EngineError, Freshness, IndexState, IndexedRoot};

use crate::error::ToolError;
use crate::fit::Window;
use crate::records::iso_time;
use crate::tool::{Body, Call, Outcome, Reply, Tool};

pub(crate) struct IndexStatus;

#[derive(Debug, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    /// The roots that are indexed
    roots: Vec<RootOut>,
    /// Number of files that differ from the index
    dirty_count: usize,
    /// The first ten of them
    dirty_paths: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct RootOut {
    /// The root as it was indexed
    virtual_root: String,
    /// When it was last written
    indexed_at: String,
    /// Nodes
    node_count: u64,
    /// Edges
    edge_count: u64,
    /// Files by language
    language_summary: String,
}

pub(crate) struct Status {
    roots: Vec<IndexedRoot>,
    state: IndexState,
}

impl Tool for IndexStatus {
    const NAME: &'static str = "index_status";
    const VERB: &'static str = "index-status";
    const TITLE: &'static str = "Index status";
    const DESCRIPTION: &'static str = "Use to see what is indexed before trusting an empty answer. \
        Roots with size, languages and time, and the files that changed since.";
    const PRIMARY: Option<&'static str> = None;
    const EXAMPLE: &'static str = "{}";

    type Params = Params;
    type Body = Status;

    fn run(call: &Call<'_>, _params: Params) -> Result<Reply<Status>, ToolError> {
        // What is dirty is the answer here, so nothing is brought up to date.
        let asked = call.engine()?;
        let mut engines = vec![asked.clone()];
        if call.common.root.is_none() {
            engines.extend(
                call.roots
                    .opened()
                    .into_iter()
                    .filter(|engine| engine.root() != asked.root()),
            );
        }
        let mut roots = Vec::new();
        let mut state: Option<IndexState> = None;
        let mut dirty = Vec::new();
        let mut dirty_count = 0;
        for engine in engines.iter().filter(|engine| engine.is_indexed()) {
            let (root, of_root) = engine.ask(Freshness::AllowStale, &call.control, |view| {
                Ok::<_, EngineError>((view.indexed_root()?, view.state().clone()))
            })?;
            roots.push(root);
            dirty_count += of_root.dirty_count;
            dirty.extend(of_root.dirty_paths.iter().cloned());
            state.get_or_insert(of_root);
        }
        let Some(mut state) = state else {
            let reply = Reply::without_index(
                Outcome::NotIndexed,
                Status {
                    roots,
                    state: IndexState::default(),
                },
            );
            let root = asked.root().display();
            return Ok(match asked.progress() {
                Some(progress) => reply.with_note(format!(
                    "{root} is being indexed ({}: {} of {} files)",
                    progress.phase.name(),
                    progress.done,
                    progress.total
                )),
                None => reply.with_note(format!("{root} is not indexed; any question indexes it")),
            });
        };
        state.dirty_count = dirty_count;
        dirty.truncate(10);
        state.dirty_paths = dirty;
        let mut reply = Reply::without_index(
            Outcome::Ok,
            Status {
                roots,
                state: state.clone(),
            },
        );
        reply.index = Some(state);
        Ok(reply)
    }
}

impl Body for Status {
    type Structured = Output;

    fn structured(&self, _window: &Window) -> Output {
        Output {
            roots: self
                .roots
                .iter()
                .map(|root| RootOut {
                    virtual_root: root.virtual_root.clone(),
                    indexed_at: iso_time(root.indexed_at),
                    node_count: root.node_count,
                    edge_count: root.edge_count,
                    language_summary: root.language_summary.clone(),
                })
                .collect(),
            dirty_count: self.state.dirty_count,
            dirty_paths: self.state.dirty_paths.clone(),
        }
    }

    fn text(&self, _window: &Window) -> String {
        let mut text = String::new();
        for root in &self.roots {
            let _ = writeln!(
                text,
                "{}: {} nodes, {} edges, {} (indexed {})",
                root.virtual_root,
                root.node_count,
                root.edge_count,
                root.language_summary,
                iso_time(root.indexed_at)
            );
        }
        text
    }
}
