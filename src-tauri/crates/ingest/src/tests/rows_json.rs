//! Bills whose rows are JSON objects.

use super::kit::{House, gzip};
use crate::{Archive, State, record_at};

/// FOCUS rows with these costs.
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
    assert!(message.contains("the file ends after row 2000, before the list closes"), "{message}");
    let inside = format!("[{}", rows(&vec!["1"; 2_000]).join(","));
    let message = House::new().import(&inside[..inside.len() - 40]).error.unwrap().message;
    assert!(
        message.contains("the file ends inside row 2000, it may be cut off; download it again"),
        "{message}"
    );
    for text in ["[\n{\"BilledCost\":1,\n\"Bil", "{\"Results\": [{\"Target\": \"a"] {
        let failure = House::new().import(text).error.unwrap();
        assert!(failure.message.contains("it may be cut off; download it again"), "{}", failure.message);
        assert_eq!(failure.found, "JSON that ends too early");
    }
}

#[test]
fn a_broken_line_is_left_out_by_its_number_and_reason() {
    let mut all = rows(&["1"; 9]);
    for (place, broken) in [(0, all[0].replace("\"BilledCost\":", "")), (4, all[4].replace("\"S4\"", "\"S4"))]
    {
        all[place] = broken;
    }
    all[6].pop();
    for end in ["\n", ""] {
        let told = House::new().import(all.join("\n") + end);
        assert_eq!(
            (told.state, told.rows_read, told.rows_written),
            (State::DoneWithSkips, 9, 6),
            "{told:#?}"
        );
        let skipped: Vec<(u64, &str)> =
            told.skipped.iter().map(|row| (row.line, row.reason.as_str())).collect();
        assert_eq!(skipped, [1, 5, 7].map(|line| (line, "not a JSON object")));
    }
}

#[test]
fn a_file_whose_lines_are_mostly_broken_is_refused_in_words() {
    let good = rows(&vec!["1"; 400]);
    let broken = vec![r#"{"BilledCost":1,"Bil"#; 500];
    let text = format!("{}\n{}\n", good.join("\n"), broken.join("\n"));
    let house = House::new();
    let message = house.import(text).error.unwrap().message;
    assert!(message.starts_with("500 of the 900 lines are no JSON that can be read"), "{message}");
    assert_eq!(house.count("spends"), 0);
}

#[test]
fn a_line_that_the_file_ends_in_is_left_out_and_said_to_be_cut() {
    let all = rows(&["1", "2", "4"]).join("\n");
    let house = House::new();
    let told = house.import(&all[..all.len() - 30]);
    assert_eq!(
        (told.state, told.rows_written, house.sum("amount", "USD").as_str()),
        (State::DoneWithSkips, 2, "3")
    );
    assert_eq!(told.skipped[0].reason, "the file ends inside this row, it may be cut off");
    assert!(
        told.notes.contains(&"The file ends inside row 3, it may be cut off; download it again.".to_owned()),
        "{:?}",
        told.notes
    );
}

#[test]
fn a_row_that_has_a_column_twice_is_left_out_by_name() {
    let mut all = rows(&["1", "2", "4"]);
    all[1] = all[1].replace(r#""ServiceName""#, r#""BilledCost":1000,"ServiceName""#);
    for text in [all.join("\n"), format!("[{}]", all.join(","))] {
        let house = House::new();
        let told = house.import(text);
        assert_eq!(
            (told.state, house.sum("amount", "USD").as_str()),
            (State::DoneWithSkips, "5"),
            "{told:#?}"
        );
        let skipped = &told.skipped[0];
        assert_eq!(
            (skipped.line, skipped.column.as_str(), skipped.reason.as_str()),
            (2, "BilledCost", "a column that the row has twice")
        );
    }
    // Also within a nested value. For tags, the last value counts, as in a table.
    let price = all[0].replace(r#""ServiceName""#, r#""price":{"unit":1,"unit":2},"ServiceName""#);
    let tags = all[0].replace(r#""env":"prod""#, r#""env":"prod","env":"test""#).replace("S0", "S9");
    let house = House::new();
    let told = house.import([&price, &all[0], &tags].map(String::as_str).join("\n"));
    assert_eq!((told.rows_written, told.skipped[0].column.as_str()), (2, "unit"), "{told:#?}");
    assert_eq!(house.rows("spends", &["tags"], &[]), [r#"{"env":"prod"}"#, r#"{"env":"test"}"#]);
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
