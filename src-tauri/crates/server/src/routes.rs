//! The addresses this service answers at.

mod about;
pub(crate) mod assistant;
mod backups;
mod changes;
mod database;
mod device;
mod events;
mod graphql;
mod health;
mod host;
mod imports;
mod instances;
mod live;
mod metrics;
mod model_providers;
mod model_registry;
mod models;
mod password;
mod relay;
mod saml;
mod sample;
mod session;
mod sign_on;
mod tenants;
mod token;
mod webhooks;
mod workflows;

use crate::app::App;
use crate::error::Failure;
use crate::guard::hosts;
use crate::listen::compression;
use crate::listen::pages;
use crate::listen::peer::Peer;
use crate::listen::slow_body::SlowBody;
use crate::metrics::count_request;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::routing::{any, delete, get, patch, post, put};
use axum::{Router, middleware};
use serde::de::DeserializeOwned;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

/// The areas of this interface that pages of another version may ask for: what stands here is there.
pub const AREAS: [&str; 14] = [
    "assistant",
    "auth",
    "backups",
    "changes",
    "database",
    "events",
    "graphql",
    "health",
    "imports",
    "model-providers",
    "models",
    "sample",
    "webhooks",
    "workflows",
];

/// All routes, guarded.
pub fn router(app: Arc<App>) -> Router {
    let body_limit = DefaultBodyLimit::max(app.limits.body_bytes);
    let routes = Router::new()
        .route("/api/auth/token", post(token::exchange))
        .route("/api/auth/session", get(tenants::show).post(session::sign_in))
        .route("/api/auth/tenant", post(tenants::choose))
        .route("/api/auth/link", post(session::follow_link))
        .route("/api/auth/password", post(password::sign_in))
        .route("/api/auth/local", get(password::show).put(password::change))
        .route("/api/auth/sign-out", post(session::sign_out))
        .route("/api/auth/sign-out-everywhere", post(session::sign_out_everywhere))
        .route("/api/auth/sessions", get(session::list))
        .route("/api/auth/sessions/{id}", delete(session::end))
        .route("/api/auth/desktop/authorize", get(device::authorize))
        .route("/api/auth/desktop/consent", get(device::show).post(device::consent))
        .route("/api/auth/desktop/token", post(device::token))
        .route("/api/auth/desktop/sign-out", post(device::sign_out))
        .route("/api/auth/devices", get(device::list))
        .route("/api/auth/devices/{id}", delete(device::revoke))
        .route("/api/auth/refusals/{id}", get(saml::refusal))
        .route("/api/auth/security-log", get(sign_on::log))
        .route("/api/auth/saml/login", get(saml::login))
        .route("/api/auth/saml/acs", post(saml::acs))
        .route("/api/auth/saml/finish", get(saml::finish))
        .route("/api/auth/saml/health", get(saml::health))
        .route("/api/auth/saml/metadata", get(saml::metadata))
        .route("/api/auth/saml/settings", get(sign_on::show).put(sign_on::save))
        .route("/api/auth/saml/settings/check", post(sign_on::check_draft))
        .route("/api/auth/saml/idp-metadata", post(sign_on::read_metadata))
        .route("/api/auth/saml/certificate", post(sign_on::read_certificate))
        .route("/api/auth/saml/roles-preview", post(sign_on::preview_roles))
        .route("/api/auth/saml/tests", post(sign_on::create_test))
        .route("/api/auth/saml/tests/{id}", get(sign_on::show_test))
        .route("/api/auth/saml/tests/{id}/start", get(sign_on::start_test))
        .route("/api/auth/saml/lab", post(sign_on::examine))
        .route("/api/auth/saml/accounts", get(sign_on::accounts))
        .route("/api/auth/saml/refusals", get(sign_on::refusals))
        .route("/api/instances", get(instances::list).post(instances::add))
        .route("/api/instances/look", post(instances::look))
        .route("/api/instances/keyring", get(instances::keyring))
        .route("/api/instances/unlock", post(instances::unlock))
        .route("/api/instances/{id}", put(instances::change).delete(instances::remove))
        .route("/api/instances/{id}/check", post(instances::check))
        .route("/api/instances/{id}/copies", delete(instances::forget))
        .route(
            "/api/instances/{id}/sign-in",
            get(instances::course).post(instances::begin_sign_in).delete(instances::cancel),
        )
        .route("/api/instances/{id}/sign-in/code", post(instances::finish))
        .route("/api/instances/{id}/sign-out", post(instances::sign_out))
        .route("/instances/{id}/api/{*rest}", any(relay::pass))
        .route("/api/about", get(about::show))
        .route("/api/assistant/ask", post(assistant::ask))
        .route("/api/assistant/preview", post(assistant::preview))
        .route(
            "/api/assistant/documents",
            post(assistant::add_document).layer(DefaultBodyLimit::max(assistant::LARGEST_DOCUMENT)),
        )
        .route("/api/backups", get(backups::list).post(backups::take))
        .route("/api/backups/schedule", put(backups::save_schedule))
        .route("/api/backups/passphrase", put(backups::passphrase::save).delete(backups::passphrase::forget))
        .route("/api/backups/upload", post(backups::upload))
        .route("/api/backups/aside/{name}", delete(backups::forget_aside))
        .route("/api/backups/{name}", get(backups::fetch).delete(backups::remove))
        .route("/api/backups/{name}/preview", post(backups::preview))
        .route("/api/backups/{name}/restore", post(backups::restore))
        .route("/api/changes", get(changes::events))
        .route("/api/database/preview-move", post(database::preview_move))
        .route("/api/events/{id}/post-mortem", post(events::post_mortem))
        .route("/api/graphql", get(live::connect).post(graphql::answer))
        .route("/api/graphql/ws", get(live::connect))
        .route("/api/imports", post(imports::receive))
        .route("/api/imports/batches/{batch}", post(imports::close_batch))
        .route("/api/imports/formats", get(imports::formats))
        .route("/api/imports/mappings", get(imports::mapping::list))
        .route("/api/imports/mappings/{name}", delete(imports::mapping::forget))
        .route("/api/imports/{id}/mapping", get(imports::mapping::show).post(imports::mapping::keep))
        .route("/api/imports/{id}/mapping/preview", post(imports::mapping::try_out))
        .route("/api/imports/watched", get(imports::watched::list).post(imports::watched::choose))
        .route("/api/imports/watched/buckets", post(imports::buckets::add))
        .route("/api/imports/watched/{id}", delete(imports::watched::forget))
        .route("/api/imports/watched/{id}/look", post(imports::watched::look))
        .route("/api/imports/{id}", get(imports::show).delete(imports::cancel))
        .route("/api/imports/{id}/skipped.csv", get(imports::skipped))
        .route("/api/imports/{id}/decision", get(imports::undo::same_question).post(imports::undo::decide))
        .route("/api/imports/{id}/undo", get(imports::undo::preview).post(imports::undo::undo))
        .route("/api/imports/{id}/lines/{line}", get(imports::receipt::line))
        .route("/api/imports/{id}/file", get(imports::receipt::file).delete(imports::receipt::drop_file))
        .route("/api/health/report", get(health::report))
        .route("/api/health/bundle", get(health::bundle))
        .route("/api/host", get(host::show))
        .route("/api/host/choices", patch(host::choose))
        .route("/api/host/choose-files", post(host::choose_files))
        .route("/api/host/choose-folder", post(host::choose_folder))
        .route("/api/host/print", post(host::print))
        .route("/api/host/open-in-browser", post(host::open_in_browser))
        .route("/api/host/open-models-folder", post(host::open_models_folder))
        .route("/api/host/files/{id}", delete(host::put_back))
        .route("/api/host/files/import", post(host::import))
        .route("/api/models", get(models::list))
        .route("/api/models/events", get(models::events))
        .route("/api/models/settings", put(models::save))
        .route("/api/models/registry/look", post(models::look))
        .route("/api/models/folder", put(models::move_folder))
        .route("/api/models/{name}", delete(models::remove))
        .route("/api/models/{name}/download", post(models::start).delete(models::cancel))
        .route("/api/models/{name}/pause", post(models::pause))
        .route("/api/models/{name}/verify", post(models::verify))
        .route(
            "/api/models/{name}/file",
            get(models::export).post(models::import).layer(DefaultBodyLimit::disable()),
        )
        .route("/api/models/{name}/sha256", get(models::export_hash))
        .route("/api/model-providers", get(model_providers::list).post(model_providers::add))
        .route("/api/model-providers/order", put(model_providers::order))
        .route("/api/model-providers/overrides", put(model_providers::save_overrides))
        .route("/api/model-providers/{id}", put(model_providers::save).delete(model_providers::remove))
        .route("/api/model-providers/{id}/test", post(model_providers::test))
        .route("/api/model-providers/{id}/models", get(model_providers::models))
        .route("/downloads/models/{name}", get(model_registry::answer))
        .route("/api/sample", get(sample::show).post(sample::load).delete(sample::remove))
        .route("/api/sample/contents", get(sample::contents))
        .route(
            "/api/webhooks/{token}",
            post(webhooks::receive).layer(DefaultBodyLimit::max(webhooks::LARGEST)),
        )
        .route("/api/webhooks/workflows/{id}", post(workflows::deliver))
        .route("/api/workflows/approvals/{id}/{token}", get(workflows::show).post(workflows::decide))
        .route("/healthz", get(health::show))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(metrics::show))
        .fallback(pages::answer)
        .with_state(Arc::clone(&app));
    routes
        .method_not_allowed_fallback(|| async { Failure::wrong_method() })
        .layer(body_limit)
        .layer(middleware::from_fn(compression::compress))
        .layer(middleware::from_fn_with_state(Arc::clone(&app.access), hosts::check))
        .layer(middleware::from_fn_with_state(Arc::clone(&app.metrics.counted), count_request))
}

