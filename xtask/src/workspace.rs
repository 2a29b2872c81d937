//! Where the workspace is, which files and crates it has, and how to run a tool inside it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use ignore::WalkBuilder;
use serde::Deserialize;

/// The workspace's root folder: the parent of this crate's folder.
pub(crate) fn root() -> PathBuf {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_dir
        .parent()
        .expect("the xtask crate lies one level below the root")
        .to_path_buf()
}

/// A file of the workspace, its path relative to the root with `/` between the parts.
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Reads every text file that git would track and whose extension is listed, in path order.
pub(crate) fn text_files(root: &Path, extensions: &[&str]) -> Result<Vec<SourceFile>> {
    let mut files = Vec::new();
    let walk = WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .filter_entry(|entry| !matches!(entry.file_name().to_str(), Some(".git" | "target" | ".stratigraph")))
        .build();
    for entry in walk {
        let entry = entry?;
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let extension = entry
            .path()
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap_or("");
        if !extensions.contains(&extension) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(entry.path()) else {
            // Test data may be binary on purpose; it is nobody's prose.
            continue;
        };
        files.push(SourceFile {
            path: relative(root, entry.path()),
            text,
        });
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(files)
}

fn relative(root: &Path, path: &Path) -> String {
    let inner = path.strip_prefix(root).expect("the walk starts at the root");
    inner
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}

/// One crate of the workspace as `cargo metadata` describes it.
pub(crate) struct Crate {
    /// Package name, such as `strata-model`.
    pub(crate) package: String,
    /// Folder below the root, such as `crates/model`.
    pub(crate) folder: String,
    /// Packages of this workspace that it depends on in a normal build.
    pub(crate) uses: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
    path: Option<PathBuf>,
}

/// The crates of the workspace, in order of package name.
pub(crate) fn crates(root: &Path) -> Result<Vec<Crate>> {
    let json = output(
        cargo()
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .current_dir(root),
    )?;
    let metadata: Metadata = serde_json::from_str(&json).context("cannot read the output of cargo metadata")?;
    let mut crates = Vec::new();
    for package in metadata.packages {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        let mut uses: Vec<String> = package
            .dependencies
            .into_iter()
            .filter(|dependency| dependency.path.is_some() && dependency.kind.is_none())
            .map(|dependency| dependency.name)
            .collect();
        uses.sort();
        uses.dedup();
        crates.push(Crate {
            package: package.name,
            folder: relative(root, folder),
            uses,
        });
    }
    crates.sort_by(|left, right| left.package.cmp(&right.package));
    Ok(crates)
}

/// The cargo that runs this task, so that a chosen toolchain stays chosen.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a command with its output on the terminal; a failure is an error that names the command.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}

/// Runs a command and returns what it wrote to stdout; its stderr stays on the terminal.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} ended with {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{command:?} wrote something that is not UTF-8"))
}

/// Folder that cargo builds into, which a variable may have moved.
pub(crate) fn target_dir(root: &Path) -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root.join(dir),
        None => root.join("target"),
    }
}

/// Builds packages in the release profile and returns the folder of their binaries.
pub(crate) fn build_release(root: &Path, packages: &[&str]) -> Result<PathBuf> {
    let mut command = cargo();
    command
        .args(["build", "--release", "--locked", "--quiet"])
        .current_dir(root);
    for package in packages {
        command.args(["-p", package]);
    }
    run(&mut command)?;
    Ok(target_dir(root).join("release"))
}

/// Folder that holds the measured repositories' sources unless an option names another.
pub(crate) fn corpora(root: &Path) -> PathBuf {
    std::env::var_os("XTASK_CORPORA").map_or_else(|| target_dir(root).join("corpora"), PathBuf::from)
}
