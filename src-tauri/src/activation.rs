//! The right to come to the front.
//!
//! Whoever starts a program at the wish of a person hands it a token. On Wayland no window comes forward without one; on X11 it ends the sign that the
//! program is starting, and says when the person wished it. A start that hands over to an open window hands over its token, too.

use gtk::prelude::{GtkWindowExt as _, WidgetExt as _};
use tauri::WebviewWindow;

/// Where it is, on Wayland and on X11. Launchers that know both hand over the same one.
const NAMES: [&str; 2] = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"];

/// Takes it out of the environment: it counts once, for this program and for none that it starts. Before any thread is started.
///
/// GTK has read what is meant for a window of its own when it was loaded.
pub fn take() -> Option<String> {
    let token = NAMES.iter().filter_map(|name| std::env::var(name).ok()).find(|token| !token.is_empty());
    for name in NAMES {
        glib::unsetenv(name);
    }
    token
}

/// Brings `window` to the front in the name of whoever was handed `token`. On the main thread.
pub fn follow(window: &WebviewWindow, token: &str) -> tauri::Result<()> {
    let shown = window.gtk_window()?;
    // What is not on the screen cannot be asked forward.
    shown.show();
    shown.set_startup_id(token);
    Ok(())
}
