//! One window for this person, found by the plugin of Tauri: by a named lock and a message between windows.

use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use tauri::{AppHandle, Builder, Wry};
use tokio::runtime::Handle;

use crate::arguments::StartArguments;

/// Who has the window.
pub enum ClaimOutcome {
    /// This start, as far as is known before the plugin has looked.
    Ours(Claim),
    Handed,
}

/// Nothing is held: the plugin does that.
pub struct Claim(());

/// The starts that came while this program ended: command line and folder.
static LATE: Mutex<Vec<(Vec<String>, String)>> = Mutex::new(Vec::new());

pub fn claim(_: &Path, _: &StartArguments) -> io::Result<ClaimOutcome> {
    Ok(ClaimOutcome::Ours(Claim(())))
}

/// Has the plugin end this start when another one has the window.
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

    /// The plugin ends with its window.
    pub fn shut(&mut self) {}
}

/// Makes the starts again that came while this program ended. It holds nothing any more.
pub fn make_late_starts() {
    for (line, folder) in std::mem::take(&mut *LATE.lock().unwrap_or_else(PoisonError::into_inner)) {
        let started = std::env::current_exe()
            .and_then(|program| Command::new(program).args(line.iter().skip(1)).current_dir(&folder).spawn());
        if let Err(error) = started {
            tracing::error!(%error, "a start that came while this program ended could not be made again");
        }
    }
}
