//! Imports.

use strata_lang::builder::NewBinding;
use strata_model::facts::{BindSource, Import, ImportKind, RefTarget};
use strata_model::kinds::RefKind;
use tree_sitter::Node;

use super::Walk;
use crate::python::grammar::Kind;

impl<'t> Walk<'_, '_, 't> {
    /// `import a.b.c`, `import a.b.c as x`.
    pub(super) fn import_statement(&mut self, node: Node<'t>) {
        self.each(node, |walk, child, _| {
            let (path, alias) = match walk.kind(child) {
                Kind::AliasedImport => (
                    walk.field(child, walk.fields.name),
                    walk.field(child, walk.fields.alias),
                ),
                Kind::DottedName => (Some(child), None),
                _ => (None, None),
            };
            let Some(path) = path else { return };
            let text = without_space(walk.b.text(path));
            let spec = walk.b.intern(&text);
            let local = match alias {
                Some(alias) => walk.text(alias),
                None => text.split('.').next().unwrap_or_default().to_owned(),
            };
            let local_id = walk.b.intern(&local);
            let last = last_segment(path);
            let import = walk.b.add_import(Import {
                kind: if alias.is_some() {
                    ImportKind::Module
                } else {
                    ImportKind::ModuleRoot
                },
                spec,
                name: None,
                local: Some(local_id),
                is_type_only: false,
                at: walk.b.at(last),
            });
            walk.b.bind(&local, NewBinding::new(BindSource::Import(import)));
            let flags = walk.flags();
            walk.b
                .add_ref_named(RefKind::Import, RefTarget::Import(import), &text, last, flags);
        });
    }

    /// `from m import a, b as c`, `from m import *`, `from __future__ import x`.
    pub(super) fn import_from(&mut self, node: Node<'t>) {
        let module = self.field(node, self.fields.module_name);
        let text = module.map_or_else(|| "__future__".to_owned(), |it| without_space(self.b.text(it)));
        let spec = self.b.intern(&text);
        self.each(node, |walk, child, _| {
            if Some(child) == module {
                return;
            }
            let (name_node, alias) = match walk.kind(child) {
                Kind::WildcardImport => {
                    let at = walk.b.at(child);
                    let import = walk.b.add_import(Import {
                        kind: ImportKind::Star,
                        spec,
                        name: None,
                        local: None,
                        is_type_only: false,
                        at,
                    });
                    let flags = walk.flags();
                    walk.b.add_ref(RefKind::Import, RefTarget::Import(import), child, flags);
                    return;
                }
                Kind::AliasedImport => match walk.field(child, walk.fields.name) {
                    Some(name) => (name, walk.field(child, walk.fields.alias)),
                    None => return,
                },
                Kind::DottedName => (child, None),
                _ => return,
            };
            let name = walk.text(name_node);
            let local = alias.map_or_else(|| name.clone(), |alias| walk.text(alias));
            let (name_id, local_id) = (walk.b.intern(&name), walk.b.intern(&local));
            let import = walk.b.add_import(Import {
                kind: ImportKind::Name,
                spec,
                name: Some(name_id),
                local: Some(local_id),
                is_type_only: false,
                at: walk.b.at(name_node),
            });
            walk.b.bind(&local, NewBinding::new(BindSource::Import(import)));
            let flags = walk.flags();
            walk.b
                .add_ref(RefKind::Import, RefTarget::Import(import), name_node, flags);
        });
    }
}

fn last_segment(path: Node<'_>) -> Node<'_> {
    u32::try_from(path.named_child_count())
        .ok()
        .and_then(|n| path.named_child(n.checked_sub(1)?))
        .unwrap_or(path)
}

fn without_space(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace() && *it != '\\').collect()
}
