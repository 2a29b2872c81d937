//! The log: lines on standard error, never on standard output.

use strata_engine::LogLevel;
use tracing::Level;

/// Starts the log at a level.
pub(crate) fn start(level: Level) {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(level)
        .with_ansi(false)
        .with_target(false)
        .init();
}

/// The level for a number of `-v`.
pub(crate) const fn level_of(verbosity: u8) -> Level {
    match verbosity {
        0 => Level::WARN,
        1 => Level::INFO,
        2 => Level::DEBUG,
        _ => Level::TRACE,
    }
}

/// The level that is set.
pub(crate) const fn level_of_setting(level: LogLevel) -> Level {
    match level {
        LogLevel::Debug => Level::DEBUG,
        LogLevel::Info => Level::INFO,
        LogLevel::Warning => Level::WARN,
        LogLevel::Error => Level::ERROR,
    }
}
