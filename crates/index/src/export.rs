//! The whole graph and all references, as plain rows in a fixed order, without ids, times and caches.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use strata_lang::Language;
use strata_model::edge::EdgeFlags;
use strata_model::facts::FileFacts;
use strata_model::ids::{DefId, Position, SymbolRef};
use strata_model::kinds::{EdgeKind, NodeKind, NodeLevel, RefKind};
use strata_model::outcome::Outcome;
use strata_storage::{FileId, FileRow, NodeId, NodeRow, Store, StoreError, StoredOutcome, StoredTarget};

use crate::confidence::{confidence, is_measured, of_how};
use crate::flows::stored_flows;
use crate::names::nearest_listed;
use crate::owner::caller;
use crate::receiver::receiver_shape;

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedNode {
    /// Fully qualified name.
    pub fqn: String,
    /// Level.
    pub level: NodeLevel,
    /// Kind.
    pub kind: NodeKind,
    /// Language; `multi` above files.
    pub language: String,
    /// Path of the file; empty above files.
    pub file: String,
    /// Where the construct starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// Signature.
    pub signature: String,
    /// FQN of the parent.
    pub parent: Option<String>,
}

/// An edge of the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedEdge {
    /// FQN of its source.
    pub from: String,
    /// FQN of its target.
    pub to: String,
    /// Kind.
    pub kind: EdgeKind,
    /// Number of sites.
    pub sites: u32,
    /// The first site.
    pub at: Position,
    /// How it was resolved.
    pub how: &'static str,
    /// How sure it is.
    pub confidence: f32,
    /// False where that is a prior.
    pub is_measured: bool,
    /// What the edge is, where its kind does not say it.
    pub label: Option<&'static str>,
    /// What is known of the receivers.
    pub flags: EdgeFlags,
    /// FQN of the class of the receivers, where that is known and the same at every site.
    pub receiver: Option<String>,
}

/// A symbol at an end of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedSymbol {
    /// Fully qualified name.
    pub fqn: String,
    /// Path.
    pub file: String,
    /// Line of its name; 0 for a module.
    pub line: u32,
    /// Its own name.
    pub name: String,
    /// Kind in lower case.
    pub kind: String,
    /// For a constructor: the line of its class's name.
    pub owner_line: Option<u32>,
}

/// A reference and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedReference {
    /// Language of the file.
    pub lang: String,
    /// What kind of use it is.
    pub edge: &'static str,
    /// Path.
    pub file: String,
    /// Where the name's token stands.
    pub at: Position,
    /// The name's token.
    pub callee_text: String,
    /// The named definition around it.
    pub caller: ExportedSymbol,
    /// The kind of outcome.
    pub outcome: &'static str,
    /// How it was resolved.
    pub how: &'static str,
    /// How sure each target is; 0 without targets.
    pub confidence: f32,
    /// False where that is a prior.
    pub is_measured: bool,
    /// Targets inside the root.
    pub targets: Vec<ExportedSymbol>,
    /// What it names outside the root.
    pub external: Option<String>,
    /// The shape of what stands before the dot; none where there is no dot.
    pub receiver: Option<&'static str>,
}

/// A derived call: something that can be called at a place of the text that does not name it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedFlow {
    /// Language of the file.
    pub lang: String,
    /// Path.
    pub file: String,
    /// Where the call stands.
    pub at: Position,
    /// The token that names the callee; empty for calls that the language makes by itself.
    pub callee_text: String,
    /// The named definition around it.
    pub caller: ExportedSymbol,
    /// What is called, inside the root.
    pub target: Option<ExportedSymbol>,
    /// What is called, outside the root.
    pub external: Option<String>,
    /// By which rule.
    pub how: &'static str,
    /// How sure it is.
    pub confidence: f32,
    /// False where that is a prior.
    pub is_measured: bool,
    /// True when it takes the place of the declared target, which a decorator has replaced.
    pub is_instead: bool,
}

