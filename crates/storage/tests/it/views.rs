//! The readable face of the database.

use rusqlite::Connection;
use strata_model::kinds::{EdgeKind, NodeKind};
use strata_model::symbol::context_kind;
use strata_storage::{DATABASE_NAME, Store};

use crate::sample::two_files;

/// A finished index, opened as any other program would open it.
fn opened() -> (tempfile::TempDir, Connection) {
    let folder = tempfile::tempdir().unwrap();
    two_files(&mut Store::open_write(folder.path()).unwrap());
    let conn = Connection::open(folder.path().join(DATABASE_NAME)).unwrap();
    (folder, conn)
}

fn rows(conn: &Connection, sql: &str) -> Vec<String> {
    let mut statement = conn.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

#[test]
fn symbols_and_their_texts() {
    let (_folder, conn) = opened();
    assert_eq!(
        rows(
            &conn,
            "SELECT concat_ws(' ', kind, file_path, line_start, line_end, signature, language, fqn) FROM symbols
             WHERE name = 'save'"
        ),
        ["function a.py 11 20 def save(value) python app::a::save"]
    );
    // The view is the content of the index, so both can be asked at once.
    assert_eq!(
        rows(
            &conn,
            "SELECT fqn FROM symbols_fts WHERE symbols_fts MATCH 'load' ORDER BY fqn"
        ),
        ["app::a::load"]
    );
}

#[test]
fn graph_views_spell_kinds_out() {
    let (_folder, conn) = opened();
    assert_eq!(
        rows(
            &conn,
            r#"SELECT concat_ws(' ', kind, "from", "to", file, range) FROM code_edge WHERE kind = 'calls' ORDER BY 1"#
        ),
        [
            "calls app::pkg::b::run app::a::load pkg/b.py 2:1-2",
            "calls app::pkg::b::run app::a::save pkg/b.py 2:1-2"
        ]
    );
    let both = rows(
        &conn,
        r#"SELECT concat_ws(' ', kind, "from", "to") FROM code_edge WHERE "from" LIKE '%save' OR "to" LIKE '%save' ORDER BY 1"#,
    );
    assert_eq!(
        both,
        [
            "calls app::pkg::b::run app::a::save",
            "declared_in app::a::save app::a",
            "defines app::a app::a::save"
        ]
    );
    assert_eq!(
        rows(&conn, "SELECT path || ' ' || completeness FROM code_file ORDER BY 1"),
        ["a.py full", "pkg/b.py full"]
    );
    // Seven nodes: root, package, two modules, three functions; two calls and the tree's six edges.
    assert_eq!(
        rows(&conn, "SELECT node_count || ' ' || edge_count FROM code_index_cursor"),
        ["7 8"]
    );
}

#[test]
fn words_of_the_views_are_those_of_the_enums() {
    let (_folder, conn) = opened();
    for kind in NodeKind::ALL {
        conn.execute("UPDATE nodes SET kind = ?1 WHERE fqn = 'app::a::load'", [kind.code()])
            .unwrap();
        assert_eq!(
            rows(
                &conn,
                "SELECT kind FROM code_node WHERE qualified_name = 'app::a::load'"
            ),
            [kind.name().to_lowercase()]
        );
        let grouped = rows(&conn, "SELECT kind FROM symbols WHERE fqn = 'app::a::load'");
        match context_kind(*kind) {
            "other" => assert!(["root", "package", "module", "namespace", "other"].contains(&grouped[0].as_str())),
            group => assert_eq!(grouped, [group]),
        }
    }
    for kind in EdgeKind::ALL.iter().filter(|&&kind| kind != EdgeKind::Contains) {
        conn.execute(
            "DELETE FROM edges WHERE dst = (SELECT id FROM nodes WHERE fqn = 'app::a::save')",
            [],
        )
        .unwrap();
        conn.execute("UPDATE edges SET kind = ?1", [kind.code()]).unwrap();
        assert_eq!(
            rows(
                &conn,
                r#"SELECT kind FROM code_edge WHERE "to" = 'app::a::load' AND kind <> 'defines'"#
            ),
            [kind.name().to_lowercase()]
        );
    }
}
