//! The markup of a Svelte component as code.
//!
//! ```text
//! {#each items as item, i (item.id)}{fmt(item)}{/each}    for (const item of (items)) { let i; (item.id); (fmt(item)); }
//! {#await load() then x}{x}{/await}                       (load()); ((x) => { (x); });
//! <Child on:close={save} bind:value {...rest} />          Child; (save); (value); (rest);
//! ```

use std::ops::Range;

use crate::markup::code::{ComponentCode, is_identifier};
use crate::markup::scan::length_in_brackets;
use crate::markup::tags::{Attribute, Piece, Tags, is_void};

/// An element or block that is open, with what closes the code it has opened.
struct Open {
    name: String,
    closing: &'static str,
    /// What closes the names that its tag brings.
    names: String,
}

/// Writes the markup of a whole file, scripts and styles left out.
pub(super) fn write(code: &mut ComponentCode<'_>) {
    let mut open: Vec<Open> = Vec::new();
    let mut tags = Tags::new(code.file, 0, true);
    while let Some(piece) = tags.next() {
        match piece {
            Piece::Open {
                name,
                attributes,
                is_closed,
            } => {
                let tag = code.text(name.clone()).to_owned();
                if matches!(tag.as_str(), "script" | "style") && !is_closed {
                    tags.raw(tag.as_bytes());
                    continue;
                }
                let names = element(code, name, &attributes);
                if is_closed || is_void(&tag) {
                    code.writer.glue(&names);
                } else {
                    open.push(Open {
                        name: tag,
                        closing: "",
                        names,
                    });
                }
            }
            Piece::Close { name } => {
                let tag = code.text(name);
                close(code, &mut open, tag);
            }
            Piece::Braces(range) => braces(code, range, &mut open),
            Piece::Text(_) => {}
        }
    }
    for element in open.drain(..).rev() {
        code.writer.glue(element.closing);
        code.writer.glue(&element.names);
    }
}

fn close(code: &mut ComponentCode<'_>, open: &mut Vec<Open>, name: &str) {
    let Some(at) = open.iter().rposition(|it| it.name == name) else {
        return;
    };
    for element in open.drain(at..).rev() {
        code.writer.glue(element.closing);
        code.writer.glue(&element.names);
    }
}

/// `{…}` between tags.
fn braces(code: &mut ComponentCode<'_>, range: Range<usize>, open: &mut Vec<Open>) {
    let text = code.text(range.clone());
    let start = range.start + (text.len() - text.trim_start().len());
    let end = range.start + text.trim_end().len().max(start - range.start);
    let text = code.text(start..end);
    let word_length = text[text.len().min(1)..]
        .find(|it: char| !it.is_ascii_alphabetic())
        .map_or(text.len(), |at| at + 1);
    let word = text.get(1..word_length).unwrap_or("");
    let rest = start + word_length..end;
    match text.as_bytes().first() {
        Some(b'#') => {
            let closing = block(code, word, rest);
            open.push(Open {
                name: format!("#{word}"),
                closing,
                names: String::new(),
            });
        }
        Some(b':') => {
            let Some(last) = open.iter_mut().rfind(|it| it.name.starts_with('#')) else {
                return;
            };
            code.writer.glue(last.closing);
            last.closing = next_part(code, word, rest);
        }
        Some(b'/') => close(code, open, &format!("#{word}")),
        Some(b'@') => tag(code, word, rest),
        _ => code.expression(start..end),
    }
}

/// `{@html x}` and its like.
fn tag(code: &mut ComponentCode<'_>, word: &str, rest: Range<usize>) {
    if word == "const" {
        code.between("\n;const", rest, ";");
    } else {
        code.expression(rest);
    }
}

