//! `cargo xtask ci`: what a push should have passed.

use anyhow::Result;

use crate::{tidy, workspace};

pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    let step = |title: &str, arguments: &[&str]| {
        println!("== {title}");
        workspace::run(workspace::cargo().args(arguments).current_dir(&root))
    };
    step("format", &["fmt", "--all", "--check"])?;
    step(
        "lints",
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ],
    )?;
    if has_nextest() {
        step("tests", &["nextest", "run", "--workspace", "--locked"])?;
    } else {
        step(
            "tests (without cargo-nextest)",
            &["test", "--workspace", "--all-targets", "--locked"],
        )?;
    }
    step(
        "documentation tests",
        &["test", "--workspace", "--doc", "--locked", "--quiet"],
    )?;
    println!("== tidy");
    tidy::run()
}

fn has_nextest() -> bool {
    let answer = workspace::cargo().args(["nextest", "--version"]).output();
    answer.is_ok_and(|output| output.status.success())
}
