//! A user with two tenants: each page shows the costs of one of them only.

use crate::journeys::spend::restated;
use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::programs::run;
use crate::support::service::Service;

#[tokio::test]
async fn whoever_has_two_tenants_goes_on_in_the_other_one_with_every_tab() {
    let service = Service::start();
    service.import(&[fixture("september.csv")]);
    let data = service.data_dir();
    run(data, &["user", "add", "administrator@localhost", "--tenant", "Umbrella"]).succeeded();
    let other = restated(data).display().to_string();
    run(data, &["import", &other, "--tenant", "Umbrella"]).succeeded();

    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("$32.88").await;
    page.follow("Costs").await;
    page.shows("$3.33").await;

    // In another tab: selected by name.
    page.run("window.open('/overview', 'second');").await;
    page.go_to_tab(2).await;
    page.shows("$32.88").await;
    page.press("Switch instance, current: This computer Personal workspace").await;
    page.shows("Tenant on this computer").await;
    page.shows("2 available to you").await;
    page.picture("tenants-switcher").await;
    page.type_text("umbrella\u{e007}").await;
    page.shows("$132.88").await;
    page.is_at("/overview").await;
    assert!(!page.text().await.contains("$32.88"));
    page.close_tab().await;

    // The first tab has the same cookie: it switches without user action.
    page.shows("$132.88").await;
    page.is_at("/overview").await;
    page.shows("Umbrella").await;

    // Back, by its number: the first is this computer.
    page.press("Switch instance, current: This computer Umbrella").await;
    page.shows("Tenant on this computer").await;
    page.type_text("2").await;
    page.shows("$32.88").await;
    assert!(!page.text().await.contains("$132.88"));
    chromium.page.close().await;
}
