//! Argument types of handlers, and how each describes its route.

use super::operation::{Access, Content, Operation, schema_of};
use crate::app::App;
use crate::error::Failure;
use crate::guard::caller::{Browser, PlatformAdmin, Proof, SignedIn};
use crate::guard::session_cookie::SessionSecret;
use crate::listen::slow_body::SlowBody;
use axum::body::{Body, Bytes};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, FromRequest, Path, Query, RawQuery, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use std::sync::Arc;

/// An argument type of a handler.
pub trait Argument {
    /// Adds the argument to the description of the route.
    fn describe(operation: &mut Operation);
}

/// Media type of a body that is raw bytes.
pub const BYTES: &str = "application/octet-stream";

macro_rules! says_nothing {
    ($($argument:ty),*) => {
        $(impl Argument for $argument {
            fn describe(_: &mut Operation) {}
        })*
    };
}

says_nothing!(HeaderMap, Method, RawQuery, Request, SessionSecret);

impl<T> Argument for State<T> {
    fn describe(_: &mut Operation) {}
}

impl<T> Argument for ConnectInfo<T> {
    fn describe(_: &mut Operation) {}
}

macro_rules! lets_in {
    ($($argument:ident),*) => {
        $(impl Argument for $argument {
            fn describe(operation: &mut Operation) {
                operation.access = Access::$argument;
            }
        })*
    };
}

lets_in!(Browser, PlatformAdmin, SignedIn);

impl Argument for Proof {
    fn describe(operation: &mut Operation) {
        // Another argument of the handler may require more.
        if operation.access == Access::Anyone {
            operation.access = Access::SignedIn;
        }
    }
}

/// A request to upgrade the connection to a WebSocket.
impl Argument for Result<WebSocketUpgrade, WebSocketUpgradeRejection> {
    fn describe(_: &mut Operation) {}
}

/// An optional sign-in: the route does not require it.
impl<T> Argument for Result<T, Failure> {
    fn describe(_: &mut Operation) {}
}

impl<T: JsonSchema> Argument for Path<T> {
    fn describe(operation: &mut Operation) {
        operation.path.push(schema_of::<T>);
    }
}

impl<T: JsonSchema> Argument for Query<T> {
    fn describe(operation: &mut Operation) {
        operation.query = Some(T::json_schema);
    }
}

/// Query parameters whose errors the handler reports itself.
impl<T: JsonSchema> Argument for Result<Query<T>, axum::extract::rejection::QueryRejection> {
    fn describe(operation: &mut Operation) {
        Query::<T>::describe(operation);
    }
}

impl Argument for Body {
    fn describe(operation: &mut Operation) {
        operation.body = Some(Content::File(BYTES));
    }
}

/// An uploaded file, read into memory.
pub type FileSent = Bytes;

impl Argument for FileSent {
    fn describe(operation: &mut Operation) {
        operation.body = Some(Content::File(BYTES));
    }
}

impl Argument for Result<Bytes, axum::extract::rejection::BytesRejection> {
    fn describe(operation: &mut Operation) {
        operation.body = Some(Content::Json(schema_of::<serde_json::Value>));
    }
}

/// The complete body of a request, to be parsed as a `T` in JSON.
pub struct JsonBody<T> {
    pub bytes: Bytes,
    to_be: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> JsonBody<T> {
    /// Parses the body. An error message contains line and column.
    pub fn read(&self, expected: &str) -> Result<T, Failure> {
        serde_json::from_slice(&self.bytes)
            .map_err(|error| Failure::bad_request(format!("Expected {expected} as a JSON body: {error}")))
    }

    /// Parses the body. The error message does not quote it, since it may contain a secret.
    pub fn read_secret(&self, expected: &str) -> Result<T, Failure> {
        serde_json::from_slice(&self.bytes)
            .map_err(|_| Failure::bad_request(format!("Expected {expected} as a JSON body")))
    }
}

impl<T: JsonSchema> Argument for JsonBody<T> {
    fn describe(operation: &mut Operation) {
        operation.body = Some(Content::Json(schema_of::<T>));
    }
}

impl<T> FromRequest<Arc<App>> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        match Bytes::from_request(request, app).await {
            Ok(bytes) => Ok(Self { bytes, to_be: PhantomData }),
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

/// Whether the body was rejected because it arrived too slowly.
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
