//! From what was typed to what is meant.
//!
//! Before clap sees the arguments they are put in order: several words that start with no verb become `context WORDS`,
//! and the words after a tool's verb become its main argument, so that `strata symbol-detail Session.send` means
//! `strata symbol-detail --fqn Session.send`.

use std::ffi::{OsStr, OsString};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, error::ErrorKind, value_parser};
use strata_tools::ALL;

/// Global options that take a value.
const GLOBAL_WITH_VALUE: [&str; 2] = ["--root", "--color"];

/// Reads the arguments, of which the first is the program.
pub(crate) fn parse(given: Vec<OsString>) -> Result<ArgMatches, clap::Error> {
    let ordered = ordered(given)?;
    command().try_get_matches_from(ordered)
}

/// The whole command line.
pub(crate) fn command() -> Command {
    let command = Command::new("strata")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Answer questions about the structure of a code base")
        .long_about(
            "Answer questions about the structure of a code base.\n\n\
             `strata who calls OrderService.create` asks in words; the verbs below ask precisely. The folder is indexed \
             when it has to be, and the answer is never older than the files.",
        )
        .after_help("Exit codes: 0 found or done, 1 nothing found, 2 wrong usage or failure")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name("VERB")
        .disable_help_subcommand(true)
        .args([
            Arg::new("root")
                .long("root")
                .global(true)
                .value_name("PATH")
                .value_parser(value_parser!(std::path::PathBuf))
                .help("Folder to ask about [default: found upwards from here]"),
            Arg::new("json").long("json").global(true).action(ArgAction::SetTrue).help("Print JSON"),
            Arg::new("verbose")
                .long("verbose")
                .short('v')
                .global(true)
                .action(ArgAction::Count)
                .help("Log what happens, to standard error"),
            Arg::new("color")
                .long("color")
                .global(true)
                .value_name("WHEN")
                .value_parser(PossibleValuesParser::new(["auto", "always", "never"]))
                .default_value("auto")
                .hide_possible_values(true)
                .help("Use colours: auto, always or never"),
        ]);
    command
        .subcommands(own_verbs())
        .subcommands(ALL.iter().map(|tool| (tool.command)()))
}

fn own_verbs() -> Vec<Command> {
    let path = || value_parser!(std::path::PathBuf);
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    vec![
        Command::new("index")
            .about("Index a folder, or bring its index up to date")
            .arg(
                Arg::new("path")
                    .value_name("PATH")
                    .value_parser(path())
                    .help("Folder [default: the root]"),
            )
            .arg(flag("force").short('f').help("Parse every file again"))
            .arg(flag("quiet").short('q').help("Print nothing but errors")),
        Command::new("context")
            .about("Show what one needs to know before a task")
            .arg(
                Arg::new("query")
                    .required(true)
                    .num_args(1..)
                    .value_name("QUERY")
                    .help("The task in plain words"),
            )
            .arg(number("limit", "N").help("Most symbols [default: 10]"))
            .arg(
                number("budget", "TOKENS")
                    .short('b')
                    .help("Most tokens of the answer [default: 8000]"),
            )
            .arg(number("level", "0-3").short('l').help("How much of each symbol"))
            .arg(
                Arg::new("file")
                    .long("file")
                    .short('f')
                    .value_name("PATH")
                    .help("Only this file"),
            )
            .arg(
                Arg::new("cursor")
                    .long("cursor")
                    .help("Continue where the last answer ended"),
            )
            .arg(
                Arg::new("format")
                    .long("format")
                    .value_parser(PossibleValuesParser::new(["text", "json"]))
                    .default_value("text")
                    .help("Form of the answer"),
            )
            .arg(
                Arg::new("output")
                    .long("output")
                    .short('o')
                    .value_name("FILE")
                    .value_parser(path())
                    .help("Write the answer to a file"),
            ),
        Command::new("search")
            .about("Find symbols by name, words or a pattern")
            .arg(
                Arg::new("pattern")
                    .required(true)
                    .num_args(1..)
                    .value_name("PATTERN")
                    .help("A name, words, or `Auth*`"),
            )
            .arg(
                Arg::new("kind")
                    .long("kind")
                    .short('k')
                    .help("Only this kind: function, class, method …"),
            )
            .arg(number("limit", "N").short('n').help("Most symbols [default: 20]"))
            .arg(number("budget", "TOKENS").help("Most tokens of the answer [default: 2000]"))
            .arg(
                Arg::new("cursor")
                    .long("cursor")
                    .help("Continue where the last answer ended"),
            ),
        Command::new("status").about("Show what is indexed and whether it is current"),
        Command::new("clean")
            .about("Remove the index")
            .arg(flag("yes").short('y').help("Do not ask"))
            .arg(flag("all").help("Remove the whole index folder, with what cannot be built again")),
        Command::new("export")
            .about("Write the graph, all references or derived calls, one JSON object a line")
            .arg(
                Arg::new("what")
                    .required(true)
                    .value_parser(PossibleValuesParser::new(["graph", "references", "flows"]))
                    .help("What to write"),
            )
            .arg(
                Arg::new("format")
                    .long("format")
                    .value_parser(PossibleValuesParser::new(["jsonl"]))
                    .default_value("jsonl")
                    .help("Form of the rows"),
            )
            .arg(
                Arg::new("output")
                    .long("output")
                    .short('o')
                    .value_name("FILE")
                    .value_parser(path())
                    .help("Write to a file"),
            ),
        Command::new("mcp")
            .about("Serve an agent over standard input and output")
            .arg(
                Arg::new("transport")
                    .long("transport")
                    .value_parser(PossibleValuesParser::new(["stdio"]))
                    .default_value("stdio")
                    .help("How the agent talks to the server"),
            )
            .arg(
                Arg::new("profile")
                    .long("profile")
                    .default_value("core")
                    .value_parser(value_parser!(strata_serve::Profile))
                    .help("Which tools are listed: core or all"),
            ),
    ]
}

