//! Syntax that the grammars do not know yet, made readable for them.
//!
//! A text with errors is parsed a second time with a few bytes exchanged: marks of variance are blanked, signatures that
//! a line break separates get a semicolon, and so on. No byte moves, so the nodes of the second tree point into the text as
//! it was written, and names are read from there. The second tree counts when less of it is broken.
//!
//! Type arguments of a template's tag give no error, but comparisons where a call was meant; so they are looked for in
//! every text.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{InputEdit, Node, ParseOptions, ParseState, Parser, Point, Tree};

/// Longest time for parsing a text once more.
const LIMIT: Duration = Duration::from_secs(5);
/// Longest list of type parameters that is looked for.
const FARTHEST: usize = 4_000;
/// Reserved words that ECMAScript takes as names of exports, and the grammar does not.
const RESERVED: &[&str] = &[
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "delete",
    "do",
    "else",
    "enum",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "import",
    "in",
    "instanceof",
    "new",
    "null",
    "return",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
];
/// Words that show that the one before them was a name and no mark of variance.
const OPERATORS: &[&str] = &["as", "extends", "in", "instanceof", "is", "of", "satisfies"];

/// A tree of the same text that is less broken than `tree`; none when there is none.
pub(super) fn repaired(source: &[u8], tree: &Tree, is_typescript: bool) -> Option<Tree> {
    if !tree.root_node().has_error() {
        let masked = if is_typescript {
            without_tag_arguments(source)
        } else {
            None
        }?;
        let again = parse(&masked, source, tree)?;
        return (!again.root_node().has_error()).then_some(again);
    }
    let masked = masked(source, is_typescript)?;
    let again = parse(&masked, source, tree)?;
    (damage(again.root_node()) < damage(tree.root_node())).then_some(again)
}

/// The text with the type arguments of templates' tags blanked; none when there are none.
fn without_tag_arguments(source: &[u8]) -> Option<Vec<u8>> {
    if !source.windows(2).any(|it| it == b">`") {
        return None;
    }
    let mut out = source.to_vec();
    let mut is_changed = false;
    for (at, byte) in source.iter().enumerate() {
        is_changed |= *byte == b'<' && blank_arguments(source, at, &mut out);
    }
    is_changed.then_some(out)
}

/// Parses `text`, which is `source` with some bytes exchanged. What `tree`, the tree of `source`, knows of the rest is kept.
fn parse(text: &[u8], source: &[u8], tree: &Tree) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree.language()).ok()?;
    let mut old = tree.clone();
    for edit in exchanged(text, source) {
        old.edit(&edit);
    }
    let deadline = Instant::now() + LIMIT;
    let mut watch = |_: &ParseState| {
        if Instant::now() > deadline {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    parser.parse_with_options(
        &mut |at, _| text.get(at..).unwrap_or_default(),
        Some(&old),
        Some(ParseOptions::new().progress_callback(&mut watch)),
    )
}

/// The runs of bytes in which two texts of one length differ. Line ends are the same in both.
fn exchanged(text: &[u8], source: &[u8]) -> Vec<InputEdit> {
    let mut edits = Vec::new();
    let mut row = 0;
    let mut line = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at] == source[at] {
            if source[at] == b'\n' {
                row += 1;
                line = at + 1;
            }
            at += 1;
            continue;
        }
        let start = at;
        while at < text.len() && text[at] != source[at] {
            at += 1;
        }
        let end = Point::new(row, at - line);
        edits.push(InputEdit {
            start_byte: start,
            old_end_byte: at,
            new_end_byte: at,
            start_position: Point::new(row, start - line),
            old_end_position: end,
            new_end_position: end,
        });
    }
    edits
}

/// How much of a tree is broken: the bytes of its errors, of those inside others again, and one for every error and
/// every token that is missing.
fn damage(root: Node<'_>) -> usize {
    let mut cursor = root.walk();
    let mut total = 0;
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            total += 1 + node.end_byte() - node.start_byte();
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return total;
            }
        }
    }
}

/// The text with its unknown syntax exchanged; none when there is none in it.
fn masked(source: &[u8], is_typescript: bool) -> Option<Vec<u8>> {
    let mut out = source.to_vec();
    let mut is_changed = false;
    for at in 0..source.len() {
        is_changed |= match source[at] {
            b',' if is_typescript => blank_variance(source, at + 1, &mut out),
            b'<' if is_typescript => blank_variance(source, at + 1, &mut out) || blank_arguments(source, at, &mut out),
            b'\n' if is_typescript => {
                separate_signature(source, at + 1, &mut out) || rename_operator(source, at + 1, &mut out)
            }
            b'\\' if is_typescript && source.get(at + 1) == Some(&b'`') => {
                // Template types know no escapes. Elsewhere such a pair is text as well.
                out[at..at + 2].fill(b'_');
                true
            }
            b'a' => rename_reserved(source, at, &mut out),
            b't' if is_typescript => blank_import_type(source, at, &mut out),
            _ => false,
        };
    }
    is_changed.then_some(out)
}

