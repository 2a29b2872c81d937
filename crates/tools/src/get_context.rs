//! `get_context`: what somebody needs to know before a task, in a few hundred tokens.
//!
//! Two shapes. The short one lists the best symbols with signature and the first paragraph of their documentation. The
//! full one is asked for by a budget, a level or a file: symbols by file, what is related to them, and the file tree,
//! weighted by what the task is about. Neither ever shows the body of a function.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strata_engine::{
    Context, ContextRequest, FoundSymbol, Freshness, IntentRow, Related, TreeFolder, chars_of_tokens, count_tokens,
    tokens_of_chars,
};
use strata_model::symbol::context_kind;

use crate::error::ToolError;
use crate::fit::Window;
use crate::records::SymbolRecord;
use crate::tool::{Body, Call, Outcome, Reply, Tool};

/// Symbols of the short shape unless something else is asked for.
const SHORT_LIMIT: u32 = 10;
/// Most symbols.
const MAX_LIMIT: u32 = 100;
/// Tokens of the short shape.
const SHORT_TOKENS: u32 = 500;
/// Tokens of the short shape for each symbol that is asked for.
const SHORT_TOKENS_EACH: u32 = 50;
/// Signs of the intent that are shown.
const MAX_TRIGGERS: usize = 3;
/// The tree is added when more tokens than this remain.
const TREE_ROOM: usize = 200;
/// Tokens for what every answer adds: a note, a cursor.
const FRAME_ROOM: usize = 40;
/// Tokens for the fields of a structured answer besides symbols and text.
const FIELD_ROOM: usize = 200;

pub(crate) struct GetContext;

#[derive(Debug, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The task or question in plain words
    #[arg(long)]
    query: String,
    /// Most symbols (10)
    #[arg(long)]
    limit: Option<u32>,
    /// The same as `budget` (8000)
    #[arg(long)]
    token_budget: Option<u32>,
    /// 0 files, 1 names, 2 signatures, 3 documentation
    #[arg(long)]
    level: Option<u8>,
    /// Only this file
    #[arg(long)]
    file: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    /// The task as it was asked
    query: String,
    /// What it is about
    intent: &'static str,
    /// How clear that is, from 0 to 1
    confidence: f64,
    /// The words that say so
    triggers: Vec<String>,
    /// How much is shown of each symbol
    level: u8,
    /// The symbols, the best first
    symbols: Vec<SymbolRecord>,
    /// The same as Markdown
    text: String,
    /// Tokens of the text
    tokens_used: usize,
    /// Tokens that it may have
    token_budget: u32,
    /// True when something was left out
    truncated: bool,
}

pub(crate) struct Answer {
    query: String,
    intent: &'static str,
    row: IntentRow,
    confidence: f64,
    triggers: Vec<String>,
    level: u8,
    context: Context,
    is_short: bool,
    file: Option<String>,
    budget: u32,
}

impl Tool for GetContext {
    const NAME: &'static str = "get_context";
    const VERB: &'static str = "get-context";
    const TITLE: &'static str = "Context for a task";
    const DESCRIPTION: &'static str = "Use first, instead of grep and reading files, when you start a task or have a question about this repository. \
        Returns the signatures and docs that matter, with path and line; never function bodies.";
    const PRIMARY: Option<&'static str> = Some("query");
    const EXAMPLE: &'static str = r#"{ "query": "add logout to the /auth endpoint", "limit": 10 }"#;

    type Params = Params;
    type Body = Answer;

