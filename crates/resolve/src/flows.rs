//! Where function values go: the calls that no declared edge shows.
//!
//! A declared edge is what the text names. What a parameter, a field, an element of a dictionary or the result of a
//! decorator holds when it is called is a question about the whole program; the answer is a relation of its own, the flows.
//! It is never mixed with declared edges.
//!
//! The solver is a subset analysis: each place (an expression, a binding, a parameter, a result, a field, an element) has
//! the set of values that can get there: functions, classes, instances by class, containers by where they are made,
//! modules. Sets only grow, and what a call or a member access does is done once for each value that reaches it. Reaching
//! bindings were settled in extraction, so inside a function the analysis follows the order of statements; it does not
//! tell callers of a function apart, except for functions that return their parameter.
//!
//! It rests on facts and declared outcomes alone, nothing of it is stored, and files are taken in the order of their
//! paths: the result is a function of the state of the files, whatever edits led there.
//!
//! Bounds: [`MAX_VALUES`] values a place, [`MAX_TARGETS`] targets a site; what exceeds them has no flows. [`MAX_STEPS`]
//! steps and [`MAX_PLACES`] places in all; where one of these ends the analysis, the result says so.

mod calls;
mod classes;
mod definitions;
mod exports;
mod exprs;
mod library;
mod members;
mod results;
mod solver;
mod tables;
mod values;

use std::sync::Arc;

use strata_lang::Language;
use strata_model::facts::FileFacts;
use strata_model::ids::{DefId, FileIx, Position, SymbolRef};
use strata_model::outcome::{How, Outcome};

/// Most values that a place may hold; one that would hold more is not looked through.
pub(crate) const MAX_VALUES: usize = 24;
/// Most targets of a site; a site with more has none.
pub(crate) const MAX_TARGETS: usize = 16;
/// Most steps of an analysis: several minutes' worth, far more than a root of a million lines takes.
pub(crate) const MAX_STEPS: u64 = 400_000_000;
/// Most places of an analysis.
pub(crate) const MAX_PLACES: usize = 30_000_000;

/// A file as the flow of function values sees it.
pub struct FlowFile {
    /// Its facts.
    pub facts: Arc<FileFacts>,
    /// The declared outcome of each reference.
    pub outcomes: Vec<Outcome>,
    /// Its language.
    pub language: &'static dyn Language,
}

/// A derived call: at a place of a file, a symbol can be called that the text there does not name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flow {
    /// The file that holds the site, and owns the flow.
    pub file: FileIx,
    /// Where the call stands.
    pub at: Position,
    /// The reference whose call it is; none for calls that the language makes by itself.
    pub reference: Option<u32>,
    /// The innermost definition around the site; none for the module.
    pub owner: Option<DefId>,
    /// What is called, inside the root.
    pub target: Option<SymbolRef>,
    /// What is called, outside the root.
    pub external: Option<String>,
    /// By which rule.
    pub how: How,
    /// True when the declared target of the site is not called there itself: a decorator has put this in its place.
    pub is_instead: bool,
}

/// The flows of a root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flows {
    /// Ordered by file, position and target.
    pub found: Vec<Flow>,
    /// True when a limit ended the analysis early: there may be more.
    pub is_cut: bool,
}

/// The flows of all files. Files stand in the order of their paths.
#[must_use]
pub fn flows(files: &[FlowFile]) -> Flows {
    let mut solver = solver::Solver::new(files);
    solver.start();
    solver.solve();
    while solver.assume_unknown_decorators() {
        solver.solve();
    }
    Flows {
        is_cut: solver.is_cut(),
        found: solver.results(),
    }
}
