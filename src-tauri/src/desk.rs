//! The window as its pages and its menu ask for it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use server::{Choice, Choices, FolderChosen, Host, HostError};
use tauri::{AppHandle, Manager};

use crate::at_login::AtLogin;
use crate::choices::{WindowChoices, stepped};
use crate::{dialogs, shell, tray, window};

/// A desk before it is there: the service starts while the window comes. No page asks for it before.
#[derive(Default)]
pub struct Coming(OnceLock<Arc<Desk>>);

impl Coming {
    /// It is there.
    pub fn has_come(&self, desk: Arc<Desk>) {
        // There is one for the whole life of the program.
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

/// What the service asks when a page does.
pub struct Desk {
    app: AppHandle,
    at_login: AtLogin,
    /// Where choices are kept.
    folder: PathBuf,
    kept: Mutex<WindowChoices>,
}

impl Desk {
    /// The desk of a program that was started with `like_this`.
    pub fn new(app: &AppHandle, like_this: Vec<String>) -> tauri::Result<Self> {
        let folder = app.path().app_config_dir()?;
        let kept = Mutex::new(WindowChoices::read(&folder));
        Ok(Self { app: app.clone(), at_login: AtLogin::new(app, like_this)?, folder, kept })
    }

    pub fn kept(&self) -> WindowChoices {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what `decide` makes of what was decided before, and shows pages in the size that comes of it.
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

    /// One step larger or smaller, or back to the size the pages are made for.
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
