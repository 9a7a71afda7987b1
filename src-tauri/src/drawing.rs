//! How pages are drawn where there is no graphics card.

use std::path::Path;

use tauri::WebviewWindow;

/// Has pages drawn plainly where no card helps. WebKitGTK has Mesa imitate one otherwise: in virtual machines and remote sessions that costs each
/// picture several times the processor, and the web process 130 MB.
pub fn without_a_card(window: &WebviewWindow) {
    if has_card() {
        return;
    }
    let asked = window.with_webview(|view| {
        use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt as _, WebViewExt as _};
        if let Some(settings) = view.inner().settings() {
            settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
        }
    });
    if let Err(error) = asked {
        tracing::warn!(%error, "pages are drawn by an imitated graphics card");
    }
}

/// Whether the system has a card that draws: a node to draw with, or the one of NVIDIA's own driver.
fn has_card() -> bool {
    let nodes = std::fs::read_dir("/dev/dri").into_iter().flatten().filter_map(Result::ok);
    nodes.into_iter().any(|node| node.file_name().to_string_lossy().starts_with("renderD"))
        || Path::new("/dev/nvidiactl").exists()
}
