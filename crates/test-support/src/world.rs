//! The files of a stage, extracted and linked in memory, and how the result is written down for comparison.

use std::collections::BTreeMap;
use std::sync::Arc;

use strata_lang::workspace::Package;
use strata_lang::{Language, Workspace};
use strata_model::facts::{DefFlags, FileFacts, RefTarget, Reference};
use strata_model::ids::{DefId, ExprId, FileIx, Position, Span, SymbolRef};
use strata_model::kinds::{NodeKind, RefKind};
use strata_model::outcome::{Outcome, Status};
use strata_resolve::{FactsSource, FileLinks, FlowFile, Library, LibraryModule, Program, flows};

use crate::Languages;
use crate::fixture::language_of;

/// Files as the product sees them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Input {
    /// Source files.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// Configuration files.
    pub(crate) configs: BTreeMap<String, String>,
}

/// A source file with its facts.
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) language: &'static dyn Language,
    pub(crate) facts: Arc<FileFacts>,
    /// The name of each definition.
    pub(crate) names: Arc<[Name]>,
}

/// The dotted path of a definition inside its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) path: String,
    /// Which of the definitions of that path, from 1.
    pub(crate) ordinal: u32,
    /// False when it is the only one.
    pub(crate) is_one_of_several: bool,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.path)?;
        if self.is_one_of_several {
            write!(f, "#{}", self.ordinal)
        } else {
            Ok(())
        }
    }
}

/// All files in path order, so that the index is the [`FileIx`].
#[derive(Clone)]
pub(crate) struct Files(pub(crate) Vec<File>);

impl FactsSource for Files {
    fn facts(&self, file: FileIx) -> Arc<FileFacts> {
        Arc::clone(&self.0[file.ix()].facts)
    }

    fn language(&self, file: FileIx) -> &'static dyn Language {
        self.0[file.ix()].language
    }

    fn library_declares(&self, wanted: &LibraryModule<'_>, name: &str) -> Option<bool> {
        strata_surfaces::declares(wanted.family, wanted.ecosystem, wanted.name, name)
    }

    fn library(&self, wanted: &LibraryModule<'_>) -> Option<Library> {
        let facts = strata_surfaces::module(wanted.family, wanted.ecosystem, wanted.name)?;
        let languages = || self.0.iter().map(|file| file.language);
        let language = languages()
            .find(|language| language.name() == facts.language)
            .or_else(|| languages().find(|language| language.family() == wanted.family))?;
        Some(Library { facts, language })
    }
}

/// The order in which files are linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// By path, one program for all.
    Path,
    /// The other way round.
    Reverse,
    /// Each by a program of its own, which has evaluated nothing before.
    Apart,
}

/// A stage, extracted and linked.
pub(crate) struct World {
    pub(crate) files: Files,
    pub(crate) links: Vec<FileLinks>,
}

impl File {
    /// Extracts a file.
    pub(crate) fn new(language: &'static dyn Language, path: &str, text: &[u8]) -> Self {
        let facts = strata_extract::extract(language, path, text, strata_extract::Limits::default());
        let names = names_of(&facts).into();
        Self {
            path: path.to_owned(),
            language,
            facts: Arc::new(facts),
            names,
        }
    }
}

impl Files {
    /// Extracts all files that a language takes.
    pub(crate) fn extract(languages: Languages, input: &Input) -> Self {
        let file = |(path, text): (&String, &Vec<u8>)| Some(File::new(language_of(languages, path)?, path, text));
        Self(input.files.iter().filter_map(file).collect())
    }

    /// The workspace around them.
    pub(crate) fn workspace(&self, input: &Input) -> Workspace {
        let paths = self.0.iter().map(|file| file.path.clone()).collect();
        Workspace::new(paths, input.configs.clone(), packages(&input.configs))
    }

    /// The name of a symbol with its file.
    pub(crate) fn symbol(&self, symbol: SymbolRef) -> String {
        let Some(file) = self.0.get(symbol.file.ix()) else {
            return format!("<no file {}>", symbol.file.0);
        };
        if symbol.is_module() {
            return file.path.clone();
        }
        match file.names.get(symbol.def.ix()) {
            Some(name) => format!("{}::{name}", file.path),
            None => format!("{}::<no definition {}>", file.path, symbol.def.0),
        }
    }

