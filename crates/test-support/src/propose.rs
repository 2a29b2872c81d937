//! Proposes assertions for sections that have none. A person reads the difference.

use std::collections::BTreeMap;

use strata_model::outcome::{Outcome, Status};

use crate::Languages;
use crate::assertion::{self, Expected, Kind};
use crate::fixture::{Fixture, language_of, path_of};
use crate::markdown::{self, Section};
use crate::world::{Order, World};

/// Kinds that are proposed; the others are written where a section is about them.
const KINDS: [Kind; 6] = [
    Kind::Call,
    Kind::Import,
    Kind::Extends,
    Kind::Implements,
    Kind::Decorator,
    Kind::Render,
];

/// The text with assertions in the sections that had none; none when there is no such section.
pub(crate) fn propose(languages: Languages, text: &str) -> Option<String> {
    let mut added: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for section in markdown::parse(text)
        .iter()
        .filter(|section| !has_assertions(languages, section))
    {
        for (at, proposals) in proposals(languages, section) {
            added.entry(at).or_default().extend(proposals);
        }
    }
    if added.is_empty() {
        return None;
    }
    let mut out = String::new();
    for (index, line) in text.lines().enumerate() {
        out.push_str(line);
        let indent = " ".repeat(line.chars().count());
        for (number, proposal) in added.get(&(index + 1)).into_iter().flatten().enumerate() {
            if number > 0 {
                out.push('\n');
                out.push_str(&indent);
            }
            out.push_str("  ");
            out.push_str(proposal);
        }
        out.push('\n');
    }
    Some(out)
}

fn has_assertions(languages: Languages, section: &Section) -> bool {
    section.blocks.iter().any(|block| {
        let language = path_of(languages, block).and_then(|path| language_of(languages, &path));
        let sign = language.map_or("#", |language| language.line_comment());
        block.lines.iter().any(|line| assertion::split(line, sign).1.is_some())
    })
}

/// Assertions by the Markdown's line.
fn proposals(languages: Languages, section: &Section) -> Vec<(usize, Vec<String>)> {
    let mut all = Vec::new();
    let Some(stages) = Fixture::stages(languages, section) else {
        return all;
    };
    let mut is_done = std::collections::BTreeSet::new();
    for stage in stages {
        let world = World::cold(languages, &stage.input(), Order::Path);
        for (index, file) in world.files.0.iter().enumerate() {
            let source = &stage.sources[&file.path];
            let mut by_line: BTreeMap<usize, Vec<String>> = BTreeMap::new();
            for (reference, outcome) in file.facts.refs.iter().zip(&world.links[index].outcomes) {
                let kind = Kind::of(reference.kind);
                if !KINDS.contains(&kind) {
                    continue;
                }
                let Some(line) = source.lines.get(reference.at.line as usize - 1) else {
                    continue;
                };
                let (sign, name) = (file.language.line_comment(), file.facts.str(reference.name));
                let target = target(&world, &file.path, outcome);
                let text = format!("{sign}~ {} `{name}` -> {target}", kind.word());
                by_line.entry(line.at).or_default().push(text);
            }
            all.extend(by_line.into_iter().filter(|(at, _)| is_done.insert(*at)));
        }
    }
    all
}

fn target(world: &World, path: &str, outcome: &Outcome) -> String {
    if outcome.targets.is_empty() {
        return match (&outcome.external, outcome.status) {
            (Some(external), Status::External) => {
                let name = external.split_once(':').map_or(external.as_str(), |(_, name)| name);
                let end = name.find(['.', '#', ' ']).unwrap_or(name.len());
                format!("external:{}", &name[..end])
            }
            (_, status) => Expected::word(status).to_owned(),
        };
    }
    let here = format!("{path}::");
    let shown = |symbol| {
        let text = world.files.symbol(world.files.class_of(symbol));
        text.strip_prefix(&here).map_or(text.clone(), str::to_owned)
    };
    let mut targets: Vec<String> = outcome.targets.iter().map(|target| shown(*target)).collect();
    targets.sort();
    targets.dedup();
    targets.join(" | ")
}
