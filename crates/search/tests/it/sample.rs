//! A store to search in.

use strata_model::facts::{DefFlags, FileFacts};
use strata_model::ids::{Position, Span};
use strata_model::kinds::{NodeKind, NodeLevel, ParseStatus};
use strata_storage::{FileUpdate, NodeInit, PackageInit, RootInit, Store};

/// (name, kind, signature, documentation).
type Row = (&'static str, NodeKind, &'static str, &'static str);

const SESSION: &[Row] = &[
    (
        "SessionStore",
        NodeKind::Class,
        "class SessionStore",
        "Keeps sessions until they expire.",
    ),
    ("getUserById", NodeKind::Function, "def getUserById(id)", ""),
    (
        "expire",
        NodeKind::Function,
        "def expire(session)",
        "Ends a session. A session that has ended is not in the store.",
    ),
    (
        "validate_token",
        NodeKind::Function,
        "def validate_token(token)",
        "Tells whether a token is valid.",
    ),
    ("MAX_AGE", NodeKind::Constant, "MAX_AGE = 3600", ""),
];

const PAGE: &[Row] = &[
    (
        "show",
        NodeKind::Function,
        "function show(user)",
        "Shows the session of a user.",
    ),
    ("Expire", NodeKind::Class, "class Expire", ""),
];

const TEST: &[Row] = &[(
    "expires_late",
    NodeKind::Function,
    "def expires_late()",
    "A session ends.",
)];

/// Two packages: `shop` (Python, with a test file) and `web` (TypeScript).
pub(crate) fn shop() -> Store {
    let mut store = Store::in_memory().unwrap();
    let mut batch = store.begin().unwrap();
    let package = |name, folder| PackageInit {
        name,
        fqn: name,
        folder,
        manifest: "",
        marker: "python",
    };
    let packages = batch
        .put_tree(
            RootInit {
                name: "root",
                fqn: "root",
            },
            &[package("shop", "shop"), package("web", "web")],
        )
        .unwrap();
    for (path, module, rows, package) in [
        ("shop/session.py", "shop::session", SESSION, packages[0]),
        ("shop/test_session.py", "shop::test_session", TEST, packages[0]),
        ("web/page.ts", "web::page", PAGE, packages[1]),
    ] {
        let fqns: Vec<String> = rows.iter().map(|row| format!("{module}::{}", row.0)).collect();
        let node = |ix: usize, level, kind, name, fqn| NodeInit {
            key: ix as u64,
            def: ix.checked_sub(1).map(|ix| ix as u32),
            parent: 0,
            level,
            kind,
            name,
            fqn,
            flags: DefFlags::default(),
            span: Span::default(),
            start: Position {
                line: ix as u32 * 10 + 1,
                column: 1,
            },
            end: Position {
                line: ix as u32 * 10 + 5,
                column: 1,
            },
            name_at: Position::default(),
            signature: "",
            doc: None,
            metrics: None,
        };
        let name = module.rsplit("::").next().unwrap();
        let mut nodes = vec![node(0, NodeLevel::L2_Module, NodeKind::Module, name, module)];
        for (ix, &(name, kind, signature, doc)) in rows.iter().enumerate() {
            let symbol = node(ix + 1, NodeLevel::L3_Symbol, kind, name, &fqns[ix]);
            nodes.push(NodeInit {
                signature,
                doc: (!doc.is_empty()).then_some(doc),
                ..symbol
            });
        }
        let is_test = path.contains("test_");
        batch
            .put_file(&FileUpdate {
                path,
                sha256: [0; 32],
                size_bytes: 1,
                mtime_ns: 1,
                language: if path.ends_with(".py") { "python" } else { "typescript" },
                package: Some(package),
                module_fqn: module,
                line_count: 100,
                parse_status: ParseStatus::Ok,
                flags: if is_test { FileFacts::IS_TEST } else { 0 },
                problems: &[],
                indexed_at: 0,
                nodes: &nodes,
                unlisted: &[],
                extractor_version: 1,
                facts: None,
            })
            .unwrap();
    }
    batch.commit().unwrap();
    store
}