/// The network address a request came from.
#[derive(Debug, Clone, Copy)]
pub struct Address(IpAddr);

impl Address {
    /// The address, where it tells people apart: behind a proxy on this machine everybody has the same.
    pub fn telling(self) -> Option<String> {
        (!self.0.is_loopback()).then(|| self.0.to_string())
    }
}

impl<S: Sync> FromRequestParts<S> for Address {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let found = parts.extensions.get::<ConnectInfo<Peer>>();
        // The service gives every connection its address.
        Ok(Self(found.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(peer)| peer.address.ip())))
    }
}

/// A request's body, whole.
pub struct Sent(pub Bytes);

impl FromRequest<Arc<App>> for Sent {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        match Bytes::from_request(request, app).await {
            Ok(body) => Ok(Self(body)),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(Failure::new(
                rejection.status(),
                "body_too_long",
                format!("The body is longer than {} bytes, which is the limit", app.limits.body_bytes),
            )),
            Err(rejection) => {
                let words = format!("The body did not arrive: {}", rejection.body_text());
                if is_too_slow(&rejection) {
                    return Err(Failure::new(StatusCode::REQUEST_TIMEOUT, "too_slow", words));
                }
                Err(Failure::bad_request(words))
            }
        }
    }
}

/// Whether a body was given up because it came too slowly.
fn is_too_slow(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(cause) = next {
        if cause.is::<SlowBody>() {
            return true;
        }
        next = cause.source();
    }
    false
}

/// Reads a JSON body; what is wrong with it is told with line and column.
fn parse_body<T: DeserializeOwned>(body: &[u8], expected: &str) -> Result<T, Failure> {
    serde_json::from_slice(body)
        .map_err(|error| Failure::bad_request(format!("Expected {expected} as a JSON body: {error}")))
}
