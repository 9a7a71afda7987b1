//! The menu of the window: its own functions, and commands of the pages.
//!
//! Commands of the page are sent to it by name (`ui/src/host/desktop.ts` listens), and handled as if their keys had been pressed.

#[cfg(target_os = "linux")]
mod keys;

#[cfg(target_os = "linux")]
pub use keys::add as add_keys;

use std::sync::Arc;

use server::Host;
use tauri::menu::{Menu, MenuBuilder, MenuEvent, MenuItemBuilder, SubmenuBuilder};
use tauri::{AppHandle, Manager, Wry};

use crate::desk::Desk;
use crate::{tray, window};

/// A menu item: name, text, shortcut.
struct Line(&'static str, &'static str, Option<&'static str>);

const FILE: &[Line] = &[
    Line("import", "Import files…", Some("CmdOrCtrl+Shift+O")),
    Line("browser", "Open this page in the browser", None),
    Line("print", "Print…", Some("CmdOrCtrl+P")),
];

const VIEW: &[Line] = &[
    Line("larger", "Larger", Some("CmdOrCtrl+=")),
    Line("smaller", "Smaller", Some("CmdOrCtrl+-")),
    Line("usual", "Usual size", Some("CmdOrCtrl+0")),
    Line("reload", "Load the page again", Some("CmdOrCtrl+R")),
];

/// Commands of the page, in the order of its navigation rail (`ui/src/app/pages.ts`). Their shortcuts (`g o`, one key after the other) are not
/// possible in a menu.
const GO: &[Line] = &[
    Line("page:go /overview", "Overview", None),
    Line("page:go /costs/explorer", "Costs", None),
    Line("page:go /costs/anomalies", "Anomalies", None),
    Line("page:go /costs/budgets", "Budgets", None),
    Line("page:go /costs/commitments", "Commitments", None),
    Line("page:go /costs/allocation", "Allocation", None),
    Line("page:go /costs/unit-costs", "Unit costs", None),
    Line("page:go /costs/reports", "Reports", None),
    Line("page:go /recommendations", "Recommendations", None),
    Line("page:go /savings", "Savings", None),
    Line("page:go /inventory/accounts", "Accounts", None),
    Line("page:go /inventory/resources", "Resources", None),
    Line("page:go /inventory/kubernetes", "Kubernetes", None),
    Line("page:go /events", "Events", None),
    Line("page:go /events/triage-rules", "Triage rules", None),
    Line("page:go /events/logs", "Logs", None),
    Line("page:go /automation/autopilot", "Auto-pilot", None),
    Line("page:go /automation/workflows", "Workflows", None),
    Line("page:go /automation/approvals", "Approvals", None),
    Line("page:go /assistant/conversations", "Assistant", None),
    Line("page:go /assistant/knowledge-bases", "Knowledge bases", None),
    Line("page:go /assistant/knowledge-graph", "Knowledge graph", None),
    Line("page:go /assistant/memory", "Memory", None),
    Line("page:go /assistant/causes", "Likely causes", None),
    Line("page:go /api-explorer", "API explorer", None),
    Line("page:go /imports", "Imports", None),
    Line("page:go /settings", "Settings", None),
];

const ELSEWHERE: &[Line] = &[
    Line("page:instances", "Switch instance…", None),
    Line("page:palette", "Search or run…", Some("CmdOrCtrl+K")),
];

const HELP: &[Line] = &[Line("page:shortcuts", "Keyboard shortcuts", None)];

/// The complete menu.
pub fn build(app: &AppHandle) -> tauri::Result<Menu<Wry>> {
    let menu = |title: &str, lines| with(app, SubmenuBuilder::new(app, title), lines);
    let file = menu("File", FILE)?.separator();
    let close = MenuItemBuilder::with_id("close", "Close window").accelerator("CmdOrCtrl+W").build(app)?;
    let quit = MenuItemBuilder::with_id("quit", "Quit").accelerator("CmdOrCtrl+Q").build(app)?;
    MenuBuilder::new(app)
        .item(&file.item(&close).item(&quit).build()?)
        .item(&menu("View", VIEW)?.build()?)
        .item(&with(app, menu("Go", GO)?.separator(), ELSEWHERE)?.build()?)
        .item(&menu("Help", HELP)?.build()?)
        .build()
}

fn with<'a>(
    app: &'a AppHandle,
    menu: SubmenuBuilder<'a, Wry, AppHandle>,
    lines: &[Line],
) -> tauri::Result<SubmenuBuilder<'a, Wry, AppHandle>> {
    lines.iter().try_fold(menu, |menu, Line(name, words, keys)| {
        let mut item = MenuItemBuilder::with_id(*name, words);
        if let Some(keys) = keys {
            item = item.accelerator(keys);
        }
        Ok(menu.item(&item.build(app)?))
    })
}

/// Handles a menu event.
pub fn follow(app: &AppHandle, event: &MenuEvent) {
    if tray::follow(app, event) {
        return;
    }
    choose(app, event.id().as_ref());
}

/// Performs the function of the menu item `name`.
fn choose(app: &AppHandle, name: &str) {
    let desk = app.state::<Arc<Desk>>();
    let done = match name {
        "import" => {
            desk.choose_files();
            Ok(())
        }
        "browser" => desk.open_in_browser(&window::shown_path(app)),
        "print" => desk.print(),
        "larger" => {
            desk.zoom(Some(true));
            Ok(())
        }
        "smaller" => {
            desk.zoom(Some(false));
            Ok(())
        }
        "usual" => {
            desk.zoom(None);
            Ok(())
        }
        "reload" => {
            window::reload(app);
            Ok(())
        }
        // Quitting asks the same question as closing.
        "close" | "quit" => {
            window::close(app);
            Ok(())
        }
        name => {
            if let Some(command) = name.strip_prefix("page:") {
                window::tell(app, "quarterdeck:command", command);
            }
            Ok(())
        }
    };
    if let Err(error) = done {
        window::say(app, &error.to_string());
    }
}
