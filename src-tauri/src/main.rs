//! Quarterdeck in a window.

// On Windows a program with a window brings no terminal of its own.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use quarterdeck::shell;
use server::{Flags, Settings};

/// Reads cost and usage exports and shows where the money goes: service and pages in one window.
///
/// A second start brings the open window to the front. Without a display, use `quarterdeck-server serve`.
#[derive(Parser)]
#[command(name = "quarterdeck", version)]
struct Cli {
    /// Folder of the database and of files waiting for import [env: QUARTERDECK_DATA_DIR]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Settings file to read instead of DATA_DIR/quarterdeck.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of a catalogue to use instead of the built-in one [env: QUARTERDECK_SCHEMA]
    #[arg(long, value_name = "DIR")]
    schema: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Cli { data_dir, config, schema } = Cli::parse();
    if lacks_display() {
        eprintln!(
            "quarterdeck: there is no display for a window. `quarterdeck-server serve` serves the same pages to a browser"
        );
        return ExitCode::FAILURE;
    }
    let flags = Flags { data_dir, config, schema, listen: None };
    let settings = Settings::read(&flags, &|name| std::env::var(name).ok());
    match shell::run(settings) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("quarterdeck: the window could not be opened: {}", server::chain(&error));
            ExitCode::FAILURE
        }
    }
}

fn lacks_display() -> bool {
    cfg!(target_os = "linux")
        && ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .all(|name| std::env::var_os(name).is_none_or(|value| value.is_empty()))
}