    /// A constructor stands for its class.
    pub(crate) fn class_of(&self, symbol: SymbolRef) -> SymbolRef {
        let Some(file) = self.0.get(symbol.file.ix()) else {
            return symbol;
        };
        let Some(def) = file.facts.defs.get(symbol.def.ix()) else {
            return symbol;
        };
        let is_constructor = def.kind == NodeKind::Constructor
            || (def.kind == NodeKind::Method
                && file.language.policy().constructors.contains(&file.facts.str(def.name)));
        match def.parent {
            Some(parent) if is_constructor => SymbolRef {
                file: symbol.file,
                def: parent,
            },
            Some(_) | None => symbol,
        }
    }
}

/// Links files in an order.
pub(crate) fn link(files: &Files, workspace: &Workspace, order: Order) -> Vec<FileLinks> {
    let n_files = u32::try_from(files.0.len()).unwrap_or(u32::MAX);
    let ranks = (0..n_files).map(FileIx);
    match order {
        Order::Path => {
            let mut program = Program::new(workspace, files);
            ranks.map(|file| program.link(file)).collect()
        }
        Order::Reverse => {
            let mut program = Program::new(workspace, files);
            let mut links: Vec<FileLinks> = ranks.rev().map(|file| program.link(file)).collect();
            links.reverse();
            links
        }
        Order::Apart => ranks.map(|file| Program::new(workspace, files).link(file)).collect(),
    }
}

impl World {
    /// Extracts and links everything.
    pub(crate) fn cold(languages: Languages, input: &Input, order: Order) -> Self {
        let files = Files::extract(languages, input);
        let links = link(&files, &files.workspace(input), order);
        Self { files, links }
    }

    /// Derived calls of each file, in the form of calls: one for a site, with all that is called there.
    pub(crate) fn flows(&self) -> Vec<Vec<(String, Reference, Outcome)>> {
        let inputs: Vec<FlowFile> = self
            .files
            .0
            .iter()
            .zip(&self.links)
            .map(|(file, links)| FlowFile {
                facts: Arc::clone(&file.facts),
                outcomes: links.outcomes.clone(),
                language: file.language,
            })
            .collect();
        let mut out: Vec<Vec<(String, Reference, Outcome)>> = vec![Vec::new(); self.files.0.len()];
        for flow in flows(&inputs).found {
            let facts = &self.files.0[flow.file.ix()].facts;
            let name = flow.reference.map_or(String::new(), |reference| {
                facts.str(facts.refs[reference as usize].name).to_owned()
            });
            let sites = &mut out[flow.file.ix()];
            let is_same = |(_, reference, _): &(String, Reference, Outcome)| {
                reference.at == flow.at
                    && reference.owner == flow.owner
                    && reference.span.end == u32::from(name.is_empty())
            };
            if !sites.iter().any(is_same) {
                let reference = Reference {
                    kind: RefKind::Call,
                    target: RefTarget::Expr(ExprId(0)),
                    name: strata_model::ids::StrId(0),
                    owner: flow.owner,
                    span: Span {
                        start: 0,
                        end: u32::from(name.is_empty()),
                    },
                    at: flow.at,
                    flags: 0,
                };
                let outcome = Outcome {
                    how: flow.how,
                    ..Outcome::without_target(Status::External)
                };
                sites.push((name.clone(), reference, outcome));
            }
            if let Some((_, _, outcome)) = sites.iter_mut().find(|site| is_same(site)) {
                outcome.how = outcome.how.max(flow.how);
                match flow.target {
                    Some(target) => {
                        outcome.status = Status::Resolved;
                        outcome.targets.push(target);
                        outcome.external = None;
                    }
                    None if outcome.targets.is_empty() => outcome.external = flow.external,
                    None => {}
                }
            }
        }
        out
    }

