//! Discovers, extracts, resolves and stores; decides what is stale.
//!
//! An [`Indexer`] keeps the index of one root in step with its files. [`Indexer::probe`] tells cheaply, by sizes and
//! times, whether anything changed; [`Indexer::refresh`] reads what did, extracts it, links it and everything that
//! looked up something of it, and writes the lot in one transaction. Whatever the history of edits, the stored graph is
//! that of a fresh index.
//!
//! ```text
//! check_root(root, home)?;
//! let mut indexer = Indexer::open(root, &root.join(".stratigraph"), IndexConfig::default(), languages::ALL)?;
//! if !indexer.probe()?.is_clean() {
//!     let report = indexer.refresh(RefreshMode::Changed, &Control::default())?;
//! }
//! let store = strata_storage::Store::open_read(indexer.folder())?;
//! ```
//!
//! The crate asks no questions of the graph and knows no language by name.

mod confidence;
mod config;
mod cutoff;
mod discover;
mod error;
mod export;
mod facts;
mod flows;
mod indexer;
mod installed;
mod link;
mod lock;
mod manifests;
mod names;
mod owner;
mod probe;
mod read;
mod receiver;
mod relink;
mod report;
mod root;
mod run;
mod settings;
mod text;
mod write;

pub use confidence::is_measured;
pub use config::IndexConfig;
pub use error::IndexError;
pub use export::{
    ExportedEdge, ExportedFlow, ExportedNode, ExportedReference, ExportedSymbol, export_flows, export_graph,
    export_references,
};
pub use flows::{StoredFlows, stored_flows};
pub use indexer::Indexer;
pub use probe::Probe;
pub use report::{Control, FilterStats, LockMode, Phase, PhaseTimes, Progress, RefreshMode, RunReport};
pub use root::check_root;
pub use text::{Text, decode};
