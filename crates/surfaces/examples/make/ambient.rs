//! Takes declarations of ambient modules apart: the text of each module, and what stands in `global`.
//!
//! What a module declares for everybody may speak of its own names. These are imported from it.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

/// Texts made of declarations.
#[derive(Default)]
pub(crate) struct Declarations {
    /// The texts of modules, by name.
    pub(crate) modules: BTreeMap<String, String>,
    /// What is declared for everybody.
    pub(crate) globals: String,
    /// Names that the text of globals imports.
    imported: BTreeSet<String>,
}

/// Adds what a file declares.
pub(crate) fn read(text: &str, root: Node<'_>, all: &mut Declarations) {
    let statements = statements(root);
    for statement in &statements {
        match part(text, *statement) {
            Part::Module(name, body) => module(text, &name, body, all),
            Part::Global(body) => {
                all.globals.push_str(&text[inside(body)]);
                all.globals.push('\n');
            }
            Part::Import | Part::Nothing => {}
            Part::Other => {
                all.globals.push_str(&text[statement.byte_range()]);
                all.globals.push('\n');
            }
        }
    }
    // Imports of the file serve all that is left of it.
    let own: Vec<Node<'_>> = statements
        .into_iter()
        .filter(|it| matches!(part(text, *it), Part::Import))
        .collect();
    for import in own {
        all.globals.push_str(&text[import.byte_range()]);
        all.globals.push('\n');
    }
}

enum Part<'t> {
    Module(String, Node<'t>),
    Global(Node<'t>),
    Import,
    /// `export {}` and comments.
    Nothing,
    Other,
}

fn part<'t>(text: &str, statement: Node<'t>) -> Part<'t> {
    let node = match statement.kind() {
        "import_statement" => return Part::Import,
        "comment" | ";" | "empty_statement" => return Part::Nothing,
        "export_statement" if statement.child_by_field_name("declaration").is_none() => return Part::Nothing,
        "ambient_declaration" | "expression_statement" => statement,
        _ => return Part::Other,
    };
    let children: Vec<Node<'t>> = statements(node);
    let is_global = (0..node.child_count())
        .filter_map(|at| node.child(at))
        .any(|it| &text[it.byte_range()] == "global");
    if is_global && let Some(body) = children.iter().find(|it| it.kind() == "statement_block") {
        return Part::Global(*body);
    }
    let Some(module) = children.iter().find(|it| it.kind() == "module") else {
        return Part::Other;
    };
    match (module.child_by_field_name("name"), module.child_by_field_name("body")) {
        (Some(name), Some(body)) if name.kind() == "string" => {
            Part::Module(text[name.byte_range()].trim_matches(['"', '\'']).to_owned(), body)
        }
        _ => Part::Other,
    }
}

fn statements(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

fn inside(body: Node<'_>) -> std::ops::Range<usize> {
    body.start_byte() + 1..body.end_byte() - 1
}

/// One block `declare module "…" { … }`.
fn module(text: &str, name: &str, body: Node<'_>, all: &mut Declarations) {
    let mut statements = statements(body);
    // `fs` says again what `node:fs` says; both are one name here.
    let again = format!("\"{name}\"");
    let is_again = |node: &Node<'_>| {
        let text = &text[node.byte_range()];
        (text.starts_with("import ") && text.contains("require(") || text.starts_with("export * from"))
            && text.contains(&again)
    };
    if statements.iter().any(is_again) {
        return;
    }
    let mut globals = Vec::new();
    let mut at = 0;
    while at < statements.len() {
        // The grammar reads `global { … }` without `declare` as a name and a block.
        let word = &text[statements[at].byte_range()];
        if word == "global" && statements.get(at + 1).is_some_and(|it| it.kind() == "statement_block") {
            globals.push(statements[at + 1]);
            statements.drain(at..=at + 1);
        } else {
            at += 1;
        }
    }
    let is_explicit = statements.iter().any(|it| {
        it.kind() == "export_statement"
            && it.child_by_field_name("declaration").is_none()
            && !text[it.byte_range()].starts_with("export *")
    });
    let out = all.modules.entry(name.to_owned()).or_default();
    for statement in &statements {
        let needs_word = matches!(
            statement.kind(),
            "function_signature"
                | "function_declaration"
                | "class_declaration"
                | "abstract_class_declaration"
                | "interface_declaration"
                | "lexical_declaration"
                | "variable_declaration"
                | "type_alias_declaration"
                | "enum_declaration"
                | "internal_module"
                | "module"
                | "expression_statement"
        );
        if needs_word && !is_explicit {
            out.push_str("export ");
        }
        out.push_str(&text[statement.byte_range()]);
        out.push('\n');
    }
    for global in globals {
        let used = names_in(text, global);
        let own = declared_in(text, &self::statements(global));
        for statement in &statements {
            if statement.kind() == "import_statement" {
                let names = imported_by(text, *statement);
                if names
                    .iter()
                    .any(|it| used.contains(it) && !own.contains(it) && all.imported.insert(it.clone()))
                {
                    all.globals.push_str(&text[statement.byte_range()]);
                    all.globals.push('\n');
                }
            }
        }
        for name_here in declared_in(text, &statements) {
            if used.contains(&name_here) && !own.contains(&name_here) && all.imported.insert(name_here.clone()) {
                all.globals
                    .push_str(&format!("import {{ {name_here} }} from \"{name}\";\n"));
            }
        }
        all.globals.push_str(&text[inside(global)]);
        all.globals.push('\n');
    }
}

/// Names that a text mentions.
fn names_in(text: &str, node: Node<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        if matches!(node.kind(), "identifier" | "type_identifier") {
            names.insert(text[node.byte_range()].to_owned());
        }
        stack.extend(statements(node));
    }
    names
}

fn declared_in(text: &str, statements: &[Node<'_>]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for statement in statements {
        let inner = statement.child_by_field_name("declaration").unwrap_or(*statement);
        if let Some(name) = inner.child_by_field_name("name") {
            names.insert(text[name.byte_range()].to_owned());
        }
        for declarator in self::statements(inner) {
            if declarator.kind() == "variable_declarator"
                && let Some(name) = declarator.child_by_field_name("name")
            {
                names.insert(text[name.byte_range()].to_owned());
            }
        }
    }
    names
}

fn imported_by(text: &str, import: Node<'_>) -> BTreeSet<String> {
    names_in(text, import)
}
