//! Printing: answers to standard output, everything else to standard error.

use std::io::{self, IsTerminal as _, Write as _};

use clap::ArgMatches;
use serde_json::Value;
use strata_tools::Answer;

/// Where and how to print.
pub(crate) struct Output {
    /// True when JSON was asked for.
    pub(crate) is_json: bool,
    has_color: bool,
    has_error_color: bool,
}

const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const PLAIN: &str = "\x1b[0m";

impl Output {
    pub(crate) fn new(matches: &ArgMatches) -> Self {
        let wish = matches.get_one::<String>("color").map_or("auto", String::as_str);
        let is_off = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let has_color = |is_terminal: bool| match wish {
            "always" => true,
            "never" => false,
            _ => is_terminal && !is_off,
        };
        Self {
            is_json: is_json(matches),
            has_color: has_color(io::stdout().is_terminal()),
            has_error_color: has_color(io::stderr().is_terminal()),
        }
    }

    /// Prints an answer in the form that was asked for.
    pub(crate) fn answer(&self, answer: &Answer) -> io::Result<()> {
        if self.is_json {
            Self::json(&answer.structured)
        } else if answer.error.is_some() && answer.outcome.is_none() {
            self.error(&answer.text);
            Ok(())
        } else {
            self.text(&answer.text)
        }
    }

    /// Prints a text, with what is beside the point in a weaker colour.
    pub(crate) fn text(&self, text: &str) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        if !self.has_color {
            stdout.write_all(text.as_bytes())?;
            if !text.ends_with('\n') && !text.is_empty() {
                stdout.write_all(b"\n")?;
            }
            return stdout.flush();
        }
        for line in text.lines() {
            let is_aside = ["note: ", "more: ", "[index ", "<!-- ", "_stratigraph:"]
                .iter()
                .any(|start| line.starts_with(start));
            if is_aside {
                writeln!(stdout, "{DIM}{line}{PLAIN}")?;
            } else {
                writeln!(stdout, "{line}")?;
            }
        }
        stdout.flush()
    }

    /// Prints JSON.
    pub(crate) fn json(value: &Value) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        serde_json::to_writer_pretty(&mut stdout, value)?;
        stdout.write_all(b"\n")?;
        stdout.flush()
    }

    /// Prints an error.
    pub(crate) fn error(&self, message: &str) {
        let (start, end) = if self.has_error_color { (RED, PLAIN) } else { ("", "") };
        // There is nowhere left to report that standard error is closed.
        let _ = writeln!(io::stderr(), "{start}error:{end} {message}");
    }

    /// Prints a remark.
    pub(crate) fn remark(&self, message: &str) {
        let (start, end) = if self.has_error_color { (DIM, PLAIN) } else { ("", "") };
        // See above.
        let _ = writeln!(io::stderr(), "{start}{message}{end}");
    }
}

/// True when JSON was asked for, by the global flag or by a verb's format.
fn is_json(matches: &ArgMatches) -> bool {
    let of_verb = matches.subcommand().is_some_and(|(_, matches)| {
        matches.get_flag("json")
            || matches
                .try_get_one::<String>("format")
                .ok()
                .flatten()
                .is_some_and(|format| format == "json")
    });
    matches.get_flag("json") || of_verb
}
