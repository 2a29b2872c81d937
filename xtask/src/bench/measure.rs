//! What one command used: CPU, memory and wall time.
//!
//! The system counts resources of all children of a process together and keeps only the largest memory peak. So each
//! command runs below a fresh copy of this program that has no other child, and that copy is small: on Linux a
//! child's peak is at least the size of the process that started it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::workspace;

#[derive(Args)]
pub(crate) struct MeasureOptions {
    /// File that receives the command's output
    #[arg(long)]
    stdout: std::path::PathBuf,
    /// The command and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<String>,
}

/// User plus system time, peak of resident memory, and how long it took.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Usage {
    pub(super) cpu_ms: f64,
    pub(super) wall_ms: f64,
    pub(super) peak_kib: i64,
}

/// Runs the command, then prints its usage as JSON.
pub(crate) fn measure(options: &MeasureOptions) -> Result<()> {
    let (program, arguments) = options.command.split_first().context("no command was given")?;
    let stdout = std::fs::File::create(&options.stdout)?;
    let start = Instant::now();
    let status = Command::new(program)
        .args(arguments)
        .stdout(stdout)
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    let wall_ms = start.elapsed().as_secs_f64() * 1e3;
    if !status.success() {
        bail!("{} ended with {status}", options.command.join(" "));
    }
    let usage = children_usage(wall_ms)?;
    println!("{}", serde_json::to_string(&usage)?);
    Ok(())
}

#[cfg(unix)]
fn children_usage(wall_ms: f64) -> Result<Usage> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu_us = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    // macOS counts bytes where others count KiB.
    let peak_kib = if cfg!(target_os = "macos") {
        usage.max_rss() / 1024
    } else {
        usage.max_rss()
    };
    let cpu_ms = std::time::Duration::from_micros(u64::try_from(cpu_us)?).as_secs_f64() * 1e3;
    Ok(Usage {
        cpu_ms,
        wall_ms,
        peak_kib,
    })
}

#[cfg(not(unix))]
fn children_usage(_wall_ms: f64) -> Result<Usage> {
    bail!("CPU and memory of a child are read on Unix only")
}

/// A measured command with what it wrote to stdout.
pub(super) struct Measured {
    pub(super) usage: Usage,
    pub(super) output: String,
}

/// Runs a command below a fresh copy of this program.
pub(super) fn command(xtask: &Path, scratch: &Path, command: &[&str]) -> Result<Measured> {
    let stdout = scratch.join("stdout");
    let json = workspace::output(
        Command::new(xtask)
            .arg("measure")
            .arg("--stdout")
            .arg(&stdout)
            .arg("--")
            .args(command)
            .stdin(Stdio::null()),
    )?;
    let usage = serde_json::from_str(&json).with_context(|| format!("cannot read the usage of {command:?}"))?;
    let output = String::from_utf8_lossy(&std::fs::read(&stdout)?).into_owned();
    Ok(Measured { usage, output })
}
