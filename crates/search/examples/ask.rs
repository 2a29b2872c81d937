//! Asks an index a few questions again and again and prints the median time of each.
//!
//! `cargo run --release -p strata-search --example ask -- <index folder> [questions]`

#![expect(clippy::print_stdout, reason = "a command line tool")]
#![expect(clippy::unwrap_used, reason = "a tool for developers may stop on the first surprise")]

use std::path::Path;
use std::time::Instant;

use strata_model::kinds::{NodeKind, NodeLevel};
use strata_search::{Filter, LexicalRequest, NameRequest, codebase_search, nearest_names, search_symbols};
use strata_storage::{EdgeKinds, Store};

const ROUNDS: usize = 21;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap();
    let mut questions: Vec<String> = arguments.collect();
    if questions.is_empty() {
        questions = [
            "session expiration",
            "where is the request validated",
            "get",
            "QuerySet.filter",
            "migration",
        ]
        .map(str::to_owned)
        .to_vec();
    }
    let store = Store::open_read(Path::new(&folder)).unwrap();
    for question in &questions {
        println!("{question:?}");
        let search = |filter| {
            let request = LexicalRequest {
                query: question,
                filter,
                limit: 10,
                offset: 0,
            };
            codebase_search(&store, &request).unwrap().total_candidates
        };
        time("codebase_search", || search(Filter::default()));
        let levels = [NodeLevel::L3_Symbol];
        time("  symbols, no tests", || {
            search(Filter {
                levels: &levels,
                exclude_tests: true,
                ..Filter::default()
            })
        });
        time("  classes", || {
            search(Filter {
                kinds: &[NodeKind::Class],
                ..Filter::default()
            })
        });
        let request = NameRequest {
            text: question,
            kind: None,
            file: None,
            limit: 20,
        };
        time("search_symbols", || {
            search_symbols(&store, &request).unwrap().len() as u64
        });
        time("nearest_names", || {
            nearest_names(&store, question, 3).unwrap().len() as u64
        });
    }
    let mut most = (0, None);
    let mut by_target = std::collections::BTreeMap::new();
    store
        .for_each_edge(|edge| *by_target.entry(edge.dst).or_insert(0) += 1)
        .unwrap();
    for (node, n_edges) in by_target {
        if n_edges > most.0 {
            most = (n_edges, Some(node));
        }
    }
    println!("the most used node, {} edges", most.0);
    time("edges_in", || {
        store.edges_in(most.1.unwrap(), EdgeKinds::ALL).unwrap().len() as u64
    });
    time("edge_rows_in", || {
        store.edge_rows_in(most.1.unwrap(), EdgeKinds::ALL).unwrap().len() as u64
    });
    time("counts", || store.counts().unwrap().nodes);
}

fn time(what: &str, run: impl Fn() -> u64) {
    let mut times = Vec::new();
    let mut answer = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        answer = run();
        times.push(start.elapsed());
    }
    times.sort();
    println!(
        "  {what:22} {:8.2} ms  {answer}",
        times[ROUNDS / 2].as_secs_f64() * 1000.0
    );
}
