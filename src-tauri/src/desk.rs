//! The window as its pages and its menu ask for it.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use server::{Choices, Host, HostError};
use tauri::{AppHandle, Manager};
use tauri_plugin_autostart::ManagerExt;

use crate::choices::{Kept, stepped};
use crate::{dialogs, shell, tray, window};

/// What the service asks when a page does.
pub struct Desk {
    app: AppHandle,
    /// Where choices are kept.
    folder: PathBuf,
    kept: Mutex<Kept>,
    /// Held while choices of a page are followed: each brings all of them, so an earlier one must not be kept last.
    choosing: Mutex<()>,
}

impl Desk {
    pub fn new(app: &AppHandle) -> tauri::Result<Self> {
        let folder = app.path().app_config_dir()?;
        let kept = Mutex::new(Kept::read(&folder));
        Ok(Self { app: app.clone(), folder, kept, choosing: Mutex::default() })
    }

    pub fn kept(&self) -> Kept {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what was decided, and shows pages in the size that was.
    fn keep(&self, kept: Kept) -> Result<(), HostError> {
        kept.write(&self.folder).map_err(|error| {
            HostError(format!("The choice could not be kept in {}: {error}", self.folder.display()))
        })?;
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        window::zoom(&self.app, kept.zoom);
        Ok(())
    }

    /// One step larger or smaller, or back to the size the pages are made for.
    pub fn zoom(&self, larger: Option<bool>) {
        let kept = self.kept();
        let zoom = larger.map_or(1.0, |larger| stepped(kept.zoom, larger));
        if let Err(error) = self.keep(Kept { zoom, ..kept }) {
            tracing::warn!("{error}");
        }
    }
}

impl Host for Desk {
    fn choices(&self) -> Choices {
        let Kept { on_close, zoom } = self.kept();
        Choices { at_login: self.app.autolaunch().is_enabled().unwrap_or_default(), on_close, zoom }
    }

    fn choose(&self, choices: Choices) -> Result<(), HostError> {
        let _one_by_one = self.choosing.lock().unwrap_or_else(PoisonError::into_inner);
        let login = self.app.autolaunch();
        if login.is_enabled().ok() != Some(choices.at_login) {
            let changed = if choices.at_login { login.enable() } else { login.disable() };
            changed.map_err(|error| {
                HostError(format!("The system did not take the choice about signing in to it: {error}"))
            })?;
        }
        self.keep(Kept { on_close: choices.on_close, zoom: choices.zoom })
    }

    fn has_tray(&self) -> bool {
        tray::is_possible()
    }

    fn choose_files(&self) {
        dialogs::choose_files(&self.app);
    }

    fn print(&self) -> Result<(), HostError> {
        window::print(&self.app)
            .map_err(|error| HostError(format!("The dialog for printing did not open: {error}")))
    }

    fn open_in_browser(&self, path: &str) -> Result<(), HostError> {
        let link = shell::link(&self.app).ok_or_else(|| HostError("The service does not run".to_owned()))?;
        let page = window::page_behind(&link, path)
            .ok_or_else(|| HostError(format!("{path:?} is no page of this service")))?;
        tauri_plugin_opener::open_url(page.as_str(), None::<&str>)
            .map_err(|error| HostError(format!("The system's browser did not open: {error}")))
    }
}
