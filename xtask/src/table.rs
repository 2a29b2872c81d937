//! Plain text tables: the first column to the left, all others to the right.

/// Renders rows of cells under a heading, columns as wide as their widest cell.
pub(crate) fn render(heading: &[&str], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = heading.iter().map(|cell| cell.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let heading: Vec<String> = heading.iter().map(|&cell| cell.to_owned()).collect();
    let mut out = String::new();
    for row in std::iter::once(&heading).chain(rows) {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
            if column == 0 {
                line.push_str(cell);
                line.push_str(&padding);
            } else {
                line.push_str("  ");
                line.push_str(&padding);
                line.push_str(cell);
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_to_the_right() {
        let rows = vec![
            vec!["a".to_owned(), "1".to_owned()],
            vec!["long".to_owned(), "100".to_owned()],
        ];
        assert_eq!(render(&["name", "n"], &rows), "name    n\na       1\nlong  100\n");
    }
}
