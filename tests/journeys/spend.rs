//! From a bill on disk to its costs.

use std::path::{Path, PathBuf};

use crate::support::browser::Chromium;
use crate::support::desktop::Window;
use crate::support::fixture;
use crate::support::page::Page;
use crate::support::programs;
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

#[tokio::test]
async fn a_bill_imported_from_a_shell_shows_on_pages_that_are_open() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("Or from a shell, also while this page is open").await;
    service.import(&[fixture("september.csv")]);
    page.shows("$32.88").await;
    page.shows_no_more("No costs imported yet").await;

    // Again, on a page that already shows figures.
    page.follow("Costs").await;
    page.shows("$3.33").await;
    service.import(&[restated(service.data_dir())]);
    page.shows("$103.33").await;
    chromium.page.close().await;
}

#[tokio::test]
async fn a_bill_imported_from_a_shell_shows_in_the_window() {
    let window = Window::open().await;
    window.page.shows("Or from a shell, also while this page is open").await;
    let bill = fixture("september.csv").display().to_string();
    programs::run(window.data_dir(), &["import", &bill]).succeeded();
    window.page.shows("$32.88").await;
    window.page.close().await;
}

/// The same bill with a hundred dollars more for virtual machines, as a file in `folder`.
pub fn restated(folder: &Path) -> PathBuf {
    let bill = std::fs::read_to_string(fixture("september.csv")).unwrap();
    let restated = folder.join("restated.csv");
    std::fs::write(&restated, bill.replace("\nNULL,3.33", "\nNULL,103.33")).unwrap();
    restated
}

/// Starts on the first page after sign-in, with nothing imported; the sums are in `fixtures/README.md`.
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
            "AWS Data Transfer: <$0.01",
        ],
    )
    .await;
    // Elements for screen readers do not make a page wider than its window.
    page.holds("return [...document.querySelectorAll('.sr')].every((e) => e.offsetWidth <= 1)").await;
    page.choose("Group by", "Region").await;
    page.is_at("/costs/explorer?by=region").await;
    page.table_lists("Region", &["eu-west-1: $30.72", "westeurope: $3.41", "us-west-2: −$1.25"]).await;
}
