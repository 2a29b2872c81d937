//! The table of keys, and reading it from the file and from variables.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::SettingsError;

/// Where a setting came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file of the root.
    File(PathBuf),
    /// A variable of the environment.
    Environment,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.file_name().unwrap_or(path.as_os_str()).display()),
            Self::Environment => f.write_str("the environment"),
        }
    }
}

/// A setting as it was found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) value: Value,
    /// The key or variable as it was written.
    pub(super) written: String,
    pub(super) origin: Origin,
}

/// A value in the form that its key wants.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Flag(bool),
    Number(u64),
    Text(String),
    List(Vec<String>),
    Table(toml::Table),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::List(list) => f.write_str(&list.join(",")),
            Self::Table(table) => write!(f, "{table}"),
        }
    }
}

/// What a key holds.
#[derive(Clone, Copy)]
enum Kind {
    Flag,
    Number,
    Text,
    /// One of these words, in any case; stored in lower case.
    Word(&'static [&'static str]),
    List,
    Table,
    /// A flag or one of these words.
    FlagOrWord(&'static [&'static str]),
}

impl Kind {
    fn expected(self) -> String {
        match self {
            Self::Flag => "true or false".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Word(words) => one_of(words),
            Self::List => "a list of texts".to_owned(),
            Self::Table => "a table".to_owned(),
            Self::FlagOrWord(words) => format!("true, false, {}", one_of(words)),
        }
    }
}

fn one_of(words: &[&str]) -> String {
    match words {
        [init @ .., last] if !init.is_empty() => format!("{} or {last}", init.join(", ")),
        _ => words.concat(),
    }
}

/// Whether a setting does something yet.
#[derive(Clone, Copy)]
enum Effect {
    /// It does.
    Works,
    /// Only its default does: any other value is answered with a warning.
    Only(&'static [&'static str]),
    /// It has no effect, whatever its value.
    Never(&'static str),
}

struct Key {
    /// As it is written in the file, with its section.
    name: &'static str,
    kind: Kind,
    effect: Effect,
}

const fn key(name: &'static str, kind: Kind, effect: Effect) -> Key {
    Key { name, kind, effect }
}

const PROVIDERS: &[&str] = &["none", "onnx", "openai", "ollama", "localsmartcomponents"];
const STORES: &[&str] = &[
    "inmemory", "redis", "chromadb", "pinecone", "lancedb", "sqlite", "postgres", "qdrant",
];
const NO_VECTORS: &str = "vectors are not part of this version, search is lexical";
const NO_SUMMARIES: &str = "summaries are not part of this version";

/// Every key. Names that start with `gate.` have no place in the file.
const KEYS: &[Key] = &[
    key("enabled", Kind::Flag, Effect::Works),
    key("exclude", Kind::List, Effect::Works),
    key("root_alias", Kind::Text, Effect::Works),
    key("enrich_with_llm", Kind::Flag, Effect::Only(&["false"])),
    key("include_statements", Kind::Flag, Effect::Only(&["false"])),
    key("respect_gitignore", Kind::Flag, Effect::Works),
    key("max_file_size", Kind::Number, Effect::Works),
    key("validate_citations", Kind::Flag, Effect::Only(&["true"])),
    key("watch", Kind::FlagOrWord(&["auto"]), Effect::Only(&["auto", "false"])),
    key(
        "index_mode",
        Kind::Text,
        Effect::Never("it changes nothing, the index is always kept fresh"),
    ),
    key(
        "embedding.provider",
        Kind::Word(PROVIDERS),
        Effect::Only(&["none", "localsmartcomponents"]),
    ),
    key("embedding.model", Kind::Text, Effect::Only(&[""])),
    key("embedding.api_key", Kind::Text, Effect::Never(NO_VECTORS)),
    key("embedding.base_url", Kind::Text, Effect::Never(NO_VECTORS)),
    key("embedding.dimensions", Kind::Number, Effect::Never(NO_VECTORS)),
    key("embedding.max_text_chars", Kind::Number, Effect::Never(NO_VECTORS)),
    key("embedding.local.model_path", Kind::Text, Effect::Never(NO_VECTORS)),
    key("embedding.local.max_concurrency", Kind::Number, Effect::Works),
    key(
        "summarizer.kind",
        Kind::Word(&["none", "anthropic", "openai"]),
        Effect::Only(&["none"]),
    ),
    key("summarizer.model", Kind::Text, Effect::Works),
    key("summarizer.api_key", Kind::Text, Effect::Never(NO_SUMMARIES)),
    key("summarizer.base_url", Kind::Text, Effect::Never(NO_SUMMARIES)),
    key("summarizer.max_tokens", Kind::Number, Effect::Works),
    key("summarizer.concurrency", Kind::Number, Effect::Works),
    key(
        "vector_store.kind",
        Kind::Word(STORES),
        Effect::Only(&["sqlite", "inmemory"]),
    ),
    key("cache.enabled", Kind::Flag, Effect::Only(&["true"])),
    key("cache.path", Kind::Text, Effect::Works),
    key(
        "context.include_extensions",
        Kind::List,
        Effect::Never("file trees show the indexed files"),
    ),
    key("context.languages", Kind::List, Effect::Works),
    key("context.exclude_dirs", Kind::List, Effect::Works),
    key("context.default_token_budget", Kind::Number, Effect::Works),
    key("context.git_context", Kind::Flag, Effect::Only(&["true"])),
    key("context.rerank", Kind::Flag, Effect::Only(&["true"])),
    key(
        "context.tokenizer",
        Kind::Word(&["estimate", "cl100k"]),
        Effect::Only(&["estimate"]),
    ),
    key("context.mcp_host", Kind::Text, Effect::Only(&["127.0.0.1"])),
    key("context.mcp_port", Kind::Number, Effect::Only(&["8000"])),
    key(
        "context.log_level",
        Kind::Word(&["debug", "info", "warning", "error"]),
        Effect::Works,
    ),
    key("context.intents", Kind::Table, Effect::Works),
    key("mcp.tools", Kind::List, Effect::Works),
    key("mcp.structured", Kind::Word(&["auto", "on", "off"]), Effect::Works),
    key("mcp.output_schema", Kind::Flag, Effect::Works),
    key("gate.code_intelligence", Kind::Flag, Effect::Works),
    key("gate.disable_auto_index", Kind::Flag, Effect::Works),
];