/// `interface A<in out T>`
fn blank_variance(source: &[u8], after: usize, out: &mut [u8]) -> bool {
    let mut at = skip_comments(source, after);
    let mut is_changed = false;
    loop {
        let word = word_at(source, at);
        if !matches!(word, b"in" | b"out") {
            return is_changed;
        }
        let next = skip_space(source, at + word.len());
        let following = word_at(source, next);
        let is_mark = if word == b"in" && following == b"out" {
            true
        } else {
            !following.is_empty() && !following[0].is_ascii_digit() && !is_operator(following)
        };
        if !is_mark {
            return is_changed;
        }
        out[at..at + word.len()].fill(b' ');
        is_changed = true;
        at = next;
    }
}

fn is_operator(word: &[u8]) -> bool {
    OPERATORS.iter().any(|it| it.as_bytes() == word)
}

/// A line that starts with `<T>(`, after one that ends like a type: two signatures.
fn separate_signature(source: &[u8], line: usize, out: &mut [u8]) -> bool {
    let at = skip_blanks(source, line);
    if at == line || source.get(at) != Some(&b'<') {
        return false;
    }
    let Some(end) = closing_angle(source, at, FARTHEST) else {
        return false;
    };
    if source.get(skip_space(source, end)) != Some(&b'(') {
        return false;
    }
    let Some(before) = before_comments(source, line) else {
        return false;
    };
    let last = source[before];
    let is_type_end = is_word(last) || matches!(last, b'>' | b')' | b']' | b'}' | b'"' | b'\'' | b'`');
    if !is_type_end || (last == b'>' && before > 0 && source[before - 1] == b'=') {
        return false;
    }
    out[at - 1] = b';';
    true
}

/// `f<typeof import("x")>()`: any type stands for that of a module.
fn blank_import_type(source: &[u8], at: usize, out: &mut [u8]) -> bool {
    if word_at(source, at) != b"typeof" || (at > 0 && is_word(source[at - 1])) {
        return false;
    }
    let start = skip_space(source, at + "typeof".len());
    if !source[start..].starts_with(b"import(") {
        return false;
    }
    let Some(length) = source[start..].iter().take(500).position(|it| *it == b')') else {
        return false;
    };
    let end = start + length + 1;
    if !matches!(source.get(skip_space(source, end)), Some(b'>' | b',')) {
        return false;
    }
    for byte in &mut out[at..end] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
    out[at..at + 3].copy_from_slice(b"any");
    true
}

/// The last byte before `end` that is neither white space nor part of a comment on lines of its own.
fn before_comments(source: &[u8], end: usize) -> Option<usize> {
    let mut end = end;
    loop {
        let last = source[..end].iter().rposition(|it| !it.is_ascii_whitespace())?;
        if source[..=last].ends_with(b"*/") {
            end = source[..last].windows(2).rposition(|it| it == b"/*")?;
            continue;
        }
        let line = source[..last]
            .iter()
            .rposition(|it| *it == b'\n')
            .map_or(0, |it| it + 1);
        if !source[skip_blanks(source, line)..].starts_with(b"//") {
            return Some(last);
        }
        end = line;
    }
}

/// ``f<T>`text` ``: what stands between the name and the template is blanked, unless it is text of a template itself.
fn blank_arguments(source: &[u8], at: usize, out: &mut [u8]) -> bool {
    if at == 0 || !is_word(source[at - 1]) || source.get(at + 1) == Some(&b'/') {
        return false;
    }
    match closing_angle(source, at, FARTHEST / 4) {
        Some(end) if source.get(end) == Some(&b'`') && !source[at..end].windows(2).any(|it| it == b"${") => {
            for byte in &mut out[at..end] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
            true
        }
        _ => false,
    }
}

