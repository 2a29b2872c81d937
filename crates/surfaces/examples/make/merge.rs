//! Puts the parts of interfaces and namespaces together that declarations leave in many places.
//!
//! Members of one name are signatures of one thing only inside one body. Of an interface the later part comes first, as
//! its signatures are asked before those of the earlier ones.

use std::collections::BTreeMap;

use strata_extract::{Limits, parse};
use strata_languages::typescript::TypeScript;
use tree_sitter::Node;

/// The text with every interface and namespace in one place, that of its first part.
pub(crate) fn merged(text: &str) -> Result<String, String> {
    let tree = parse(&TypeScript, "m.ts", text.as_bytes(), Limits::default())?;
    let mut out = String::with_capacity(text.len());
    write(text, named_children(tree.root_node()), &mut out);
    Ok(out)
}

/// Moves the parts of interfaces that an earlier text declares out of a later one: `interface ErrorConstructor` of the
/// language has members that only Node.js knows.
pub(crate) fn move_to_first(texts: &mut [String]) -> Result<(), String> {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for at in 0..texts.len() {
        let text = std::mem::take(&mut texts[at]);
        let tree = parse(&TypeScript, "m.ts", text.as_bytes(), Limits::default())?;
        let mut kept = String::with_capacity(text.len());
        for statement in named_children(tree.root_node()) {
            let part = declared(statement);
            let written = &text[statement.byte_range()];
            let name = part
                .child_by_field_name("name")
                .filter(|_| part.kind() == "interface_declaration");
            let first = name.map(|name| *known.entry(text[name.byte_range()].to_owned()).or_insert(at));
            // What stands in for a browser's interface where there is none adds nothing to it.
            let is_stand_in = supers(&text, part).iter().any(|it| it.starts_with('_'));
            let place = match first {
                Some(first) if first < at && is_stand_in => continue,
                Some(first) if first < at => &mut texts[first],
                _ => &mut kept,
            };
            place.push_str(written);
            place.push('\n');
        }
        texts[at] = kept;
    }
    Ok(())
}

/// What is written at one place.
enum Piece<'t> {
    Text(Node<'t>),
    Interface(Group<'t>),
    Namespace(Group<'t>),
}

/// The parts of one interface or namespace.
struct Group<'t> {
    name: String,
    /// What stands before the first part: `export declare`.
    words: String,
    parts: Vec<Node<'t>>,
}

fn write(text: &str, statements: Vec<Node<'_>>, out: &mut String) {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for statement in statements {
        if statement.kind() == "comment" {
            continue;
        }
        let part = declared(statement);
        let is_interface = part.kind() == "interface_declaration";
        let is_namespace = matches!(part.kind(), "internal_module" | "module");
        let name = part.child_by_field_name("name");
        let (true, Some(name)) = (is_interface || is_namespace, name) else {
            pieces.push(Piece::Text(statement));
            continue;
        };
        let name = text[name.byte_range()].to_owned();
        let known = pieces.iter_mut().find_map(|piece| match piece {
            Piece::Interface(group) if is_interface && group.name == name => Some(group),
            Piece::Namespace(group) if is_namespace && group.name == name => Some(group),
            _ => None,
        });
        if let Some(group) = known {
            group.parts.push(part);
            continue;
        }
        let group = Group {
            name,
            words: text[statement.start_byte()..part.start_byte()].to_owned(),
            parts: vec![part],
        };
        pieces.push(if is_interface {
            Piece::Interface(group)
        } else {
            Piece::Namespace(group)
        });
    }
    // A variable and a namespace of one name are one value, and the variable's type says more of it.
    let is_variable = |text: &str, name: &str| {
        let declared = text.trim_start_matches("declare ").strip_prefix("var ");
        declared
            .and_then(|it| it.strip_prefix(name))
            .is_some_and(|it| it.starts_with(':'))
    };
    let (hidden, pieces): (Vec<_>, Vec<_>) = pieces.iter().partition(|piece| match piece {
        Piece::Namespace(group) => pieces
            .iter()
            .any(|it| matches!(it, Piece::Text(node) if is_variable(&text[node.byte_range()], &group.name))),
        _ => false,
    });
    for piece in hidden.into_iter().chain(pieces) {
        match piece {
            Piece::Text(node) => out.push_str(&text[node.byte_range()]),
            Piece::Interface(group) => interface(text, group, out),
            Piece::Namespace(group) => {
                out.push_str(&format!("{}namespace {} {{\n", group.words, group.name));
                let bodies = group.parts.iter().filter_map(|part| part.child_by_field_name("body"));
                write(text, bodies.flat_map(named_children).collect(), out);
                out.push('}');
            }
        }
        out.push('\n');
    }
}

fn interface(text: &str, group: &Group<'_>, out: &mut String) {
    let mut supers: Vec<&str> = Vec::new();
    for part in &group.parts {
        for ty in self::supers(text, *part) {
            if !supers.contains(&ty) {
                supers.push(ty);
            }
        }
    }
    let params = group
        .parts
        .iter()
        .find_map(|it| it.child_by_field_name("type_parameters"));
    out.push_str(&format!("{}interface {}", group.words, group.name));
    out.push_str(params.map_or("", |it| &text[it.byte_range()]));
    if !supers.is_empty() {
        out.push_str(&format!(" extends {}", supers.join(", ")));
    }
    out.push_str(" {");
    for part in group.parts.iter().rev() {
        if let Some(body) = part.child_by_field_name("body") {
            out.push_str(&text[body.start_byte() + 1..body.end_byte() - 1]);
            out.push('\n');
        }
    }
    out.push('}');
}

/// What an interface extends, as written.
fn supers<'s>(text: &'s str, interface: Node<'_>) -> Vec<&'s str> {
    let clause = named_children(interface)
        .into_iter()
        .find(|it| it.kind() == "extends_type_clause");
    let types = clause.map(named_children).unwrap_or_default();
    let types = types.into_iter().filter(|it| it.kind() != "comment");
    types.map(|it| &text[it.byte_range()]).collect()
}

/// The declaration under `export` and `declare`.
fn declared(statement: Node<'_>) -> Node<'_> {
    match statement.kind() {
        "export_statement" => statement.child_by_field_name("declaration").map_or(statement, declared),
        "ambient_declaration" | "expression_statement" => match named_children(statement).first() {
            Some(inner) if matches!(inner.kind(), "interface_declaration" | "internal_module" | "module") => *inner,
            _ => statement,
        },
        _ => statement,
    }
}

fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}
