//! What a tool is, and what every tool has in common: the arguments `root`, `budget` and `cursor`, the fields that say
//! what an answer rests on, and cutting answers to their budget.
//!
//! A tool is one file with a type that implements [`Tool`]. [`entry`] turns it into a [`ToolEntry`] of plain data and
//! function pointers, which is all that the command line and a server know of it.

use std::fmt;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strata_engine::{Control, Coverage, Engine, IndexState, Roots, View, chars_of_tokens};

use crate::cursor::{fingerprint, parse_cursor, write_cursor};
use crate::error::{ErrorCode, ToolError};
use crate::fit::{Detail, Items, Window, clip_object, clip_text, fit, serialized_chars};
use crate::redacted::{redact_object, redact_text};
use crate::schema;

/// Tokens of an answer unless something else is asked for.
pub(crate) const DEFAULT_BUDGET: u32 = 2000;
/// Fewer tokens are not enough for an answer.
const MIN_BUDGET: u32 = 200;
/// More tokens are cut by clients.
const MAX_BUDGET: u32 = 20_000;
/// Characters that are kept free for the note about hidden secrets.
const REDACTION_ROOM: usize = 60;

/// A question, answered by the engine.
pub(crate) trait Tool {
    /// Name in snake case.
    const NAME: &'static str;
    /// The same with dashes, for the command line.
    const VERB: &'static str;
    /// Title for people.
    const TITLE: &'static str;
    /// When to use it, what it answers. The first sentence says what it replaces.
    const DESCRIPTION: &'static str;
    /// The argument that may be written without its name on the command line, if there is one.
    const PRIMARY: Option<&'static str>;
    /// Arguments of an example call, as JSON.
    const EXAMPLE: &'static str;
    /// True when it changes nothing but the index folder.
    const IS_READ_ONLY: bool = true;
    /// Tokens of an answer unless something else is asked for.
    const BUDGET: u32 = DEFAULT_BUDGET;

    /// Arguments.
    type Params: Args + DeserializeOwned + JsonSchema + fmt::Debug;
    /// What it found.
    type Body: Body;

    /// Answers.
    fn run(call: &Call<'_>, params: Self::Params) -> Result<Reply<Self::Body>, ToolError>;
}

/// What a tool found, in a form that can be shown in part.
pub(crate) trait Body {
    /// The structured half.
    type Structured: Serialize + JsonSchema;

    /// Number of items of which some may be left out.
    fn n_items(&self) -> usize {
        0
    }

    /// Items that stay however small the budget is.
    fn min_items(&self) -> usize {
        1
    }

    /// The structured half for a part of the items.
    fn structured(&self, window: &Window) -> Self::Structured;

    /// The text half for a part of the items.
    fn text(&self, window: &Window) -> String;

    /// True when a part shows too much for a reason of its own, whatever its length.
    fn overflows(&self, _window: &Window) -> bool {
        false
    }

    /// True when the text says itself what was left out.
    fn has_own_frame(&self) -> bool {
        false
    }
}

/// What a call brings along besides its arguments.
pub struct Call<'c> {
    /// The roots.
    pub roots: &'c Roots,
    /// How to report progress, and whether to stop.
    pub control: Control<'c>,
    /// True when the user types commands: what is asked for is allowed.
    pub is_local: bool,
    pub(crate) common: CommonParams,
}

impl<'c> Call<'c> {
    /// A call of which the arguments are not known yet.
    #[must_use]
    pub fn new(roots: &'c Roots, control: Control<'c>) -> Self {
        Self {
            roots,
            control,
            is_local: false,
            common: CommonParams::default(),
        }
    }

    /// The engine of the root that the call names.
    pub(crate) fn engine(&self) -> Result<std::sync::Arc<Engine>, ToolError> {
        Ok(self.roots.engine(self.common.root.as_deref())?)
    }

