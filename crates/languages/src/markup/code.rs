//! Writes a template as code.

use std::ops::Range;

use strata_lang::{CodeWriter, Embedded};
use strata_model::kinds::ParseStatus;

use super::scan::is_balanced;
use super::tags::Attribute;

/// What the scripts of a component are written in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ScriptLanguage {
    JavaScript,
    TypeScript,
    Tsx,
}

impl ScriptLanguage {
    /// From the `lang` of a script; none for one that is not read.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "" | "js" | "jsx" | "javascript" | "module" | "text/javascript" | "text/babel" => Some(Self::JavaScript),
            "ts" | "typescript" | "text/typescript" => Some(Self::TypeScript),
            "tsx" => Some(Self::Tsx),
            _ => None,
        }
    }

    pub(crate) fn grammar(self) -> tree_sitter::Language {
        match self {
            Self::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
        }
    }
}

/// The code of a component under construction.
pub(crate) struct ComponentCode<'f> {
    pub(crate) file: &'f [u8],
    pub(crate) writer: CodeWriter<'f>,
    pub(crate) language: ScriptLanguage,
    rendered: Vec<usize>,
    problems: Vec<(ParseStatus, usize, String)>,
    template: Option<usize>,
    /// True for files whose attribute values are spelled as HTML.
    has_entities: bool,
}

impl<'f> ComponentCode<'f> {
    pub(crate) fn new(file: &'f [u8], has_entities: bool) -> Self {
        Self {
            file,
            writer: CodeWriter::new(file),
            language: ScriptLanguage::JavaScript,
            rendered: Vec::new(),
            problems: Vec::new(),
            template: None,
            has_entities,
        }
    }

    /// The text of a range of the file.
    pub(crate) fn text(&self, range: Range<usize>) -> &'f str {
        self.file
            .get(range)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or("")
    }

    pub(crate) fn problem(&mut self, at: usize, message: impl Into<String>) {
        self.problems.push((ParseStatus::Partial, at, message.into()));
    }

    /// Writes a script; its languages are the richest of all scripts.
    pub(crate) fn script(&mut self, attributes: &[Attribute], content: Range<usize>) {
        let lang = self.value_of(attributes, "lang").or(self.value_of(attributes, "type"));
        let lang = lang.unwrap_or("").to_ascii_lowercase();
        let Some(language) = ScriptLanguage::named(&lang) else {
            self.problem(content.start, format!("a script in `{lang}` is not read"));
            return;
        };
        self.language = self.language.max(language);
        self.writer.glue("\n;");
        self.writer.copy(content);
        self.writer.glue("\n;");
    }

    /// The value of an attribute.
    pub(crate) fn value_of(&self, attributes: &[Attribute], name: &str) -> Option<&'f str> {
        let attribute = attributes
            .iter()
            .find(|attribute| self.text(attribute.name.clone()) == name)?;
        Some(attribute.value.clone().map_or("", |value| self.text(value)))
    }

    // ---- the template -------------------------------------------------------------------------------------------------

    /// Starts the template: a function, which runs when all scripts have.
    pub(crate) fn begin_template(&mut self) {
        self.writer.glue("\n;");
        self.template.get_or_insert(self.writer.len());
        self.writer.glue("(async () => {\n");
    }

    pub(crate) fn end_template(&mut self) {
        self.writer.glue("\n});\n");
    }

    /// True when code has an end of its own, and cannot swallow what is written behind it.
    pub(crate) fn is_whole(&mut self, range: &Range<usize>) -> bool {
        let code = self.text(range.clone());
        if code.trim().is_empty() {
            return false;
        }
        if is_balanced(code.as_bytes()) {
            return true;
        }
        self.problem(range.start, "syntax error in the template");
        false
    }

    /// Writes an expression that is used.
    pub(crate) fn expression(&mut self, range: Range<usize>) {
        self.between(";(", range, "\n);");
    }

    /// Writes statements, such as an event handler's.
    pub(crate) fn statements(&mut self, range: Range<usize>) {
        self.between(";{", range, "\n}");
    }

    /// Writes code with glue around it, if it is whole; true then.
    pub(crate) fn between(&mut self, before: &str, range: Range<usize>, after: &str) -> bool {
        if !self.is_whole(&range) {
            return false;
        }
        self.writer.glue(before);
        self.copy(range);
        self.writer.glue(after);
        true
    }

    /// Copies code, with the entities of HTML read.
    pub(crate) fn copy(&mut self, range: Range<usize>) {
        if !self.has_entities {
            self.writer.copy(range);
            return;
        }
        let mut start = range.start;
        while let Some(step) = self.file[start..range.end].iter().position(|byte| *byte == b'&') {
            let at = start + step;
            let rest = &self.file[at..range.end];
            let entity = [
                ("&quot;", "\""),
                ("&apos;", "'"),
                ("&#39;", "'"),
                ("&amp;", "&"),
                ("&lt;", "<"),
                ("&gt;", ">"),
            ]
            .into_iter()
            .find(|(spelled, _)| rest.starts_with(spelled.as_bytes()));
            let length = entity.map_or(1, |(spelled, _)| spelled.len());
            match entity {
                Some((_, character)) => {
                    self.writer.copy(start..at);
                    self.writer.atom(character, at..at + length);
                }
                None => self.writer.copy(start..at + length),
            }
            start = at + length;
        }
        self.writer.copy(start..range.end);
    }

    /// Writes the name of a component that a tag renders.
    pub(crate) fn rendered(&mut self, tag: Range<usize>, name: &str) {
        self.writer.glue(";");
        if !name.contains('.') {
            self.rendered.push(self.writer.len());
        }
        if self.text(tag.clone()) == name {
            self.writer.copy(tag);
        } else {
            self.writer.atom(name, tag);
        }
        self.writer.glue(";");
    }

    pub(crate) fn finish(self) -> Embedded {
        let template = self.template.unwrap_or(self.writer.len());
        let mut embedded = Embedded::new(self.writer, self.language.grammar());
        embedded.template = template;
        embedded.rendered = self.rendered;
        embedded.problems = self.problems;
        embedded
    }
}

/// True for a name that can stand alone in code.
pub(crate) fn is_identifier(text: &str) -> bool {
    !text.starts_with(|it: char| it.is_ascii_digit())
        && !text.is_empty()
        && text.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '$'))
}

/// `user-card` as `UserCard`, or as `userCard`.
pub(crate) fn camel(text: &str, is_capitalized: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_next_upper = is_capitalized;
    for character in text.chars() {
        match character {
            '-' => is_next_upper = true,
            _ if is_next_upper => {
                out.extend(character.to_uppercase());
                is_next_upper = false;
            }
            _ => out.push(character),
        }
    }
    out
}
