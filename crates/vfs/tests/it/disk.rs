//! The walk over real folders: links, names that are not UTF-8, git.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may stop on the first surprise")]

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;

use strata_vfs::{Exclusion, OsFs, Walk, WalkOptions, git_program, walk};

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn walked(root: &Path) -> Walk {
    walk(&OsFs::new(root).unwrap(), &WalkOptions::default())
}

#[test]
fn cycles_of_links_end_and_links_out_are_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret.py", "");
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "a/x.py", "");
    symlink("..", root.path().join("a/up")).unwrap();
    symlink("loop", root.path().join("loop")).unwrap();
    symlink(outside.path(), root.path().join("out")).unwrap();
    symlink("a", root.path().join("b")).unwrap();
    symlink("a/x.py", root.path().join("y.py")).unwrap();
    let found = walked(root.path());
    assert_eq!(found.files, ["a/x.py"]);
    assert!(found.excluded.contains(&("out".to_owned(), Exclusion::LinkOutside)));
    assert!(found.excluded.contains(&("b".to_owned(), Exclusion::LinkInside)));
}

#[test]
fn a_link_to_what_is_otherwise_hidden_is_followed_once() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), ".store/pkg/x.py", "");
    symlink(".store/pkg", root.path().join("one")).unwrap();
    symlink(".store/pkg", root.path().join("two")).unwrap();
    assert_eq!(walked(root.path()).files, ["one/x.py"]);
}

#[test]
fn a_name_that_is_not_utf8_is_reported() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "x.py", "");
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.py");
    if fs::write(root.path().join(name), "").is_err() {
        return; // The file system takes UTF-8 names only.
    }
    let found = walked(root.path());
    assert_eq!(found.files, ["x.py"]);
    assert_eq!(found.problems.len(), 1);
}

#[test]
fn tracked_build_folders_are_read() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "build/kept.py", "");
    write(root.path(), "target/out.py", "");
    let git = |arguments: &[&str]| {
        std::process::Command::new(git_program())
            .arg("-C")
            .arg(root.path())
            .args(arguments)
            .output()
            .is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "-q"]) {
        return; // No git on this machine: the case in memory covers the rule.
    }
    assert!(git(&["add", "build/kept.py"]));
    assert_eq!(walked(root.path()).files, ["build/kept.py"]);
}
