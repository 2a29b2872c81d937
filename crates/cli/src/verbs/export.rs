//! `strata export`: the graph, all references or derived calls, one JSON object a line, in a fixed order and without times.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::ArgMatches;
use serde::Serialize;
use strata_engine::{
    Control, EngineError, ExportedEdge, ExportedFlow, ExportedNode, ExportedReference, ExportedSymbol, Freshness, View,
};

use crate::Ending;
use crate::output::Output;
use crate::progress::Bar;
use crate::session::Session;

pub(crate) fn run(session: &Session, matches: &ArgMatches, output: &Output) -> anyhow::Result<Ending> {
    let engine = session.engine()?;
    let what = matches.get_one::<String>("what").map_or("references", String::as_str);
    let bar = Bar::default();
    let shown = |progress| bar.report(progress);
    let control = Control {
        progress: Some(&shown),
        ..Control::default()
    };
    let written: Result<anyhow::Result<()>, EngineError> = engine.ask(Freshness::Prefer, &control, |view| {
        for note in view.notes() {
            output.remark(&format!("note: {note}"));
        }
        Ok(write(view, matches, what, output))
    });
    written??;
    Ok(Ending::Found)
}

fn write(view: &View<'_>, matches: &ArgMatches, what: &str, output: &Output) -> anyhow::Result<()> {
    let target: Box<dyn Write> = match matches.get_one::<PathBuf>("output") {
        Some(path) => Box::new(File::create(path).with_context(|| format!("cannot write {}", path.display()))?),
        None => Box::new(io::stdout().lock()),
    };
    let mut rows = Rows {
        target: BufWriter::with_capacity(1 << 16, target),
        fault: None,
    };
    match what {
        "graph" => {
            // Nodes come before edges, so the two callbacks never meet.
            let rows = std::cell::RefCell::new(&mut rows);
            view.export_graph(
                |node| rows.borrow_mut().put(&NodeLine::from(&node)),
                |edge| rows.borrow_mut().put(&EdgeLine::from(&edge)),
            )?;
        }
        "flows" => {
            if view.export_flows(|flow| rows.put(&FlowLine::from(&flow)))? {
                output.remark("note: a limit ended the analysis early, there may be more flows");
            }
        }
        _ => view.export_references(|reference| rows.put(&ReferenceLine::from(&reference)))?,
    }
    rows.finish()
}

/// Writes lines; after a fault it writes no more.
struct Rows<W: Write> {
    target: BufWriter<W>,
    fault: Option<io::Error>,
}

impl<W: Write> Rows<W> {
    fn put(&mut self, row: &impl Serialize) {
        if self.fault.is_some() {
            return;
        }
        let written = serde_json::to_writer(&mut self.target, row)
            .map_err(io::Error::from)
            .and_then(|()| self.target.write_all(b"\n"));
        self.fault = written.err();
    }

    fn finish(mut self) -> anyhow::Result<()> {
        match self.fault.take() {
            Some(fault) => Err(fault).context("cannot write the export"),
            None => self.target.flush().context("cannot write the export"),
        }
    }
}

#[derive(Serialize)]
struct NodeLine<'a> {
    #[serde(rename = "type")]
    what: &'static str,
    fqn: &'a str,
    level: &'static str,
    kind: &'static str,
    language: &'a str,
    file: &'a str,
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
    signature: &'a str,
    parent: Option<&'a str>,
}

