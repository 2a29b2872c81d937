//! Sorted lists of words that are kept as one text, a word a line: they are searched without being taken apart.

/// True when one of the lines, which are in byte order, is `wanted`. Halves the text.
#[must_use]
pub fn has_line(lines: &str, wanted: &str) -> bool {
    let (mut low, mut high) = (0, lines.len());
    while low < high {
        let middle = lines.floor_char_boundary(usize::midpoint(low, high));
        let start = lines[..middle].rfind('\n').map_or(0, |at| at + 1);
        let end = lines[middle..].find('\n').map_or(lines.len(), |at| middle + at);
        match lines[start..end].cmp(wanted) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_line;

    #[test]
    fn every_line_is_found_and_nothing_else() {
        let lines = "a\nab\nb\n\u{e4}\u{f6}";
        assert!(lines.lines().all(|line| has_line(lines, line)));
        for other in ["", "aa", "c", "\u{e4}", "ab\nb"] {
            assert!(!has_line(lines, other), "{other}");
        }
        assert!(!has_line("", "a"));
    }
}
