//! Reads groups, sections and fenced blocks out of Markdown. Knows nothing of assertions.

/// A section: one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    /// Text of the `#` heading above it.
    pub(crate) group: String,
    /// Text of its own `##` heading.
    pub(crate) heading: String,
    /// Line of the heading.
    pub(crate) line: usize,
    /// Fenced blocks.
    pub(crate) blocks: Vec<Block>,
}

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The path of the line in front of it.
    pub(crate) path: Option<String>,
    /// First word behind the fence.
    pub(crate) tag: String,
    /// The other words.
    pub(crate) words: Vec<String>,
    /// Line of the first line inside.
    pub(crate) line: usize,
    /// Lines inside.
    pub(crate) lines: Vec<String>,
}

impl Section {
    /// The group as part of a test's name: what stands behind the colon of `# Python: imports`.
    pub(crate) fn group_slug(&self) -> Option<String> {
        self.group.split_once(':').map(|(_, topic)| slug(topic))
    }

    /// The heading as part of a test's name.
    pub(crate) fn slug(&self) -> String {
        slug(&self.heading)
    }
}

/// Lower case, words joined by `-`.
pub(crate) fn slug(heading: &str) -> String {
    let mut out = String::new();
    for c in heading.chars() {
        if c.is_alphanumeric() || c == '_' {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// All sections of a text. Blocks in front of the first section are examples of nothing and left out.
pub(crate) fn parse(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut group = String::new();
    let mut path = None;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if let Some(title) = line.strip_prefix("# ") {
            title.trim().clone_into(&mut group);
        } else if let Some(title) = line.strip_prefix("## ") {
            let heading = title.trim().to_owned();
            sections.push(Section {
                group: group.clone(),
                heading,
                line: index + 1,
                blocks: Vec::new(),
            });
            path = None;
        } else if let Some(info) = line.strip_prefix("```") {
            let ticks = "`".repeat(3 + info.len() - info.trim_start_matches('`').len());
            let mut words = info.trim_start_matches('`').split_whitespace().map(str::to_owned);
            let tag = words.next().unwrap_or_default();
            let words = words.collect();
            let inside = lines
                .by_ref()
                .map(|(_, line)| line)
                .take_while(|line| line.trim_end() != ticks);
            let lines = inside.map(str::to_owned).collect();
            if let Some(section) = sections.last_mut() {
                section.blocks.push(Block {
                    path: path.take(),
                    tag,
                    words,
                    line: index + 2,
                    lines,
                });
            }
        } else if let Some(quoted) = line
            .trim_end()
            .strip_prefix('`')
            .and_then(|rest| rest.strip_suffix("`:"))
        {
            path = Some(quoted.to_owned());
        } else if !line.trim().is_empty() {
            path = None;
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_has_its_blocks_with_path_words_and_line() {
        let text = "# X: imports\n\n## A `b` c\n\nWhy.\n\n`a/b.py`:\n\n```python stage=2 delete\nx = 1\n\n```\n";
        let sections = parse(text);
        assert_eq!(sections.len(), 1);
        assert_eq!(
            (sections[0].group_slug().as_deref(), sections[0].slug().as_str()),
            (Some("imports"), "a-b-c")
        );
        let block = &sections[0].blocks[0];
        assert_eq!(
            (block.path.as_deref(), block.tag.as_str(), block.line),
            (Some("a/b.py"), "python", 10)
        );
        assert_eq!(block.words, ["stage=2", "delete"]);
        assert_eq!(block.lines, ["x = 1", ""]);
    }

    #[test]
    fn a_longer_fence_may_hold_a_shorter_one() {
        let sections = parse("## A\n````text\n```\n````\n```js\n1\n```\n");
        assert_eq!(sections[0].blocks[0].lines, ["```"]);
        assert_eq!(sections[0].blocks[1].lines, ["1"]);
    }

    #[test]
    fn prose_between_path_and_block_takes_the_path_away() {
        assert_eq!(
            parse("## A\n`a.py`:\n\nThen.\n\n```python\n```\n")[0].blocks[0].path,
            None
        );
    }
}