    /// A path as the user wrote it. On the command line a relative one is meant from where the user stands.
    pub(crate) fn path(&self, written: &str, engine: &Engine) -> String {
        let from_here = self.roots.absolute(std::path::Path::new(written));
        if self.is_local && from_here.exists() && !engine.root().join(written).exists() {
            from_here.display().to_string()
        } else {
            written.to_owned()
        }
    }
}

/// The arguments of every tool.
#[derive(Clone, Debug, Default, Args, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct CommonParams {
    /// Folder of the index to ask
    // The command line has a global option of this name.
    #[arg(skip)]
    pub(crate) root: Option<String>,
    /// Most tokens of the answer (200 to 20000)
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<u32>,
    /// `next_cursor` of the last answer
    #[arg(long)]
    pub(crate) cursor: Option<String>,
}

/// Their names.
pub(crate) const COMMON: [&str; 3] = ["root", "budget", "cursor"];

/// How an answer is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It holds what was asked for.
    Ok,
    /// There is nothing of that kind.
    None,
    /// There is something, and where it leads is not known.
    Unresolved,
    /// The index is not ready.
    NotIndexed,
    /// A part that the answer needs is missing.
    BackendFailed,
}

/// What a tool found, and what to say with it.
pub(crate) struct Reply<B> {
    pub(crate) body: B,
    pub(crate) outcome: Outcome,
    pub(crate) notes: Vec<String>,
    pub(crate) index: Option<IndexState>,
    /// Tokens of the answer, when the tool has its own rule.
    pub(crate) budget: Option<u32>,
    /// Tokens of the text half, when that is to be shorter still.
    pub(crate) text_budget: Option<u32>,
    /// The error that the answer reports with its own fields.
    pub(crate) error: Option<ErrorCode>,
    /// What the items depend on besides the arguments: another state makes cursors outdated.
    pub(crate) state_key: String,
}

impl<B> Reply<B> {
    /// A reply that rests on a view.
    pub(crate) fn of(view: &View<'_>, outcome: Outcome, body: B) -> Self {
        Self {
            body,
            outcome,
            notes: view.notes().to_vec(),
            index: Some(view.state().clone()),
            budget: None,
            text_budget: None,
            error: None,
            state_key: format!("{} {}", view.engine().root().display(), view.state().index_id),
        }
    }

    /// A reply that rests on no index.
    pub(crate) fn without_index(outcome: Outcome, body: B) -> Self {
        Self {
            body,
            outcome,
            notes: Vec::new(),
            index: None,
            budget: None,
            text_budget: None,
            error: None,
            state_key: String::new(),
        }
    }

    pub(crate) fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The same as an error whose fields are those of an answer.
    pub(crate) const fn with_error(mut self, code: ErrorCode) -> Self {
        self.error = Some(code);
        self
    }
}

/// An answer, ready to be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The text half.
    pub text: String,
    /// The structured half.
    pub structured: Value,
    /// How it is to be taken; none for an error.
    pub outcome: Option<Outcome>,
    /// The error, if it is one.
    pub error: Option<ErrorCode>,
}

impl Answer {
    /// The answer that says why there is none, in at most as many tokens as an answer may have.
    #[must_use]
    pub fn of_error(error: &ToolError) -> Self {
        Self::of_error_within(error, DEFAULT_BUDGET)
    }

    /// Leaves candidates out until the error fits.
    fn of_error_within(error: &ToolError, budget: u32) -> Self {
        let room = chars_of_tokens(budget.clamp(MIN_BUDGET, MAX_BUDGET) as usize);
        let mut shown = error.clone();
        loop {
            let object = to_object(&shown);
            let text = shown.text();
            let is_within = serialized_chars(&object) <= room && text.chars().count() <= room;
            if is_within || shown.candidates.len() <= 1 {
                return Self::of_rendered_error(error.code, object, text, room);
            }
            shown.candidates.pop();
            shown.message = format!("{}; {} of those are shown", error.message, shown.candidates.len());
        }
    }

