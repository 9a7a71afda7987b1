//! The service without a window.

use std::process::ExitCode;

fn main() -> ExitCode {
    server::cli::run()
}
