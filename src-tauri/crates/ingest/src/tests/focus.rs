//! Imports of FOCUS files, cell by cell.

use super::kit::{House, PARTIES, focus, gzip};
use crate::{Report, State};

const ONE: (&str, &str) = ("1.50 USD 2026-05-02", "AWS,100,200,Shop");

/// Imports one row with an additional column, and checks the value in the table column `stored`.
fn check_cell(column: &str, cell: &str, stored: &str, expected: &str) -> Report {
    let house = House::new();
    let row = format!("{},{cell}", ONE.1);
    let report = house.import(focus(&format!("{PARTIES},{column}"), &[(ONE.0, &row)]));
    assert_eq!(house.rows("spends", &[stored], &[]), [expected], "{column} {cell}: {report:?}");
    report
}

fn has_note(report: &Report, words: &str) -> bool {
    report.notes.iter().any(|note| note.contains(words))
}

#[test]
fn a_charge_fills_its_columns() {
    let house = House::new();
    let report = house.import(focus(PARTIES, &[ONE]));
    assert_eq!((report.state, report.rows_read, report.rows_written), (State::Done, 1, 1));
    let columns =
        ["amount", "billed_cost", "unit", "date", "period_end", "billing_period_start", "source_line"];
    assert_eq!(
        house.rows("spends", &columns, &[]),
        ["1.5 | 1.5 | USD | 2026-05-02T00:00:00 | 2026-05-02T23:00:00 | 2026-05-01T00:00:00 | 2"]
    );
    let period = report.period.unwrap();
    assert_eq!(
        (period.start.as_str(), period.end.as_str()),
        ("2026-05-02T00:00:00Z", "2026-05-02T23:00:00Z")
    );
}

#[test]
fn nulls_in_words_and_empty_cells_are_the_same_nothing() {
    for cell in ["NULL", "null", "", "\"\"", "\"\"\"\"\"\""] {
        check_cell("EffectiveCost", cell, "effective_cost", "-");
        check_cell("RegionId", cell, "region", "-");
        check_cell("Tags", cell, "tags", "-");
    }
}

#[test]
fn tags_without_a_tag_are_nothing() {
    check_cell("Tags", "{}", "tags", "-");
}

#[test]
fn a_header_without_rows_is_imported_as_nothing() {
    let house = House::new();
    let report = house.import(focus(PARTIES, &[]));
    assert_eq!((report.state, report.rows_read, report.period.is_none()), (State::Done, 0, true));
    assert!(has_note(&report, "The file has a header and no rows."));
}

#[test]
fn amounts_keep_every_digit_and_exponents_are_read() {
    check_cell("ListCost", "6.123E-7", "list_cost", "0.0000006123");
    check_cell("ListCost", "-1.123456789012345678", "list_cost", "-1.123456789012345678");
    check_cell("PricingQuantity", "1.5e3", "pricing_quantity", "1500");
}

#[test]
fn a_cost_that_is_empty_is_unknown_and_remarked_on() {
    let report = check_cell("ContractedCost", "NULL", "contracted_cost", "-");
    assert!(has_note(&report, "ContractedCost is empty, counted as 0, in 1 row (first in line 2)"));
    assert_eq!(report.totals[0].contracted_cost, None);
}

#[test]
fn a_cost_that_is_no_number_leaves_the_row_out() {
    let house = House::new();
    let rows = [("1 USD 2026-05-02", "AWS,100,200,Shop,1.00"), ("2 USD 2026-05-02", "AWS,100,200,Shop,abc")];
    let report = house.import(focus(&format!("{PARTIES},EffectiveCost"), &rows));
    assert_eq!((report.state, report.rows_written, report.rows_skipped), (State::DoneWithSkips, 1, 1));
    let skipped = &report.skipped[0];
    assert_eq!(
        (skipped.line, skipped.column.as_str(), skipped.value.as_str(), skipped.reason.as_str()),
        (3, "EffectiveCost", "abc", "not a number")
    );
    assert_eq!(house.sum("amount", "USD"), "1");
}

#[test]
fn a_quantity_that_is_no_number_is_left_out_but_the_money_stays() {
    let report = check_cell("PricingQuantity", "many", "pricing_quantity", "-");
    assert!(has_note(
        &report,
        "PricingQuantity is not a number and was left out in 1 row (first in line 2: many)"
    ));
    assert_eq!(report.rows_written, 1);
}

