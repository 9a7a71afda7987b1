//! Numbers and dates in human formats: one reading for each column, or a question.

use super::kit::{House, PARTIES, focus};
use crate::{FormAnswers, Report, State};

/// A file with this delimiter and one charge per pair of billed and effective cost.
fn costs(delimiter: char, rows: &[(&str, &str)]) -> String {
    let quoted = |cell: &str| if cell.contains(delimiter) { format!("\"{cell}\"") } else { cell.to_owned() };
    let header = focus(&format!("{PARTIES},EffectiveCost"), &[]).replace(',', &delimiter.to_string());
    rows.iter().fold(header, |text, (billed, effective)| {
        let cells = [
            quoted(billed).as_str(),
            "USD",
            "2026-05-02T00:00:00Z",
            "2026-05-03T00:00:00Z",
            "2026-05-01T00:00:00Z",
            "Usage",
            "Compute",
            "AWS",
            "100",
            "200",
            "Shop",
            quoted(effective).as_str(),
        ]
        .join(&delimiter.to_string());
        text + &cells + "\n"
    })
}

/// Imports costs and compares the sums of both columns.
fn check(delimiter: char, rows: &[(&str, &str)], expected: [&str; 2]) -> Report {
    let house = House::new();
    let report = house.import(costs(delimiter, rows));
    assert_eq!(
        (report.state, usize::try_from(report.rows_written)),
        (State::Done, Ok(rows.len())),
        "{report:?}"
    );
    assert_eq!([house.sum("billed_cost", "USD"), house.sum("effective_cost", "USD")], expected, "{report:?}");
    report
}

/// The column formats of a report: column, format, example, reading.
fn formats(report: &Report) -> Vec<String> {
    let formats = report.column_formats.iter();
    formats.map(|it| format!("{} | {} | {} | {}", it.column, it.format, it.example, it.reads_as)).collect()
}

#[test]
fn a_plain_file_has_no_forms_to_report() {
    for delimiter in [',', ';'] {
        let report = check(delimiter, &[("1.5", "1.234"), ("2", "0.1")], ["3.5", "1.334"]);
        assert_eq!(formats(&report), [""; 0]);
    }
    check(',', &[("1.234", "1.234")], ["1.234", "1.234"]);
}

#[test]
fn a_decimal_comma_is_read_for_the_whole_column() {
    let report = check(';', &[("1.234", "1"), ("1.234,56", "2"), ("-1,5", "3")], ["2467.06", "6"]);
    assert_eq!(formats(&report), ["BilledCost | decimal comma | 1.234 | 1234"]);
    check(',', &[("1,50", "1,25"), ("1 234,50", "0,25")], ["1236", "1.5"]);
}

#[test]
fn thousands_signs_and_currencies_are_read() {
    let report = check(
        ',',
        &[("$1,234.50", "1'234.5"), ("($1.25)", "1.25-"), ("1,234", "1.50 USD")],
        ["2467.25", "1234.75"],
    );
    assert_eq!(
        formats(&report),
        [
            "BilledCost | decimal point, with thousands or signs | 1,234 | 1234",
            "EffectiveCost | decimal point, with thousands or signs | 1'234.5 | 1234.5",
        ]
    );
    check(';', &[("1.50 $", "(1.50)"), ("2", "3")], ["3.5", "1.5"]);
}

#[test]
fn a_column_that_says_nothing_follows_those_that_do() {
    let report = check(';', &[("1.234", "1,5"), ("2.345", "2,5")], ["3579", "4"]);
    assert_eq!(
        formats(&report),
        ["BilledCost | decimal comma | 1.234 | 1234", "EffectiveCost | decimal comma | 1,5 | 1.5"]
    );
    check(';', &[("1.234", "1.5"), ("2.345", "2.5")], ["3.579", "4"]);
}

