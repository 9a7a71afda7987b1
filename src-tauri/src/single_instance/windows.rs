//! Single instance on Windows, for each user: Tauri's plugin uses a named mutex and a message between windows.

use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use tauri::{AppHandle, Builder, Wry};
use tokio::runtime::Handle;

use crate::arguments::StartArguments;

/// The owner of the window.
pub enum ClaimOutcome {
    /// This start, as far as is known before the plugin has run.
    Ours(Claim),
    Handed,
}

/// Empty: the plugin holds the lock.
pub struct Claim(());

/// Starts that arrived while this program was ending: command line and folder.
static LATE: Mutex<Vec<(Vec<String>, String)>> = Mutex::new(Vec::new());

pub fn claim(_: &Path, _: &StartArguments) -> io::Result<ClaimOutcome> {
    Ok(ClaimOutcome::Ours(Claim(())))
}

/// Installs the plugin, which ends this start if another one owns the window.
pub fn prepare(builder: Builder<Wry>) -> Builder<Wry> {
    let once = tauri_plugin_single_instance::Builder::new().callback(|app, line, folder| {
        if !super::take(app, &StartArguments::of_line(&line, Path::new(&folder))) {
            LATE.lock().unwrap_or_else(PoisonError::into_inner).push((line, folder));
        }
    });
    builder.plugin(once.build())
}

impl Claim {
    pub fn listen(&mut self, _: &AppHandle, _: &Handle) {}

    /// Does nothing: the plugin ends with its window.
    pub fn shut(&mut self) {}
}

/// Repeats the starts that arrived while this program was ending, after it has released the lock.
pub fn make_late_starts() {
    for (line, folder) in std::mem::take(&mut *LATE.lock().unwrap_or_else(PoisonError::into_inner)) {
        let started = std::env::current_exe()
            .and_then(|program| Command::new(program).args(line.iter().skip(1)).current_dir(&folder).spawn());
        if let Err(error) = started {
            tracing::error!(%error, "a start that came while this program ended could not be made again");
        }
    }
}
