//! Answers are never older than the files.

use serde_json::json;

use crate::project::Project;

#[test]
fn an_edit_is_in_the_next_answer() {
    let project = Project::new();
    assert_eq!(project.run(&["search", "brand_new"]).code, 1);
    project.write("shop/extra.py", "def brand_new():\n    return 1\n");
    let run = project.run(&["search", "brand_new"]);
    assert_eq!(run.code, 0, "{run:?}");
    project.write("shop/extra.py", "# moved\n\n\ndef brand_new():\n    return 2\n");
    let source = project.json(&["symbol-source", "brand_new"]);
    assert_eq!(
        (&source["source"], &source["start_line"]),
        (&json!("def brand_new():\n    return 2"), &json!(4))
    );
    std::fs::remove_file(project.root().join("shop/extra.py")).unwrap();
    assert_eq!(project.run(&["search", "brand_new"]).code, 1);
}

#[test]
fn an_index_that_cannot_be_written_answers_and_says_that_it_is_old() {
    let project = Project::new();
    project.settle();
    // Somebody who is alive holds the lock: this very process.
    let lock = project.root().join(".stratigraph/indexing.lock");
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let content = json!({ "pid": std::process::id(), "startedAt": now_ms(), "host": host.trim() });
    std::fs::write(&lock, content.to_string()).unwrap();
    project.write("shop/models.py", "def other():\n    pass\n");
    let answer = project.json(&["symbol-detail", "OrderService"]);
    assert_eq!(answer["index"]["dirty_paths"], json!(["shop/models.py"]), "{answer}");
    assert!(
        answer["notes"][0]
            .as_str()
            .unwrap()
            .contains("could not be brought up to date"),
        "{answer}"
    );
    let stale = project.json(&["symbol-source", "Order"]);
    assert_eq!(stale["code"], "index_stale", "{stale}");
    std::fs::remove_file(&lock).unwrap();
    let fresh = project.json(&["symbol-detail", "other"]);
    assert_eq!(fresh["index"]["dirty_count"], 0, "{fresh}");
}

fn now_ms() -> u64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_millis() as u64
}

#[test]
fn a_damaged_index_is_built_anew_and_said() {
    let project = Project::new();
    project.run(&["index", "-q"]);
    std::fs::write(
        project.root().join(".stratigraph/index.db"),
        "this is no database, and long enough to be read",
    )
    .unwrap();
    let run = project.run(&["search", "Order"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("damaged"), "{run:?}");
}

#[test]
fn the_commit_is_told() {
    let project = Project::new();
    let commit = "0123456789abcdef0123456789abcdef01234567";
    project.write(".git/HEAD", "ref: refs/heads/main\n");
    project.write(".git/refs/heads/main", commit);
    let answer = project.json(&["codebase-map"]);
    assert_eq!(answer["index"]["commit"], commit, "{answer}");
}
