//! Made-up files for tests: a file is its path, a version of its content, and the names of its symbols.

use strata_model::edge::EdgeFlags;
use strata_model::facts::{DefFlags, Metrics};
use strata_model::ids::{DefId, FileIx, Position, Span, SymbolRef};
use strata_model::kinds::{EdgeKind, NodeKind, NodeLevel, ParseStatus};
use strata_model::outcome::{How, Outcome, Status};
use strata_storage::{
    Batch, EdgeInit, FileId, FileUpdate, LinksUpdate, NodeInit, PackageId, PackageInit, RootInit, Store, Unlisted,
};

/// A file with functions at its top level. The last definition of every file is a function literal without a node.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) path: String,
    pub(crate) content: u8,
    pub(crate) symbols: Vec<String>,
    /// Added to every line, as if a comment had been put at the top.
    pub(crate) shift: u32,
}

impl Sample {
    pub(crate) fn new(path: &str, symbols: &[&str]) -> Self {
        Self {
            path: path.to_owned(),
            content: 0,
            symbols: symbols.iter().map(|&it| it.to_owned()).collect(),
            shift: 0,
        }
    }

    pub(crate) fn module(&self) -> String {
        format!("app::{}", self.path.trim_end_matches(".py").replace('/', "::"))
    }

    pub(crate) fn sha256(&self) -> [u8; 32] {
        let mut sha256 = [self.content; 32];
        sha256[0] = self.path.bytes().fold(0, u8::wrapping_add);
        sha256
    }

    /// The definition that is no node.
    pub(crate) fn literal(&self) -> Unlisted {
        Unlisted {
            key: 7,
            def: DefId(self.symbols.len() as u32),
            owner: None,
        }
    }
}

pub(crate) fn key(name: &str) -> u64 {
    name.bytes()
        .fold(17, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)))
}

/// Writes the root and one package in the root folder.
pub(crate) fn put_tree(batch: &mut Batch<'_>) -> PackageId {
    let package = PackageInit {
        name: "app",
        fqn: "app",
        folder: "",
        manifest: "pyproject.toml",
        marker: "python",
    };
    batch
        .put_tree(
            RootInit {
                name: "root",
                fqn: "root",
            },
            &[package],
        )
        .unwrap()[0]
}

pub(crate) fn put_file(batch: &mut Batch<'_>, package: PackageId, sample: &Sample) -> FileId {
    let module = sample.module();
    let fqns: Vec<String> = sample.symbols.iter().map(|name| format!("{module}::{name}")).collect();
    let signatures: Vec<String> = sample.symbols.iter().map(|name| format!("def {name}(value)")).collect();
    let mut nodes = vec![NodeInit {
        key: 0,
        def: None,
        parent: 0,
        level: NodeLevel::L2_Module,
        kind: NodeKind::Module,
        name: module.rsplit("::").next().unwrap(),
        fqn: &module,
        flags: DefFlags::default(),
        span: Span { start: 0, end: 1000 },
        start: at(1),
        end: at(100),
        name_at: Position::default(),
        signature: "",
        doc: None,
        metrics: None,
    }];
    for (ix, name) in sample.symbols.iter().enumerate() {
        let line = ix as u32 * 10 + 1 + sample.shift;
        nodes.push(NodeInit {
            key: key(name),
            def: Some(ix as u32),
            parent: 0,
            level: NodeLevel::L3_Symbol,
            kind: NodeKind::Function,
            name,
            fqn: &fqns[ix],
            flags: DefFlags::EXPORTED,
            span: Span {
                start: line * 10,
                end: line * 10 + 90,
            },
            start: at(line),
            end: at(line + 9),
            name_at: at(line),
            signature: &signatures[ix],
            doc: Some("Does what its name says."),
            metrics: Some(Metrics {
                branches: ix as u32,
                ..Metrics::default()
            }),
        });
    }
    batch
        .put_file(&FileUpdate {
            path: &sample.path,
            sha256: sample.sha256(),
            size_bytes: 10,
            mtime_ns: 5,
            language: "python",
            package: Some(package),
            module_fqn: &module,
            line_count: 100,
            parse_status: ParseStatus::Ok,
            flags: 0,
            problems: &[],
            indexed_at: 0,
            nodes: &nodes,
            unlisted: &[sample.literal()],
            extractor_version: 1,
            facts: Some(b"facts"),
        })
        .unwrap()
}

/// Links a file: every symbol calls the symbols with these places, (file, definition), and the last reference reaches the
/// literal of the first file.
pub(crate) fn put_links(batch: &mut Batch<'_>, file: FileId, ix: usize, n_symbols: usize, targets: &[(usize, usize)]) {
    let symbol = |file: usize, def: usize| SymbolRef {
        file: FileIx(file as u32),
        def: DefId(def as u32),
    };
    let mut edges = Vec::new();
    for def in 0..n_symbols {
        for &(file, target) in targets {
            edges.push(EdgeInit {
                src: symbol(ix, def),
                dst: symbol(file, target),
                kind: EdgeKind::Calls,
                at: at(def as u32 + 2),
                end_line: def as u32 + 2,
                how: How::Import,
                confidence: 0.9,
                flags: EdgeFlags::default(),
                receiver: None,
            });
        }
    }
    let outcomes: Vec<Outcome> = targets
        .iter()
        .map(|&(file, target)| Outcome {
            status: Status::Resolved,
            how: How::Import,
            chain: 1,
            targets: vec![symbol(file, target)],
            external: None,
        })
        .collect();
    batch
        .put_links(&LinksUpdate {
            file,
            edges: &edges,
            outcomes: &outcomes,
            keys: &[1, ix as u64 + 2],
        })
        .unwrap();
}

/// A store with two files: `run` of `b.py` calls `load` and `save` of `a.py`, and its literal.
pub(crate) fn two_files(store: &mut Store) -> (FileId, FileId) {
    let (a, b) = (
        Sample::new("a.py", &["load", "save"]),
        Sample::new("pkg/b.py", &["run"]),
    );
    let mut batch = store.begin().unwrap();
    let package = put_tree(&mut batch);
    let ids = (put_file(&mut batch, package, &a), put_file(&mut batch, package, &b));
    batch.set_file_ids(vec![ids.0, ids.1]);
    put_links(&mut batch, ids.0, 0, 2, &[]);
    put_links(&mut batch, ids.1, 1, 1, &[(0, 0), (0, 1), (0, 2)]);
    batch.commit().unwrap();
    ids
}

pub(crate) fn at(line: u32) -> Position {
    Position { line, column: 1 }
}
