//! The window: `quarterdeck` on a real display, driven through WebKitWebDriver.

use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use super::browser::Driver;
use super::page::Page;
use super::programs::{isolate, program};

/// An open window with its own service on an empty data directory.
pub struct Window {
    _driver: Driver,
    _home: TempDir,
    pub page: Page,
}

impl Window {
    /// Opens the window; it signs itself in.
    ///
    /// # Panics
    /// Without a display: a window that nobody could see is not tested.
    pub async fn open() -> Self {
        assert!(
            std::env::var_os("DISPLAY").is_some() || std::env::var_os("WAYLAND_DISPLAY").is_some(),
            "there is no display for the window. `make test` brings one: xvfb-run -a dbus-run-session -- cargo test -p e2e"
        );
        let home = tempfile::tempdir().unwrap();
        let mut command = Command::new("WebKitWebDriver");
        isolate(&mut command, home.path());
        // What the driver has in its environment, the window gets.
        command
            .env("QUARTERDECK_DATA_DIR", home.path().join("data"))
            .envs([("TAURI_AUTOMATION", "true"), ("TAURI_WEBVIEW_AUTOMATION", "true")]);
        let driver = Driver::start(command, "webkit2gtk-driver");
        let capabilities =
            json!({ "webkitgtk:browserOptions": { "binary": program("quarterdeck"), "args": [] } });
        let client = driver.session(serde_json::from_value(capabilities).unwrap()).await;
        Self { _driver: driver, _home: home, page: Page::new(client, "window") }
    }
}
