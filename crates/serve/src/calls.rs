//! One call of a tool: on a thread of its own, cancellable, with its panics contained.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use strata_engine::{Control, Progress, Roots, Structured};
use strata_tools::{Answer, Call, ToolEntry};
use tokio::sync::mpsc;

/// Where progress goes, when the client asked for it.
pub(crate) struct ProgressSink {
    pub(crate) peer: Peer<RoleServer>,
    pub(crate) token: ProgressToken,
}

/// Runs a tool on a thread for blocking work. `cancelled` ends when the client withdraws the call.
pub(crate) async fn run(
    tool: &'static ToolEntry,
    roots: Arc<Roots>,
    arguments: JsonObject,
    progress: Option<ProgressSink>,
    cancelled: impl Future<Output = ()>,
) -> Result<Answer, String> {
    let cancel = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::unbounded_channel();
    let in_thread = Arc::clone(&cancel);
    let mut work = tokio::task::spawn_blocking(move || {
        let report = move |progress: Progress| {
            // Whoever listened may be gone; progress is then of no interest.
            let _ = sender.send(progress);
        };
        let control = Control {
            progress: Some(&report),
            cancel: Some(&in_thread),
            ..Control::default()
        };
        catch_unwind(AssertUnwindSafe(|| {
            (tool.call_json)(Call::new(&roots, control), arguments)
        }))
    });
    let forwarding = forward(receiver, progress);
    let waiting = async {
        tokio::select! {
            result = &mut work => return result,
            () = cancelled => {}
        }
        // The flag carries no other data, so no ordering is needed.
        cancel.store(true, Ordering::Relaxed);
        work.await
    };
    // Progress ends when the thread drops its end, so nothing is sent after the answer.
    let (result, ()) = tokio::join!(waiting, forwarding);
    match result {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(panic)) => Err(panic_message(panic.as_ref())),
        Err(error) => Err(error.to_string()),
    }
}

async fn forward(mut receiver: mpsc::UnboundedReceiver<Progress>, sink: Option<ProgressSink>) {
    let mut last = 0.0;
    while let Some(progress) = receiver.recv().await {
        let Some(sink) = &sink else { continue };
        // Values have to grow, over all phases; a hundred steps a phase are enough for anybody.
        let share = progress.done as f64 / progress.total.max(1) as f64;
        let value = f64::from(progress.phase as u8).mul_add(100.0, (share * 100.0).floor());
        if value <= last {
            continue;
        }
        last = value;
        let message = format!("{} {}/{}", progress.phase.name(), progress.done, progress.total);
        let param = ProgressNotificationParam::new(sink.token.clone(), value)
            .with_total(400.0)
            .with_message(message);
        if sink.peer.notify_progress(param).await.is_err() {
            // The client is gone; what is left in the channel goes with it.
            return;
        }
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "no message".to_owned())
}

/// An answer in the form of the protocol.
pub(crate) fn to_result(answer: Answer, structured: Structured) -> CallToolResult {
    let content = match structured {
        Structured::Auto | Structured::Off => vec![ContentBlock::text(answer.text)],
        Structured::On => Vec::new(),
    };
    let mut result = if answer.error.is_some() {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    if structured != Structured::Off {
        result.structured_content = Some(answer.structured);
    }
    result
}
