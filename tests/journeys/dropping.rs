//! Files dragged into the window from another program, with the pointer.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::desk::Screen;
use crate::support::desktop::{Started, Window};
use crate::support::fixture;

/// A file manager on the screen, beside the window, that shows `files`.
fn file_manager(screen: &Screen, files: &[PathBuf]) -> Started {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/file_manager.py");
    let mut manager = Command::new("/usr/bin/python3")
        .arg(script)
        .args(["1500", "100"])
        .args(files)
        .env("DISPLAY", &screen.name)
        .env("GDK_BACKEND", "x11")
        .env_remove("WAYLAND_DISPLAY")
        .env("NO_AT_BRIDGE", "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(manager.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line.trim(), "there", "python3-gi shows no window. `make test` installs it");
    Started(manager)
}

#[tokio::test]
async fn files_dropped_from_a_file_manager_wait_until_somebody_says_import() {
    let screen = Screen::new();
    let window = Window::open_on_screen(&screen.name).await;
    let page = &window.page;
    page.shows("Import cost files").await;

    let _manager = file_manager(&screen, &[fixture("september.csv"), fixture("instances.csv")]);
    screen.drag((1600, 200), (500, 400));
    page.shows("Waiting for you").await;
    page.shows("september.csv").await;
    page.press("Leave out instances.csv").await;
    page.press("Import 1 file").await;
    page.shows("12 imported").await;
    page.shows_no_more("Waiting for you").await;
    window.page.close().await;
}