#[test]
fn rows_whose_money_is_not_certain_are_left_out_with_line_and_reason() {
    for (row, column, reason) in [
        (",USD,2026-05-02,2026-05-03,2026-05-01,Usage,S,AWS,1", "BilledCost", "empty"),
        ("1,,2026-05-02,2026-05-03,2026-05-01,Usage,S,AWS,1", "BillingCurrency", "empty"),
        (
            "1,Dollar,2026-05-02,2026-05-03,2026-05-01,Usage,S,AWS,1",
            "BillingCurrency",
            "not a currency code of three letters",
        ),
        ("1,USD,null,2026-05-03,2026-05-01,Usage,S,AWS,1", "ChargePeriodStart", "empty"),
        ("1,USD,2026-05-02,soon,2026-05-01,Usage,S,AWS,1", "ChargePeriodEnd", "not a time"),
        (
            "1,USD,2026-05-02,2026-05-01,2026-05-01,Usage,S,AWS,1",
            "ChargePeriodEnd",
            "before the charge begins",
        ),
        (
            "1,USD,2062-05-02,2026-05-03,2026-05-01,Usage,S,AWS,1",
            "ChargePeriodEnd",
            "before the charge begins",
        ),
        (
            "1,USD,9999-05-02,9999-05-03,2026-05-01,Usage,S,AWS,1",
            "ChargePeriodStart",
            "not of the years 1990 to 2099",
        ),
        (
            "1,USD,1026-05-02,2026-05-03,2026-05-01,Usage,S,AWS,1",
            "ChargePeriodStart",
            "not of the years 1990 to 2099",
        ),
        ("1,USD,2026-05-02,2026-05-03,,Usage,S,AWS,1", "BillingPeriodStart", "empty"),
        ("1,USD,2026-05-02,2026-05-03,2026-05-01,Usage,S,,1", "ProviderName", "empty"),
        ("1,USD,2026-05-02,2026-05-03,2026-05-01,Usage,S,AWS,", "BillingAccountId", "empty"),
        ("1,USD,2026-05-02", "", "fewer cells than the header"),
        ("1,USD,2026-05-02,2026-05-03,2026-05-01,Usage,S,AWS,1,2", "", "more cells than the header"),
    ] {
        let house = House::new();
        let report = house.import(focus("ProviderName,BillingAccountId", &[]) + row + "\n");
        let skipped = &report.skipped[0];
        assert_eq!(
            (skipped.line, skipped.column.as_str(), skipped.reason.as_str()),
            (2, column, reason),
            "{row}"
        );
        assert_eq!((house.count("spends"), report.reasons[0].count), (0, 1), "{row}");
    }
}

#[test]
fn the_line_of_a_row_counts_line_breaks_in_quotes() {
    let house = House::new();
    let rows = [
        ("1 USD 2026-05-02", "AWS,100,200,\"Two\r\nlines, quoted\""),
        ("x USD 2026-05-02", "AWS,100,200,Shop"),
    ];
    let report = house.import(focus(PARTIES, &rows).replace(",Shop\n", ",Shop\r\n"));
    assert_eq!(report.skipped[0].line, 4);
    assert_eq!(house.rows("cloud_accounts", &["account_name"], &[]), ["Two\r\nlines, quoted"]);
}

#[test]
fn times_without_zone_are_utc_and_the_report_says_so() {
    let zoned = focus(PARTIES, &[ONE]);
    let zoneless = zoned.replace("T00:00:00Z", " 00:00:00").replace("T23:00:00Z", " 23:00:00");
    let other = zoned.replace("2026-05-02T00:00:00Z", "2026-05-01T20:00-04:00");
    for (text, is_noted) in [(&zoned, false), (&zoneless, true), (&other, false)] {
        let house = House::new();
        let report = house.import(text);
        assert_eq!(house.rows("spends", &["date"], &[]), ["2026-05-02T00:00:00"]);
        assert_eq!(has_note(&report, "Times without a zone were read as UTC"), is_noted);
    }
}

#[test]
fn a_spreadsheets_dates_are_read_when_only_one_order_fits() {
    let month_first =
        "1,USD,4/13/25,4/14/25,4/1/25,Usage,S,AWS,1\n2,USD,4/2/25,4/3/25,4/1/25,Usage,S,AWS,1\n";
    let house = House::new();
    let report = house.import(focus("ProviderName,BillingAccountId", &[]) + month_first);
    assert_eq!(house.rows("spends", &["date"], &[]), ["2025-04-02T00:00:00", "2025-04-13T00:00:00"]);
    assert!(has_note(&report, "month/day/year"));
}

