//! `is_path_indexed`: whether a path is part of an index, and why not.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strata_engine::Freshness;

use crate::error::ToolError;
use crate::fit::Window;
use crate::records::iso_time;
use crate::tool::{Body, Call, Outcome, Reply, Tool};

pub(crate) struct IsPathIndexed;

#[derive(Debug, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The path, absolute or relative to the root
    #[arg(long)]
    virtual_path: String,
}

#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Output {
    /// True when it is part of an index
    indexed: bool,
    /// The root that holds it
    root_parent: Option<String>,
    /// When it was indexed
    indexed_at: Option<String>,
}

pub(crate) struct PathAnswer {
    path: String,
    output: Output,
    reason: Option<String>,
}

impl Tool for IsPathIndexed {
    const NAME: &'static str = "is_path_indexed";
    const VERB: &'static str = "is-path-indexed";
    const TITLE: &'static str = "Is a path indexed?";
    const DESCRIPTION: &'static str = "Use when a file seems to be missing from answers. \
        Says whether a path is indexed, and if not, why.";
    const PRIMARY: Option<&'static str> = Some("virtual-path");
    const EXAMPLE: &'static str = r#"{ "virtual_path": "src/app/main.ts" }"#;

    type Params = Params;
    type Body = PathAnswer;

    fn run(call: &Call<'_>, params: Params) -> Result<Reply<PathAnswer>, ToolError> {
        let absolute = call.roots.absolute(std::path::Path::new(&params.virtual_path));
        let engine = match call.roots.holding(&absolute).filter(|_| call.common.root.is_none()) {
            Some(engine) if std::path::Path::new(&params.virtual_path).is_absolute() => engine,
            _ => call.engine()?,
        };
        let path = call.path(&params.virtual_path, &engine);
        engine.ask(Freshness::Prefer, &call.control, |view| {
            let status = view.path_status(&path)?;
            let root = view.engine().root().display().to_string();
            let output = Output {
                indexed: status.is_indexed,
                root_parent: status.is_indexed.then_some(root),
                indexed_at: status.indexed_at.map(iso_time),
            };
            let outcome = if status.is_indexed { Outcome::Ok } else { Outcome::None };
            let body = PathAnswer {
                path: params.virtual_path.clone(),
                output,
                reason: status.reason.clone(),
            };
            let mut reply = Reply::of(view, outcome, body);
            reply.notes.extend(status.reason);
            Ok(reply)
        })
    }
}

impl Body for PathAnswer {
    type Structured = Output;

    fn structured(&self, _window: &Window) -> Output {
        self.output.clone()
    }

    fn text(&self, _window: &Window) -> String {
        match (&self.output.root_parent, &self.reason) {
            (Some(root), _) => format!("{} is indexed in {root}\n", self.path),
            (None, Some(_) | None) => format!("{} is not indexed\n", self.path),
        }
    }
}
