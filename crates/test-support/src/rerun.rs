//! What must hold for every section without being asserted: the graph does not depend on the order of files, on line
//! ends, on where in the file a thing stands, on the history of edits; and no text whatever makes it fall over.

use std::panic::{AssertUnwindSafe, catch_unwind};

use strata_model::facts::{FileFacts, RefTarget};
use strata_model::kinds::ParseStatus;

use crate::Languages;
use crate::fixture::{Fixture, language_of};
use crate::incremental::{self, Step};
use crate::world::{self, File, Files, Input, Order, Row, World};

/// Places at which each file is cut off.
const N_CUTS: usize = 40;

/// Runs a section again in all these ways. Failures start with the line of its heading.
pub(crate) fn rerun(languages: Languages, fixture: &Fixture) -> Vec<String> {
    let mut failures = Vec::new();
    let mut before: Option<(World, Input)> = None;
    for stage in &fixture.stages {
        let input = stage.input();
        let world = World::cold(languages, &input, Order::Path);
        let rows = world.rows();
        for order in [Order::Reverse, Order::Apart] {
            let other = World::cold(languages, &input, order).rows();
            failures.extend(difference(
                &format!("files in the order {order:?}"),
                &rows,
                &other,
                true,
            ));
        }
        let crlf = changed(&input, |text| text.replace('\n', "\r\n"));
        failures.extend(difference(
            "CRLF",
            &rows,
            &World::cold(languages, &crlf, Order::Path).rows(),
            true,
        ));
        let lower = changed(&input, |text| format!("\n\n\n{text}"));
        failures.extend(difference(
            "blank lines above",
            &rows,
            &World::cold(languages, &lower, Order::Path).rows(),
            false,
        ));
        failures.extend(delete_and_restore(languages, &world, &input));
        failures.extend(cut(languages, &world, &input));
        if let Some((old, old_input)) = &before {
            let step = incremental::step(languages, old, old_input, &input);
            failures.extend(compare_step("the edit", &step, &rows));
        }
        before = Some((world, input));
    }
    failures
        .into_iter()
        .map(|failure| format!("{}: {failure}", fixture.line))
        .collect()
}

fn changed(input: &Input, change: impl Fn(&str) -> String) -> Input {
    let mut input = input.clone();
    for text in input.files.values_mut() {
        *text = change(&String::from_utf8_lossy(text)).into_bytes();
    }
    input
}

/// The first row that differs.
fn difference(what: &str, expected: &[Row], found: &[Row], with_positions: bool) -> Option<String> {
    let is_same = |a: &Row, b: &Row| a.text == b.text && (!with_positions || a.at == b.at);
    let n_same = expected.iter().zip(found).take_while(|(a, b)| is_same(a, b)).count();
    if n_same == expected.len() && n_same == found.len() {
        return None;
    }
    let show = |rows: &[Row]| {
        rows.get(n_same).map_or("nothing".to_owned(), |row| {
            format!("{} at {}:{}", row.text, row.at.line, row.at.column)
        })
    };
    Some(format!(
        "{what} changes the result: {} became {}",
        show(expected),
        show(found)
    ))
}

fn compare_step(what: &str, step: &Step, cold: &[Row]) -> Vec<String> {
    let mut failures: Vec<String> = step.dangling.iter().map(|it| format!("{what}: {it}")).collect();
    failures.extend(difference(
        &format!("{what}, step by step (linked again: {:?})", step.relinked),
        cold,
        &step.world.rows(),
        true,
    ));
    failures
}

/// Writes a file unchanged, deletes it and restores it.
fn delete_and_restore(languages: Languages, world: &World, input: &Input) -> Vec<String> {
    let mut failures = Vec::new();
    let same = incremental::step(languages, world, input, input);
    if !same.relinked.is_empty() {
        failures.push(format!("nothing changed, and {:?} were linked again", same.relinked));
    }
    for path in input.files.keys() {
        let mut without = input.clone();
        without.files.remove(path);
        let deleted = incremental::step(languages, world, input, &without);
        let cold = World::cold(languages, &without, Order::Path).rows();
        failures.extend(compare_step(&format!("{path} deleted"), &deleted, &cold));
        let restored = incremental::step(languages, &deleted.world, &without, input);
        failures.extend(compare_step(&format!("{path} restored"), &restored, &world.rows()));
    }
    failures
}

