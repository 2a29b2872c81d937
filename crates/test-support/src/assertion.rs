//! The assertions behind lines of code.

use strata_model::facts::Reference;
use strata_model::kinds::{NodeKind, RefKind};
use strata_model::outcome::{How, Status};

/// What an assertion speaks of. The world is closed per kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    Def,
    Call,
    Import,
    Extends,
    Implements,
    Type,
    Value,
    Read,
    Write,
    Decorator,
    Render,
    Overrides,
    /// A framework is handed something to call.
    Registers,
    /// A framework hands over what something gives.
    Injects,
    /// A derived call: what is called there without being named.
    Flow,
}

impl Kind {
    /// Every kind with the word it is written by.
    pub(crate) const WORDS: [(&'static str, Self); 16] = [
        ("def", Self::Def),
        ("call", Self::Call),
        ("construct", Self::Call),
        ("import", Self::Import),
        ("extends", Self::Extends),
        ("implements", Self::Implements),
        ("type", Self::Type),
        ("value", Self::Value),
        ("read", Self::Read),
        ("write", Self::Write),
        ("decorator", Self::Decorator),
        ("render", Self::Render),
        ("overrides", Self::Overrides),
        ("registers", Self::Registers),
        ("injects", Self::Injects),
        ("flow", Self::Flow),
    ];

    fn parse(word: &str) -> Option<Self> {
        Self::WORDS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, kind)| *kind)
    }

    /// The word for a kind.
    pub(crate) fn word(self) -> &'static str {
        Self::WORDS
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or("", |(name, _)| name)
    }

    /// The kind under which a reference is asserted.
    pub(crate) fn of(kind: RefKind) -> Self {
        match kind {
            RefKind::Call | RefKind::Construct => Self::Call,
            RefKind::Inherits => Self::Extends,
            RefKind::Implements => Self::Implements,
            RefKind::Import => Self::Import,
            RefKind::Type => Self::Type,
            RefKind::Value => Self::Value,
            RefKind::Read => Self::Read,
            RefKind::Write => Self::Write,
            RefKind::Decorator => Self::Decorator,
            RefKind::Render => Self::Render,
        }
    }
}

/// One assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Assertion {
    /// `def NAME: KIND`.
    Def(String, NodeKind),
    /// `` KIND `name` from OWNER -> EXPECTED (how, flags) ``.
    Edge {
        kind: Kind,
        name: Option<String>,
        owner: Option<String>,
        expected: Expected,
        how: Option<How>,
        flags: u8,
    },
}

impl Assertion {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Def(..) => Kind::Def,
            Self::Edge { kind, .. } => *kind,
        }
    }
}

/// The right-hand side of an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Expected {
    /// These definitions and modules, as written.
    Targets(Vec<String>),
    /// A package outside the root.
    External(String),
    /// An outcome without targets.
    Outcome(Status),
    /// No target in the root.
    Nothing,
}

/// Words for outcomes without targets.
const OUTCOMES: [(&str, Status); 7] = [
    ("builtin", Status::Builtin),
    ("unknown", Status::UnknownReceiver),
    ("dynamic", Status::Dynamic),
    ("unresolved", Status::UnresolvedImport),
    ("no-such-member", Status::NoSuchMember),
    ("generated", Status::Generated),
    ("budget", Status::Budget),
];

impl Expected {
    /// The word for an outcome without targets.
    pub(crate) fn word(status: Status) -> &'static str {
        OUTCOMES
            .iter()
            .find(|(_, it)| *it == status)
            .map_or("?", |(word, _)| word)
    }
}

const FLAGS: [(&str, u8); 3] = [
    ("in-error", Reference::IN_ERROR),
    ("optional", Reference::OPTIONAL),
    ("awaited", Reference::AWAITED),
];

/// The flags of a reference as they are written: nothing, or in brackets.
pub(crate) fn flags_in_words(flags: u8) -> String {
    let words: Vec<&str> = FLAGS
        .iter()
        .filter(|(_, flag)| flags & flag != 0)
        .map(|(word, _)| *word)
        .collect();
    if words.is_empty() {
        String::new()
    } else {
        format!(" [{}]", words.join(", "))
    }
}

/// Cuts a line into code and assertion. The sign has to stand at the start of the line or behind white space.
pub(crate) fn split<'l>(line: &'l str, comment: &str) -> (&'l str, Option<&'l str>) {
    let sign = format!("{comment}~ ");
    for (at, _) in line.match_indices(&sign) {
        if at == 0 || line[..at].ends_with(char::is_whitespace) {
            return (line[..at].trim_end(), Some(line[at + sign.len()..].trim()));
        }
    }
    (line, None)
}

