//! The user's choices about this window, stored with its size and position in a file of the user's settings, because they belong to this computer
//! and not to the data.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use server::{OnClose, ZOOM};

/// The stored choices. Whether the window opens at login is stored by the system.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowChoices {
    pub on_close: OnClose,
    /// 1 is the size the pages are designed for.
    pub zoom: f64,
}

impl Default for WindowChoices {
    fn default() -> Self {
        Self { on_close: OnClose::Ask, zoom: 1.0 }
    }
}

impl WindowChoices {
    /// The choices stored in `folder`; defaults for those that are missing or unreadable.
    pub fn read(folder: &Path) -> Self {
        let text = match std::fs::read(file(folder)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Self::default(),
            Err(error) => {
                tracing::warn!(%error, "what was decided about the window cannot be read");
                return Self::default();
            }
        };
        match serde_json::from_slice::<Self>(&text) {
            Ok(kept) => Self { zoom: kept.zoom.clamp(*ZOOM.start(), *ZOOM.end()), ..kept },
            Err(error) => {
                tracing::warn!(%error, "what was decided about the window cannot be read");
                Self::default()
            }
        }
    }

    /// Writes the choices atomically.
    pub fn write(self, folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let beside = folder.join("window.json.new");
        std::fs::write(&beside, serde_json::to_vec(&self)?)?;
        std::fs::rename(beside, file(folder))
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("window.json")
}

/// `zoom` increased or decreased by one step, in tenths.
pub fn stepped(zoom: f64, larger: bool) -> f64 {
    let step = if larger { 0.1 } else { -0.1 };
    (((zoom + step) * 10.0).round() / 10.0).clamp(*ZOOM.start(), *ZOOM.end())
}

#[cfg(test)]
mod tests {
    use super::{WindowChoices, stepped};
    use server::OnClose;

    #[test]
    fn what_was_decided_is_there_after_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(WindowChoices::read(folder.path()), WindowChoices::default());
        let kept = WindowChoices { on_close: OnClose::Finish, zoom: 1.3 };
        kept.write(folder.path()).unwrap();
        assert_eq!(WindowChoices::read(folder.path()), kept);
        std::fs::write(super::file(folder.path()), "{\"zoom\": 900}").unwrap();
        assert_eq!(
            WindowChoices::read(folder.path()),
            WindowChoices { zoom: 3.0, ..WindowChoices::default() }
        );
        std::fs::write(super::file(folder.path()), "not JSON").unwrap();
        assert_eq!(WindowChoices::read(folder.path()), WindowChoices::default());
    }

    #[test]
    fn zoom_goes_in_tenths_and_not_too_far() {
        let near = |one: f64, other: f64| (one - other).abs() < 1e-9;
        assert!(near((0..3).fold(1.0, |zoom, _| stepped(zoom, true)), 1.3));
        assert!(near((0..99).fold(1.0, |zoom, _| stepped(zoom, true)), 3.0));
        assert!(near((0..99).fold(1.0, |zoom, _| stepped(zoom, false)), 0.5));
    }
}
