//! Opening a store: new ones, damaged ones, foreign ones, and readers beside a writer.

use std::fs;
use std::path::Path;

use strata_storage::{DATABASE_NAME, SCHEMA_VERSION, Store, StoreError, quarantine};

use crate::sample::{Sample, put_file, put_tree, two_files};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn with_index(folder: &Path) {
    two_files(&mut Store::open_write(folder).unwrap());
}

#[test]
fn a_new_index_appears_with_its_first_commit() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join(".stratigraph");
    assert!(matches!(Store::open_read(&folder), Err(StoreError::Missing { .. })));
    let mut store = Store::open_write(&folder).unwrap();
    assert!(store.is_new());
    assert!(matches!(Store::open_read(&folder), Err(StoreError::Missing { .. })));
    two_files(&mut store);
    assert!(!store.is_new());
    assert_eq!(store.files().unwrap().len(), 2);
    assert_eq!(Store::open_read(&folder).unwrap().files().unwrap().len(), 2);
    drop(store);
    assert_eq!(names(&folder), [".gitignore", "index.db"]);
    assert_eq!(fs::read_to_string(folder.join(".gitignore")).unwrap(), "*\n");
}

#[test]
fn a_build_that_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open_write(folder.path()).unwrap();
    let mut batch = store.begin().unwrap();
    put_tree(&mut batch);
    drop(batch);
    drop(store);
    assert_eq!(names(folder.path()), [".gitignore"]);
}

#[test]
fn a_snapshot_does_not_see_a_later_commit() {
    let folder = tempfile::tempdir().unwrap();
    with_index(folder.path());
    let reader = Store::open_read(folder.path()).unwrap();
    let snapshot = reader.snapshot().unwrap();
    let before = reader.generation().unwrap();

    let mut writer = Store::open_write(folder.path()).unwrap();
    let mut batch = writer.begin().unwrap();
    let package = put_tree(&mut batch);
    put_file(&mut batch, package, &Sample::new("c.py", &["late"]));
    assert_eq!(reader.files().unwrap().len(), 2, "a reader does not wait for a writer");
    batch.commit().unwrap();

    assert_eq!(reader.files().unwrap().len(), 2);
    assert!(reader.nodes_by_fqn("app::c::late").unwrap().is_empty());
    let inner = reader.snapshot().unwrap();
    drop(inner);
    assert_eq!(
        reader.generation().unwrap(),
        before,
        "a snapshot inside another one does not end it"
    );
    drop(snapshot);
    assert_eq!(reader.files().unwrap().len(), 3);
    assert_eq!(reader.generation().unwrap(), before + 1);
}

#[test]
fn a_damaged_index_is_moved_away_and_built_anew() {
    let folder = tempfile::tempdir().unwrap();
    with_index(folder.path());
    let path = folder.path().join(DATABASE_NAME);
    fs::write(&path, "this is no database, whatever its name says").unwrap();
    for opened in [Store::open_read(folder.path()), Store::open_write(folder.path())] {
        assert!(opened.err().unwrap().is_corrupt());
    }
    assert_eq!(
        quarantine(folder.path()).unwrap(),
        Some(folder.path().join("index.db.corrupt-1"))
    );
    assert_eq!(quarantine(folder.path()).unwrap(), None);
    with_index(folder.path());
    assert!(Store::open_read(folder.path()).unwrap().check().is_ok());
    assert!(folder.path().join("index.db.corrupt-1").exists());
}

#[test]
fn damage_inside_is_found() {
    let folder = tempfile::tempdir().unwrap();
    with_index(folder.path());
    let path = folder.path().join(DATABASE_NAME);
    let mut bytes = fs::read(&path).unwrap();
    let half = bytes.len() / 2;
    bytes[8192..half].fill(0xa5);
    fs::write(&path, bytes).unwrap();
    let found = Store::open_read(folder.path()).and_then(|store| store.check());
    assert!(found.err().unwrap().is_corrupt());
}

#[test]
fn another_program_s_database_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(DATABASE_NAME);
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE notes (text)")
        .unwrap();
    let before = fs::read(&path).unwrap();
    assert!(Store::open_write(folder.path()).err().unwrap().is_corrupt());
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_newer_index_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    with_index(folder.path());
    let path = folder.path().join(DATABASE_NAME);
    set_version(&path, SCHEMA_VERSION + 1);
    let before = fs::read(&path).unwrap();
    for opened in [Store::open_read(folder.path()), Store::open_write(folder.path())] {
        let error = opened.err().unwrap();
        assert!(
            matches!(error, StoreError::Newer { found, .. } if found == SCHEMA_VERSION + 1),
            "{error}"
        );
    }
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_rebuilt_index_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    with_index(folder.path());
    let reader = Store::open_read(folder.path()).unwrap();
    assert!(!reader.is_replaced());
    quarantine(folder.path()).unwrap();
    with_index(folder.path());
    assert_eq!(reader.is_replaced(), cfg!(unix));
}

fn set_version(path: &Path, version: u32) {
    let conn = rusqlite::Connection::open(path).unwrap();
    conn.execute(
        "UPDATE schema_meta SET value = ?1 WHERE key = 'schema_version'",
        [version.to_string()],
    )
    .unwrap();
}
