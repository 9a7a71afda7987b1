//! Settings, Window: choices about the window are stored.

use std::path::{Path, PathBuf};

use crate::support::desktop::{Window, until};

#[tokio::test]
async fn what_a_person_decides_about_the_window_is_kept() {
    let window = Window::open().await;
    let page = &window.page;
    let at_login = window.home().join("autostart");
    page.follow("Settings").await;
    page.follow("Window").await;
    page.shows("100%").await;
    page.choose_in("Imports, downloads and backups that still run", "Finish in the background, then quit")
        .await;
    page.press("Open at login").await;
    let opened = || entries(&at_login).len();
    until("an entry that opens it at login", || opened() == 1).await;
    let entry = entries(&at_login).remove(0);
    let same_data = format!("\"--data-dir\" \"{}\"\n", window.data_dir().display());
    assert!(std::fs::read_to_string(entry).unwrap().contains(&same_data), "it opens on other data");
    let usual = page.number("return innerWidth;").await;
    page.run(&press_anyhow("Larger")).await;
    page.shows("110%").await;
    // The page shows a choice before the window has applied it.
    until("a size that is kept", || window.decided().contains("1.1")).await;
    page.holds(&format!("return innerWidth < {usual};")).await;

    let window = window.reopen().await;
    let page = &window.page;
    page.shows("Import cost files").await;
    page.run("location.assign('/settings/window');").await;
    page.shows("110%").await;
    page.holds(&format!("return innerWidth < {usual};")).await;
    assert_eq!(page.value("Imports, downloads and backups that still run").await, "finish");
    page.run(&press_anyhow("Open at login")).await;
    until("no entry that opens it at login", || opened() == 0).await;
    page.run(&press_anyhow("Usual size")).await;
    page.holds(&format!("return innerWidth === {usual};")).await;
    window.page.close().await;
}

/// The autostart entries. Temporary files have another extension.
fn entries(at_login: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(at_login).into_iter().flatten().map(|file| file.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|ending| ending == "desktop")).collect()
}

/// A click on the button `name`. The driver ignores the zoom of the page and would click beside it.
fn press_anyhow(name: &str) -> String {
    format!(
        "[...document.querySelectorAll('button')].find((one) => (one.ariaLabel ?? one.innerText) === '{name}').click();"
    )
}
