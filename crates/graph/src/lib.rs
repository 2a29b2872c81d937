//! Graph queries over the stored edges, one file a query.
//!
//! Every query is a function of a [`Store`](strata_storage::Store) and a node, and gives plain structs in an order that
//! depends on the graph alone. Which symbol was meant, how much of an answer is shown and in which form is decided above.

mod callees;
mod callers;
mod dispatch;
mod hierarchy;
mod members;
mod overview;
mod references;
mod registrations;
mod relation;
mod structure;

pub use callees::callees;
pub use callers::callers;
pub use dispatch::{Candidate, Certainty, Dispatch, ViaDispatch, callers_via_dispatch, dispatch, implementations};
pub use hierarchy::{Hierarchy, ancestors, descendants, overridden, overriders, subtypes, supertypes};
pub use members::{Member, members};
pub use overview::{Overview, OverviewEntry, OverviewRequest, Sizes, overview};
pub use references::{Site, references};
pub use registrations::{registered_by, registers};
pub use relation::Relation;

#[cfg(test)]
mod sample;
