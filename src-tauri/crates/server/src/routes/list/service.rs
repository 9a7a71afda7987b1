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
    let routes = vec![
        get("/api/about", "Name, version, sign-in methods and areas of this service", this::show)
            .relay(Relay::Passed),
    ];
    Area::new("about", "Name, version, sign-in methods and areas of this service", routes).unoffered()
}

pub fn assistant() -> Area {
    let routes = vec![
        post(
            "/api/assistant/ask",
            "Ask the assistant; streams the answer as server-sent events",
            answers::ask,
        )
        .file("text/event-stream"),
        post("/api/assistant/preview", "Preview the request for a question; sends nothing", answers::preview),
        post("/api/assistant/documents", "Add a file as a knowledge base", answers::add_document)
            .up_to(LARGEST_DOCUMENT),
    ];
    Area::new("assistant", "Ask questions, and add documents for the assistant", routes).relayed()
}

pub fn changes() -> Area {
    let routes = vec![
        get("/api/changes", "Stream finished imports, as server-sent events", news::events)
            .file("text/event-stream")
            .relay(Relay::Passed),
    ];
    Area::new("changes", "List imports that finished since the client's last request", routes)
}

pub fn events() -> Area {
    let routes = vec![post(
        "/api/events/{id}/post-mortem",
        "Render a post-mortem as PDF; stores nothing",
        documents::post_mortem,
    )];
    Area::new("events", "Documents about events", routes)
}

pub fn graphql() -> Area {
    let routes = vec![
        get(
            "/api/graphql",
            "GraphQL subscriptions over WebSocket (graphql-transport-ws); redirects browsers to the API explorer",
            live::connect,
        )
        .redirects(101)
        .redirects(303),
        post("/api/graphql", "Run a GraphQL request", queries::answer)
            .takes::<GraphqlRequest>()
            .answers::<GraphqlAnswer>()
            .relay(Relay::Kept),
        get("/api/graphql/ws", "GraphQL subscriptions over WebSocket", live::connect).redirects(101).redirects(303),
    ];
    Area::new("graphql", "Read and write rows with GraphQL", routes)
}

pub fn health() -> Area {
    let routes = vec![
        get("/api/health/report", "Health report: database, disk, imports, versions", state::report)
            .needs(Access::TenantAdmin)
            .relay(Relay::Kept),
        get(
            "/api/health/bundle",
            "Download a diagnostics file: health report, settings, counts",
            state::bundle,
        )
        .needs(Access::TenantAdmin)
        .answers::<Bundle<'static>>()
        .relay(Relay::Passed),
    ];
    Area::new("health", "Health of the service in detail", routes)
}

pub fn description() -> Area {
    let routes = vec![get("/api/openapi.json", "This document", openapi::show).file("application/json")];
    Area::new("openapi", "Description of the routes (OpenAPI)", routes).unoffered()
}

pub fn probes() -> Area {
    let routes = vec![
        get("/healthz", "Liveness probe", state::show).answers::<Health>().guard(Guard::Probe),
        get("/readyz", "Readiness probe", state::ready).answers::<Health>().guard(Guard::Probe),
        get("/metrics", "Metrics in Prometheus format", metrics::show)
            .needs(Access::Secret(
                "the token in the setting `metrics_token`; if it is not set, a request from this computer",
            ))
            .file("text/plain"),
    ];
    Area::new("probes", "For load balancers and monitoring systems", routes).unoffered()
}

pub fn webhooks() -> Area {
    let routes = vec![
        post("/api/webhooks/{token}", "Receive a message of a monitoring system", webhooks::receive)
            .needs(Access::Secret("the token in the address"))
            .answers::<AlertCounts>()
            .up_to(webhooks::LARGEST),
        post("/api/webhooks/workflows/{id}", "Start a workflow", runs::deliver)
            .needs(Access::Secret("the secret of the webhook, in the header X-Webhook-Secret")),
    ];
    Area::new("webhooks", "Webhooks of other services", routes)
}

pub fn workflows() -> Area {
    let routes = vec![
        get("/api/workflows/approvals/{id}/{token}", "Show an approval of a run as a page", runs::show)
            .needs(Access::Secret("the token in the address"))
            .file("text/html"),
        post("/api/workflows/approvals/{id}/{token}", "Answer an approval of a run", runs::decide)
            .needs(Access::Secret("the token in the address"))
            .takes_form::<Decision>()
            .answers::<Verdict>()
            .file("text/html"),
    ];
    Area::new("workflows", "Approvals of workflow runs", routes)
}
