//! The addresses this service answers at.

mod about;
mod graphql;
mod health;
mod imports;
mod live;
mod session;
mod token;

use crate::app::App;
use crate::error::Failure;
use crate::{guard, pages};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Router, middleware};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// All routes, guarded.
pub fn router(app: Arc<App>) -> Router {
    let body_limit = DefaultBodyLimit::max(app.limits.body_bytes);
    Router::new()
        .route("/api/auth/token", post(token::exchange))
        .route("/api/auth/session", get(session::show).post(session::sign_in))
        .route("/api/auth/link", post(session::follow_link))
        .route("/api/auth/sign-out", post(session::sign_out))
        .route("/api/about", get(about::show))
        .route("/api/graphql", get(live::connect).post(graphql::answer))
        .route("/api/graphql/ws", get(live::connect))
        .route("/api/imports", post(imports::receive))
        .route("/api/imports/{id}", get(imports::show).delete(imports::cancel))
        .route("/api/imports/{id}/skipped.csv", get(imports::skipped))
        .route("/healthz", get(health::show))
        .fallback(pages::answer)
        .method_not_allowed_fallback(|| async { Failure::wrong_method() })
        .layer(body_limit)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .with_state(app)
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
                Err(Failure::bad_request(format!("The body did not arrive: {}", rejection.body_text())))
            }
        }
    }
}

/// Reads a JSON body; what is wrong with it is told with line and column.
fn parse_body<T: DeserializeOwned>(body: &[u8], expected: &str) -> Result<T, Failure> {
    serde_json::from_slice(body)
        .map_err(|error| Failure::bad_request(format!("Expected {expected} as a JSON body: {error}")))
}
