//! The menu of the window, by its keyboard shortcuts and its entries.

use crate::support::desk::{Desk, PRINT, Screen, WINDOW, until_ended};
use crate::support::desktop::{Window, until};
use crate::support::fixture;

/// The title of the system's file dialog.
const FILES: &str = "^Choose cost files$";

#[tokio::test]
async fn the_menu_prints_by_its_line_and_by_its_keys() {
    let desk = Desk::of_one_who_decided("stop");
    let mut window = desk.open().await;
    // The third entry of the first menu.
    for keys in ["F10 Down Down Down Return", "ctrl+p"] {
        desk.press(&window, WINDOW, keys, "a question how to print", || desk.shows(&window, PRINT)).await;
        desk.press(&window, PRINT, "Escape", "no question", || !desk.shows(&window, PRINT)).await;
    }
    desk.close(&window).await;
    until_ended(&mut window).await;
}

#[tokio::test]
async fn a_question_of_the_system_keeps_nobody_from_ending_the_program() {
    for (keys, question) in [("ctrl+p", PRINT), ("ctrl+shift+o", FILES)] {
        let desk = Desk::of_one_who_decided("stop");
        let mut window = desk.open().await;
        desk.press(&window, WINDOW, keys, question, || desk.shows(&window, question)).await;
        window.tell_to_end();
        until_ended(&mut window).await;
    }
}

#[tokio::test]
async fn pages_are_made_larger_and_smaller_by_each_key_that_people_press_for_it() {
    let desk = Desk::of_one_who_decided("stop");
    let mut window = desk.open().await;
    let kept = desk.home.path().join("io.quarterdeck.desktop/window.json");
    // From now on the window handles keys: each is pressed once, since a repeated press would change the size twice.
    desk.press(&window, WINDOW, "ctrl+p", "a question how to print", || desk.shows(&window, PRINT)).await;
    desk.press(&window, PRINT, "Escape", "no question", || !desk.shows(&window, PRINT)).await;
    let steps = [
        ("ctrl+equal", 1.1),
        ("ctrl+plus", 1.2),
        ("ctrl+KP_Add", 1.3),
        ("ctrl+minus", 1.2),
        ("ctrl+KP_Subtract", 1.1),
        ("ctrl+0", 1.0),
        ("ctrl+plus", 1.1),
        ("ctrl+KP_0", 1.0),
    ];
    for (keys, expected) in steps {
        let is_so = || {
            let decided: serde_json::Value =
                serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
            decided["zoom"].as_f64().is_some_and(|zoom| (zoom - expected).abs() < 1e-9)
        };
        let shown = desk.screen.windows(&window.0, WINDOW).pop().unwrap();
        desk.screen.press(&shown, keys);
        until(&format!("{expected} by {keys}"), is_so).await;
    }
    desk.close(&window).await;
    until_ended(&mut window).await;
}

#[tokio::test]
async fn files_chosen_in_the_systems_dialog_wait_until_somebody_says_import() {
    let screen = Screen::new();
    let window = Window::open_on_screen(&screen.name).await;
    let page = &window.page;
    page.shows("Import cost files").await;
    screen.open("ctrl+shift+o", FILES).await;
    // On a busy machine characters are lost while GTK opens the path field; if the dialog stays open, the whole path is typed again.
    let path = fixture("september.csv").display().to_string();
    until("no dialog for files", || {
        let Some(dialog) = screen.windows_of_any(FILES).pop() else { return true };
        screen.press(&dialog, "ctrl+a");
        screen.type_text(&dialog, &path);
        screen.press(&dialog, "Return");
        screen.is_gone_soon(&dialog)
    })
    .await;
    page.shows("Waiting for you").await;
    page.shows("september.csv").await;
    page.press("Import 1 file").await;
    page.shows("12 imported").await;
    window.page.close().await;
}
