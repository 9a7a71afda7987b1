//! `/api/imports`: uploads files, and reports the state of their imports.

use crate::rest::argument::BYTES;
use crate::rest::{Area, Relay, delete, get, post};
use crate::routes::imports::{self as files, ImportStatus, buckets, mapping, receipt, undo, watched};

pub fn imports() -> Area {
    let routes = vec![
        post("/api/imports", "Upload a file and queue its import", files::receive),
        post("/api/imports/batches/{batch}", "Close a batch: no more files follow", files::close_batch),
        get("/api/imports/formats", "List the supported file formats", files::formats).relay(Relay::Kept),
        get("/api/imports/mappings", "List stored column mappings", mapping::list).relay(Relay::Kept),
        delete("/api/imports/mappings/{name}", "Delete a mapping", mapping::forget),
        get(
            "/api/imports/{id}/mapping",
            "Columns and first rows of a file that needs a mapping",
            mapping::show,
        ),
        post("/api/imports/{id}/mapping", "Store a mapping and import the file with it", mapping::keep),
        post(
            "/api/imports/{id}/mapping/preview",
            "Preview the report of an import with a mapping",
            mapping::try_out,
        ),
        get("/api/imports/watched", "List watched folders and buckets", watched::list).relay(Relay::Kept),
        post("/api/imports/watched", "Watch a folder of this computer", watched::choose),
        post("/api/imports/watched/buckets", "Watch a folder in a bucket", buckets::add),
        delete("/api/imports/watched/{id}", "Stop watching a folder", watched::forget),
        post("/api/imports/watched/{id}/look", "Scan a watched folder now", watched::look),
        get("/api/imports/{id}", "The state of an import", files::show)
            .answers::<ImportStatus>()
            .relay(Relay::Kept),
        delete("/api/imports/{id}", "Cancel an import", files::cancel),
        get("/api/imports/{id}/skipped.csv", "List the rows that an import skipped", files::skipped)
            .file("text/csv"),
        get(
            "/api/imports/{id}/decision",
            "List other files that wait for the same answer",
            undo::same_question,
        ),
        post("/api/imports/{id}/decision", "Answer the question of an import", undo::decide),
        get("/api/imports/{id}/undo", "Preview undoing an import", undo::preview),
        post("/api/imports/{id}/undo", "Undo an import", undo::undo),
        get("/api/imports/{id}/lines/{line}", "The record at a line of a file", receipt::line),
        get("/api/imports/{id}/file", "Download the original file", receipt::file).file(BYTES),
        delete("/api/imports/{id}/file", "Delete the stored file; its rows stay", receipt::drop_file),
    ];
    Area::new("imports", "Import files: bills, recommendations, clusters, scans", routes).relayed()
}
