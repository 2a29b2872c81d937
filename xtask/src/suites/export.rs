//! What the binary exports of a folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The binary that is scored.
pub(super) struct Binary {
    pub(super) path: PathBuf,
    pub(super) with_flows: bool,
}

/// A definition or module.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Symbol {
    pub(super) fqn: String,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) kind: String,
    /// Of a constructor: the line of its class.
    pub(super) owner_line: Option<u32>,
}

/// A declared reference.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Reference {
    pub(super) edge: String,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) col: u32,
    pub(super) callee_text: String,
    pub(super) caller: Symbol,
    pub(super) outcome: String,
    pub(super) targets: Vec<Symbol>,
    pub(super) external: Option<String>,
}

/// A derived call.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Flow {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) col: u32,
    pub(super) callee_text: String,
    pub(super) caller: Symbol,
    pub(super) target: Option<Symbol>,
    pub(super) external: Option<String>,
    pub(super) instead: bool,
}

/// A line of the graph.
#[derive(Debug, Deserialize)]
pub(super) struct Node {
    #[serde(rename = "type")]
    what: String,
    #[serde(default)]
    pub(super) fqn: String,
    #[serde(default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) file: String,
    #[serde(default)]
    pub(super) start_line: u32,
    #[serde(default)]
    pub(super) end_line: u32,
}

/// Everything that is known of a folder.
pub(super) struct Export {
    pub(super) references: Vec<Reference>,
    pub(super) flows: Vec<Flow>,
    pub(super) nodes: Vec<Node>,
}

impl Binary {
    /// Indexes a copy of `folder`, or of the one file `only` in it, and exports it.
    pub(super) fn export(&self, folder: &Path, only: Option<&str>) -> Result<Export> {
        let scratch = tempfile::tempdir().context("no room for a copy")?;
        // Names of the copy must not look like tests, and hidden folders are not indexed.
        let root = scratch.path().join("case");
        std::fs::create_dir(&root)?;
        match only {
            Some(file) => {
                std::fs::copy(folder.join(file), root.join(file))?;
            }
            None => copy(folder, &root)?,
        }
        self.run(&root, &["index"])?;
        let mut nodes: Vec<Node> = self.rows(&root, "graph")?;
        nodes.retain(|node| node.what == "node");
        Ok(Export {
            references: self.rows(&root, "references")?,
            flows: if self.with_flows {
                self.rows(&root, "flows")?
            } else {
                Vec::new()
            },
            nodes,
        })
    }

    fn rows<T: DeserializeOwned>(&self, root: &Path, what: &str) -> Result<Vec<T>> {
        let text = self.run(root, &["export", what])?;
        text.lines()
            .map(|line| serde_json::from_str(line).with_context(|| format!("not understood: {line}")))
            .collect()
    }

    fn run(&self, root: &Path, arguments: &[&str]) -> Result<String> {
        let output = Command::new(&self.path)
            .args(arguments)
            .arg("--root")
            .arg(root)
            .output()
            .with_context(|| format!("cannot run {}", self.path.display()))?;
        if !output.status.success() {
            bail!("{arguments:?} failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        String::from_utf8(output.stdout).context("the output is no UTF-8")
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    for entry in std::fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            std::fs::create_dir(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
