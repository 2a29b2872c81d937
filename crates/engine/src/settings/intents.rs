//! Changes of the intent tables by `[context.intents]`:
//!
//! ```toml
//! [context.intents.debug]
//! level = 2
//! triggers = { "flaky|unstable" = 2.0 }
//! ```

use strata_search::{Intent, IntentRow, IntentTable, Trigger};

use super::{Origin, SettingsError};

/// The kinds of the context server.
const CONTEXT_KINDS: [&str; 6] = ["function", "method", "class", "constant", "type", "var"];

/// The default table with the changes of the settings.
pub(super) fn with_changes(table: &toml::Table, origin: &Origin) -> Result<IntentTable, SettingsError> {
    let mut intents = IntentTable::default();
    for (name, row) in table {
        let key = format!("context.intents.{name}");
        let Some(intent) = Intent::parse(name) else {
            let names = Intent::ALL.iter().map(|intent| intent.name());
            let nearest = names
                .min_by_key(|known| strsim::levenshtein(known, name))
                .map(str::to_owned);
            return Err(SettingsError::Unknown {
                key,
                origin: origin.clone(),
                nearest,
            });
        };
        let toml::Value::Table(row) = row else {
            return Err(wrong(&key, row, origin, "a table"));
        };
        for (field, value) in row {
            let key = format!("{key}.{field}");
            if field == "triggers" {
                add_triggers(&mut intents, intent, value, &key, origin)?;
            } else {
                change(&mut intents.rows[intent as usize], field, value, &key, origin)?;
            }
        }
    }
    Ok(intents)
}

fn add_triggers(
    intents: &mut IntentTable,
    intent: Intent,
    value: &toml::Value,
    key: &str,
    origin: &Origin,
) -> Result<(), SettingsError> {
    let toml::Value::Table(triggers) = value else {
        return Err(wrong(key, value, origin, "a table of phrases and weights"));
    };
    for (phrase, weight) in triggers {
        let weight = number(weight)
            .filter(|weight| *weight >= 0.0)
            .ok_or_else(|| wrong(&format!("{key}.{phrase}"), weight, origin, "a weight"))?;
        intents.triggers.push(Trigger {
            intent,
            phrase: phrase.to_lowercase(),
            weight,
        });
    }
    Ok(())
}

fn change(
    row: &mut IntentRow,
    field: &str,
    value: &toml::Value,
    key: &str,
    origin: &Origin,
) -> Result<(), SettingsError> {
    let flag = || {
        value
            .as_bool()
            .ok_or_else(|| wrong(key, value, origin, "true or false"))
    };
    let number = || number(value).ok_or_else(|| wrong(key, value, origin, "a number"));
    match field {
        "level" => {
            row.level = match value.as_integer() {
                Some(level @ 0..=3) => level as u8,
                _ => return Err(wrong(key, value, origin, "0, 1, 2 or 3")),
            }
        }
        "share" => row.share = number()?.clamp(0.1, 1.0),
        "most_symbols" => row.most_symbols = number()?.clamp(1.0, 100.0) as usize,
        "kinds_first" => {
            let kinds: Option<Vec<String>> = value
                .as_array()
                .and_then(|kinds| kinds.iter().map(|kind| kind.as_str().map(str::to_owned)).collect());
            row.kinds_first = kinds
                .filter(|kinds| kinds.iter().all(|kind| CONTEXT_KINDS.contains(&kind.as_str())))
                .ok_or_else(|| wrong(key, value, origin, &format!("a list of {}", CONTEXT_KINDS.join(", "))))?;
        }
        "related" => row.has_related = flag()?,
        "git" => row.has_git = flag()?,
        "file_tree" => row.has_tree = flag()?,
        _ => {
            return Err(SettingsError::Unknown {
                key: key.to_owned(),
                origin: origin.clone(),
                nearest: None,
            });
        }
    }
    Ok(())
}

fn number(value: &toml::Value) -> Option<f64> {
    value
        .as_float()
        .or_else(|| value.as_integer().map(|number| number as f64))
}

fn wrong(key: &str, value: &toml::Value, origin: &Origin, expected: &str) -> SettingsError {
    SettingsError::Value {
        key: key.to_owned(),
        origin: origin.clone(),
        value: value.to_string(),
        expected: expected.to_owned(),
    }
}
