//! Turns the facts of all files into an outcome for every reference. Sees facts only: no text, no trees, no SQL.
//!
//! [`Program`] is one state of all files. [`Program::link`] resolves the references of one file and evaluates, on demand
//! and with memory, what it needs of others. Whatever is read of another file is recorded as a key
//! ([`FileLinks::keys`]); [`surface`] says which keys a file answers and with what, so a change of a file names the keys
//! that changed, and only files that looked those up are linked again.
//!
//! What libraries outside the root declare ([`FactsSource::library`]) types the values that pass through them. Their
//! symbols never leave this crate: a reference to one has the outcome `external` or `builtin`.
//!
//! The first rule is that nothing is guessed: a member of a value whose type is not known has the outcome
//! `unknown_receiver`, whatever else in the root bears its name.

mod called;
mod calls;
mod classes;
mod containers;
mod discriminants;
mod dispatch;
mod eval;
mod expected;
mod file;
mod flows;
mod frameworks;
mod globals;
mod hints;
mod inference;
mod keys;
mod libraries;
mod link;
mod members;
mod memo;
mod modules;
mod names;
mod narrowing;
mod overloads;
mod program;
mod results;
mod shapes;
mod signatures;
mod types;
mod variables;

pub use dispatch::Receiver;
pub use flows::{Flow, FlowFile, Flows, flows};
pub use frameworks::{Registration, RegistrationKind};
pub use keys::{path_key, surface};
pub use link::FileLinks;
pub use program::{FactsSource, Library, LibraryModule, Program, fingerprint};
pub use results::{FunctionResult, body_keys};
