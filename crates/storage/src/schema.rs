//! The schema and its migrations.
/// The schema version that this build reads and writes.
pub const SCHEMA_VERSION: u32 = 1;
