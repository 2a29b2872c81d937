//! How identifiers and prose are cut into the words that search works on.
//!
//! The store writes texts in this form and search cuts queries the same way, so that both meet. A run of letters, digits
//! and underscores is an identifier: it gives its parts (`getUserById` → get, user, by, id) and, when it has several,
//! itself (`getuserbyid`), so that an exact name scores above its parts. Letters with Latin diacritics count as the plain
//! ones, as they do in the full-text index.

/// Calls `emit` with each token of `text` in order, repetitions included.
///
/// Tokens are in lower case. Parts of one character are dropped. Underscores at the ends of an identifier do not belong to
/// it.
pub fn for_each_token(text: &str, mut emit: impl FnMut(&str)) {
    let mut buffer = String::with_capacity(32);
    let mut cuts: Vec<(usize, usize)> = Vec::with_capacity(8);
    let mut rest = text;
    while !rest.is_empty() {
        let end = identifier_len(rest);
        if end > 0 {
            identifier_tokens(&rest[..end], &mut buffer, &mut cuts, &mut emit);
        }
        // What ended the identifier belongs to none.
        let skipped = rest[end..].chars().next().map_or(0, char::len_utf8);
        rest = &rest[end + skipped..];
    }
}

/// Number of bytes at the start of `text` that belong to an identifier.
fn identifier_len(text: &str) -> usize {
    let n_ascii = text
        .bytes()
        .position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_')
        .unwrap_or(text.len());
    if text.as_bytes().get(n_ascii).is_none_or(u8::is_ascii) {
        return n_ascii;
    }
    text.find(|c| !is_identifier_char(c)).unwrap_or(text.len())
}

/// The tokens of `text` in order, repetitions included.
#[must_use]
pub fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for_each_token(text, |token| out.push(token.to_owned()));
    out
}

fn is_identifier_char(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric() || c == '_'
    } else {
        c.is_alphanumeric()
    }
}

/// What kind of character it is, for finding the edges of parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Digit,
    Underscore,
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        '_' => Class::Underscore,
        _ if c.is_uppercase() => Class::Upper,
        _ if c.is_numeric() => Class::Digit,
        // Scripts without case behave like lower case: a run of them is one part.
        _ => Class::Lower,
    }
}

fn identifier_tokens(
    identifier: &str,
    buffer: &mut String,
    cuts: &mut Vec<(usize, usize)>,
    emit: &mut impl FnMut(&str),
) {
    let identifier = identifier.trim_matches('_');
    buffer.clear();
    cuts.clear();
    if identifier.is_ascii() {
        cut_ascii(identifier.as_bytes(), buffer, cuts);
    } else {
        cut_any(identifier, buffer, cuts);
    }
    for &(start, end) in cuts.iter() {
        let part = &buffer[start..end];
        if part.len() > 1 && (part.is_ascii() || part.chars().nth(1).is_some()) {
            emit(part);
        }
    }
    if cuts.len() > 1 {
        emit(buffer);
    }
}

/// Writes the identifier in lower case to `buffer` and where its parts lie in there to `cuts`. Nearly all identifiers come
/// here: bytes are compared, and nothing is looked up.
fn cut_ascii(identifier: &[u8], buffer: &mut String, cuts: &mut Vec<(usize, usize)>) {
    let class = |byte: u8| match byte {
        b'a'..=b'z' => Class::Lower,
        b'A'..=b'Z' => Class::Upper,
        b'0'..=b'9' => Class::Digit,
        _ => Class::Underscore,
    };
    let mut part_start = 0;
    let mut before: Option<Class> = None;
    for (ix, &byte) in identifier.iter().enumerate() {
        let now = class(byte);
        if before.is_some_and(|before| before != now || now == Class::Upper)
            && starts_part(before, now, || identifier.get(ix + 1).map(|&byte| class(byte)))
        {
            if before != Some(Class::Underscore) {
                cuts.push((part_start, ix));
            }
            part_start = ix;
        }
        buffer.push(char::from(byte.to_ascii_lowercase()));
        before = Some(now);
    }
    if before.is_some() && before != Some(Class::Underscore) {
        cuts.push((part_start, identifier.len()));
    }
}

