//! Files that a page offers for saving.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tauri::webview::DownloadEvent;
use tauri::{AppHandle, Manager, Url};

use crate::window;

/// Destinations of files that are being saved.
#[derive(Default)]
pub struct Saving(Mutex<HashMap<Url, PathBuf>>);

impl Saving {
    /// Chooses a destination that the user can find, and reports a failed download.
    pub fn follow(&self, app: &AppHandle, event: DownloadEvent<'_>) {
        let mut on_the_way = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            DownloadEvent::Requested { url, destination } => {
                keep_at_home(app, destination);
                on_the_way.insert(url, destination.clone());
            }
            DownloadEvent::Finished { url, success, .. } => {
                // The event of a failed download has no path.
                let to = on_the_way.remove(&url);
                if let Some(to) = to.filter(|_| !success) {
                    tracing::warn!(to = %to.display(), "a file was not saved");
                    window::say(app, &not_saved(&to));
                }
            }
            _ => {}
        }
    }
}

fn not_saved(to: &Path) -> String {
    format!(
        "{} was not saved. Look whether its folder is there, can be written in and has room, then save it again.",
        to.display()
    )
}

/// Uses the home directory if the system defines no downloads folder: the default is then the directory in which the program was started.
fn keep_at_home(app: &AppHandle, destination: &mut PathBuf) {
    if app.path().download_dir().is_ok() {
        return;
    }
    if let (Ok(home), Some(name)) = (app.path().home_dir(), destination.file_name()) {
        *destination = free(&home, Path::new(name));
    }
}

/// `name` in `folder`, with a number if a file of that name exists: the web view does not overwrite files.
fn free(folder: &Path, name: &Path) -> PathBuf {
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    let ending = name.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    let numbered = (1..).map(|number| folder.join(format!("{stem} ({number}){ending}")));
    std::iter::once(folder.join(name))
        .chain(numbered)
        .find(|path| !path.exists())
        .expect("there is always another number")
}

#[cfg(test)]
mod tests {
    use super::free;
    use std::path::Path;

    #[test]
    fn a_file_that_is_saved_again_stands_beside_the_first() {
        let folder = tempfile::tempdir().unwrap();
        for expected in ["spends.csv", "spends (1).csv", "spends (2).csv"] {
            let path = free(folder.path(), Path::new("spends.csv"));
            assert_eq!(path, folder.path().join(expected));
            std::fs::write(path, "").unwrap();
        }
    }
}
