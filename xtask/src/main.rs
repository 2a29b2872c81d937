//! Tasks around the workspace, started with `cargo xtask <task>`.
//!
//! Three kinds live here: checks that no compiler makes (`tidy`, `ci`), measurements that keep the product honest
//! (`accuracy`, `bench`, `metrics`) and scaffolding (`new-language`). Nothing here is part of the product, and
//! nothing in the product depends on it.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task's whole purpose is to print to the terminal"
)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod accuracy;
mod bench;
mod ci;
mod metrics;
mod new_language;
mod suites;
mod surfaces;
mod table;
mod tidy;
mod workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tasks around the Stratigraph workspace")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check what no compiler checks: layers, sizes, module docs, documents
    Tidy,
    /// Score the edges of the built binary against compilers' truth
    Accuracy(accuracy::Options),
    /// Score call graphs of others' small programs, derived calls included
    Suites(suites::Options),
    /// Measure CPU and memory of an index and of cold commands against a bare parse
    Bench(bench::Options),
    /// Print dependency count, binary size, lines per crate and number of tests
    Metrics,
    /// Write the skeleton of a language and register it
    NewLanguage(new_language::Options),
    /// Make the packs of library surfaces anew from folders of type stubs
    Surfaces(surfaces::Options),
    /// Run format check, lints, tests and tidy, as a push should have passed them
    Ci,
    /// Parse every supported file below a folder and do nothing else
    #[command(hide = true)]
    ParseOnly(bench::ParseOnlyOptions),
    /// Run one command and print what it used
    #[command(hide = true)]
    Measure(bench::MeasureOptions),
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Task::Tidy => tidy::run(),
        Task::Accuracy(options) => accuracy::run(&options),
        Task::Suites(options) => suites::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Metrics => metrics::run(),
        Task::NewLanguage(options) => new_language::run(&options),
        Task::Surfaces(options) => surfaces::run(&options),
        Task::Ci => ci::run(),
        Task::ParseOnly(options) => bench::parse_only(&options),
        Task::Measure(options) => bench::measure(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