#[test]
fn a_number_with_two_readings_is_asked_about_and_nothing_is_written() {
    for (delimiter, cell, means) in [(';', "1.234", ["1234", "1.234"]), (',', "1,234", ["1.234", "1234"])] {
        let house = House::new();
        let text = costs(delimiter, &[(cell, "1"), (cell, "2")]);
        let report = house.import(&text);
        assert_eq!((report.state, report.rows_written, house.count("spends")), (State::NeedsDecision, 0, 0));
        assert_eq!(house.rows("imports", &["state"], &[]), ["needs_decision"]);
        let decision = report.decision.unwrap();
        assert_eq!(decision.reason, "number_format");
        assert!(decision.question.contains("BilledCost can be read"), "{}", decision.question);
        let after: Vec<(&str, &str, &str)> = decision
            .choices
            .iter()
            .map(|choice| {
                (choice.choice.as_str(), choice.totals[0].period.as_str(), choice.totals[0].after.as_str())
            })
            .collect();
        let twice = |number: &str| match number {
            "1234" => "2468",
            _ => "2.468",
        };
        assert_eq!(
            after,
            [("decimal_comma", "2026-05", twice(means[0])), ("decimal_point", "2026-05", twice(means[1]))]
        );
        for (choice, sum) in [("decimal_comma", twice(means[0])), ("decimal_point", twice(means[1]))] {
            let house = House::new();
            house.forms.set(FormAnswers::default().with(choice).unwrap());
            let report = house.import(&text);
            assert_eq!((report.state, house.sum("amount", "USD").as_str()), (State::Done, sum));
            assert_eq!(report.forms, house.forms.get());
            assert_eq!(report.column_formats[0].column, "BilledCost");
        }
    }
}

#[test]
fn a_column_with_points_and_commas_keeps_only_what_is_certain() {
    let house = House::new();
    let report =
        house.import(costs(';', &[("1.5", "1"), ("1,5", "1"), ("1.234", "1"), ("7", "1"), ("x", "1")]));
    assert_eq!((report.state, house.sum("amount", "USD").as_str()), (State::DoneWithSkips, "8.5"));
    let reasons: Vec<(u64, &str)> =
        report.skipped.iter().map(|row| (row.line, row.reason.as_str())).collect();
    let mixed = "a number in a column with decimal points and decimal commas";
    assert_eq!(reasons, [(3, mixed), (4, mixed), (6, "not a number")]);
}

#[test]
fn a_cost_in_another_currency_than_the_bill_leaves_its_row_out() {
    let house = House::new();
    let report = house.import(costs(',', &[("1.50 €", "1"), ("2.50 USD", "1")]));
    assert_eq!(report.skipped[0].reason, "a cost in another currency than its row has");
    assert_eq!(house.sum("amount", "USD"), "2.5");
}

#[test]
fn a_form_that_shows_only_late_counts_for_the_rows_before_it() {
    let many: Vec<(&str, &str)> = std::iter::repeat_n(("1.234", "1"), 5_000).chain([("2,5", "1")]).collect();
    // In a comma-separated file, a point is a decimal mark unless other cells prove otherwise.
    check(',', &many, ["6170002.5", "5001"]);
    let whole = [std::iter::repeat_n(("7", "1"), 5_000).collect::<Vec<_>>(), vec![("1.234", "1,5")]].concat();
    check(';', &whole, ["36234", "5001.5"]);
    let house = House::new();
    let open = [std::iter::repeat_n(("7", "1"), 5_000).collect::<Vec<_>>(), vec![("1.234", "1")]].concat();
    let report = house.import(costs(';', &open));
    assert_eq!((report.state, house.count("spends")), (State::NeedsDecision, 0));
}

#[test]
fn a_late_cell_that_is_no_number_at_all_costs_its_row_only() {
    let rows: Vec<(&str, &str)> = std::iter::repeat_n(("1.5", "1"), 3_000).chain([("many", "1")]).collect();
    let house = House::new();
    let report = house.import(costs(',', &rows));
    assert_eq!((report.rows_written, report.rows_skipped), (3_000, 1));
}

fn dates(start: &str, end: &str, billing: &str) -> String {
    focus("ProviderName,BillingAccountId", &[]) + &format!("1,USD,{start},{end},{billing},Usage,S,AWS,1\n")
}

fn check_dates(start: &str, end: &str, billing: &str, format: &str) {
    let house = House::new();
    let report = house.import(dates(start, end, billing));
    assert_eq!(
        house.rows("spends", &["date", "period_end", "billing_period_start"], &[]),
        ["2026-05-13T00:00:00 | 2026-05-14T00:00:00 | 2026-05-01T00:00:00"],
        "{report:?}"
    );
    let first = &report.column_formats[0];
    assert_eq!(
        (first.column.as_str(), first.format.as_str(), first.reads_as.as_str()),
        ("ChargePeriodStart", format, "2026-05-13T00:00:00Z")
    );
}

