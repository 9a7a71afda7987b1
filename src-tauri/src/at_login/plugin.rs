//! Autostart with Tauri's plugin: a registry entry, or a file in the folder of launch agents.

use std::io;

use tauri::{AppHandle, Builder, Wry};
use tauri_plugin_autostart::ManagerExt as _;

pub fn prepare(builder: Builder<Wry>) -> Builder<Wry> {
    builder.plugin(tauri_plugin_autostart::Builder::new().build())
}

/// The autostart entry of the program.
pub struct AtLogin(AppHandle);

impl AtLogin {
    pub fn new(app: &AppHandle, _: Vec<String>) -> tauri::Result<Self> {
        Ok(Self(app.clone()))
    }

    pub fn is_on(&self) -> bool {
        self.0.autolaunch().is_enabled().unwrap_or_default()
    }

    pub fn turn(&self, on: bool) -> io::Result<()> {
        if self.is_on() == on {
            return Ok(());
        }
        let login = self.0.autolaunch();
        if on { login.enable() } else { login.disable() }.map_err(io::Error::other)
    }
}
