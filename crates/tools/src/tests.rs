//! What holds for every tool of the list.

use serde_json::{Value, json};
use strata_engine::{Control, Manner, Roots, Surroundings, count_tokens};

use crate::tool::Call;
use crate::{ALL, Answer, ErrorCode, find};

/// The schemas as they were last agreed on. `UPDATE_EXPECT=1 cargo test -p strata-tools` writes the file again.
const SCHEMAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/schemas.json");

fn roots() -> Roots {
    Roots::new(Surroundings::default(), None, &[], Manner::OneShot)
}

fn call(name: &str, arguments: Value) -> Answer {
    let roots = roots();
    let tool = find(name).unwrap();
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    (tool.call_json)(Call::new(&roots, Control::default()), arguments)
}

#[test]
fn schemas_are_as_agreed() {
    let schemas: Vec<Value> = ALL
        .iter()
        .map(|tool| {
            json!({
                "name": tool.name,
                "description": tool.description,
                "input": (tool.input_schema)(),
                "output": (tool.output_schema)(),
            })
        })
        .collect();
    let actual = serde_json::to_string_pretty(&schemas).unwrap() + "\n";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(SCHEMAS, &actual).unwrap();
    }
    let expected = std::fs::read_to_string(SCHEMAS).unwrap_or_default();
    assert!(
        actual == expected,
        "the schemas differ from {SCHEMAS}; look at the difference, then run with UPDATE_EXPECT=1"
    );
}

#[test]
fn names_are_short_and_descriptions_say_when_to_use_the_tool() {
    for tool in ALL {
        assert!(tool.name.len() <= 30, "{}", tool.name);
        assert_eq!(tool.verb, tool.name.replace('_', "-"));
        assert!(tool.description.starts_with("Use "), "{}", tool.name);
        assert!(tool.description.len() <= 2048, "{}", tool.name);
        let schema = (tool.input_schema)();
        for argument in ["root", "budget", "cursor"] {
            assert!(
                schema["properties"][argument].is_object(),
                "{} has no {argument}",
                tool.name
            );
        }
        let text = schema.to_string();
        assert!(
            !text.contains("\"format\"") && !text.contains("\"$schema\""),
            "{}: {text}",
            tool.name
        );
        if let Some(primary) = tool.primary {
            assert!(
                (tool.command)()
                    .get_arguments()
                    .any(|argument| argument.get_long() == Some(primary)),
                "{}",
                tool.name
            );
        }
    }
}

#[test]
fn every_argument_of_the_schema_is_a_flag() {
    for tool in ALL {
        let command = (tool.command)();
        let flags: Vec<String> = command
            .get_arguments()
            .filter_map(|argument| argument.get_long().map(str::to_owned))
            .collect();
        let schema = (tool.input_schema)();
        for name in schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .filter(|name| *name != "root")
        {
            let flag = if name == "symbolID" {
                "symbol-id".to_owned()
            } else {
                name.replace('_', "-")
            };
            assert!(flags.contains(&flag), "{} has no --{flag}", tool.name);
        }
        command.debug_assert();
    }
}

#[test]
fn example_calls_fit_their_schemas() {
    for tool in ALL {
        let example: Value = serde_json::from_str(tool.example).unwrap();
        let properties = (tool.input_schema)()["properties"].clone();
        for name in example.as_object().unwrap().keys() {
            assert!(properties[name].is_object(), "{} has no {name}", tool.name);
        }
    }
}

#[test]
fn unknown_arguments_are_refused_by_name() {
    for tool in ALL {
        let answer = call(tool.name, json!({ "tokens": 5 }));
        assert_eq!(
            answer.error,
            Some(ErrorCode::UnknownArgument),
            "{}: {}",
            tool.name,
            answer.text
        );
        assert!(answer.text.contains("`tokens`"), "{}: {}", tool.name, answer.text);
        assert_eq!(answer.structured["code"], "unknown_argument");
    }
}

#[test]
fn wrong_and_missing_arguments_are_named() {
    let answer = call("symbol_detail", json!({}));
    assert_eq!(answer.error, Some(ErrorCode::InvalidArgument));
    assert!(answer.text.contains("`fqn`"), "{}", answer.text);
    let answer = call("codebase_map", json!({ "level": "L7" }));
    assert!(answer.text.contains("`L7` is none of L0_Monorepo"), "{}", answer.text);
    let answer = call("code_intelligence", json!({ "operation": "findCallers", "root": null }));
    assert_eq!(answer.error, Some(ErrorCode::InvalidArgument), "{}", answer.text);
}

#[test]
fn an_index_needs_a_root_path() {
    let answer = call("index_codebase", json!({}));
    assert!(answer.error.is_some());
    assert_eq!(answer.structured["errors"], json!(["root_path is required"]));
    assert_eq!(answer.structured["node_count"], 0);
}

#[test]
fn the_list_of_the_core_tools_is_small() {
    // What a client sees of the six that are listed by default, with room for the two that are to come.
    let listed: Vec<Value> = ALL
        .iter()
        .take(6)
        .map(|tool| {
            let schema = crate::compact((tool.input_schema)());
            json!({ "name": tool.name, "description": tool.description, "inputSchema": schema })
        })
        .collect();
    let n_tokens = count_tokens(&Value::from(listed).to_string());
    assert!(n_tokens <= 1500, "{n_tokens} tokens");
}