/// Visits every node, by FQN, then every edge, by source, kind and target.
///
/// # Errors
/// When the store fails.
pub fn export_graph(
    store: &Store,
    mut node: impl FnMut(ExportedNode),
    mut edge: impl FnMut(ExportedEdge),
) -> Result<(), StoreError> {
    let snapshot = store.snapshot()?;
    let mut rows = store.nodes_of_level(None, None, 0, usize::MAX)?;
    rows.sort_by(|a, b| (&a.fqn, a.level, &a.path).cmp(&(&b.fqn, b.level, &b.path)));
    let names: FxHashMap<NodeId, (&str, &str)> = rows
        .iter()
        .map(|row| (row.id, (row.fqn.as_str(), row.language.as_str())))
        .collect();
    let mut edges: Vec<ExportedEdge> = Vec::new();
    store.for_each_edge(|row| {
        let (Some((from, language)), Some((to, _))) = (names.get(&row.src), names.get(&row.dst)) else {
            return;
        };
        edges.push(ExportedEdge {
            from: (*from).to_owned(),
            to: (*to).to_owned(),
            kind: row.kind,
            sites: row.sites,
            at: row.at,
            how: row.how.name(),
            confidence: row.confidence,
            is_measured: is_measured(language, row.how),
            label: row.flags.label(),
            flags: row.flags,
            receiver: row
                .receiver
                .and_then(|id| names.get(&id))
                .map(|(fqn, _)| (*fqn).to_owned()),
        });
    })?;
    for row in &rows {
        let parent = row
            .parent_id
            .and_then(|id| names.get(&id))
            .map(|(fqn, _)| (*fqn).to_owned());
        if let Some(parent) = &parent {
            edges.push(ExportedEdge {
                from: parent.clone(),
                to: row.fqn.clone(),
                kind: EdgeKind::Contains,
                sites: 1,
                at: row.start,
                how: "lexical",
                confidence: 1.0,
                is_measured: true,
                label: None,
                flags: EdgeFlags::default(),
                receiver: None,
            });
        }
        node(ExportedNode {
            fqn: row.fqn.clone(),
            level: row.level,
            kind: row.kind,
            language: row.language.clone(),
            file: row.path.clone(),
            start: row.start,
            end: row.end,
            signature: row.signature.clone(),
            parent,
        });
    }
    edges.sort_by(|a, b| (&a.from, a.kind, &a.to, a.at).cmp(&(&b.from, b.kind, &b.to, b.at)));
    edges.into_iter().for_each(&mut edge);
    drop(snapshot);
    Ok(())
}

/// Visits every reference, by file and position.
///
/// # Errors
/// When the store fails.
pub fn export_references(store: &Store, mut visit: impl FnMut(ExportedReference)) -> Result<(), StoreError> {
    let snapshot = store.snapshot()?;
    let mut symbols = Symbols::new(store);
    for file in store.files()? {
        let Some(facts) = symbols.facts(file.id)? else { continue };
        let outcomes = store.outcomes(file.id)?;
        for (reference, outcome) in facts.refs.iter().zip(&outcomes) {
            let targets = outcome
                .targets
                .iter()
                .map(|target| symbols.target(*target))
                .collect::<Result<Vec<_>, _>>()?;
            let targets: Vec<ExportedSymbol> = targets.into_iter().flatten().collect();
            visit(ExportedReference {
                lang: file.language.clone(),
                edge: edge_name(reference.kind, &targets),
                file: file.path.clone(),
                at: reference.at,
                callee_text: facts.str(reference.name).to_owned(),
                caller: symbols.caller(&file, &facts, caller(&facts, reference)),
                outcome: outcome.status.name(),
                how: outcome.how.name(),
                confidence: if targets.is_empty() {
                    0.0
                } else {
                    confidence(&file.language, &plain(outcome, targets.len()))
                },
                is_measured: targets.is_empty() || is_measured(&file.language, outcome.how),
                targets,
                external: outcome.external.clone(),
                receiver: receiver_shape(&facts, reference),
            });
        }
    }
    drop(snapshot);
    Ok(())
}

