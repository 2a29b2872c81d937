//! Rows as they are read: plain structs, with the ids that hold them together.

use strata_model::edge::EdgeFlags;
use strata_model::facts::{DefFlags, FileFacts, Metrics, Problem};
use strata_model::ids::{DefId, Position, Span};
use strata_model::kinds::{EdgeKind, NodeKind, NodeLevel, ParseStatus};
use strata_model::outcome::{How, Status};

macro_rules! row_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);
    };
}

row_id!(
    /// A file of the store. Stays the same while the file is indexed under the same path.
    FileId
);
row_id!(
    /// A node of the store. Stays the same while the symbol keeps its key, and is never given to another one.
    NodeId
);
row_id!(
    /// A package of the store. Stays the same while the package keeps its folder.
    PackageId
);

/// A file that is indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// Id.
    pub id: FileId,
    /// Path relative to the root, with `/`.
    pub path: String,
    /// Hash of the content that the stored symbols belong to.
    pub sha256: [u8; 32],
    /// Size in bytes.
    pub size_bytes: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Name of the language.
    pub language: String,
    /// The package it belongs to; none for a file that belongs to the root itself.
    pub package_id: Option<PackageId>,
    /// FQN of the module.
    pub module_fqn: String,
    /// The node that stands for the file.
    pub node_id: NodeId,
    /// Number of lines.
    pub line_count: u32,
    /// How well it was read.
    pub parse_status: ParseStatus,
    /// Bits of [`FileFacts`], such as [`FileFacts::IS_TEST`].
    pub flags: u32,
    /// What was wrong with it.
    pub problems: Vec<Problem>,
    /// When it was indexed, in milliseconds since 1970.
    pub indexed_at: i64,
}

impl FileRow {
    /// True when the file's name or place says that it holds tests.
    #[must_use]
    pub const fn is_test(&self) -> bool {
        self.flags & FileFacts::IS_TEST != 0
    }
}

/// A package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageRow {
    /// Id.
    pub id: PackageId,
    /// Name, unique within the root.
    pub name: String,
    /// FQN, which is the name or what replaces it.
    pub fqn: String,
    /// Folder relative to the root; empty for the root.
    pub folder: String,
    /// The manifest, relative to the root.
    pub manifest: String,
    /// The marker, such as `npm` or `python`.
    pub marker: String,
    /// The node that stands for the package.
    pub node_id: NodeId,
}

/// A node of the tree, levels 0 to 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRow {
    /// Id.
    pub id: NodeId,
    /// The file it stands in; none for the root and packages.
    pub file_id: Option<FileId>,
    /// Path of that file; the empty string for the root and packages.
    pub path: String,
    /// Language of that file; `multi` for the root and packages.
    pub language: String,
    /// The node that contains it; none for the root.
    pub parent_id: Option<NodeId>,
    /// What makes it the same symbol after an edit of the file.
    pub key: u64,
    /// Index of the definition in the file's facts; none for root, packages and modules.
    pub def: Option<DefId>,
    /// Level.
    pub level: NodeLevel,
    /// Kind.
    pub kind: NodeKind,
    /// Name.
    pub name: String,
    /// Fully qualified name.
    pub fqn: String,
    /// Bits of [`DefFlags`].
    pub flags: DefFlags,
    /// The whole construct, in bytes.
    pub span: Span,
    /// Where the construct starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// Where its name stands; line 0 for what has no name in the text.
    pub name_at: Position,
    /// Signature; empty where there is none.
    pub signature: String,
    /// Documentation.
    pub doc: Option<String>,
    /// Measures of the body, for what has one.
    pub metrics: Option<Metrics>,
}

/// A set of edge kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EdgeKinds(pub u8);

impl EdgeKinds {
    /// Every kind that is stored as an edge: all but `Contains`, which is the tree.
    pub const ALL: Self = Self(0x7f ^ EdgeKind::Contains.code());
    /// Calls only.
    pub const CALLS: Self = Self(EdgeKind::Calls.code());
    /// Every use that is not a call.
    pub const USES: Self = Self(Self::ALL.0 ^ EdgeKind::Calls.code());

    /// The set of these kinds.
    #[must_use]
    pub fn of(kinds: &[EdgeKind]) -> Self {
        Self(kinds.iter().fold(0, |bits, kind| bits | kind.code()))
    }

    /// True when the set has this kind.
    #[must_use]
    pub const fn has(self, kind: EdgeKind) -> bool {
        self.0 & kind.code() != 0
    }
}

/// An edge: every reference of one kind from one node to another, with its first site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeRow {
    /// Where it starts.
    pub src: NodeId,
    /// Where it leads.
    pub dst: NodeId,
    /// Kind.
    pub kind: EdgeKind,
    /// Number of sites in the text.
    pub sites: u32,
    /// The first site, in the file of `src`.
    pub at: Position,
    /// Last line of the first site.
    pub end_line: u32,
    /// How the surest of the sites was resolved.
    pub how: How,
    /// How sure that is, from 0 to 1, to three digits.
    pub confidence: f32,
    /// What is known of the receivers, and whether the target is registered.
    pub flags: EdgeFlags,
    /// The class of the receiver, where it is the same at every site; none: the class that has the member will do.
    pub receiver: Option<NodeId>,
}

/// An edge with the node at its other end.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkedNode {
    /// The edge.
    pub edge: EdgeRow,
    /// The other end: the target of an outgoing edge, the source of an incoming one.
    pub node: NodeRow,
}

/// What became of one reference, in a form that stays valid while other files are indexed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredOutcome {
    /// The kind of outcome.
    pub status: Status,
    /// How the targets were found.
    pub how: How,
    /// Number of members that were stepped through.
    pub chain: u8,
    /// Targets inside the root.
    pub targets: Vec<StoredTarget>,
    /// What it names outside the root.
    pub external: Option<String>,
}

/// A target of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoredTarget {
    /// A node.
    Node(NodeId),
    /// A definition that is no node: the file and the definition's key ([`Unlisted::key`]).
    Unlisted(FileId, u64),
}

/// A definition that is no node of the tree, such as a function literal or an object literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unlisted {
    /// What makes it the same definition after an edit of the file; unique among all keys of the file.
    pub key: u64,
    /// Index of the definition in the file's facts.
    pub def: DefId,
    /// The nearest definition around it that is a node; none for the module.
    pub owner: Option<DefId>,
}

/// A file that is no source and still decides what is indexed or how it resolves: a manifest, a configuration, an ignore
/// file. Kept so that a change of it is noticed without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRow {
    /// Path relative to the root.
    pub path: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Hash of the content.
    pub sha256: [u8; 32],
}

/// How names are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Letter by letter.
    Exact,
    /// Upper and lower case of ASCII letters are the same.
    Ignored,
}
