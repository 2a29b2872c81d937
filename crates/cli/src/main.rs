//! The `strata` binary: reads the arguments and the environment, hands both down, prints what comes back.
//!
//! Every tool of `strata_tools::ALL` is a verb here with its arguments as flags; the other verbs are in `verbs`. Several
//! words that start with no verb are a question. Only this crate prints, and only here is it decided which exit code a
//! command has: 0 found or done, 1 nothing found, 2 wrong usage or failure.

mod arguments;
mod log;
mod output;
mod progress;
mod session;
mod verbs;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::ArgMatches;
use strata_tools::{Answer, ErrorCode, Outcome};

use crate::output::Output;
use crate::session::Session;

/// Facts are many small lists, made on all cores and given back on others: there the system's allocator waits for itself.
/// The parsers and SQLite, which are C, are given it, too. Huge pages are off: what is half used counts in full.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// Found or done.
    Found,
    /// Nothing found.
    Nothing,
    /// Wrong usage or failure.
    Failed,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        Self::from(match ending {
            Ending::Found => 0,
            Ending::Nothing => 1,
            Ending::Failed => 2,
        })
    }
}

impl Ending {
    fn of_answer(answer: &Answer) -> Self {
        match (answer.error, answer.outcome) {
            (None, Some(Outcome::Ok)) => Self::Found,
            (Some(ErrorCode::FqnNotFound), _)
            | (None, Some(Outcome::None | Outcome::Unresolved | Outcome::NotIndexed)) => Self::Nothing,
            (Some(_), _) | (None, None | Some(Outcome::BackendFailed)) => Self::Failed,
        }
    }
}

fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().collect();
    let matches = match arguments::parse(given) {
        Ok(matches) => matches,
        Err(error) => {
            // Help and the version are what was asked for; clap knows where each belongs.
            let ending = if error.use_stderr() {
                Ending::Failed
            } else {
                Ending::Found
            };
            // Whoever closed the pipe does not want to read it.
            let _ = error.print();
            return ending.into();
        }
    };
    let output = Output::new(&matches);
    match run(&matches, &output) {
        Ok(ending) => ending.into(),
        // A reader that has seen enough, such as `head`, is a success.
        Err(error) if is_broken_pipe(&error) => Ending::Found.into(),
        Err(error) => {
            output.error(&format!("{error:#}"));
            Ending::Failed.into()
        }
    }
}

fn run(matches: &ArgMatches, output: &Output) -> anyhow::Result<Ending> {
    let session = Session::new(matches)?;
    let Some((verb, matches)) = matches.subcommand() else {
        // The parser prints the help when there is no verb.
        return Ok(Ending::Failed);
    };
    match verb {
        "index" => verbs::index::run(&session, matches, output),
        "context" => verbs::context::run(&session, matches, output),
        "search" => verbs::search::run(&session, matches, output),
        "status" => verbs::status::run(&session, output),
        "clean" => verbs::clean::run(&session, matches, output),
        "export" => verbs::export::run(&session, matches, output),
        "mcp" => verbs::mcp::run(session, matches),
        tool => verbs::tool::run(&session, tool, matches, output),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
