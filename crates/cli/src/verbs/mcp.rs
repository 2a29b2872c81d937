//! `strata mcp`: serves an agent over standard input and output.

use std::sync::Arc;

use clap::ArgMatches;
use strata_engine::Settings;
use strata_serve::{Profile, ServeOptions, serve_stdio};

use crate::Ending;
use crate::log;
use crate::session::Session;

pub(crate) fn run(session: Session, matches: &ArgMatches) -> anyhow::Result<Ending> {
    // A root that cannot be used is told to the client by the first call, which can be mended; here nobody would read it.
    let level = match (session.verbosity, session.engine()) {
        (0, Ok(engine)) => {
            for warning in &engine.settings().warnings {
                tracing::warn!("{warning}");
            }
            log::level_of_setting(engine.settings().log_level)
        }
        (0, Err(_)) => log::level_of_setting(Settings::default().log_level),
        (verbosity, _) => log::level_of(verbosity),
    };
    log::start(level);
    let profile = matches.get_one::<Profile>("profile").copied().unwrap_or_default();
    let options = ServeOptions {
        profile,
        version: env!("CARGO_PKG_VERSION"),
    };
    serve_stdio(Arc::clone(&session.roots), &options)?;
    Ok(Ending::Found)
}