/// Other spellings of a key, with the factor of a number.
const ALIASES: &[(&str, &str, u64)] = &[
    ("context.max_file_size_kb", "max_file_size", 1024),
    ("context.use_gitignore", "respect_gitignore", 1),
    ("context.index_path", "cache.path", 1),
];

/// Variables that are not made of their key's name.
const VARIABLES: &[(&str, &str)] = &[
    ("INDEX_PATH", "cache.path"),
    ("LANGUAGES", "context.languages"),
    ("LOG_LEVEL", "context.log_level"),
    ("EXPERIMENTAL_CODE_INTELLIGENCE", "gate.code_intelligence"),
    ("DISABLE_AUTO_INDEX", "gate.disable_auto_index"),
];

/// Variables that others read, or that open surfaces which do not exist yet.
const PASSED_OVER: &[&str] = &[
    "ROOT",
    "EXPERIMENTAL",
    "EXPERIMENTAL_LSP_TOOL",
    "EXPERIMENTAL_DEBUG_ENGINE",
    "LSP_CACHE",
    "AUDIT_SYNC",
    "DISABLE_LSP_DOWNLOAD",
];

const PREFIX: &str = "STRATIGRAPH_";
/// The prefix of the gates' variables that is read too.
const GATE_PREFIX: &str = "AX_CODE_";
/// Another prefix, for a few variables only.
const CONTEXT_PREFIX: &str = "SEMTREE_";
const CONTEXT_VARIABLES: &[&str] = &["INDEX_PATH", "LANGUAGES", "MAX_FILE_SIZE", "LOG_LEVEL"];

/// Reads the file.
pub(super) fn from_file(path: &Path, text: &str) -> Result<BTreeMap<&'static str, Found>, SettingsError> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| SettingsError::Syntax {
        path: path.to_owned(),
        message: error.to_string(),
    })?;
    let mut reader = Reader {
        origin: Origin::File(path.to_owned()),
        found: BTreeMap::new(),
    };
    reader.table("", &table)?;
    Ok(reader.found)
}

/// Reads the variables.
pub(super) fn from_variables(
    variables: &BTreeMap<String, String>,
) -> Result<BTreeMap<&'static str, Found>, SettingsError> {
    let mut reader = Reader {
        origin: Origin::Environment,
        found: BTreeMap::new(),
    };
    for (variable, value) in variables {
        let name = if let Some(name) = variable.strip_prefix(PREFIX) {
            name
        } else if let Some(name) = variable
            .strip_prefix(CONTEXT_PREFIX)
            .filter(|name| CONTEXT_VARIABLES.contains(name))
        {
            name
        } else if let Some(name) = variable.strip_prefix(GATE_PREFIX).filter(|name| {
            VARIABLES
                .iter()
                .any(|(gate, key)| gate == name && key.starts_with("gate."))
        }) {
            name
        } else {
            continue;
        };
        if PASSED_OVER.contains(&name) {
            continue;
        }
        let key = VARIABLES
            .iter()
            .find(|(special, _)| *special == name)
            .map_or_else(|| name.to_lowercase().replace("__", "."), |(_, key)| (*key).to_owned());
        let Some((key, factor)) = lookup(&key) else {
            return Err(SettingsError::Unknown {
                key: variable.clone(),
                origin: Origin::Environment,
                nearest: nearest(&key).map(|key| format!("{PREFIX}{}", key.replace('.', "__").to_uppercase())),
            });
        };
        reader.take(variable, key, factor, from_text(key.kind, value).ok_or(value.as_str()))?;
    }
    Ok(reader.found)
}

