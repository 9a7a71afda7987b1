//! From a bill on disk to one of its resources: its exact cost, and a question about it.

use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::page::Page;
use crate::support::service::Service;

/// The sums are in `fixtures/README.md`.
#[tokio::test]
async fn a_resource_of_a_bill_is_found_with_its_cost_and_asked_about() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.follow("Inventory").await;
    page.follow("Resources").await;
    page.is_at("/inventory/resources").await;
    page.shows("No resources yet").await;
    page.shows("Import a bill, a Kubernetes dump, a support bundle").await;
    page.picture("resources-empty").await;

    page.follow("Import files").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.shows("12 imported").await;
    page.follow("Inventory").await;
    page.follow("Resources").await;
    page.shows("7 resources").await;
    page.shows("$35.13 billed September 2024").await;
    // The credit and the transfer belong to no resource.
    page.shows("−$2.25 more without a resource").await;
    names_with_costs(
        page,
        &[
            "db:harbour-ledger: $21.00",
            "instance/i-0a1b2c3d4e5f60001: $9.60",
            "tide-gauge: $3.33",
            "instance/i-0a1b2c3d4e5f60002: $1.00",
            "harbour-manifests: $0.12",
            "tides: $0.08",
            "harbour-manifests: <$0.01",
        ],
    )
    .await;
    page.picture("resources").await;

    // The service performs the search; the URL contains it, and the open resource.
    page.fill_at("input[aria-label='Find resources']", "i-0a1b us-WEST").await;
    page.shows("1 resource").await;
    names_with_costs(page, &["instance/i-0a1b2c3d4e5f60002: $1.00"]).await;
    page.run("document.querySelector('.resources tbody tr td').click()").await;
    page.shows("1.00000000005 USD").await;
    page.shows("arn:aws:ec2:us-west-2:900000000012:instance/i-0a1b2c3d4e5f60002").await;
    page.shows("cranes").await;
    page.shows("Quay Staging").await;
    page.picture("resource").await;
    let address = page.comes_to("id=").await;
    page.open(&address).await;
    page.shows("1.00000000005 USD").await;
    page.shows("1 resource").await;

    page.follow("Open in the explorer").await;
    page.table_lists("Service", &["Amazon Elastic Compute Cloud: $1.00"]).await;
    page.open(&address).await;
    page.follow("Ask about this").await;
    page.comes_to("about=resource.").await;
    page.shows("The assistant needs a model").await;
    chromium.page.close().await;
}

/// Waits until the list shows `expected`, one line each as "name: amount".
async fn names_with_costs(page: &Page, expected: &[&str]) {
    let expected = serde_json::to_string(expected).unwrap();
    page.holds(&format!(
        "const rows = [...document.querySelectorAll('.resources tbody tr')].map((row) =>
            `${{row.querySelector('.t')?.innerText}}: ${{[...row.cells].at(-1).innerText}}`);
        return JSON.stringify(rows) === JSON.stringify({expected});"
    ))
    .await;
}
