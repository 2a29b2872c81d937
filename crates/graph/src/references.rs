//! Every place that names a symbol.

use strata_model::facts::{FileFacts, Reference};
use strata_model::ids::Position;
use strata_model::kinds::{EdgeKind, ParseStatus, RefKind};
use strata_storage::{EdgeKinds, FileId, NodeRow, Store, StoreError, StoredTarget};

/// A place in the text that names a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The file.
    pub file_id: FileId,
    /// Path of the file.
    pub path: String,
    /// Where the name starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// What kind of use it is.
    pub ref_kind: RefKind,
    /// The kind of edge that it stands for.
    pub kind: EdgeKind,
    /// True when the file was read without syntax errors.
    pub is_complete: bool,
}

/// The places that name `node` and stand for an edge of one of `kinds`, by file and position.
///
/// An edge keeps its first place only; the files with such edges are found by them, and their facts and outcomes give
/// every place. Costs decoding the facts of each of those files.
pub fn references(store: &Store, node: &NodeRow, kinds: EdgeKinds) -> Result<Vec<Site>, StoreError> {
    let mut sites = Vec::new();
    for file_id in store.files_linking_to(node.id, kinds)? {
        let (Some(file), Some(facts)) = (store.file(file_id)?, store.facts(file_id)?) else {
            continue;
        };
        let outcomes = store.outcomes(file_id)?;
        for (reference, outcome) in facts.refs.iter().zip(&outcomes) {
            let kind = reference.kind.edge_kind();
            if kinds.has(kind) && outcome.targets.contains(&StoredTarget::Node(node.id)) {
                sites.push(Site {
                    file_id,
                    path: file.path.clone(),
                    start: reference.at,
                    end: end_of(&facts, reference),
                    ref_kind: reference.kind,
                    kind,
                    is_complete: file.parse_status == ParseStatus::Ok,
                });
            }
        }
    }
    sites.sort_by(|a, b| (&a.path, a.start, a.kind).cmp(&(&b.path, b.start, b.kind)));
    sites.dedup();
    Ok(sites)
}

/// Names do not span lines, and columns count UTF-16 units.
fn end_of(facts: &FileFacts, reference: &Reference) -> Position {
    let n_units = facts.str(reference.name).encode_utf16().count() as u32;
    Position {
        line: reference.at.line,
        column: reference.at.column + n_units,
    }
}
