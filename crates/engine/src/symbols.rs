//! Symbols by name and by file.

use strata_model::kinds::{NodeKind, NodeLevel, ParseStatus};
use strata_storage::Case;

use crate::error::{EngineError, NotFoundReason};
use crate::view::{Symbol, View};

/// More symbols than this with one prefix are not looked at.
const MAX_WITH_PREFIX: usize = 1000;

impl View<'_> {
    /// The symbols with exactly this name (the last part of a qualified one decides, the rest has to fit), by file and
    /// line.
    pub fn symbols_named(&self, name: &str) -> Result<Vec<Symbol>, EngineError> {
        let tail = name.replace(['.', '#'], "::");
        let last = tail.rsplit("::").next().unwrap_or(&tail);
        let mut symbols: Vec<Symbol> = self
            .store
            .nodes_by_name(last, Case::Exact)?
            .into_iter()
            .map(Symbol::from)
            .collect();
        if last != tail {
            symbols.retain(|symbol| symbol.fqn.ends_with(&tail));
        }
        by_place(&mut symbols);
        Ok(symbols)
    }

    /// The symbols whose name starts so, by name, then by file and line.
    pub fn symbols_with_prefix(&self, prefix: &str) -> Result<Vec<Symbol>, EngineError> {
        let nodes = self.store.nodes_by_name_prefix(prefix, Case::Exact, MAX_WITH_PREFIX)?;
        let mut symbols: Vec<Symbol> = nodes.into_iter().map(Symbol::from).collect();
        symbols.sort_by(|a, b| (&a.name, &a.path, a.line()).cmp(&(&b.name, &b.path, b.line())));
        Ok(symbols)
    }

    /// The symbols of a file in source order, without the module itself.
    pub fn symbols_in_file(&self, written: &str) -> Result<Vec<Symbol>, EngineError> {
        let Some(file) = self.file(written)? else {
            return Err(EngineError::NotFound {
                fqn: written.to_owned(),
                reason: NotFoundReason::NotIndexed,
                suggestions: self.nearest_paths(written)?,
            });
        };
        let nodes = self.store.nodes_in_file(file.id)?;
        Ok(nodes
            .into_iter()
            .filter(|node| node.level == NodeLevel::L3_Symbol)
            .map(Symbol::from)
            .collect())
    }

    /// True when the file of a symbol parsed without errors.
    pub fn is_complete(&self, symbol: &Symbol) -> Result<bool, EngineError> {
        match symbol.file_id {
            Some(file) => Ok(self
                .store
                .file(file)?
                .is_some_and(|file| file.parse_status == ParseStatus::Ok)),
            None => Ok(true),
        }
    }

    /// At most three indexed paths with the same file name, else with the nearest one.
    pub fn nearest_paths(&self, written: &str) -> Result<Vec<String>, EngineError> {
        let file_name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let wanted = file_name(written);
        let mut near: Vec<(usize, usize, String)> = self
            .store
            .files()?
            .into_iter()
            .map(|file| {
                let distance = strsim::levenshtein(&file_name(&file.path), &wanted);
                (distance, strsim::levenshtein(&file.path, written), file.path)
            })
            .filter(|(distance, _, _)| *distance <= wanted.len() / 3)
            .collect();
        near.sort();
        Ok(near.into_iter().take(3).map(|(_, _, path)| path).collect())
    }
}

fn by_place(symbols: &mut [Symbol]) {
    symbols.sort_by(|a, b| (&a.path, a.line(), &a.fqn).cmp(&(&b.path, b.line(), &b.fqn)));
}

/// True when a symbol is of a kind as `code_intelligence` names it.
#[must_use]
pub fn is_of_kind(kind: NodeKind, wanted: &str) -> bool {
    match wanted {
        "function" => kind == NodeKind::Function,
        "method" => matches!(
            kind,
            NodeKind::Method | NodeKind::Constructor | NodeKind::Destructor | NodeKind::Operator
        ),
        "class" => matches!(kind, NodeKind::Class | NodeKind::Struct | NodeKind::Record),
        "interface" => matches!(kind, NodeKind::Interface | NodeKind::Trait),
        "type" => kind == NodeKind::Type,
        "variable" => matches!(kind, NodeKind::Variable | NodeKind::Property | NodeKind::Field),
        "constant" => kind == NodeKind::Constant,
        "module" => matches!(kind, NodeKind::Module | NodeKind::Package | NodeKind::Namespace),
        "enum" => kind == NodeKind::Enum,
        _ => false,
    }
}
