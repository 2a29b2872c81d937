//! Early cut-off: an edit of what a function returns that leaves its inferred result alone concerns nobody else.
//!
//! Both states are asked for the result of each function whose returned expressions changed: the stored facts before, the
//! new ones now. Where the results are equal, those who had asked stay linked as they are. What the result rests on may
//! have changed all the same, so the keys of the new evaluation are added to theirs; else a later change of one of those
//! would pass them by. They keep the keys of the old evaluation, too, which costs at most a link that was not needed.

use std::sync::{Arc, OnceLock};

use strata_model::facts::FileFacts;
use strata_model::ids::{DefId, FileIx};
use strata_resolve::{FunctionResult, Program};
use strata_storage::{FileId, Store};

use crate::error::IndexError;
use crate::facts::{FileOfState, StateFacts};
use crate::link::with_deep_stack;
use crate::relink::{ChangedBody, ChangedKeys, files_that_asked};
use crate::run::{NewState, State, StateFile};

/// Most functions whose results are compared; an edit of more is taken as a change of all of them.
const MAX_COMPARED: usize = 64;

/// A changed function of a file.
pub(crate) type BodyOfFile = (FileIx, ChangedBody);

/// Files that are not linked again, with the keys they rest on from now on, too.
pub(crate) type MoreKeys = Vec<(FileId, Vec<u64>)>;

/// Takes the functions whose result is what it was out of `changed`. The files of both states have to be the same ones.
/// Returns the keys to add to those who had asked; files that are linked again all the same are among them.
pub(crate) fn apply(
    store: &mut Store,
    state: &NewState<'_>,
    bodies: &[BodyOfFile],
    changed: &mut ChangedKeys,
) -> Result<MoreKeys, IndexError> {
    if bodies.is_empty() || bodies.len() > MAX_COMPARED {
        return Ok(Vec::new());
    }
    let mut keys: Vec<u64> = bodies.iter().map(|(_, body)| body.key).collect();
    keys.sort_unstable();
    if files_that_asked(store, &keys)?.is_empty() {
        return Ok(Vec::new());
    }
    let before = results(store, state, bodies, |body| body.before, stored_only)?;
    let after = results(store, state, bodies, |body| body.after, present)?;
    let mut asked: Vec<(FileId, usize)> = Vec::new();
    for (ix, ((_, body), (before, after))) in bodies.iter().zip(before.iter().zip(&after)).enumerate() {
        if before.text == after.text {
            changed.remove(body.key);
            asked.extend(files_that_asked(store, &[body.key])?.into_iter().map(|file| (file, ix)));
        }
    }
    asked.sort_unstable();
    let mut more: MoreKeys = Vec::new();
    for (file, ix) in asked {
        match more.last_mut() {
            Some((last, keys)) if *last == file => keys.extend(&after[ix].keys),
            _ => more.push((file, after[ix].keys.clone())),
        }
    }
    Ok(more)
}

/// Where a state has the facts of a file.
type Place = (Option<FileId>, Option<Arc<FileFacts>>);

fn stored_only(file: &StateFile) -> Place {
    match &file.state {
        State::Unchanged(row) | State::Touched(row, _) | State::Changed(_, Some(row)) => (Some(row.id), None),
        State::Changed(_, None) => (None, None),
    }
}

/// Where the new state has the facts of a file.
pub(crate) fn present(file: &StateFile) -> Place {
    match &file.state {
        State::Unchanged(row) | State::Touched(row, _) => (Some(row.id), None),
        State::Changed(extracted, _) => (None, Some(Arc::clone(&extracted.facts))),
    }
}

/// One state of all files.
pub(crate) fn state_of(files: &[StateFile], place: fn(&StateFile) -> Place) -> Vec<FileOfState> {
    files
        .iter()
        .map(|file| {
            let (stored, facts) = place(file);
            FileOfState {
                language: file.language,
                stored,
                facts: facts.map_or_else(OnceLock::new, OnceLock::from),
            }
        })
        .collect()
}

fn results(
    store: &mut Store,
    state: &NewState<'_>,
    bodies: &[BodyOfFile],
    definition: fn(&ChangedBody) -> DefId,
    place: fn(&StateFile) -> Place,
) -> Result<Vec<FunctionResult>, IndexError> {
    let facts = StateFacts::new(state_of(state.files, place), state.installed, store);
    let results = with_deep_stack("compare", || {
        let mut program = Program::new(state.workspace, &facts);
        bodies
            .iter()
            .map(|(file, body)| program.result(*file, definition(body)))
            .collect()
    });
    match facts.into_failure() {
        Some(error) => Err(error.into()),
        None => Ok(results),
    }
}