    /// Everything that was found out, as one line an item, with the position of each.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for ((file, links), flows) in self.files.0.iter().zip(&self.links).zip(self.flows()) {
            let path = &file.path;
            for (name, reference, outcome) in flows {
                let found = self.outcome(&outcome);
                let text = format!("{path}: flow `{name}` -> {found}");
                rows.push(Row { at: reference.at, text });
            }
            for (def, name) in file.facts.defs.iter().zip(file.names.iter()) {
                rows.push(Row {
                    at: def.name_at,
                    text: format!("{path}: def {name}: {}", def.kind),
                });
            }
            for (reference, outcome) in file.facts.refs.iter().zip(&links.outcomes) {
                let owner = reference
                    .owner
                    .map_or(String::new(), |owner| format!(" from {}", file.names[owner.ix()]));
                let name = file.facts.str(reference.name);
                let found = self.outcome(outcome);
                let text = format!("{path}: {} `{name}`{owner} -> {found}", reference.kind);
                rows.push(Row { at: reference.at, text });
            }
            for receiver in &links.receivers {
                let (target, class) = (self.files.symbol(receiver.target), self.files.symbol(receiver.class));
                rows.push(Row {
                    at: file.facts.refs[receiver.reference as usize].at,
                    text: format!("{path}: {target} of {class}, {:?}", receiver.flags),
                });
            }
            for it in &links.registrations {
                let owner = it
                    .owner
                    .map_or(String::new(), |owner| format!(" from {}", file.names[owner.ix()]));
                let (name, target) = (file.facts.str(it.name), self.files.symbol(it.target));
                rows.push(Row {
                    at: it.at,
                    text: format!("{path}: {:?} `{name}`{owner} -> {target}", it.kind),
                });
            }
            for (member, overridden) in &links.overrides {
                let member = &file.names[member.ix()];
                let text = format!("{path}: {member} overrides {}", self.files.symbol(*overridden));
                rows.push(Row {
                    at: Position::default(),
                    text,
                });
            }
        }
        rows
    }

    /// An outcome in words.
    pub(crate) fn outcome(&self, outcome: &Outcome) -> String {
        let targets: Vec<String> = outcome
            .targets
            .iter()
            .map(|target| self.files.symbol(*target))
            .collect();
        let mut text = if targets.is_empty() {
            outcome.status.name().to_owned()
        } else {
            format!(
                "{} {} ({})",
                outcome.status.name(),
                targets.join(" | "),
                outcome.how.name()
            )
        };
        if let Some(external) = &outcome.external {
            text.push(' ');
            text.push_str(external);
        }
        text
    }
}

/// One thing that was found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) at: Position,
    pub(crate) text: String,
}

/// Names of all definitions of a file. Object literals add nothing to the path of their members.
fn names_of(facts: &FileFacts) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::with_capacity(facts.defs.len());
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for id in 0..facts.defs.len() {
        let path = dotted(facts, DefId(u32::try_from(id).unwrap_or(u32::MAX)));
        let count = counts.entry(path.clone()).or_default();
        *count += 1;
        names.push(Name {
            path,
            ordinal: *count,
            is_one_of_several: false,
        });
    }
    for name in &mut names {
        name.is_one_of_several = counts[&name.path] > 1;
    }
    names
}

fn dotted(facts: &FileFacts, def: DefId) -> String {
    let mut segments = Vec::new();
    let mut at = Some(def);
    while let Some(id) = at {
        let Some(def_at) = facts.defs.get(id.ix()) else { break };
        let is_object = def_at.flags.has(DefFlags::ANONYMOUS) && def_at.flags.has(DefFlags::OBJECT);
        if id == def || !is_object {
            segments.push(facts.str(def_at.name));
        }
        at = def_at.parent.filter(|_| segments.len() < 64);
    }
    segments.reverse();
    segments.join(".")
}

/// The packages that the manifests among the configuration files make.
fn packages(configs: &BTreeMap<String, String>) -> Vec<Package> {
    let mut packages = Vec::new();
    for (path, text) in configs {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let (name, marker) = match file {
            "package.json" => {
                let manifest: Option<serde_json::Value> = serde_json::from_str(text).ok();
                (manifest.and_then(|it| it["name"].as_str().map(str::to_owned)), "npm")
            }
            "pyproject.toml" => {
                let manifest: Option<toml::Table> = toml::from_str(text).ok();
                let project = manifest.and_then(|it| it.get("project")?.get("name")?.as_str().map(str::to_owned));
                (project, "python")
            }
            _ => continue,
        };
        let name = name.unwrap_or_else(|| folder.rsplit('/').next().unwrap_or_default().to_owned());
        packages.push(Package {
            name,
            folder: folder.to_owned(),
            manifest: path.clone(),
            marker,
        });
    }
    packages
}