impl<'a> From<&'a ExportedNode> for NodeLine<'a> {
    fn from(node: &'a ExportedNode) -> Self {
        Self {
            what: "node",
            fqn: &node.fqn,
            level: node.level.name(),
            kind: node.kind.name(),
            language: &node.language,
            file: &node.file,
            start_line: node.start.line,
            start_column: node.start.column,
            end_line: node.end.line,
            end_column: node.end.column,
            signature: &node.signature,
            parent: node.parent.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct EdgeLine<'a> {
    #[serde(rename = "type")]
    what: &'static str,
    from: &'a str,
    to: &'a str,
    kind: &'static str,
    sites: u32,
    line: u32,
    col: u32,
    how: &'static str,
    confidence: f64,
    /// Only where the confidence is a prior.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'static str>,
}

impl<'a> From<&'a ExportedEdge> for EdgeLine<'a> {
    fn from(edge: &'a ExportedEdge) -> Self {
        Self {
            what: "edge",
            from: &edge.from,
            to: &edge.to,
            kind: edge.kind.name(),
            sites: edge.sites,
            line: edge.at.line,
            col: edge.at.column,
            how: edge.how,
            confidence: three_digits(edge.confidence),
            measured: (!edge.is_measured).then_some(false),
            label: edge.label,
        }
    }
}

#[derive(Serialize)]
struct ReferenceLine<'a> {
    lang: &'a str,
    edge: &'static str,
    file: &'a str,
    line: u32,
    col: u32,
    callee_text: &'a str,
    caller: SymbolLine<'a>,
    outcome: &'static str,
    how: &'static str,
    confidence: f64,
    /// Only where the confidence is a prior.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<bool>,
    targets: Vec<SymbolLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<&'a str>,
    /// The shape of what stands before the dot.
    #[serde(skip_serializing_if = "Option::is_none")]
    receiver: Option<&'static str>,
}

#[derive(Serialize)]
struct SymbolLine<'a> {
    fqn: &'a str,
    file: &'a str,
    line: u32,
    name: &'a str,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner_line: Option<u32>,
}

impl<'a> From<&'a ExportedSymbol> for SymbolLine<'a> {
    fn from(symbol: &'a ExportedSymbol) -> Self {
        Self {
            fqn: &symbol.fqn,
            file: &symbol.file,
            line: symbol.line,
            name: &symbol.name,
            kind: &symbol.kind,
            owner_line: symbol.owner_line,
        }
    }
}

impl<'a> From<&'a ExportedReference> for ReferenceLine<'a> {
    fn from(reference: &'a ExportedReference) -> Self {
        Self {
            lang: &reference.lang,
            edge: reference.edge,
            file: &reference.file,
            line: reference.at.line,
            col: reference.at.column,
            callee_text: &reference.callee_text,
            caller: SymbolLine {
                owner_line: None,
                ..SymbolLine::from(&reference.caller)
            },
            outcome: reference.outcome,
            // Without a target there is nothing that was found somehow.
            how: if reference.targets.is_empty() {
                ""
            } else {
                reference.how
            },
            confidence: three_digits(reference.confidence),
            measured: (!reference.is_measured).then_some(false),
            targets: reference.targets.iter().map(SymbolLine::from).collect(),
            external: reference.external.as_deref(),
            receiver: reference.receiver,
        }
    }
}

#[derive(Serialize)]
struct FlowLine<'a> {
    lang: &'a str,
    edge: &'static str,
    file: &'a str,
    line: u32,
    col: u32,
    callee_text: &'a str,
    caller: SymbolLine<'a>,
    how: &'static str,
    confidence: f64,
    /// Only where the confidence is a prior.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<SymbolLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<&'a str>,
    /// It takes the place of the declared target.
    instead: bool,
}

impl<'a> From<&'a ExportedFlow> for FlowLine<'a> {
    fn from(flow: &'a ExportedFlow) -> Self {
        Self {
            lang: &flow.lang,
            edge: "flow",
            file: &flow.file,
            line: flow.at.line,
            col: flow.at.column,
            callee_text: &flow.callee_text,
            caller: SymbolLine::from(&flow.caller),
            how: flow.how,
            confidence: three_digits(flow.confidence),
            measured: (!flow.is_measured).then_some(false),
            target: flow.target.as_ref().map(SymbolLine::from),
            external: flow.external.as_deref(),
            instead: flow.is_instead,
        }
    }
}

fn three_digits(confidence: f32) -> f64 {
    (f64::from(confidence) * 1000.0).round() / 1000.0
}
