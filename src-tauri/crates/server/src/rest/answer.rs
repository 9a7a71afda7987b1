//! Response types of handlers, and how each describes its route.

use super::operation::{Content, Operation, schema_of};
use crate::error::Failure;
use axum::Json;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderName, StatusCode};
use axum::response::sse::Sse;
use axum::response::{IntoResponse, NoContent, Response};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A response type of a handler.
pub trait Answer {
    /// Adds the response to the description of the route.
    fn describe(operation: &mut Operation);
}

impl<T: JsonSchema> Answer for Json<T> {
    fn describe(operation: &mut Operation) {
        operation.succeed(200, Some(Content::Json(schema_of::<T>)));
    }
}

/// JSON with `Cache-Control: no-store`.
pub struct NoStore<T>(pub T);

impl<T: Serialize> IntoResponse for NoStore<T> {
    fn into_response(self) -> Response {
        ([(CACHE_CONTROL, "no-store")], Json(self.0)).into_response()
    }
}

impl<T: JsonSchema> Answer for NoStore<T> {
    fn describe(operation: &mut Operation) {
        Json::<T>::describe(operation);
    }
}

impl Answer for NoContent {
    fn describe(operation: &mut Operation) {
        operation.succeed(204, None);
    }
}

impl Answer for () {
    fn describe(operation: &mut Operation) {
        operation.succeed(200, None);
    }
}

macro_rules! with_status {
    ($(#[$about:meta])* $name:ident, $status:ident) => {
        $(#[$about])*
        pub struct $name<T>(pub T);

        impl<T: IntoResponse> IntoResponse for $name<T> {
            fn into_response(self) -> Response {
                (StatusCode::$status, self.0).into_response()
            }
        }

        impl<T: Answer> Answer for $name<T> {
            fn describe(operation: &mut Operation) {
                T::describe(operation);
                for answer in &mut operation.answers {
                    answer.status = StatusCode::$status.as_u16();
                }
            }
        }
    };
}

with_status!(
    /// Status 201: a resource was created.
    Created,
    CREATED
);
with_status!(
    /// Status 202: the request was accepted and is being processed.
    Accepted,
    ACCEPTED
);

/// A response with additional headers.
impl<V, T: Answer, const N: usize> Answer for ([(HeaderName, V); N], T) {
    fn describe(operation: &mut Operation) {
        T::describe(operation);
    }
}

impl<S> Answer for Sse<S> {
    fn describe(operation: &mut Operation) {
        operation.succeed(200, Some(Content::File("text/event-stream")));
    }
}

/// Any response: the list of routes describes it.
impl Answer for Response {
    fn describe(_: &mut Operation) {}
}

impl<T: Answer> Answer for Result<T, Failure> {
    fn describe(operation: &mut Operation) {
        T::describe(operation);
    }
}

impl Answer for Result<Response, Response> {
    fn describe(_: &mut Operation) {}
}

/// JSON with its members sorted by name, at every depth.
pub struct Alphabetical<T>(pub T);

impl<T: Serialize> Serialize for Alphabetical<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::to_value(&self.0).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for Alphabetical<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
