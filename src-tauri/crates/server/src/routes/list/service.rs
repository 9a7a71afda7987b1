//! Information about the service; GraphQL, assistant, webhooks and workflows.

use crate::rest::route::Guard;
use crate::rest::{Access, Area, Relay, get, post};
use crate::routes::assistant::LARGEST_DOCUMENT;
use crate::routes::graphql::{GraphqlAnswer, GraphqlRequest};
use crate::routes::health::{self as state, Bundle, Health};
use crate::routes::webhooks::{self, AlertCounts};
use crate::routes::workflows::{self as runs, Decision, Verdict};
use crate::routes::{
    about as this, assistant as answers, changes as news, events as documents, graphql as queries, live,
    metrics, openapi,
};

pub fn about() -> Area {
    let routes = vec![get("/api/about", "What this service is", this::show).relay(Relay::Passed)];
    Area::new("about", "What this service is", routes).unoffered()
}

pub fn assistant() -> Area {
    let routes = vec![
        post("/api/assistant/ask", "Ask; the answer comes as server-sent events", answers::ask)
            .file("text/event-stream"),
        post("/api/assistant/preview", "What would be sent for a question; sends nothing", answers::preview),
        post("/api/assistant/documents", "Keep a file as a knowledge base", answers::add_document)
            .up_to(LARGEST_DOCUMENT),
    ];
    Area::new("assistant", "Questions in words, and documents the assistant shall know", routes).relayed()
}

pub fn changes() -> Area {
    let routes = vec![
        get("/api/changes", "Imports that end, as server-sent events", news::events)
            .file("text/event-stream")
            .relay(Relay::Passed),
    ];
    Area::new("changes", "What has ended since a page looked", routes)
}

pub fn events() -> Area {
    let routes = vec![post(
        "/api/events/{id}/post-mortem",
        "A post-mortem as a PDF; stores nothing",
        documents::post_mortem,
    )];
    Area::new("events", "Documents about events", routes)
}

pub fn graphql() -> Area {
    let routes = vec![
        get(
            "/api/graphql",
            "Subscriptions over WebSocket (graphql-transport-ws); leads a browser to the API explorer",
            live::connect,
        )
        .redirects(101)
        .redirects(303),
        post("/api/graphql", "Read and write rows with GraphQL", queries::answer)
            .takes::<GraphqlRequest>()
            .answers::<GraphqlAnswer>()
            .relay(Relay::Kept),
        get("/api/graphql/ws", "The same subscriptions", live::connect).redirects(101).redirects(303),
    ];
    Area::new("graphql", "Rows, read and written with GraphQL", routes)
}

pub fn health() -> Area {
    let routes = vec![
        get("/api/health/report", "Database, disk, imports, versions", state::report)
            .needs(Access::TenantAdmin)
            .relay(Relay::Kept),
        get(
            "/api/health/bundle",
            "The report, settings and counts as one file for whoever helps",
            state::bundle,
        )
        .needs(Access::TenantAdmin)
        .answers::<Bundle<'static>>()
        .relay(Relay::Passed),
    ];
    Area::new("health", "Whether the service works, in full", routes)
}

pub fn description() -> Area {
    let routes = vec![get("/api/openapi.json", "This document", openapi::show).file("application/json")];
    Area::new("openapi", "The description of these routes", routes).unoffered()
}

pub fn probes() -> Area {
    let routes = vec![
        get("/healthz", "Whether the service answers", state::show).answers::<Health>().guard(Guard::Probe),
        get("/readyz", "Whether the service takes traffic", state::ready)
            .answers::<Health>()
            .guard(Guard::Probe),
        get("/metrics", "Figures for Prometheus", metrics::show)
            .needs(Access::Secret("the setting `metrics_token`; where it is not set, for this computer"))
            .file("text/plain"),
    ];
    Area::new("probes", "For load balancers and monitoring systems", routes).unoffered()
}

pub fn webhooks() -> Area {
    let routes = vec![
        post("/api/webhooks/{token}", "A message of a monitoring system", webhooks::receive)
            .needs(Access::Secret("the token in the address"))
            .answers::<AlertCounts>()
            .up_to(webhooks::LARGEST),
        post("/api/webhooks/workflows/{id}", "Start a workflow", runs::deliver)
            .needs(Access::Secret("the secret of the webhook, in the header X-Webhook-Secret")),
    ];
    Area::new("webhooks", "Messages of other services", routes)
}

pub fn workflows() -> Area {
    let routes = vec![
        get("/api/workflows/approvals/{id}/{token}", "What a run asks, as a page", runs::show)
            .needs(Access::Secret("the token in the address"))
            .file("text/html"),
        post("/api/workflows/approvals/{id}/{token}", "Answer what a run asks", runs::decide)
            .needs(Access::Secret("the token in the address"))
            .takes_form::<Decision>()
            .answers::<Verdict>()
            .file("text/html"),
    ];
    Area::new("workflows", "Questions of runs to people", routes)
}
