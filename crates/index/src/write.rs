//! One transaction: the new state of everything that changed.

use strata_lang::workspace::Package;
use strata_model::facts::{FileFacts, Metrics};
use strata_model::ids::{Position, Span};
use strata_model::kinds::{NodeKind, NodeLevel};
use strata_model::symbol::FQN_SEPARATOR;
use strata_storage::{
    Batch, FileId, FileRow, FileUpdate, InputRow, LinksUpdate, NodeInit, PackageId, PackageInit, RootInit, Store,
    SurfaceInit,
};
use strata_vfs::Sha256;

use crate::error::IndexError;
use crate::link::Linked;
use crate::names::{MODULE_KEY, NamedDefs, name_defs, package_fqn};
use crate::probe::now_ns;
use crate::read::Extracted;
use crate::report::RunReport;
use crate::run::{State, StateFile};
use crate::settings::{self, facts_version};

/// Everything besides files that a run leaves in the store.
pub(crate) struct Bookkeeping<'a> {
    pub(crate) root: &'a str,
    pub(crate) alias: Option<&'a str>,
    pub(crate) packages: &'a [Package],
    /// None: no walk, the stored ones stand.
    pub(crate) folders: Option<&'a [(String, i64)]>,
    pub(crate) inputs: &'a [InputRow],
    /// Folders that may hold installed packages, one a line.
    pub(crate) holders: &'a str,
    /// What was extracted of installed packages.
    pub(crate) surfaces: &'a [SurfaceInit],
    /// Whether surfaces that no input speaks of go.
    pub(crate) drops_surfaces: bool,
    pub(crate) skipped: &'a [(String, String)],
    pub(crate) looked_at: i64,
    pub(crate) link_key: &'a str,
    pub(crate) settings_key: &'a str,
    pub(crate) extractors: &'a str,
    pub(crate) root_path: &'a str,
    pub(crate) meta: &'a [(&'a str, String)],
    /// Keys that files rest on from now on, too, though they are not linked again.
    pub(crate) more_keys: &'a [(FileId, Vec<u64>)],
}

pub(crate) fn write(
    store: &mut Store,
    files: &[StateFile],
    modules: &[(Option<usize>, String)],
    removed: &[FileRow],
    linked: &[Linked],
    book: &Bookkeeping<'_>,
    report: &mut RunReport,
) -> Result<(), IndexError> {
    let indexed_at = now_ns() / 1_000_000;
    let mut batch = store.begin()?;
    let packages = put_tree(&mut batch, book)?;
    for (file, keys) in book.more_keys {
        batch.add_keys(*file, keys)?;
    }
    for row in removed {
        batch.remove_file(&row.path)?;
    }
    let mut ids = Vec::with_capacity(files.len());
    let mut is_changed = !removed.is_empty() || !linked.is_empty();
    for (file, (package, fqn)) in files.iter().zip(modules) {
        let package = package.and_then(|ix| packages.get(ix).copied());
        let id = match &file.state {
            State::Unchanged(row) => {
                is_changed |= keep(&mut batch, row, package, fqn)?;
                row.id
            }
            State::Touched(row, stat) => {
                batch.touch_file(row.id, stat.size, stat.mtime_ns)?;
                is_changed |= keep(&mut batch, row, package, fqn)?;
                row.id
            }
            State::Changed(extracted, _) => {
                is_changed = true;
                put_file(&mut batch, file, extracted, package, fqn, indexed_at)?
            }
        };
        ids.push(id);
    }
    batch.set_file_ids(ids.clone());
    for linked in linked {
        batch.put_links(&LinksUpdate {
            file: ids[linked.file.ix()],
            edges: &linked.edges,
            outcomes: &linked.outcomes,
            keys: &linked.keys,
        })?;
    }
    let index_id = index_id(files);
    put_book(&mut batch, book, &index_id, is_changed.then_some(indexed_at))?;
    let done = batch.commit()?;
    report.index_id = index_id;
    report.is_changed = is_changed;
    report.added_node_count = as_count(done.added_nodes);
    report.removed_node_count = as_count(done.removed_nodes);
    report.node_count = as_count(done.nodes);
    report.edge_count = as_count(done.edges) + report.node_count.saturating_sub(1);
    Ok(())
}

/// A count of rows as a length.
pub(crate) fn as_count(rows: u64) -> usize {
    usize::try_from(rows).unwrap_or(usize::MAX)
}

fn put_tree(batch: &mut Batch<'_>, book: &Bookkeeping<'_>) -> Result<Vec<PackageId>, IndexError> {
    let packages: Vec<PackageInit<'_>> = book
        .packages
        .iter()
        .map(|package| PackageInit {
            name: &package.name,
            fqn: package_fqn(package, book.alias),
            folder: &package.folder,
            manifest: &package.manifest,
            marker: package.marker,
        })
        .collect();
    Ok(batch.put_tree(
        RootInit {
            name: book.root,
            fqn: book.root,
        },
        &packages,
    )?)
}

/// Gives an unchanged file its place, if that is another one. True when it is.
fn keep(batch: &mut Batch<'_>, row: &FileRow, package: Option<PackageId>, fqn: &str) -> Result<bool, IndexError> {
    let moves = row.package_id != package || row.module_fqn != fqn;
    if moves {
        batch.rename_module(row.id, package, fqn)?;
    }
    Ok(moves)
}

