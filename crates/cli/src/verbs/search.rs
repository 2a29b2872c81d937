//! `strata search`.

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
        .get_many::<String>("pattern")
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    let mut arguments = Map::new();
    arguments.insert("pattern".to_owned(), Value::from(words.join(" ")));
    for name in ["limit", "budget"] {
        if let Some(number) = matches.get_one::<u32>(name) {
            arguments.insert(name.to_owned(), Value::from(*number));
        }
    }
    for name in ["kind", "cursor"] {
        if let Some(text) = matches.get_one::<String>(name) {
            arguments.insert(name.to_owned(), Value::from(text.as_str()));
        }
    }
    let search_symbols = find("search_symbols").context("the tool search_symbols is missing")?;
    let answer = tool::answer(session, search_symbols, arguments);
    output.answer(&answer)?;
    Ok(Ending::of_answer(&answer))
}
