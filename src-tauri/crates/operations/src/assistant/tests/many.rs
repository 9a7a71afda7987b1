//! Tests lists and sums over many rows, which the database must sort, limit and add up.

use super::{ADA, BOB, SHOP, TENANT, TestService, admin};
use catalogue::{Caller, Decimal, ValueRef, parse_timestamp};
use serde_json::json;
use store::StoreError;
use uuid::Uuid;

#[test]
fn of_many_conversations_the_ones_spoken_in_last_are_listed() {
    let service = TestService::new();
    let begun = parse_timestamp("2026-11-01T00:00:00").unwrap();
    let added = service.store.transaction(&Caller::system_for(TENANT), |rows| {
        // Inserted out of chronological order; every second conversation belongs to another user.
        for n in (0..400_i64).map(|n| n * 7 % 400) {
            let title = format!("question {n}");
            let row = [
                ("id", Uuid::from_u128(0xC000 + u128::from(n.unsigned_abs())).into()),
                ("account_id", SHOP.into()),
                ("user_id", if n % 2 == 0 { ADA } else { BOB }.into()),
                ("status", "COMPLETED".into()),
                ("title", title.as_str().into()),
                ("updated_at", ValueRef::Timestamp(begun + n * 1_000_000)),
            ];
            rows.insert("llm_conversations", &row)?;
        }
        Ok::<_, StoreError>(())
    });
    added.unwrap();
    let list = r#"{ ai_list_conversations(request: {account_id: "$SHOP", limit: 3}) { data { title } } }"#;
    assert_eq!(
        service.data(&admin(), list)["data"],
        json!([{ "title": "question 398" }, { "title": "question 396" }, { "title": "question 394" }])
    );
    let all = r#"{ ai_list_conversations(request: {account_id: "$SHOP"}) { data { title } } }"#;
    assert_eq!(service.data(&admin(), all)["data"].as_array().unwrap().len(), 50);
}

#[test]
fn the_usage_of_a_month_is_summed_over_many_lines() {
    let service = TestService::new();
    let begun = parse_timestamp("2026-11-01T00:00:00").unwrap();
    let cost = Decimal::parse("0.000000000000000001").unwrap();
    let added = service.store.transaction(&Caller::system_for(TENANT), |rows| {
        for n in 0..1200_i64 {
            // 200 lines in October, 200 in December, the rest in November.
            let at = match n {
                0..200 => begun - 1 - n,
                200..400 => begun + 30 * 86_400_000_000 + n,
                _ => begun + n,
            };
            let (person, model) = if n % 4 == 0 { (BOB, "large") } else { (ADA, "small") };
            let row = [
                ("account_id", SHOP.into()),
                ("user_id", person.into()),
                ("provider", "local".into()),
                ("model", model.into()),
                ("host", "localhost".into()),
                ("left_machine", (n % 4 == 0).into()),
                ("size_bytes", 10_i64.into()),
                ("replaced_names", 0_i64.into()),
                ("status", "ANSWERED".into()),
                ("sent_at", ValueRef::Timestamp(at)),
                ("input_tokens", 3_i64.into()),
                ("output_tokens", 2_i64.into()),
                ("cost", if n % 4 == 1 { ValueRef::Null } else { cost.into() }),
                ("payload", "words".into()),
            ];
            rows.insert("llm_ledger", &row)?;
        }
        Ok::<_, StoreError>(())
    });
    added.unwrap();
    let usage = r#"{ ai_list_usage(request: {period: "2026-11"}) { data {
        people { name requests input_tokens output_tokens bytes_left cost unpriced }
        models { id name requests bytes_left cost unpriced } } } }"#;
    let data = service.data(&admin(), usage)["data"].clone();
    let decimal = |value: &serde_json::Value| Decimal::parse(&value.to_string()).unwrap();
    let people = data["people"].as_array().unwrap();
    assert_eq!((&people[0]["name"], &people[1]["name"]), (&json!("Ada"), &json!("Bob")));
    assert_eq!((&people[0]["requests"], &people[0]["unpriced"]), (&json!(600), &json!(200)));
    assert_eq!((&people[0]["input_tokens"], &people[0]["bytes_left"]), (&json!(1800), &json!(0)));
    assert_eq!((&people[1]["requests"], &people[1]["unpriced"]), (&json!(200), &json!(0)));
    assert_eq!((&people[1]["output_tokens"], &people[1]["bytes_left"]), (&json!(400), &json!(2000)));
    assert_eq!(decimal(&people[0]["cost"]), Decimal::parse("0.0000000000000004").unwrap());
    assert_eq!(decimal(&people[1]["cost"]), Decimal::parse("0.0000000000000002").unwrap());
    let models = data["models"].as_array().unwrap();
    assert_eq!((&models[0]["name"], &models[0]["id"]), (&json!("small"), &json!("local")));
    assert_eq!((&models[1]["requests"], &models[1]["bytes_left"]), (&json!(200), &json!(2000)));
}
