//! The tags of JSDoc comments, as slices of the source text.

/// A tag: `@param {T} [name=1] text`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'s> {
    /// The word after `@`.
    pub(super) name: &'s str,
    /// What stands in braces; the empty string when nothing does.
    pub(super) ty: &'s str,
    /// What follows, up to the next tag.
    pub(super) rest: &'s str,
}

impl<'s> Tag<'s> {
    /// The name that the tag is about, without the brackets of an optional one: `options.cwd`.
    pub(super) fn subject(&self) -> &'s str {
        let rest = self.rest.trim_start_matches([' ', '\t', '*', '\n', '\r']);
        let rest = rest.strip_prefix('[').unwrap_or(rest);
        let end = rest
            .find(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '$' | '.')))
            .unwrap_or(rest.len());
        rest[..end].trim_end_matches('.')
    }

    /// True when the name stands in brackets.
    pub(super) fn is_optional(&self) -> bool {
        self.rest.trim_start().starts_with('[')
    }

    /// The names that the tag declares: `T`, `T, U`, `[T=Default]`, `const T`.
    pub(super) fn declared(&self) -> impl Iterator<Item = &'s str> + use<'s> {
        let line = self.rest.trim_start().lines().next().unwrap_or("");
        // A dash or a second word starts the description.
        let end = line.find(" -").unwrap_or(line.len());
        line[..end].split(',').filter_map(|part| {
            let part = part.trim_start();
            let part = part.strip_prefix('[').unwrap_or(part);
            let part = part.strip_prefix("const ").unwrap_or(part).trim_start();
            let end = part.find(|it: char| !is_name(it)).unwrap_or(part.len());
            (end > 0).then_some(&part[..end])
        })
    }
}

/// True for the characters of names.
pub(super) fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// The tags of a comment. A tag starts a line, apart from stars and white space.
pub(super) fn tags(comment: &str) -> impl Iterator<Item = Tag<'_>> {
    let body = comment.strip_suffix("*/").unwrap_or(comment);
    let mut at = next_tag(body, 0);
    std::iter::from_fn(move || {
        let start = at?;
        let end = next_tag(body, start + 1).unwrap_or(body.len());
        at = (end < body.len()).then_some(end);
        Some(tag(&body[start + 1..end]))
    })
}

fn next_tag(body: &str, from: usize) -> Option<usize> {
    let mut from = from;
    loop {
        let at = from + body.get(from..)?.find('@')?;
        let line = body[..at].rfind('\n').map_or(0, |it| it + 1);
        let is_first = body[line..at]
            .chars()
            .all(|it| it.is_whitespace() || matches!(it, '*' | '/'));
        if is_first && body[at + 1..].starts_with(|it: char| it.is_ascii_alphabetic()) {
            return Some(at);
        }
        from = at + 1;
    }
}

fn tag(text: &str) -> Tag<'_> {
    let name_end = text.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(text.len());
    let (name, after) = text.split_at(name_end);
    let trimmed = after.trim_start();
    if name != "import"
        && let Some(inner) = trimmed.strip_prefix('{')
        && let Some(end) = closing_brace(inner)
    {
        return Tag {
            name,
            ty: &inner[..end],
            rest: &inner[end + 1..],
        };
    }
    Tag {
        name,
        ty: "",
        rest: after,
    }
}

/// The place of the brace that closes one before the text.
pub(super) fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::tags;

    fn spelled(comment: &str) -> Vec<String> {
        tags(comment)
            .map(|tag| format!("{}|{}|{}", tag.name, tag.ty, tag.subject()))
            .collect()
    }

    #[test]
    fn tags_start_lines() {
        let comment = "/**\n * Mail to a@b.c, see {@link x}.\n * @param {import('@a/b').T} [o.x=1] it\n *   @returns {{ a: T }} @b\n */";
        assert_eq!(spelled(comment), ["param|import('@a/b').T|o.x", "returns|{ a: T }|"]);
        assert_eq!(spelled("/** @type {T} */"), ["type|T|"]);
        assert_eq!(spelled("/** @import { A } from 'x' */"), ["import||"]);
        assert_eq!(spelled("/** @"), Vec::<String>::new());
        assert_eq!(spelled("/** @param {T"), ["param||"]);
    }

    #[test]
    fn templates_declare_several_names() {
        let names = |comment: &'static str| tags(comment).flat_map(|tag| tag.declared()).collect::<Vec<_>>();
        assert_eq!(names("/** @template T, U - two */"), ["T", "U"]);
        assert_eq!(names("/** @template {A} [T=B] */"), ["T"]);
        assert_eq!(names("/** @template const T it is */"), ["T"]);
    }
}
