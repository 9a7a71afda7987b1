//! Recomputes every figure of the sample data's cards from their JSON, as a script or calculator would: uses only responses of `/api/graphql`, and
//! none of the product's own code.

mod anomalies;
mod budgets;
mod costs;
mod savings;

use super::Service;
use super::client::Client;
use super::sample::{data, go, loaded, page};
use serde_json::Value;

#[tokio::test]
async fn every_figure_of_the_sample_follows_from_what_its_card_shows() {
    let service = Service::start().await;
    let page = page(&service).await;
    page.post("/api/sample", "").await;
    let tenant = loaded(&page).await;
    let there = page.clone().with("Cookie", &go(&page, &tenant).await.cookie());
    anomalies::check(&there).await;
    savings::check(&there).await;
    budgets::check(&there).await;
    costs::check(&there).await;
}

/// The rows under a name, of which there must be some.
#[track_caller]
fn rows<'a>(of: &'a Value, name: &str) -> &'a [Value] {
    let rows = of[name].as_array().map(Vec::as_slice).unwrap_or_default();
    assert!(!rows.is_empty(), "no {name}: {of}");
    rows
}

/// The number under a name.
#[track_caller]
fn number(of: &Value, name: &str) -> f64 {
    of[name].as_f64().unwrap_or_else(|| panic!("{name} is no number: {of}"))
}

/// The text under a name.
#[track_caller]
fn text<'a>(of: &'a Value, name: &str) -> &'a str {
    of[name].as_str().unwrap_or_else(|| panic!("{name} is no text: {of}"))
}

/// Checks that two numbers are equal: amounts are exact, their sums differ in the last bits only.
#[track_caller]
fn same(worked_out: f64, told: f64, of: &Value) {
    let is_same = (worked_out - told).abs() <= 1e-6 * told.abs().max(1.0);
    assert!(is_same, "worked out {worked_out}, told {told}: {of}");
}

/// Checks a share, which is reported with six digits.
#[track_caller]
fn same_share(worked_out: f64, told: &Value, of: &Value) {
    let Some(told) = told.as_f64() else { panic!("no share: {of}") };
    assert!((worked_out - told).abs() <= 1e-6, "worked out {worked_out}, told {told}: {of}");
}