fn put_file(
    batch: &mut Batch<'_>,
    file: &StateFile,
    extracted: &Extracted,
    package: Option<PackageId>,
    fqn: &str,
    indexed_at: i64,
) -> Result<FileId, IndexError> {
    let facts = &extracted.facts;
    let named = name_defs(facts, fqn);
    let nodes = nodes(facts, &named, fqn);
    let mut flags = facts.flags;
    if file.language.is_test_path(&file.path) {
        flags |= FileFacts::IS_TEST;
    }
    // Encoded here and not with the extraction: the encoded facts of all files need not be in memory at once.
    let encoded = (!extracted.is_stored).then(|| bitcode::encode(facts.as_ref()));
    Ok(batch.put_file(&FileUpdate {
        path: &file.path,
        sha256: extracted.sha256,
        size_bytes: extracted.stat.size,
        mtime_ns: extracted.stat.mtime_ns,
        language: file.language.name(),
        package,
        module_fqn: fqn,
        line_count: facts.line_count,
        parse_status: facts.parse_status,
        flags,
        problems: &facts.problems,
        indexed_at,
        nodes: &nodes,
        unlisted: &named.unlisted,
        extractor_version: facts_version(file.language, &file.path),
        facts: encoded.as_deref(),
    })?)
}

fn nodes<'a>(facts: &'a FileFacts, named: &'a NamedDefs, fqn: &'a str) -> Vec<NodeInit<'a>> {
    let mut nodes = Vec::with_capacity(named.nodes.len() + 1);
    nodes.push(NodeInit {
        key: MODULE_KEY,
        def: None,
        parent: 0,
        level: NodeLevel::L2_Module,
        kind: NodeKind::Module,
        name: module_name(fqn),
        fqn,
        flags: strata_model::facts::DefFlags::default(),
        span: Span { start: 0, end: 0 },
        start: Position { line: 1, column: 1 },
        end: Position {
            line: facts.line_count.max(1),
            column: 1,
        },
        name_at: Position { line: 0, column: 0 },
        signature: "",
        doc: None,
        metrics: None,
    });
    for it in &named.nodes {
        let def = facts.def(it.def);
        nodes.push(NodeInit {
            key: it.key,
            def: Some(it.def.0),
            parent: it.parent,
            level: NodeLevel::L3_Symbol,
            kind: def.kind,
            name: facts.str(def.name),
            fqn: &it.fqn,
            flags: def.flags,
            span: def.span,
            start: def.start,
            end: def.end,
            name_at: def.name_at,
            signature: facts.str(def.signature),
            doc: def.doc.map(|doc| facts.str(doc)),
            metrics: measured(def.kind, def.metrics),
        });
    }
    nodes
}

/// The last segment of a module's FQN, without the number that tells colliding modules apart.
fn module_name(fqn: &str) -> &str {
    let last = fqn.rsplit(FQN_SEPARATOR).next().unwrap_or(fqn);
    match last.rsplit_once('#') {
        Some((name, number)) if !name.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        Some(_) | None => last,
    }
}

fn measured(kind: NodeKind, metrics: Metrics) -> Option<Metrics> {
    (kind.is_callable() || metrics.statements > 0).then_some(metrics)
}

fn put_book(
    batch: &mut Batch<'_>,
    book: &Bookkeeping<'_>,
    index_id: &str,
    indexed_at: Option<i64>,
) -> Result<(), IndexError> {
    if let Some(folders) = book.folders {
        batch.put_dirs(folders.iter().map(|(path, mtime_ns)| (path.as_str(), *mtime_ns)))?;
    }
    batch.put_inputs(book.inputs)?;
    if book.drops_surfaces {
        batch.drop_surfaces()?;
    }
    batch.put_surfaces(book.surfaces)?;
    batch.set_meta(settings::HOLDERS, book.holders)?;
    batch.put_skipped(
        book.skipped
            .iter()
            .map(|(path, reason)| (path.as_str(), reason.as_str())),
    )?;
    batch.set_meta(settings::INDEX_ID, index_id)?;
    batch.set_meta(settings::ROOT, book.root_path)?;
    batch.set_meta(settings::VERIFIED_AT, &book.looked_at.to_string())?;
    batch.set_meta(settings::SETTINGS_KEY, book.settings_key)?;
    batch.set_meta(settings::LINK_KEY, book.link_key)?;
    batch.set_meta(settings::EXTRACTORS, book.extractors)?;
    if let Some(indexed_at) = indexed_at {
        batch.set_meta(settings::INDEXED_AT, &indexed_at.to_string())?;
    }
    for (key, value) in book.meta {
        batch.set_meta(key, value)?;
    }
    Ok(())
}

/// SHA-256 over the sorted lines `path:sha`.
fn index_id(files: &[StateFile]) -> String {
    let mut text = String::new();
    for file in files {
        let sha256 = match &file.state {
            State::Unchanged(row) | State::Touched(row, _) => &row.sha256,
            State::Changed(extracted, _) => &extracted.sha256,
        };
        text.extend([file.path.as_str(), ":", &Sha256(*sha256).to_string(), "\n"]);
    }
    strata_vfs::sha256(text.as_bytes()).to_string()
}
