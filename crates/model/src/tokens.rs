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
    while let Some(start) = rest.find(is_identifier_char) {
        rest = &rest[start..];
        let end = rest.find(|c| !is_identifier_char(c)).unwrap_or(rest.len());
        identifier_tokens(&rest[..end], &mut buffer, &mut cuts, &mut emit);
        rest = &rest[end..];
    }
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
    if identifier.is_empty() {
        return;
    }
    buffer.clear();
    cuts.clear();
    let mut part_start = 0;
    let mut before: Option<Class> = None;
    let mut chars = identifier.chars().peekable();
    while let Some(c) = chars.next() {
        let now = class(c);
        let next = chars.peek().map(|&next| class(next));
        let starts_part = match (before, now) {
            (None, _) => false,
            (Some(before), Class::Upper) => match before {
                Class::Lower | Class::Digit | Class::Underscore => true,
                // The last capital of a run belongs to the word after it: `HTTPServer`.
                Class::Upper => next == Some(Class::Lower),
            },
            (Some(before), Class::Lower) => before == Class::Digit || before == Class::Underscore,
            (Some(before), Class::Digit) => before != Class::Digit,
            (Some(before), Class::Underscore) => before != Class::Underscore,
        };
        if starts_part {
            close_part(buffer, part_start, before, cuts);
            part_start = buffer.len();
        }
        push_lower(buffer, c);
        before = Some(now);
    }
    close_part(buffer, part_start, before, cuts);
    for &(start, end) in cuts.iter() {
        let part = &buffer[start..end];
        if part.len() > 1 && part.chars().nth(1).is_some() {
            emit(part);
        }
    }
    if cuts.len() > 1 {
        emit(buffer);
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
    use super::tokens;

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
}
