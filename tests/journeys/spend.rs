//! From a bill on disk to where the money goes.

use crate::support::browser::Chromium;
use crate::support::desktop::Window;
use crate::support::fixture;
use crate::support::page::Page;
use crate::support::service::Service;

#[tokio::test]
async fn a_bill_imported_in_a_browser_shows_where_the_money_goes() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    chromium.page.open(&service.sign_in_link).await;
    import_a_bill_and_look_around(&chromium.page).await;
    chromium.page.close().await;
}

#[tokio::test]
async fn a_bill_imported_in_the_window_shows_where_the_money_goes() {
    let window = Window::open().await;
    import_a_bill_and_look_around(&window.page).await;
    window.page.close().await;
}

/// Begins on the first page after signing in, with nothing imported; `fixtures/README.md` has the sums.
async fn import_a_bill_and_look_around(page: &Page) {
    page.follow("Import cost files").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.shows("12 imported").await;
    page.shows("none skipped").await;

    page.follow("Overview").await;
    page.shows("$32.88").await;

    page.follow("Costs").await;
    page.table_lists(
        "Service",
        &[
            "Amazon Relational Database Service: $18.75",
            "Amazon Elastic Compute Cloud: $10.60",
            "Virtual Machines: $3.33",
            "Amazon Simple Storage Service: $0.12",
            "Storage Accounts: $0.08",
            "AWS Data Transfer: $0.00",
        ],
    )
    .await;
    // What only screen readers read makes no page wider than its window.
    page.holds("return [...document.querySelectorAll('.sr')].every((e) => e.offsetWidth <= 1)").await;
    page.choose("Group by", "Region").await;
    page.is_at("/costs/explorer?by=region").await;
    page.table_lists("Region", &["eu-west-1: $30.72", "westeurope: $3.41", "us-west-2: −$1.25"]).await;
}
