//! Backups, moving the rows to PostgreSQL, and the sample data.

use crate::rest::argument::BYTES;
use crate::rest::{Area, delete, get, post, put};
use crate::routes::{backups, database as moving, sample as data};

pub fn backups() -> Area {
    let routes = vec![
        get("/api/backups", "The backups, their schedule, and the room there is", backups::list),
        post("/api/backups", "Take a backup now", backups::take),
        put("/api/backups/schedule", "When backups are taken by themselves", backups::save_schedule),
        put(
            "/api/backups/passphrase",
            "Encrypt backups that are taken by themselves",
            backups::passphrase::save,
        ),
        delete(
            "/api/backups/passphrase",
            "Leave backups that are taken by themselves open",
            backups::passphrase::forget,
        ),
        post("/api/backups/upload", "Bring a backup from elsewhere", backups::upload),
        delete("/api/backups/aside/{name}", "Remove what a restore put aside", backups::forget_aside),
        get("/api/backups/{name}", "The file of a backup", backups::fetch).file(BYTES),
        delete("/api/backups/{name}", "Remove a backup", backups::remove),
        post("/api/backups/{name}/preview", "What a backup holds beside what there is now", backups::preview),
        post("/api/backups/{name}/restore", "Put a backup back; the service starts again", backups::restore),
    ];
    Area::new("backups", "Backups of the whole service, and restoring them", routes).relayed()
}

pub fn database() -> Area {
    let routes = vec![post(
        "/api/database/preview-move",
        "What moving the rows into PostgreSQL would find; changes nothing",
        moving::preview_move,
    )];
    Area::new("database", "Where the rows are", routes)
}

pub fn sample() -> Area {
    let routes = vec![
        get("/api/sample", "Whether there is sample data, and how it stands", data::show),
        post("/api/sample", "Load the sample data into a tenant of its own", data::load),
        delete("/api/sample", "Remove the sample data with its tenant", data::remove),
        get("/api/sample/contents", "What is removed with the sample data", data::contents),
    ];
    Area::new("sample", "Sample data in a tenant of its own", routes)
}
