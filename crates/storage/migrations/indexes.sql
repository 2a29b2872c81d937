-- Indexes of the tables that are filled in bulk. A new store creates them after its first batch, which costs about half
-- of keeping them up to date row by row; every later opening for writing finds them there.
CREATE INDEX IF NOT EXISTS nodes_file ON nodes (file_id);
CREATE INDEX IF NOT EXISTS nodes_parent ON nodes (parent_id);
CREATE INDEX IF NOT EXISTS nodes_name ON nodes (name COLLATE NOCASE);
CREATE INDEX IF NOT EXISTS nodes_fqn ON nodes (fqn);
CREATE INDEX IF NOT EXISTS edges_dst ON edges (dst, kind, src);
-- Modules and packages are few among the nodes and are listed by level.
CREATE INDEX IF NOT EXISTS nodes_upper ON nodes (level, fqn) WHERE level < 3;
