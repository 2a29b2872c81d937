//! `cargo xtask bench`: what an index and an answer cost, as ratios against a bare parse in the same run.
//!
//! Times of different machines cannot be compared, ratios can. Everything runs on a fresh copy of the corpus, so that
//! the edit of the fourth step leaves the sources alone. Each step runs several times and the median counts.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{table, workspace};

mod measure;
mod parse;

pub(crate) use measure::{MeasureOptions, measure};
pub(crate) use parse::{ParseOnlyOptions, parse_only};

use measure::{Measured, Usage, command};

/// Bare parse of Django, in CPU milliseconds, on the machine that the absolute targets were set on. On a slower machine
/// they grow in proportion.
const REFERENCE_PARSE_MS: f64 = 2200.0;

#[derive(Args)]
pub(crate) struct Options {
    /// Folder to measure [default: django-5.2.8 in $XTASK_CORPORA, else in target/corpora]
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// How often each step runs
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// File below the corpus whose function is edited
    #[arg(long, default_value = "django/db/models/query.py")]
    edit: String,
    /// Line of that file, as it is, before which a statement is put
    #[arg(long, default_value = "        if self._result_cache is not None:")]
    before: String,
    /// Symbol that is asked for; its last part is asked for in search
    #[arg(long, default_value = "QuerySet.count")]
    symbol: String,
}

/// One line of the result.
struct Step {
    name: &'static str,
    usage: Usage,
    target: Target,
}

/// What a step is held to.
#[derive(Clone, Copy)]
enum Target {
    /// It is what others are measured by.
    Reference,
    /// CPU as a multiple of the bare parse.
    OfParse(f64),
    /// CPU as a share of the cold index.
    OfCold(f64),
    /// CPU in milliseconds on the reference machine.
    Ms(f64),
}

/// Peak of memory that a cold index may reach, in KiB.
const PEAK_TARGET_KIB: i64 = 400 * 1024;

pub(crate) fn run(options: &Options) -> Result<()> {
    let root = workspace::root();
    let binaries = workspace::build_release(&root, &["stratigraph", "xtask"])?;
    let corpus = options
        .corpus
        .clone()
        .unwrap_or_else(|| workspace::corpora(&root).join("django-5.2.8"));
    if !corpus.is_dir() {
        bail!(
            "{} is not there: lay it out with eval/get-sources.sh or name another with --corpus",
            corpus.display()
        );
    }
    let scratch = tempfile::tempdir()?;
    let copy = scratch.path().join("corpus");
    copy_tree(&corpus, &copy)?;
    let bench = Bench {
        xtask: binaries.join("xtask"),
        strata: text(&binaries.join("strata"))?,
        scratch: scratch.path().to_owned(),
        corpus: text(&copy)?,
        runs: options.runs,
    };
    let steps = bench.steps(options)?;
    print(&steps);
    Ok(())
}

struct Bench {
    xtask: PathBuf,
    strata: String,
    scratch: PathBuf,
    corpus: String,
    runs: u32,
}

impl Bench {
    fn steps(&self, options: &Options) -> Result<Vec<Step>> {
        let index = [self.strata.as_str(), "index", self.corpus.as_str()];
        let parse = self.median(|| self.run(&[&text(&self.xtask)?, "parse-only", &self.corpus]))?;
        println!("bare parse: {}", parse.output.trim());
        println!("index: {}", self.run(&index)?.output.trim());
        let cold = self.median(|| {
            fs::remove_dir_all(Path::new(&self.corpus).join(".stratigraph"))?;
            self.run(&index)
        })?;
        let second = self.median(|| self.run(&index))?;
        let edited = self.edits(options)?;
        let find_callers = [
            "code-intelligence",
            "--operation",
            "findCallers",
            "--symbol-id",
            &options.symbol,
        ];
        let search_words = options.symbol.rsplit(['.', ':']).next().unwrap_or(&options.symbol);
        Ok(vec![
            Step {
                name: "bare parse, one thread",
                usage: parse.usage,
                target: Target::Reference,
            },
            Step {
                name: "cold index",
                usage: cold.usage,
                target: Target::OfParse(2.5),
            },
            Step {
                name: "index again, nothing changed",
                usage: second.usage,
                target: Target::OfCold(0.05),
            },
            Step {
                name: "body edit, then symbol-detail",
                usage: edited,
                target: Target::Ms(300.0),
            },
            self.question("symbol-detail", &["symbol-detail", "--fqn", &options.symbol])?,
            self.question("findCallers", &find_callers)?,
            self.question("codebase-search", &["codebase-search", "--query", search_words])?,
        ])
    }

    /// A cold command on an index that is up to date.
    fn question(&self, name: &'static str, arguments: &[&str]) -> Result<Step> {
        let measured = self.median(|| self.ask(arguments))?;
        Ok(Step {
            name,
            usage: measured.usage,
            target: Target::Ms(60.0),
        })
    }

