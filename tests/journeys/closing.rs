//! Closing the window while work is running.

use crate::support::desk::{Desk, QUESTION, WINDOW, until_ended};
use crate::support::desktop::{Started, until};
use crate::support::notifications::{hear, notifications};
use crate::support::programs;
use crate::support::unfinished::import;

#[tokio::test]
async fn the_window_opens_as_large_as_it_was_left_however_it_ended() {
    let desk = Desk::of_one_who_decided("stop");
    let shown = |window: &Started| desk.screen.windows(&window.0, WINDOW).pop().unwrap_or_default();
    let kept = desk.home.path().join("io.quarterdeck.desktop/.window-state.json");
    let is_kept = |width: &str| std::fs::read_to_string(&kept).is_ok_and(|kept| kept.contains(width));
    let mut window = desk.open().await;
    until("the usual size", || desk.screen.size(&shown(&window)) == "1280x800").await;
    desk.screen.resize(&shown(&window), (1111, 700));
    until("a size that is kept", || is_kept("1111")).await;
    window.0.kill().unwrap();
    window.0.wait().unwrap();

    let mut window = desk.open().await;
    until("the size it was left in", || desk.screen.size(&shown(&window)) == "1111x700").await;
    desk.screen.resize(&shown(&window), (1222, 750));
    desk.close(&window).await;
    until_ended(&mut window).await;

    let window = desk.open().await;
    until("the size it was closed in", || desk.screen.size(&shown(&window)) == "1222x750").await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn it_ends_well_although_a_library_crashes_when_a_process_returns() {
    let desk = Desk::of_one_who_decided("stop");
    let library = desk.home.path().join("crashes.so");
    let source = desk.home.path().join("crashes.c");
    let text = "#include <stdlib.h>\n__attribute__((destructor)) static void tidy(void) { abort(); }\n";
    std::fs::write(&source, text).unwrap();
    let mut compiler = std::process::Command::new("cc");
    programs::finish(compiler.args(["-shared", "-fPIC", "-o"]).args([&library, &source])).succeeded();
    let mut window = Started(desk.program().env("LD_PRELOAD", &library).spawn().unwrap());
    until("a window", || desk.shows(&window, WINDOW)).await;
    desk.close(&window).await;
    until_ended(&mut window).await;
}

#[tokio::test]
async fn work_goes_on_without_the_window_and_the_program_ends_after_it() {
    let desk = Desk::of_one_who_decided("finish");
    let (_monitor, heard) = notifications(&desk.bus);
    let mut window = desk.open().await;
    let pause = import(&desk).await;
    desk.close(&window).await;
    hear(&heard, "Quarterdeck goes on in the background");
    hear(&heard, "september.csv is being imported. Quarterdeck ends when that is done.");

    // A second start shows the window again; when it is closed again, the work continues.
    assert!(desk.program().status().unwrap().success());
    until("the window again", || desk.shows(&window, WINDOW)).await;
    desk.close(&window).await;
    assert!(window.0.try_wait().unwrap().is_none(), "the program ended over its work");

    drop(pause);
    hear(&heard, "Import of september.csv finished");
    until_ended(&mut window).await;
    let dump = ["table", "dump", "spends", "--format", "csv"];
    let spends = programs::run(&desk.data_dir, &dump).succeeded().stdout;
    assert_eq!(spends.lines().count(), 13);
}

#[tokio::test]
async fn over_work_that_goes_on_closing_asks_and_the_answer_is_followed() {
    let desk = Desk::of_one_who_decided("ask");
    let mut window = desk.open().await;
    let pause = import(&desk).await;
    let asks = || desk.shows(&window, QUESTION);
    desk.press(&window, WINDOW, "ctrl+w", "a question", asks).await;
    desk.press(&window, QUESTION, "Escape", "no question", || !asks()).await;
    assert!(desk.shows(&window, WINDOW), "the window went although its person said no");

    desk.press(&window, WINDOW, "ctrl+w", "a question", asks).await;
    desk.press(&window, QUESTION, "Return", "no question", || !asks()).await;
    until("no window", || !desk.shows(&window, WINDOW)).await;
    assert!(window.0.try_wait().unwrap().is_none(), "the program ended over its work");
    drop(pause);
    until_ended(&mut window).await;
}
