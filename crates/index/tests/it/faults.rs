//! Files, folders and stores that are not as they should be.

use std::fs;
use std::sync::atomic::AtomicBool;

use strata_index::{Control, IndexConfig, IndexError, Indexer, LockMode, RefreshMode};
use strata_storage::{DATABASE_NAME, Store};

use crate::project::Project;

fn reason(report: &[(String, String)], path: &str) -> String {
    report
        .iter()
        .find(|(found, _)| found == path)
        .map(|(_, reason)| reason.clone())
        .unwrap_or_default()
}

#[test]
fn files_that_cannot_be_indexed_are_listed_and_the_rest_is_indexed() {
    let large = "x = 1\n".repeat(200_000);
    let mut project = Project::new(&[
        ("a.py", "def f(): ...\n"),
        ("empty.py", ""),
        ("broken.py", "def f(:\n  (((\n"),
    ]);
    project.fs.write("large.py", large);
    project.fs.write("binary.py", b"\x7fELF\0\0\0".to_vec());
    project
        .fs
        .write("latin.py", b"name = 'caf\xe9'\ndef g(): ...\n".to_vec());
    project.fs.write("secret.py", "");
    project.fs.forbid("secret.py");
    let report = project.refresh();
    assert!(reason(&report.skipped, "large.py").starts_with("too large"));
    assert_eq!(reason(&report.skipped, "binary.py"), "binary");
    assert!(reason(&report.skipped, "secret.py").starts_with("cannot be read"));
    assert_eq!(report.skipped.len(), 3);
    assert_eq!(report.files_total, 4);
    assert_eq!(report.filter_stats.unwrap().excluded_by_size, 1);
    assert!(project.fqns().iter().any(|fqn| fqn.ends_with("latin::g")));
    let again = project.refresh();
    assert!(!again.is_changed);
    assert_eq!(again.skipped, report.skipped);
}

#[test]
fn a_skipped_file_is_looked_at_again_when_it_changes() {
    let mut project = Project::new(&[("a.py", "")]);
    project.fs.write("b.py", "x = 1\n".repeat(200_000));
    project.fs.write("c.py", b"\0".to_vec());
    assert_eq!(project.refresh().skipped.len(), 2);
    project.fs.write("b.py", "def f(): ...\n");
    project.fs.write("c.py", "def g(): ...\n");
    let report = project.refresh();
    assert_eq!((report.skipped.len(), report.files_total), (0, 3));
    project.fs.write("c.py", b"\0".to_vec());
    let report = project.refresh();
    assert_eq!((report.skipped.len(), report.files_total, report.removed), (1, 2, 1));
}

#[test]
fn deep_nesting_is_survived() {
    let deep = format!("x = {}{}\ndef after(): ...\n", "[".repeat(100_000), "]".repeat(100_000));
    let mut project = Project::new(&[("deep.py", &deep), ("a.py", "def f(): ...\n")]);
    let deep_js = format!("f({}{})", "(".repeat(100_000), ")".repeat(100_000));
    project.fs.write("deep.js", deep_js);
    assert_eq!(project.refresh().files_total, 3);
    assert!(project.fqns().iter().any(|fqn| fqn.ends_with("a::f")));
}

#[test]
fn a_damaged_index_is_moved_aside_and_built_anew() {
    let mut project = Project::new(&[("a.py", "def f(): ...\n")]);
    project.refresh();
    let before = project.exported();
    fs::write(
        project.folder().join(DATABASE_NAME),
        b"this is no database, and it is long enough to be read".repeat(99),
    )
    .unwrap();
    assert!(!project.indexer.probe().unwrap().is_clean());
    let report = project.refresh();
    assert!(
        report.notes.iter().any(|note| note.contains("damaged")),
        "{:?}",
        report.notes
    );
    assert_eq!(project.exported(), before);
}

#[test]
fn an_index_that_was_deleted_is_built_anew() {
    let mut project = Project::new(&[("a.py", "def f(): ...\n")]);
    project.refresh();
    for entry in fs::read_dir(project.folder()).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    assert!(!project.indexer.probe().unwrap().is_indexed);
    assert_eq!(project.refresh().parsed, 1);
}

#[test]
fn a_run_that_is_stopped_leaves_the_index_as_it_was() {
    let mut project = Project::new(&[("a.py", "def f(): ...\n")]);
    project.refresh();
    let before = project.exported();
    project.fs.write("b.py", "def g(): ...\n");
    let cancel = AtomicBool::new(true);
    let control = Control {
        cancel: Some(&cancel),
        ..Control::default()
    };
    assert!(matches!(project.try_refresh(&control), Err(IndexError::Cancelled)));
    assert_eq!(project.exported(), before);
    assert_eq!(project.refresh().new_files, 1);
}

#[test]
fn a_second_indexer_is_told_that_the_first_is_at_work() {
    let mut project = Project::new(&[("a.py", "")]);
    let folder = project.folder().to_owned();
    let lock = strata_index::Indexer::over(
        std::sync::Arc::<strata_vfs::MemoryFs>::clone(&project.fs) as _,
        &folder,
        IndexConfig::default(),
        strata_languages::ALL,
    );
    let mut lock = lock;
    let progress = |_| {
        let mut other = Indexer::over(
            std::sync::Arc::<strata_vfs::MemoryFs>::clone(&project.fs) as _,
            &folder,
            IndexConfig::default(),
            strata_languages::ALL,
        );
        let control = Control {
            lock: LockMode::Try,
            ..Control::default()
        };
        assert!(matches!(
            other.refresh(RefreshMode::Changed, &control),
            Err(IndexError::Busy { .. })
        ));
    };
    let control = Control {
        progress: Some(&progress),
        ..Control::default()
    };
    lock.refresh(RefreshMode::Changed, &control).unwrap();
    assert!(!project.refresh().is_changed);
}

#[test]
fn a_missing_root_is_named() {
    let error = Indexer::open(
        std::path::Path::new("/no/such/root"),
        std::path::Path::new("/tmp/x"),
        IndexConfig::default(),
        strata_languages::ALL,
    )
    .err()
    .unwrap();
    assert!(error.to_string().contains("/no/such/root"));
}

#[test]
fn a_folder_that_is_a_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("taken");
    fs::write(&place, "").unwrap();
    let mut indexer = Indexer::open(folder.path(), &place, IndexConfig::default(), strata_languages::ALL).unwrap();
    let error = indexer.refresh(RefreshMode::Changed, &Control::default()).unwrap_err();
    assert!(error.to_string().contains("taken"), "{error}");
}

#[test]
fn a_root_on_disk_is_indexed_and_its_changes_are_seen() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("pkg")).unwrap();
    fs::write(root.path().join("pkg/a.py"), "def f(): ...\n").unwrap();
    let folder = root.path().join(".stratigraph");
    let mut indexer = Indexer::open(root.path(), &folder, IndexConfig::default(), strata_languages::ALL).unwrap();
    let mut refresh = || indexer.refresh(RefreshMode::Changed, &Control::default()).unwrap();
    assert_eq!(refresh().files_total, 1);
    assert!(!refresh().is_changed);
    // Same size, and most likely the same time as far as the clock of the file system goes.
    fs::write(root.path().join("pkg/a.py"), "def g(): ...\n").unwrap();
    assert_eq!(refresh().parsed, 1);
    fs::write(root.path().join("pkg/b.py"), "").unwrap();
    assert_eq!(refresh().new_files, 1);
    fs::remove_dir_all(root.path().join("pkg")).unwrap();
    assert_eq!(refresh().removed, 2);
    assert_eq!(Store::open_read(&folder).unwrap().files().unwrap().len(), 0);
}
