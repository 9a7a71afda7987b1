//! Models on this machine, and other model providers.

use crate::rest::argument::BYTES;
use crate::rest::{Access, Area, delete, get, post, put};
use crate::routes::models::{downloads, providers, registry};

pub fn model_providers() -> Area {
    let routes = vec![
        get("/api/model-providers", "List providers with the sources of their values", providers::list),
        post("/api/model-providers", "Add a provider", providers::add),
        put("/api/model-providers/order", "Set the order of providers", providers::order),
        put(
            "/api/model-providers/overrides",
            "Set the models of single agents and tiers",
            providers::save_overrides,
        ),
        put("/api/model-providers/{id}", "Change a provider", providers::save),
        delete("/api/model-providers/{id}", "Remove a provider", providers::remove),
        post(
            "/api/model-providers/{id}/test",
            "Test a provider with one small request per model",
            providers::test,
        ),
        get("/api/model-providers/{id}/models", "List the models of a provider", providers::models),
    ];
    Area::new("model-providers", "Providers of language models and embeddings", routes).relayed()
}

pub fn models() -> Area {
    let mut area = Area::new(
        "models",
        "Models that run on this machine",
        vec![
            get(
                "/api/models",
                "List models with their state, the settings and the disk space",
                downloads::list,
            ),
            get(
                "/api/models/events",
                "Stream the list of models on every change, as server-sent events",
                downloads::events,
            ),
            put("/api/models/settings", "Save download settings", downloads::save),
            post(
                "/api/models/registry/look",
                "Test the connection to the registry and the license key",
                downloads::look,
            ),
            put("/api/models/folder", "Move the models to another folder", downloads::move_folder),
            delete("/api/models/{name}", "Remove a model", downloads::remove),
            post("/api/models/{name}/download", "Start or resume a download", downloads::start),
            delete("/api/models/{name}/download", "Delete a download and its data", downloads::cancel),
            post("/api/models/{name}/pause", "Pause a download", downloads::pause),
            post("/api/models/{name}/verify", "Verify the hash of a model file", downloads::verify),
            get("/api/models/{name}/file", "Download a model file", downloads::export).file(BYTES),
            post("/api/models/{name}/file", "Install a model from a file", downloads::import).of_any_length(),
            get("/api/models/{name}/sha256", "Download the hash of a model file", downloads::export_hash)
                .file("text/plain"),
        ],
    )
    .relayed();
    area.routes.push(
        get("/downloads/models/{name}", "Serve a model, or its hash, to another machine", registry::answer)
            .needs(Access::Secret("a license key of this service"))
            .file(BYTES)
            .file("text/plain"),
    );
    area
}