/// Opens a block; what is returned closes it.
fn block(code: &mut ComponentCode<'_>, word: &str, rest: Range<usize>) -> &'static str {
    match word {
        "each" => return each(code, rest),
        "await" => {
            let text = code.text(rest.clone());
            for part in [" then ", " catch "] {
                if let Some(cut) = text.rfind(part) {
                    code.expression(rest.start..rest.start + cut);
                    return names(code, rest.start + cut + part.len()..rest.end);
                }
            }
            let cut = text.trim_end().strip_suffix(" then").map_or(text.len(), str::len);
            code.expression(rest.start..rest.start + cut);
        }
        "snippet" => {
            if code.between("\n;function", rest, " {") {
                return "\n}";
            }
        }
        _ => code.expression(rest),
    }
    code.writer.glue("\n{");
    "\n}"
}

/// The next part of a block: `{:else if x}`, `{:then x}`.
fn next_part(code: &mut ComponentCode<'_>, word: &str, rest: Range<usize>) -> &'static str {
    let text = code.text(rest.clone());
    match word {
        "then" | "catch" if !text.trim().is_empty() => return names(code, rest),
        "else" => {
            let condition = text.trim_start().strip_prefix("if").map_or(0, str::len);
            code.expression(rest.end - condition..rest.end);
        }
        _ => {}
    }
    code.writer.glue("\n{");
    "\n}"
}

/// Opens a block in which a pattern is bound to something unknown.
fn names(code: &mut ComponentCode<'_>, pattern: Range<usize>) -> &'static str {
    if code.between("\n;((", pattern, "\n) => {") {
        "\n});"
    } else {
        code.writer.glue("\n{");
        "\n}"
    }
}

/// `{#each items as item, index (key)}`
fn each(code: &mut ComponentCode<'_>, rest: Range<usize>) -> &'static str {
    let text = code.text(rest.clone());
    let Some(cut) = text.rfind(" as ") else {
        code.expression(rest);
        code.writer.glue("\n{");
        return "\n}";
    };
    let items = rest.start..rest.start + cut;
    let from = rest.start + cut + " as ".len();
    let after = code.text(from..rest.end);
    let end = end_of_pattern(after);
    let pattern = from..from + end;
    let (mut index, mut key) = (None, None);
    let mut at = end;
    if after[at..].trim_start().starts_with(',') {
        let start = at + after[at..].find(',').unwrap_or(0) + 1;
        let length = after[start..].find('(').unwrap_or(after.len() - start);
        index = Some(from + start..from + start + length);
        at = start + length;
    }
    if let Some(start) = after[at..].find('(').map(|it| at + it + 1)
        && let Some(length) = length_in_brackets(&after.as_bytes()[start..])
    {
        key = Some(from + start..from + start + length);
    }
    if !code.is_whole(&items) || !code.is_whole(&pattern) {
        code.writer.glue("\n{");
        return "\n}";
    }
    code.writer.glue("\n;for (const ");
    code.writer.copy(pattern);
    code.writer.glue(" of (");
    code.writer.copy(items);
    code.writer.glue("\n)) {");
    if let Some(index) = index {
        code.between("let ", index, ";");
    }
    if let Some(key) = key {
        code.expression(key);
    }
    "\n}"
}

/// Where the pattern at the start of a text ends: at a comma or parenthesis outside of its brackets.
fn end_of_pattern(text: &str) -> usize {
    let mut depth = 0_i32;
    for (at, character) in text.char_indices() {
        match character {
            ',' | '(' if depth == 0 => return at,
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Writes an element's tag and attributes; what is returned closes the names that it brings.
fn element(code: &mut ComponentCode<'_>, tag: Range<usize>, attributes: &[Attribute]) -> String {
    let name = code.text(tag.clone()).to_owned();
    let is_component = name.starts_with(|it: char| it.is_uppercase()) || (name.contains('.') && !name.contains(':'));
    if is_component && name.split('.').all(is_identifier) {
        code.rendered(tag, &name);
    }
    let mut closing = String::new();
    for attribute in attributes {
        let name = code.text(attribute.name.clone());
        let Some((directive, argument)) = name.split_once(':') else {
            if let Some(value) = &attribute.value {
                values(code, value.clone());
            }
            continue;
        };
        let argument = argument.split('|').next().unwrap_or(argument);
        let start = attribute.name.start + directive.len() + 1;
        let argument = start..start + argument.len();
        match directive {
            // Names that a slot gives to what is inside.
            "let" => {
                let pattern = match &attribute.value {
                    Some(value) if value.len() > 2 => value.start + 1..value.end - 1,
                    _ => argument,
                };
                closing.insert_str(0, names(code, pattern));
                continue;
            }
            "use" | "transition" | "in" | "out" | "animate" => mention(code, argument),
            "bind" | "class" | "style" if attribute.value.is_none() => mention(code, argument),
            _ => {}
        }
        if let Some(value) = &attribute.value {
            values(code, value.clone());
        }
    }
    closing
}

fn mention(code: &mut ComponentCode<'_>, name: Range<usize>) {
    if code.text(name.clone()).split('.').all(is_identifier) {
        code.expression(name);
    }
}

/// The code in a value: all of it in braces, or parts of a text.
fn values(code: &mut ComponentCode<'_>, value: Range<usize>) {
    let mut at = value.start;
    while let Some(step) = code.file[at..value.end].iter().position(|byte| *byte == b'{') {
        let start = at + step + 1;
        let Some(length) = length_in_brackets(&code.file[start..value.end]) else {
            return;
        };
        let text = code.text(start..start + length);
        let sign = ["...", "@attach", "@html"]
            .iter()
            .find_map(|sign| text.trim_start().strip_prefix(sign));
        let from = sign.map_or(start, |rest| start + text.len() - rest.len());
        code.expression(from..start + length);
        at = start + length + 1;
    }
}
