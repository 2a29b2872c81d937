//! The single writer: one [`Batch`] is one transaction.
//!
//! The order within a batch is: [`Batch::put_tree`], then [`Batch::remove_file`] and [`Batch::put_file`] for everything
//! that changed, then [`Batch::set_file_ids`], then [`Batch::put_links`] for every file that was linked again. Feeding
//! files in path order makes the store grow by appending and makes equal inputs give equal stores.
//!
//! Ids are the reason why edges of unchanged files need no work when their target's file changes: a node keeps its id as
//! long as its key is found again, and an id that is gone is never given out again.

mod batch;
mod files;
mod links;
mod texts;
mod tree;

use strata_model::edge::EdgeFlags;
use strata_model::facts::{DefFlags, Metrics, Problem};
use strata_model::ids::{Position, Span, SymbolRef};
use strata_model::kinds::{EdgeKind, NodeKind, NodeLevel, ParseStatus};
use strata_model::outcome::{How, Outcome};

pub use self::batch::{Batch, BatchReport};
use crate::rows::{FileId, PackageId, Unlisted};

/// The root node.
#[derive(Clone, Copy, Debug)]
pub struct RootInit<'a> {
    /// Name of the root, or what replaces it.
    pub name: &'a str,
    /// FQN of the root node; the same as the name.
    pub fqn: &'a str,
}

/// A package.
#[derive(Clone, Copy, Debug)]
pub struct PackageInit<'a> {
    /// Name, unique within the root.
    pub name: &'a str,
    /// FQN.
    pub fqn: &'a str,
    /// Folder relative to the root; what makes it the same package in the next batch.
    pub folder: &'a str,
    /// The manifest, relative to the root.
    pub manifest: &'a str,
    /// The marker, such as `npm`.
    pub marker: &'a str,
}

/// What a module of an installed package declares.
#[derive(Clone, Debug)]
pub struct SurfaceInit {
    /// Hash of the content that it was extracted from.
    pub sha256: [u8; 32],
    /// Name of the language with the word `surface`, apart from the facts of files.
    pub language: String,
    /// Version of the extractor.
    pub extractor_version: u32,
    /// The encoded facts.
    pub facts: Vec<u8>,
}

/// Everything about one file that its own content and its place decide.
#[derive(Clone, Debug)]
pub struct FileUpdate<'a> {
    /// Path relative to the root, with `/`.
    pub path: &'a str,
    /// Hash of the content.
    pub sha256: [u8; 32],
    /// Size in bytes.
    pub size_bytes: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Name of the language.
    pub language: &'a str,
    /// The package it belongs to, as [`Batch::put_tree`] returned it; none for the root.
    pub package: Option<PackageId>,
    /// FQN of the module.
    pub module_fqn: &'a str,
    /// Number of lines.
    pub line_count: u32,
    /// How well it was read.
    pub parse_status: ParseStatus,
    /// Bits of `FileFacts`.
    pub flags: u32,
    /// What was wrong with it.
    pub problems: &'a [Problem],
    /// When it was indexed, in milliseconds since 1970.
    pub indexed_at: i64,
    /// The module node first, then its symbols so that a parent comes before its children.
    pub nodes: &'a [NodeInit<'a>],
    /// Definitions that are no nodes, in any order.
    pub unlisted: &'a [Unlisted],
    /// Version of the extractor that made `facts`.
    pub extractor_version: u32,
    /// The encoded facts; none when the store already has them for this content, language and version.
    pub facts: Option<&'a [u8]>,
}

/// A node of a file.
#[derive(Clone, Copy, Debug)]
pub struct NodeInit<'a> {
    /// What makes it the same symbol after an edit; unique within the file.
    pub key: u64,
    /// Index of the definition in the facts; none for the module.
    pub def: Option<u32>,
    /// Index of the parent in [`FileUpdate::nodes`]; ignored for the module.
    pub parent: usize,
    /// Level.
    pub level: NodeLevel,
    /// Kind.
    pub kind: NodeKind,
    /// Name.
    pub name: &'a str,
    /// Fully qualified name.
    pub fqn: &'a str,
    /// Bits of [`DefFlags`].
    pub flags: DefFlags,
    /// The whole construct, in bytes.
    pub span: Span,
    /// Where the construct starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// Where its name stands; line 0 for the module.
    pub name_at: Position,
    /// Signature; may be empty.
    pub signature: &'a str,
    /// Documentation.
    pub doc: Option<&'a str>,
    /// Measures of the body, for what can be called.
    pub metrics: Option<Metrics>,
}

/// What linking a file gave.
#[derive(Clone, Copy, Debug)]
pub struct LinksUpdate<'a> {
    /// The file.
    pub file: FileId,
    /// The edges that start in the file, one a site, in any order; the batch merges sites of one (src, dst, kind).
    pub edges: &'a [EdgeInit],
    /// The outcome of each reference, in the order of the file's references.
    pub outcomes: &'a [Outcome],
    /// The keys that were looked up; sorted, without duplicates.
    pub keys: &'a [u64],
}

/// One site of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeInit {
    /// Where it starts. A definition that is no node stands for the nearest one around it that is.
    pub src: SymbolRef,
    /// Where it leads. An edge to a definition that is no node is not stored; the outcome keeps it.
    pub dst: SymbolRef,
    /// Kind; not `Contains`, which follows from the tree.
    pub kind: EdgeKind,
    /// Where the site stands.
    pub at: Position,
    /// Last line of the site.
    pub end_line: u32,
    /// How it was resolved.
    pub how: How,
    /// How sure that is, from 0 to 1; kept to three digits.
    pub confidence: f32,
    /// What is known of the receiver, and whether the target is registered.
    pub flags: EdgeFlags,
    /// The class of the receiver; none: that of the member, or there is no receiver.
    pub receiver: Option<SymbolRef>,
}
