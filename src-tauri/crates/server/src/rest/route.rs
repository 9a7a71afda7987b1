//! One route, and the area it belongs to.

use super::handler::Describe;
use super::operation::{Access, Content, Operation, Success, schema_of};
use crate::app::App;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{self, MethodFilter, MethodRouter};
use schemars::JsonSchema;
use std::sync::Arc;

/// How a request of a local page for this route on a remote instance is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relay {
    /// Refused: for sign-in, and for functions of one computer.
    Refused,
    /// Forwarded unchanged.
    Passed,
    /// Read completely before it is answered. Responses to reads are stored, and used while the remote instance is unreachable.
    Kept,
}

/// The checks of the guard that a route is exempt from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// Exempt from no check.
    Whole,
    /// Pages of another site may post to it: the posted data is signed.
    FromAnySite,
    /// A health probe, addressed by a machine's IP address. Its response is a single word for anyone.
    Probe,
}

/// A route as the document, the guard and the relay see it.
#[derive(Clone)]
pub struct Facts {
    /// `None`: all methods.
    pub method: Option<Method>,
    /// The path in axum's syntax: `/api/imports/{id}`.
    pub path: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    pub operation: Operation,
    pub relay: Relay,
    pub guard: Guard,
}

/// A route and its handler.
pub struct Route {
    pub facts: Facts,
    pub handler: MethodRouter<Arc<App>>,
}

/// The routes of one subject.
pub struct Area {
    /// The path segment after `/api/`.
    pub name: &'static str,
    /// A description of the subject, for people.
    pub about: &'static str,
    /// Whether a response may contain a secret beside data that another page can influence. Such responses are never compressed.
    pub holds_secrets: bool,
    /// Whether the area is listed for pages of another version that check whether it exists.
    pub is_offered: bool,
    pub routes: Vec<Route>,
}

impl Area {
    /// An area of routes that pages use.
    pub fn new(name: &'static str, about: &'static str, routes: Vec<Route>) -> Self {
        Self { name, about, holds_secrets: false, is_offered: true, routes }
    }

    /// Marks the responses of the area as containing secrets.
    pub fn with_secrets(self) -> Self {
        Self { holds_secrets: true, ..self }
    }

    /// Marks the area as meant only for this computer or for programs.
    pub fn unoffered(self) -> Self {
        Self { is_offered: false, ..self }
    }

    /// Forwards all routes of the area to remote instances.
    pub fn relayed(mut self) -> Self {
        for route in &mut self.routes {
            if route.facts.relay == Relay::Refused {
                route.facts.relay = Relay::Passed;
            }
        }
        self
    }
}

macro_rules! methods {
    ($($name:ident $method:ident),*) => {
        $(
            #[doc = concat!("A route of method ", stringify!($method), ".")]
            pub fn $name<H, A, D>(path: &'static str, summary: &'static str, handler: H) -> Route
            where
                H: Handler<A, Arc<App>> + Describe<D>,
                A: 'static,
            {
                let handler_of = routing::on(MethodFilter::$method, handler);
                Route::new(Some(Method::$method), path, summary, H::operation(), handler_of)
            }
        )*
    };
}

methods!(get GET, post POST, put PUT, patch PATCH, delete DELETE);

/// A route for all methods, which forwards requests.
pub fn any<H, A>(path: &'static str, summary: &'static str, handler: H) -> Route
where
    H: Handler<A, Arc<App>>,
    A: 'static,
{
    Route::new(None, path, summary, Operation::unknown(), routing::any(handler))
}

impl Route {
    fn new(
        method: Option<Method>,
        path: &'static str,
        summary: &'static str,
        operation: Operation,
        handler: MethodRouter<Arc<App>>,
    ) -> Self {
        let facts = Facts { method, path, summary, operation, relay: Relay::Refused, guard: Guard::Whole };
        Self { facts, handler }
    }

    /// Restricts access further than the types of the handler do.
    pub fn needs(mut self, access: Access) -> Self {
        self.facts.operation.access = access;
        self
    }

    pub fn relay(mut self, relay: Relay) -> Self {
        self.facts.relay = relay;
        self
    }

    pub fn guard(mut self, guard: Guard) -> Self {
        self.facts.guard = guard;
        self
    }

    /// Documents a body of type `T`.
    pub fn takes<T: JsonSchema>(mut self) -> Self {
        self.facts.operation.body = Some(Content::Json(schema_of::<T>));
        self
    }

    /// Documents a body of type `T`, as JSON or as a form.
    pub fn takes_form<T: JsonSchema>(mut self) -> Self {
        self.facts.operation.body = Some(Content::JsonOrForm(schema_of::<T>));
        self
    }

    /// Documents a body of this media type.
    pub fn takes_file(mut self, media_type: &'static str) -> Self {
        self.facts.operation.body = Some(Content::File(media_type));
        self
    }

    /// Documents a JSON response of type `T`.
    pub fn answers<T: JsonSchema>(self) -> Self {
        self.also(200, Some(Content::Json(schema_of::<T>)))
    }

    /// Documents a response of this media type.
    pub fn file(self, media_type: &'static str) -> Self {
        self.also(200, Some(Content::File(media_type)))
    }

    /// Documents a redirect with this status.
    pub fn redirects(self, status: u16) -> Self {
        self.also(status, None)
    }

    fn also(mut self, status: u16, content: Option<Content>) -> Self {
        self.facts.operation.answers.push(Success { status, content });
        self
    }

    /// Sets the maximum size of the body, in bytes.
    pub fn up_to(mut self, bytes: usize) -> Self {
        self.handler = self.handler.layer(DefaultBodyLimit::max(bytes));
        self
    }

    /// Removes the limit on the size of the body.
    pub fn of_any_length(mut self) -> Self {
        self.handler = self.handler.layer(DefaultBodyLimit::disable());
        self
    }
}

impl Facts {
    /// Whether a request with this method and path belongs to this route. A path parameter matches one segment, `{*rest}` all that follow.
    pub fn covers(&self, method: &Method, path: &str) -> bool {
        let is_method = self.method.as_ref().is_none_or(|own| own == method);
        is_method && matches(self.path, path)
    }

    /// Whether the body is a file.
    pub fn takes_file(&self) -> bool {
        matches!(self.operation.body, Some(Content::File(_)))
    }

    /// The names of the path parameters.
    pub fn parameters(&self) -> impl Iterator<Item = &'static str> {
        let parts = self.path.split('/');
        parts.filter_map(|part| Some(part.strip_prefix('{')?.strip_suffix('}')?.trim_start_matches('*')))
    }
}

fn matches(template: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    for own in template.split('/') {
        let Some(part) = parts.next() else { return false };
        if own.starts_with("{*") {
            return !part.is_empty();
        }
        let fits = if own.starts_with('{') { !part.is_empty() } else { own == part };
        if !fits {
            return false;
        }
    }
    parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_part_in_braces_matches_one_part() {
        assert!(matches("/api/imports/{id}", "/api/imports/7"));
        assert!(matches("/instances/{id}/api/{*rest}", "/instances/7/api/imports/8"));
        for path in ["/api/imports", "/api/imports/", "/api/imports/7/file", "/api/exports/7"] {
            assert!(!matches("/api/imports/{id}", path), "{path}");
        }
    }
}
