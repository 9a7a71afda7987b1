//! The window around this service, if there is one: its functions for pages, and the files that the user opened with it.

pub mod host;
pub mod open_files;

use std::sync::Arc;

/// The window, as routes see it.
pub struct WindowState {
    /// `None` if the service runs without a window.
    pub host: Option<Arc<dyn host::Host>>,
    /// Files that were opened with the window and wait for import.
    pub inbox: open_files::OpenFileInbox,
}
