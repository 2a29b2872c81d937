//! A section made ready to run: files and assertions, stage by stage.

use std::collections::{BTreeMap, BTreeSet};

use strata_lang::Language;

use crate::Languages;
use crate::assertion::{self, Assertion};
use crate::markdown::{Block, Section};
use crate::world::Input;

/// A section made ready to run.
#[derive(Debug)]
pub(crate) struct Fixture {
    /// Line of the heading.
    pub(crate) line: usize,
    /// The states, one after the other.
    pub(crate) stages: Vec<Stage>,
}

/// One state of the files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stage {
    /// Source files by path.
    pub(crate) sources: BTreeMap<String, Source>,
    /// Configuration files by path.
    pub(crate) configs: BTreeMap<String, String>,
    /// The files that this stage links again, where the section says so.
    pub(crate) relinked: Option<BTreeSet<String>>,
}

/// A source file with its assertions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    /// Lines without assertions, and where they stand in the Markdown.
    pub(crate) lines: Vec<Line>,
    /// The assertions.
    pub(crate) assertions: Vec<Placed>,
    /// True when the section says that it does not parse.
    pub(crate) is_broken: bool,
}

/// A line of code.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The code.
    pub(crate) code: String,
    /// Its line in the Markdown.
    pub(crate) at: usize,
}

/// An assertion and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// Line of the source file that it speaks of, from 1.
    pub(crate) line: u32,
    /// Its own line in the Markdown.
    pub(crate) at: usize,
    /// What it says.
    pub(crate) assertion: Assertion,
}

impl Source {
    /// The text that is parsed.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(&line.code);
            text.push('\n');
        }
        text
    }
}

impl Stage {
    /// The files as the product sees them.
    pub(crate) fn input(&self) -> Input {
        Input {
            files: self
                .sources
                .iter()
                .map(|(path, source)| (path.clone(), source.text().into_bytes()))
                .collect(),
            configs: self.configs.clone(),
        }
    }
}

impl Fixture {
    /// Reads the blocks of a section; what cannot be read is returned as lines of `line: problem`.
    pub(crate) fn new(languages: Languages, section: &Section) -> Result<Self, Vec<String>> {
        let (stages, mut problems) = read(languages, section);
        if problems.is_empty()
            && stages
                .iter()
                .all(|stage| stage.sources.values().all(|it| it.assertions.is_empty()))
        {
            problems.push(format!(
                "{}: asserts nothing; UPDATE=1 proposes assertions",
                section.line
            ));
        }
        if problems.is_empty() {
            Ok(Self {
                line: section.line,
                stages,
            })
        } else {
            Err(problems)
        }
    }

    /// The stages of a section without a word on what is wrong with it.
    pub(crate) fn stages(languages: Languages, section: &Section) -> Option<Vec<Stage>> {
        let (stages, problems) = read(languages, section);
        problems.is_empty().then_some(stages)
    }
}

fn read(languages: Languages, section: &Section) -> (Vec<Stage>, Vec<String>) {
    let mut problems = Vec::new();
    let n_stages = section.blocks.iter().filter_map(stage_of).max().unwrap_or(1);
    let mut stages = Vec::new();
    let mut stage = Stage::default();
    for number in 1..=n_stages {
        stage.relinked = None;
        let mut begun = BTreeSet::new();
        for block in section
            .blocks
            .iter()
            .filter(|block| stage_of(block).unwrap_or(1) == number)
        {
            if let Err(problem) = apply(languages, &mut stage, &mut begun, block, &mut problems) {
                problems.push(format!("{}: {problem}", block.line - 1));
            }
        }
        stages.push(stage.clone());
    }
    (stages, problems)
}

fn stage_of(block: &Block) -> Option<usize> {
    block
        .words
        .iter()
        .find_map(|word| word.strip_prefix("stage="))
        .and_then(|number| number.parse().ok())
}

/// The path that a block is for.
pub(crate) fn path_of(languages: Languages, block: &Block) -> Option<String> {
    block.path.clone().or_else(|| {
        let suffix = format!(".{}", block.tag);
        let by_name = languages.iter().find(|language| language.name() == block.tag);
        let shortest = by_name.and_then(|language| language.suffixes().iter().copied().min_by_key(|it| it.len()));
        let by_suffix = languages
            .iter()
            .any(|language| language.suffixes().contains(&suffix.as_str()));
        shortest
            .map(|suffix| format!("main{suffix}"))
            .or_else(|| by_suffix.then(|| format!("main{suffix}")))
    })
}

/// The language that takes a path.
pub(crate) fn language_of(languages: Languages, path: &str) -> Option<&'static dyn Language> {
    let mut taking = languages.iter().copied().filter(|_| !is_excluded(languages, path));
    taking.find(|language| language.suffixes().iter().any(|suffix| path.ends_with(suffix)))
}

/// True for what is never indexed, such as minified files.
fn is_excluded(languages: Languages, path: &str) -> bool {
    languages
        .iter()
        .flat_map(|language| language.excluded_suffixes())
        .any(|suffix| path.ends_with(suffix))
}

fn apply(
    languages: Languages,
    stage: &mut Stage,
    begun: &mut BTreeSet<String>,
    block: &Block,
    problems: &mut Vec<String>,
) -> Result<(), String> {
    for word in &block.words {
        if stage_of(block).is_none() && word.starts_with("stage=") || !is_known(word) {
            return Err(format!("the fence says `{word}`, which means nothing"));
        }
    }
    if block.tag == "relinked" {
        stage.relinked = Some(block.lines.iter().filter(|line| !line.is_empty()).cloned().collect());
        return Ok(());
    }
    let path = path_of(languages, block).ok_or_else(|| format!("`{}` needs a line with a path above", block.tag))?;
    if block.words.iter().any(|word| word == "delete") {
        let is_there = stage.sources.remove(&path).is_some() | stage.configs.remove(&path).is_some();
        return if is_there {
            Ok(())
        } else {
            Err(format!("`{path}` cannot be deleted, it is not there"))
        };
    }
    if is_config(languages, &path) {
        stage.configs.insert(path, block.lines.join("\n"));
        return Ok(());
    }
    if is_excluded(languages, &path) {
        return Ok(());
    }
    let language = language_of(languages, &path).ok_or_else(|| format!("no language takes `{path}`"))?;
    if begun.insert(path.clone()) {
        stage.sources.remove(&path);
    }
    let source = stage.sources.entry(path).or_default();
    source.is_broken |= block.words.iter().any(|word| word == "broken");
    for (index, line) in block.lines.iter().enumerate() {
        let at = block.line + index;
        let (code, assertion) = assertion::split(line, language.line_comment());
        source.lines.push(Line {
            code: code.to_owned(),
            at,
        });
        let Some(text) = assertion else { continue };
        match assertion::parse(text) {
            Ok(assertion) => {
                let line = last_code_line(source);
                source.assertions.push(Placed { line, at, assertion });
            }
            Err(problem) => problems.push(format!("{at}: {problem}")),
        }
    }
    Ok(())
}

/// The line an assertion speaks of: the last one with code.
fn last_code_line(source: &Source) -> u32 {
    let index = source
        .lines
        .iter()
        .rposition(|line| !line.code.trim().is_empty())
        .unwrap_or_default();
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

fn is_known(word: &str) -> bool {
    word == "delete" || word == "broken" || word.starts_with("stage=")
}

fn is_config(languages: Languages, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    languages
        .iter()
        .flat_map(|language| language.config_files())
        .any(|pattern| match pattern.split_once('*') {
            Some((start, end)) => {
                name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
            }
            None => name == *pattern,
        })
}
