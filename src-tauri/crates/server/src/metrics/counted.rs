//! Counters that are updated as events occur: HTTP requests, and outcomes of GraphQL requests.

use super::Metrics;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use graphql::{ObservedRequest, Observer, PlanUse, RequestOutcome};
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::sync::Arc;
use std::time::Instant;

/// Upper bounds of the histogram buckets, seconds.
const STEPS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Label of a request that matches no route: the pages.
const PAGES: &str = "pages";

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct HttpLabels {
    method: &'static str,
    /// The route as the router knows it, with placeholders instead of ids.
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct GraphqlLabels {
    operation: String,
    outcome: OutcomeLabel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
#[allow(non_camel_case_types)]
enum OutcomeLabel {
    answered,
    refused,
    failed,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PlanLabels {
    plan: &'static str,
}

/// HTTP requests.
pub(crate) struct HttpCounts {
    requests: Family<HttpLabels, Counter>,
    seconds: Histogram,
}

impl HttpCounts {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let counts = Self { requests: Family::default(), seconds: Histogram::new(STEPS) };
        registry.register("http_requests", "Requests by route and status", counts.requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time until the head of an answer",
            Unit::Seconds,
            counts.seconds.clone(),
        );
        counts
    }
}

/// GraphQL requests.
pub(crate) struct GraphqlCounts {
    requests: Family<GraphqlLabels, Counter>,
    plans: Family<PlanLabels, Counter>,
    seconds: Histogram,
}

impl GraphqlCounts {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let counts =
            Self { requests: Family::default(), plans: Family::default(), seconds: Histogram::new(STEPS) };
        registry.register(
            "graphql_requests",
            "GraphQL requests by root field and outcome; several stands for a request with more than one root field, none for one that was not understood",
            counts.requests.clone(),
        );
        registry.register(
            "graphql_plans",
            "GraphQL requests whose plan was known from an earlier request, or compiled for this one",
            counts.plans.clone(),
        );
        registry.register_with_unit(
            "graphql_request_duration",
            "Time until a GraphQL request was answered",
            Unit::Seconds,
            counts.seconds.clone(),
        );
        counts
    }
}

impl Observer for GraphqlCounts {
    fn answered(&self, request: &ObservedRequest<'_>) {
        let outcome = match request.outcome {
            RequestOutcome::Answered => OutcomeLabel::answered,
            RequestOutcome::Refused => OutcomeLabel::refused,
            RequestOutcome::Failed => OutcomeLabel::failed,
        };
        let labels = GraphqlLabels { operation: request.operation.to_owned(), outcome };
        self.requests.get_or_create(&labels).inc();
        let plan = match request.plan {
            PlanUse::Known => "known",
            PlanUse::Compiled => "compiled",
        };
        self.plans.get_or_create(&PlanLabels { plan }).inc();
        self.seconds.observe(request.took.as_secs_f64());
    }
}

/// Middleware that counts a request by its route. Wraps every route.
pub async fn count_request(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or(PAGES, MatchedPath::as_str).to_owned();
    let method = method(&request);
    let began = Instant::now();
    let response = next.run(request).await;
    let labels = HttpLabels { method, route, status: response.status().as_u16() };
    metrics.http.requests.get_or_create(&labels).inc();
    metrics.http.seconds.observe(began.elapsed().as_secs_f64());
    response
}

/// The method if routes use it, otherwise `other`.
fn method(request: &Request) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    known.into_iter().find(|name| request.method().as_str() == *name).unwrap_or("other")
}