/// Reads an assertion.
pub(crate) fn parse(text: &str) -> Result<Assertion, String> {
    if let Some(rest) = text.strip_prefix("def ") {
        let (name, kind) = rest
            .rsplit_once(": ")
            .ok_or("a definition is written `def NAME: KIND`")?;
        let kind = NodeKind::parse(kind.trim()).ok_or_else(|| format!("no kind of definition: `{kind}`"))?;
        return Ok(Assertion::Def(name.trim().to_owned(), kind));
    }
    let (left, right) = text
        .split_once("->")
        .ok_or("neither `def NAME: KIND` nor `KIND -> TARGET`")?;
    let left = left.trim();
    let (word, rest) = left.split_once(char::is_whitespace).unwrap_or((left, ""));
    let kind = Kind::parse(word)
        .filter(|kind| *kind != Kind::Def)
        .ok_or_else(|| format!("no kind of edge: `{word}`"))?;
    let (name, rest) = read_name(rest.trim())?;
    let owner = match rest.strip_prefix("from ") {
        Some(owner) => Some(owner.trim().to_owned()),
        None if rest.is_empty() => None,
        None => return Err(format!("not understood: `{rest}`")),
    };
    let (target, how, flags) = read_words(right.trim())?;
    Ok(Assertion::Edge {
        kind,
        name,
        owner,
        expected: read_expected(target)?,
        how,
        flags,
    })
}

fn read_name(text: &str) -> Result<(Option<String>, &str), String> {
    let Some(rest) = text.strip_prefix('`') else {
        return Ok((None, text));
    };
    let (name, rest) = rest.split_once('`').ok_or("a name without its closing `")?;
    Ok((Some(name.to_owned()), rest.trim()))
}

fn read_words(text: &str) -> Result<(&str, Option<How>, u8), String> {
    let Some((target, words)) = text.strip_suffix(')').and_then(|text| text.rsplit_once(" (")) else {
        return Ok((text, None, 0));
    };
    let (mut how, mut flags) = (None, 0);
    for word in words.split(',').map(str::trim) {
        if let Some(found) = How::ALL.iter().find(|it| it.name() == word) {
            how = Some(*found);
        } else if let Some((_, flag)) = FLAGS.iter().find(|(name, _)| *name == word) {
            flags |= flag;
        } else {
            return Err(format!("neither a way of finding nor a flag: `{word}`"));
        }
    }
    Ok((target.trim(), how, flags))
}

fn read_expected(text: &str) -> Result<Expected, String> {
    if text.is_empty() {
        return Err("no target".to_owned());
    }
    if text == "?" {
        return Ok(Expected::Nothing);
    }
    if let Some(package) = text.strip_prefix("external:") {
        return Ok(Expected::External(package.to_owned()));
    }
    if let Some((_, status)) = OUTCOMES.iter().find(|(word, _)| *word == text) {
        return Ok(Expected::Outcome(*status));
    }
    Ok(Expected::Targets(
        text.split(" | ").map(|target| target.trim().to_owned()).collect(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_is_cut_off_the_line() {
        assert_eq!(split("x = f()  #~ call -> f", "#"), ("x = f()", Some("call -> f")));
        assert_eq!(split("    //~ call -> f", "//"), ("", Some("call -> f")));
        assert_eq!(split("${x#~ y}", "#"), ("${x#~ y}", None));
        assert_eq!(split("a //~T()", "//"), ("a //~T()", None));
    }

    #[test]
    fn the_parts_of_an_edge_are_read() {
        let parsed = parse("call `run` from A.m -> b.py::B.run | C.run (ctor-local, in-error)");
        let expected = Assertion::Edge {
            kind: Kind::Call,
            name: Some("run".to_owned()),
            owner: Some("A.m".to_owned()),
            expected: Expected::Targets(vec!["b.py::B.run".to_owned(), "C.run".to_owned()]),
            how: Some(How::CtorLocal),
            flags: Reference::IN_ERROR,
        };
        assert_eq!(parsed, Ok(expected));
    }

    #[test]
    fn words_stand_for_outcomes() {
        for (text, expected) in [
            ("call -> ?", Expected::Nothing),
            ("import -> external:numpy", Expected::External("numpy".to_owned())),
            ("call -> unknown", Expected::Outcome(Status::UnknownReceiver)),
        ] {
            assert!(
                matches!(parse(text), Ok(Assertion::Edge { expected: found, .. }) if found == expected),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for text in [
            "call f",
            "calls -> f",
            "def f",
            "def f: thing",
            "call `f -> g",
            "call -> f (guess)",
            "call ->",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
