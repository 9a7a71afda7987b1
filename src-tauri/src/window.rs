//! The one window: opens it on a page, keeps it on the pages of the own service, brings it to the front.

use std::path::PathBuf;

use tauri::webview::{DownloadEvent, NewWindowResponse};
use tauri::{AppHandle, Manager, Url, WebviewUrl, WebviewWindowBuilder, Wry};

use crate::links::{Way, way};
use crate::page;

/// The label under which capabilities and window state know the window.
const LABEL: &str = "main";

/// The scheme under which [`page::notice`] is shown; see [`crate::shell`].
pub const NOTICE_SCHEME: &str = "notice";

/// Opens the window on `entry`, a page of the service; other addresses leave for the system's browser.
pub fn open(app: &AppHandle, entry: Url) -> tauri::Result<()> {
    let own = entry.clone();
    let from = (app.clone(), entry.clone());
    frame(app, LABEL, WebviewUrl::External(entry))
        .inner_size(1280.0, 800.0)
        .initialization_script(page::BEFORE_EVERY_PAGE)
        // Tauri's own handler swallows dropped files; the page wants them.
        .disable_drag_drop_handler()
        .on_navigation(move |address| match way(address, &own) {
            Way::Here => true,
            Way::Outside => {
                open_outside(address);
                false
            }
            Way::Nowhere => false,
        })
        .on_new_window(move |address, _| {
            let (app, own) = &from;
            match way(&address, own) {
                Way::Here => {
                    if let Some(window) = app.get_webview_window(LABEL) {
                        drop(window.navigate(address));
                    }
                }
                Way::Outside => open_outside(&address),
                Way::Nowhere => {}
            }
            NewWindowResponse::Deny
        })
        .on_download(|webview, event| {
            match event {
                DownloadEvent::Requested { destination, .. } => {
                    keep_at_home(webview.app_handle(), destination);
                }
                DownloadEvent::Finished { url, path, success: false } => {
                    tracing::warn!(%url, ?path, "a file was not saved");
                }
                _ => {}
            }
            true
        })
        .build()?;
    Ok(())
}

/// Shows another page of the service in the window.
pub fn go(app: &AppHandle, entry: Url) -> tauri::Result<()> {
    app.get_webview_window(LABEL).map_or(Ok(()), |window| window.navigate(entry))
}

/// Opens the window on the page that says why the service did not start.
pub fn open_notice(app: &AppHandle) -> tauri::Result<()> {
    open_notice_as(app, LABEL)
}

/// Shows that page in place of the window there is.
pub fn go_to_notice(app: &AppHandle) -> tauri::Result<()> {
    // Before the other one goes: without any window the program ends.
    open_notice_as(app, "notice")?;
    app.get_webview_window(LABEL).map_or(Ok(()), |window| window.destroy())
}

fn open_notice_as(app: &AppHandle, label: &str) -> tauri::Result<()> {
    let address =
        Url::parse(&format!("{NOTICE_SCHEME}://localhost/")).expect("a scheme and a host are an address");
    frame(app, label, WebviewUrl::CustomProtocol(address)).inner_size(640.0, 360.0).build()?;
    Ok(())
}

/// Brings the window to the front, wherever it was put.
pub fn raise(app: &AppHandle) {
    let Some(window) = app.get_webview_window(LABEL) else { return };
    for step in [window.unminimize(), window.show(), window.set_focus()] {
        if let Err(error) = step {
            tracing::warn!(%error, "the window could not be brought to the front");
        }
    }
}

fn frame<'a>(app: &'a AppHandle, label: &str, page: WebviewUrl) -> WebviewWindowBuilder<'a, Wry, AppHandle> {
    WebviewWindowBuilder::new(app, label, page).title("Quarterdeck").min_inner_size(480.0, 360.0)
}

/// Puts a file that the page hands over into the home directory where the system knows no downloads folder: the proposal
/// is then the directory that the program was started in.
fn keep_at_home(app: &AppHandle, destination: &mut PathBuf) {
    if app.path().download_dir().is_ok() {
        return;
    }
    if let (Ok(home), Some(name)) = (app.path().home_dir(), destination.file_name()) {
        *destination = home.join(name);
    }
}

fn open_outside(address: &Url) {
    if let Err(error) = tauri_plugin_opener::open_url(address.as_str(), None::<&str>) {
        tracing::warn!(%error, %address, "the system's browser did not open a link");
    }
}
