//! Arguments that are one of a few words, or a set of them.
//!
//! The same type reads a word from JSON and from the command line, in any case, and lists the words in the schema. A set
//! is written as an array or as one text with commas.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use strata_model::kinds::{EdgeKind, NodeKind, NodeLevel};

/// What an argument may be, with the word for each.
pub(crate) trait Words: Copy + PartialEq + fmt::Debug + 'static {
    /// The words in the order in which they are shown.
    fn all() -> Vec<(&'static str, Self)>;
}

/// One of the words of `T`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Word<T>(pub(crate) T);

/// Some of the words of `T`, in the order given, each once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WordSet<T>(pub(crate) Vec<T>);

impl<T> Default for WordSet<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

fn parse<T: Words>(text: &str) -> Result<T, String> {
    let text = text.trim();
    let all = T::all();
    all.iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(text))
        .map(|(_, value)| *value)
        .ok_or_else(|| {
            let words: Vec<&str> = all.iter().map(|(word, _)| *word).collect();
            format!("`{text}` is none of {}", words.join(", "))
        })
}

fn spelled<T: Words>(value: T) -> &'static str {
    T::all()
        .into_iter()
        .find(|(_, known)| *known == value)
        .map_or("", |(word, _)| word)
}

impl<T: Words> FromStr for Word<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse(text).map(Self)
    }
}

impl<T: Words> FromStr for WordSet<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut set = Vec::new();
        for word in text.split(',').filter(|word| !word.trim().is_empty()) {
            let value = parse(word)?;
            if !set.contains(&value) {
                set.push(value);
            }
        }
        Ok(Self(set))
    }
}

impl<'de, T: Words> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl<'de, T: Words> Deserialize<'de> for WordSet<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SetVisitor<T>(std::marker::PhantomData<T>);

        impl<'de, T: Words> Visitor<'de> for SetVisitor<T> {
            type Value = WordSet<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of words, or one text with commas")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut set = Vec::new();
                while let Some(Word(value)) = seq.next_element::<Word<T>>()? {
                    if !set.contains(&value) {
                        set.push(value);
                    }
                }
                Ok(WordSet(set))
            }
        }

        deserializer.deserialize_any(SetVisitor(std::marker::PhantomData))
    }
}

impl<T: Words> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(spelled(self.0))
    }
}

impl<T: Words> JsonSchema for Word<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Word".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = T::all().into_iter().map(|(word, _)| word).collect();
        json_schema!({ "type": "string", "enum": words })
    }
}

impl<T: Words> JsonSchema for WordSet<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "WordSet".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let item = Word::<T>::json_schema(generator);
        json_schema!({ "type": "array", "items": item })
    }
}

impl Words for NodeLevel {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.iter().map(|level| (level.name(), *level)).collect()
    }
}

impl Words for NodeKind {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.iter().map(|kind| (kind.name(), *kind)).collect()
    }
}

impl Words for EdgeKind {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.iter().map(|kind| (kind.name(), *kind)).collect()
    }
}

#[cfg(test)]
mod tests {
    use strata_model::kinds::{NodeKind, NodeLevel};

    use super::{Word, WordSet};

    #[test]
    fn words_are_read_in_any_case_and_written_exactly() {
        let level: Word<NodeLevel> = serde_json::from_str("\"l2_module\"").unwrap();
        assert_eq!(serde_json::to_string(&level).unwrap(), "\"L2_Module\"");
        let error = serde_json::from_str::<Word<NodeLevel>>("\"L9\"")
            .unwrap_err()
            .to_string();
        assert!(error.contains("`L9` is none of L0_Monorepo, L1_Package"), "{error}");
    }

    #[test]
    fn a_set_is_an_array_or_a_text_with_commas() {
        let expected = WordSet(vec![NodeKind::Class, NodeKind::Method]);
        assert_eq!(
            serde_json::from_str::<WordSet<NodeKind>>("\"class, Method,class\"").unwrap(),
            expected
        );
        assert_eq!(
            serde_json::from_str::<WordSet<NodeKind>>("[\"Class\",\"method\"]").unwrap(),
            expected
        );
        assert!(serde_json::from_str::<WordSet<NodeKind>>("[\"Klass\"]").is_err());
    }
}
