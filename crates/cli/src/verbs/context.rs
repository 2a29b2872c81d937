//! `strata context` and questions in words.

use anyhow::Context as _;
use clap::ArgMatches;
use serde_json::{Map, Value};
use strata_tools::find;

use crate::Ending;
use crate::output::Output;
use crate::session::Session;
use crate::verbs::tool;

pub(crate) fn run(session: &Session, matches: &ArgMatches, output: &Output) -> anyhow::Result<Ending> {
    let words: Vec<&str> = matches
        .get_many::<String>("query")
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    let mut arguments = Map::new();
    arguments.insert("query".to_owned(), Value::from(words.join(" ")));
    for name in ["limit", "budget", "level"] {
        if let Some(number) = matches.get_one::<u32>(name) {
            arguments.insert(name.to_owned(), Value::from(*number));
        }
    }
    for name in ["file", "cursor"] {
        if let Some(text) = matches.get_one::<String>(name) {
            arguments.insert(name.to_owned(), Value::from(text.as_str()));
        }
    }
    let get_context = find("get_context").context("the tool get_context is missing")?;
    let answer = tool::answer(session, get_context, arguments);
    match matches
        .get_one::<std::path::PathBuf>("output")
        .filter(|_| answer.error.is_none())
    {
        Some(path) => {
            let text = if output.is_json {
                format!("{:#}\n", answer.structured)
            } else {
                answer.text.clone()
            };
            std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => output.answer(&answer)?,
    }
    Ok(Ending::of_answer(&answer))
}
