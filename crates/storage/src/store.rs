//! One connection to an index: opening, what is said about the index as a whole, and consistent reading.
//!
//! A new index is built in `index.db.new-<pid>` and renamed to `index.db` by its first commit. So readers meet either no
//! index or a complete one, a killed build leaves only a file that the next one removes, and the bulk is written once
//! rather than first to a write-ahead log. Later batches go through the log as usual.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::error::StoreError;
use crate::folder::{
    DATABASE_NAME, FileIdentity, SIDE_FILES, create_folder, immutable_uri, needs_immutable, remove_database,
    remove_if_there, remove_stale_builds, with_suffix,
};
use crate::schema::{self, Found, SCHEMA_VERSION};

/// How long a writer waits for another one before it says [`StoreError::Busy`].
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Statements kept ready on each connection; more than the number of different ones in this crate.
const STATEMENT_CACHE: usize = 96;

/// One connection. Cheap to open; a server opens one a thread.
pub struct Store {
    pub(crate) conn: Connection,
    pub(crate) path: PathBuf,
    /// Where a new index is being built; none once it is published.
    building: Option<PathBuf>,
    identity: Option<FileIdentity>,
}

/// While this lives, all reads of the store see one state, whatever a writer does.
pub struct Snapshot<'s> {
    store: &'s Store,
    is_outermost: bool,
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        if self.is_outermost {
            // Ending a transaction that only read cannot lose anything, so a failure has no consequence.
            let _ = self.store.conn.execute_batch("COMMIT");
        }
    }
}

impl Store {
    /// Opens the index in `folder` for reading. Works on read-only media. [`StoreError::Missing`] when there is none.
    pub fn open_read(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(DATABASE_NAME);
        if !path.exists() {
            return Err(StoreError::Missing {
                folder: folder.to_owned(),
            });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(&path, flags).and_then(|conn| Ok((schema::inspect(&conn)?, conn)));
        let (found, conn) = match opened {
            Ok(opened) => opened,
            Err(error) if needs_immutable(&error, &path) => {
                let uri = immutable_uri(&path);
                Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)
                    .and_then(|conn| Ok((schema::inspect(&conn)?, conn)))
                    .map_err(|error| StoreError::from_sql(&path, error))?
            }
            Err(error) => return Err(StoreError::from_sql(&path, error)),
        };
        match found {
            Found::Version(SCHEMA_VERSION) => {}
            Found::Version(found) if found < SCHEMA_VERSION => {
                return Err(StoreError::Older {
                    path,
                    found,
                    known: SCHEMA_VERSION,
                });
            }
            Found::Version(found) => {
                return Err(StoreError::Newer {
                    path,
                    found,
                    known: SCHEMA_VERSION,
                });
            }
            Found::Empty | Found::Foreign => return Err(foreign(path)),
        }
        // 16 MiB of pages: a ranked search reads thousands of nodes all over the table, again and again in a server.
        conn.pragma_update(None, "cache_size", -16_384)
            .map_err(|error| StoreError::from_sql(&path, error))?;
        Ok(Self::with_connection(conn, path, None))
    }

    /// Opens the index in `folder` for writing: creates the folder (with a `.gitignore` that hides it), migrates an older
    /// schema, or starts a new index. A new one is built beside its final place and appears there, complete, with the
    /// first commit. The caller holds the lock that keeps other writers out.
    pub fn open_write(folder: &Path) -> Result<Self, StoreError> {
        create_folder(folder)?;
        let path = folder.join(DATABASE_NAME);
        if !path.exists() {
            remove_stale_builds(folder)?;
            return Self::start_build(path);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let fault = |error| StoreError::from_sql(&path, error);
        let mut conn = Connection::open_with_flags(&path, flags).map_err(fault)?;
        conn.busy_timeout(BUSY_TIMEOUT).map_err(fault)?;
        match schema::inspect(&conn).map_err(fault)? {
            Found::Version(SCHEMA_VERSION) => {}
            Found::Version(found) if found > SCHEMA_VERSION => {
                return Err(StoreError::Newer {
                    path,
                    found,
                    known: SCHEMA_VERSION,
                });
            }
            Found::Version(found) => schema::migrate(&mut conn, found).map_err(fault)?,
            Found::Empty | Found::Foreign => return Err(foreign(path)),
        }
        set_writer_pragmas(&conn).map_err(fault)?;
        Ok(Self::with_connection(conn, path, None))
    }

    /// A store in memory, for tests.
    pub fn in_memory() -> Result<Self, StoreError> {
        let path = PathBuf::from(":memory:");
        let fault = |error| StoreError::from_sql(&path, error);
        let mut conn = Connection::open_in_memory().map_err(fault)?;
        schema::migrate(&mut conn, 0).map_err(fault)?;
        Ok(Self::with_connection(conn, path.clone(), None))
    }

    /// True until the first commit of a new index.
    #[must_use]
    pub const fn is_new(&self) -> bool {
        self.building.is_some()
    }

    /// The database file (`:memory:` for a store in memory).
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True when another file stands at the place of the one that is open, after a rebuild: the store must be opened
    /// again to see it. Costs one `stat`. Always false on systems without file identities.
    #[must_use]
    pub fn is_replaced(&self) -> bool {
        self.identity.is_some() && FileIdentity::of(&self.path) != self.identity
    }

    /// Starts reading one consistent state. Inside another snapshot of the same store it is part of that one.
    pub fn snapshot(&self) -> Result<Snapshot<'_>, StoreError> {
        let is_outermost = self.conn.is_autocommit();
        if is_outermost {
            // The state is fixed by the first read, not by BEGIN.
            self.run(|conn| conn.execute_batch("BEGIN DEFERRED; SELECT 1 FROM schema_meta LIMIT 1"))?;
        }
        Ok(Snapshot {
            store: self,
            is_outermost,
        })
    }

