//! SQLite schema, migrations, reads and the single writer.
//!
//! One file, `<index folder>/index.db`, holds everything that can be rebuilt from the sources: files, the nodes of the
//! tree, the edges between them, the facts of each file by content hash, and a full-text index. [`Store`] is one
//! connection with all reads; [`Batch`] is one write transaction. Nothing outside this crate writes SQL, and nothing in
//! it knows how facts come about or what the answers are used for.
//!
//! ```text
//! let mut store = Store::open_write(folder)?;      // opens, migrates or starts a new index
//! let mut batch = store.begin()?;                  // one transaction
//! batch.put_tree(&root, &packages)?;               // L0 and L1
//! let file = batch.put_file(&update)?;             // L2, L3, facts, full text; ids of unchanged symbols survive
//! batch.set_file_ids(ids);                         // FileIx -> FileId, before the first link
//! batch.put_links(&links)?;                        // edges, outcomes, looked-up keys
//! batch.commit()?;                                 // readers see the old state until here
//! ```

mod codec;
mod error;
mod folder;
mod read;
mod rows;
mod schema;
mod store;
mod write;

pub use error::StoreError;
pub use folder::{DATABASE_NAME, quarantine};
pub use read::counts::{Counts, Measure};
pub use read::fulltext::TextHit;
pub use read::hierarchy::{Inheritance, MemberRow, UseRow};
pub use rows::{
    Case, EdgeKinds, EdgeRow, FileId, FileRow, InputRow, LinkedNode, NodeId, NodeRow, PackageId, PackageRow,
    StoredOutcome, StoredTarget, Unlisted,
};
pub use schema::SCHEMA_VERSION;
pub use store::{Snapshot, Store};
pub use write::{Batch, BatchReport, EdgeInit, FileUpdate, LinksUpdate, NodeInit, PackageInit, RootInit, SurfaceInit};
