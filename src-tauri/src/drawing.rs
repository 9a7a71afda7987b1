//! How pages are drawn where no graphics card is to be had.
//!
//! WebKitGTK puts pages together with OpenGL. Without a card Mesa does that on the processor: shaders are compiled, every picture is copied once more, and
//! the processes of the window and of the page keep what that takes. Drawn plainly the same page is there in a fraction of that time
//! (`tests/benches/window.rs`). The libraries take this from their environment, and only before they begin.

use std::fs::{File, read_dir};
use std::io;
use std::path::Path;

/// Who sets this one, to 0 or to 1, has decided.
const PLAINLY: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";
/// WebKitGTK without pictures shared with a card, and GTK without a look at which of the screen's visuals OpenGL would like best. The last one says
/// which card pages are put together with: WebKitGTK would ask Mesa, which loads LLVM into this process for the answer, though no page is.
const WITH_IT: [(&str, &str); 3] = [
    ("WEBKIT_DISABLE_DMABUF_RENDERER", "1"),
    ("GDK_GL", "disable"),
    ("WEBKIT_WEB_RENDER_DEVICE_FILE", "/dev/null"),
];

/// Has pages drawn plainly where no graphics card would do more. Before any thread is started: it changes the environment.
pub fn choose() {
    let is_plain = match std::env::var_os(PLAINLY) {
        Some(decided) => decided != "0",
        None => !has_card(Path::new("/dev")),
    };
    if !is_plain {
        return;
    }
    for (name, value) in [(PLAINLY, "1")].into_iter().chain(WITH_IT) {
        // Without it pages come later, and look the same.
        let _ = glib::setenv(name, value, false);
    }
}

/// Begins with GTK, as the window would by itself; that one panics where nobody answers.
///
/// # Errors
/// When the display that the environment names does not answer, or lets nobody in.
pub fn reach_display() -> io::Result<()> {
    gtk::init().map_err(|_| {
        let named: Vec<String> = ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .filter_map(|name| Some(format!("{name}={}", std::env::var(name).ok()?)))
            .collect();
        io::Error::other(format!(
            "the display does not answer ({}). `quarterdeck-server serve` serves the same pages to a browser",
            named.join(", ")
        ))
    })
}

/// Whether there is a graphics card that this person may use.
fn has_card(devices: &Path) -> bool {
    let is_usable = |path: &Path| File::options().read(true).write(true).open(path).is_ok();
    let mut cards = read_dir(devices.join("dri")).into_iter().flatten().filter_map(Result::ok);
    // NVIDIA's own driver may come without the devices of the others.
    cards.any(|card| card.file_name().to_string_lossy().starts_with("renderD") && is_usable(&card.path()))
        || is_usable(&devices.join("nvidiactl"))
}

#[cfg(test)]
mod tests {
    use super::has_card;

    #[test]
    fn a_card_that_can_be_opened_is_one() {
        let devices = tempfile::tempdir().unwrap();
        assert!(!has_card(devices.path()));
        let cards = devices.path().join("dri");
        std::fs::create_dir(&cards).unwrap();
        // A screen without a card that computes, as virtual machines have it.
        std::fs::write(cards.join("card0"), "").unwrap();
        assert!(!has_card(devices.path()));
        // One that cannot be opened for writing, whoever asks.
        std::fs::create_dir(cards.join("renderD128")).unwrap();
        assert!(!has_card(devices.path()));
        std::fs::write(cards.join("renderD129"), "").unwrap();
        assert!(has_card(devices.path()));
    }
}
