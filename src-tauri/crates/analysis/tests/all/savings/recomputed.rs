//! Recalculates every finding from its own JSON, as with a calculator.

use super::generator::plan;
use analysis::savings::find;
use catalogue::Decimal;
use serde_json::Value;

fn decimal(value: &Value) -> Option<Decimal> {
    value.as_number().map(|number| Decimal::parse(&number.to_string()).unwrap())
}

#[test]
fn cards_say_by_what_the_saving_is_worked_out() {
    for seed in 0..8 {
        for finding in find(&plan(seed).bill) {
            let card = serde_json::to_value(finding.card()).unwrap();
            let monthly = decimal(&card["monthly_cost"]).unwrap();
            let saving = match (decimal(&card["share"]), decimal(&card["target_cost"])) {
                (Some(share), None) => monthly.to_f64() * share.to_f64(),
                (None, Some(target)) => monthly.checked_sub(target).unwrap().to_f64(),
                both => panic!("{both:?} in {card}"),
            };
            let told = finding.estimated_savings().to_f64();
            assert!((saving - told).abs() < 1e-9, "{told} and {saving}: {card}");
            for member in ["title", "why", "currency", "limits", "change"] {
                assert!(card[member].as_str().is_some_and(|text| !text.is_empty()), "{member}: {card}");
            }
            let rule = &card["rule"];
            assert!(rule["source"].as_str().unwrap().starts_with("https://"), "{card}");
            assert!(!rule["thresholds"].as_array().unwrap().is_empty(), "{card}");
            assert!(!card["figures"].as_array().unwrap().is_empty(), "{card}");
        }
    }
}
