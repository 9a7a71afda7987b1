//! The small picture by which a program without a window is seen and called back.

use tauri::menu::{MenuBuilder, MenuEvent};
use tauri::tray::TrayIconBuilder;
use tauri::{AppHandle, Manager, Wry};

use crate::{background, window};

const ID: &str = "quarterdeck";
const SHOW: &str = "tray-show";
const QUIT: &str = "tray-quit";

/// Whether this desktop shows such pictures. On Linux somebody has to watch for them, and not every desktop does.
pub fn is_possible() -> bool {
    #[cfg(target_os = "linux")]
    {
        // A thread of its own: the bus is asked in a blocking way, which a thread of the runtime must not do.
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

/// Shows it; tells whether it is there. On the main thread.
pub fn show(app: &AppHandle, tooltip: &str) -> bool {
    if !is_possible() {
        return false;
    }
    if let Some(tray) = app.tray_by_id(ID) {
        drop(tray.set_tooltip(Some(tooltip)));
        return tray.set_visible(true).is_ok();
    }
    // The library that draws it is loaded at this moment, and where it is not installed, that panics.
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
    // As a file, for whoever shows it: in a folder where nobody else can have put one of that name.
    let folder = app.path().app_cache_dir()?.join("tray");
    let mut tray = TrayIconBuilder::with_id(ID).menu(&menu).tooltip(tooltip).temp_dir_path(folder);
    if let Some(icon) = app.default_window_icon() {
        tray = tray.icon(icon.clone());
    }
    tray.build(app)?;
    Ok(())
}

/// Takes it away. It is kept unseen: libayatana-appindicator lets go of its place on the bus some time later, and a new picture would find it taken and not
/// be seen.
pub fn hide(app: &AppHandle) {
    if let Some(tray) = app.tray_by_id(ID)
        && let Err(error) = tray.set_visible(false)
    {
        tracing::warn!(%error, "the picture in the tray could not be taken away");
    }
}

/// Follows what was chosen in its menu; tells whether it was ours.
pub fn follow(app: &AppHandle, event: &MenuEvent) -> bool {
    match event.id().as_ref() {
        SHOW => window::raise(app, None),
        QUIT => background::quit(app),
        _ => return false,
    }
    true
}