    /// The number of the committed state; another number means that a writer committed in between.
    pub fn generation(&self) -> Result<u64, StoreError> {
        self.meta_number("generation")
    }

    /// An entry of `schema_meta`, such as `index_id`.
    pub fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.run(|conn| {
            conn.prepare_cached("SELECT value FROM schema_meta WHERE key = ?1")?
                .query_row([key], |row| row.get(0))
                .optional()
        })
    }

    /// Reads every page and reports damage as [`StoreError::Corrupt`]. Costs about as much as reading the whole file.
    pub fn check(&self) -> Result<(), StoreError> {
        let report: String = self.run(|conn| conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)))?;
        if report == "ok" {
            Ok(())
        } else {
            Err(StoreError::Corrupt {
                path: self.path.clone(),
                reason: report,
            })
        }
    }

    /// A number from `schema_meta`; 0 when it is not set.
    pub(crate) fn meta_number(&self, key: &str) -> Result<u64, StoreError> {
        Ok(self.meta(key)?.and_then(|value| value.parse().ok()).unwrap_or(0))
    }

    /// Runs statements and names the database in what fails.
    pub(crate) fn run<T>(&self, body: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        body(&self.conn).map_err(|error| StoreError::from_sql(&self.path, error))
    }

    /// Puts a finished build in its place and reopens it there. Nothing to do for an index that is in place.
    pub(crate) fn publish(&mut self) -> Result<(), StoreError> {
        let Some(building) = self.building.take() else {
            return Ok(());
        };
        let result = self.move_into_place(&building);
        if result.is_err() {
            remove_database(&building);
        }
        result
    }

    fn move_into_place(&mut self, building: &Path) -> Result<(), StoreError> {
        // The mode is kept in the file, so every later connection uses the log.
        self.run(|conn| conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())))?;
        let placeholder = Connection::open_in_memory().map_err(|error| StoreError::from_sql(&self.path, error))?;
        let conn = std::mem::replace(&mut self.conn, placeholder);
        conn.close()
            .map_err(|(_, error)| StoreError::from_sql(building, error))?;
        let file = std::fs::File::open(building).map_err(|error| StoreError::from_io(building, error))?;
        // Renaming a file whose content is still in flight could leave an empty one after a power cut.
        file.sync_all().map_err(|error| StoreError::from_io(building, error))?;
        for suffix in SIDE_FILES {
            remove_if_there(&with_suffix(&self.path, suffix))?;
        }
        std::fs::rename(building, &self.path).map_err(|error| StoreError::from_io(&self.path, error))?;
        let folder = self.path.parent().map(Path::to_owned).unwrap_or_default();
        *self = Self::open_write(&folder)?;
        Ok(())
    }

    fn start_build(path: PathBuf) -> Result<Self, StoreError> {
        let building = with_suffix(&path, &format!(".new-{}", std::process::id()));
        remove_database(&building);
        let fault = |error| StoreError::from_sql(&building, error);
        let mut conn = Connection::open(&building).map_err(fault)?;
        // Pages of 8 KiB hold the facts of most files without waste, and a bulk needs half as many of them.
        conn.pragma_update(None, "page_size", 8192).map_err(fault)?;
        // Nobody else knows this file and a crash abandons it: no journal on disk, no waiting for the disk.
        conn.pragma_update_and_check(None, "journal_mode", "MEMORY", |_| Ok(()))
            .map_err(fault)?;
        conn.pragma_update(None, "synchronous", "OFF").map_err(fault)?;
        // 64 MiB: the pages that a bulk comes back to stay in memory.
        conn.pragma_update(None, "cache_size", -65_536).map_err(fault)?;
        schema::migrate(&mut conn, 0).map_err(fault)?;
        Ok(Self::with_connection(conn, path, Some(building.clone())))
    }

    fn with_connection(conn: Connection, path: PathBuf, building: Option<PathBuf>) -> Self {
        conn.set_prepared_statement_cache_capacity(STATEMENT_CACHE);
        let identity = if building.is_some() {
            None
        } else {
            FileIdentity::of(&path)
        };
        Self {
            conn,
            path,
            building,
            identity,
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Some(building) = self.building.take() {
            remove_database(&building);
        }
    }
}

fn set_writer_pragmas(conn: &Connection) -> rusqlite::Result<()> {
    // Readers go on while a batch is written, and a crash loses at most the batch.
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    // With the log this is safe against crashes of the process; a power cut may lose the last batch, never more.
    conn.pragma_update(None, "synchronous", "NORMAL")?;
    // 16 MiB of pages: an edit touches a few hundred.
    conn.pragma_update(None, "cache_size", -16_384)?;
    // A large batch leaves a large log behind; it is cut back to this once its pages are in the database.
    conn.pragma_update_and_check(None, "journal_size_limit", 8 * 1024 * 1024, |_| Ok(()))
}

fn foreign(path: PathBuf) -> StoreError {
    StoreError::Corrupt {
        path,
        reason: "it is not an index of this program".to_owned(),
    }
}
