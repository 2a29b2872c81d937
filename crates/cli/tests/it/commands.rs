//! Verbs, exit codes, and what goes where.

use serde_json::Value;

use crate::project::{Project, Run, command_in};

#[test]
fn a_question_indexes_first_and_is_answered() {
    let project = Project::new();
    let run = project.run(&["who", "calls", "validate"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("store::shop::models::validate"), "{run:?}");
    assert!(
        run.stdout.contains("called by:") && run.stdout.contains("OrderService::create"),
        "{run:?}"
    );
    assert!(project.root().join(".stratigraph/index.db").is_file());
}

#[test]
fn a_single_unknown_word_is_an_error_that_names_a_verb() {
    let project = Project::new();
    let run = project.run(&["statsu"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("strata status"), "{run:?}");
}

#[test]
fn exit_codes_tell_found_nothing_and_wrong() {
    let project = Project::new();
    for (arguments, code) in [
        (&["search", "Order"][..], 0),
        (&["search", "Zzyzx"], 1),
        (&["symbol-detail", "Zzyzx"], 1),
        (&["symbol-detail", "create"], 2),
        (&["symbol-detail"], 2),
        (&["codebase-map", "--nonsense"], 2),
        (&["codebase-map", "--level", "L9"], 2),
        (&["--version"], 0),
        (&["--help"], 0),
        (&["symbol-detail", "--help"], 0),
        (&["is-path-indexed", "shop/models.py"], 0),
        (&["is-path-indexed", "notes.txt"], 1),
    ] {
        let run = project.run(arguments);
        assert_eq!(run.code, code, "{arguments:?}: {run:?}");
    }
}

#[test]
fn results_go_to_standard_output_and_errors_to_standard_error() {
    let project = Project::new();
    let run = project.run(&["symbol-detail", "create"]);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("fqn_ambiguous"), "{run:?}");
    let run = project.run(&["symbol-detail", "OrderService"]);
    assert!(
        run.stdout
            .starts_with("Class store::shop::service::OrderService shop/service.py:8"),
        "{run:?}"
    );
    assert_eq!(run.stderr, "");
}

#[test]
fn colours_are_off_in_pipes_and_can_be_forced() {
    let project = Project::new();
    let plain = project.run(&["search", "Order"]);
    assert!(!plain.stdout.contains('\x1b'), "{plain:?}");
    let forced = project.run(&["search", "Order", "--color", "always"]);
    assert!(forced.stdout.contains('\x1b'), "{forced:?}");
}

#[test]
fn an_index_is_reported_as_text_and_as_json() {
    let project = Project::new();
    let run = project.run(&["index", "--quiet"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    let again = project.json(&["index"]);
    assert_eq!(again["run"]["indexed"], 0, "{again}");
    assert_eq!(again["run"]["failed"], 0);
    let forced = project.json(&["index", "--force"]);
    assert_eq!(forced["run"]["parsed"], again["requested"], "{forced}");
}

#[test]
fn status_and_clean() {
    let project = Project::new();
    assert_eq!(project.run(&["status"]).code, 1);
    project.settle();
    let status = project.json(&["status"]);
    assert_eq!(status["files"], 6);
    project.write("shop/models.py", "def other(): pass\n");
    let status = project.json(&["status"]);
    assert_eq!(status["current"], false, "{status}");
    assert_eq!(status["dirty_paths"][0], "shop/models.py", "{status}");

    let refused = project.run(&["clean"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    let state = project.root().join(".stratigraph/state.db");
    std::fs::write(&state, "memory").unwrap();
    assert_eq!(project.run(&["clean", "-y"]).code, 0);
    assert!(!project.root().join(".stratigraph/index.db").exists());
    assert!(state.exists(), "what cannot be built again stays");
    assert_eq!(project.run(&["clean", "-y", "--all"]).code, 0);
    assert!(!project.root().join(".stratigraph").exists());
    assert_eq!(project.run(&["clean", "-y"]).code, 1);
}

#[test]
fn the_references_are_exported_as_agreed() {
    let project = Project::new();
    let run = project.run(&["export", "references", "--format", "jsonl"]);
    assert_eq!(run.code, 0, "{run:?}");
    let rows: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let places: Vec<(String, u64, u64)> = rows
        .iter()
        .map(|row| {
            (
                row["file"].as_str().unwrap().to_owned(),
                row["line"].as_u64().unwrap(),
                row["col"].as_u64().unwrap(),
            )
        })
        .collect();
    assert!(places.is_sorted(), "rows are in order");
    let row = rows
        .iter()
        .find(|row| row["file"] == "shop/service.py" && row["callee_text"] == "validate" && row["edge"] == "call")
        .unwrap_or_else(|| panic!("{}", run.stdout));
    assert_eq!(
        (&row["lang"], &row["outcome"], &row["line"], &row["col"]),
        (
            &Value::from("python"),
            &Value::from("resolved"),
            &Value::from(15),
            &Value::from(9)
        )
    );
    assert_eq!(row["caller"]["fqn"], "store::shop::service::OrderService::create");
    let target = &row["targets"][0];
    assert_eq!(
        (&target["file"], &target["line"], &target["name"], &target["kind"]),
        (
            &Value::from("shop/models.py"),
            &Value::from(32),
            &Value::from("validate"),
            &Value::from("function")
        )
    );
    let inherits = rows.iter().filter(|row| row["edge"] == "inherits").count();
    assert_eq!(inherits, 2, "{}", run.stdout);
}

#[test]
fn the_graph_is_the_same_every_time() {
    let project = Project::new();
    let first = project.run(&["export", "graph"]);
    assert_eq!(first.code, 0, "{first:?}");
    project.run(&["index", "--force", "-q"]);
    assert_eq!(project.run(&["export", "graph"]).stdout, first.stdout);
    assert!(
        first.stdout.lines().any(|line| line.contains("\"kind\":\"Calls\"")),
        "{}",
        first.stdout
    );
}

#[test]
fn a_reader_that_leaves_is_a_success() {
    use std::io::Read as _;
    use std::process::Stdio;

    let project = Project::new();
    // More than a pipe holds.
    let body: String = (0..4000)
        .map(|n| format!("def f{n}():\n    return f{}()\n\n", n / 2))
        .collect();
    project.write("shop/many.py", &body);
    project.run(&["index", "-q"]);
    let mut child = project
        .command(&["export", "references"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 16]).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.stderr, b"");
}

#[test]
fn folders_that_cannot_be_meant_are_refused() {
    let project = Project::new();
    let at_home = Run::of(
        command_in(&project.home(), &project.home(), &["index"])
            .output()
            .unwrap(),
    );
    assert_eq!(at_home.code, 2);
    assert!(at_home.stderr.contains("the home folder"), "{at_home:?}");
    assert!(!project.home().join(".stratigraph").exists());
    let empty = project.home().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let run = Run::of(command_in(&empty, &project.home(), &["search", "x"]).output().unwrap());
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("is empty") && run.stderr.contains("--root"),
        "{run:?}"
    );
}

#[test]
fn the_root_is_found_from_below_and_by_name() {
    let project = Project::new();
    project.run(&["index", "-q"]);
    let below = project.root().join("shop");
    let run = Run::of(
        command_in(&below, &project.home(), &["is-path-indexed", "models.py"])
            .output()
            .unwrap(),
    );
    assert_eq!(run.code, 0, "a path is meant from where the user stands: {run:?}");
    let root = project.root().display().to_string();
    let run = Run::of(
        command_in(&project.home(), &project.home(), &["--root", &root, "search", "Order"])
            .output()
            .unwrap(),
    );
    assert_eq!(run.code, 0, "{run:?}");
    let named = command_in(&project.home(), &project.home(), &["search", "Order"])
        .env("STRATIGRAPH_ROOT", &root)
        .output();
    assert_eq!(Run::of(named.unwrap()).code, 0);
}

#[test]
fn settings_that_are_wrong_are_named() {
    let project = Project::new();
    project.write("stratigraph.toml", "max_file_sise = 3\n");
    let run = project.run(&["search", "Order"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("`max_file_sise`") && run.stderr.contains("`max_file_size`"),
        "{run:?}"
    );
    project.write("stratigraph.toml", "");
    let run = Run::of(
        project
            .command(&["search", "Order"])
            .env("STRATIGRAPH_LANGUAGES", "typescript")
            .output()
            .unwrap(),
    );
    assert_eq!(run.code, 1, "the language is left out: {run:?}");
}

#[test]
fn the_context_verb_has_its_flags() {
    let project = Project::new();
    let file = project.root().join("context.md");
    let path = file.display().to_string();
    let run = project.run(&["context", "create an order", "-b", "1500", "-l", "2", "-o", &path]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{run:?}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        text.starts_with("<!-- stratigraph context | intent=implement"),
        "{text}"
    );
    let json = project.run(&["context", "create an order", "--format", "json"]);
    let answer: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(answer["intent"], "implement", "{answer}");
}
