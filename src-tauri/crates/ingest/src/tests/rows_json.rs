//! Bills whose rows are JSON objects.

use super::kit::{House, gzip};
use crate::{Archive, State, record_at};

/// Rows of FOCUS with that cost each.
fn rows(costs: &[&str]) -> Vec<String> {
    let row = |(place, cost): (usize, &&str)| {
        format!(
            r#"{{"BilledCost":{cost},"BillingCurrency":"USD","BillingAccountId":"1","BillingPeriodStart":"2026-05-01T00:00:00Z","ChargePeriodStart":"2026-05-02T00:00:00Z","ChargePeriodEnd":"2026-05-03T00:00:00Z","ChargeCategory":"Usage","ServiceName":"S{place}","ProviderName":"AWS","Tags":{{"env":"prod"}}}}"#
        )
    };
    costs.iter().enumerate().map(row).collect()
}

#[test]
fn lines_and_lists_of_objects_are_read_with_every_digit() {
    let costs = ["1.123456789012345678", "\"2.5\"", "1e-7"];
    for text in [
        rows(&costs).join("\n"),
        format!("[\n{}\n]", rows(&costs).join(",\n")),
        format!("[{}]", rows(&costs).join(",")),
    ] {
        for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
            let mut house = House::new();
            house.archive = Some(Archive::new(house.folder.path().join("kept"), 1 << 30));
            let told = house.import(&bytes);
            assert_eq!((told.state, told.rows_written), (State::Done, 3), "{told:#?}");
            assert_eq!(told.format.as_ref().map(|format| format.id.as_str()), Some("focus"));
            assert_eq!(house.sum("billed_cost", "USD"), "3.623456889012345678");
            assert_eq!(
                house.rows("spends", &["source_line", "service_name", "tags"], &[])[1],
                r#"2 | S1 | {"env":"prod"}"#
            );
            let kept = house.archive.as_ref().unwrap().find(&told.sha256).unwrap().unwrap();
            let receipt = record_at(&kept, 2).unwrap().unwrap();
            assert!(receipt.columns.contains(&("ServiceName".to_owned(), "S1".to_owned())), "{receipt:?}");
            assert_eq!(house.import(&bytes).state, State::Unchanged);
        }
    }
}

#[test]
fn a_column_that_only_late_rows_have_is_read() {
    let mut all = rows(&vec!["1"; 3_000]);
    all[2_999] = all[2_999].replace(r#""ProviderName""#, r#""EffectiveCost":0.25,"ProviderName""#);
    let house = House::new();
    let told = house.import(all.join("\n"));
    assert_eq!((told.state, told.rows_written), (State::Done, 3_000), "{told:#?}");
    assert_eq!(house.sum("effective_cost", "USD"), "0.25");
}

#[test]
fn a_bad_row_is_left_out_and_a_cut_file_refused() {
    let deep = format!("{}1{}", r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
    let all = [rows(&["1"]), vec!["7".to_owned(), deep, "{\"a\": }".to_owned()], rows(&["2"])].concat();
    let house = House::new();
    let told = house.import(all.join("\n"));
    assert_eq!((told.rows_read, told.rows_written, told.rows_skipped), (5, 2, 3), "{told:#?}");
    assert_eq!(told.reasons[0].reason, "not a JSON object");
    let cut = &all.join("\n")[..100];
    let told = House::new().import(cut);
    assert_eq!((told.state, told.format), (State::Failed, None));
    let long = format!("[{}", rows(&vec!["1"; 2_000]).join(","));
    let message = House::new().import(long).error.unwrap().message;
    assert!(message.contains("ends too early"), "{message}");
}

#[test]
fn rows_of_bigquery_are_nested() {
    let row = r#"{"billing_account_id":"0A-1","service":{"id":"s","description":"Compute Engine"},"sku":{"id":"k","description":"N2"},"usage_start_time":"2026-05-01 03:00:00 UTC","usage_end_time":"2026-05-01 04:00:00 UTC","project":{"id":"shop","name":"Shop","labels":[{"key":"team","value":"core"}]},"labels":[],"location":{"region":"us-central1"},"cost":1.5,"currency":"USD","credits":[{"name":"CUD","amount":-0.5,"type":"COMMITTED_USAGE_DISCOUNT"}],"invoice":{"month":"202605"},"cost_type":"regular"}"#;
    let house = House::new();
    let told = house.import(format!("{row}\n"));
    assert_eq!(
        (told.state, told.format.as_ref().map(|format| format.id.as_str())),
        (State::Done, Some("gcp-billing")),
        "{told:#?}"
    );
    assert_eq!(
        house.rows("spends", &["billed_cost", "service_name", "region", "tags", "billing_period_start"], &[]),
        [r#"1 | Compute Engine | us-central1 | {"team":"core"} | 2026-05-01T00:00:00"#]
    );
}
