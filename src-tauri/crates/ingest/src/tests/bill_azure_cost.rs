//! Azure cost exports in all their spellings, and actual versus amortised cost.

use super::kit::{House, focus};
use crate::{FormAnswers, State};

const EA: &str = "BillingAccountId,BillingPeriodStartDate,SubscriptionId,SubscriptionName,Date,MeterCategory,MeterSubCategory,MeterId,\
                  MeterName,ResourceId,ResourceLocation,ChargeType,PricingModel,ReservationId,CostInBillingCurrency,\
                  BillingCurrencyCode,Quantity,UnitOfMeasure,Tags,AdditionalInfo";
const VM: &str = "/subscriptions/s-1/resourceGroups/Shop/providers/Microsoft.Compute/virtualMachines/Web";

/// An export of an Enterprise Agreement; each row has its day, type, pricing model, commitment and cost.
pub fn export(rows: &[(&str, &str, &str, &str, &str)]) -> String {
    let mut text = format!("\u{feff}{EA}\n");
    for (place, (day, kind, model, commitment, cost)) in rows.iter().enumerate() {
        text += &format!(
            "777,05/01/2026,s-1,Shop,{day},Virtual Machines,Dsv5,m-{place},D2s v5,{VM}{place},westeurope,{kind},{model},{commitment},\
             {cost},EUR,1,1 Hour,\"\"\"env\"\": \"\"prod\"\",\"\"team\"\": \"\"shop\"\"\",\"\"\"VCPUs\"\": 2\"\n"
        );
    }
    text
}

