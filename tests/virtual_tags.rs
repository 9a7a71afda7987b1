//! Tests of virtual tags with a running service: imported charges have their values at once, and lose them when the tag is removed.

use std::time::{Duration, Instant};

use crate::support::client::Client;
use crate::support::service::Service;

/// Two charges with a tag in two spellings, and one of another service without the tag.
const BILL: &str = "BilledCost,BillingCurrency,BillingAccountId,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,\
                    ServiceName,ProviderName,SubAccountId,ResourceId,SkuId,Tags\n\
                    4.5,USD,100,2026-05-01,2026-05-02,2026-05-03,Usage,Compute,AWS,200,i-1,a,\"{\"\"env\"\":\"\"prod\"\"}\"\n\
                    2.25,USD,100,2026-05-01,2026-05-03,2026-05-04,Usage,Compute,AWS,200,i-2,b,\"{\"\"Env\"\":\"\"prod\"\"}\"\n\
                    1,USD,100,2026-05-01,2026-05-04,2026-05-05,Usage,Storage,AWS,200,disk-api-1,c,\n";

const ADD: &str = r#"mutation { insert_virtual_tag_one(object: { id: "00000000-0000-4000-8000-0000000000f1", key: "stage", name: "Stage"
    rules: [{ tags: ["env", "Env"] }, { scope: { resource_name_contains: ["API"] }, value: "shared" }] }) { key } }"#;
const REMOVE: &str =
    r#"mutation { delete_virtual_tag_by_pk(id: "00000000-0000-4000-8000-0000000000f1") { key } }"#;
/// Costs by the tag.
const SUMS: &str = r#"{ spend_groupings_v2(columns: ["tag", "spend_amount"]
    column_transformations: [{ name: "tag", expr: "json_key", args: ["virtual:stage"] }]
    order_by: [{ column: "spend_amount", order: desc }]) { rows { tag spend_amount } } }"#;

async fn check(service: Service) {
    let ada: Client = service.client().await;
    ada.data(ADD).await;
    let bill = service.data_dir().join("bill.csv");
    std::fs::write(&bill, BILL).unwrap();
    service.import(&[bill]);
    assert_eq!(
        ada.data(SUMS).await,
        r#"{"spend_groupings_v2":{"rows":[{"tag":"prod","spend_amount":6.75},{"tag":"shared","spend_amount":1}]}}"#
    );
    ada.data(REMOVE).await;
    let began = Instant::now();
    let untagged = r#"{"spend_groupings_v2":{"rows":[{"tag":null,"spend_amount":7.75}]}}"#;
    while ada.data(SUMS).await != untagged {
        assert!(began.elapsed() < Duration::from_mins(1), "values stay a minute after their tag was removed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn charges_have_and_lose_the_values_of_a_virtual_tag() {
    check(Service::start()).await;
}

#[tokio::test]
async fn charges_in_postgresql_have_and_lose_the_values_of_a_virtual_tag() {
    let Some(database) = crate::support::postgres::begun() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("quarterdeck.toml"), format!("database = \"{database}\"\n")).unwrap();
    check(Service::start_on(folder)).await;
}
