//! Whatever the history, the store holds what a new one would hold.

use proptest::prelude::*;
use strata_storage::{EdgeKinds, Store};

use crate::sample::{Sample, put_file, put_links, put_tree};

const PATHS: [&str; 4] = ["a.py", "b.py", "pkg/c.py", "pkg/d.py"];
const NAMES: [&str; 6] = ["load", "save", "get_user", "parseHTTP", "run", "close"];

/// One state of the root: which files there are, and which symbols they hold.
type State = Vec<Option<Vec<usize>>>;

fn state() -> impl Strategy<Value = State> {
    let symbols = prop::sample::subsequence((0..NAMES.len()).collect::<Vec<_>>(), 0..=NAMES.len()).prop_shuffle();
    prop::collection::vec(prop::option::weighted(0.7, symbols), PATHS.len())
}

fn sample(path: usize, symbols: &[usize]) -> Sample {
    let names: Vec<&str> = symbols.iter().map(|&ix| NAMES[ix]).collect();
    let mut sample = Sample::new(PATHS[path], &names);
    sample.content = symbols
        .iter()
        .fold(1, |hash: u8, &ix| hash.wrapping_mul(7).wrapping_add(ix as u8 + 1));
    sample
}

/// Brings the store from one state to the next in one batch: changed files are put, and everything is linked again, each
/// file to the first two symbols of every file.
fn advance(store: &mut Store, before: Option<&State>, after: &State) {
    let mut batch = store.begin().unwrap();
    let package = put_tree(&mut batch);
    let present: Vec<usize> = (0..PATHS.len()).filter(|&ix| after[ix].is_some()).collect();
    for (ix, path) in PATHS.iter().enumerate() {
        let old = before.and_then(|state| state[ix].as_ref());
        match &after[ix] {
            None => assert_eq!(batch.remove_file(path).unwrap(), old.is_some()),
            Some(symbols) if old != Some(symbols) => {
                put_file(&mut batch, package, &sample(ix, symbols));
            }
            Some(_) => {}
        }
    }
    put_and_link(batch, after, &present);
}

fn put_and_link(mut batch: strata_storage::Batch<'_>, after: &State, present: &[usize]) {
    let mut ids = Vec::new();
    for &ix in present {
        // Nothing changed for a file that is put again as it is, apart from the work.
        let package = put_tree(&mut batch);
        ids.push(put_file(&mut batch, package, &sample(ix, after[ix].as_ref().unwrap())));
    }
    batch.set_file_ids(ids.clone());
    let n_symbols = |place: usize| after[present[place]].as_ref().unwrap().len();
    let targets: Vec<(usize, usize)> = (0..present.len())
        .flat_map(|place| (0..n_symbols(place).min(2)).map(move |def| (place, def)))
        .collect();
    for (place, id) in ids.iter().enumerate() {
        put_links(&mut batch, *id, place, n_symbols(place), &targets);
    }
    batch.commit().unwrap();
}

/// Everything in a store that does not depend on ids.
fn content(store: &Store) -> Vec<String> {
    let mut out = Vec::new();
    let mut ids = Vec::new();
    store.for_each_fqn(|_, id| ids.push(id)).unwrap();
    for node in store.nodes(&ids).unwrap() {
        let parent = node
            .parent_id
            .and_then(|id| store.node(id).unwrap())
            .map(|node| node.fqn);
        out.push(format!(
            "{} {:?} {:?} {:?} {}",
            node.fqn, node.def, node.kind, parent, node.path
        ));
        for linked in store.edges_out(node.id, EdgeKinds::ALL).unwrap() {
            let edge = linked.edge;
            out.push(format!(
                "  {:?} {} {} {:?}",
                edge.kind, linked.node.fqn, edge.sites, edge.at
            ));
        }
        for linked in store.edges_in(node.id, EdgeKinds::ALL).unwrap() {
            out.push(format!("  from {}", linked.node.fqn));
        }
    }
    for file in store.files().unwrap() {
        out.push(format!(
            "{} {:?} {}",
            file.path,
            file.sha256,
            store.outcomes(file.id).unwrap().len()
        ));
    }
    for word in [
        "load",
        "save",
        "user",
        "get_user",
        "http",
        "parsehttp",
        "run",
        "close",
        "value",
        "app",
        "pkg",
    ] {
        out.push(format!("{word} {}", store.count_text_hits(word).unwrap()));
        assert_eq!(
            store.document_frequency(word).unwrap(),
            store.count_text_hits(word).unwrap()
        );
    }
    let counts = store.counts().unwrap();
    out.push(format!("{counts:?} {:?}", store.text_totals().unwrap()));
    out
}

/// The figures that are carried from batch to batch are those that counting gives.
fn check_totals(store: &Store) {
    let (nodes, edges) = store.totals().unwrap();
    let counts = store.counts().unwrap();
    let mut by_kind = std::collections::BTreeMap::new();
    store
        .for_each_measure(|measure| *by_kind.entry((measure.level, measure.kind)).or_insert(0) += 1)
        .unwrap();
    assert_eq!(counts.nodes_by_kind, by_kind);
    assert_eq!(nodes, counts.nodes_by_kind.values().sum::<u64>());
    let mut n_edges = 0;
    store.for_each_edge(|_| n_edges += 1).unwrap();
    assert_eq!(edges, n_edges);
    assert_eq!(store.text_totals().unwrap().0, nodes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_history_equals_a_new_store(states in prop::collection::vec(state(), 1..5)) {
        let mut store = Store::in_memory().unwrap();
        let mut before = None;
        for after in &states {
            advance(&mut store, before, after);
            check_totals(&store);
            before = Some(after);
        }
        let mut cold = Store::in_memory().unwrap();
        advance(&mut cold, None, states.last().unwrap());
        prop_assert_eq!(content(&store), content(&cold));
    }
}

#[test]
fn removing_every_file_empties_every_table_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open_write(folder.path()).unwrap();
    let full: State = vec![Some(vec![0, 1]), Some(vec![2]), Some(vec![3, 4]), Some(vec![])];
    advance(&mut store, None, &full);
    let mut batch = store.begin().unwrap();
    for path in PATHS {
        assert!(batch.remove_file(path).unwrap());
    }
    batch
        .put_tree(
            strata_storage::RootInit {
                name: "root",
                fqn: "root",
            },
            &[],
        )
        .unwrap();
    batch.commit().unwrap();
    assert_eq!(store.totals().unwrap(), (1, 0), "the root is left");
    drop(store);
    let conn = rusqlite::Connection::open(folder.path().join("index.db")).unwrap();
    for (table, left) in [
        ("files", 0),
        ("nodes", 1),
        ("edges", 0),
        ("links", 0),
        ("facts", 0),
        ("unlisted", 0),
        ("packages", 0),
    ] {
        let n_rows: i64 = conn
            .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))
            .unwrap();
        assert_eq!(n_rows, left, "{table}");
    }
    let terms: Vec<String> = {
        let mut statement = conn.prepare("SELECT term FROM symbols_fts_terms").unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(terms, ["root"]);
}
