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

/// Names do not span lines, and columns count UTF-16 units. A name that the file spells otherwise, such as `user-card`
/// for `UserCard`, is as long as its spelling.
fn end_of(facts: &FileFacts, reference: &Reference) -> Position {
    let name = facts.str(reference.name);
    let n_bytes = reference.span.end.saturating_sub(reference.span.start);
    let n_units = if n_bytes == 0 || n_bytes as usize == name.len() {
        name.encode_utf16().count() as u32
    } else {
        n_bytes
    };
    Position {
        line: reference.at.line,
        column: reference.at.column + n_units,
    }
}

#[cfg(test)]
mod tests {
    use strata_model::edge::EdgeFlags;
    use strata_model::facts::{FileFacts, FlowFacts, RefTarget, Reference, Strings};
    use strata_model::ids::{DefId, ExprId, FileIx, Position, Span, StrId, SymbolRef};
    use strata_model::kinds::{ParseStatus, RefKind};
    use strata_model::outcome::{How, Outcome, Status};
    use strata_storage::{EdgeInit, EdgeKinds, LinksUpdate};

    use super::references;
    use crate::sample::{PAGE, node, put, put_shop, shop};

    /// Facts of a file that names `größe` on each of these lines, as these kinds of use.
    fn facts(uses: &[(u32, RefKind)]) -> FileFacts {
        let reference = |&(line, kind): &(u32, RefKind)| Reference {
            kind,
            target: RefTarget::Expr(ExprId(0)),
            name: StrId(0),
            owner: None,
            span: Span::default(),
            at: Position { line, column: 5 },
            flags: 0,
        };
        FileFacts {
            language: "python".to_owned(),
            line_count: 50,
            parse_status: ParseStatus::Ok,
            problems: Vec::new(),
            flags: 0,
            strings: Strings {
                text: "größe".to_owned(),
                ends: vec![7],
            },
            scopes: Vec::new(),
            defs: Vec::new(),
            bindings: Vec::new(),
            bind_sets: Vec::new(),
            bind_list: Vec::new(),
            module_names: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            all_names: None,
            exprs: Vec::new(),
            types: Vec::new(),
            params: Vec::new(),
            supers: Vec::new(),
            args: Vec::new(),
            expr_list: Vec::new(),
            type_list: Vec::new(),
            refs: uses.iter().map(reference).collect(),
            flow: FlowFacts::default(),
        }
    }

    #[test]
    fn every_place_of_the_wanted_kinds_is_given() {
        let uses = [
            (3, RefKind::Call),
            (4, RefKind::Value),
            (4, RefKind::Value),
            (9, RefKind::Type),
        ];
        let mut store = shop();
        let (cart, page) = (
            store.file_by_path("cart.py").unwrap().unwrap().id,
            store.file_by_path("page.py").unwrap(),
        );
        let mut batch = store.begin().unwrap();
        let package = put_shop(&mut batch);
        let blob = bitcode::encode(&facts(&uses));
        let page = put(
            &mut batch,
            package,
            "page.py",
            PAGE,
            page.unwrap().line_count,
            Some(&blob),
        );
        batch.set_file_ids(vec![cart, page]);
        // All but the last name `Cart.add`; the last is a type outside the root.
        let add = SymbolRef {
            file: FileIx(0),
            def: DefId(3),
        };
        let mut outcomes = vec![
            Outcome {
                status: Status::Resolved,
                targets: vec![add],
                ..Outcome::without_target(Status::Resolved)
            };
            uses.len()
        ];
        outcomes[3] = Outcome::without_target(Status::External);
        let edge = |(line, kind): (u32, RefKind)| EdgeInit {
            src: SymbolRef {
                file: FileIx(1),
                def: DefId(0),
            },
            dst: add,
            kind: kind.edge_kind(),
            at: Position { line, column: 5 },
            end_line: line,
            how: How::Import,
            confidence: 1.0,
            flags: EdgeFlags::default(),
            receiver: None,
        };
        let edges: Vec<EdgeInit> = uses[..3].iter().copied().map(edge).collect();
        batch
            .put_links(&LinksUpdate {
                file: page,
                edges: &edges,
                outcomes: &outcomes,
                keys: &[],
            })
            .unwrap();
        batch.commit().unwrap();

        let add = node(&store, "shop::cart::Cart::add");
        let lines = |kinds| -> Vec<(u32, u32)> {
            let sites = references(&store, &add, kinds).unwrap();
            sites.iter().map(|site| (site.start.line, site.end.column)).collect()
        };
        // Twice the same place is one place, and the end counts characters, not bytes.
        assert_eq!(lines(EdgeKinds::USES), [(4, 10)]);
        assert_eq!(lines(EdgeKinds::ALL), [(3, 10), (4, 10)]);
        assert_eq!(lines(EdgeKinds(0)), []);
    }
}
