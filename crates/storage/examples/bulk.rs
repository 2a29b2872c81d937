//! Fills a store with made-up data of a given size and prints what each part costs in CPU time: the yardstick for changes
//! of the schema and of the writer.
//!
//! `cargo run --release -p strata-storage --example bulk -- <folder> [files]`

#![expect(clippy::print_stdout, reason = "a command line tool")]
#![expect(clippy::unwrap_used, reason = "a tool for developers may stop on the first surprise")]

use std::path::Path;
use std::time::Instant;

use strata_model::edge::EdgeFlags;
use strata_model::facts::{DefFlags, Metrics};
use strata_model::ids::{DefId, FileIx, Position, Span, SymbolRef};
use strata_model::kinds::{EdgeKind, NodeKind, NodeLevel, ParseStatus};
use strata_model::outcome::{How, Outcome, Status};
use strata_storage::{EdgeInit, FileUpdate, LinksUpdate, NodeInit, PackageInit, RootInit, Store};

const SYMBOLS: usize = 15;
const EDGES: usize = 104;
const OUTCOMES: usize = 150;
const KEYS: usize = 80;
const WORDS: &[&str] = &[
    "model",
    "field",
    "query",
    "admin",
    "form",
    "view",
    "user",
    "session",
    "cache",
    "template",
    "render",
    "request",
    "response",
    "save",
    "delete",
    "update",
    "create",
    "filter",
    "manager",
    "backend",
    "migration",
    "schema",
    "index",
    "compile",
    "resolve",
    "lookup",
    "expression",
    "aggregate",
    "annotate",
    "serialize",
    "token",
    "middleware",
    "signal",
    "handler",
    "context",
    "loader",
    "engine",
    "storage",
    "upload",
    "validate",
    "clean",
    "widget",
    "label",
    "error",
];

/// A small generator of numbers, so that runs are equal.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn word(&mut self) -> &'static str {
        // Few words are common, as in real texts.
        let n = 1 + self.below(WORDS.len());
        WORDS[self.below(n)]
    }
}

struct Symbol {
    name: String,
    fqn: String,
    signature: String,
    doc: Option<String>,
    parent: usize,
    kind: NodeKind,
}

struct File {
    path: String,
    module: String,
    symbols: Vec<Symbol>,
    facts: Vec<u8>,
}

fn file(ix: usize, random: &mut Random) -> File {
    let folder = format!("django/contrib/{}{}", random.word(), ix % 90);
    let module = format!("django::{}::{}_{ix}", folder.replace('/', "::"), random.word());
    let mut symbols = vec![Symbol {
        name: format!("mod_{ix}"),
        fqn: module.clone(),
        signature: String::new(),
        doc: None,
        parent: 0,
        kind: NodeKind::Module,
    }];
    for n in 0..SYMBOLS {
        let name = format!("{}_{}_{}", random.word(), random.word(), n);
        let parent = if n % 5 == 0 { 0 } else { n - n % 5 + 1 };
        let doc = (random.below(10) < 4).then(|| {
            (0..20 + random.below(20))
                .map(|_| random.word())
                .collect::<Vec<_>>()
                .join(" ")
        });
        symbols.push(Symbol {
            fqn: format!("{}::{name}", symbols[parent].fqn),
            signature: format!("def {name}(self, {}, {}=None)", random.word(), random.word()),
            name,
            doc,
            parent,
            kind: if n % 5 == 0 { NodeKind::Class } else { NodeKind::Method },
        });
    }
    let facts = (0..2500).map(|_| random.next() as u8).collect();
    File {
        path: format!("{folder}/file_{ix:05}.py"),
        module,
        symbols,
        facts,
    }
}

fn at(line: usize) -> Position {
    Position {
        line: line as u32,
        column: 5,
    }
}

