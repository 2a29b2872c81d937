//! Schemas as clients want them: small, and without keys that strict ones warn of.

use schemars::Schema;
use serde_json::{Map, Value};

/// The schema of a call's arguments: a tool's own and those of every tool.
pub(crate) fn of_arguments(own: Schema, common: Schema) -> Value {
    let (mut own, mut common) = (own.to_value(), common.to_value());
    drop_null(&mut own);
    drop_null(&mut common);
    let mut object = joined(own, common);
    object.insert("additionalProperties".to_owned(), Value::Bool(false));
    Value::Object(object)
}

/// The schema of an answer: a tool's own fields and those of every tool.
pub(crate) fn of_answer(own: Schema, common: Schema) -> Value {
    Value::Object(joined(own.to_value(), common.to_value()))
}

/// The same schema of arguments in fewer tokens: without descriptions that the name, the type or the words say again.
#[must_use]
pub fn compact(mut schema: Value) -> Value {
    if let Value::Object(object) = &mut schema {
        object.remove("additionalProperties");
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties {
            let is_plain = crate::tool::COMMON.contains(&name.as_str())
                || property["type"] == "boolean"
                || property.get("enum").is_some()
                || property["items"].get("enum").is_some();
            if is_plain && let Value::Object(property) = property {
                property.remove("description");
            }
        }
    }
    schema
}

fn joined(own: Value, common: Value) -> Map<String, Value> {
    let (mut own, common) = (tidied(own), tidied(common));
    for key in ["properties", "required", "$defs"] {
        match (own.get_mut(key), common.get(key)) {
            (Some(Value::Object(own)), Some(Value::Object(common))) => own.extend(common.clone()),
            (Some(Value::Array(own)), Some(Value::Array(common))) => own.extend(common.iter().cloned()),
            (None, Some(common)) => {
                own.insert(key.to_owned(), common.clone());
            }
            _ => {}
        }
    }
    own.remove("description");
    own
}

fn tidied(mut value: Value) -> Map<String, Value> {
    tidy(&mut value);
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// Drops what says nothing to anybody: number formats, titles and defaults, which the descriptions name.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for key in ["$schema", "title", "format", "default"] {
                // A property may have such a name; then its value is a schema.
                if object.get(key).is_some_and(|value| !value.is_object()) {
                    object.remove(key);
                }
            }
            // The bounds of number formats; what is too large is clamped, and the answer says so.
            for key in ["minimum", "maximum"] {
                if object.get(key).is_some_and(Value::is_number) {
                    object.remove(key);
                }
            }
            object.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Drops `null` beside a type: leaving an argument out is the way to say nothing.
fn drop_null(value: &mut Value) {
    match value {
        Value::Object(object) => {
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|kind| kind != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    object.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(words)) = object.get_mut("enum") {
                words.retain(|word| !word.is_null());
            }
            if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
                choices.retain(|choice| choice.get("type") != Some(&Value::from("null")));
                if let [Value::Object(only)] = choices.as_slice() {
                    let only = only.clone();
                    object.remove("anyOf");
                    object.extend(only);
                }
            }
            object.values_mut().for_each(drop_null);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_null),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