/// Visits every derived call, by file and position. True when a limit ended the analysis early and there may be more.
///
/// # Errors
/// When the store fails.
pub fn export_flows(
    store: &Store,
    languages: &[&'static dyn Language],
    mut visit: impl FnMut(ExportedFlow),
) -> Result<bool, StoreError> {
    let snapshot = store.snapshot()?;
    let flows = stored_flows(store, languages)?;
    let mut symbols = Symbols::new(store);
    for flow in &flows.found {
        let file = &flows.files[flow.file.ix()];
        let Some(facts) = symbols.facts(file.id)? else { continue };
        let target = match flow.target {
            Some(target) => match symbols.definition(&flows.files, target)? {
                Some(symbol) => Some(symbol),
                None => continue,
            },
            None => None,
        };
        visit(ExportedFlow {
            lang: file.language.clone(),
            file: file.path.clone(),
            at: flow.at,
            callee_text: flow.reference.map_or_else(String::new, |reference| {
                facts.str(facts.refs[reference as usize].name).to_owned()
            }),
            caller: symbols.holder(file, &facts, flow.owner),
            target,
            external: flow.external.clone(),
            how: flow.how.name(),
            confidence: of_how(&file.language, flow.how),
            is_measured: is_measured(&file.language, flow.how),
            is_instead: flow.is_instead,
        });
    }
    drop(snapshot);
    Ok(flows.is_cut)
}

/// The outcome as the linker gave it, as far as confidence asks for it.
fn plain(outcome: &StoredOutcome, n_targets: usize) -> Outcome {
    let target = strata_model::ids::SymbolRef::module(strata_model::ids::FileIx(0));
    Outcome {
        status: outcome.status,
        how: outcome.how,
        chain: outcome.chain,
        targets: vec![target; n_targets],
        external: None,
    }
}

fn edge_name(kind: RefKind, targets: &[ExportedSymbol]) -> &'static str {
    let makes = |target: &ExportedSymbol| matches!(target.kind.as_str(), "class" | "constructor" | "struct" | "record");
    match kind {
        RefKind::Call if !targets.is_empty() && targets.iter().all(makes) => "construct",
        RefKind::Call => "call",
        RefKind::Construct => "construct",
        RefKind::Inherits => "inherits",
        RefKind::Implements => "implements",
        RefKind::Import => "import",
        RefKind::Type => "type",
        RefKind::Value => "value",
        RefKind::Read => "read",
        RefKind::Write => "write",
        RefKind::Decorator => "decorator",
        RefKind::Render => "render",
    }
}

/// Symbols by id, looked up once a file.
struct Symbols<'s> {
    store: &'s Store,
    nodes: FxHashMap<NodeId, ExportedSymbol>,
    loaded: FxHashMap<FileId, Option<Arc<FileFacts>>>,
    by_def: FxHashMap<(FileId, Option<DefId>), NodeId>,
}

impl<'s> Symbols<'s> {
    fn new(store: &'s Store) -> Self {
        Self {
            store,
            nodes: FxHashMap::default(),
            loaded: FxHashMap::default(),
            by_def: FxHashMap::default(),
        }
    }

    /// The facts of a file; its nodes are known afterwards.
    fn facts(&mut self, file: FileId) -> Result<Option<Arc<FileFacts>>, StoreError> {
        if let Some(facts) = self.loaded.get(&file) {
            return Ok(facts.clone());
        }
        let facts = self.store.facts(file)?.map(Arc::new);
        let rows = self.store.nodes_in_file(file)?;
        let lines: FxHashMap<NodeId, u32> = rows.iter().map(|row| (row.id, row.name_at.line)).collect();
        for row in rows {
            self.by_def.insert((file, row.def), row.id);
            let owner_line = (row.kind == NodeKind::Constructor)
                .then(|| row.parent_id.and_then(|parent| lines.get(&parent).copied()))
                .flatten();
            self.nodes.insert(row.id, symbol(row, owner_line));
        }
        self.loaded.insert(file, facts.clone());
        Ok(facts)
    }

