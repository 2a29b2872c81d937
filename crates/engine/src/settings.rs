//! What a user may set: the keys of `stratigraph.toml` and the variables that say the same.
//!
//! Every key is a line of one table, so a key that is not in the table is an error that names it, wherever it comes
//! from. Variables win over the file. Two keys of one place that stand for the same setting must agree.
//!
//! ```text
//! file      [context] max_file_size_kb = 64      ┐ two spellings of `max_file_size`
//! variable  STRATIGRAPH_MAX_FILE_SIZE=65536      ┘
//! ```

mod intents;
mod keys;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use strata_index::IndexConfig;
use strata_search::IntentTable;
use strata_vfs::DEFAULT_EXCLUDE;
use thiserror::Error;

pub use keys::Origin;
use keys::{Found, Value};

/// Name of the file with the settings, at the root.
pub const SETTINGS_FILE: &str = "stratigraph.toml";
/// Name of the index folder at the root.
pub const INDEX_FOLDER: &str = ".stratigraph";
/// Tokens of a context unless something else is asked for.
const DEFAULT_CONTEXT_BUDGET: usize = 8000;
/// The names that are excluded as build output or tools' folders of one code tree; the rest of the default list is that
/// of the context server, and each part can be set without losing the other.
const N_TREE_EXCLUDE: usize = 5;

/// The settings of one root.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What is indexed, and how.
    pub index: IndexConfig,
    /// The index folder, absolute or relative to the root.
    pub index_path: PathBuf,
    /// Tokens of a context unless something else is asked for.
    pub default_token_budget: usize,
    /// Rules for telling what a task is about.
    pub intents: IntentTable,
    /// Tools that a server lists; none: those of its profile.
    pub listed_tools: Option<Vec<String>>,
    /// Which halves of a result a server sends.
    pub structured: Structured,
    /// Whether a server lists output schemas; none: as its profile does.
    pub has_output_schema: Option<bool>,
    /// Level of the log.
    pub log_level: LogLevel,
    /// Which surfaces are open.
    pub gates: Gates,
    /// What is worth telling the user, such as a setting without effect.
    pub warnings: Vec<String>,
    /// Every setting that was given, with its value and where it came from, by key.
    pub given: Vec<(String, String, Origin)>,
}

/// Which halves of a result a server sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Structured {
    /// Both.
    #[default]
    Auto,
    /// Structured content only.
    On,
    /// Text only.
    Off,
}

/// Level of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LogLevel {
    /// Everything.
    Debug,
    /// What happens.
    #[default]
    Info,
    /// What may be wrong.
    Warning,
    /// What is wrong.
    Error,
}

impl LogLevel {
    /// The word that is set.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Debug => "DEBUG",
            Self::Info => "INFO",
            Self::Warning => "WARNING",
            Self::Error => "ERROR",
        }
    }
}

/// Which surfaces are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gates {
    /// The tools of the code tree.
    pub code_tree: bool,
    /// The tool `code_intelligence`.
    pub code_intelligence: bool,
    /// Indexing without being asked to.
    pub auto_index: bool,
}

/// Why settings cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The file is no TOML.
    #[error("{} is not valid TOML: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
    },
    /// A key that does not exist.
    #[error("unknown setting `{key}` in {origin}{}", hint(nearest.as_deref()))]
    Unknown {
        /// The key as it was written.
        key: String,
        /// Where.
        origin: Origin,
        /// The key that was most likely meant.
        nearest: Option<String>,
    },
    /// A value that does not fit its key.
    #[error("`{key}` in {origin} has to be {expected}, not `{value}`")]
    Value {
        /// The key as it was written.
        key: String,
        /// Where.
        origin: Origin,
        /// The value.
        value: String,
        /// What it has to be.
        expected: String,
    },
    /// Two keys for one setting.
    #[error("`{first}` and `{second}` in {origin} are one setting and have different values, remove one of them")]
    Contradiction {
        /// One key.
        first: String,
        /// The other.
        second: String,
        /// Where.
        origin: Origin,
    },
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!(", did you mean `{nearest}`?"))
}

impl Settings {
    /// Reads the settings of a root: its file, if there is one, and the variables (names and values; those with other
    /// prefixes are passed over).
    pub fn load(root: &Path, variables: &BTreeMap<String, String>) -> Result<Self, SettingsError> {
        let path = root.join(SETTINGS_FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(SettingsError::Read { path, source }),
        };
        Self::parse(&path, &text, variables)
    }

