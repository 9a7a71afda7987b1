//! Quarterdeck in a window.

// On Windows a program with a window brings no terminal of its own.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

#[cfg(target_os = "linux")]
use std::io::Write as _;
use std::io::{IsTerminal as _, stderr};
use std::process::ExitCode;

use clap::Parser;
use quarterdeck::arguments::{Arguments, StartArguments};
use quarterdeck::shell;
use server::Settings;

fn main() -> ExitCode {
    // Before anything else runs: it changes the environment.
    #[cfg(target_os = "linux")]
    let token = quarterdeck::activation::take();
    #[cfg(not(target_os = "linux"))]
    let token = None;
    let arguments = Arguments::parse();
    // Without a folder to start from, names that are not whole lead nowhere, and that is said.
    let given = StartArguments { token, ..arguments.given(std::env::current_dir().unwrap_or_default()) };
    // Another start may have the window, and whoever mistyped a name looks at the terminal. Who has none chose files elsewhere, and the window says which
    // were not taken.
    if stderr().is_terminal() && !says_all_are_there(&given) {
        return ExitCode::FAILURE;
    }
    if lacks_display() {
        eprintln!(
            "quarterdeck: there is no display for a window. `quarterdeck-server serve` serves the same pages to a browser"
        );
        return ExitCode::FAILURE;
    }
    #[cfg(target_os = "linux")]
    quarterdeck::drawing::choose();
    let settings = Settings::read(&arguments.flags(), &|name| std::env::var(name).ok());
    let like_this = settings.as_ref().map(|settings| arguments.like_this(settings)).unwrap_or_default();
    match shell::run(settings, given, like_this) {
        Ok(code) => leave(code),
        Err(error) => {
            eprintln!("quarterdeck: the window could not be opened: {}", server::chain(&error));
            ExitCode::FAILURE
        }
    }
}

/// Ends the process, whose work is done and put away. On Linux at once: libraries of the system, such as drivers of graphics cards, tidy up when a process
/// returns, while other threads still use them, and it may crash then.
fn leave(code: u8) -> ExitCode {
    #[cfg(target_os = "linux")]
    {
        // Nobody may be there any more to read it.
        drop(std::io::stdout().flush());
        signal_hook::low_level::exit(code.into())
    }
    #[cfg(not(target_os = "linux"))]
    ExitCode::from(code)
}

/// Names what was given and is no file; tells whether there is nothing of that kind.
fn says_all_are_there(given: &StartArguments) -> bool {
    let (_, refused) = server::files_among(&given.whole());
    for refused in &refused {
        eprintln!("quarterdeck: {refused}");
    }
    if !refused.is_empty() {
        eprintln!(
            "quarterdeck: expected files to import, or folders of them; nothing was put forward. Start it again with names that are there"
        );
    }
    refused.is_empty()
}

fn lacks_display() -> bool {
    cfg!(target_os = "linux")
        && ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .all(|name| std::env::var_os(name).is_none_or(|value| value.is_empty()))
}
