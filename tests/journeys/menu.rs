//! The menu of the window, by its keys and by its lines.

use crate::support::desk::{Desk, WINDOW, until_ended};

/// What the system asks before it prints.
const PRINT: &str = "^Print$";

#[tokio::test]
async fn the_menu_prints_by_its_line_and_by_its_keys() {
    let desk = Desk::of_one_who_decided("stop");
    let mut window = desk.open().await;
    // The third line of the first menu.
    for keys in ["F10 Down Down Down Return", "ctrl+p"] {
        desk.press(&window, WINDOW, keys, "a question how to print", || desk.shows(&window, PRINT)).await;
        desk.press(&window, PRINT, "Escape", "no question", || !desk.shows(&window, PRINT)).await;
    }
    desk.close(&window).await;
    until_ended(&mut window).await;
}