    fn run(call: &Call<'_>, params: Params) -> Result<Reply<Answer>, ToolError> {
        if params.query.trim().is_empty() {
            return Err(ToolError::invalid(
                "query is empty; say in plain words what the task is",
            ));
        }
        if let Some(level) = params.level.filter(|level| *level > 3) {
            return Err(ToolError::invalid(format!("level is 0, 1, 2 or 3, not {level}")));
        }
        let asked_budget = match (params.token_budget, call.common.budget) {
            (Some(a), Some(b)) if a != b => {
                return Err(ToolError::invalid(
                    "token_budget and budget are the same argument; give one of them",
                ));
            }
            (a, b) => a.or(b),
        };
        let engine = call.engine()?;
        let found = engine.settings().intents.classify(&params.query);
        let row = engine.settings().intents.row(found.intent).clone();
        let is_short = asked_budget.is_none() && params.level.is_none() && params.file.is_none();
        let most = if is_short { SHORT_LIMIT } else { row.most_symbols as u32 };
        let asked_limit = params.limit.unwrap_or(most);
        let limit = asked_limit.clamp(1, MAX_LIMIT);
        let level = params
            .level
            .unwrap_or(if params.file.is_some() { 2 } else { row.level });
        let budget = if is_short {
            params
                .limit
                .map_or(SHORT_TOKENS, |_| (SHORT_TOKENS_EACH * limit).max(SHORT_TOKENS))
        } else {
            asked_budget.unwrap_or(engine.settings().default_token_budget as u32)
        };
        let text_budget = params.limit.filter(|_| is_short).map(|_| SHORT_TOKENS_EACH * limit);
        let file = params.file.as_deref().map(|file| call.path(file, &engine));
        let request = ContextRequest {
            query: params.query.clone(),
            limit: limit as usize,
            file,
            has_related: row.has_related && !is_short,
            has_tree: !is_short && (row.has_tree || level == 0),
        };
        engine.ask(Freshness::Prefer, &call.control, |view| {
            let mut context = view.context(&request, &row)?;
            let is_empty =
                context.symbols.is_empty() && (level > 0 || (context.tree.is_empty() && context.file.is_none()));
            if level == 0 {
                context.symbols.clear();
                context.related.clear();
            }
            let body = Answer {
                query: params.query.clone(),
                intent: found.intent.name(),
                row: row.clone(),
                confidence: found.confidence,
                triggers: found.triggers.clone(),
                level,
                file: context.file.as_ref().map(|(path, _, _)| path.clone()),
                context,
                is_short,
                budget,
            };
            let outcome = match (is_empty, view.is_empty()) {
                (false, _) => Outcome::Ok,
                (true, true) if view.is_indexing() => Outcome::NotIndexed,
                (true, _) => Outcome::None,
            };
            let mut reply = Reply::of(view, outcome, body);
            reply.budget = Some(budget);
            reply.text_budget = text_budget;
            if is_empty {
                let nearest = view.nearest_names(params.query.trim())?;
                reply = reply.with_note(match nearest.as_slice() {
                    [] => "nothing matches these words; try the name of a symbol".to_owned(),
                    names => format!("nothing matches these words; nearest names: {}", names.join(", ")),
                });
            }
            if asked_limit != limit {
                reply = reply.with_note(format!("limit {asked_limit} was set to {limit}"));
            }
            Ok(reply)
        })
    }
}

impl Answer {
    fn shown(&self, window: &Window) -> &[FoundSymbol] {
        window.slice(&self.context.symbols, 0)
    }

    fn related(&self, found: &FoundSymbol) -> Option<&Related> {
        self.context
            .related
            .iter()
            .find(|related| related.fqn == found.symbol.fqn)
    }

    fn short_text(&self, window: &Window) -> String {
        let mut text = String::new();
        for found in self.shown(window) {
            let symbol = &found.symbol;
            let _ = writeln!(
                text,
                "[{}] {} {}:{}",
                context_kind(symbol.kind),
                symbol.fqn,
                symbol.path,
                symbol.line()
            );
            if !symbol.signature.is_empty() {
                let _ = writeln!(text, "    {}", symbol.signature);
            }
            if let Some(paragraph) = symbol.doc.as_deref().and_then(first_paragraph) {
                let _ = writeln!(text, "    {paragraph}");
            }
            if let Some(related) = self.related(found) {
                related_lines(&mut text, related);
                // The short shape shows relations only when they were asked for.
                if related.callers.is_empty() {
                    text.push_str("    called by: nobody in this index\n");
                }
            }
        }
        text
    }

