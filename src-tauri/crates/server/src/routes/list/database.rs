//! Backups, moving the rows to PostgreSQL, and the sample data.

use crate::rest::argument::BYTES;
use crate::rest::{Area, delete, get, post, put};
use crate::routes::{backups, database as moving, sample as data};

pub fn backups() -> Area {
    let routes = vec![
        get("/api/backups", "List backups with their schedule and the free disk space", backups::list),
        post("/api/backups", "Take a backup", backups::take),
        put("/api/backups/schedule", "Set the schedule of automatic backups", backups::save_schedule),
        put("/api/backups/passphrase", "Encrypt automatic backups", backups::passphrase::save),
        delete("/api/backups/passphrase", "Stop encrypting automatic backups", backups::passphrase::forget),
        post("/api/backups/upload", "Upload a backup", backups::upload),
        delete("/api/backups/aside/{name}", "Delete the data that a restore replaced", backups::forget_aside),
        get("/api/backups/{name}", "Download a backup", backups::fetch).file(BYTES),
        delete("/api/backups/{name}", "Delete a backup", backups::remove),
        post("/api/backups/{name}/preview", "Compare a backup with the current data", backups::preview),
        post("/api/backups/{name}/restore", "Restore a backup; the service restarts", backups::restore),
    ];
    Area::new("backups", "Back up and restore the whole service", routes).relayed()
}

pub fn database() -> Area {
    let routes = vec![post(
        "/api/database/preview-move",
        "Preview moving the rows to PostgreSQL; changes nothing",
        moving::preview_move,
    )];
    Area::new("database", "The current database", routes)
}

pub fn sample() -> Area {
    let routes = vec![
        get("/api/sample", "The state of the sample data", data::show),
        post("/api/sample", "Load the sample data into its own tenant", data::load),
        delete("/api/sample", "Remove the sample data and its tenant", data::remove),
        get("/api/sample/contents", "Preview what is removed with the sample data", data::contents),
    ];
    Area::new("sample", "Sample data in its own tenant", routes)
}
