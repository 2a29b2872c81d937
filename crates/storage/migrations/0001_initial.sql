-- The first schema. Tables hold integers where a column repeats words; the views at the end are for people and for
-- other programs, and spell the words out.

CREATE TABLE schema_meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE packages (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    fqn      TEXT NOT NULL,
    folder   TEXT NOT NULL UNIQUE,
    manifest TEXT NOT NULL,
    marker   TEXT NOT NULL,
    node_id  INTEGER NOT NULL
);

CREATE TABLE files (
    id           INTEGER PRIMARY KEY,
    path         TEXT NOT NULL UNIQUE,
    sha256       BLOB NOT NULL,
    size_bytes   INTEGER NOT NULL,
    mtime_ns     INTEGER NOT NULL,
    language     TEXT NOT NULL,
    lang         TEXT GENERATED ALWAYS AS (language) VIRTUAL,
    package_id   INTEGER,
    module_fqn   TEXT NOT NULL,
    node_id      INTEGER NOT NULL,
    line_count   INTEGER NOT NULL,
    parse_status INTEGER NOT NULL,
    flags        INTEGER NOT NULL,
    problems     TEXT,
    indexed_at   INTEGER NOT NULL
);

CREATE TABLE skipped (
    path   TEXT PRIMARY KEY,
    reason TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE dirs (
    path     TEXT PRIMARY KEY,
    mtime_ns INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE inputs (
    path       TEXT PRIMARY KEY,
    size_bytes INTEGER NOT NULL,
    mtime_ns   INTEGER NOT NULL,
    sha256     BLOB NOT NULL
) WITHOUT ROWID;

-- With a row id, unlike the other keyed tables: the blobs are large and the hashes come in no order, so only the small
-- index is written out of order.
CREATE TABLE facts (
    sha256            BLOB NOT NULL,
    language          TEXT NOT NULL,
    extractor_version INTEGER NOT NULL,
    blob              BLOB NOT NULL,
    UNIQUE (sha256, language)
);

CREATE TABLE nodes (
    id         INTEGER PRIMARY KEY,
    file_id    INTEGER,
    parent_id  INTEGER,
    key        INTEGER NOT NULL,
    def_ix     INTEGER,
    level      INTEGER NOT NULL,
    kind       INTEGER NOT NULL,
    name       TEXT NOT NULL,
    fqn        TEXT NOT NULL,
    flags      INTEGER NOT NULL,
    start_byte INTEGER NOT NULL,
    end_byte   INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line   INTEGER NOT NULL,
    start_col  INTEGER NOT NULL,
    end_col    INTEGER NOT NULL,
    name_line  INTEGER NOT NULL,
    name_col   INTEGER NOT NULL,
    metrics    BLOB,
    signature  TEXT NOT NULL,
    doc        TEXT
);

-- Definitions that are no nodes (function and object literals), so that outcomes can name them.
CREATE TABLE unlisted (
    file_id INTEGER PRIMARY KEY,
    defs    BLOB NOT NULL
);

-- One row for all references of one kind from one node to another; line, col and end_line are those of the first.
-- end_line is null where it equals line, and confidence is in thousandths: there are many rows.
CREATE TABLE edges (
    src        INTEGER NOT NULL,
    kind       INTEGER NOT NULL,
    dst        INTEGER NOT NULL,
    sites      INTEGER NOT NULL,
    line       INTEGER NOT NULL,
    col        INTEGER NOT NULL,
    end_line   INTEGER,
    how        INTEGER NOT NULL,
    confidence INTEGER NOT NULL,
    PRIMARY KEY (src, kind, dst)
) WITHOUT ROWID;

CREATE TABLE links (
    file_id  INTEGER PRIMARY KEY,
    keys     BLOB NOT NULL,
    outcomes BLOB NOT NULL
);

CREATE VIEW symbols AS
SELECT
    n.id AS id,
    n.name AS name,
    CASE n.kind
        WHEN 0 THEN 'root' WHEN 1 THEN 'package' WHEN 2 THEN 'module'
        WHEN 3 THEN 'class' WHEN 4 THEN 'class' WHEN 5 THEN 'class'
        WHEN 6 THEN 'class' WHEN 7 THEN 'class' WHEN 8 THEN 'class'
        WHEN 9 THEN 'type' WHEN 10 THEN 'namespace'
        WHEN 11 THEN 'function'
        WHEN 12 THEN 'method' WHEN 13 THEN 'method' WHEN 14 THEN 'method' WHEN 15 THEN 'method'
        WHEN 16 THEN 'var' WHEN 17 THEN 'var' WHEN 18 THEN 'constant' WHEN 19 THEN 'var'
        ELSE 'other'
    END AS kind,
    f.path AS file_path,
    n.start_line AS line_start,
    n.end_line AS line_end,
    n.signature AS signature,
    n.doc AS docstring,
    coalesce(f.language, 'multi') AS language,
    n.fqn AS fqn,
    n.file_id AS file_id,
    NULL AS embedding,
    NULL AS git_author,
    NULL AS git_date
FROM nodes n
LEFT JOIN files f ON f.id = n.file_id;

-- The text that is indexed is the one of `symbols`, cut into words as `tokens` of the model crate does. Underscores join
-- because a whole identifier is a word, too.
CREATE VIRTUAL TABLE symbols_fts USING fts5 (
    name, signature, docstring, fqn,
    content = 'symbols',
    content_rowid = 'id',
    tokenize = "unicode61 remove_diacritics 2 tokenchars '_'"
);

CREATE VIRTUAL TABLE symbols_fts_terms USING fts5vocab (symbols_fts, row);

CREATE VIEW code_node AS
SELECT
    CASE n.kind
        WHEN 0 THEN 'monorepo' WHEN 1 THEN 'package' WHEN 2 THEN 'module' WHEN 3 THEN 'class'
        WHEN 4 THEN 'interface' WHEN 5 THEN 'trait' WHEN 6 THEN 'struct' WHEN 7 THEN 'enum'
        WHEN 8 THEN 'record' WHEN 9 THEN 'type' WHEN 10 THEN 'namespace' WHEN 11 THEN 'function'
        WHEN 12 THEN 'method' WHEN 13 THEN 'constructor' WHEN 14 THEN 'destructor' WHEN 15 THEN 'operator'
        WHEN 16 THEN 'property' WHEN 17 THEN 'field' WHEN 18 THEN 'constant' WHEN 19 THEN 'variable'
        WHEN 20 THEN 'decorator' ELSE 'unknown'
    END AS kind,
    n.name AS name,
    n.fqn AS qualified_name,
    f.path AS file,
    n.start_line || ':' || n.start_col || '-' || n.end_line || ':' || n.end_col AS range,
    n.signature AS signature,
    CASE WHEN n.level < 3 THEN NULL WHEN n.flags & 2 THEN 'private' ELSE 'public' END AS visibility,
    NULL AS metadata,
    f.indexed_at AS time_created,
    f.indexed_at AS time_updated
FROM nodes n
LEFT JOIN files f ON f.id = n.file_id;

CREATE VIEW code_edge AS
SELECT
    CASE e.kind
        WHEN 1 THEN 'imports' WHEN 2 THEN 'calls' WHEN 4 THEN 'extends' WHEN 8 THEN 'implements'
        WHEN 32 THEN 'overrides' ELSE 'references'
    END AS kind,
    s.fqn AS "from",
    d.fqn AS "to",
    f.path AS file,
    e.line || ':' || e.col || '-' || coalesce(e.end_line, e.line) AS range,
    e.sites AS sites,
    e.confidence / 1000.0 AS confidence
FROM edges e
JOIN nodes s ON s.id = e.src
JOIN nodes d ON d.id = e.dst
LEFT JOIN files f ON f.id = s.file_id
UNION ALL
SELECT 'defines', p.fqn, c.fqn, f.path, c.start_line || ':' || c.start_col || '-' || c.end_line, 1, 1.0
FROM nodes c
JOIN nodes p ON p.id = c.parent_id
LEFT JOIN files f ON f.id = c.file_id
UNION ALL
SELECT 'declared_in', c.fqn, p.fqn, f.path, c.start_line || ':' || c.start_col || '-' || c.end_line, 1, 1.0
FROM nodes c
JOIN nodes p ON p.id = c.parent_id
LEFT JOIN files f ON f.id = c.file_id;

CREATE VIEW code_file AS
SELECT
    path,
    lower(hex(sha256)) AS sha,
    size_bytes AS size,
    language AS lang,
    indexed_at,
    CASE parse_status WHEN 0 THEN 'full' WHEN 1 THEN 'partial' ELSE 'failed' END AS completeness
FROM files;

CREATE VIEW code_index_cursor AS
SELECT
    (SELECT value FROM schema_meta WHERE key = 'commit_sha') AS commit_sha,
    CAST((SELECT value FROM schema_meta WHERE key = 'node_count') AS INTEGER) AS node_count,
    -- The tree's own edges are not in the table: one for each node but the root.
    CAST((SELECT value FROM schema_meta WHERE key = 'edge_count') AS INTEGER)
        + max(0, CAST((SELECT value FROM schema_meta WHERE key = 'node_count') AS INTEGER) - 1) AS edge_count;