/// Where the type parameters that start at `at` end. They hold no brackets of statements and no strings over lines.
fn closing_angle(source: &[u8], at: usize, farthest: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (offset, byte) in source[at..].iter().take(farthest).enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if source[at + offset - 1] != b'=' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + offset + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// `export { x as null }`: the word becomes a name of the same length.
fn rename_reserved(source: &[u8], at: usize, out: &mut [u8]) -> bool {
    if word_at(source, at) != b"as" || (at > 0 && is_word(source[at - 1])) {
        return false;
    }
    let start = skip_space(source, at + 2);
    let word = word_at(source, start);
    let next = source.get(skip_space(source, start + word.len()));
    if !matches!(next, Some(b',' | b'}')) || !RESERVED.iter().any(|it| it.as_bytes() == word) {
        return false;
    }
    out[start] = b'_';
    true
}

/// A line that starts with `in:` or `instanceof?:` has a property of that name.
fn rename_operator(source: &[u8], line: usize, out: &mut [u8]) -> bool {
    let at = skip_blanks(source, line);
    let word = word_at(source, at);
    if !matches!(word, b"in" | b"instanceof") {
        return false;
    }
    let rest = &source[at + word.len()..];
    if !rest.starts_with(b":") && !rest.starts_with(b"?:") {
        return false;
    }
    out[at] = b'_';
    true
}

fn skip_space(source: &[u8], from: usize) -> usize {
    let rest = source.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|it| it.is_ascii_whitespace()).count()
}

fn skip_comments(source: &[u8], from: usize) -> usize {
    let mut at = skip_space(source, from);
    loop {
        let rest = source.get(at..).unwrap_or_default();
        let end = if rest.starts_with(b"/*") {
            rest.windows(2).skip(2).position(|it| it == b"*/").map(|it| it + 4)
        } else if rest.starts_with(b"//") {
            rest.iter().position(|it| *it == b'\n')
        } else {
            None
        };
        match end {
            Some(end) => at = skip_space(source, at + end),
            None => return at,
        }
    }
}

fn skip_blanks(source: &[u8], from: usize) -> usize {
    let rest = source.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|it| matches!(it, b' ' | b'\t')).count()
}

fn word_at(source: &[u8], from: usize) -> &[u8] {
    let rest = source.get(from..).unwrap_or_default();
    let n_bytes = rest.iter().take_while(|it| is_word(**it)).count();
    &rest[..n_bytes]
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use tree_sitter::{Language, Parser};

    use super::repaired;

    fn is_repaired(language: &Language, text: &str, is_typescript: bool) -> bool {
        let mut parser = Parser::new();
        parser.set_language(language).unwrap();
        let tree = parser.parse(text, None).unwrap();
        assert!(tree.root_node().has_error(), "the grammar has learned: {text}");
        repaired(text.as_bytes(), &tree, is_typescript).is_some_and(|again| !again.root_node().has_error())
    }

    #[test]
    fn unknown_syntax_becomes_readable() {
        let typescript: Language = tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into();
        for text in [
            "interface A<in out T, in U extends B = B, out V> { a: T }",
            "interface A<\n  /** Why. */\n  out T, // why\n  out U\n> extends B<T> {}",
            "interface A {\n  <T>(a: T): B<T>\n  /** Twice. */\n  <T>(a: T): (b: T) => C\n  // Thrice.\n  <T, U>(a: T): U\n}",
            "const f: {\n  <A>(a: A): <B>(b: B) => Map<A, B>\n  <A, B>(a: A, b: B): Map<A, B>\n} = g",
            "const rows = sql<{ n: number }>`SELECT ${n}`.all()",
            "const a = await load<typeof import('x')>()",
            "type A<T> = `a \\`b\\` ${T}`",
            "interface A {\n  name: string\n  in: string\n  instanceof?: B\n}",
        ] {
            assert!(is_repaired(&typescript, text, true), "{text}");
        }
        let javascript: Language = tree_sitter_javascript::LANGUAGE.into();
        assert!(is_repaired(&javascript, "export { a as null, b as function };", false));
    }

    #[test]
    fn a_tag_with_type_arguments_is_called() {
        let typescript: Language = tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into();
        let mut parser = Parser::new();
        parser.set_language(&typescript).unwrap();
        let text = "const f = () => sql<{ a: B<C> }>`x`.all()";
        let tree = parser.parse(text, None).unwrap();
        let again = repaired(text.as_bytes(), &tree, true).unwrap();
        assert!(again.root_node().to_sexp().contains(
            "body: (call_expression function: (member_expression object: (call_expression function: (identifier)"
        ));
        for text in [
            "const a = `<b>c</b>`",
            "const a = `<b>${c<d>`e`}</b>`",
            "const a = `x<${b}>`",
        ] {
            let tree = parser.parse(text, None).unwrap();
            repaired(text.as_bytes(), &tree, true);
        }
    }

    #[test]
    fn what_is_broken_stays_so() {
        let typescript: Language = tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into();
        for text in [
            "f(a,",
            "interface A<out> { <",
            "x = `\\`${",
            "<",
            "a <in",
            "\n <T",
            "as",
        ] {
            let mut parser = Parser::new();
            parser.set_language(&typescript).unwrap();
            let tree = parser.parse(text, None).unwrap();
            if let Some(again) = repaired(text.as_bytes(), &tree, true) {
                assert_eq!(again.root_node().end_byte(), tree.root_node().end_byte(), "{text}");
            }
        }
    }
}
