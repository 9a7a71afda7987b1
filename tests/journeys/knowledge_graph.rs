//! From the objects of a cluster to the impact of a node's outage, and to the path between two objects.

use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::page::Page;
use crate::support::service::Service;

#[tokio::test]
async fn a_node_is_found_with_what_stands_around_it_what_its_outage_touches_and_a_path() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("Import cost files").await;
    page.follow("Assistant & knowledge").await;
    page.follow("Knowledge graph").await;
    page.shows("No knowledge graph yet").await;
    page.follow("Import cluster files").await;
    page.give_files(&[fixture("september.csv"), fixture("cluster.json")]).await;
    page.shows("Stored now").await;

    page.follow("Assistant & knowledge").await;
    page.follow("Knowledge graph").await;
    find(page, "Find a node", "node-572", "node-572").await;
    page.comes_to("node=").await;
    // The bill contains the machine the node runs on.
    page.shows("i-0a1b2c3d4e5f60002").await;
    page.shows("provider id").await;
    page.picture("knowledge-graph-around").await;

    page.press("Show outage").await;
    page.comes_to("mode=outage").await;
    page.shows("An outage of node-572 would affect").await;
    page.holds(&drawn("Ingress shop-front", true)).await;
    page.holds(&drawn("Workload payments", true)).await;
    // The team and pods on other nodes are not affected.
    page.holds(&drawn("Team land", false)).await;
    page.holds(&drawn("Pod checkout-7d-x1", false)).await;
    page.picture("knowledge-graph-outage").await;

    page.press("Path").await;
    page.shows("Where should the path lead?").await;
    find(page, "Path to", "shop-fr", "shop-front").await;
    page.shows("steps apart").await;
    page.holds(&drawn("Service checkout", true)).await;
    page.picture("knowledge-graph-path").await;
    find(page, "Path to", "alone", "alone").await;
    page.shows("No path between the two").await;
    chromium.page.close().await;
}

/// Types part of a name and chooses the match.
async fn find(page: &Page, field: &str, part: &str, name: &str) {
    page.fill_at(&format!("input[aria-label='{field}']"), part).await;
    page.holds(&format!(
        "return [...document.querySelectorAll('.kg-found [role=option]')].some((one) => one.textContent.includes('{name}'))"
    ))
    .await;
    page.type_keys(['\u{E007}']).await;
}

/// Whether an object is drawn, by the beginning of its kind and name.
fn drawn(thing: &str, is_there: bool) -> String {
    format!(
        "const all = [...document.querySelectorAll('.kg-dot')].map((one) => one.getAttribute('aria-label'));
         return all.length > 1 && all.some((name) => name.startsWith('{thing}')) === {is_there};"
    )
}
