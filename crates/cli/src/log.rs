//! The log: lines on standard error, never on standard output.

use strata_engine::LogLevel;
use tracing::Level;
use tracing_subscriber::EnvFilter;

/// Starts the log at a level.
pub(crate) fn start(level: Level) {
    // The SDK tells every message at levels that are ours for what matters to the user.
    let of_sdk = if level >= Level::DEBUG { level } else { Level::WARN };
    let filter = EnvFilter::new(format!("{level},rmcp={of_sdk}"));
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(filter)
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
