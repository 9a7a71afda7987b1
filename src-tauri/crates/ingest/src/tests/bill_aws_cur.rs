//! AWS Cost and Usage Reports: billed and amortised cost of each type of line item.

use super::kit::House;
use crate::State;

/// The columns every row of [`report`] has.
const COLUMNS: &str = "identity_line_item_id,bill_payer_account_id,bill_billing_period_start_date,bill_billing_period_end_date,\
                       line_item_usage_account_id,line_item_line_item_type,line_item_usage_start_date,line_item_usage_end_date,\
                       line_item_product_code,line_item_usage_type,line_item_resource_id,line_item_usage_amount,\
                       line_item_currency_code,line_item_unblended_cost,pricing_public_on_demand_cost";

/// A report with additional columns; each row has its type, its cost and the cells of those columns.
pub fn report(columns: &str, rows: &[(&str, &str, &str)]) -> String {
    let comma = if columns.is_empty() { "" } else { "," };
    let mut text = format!("{COLUMNS}{comma}{columns}\n");
    for (place, (kind, cost, more)) in rows.iter().enumerate() {
        text += &format!(
            "id-{place},111,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,222,{kind},2026-05-0{day}T00:00:00Z,\
             2026-05-0{day}T01:00:00Z,AmazonEC2,BoxUsage:m5.large,i-{place},1,USD,{cost},{cost}{comma}{more}\n",
            day = place % 9 + 1
        );
    }
    text
}

#[test]
fn each_type_of_line_item_has_its_category_and_its_effective_cost() {
    let columns = "savings_plan_savings_plan_a_r_n,savings_plan_savings_plan_effective_cost,\
                   savings_plan_total_commitment_to_date,savings_plan_used_commitment,reservation_reservation_a_r_n,\
                   reservation_effective_cost,reservation_unused_amortized_upfront_fee_for_billing_period,\
                   reservation_unused_recurring_fee";
    let house = House::new();
    let rows = [
        ("Usage", "10", ",,,,,,,"),
        ("SavingsPlanCoveredUsage", "8", "arn:sp,5,,,,,,"),
        ("SavingsPlanNegation", "-8", "arn:sp,,,,,,,"),
        ("SavingsPlanRecurringFee", "6", "arn:sp,,6,5.25,,,,"),
        ("SavingsPlanUpfrontFee", "100", "arn:sp,,,,,,,"),
        ("DiscountedUsage", "0", ",,,,arn:ri,3,,"),
        ("RIFee", "4", ",,,,arn:ri,,1.5,0.5"),
        ("Fee", "50", ",,,,arn:ri,,,"),
        ("Fee", "7", ",,,,,,,"),
        ("Tax", "2", ",,,,,,,"),
        ("Credit", "-1", ",,,,,,,"),
        ("Refund", "-3", ",,,,,,,"),
        ("EdpDiscount", "-2.5", ",,,,,,,"),
    ];
    let told = house.import(report(columns, &rows));
    assert_eq!((told.state, told.rows_written), (State::Done, 13), "{told:#?}");
    assert_eq!(told.format.as_ref().map(|format| format.id.as_str()), Some("aws-cur"));
    let stored =
        house.rows("spends", &["source_line", "charge_category", "billed_cost", "effective_cost"], &[]);
    let mut expected = vec![
        "2 | Usage | 10 | 10",
        "3 | Usage | 8 | 5",
        "4 | Adjustment | -8 | 0",
        "5 | Purchase | 6 | 0.75",
        "6 | Purchase | 100 | 0",
        "7 | Usage | 0 | 3",
        "8 | Purchase | 4 | 2",
        "9 | Purchase | 50 | 0",
        "10 | Purchase | 7 | 7",
        "11 | Tax | 2 | 2",
        "12 | Credit | -1 | -1",
        "13 | Credit | -3 | -3",
        "14 | Adjustment | -2.5 | -2.5",
    ];
    expected.sort_unstable();
    assert_eq!(stored, expected);
    assert_eq!(told.totals[0].billed_cost.as_deref(), Some("172.5"));
    assert_eq!(told.totals[0].effective_cost.as_deref(), Some("23.25"));
    // Usage at contracted prices, and the fees for unused commitments.
    let prices = house.rows("spends", &["source_line", "contracted_cost", "commitment_discount_status"], &[]);
    let mut expected = vec![
        "2 | 10 | -",
        "3 | 8 | Used",
        "4 | 0 | -",
        "5 | 0 | Unused",
        "6 | 0 | -",
        "7 | 0 | Used",
        "8 | 0 | Unused",
        "9 | 0 | -",
        "10 | 7 | -",
        "11 | 2 | -",
        "12 | -1 | -",
        "13 | -3 | -",
        "14 | -2.5 | -",
    ];
    expected.sort_unstable();
    assert_eq!(prices, expected);
    // The usage quantity of a negation is already in the covered row.
    let quantities = house.rows("spends", &["consumed_quantity"], &[]);
    assert_eq!(quantities.iter().filter(|quantity| *quantity == "-").count(), 1);
}

