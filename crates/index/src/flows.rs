//! The flows of function values of a stored index.
//!
//! They are computed from stored facts and outcomes when somebody asks, and stored nowhere: so they cost nothing while a
//! root is indexed, and no edit can leave a stale one behind.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use strata_lang::Language;
use strata_model::facts::FileFacts;
use strata_model::ids::{FileIx, SymbolRef};
use strata_model::outcome::Outcome;
use strata_resolve::{Flow, FlowFile, Flows, flows};
use strata_storage::{FileId, FileRow, NodeId, Store, StoreError, StoredOutcome, StoredTarget};

/// Evaluation nests as deep as the program's definitions do.
const STACK_SIZE: usize = 256 << 20;

/// Flows, and the files that they speak of.
pub struct StoredFlows {
    /// The files, by path.
    pub files: Vec<FileRow>,
    /// What flows where; file numbers are places in `files`.
    pub found: Vec<Flow>,
    /// True when a limit ended the analysis early: there may be more.
    pub is_cut: bool,
}

/// Computes the flows of all files of an index.
///
/// # Errors
/// When the store fails.
pub fn stored_flows(store: &Store, languages: &[&'static dyn Language]) -> Result<StoredFlows, StoreError> {
    let mut rows = store.files()?;
    rows.sort_by(|a, b| a.path.cmp(&b.path));
    let mut files: Vec<FileRow> = Vec::with_capacity(rows.len());
    let mut loaded: Vec<(Arc<FileFacts>, &'static dyn Language)> = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(language) = languages.iter().find(|it| it.name() == row.language) else {
            continue;
        };
        if let Some(facts) = store.facts(row.id)? {
            loaded.push((Arc::new(facts), *language));
            files.push(row);
        }
    }
    let targets = Targets::read(store, &files)?;
    let mut inputs = Vec::with_capacity(files.len());
    for (row, (facts, language)) in files.iter().zip(loaded) {
        let mut outcomes: Vec<Outcome> = store
            .outcomes(row.id)?
            .into_iter()
            .map(|it| targets.outcome(it))
            .collect();
        outcomes.resize(
            facts.refs.len(),
            Outcome::without_target(strata_model::outcome::Status::UnknownReceiver),
        );
        inputs.push(FlowFile {
            facts,
            outcomes,
            language,
        });
    }
    let Flows { found, is_cut } = on_large_stack(&inputs);
    Ok(StoredFlows { files, found, is_cut })
}

fn on_large_stack(inputs: &[FlowFile]) -> Flows {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("flows".to_owned())
            .stack_size(STACK_SIZE)
            .spawn_scoped(scope, || flows(inputs));
        match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // No thread to be had: the stack at hand must do.
            Err(_) => flows(inputs),
        }
    })
}

/// Stored targets as symbols.
struct Targets {
    nodes: FxHashMap<NodeId, SymbolRef>,
    unlisted: FxHashMap<(FileId, u64), SymbolRef>,
}

impl Targets {
    fn read(store: &Store, files: &[FileRow]) -> Result<Self, StoreError> {
        let mut targets = Self {
            nodes: FxHashMap::default(),
            unlisted: FxHashMap::default(),
        };
        for (ix, row) in files.iter().enumerate() {
            let file = FileIx(u32::try_from(ix).unwrap_or(u32::MAX));
            for node in store.nodes_in_file(row.id)? {
                let def = node.def.unwrap_or(SymbolRef::MODULE);
                targets.nodes.insert(node.id, SymbolRef { file, def });
            }
            for it in store.unlisted(row.id)? {
                targets
                    .unlisted
                    .insert((row.id, it.key), SymbolRef { file, def: it.def });
            }
        }
        Ok(targets)
    }

    fn outcome(&self, stored: StoredOutcome) -> Outcome {
        let symbol = |target: &StoredTarget| match target {
            StoredTarget::Node(id) => self.nodes.get(id).copied(),
            StoredTarget::Unlisted(file, key) => self.unlisted.get(&(*file, *key)).copied(),
        };
        Outcome {
            status: stored.status,
            how: stored.how,
            chain: stored.chain,
            targets: stored.targets.iter().filter_map(symbol).collect(),
            external: stored.external,
        }
    }
}
