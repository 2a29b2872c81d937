//! `strata status`: what is indexed, and whether it is current.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;
use strata_engine::{Control, EngineError, Freshness};

use crate::Ending;
use crate::output::Output;
use crate::session::Session;

pub(crate) fn run(session: &Session, output: &Output) -> anyhow::Result<Ending> {
    let engine = session.engine()?;
    let settings = engine.settings();
    let root = engine.root().display().to_string();
    let folder = engine.folder().display().to_string();
    if !engine.is_indexed() {
        if output.is_json {
            Output::json(&json!({ "root": root, "index_path": folder, "indexed": false, "current": false }))?;
        } else {
            output.text(&format!("{root} is not indexed\n"))?;
        }
        return Ok(Ending::Nothing);
    }
    let (state, counts) = engine.ask(Freshness::AllowStale, &Control::default(), |view| {
        Ok::<_, EngineError>((view.state().clone(), view.counts()?))
    })?;
    let age = age_seconds(state.indexed_at);
    let is_current = state.dirty_count == 0;
    if output.is_json {
        Output::json(&json!({
            "root": root,
            "index_path": folder,
            "indexed": true,
            "current": is_current,
            "index_id": state.index_id,
            "files": counts.files,
            "symbols": counts.symbols,
            "age_seconds": age,
            "commit": state.commit,
            "dirty_count": state.dirty_count,
            "dirty_paths": state.dirty_paths,
            "coverage": {
                "indexed": state.coverage.indexed,
                "partial": state.coverage.partial,
                "failed": state.coverage.failed,
                "skipped": state.coverage.skipped,
            },
            "token_budget": settings.default_token_budget,
            "warnings": settings.warnings,
        }))?;
        return Ok(Ending::Found);
    }
    let mut text = format!("root      {root}\nindex     {folder}\n");
    text.push_str(&format!(
        "files     {}\nsymbols   {}\nage       {age} s\n",
        counts.files, counts.symbols
    ));
    text.push_str(&format!("commit    {}\n", state.commit.as_deref().unwrap_or("none")));
    text.push_str(&match state.dirty_count {
        0 => "dirty     none\n".to_owned(),
        n_dirty => format!("dirty     {n_dirty}: {}\n", state.dirty_paths.join(", ")),
    });
    text.push_str(&format!("budget    {} tokens\n", settings.default_token_budget));
    output.text(&text)?;
    for warning in &settings.warnings {
        output.remark(&format!("warning: {warning}"));
    }
    Ok(Ending::Found)
}

fn age_seconds(ms: i64) -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as i64);
    u64::try_from((now - ms) / 1000).unwrap_or(0)
}
