//! The format of a pack: a header, an index, and one compressed part a module.
//!
//! ```text
//! length of the header (4 bytes, little endian) | header | parts
//! ```
//!
//! The header is encoded by `bitcode` and says by which extractor and in which layout of facts the parts were written.
//! A pack that does not fit the code at hand is empty: links are then as if there were none.

use std::hash::Hasher;
use std::io::{Read, Write};
use std::sync::{Arc, OnceLock};

use bitcode::{Decode, Encode};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rustc_hash::FxHasher;
use strata_model::facts::{BindSource, FileFacts};
use strata_model::lines::has_line;

/// A family of languages that share a pack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// The family's name, as its languages give it.
    pub name: &'static str,
}

impl Family {
    /// Python.
    pub const PYTHON: Self = Self { name: "python" };
    /// TypeScript and JavaScript.
    pub const ECMASCRIPT: Self = Self { name: "ecmascript" };
}

/// How a pack was made.
#[derive(Clone, PartialEq, Eq, Debug, Encode, Decode)]
pub struct Made {
    /// The layout of facts, [`FileFacts::LAYOUT`].
    pub layout: u32,
    /// The extractor, as `python=2`.
    pub extractor: String,
    /// Where the sources come from.
    pub sources: String,
}

#[derive(Encode, Decode)]
struct Header {
    made: Made,
    /// Modules in order, each with the end of its part.
    index: Vec<(String, u32)>,
    /// Of the modules whose names are looked for one after the other, what they declare: names in order, one a line.
    names: Vec<(String, String)>,
}

/// An opened pack.
pub(crate) struct Pack {
    made: Option<Made>,
    names: Vec<String>,
    parts: Vec<&'static [u8]>,
    decoded: Vec<OnceLock<Option<Arc<FileFacts>>>>,
    declared: Vec<(String, String)>,
    hash: u64,
}

const LENGTH_SIZE: usize = 4;

impl Pack {
    /// Reads the header.
    pub(crate) fn open(bytes: &'static [u8]) -> Self {
        let header = read_header(bytes);
        let mut hasher = FxHasher::default();
        hasher.write(bytes);
        let mut pack = Self {
            made: None,
            names: Vec::new(),
            parts: Vec::new(),
            decoded: Vec::new(),
            declared: Vec::new(),
            hash: hasher.finish(),
        };
        let Some((header, parts)) = header else { return pack };
        if header.made.layout == FileFacts::LAYOUT {
            let mut start = 0;
            for (name, end) in header.index {
                let end = end as usize;
                let Some(part) = parts.get(start..end) else { break };
                pack.names.push(name);
                pack.parts.push(part);
                pack.decoded.push(OnceLock::new());
                start = end;
            }
            pack.declared = header.names;
        }
        pack.made = Some(header.made);
        pack
    }

    pub(crate) fn made(&self) -> Option<&Made> {
        self.made.as_ref()
    }

    pub(crate) const fn hash(&self) -> u64 {
        self.hash
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    pub(crate) fn module(&self, name: &str) -> Option<Arc<FileFacts>> {
        let at = self.names.binary_search_by(|known| known.as_str().cmp(name)).ok()?;
        self.decoded[at].get_or_init(|| decode(self.parts[at])).clone()
    }

    /// Whether a module declares a name, where that is known without decoding it.
    pub(crate) fn declares(&self, module: &str, name: &str) -> Option<bool> {
        let (_, names) = self.declared.iter().find(|(known, _)| known == module)?;
        Some(has_line(names, name))
    }
}

/// What a module declares itself, in order, one a line.
fn declared_names(facts: &FileFacts) -> String {
    let mut names: Vec<&str> = facts
        .module_names
        .iter()
        .filter(|(_, set)| {
            let binds = facts.bind_set(*set).iter();
            binds
                .map(|bind| facts.bindings[bind.ix()].source)
                .any(|it| !matches!(it, BindSource::Import(_)))
        })
        .map(|(name, _)| facts.str(*name))
        .collect();
    names.sort_unstable();
    names.join("\n")
}

fn read_header(bytes: &'static [u8]) -> Option<(Header, &'static [u8])> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH_SIZE>()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (header, parts) = rest.split_at_checked(length)?;
    Some((bitcode::decode(header).ok()?, parts))
}

fn decode(part: &[u8]) -> Option<Arc<FileFacts>> {
    let mut encoded = Vec::new();
    DeflateDecoder::new(part).read_to_end(&mut encoded).ok()?;
    bitcode::decode(&encoded).ok().map(Arc::new)
}

/// Writes a pack of modules, which come in any order. What those of the names `listed` declare can be asked without
/// decoding them.
///
/// # Errors
///
/// When compression fails, which it does not in memory.
pub fn encode(made: Made, mut modules: Vec<(String, FileFacts)>, listed: &[&str]) -> std::io::Result<Vec<u8>> {
    modules.sort_by(|a, b| a.0.cmp(&b.0));
    let mut parts = Vec::new();
    let mut index = Vec::with_capacity(modules.len());
    let mut names = Vec::new();
    for (name, facts) in modules {
        if listed.contains(&name.as_str()) {
            names.push((name.clone(), declared_names(&facts)));
        }
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&bitcode::encode(&facts))?;
        parts.extend(encoder.finish()?);
        index.push((name, u32::try_from(parts.len()).unwrap_or(u32::MAX)));
    }
    let header = bitcode::encode(&Header { made, index, names });
    let mut bytes = Vec::with_capacity(LENGTH_SIZE + header.len() + parts.len());
    bytes.extend(u32::try_from(header.len()).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(header);
    bytes.extend(parts);
    Ok(bytes)
}
