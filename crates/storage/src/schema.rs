//! The schema and its migrations.
//!
//! A database carries our application id in its header and its schema version in `schema_meta`. Migrations are SQL files
//! that each raise the version by one and run inside one transaction with the new number, so an interrupted upgrade leaves
//! the old database.

use rusqlite::{Connection, OptionalExtension};

/// The schema version that this build reads and writes.
pub const SCHEMA_VERSION: u32 = 2;

/// The migrations; the first leads from an empty file to version 1.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_initial.sql"),
    include_str!("../migrations/0002_receivers.sql"),
];

/// Indexes that are created after the first bulk of rows.
pub(crate) const INDEXES: &str = include_str!("../migrations/indexes.sql");

/// Marks a file as ours in the header of the database, where `file` and `sqlite3` show it ("Strt").
const APPLICATION_ID: i32 = 0x5374_7274;

/// Says what is in a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing at all.
    Empty,
    /// An index with this schema version.
    Version(u32),
    /// A database of something else.
    Foreign,
}

/// Reads what a database holds, without changing it.
pub(crate) fn inspect(conn: &Connection) -> rusqlite::Result<Found> {
    let tables: i64 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let application: i32 = conn.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if tables == 0 && application == 0 {
        return Ok(Found::Empty);
    }
    if application != APPLICATION_ID {
        return Ok(Found::Foreign);
    }
    let version: Option<String> = conn
        .query_row(
            "SELECT value FROM schema_meta WHERE key = 'schema_version'",
            [],
            |row| row.get(0),
        )
        .optional()?;
    Ok(version
        .and_then(|version| version.parse().ok())
        .map_or(Found::Foreign, Found::Version))
}

/// Brings a database from `from` (0: empty) to [`SCHEMA_VERSION`].
pub(crate) fn migrate(conn: &mut Connection, from: u32) -> rusqlite::Result<()> {
    let transaction = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    for migration in &MIGRATIONS[from as usize..] {
        transaction.execute_batch(migration)?;
    }
    transaction.execute(
        "INSERT INTO schema_meta (key, value) VALUES ('schema_version', ?1)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [SCHEMA_VERSION.to_string()],
    )?;
    transaction.execute(
        "INSERT INTO schema_meta (key, value) VALUES ('product_version', ?1)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [env!("CARGO_PKG_VERSION")],
    )?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::{MIGRATIONS, SCHEMA_VERSION};

    #[test]
    fn there_is_one_migration_a_version() {
        assert_eq!(MIGRATIONS.len(), SCHEMA_VERSION as usize);
    }
}
