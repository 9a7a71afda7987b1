//! A query typed into the API explorer, and its exact result.

use crate::support::browser::Chromium;
use crate::support::desktop::Window;
use crate::support::fixture;
use crate::support::page::Page;
use crate::support::service::Service;

#[tokio::test]
async fn a_query_typed_in_a_browser_is_answered_to_the_last_digit() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    chromium.page.open(&service.sign_in_link).await;
    import_a_bill_and_ask(&chromium.page).await;
    // The address of the API redirects browsers to the same page.
    chromium.page.open(&format!("{}/api/graphql", service.address)).await;
    chromium.page.is_at("/api-explorer").await;
    chromium.page.shows("No result yet").await;
    chromium.page.close().await;
}

#[tokio::test]
async fn a_query_typed_in_the_window_is_answered_to_the_last_digit() {
    let window = Window::open().await;
    import_a_bill_and_ask(&window.page).await;
    window.page.close().await;
}

/// Starts on the first page after sign-in, with nothing imported; the sums are in `fixtures/README.md`.
async fn import_a_bill_and_ask(page: &Page) {
    page.follow("Import cost files").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.shows("12 imported").await;

    page.follow("API explorer").await;
    page.is_at("/api-explorer").await;
    page.press("New query").await;
    page.type_text("{ spends_aggregate { aggregate { count sum { billed_cost } } } }").await;
    page.shows("{ spends_aggregate { aggregate { count sum { billed_cost } } } }").await;
    page.type_ctrl_enter().await;
    page.table_lists("count", &["12: 32.88045820136"]).await;
    page.shows("\"billed_cost\": 32.88045820136").await;

    // An error is shown with its position in the query.
    page.press("New query").await;
    page.type_text("{ spends { colour } }").await;
    page.type_ctrl_enter().await;
    page.shows("field 'colour' not found in type: 'spends'").await;
}
