//! Looking around with sample data, and removing it again.

use crate::support::browser::Chromium;
use crate::support::service::Service;

#[tokio::test]
async fn sample_data_from_the_first_page_is_looked_at_and_removed() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("Just looking?").await;
    page.picture("sample-first-run").await;
    page.press("Load sample data").await;

    page.shows("Sample data: none of this is yours").await;
    page.shows("Shop production").await;
    page.is_at("/overview").await;
    page.picture("sample-overview").await;
    page.press("Remove sample data").await;

    page.shows("Start with last month’s bill").await;
    page.shows("Load sample data").await;
    assert!(!page.text().await.contains("none of this is yours"));
    chromium.page.close().await;
}