#[test]
fn dates_of_spreadsheets_are_read() {
    check_dates("13.05.2026", "14.05.2026 00:00", "1.5.2026", "day.month.year");
    check_dates("5/13/2026 12:00:00 AM", "5/14/2026", "5/1/2026", "month/day/year");
    check_dates("13-05-2026", "14-05-2026", "01-05-2026", "day/month/year");
    check_dates("2026/05/13", "2026/05/14", "2026/05/01", "year/month/day");
    check_dates("46155", "46156.0", "46143", "days since 1899-12-30, as Excel counts them");
    check_dates("13-May-26", "2026-05-14", "2026-05-01T00:00:00Z", "day-month-year, the month by its name");
}

#[test]
fn dates_in_either_order_are_asked_about() {
    let house = House::new();
    let text = dates("4/5/25", "4/6/25", "4/3/25");
    let report = house.import(&text);
    assert_eq!((report.state, house.count("spends")), (State::NeedsDecision, 0));
    let decision = report.decision.unwrap();
    assert_eq!(decision.reason, "date_format");
    let choices: Vec<(&str, &str)> = decision
        .choices
        .iter()
        .map(|choice| (choice.choice.as_str(), choice.totals[0].period.as_str()))
        .collect();
    assert_eq!(choices, [("day_first", "2025-03-04"), ("month_first", "2025-04-03")]);
    for (choice, date) in [("day_first", "2025-05-04T00:00:00"), ("month_first", "2025-04-05T00:00:00")] {
        let house = House::new();
        house.forms.set(FormAnswers::default().with(choice).unwrap());
        assert_eq!(house.import(&text).state, State::Done);
        assert_eq!(house.rows("spends", &["date"], &[]), [date]);
    }
}

#[test]
fn a_date_that_only_shows_late_is_read_as_all_of_its_column() {
    let iso = "1,USD,2026-05-02,2026-05-03,2026-05-01,Usage,S,AWS,1\n".repeat(3_000);
    let text = focus("ProviderName,BillingAccountId", &[])
        + &iso
        + "1,USD,5/13/2026,5/14/2026,2026-05-01,Usage,S,AWS,1\n";
    let house = House::new();
    let report = house.import(text);
    assert_eq!((report.state, report.rows_written), (State::Done, 3_001), "{report:?}");
    assert_eq!(house.rows("spends", &["date"], &[]).last().unwrap(), "2026-05-13T00:00:00");
}

#[test]
fn a_column_with_several_forms_of_dates_keeps_only_iso() {
    let house = House::new();
    let text = dates("13.05.2026", "2026-05-14", "2026-05-01")
        + "2,USD,46155,2026-05-14,2026-05-01,Usage,S,AWS,1\n3,USD,2026-05-13,2026-05-14,2026-05-01,Usage,S,AWS,1\n";
    let report = house.import(text);
    assert_eq!((report.rows_skipped, house.sum("amount", "USD").as_str()), (2, "3"));
    assert_eq!(report.skipped[0].reason, "a date in one of several forms that the column has");
}

#[test]
fn a_file_without_a_row_that_can_be_read_is_no_import() {
    let house = House::new();
    house.import(costs(',', &[("1", "1")]));
    let report = house.import(costs(',', &[("x", "1"), ("", "2")]));
    assert_eq!((report.state, report.rows_read, report.rows_written), (State::NothingRead, 2, 0));
    assert_eq!(house.rows("imports", &["state"], &[]), ["done", "nothing_read"]);
    assert_eq!(house.sum("amount", "USD"), "1");
}

#[test]
fn unit_prices_follow_the_form_of_their_column() {
    let house = House::new();
    let text = focus(&format!("{PARTIES},ListUnitPrice"), &[]).replace(',', ";")
        + "1,5;USD;2026-05-02;2026-05-03;2026-05-01;Usage;S;AWS;1;2;Shop;0,0125\n";
    house.import(text);
    assert_eq!(house.rows("spends", &["details"], &[]), [r#"{"ListUnitPrice":"0.0125"}"#]);
}
