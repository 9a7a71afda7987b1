//! Quarterdeck in a window.

// On Windows a program with a window brings no terminal of its own.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

use clap::Parser;
use quarterdeck::arguments::Arguments;
use quarterdeck::shell;
use server::Settings;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if lacks_display() {
        eprintln!(
            "quarterdeck: there is no display for a window. `quarterdeck-server serve` serves the same pages to a browser"
        );
        return ExitCode::FAILURE;
    }
    #[cfg(target_os = "linux")]
    quarterdeck::drawing::choose();
    // Without a folder to start from, names that are not whole lead nowhere, and that is said.
    let given = arguments.given(std::env::current_dir().unwrap_or_default());
    let settings = Settings::read(&arguments.flags(), &|name| std::env::var(name).ok());
    match shell::run(settings, given) {
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