/// What to tell about a setting that does nothing.
pub(super) fn warning(name: &str, value: &Value) -> Option<String> {
    let key = KEYS.iter().find(|key| key.name == name)?;
    match key.effect {
        Effect::Works => None,
        Effect::Never(reason) => Some(reason.to_owned()),
        Effect::Only(values) => {
            let shown = value.to_string();
            (!values.contains(&shown.as_str())).then(|| format!("`{shown}` has no effect in this version"))
        }
    }
}

struct Reader {
    origin: Origin,
    found: BTreeMap<&'static str, Found>,
}

impl Reader {
    fn table(&mut self, prefix: &str, table: &toml::Table) -> Result<(), SettingsError> {
        for (name, value) in table {
            let written = if prefix.is_empty() {
                name.clone()
            } else {
                format!("{prefix}.{name}")
            };
            if let Some((key, factor)) = lookup(&written).filter(|(key, _)| !key.name.starts_with("gate.")) {
                let shown = value.to_string();
                self.take(&written, key, factor, from_toml(key.kind, value).ok_or(shown.as_str()))?;
            } else if let toml::Value::Table(inner) = value
                && KEYS.iter().any(|key| key.name.starts_with(&format!("{written}.")))
            {
                self.table(&written, inner)?;
            } else {
                let nearest = nearest(&written).map(str::to_owned);
                return Err(SettingsError::Unknown {
                    key: written,
                    origin: self.origin.clone(),
                    nearest,
                });
            }
        }
        Ok(())
    }

    fn take(
        &mut self,
        written: &str,
        key: &'static Key,
        factor: u64,
        value: Result<Value, &str>,
    ) -> Result<(), SettingsError> {
        let value = match value {
            Ok(Value::Number(number)) => Value::Number(number.saturating_mul(factor)),
            Ok(value) => value,
            Err(shown) => {
                return Err(SettingsError::Value {
                    key: written.to_owned(),
                    origin: self.origin.clone(),
                    value: shown.to_owned(),
                    expected: key.kind.expected(),
                });
            }
        };
        let found = Found {
            value,
            written: written.to_owned(),
            origin: self.origin.clone(),
        };
        match self.found.get(key.name) {
            Some(other) if other.value != found.value => Err(SettingsError::Contradiction {
                first: other.written.clone(),
                second: found.written,
                origin: self.origin.clone(),
            }),
            Some(_) => Ok(()),
            None => {
                self.found.insert(key.name, found);
                Ok(())
            }
        }
    }
}

fn lookup(written: &str) -> Option<(&'static Key, u64)> {
    let (name, factor) = ALIASES
        .iter()
        .find(|(alias, _, _)| *alias == written)
        .map_or((written, 1), |(_, name, factor)| (*name, *factor));
    KEYS.iter().find(|key| key.name == name).map(|key| (key, factor))
}

fn nearest(written: &str) -> Option<&'static str> {
    let names = KEYS
        .iter()
        .map(|key| key.name)
        .chain(ALIASES.iter().map(|(alias, _, _)| *alias));
    names
        .filter(|name| !name.starts_with("gate."))
        .map(|name| (strsim::levenshtein(name, written), name))
        .min()
        .filter(|(distance, _)| *distance <= 4)
        .map(|(_, name)| name)
}

fn from_toml(kind: Kind, value: &toml::Value) -> Option<Value> {
    match (kind, value) {
        (Kind::Flag | Kind::FlagOrWord(_), toml::Value::Boolean(flag)) => Some(Value::Flag(*flag)),
        (Kind::Number, toml::Value::Integer(number)) => u64::try_from(*number).ok().map(Value::Number),
        (Kind::Text, toml::Value::String(text)) => Some(Value::Text(text.clone())),
        (Kind::Word(words) | Kind::FlagOrWord(words), toml::Value::String(text)) => word(words, text),
        (Kind::List, toml::Value::Array(items)) => items
            .iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
            .map(Value::List),
        (Kind::List, toml::Value::String(text)) if text.eq_ignore_ascii_case("auto") => {
            Some(Value::List(vec![text.clone()]))
        }
        (Kind::Table, toml::Value::Table(table)) => Some(Value::Table(table.clone())),
        _ => None,
    }
}

fn from_text(kind: Kind, text: &str) -> Option<Value> {
    let flag = || match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "on" | "yes" => Some(Value::Flag(true)),
        "0" | "false" | "off" | "no" | "" => Some(Value::Flag(false)),
        _ => None,
    };
    match kind {
        Kind::Flag => flag(),
        Kind::Number => text.trim().parse().ok().map(Value::Number),
        Kind::Text => Some(Value::Text(text.to_owned())),
        Kind::Word(words) => word(words, text),
        Kind::FlagOrWord(words) => word(words, text).or_else(flag),
        Kind::List => Some(Value::List(
            text.split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(str::to_owned)
                .collect(),
        )),
        Kind::Table => text.parse().ok().map(Value::Table),
    }
}

fn word(words: &[&str], text: &str) -> Option<Value> {
    words
        .iter()
        .find(|word| word.eq_ignore_ascii_case(text))
        .map(|word| Value::Text((*word).to_owned()))
}
