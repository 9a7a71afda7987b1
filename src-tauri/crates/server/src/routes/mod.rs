//! The routes of this service.

mod about;
pub(crate) mod assistant;
mod backups;
mod changes;
mod database;
mod device;
mod events;
mod graphql;
pub(crate) mod health;
mod host;
mod imports;
mod instances;
mod list;
mod live;
mod metrics;
mod models;
mod openapi;
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
use crate::guard::hosts::{self, Checks, Exempt};
use crate::listen::compression;
use crate::listen::pages;
use crate::listen::peer::Peer;
use crate::metrics::count_request;
use crate::rest::argument::Argument;
use crate::rest::operation::Operation;
use crate::rest::route::{Facts, Guard};
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequestParts};
use axum::http::Method;
use axum::http::request::Parts;
use axum::{Router, middleware};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, LazyLock};

/// Properties of every route.
static FACTS: LazyLock<Vec<Facts>> = LazyLock::new(|| {
    let routes = list::areas().into_iter().flat_map(|area| area.routes);
    routes.map(|route| route.facts).collect()
});

/// The areas of the API that pages of another version may use, for feature detection.
static OFFERED: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let offered = list::areas().into_iter().filter(|area| area.is_offered);
    offered.map(|area| area.name).collect()
});

/// The areas of the API that pages of another version may use, for feature detection.
pub fn offered() -> &'static [&'static str] {
    &OFFERED
}

/// The route for a request with that method and path. If several match, the one with the fewest path parameters.
pub fn find(method: &Method, path: &str) -> Option<&'static Facts> {
    let fitting = FACTS.iter().filter(|route| route.covers(method, path));
    fitting.min_by_key(|route| route.parameters().count())
}

/// The router for all routes, with the checks of the guard.
pub fn router(app: Arc<App>) -> Router {
    let areas = list::areas();
    let secret: Vec<String> =
        areas.iter().filter(|area| area.holds_secrets).map(|area| format!("/api/{}", area.name)).collect();
    let paths = |guard: Guard| {
        let routes = FACTS.iter().filter(move |route| route.guard == guard);
        routes.map(|route| route.path).collect()
    };
    let exempt = Exempt { from_any_site: paths(Guard::FromAnySite), probes: paths(Guard::Probe) };
    let checks = Checks { access: Arc::clone(&app.access), exempt: Arc::new(exempt) };
    let body_limit = DefaultBodyLimit::max(app.limits.body_bytes);
    let all = areas.into_iter().flat_map(|area| area.routes);
    let routes = all
        .fold(Router::new(), |router, route| router.route(route.facts.path, route.handler))
        .fallback(pages::answer)
        .with_state(Arc::clone(&app));
    routes
        .method_not_allowed_fallback(|| async { Failure::wrong_method() })
        .layer(body_limit)
        .layer(middleware::from_fn_with_state(secret.into(), compression::compress))
        .layer(middleware::from_fn_with_state(checks, hosts::check))
        .layer(middleware::from_fn_with_state(Arc::clone(&app.metrics.counted), count_request))
}

/// The IP address of the client.
#[derive(Debug, Clone, Copy)]
pub struct Address(IpAddr);

impl Address {
    /// The address, or `None` if it does not identify the client: behind a proxy on this machine, all clients have the same one.
    pub fn telling(self) -> Option<String> {
        (!self.0.is_loopback()).then(|| self.0.to_string())
    }
}

impl<S: Sync> FromRequestParts<S> for Address {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let found = parts.extensions.get::<ConnectInfo<Peer>>();
        // The server adds the address to every request.
        Ok(Self(found.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(peer)| peer.address.ip())))
    }
}

impl Argument for Address {
    fn describe(_: &mut Operation) {}
}

#[cfg(test)]
mod tests;