fn cpu() -> f64 {
    // utime and stime of this process, in hundredths of a second, are fields 14 and 15.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    fields.get(11..13).map_or(0.0, |times| {
        times.iter().map(|it| it.parse::<f64>().unwrap_or(0.0)).sum::<f64>() / 100.0
    })
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let folder = Path::new(&arguments[1]);
    let n_files: usize = arguments.get(2).map_or(2900, |it| it.parse().unwrap());
    let _ = std::fs::remove_dir_all(folder);
    let mut random = Random(42);
    let files: Vec<File> = (0..n_files).map(|ix| file(ix, &mut random)).collect();
    let mut clock = (Instant::now(), cpu());
    let start = clock;
    let mut lap = |what: &str| {
        let now = (Instant::now(), cpu());
        println!(
            "{what:24} {:6.3} s wall {:5.2} s cpu",
            (now.0 - clock.0).as_secs_f64(),
            now.1 - clock.1
        );
        clock = now;
    };
    let mut store = Store::open_write(folder).unwrap();
    let mut batch = store.begin().unwrap();
    let package = PackageInit {
        name: "django",
        fqn: "django",
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
    lap("open");
    let mut ids = Vec::new();
    for (ix, file) in files.iter().enumerate() {
        let nodes: Vec<NodeInit<'_>> = file
            .symbols
            .iter()
            .enumerate()
            .map(|(n, symbol)| NodeInit {
                key: (ix * 1000 + n) as u64 * 0x9E37_79B9_7F4A_7C15,
                def: n.checked_sub(1).map(|n| n as u32),
                parent: symbol.parent,
                level: if n == 0 {
                    NodeLevel::L2_Module
                } else {
                    NodeLevel::L3_Symbol
                },
                kind: symbol.kind,
                name: &symbol.name,
                fqn: &symbol.fqn,
                flags: DefFlags::default(),
                span: Span {
                    start: n as u32 * 400,
                    end: n as u32 * 400 + 390,
                },
                start: at(n * 10 + 1),
                end: at(n * 10 + 9),
                name_at: at(n * 10 + 1),
                signature: &symbol.signature,
                doc: symbol.doc.as_deref(),
                metrics: (symbol.kind == NodeKind::Method).then(Metrics::default),
            })
            .collect();
        let mut sha256 = [0; 32];
        for chunk in sha256.chunks_mut(8) {
            chunk.copy_from_slice(&random.next().to_le_bytes());
        }
        ids.push(
            batch
                .put_file(&FileUpdate {
                    path: &file.path,
                    sha256,
                    size_bytes: 6000,
                    mtime_ns: 0,
                    language: "python",
                    package: Some(packages[0]),
                    module_fqn: &file.module,
                    line_count: 200,
                    parse_status: ParseStatus::Ok,
                    flags: 0,
                    problems: &[],
                    indexed_at: 0,
                    nodes: &nodes,
                    unlisted: &[],
                    extractor_version: 1,
                    facts: Some(&file.facts),
                })
                .unwrap(),
        );
    }
    lap("files, nodes, texts");
    batch.set_file_ids(ids.clone());
    for (ix, id) in ids.iter().enumerate() {
        let mut target = || SymbolRef {
            file: FileIx(random.below(n_files) as u32),
            def: DefId(random.below(SYMBOLS) as u32),
        };
        let edges: Vec<EdgeInit> = (0..EDGES)
            .map(|n| EdgeInit {
                src: SymbolRef {
                    file: FileIx(ix as u32),
                    def: DefId((n % SYMBOLS) as u32),
                },
                dst: target(),
                kind: if n % 3 == 0 {
                    EdgeKind::References
                } else {
                    EdgeKind::Calls
                },
                at: at(n),
                end_line: n as u32,
                how: How::Import,
                confidence: 0.97,
                flags: EdgeFlags::default(),
                receiver: None,
            })
            .collect();
        let outcomes: Vec<Outcome> = (0..OUTCOMES)
            .map(|n| Outcome {
                status: if n % 2 == 0 { Status::Resolved } else { Status::External },
                how: How::Import,
                chain: 0,
                targets: if n % 2 == 0 { vec![target()] } else { Vec::new() },
                external: (n % 2 == 1).then(|| format!("pypi:requests.x{}", n % 20)),
            })
            .collect();
        let mut keys: Vec<u64> = (0..KEYS).map(|_| random.next()).collect();
        keys.sort_unstable();
        batch
            .put_links(&LinksUpdate {
                file: *id,
                edges: &edges,
                outcomes: &outcomes,
                keys: &keys,
            })
            .unwrap();
    }
    lap("edges, outcomes");
    let report = batch.commit().unwrap();
    lap("commit");
    println!("{report:?}");
    println!(
        "total {:.3} s wall, {:.2} s cpu",
        start.0.elapsed().as_secs_f64(),
        cpu() - start.1
    );
    println!(
        "size {} bytes",
        std::fs::metadata(folder.join("index.db")).unwrap().len()
    );
}
