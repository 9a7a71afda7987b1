//! The tray icon, which reopens the window of a running program.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::support::desk::{Desk, WINDOW, until_ended};
use crate::support::desktop::until;
use crate::support::notifications::{hear, notifications};
use crate::support::programs;
use crate::support::tray::Tray;
use crate::support::unfinished::import;

#[tokio::test]
async fn the_picture_in_the_tray_brings_the_window_back_and_ends_the_program() {
    let desk = Desk::of_one_who_decided("stay");
    let tray = Tray::on(&desk.bus);
    let (_monitor, heard) = notifications(&desk.bus);
    let mut window = desk.open().await;
    let pause = import(&desk).await;
    assert!(tray.pictures().is_empty(), "a picture beside the window: {:?}", tray.pictures());

    desk.close(&window).await;
    hear(&heard, "Its picture in the tray brings the window back.");
    until("one picture", || tray.pictures().len() == 1).await;
    let picture = tray.pictures().remove(0);
    assert_eq!(picture["lines"], serde_json::json!(["Show Quarterdeck", "Quit"]));
    let icon = Path::new(picture["icon"].as_str().unwrap()).to_owned();
    assert!(std::fs::read(&icon).unwrap().starts_with(b"\x89PNG"), "{} is no picture", icon.display());
    // Other users cannot replace the icon file.
    let folder = std::fs::metadata(icon.parent().unwrap()).unwrap();
    assert_eq!(folder.mode() & 0o022, 0, "{:o}", folder.mode());
    assert!(icon.starts_with(desk.home.path()), "{} is not the person's", icon.display());

    assert!(tray.click("Show Quarterdeck"));
    until("the window again", || desk.shows(&window, WINDOW)).await;
    until("no picture", || tray.pictures().is_empty()).await;

    desk.close(&window).await;
    until("one picture again", || tray.pictures().len() == 1).await;
    assert!(tray.click("Quit"));
    until_ended(&mut window).await;
    assert!(!icon.exists(), "{} is left", icon.display());

    // Unfinished work is resumed at the next start.
    drop(pause);
    let _window = desk.open().await;
    let dump = ["table", "dump", "spends", "--format", "csv"];
    until("the import", || programs::run(&desk.data_dir, &dump).succeeded().stdout.lines().count() == 13)
        .await;
}

#[tokio::test]
async fn where_nobody_shows_pictures_another_start_is_named() {
    let desk = Desk::of_one_who_decided("stay");
    let (_monitor, heard) = notifications(&desk.bus);
    let window = desk.open().await;
    let _pause = import(&desk).await;
    desk.close(&window).await;
    hear(&heard, "Start Quarterdeck again to bring the window back.");
}
