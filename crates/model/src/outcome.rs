//! What became of a reference: every reference has an outcome, and every edge says how it was found.

use bitcode::{Decode, Encode};

use crate::ids::SymbolRef;

macro_rules! spelled_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $spelling:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Encode, Decode)]
        #[repr(u8)]
        pub enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every member, strongest first.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word that is shown and exported.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $spelling),+ }
            }

            /// The number that is stored.
            #[must_use]
            pub const fn code(self) -> u8 {
                self as u8
            }

            /// The member with this number.
            #[must_use]
            pub fn from_code(code: u8) -> Option<Self> {
                Self::ALL.get(usize::from(code)).copied()
            }
        }
    };
}

spelled_enum!(
    /// The kinds of outcome.
    Status {
        /// It names something in the indexed root.
        Resolved = "resolved",
        /// It names something of a package outside the root.
        External = "external",
        /// It names something the language brings along.
        Builtin = "builtin",
        /// It is a member of a value whose type is not known.
        UnknownReceiver = "unknown_receiver",
        /// Several candidates, and nothing to choose by.
        Ambiguous = "ambiguous",
        /// The module that should hold it was not found.
        UnresolvedImport = "unresolved_import",
        /// The type is known and inside the root, and has no such member.
        NoSuchMember = "no_such_member",
        /// It is decided when the program runs.
        Dynamic = "dynamic",
        /// Generated code.
        Generated = "generated",
        /// A limit was hit.
        Budget = "budget",
    }
);

spelled_enum!(
    /// How a reference was resolved, from the surest to the least sure. A chain carries its weakest link.
    How {
        /// A name bound in the same file by scoping alone.
        Lexical = "lexical",
        /// A name of the module scope.
        ModuleScope = "module-scope",
        /// An imported name.
        Import = "import",
        /// An import under another name.
        ImportAlias = "import-alias",
        /// A name that a module exports on behalf of another.
        Reexport = "reexport",
        /// A name that came with `*`.
        StarImport = "star-import",
        /// A member of a module or namespace object.
        NamespaceMember = "namespace-member",
        /// A member of a class object.
        StaticMember = "static-member",
        /// A member of the enclosing class.
        SelfMember = "self",
        /// A member that the enclosing class inherits.
        SelfInherited = "self-inherited",
        /// `super`.
        Super = "super",
        /// The receiver is a parameter with a declared type.
        HintParam = "hint-param",
        /// The receiver is a variable with a declared type.
        HintLocal = "hint-local",
        /// The receiver is a field with a declared type.
        HintField = "hint-field",
        /// The receiver is a variable that holds a new instance.
        CtorLocal = "ctor-local",
        /// The receiver is a new instance.
        CtorInline = "ctor-inline",
        /// The receiver is a field that holds a new instance.
        CtorField = "ctor-field",
        /// The receiver is a result with a declared type.
        RetDeclared = "ret-declared",
        /// The receiver is a result whose type was inferred.
        RetInferred = "ret-inferred",
        /// The receiver is an element of a container.
        Elem = "elem",
        /// The receiver was entered by `with`.
        With = "with",
        /// The receiver was awaited.
        Await = "await",
        /// The receiver was unwrapped.
        Unwrap = "unwrap",
        /// The receiver was bound by a pattern.
        Pattern = "pattern",
        /// The receiver's type was narrowed by a test.
        Narrow = "narrow",
        /// Type arguments were substituted.
        GenericSubst = "generic-subst",
        /// A type parameter's bound.
        Bound = "bound",
        /// An overload chosen by the number of arguments.
        OverloadArity = "overload-arity",
        /// An overload chosen by the types of arguments.
        OverloadType = "overload-type",
        /// One of several overloads.
        OverloadAmbiguous = "overload-ambiguous",
        /// Through a decorator of unknown meaning.
        DecoratorAssumed = "decorator-assumed",
        /// A literal name in a reflective access.
        LiteralReflection = "literal-reflection",
        /// A framework's rule.
        Framework = "framework",
        /// Derived: the language calls it by itself, such as a loop or an inherited constructor.
        ImplicitCall = "implicit-call",
        /// Derived: a function value that came through a variable, a parameter or a result.
        CallbackFlow = "callback-flow",
        /// Derived: a function value that came through a field or an element.
        FieldFlow = "field-flow",
    }
);

/// What became of one reference.
#[derive(Clone, PartialEq, Eq, Debug, Encode, Decode)]
pub struct Outcome {
    /// The kind of outcome.
    pub status: Status,
    /// How the targets were found; meaningful when there are any.
    pub how: How,
    /// Number of members that were stepped through.
    pub chain: u8,
    /// Targets inside the root, sorted; several when the program can reach several.
    pub targets: Vec<SymbolRef>,
    /// For [`Status::External`], [`Status::Builtin`] and [`Status::UnresolvedImport`]: what it names, such as
    /// `pypi:requests` followed by `.get`, `builtin:len`, or the specifier.
    pub external: Option<String>,
}

impl Outcome {
    /// An outcome without targets.
    #[must_use]
    pub const fn without_target(status: Status) -> Self {
        Self {
            status,
            how: How::Lexical,
            chain: 0,
            targets: Vec::new(),
            external: None,
        }
    }
}
