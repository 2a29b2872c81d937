//! A small shop to ask questions of.

use strata_model::edge::EdgeFlags;
use strata_model::facts::{DefFlags, Metrics};
use strata_model::ids::{DefId, FileIx, Position, Span, SymbolRef};
use strata_model::kinds::{EdgeKind, NodeKind, NodeLevel, ParseStatus};
use strata_model::outcome::How;
use strata_storage::{
    Batch, EdgeInit, FileId, FileUpdate, LinksUpdate, NodeInit, NodeRow, PackageId, PackageInit, RootInit, Store,
};

/// (name, FQN, kind, index of the parent, branches); the first is the module.
pub(crate) type Row = (&'static str, &'static str, NodeKind, usize, Option<u32>);

const CART: &[Row] = &[
    ("cart", "shop::cart", NodeKind::Module, 0, None),
    ("Base", "shop::cart::Base", NodeKind::Class, 0, None),
    ("Cart", "shop::cart::Cart", NodeKind::Class, 0, None),
    (
        "__init__",
        "shop::cart::Cart::__init__",
        NodeKind::Constructor,
        2,
        Some(0),
    ),
    ("add", "shop::cart::Cart::add", NodeKind::Method, 2, Some(1)),
    ("merge", "shop::cart::Cart::merge", NodeKind::Method, 2, Some(2)),
];

pub(crate) const PAGE: &[Row] = &[
    ("page", "shop::page", NodeKind::Module, 0, None),
    ("show", "shop::page::show", NodeKind::Function, 0, Some(1)),
];

/// `show` makes a cart and adds to it twice; `merge` adds once; the two classes extend each other.
pub(crate) fn shop() -> Store {
    let mut store = Store::in_memory().expect("memory is there");
    let mut batch = store.begin().expect("nobody else writes");
    let package = put_shop(&mut batch);
    let cart = put(&mut batch, package, "cart.py", CART, 100, None);
    let page = put(&mut batch, package, "page.py", PAGE, 50, None);
    batch.set_file_ids(vec![cart, page]);
    let edge = |src: (u32, u32), dst: (u32, u32), kind, line| EdgeInit {
        src: SymbolRef {
            file: FileIx(src.0),
            def: DefId(src.1),
        },
        dst: SymbolRef {
            file: FileIx(dst.0),
            def: DefId(dst.1),
        },
        kind,
        at: Position { line, column: 1 },
        end_line: line,
        how: How::Import,
        confidence: 1.0,
        flags: EdgeFlags::default(),
        receiver: None,
    };
    let (extends, calls) = (EdgeKind::Extends, EdgeKind::Calls);
    let in_cart = [
        edge((0, 1), (0, 0), extends, 5),
        edge((0, 0), (0, 1), extends, 1),
        edge((0, 4), (0, 3), calls, 9),
    ];
    let in_page = [
        edge((1, 0), (0, 2), calls, 2),
        edge((1, 0), (0, 3), calls, 4),
        edge((1, 0), (0, 3), calls, 3),
    ];
    for (file, edges) in [(cart, &in_cart), (page, &in_page)] {
        batch
            .put_links(&LinksUpdate {
                file,
                edges,
                outcomes: &[],
                keys: &[],
            })
            .expect("links");
    }
    batch.commit().expect("a commit");
    store
}

/// Writes the root and the package.
pub(crate) fn put_shop(batch: &mut Batch<'_>) -> PackageId {
    let package = PackageInit {
        name: "shop",
        fqn: "shop",
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
        .expect("a tree")[0]
}

pub(crate) fn node(store: &Store, fqn: &str) -> NodeRow {
    store.nodes_by_fqn(fqn).expect("a read").remove(0)
}

pub(crate) fn put(
    batch: &mut Batch<'_>,
    package: PackageId,
    path: &str,
    rows: &[Row],
    lines: u32,
    facts: Option<&[u8]>,
) -> FileId {
    let nodes: Vec<NodeInit<'_>> = (0..)
        .zip(rows)
        .map(|(ix, &(name, fqn, kind, parent, branches)): (u32, _)| NodeInit {
            key: u64::from(ix),
            def: ix.checked_sub(1),
            parent,
            level: if ix == 0 {
                NodeLevel::L2_Module
            } else {
                NodeLevel::L3_Symbol
            },
            kind,
            name,
            fqn,
            flags: DefFlags::default(),
            span: Span { start: ix, end: 90 },
            start: Position {
                line: 1 + ix,
                column: 1,
            },
            end: Position {
                line: if ix == 0 { lines } else { 10 },
                column: 1,
            },
            name_at: Position::default(),
            signature: "",
            doc: None,
            metrics: branches.map(|branches| Metrics {
                branches,
                ..Metrics::default()
            }),
        })
        .collect();
    batch
        .put_file(&FileUpdate {
            path,
            sha256: [0; 32],
            size_bytes: 1,
            mtime_ns: 1,
            language: "python",
            package: Some(package),
            module_fqn: rows[0].1,
            line_count: lines,
            parse_status: ParseStatus::Ok,
            flags: 0,
            problems: &[],
            indexed_at: 0,
            nodes: &nodes,
            unlisted: &[],
            extractor_version: 1,
            facts,
        })
        .expect("a file")
}
