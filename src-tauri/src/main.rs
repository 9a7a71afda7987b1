//! The desktop program of Quarterdeck.

// On Windows, a program with a window does not open a terminal.
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
    // First of all, because it changes the environment.
    #[cfg(target_os = "linux")]
    let token = quarterdeck::activation::take();
    #[cfg(not(target_os = "linux"))]
    let token = None;
    let arguments = Arguments::parse();
    // Without a current folder, relative names do not resolve, and are reported as missing.
    let given = StartArguments { token, ..arguments.given(std::env::current_dir().unwrap_or_default()) };
    // Another start may own the window, and a user who mistyped a name looks at the terminal. Without a terminal, the files were chosen elsewhere,
    // and the window reports those that were not accepted.
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

/// Ends the process after its work is done. On Linux without returning from `main`: system libraries, such as graphics drivers, clean up when a
/// process returns, while other threads still use them, which can crash.
fn leave(code: u8) -> ExitCode {
    #[cfg(target_os = "linux")]
    {
        // The reader of the output may be gone.
        drop(std::io::stdout().flush());
        signal_hook::low_level::exit(code.into())
    }
    #[cfg(not(target_os = "linux"))]
    ExitCode::from(code)
}

/// Reports the arguments that are not files or folders. Returns whether there are none.
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
