//! Models on this machine, and other model providers.

use crate::rest::argument::BYTES;
use crate::rest::{Access, Area, delete, get, post, put};
use crate::routes::models::{downloads, providers, registry};

pub fn model_providers() -> Area {
    let routes = vec![
        get("/api/model-providers", "Every provider, with where its values come from", providers::list),
        post("/api/model-providers", "Add a provider", providers::add),
        put("/api/model-providers/order", "Which provider is asked first", providers::order),
        put(
            "/api/model-providers/overrides",
            "Other models for single agents and tiers",
            providers::save_overrides,
        ),
        put("/api/model-providers/{id}", "Change a provider", providers::save),
        delete("/api/model-providers/{id}", "Remove a provider", providers::remove),
        post(
            "/api/model-providers/{id}/test",
            "Try a provider out with one small call a model",
            providers::test,
        ),
        get("/api/model-providers/{id}/models", "Names of the models a provider has", providers::models),
    ];
    Area::new("model-providers", "Providers of language models and embeddings", routes).relayed()
}

pub fn models() -> Area {
    let mut area = Area::new(
        "models",
        "Models that run on this machine",
        vec![
            get("/api/models", "Every model with how it stands, the settings, and the disk", downloads::list),
            get(
                "/api/models/events",
                "The same now and whenever it changes, as server-sent events",
                downloads::events,
            ),
            put("/api/models/settings", "Save settings of downloads", downloads::save),
            post(
                "/api/models/registry/look",
                "Whether the registry answers and takes the key",
                downloads::look,
            ),
            put("/api/models/folder", "Move the models to another folder", downloads::move_folder),
            delete("/api/models/{name}", "Remove a model", downloads::remove),
            post("/api/models/{name}/download", "Start a download, or go on with it", downloads::start),
            delete("/api/models/{name}/download", "Forget a download and what came of it", downloads::cancel),
            post("/api/models/{name}/pause", "Pause a download", downloads::pause),
            post("/api/models/{name}/verify", "Hash a model's file again", downloads::verify),
            get("/api/models/{name}/file", "A model as a file", downloads::export).file(BYTES),
            post("/api/models/{name}/file", "Take a model in from a file", downloads::import).of_any_length(),
            get("/api/models/{name}/sha256", "The hash to carry beside it", downloads::export_hash)
                .file("text/plain"),
        ],
    )
    .relayed();
    area.routes.push(
        get("/downloads/models/{name}", "A model, or its hash, for another machine", registry::answer)
            .needs(Access::Secret("a license key this service was given"))
            .file(BYTES)
            .file("text/plain"),
    );
    area
}
