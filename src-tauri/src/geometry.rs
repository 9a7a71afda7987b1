//! Size and place of the window, kept for its next opening: when it closes, and soon after somebody has changed them, so that they outlive a program
//! that is killed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tauri::{AppHandle, Builder, Manager, Wry};
use tauri_plugin_window_state::{AppHandleExt, StateFlags};

/// After the last change of many, such as those of a drag.
const SETTLED: Duration = Duration::from_millis(500);

/// So many changes have come.
#[derive(Default)]
struct Changes(AtomicU64);

/// Has them kept from now on. A driver decides itself how large a window is.
pub fn prepare(builder: Builder<Wry>) -> Builder<Wry> {
    if is_driven() {
        return builder;
    }
    builder.manage(Changes::default()).plugin(tauri_plugin_window_state::Builder::new().build())
}

/// They have changed.
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

/// Writes them down, on the thread of the window: the plugin asks that thread while it holds what that thread waits for when the window moves.
fn keep(app: &AppHandle) {
    let of = app.clone();
    let asked = app.run_on_main_thread(move || {
        if let Err(error) = of.save_window_state(StateFlags::all()) {
            tracing::warn!(%error, "size and place of the window are not kept");
        }
    });
    // There is no such thread any more: it has kept them.
    drop(asked);
}

/// Whether a WebDriver started this program; the variables are Tauri's own.
fn is_driven() -> bool {
    ["TAURI_AUTOMATION", "TAURI_WEBVIEW_AUTOMATION"].iter().any(|name| std::env::var_os(name).is_some())
}
