//! Hides secrets in finished answers, so that no tool can forget to.

use serde_json::{Map, Value};
use strata_engine::redact;

/// The text without secrets, and how many there were.
pub(crate) fn redact_text(text: &str) -> (String, usize) {
    let redacted = redact(text);
    (redacted.text.into_owned(), redacted.count)
}

/// Hides the secrets in every text of an object, and counts them.
pub(crate) fn redact_object(object: &mut Map<String, Value>) -> usize {
    object.values_mut().map(redact_value).sum()
}

fn redact_value(value: &mut Value) -> usize {
    match value {
        Value::String(text) => {
            let (redacted, count) = redact_text(text);
            if count > 0 {
                *text = redacted;
            }
            count
        }
        Value::Array(items) => items.iter_mut().map(redact_value).sum(),
        Value::Object(object) => redact_object(object),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