    /// Edits a function's body again and again, and asks for it after each edit.
    fn edits(&self, options: &Options) -> Result<Usage> {
        let path = Path::new(&self.corpus).join(&options.edit);
        let original = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let place = format!("\n{}\n", options.before);
        let Some(start) = original.find(&place) else {
            bail!("{} has no line `{}`", path.display(), options.before);
        };
        let indent = &options.before[..options.before.len() - options.before.trim_start().len()];
        let question = ["symbol-detail", "--fqn", options.symbol.as_str()];
        let mut last_answer = self.ask(&question)?.output;
        let mut n_statements = 0;
        let measured = self.median(|| {
            n_statements += 1;
            let statements = format!("\n{indent}marker = 0").repeat(n_statements);
            fs::write(
                &path,
                format!("{}{statements}{}", &original[..start], &original[start..]),
            )?;
            let measured = self.ask(&question)?;
            if measured.output == last_answer {
                bail!("the answer after an edit of {} is the one from before", options.edit);
            }
            last_answer.clone_from(&measured.output);
            Ok(measured)
        })?;
        fs::write(&path, original)?;
        self.ask(&question)?;
        Ok(measured.usage)
    }

    fn ask(&self, arguments: &[&str]) -> Result<Measured> {
        let mut all = vec![self.strata.as_str()];
        all.extend(arguments);
        all.extend(["--root", self.corpus.as_str(), "--json"]);
        self.run(&all)
    }

    fn run(&self, arguments: &[&str]) -> Result<Measured> {
        command(&self.xtask, &self.scratch, arguments)
    }

    /// The run with the median CPU time.
    fn median(&self, mut step: impl FnMut() -> Result<Measured>) -> Result<Measured> {
        let mut all = (0..self.runs).map(|_| step()).collect::<Result<Vec<_>>>()?;
        all.sort_by(|left, right| left.usage.cpu_ms.total_cmp(&right.usage.cpu_ms));
        Ok(all.swap_remove(all.len() / 2))
    }
}

fn print(steps: &[Step]) {
    let cpu = |index: usize| steps[index].usage.cpu_ms;
    let (parse, cold) = (cpu(0), cpu(1));
    let scale = parse / REFERENCE_PARSE_MS;
    let rows: Vec<Vec<String>> = steps
        .iter()
        .map(|step| {
            let cpu = step.usage.cpu_ms;
            let (ratio, target, is_met) = match step.target {
                Target::Reference => ("1.00 x parse".to_owned(), String::new(), None),
                Target::OfParse(most) => (
                    format!("{:.2} x parse", cpu / parse),
                    format!("<= {most:.2} x parse"),
                    Some(cpu / parse <= most),
                ),
                Target::OfCold(most) => (
                    format!("{:.1} % of cold", 100.0 * cpu / cold),
                    format!("<= {:.0} % of cold", 100.0 * most),
                    Some(cpu / cold <= most),
                ),
                Target::Ms(most) => {
                    let scaled = most * scale;
                    (
                        format!("{:.3} x parse", cpu / parse),
                        format!("<= {scaled:.0} ms"),
                        Some(cpu <= scaled),
                    )
                }
            };
            vec![
                step.name.to_owned(),
                format!("{cpu:.0} ms"),
                format!("{:.0} ms", step.usage.wall_ms),
                format!("{} MiB", step.usage.peak_kib / 1024),
                ratio,
                target,
                verdict(is_met),
            ]
        })
        .collect();
    print!(
        "{}",
        table::render(&["step", "CPU", "wall", "peak memory", "ratio", "target", ""], &rows)
    );
    let peak = steps[1].usage.peak_kib;
    let is_met = peak <= PEAK_TARGET_KIB;
    println!(
        "peak memory of the cold index: {} MiB, target <= {} MiB: {}",
        peak / 1024,
        PEAK_TARGET_KIB / 1024,
        verdict(Some(is_met))
    );
    println!(
        "targets in ms hold where the bare parse of Django costs {REFERENCE_PARSE_MS} ms; scaled here by {scale:.2}"
    );
}

fn verdict(is_met: Option<bool>) -> String {
    match is_met {
        None => "",
        Some(true) => "met",
        Some(false) => "MISSED",
    }
    .to_owned()
}

fn text(path: &Path) -> Result<String> {
    Ok(path
        .to_str()
        .with_context(|| format!("{} is not UTF-8", path.display()))?
        .to_owned())
}

/// Copies a folder without the index that may lie in it.
fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_name() == ".stratigraph" {
            continue;
        }
        let kind = entry.file_type()?;
        let target = to.join(entry.file_name());
        if kind.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target).with_context(|| format!("cannot copy {}", entry.path().display()))?;
        }
    }
    Ok(())
}
