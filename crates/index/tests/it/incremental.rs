//! What a run does again, and what it leaves alone.

use strata_index::{Control, IndexConfig, RefreshMode};

use crate::project::Project;

const PROJECT: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"shop\"\n"),
    ("base.py", "class Base:\n    def run(self):\n        return 1\n"),
    (
        "mid.py",
        "from base import Base\n\nclass Mid(Base):\n    def go(self):\n        return self.run()\n",
    ),
    (
        "app.py",
        "from mid import Mid\n\ndef main():\n    Mid().go()\n    Mid().run()\n",
    ),
];

#[test]
fn a_first_run_parses_and_links_everything() {
    let mut project = Project::new(PROJECT);
    let report = project.refresh();
    assert_eq!(
        (report.files_total, report.new_files, report.parsed, report.relinked),
        (3, 3, 3, 3)
    );
    assert_eq!(report.node_count, 1 + 1 + 3 + 5);
    let edges = project.edges();
    for edge in [
        "shop -Contains-> shop::app",
        "shop::app::main -Calls-> shop::mid::Mid::go",
        "shop::app::main -Calls-> shop::base::Base::run",
        "shop::mid::Mid -Extends-> shop::base::Base",
        "shop::mid::Mid::go -Calls-> shop::base::Base::run",
        "shop::mid -Imports-> shop::base::Base",
    ] {
        assert!(
            edges.iter().any(|found| found == edge),
            "{edge} is not among {edges:#?}"
        );
    }
}

#[test]
fn a_second_run_does_nothing() {
    let mut project = Project::new(PROJECT);
    let first = project.refresh();
    let generation = project.store().generation().unwrap();
    let second = project.refresh();
    assert!(!second.is_changed);
    assert_eq!((second.parsed, second.reused_facts, second.relinked), (0, 0, 0));
    assert_eq!(second.index_id, first.index_id);
    assert_eq!(
        (second.node_count, second.edge_count),
        (first.node_count, first.edge_count)
    );
    assert_eq!(second.filter_stats, None, "no walk");
    assert_eq!(project.store().generation().unwrap(), generation, "no write");
    assert!(project.indexer.probe().unwrap().is_clean());
}

#[test]
fn an_edit_of_a_body_parses_and_links_one_file() {
    let mut project = Project::new(PROJECT);
    project.refresh();
    project.fs.write(
        "base.py",
        "class Base:\n    def run(self):\n        x = [2, 3]\n        return 1\n",
    );
    assert_eq!(project.indexer.probe().unwrap().dirty_files, ["base.py"]);
    let report = project.refresh();
    assert_eq!((report.parsed, report.relinked, report.updated_files), (1, 1, 1));
    assert_eq!((report.added_node_count, report.removed_node_count), (0, 0));
}

const RESULTS: &[(&str, &str)] = &[
    (
        "a.py",
        "class A:\n    def m(self):\n        pass\n\nclass B:\n    def m(self):\n        pass\n",
    ),
    ("first.py", "from a import A\n\ndef one():\n    return A()\n"),
    ("second.py", "from a import A\n\ndef two():\n    return A()\n"),
    (
        "make.py",
        "import first\nimport second\n\ndef make():\n    return first.one()\n",
    ),
    ("app.py", "from make import make\n\nmake().m()\n"),
];

#[test]
fn an_edit_that_leaves_the_inferred_result_alone_links_one_file() {
    let mut project = Project::new(RESULTS);
    project.refresh();
    project.fs.write(
        "make.py",
        "import first\nimport second\n\ndef make():\n    return second.two()\n",
    );
    let report = project.refresh();
    assert_eq!((report.parsed, report.relinked), (1, 1));
    assert!(
        project
            .edges()
            .iter()
            .any(|edge| edge.contains("app") && edge.contains("A::m"))
    );
}

#[test]
fn what_a_result_rests_on_since_an_edit_is_remembered_for_those_who_use_it() {
    let mut project = Project::new(RESULTS);
    project.refresh();
    project.fs.write(
        "make.py",
        "import first\nimport second\n\ndef make():\n    return second.two()\n",
    );
    project.refresh();
    project
        .fs
        .write("second.py", "from a import B\n\ndef two():\n    return B()\n");
    let report = project.refresh();
    assert_eq!((report.parsed, report.relinked), (1, 2));
    assert!(
        project
            .edges()
            .iter()
            .any(|edge| edge.contains("app") && edge.contains("B::m"))
    );
}

#[test]
fn an_edit_of_several_results_links_those_who_used_one_that_differs() {
    let mut project = Project::new(RESULTS);
    project.refresh();
    project.fs.write(
        "make.py",
        "import first\nimport second\n\ndef make():\n    return second.two()\n",
    );
    project
        .fs
        .write("second.py", "from a import B\n\ndef two():\n    return B()\n");
    let report = project.refresh();
    assert_eq!((report.parsed, report.relinked), (2, 3));
    assert!(
        project
            .edges()
            .iter()
            .any(|edge| edge.contains("app") && edge.contains("B::m"))
    );
}

