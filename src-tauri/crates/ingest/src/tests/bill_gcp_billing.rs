//! Google Cloud billing: credits inside rows, labels and invoice months; and the console's table.

use super::kit::House;
use crate::{FormAnswers, State};

const HEADER: &str = "billing_account_id,service.description,sku.id,sku.description,usage_start_time,usage_end_time,project.id,\
                      project.name,project.labels,labels,location.region,cost,cost_at_list,currency,credits,invoice.month,cost_type,\
                      resource.global_name";

/// An export; each row has its project, cost, credits, month and type.
fn export(rows: &[(&str, &str, &str, &str, &str)]) -> String {
    let mut text = format!("{HEADER}\n");
    for (place, (project, cost, credits, month, kind)) in rows.iter().enumerate() {
        text += &format!(
            "0A-1,Compute Engine,sku-{place},N2 core,2026-05-31 22:00:00+00:00,2026-05-31 23:00:00+00:00,{project},Shop,\
             \"[{{'key': 'team', 'value': 'core'}}]\",\"[{{'key': 'env', 'value': 'prod'}}]\",europe-west1,{cost},{cost},EUR,\
             \"{credits}\",{month},{kind},//compute/instances/{place}\n"
        );
    }
    text
}

#[test]
fn credits_reduce_the_charge_that_they_stand_in() {
    let house = House::new();
    let told = house.import(export(&[
        (
            "shop",
            "10.5",
            "[{'name': 'CUD', 'amount': -2.25, 'type': 'COMMITTED_USAGE_DISCOUNT'}, {'amount': -0.25}]",
            "202606",
            "regular",
        ),
        ("", "3", "[]", "202605", "tax"),
        ("shop", "2e-06", "", "202605", "rounding_error"),
    ]));
    assert_eq!((told.state, told.rows_written), (State::Done, 3), "{told:#?}");
    assert_eq!(told.format.as_ref().map(|format| format.id.as_str()), Some("gcp-billing"));
    assert_eq!(
        house.rows(
            "spends",
            &[
                "billed_cost",
                "contracted_cost",
                "charge_category",
                "billing_period_start",
                "pricing_category"
            ],
            &[]
        ),
        [
            "0.000002 | 0.000002 | Adjustment | 2026-05-01T00:00:00 | -",
            "3 | 3 | Tax | 2026-05-01T00:00:00 | -",
            "8 | 10.5 | Usage | 2026-06-01T00:00:00 | Committed",
        ]
    );
    // Rows without a project belong to the billing account.
    assert_eq!(
        house.rows("cloud_accounts", &["account_number", "cloud_provider"], &[]),
        ["0A-1 | GCP", "shop | GCP"]
    );
    assert_eq!(house.rows("spends", &["tags"], &[])[0], r#"{"env":"prod","team":"core"}"#);
}

#[test]
fn a_row_whose_credits_cannot_be_read_is_left_out() {
    let told = House::new().import(export(&[
        ("p", "1", "[{'name': 'x'}]", "202605", "regular"),
        ("p", "1", "", "202605", "regular"),
    ]));
    assert_eq!((told.rows_written, told.rows_skipped), (1, 1), "{told:#?}");
    assert!(told.skipped[0].value.contains("[{'name'"), "{told:#?}");
}

#[test]
fn the_table_of_the_console_is_read_with_its_inclusive_days() {
    let text = "Invoice number,1\nCurrency,EUR\n\nBilling account name,Billing account ID,Project name,Project ID,Service description,\
                Service ID,SKU description,SKU ID,Credit type,Cost type,Usage start date,Usage end date,Usage amount,Usage unit,\
                Unrounded Cost (€),Cost (€)\n\
                Acme,0A-1,Shop,shop,Compute Engine,s,N2 core,k,,Usage,2026-05-01,2026-05-31,10,hour,1.234,1.23\n\
                Acme,0A-1,Shop,shop,Compute Engine,s,N2 core,k,Discount,Usage,2026-05-01,2026-05-31,,,-0.234,-0.23\n";
    let house = House::new();
    let told = house.import(text);
    assert_eq!((told.state, told.rows_written), (State::Done, 2), "{told:#?}");
    assert_eq!(
        house.rows(
            "spends",
            &["billed_cost", "unit", "charge_category", "period_end", "billing_period_start"],
            &[]
        ),
        [
            "-0.234 | EUR | Credit | 2026-06-01T00:00:00 | 2026-05-01T00:00:00",
            "1.234 | EUR | Usage | 2026-06-01T00:00:00 | 2026-05-01T00:00:00"
        ]
    );
    let dollars = text.replace('€', "$").replace("Currency,EUR\n", "");
    assert_eq!(House::new().import(&dollars).decision.unwrap().reason, "currency");
    let house = House::new();
    house.forms.set(FormAnswers::default().with("currency_cad").unwrap());
    house.import(dollars);
    assert_eq!(house.sum("billed_cost", "CAD"), "1");
}

#[test]
fn an_export_without_a_cost_is_refused_by_what_lacks() {
    let told = House::new().import(
        "billing_account_id,service.description,sku.description,usage_start_time\n1,a,b,2026-05-01\n",
    );
    let message = told.error.unwrap().message;
    assert!(message.contains("looks like a Google Cloud billing export, but it lacks cost"), "{message}");
}
