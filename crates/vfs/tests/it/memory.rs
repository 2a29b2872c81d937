//! The walk over files in memory: ignore rules, excluded names, what is reported.

use strata_vfs::{Exclusion, Fs as _, MemoryFs, WalkOptions, explain, walk};

fn files(fs: &MemoryFs) -> Vec<String> {
    walk(fs, &WalkOptions::default()).files
}

fn sources(fs: &MemoryFs) -> Vec<String> {
    files(fs)
        .into_iter()
        .filter(|path| !path.ends_with(".gitignore"))
        .collect()
}

#[test]
fn ignore_files_nest_and_the_nearest_decides() {
    let fs = MemoryFs::with([
        (".gitignore", "*.gen.py\n/top.py\nlogs/\n"),
        ("top.py", ""),
        ("a/top.py", ""),
        ("a/x.gen.py", ""),
        ("b/.gitignore", "!*.gen.py\n"),
        ("b/x.gen.py", ""),
        ("logs/l.py", ""),
        ("b/logs/l.py", ""),
        ("b/logs.py", ""),
    ]);
    assert_eq!(sources(&fs), ["a/top.py", "b/logs.py", "b/x.gen.py"]);
}

#[test]
fn nothing_in_an_ignored_folder_can_be_brought_back() {
    let fs = MemoryFs::with([
        (".gitignore", "a/\n!a/b.py\nc/*\n!c/d.py\n"),
        ("a/b.py", ""),
        ("c/d.py", ""),
        ("c/e.py", ""),
    ]);
    assert_eq!(sources(&fs), ["c/d.py"]);
}

#[test]
fn double_stars_match_any_depth() {
    let fs = MemoryFs::with([(".gitignore", "**/gen/**\n"), ("x/y/gen/a.py", ""), ("gen.py", "")]);
    assert_eq!(sources(&fs), ["gen.py"]);
}

#[test]
fn ignore_files_can_be_switched_off() {
    let fs = MemoryFs::with([(".gitignore", "a.py"), ("a.py", "")]);
    let options = WalkOptions {
        respect_gitignore: false,
        ..WalkOptions::default()
    };
    assert_eq!(walk(&fs, &options).files, [".gitignore", "a.py"]);
}

#[test]
fn excluded_names_hide_in_any_case_and_hidden_folders_too() {
    let fs = MemoryFs::with([
        ("Node_Modules/a.js", ""),
        ("x.egg-info/a.py", ""),
        (".cache/a.py", ""),
        (".github/a.py", ""),
        (".stratigraph/a.py", ""),
        ("src/a.py", ""),
    ]);
    assert_eq!(files(&fs), [".github/a.py", "src/a.py"]);
    let counts = walk(&fs, &WalkOptions::default()).counts;
    assert_eq!((counts.total_enumerated, counts.excluded_by_exclude_set), (6, 4));
}

#[test]
fn build_folders_with_tracked_files_are_read() {
    let fs = MemoryFs::with([("build/a.py", ""), ("x/build/b.py", ""), ("x/bin/c.py", "")]);
    assert_eq!(
        files(&fs),
        ["x/bin/c.py"],
        "without git, bin needs a C# project beside it"
    );
    fs.set_tracked(&["build/a.py"]);
    assert_eq!(files(&fs), ["build/a.py"]);
}

#[test]
fn outputs_beside_a_project_are_hidden_without_git() {
    let fs = MemoryFs::with([("x/X.csproj", ""), ("x/obj/c.cs", ""), ("y/obj/c.cs", "")]);
    assert_eq!(files(&fs), ["x/X.csproj", "y/obj/c.cs"]);
}

#[test]
fn another_worktree_is_left_out_and_a_submodule_is_not() {
    let fs = MemoryFs::with([
        ("trees/one/.git", "gitdir: /home/me/repo/.git/worktrees/one\n"),
        ("trees/one/a.py", ""),
        ("sub/.git", "gitdir: ../.git/modules/sub\n"),
        ("sub/a.py", ""),
    ]);
    assert_eq!(files(&fs), ["sub/a.py"]);
}

#[test]
fn unreadable_folders_are_reported_and_the_rest_is_walked() {
    let fs = MemoryFs::with([("a/x.py", ""), ("b/x.py", "")]);
    fs.forbid("a");
    let found = walk(&fs, &WalkOptions::default());
    assert_eq!(found.files, ["b/x.py"]);
    assert_eq!(found.problems.len(), 1);
    assert_eq!(found.problems[0].path, "a");
    assert!(fs.exists("b/x.py"));
}

#[test]
fn every_folder_that_was_read_is_listed() {
    let fs = MemoryFs::with([("a/b/x.py", ""), ("node_modules/y.js", "")]);
    let folders: Vec<String> = walk(&fs, &WalkOptions::default())
        .folders
        .into_iter()
        .map(|folder| folder.path)
        .collect();
    assert_eq!(folders, ["", "a", "a/b"]);
}

#[test]
fn a_path_that_is_left_out_says_why() {
    let fs = MemoryFs::with([
        (".gitignore", "gen/"),
        ("a/gen/x.py", ""),
        ("dist/x.js", ""),
        ("a/y.py", ""),
    ]);
    let options = WalkOptions::default();
    assert_eq!(
        explain(&fs, &options, "a/gen/x.py"),
        Some(Exclusion::IgnoreFile(".gitignore".to_owned()))
    );
    assert_eq!(
        explain(&fs, &options, "dist/x.js"),
        Some(Exclusion::Name("dist".to_owned()))
    );
    assert_eq!(explain(&fs, &options, "a/y.py"), None);
}