/// The same for any text. Lower case may take another number of bytes.
fn cut_any(identifier: &str, buffer: &mut String, cuts: &mut Vec<(usize, usize)>) {
    let mut part_start = 0;
    let mut before: Option<Class> = None;
    let mut chars = identifier.chars().peekable();
    while let Some(c) = chars.next() {
        let now = class(c);
        if starts_part(before, now, || chars.peek().map(|&next| class(next))) {
            close_part(buffer, part_start, before, cuts);
            part_start = buffer.len();
        }
        push_lower(buffer, c);
        before = Some(now);
    }
    close_part(buffer, part_start, before, cuts);
}

/// True when a part starts at a character of class `now` that follows one of class `before`.
fn starts_part(before: Option<Class>, now: Class, next: impl FnOnce() -> Option<Class>) -> bool {
    match (before, now) {
        // The last capital of a run belongs to the word after it: `HTTPServer`.
        (Some(Class::Upper), Class::Upper) => next() == Some(Class::Lower),
        (None, _) | (Some(Class::Upper), Class::Lower) => false,
        (Some(before), now) => before != now,
    }
}

fn close_part(buffer: &str, start: usize, class: Option<Class>, cuts: &mut Vec<(usize, usize)>) {
    if buffer.len() > start && class != Some(Class::Underscore) {
        cuts.push((start, buffer.len()));
    }
}

fn push_lower(buffer: &mut String, c: char) {
    if c.is_ascii() {
        buffer.push(c.to_ascii_lowercase());
        return;
    }
    for lower in c.to_lowercase() {
        match plain_letter(lower) {
            Some(plain) => buffer.push(plain),
            // A combining mark that lower-casing split off.
            None if ('\u{300}'..='\u{36f}').contains(&lower) => {}
            None => buffer.push(lower),
        }
    }
}

/// The letter without its diacritic, for the lower-case letters of Latin-1 and Latin Extended-A.
const fn plain_letter(c: char) -> Option<char> {
    Some(match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ĥ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' => 'i',
        'ĵ' => 'j',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' => 's',
        'ţ' | 'ť' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ŵ' => 'w',
        'ý' | 'ÿ' | 'ŷ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{cut_any, cut_ascii, tokens};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(tokens(text).join(" "), expected, "tokens of {text:?}");
    }

    #[test]
    fn camel_case_gives_parts_and_the_whole() {
        check("getUserById", "get user by id getuserbyid");
        check("HTTPServer", "http server httpserver");
        check("parseHTTP", "parse http parsehttp");
    }

    #[test]
    fn snake_case_keeps_its_underscore_in_the_whole() {
        check("get_user", "get user get_user");
        check("__init__", "init");
        check("_get_user", "get user get_user");
        check("MAX_FILE_SIZE", "max file size max_file_size");
        check("___", "");
    }

    #[test]
    fn digits_are_parts_and_single_characters_are_dropped() {
        check("utf8", "utf utf8");
        check("sha256sum", "sha 256 sum sha256sum");
        check("x", "");
        check("getX", "get getx");
    }

    #[test]
    fn other_characters_separate() {
        check(
            "app::UserService.create(self, name: str)",
            "app user service userservice create self name str",
        );
        check("a-b  c\n", "");
        check("", "");
    }

    #[test]
    fn diacritics_and_scripts() {
        check("Café naïveÜber", "cafe naive uber naiveuber");
        check("größe 名前", "größe 名前".replace('ö', "o").as_str());
    }

    #[test]
    fn both_ways_of_cutting_agree() {
        // Every identifier of five characters over one of each class.
        for number in 0..5usize.pow(5) {
            let identifier: String = (0..5)
                .map(|place| char::from(b"aB7_c"[number / 5usize.pow(place) % 5]))
                .collect();
            let (mut fast, mut fast_cuts, mut slow, mut slow_cuts) = Default::default();
            cut_ascii(identifier.as_bytes(), &mut fast, &mut fast_cuts);
            cut_any(&identifier, &mut slow, &mut slow_cuts);
            assert_eq!((fast, fast_cuts), (slow, slow_cuts), "{identifier}");
        }
    }
}
