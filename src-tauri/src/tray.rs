//! The tray icon that represents a program without a window.

use tauri::menu::{MenuBuilder, MenuEvent};
use tauri::tray::TrayIconBuilder;
use tauri::{AppHandle, Manager, Wry};

use crate::{background, window};

const ID: &str = "quarterdeck";
const SHOW: &str = "tray-show";
const QUIT: &str = "tray-quit";

/// Whether this desktop has a system tray. On Linux, a program must provide it, which not every desktop does.
pub fn is_possible() -> bool {
    #[cfg(target_os = "linux")]
    {
        // On a separate thread: the D-Bus call blocks, which a thread of the runtime must not do.
        let asked = std::thread::spawn(|| {
            let bus = zbus::blocking::Connection::session()?;
            zbus::blocking::fdo::DBusProxy::new(&bus)?
                .name_has_owner("org.kde.StatusNotifierWatcher".try_into()?)
                .map_err(zbus::Error::from)
        });
        matches!(asked.join(), Ok(Ok(true)))
    }
    #[cfg(not(target_os = "linux"))]
    {
        true
    }
}

/// Shows the icon. Returns whether it is visible. Must be called on the main thread.
pub fn show(app: &AppHandle, tooltip: &str) -> bool {
    if !is_possible() {
        return false;
    }
    if let Some(tray) = app.tray_by_id(ID) {
        drop(tray.set_tooltip(Some(tooltip)));
        return tray.set_visible(true).is_ok();
    }
    // The icon library is loaded at this point, and panics if it is not installed.
    let built = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| build(app, tooltip)));
    match built {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            tracing::warn!(%error, "there is no picture in the tray");
            false
        }
        Err(_) => {
            tracing::warn!("there is no picture in the tray: libayatana-appindicator3 is not installed");
            false
        }
    }
}

fn build(app: &AppHandle, tooltip: &str) -> tauri::Result<()> {
    let menu = MenuBuilder::<Wry, _>::new(app).text(SHOW, "Show Quarterdeck").text(QUIT, "Quit").build()?;
    // The tray reads the icon from a file. It is in a folder where no other user can have put one of that name.
    let folder = app.path().app_cache_dir()?.join("tray");
    let mut tray = TrayIconBuilder::with_id(ID).menu(&menu).tooltip(tooltip).temp_dir_path(folder);
    if let Some(icon) = app.default_window_icon() {
        tray = tray.icon(icon.clone());
    }
    tray.build(app)?;
    Ok(())
}

/// Hides the icon without destroying it: libayatana-appindicator releases its D-Bus name with a delay, therefore a new icon would find the name
/// taken and remain invisible.
pub fn hide(app: &AppHandle) {
    if let Some(tray) = app.tray_by_id(ID)
        && let Err(error) = tray.set_visible(false)
    {
        tracing::warn!(%error, "the picture in the tray could not be taken away");
    }
}

/// Handles a choice in the icon's menu. Returns whether it was one of ours.
pub fn follow(app: &AppHandle, event: &MenuEvent) -> bool {
    match event.id().as_ref() {
        SHOW => window::raise(app, None),
        QUIT => background::quit(app),
        _ => return false,
    }
    true
}