    fn node(&mut self, id: NodeId) -> Result<Option<ExportedSymbol>, StoreError> {
        if let Some(symbol) = self.nodes.get(&id) {
            return Ok(Some(symbol.clone()));
        }
        let Some(file) = self.store.node(id)?.and_then(|row| row.file_id) else {
            return Ok(None);
        };
        self.facts(file)?;
        Ok(self.nodes.get(&id).cloned())
    }

    fn target(&mut self, target: StoredTarget) -> Result<Option<ExportedSymbol>, StoreError> {
        match target {
            StoredTarget::Node(id) => self.node(id),
            StoredTarget::Unlisted(file, key) => {
                let Some(facts) = self.facts(file)? else {
                    return Ok(None);
                };
                let unlisted = self.store.unlisted(file)?;
                let Some(found) = unlisted.iter().find(|it| it.key == key) else {
                    return Ok(None);
                };
                let owner = self.by_def.get(&(file, found.owner)).copied();
                let Some(owner) = owner.and_then(|id| self.nodes.get(&id)) else {
                    return Ok(None);
                };
                let def = facts.def(found.def);
                let name = facts.str(def.name);
                Ok(Some(ExportedSymbol {
                    fqn: format!("{}::{name}", owner.fqn),
                    file: owner.file.clone(),
                    line: def.name_at.line,
                    name: name.to_owned(),
                    kind: def.kind.name().to_ascii_lowercase(),
                    owner_line: None,
                }))
            }
        }
    }

    /// A definition by its place in the facts, whether it is a node or not.
    fn definition(&mut self, files: &[FileRow], symbol: SymbolRef) -> Result<Option<ExportedSymbol>, StoreError> {
        let file = &files[symbol.file.ix()];
        let Some(facts) = self.facts(file.id)? else {
            return Ok(None);
        };
        if symbol.is_module() {
            return Ok(Some(self.holder(file, &facts, None)));
        }
        Ok(Some(self.holder(file, &facts, Some(symbol.def))))
    }

    /// The definition itself: its node, or where it has none, what its facts say below the nearest node.
    fn holder(&self, file: &FileRow, facts: &FileFacts, def: Option<DefId>) -> ExportedSymbol {
        let nearest = self.caller(file, facts, def);
        match def {
            Some(def) if nearest_listed(facts, Some(def)) != Some(def) => {
                let it = facts.def(def);
                let name = facts.str(it.name);
                ExportedSymbol {
                    fqn: format!("{}::{name}", nearest.fqn),
                    file: file.path.clone(),
                    line: it.name_at.line,
                    name: name.to_owned(),
                    kind: it.kind.name().to_ascii_lowercase(),
                    owner_line: None,
                }
            }
            _ => nearest,
        }
    }

    fn caller(&self, file: &FileRow, facts: &FileFacts, owner: Option<DefId>) -> ExportedSymbol {
        let def = nearest_listed(facts, owner);
        let id = self.by_def.get(&(file.id, def)).copied();
        match id.and_then(|id| self.nodes.get(&id)) {
            Some(symbol) => symbol.clone(),
            None => ExportedSymbol {
                fqn: file.module_fqn.clone(),
                file: file.path.clone(),
                line: 0,
                name: "<module>".to_owned(),
                kind: "module".to_owned(),
                owner_line: None,
            },
        }
    }
}

fn symbol(row: NodeRow, owner_line: Option<u32>) -> ExportedSymbol {
    let is_module = row.level == NodeLevel::L2_Module;
    ExportedSymbol {
        fqn: row.fqn,
        file: row.path,
        line: if is_module { 0 } else { row.name_at.line },
        name: if is_module { "<module>".to_owned() } else { row.name },
        kind: row.kind.name().to_ascii_lowercase(),
        owner_line,
    }
}
