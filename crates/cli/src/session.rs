//! What a command works with: the surroundings of the process and the roots.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use clap::ArgMatches;
use strata_engine::{Engine, EngineError, Manner, Roots, Surroundings};

/// Prefixes of the variables that mean something to us.
const PREFIXES: [&str; 3] = ["STRATIGRAPH_", "SEMTREE_", "AX_CODE_"];
/// A variable of a client that names its project.
const CLIENT_VARIABLE: &str = "CLAUDE_PROJECT_DIR";

pub(crate) struct Session {
    pub(crate) roots: Arc<Roots>,
    /// How often `-v` was given.
    pub(crate) verbosity: u8,
}

impl Session {
    pub(crate) fn new(matches: &ArgMatches) -> anyhow::Result<Self> {
        let root = matches.get_one::<PathBuf>("root").cloned();
        let is_server = matches.subcommand_name() == Some("mcp");
        let manner = if is_server { Manner::Server } else { Manner::OneShot };
        let roots = Roots::new(surroundings()?, root, strata_languages::ALL, manner);
        let verbosity = matches.get_count("verbose");
        if !is_server && verbosity > 0 {
            crate::log::start(crate::log::level_of(verbosity));
        }
        Ok(Self {
            roots: Arc::new(roots),
            verbosity,
        })
    }

    /// The engine of the root that is meant.
    pub(crate) fn engine(&self) -> Result<Arc<Engine>, EngineError> {
        self.roots.engine(None)
    }
}

fn surroundings() -> anyhow::Result<Surroundings> {
    let working_directory =
        std::env::current_dir().context("the working directory is gone; name a folder with --root")?;
    let is_ours = |name: &str| name == CLIENT_VARIABLE || PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    let variables: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| is_ours(name))
        .collect();
    Ok(Surroundings {
        working_directory,
        home: std::env::home_dir(),
        variables,
    })
}
