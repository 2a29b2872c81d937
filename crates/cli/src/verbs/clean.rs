//! `strata clean`: removes the index, and keeps what cannot be built again unless told otherwise.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use anyhow::bail;
use clap::ArgMatches;
use serde_json::json;

use crate::Ending;
use crate::output::Output;
use crate::session::Session;

pub(crate) fn run(session: &Session, matches: &ArgMatches, output: &Output) -> anyhow::Result<Ending> {
    let engine = session.engine()?;
    let is_all = matches.get_flag("all");
    if !matches.get_flag("yes") && !is_confirmed(&engine.folder().display().to_string())? {
        return Ok(Ending::Nothing);
    }
    let removed = if is_all {
        engine.clean_folder()?
    } else {
        engine.clean_index()?
    };
    let removed: Vec<String> = removed.iter().map(|path| path.display().to_string()).collect();
    if output.is_json {
        Output::json(&json!({ "removed": removed }))?;
    } else if removed.is_empty() {
        output.text("there is nothing to remove\n")?;
    } else {
        output.text(&format!("removed {}\n", removed.join(", ")))?;
    }
    Ok(if removed.is_empty() {
        Ending::Nothing
    } else {
        Ending::Found
    })
}

fn is_confirmed(folder: &str) -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() {
        bail!("this removes the index in {folder}; say -y to do it without being asked");
    }
    write!(io::stderr(), "Remove the index in {folder}? [y/N] ")?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
