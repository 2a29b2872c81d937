//! The template of a Vue component as code.
//!
//! ```text
//! <li v-for="(item, i) in items">{{ fmt(item) }}</li>     for (const item of (items)) { let i; (fmt(item)); }
//! <user-card #head="{ x }" @close="save" :id="x" />       UserCard; (({ x }) => { { save } (x) });
//! ```

use std::ops::Range;

use crate::markup::code::{ComponentCode, camel, is_identifier};
use crate::markup::tags::{Attribute, Piece, Tags, is_void};

/// Elements of HTML and SVG that a component cannot be named like, as far as they are one lower-case word.
const ELEMENTS: &[&str] = &[
    "a",
    "abbr",
    "address",
    "article",
    "aside",
    "audio",
    "b",
    "bdi",
    "bdo",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "circle",
    "cite",
    "clippath",
    "code",
    "col",
    "colgroup",
    "component",
    "data",
    "datalist",
    "dd",
    "defs",
    "del",
    "desc",
    "details",
    "dfn",
    "dialog",
    "div",
    "dl",
    "dt",
    "ellipse",
    "em",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "filter",
    "footer",
    "form",
    "g",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "i",
    "iframe",
    "image",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "line",
    "link",
    "main",
    "map",
    "mark",
    "marker",
    "mask",
    "math",
    "menu",
    "meta",
    "meter",
    "nav",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "param",
    "path",
    "pattern",
    "picture",
    "polygon",
    "polyline",
    "pre",
    "progress",
    "q",
    "rect",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "script",
    "search",
    "section",
    "select",
    "slot",
    "small",
    "source",
    "span",
    "stop",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "switch",
    "symbol",
    "table",
    "tbody",
    "td",
    "template",
    "text",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "track",
    "tspan",
    "u",
    "ul",
    "use",
    "var",
    "video",
    "view",
    "wbr",
];

/// An element that is open, with what closes the blocks it has opened.
struct Open {
    name: String,
    closing: String,
}

/// Where the content of a template at the top ends; the closing tag is passed.
pub(super) fn end(file: &[u8], tags: &mut Tags<'_>) -> usize {
    let mut depth = 1_u32;
    loop {
        let before = tags.at();
        match tags.next() {
            Some(Piece::Open { name, is_closed, .. }) if &file[name.clone()] == b"template" => {
                depth += u32::from(!is_closed);
            }
            Some(Piece::Close { name }) if &file[name.clone()] == b"template" => {
                depth -= 1;
                if depth == 0 {
                    return before;
                }
            }
            Some(_) => {}
            None => return file.len(),
        }
    }
}

/// Writes the content of a template.
pub(super) fn write(code: &mut ComponentCode<'_>, range: Range<usize>) {
    let mut open: Vec<Open> = Vec::new();
    let mut tags = Tags::new(&code.file[..range.end], range.start, false);
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
                let closing = element(code, name, &attributes);
                if is_closed || is_void(&tag) {
                    code.writer.glue(&closing);
                } else {
                    open.push(Open { name: tag, closing });
                }
            }
            Piece::Close { name } => {
                let tag = code.text(name);
                let Some(at) = open.iter().rposition(|element| element.name == tag) else {
                    continue;
                };
                for element in open.drain(at..).rev() {
                    code.writer.glue(&element.closing);
                }
            }
            Piece::Text(range) => text(code, range),
            Piece::Braces(_) => {}
        }
    }
    for element in open.drain(..).rev() {
        code.writer.glue(&element.closing);
    }
}

/// `{{ … }}` in a text.
fn text(code: &mut ComponentCode<'_>, range: Range<usize>) {
    let mut at = range.start;
    while let Some(step) = find(&code.file[at..range.end], b"{{") {
        let start = at + step + 2;
        let Some(length) = find(&code.file[start..range.end], b"}}") else {
            return;
        };
        code.expression(start..start + length);
        at = start + length + 2;
    }
}

fn find(text: &[u8], sign: &[u8]) -> Option<usize> {
    text.windows(sign.len()).position(|it| it == sign)
}

/// Writes an element's tag and attributes; what is returned closes the blocks that it opens.
fn element(code: &mut ComponentCode<'_>, tag: Range<usize>, attributes: &[Attribute]) -> String {
    let mut closing = String::new();
    let named = |code: &ComponentCode<'_>, attribute: &Attribute| code.text(attribute.name.clone()).to_owned();
    for attribute in attributes {
        if named(code, attribute) == "v-for"
            && let Some(value) = &attribute.value
            && repeat(code, value.clone())
        {
            closing.insert_str(0, "\n}");
        }
    }
    component(code, tag);
    for attribute in attributes {
        let name = named(code, attribute);
        let is_slot = name.starts_with('#') || name.starts_with("v-slot") || name == "slot-scope";
        if is_slot
            && let Some(value) = &attribute.value
            && code.between("\n;((", value.clone(), "\n) => {")
        {
            closing.insert_str(0, "\n});");
        }
    }
    for attribute in attributes {
        let name = named(code, attribute);
        attribute_value(code, &name, attribute);
    }
    closing
}

