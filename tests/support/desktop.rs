//! The window: `quarterdeck` on a real display, as a person starts it or driven through WebKitWebDriver.

use std::path::Path;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use super::browser::Driver;
use super::page::Page;
use super::programs::{isolate, program};

/// An open window whose page can be used.
pub struct Window {
    _driver: Driver,
    _home: TempDir,
    pub page: Page,
}

impl Window {
    /// Opens the window on an empty data directory; it signs itself in.
    pub async fn open() -> Self {
        let home = tempfile::tempdir().unwrap();
        let data_dir = home.path().join("data");
        Self::open_in(home, &data_dir).await
    }

    /// Opens the window on `data_dir`.
    pub async fn open_on(data_dir: &Path) -> Self {
        Self::open_in(tempfile::tempdir().unwrap(), data_dir).await
    }

    async fn open_in(home: TempDir, data_dir: &Path) -> Self {
        let mut command = Command::new("WebKitWebDriver");
        // What the driver has in its environment, the window gets.
        prepare(&mut command, home.path(), data_dir);
        command.envs([("TAURI_AUTOMATION", "true"), ("TAURI_WEBVIEW_AUTOMATION", "true")]);
        let driver = Driver::start(command, "webkit2gtk-driver");
        let capabilities =
            json!({ "webkitgtk:browserOptions": { "binary": program("quarterdeck"), "args": [] } });
        let client = driver.session(serde_json::from_value(capabilities).unwrap()).await;
        Self { _driver: driver, _home: home, page: Page::new(client, "window") }
    }
}

/// `quarterdeck`, not yet started, as a person would start it.
pub fn desktop_program(home: &Path, data_dir: &Path) -> Command {
    let mut command = Command::new(program("quarterdeck"));
    prepare(&mut command, home, data_dir);
    command
}

/// # Panics
/// Without a display: a window that nobody could see is not tested.
fn prepare(command: &mut Command, home: &Path, data_dir: &Path) {
    assert!(
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some()),
        "there is no display for the window. `make test` brings one; by hand: xvfb-run -a dbus-run-session -- cargo test -p e2e"
    );
    isolate(command, home);
    // The bus of the tests starts no screen reader; without this GTK complains about that.
    command.env("NO_AT_BRIDGE", "1").env("QUARTERDECK_DATA_DIR", data_dir);
}
