//! Asks git which files it tracks. Git is run without hooks and without anything that a repository's own settings could
//! make it start.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where git is installed on common systems. They come before `PATH`, which a project's environment may have changed.
const FIXED_PLACES: &[&str] = &[
    "/usr/bin/git",
    "/usr/local/bin/git",
    "/bin/git",
    "/opt/homebrew/bin/git",
    "/run/current-system/sw/bin/git",
    "C:\\Program Files\\Git\\cmd\\git.exe",
];

/// The git program: the first of the fixed places that exists, else whatever `PATH` finds.
#[must_use]
pub fn git_program() -> PathBuf {
    FIXED_PLACES
        .iter()
        .map(Path::new)
        .find(|place| place.is_file())
        .unwrap_or(Path::new("git"))
        .to_owned()
}

/// The files below `folder` that git tracks, relative to it. None without git or outside a repository.
pub(crate) fn tracked_files(folder: &Path) -> Option<Vec<String>> {
    let output = Command::new(git_program())
        .arg("-C")
        .arg(folder)
        .args(["-c", "core.fsmonitor=false", "ls-files", "-z"])
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let files = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Some(files.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}
