//! What a batch changes and what it leaves alone.

use strata_model::kinds::{EdgeKind, NodeKind, NodeLevel};
use strata_storage::{Case, EdgeKinds, InputRow, PackageInit, RootInit, Store, StoredTarget};

use crate::sample::{Sample, put_file, put_links, put_tree, two_files};

fn fqns(nodes: &[strata_storage::NodeRow]) -> Vec<&str> {
    nodes.iter().map(|node| node.fqn.as_str()).collect()
}

#[test]
fn what_was_written_is_read() {
    let mut store = Store::in_memory().unwrap();
    let (a, b) = two_files(&mut store);
    let files = store.files().unwrap();
    assert_eq!(
        files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(),
        ["a.py", "pkg/b.py"]
    );
    assert_eq!(store.file_by_path("pkg/b.py").unwrap().map(|file| file.id), Some(b));
    assert_eq!(
        fqns(&store.nodes_in_file(a).unwrap()),
        ["app::a", "app::a::load", "app::a::save"]
    );
    let load = &store.nodes_by_fqn("app::a::load").unwrap()[0];
    assert_eq!(
        (load.kind, load.path.as_str(), load.start.line),
        (NodeKind::Function, "a.py", 1)
    );
    assert_eq!(load.metrics.map(|metrics| metrics.branches), Some(0));
    assert_eq!(
        fqns(&store.nodes_by_name("LOAD", Case::Ignored).unwrap()),
        ["app::a::load"]
    );
    assert!(store.nodes_by_name("LOAD", Case::Exact).unwrap().is_empty());
    assert_eq!(
        fqns(&store.nodes_by_name_prefix("Sa", Case::Ignored, 9).unwrap()),
        ["app::a::save"]
    );
    assert!(store.nodes_by_name_prefix("Sa", Case::Exact, 9).unwrap().is_empty());
    assert_eq!(
        fqns(&store.nodes_of_level(Some(NodeLevel::L2_Module), None, 0, 9).unwrap()),
        ["app::a", "app::pkg::b"]
    );
    assert_eq!(
        fqns(&store.nodes_of_level(None, Some("app::a"), 1, 9).unwrap()),
        ["app::a::save"]
    );
    assert_eq!(fqns(&store.nodes_at_line(a, 12).unwrap()), ["app::a", "app::a::save"]);
    assert_eq!(fqns(&store.parent_chain(load.id).unwrap()), ["app::a", "app", "root"]);
    assert_eq!(
        fqns(&store.children(store.root().unwrap().unwrap().id).unwrap()),
        ["app"]
    );
    let calls = store.edges_in(load.id, EdgeKinds::CALLS).unwrap();
    assert_eq!(
        (calls.len(), calls[0].node.fqn.as_str(), calls[0].edge.kind),
        (1, "app::pkg::b::run", EdgeKind::Calls)
    );
    assert!((calls[0].edge.confidence - 0.9).abs() < 1e-6);
    assert_eq!(store.files_linking_to(load.id, EdgeKinds::ALL).unwrap(), [b]);
    let mut keys = Vec::new();
    store
        .for_each_key_list(|file, list| keys.push((file, list.to_vec())))
        .unwrap();
    assert_eq!(keys, [(a, vec![1, 2]), (b, vec![1, 3])]);
    let mut names = Vec::new();
    store.for_each_name(|name| names.push(name.to_owned())).unwrap();
    assert_eq!(names, ["a", "app", "b", "load", "root", "run", "save"]);
}

#[test]
fn symbols_keep_their_ids_and_what_others_know_of_them() {
    let mut store = Store::in_memory().unwrap();
    let (a, b) = two_files(&mut store);
    let load = store.nodes_by_fqn("app::a::load").unwrap()[0].id;
    let outcomes = store.outcomes(b).unwrap();

    // `save` becomes `store`, a new symbol comes first, and everything moves down.
    let mut changed = Sample::new("a.py", &["first", "load", "store"]);
    changed.content = 1;
    changed.shift = 5;
    let mut batch = store.begin().unwrap();
    let package = put_tree(&mut batch);
    assert_eq!(put_file(&mut batch, package, &changed), a);
    batch.set_file_ids(vec![a, b]);
    put_links(&mut batch, a, 0, 3, &[]);
    let report = batch.commit().unwrap();

    assert_eq!((report.added_nodes, report.removed_nodes), (2, 1));
    let after = store.node(load).unwrap().unwrap();
    assert_eq!(
        (after.fqn.as_str(), after.def.map(|def| def.0), after.start.line),
        ("app::a::load", Some(1), 16)
    );
    // The call of `load` is still there; that of `save` went with it.
    let run = store.nodes_by_fqn("app::pkg::b::run").unwrap()[0].id;
    let calls = store.edges_out(run, EdgeKinds::CALLS).unwrap();
    assert_eq!(
        calls.iter().map(|call| call.node.fqn.as_str()).collect::<Vec<_>>(),
        ["app::a::load"]
    );
    assert_eq!(store.outcomes(b).unwrap(), outcomes);
    assert_eq!(outcomes[0].targets, [StoredTarget::Node(load)]);
    assert_eq!(outcomes[2].targets, [StoredTarget::Unlisted(a, changed.literal().key)]);
    // Its key leads to where the definition is now.
    assert_eq!(store.unlisted(a).unwrap(), [changed.literal()]);
    // The id that is free now is not given to another symbol.
    let StoredTarget::Node(save) = outcomes[1].targets[0] else {
        panic!("save is a node")
    };
    assert_eq!(store.node(save).unwrap(), None);
}

