//! Stores size and position of the window for its next start: when it closes, and shortly after each change, so that they survive a killed process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tauri::{AppHandle, Builder, Manager, Wry};
use tauri_plugin_window_state::{AppHandleExt, StateFlags};

/// Delay after the last change in a series, such as those of a drag.
const SETTLED: Duration = Duration::from_millis(500);

/// Counts the changes.
#[derive(Default)]
struct Changes(AtomicU64);

/// Enables storing. Not under WebDriver, which determines the size of the window itself.
pub fn prepare(builder: Builder<Wry>) -> Builder<Wry> {
    if is_driven() {
        return builder;
    }
    builder.manage(Changes::default()).plugin(tauri_plugin_window_state::Builder::new().build())
}

/// Called when size or position has changed.
pub fn note(app: &AppHandle) {
    let Some(changes) = app.try_state::<Changes>() else { return };
    let this = changes.0.fetch_add(1, Ordering::Relaxed) + 1;
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(SETTLED).await;
        if app.state::<Changes>().0.load(Ordering::Relaxed) == this {
            keep(&app);
        }
    });
}

/// Stores size and position on the main thread. Elsewhere it could deadlock: the plugin calls the main thread while it holds a lock that the main
/// thread takes when the window moves.
fn keep(app: &AppHandle) {
    let of = app.clone();
    let asked = app.run_on_main_thread(move || {
        if let Err(error) = of.save_window_state(StateFlags::all()) {
            tracing::warn!(%error, "size and place of the window are not kept");
        }
    });
    // An error means that the main thread has ended, and stored them.
    drop(asked);
}

/// Whether a WebDriver started this program; the variables are Tauri's own.
fn is_driven() -> bool {
    ["TAURI_AUTOMATION", "TAURI_WEBVIEW_AUTOMATION"].iter().any(|name| std::env::var_os(name).is_some())
}