    /// With at most this many tokens, as far as leaving out the tree can bring that about.
    fn full_text(&self, window: &Window, max_tokens: usize) -> String {
        let mut text = format!(
            "<!-- stratigraph context | intent={} confidence={:.2} -->\n",
            self.intent, self.confidence
        );
        match &self.file {
            Some(path) => {
                let _ = writeln!(text, "# Context: {path}");
            }
            None => {
                let _ = writeln!(text, "# Code Context for: {}", one_line(&self.query));
            }
        }
        if !self.triggers.is_empty() {
            let shown: Vec<&str> = self.triggers.iter().take(MAX_TRIGGERS).map(String::as_str).collect();
            let _ = writeln!(text, "_Detected: {}_", shown.join(", "));
        }
        if self.level == 0 {
            if let Some((path, language, n_symbols)) = &self.context.file {
                let _ = writeln!(text, "\n{path} ({language}, {n_symbols} symbols)");
            }
        } else {
            text.push_str(&self.symbol_section(window));
        }
        let n_shown = self.shown(window).len();
        if self.file.is_none() && !self.context.tree.is_empty() {
            // What the footer takes is not there for the tree.
            let n_used = count_tokens(&text) + count_tokens(&self.footer(n_shown, 0));
            let room = max_tokens.saturating_sub(n_used + FRAME_ROOM);
            if room > TREE_ROOM || self.level == 0 {
                text.push_str(&self.tree_section(window, chars_of_tokens(room)));
            }
        }
        let n_tokens = tokens_of_chars(text.chars().count() + self.footer(n_shown, 1000).chars().count());
        text.push_str(&self.footer(n_shown, n_tokens));
        text
    }

    fn footer(&self, n_symbols: usize, n_tokens: usize) -> String {
        format!(
            "\n_stratigraph: {n_symbols} symbols, ~{n_tokens} tokens used of {}_\n",
            self.budget
        )
    }

    /// Symbols by file: files in the order of their best symbol, symbols inside a file by line.
    fn symbol_section(&self, window: &Window) -> String {
        let mut order: Vec<&str> = Vec::new();
        let mut by_file: BTreeMap<&str, Vec<&FoundSymbol>> = BTreeMap::new();
        for found in self.shown(window) {
            let path = found.symbol.path.as_str();
            if !by_file.contains_key(path) {
                order.push(path);
            }
            by_file.entry(path).or_default().push(found);
        }
        let mut text = String::new();
        for path in order {
            let _ = writeln!(text, "\n## {path}");
            let Some(symbols) = by_file.get_mut(path) else { continue };
            symbols.sort_by_key(|found| found.symbol.start);
            for found in symbols.iter() {
                self.symbol_lines(&mut text, found);
            }
        }
        text
    }

    fn symbol_lines(&self, text: &mut String, found: &FoundSymbol) {
        let symbol = &found.symbol;
        let kind = context_kind(symbol.kind);
        if self.level == 1 {
            let _ = writeln!(text, "[{kind}] {} (L{})", symbol.name, symbol.start.line);
        } else {
            let _ = writeln!(
                text,
                "[{kind}] {} L{}-{}",
                symbol.name, symbol.start.line, symbol.end.line
            );
            if !symbol.signature.is_empty() {
                let _ = writeln!(text, "    {}", symbol.signature);
            }
            if let Some(doc) = &symbol.doc {
                let n_lines = if self.level == 3 { usize::MAX } else { 1 };
                for line in doc
                    .lines()
                    .map(str::trim_end)
                    .skip_while(|line| line.is_empty())
                    .take(n_lines)
                {
                    let _ = writeln!(text, "    {line}");
                }
            }
        }
        if let Some(related) = self.related(found) {
            related_lines(text, related);
        }
    }