fn number(name: &'static str, value: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(value)
        .value_parser(value_parser!(u32))
}

/// Puts a question behind `context` and a tool's main argument behind its name.
fn ordered(given: Vec<OsString>) -> Result<Vec<OsString>, clap::Error> {
    let Some(at) = first_word(&given) else { return Ok(given) };
    let (before, rest) = given.split_at(at);
    let n_words = rest.iter().take_while(|word| !is_option(word)).count();
    let (words, options) = rest.split_at(n_words);
    let verb = words[0].to_string_lossy().into_owned();
    let mut ordered: Vec<OsString> = before.to_vec();
    if let Some(tool) = ALL.iter().find(|tool| tool.verb == verb) {
        ordered.push(words[0].clone());
        if let (Some(primary), true) = (tool.primary, words.len() > 1) {
            ordered.push(format!("--{primary}").into());
            ordered.push(joined(&words[1..]));
        } else {
            ordered.extend_from_slice(&words[1..]);
        }
        ordered.extend_from_slice(options);
        return Ok(ordered);
    }
    if verb == "help" || own_verbs().iter().any(|command| command.get_name() == verb) {
        return Ok(given);
    }
    let question = joined(words);
    if words.len() == 1 && !question.to_string_lossy().trim().contains(char::is_whitespace) {
        return Err(unknown_verb(&verb));
    }
    ordered.push("context".into());
    ordered.push(question);
    ordered.extend_from_slice(options);
    Ok(ordered)
}

/// Where the first argument stands that is neither the program, a global option nor its value.
fn first_word(given: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while let Some(argument) = given.get(at) {
        if GLOBAL_WITH_VALUE.iter().any(|option| argument == option) {
            at += 2;
        } else if is_option(argument) {
            at += 1;
        } else {
            return Some(at);
        }
    }
    None
}

fn is_option(argument: &OsStr) -> bool {
    argument.as_encoded_bytes().starts_with(b"-") && argument.len() > 1
}

fn joined(words: &[OsString]) -> OsString {
    let mut out = OsString::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            out.push(" ");
        }
        out.push(word);
    }
    out
}

fn unknown_verb(word: &str) -> clap::Error {
    let command = command();
    let nearest = command
        .get_subcommands()
        .map(|verb| verb.get_name().to_owned())
        .min_by_key(|verb| edit_distance(verb, word))
        .filter(|verb| edit_distance(verb, word) <= word.len().max(3) / 2);
    let hint = match nearest {
        Some(verb) => format!("did you mean `strata {verb}`?"),
        None => "see `strata --help`".to_owned(),
    };
    let message =
        format!("there is no verb `{word}`; {hint} A question has several words: `strata who calls {word}`\n");
    clap::Error::raw(ErrorKind::InvalidSubcommand, message)
}

/// Levenshtein distance of two short words.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let cost = usize::from(left != *right);
            let next = (diagonal + cost).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{command, edit_distance, ordered};

    #[track_caller]
    fn check(given: &str, expected: &str) {
        let given = given.split('|').map(Into::into).collect();
        let ordered: Vec<String> = ordered(given)
            .unwrap()
            .into_iter()
            .map(|word| word.into_string().unwrap())
            .collect();
        assert_eq!(ordered.join("|"), expected);
    }

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn words_without_a_verb_are_a_question() {
        check("strata|who|calls|send", "strata|context|who calls send");
        check("strata|who calls send", "strata|context|who calls send");
        check(
            "strata|--root|x|who|calls|send|--json",
            "strata|--root|x|context|who calls send|--json",
        );
    }

    #[test]
    fn words_after_a_tool_are_its_main_argument() {
        check(
            "strata|symbol-detail|A.b|--json",
            "strata|symbol-detail|--fqn|A.b|--json",
        );
        check(
            "strata|codebase-search|session|expiry",
            "strata|codebase-search|--query|session expiry",
        );
        check("strata|symbol-detail|--fqn|A.b", "strata|symbol-detail|--fqn|A.b");
        check("strata|index|.", "strata|index|.");
    }

    #[test]
    fn a_single_unknown_word_names_the_nearest_verb() {
        let error = ordered(vec!["strata".into(), "serach".into()]).unwrap_err().to_string();
        assert!(
            error.contains("`serach`") && error.contains("`strata search`"),
            "{error}"
        );
    }

    #[test]
    fn distances_are_edits() {
        assert_eq!(edit_distance("search", "serach"), 2);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("same", "same"), 0);
    }
}
