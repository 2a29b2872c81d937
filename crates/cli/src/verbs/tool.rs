//! The verbs that are tools.

use anyhow::Context as _;
use clap::ArgMatches;
use serde_json::{Map, Value};
use strata_engine::Control;
use strata_tools::{Answer, Call, ToolEntry, find};

use crate::Ending;
use crate::output::Output;
use crate::progress::Bar;
use crate::session::Session;

/// Answers a verb with its flags.
pub(crate) fn run(session: &Session, verb: &str, matches: &ArgMatches, output: &Output) -> anyhow::Result<Ending> {
    let tool = find(verb).with_context(|| format!("there is no verb `{verb}`"))?;
    let answer = with_call(session, |call| (tool.call_matches)(call, matches));
    output.answer(&answer)?;
    Ok(Ending::of_answer(&answer))
}

/// Answers a tool with arguments that another verb put together.
pub(crate) fn answer(session: &Session, tool: &ToolEntry, arguments: Map<String, Value>) -> Answer {
    with_call(session, |call| (tool.call_json)(call, arguments))
}

fn with_call(session: &Session, ask: impl FnOnce(Call<'_>) -> Answer) -> Answer {
    let bar = Bar::default();
    let report = |progress| bar.report(progress);
    let control = Control {
        progress: Some(&report),
        ..Control::default()
    };
    let mut call = Call::new(&session.roots, control);
    call.is_local = true;
    ask(call)
}
