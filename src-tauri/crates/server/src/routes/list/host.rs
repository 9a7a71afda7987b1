//! `/api/host`: the window of the desktop program.

use crate::rest::{Area, delete, get, patch, post};
use crate::routes::host as window;

pub fn host() -> Area {
    let routes = vec![
        get("/api/host", "The window, and the files that wait to be imported", window::show),
        patch("/api/host/choices", "Decide about the window", window::choose),
        post("/api/host/choose-files", "Open the system's dialog for files", window::choose_files),
        post("/api/host/choose-folder", "Open the system's dialog for a folder", window::choose_folder),
        post("/api/host/print", "Open the system's dialog for printing", window::print),
        post("/api/host/open-in-browser", "Show a page in the system's browser", window::open_in_browser),
        post("/api/host/open-models-folder", "Show the folder of the models", window::open_models_folder),
        delete("/api/host/files/{id}", "Take a file off the list of those that wait", window::put_back),
        post("/api/host/files/import", "Import files that wait", window::import),
    ];
    Area::new("host", "What the window of the desktop program does for its pages", routes)
        .with_secrets()
        .unoffered()
}