#[test]
fn a_spreadsheets_dates_that_fit_no_single_order_leave_the_rows_out() {
    let house = House::new();
    let report = house.import(
        focus("ProviderName,BillingAccountId", &[])
            + "1,USD,4/13/25,4/14/25,4/1/25,Usage,S,AWS,1\n2,USD,14/4/25,15/4/25,1/4/25,Usage,S,AWS,1\n",
    );
    assert_eq!(report.state, State::NothingRead);
    assert_eq!(report.skipped[0].reason, "an ambiguous date: day and month order unclear");
    assert_eq!(house.count("spends"), 0);
}

#[test]
fn tags_stay_as_they_are_and_their_keys_are_offered() {
    let house = House::new();
    let row = format!(r#"{},"{{""org"": ""trey"", "" org"": ""x""}}""#, ONE.1);
    house.import(focus(&format!("{PARTIES},Tags"), &[(ONE.0, &row)]));
    assert_eq!(house.rows("spends", &["tags"], &[]), [r#"{"org": "trey", " org": "x"}"#]);
    assert_eq!(house.rows("spend_tag_keys", &["key"], &[]), [" org", "org"]);
}

#[test]
fn tags_a_spreadsheet_flattened_do_not_cost_the_row() {
    let report = check_cell("Tags", "env=prod", "tags", "-");
    assert!(has_note(
        &report,
        "Tags is no JSON object and was left out in 1 row (first in line 2: env=prod)"
    ));
}

#[test]
fn currencies_are_never_added() {
    let house = House::new();
    let rows =
        [("1.10 USD 2026-05-02", ONE.1), ("2.20 EUR 2026-05-02", ONE.1), ("0.05 usd 2026-05-03", ONE.1)];
    let report = house.import(focus(PARTIES, &rows));
    let totals: Vec<_> =
        report.totals.iter().map(|total| (total.currency.as_str(), total.billed_cost.as_deref())).collect();
    assert_eq!(totals, [("EUR", Some("2.2")), ("USD", Some("1.15"))]);
    assert!(has_note(&report, "2 currencies (EUR, USD)"));
}

#[test]
fn accounts_are_the_sub_accounts_and_fall_back_to_the_payer() {
    let house = House::new();
    let columns = format!("{PARTIES},BillingAccountName");
    let rows = [
        ("1 USD 2026-05-02", "AWS,100,200,Shop,Payer"),
        ("1 USD 2026-05-02", "AWS,100,NULL,,Payer"),
        ("1 USD 2026-05-02", "Databricks,7,,,"),
    ];
    let report = house.import(focus(&columns, &rows));
    assert_eq!(
        house.rows(
            "cloud_accounts",
            &["account_number", "account_name", "cloud_provider", "account_type"],
            &[]
        ),
        ["100 | Payer | AWS | cloud", "200 | Shop | AWS | cloud", "7 | 7 | Other | cloud"]
    );
    assert_eq!(report.accounts.len(), 3);
}

#[test]
fn accounts_of_one_name_are_told_apart_by_number() {
    let house = House::new();
    let rows = [("1 USD 2026-05-02", "AWS,1,10,Shop"), ("1 USD 2026-05-02", "Microsoft,1,11,Shop")];
    house.import(focus(PARTIES, &rows));
    assert_eq!(house.rows("cloud_accounts", &["account_name"], &[]), ["Shop", "Shop (11)"]);
}

#[test]
fn what_a_person_changed_about_an_account_stays() {
    let house = House::new();
    house.import(focus(PARTIES, &[ONE]));
    let renamed: Result<u64, store::StoreError> = house.store.transaction(&house.caller, |rows| {
        rows.update("cloud_accounts", &[], &[("account_name", "Our shop".into())])
    });
    renamed.unwrap();
    let report = house.import(focus(PARTIES, &[("2 USD 2026-06-02", ONE.1)]));
    assert_eq!(house.rows("cloud_accounts", &["account_name"], &[]), ["Our shop"]);
    assert_eq!(report.accounts[0].name, "Our shop");
}

#[test]
fn an_account_of_a_provider_is_one_in_every_version_of_the_standard() {
    let house = House::new();
    house.import(focus("ProviderName,BillingAccountId", &[("1 USD 2026-05-02", "AWS,100")]));
    let later = "ServiceProviderName,HostProviderName,InvoiceIssuerName,BillingAccountId";
    let rows = [
        ("2 USD 2026-06-02", "Datadog,AWS,\"Amazon Web Services, Inc.\",100"),
        ("3 USD 2026-06-02", "Datadog,AWS,\"Datadog, Inc.\",900"),
    ];
    let report = house.import(focus(later, &rows));
    assert_eq!(report.format.map(|format| format.title).as_deref(), Some("FOCUS 1.4"));
    assert_eq!(
        house.rows("cloud_accounts", &["account_number", "cloud_provider"], &[]),
        ["100 | AWS", "900 | Other"]
    );
    assert_eq!(
        house.rows("spends", &["amount", "provider_name", "publisher_name"], &[]),
        ["1 | AWS | -", "2 | AWS | Datadog", "3 | Datadog | Datadog"]
    );
}

#[test]
fn a_resource_remembers_when_it_was_seen() {
    let house = House::new();
    let columns = format!("{PARTIES},ResourceId,ResourceName,ResourceType,RegionId,Tags");
    let arn = "arn:aws:s3:::shop";
    let row = |name: &str| format!("{},{arn},{name},Bucket,,\"{{\"\"a\"\":\"\"b\"\"}}\"", ONE.1);
    let (old, new) = (row("old"), row("new"));
    house.import(focus(&columns, &[("1 USD 2026-05-07", &old), ("1 USD 2026-05-03", &old)]));
    house.import(focus(&columns, &[("1 USD 2026-06-02", &new)]));
    let described =
        ["name", "type", "region", "service_name", "arn", "status", "tags", "first_seen", "last_seen"];
    assert_eq!(
        house.rows("cloud_resourses", &described, &[]),
        [format!(
            "new | Bucket | global | Compute | {arn} | Active | {{\"a\":\"b\"}} | 2026-05-03T00:00:00 | 2026-06-02T00:00:00"
        )]
    );
}

#[test]
fn packed_marked_and_differently_separated_files_are_the_same_file() {
    let plain = focus(PARTIES, &[ONE, ("-0.25 USD 2026-05-03", ONE.1)]);
    let marked = format!("\u{feff}{plain}");
    let parts = [gzip(&plain.as_bytes()[..100]), gzip(&plain.as_bytes()[100..])].concat();
    for bytes in [
        plain.clone().into_bytes(),
        marked.clone().into_bytes(),
        gzip(marked.as_bytes()),
        parts,
        plain.replace(',', ";").into_bytes(),
        plain.replace('\n', "\r\n").into_bytes(),
        plain.trim_end().as_bytes().to_vec(),
    ] {
        let house = House::new();
        let report = house.import(&bytes);
        assert_eq!((report.rows_written, house.sum("amount", "USD").as_str()), (2, "1.25"), "{report:?}");
    }
}

#[test]
fn columns_without_a_place_of_their_own_are_kept_in_the_details() {
    let house = House::new();
    let columns = format!(
        "{PARTIES},Id,x_Discounts,SkuMeter,RegionId,RegionName,ListUnitPrice,HostProviderName,BillingPeriodEnd"
    );
    let row = r#"AWS,100,200,Shop,7,"{""a"":1}",Requests,eu-1,Europe 1,0.10,AWS,2026-06-01T00:00:00Z"#;
    let report = house.import(focus(&columns, &[(ONE.0, row), (ONE.0, "AWS,100,200,Shop,,,,,,,,soon")]));
    assert!(has_note(
        &report,
        "kept in the details of each charge: Id, x_Discounts, ListUnitPrice, HostProviderName."
    ));
    assert!(has_note(
        &report,
        "BillingPeriodEnd is not a time and was left out in 1 row (first in line 3: soon)"
    ));
    assert_eq!(report.dropped_columns, [""; 0]);
    assert_eq!(
        house.rows("spends", &["sku_meter", "region", "region_name", "billing_period_end", "details"], &[]),
        [
            "- | - | - | - | -",
            r#"Requests | eu-1 | Europe 1 | 2026-06-01T00:00:00 | {"Id":"7","x_Discounts":{"a":1},"ListUnitPrice":"0.10","HostProviderName":"AWS"}"#,
        ]
    );
}

#[test]
fn bytes_that_are_no_text_leave_the_row_out() {
    let house = House::new();
    let mut bytes = focus(PARTIES, &[("1 USD 2026-05-02", "AWS,100,200,Caf#")]).into_bytes();
    bytes.iter_mut().filter(|byte| **byte == b'#').for_each(|byte| *byte = 0xe9);
    let report = house.import(&bytes);
    assert_eq!(
        (report.skipped[0].column.as_str(), report.skipped[0].reason.as_str()),
        ("SubAccountName", "not UTF-8 text")
    );
}
