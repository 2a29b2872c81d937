//! The reference of every time: a bare tree-sitter parse of the same files, on one thread, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use ignore::WalkBuilder;
use tree_sitter::{Language, Parser};

#[derive(Args)]
pub(crate) struct ParseOnlyOptions {
    /// Folder to parse
    folder: PathBuf,
}

/// Parses every file whose extension belongs to a supported language.
pub(crate) fn parse_only(options: &ParseOnlyOptions) -> Result<()> {
    let mut parser = Parser::new();
    let (mut n_files, mut n_bytes) = (0_usize, 0_usize);
    for path in walk(&options.folder)? {
        let Some(language) = language_of(&path) else { continue };
        let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        parser.set_language(&language)?;
        let tree = parser
            .parse(&text, None)
            .with_context(|| format!("cannot parse {}", path.display()))?;
        // Reading one node keeps the parse from being thought useless.
        n_bytes += tree.root_node().end_byte();
        n_files += 1;
    }
    println!("{n_files} files, {n_bytes} bytes");
    Ok(())
}

/// The grammar for a file, by its extension.
fn language_of(path: &Path) -> Option<Language> {
    let name = path.file_name()?.to_str()?;
    if [".min.js", ".d.ts", ".d.mts", ".d.cts"]
        .iter()
        .any(|suffix| name.ends_with(suffix))
    {
        return None;
    }
    match path.extension()?.to_str()? {
        "py" | "pyi" => Some(tree_sitter_python::LANGUAGE.into()),
        "ts" | "mts" | "cts" => Some(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
        "tsx" => Some(tree_sitter_typescript::LANGUAGE_TSX.into()),
        "js" | "jsx" | "mjs" | "cjs" => Some(tree_sitter_javascript::LANGUAGE.into()),
        _ => None,
    }
}

/// Folders that an index leaves out, too.
const EXCLUDED: [&str; 7] = [
    "__pycache__",
    "build",
    "coverage",
    "dist",
    "node_modules",
    "target",
    "venv",
];

/// Files below a folder in path order: not hidden, not ignored, not declared to be somebody else's or built.
fn walk(folder: &Path) -> Result<Vec<PathBuf>> {
    let walk = WalkBuilder::new(folder)
        .require_git(false)
        .filter_entry(|entry| !entry.file_name().to_str().is_some_and(|name| EXCLUDED.contains(&name)))
        .sort_by_file_path(Path::cmp)
        .build();
    let mut files = Vec::new();
    for entry in walk {
        let entry = entry?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}