#[test]
fn an_export_becomes_charges_with_account_resource_and_tags() {
    let house = House::new();
    let told = house.import(export(&[("05/13/2026", "Usage", "OnDemand", "", "1.25")]));
    assert_eq!((told.state, told.rows_written), (State::Done, 1), "{told:#?}");
    assert_eq!(told.format.as_ref().map(|format| format.id.as_str()), Some("azure-cost"));
    assert_eq!(
        told.format.as_ref().map(|format| format.title.as_str()),
        Some("Azure cost export (Enterprise Agreement)")
    );
    assert_eq!(
        house.rows(
            "spends",
            &[
                "billed_cost",
                "effective_cost",
                "unit",
                "date",
                "period_end",
                "billing_period_start",
                "service_name"
            ],
            &[]
        ),
        [
            "1.25 | 1.25 | EUR | 2026-05-13T00:00:00 | 2026-05-14T00:00:00 | 2026-05-01T00:00:00 | Virtual Machines"
        ]
    );
    assert_eq!(house.rows("spends", &["tags"], &[]), [r#"{"env":"prod","team":"shop"}"#]);
    let details = house.rows("spends", &["details"], &[]).remove(0);
    assert!(details.contains(r#""AdditionalInfo":{"VCPUs": 2}"#), "{details}");
    assert_eq!(
        house.rows("cloud_accounts", &["account_number", "account_name", "cloud_provider"], &[]),
        ["s-1 | Shop | Azure"]
    );
    let resources = house.rows("cloud_resourses", &["name", "type"], &[]);
    assert_eq!(resources, ["Web0 | microsoft.compute/virtualmachines"]);
}

#[test]
fn resources_whose_ids_differ_in_case_are_one() {
    let house = House::new();
    let text = export(&[("05/13/2026", "Usage", "", "", "1"), ("05/14/2026", "Usage", "", "", "2")]);
    house.import(text.replace("Web1", "wEB0"));
    assert_eq!(house.count("cloud_resourses"), 1);
}

#[test]
fn the_names_of_other_agreements_and_languages_are_read() {
    for (header, title, day) in [
        (
            "subscriptionId,date,meterCategory,meterName,costInBillingCurrency,costInUsd,billingCurrency,unitOfMeasure",
            "Azure cost export (Microsoft Customer Agreement)",
            "05/13/2026",
        ),
        (
            "SubscriptionGuid,UsageDateTime,MeterCategory,MeterName,PreTaxCost,MeterRegion,Currency,UnitOfMeasure",
            "Azure cost export (pay-as-you-go)",
            "2026-05-13",
        ),
        (
            "Abonnement-GUID (SubscriptionGuid),UsageDateTime (UsageDateTime),Kategorie (MeterCategory),Name (MeterName),\
             PreTaxCost (PreTaxCost),Region (MeterRegion),Currency,Einheit (UnitOfMeasure)",
            "Azure cost export (pay-as-you-go)",
            "2026-05-13",
        ),
    ] {
        let house = House::new();
        let told = house.import(format!("{header}\ns-1,{day},Storage,LRS,0.5,0.6,EUR,1 GB\n"));
        assert_eq!(
            (told.state, told.format.as_ref().map(|format| format.title.as_str())),
            (State::Done, Some(title)),
            "{told:#?}"
        );
        assert_eq!(
            house.rows(
                "spends",
                &["billed_cost", "unit", "date", "billing_period_start", "billing_account_id"],
                &[]
            ),
            ["0.5 | EUR | 2026-05-13T00:00:00 | 2026-05-01T00:00:00 | s-1"]
        );
    }
}

#[test]
fn dates_of_one_reading_decide_and_others_are_asked_about() {
    let text = "SubscriptionId,Date,MeterCategory,MeterId,CostInBillingCurrency,BillingCurrencyCode\ns-1,04/05/2026,S,m,1,EUR\n";
    let house = House::new();
    let told = house.import(text);
    assert_eq!(told.decision.unwrap().reason, "date_format");
    house.forms.set(FormAnswers::default().with("month_first").unwrap());
    assert_eq!(house.import(text).state, State::Done);
    assert_eq!(house.rows("spends", &["date"], &[]), ["2026-04-05T00:00:00"]);
}

#[test]
fn actual_and_amortised_cost_are_asked_for_and_never_guessed() {
    let rows = [
        ("05/13/2026", "Usage", "OnDemand", "", "10"),
        ("05/13/2026", "Usage", "Reservation", "r-1", "3"),
        ("05/13/2026", "UnusedReservation", "Reservation", "r-1", "1"),
        ("05/13/2026", "Purchase", "Reservation", "r-1", "120"),
    ];
    let text = export(&rows);
    let house = House::new();
    let told = house.import(&text);
    assert_eq!((told.state, house.count("spends")), (State::NeedsDecision, 0));
    let decision = told.decision.unwrap();
    assert_eq!(decision.reason, "cost_view");
    assert!(decision.question.contains("billing period from 05/01/2026"), "{}", decision.question);
    let choices: Vec<&str> = decision.choices.iter().map(|choice| choice.choice.as_str()).collect();
    assert_eq!(choices, ["actual_cost", "amortized_cost"]);
    assert!(
        decision.choices[1].label.contains("1 covered charges with a cost and 1 charges of unused"),
        "{decision:?}"
    );
    for (answer, billed, effective) in [("actual_cost", "134", "10"), ("amortized_cost", "130", "134")] {
        let house = House::new();
        house.forms.set(FormAnswers::default().with(answer).unwrap());
        let told = house.import(&text);
        assert_eq!((told.state, told.rows_written), (State::Done, 4), "{told:#?}");
        assert_eq!(
            (house.sum("billed_cost", "EUR"), house.sum("effective_cost", "EUR")),
            (billed.to_owned(), effective.to_owned())
        );
    }
}

#[test]
fn a_commitment_far_behind_the_first_rows_is_asked_about_too() {
    let mut rows = vec![("05/13/2026", "Usage", "OnDemand", "", "1"); 2_500];
    rows.push(("05/13/2026", "Usage", "SavingsPlan", "", "0"));
    let told = House::new().import(export(&rows));
    assert_eq!(told.decision.unwrap().reason, "cost_view");
}

/// Two days of usage and a charge related to a reservation.
fn with(more: (&'static str, &'static str, &'static str, &'static str, &'static str)) -> String {
    let rows = [("05/13/2026", "Usage", "OnDemand", "", "10"), ("05/14/2026", "Usage", "OnDemand", "", "10")];
    export(&[rows.as_slice(), &[more]].concat())
}

fn answer(house: &House, word: &str) {
    house.forms.set(FormAnswers::default().with(word).unwrap());
}

#[test]
fn the_other_export_of_a_period_is_asked_about_and_never_added() {
    let mut house = House::new();
    house.archive = Some(crate::Archive::new(house.folder.path().join("kept"), 1 << 30));
    answer(&house, "actual_cost");
    house.import(with(("05/13/2026", "Usage", "Reservation", "r-1", "0")));
    answer(&house, "amortized_cost");
    let told = house.import(with(("05/13/2026", "Usage", "Reservation", "r-1", "3")));
    assert_eq!(told.state, State::NeedsDecision, "{told:#?}");
    let decision = told.decision.unwrap();
    let choices: Vec<&str> = decision.choices.iter().map(|choice| choice.choice.as_str()).collect();
    assert_eq!((decision.reason.as_str(), choices), ("other_cost_view", vec!["replace"]));
    assert_eq!(house.sum("effective_cost", "EUR"), "20");
    // The answer that they are further charges causes the question again.
    assert_eq!(house.decide(crate::RowsChoice::Add)[0].state, State::NeedsDecision);
    let told = house.decide(crate::RowsChoice::Replace).remove(0);
    assert!(told.replaced.is_some(), "{told:#?}");
    assert_eq!(house.sum("effective_cost", "EUR"), "23");
}

/// Exports that only contain commitments have no row in common, but the same costs.
#[test]
fn exports_without_a_common_row_are_asked_about_too() {
    let house = House::new();
    answer(&house, "actual_cost");
    house.import(export(&[("05/01/2026", "Purchase", "Reservation", "r-1", "120")]));
    answer(&house, "amortized_cost");
    let told = house.import(export(&[("05/13/2026", "UnusedReservation", "Reservation", "r-1", "4")]));
    assert_eq!(told.decision.map(|decision| decision.reason).as_deref(), Some("other_cost_view"));
    // Another month may have the other cost view.
    let june = export(&[("06/13/2026", "UnusedReservation", "Reservation", "r-1", "4")]);
    assert_eq!(house.import(june.replace("05/01/2026", "06/01/2026")).state, State::Done);
}

#[test]
fn both_exports_in_one_delivery_are_never_added() {
    let house = House::new();
    answer(&house, "actual_cost");
    let exports = [("actual.csv", "0"), ("amortised.csv", "3")];
    for (name, cost) in exports {
        house.file(name, with(("05/13/2026", "Usage", "Reservation", "r-1", cost)).as_bytes());
    }
    for told in house.import_all(&["actual.csv", "amortised.csv"]) {
        let choices = told.decision.expect("a question").choices;
        assert!(choices.iter().all(|choice| choice.choice != "add"), "{choices:?}");
    }
}

#[test]
fn a_file_that_names_no_currency_is_asked_about() {
    let text =
        "subscriptionid,UsageDateTime,MeterCategory,MeterId,costinbillingcurrency\ns-1,2026-05-13,S,m,1\n";
    let house = House::new();
    let decision = house.import(text).decision.unwrap();
    assert_eq!((decision.reason.as_str(), decision.choices[1].choice.as_str()), ("currency", "currency_eur"));
    house.forms.set(FormAnswers::default().with("currency_eur").unwrap());
    assert_eq!(house.import(text).state, State::Done);
    assert_eq!(house.sum("billed_cost", "EUR"), "1");
    assert!(FormAnswers::default().with("currency_euro").is_none());
}

#[test]
fn an_export_without_a_cost_is_refused_by_what_lacks() {
    let told = House::new()
        .import("SubscriptionId,Date,MeterCategory,MeterId,UnitOfMeasure\ns-1,2026-05-13,S,m,1 Hour\n");
    let message = told.error.unwrap().message;
    assert!(
        message.contains("looks like an Azure cost export, but it lacks a cost: CostInBillingCurrency"),
        "{message}"
    );
}

#[test]
fn a_month_that_focus_has_told_is_asked_about_whatever_its_billing_account_is_called() {
    for account in ["777", "777/billingProfiles/P"] {
        let parties =
            format!("Microsoft,/providers/Microsoft.Billing/billingAccounts/{account},/subscriptions/s-1");
        let house = House::new();
        house.import(focus("ProviderName,BillingAccountId,SubAccountId", &[("3 EUR 2026-05-13", &parties)]));
        let told = house.import(export(&[("05/13/2026", "Usage", "OnDemand", "", "1.25")]));
        assert_eq!(told.decision.expect("a question").reason, "told_otherwise", "{account}");
        assert_eq!(house.sum("amount", "EUR"), "3");
        assert_eq!(house.rows("cloud_accounts", &["account_number"], &[]), ["s-1"]);
    }
}
