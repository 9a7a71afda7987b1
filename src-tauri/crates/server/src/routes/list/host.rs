//! `/api/host`: the window of the desktop program.

use crate::rest::{Area, delete, get, patch, post};
use crate::routes::host as window;

pub fn host() -> Area {
    let routes = vec![
        get("/api/host", "The state of the window, and the files waiting for import", window::show),
        patch("/api/host/choices", "Change settings of the window", window::choose),
        post("/api/host/choose-files", "Open the system's file dialog", window::choose_files),
        post("/api/host/choose-folder", "Open the system's folder dialog", window::choose_folder),
        post("/api/host/print", "Open the system's print dialog", window::print),
        post("/api/host/open-in-browser", "Open a page in the system's browser", window::open_in_browser),
        post("/api/host/open-models-folder", "Open the folder of the models", window::open_models_folder),
        delete("/api/host/files/{id}", "Remove a file from the list of waiting files", window::put_back),
        post("/api/host/files/import", "Import waiting files", window::import),
    ];
    Area::new("host", "Functions of the desktop window", routes).with_secrets().unoffered()
}
