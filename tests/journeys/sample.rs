//! Trying sample data, and removing it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::programs::{finish, run};
use crate::support::service::Service;

/// Tables whose rows remain: the security log; the column layout and its dictionary of texts, from which nothing is removed; statistics for query
/// plans; segments of a full-text index, which SQLite merges at later writes; and shared values, which are deleted some minutes later.
const STAYS: [&str; 7] = [
    "security_event",
    "spends#layout",
    "spends#values",
    "shared#values",
    "sqlite_stat1",
    "llm_passage#words_data",
    "llm_passage#words_idx",
];

#[tokio::test]
async fn sample_data_from_the_first_page_is_looked_at_and_removed() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("Just looking?").await;
    page.picture("sample-first-run").await;
    let before = rows(service.data_dir());
    page.press("Load sample data").await;

    page.shows("You’re viewing sample data").await;
    page.shows("Shop production").await;
    page.is_at("/overview").await;
    page.picture("sample-overview").await;
    // The changes in the cluster before its service failed.
    page.open(&format!("{}/inventory/kubernetes?changes=newest", service.address)).await;
    page.shows("Nothing to compare yet").await;
    page.run("document.querySelector('a.cluster:not(.on)').click()").await;
    page.shows("payments/Deployment/checkout").await;
    page.shows("spec.template.spec.containers[checkout].image").await;
    page.shows("2 objects, compared with").await;
    page.picture("kubernetes-changes").await;
    // Actions are disabled, with the reason.
    page.open(&format!("{}/automation/approvals", service.address)).await;
    page.shows("Change shop-archive from gp2 to gp3?").await;
    page.shows("This is sample data: nothing here runs").await;
    page.shows("modify-volume --volume-id shop-archive").await;
    page.holds("return [...document.querySelectorAll('button')].some((one) => one.textContent.includes('Approve') && one.disabled)").await;
    let bill = fixture("september.csv");
    let refused = run(service.data_dir(), &["import", bill.to_str().unwrap(), "--tenant", "Sample data"]);
    assert_ne!(refused.code, 0, "{refused:#?}");
    assert!(refused.stderr.contains("would be removed with it"), "{refused:#?}");
    page.press("Remove sample data").await;
    // The data to be removed is listed first.
    page.shows("Remove the sample data?").await;
    page.shows("Charges").await;
    page.press("Remove everything").await;

    page.shows("Start with last month’s bill").await;
    page.shows("Load sample data").await;
    assert!(!page.text().await.contains("You’re viewing sample data"));
    let mut after = rows(service.data_dir());
    after.retain(|table, count| !STAYS.contains(&table.as_str()) && before.get(table) != Some(count));
    assert_eq!(after, BTreeMap::new());
    chromium.page.close().await;
}

/// Number of rows of each table of the database, including column storage.
fn rows(data_dir: &Path) -> BTreeMap<String, u64> {
    let script = "import json, sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.create_collation('DECIMAL', lambda a, b: (a > b) - (a < b))
tables = [name for name, in c.execute(\"select name from sqlite_master where type = 'table'\")]
print(json.dumps({name: c.execute(f'select count(*) from \"{name}\"').fetchone()[0] for name in tables}))";
    let mut count = Command::new("/usr/bin/python3");
    count.args(["-c", script]).arg(data_dir.join("quarterdeck.db"));
    serde_json::from_value(finish(&mut count).succeeded().json()).unwrap()
}
