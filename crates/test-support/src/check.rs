//! Compares what was found with what a section asserts.

use std::collections::{BTreeMap, BTreeSet};

use strata_model::facts::Reference;
use strata_model::ids::{DefId, SymbolRef};
use strata_model::kinds::{NodeKind, ParseStatus};
use strata_model::outcome::{How, Outcome, Status};
use strata_model::symbol::is_listed;
use strata_resolve::RegistrationKind;

use crate::Languages;
use crate::assertion::{self, Assertion, Expected, Kind};
use crate::fixture::{Fixture, Placed, Source, Stage};
use crate::incremental;
use crate::world::{File, Order, World};

/// Something that was found on a line.
struct Found<'w> {
    kind: Kind,
    /// The token's text, or the dotted path of a definition.
    name: String,
    column: u32,
    what: What<'w>,
}

/// What is asserted and what was found of one kind on one line.
#[derive(Default)]
struct OnLine<'w> {
    asserted: Vec<&'w Placed>,
    found: Vec<Found<'w>>,
}

enum What<'w> {
    Def(NodeKind),
    Edge(&'w Reference, &'w Outcome),
    Overrides(String),
    /// From a definition or the module, to a symbol.
    Registration(Option<DefId>, SymbolRef),
}

/// Checks all stages. Failures start with the line in the Markdown.
pub(crate) fn check(languages: Languages, fixture: &Fixture) -> Vec<String> {
    let mut failures = Vec::new();
    let mut before = None;
    for (index, stage) in fixture.stages.iter().enumerate() {
        let input = stage.input();
        let world = World::cold(languages, &input, Order::Path);
        check_stage(stage, &world, &mut failures);
        if let Some((old, old_input)) = &before
            && let Some(expected) = &stage.relinked
        {
            let step = incremental::step(languages, old, old_input, &input);
            if step.relinked != *expected {
                failures.push(format!(
                    "{}: stage {} links {:?} again, expected {expected:?}",
                    fixture.line,
                    index + 1,
                    step.relinked
                ));
            }
        }
        before = Some((world, input));
    }
    failures
}

fn check_stage(stage: &Stage, world: &World, failures: &mut Vec<String>) {
    let closed: BTreeSet<Kind> = stage
        .sources
        .values()
        .flat_map(|source| &source.assertions)
        .map(|placed| placed.assertion.kind())
        .collect();
    let flows = if closed.contains(&Kind::Flow) {
        world.flows()
    } else {
        vec![Vec::new(); world.files.0.len()]
    };
    for (index, file) in world.files.0.iter().enumerate() {
        let source = &stage.sources[&file.path];
        check_syntax(source, file, failures);
        let mut by_line: BTreeMap<(u32, Kind), OnLine<'_>> = BTreeMap::new();
        for placed in &source.assertions {
            by_line
                .entry((placed.line, placed.assertion.kind()))
                .or_default()
                .asserted
                .push(placed);
        }
        let derived = flows[index].iter().map(|(name, reference, outcome)| {
            let found = Found {
                kind: Kind::Flow,
                name: name.clone(),
                column: reference.at.column,
                what: What::Edge(reference, outcome),
            };
            (reference.at.line, found)
        });
        for (line, found) in found_in(world, index).into_iter().chain(derived) {
            if closed.contains(&found.kind) {
                by_line.entry((line, found.kind)).or_default().found.push(found);
            }
        }
        for ((line, _), OnLine { asserted, mut found }) in by_line {
            found.sort_by_key(|it| it.column);
            check_line(
                &Place {
                    world,
                    file,
                    source,
                    line,
                },
                &asserted,
                &found,
                failures,
            );
        }
    }
}

fn check_syntax(source: &Source, file: &File, failures: &mut Vec<String>) {
    let at = source.lines.first().map_or(0, |line| line.at);
    let status = file.facts.parse_status;
    let problem = file.facts.problems.first().map_or("", |it| it.message.as_str());
    match (status, source.is_broken) {
        (ParseStatus::Ok, true) => failures.push(format!("{at}: {} parses, it is not broken", file.path)),
        (ParseStatus::Partial, false) => {
            failures.push(format!(
                "{at}: {} does not parse ({problem}); write `broken` if it should not",
                file.path
            ));
        }
        (ParseStatus::Failed, _) => failures.push(format!("{at}: {} gave nothing: {problem}", file.path)),
        (ParseStatus::Ok, false) | (ParseStatus::Partial, true) => {}
    }
}

