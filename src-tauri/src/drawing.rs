//! Rendering without a graphics card.
//!
//! WebKitGTK composites pages with OpenGL. Without a card, Mesa emulates it on the processor: shaders are compiled, every frame is copied once
//! more, and the processes of the window and of the page retain the memory this takes. Without compositing, the same page appears in a fraction of
//! that time (`tests/benches/window.rs`). The libraries read this from their environment, and only at their initialisation.

use std::fs::{File, read_dir};
use std::io;
use std::path::Path;

/// If this variable is set, to 0 or to 1, the user's choice is kept.
const PLAINLY: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";
/// Disables WebKitGTK's buffers shared with a card, and GTK's check which visual of the screen is best for OpenGL. The last variable names the card
/// for compositing: WebKitGTK would otherwise query Mesa, which loads LLVM into this process, although nothing is composited.
const WITH_IT: [(&str, &str); 3] = [
    ("WEBKIT_DISABLE_DMABUF_RENDERER", "1"),
    ("GDK_GL", "disable"),
    ("WEBKIT_WEB_RENDER_DEVICE_FILE", "/dev/null"),
];

/// Disables compositing if there is no graphics card. Must be called before any thread is started, because it changes the environment.
pub fn choose() {
    let is_plain = match std::env::var_os(PLAINLY) {
        Some(decided) => decided != "0",
        None => !has_card(Path::new("/dev")),
    };
    if !is_plain {
        return;
    }
    for (name, value) in [(PLAINLY, "1")].into_iter().chain(WITH_IT) {
        // On failure, pages only appear later.
        let _ = glib::setenv(name, value, false);
    }
}

/// Initialises GTK. Otherwise the window would, and panic if the display does not answer.
///
/// # Errors
/// When the display named in the environment does not answer, or refuses the connection.
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

/// Whether there is a graphics card that this user may use.
fn has_card(devices: &Path) -> bool {
    let is_usable = |path: &Path| File::options().read(true).write(true).open(path).is_ok();
    let mut cards = read_dir(devices.join("dri")).into_iter().flatten().filter_map(Result::ok);
    // NVIDIA's own driver may not create the devices of the other drivers.
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
        // A screen without a GPU, as in virtual machines.
        std::fs::write(cards.join("card0"), "").unwrap();
        assert!(!has_card(devices.path()));
        // A device that cannot be opened for writing by any user.
        std::fs::create_dir(cards.join("renderD128")).unwrap();
        assert!(!has_card(devices.path()));
        std::fs::write(cards.join("renderD129"), "").unwrap();
        assert!(has_card(devices.path()));
    }
}
