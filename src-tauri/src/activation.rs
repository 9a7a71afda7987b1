//! Activation tokens: the permission to bring a window to the front.
//!
//! A launcher that starts a program for a user passes it a token. On Wayland, a window cannot come to the front without one; on X11, it ends the
//! startup notification and contains the time of the user's action. A start that hands over to an open window also hands over its token.

use gtk::prelude::{GtkWindowExt as _, WidgetExt as _};
use tauri::WebviewWindow;

/// Environment variables of the token, for Wayland and X11. Launchers that set both use the same token.
const NAMES: [&str; 2] = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"];

/// Removes the token from the environment and returns it: it is valid once, for this program only. Must be called before any thread is started.
///
/// GTK reads its own copy for the first window when the library is loaded.
pub fn take() -> Option<String> {
    let token = NAMES.iter().filter_map(|name| std::env::var(name).ok()).find(|token| !token.is_empty());
    for name in NAMES {
        glib::unsetenv(name);
    }
    token
}

/// Brings `window` to the front with the given token. Must be called on the main thread.
pub fn follow(window: &WebviewWindow, token: &str) -> tauri::Result<()> {
    let shown = window.gtk_window()?;
    // A hidden window cannot be brought to the front.
    shown.show();
    shown.set_startup_id(token);
    Ok(())
}
