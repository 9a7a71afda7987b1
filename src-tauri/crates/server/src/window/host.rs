//! What the window around this service does for its pages.
//!
//! A page asks over HTTP, as for everything else: no command of the shell can be reached from a page. Without a window, nobody is asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What happens to work that goes on when the window is closed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnClose {
    /// The person is asked each time.
    #[default]
    Ask,
    /// It goes on without a window, and the program ends after it.
    Finish,
    /// It goes on without a window, and the program stays until somebody ends it.
    Stay,
    /// It is put down; the next start takes it up.
    Stop,
}

/// What a person decided about the window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "WindowChoices")]
pub struct Choices {
    /// The system opens the window when the person signs in to it.
    pub at_login: bool,
    pub on_close: OnClose,
    /// 1 is the size the pages are made for.
    pub zoom: f64,
}

/// What a person decides in one step. What it does not name stays as it was decided before, by whichever page or menu.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[schemars(rename = "WindowChoice")]
#[serde(default, deny_unknown_fields)]
pub struct Choice {
    pub at_login: Option<bool>,
    pub on_close: Option<OnClose>,
    pub zoom: Option<f64>,
}

/// How far pages are made larger or smaller.
pub const ZOOM: std::ops::RangeInclusive<f64> = 0.5..=3.0;

/// Why the window did not do what it was asked; said to the person.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct HostError(pub String);

/// Hears which folder a person chose; none where the dialog was closed, or one is open already.
pub type FolderChosen = Box<dyn FnOnce(Option<PathBuf>) + Send>;

/// The window.
pub trait Host: Send + Sync + 'static {
    fn choices(&self) -> Choices;

    /// Keeps a choice and follows it.
    fn choose(&self, choice: Choice) -> Result<(), HostError>;

    /// Whether this desktop has a place where a program without a window is seen.
    fn has_tray(&self) -> bool;

    /// Opens the system's dialog for files; those chosen are put forward ([`crate::Running::put_forward`]).
    fn choose_files(&self);

    /// Opens the system's dialog for a folder; `then` hears which was chosen.
    fn choose_folder(&self, then: FolderChosen);

    /// Opens the system's dialog for printing.
    fn print(&self) -> Result<(), HostError>;

    /// Shows a page of this service, `path` with its search, in the system's browser, signed in.
    fn open_in_browser(&self, path: &str) -> Result<(), HostError>;

    /// Shows a folder of this service, which is there, in the system's file manager.
    fn open_folder(&self, folder: &Path) -> Result<(), HostError>;
}
