//! Tests the list of resources with very many rows: correct up to the last one, page by page.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

use crate::support::browser::Chromium;
use crate::support::client::Client;
use crate::support::exact::at;
use crate::support::programs::run;
use crate::support::service::Service;

/// More than the former maximum of one response.
const RESOURCES: u32 = 20_300;
/// The last ones, without charges.
const FREE: u32 = 150;

const ACCOUNT: &str = "a0000000-0000-4000-8000-000000000001";

fn id(number: u32) -> String {
    format!("d0000000-0000-4000-8000-{number:012}")
}

/// Loads resources with increasing costs, one in ten in another currency; the most expensive one was seen first.
fn load(data_dir: &Path, person: &str) {
    let files = tempfile::tempdir().unwrap();
    let account = json!({
        "id": ACCOUNT, "account_name": "harbour", "account_type": "cloud", "created_by": person, "updated_by": person,
    });
    let (mut resources, mut charges) = (String::new(), String::new());
    for number in 0..RESOURCES {
        let resource = json!({
            "id": id(number), "account": ACCOUNT, "cloud_provider": "AWS", "external_resource_id": format!("r-{number}"),
            "resourse_id": format!("r-{number}"), "name": format!("crane-{number:05}"), "type": "vm",
            "service_name": if number % 2 == 0 { "Compute" } else { "Storage" }, "region": "eu-west-1",
            "last_seen": format!("2024-09-{:02}T00:00:00", 30 - number * 29 / RESOURCES),
        });
        writeln!(resources, "{resource}").unwrap();
        if number < RESOURCES - FREE {
            let charge = json!({
                "id": format!("c0000000-0000-4000-8000-{number:012}"), "cloud_account": ACCOUNT, "cloud_resource_id": id(number),
                "date": "2024-09-15T00:00:00", "amount": format!("{number}.01"), "billed_cost": format!("{number}.01"),
                "unit": if number % 10 == 9 { "EUR" } else { "USD" },
            });
            writeln!(charges, "{charge}").unwrap();
        }
    }
    let tables =
        [("cloud_accounts", account.to_string()), ("cloud_resourses", resources), ("spends", charges)];
    for (table, text) in tables {
        let file = files.path().join(format!("{table}.ndjson"));
        std::fs::write(&file, text).unwrap();
        run(data_dir, &["table", "load", table, file.to_str().unwrap()]).succeeded();
    }
}

/// The names on a page, each with its billed cost.
async fn page(client: &Client, more: &str) -> Vec<String> {
    let asked = format!(
        "{{ cloud_resources_page(request: {{ from: \"2024-09-01\", until: \"2024-10-01\", {more} }}) {{ rows {{ name billed {{ \
         currency amount }} }} }} }}"
    );
    let answer: Value =
        serde_json::from_str(at(&client.data(&asked).await, &["cloud_resources_page", "rows"])).unwrap();
    let line = |row: &Value| {
        let billed = &row["billed"][0];
        let amount = billed["currency"].as_str().map(|currency| format!(" {currency} {}", billed["amount"]));
        format!("{}{}", row["name"].as_str().unwrap(), amount.unwrap_or_default())
    };
    answer.as_array().unwrap().iter().map(line).collect()
}

#[tokio::test]
async fn the_dearest_of_very_many_resources_are_found_wherever_they_stand() {
    let service = Service::start();
    let ada = service.client().await;
    let people = ada.data("{ users(where: {username: {_eq: \"ada@example.com\"}}) { id } }").await;
    load(service.data_dir(), at(&people, &["users", "0", "id"]).trim_matches('"'));

    let dearest = "sort: COST, currency: \"USD\", descending: true";
    let first = page(&ada, &format!("{dearest}, limit: 3")).await;
    assert_eq!(first, ["crane-20148 USD 20148.01", "crane-20147 USD 20147.01", "crane-20146 USD 20146.01"]);
    let euro = page(&ada, "sort: COST, currency: \"EUR\", descending: true, limit: 1").await;
    assert_eq!(euro, ["crane-20149 EUR 20149.01"]);
    let of_storage = "filters: [{ field: SERVICE, values: [\"Storage\"] }], search: \"crane-2\"";
    let stored = page(&ada, &format!("{dearest}, {of_storage}, limit: 2")).await;
    assert_eq!(stored, ["crane-20147 USD 20147.01", "crane-20145 USD 20145.01"]);

    // After the last one with a cost in the currency, the others follow by name; none is missing or listed twice.
    let billed = RESOURCES - FREE;
    let in_dollars = billed - billed / 10;
    let border = page(&ada, &format!("{dearest}, limit: 4, offset: {}", in_dollars - 2)).await;
    assert_eq!(
        border,
        ["crane-00001 USD 1.01", "crane-00000 USD 0.01", "crane-00009 EUR 9.01", "crane-00019 EUR 19.01"]
    );
    let mut all = Vec::new();
    for offset in (0..RESOURCES).step_by(200) {
        all.extend(page(&ada, &format!("{dearest}, limit: 200, offset: {offset}")).await);
    }
    assert_eq!(all.len(), RESOURCES as usize);
    assert_eq!(all.last().unwrap(), "crane-20299");
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), RESOURCES as usize);

    let named = page(&ada, &format!("sort: NAME, limit: 2, offset: {}", RESOURCES - 2)).await;
    assert_eq!(named, ["crane-20298", "crane-20299"]);
    let seen = page(&ada, "sort: LAST_SEEN, limit: 1").await;
    assert_eq!(seen, ["crane-19600 USD 19600.01"]);

    let totals = ada
        .data(
            "{ cloud_resources_totals(request: { from: \"2024-09-01\", until: \"2024-10-01\" }) { count billed { currency amount } } }",
        )
        .await;
    // n.01 for every number n below 20,150; those that end in 9 are in euros.
    assert_eq!(
        at(&totals, &["cloud_resources_totals"]),
        "{\"count\":20300,\"billed\":[{\"currency\":\"USD\",\"amount\":182692171.35},{\"currency\":\"EUR\",\"amount\":20309205.15}]}"
    );

    // In the browser, far from the beginning: shows the rows at that position, and they stay.
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.follow("Inventory").await;
    page.follow("Resources").await;
    page.shows("20,300 resources").await;
    page.shows("crane-20148").await;
    page.run("document.querySelector('.resources .tw').scrollTop = 46 * 10_000").await;
    page.holds(
        "const row = document.querySelector('.resources tr[aria-rowindex=\"10002\"]');
         return row?.querySelector('.t')?.innerText === 'crane-09037' && !document.querySelector('.resources tr.blank')",
    )
    .await;
    chromium.page.close().await;
}
