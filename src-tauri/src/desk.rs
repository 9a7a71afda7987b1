//! The functions of the window for its pages and its menu.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use server::{Choice, Choices, FolderChosen, Host, HostError};
use tauri::{AppHandle, Manager};

use crate::at_login::AtLogin;
use crate::choices::{WindowChoices, stepped};
use crate::{dialogs, shell, tray, window};

/// A placeholder for the [`Desk`], which is created while the service starts. Pages cannot use it before.
#[derive(Default)]
pub struct Coming(OnceLock<Arc<Desk>>);

impl Coming {
    /// Sets the desk.
    pub fn has_come(&self, desk: Arc<Desk>) {
        // It is set once in the lifetime of the program.
        let _ = self.0.set(desk);
    }

    fn desk(&self) -> Result<&Desk, HostError> {
        self.0.get().map(Arc::as_ref).ok_or_else(|| HostError("The window is not open yet".to_owned()))
    }
}

impl Host for Coming {
    fn choices(&self) -> Choices {
        let WindowChoices { on_close, zoom } = WindowChoices::default();
        self.desk().map_or(Choices { at_login: false, on_close, zoom }, Host::choices)
    }

    fn choose(&self, choice: Choice) -> Result<(), HostError> {
        self.desk()?.choose(choice)
    }

    fn has_tray(&self) -> bool {
        tray::is_possible()
    }

    fn choose_files(&self) {
        if let Ok(desk) = self.desk() {
            desk.choose_files();
        }
    }

    fn choose_folder(&self, then: FolderChosen) {
        match self.desk() {
            Ok(desk) => desk.choose_folder(then),
            Err(_) => then(None),
        }
    }

    fn print(&self) -> Result<(), HostError> {
        self.desk()?.print()
    }

    fn open_in_browser(&self, path: &str) -> Result<(), HostError> {
        self.desk()?.open_in_browser(path)
    }

    fn open_folder(&self, folder: &Path) -> Result<(), HostError> {
        self.desk()?.open_folder(folder)
    }
}

/// The functions of the window that the service calls for its pages.
pub struct Desk {
    app: AppHandle,
    at_login: AtLogin,
    /// The folder in which choices are stored.
    folder: PathBuf,
    kept: Mutex<WindowChoices>,
}

impl Desk {
    /// The desk of a program that can be started again with the command line `like_this`.
    pub fn new(app: &AppHandle, like_this: Vec<String>) -> tauri::Result<Self> {
        let folder = app.path().app_config_dir()?;
        let kept = Mutex::new(WindowChoices::read(&folder));
        Ok(Self { app: app.clone(), at_login: AtLogin::new(app, like_this)?, folder, kept })
    }

    pub fn kept(&self) -> WindowChoices {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the result of applying `decide` to the current choices, and applies the new zoom.
    fn keep(&self, decide: impl FnOnce(WindowChoices) -> WindowChoices) -> Result<(), HostError> {
        let mut held = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = decide(*held);
        kept.write(&self.folder).map_err(|error| {
            HostError(format!("The choice could not be kept in {}: {error}", self.folder.display()))
        })?;
        *held = kept;
        drop(held);
        window::zoom(&self.app, kept.zoom);
        Ok(())
    }

    /// Zooms one step in or out; `None` resets the zoom.
    pub fn zoom(&self, larger: Option<bool>) {
        let step = |kept: WindowChoices| WindowChoices {
            zoom: larger.map_or(1.0, |larger| stepped(kept.zoom, larger)),
            ..kept
        };
        match self.keep(step) {
            Ok(()) => window::tell(&self.app, "quarterdeck:choices", ""),
            Err(error) => tracing::warn!("{error}"),
        }
    }
}

impl Host for Desk {
    fn choices(&self) -> Choices {
        let WindowChoices { on_close, zoom } = self.kept();
        Choices { at_login: self.at_login.is_on(), on_close, zoom }
    }

    fn choose(&self, choice: Choice) -> Result<(), HostError> {
        if let Some(at_login) = choice.at_login {
            self.at_login.turn(at_login).map_err(|error| {
                HostError(format!("The system did not take the choice about signing in to it: {error}"))
            })?;
        }
        self.keep(|kept| WindowChoices {
            on_close: choice.on_close.unwrap_or(kept.on_close),
            zoom: choice.zoom.unwrap_or(kept.zoom),
        })
    }

    fn has_tray(&self) -> bool {
        tray::is_possible()
    }

    fn choose_files(&self) {
        dialogs::choose_files(&self.app);
    }

    fn choose_folder(&self, then: FolderChosen) {
        dialogs::choose_folder(&self.app, then);
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

    fn open_folder(&self, folder: &Path) -> Result<(), HostError> {
        tauri_plugin_opener::open_path(folder, None::<&str>).map_err(|error| {
            HostError(format!("The system's file manager did not open {}: {error}", folder.display()))
        })
    }
}
