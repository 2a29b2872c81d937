//! Newtyped ids, and the positions of things in a file.
//!
//! Ids below [`FileFacts`](crate::facts::FileFacts) are indices into a section of the *same* file's facts. They
//! mean nothing in another file, so a symbol of the program is always the pair [`SymbolRef`].

use bitcode::{Decode, Encode};

macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Encode, Decode)]
        pub struct $name(pub u32);

        impl $name {
            /// Index into the section that this id belongs to.
            #[must_use]
            pub const fn ix(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A string in the file's string table.
    StrId
);
id!(
    /// A scope of a file; scope 0 is the file's own.
    ScopeId
);
id!(
    /// A region of control flow inside a scope; region 0 is the file's own.
    RegionId
);
id!(
    /// A definition of a file, in source order of its start.
    DefId
);
id!(
    /// A binding of a place (a name, or a field of self).
    BindId
);
id!(
    /// A set of bindings that can reach one use.
    BindSetId
);
id!(
    /// An expression shape.
    ExprId
);
id!(
    /// A type as it was written.
    TypeId
);
id!(
    /// An import statement's single binding.
    ImportId
);
id!(
    /// A reference: a place in the text that names something.
    RefId
);
id!(
    /// A file of the program at hand: its rank in path order.
    FileIx
);

/// A symbol of the program: a definition and the file that holds it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Encode, Decode)]
pub struct SymbolRef {
    /// The file.
    pub file: FileIx,
    /// The definition inside that file, or [`SymbolRef::MODULE`] for the file itself.
    pub def: DefId,
}

impl SymbolRef {
    /// Stands in `def` for the module, the file as a whole.
    pub const MODULE: DefId = DefId(u32::MAX);

    /// The module of `file`.
    #[must_use]
    pub const fn module(file: FileIx) -> Self {
        Self {
            file,
            def: Self::MODULE,
        }
    }

    /// True for the symbol that stands for a whole file.
    #[must_use]
    pub const fn is_module(self) -> bool {
        self.def.0 == Self::MODULE.0
    }
}

/// A half-open range of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord, Encode, Decode)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A place in a file as editors count: line from 1, column from 1 in UTF-16 units.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord, Encode, Decode)]
pub struct Position {
    /// 1-based line.
    pub line: u32,
    /// 1-based column in UTF-16 code units.
    pub column: u32,
}

/// A run of elements in a flat list of the same file's facts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Encode, Decode)]
pub struct Run {
    /// Index of the first element.
    pub start: u32,
    /// Number of elements.
    pub len: u32,
}

impl Run {
    /// The run as a range of indices.
    #[must_use]
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }

    /// True when the run has no element.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}