#[test]
fn a_member_that_goes_relinks_those_who_used_it() {
    let mut project = Project::new(PROJECT);
    project.refresh();
    project
        .fs
        .write("base.py", "class Base:\n    def walk(self):\n        return 1\n");
    let report = project.refresh();
    assert_eq!((report.parsed, report.relinked), (1, 3));
    assert!(!project.edges().iter().any(|edge| edge.contains("Base::run")));
}

#[test]
fn a_touched_file_is_neither_parsed_nor_linked() {
    let mut project = Project::new(PROJECT);
    project.refresh();
    project.fs.set_mtime("base.py", 77);
    assert!(project.indexer.probe().unwrap().is_clean());
    let report = project.refresh();
    assert_eq!((report.parsed, report.reused_facts, report.relinked), (0, 0, 0));
    assert!(!report.is_changed);
}

#[test]
fn unrelated_functions_of_the_same_names_change_no_edge() {
    let mut project = Project::new(PROJECT);
    project.refresh();
    let before = project.edges();
    let mut text = String::new();
    for name in ["main", "go", "run", "Mid", "Base"] {
        for n in 0..20 {
            text.push_str(&format!(
                "def {name}{}():\n    return {n}\n\n",
                if n == 0 { String::new() } else { n.to_string() }
            ));
            text.push_str(&format!(
                "class C{name}{n}:\n    def {name}(self):\n        return {n}\n\n"
            ));
        }
    }
    project.fs.write("zoo/other.py", text);
    let report = project.refresh();
    assert_eq!(report.parsed, 1);
    let after: Vec<String> = project
        .edges()
        .into_iter()
        .filter(|edge| !edge.contains("zoo::other"))
        .collect();
    assert_eq!(after, before);
}

#[test]
fn what_is_deleted_leaves_nothing_behind() {
    let mut project = Project::new(PROJECT);
    project.refresh();
    let before = project.exported();
    project.fs.write(
        "extra/one.py",
        "from base import Base\nclass One(Base): ...\ndef f():\n    One().run()\n",
    );
    project.refresh();
    assert!(project.exported().contains("extra"));
    project.fs.remove("extra/one.py");
    let report = project.refresh();
    assert_eq!((report.removed, report.parsed), (1, 0));
    assert!(!project.exported().contains("extra"));
    assert_eq!(project.exported(), before);
}

#[test]
fn content_that_was_seen_before_is_not_parsed_again() {
    let mut project = Project::new(PROJECT);
    project.refresh();
    let text = PROJECT[1].1;
    project.fs.write("moved/base.py", text);
    let report = project.refresh();
    assert_eq!((report.new_files, report.parsed, report.reused_facts), (1, 0, 1));
}

#[test]
fn a_manifest_that_changes_its_name_renames_and_relinks() {
    let mut project = Project::new(PROJECT);
    project.refresh();
    project.fs.write("pyproject.toml", "[project]\nname = \"store\"\n");
    let report = project.refresh();
    assert_eq!((report.parsed, report.relinked), (0, 3));
    assert!(project.fqns().contains(&"store::app::main".to_owned()));
    assert!(!project.fqns().iter().any(|fqn| fqn.starts_with("shop::")));
}

#[test]
fn another_alias_renames_without_parsing() {
    let mut project = Project::new(PROJECT);
    project.refresh();
    let config = IndexConfig {
        root_alias: Some("top".to_owned()),
        ..IndexConfig::default()
    };
    let mut renamed = strata_index::Indexer::over(
        std::sync::Arc::<strata_vfs::MemoryFs>::clone(&project.fs) as _,
        project.folder(),
        config,
        strata_languages::ALL,
    );
    let report = renamed.refresh(RefreshMode::Changed, &Control::default()).unwrap();
    assert_eq!(report.parsed, 0);
    assert!(project.fqns().contains(&"top::app::main".to_owned()));
}

#[test]
fn everything_is_parsed_again_on_demand() {
    let mut project = Project::new(PROJECT);
    project.refresh();
    let before = project.exported();
    let report = project
        .indexer
        .refresh(RefreshMode::Everything, &Control::default())
        .unwrap();
    assert_eq!((report.parsed, report.relinked, report.updated_files), (3, 3, 0));
    assert_eq!(project.exported(), before);
}

#[test]
fn languages_can_be_narrowed() {
    let config = IndexConfig {
        languages: vec!["Python".to_owned()],
        ..IndexConfig::default()
    };
    let mut project = Project::with(&[("a.py", ""), ("b.ts", ""), ("c.min.js", ""), ("d.txt", "")], config);
    let report = project.refresh();
    assert_eq!(report.files_total, 1);
    assert_eq!(report.filter_stats.unwrap().excluded_by_language, 3);
}

#[test]
fn notes_of_the_caller_are_stored_even_when_no_file_changed() {
    let mut project = Project::new(PROJECT);
    project.refresh();
    let meta = [("commit", "abc".to_owned())];
    let control = Control {
        meta: &meta,
        ..Control::default()
    };
    project.try_refresh(&control).unwrap();
    assert_eq!(project.store().meta("commit").unwrap().as_deref(), Some("abc"));
}
