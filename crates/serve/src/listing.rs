//! Which tools a client sees, and what it sees of them.

use std::str::FromStr;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::Value;
use strata_engine::Settings;
use strata_tools::{ALL, ToolEntry, compact};
use thiserror::Error;

/// A choice of tools. Tools that are not listed can be called all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Profile {
    /// The few that most tasks need; what a client pays for them in every session is small.
    #[default]
    Core,
    /// Every tool, with the schemas of their answers.
    All,
}

/// A word that is no profile.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no profile; there are core and all")]
pub struct UnknownProfile(String);

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(text: &str) -> Result<Self, UnknownProfile> {
        match text.to_ascii_lowercase().as_str() {
            "core" => Ok(Self::Core),
            "all" => Ok(Self::All),
            _ => Err(UnknownProfile(text.to_owned())),
        }
    }
}

/// The tools of the profile `core`, in their order.
const CORE: &[&str] = &[
    "get_context",
    "codebase_search",
    "symbol_detail",
    "symbol_source",
    "flow_trace",
    "impact_analysis",
    "codebase_map",
    "code_intelligence",
];

/// The tools that a client sees.
pub(crate) fn list(profile: Profile, settings: &Settings) -> Vec<Tool> {
    let is_listed = |tool: &ToolEntry| match (&settings.listed_tools, profile) {
        (Some(names), _) => names.iter().any(|name| name == tool.name),
        (None, Profile::Core) => CORE.contains(&tool.name),
        (None, Profile::All) => true,
    };
    let has_output_schema = settings.has_output_schema.unwrap_or(profile != Profile::Core);
    ALL.iter()
        .filter(|tool| is_listed(tool) && is_open(tool, settings))
        .map(|tool| describe(tool, has_output_schema))
        .collect()
}

/// True when no setting removes the tool.
pub(crate) fn is_open(tool: &ToolEntry, settings: &Settings) -> bool {
    match tool.name {
        "code_intelligence" => settings.gates.code_intelligence,
        "get_context" | "search_symbols" | "index_project" => true,
        _ => settings.gates.code_tree,
    }
}

fn describe(tool: &ToolEntry, has_output_schema: bool) -> Tool {
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(tool.is_read_only)
        .idempotent(true)
        .open_world(false);
    let described =
        Tool::new(tool.name, tool.description, object(compact((tool.input_schema)()))).with_annotations(annotations);
    if has_output_schema {
        described.with_raw_output_schema(object((tool.output_schema)()))
    } else {
        described
    }
}

fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(object) => Arc::new(object),
        // Every schema here is that of a struct.
        _ => Arc::new(JsonObject::new()),
    }
}

#[cfg(test)]
mod tests {
    use strata_engine::{Settings, count_tokens};

    use super::{Profile, list};

    #[test]
    fn the_core_list_is_in_order_and_small() {
        let tools = list(Profile::Core, &Settings::default());
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(
            names,
            [
                "get_context",
                "codebase_search",
                "symbol_detail",
                "symbol_source",
                "codebase_map",
                "code_intelligence"
            ]
        );
        let n_tokens = count_tokens(&serde_json::to_string(&tools).unwrap());
        assert!(n_tokens <= 2000, "{n_tokens} tokens");
        for tool in &tools {
            assert!(tool.output_schema.is_none());
            let annotations = tool.annotations.as_ref().unwrap();
            assert!(annotations.title.is_some() && annotations.idempotent_hint.is_some());
            assert_eq!(
                (annotations.read_only_hint, annotations.open_world_hint),
                (Some(true), Some(false))
            );
        }
    }

    #[test]
    fn settings_choose_and_remove_tools() {
        let mut settings = strata_engine::Settings {
            listed_tools: Some(vec!["index_status".to_owned(), "get_context".to_owned()]),
            ..strata_engine::Settings::default()
        };
        let names = |settings: &Settings| {
            list(Profile::Core, settings)
                .into_iter()
                .map(|tool| tool.name.into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&settings), ["get_context", "index_status"]);
        settings.listed_tools = None;
        settings.gates.code_intelligence = false;
        assert!(!names(&settings).contains(&"code_intelligence".to_owned()));
    }

    #[test]
    fn all_lists_everything_with_output_schemas() {
        let tools = list(Profile::All, &Settings::default());
        assert_eq!(tools.len(), strata_tools::ALL.len());
        assert!(tools.iter().all(|tool| tool.output_schema.is_some()));
    }
}