    /// As many folders as there is room for, those nearest to the shown files first.
    fn tree_section(&self, window: &Window, room: usize) -> String {
        const TITLE: &str = "\n## Files\n";
        let shown: Vec<&str> = self
            .shown(window)
            .iter()
            .map(|found| found.symbol.path.as_str())
            .collect();
        let distance = |folder: &TreeFolder| {
            shown
                .iter()
                .map(|path| path_distance(&folder.path, path))
                .min()
                .unwrap_or(0)
        };
        let mut nearest: Vec<&TreeFolder> = self.context.tree.iter().collect();
        nearest.sort_by_key(|folder| (distance(folder), &folder.path));
        let mut n_chars = TITLE.chars().count();
        let mut chosen: Vec<(&str, String)> = Vec::new();
        for folder in nearest {
            let name = if folder.path.is_empty() { "." } else { &folder.path };
            let line = format!("{name}/ {}\n", folder.files.join(" "));
            n_chars += line.chars().count();
            if n_chars > room {
                break;
            }
            chosen.push((&folder.path, line));
        }
        if chosen.is_empty() {
            return String::new();
        }
        chosen.sort();
        chosen
            .into_iter()
            .fold(TITLE.to_owned(), |text, (_, line)| text + &line)
    }
}

/// Number of folders between a folder and a file.
fn path_distance(folder: &str, file: &str) -> usize {
    let split = |path: &str| {
        path.split('/')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (a, mut b) = (split(folder), split(file));
    b.pop();
    let common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    a.len() + b.len() - 2 * common
}

fn related_lines(text: &mut String, related: &Related) {
    for (title, names) in [("called by", &related.callers), ("calls", &related.callees)] {
        if !names.is_empty() {
            let _ = writeln!(text, "    {title}: {}", names.join(", "));
        }
    }
}

/// The lines up to the first empty one, joined.
fn first_paragraph(doc: &str) -> Option<String> {
    let lines = doc
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty());
    let paragraph = lines.collect::<Vec<_>>().join(" ");
    (!paragraph.is_empty()).then_some(paragraph)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Body for Answer {
    type Structured = Output;

    fn n_items(&self) -> usize {
        self.context.symbols.len()
    }

    fn structured(&self, window: &Window) -> Output {
        let symbols: Vec<SymbolRecord> = self
            .shown(window)
            .iter()
            .map(|found| SymbolRecord::of(&found.symbol, found.score, found.source, window.detail, usize::MAX))
            .collect();
        let text = if self.is_short {
            self.short_text(window)
        } else {
            let n_used = serde_json::to_string(&symbols).map_or(0, |json| count_tokens(&json)) + FIELD_ROOM;
            self.full_text(window, (self.budget as usize).saturating_sub(n_used))
        };
        Output {
            query: self.query.clone(),
            intent: self.intent,
            confidence: crate::records::rounded(self.confidence),
            triggers: self.triggers.clone(),
            level: self.level,
            symbols,
            tokens_used: count_tokens(&text),
            text,
            token_budget: self.budget,
            truncated: window.n_left() > 0 || window.start > 0,
        }
    }

    fn text(&self, window: &Window) -> String {
        if self.is_short {
            self.short_text(window)
        } else {
            self.full_text(window, self.budget as usize)
        }
    }

    /// Symbols may not take more than their share of the budget.
    fn overflows(&self, window: &Window) -> bool {
        if self.is_short || window.end - window.start <= 1 {
            return false;
        }
        let share = f64::from(self.budget) * self.row.share;
        count_tokens(&self.symbol_section(window)) as f64 > share
    }

    fn has_own_frame(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{first_paragraph, path_distance};

    #[test]
    fn distances_count_folders_up_and_down() {
        assert_eq!(path_distance("src/a", "src/a/x.py"), 0);
        assert_eq!(path_distance("src", "src/a/x.py"), 1);
        assert_eq!(path_distance("src/b", "src/a/x.py"), 2);
        assert_eq!(path_distance("", "x.py"), 0);
    }

    #[test]
    fn a_paragraph_ends_at_an_empty_line() {
        assert_eq!(first_paragraph("\n a\n b\n\nc").as_deref(), Some("a b"));
        assert_eq!(first_paragraph("\n"), None);
    }
}
