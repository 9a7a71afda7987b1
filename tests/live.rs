//! Black-box tests of subscriptions: a result at once, and another one after each change by anybody.

use crate::support::client::Client;
use crate::support::fixture;
use crate::support::live::Live;
use crate::support::service::Service;
use serde_json::json;

#[tokio::test]
async fn a_total_is_told_again_when_a_row_is_written_and_when_a_bill_is_imported() {
    let service = Service::start();
    let ada = service.client().await;
    let mut live = introduced(&service, &ada).await;
    let query = "subscription { spends_aggregate { aggregate { count sum { amount } } } }";
    live.say(&json!({ "id": "total", "type": "subscribe", "payload": { "query": query } })).await;
    assert_eq!(live.hear().await, Ok(total(0, "null")));

    // By another process.
    service.import(&[fixture("september.csv")]);
    assert_eq!(live.hear().await, Ok(total(12, "32.88045820136")));

    ada.data("mutation { update_spends(where: { source_line: { _eq: 12 } }, _inc: { amount: 0.000000000000000001 }) { affected_rows } }").await;
    assert_eq!(live.hear().await, Ok(total(12, "32.880458201360000001")));
    ada.data("mutation { delete_spends(where: { source_line: { _neq: 12 } }) { affected_rows } }").await;
    assert_eq!(live.hear().await, Ok(total(1, "-2.249999999999999999")));
}

#[tokio::test]
async fn who_has_no_token_is_told_nothing() {
    let service = Service::start();
    let mut live = Live::open(&service.address, "e30.e30.e30").await;
    assert_eq!(live.hear().await, Err(4403));
}

/// A socket authenticated with the token of `client`.
async fn introduced(service: &Service, client: &Client) -> Live {
    let mut live = Live::open(&service.address, client.token().unwrap()).await;
    assert_eq!(live.hear().await, Ok(r#"{"type":"connection_ack"}"#.to_owned()));
    live
}

fn total(count: u32, amount: &str) -> String {
    format!(
        r#"{{"id":"total","type":"next","payload":{{"data":{{"spends_aggregate":{{"aggregate":{{"count":{count},"sum":{{"amount":{amount}}}}}}}}}}}}}"#
    )
}