    /// The same from the text of the file.
    pub fn parse(path: &Path, text: &str, variables: &BTreeMap<String, String>) -> Result<Self, SettingsError> {
        let mut found = keys::from_file(path, text)?;
        for (key, value) in keys::from_variables(variables)? {
            found.insert(key, value);
        }
        Self::from_found(&found)
    }

    fn from_found(found: &BTreeMap<&'static str, Found>) -> Result<Self, SettingsError> {
        let value = |key: &str| found.get(key).map(|found| &found.value);
        let flag = |key: &str, default: bool| match value(key) {
            Some(Value::Flag(flag)) => *flag,
            _ => default,
        };
        let number = |key: &str, default: u64| match value(key) {
            Some(Value::Number(number)) => *number,
            _ => default,
        };
        let text = |key: &str| match value(key) {
            Some(Value::Text(text)) if !text.is_empty() => Some(text.clone()),
            _ => None,
        };
        let list = |key: &str| match value(key) {
            Some(Value::List(list)) => Some(list.clone()),
            _ => None,
        };

        let (tree, context) = DEFAULT_EXCLUDE.split_at(N_TREE_EXCLUDE);
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let mut exclude = list("exclude").unwrap_or_else(|| owned(tree));
        for name in list("context.exclude_dirs").unwrap_or_else(|| owned(context)) {
            if !exclude.contains(&name) {
                exclude.push(name);
            }
        }
        let languages = list("context.languages").unwrap_or_default();
        let defaults = IndexConfig::default();
        let index = IndexConfig {
            exclude,
            respect_gitignore: flag("respect_gitignore", true),
            max_file_size: number("max_file_size", IndexConfig::MAX_FILE_SIZE),
            root_alias: text("root_alias"),
            languages: languages
                .into_iter()
                .filter(|language| !language.eq_ignore_ascii_case("auto"))
                .collect(),
            ..defaults
        };
        let intents = match found.get("context.intents") {
            Some(Found {
                value: Value::Table(table),
                origin,
                ..
            }) => intents::with_changes(table, origin)?,
            _ => IntentTable::default(),
        };
        let mut warnings: Vec<String> = Vec::new();
        for (key, found) in found {
            if let Some(warning) = keys::warning(key, &found.value) {
                warnings.push(format!("`{}` in {}: {warning}", found.written, found.origin));
            }
        }
        Ok(Self {
            index,
            index_path: text("cache.path").map_or_else(|| PathBuf::from(INDEX_FOLDER), PathBuf::from),
            default_token_budget: usize::try_from(number("context.default_token_budget", 0))
                .ok()
                .filter(|budget| *budget > 0)
                .unwrap_or(DEFAULT_CONTEXT_BUDGET),
            intents,
            listed_tools: list("mcp.tools"),
            structured: match text("mcp.structured").as_deref() {
                Some("on") => Structured::On,
                Some("off") => Structured::Off,
                _ => Structured::Auto,
            },
            has_output_schema: found.get("mcp.output_schema").map(|_| flag("mcp.output_schema", false)),
            log_level: match text("context.log_level").as_deref() {
                Some("debug") => LogLevel::Debug,
                Some("warning") => LogLevel::Warning,
                Some("error") => LogLevel::Error,
                _ => LogLevel::Info,
            },
            gates: Gates {
                code_tree: flag("enabled", true),
                code_intelligence: flag("gate.code_intelligence", true),
                auto_index: !flag("gate.disable_auto_index", false),
            },
            warnings,
            given: found
                .values()
                .map(|found| (found.written.clone(), found.value.to_string(), found.origin.clone()))
                .collect(),
        })
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::from_found(&BTreeMap::new()).expect("the defaults are valid")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::{LogLevel, Settings, Structured};

    fn parse(text: &str, variables: &[(&str, &str)]) -> Result<Settings, String> {
        let variables: BTreeMap<String, String> = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Settings::parse(Path::new("stratigraph.toml"), text, &variables).map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_given_is_the_default_and_every_documented_key_is_known() {
        let settings = parse("", &[]).unwrap();
        assert_eq!(settings.index, strata_index::IndexConfig::default());
        assert_eq!(settings.default_token_budget, 8000);
        let text = r#"
            enabled = true
            exclude = ["node_modules", "dist", ".git", "bin", "obj"]
            root_alias = ""
            enrich_with_llm = false
            include_statements = false
            respect_gitignore = true
            max_file_size = 1048576
            validate_citations = true
            watch = "auto"
            [embedding]
            provider = "LocalSmartComponents"
            model = ""
            [embedding.local]
            max_concurrency = 4
            [summarizer]
            kind = "None"
            model = "claude-haiku-4-5"
            concurrency = 5
            [vector_store]
            kind = "Sqlite"
            [cache]
            enabled = true
            path = ".stratigraph"
        "#;
        let settings = parse(text, &[]).unwrap();
        assert_eq!(settings.index, strata_index::IndexConfig::default());
        assert_eq!(settings.warnings, Vec::<String>::new());
    }

    #[test]
    fn unknown_keys_are_refused_by_name_with_the_nearest_one() {
        let error = parse("respect_gitignor = true", &[]).unwrap_err();
        assert_eq!(
            error,
            "unknown setting `respect_gitignor` in stratigraph.toml, did you mean `respect_gitignore`?"
        );
        let error = parse("[context]\nfoo = 1", &[]).unwrap_err();
        assert!(error.starts_with("unknown setting `context.foo`"), "{error}");
        let error = parse("", &[("STRATIGRAPH_MAX_FILE_SIZ", "1")]).unwrap_err();
        assert!(
            error.contains("`STRATIGRAPH_MAX_FILE_SIZ`") && error.contains("environment"),
            "{error}"
        );
    }

    #[test]
    fn variables_win_over_the_file() {
        let settings = parse(
            "max_file_size = 10\n[context]\nlog_level = \"ERROR\"",
            &[
                ("STRATIGRAPH_MAX_FILE_SIZE", "20"),
                ("STRATIGRAPH_CONTEXT__LOG_LEVEL", "debug"),
                ("PATH", "/bin"),
            ],
        )
        .unwrap();
        assert_eq!(settings.index.max_file_size, 20);
        assert_eq!(settings.log_level, LogLevel::Debug);
        let settings = parse(
            "",
            &[
                ("SEMTREE_LANGUAGES", "python, go"),
                ("STRATIGRAPH_MCP__STRUCTURED", "off"),
            ],
        )
        .unwrap();
        assert_eq!(settings.index.languages, ["python", "go"]);
        assert_eq!(settings.structured, Structured::Off);
    }

    #[test]
    fn two_keys_for_one_setting_have_to_agree() {
        let settings = parse("max_file_size = 65536\n[context]\nmax_file_size_kb = 64", &[]).unwrap();
        assert_eq!(settings.index.max_file_size, 65536);
        let error = parse("respect_gitignore = true\n[context]\nuse_gitignore = false", &[]).unwrap_err();
        assert!(
            error.contains("`respect_gitignore`") && error.contains("`context.use_gitignore`"),
            "{error}"
        );
        let error = parse("", &[("STRATIGRAPH_INDEX_PATH", "/a"), ("SEMTREE_INDEX_PATH", "/b")]).unwrap_err();
        assert!(error.contains("one setting"), "{error}");
    }

    #[test]
    fn values_are_checked() {
        assert!(
            parse("exclude = \"dist\"", &[])
                .unwrap_err()
                .contains("has to be a list")
        );
        assert!(
            parse("[mcp]\nstructured = \"maybe\"", &[])
                .unwrap_err()
                .contains("auto, on or off")
        );
        assert!(
            parse("", &[("STRATIGRAPH_RESPECT_GITIGNORE", "perhaps")])
                .unwrap_err()
                .contains("true or false")
        );
        assert!(parse("a = ", &[]).unwrap_err().contains("not valid TOML"));
    }

    #[test]
    fn excludes_of_both_keys_add_up() {
        let settings = parse("exclude = [\"gen\"]", &[]).unwrap();
        assert!(settings.index.exclude.iter().any(|name| name == "gen"));
        assert!(settings.index.exclude.iter().any(|name| name == "__pycache__"));
        assert!(!settings.index.exclude.iter().any(|name| name == "node_modules"));
    }

    #[test]
    fn intents_take_triggers_and_changes() {
        let text = "[context.intents.debug]\nlevel = 2\ntriggers = { \"flaky\" = 3 }";
        let table = parse(text, &[]).unwrap().intents;
        let found = table.classify("the flaky worker");
        assert_eq!((found.intent.name(), table.row(found.intent).level), ("debug", 2));
        assert!(
            parse("[context.intents.debgu]\nlevel = 2", &[])
                .unwrap_err()
                .contains("`debug`")
        );
        assert!(
            parse("[context.intents.debug]\nlevel = 7", &[])
                .unwrap_err()
                .contains("0, 1, 2 or 3")
        );
    }

    #[test]
    fn a_setting_without_effect_is_told() {
        let settings = parse("index_mode = \"lazy\"\n[embedding]\nprovider = \"OpenAI\"", &[]).unwrap();
        assert_eq!(settings.warnings.len(), 2, "{:?}", settings.warnings);
    }
}
