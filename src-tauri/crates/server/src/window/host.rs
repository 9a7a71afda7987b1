//! The functions of the window that the pages of this service can call.
//!
//! Pages call them over HTTP like everything else: no command of the Tauri shell is exposed to a page. Without a window, these requests are
//! refused.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How to handle running work when the window is closed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnClose {
    /// Ask the user each time.
    #[default]
    Ask,
    /// Finish the work in the background, then exit.
    Finish,
    /// Continue in the background, and keep running until the user quits.
    Stay,
    /// Stop the work. The next start resumes it.
    Stop,
}

/// The user's preferences for the window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "WindowChoices")]
pub struct Choices {
    /// Whether to open the window when the user logs in to the operating system.
    pub at_login: bool,
    pub on_close: OnClose,
    /// Zoom factor. 1 is the normal size.
    pub zoom: f64,
}

/// Changes to the window preferences. Omitted fields keep their value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[schemars(rename = "WindowChoice")]
#[serde(default, deny_unknown_fields)]
pub struct Choice {
    pub at_login: Option<bool>,
    pub on_close: Option<OnClose>,
    pub zoom: Option<f64>,
}

/// The range of zoom factors.
pub const ZOOM: std::ops::RangeInclusive<f64> = 0.5..=3.0;

/// Why the window did not perform an action; a message for the user.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct HostError(pub String);

/// Receives the chosen folder; `None` if the dialog was closed, or one is open already.
pub type FolderChosen = Box<dyn FnOnce(Option<PathBuf>) + Send>;

/// The window around the service, implemented by the desktop program.
pub trait Host: Send + Sync + 'static {
    fn choices(&self) -> Choices;

    /// Saves a choice and applies it.
    fn choose(&self, choice: Choice) -> Result<(), HostError>;

    /// Whether this desktop has a system tray that shows programs without a window.
    fn has_tray(&self) -> bool;

    /// Opens the system's file dialog. The chosen files are put into the inbox ([`crate::Running::put_forward`]).
    fn choose_files(&self);

    /// Opens the system's folder dialog. `then` receives the chosen folder.
    fn choose_folder(&self, then: FolderChosen);

    /// Opens the system's print dialog.
    fn print(&self) -> Result<(), HostError>;

    /// Opens a page of this service in the system's browser, signed in. `path` includes the query.
    fn open_in_browser(&self, path: &str) -> Result<(), HostError>;

    /// Shows an existing folder of this service in the system's file manager.
    fn open_folder(&self, folder: &Path) -> Result<(), HostError>;
}
