//! Logs go to stderr; what a program prints as its answer goes to stdout. No secret, code or token is ever logged.

use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Starts logging. A second call, or a program that logs its own way, leaves things as they are.
pub fn start(filter: &str) {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .try_init();
}