    fn of_rendered_error(code: ErrorCode, mut structured: Map<String, Value>, text: String, room: usize) -> Self {
        clip_object(&mut structured, room);
        redact_object(&mut structured);
        Self {
            text: redact_text(&clip_text(text, room)).0,
            structured: Value::Object(structured),
            outcome: None,
            error: Some(code),
        }
    }
}

/// A tool as data and function pointers.
pub struct ToolEntry {
    /// Name in snake case.
    pub name: &'static str,
    /// The verb on the command line: the name with dashes.
    pub verb: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// When to use it, and what it answers.
    pub description: &'static str,
    /// The argument that may be written without its name on the command line.
    pub primary: Option<&'static str>,
    /// Arguments of an example call, as JSON.
    pub example: &'static str,
    /// True when it changes nothing but the index folder.
    pub is_read_only: bool,
    /// The schema of its arguments.
    pub input_schema: fn() -> Value,
    /// The schema of its structured half.
    pub output_schema: fn() -> Value,
    /// Its verb on the command line.
    pub command: fn() -> Command,
    /// Answers a call whose arguments are JSON.
    pub call_json: fn(Call<'_>, Map<String, Value>) -> Answer,
    /// Answers a call from the command line.
    pub call_matches: fn(Call<'_>, &ArgMatches) -> Answer,
}

/// The entry of a tool.
pub(crate) const fn entry<T: Tool>() -> ToolEntry {
    ToolEntry {
        name: T::NAME,
        verb: T::VERB,
        title: T::TITLE,
        description: T::DESCRIPTION,
        primary: T::PRIMARY,
        example: T::EXAMPLE,
        is_read_only: T::IS_READ_ONLY,
        input_schema: input_schema::<T>,
        output_schema: output_schema::<T>,
        command: command::<T>,
        call_json: call_json::<T>,
        call_matches: call_matches::<T>,
    }
}

fn input_schema<T: Tool>() -> Value {
    schema::of_arguments(schema_for!(T::Params), schema_for!(CommonParams))
}

fn output_schema<T: Tool>() -> Value {
    schema::of_answer(schema_for!(<T::Body as Body>::Structured), schema_for!(Frame))
}

fn command<T: Tool>() -> Command {
    let first = T::DESCRIPTION
        .split(". ")
        .next()
        .unwrap_or(T::DESCRIPTION)
        .trim_end_matches('.');
    // The arguments' own documentation would become the verb's: the verb is described last.
    CommonParams::augment_args(T::Params::augment_args(Command::new(T::VERB)))
        .about(first)
        .long_about(T::DESCRIPTION)
}

fn call_matches<T: Tool>(mut call: Call<'_>, matches: &ArgMatches) -> Answer {
    let root = call.common.root.take();
    let parsed = T::Params::from_arg_matches(matches)
        .and_then(|params| CommonParams::from_arg_matches(matches).map(|common| (params, common)));
    match parsed {
        Ok((params, common)) => {
            call.common = CommonParams { root, ..common };
            answer::<T>(&call, params)
        }
        Err(error) => Answer::of_error(&ToolError::invalid(error.to_string())),
    }
}

fn call_json<T: Tool>(mut call: Call<'_>, mut arguments: Map<String, Value>) -> Answer {
    // Models write null for what they leave out.
    arguments.retain(|_, value| !value.is_null());
    let mut common = Map::new();
    for name in COMMON {
        if let Some(value) = arguments.remove(name) {
            common.insert(name.to_owned(), value);
        }
    }
    let parsed = serde_json::from_value::<CommonParams>(Value::Object(common)).and_then(|common| {
        serde_json::from_value::<T::Params>(Value::Object(arguments)).map(|params| (common, params))
    });
    match parsed {
        Ok((common, params)) => {
            call.common = common;
            answer::<T>(&call, params)
        }
        Err(error) => Answer::of_error(&argument_error::<T>(&error.to_string())),
    }
}

/// The error for arguments that do not fit. Serde's messages name the argument or the value.
fn argument_error<T: Tool>(message: &str) -> ToolError {
    let Some(name) = message
        .strip_prefix("unknown field `")
        .and_then(|rest| rest.split('`').next())
    else {
        return ToolError::invalid(format!("{}: {message}", T::NAME));
    };
    let schema = input_schema::<T>();
    let known: Vec<&str> = schema["properties"]
        .as_object()
        .map(|properties| properties.keys().map(String::as_str).collect())
        .unwrap_or_default();
    ToolError::new(
        ErrorCode::UnknownArgument,
        format!("{} has no argument `{name}`; it has {}", T::NAME, known.join(", ")),
    )
}

fn answer<T: Tool>(call: &Call<'_>, params: T::Params) -> Answer {
    let shown = format!("{params:?}");
    let refused = |error: &ToolError| Answer::of_error_within(error, call.common.budget.unwrap_or(DEFAULT_BUDGET));
    match T::run(call, params) {
        Ok(reply) => {
            let key = fingerprint(&[T::NAME, &shown, &reply.state_key]);
            compose(reply, &call.common, T::BUDGET, key).unwrap_or_else(|error| refused(&error))
        }
        Err(error) => refused(&error),
    }
}

/// The fields that every structured half has besides its own.
#[derive(Serialize, JsonSchema)]
struct Frame {
    /// What the answer rests on
    index: Option<IndexOut>,
    /// How the answer is to be taken
    outcome: Outcome,
    /// What else is worth knowing
    notes: Vec<String>,
    /// Pass it as `cursor` for the rest
    next_cursor: Option<String>,
}

/// What an answer rests on.
#[derive(Clone, Serialize, JsonSchema)]
struct IndexOut {
    /// SHA-256 over paths and hashes of the indexed files
    index_id: String,
    /// The commit that is checked out
    commit: Option<String>,
    /// Number of files that differ from the index
    dirty_count: usize,
    /// Some of them
    dirty_paths: Option<Vec<String>>,
    /// Numbers of files
    coverage: Option<CoverageOut>,
    /// Milliseconds since files were compared with the index
    #[serde(skip_serializing_if = "Option::is_none")]
    probe_age_ms: Option<u64>,
}

/// Numbers of files by how well they are covered.
#[derive(Clone, Serialize, JsonSchema)]
struct CoverageOut {
    /// Without any problem
    indexed: u64,
    /// With syntax errors
    partial: u64,
    /// Nothing could be read of them
    failed: u64,
    /// Left out
    skipped: u64,
}

impl From<&IndexState> for IndexOut {
    fn from(state: &IndexState) -> Self {
        let Coverage {
            indexed,
            partial,
            failed,
            skipped,
        } = state.coverage;
        Self {
            index_id: state.index_id.clone(),
            commit: state.commit.clone(),
            dirty_count: state.dirty_count,
            dirty_paths: Some(state.dirty_paths.clone()),
            coverage: Some(CoverageOut {
                indexed,
                partial,
                failed,
                skipped,
            }),
            probe_age_ms: state.probe_age.map(|age| age.as_millis() as u64).filter(|age| *age > 0),
        }
    }
}

/// Cuts both halves to their budget and puts the frame around them.
fn compose<B: Body>(
    reply: Reply<B>,
    common: &CommonParams,
    default_budget: u32,
    key: u64,
) -> Result<Answer, ToolError> {
    let mut notes = reply.notes;
    let asked = reply.budget.or(common.budget).unwrap_or(default_budget);
    let budget = asked.clamp(MIN_BUDGET, MAX_BUDGET);
    if budget != asked {
        notes.push(format!("budget {asked} was set to {budget}"));
    }
    let room = |budget: u32| chars_of_tokens(budget as usize).saturating_sub(REDACTION_ROOM);
    let text_room = room(reply.text_budget.map_or(budget, |most| most.min(budget)));
    let room = room(budget);
    let total = reply.body.n_items();
    let start = match &common.cursor {
        Some(cursor) => parse_cursor(cursor, key, total)?,
        None => 0,
    };
    let index = reply.index.as_ref().map(IndexOut::from);

    let left_out = |window: &Window| {
        let mut notes = Vec::new();
        if window.n_left() > 0 {
            notes.push(format!("{} of {} are left out", window.n_left(), window.total));
        }
        let shown = match window.detail {
            Detail::Full => None,
            Detail::Short => Some("texts are shortened"),
            Detail::Signature => Some("only signatures are shown"),
            Detail::Name => Some("only names are shown"),
        };
        notes.extend(shown.map(|shown| format!("{shown} to fit the budget")));
        notes
    };
    let next = |window: &Window| {
        // Without a step forward a cursor would lead nowhere.
        (window.n_left() > 0 && window.end > window.start).then(|| write_cursor(window.end, key))
    };
    let items = Items {
        start,
        total,
        keep: reply.body.min_items(),
    };

    let structured = |window: Window| {
        let mut object = to_object(&reply.body.structured(&window));
        let frame = Frame {
            index: index.clone(),
            outcome: reply.outcome,
            notes: notes.iter().cloned().chain(left_out(&window)).collect(),
            next_cursor: next(&window),
        };
        object.extend(to_object(&frame));
        let n_chars = if reply.body.overflows(&window) {
            usize::MAX
        } else {
            serialized_chars(&object)
        };
        (object, n_chars)
    };
    let text = |window: Window| {
        let mut text = reply.body.text(&window);
        let has_own_frame = reply.body.has_own_frame();
        let left_out = if has_own_frame { Vec::new() } else { left_out(&window) };
        for note in notes.iter().cloned().chain(left_out) {
            push_line(&mut text, &format!("note: {note}"));
        }
        if let Some(cursor) = next(&window) {
            push_line(&mut text, &format!("more: cursor {cursor}"));
        }
        if let Some(state) = reply
            .index
            .as_ref()
            .filter(|state| !has_own_frame || state.dirty_count > 0)
        {
            push_line(&mut text, &footer(state));
        }
        let n_chars = if reply.body.overflows(&window) {
            usize::MAX
        } else {
            text.chars().count()
        };
        (text, n_chars)
    };

    let mut object = fit(items, room, structured);
    clip_object(&mut object, room);
    let n_hidden = redact_object(&mut object);
    let rendered = fit(items, text_room, text);
    let (mut text, n_hidden_text) = redact_text(&clip_text(rendered, text_room));
    if n_hidden.max(n_hidden_text) > 0 {
        let note = format!("{} secret-shaped values are hidden", n_hidden.max(n_hidden_text));
        if let Some(Value::Array(notes)) = object.get_mut("notes") {
            notes.push(Value::String(note.clone()));
        }
        push_line(&mut text, &format!("note: {note}"));
    }
    Ok(Answer {
        text,
        structured: Value::Object(object),
        outcome: Some(reply.outcome),
        error: reply.error,
    })
}

fn to_object(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => object,
        // Every structured half is a struct with text keys.
        _ => Map::new(),
    }
}

fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(line);
}

/// What an answer rests on, in one line.
fn footer(state: &IndexState) -> String {
    let short = |text: &str, n_chars: usize| text.chars().take(n_chars).collect::<String>();
    let Coverage {
        indexed,
        partial,
        failed,
        skipped,
    } = state.coverage;
    let mut line = format!("[index {}", short(&state.index_id, 8));
    if let Some(commit) = &state.commit {
        line.push_str(&format!(" at commit {}", short(commit, 9)));
    }
    line.push_str(&format!(", {} files", indexed + partial + failed));
    for (number, word) in [
        (partial, "with syntax errors"),
        (failed, "failed"),
        (skipped, "skipped"),
    ] {
        if number > 0 {
            line.push_str(&format!(", {number} {word}"));
        }
    }
    if state.dirty_count > 0 {
        line.push_str(&format!(
            ", STALE: {} changed since ({})",
            state.dirty_count,
            state.dirty_paths.join(", ")
        ));
    }
    line.push(']');
    line
}
