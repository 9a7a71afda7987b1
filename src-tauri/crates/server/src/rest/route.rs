//! One route, and the area it stands in.

use super::handler::Describe;
use super::operation::{Access, Content, Operation, Success, schema_of};
use crate::app::App;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{self, MethodFilter, MethodRouter};
use schemars::JsonSchema;
use std::sync::Arc;

/// What becomes of a route of another instance that a page here asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relay {
    /// Refused: sign-in there, and what is of one computer.
    Refused,
    /// Passed on as it comes.
    Passed,
    /// Answered whole; what only asks is kept and answered from the copy while the instance is away.
    Kept,
}

/// Which checks of the guard a route goes without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// None.
    Whole,
    /// Pages of another site post to it: what they bring is signed.
    FromAnySite,
    /// Asked by the address of a machine; it tells one word to whoever asks.
    Probe,
}

/// A route as the document, the guard and the relay know it.
#[derive(Clone)]
pub struct Facts {
    /// None: all.
    pub method: Option<Method>,
    /// As axum reads it: `/api/imports/{id}`.
    pub path: &'static str,
    /// One line for people.
    pub summary: &'static str,
    pub operation: Operation,
    pub relay: Relay,
    pub guard: Guard,
}

/// A route.
pub struct Route {
    pub facts: Facts,
    pub handler: MethodRouter<Arc<App>>,
}

/// The routes of one subject.
pub struct Area {
    /// The word after `/api/`.
    pub name: &'static str,
    /// What it is about, for people.
    pub about: &'static str,
    /// Whether answers may hold a secret beside something that another page had us say: then they are never compressed.
    pub holds_secrets: bool,
    /// Whether pages of another version ask whether it is there.
    pub is_offered: bool,
    pub routes: Vec<Route>,
}

impl Area {
    /// Of routes that pages ask for.
    pub fn new(name: &'static str, about: &'static str, routes: Vec<Route>) -> Self {
        Self { name, about, holds_secrets: false, is_offered: true, routes }
    }

    /// Whose answers may hold secrets.
    pub fn with_secrets(self) -> Self {
        Self { holds_secrets: true, ..self }
    }

    /// That is there for this computer or for programs alone.
    pub fn unoffered(self) -> Self {
        Self { is_offered: false, ..self }
    }

    /// All of its routes are passed on to other instances.
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

/// A route of all methods, which passes on what it gets.
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

    /// Lets in fewer than the types of the handler say.
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

    /// The body is a `T`.
    pub fn takes<T: JsonSchema>(mut self) -> Self {
        self.facts.operation.body = Some(Content::Json(schema_of::<T>));
        self
    }

    /// The body is a `T`, as JSON or as a form.
    pub fn takes_form<T: JsonSchema>(mut self) -> Self {
        self.facts.operation.body = Some(Content::JsonOrForm(schema_of::<T>));
        self
    }

    /// The body is what it is called.
    pub fn takes_file(mut self, media_type: &'static str) -> Self {
        self.facts.operation.body = Some(Content::File(media_type));
        self
    }

    /// Answers a `T`.
    pub fn answers<T: JsonSchema>(self) -> Self {
        self.also(200, Some(Content::Json(schema_of::<T>)))
    }

    /// Answers bytes of that media type.
    pub fn file(self, media_type: &'static str) -> Self {
        self.also(200, Some(Content::File(media_type)))
    }

    /// Sends the browser elsewhere.
    pub fn redirects(self, status: u16) -> Self {
        self.also(status, None)
    }

    fn also(mut self, status: u16, content: Option<Content>) -> Self {
        self.facts.operation.answers.push(Success { status, content });
        self
    }

    /// Takes bodies of so many bytes, whatever the limit of others.
    pub fn up_to(mut self, bytes: usize) -> Self {
        self.handler = self.handler.layer(DefaultBodyLimit::max(bytes));
        self
    }

    /// Takes bodies of any length.
    pub fn of_any_length(mut self) -> Self {
        self.handler = self.handler.layer(DefaultBodyLimit::disable());
        self
    }
}

impl Facts {
    /// Whether a request of that method and path is one of this route; the parts in braces match one part each, `{*rest}` all that follow.
    pub fn covers(&self, method: &Method, path: &str) -> bool {
        let is_method = self.method.as_ref().is_none_or(|own| own == method);
        is_method && matches(self.path, path)
    }

    /// Whether the body is a file.
    pub fn takes_file(&self) -> bool {
        matches!(self.operation.body, Some(Content::File(_)))
    }

    /// Parts of the path in braces, by name.
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
