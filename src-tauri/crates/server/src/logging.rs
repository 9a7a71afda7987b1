//! Logging to stderr; stdout is for the output of commands. Secrets, codes and tokens are never logged.

use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Starts logging. Does nothing if a logger is installed already.
pub fn start(filter: &str) {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .try_init();
}
