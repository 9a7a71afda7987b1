//! `/api/imports`: uploads files, and reports the state of their imports.

use crate::rest::argument::BYTES;
use crate::rest::{Area, Relay, delete, get, post};
use crate::routes::imports::{self as files, ImportStatus, buckets, mapping, receipt, undo, watched};

pub fn imports() -> Area {
    let routes = vec![
        post("/api/imports", "Upload a file and queue its import", files::receive),
        post("/api/imports/batches/{batch}", "No more files of a batch come", files::close_batch),
        get("/api/imports/formats", "What can be imported", files::formats).relay(Relay::Kept),
        get("/api/imports/mappings", "Mappings of columns that are kept", mapping::list).relay(Relay::Kept),
        delete("/api/imports/mappings/{name}", "Forget a mapping", mapping::forget),
        get(
            "/api/imports/{id}/mapping",
            "Columns and first rows of a file that waits for a mapping",
            mapping::show,
        ),
        post("/api/imports/{id}/mapping", "Keep a mapping, and import the file by it", mapping::keep),
        post(
            "/api/imports/{id}/mapping/preview",
            "The report an import by a mapping would have",
            mapping::try_out,
        ),
        get(
            "/api/imports/watched",
            "Folders and buckets whose new files are imported by themselves",
            watched::list,
        )
        .relay(Relay::Kept),
        post("/api/imports/watched", "Watch a folder of this computer", watched::choose),
        post("/api/imports/watched/buckets", "Watch a folder of a bucket", buckets::add),
        delete("/api/imports/watched/{id}", "Watch a folder no more", watched::forget),
        post("/api/imports/watched/{id}/look", "Look at a folder now", watched::look),
        get("/api/imports/{id}", "How an import stands", files::show)
            .answers::<ImportStatus>()
            .relay(Relay::Kept),
        delete("/api/imports/{id}", "Give up an import that has not ended", files::cancel),
        get("/api/imports/{id}/skipped.csv", "The rows an import left out", files::skipped).file("text/csv"),
        get("/api/imports/{id}/decision", "Other files that wait for the same answer", undo::same_question),
        post("/api/imports/{id}/decision", "Answer the question an import waits for", undo::decide),
        get("/api/imports/{id}/undo", "What undoing an import would change", undo::preview),
        post("/api/imports/{id}/undo", "Undo an import", undo::undo),
        get("/api/imports/{id}/lines/{line}", "The record of a file that a line belongs to", receipt::line),
        get("/api/imports/{id}/file", "The file as it was handed in", receipt::file).file(BYTES),
        delete("/api/imports/{id}/file", "Drop the bytes of a file; its rows stay", receipt::drop_file),
    ];
    Area::new("imports", "Files of costs, recommendations, clusters and scans", routes).relayed()
}