/// Cuts each file off at sampled bytes, in the middle of characters too.
fn cut(languages: Languages, world: &World, input: &Input) -> Vec<String> {
    let mut failures = Vec::new();
    let workspace = world.files.workspace(input);
    for (index, (path, text)) in input.files.iter().enumerate() {
        let Some(language) = language_of(languages, path) else {
            continue;
        };
        let n_cuts = N_CUTS.min(text.len());
        for number in 0..n_cuts {
            // The odd part reaches places inside and between tokens, lines and characters alike.
            let at = number * text.len() / n_cuts + (number * 7) % (text.len() / n_cuts);
            let run = catch_unwind(AssertUnwindSafe(|| {
                let mut files = world.files.clone();
                files.0[index] = File::new(language, path, &text[..at]);
                let problem = invalid(&files.0[index].facts, at);
                let links = world::link(&files, &workspace, Order::Path);
                problem.or_else(|| dangling(&files, &links))
            }));
            match run {
                Ok(None) => {}
                Ok(Some(problem)) => failures.push(format!("{path} cut off at byte {at}: {problem}")),
                Err(_) => failures.push(format!("{path} cut off at byte {at}: panic while linking")),
            }
        }
    }
    failures
}

/// What in a file's facts points outside them.
fn invalid(facts: &FileFacts, length: usize) -> Option<String> {
    if facts.parse_status == ParseStatus::Failed {
        return Some(
            facts
                .problems
                .first()
                .map_or("nothing extracted".to_owned(), |it| it.message.clone()),
        );
    }
    let is_outside = |end: u32| end as usize > length;
    for def in &facts.defs {
        let is_bad_parent = def.parent.is_some_and(|parent| parent.ix() >= facts.defs.len());
        if is_outside(def.span.end) || is_outside(def.name_span.end) || is_bad_parent {
            return Some(format!("definition `{}` points outside the file", facts.str(def.name)));
        }
    }
    for reference in &facts.refs {
        let is_bad_target = match reference.target {
            RefTarget::Expr(expr) => expr.ix() >= facts.exprs.len(),
            RefTarget::Type(ty) => ty.ix() >= facts.types.len(),
            RefTarget::Import(import) => import.ix() >= facts.imports.len(),
            RefTarget::Export(export) => export as usize >= facts.exports.len(),
        };
        let is_bad_owner = reference.owner.is_some_and(|owner| owner.ix() >= facts.defs.len());
        if is_outside(reference.span.end) || is_bad_target || is_bad_owner {
            return Some(format!(
                "reference `{}` points outside the file",
                facts.str(reference.name)
            ));
        }
    }
    None
}

/// A target that does not exist.
fn dangling(files: &Files, links: &[strata_resolve::FileLinks]) -> Option<String> {
    for (file, links) in files.0.iter().zip(links) {
        if links.outcomes.len() != file.facts.refs.len() {
            return Some(format!(
                "{}: {} outcomes for {} references",
                file.path,
                links.outcomes.len(),
                file.facts.refs.len()
            ));
        }
        let targets = links.outcomes.iter().flat_map(|outcome| &outcome.targets);
        let registered = links.registrations.iter().map(|it| &it.target);
        let overridden = links.overrides.iter().map(|(_, overridden)| overridden);
        for target in targets.chain(overridden).chain(registered) {
            let is_there = files
                .0
                .get(target.file.ix())
                .is_some_and(|file| target.is_module() || target.def.ix() < file.facts.defs.len());
            if !is_there {
                return Some(format!("{} refers to {}", file.path, files.symbol(*target)));
            }
        }
    }
    None
}