/// Everything that can be asserted about a file, by line.
fn found_in(world: &World, index: usize) -> Vec<(u32, Found<'_>)> {
    let (file, links) = (&world.files.0[index], &world.links[index]);
    let mut all = Vec::new();
    for (def, name) in file
        .facts
        .defs
        .iter()
        .zip(file.names.iter())
        .filter(|(def, _)| is_listed(def))
    {
        let found = Found {
            kind: Kind::Def,
            name: name.path.clone(),
            column: def.name_at.column,
            what: What::Def(def.kind),
        };
        all.push((def.name_at.line, found));
    }
    for (reference, outcome) in file.facts.refs.iter().zip(&links.outcomes) {
        let name = file.facts.str(reference.name).to_owned();
        let what = What::Edge(reference, outcome);
        all.push((
            reference.at.line,
            Found {
                kind: Kind::of(reference.kind),
                name,
                column: reference.at.column,
                what,
            },
        ));
    }
    for (member, overridden) in &links.overrides {
        let def = file.facts.def(*member);
        let what = What::Overrides(world.files.symbol(*overridden));
        let name = file.facts.str(def.name).to_owned();
        all.push((
            def.name_at.line,
            Found {
                kind: Kind::Overrides,
                name,
                column: def.name_at.column,
                what,
            },
        ));
    }
    for it in &links.registrations {
        all.push((
            it.at.line,
            Found {
                kind: match it.kind {
                    RegistrationKind::Registers => Kind::Registers,
                    RegistrationKind::Injects => Kind::Injects,
                },
                name: file.facts.str(it.name).to_owned(),
                column: it.at.column,
                what: What::Registration(it.owner, it.target),
            },
        ));
    }
    all
}

/// Where an assertion is compared.
struct Place<'w> {
    world: &'w World,
    file: &'w File,
    source: &'w Source,
    line: u32,
}

fn check_line(place: &Place<'_>, asserted: &[&Placed], found: &[Found<'_>], failures: &mut Vec<String>) {
    let mut is_taken = vec![false; found.len()];
    for placed in asserted {
        let name = match &placed.assertion {
            Assertion::Def(name, _) => Some(name),
            Assertion::Edge { name, .. } => name.as_ref(),
        };
        if name.is_none() && found.len() > 1 {
            let names: Vec<String> = found.iter().map(|it| format!("`{}`", it.name)).collect();
            failures.push(place.failure(placed.at, &format!("which of {}?", names.join(", "))));
            is_taken.fill(true);
            continue;
        }
        let fits = |index: &usize| !is_taken[*index] && name.is_none_or(|name| *name == found[*index].name);
        let Some(index) = (0..found.len()).find(fits) else {
            let what = placed.assertion.kind().word();
            let name = name.map_or(String::new(), |name| format!(" `{name}`"));
            failures.push(place.failure(placed.at, &format!("expected {what}{name}, found none")));
            continue;
        };
        is_taken[index] = true;
        if let Some(problem) = compare(place, &placed.assertion, &found[index]) {
            failures.push(place.failure(placed.at, &problem));
        }
    }
    for (found, _) in found.iter().zip(&is_taken).filter(|(_, is_taken)| !**is_taken) {
        let at = place
            .source
            .lines
            .get(place.line as usize - 1)
            .map_or(0, |line| line.at);
        failures.push(place.failure(at, &format!("not asserted: {}", place.describe(found))));
    }
}

impl Place<'_> {
    fn failure(&self, at: usize, problem: &str) -> String {
        let code = self
            .source
            .lines
            .get(self.line as usize - 1)
            .map_or("", |line| line.code.trim());
        format!("{at}: {problem}\n    {}:{}  {code}", self.file.path, self.line)
    }

    fn describe(&self, found: &Found<'_>) -> String {
        match &found.what {
            What::Def(kind) => format!("def {}: {}", found.name, kind.name().to_lowercase()),
            What::Edge(reference, outcome) => {
                let owner = reference
                    .owner
                    .map_or("the module", |owner| self.file.names[owner.ix()].path.as_str());
                let (kind, flags) = (found.kind.word(), assertion::flags_in_words(reference.flags));
                format!(
                    "{kind} `{}` from {owner} -> {}{flags}",
                    found.name,
                    self.world.outcome(outcome)
                )
            }
            What::Registration(owner, target) => {
                let owner = owner.map_or("the module", |owner| self.file.names[owner.ix()].path.as_str());
                let target = self.world.files.symbol(*target);
                format!("{} `{}` from {owner} -> {target}", found.kind.word(), found.name)
            }
            What::Overrides(overridden) => format!("overrides `{}` -> {overridden}", found.name),
        }
    }
}

