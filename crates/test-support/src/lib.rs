//! The fixture language: Markdown that reads like a specification and runs as a test.
//!
//! A file of fixtures has groups (`#`) and sections (`##`). A section is one test: prose that says what holds and why, and
//! fenced blocks with the smallest code that shows it. A line `` `path`: `` in front of a block names its file; without it
//! the file is `main` with the suffix of the block's language. Blocks for one path are joined.
//!
//! ````markdown
//! ## A call through `super()` reaches the base class
//!
//! `models.py`:
//!
//! ```python
//! class Model:
//!     def save(self): ...    #~ def Model.save: method
//! ```
//!
//! ```python
//! from models import Model   #~ import -> models.py::Model
//!
//! class Admin(Model):        #~ extends -> models.py::Model
//!     def save(self):        #~ overrides -> models.py::Model.save
//!         super().save()     #~ call `save` -> models.py::Model.save (super)
//!                            #~ call `super` -> builtin
//! ```
//! ````
//!
//! An assertion is white space, the language's line comment sign and `~ `, up to the end of the line. It is cut off before
//! parsing. A line with nothing else belongs to the code line above and is left blank, so that line numbers hold.
//!
//! | form | meaning |
//! |---|---|
//! | `def NAME: KIND` | a definition, by its dotted path inside the file; its name stands on this line |
//! | `KIND -> TARGET` | a reference on this line: `call`, `construct`, `import`, `extends`, `implements`, `type`, `value`, `read`, `write`, `decorator`, `render`; or a member that `overrides` another; what is handed to a framework (`registers`) or comes from one (`injects`) |
//! | `` KIND `name` -> TARGET `` | which of several on the line; the same name twice takes two assertions, from left to right |
//! | ``KIND `name` from NAME -> TARGET`` | the definition around it as well |
//! | `… (word, word)` | how it was found, such as `ctor-local`, and flags: `in-error`, `optional`, `awaited` |
//!
//! | target | meaning |
//! |---|---|
//! | `path::Outer.inner`, `Outer.inner` | a definition of another file, of this file; `#2` behind it is the second of that name |
//! | `path` | a module |
//! | `a \| b` | all of these |
//! | `external:pkg`, `builtin` | a package outside the root; what the language brings along |
//! | `unknown`, `dynamic`, `unresolved`, `no-such-member` | the outcome of that name |
//! | `?` | anything but a definition of the root |
//!
//! The world is closed per kind: name one `call` in a section and every call of every file in it has to be asserted, so
//! that a false edge fails as loudly as a missing one. `call` and `construct` are one kind, and so are a class and its
//! constructor.
//!
//! Words behind the block's language: `broken` (the file does not parse, which has to be said), `stage=2` (replaces or
//! adds the file later; assertions are checked at each stage), `stage=2 delete`. A block `relinked stage=2` lists the
//! files that the change has linked again. `json` and `toml` blocks are configuration files.
//!
//! Every section is run again, and must give the same, with its files in another order, with CRLF, with blank lines
//! above, and by deleting and restoring each file; stages must give the same step by step as from nothing; and files cut
//! off anywhere must neither panic nor leave anything dangling.

mod assertion;
mod check;
mod conformance;
mod fixture;
mod incremental;
mod markdown;
mod propose;
mod rerun;
mod world;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};
use strata_lang::Language;

use crate::fixture::Fixture;

/// The languages that fixtures are written in.
pub type Languages = &'static [&'static dyn Language];

/// Runs the fixtures of all languages: `<folder>/<language>/tests.md`. With `propose` it first writes assertions into
/// sections that have none.
#[must_use]
pub fn run(languages: Languages, folder: &Path, propose: bool) -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let mut documents = Vec::new();
    for language in languages {
        let path = folder.join(language.name()).join("tests.md");
        let Ok(mut text) = std::fs::read_to_string(&path) else {
            continue;
        };
        if propose
            && let Some(proposed) = propose_text(languages, &text)
            && std::fs::write(&path, &proposed).is_ok()
        {
            text = proposed;
        }
        trials.extend(trials_of(
            languages,
            language.name(),
            &path.display().to_string(),
            &text,
        ));
        documents.push((language.family(), text));
    }
    trials.extend(conformance::trials(languages, &documents));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Checks every section of a text and returns what is wrong with it, reruns included.
#[must_use]
pub fn check_text(languages: Languages, text: &str) -> Vec<String> {
    let mut failures = Vec::new();
    for section in markdown::parse(text) {
        match Fixture::new(languages, &section) {
            Ok(fixture) => {
                failures.extend(check::check(languages, &fixture));
                failures.extend(rerun::rerun(languages, &fixture));
            }
            Err(problems) => failures.extend(problems),
        }
    }
    failures
}

/// The text with assertions in the sections that had none; none when there is no such section.
#[must_use]
pub fn propose_text(languages: Languages, text: &str) -> Option<String> {
    propose::propose(languages, text)
}

fn trials_of(languages: Languages, language: &str, shown: &str, text: &str) -> Vec<Trial> {
    let mut trials = Vec::new();
    for section in markdown::parse(text) {
        let name = match section.group_slug() {
            Some(group) => format!("{language}/{group}/{}", section.slug()),
            None => format!("{language}/{}", section.slug()),
        };
        match Fixture::new(languages, &section) {
            Ok(fixture) => {
                let fixture = Arc::new(fixture);
                let again = Arc::clone(&fixture);
                let (file, same_file) = (shown.to_owned(), shown.to_owned());
                trials.push(Trial::test(name.clone(), move || {
                    verdict(&file, &check::check(languages, &fixture))
                }));
                trials.push(Trial::test(format!("{name}/reruns"), move || {
                    verdict(&same_file, &rerun::rerun(languages, &again))
                }));
            }
            Err(problems) => {
                let file = shown.to_owned();
                trials.push(Trial::test(name, move || verdict(&file, &problems)));
            }
        }
    }
    trials
}

fn verdict(file: &str, failures: &[String]) -> Result<(), libtest_mimic::Failed> {
    if failures.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = failures.iter().map(|failure| format!("{file}:{failure}")).collect();
    Err(lines.join("\n").into())
}