#[test]
fn legacy_names_tags_and_cost_categories_are_read() {
    let house = House::new();
    let text = "identity/LineItemId,identity/TimeInterval,bill/PayerAccountId,bill/BillingPeriodStartDate,lineItem/UsageAccountId,\
                lineItem/LineItemType,lineItem/ProductCode,lineItem/ResourceId,lineItem/CurrencyCode,lineItem/UnblendedCost,\
                lineItem/NetUnblendedCost,product/ProductName,product/region,resourceTags/user:Team,resourceTags/aws:createdBy,\
                costCategory/Unit\n\
                a,2026-05-01T00:00:00Z/2026-05-01T01:00:00Z,111,2026-05-01T00:00:00Z,222,Usage,AmazonEC2,i-1,NOK,2,1.5,\
                Amazon Elastic Compute Cloud,eu-north-1,core,IAMUser:x,Shop\n";
    let told = house.import(text);
    assert_eq!((told.state, told.rows_written), (State::Done, 1), "{told:#?}");
    assert_eq!(
        told.format.as_ref().map(|format| format.title.as_str()),
        Some("AWS Cost and Usage Report (legacy)")
    );
    assert_eq!(
        house.rows(
            "spends",
            &["billed_cost", "unit", "service_name", "region", "date", "period_end", "tags"],
            &[]
        ),
        [concat!(
            "1.5 | NOK | Amazon Elastic Compute Cloud | eu-north-1 | 2026-05-01T00:00:00 | 2026-05-01T01:00:00 | ",
            r#"{"Team":"core","aws:createdBy":"IAMUser:x","costCategory/Unit":"Shop"}"#
        )]
    );
    assert_eq!(house.rows("cloud_accounts", &["account_number", "cloud_provider"], &[]), ["222 | AWS"]);
}

#[test]
fn maps_of_cur_2_are_tags() {
    let house = House::new();
    let columns = "resource_tags,cost_category,product";
    let cells = r#""{""user_env"":""prod"",""aws_created_by"":""x"",""user_none"":""""}","{""unit"":""Shop""}","{""product_name"":""Amazon EC2""}""#;
    let told = house.import(report(columns, &[("Usage", "1", cells)]));
    assert_eq!(
        told.format.as_ref().map(|format| format.title.as_str()),
        Some("AWS Cost and Usage Report 2.0")
    );
    let tags = r#"{"aws:created_by":"x","costCategory/unit":"Shop","env":"prod"}"#;
    assert_eq!(house.rows("spends", &["service_name", "tags"], &[]), [format!("Amazon EC2 | {tags}")]);
    assert_eq!(house.rows("spend_tag_keys", &["key"], &[]), ["aws:created_by", "costCategory/unit", "env"]);
}

#[test]
fn shares_of_split_costs_are_kept_and_never_added() {
    let house = House::new();
    let columns = "split_line_item_parent_resource_id,split_line_item_split_cost,split_line_item_unused_cost";
    let rows = [("Usage", "10", ",,"), ("Usage", "0", "i-0,6,1"), ("Usage", "0", "i-0,3,")];
    let told = house.import(report(columns, &rows));
    assert_eq!((told.state, told.rows_written), (State::Done, 3), "{told:#?}");
    assert_eq!(told.totals[0].billed_cost.as_deref(), Some("10"));
    assert_eq!(told.sums.stored[0].billed_cost, "10");
    assert_eq!(
        house.rows("spends", &["billed_cost", "exclude_aggregate"], &[]),
        ["10 | false", "3 | true", "7 | true"]
    );
    assert!(told.notes.iter().any(|note| note.starts_with("2 rows allocate costs")), "{:?}", told.notes);
}

#[test]
fn a_report_with_half_of_its_columns_is_refused_by_what_lacks() {
    let house = House::new();
    let told = house.import(
        "identity_line_item_id,bill_payer_account_id,line_item_usage_start_date,line_item_unblended_cost\na,1,2026-05-01,3\n",
    );
    let error = told.error.unwrap();
    assert!(
        error
            .message
            .contains("looks like an AWS Cost and Usage Report, but it lacks line_item_currency_code"),
        "{error:?}"
    );
    assert_eq!(house.count("imports"), 1);
    assert_eq!(house.count("spends"), 0);
}

#[test]
fn a_row_without_a_cost_is_left_out_under_the_name_of_its_column() {
    let house = House::new();
    let told = house.import(report("", &[("Usage", "1", ""), ("Usage", "", "")]));
    assert_eq!((told.rows_read, told.rows_written, told.rows_skipped), (2, 1, 1));
    assert_eq!(
        (told.reasons[0].column.as_str(), told.reasons[0].reason.as_str()),
        ("line_item_unblended_cost", "empty")
    );
}

#[test]
fn the_same_report_changes_nothing_and_a_later_one_takes_its_place() {
    let house = House::new();
    let first = report("", &[("Usage", "1", ""), ("Usage", "2", ""), ("Usage", "3", "")]);
    house.import(&first);
    assert_eq!(house.import(&first).state, State::Unchanged);
    let later = report("", &[("Usage", "1", ""), ("Usage", "2.5", ""), ("Usage", "3", "")]);
    let told = house.import(&later);
    assert_eq!(told.replaced.as_ref().map(|replaced| replaced.rows), Some(3), "{told:#?}");
    assert_eq!(house.sum("billed_cost", "USD"), "6.5");
    let id = told.accounts[0].number.clone();
    assert_eq!(id, "222");
}

#[test]
fn a_row_that_ends_before_the_header_does_is_read_when_it_has_what_it_needs() {
    let house = House::new();
    let text = report("product_product_family", &[("Usage", "1", "Compute")]).replace(",Compute\n", "\n");
    let told = house.import(&text);
    assert_eq!((told.state, told.rows_written), (State::Done, 1), "{told:#?}");
    assert!(told.notes.iter().any(|note| note.starts_with("1 rows have fewer cells")), "{:?}", told.notes);
    let told = House::new().import(text.replace(",1,USD,1,1\n", "\n"));
    assert_eq!((told.rows_written, told.reasons[0].reason.as_str()), (0, "fewer cells than the header"));
}

#[test]
fn a_cost_that_is_there_twice_is_refused() {
    let text = report("line_item_unblended_cost", &[("Usage", "1", "1000")]);
    let told = House::new().import(&text);
    let message = told.error.expect("a refusal").message;
    assert!(message.contains("has line_item_unblended_cost twice"), "{message}");
}