/// None when the assertion holds.
fn compare(place: &Place<'_>, assertion: &Assertion, found: &Found<'_>) -> Option<String> {
    let wrong = |expected: &str| Some(format!("expected {expected}, found {}", place.describe(found)));
    match (assertion, &found.what) {
        (Assertion::Def(_, expected), What::Def(kind)) => {
            if expected == kind {
                None
            } else {
                wrong(&expected.name().to_lowercase())
            }
        }
        (
            Assertion::Edge {
                expected,
                owner,
                how,
                flags,
                ..
            },
            What::Edge(reference, outcome),
        ) => {
            if let Err(text) = compare_outcome(place, expected, outcome) {
                return wrong(&text);
            }
            let found_owner = reference.owner.map(|owner| &place.file.names[owner.ix()]);
            if let Some(expected) = owner
                && !found_owner.is_some_and(|name| name.path == *expected || name.to_string() == *expected)
            {
                return wrong(&format!("from {expected}"));
            }
            if reference.flags & flags != *flags {
                return wrong("other flags");
            }
            how.filter(|how| *how != outcome.how)
                .and_then(|how: How| wrong(how.name()))
        }
        (
            Assertion::Edge {
                expected: Expected::Targets(targets),
                ..
            },
            What::Overrides(overridden),
        ) => {
            let is_right = matches!(targets.as_slice(), [only] if fits(place, only, overridden));
            if is_right { None } else { wrong(&targets.join(" | ")) }
        }
        (
            Assertion::Edge {
                expected: Expected::Targets(targets),
                owner,
                ..
            },
            What::Registration(found_owner, target),
        ) => {
            let shown = place.world.files.symbol(*target);
            let is_right = matches!(targets.as_slice(), [only] if fits(place, only, &shown));
            let found_owner = found_owner.map(|owner| place.file.names[owner.ix()].path.as_str());
            if !is_right {
                wrong(&targets.join(" | "))
            } else if owner.as_deref().is_some_and(|owner| found_owner != Some(owner)) {
                wrong(&format!("from {}", owner.as_deref().unwrap_or_default()))
            } else {
                None
            }
        }
        (Assertion::Edge { .. }, What::Overrides(_) | What::Registration(..) | What::Def(_))
        | (Assertion::Def(..), _) => wrong("something else"),
    }
}

/// Err says what was expected.
fn compare_outcome(place: &Place<'_>, expected: &Expected, outcome: &Outcome) -> Result<(), String> {
    let is_without = outcome.targets.is_empty();
    let (is_right, text) = match expected {
        Expected::Nothing => (is_without, "no target".to_owned()),
        Expected::Outcome(status) => (is_without && outcome.status == *status, status.name().to_owned()),
        Expected::External(package) => {
            let external = outcome.external.as_deref().unwrap_or_default();
            let rest = external
                .split_once(':')
                .and_then(|(_, name)| name.strip_prefix(package.as_str()));
            let is_named = rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
            (
                is_without && outcome.status == Status::External && is_named,
                format!("external:{package}"),
            )
        }
        Expected::Targets(targets) => (compare_targets(place, targets, outcome), targets.join(" | ")),
    };
    if is_right { Ok(()) } else { Err(text) }
}

fn compare_targets(place: &Place<'_>, expected: &[String], outcome: &Outcome) -> bool {
    let is_status = outcome.status == Status::Resolved || (expected.len() > 1 && outcome.status == Status::Ambiguous);
    let mut found: Vec<String> = outcome
        .targets
        .iter()
        .map(|target| place.world.files.symbol(place.world.files.class_of(*target)))
        .collect();
    found.sort();
    found.dedup();
    is_status
        && found.len() == expected.len()
        && expected
            .iter()
            .all(|it| found.iter().any(|found| fits(place, it, found)))
        && found
            .iter()
            .all(|found| expected.iter().any(|it| fits(place, it, found)))
}

/// True when a target as written means a symbol as shown (`path::Outer.inner#2`).
fn fits(place: &Place<'_>, written: &str, shown: &str) -> bool {
    let is_module = place
        .world
        .files
        .0
        .iter()
        .any(|file| file.path == written.trim_end_matches("::"));
    let full = if is_module {
        written.trim_end_matches("::").to_owned()
    } else if written.contains("::") {
        written.to_owned()
    } else {
        format!("{}::{written}", place.file.path)
    };
    let full = place.constructor_as_class(&full);
    full == shown || shown.rsplit_once('#').is_some_and(|(name, _)| name == full)
}

impl Place<'_> {
    /// Takes the constructor's name off an expected target.
    fn constructor_as_class(&self, full: &str) -> String {
        let constructors = self.file.language.policy().constructors;
        match full.rsplit_once('.') {
            Some((class, last)) if full.contains("::") && constructors.contains(&last) => class.to_owned(),
            Some(_) | None => full.to_owned(),
        }
    }
}