/// `v-for="(item, key, index) in items"`; true when a block was opened.
fn repeat(code: &mut ComponentCode<'_>, value: Range<usize>) -> bool {
    let text = code.text(value.clone());
    let Some((cut, length)) = [" in ", " of "]
        .iter()
        .filter_map(|word| text.find(word).map(|cut| (cut, word.len())))
        .min()
    else {
        return false;
    };
    let (left, items) = (value.start..value.start + cut, value.start + cut + length..value.end);
    if !code.is_whole(&left) || !code.is_whole(&items) {
        return false;
    }
    let names = names_of(code.text(left.clone()), left.start);
    let Some((item, others)) = names.split_first() else {
        return false;
    };
    code.writer.glue("\n;for (const ");
    code.writer.copy(item.clone());
    code.writer.glue(" of (");
    code.copy(items);
    code.writer.glue("\n)) {");
    for other in others {
        code.writer.glue("let ");
        code.writer.copy(other.clone());
        code.writer.glue(";");
    }
    true
}

/// The parts of `(item, index)` or `{ id }`, commas inside of brackets aside.
fn names_of(text: &str, start: usize) -> Vec<Range<usize>> {
    let trimmed = text.trim();
    let inner = trimmed
        .strip_prefix('(')
        .and_then(|it| it.strip_suffix(')'))
        .unwrap_or(trimmed);
    let base = start + (inner.as_ptr() as usize - text.as_ptr() as usize);
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_i32, 0);
    for (at, character) in inner.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(from..at);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(from..inner.len());
    parts
        .into_iter()
        .filter(|part| !inner[part.clone()].trim().is_empty())
        .map(|part| base + part.start..base + part.end)
        .collect()
}

/// The tag of a component: what is no element of HTML.
fn component(code: &mut ComponentCode<'_>, tag: Range<usize>) {
    let name = code.text(tag.clone()).to_owned();
    if name.contains(':') || ELEMENTS.binary_search(&name.to_ascii_lowercase().as_str()).is_ok() {
        return;
    }
    if name.starts_with(|it: char| it.is_uppercase()) || name.contains('.') {
        if name.split('.').all(is_identifier) {
            code.rendered(tag, &name);
        }
        return;
    }
    let pascal = camel(&name, true);
    if is_identifier(&pascal) {
        code.rendered(tag, &pascal);
    }
}

fn attribute_value(code: &mut ComponentCode<'_>, name: &str, attribute: &Attribute) {
    if matches!(name, "v-for" | "slot-scope" | "v-pre" | "v-cloak")
        || name.starts_with("v-slot")
        || name.starts_with('#')
    {
        return;
    }
    let handler = name.strip_prefix('@').or(name.strip_prefix("v-on:"));
    let bound = name
        .strip_prefix("v-bind:")
        .or(name.strip_prefix(':'))
        .or(name.strip_prefix('.'));
    match (handler, bound, &attribute.value) {
        (Some(_), _, Some(value)) => {
            let is_function = code.text(value.clone()).trim_start().starts_with("function");
            let is_async = code.text(value.clone()).trim_start().starts_with("async function");
            if is_function || is_async {
                code.expression(value.clone());
            } else {
                code.statements(value.clone());
            }
        }
        (_, Some(_), Some(value)) => code.expression(value.clone()),
        // `:user-id` alone means `:user-id="userId"`.
        (_, Some(argument), None) => {
            let argument = argument.split('.').next().unwrap_or("");
            let local = camel(argument, false);
            if is_identifier(&local) {
                let start = attribute.name.end - name.len() + name.find(argument).unwrap_or(0);
                code.writer.glue(";(");
                code.writer.atom(&local, start..start + argument.len());
                code.writer.glue(");");
            }
        }
        (None, None, value) if name.starts_with("v-") => {
            directive(code, name, attribute.name.start);
            if let Some(value) = value {
                code.expression(value.clone());
            }
        }
        _ => {}
    }
}

/// A directive of the component's own: `v-focus` is `vFocus`.
fn directive(code: &mut ComponentCode<'_>, name: &str, start: usize) {
    const OWN: &[&str] = &[
        "v-bind",
        "v-else",
        "v-else-if",
        "v-html",
        "v-if",
        "v-memo",
        "v-model",
        "v-on",
        "v-once",
        "v-show",
        "v-text",
    ];
    let name = name.split([':', '.']).next().unwrap_or(name);
    if OWN.contains(&name) {
        return;
    }
    let local = camel(name, false);
    let is_here = is_identifier(&local) && find(code.writer.text(), local.as_bytes()).is_some();
    if is_here {
        code.writer.glue(";(");
        code.writer.atom(&local, start..start + name.len());
        code.writer.glue(");");
    }
}
