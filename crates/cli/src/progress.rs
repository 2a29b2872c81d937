//! A bar on standard error while an index is built, when that is a terminal.

use std::io::IsTerminal as _;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};
use strata_engine::Progress;

/// Shows how far a run is. Nothing is shown before the first report.
#[derive(Default)]
pub(crate) struct Bar {
    bar: Mutex<Option<ProgressBar>>,
}

impl Bar {
    /// Takes a report; from any thread.
    pub(crate) fn report(&self, progress: Progress) {
        if !std::io::stderr().is_terminal() {
            return;
        }
        let Ok(mut bar) = self.bar.lock() else { return };
        let bar = bar.get_or_insert_with(|| {
            let template = "{msg:9} {bar:30} {pos}/{len} files, {per_sec}, {eta} left";
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(0).with_style(style)
        });
        if bar.message() != progress.phase.name() {
            bar.set_message(progress.phase.name());
            bar.reset_eta();
        }
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Ok(bar) = self.bar.get_mut()
            && let Some(bar) = bar.take()
        {
            bar.finish_and_clear();
        }
    }
}
