//! Symbols as they are named and shown.

use crate::facts::{Def, DefFlags};
use crate::kinds::NodeKind;

/// Separates the segments of a fully qualified name.
pub const FQN_SEPARATOR: &str = "::";

/// True when a definition is a node of the tree of its own: everything but object literals, whose members belong to
/// what holds the literal, and function literals, which are opaque to the tree.
#[must_use]
pub fn is_listed(def: &Def) -> bool {
    !def.flags.has(DefFlags::ANONYMOUS)
}

/// The kind as the context server groups it (`function`, `method`, `class`, `constant`, `type`, `var`).
#[must_use]
pub const fn context_kind(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Function => "function",
        NodeKind::Method | NodeKind::Constructor | NodeKind::Destructor | NodeKind::Operator => "method",
        NodeKind::Class
        | NodeKind::Interface
        | NodeKind::Trait
        | NodeKind::Struct
        | NodeKind::Enum
        | NodeKind::Record => "class",
        NodeKind::Constant => "constant",
        NodeKind::Type => "type",
        NodeKind::Variable | NodeKind::Property | NodeKind::Field => "var",
        NodeKind::Monorepo
        | NodeKind::Package
        | NodeKind::Module
        | NodeKind::Namespace
        | NodeKind::Decorator
        | NodeKind::Unknown => "other",
    }
}
