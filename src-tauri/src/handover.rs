//! Another start while this program runs: it brings the window forward, with the files it names. While this program ends there is no window to
//! bring: then the other start is made again, after this one.

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use tauri::{AppHandle, Manager};

use crate::{arguments, shell, window};

/// What becomes of other starts.
#[derive(Default)]
pub struct Handover(Mutex<Stage>);

enum Stage {
    /// There is a window, or it is coming.
    Open { has_come: bool },
    /// There is none any more; the starts that came since.
    Over(Vec<Start>),
}

impl Default for Stage {
    fn default() -> Self {
        Self::Open { has_come: false }
    }
}

/// The command line of another start, and the folder it was made in.
struct Start {
    line: Vec<String>,
    folder: String,
}

/// The window is there.
pub fn has_come(app: &AppHandle) {
    with(app, |stage| {
        if let Stage::Open { has_come } = stage {
            *has_come = true;
        }
    });
}

/// Another start has come.
pub fn take(app: &AppHandle, line: Vec<String>, folder: String) {
    let has_window = !app.webview_windows().is_empty();
    let taken = with(app, |stage| {
        if matches!(stage, Stage::Open { has_come: true }) && !has_window {
            *stage = Stage::Over(Vec::new());
        }
        match stage {
            Stage::Over(starts) => {
                starts.push(Start { line, folder });
                None
            }
            Stage::Open { .. } => Some((line, folder)),
        }
    });
    if let Some((line, folder)) = taken {
        window::raise(app);
        shell::put_forward(app, &arguments::files_of(&line, Path::new(&folder)));
    }
}

/// This program ends: no other start finds it from now on.
pub fn end(app: &AppHandle) {
    with(app, |stage| {
        if let Stage::Open { .. } = stage {
            *stage = Stage::Over(Vec::new());
        }
    });
    tauri_plugin_single_instance::destroy(app);
}

/// Makes the starts again that came while this program ended. It holds nothing any more.
pub fn make_late_starts(app: &AppHandle) {
    let late = with(app, std::mem::take);
    let Stage::Over(starts) = late else { return };
    for Start { line, folder } in starts {
        let started = std::env::current_exe()
            .and_then(|program| Command::new(program).args(line.iter().skip(1)).current_dir(&folder).spawn());
        if let Err(error) = started {
            tracing::error!(%error, "a start that came while this program ended could not be made again");
        }
    }
}

fn with<T>(app: &AppHandle, act: impl FnOnce(&mut Stage) -> T) -> T {
    act(&mut app.state::<Handover>().0.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Set in the environment of a start that is made again, so that it is made once more and not for ever.
#[cfg(unix)]
const AGAIN: &str = "QUARTERDECK_STARTED_AGAIN";

/// Makes this start again when the program it was handed to ended before it took it; comes back when that is not why, or was tried.
#[cfg(unix)]
pub fn make_again_if_nobody_took_it(error: &tauri::Error) {
    use std::os::unix::process::CommandExt as _;
    let is_why =
        matches!(error, tauri::Error::PluginInitialization(plugin, _) if plugin == "single-instance");
    if !is_why || std::env::var_os(AGAIN).is_some() {
        return;
    }
    let failed = std::env::current_exe()
        .map(|program| Command::new(program).args(std::env::args_os().skip(1)).env(AGAIN, "1").exec());
    tracing::warn!(?failed, "the start could not be made again");
}

#[cfg(not(unix))]
pub fn make_again_if_nobody_took_it(_: &tauri::Error) {}