#[test]
fn sites_of_one_edge_are_counted_and_the_first_is_kept() {
    let mut store = Store::in_memory().unwrap();
    let (a, b) = two_files(&mut store);
    let mut batch = store.begin().unwrap();
    batch.set_file_ids(vec![a, b]);
    put_links(&mut batch, b, 1, 1, &[(0, 0), (0, 1), (0, 0)]);
    let report = batch.commit().unwrap();
    assert_eq!(report.edges, 2);
    let load = store.nodes_by_fqn("app::a::load").unwrap()[0].id;
    let edge = store.edge_rows_in(load, EdgeKinds::ALL).unwrap()[0];
    assert_eq!((edge.sites, edge.at.line), (2, 2));
}

#[test]
fn links_may_be_put_twice_in_a_batch() {
    let mut store = Store::in_memory().unwrap();
    let (a, b) = two_files(&mut store);
    let mut batch = store.begin().unwrap();
    batch.set_file_ids(vec![a, b]);
    put_links(&mut batch, b, 1, 1, &[(0, 0)]);
    put_links(&mut batch, b, 1, 1, &[(0, 1)]);
    batch.commit().unwrap();
    assert_eq!(store.totals().unwrap().1, 1);
    assert_eq!(store.outcomes(b).unwrap().len(), 1);
}

#[test]
fn facts_go_with_the_last_file_that_has_their_content() {
    let mut store = Store::in_memory().unwrap();
    two_files(&mut store);
    let (old, mut new) = (
        Sample::new("a.py", &["load", "save"]),
        Sample::new("a.py", &["load", "save"]),
    );
    new.content = 9;
    let mut batch = store.begin().unwrap();
    let package = put_tree(&mut batch);
    put_file(&mut batch, package, &new);
    batch.commit().unwrap();
    assert_eq!(store.facts_blob(&old.sha256(), "python", 1).unwrap(), None);
    assert_eq!(
        store.facts_blob(&new.sha256(), "python", 1).unwrap().as_deref(),
        Some(&b"facts"[..])
    );
    assert_eq!(store.facts_blob(&new.sha256(), "python", 2).unwrap(), None);
}

#[test]
fn a_module_under_another_name_takes_its_symbols_along() {
    let mut store = Store::in_memory().unwrap();
    let (a, _) = two_files(&mut store);
    let mut batch = store.begin().unwrap();
    let package = PackageInit {
        name: "shop",
        fqn: "shop",
        folder: "",
        manifest: "pyproject.toml",
        marker: "python",
    };
    let packages = batch
        .put_tree(
            RootInit {
                name: "root",
                fqn: "root",
            },
            &[package],
        )
        .unwrap();
    batch.rename_module(a, Some(packages[0]), "shop::a").unwrap();
    batch.commit().unwrap();
    assert_eq!(
        fqns(&store.nodes_in_file(a).unwrap()),
        ["shop::a", "shop::a::load", "shop::a::save"]
    );
    assert_eq!(store.count_text_hits("shop").unwrap(), 4);
    assert_eq!(store.packages().unwrap()[0].name, "shop");
}

#[test]
fn a_batch_that_is_dropped_changes_nothing() {
    let mut store = Store::in_memory().unwrap();
    let (a, _) = two_files(&mut store);
    let (before, generation) = (store.nodes_in_file(a).unwrap(), store.generation().unwrap());
    let mut batch = store.begin().unwrap();
    assert!(batch.remove_file("a.py").unwrap());
    assert!(!batch.remove_file("a.py").unwrap());
    drop(batch);
    assert_eq!(store.nodes_in_file(a).unwrap(), before);
    assert_eq!(store.generation().unwrap(), generation);
}

#[test]
fn lists_are_replaced_as_a_whole() {
    let mut store = Store::in_memory().unwrap();
    let input = |path: &str| InputRow {
        path: path.to_owned(),
        size_bytes: 1,
        mtime_ns: -3,
        sha256: [2; 32],
    };
    for round in ["x", "y"] {
        let mut batch = store.begin().unwrap();
        batch.put_dirs([(round, 4)]).unwrap();
        batch.put_inputs(&[input(round)]).unwrap();
        batch.put_skipped([(round, "too large")]).unwrap();
        batch.set_meta("index_id", round).unwrap();
        batch.commit().unwrap();
    }
    assert_eq!(store.dirs().unwrap(), [("y".to_owned(), 4)]);
    assert_eq!(store.inputs().unwrap(), [input("y")]);
    assert_eq!(store.skip_reason("y").unwrap().as_deref(), Some("too large"));
    assert_eq!(store.skip_reason("x").unwrap(), None);
    assert_eq!(store.meta("index_id").unwrap().as_deref(), Some("y"));
    assert_eq!(store.generation().unwrap(), 2);
}
