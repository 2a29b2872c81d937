//! The enumerations of the code tree. A member's [`name`](NodeKind::name) is its JSON value.

use bitcode::{Decode, Encode};

macro_rules! named_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $value:expr),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Encode, Decode)]
        #[repr(u8)]
        pub enum $name { $($(#[$vmeta])* $variant = $value),+ }

        impl $name {
            /// Every member, in the order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The exact name, which is the JSON value.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant)),+ }
            }

            /// The number that is stored.
            #[must_use]
            pub const fn code(self) -> u8 {
                self as u8
            }

            /// The member with this number.
            #[must_use]
            pub fn from_code(code: u8) -> Option<Self> {
                Self::ALL.iter().copied().find(|member| member.code() == code)
            }

            /// The member with this name, in any case.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|member| member.name().eq_ignore_ascii_case(name))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

named_enum!(
    /// Level of a node in the tree.
    #[allow(non_camel_case_types, reason = "the names are the JSON values of the contract")]
    NodeLevel {
        /// The root that was indexed.
        L0_Monorepo = 0,
        /// A unit with a manifest.
        L1_Package = 1,
        /// A source file.
        L2_Module = 2,
        /// A definition.
        L3_Symbol = 3,
        /// A statement inside a definition.
        L4_Statement = 4,
    }
);

named_enum!(
    /// What a node is, for every language.
    NodeKind {
        /// The root.
        Monorepo = 0,
        /// A package.
        Package = 1,
        /// A source file.
        Module = 2,
        /// A class.
        Class = 3,
        /// An interface or protocol.
        Interface = 4,
        /// A trait.
        Trait = 5,
        /// A struct or union.
        Struct = 6,
        /// An enumeration.
        Enum = 7,
        /// A record.
        Record = 8,
        /// A type alias.
        Type = 9,
        /// A namespace.
        Namespace = 10,
        /// A free or local function, named or bound to a variable.
        Function = 11,
        /// A function that belongs to a type or an object.
        Method = 12,
        /// A constructor.
        Constructor = 13,
        /// A destructor.
        Destructor = 14,
        /// An operator.
        Operator = 15,
        /// A property: an accessor, or a member of an interface or object.
        Property = 16,
        /// A field of a type.
        Field = 17,
        /// A constant.
        Constant = 18,
        /// A variable.
        Variable = 19,
        /// A decorator.
        Decorator = 20,
        /// Anything else; an object literal without a name of its own is one.
        Unknown = 21,
    }
);

impl NodeKind {
    /// True for what can be called and has a body: functions, methods, constructors and the like.
    #[must_use]
    pub const fn is_callable(self) -> bool {
        matches!(
            self,
            Self::Function | Self::Method | Self::Constructor | Self::Destructor | Self::Operator
        )
    }

    /// True for what has members of its own.
    #[must_use]
    pub const fn is_type(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Interface | Self::Trait | Self::Struct | Self::Enum | Self::Record | Self::Type
        )
    }
}

named_enum!(
    /// Kind of an edge of the graph. The number is the bit of the contract's set.
    EdgeKind {
        /// Module to module or symbol.
        Imports = 1,
        /// Caller to callee; an instantiation is a call too.
        Calls = 2,
        /// Subtype to supertype.
        Extends = 4,
        /// Class to interface.
        Implements = 8,
        /// Parent to child.
        Contains = 16,
        /// Method to the method it overrides.
        Overrides = 32,
        /// Any other use.
        References = 64,
    }
);

named_enum!(
    /// How well a file was read.
    ParseStatus {
        /// No syntax error.
        Ok = 0,
        /// Syntax errors; the rest of the file was kept.
        Partial = 1,
        /// Nothing could be extracted.
        Failed = 2,
    }
);

named_enum!(
    /// What a reference in the text is. The names are lower-cased in the export.
    RefKind {
        /// A call.
        Call = 0,
        /// An instantiation by `new`.
        Construct = 1,
        /// A base class.
        Inherits = 2,
        /// An implemented interface.
        Implements = 3,
        /// An imported or re-exported name.
        Import = 4,
        /// A type annotation or another use in type position.
        Type = 5,
        /// A function, class or constant mentioned as a value.
        Value = 6,
        /// A member read.
        Read = 7,
        /// A member or variable written.
        Write = 8,
        /// A decorator.
        Decorator = 9,
        /// A component in a template or JSX.
        Render = 10,
    }
);

impl RefKind {
    /// The kind of edge that such a reference gives when it resolves.
    #[must_use]
    pub const fn edge_kind(self) -> EdgeKind {
        match self {
            Self::Call | Self::Construct => EdgeKind::Calls,
            Self::Inherits => EdgeKind::Extends,
            Self::Implements => EdgeKind::Implements,
            Self::Import => EdgeKind::Imports,
            Self::Type | Self::Value | Self::Read | Self::Write | Self::Decorator | Self::Render => {
                EdgeKind::References
            }
        }
    }
}
