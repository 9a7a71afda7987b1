//! Tests of cost anomalies: found in charges, stored as rows, explained, and affected by feedback.

mod watched;

use crate::house::{House, OTHER, OWN, PERSON, TENANT};
use catalogue::{Caller, Decimal, Role, ValueRef, parse_date};
use operations::cost_anomalies::{Outcome, refresh, run};
use serde_json::Value as Json;
use store::{StoreError, eq, gt};
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;

fn day(text: &str) -> i32 {
    parse_date(text).unwrap()
}

/// One charge on a day.
#[derive(Clone, Copy)]
struct Charge {
    account: Uuid,
    service: &'static str,
    meter: &'static str,
    category: &'static str,
    class: Option<&'static str>,
    day: i32,
    cost: i64,
}

fn usage(account: Uuid, service: &'static str, meter: &'static str, day: i32, cost: i64) -> Charge {
    Charge { account, service, meter, category: "Usage", class: None, day, cost }
}

fn write(house: &House, charges: &[Charge]) {
    let work = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        for (place, charge) in charges.iter().enumerate() {
            let resource = Uuid::from_u128(0xe000 + place as u128);
            let moment = ValueRef::Timestamp(i64::from(charge.day) * DAY);
            rows.insert(
                "cloud_resourses",
                &[
                    ("id", resource.into()),
                    ("account", charge.account.into()),
                    ("cloud_provider", "AWS".into()),
                    ("name", charge.meter.into()),
                    ("region", "eu".into()),
                    ("resourse_id", ValueRef::Text(&resource.to_string())),
                    ("service_name", charge.service.into()),
                    ("status", "Active".into()),
                    ("type", "VM".into()),
                ],
            )?;
            rows.insert(
                "spends",
                &[
                    ("cloud_account", charge.account.into()),
                    ("cloud_resource_id", resource.into()),
                    ("date", moment),
                    ("period_end", ValueRef::Timestamp((i64::from(charge.day) + 1) * DAY)),
                    // The billed amount is twice as high: usage is judged at contract price.
                    ("amount", ValueRef::Decimal(Decimal::from(charge.cost * 2))),
                    ("contracted_cost", ValueRef::Decimal(Decimal::from(charge.cost))),
                    ("service_name", charge.service.into()),
                    ("charge_category", charge.category.into()),
                    ("charge_class", charge.class.map_or(ValueRef::Null, ValueRef::Text)),
                    ("sku_meter", charge.meter.into()),
                    ("billing_account_id", "bill".into()),
                ],
            )?;
        }
        Ok(())
    };
    house.store.transaction(&Caller::system_for(TENANT), work).unwrap();
}

/// Two accounts over three months; on 5 May one meter of one service costs 400 more.
fn bill() -> Vec<Charge> {
    let mut charges = Vec::new();
    for at in day("2026-03-02")..day("2026-06-01") {
        let more = i64::from(at.rem_euclid(2));
        let spike = if at == day("2026-05-05") { 400 } else { 0 };
        charges.push(usage(OWN, "VM", "hours", at, 60 + more + spike));
        charges.push(usage(OWN, "VM", "disk", at, 40 - more));
        charges.push(usage(OTHER, "Queue", "calls", at, 30));
        // None of these categories is usage.
        if at == day("2026-04-20") {
            for category in ["Purchase", "Tax", "Credit", "Adjustment"] {
                charges.push(Charge { category, ..usage(OWN, "VM", "plan", at, 9_000) });
            }
        }
    }
    charges
}

fn analyse(house: &House, as_of: Option<&str>) -> Outcome {
    run(&house.store, TENANT, as_of).unwrap()
}

fn all(house: &House) -> Caller {
    let _ = house;
    Caller::user(PERSON, TENANT, vec![Role::TenantAdmin])
}

#[track_caller]
fn ask(house: &House, query: &str) -> Json {
    let answer = house.ask_as(&all(house), query);
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"].clone()
}

#[test]
fn what_corrects_an_earlier_bill_is_no_anomaly() {
    let house = House::new();
    let mut charges = bill();
    for (at, cost) in [("2026-05-12", -80), ("2026-05-20", 300)] {
        charges.push(Charge { class: Some("Correction"), ..usage(OWN, "VM", "refund", day(at), cost) });
    }
    write(&house, &charges);
    let found = analyse(&house, None);
    let days: Vec<i32> = found.findings.iter().map(|row| row.started_on).collect();
    assert_eq!(days, [day("2026-05-05")]);
}

#[test]
fn usage_is_judged_and_kept_and_a_second_run_changes_nothing() {
    let house = House::new();
    write(&house, &bill());
    let found = analyse(&house, None);
    assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
    assert_eq!((found.changes.added, found.changes.updated, found.changes.removed), (1, 0, 0));
    let row = &found.findings[0];
    assert_eq!((row.name.as_str(), row.account, row.scope), ("VM", OWN, "service"));
    assert_eq!(row.current_value, Decimal::from(500));
    let again = analyse(&house, None);
    assert_eq!((again.changes.added, again.changes.updated, again.changes.removed), (0, 0, 0));
    let listed = ask(
        &house,
        "{ anomaly_v2 { rows { id name account_id current_value reference_value } } anomaly_grouping_v2 { rows { count } } }",
    );
    assert_eq!(listed["anomaly_grouping_v2"]["rows"][0]["count"], 1);
    let listed = &listed["anomaly_v2"]["rows"][0];
    assert_eq!((&listed["name"], &listed["current_value"]), (&"VM".into(), &"500".into()));
    let reference: Json = serde_json::from_str(listed["reference_value"].as_str().unwrap()).unwrap();
    assert_eq!((&reference["from"], &reference["run"][0]["actual"]), (&"2026-05-05".into(), &500.into()));
    assert_eq!(reference["values"].as_array().unwrap().len(), 8);
}

#[test]
fn as_of_a_day_the_whole_bill_gives_what_the_bill_cut_there_gives() {
    for cut in ["2026-04-25", "2026-05-05", "2026-05-06", "2026-05-12"] {
        let (whole, short) = (House::new(), House::new());
        write(&whole, &bill());
        let until: Vec<Charge> = bill().into_iter().filter(|charge| charge.day <= day(cut)).collect();
        write(&short, &until);
        let told = |outcome: &Outcome| {
            outcome.findings.iter().map(|row| row.to_json().unwrap().to_string()).collect::<Vec<_>>()
        };
        let early = analyse(&whole, Some(cut));
        assert_eq!(told(&early), told(&analyse(&short, None)), "{cut}");
        assert!(early.findings.iter().all(|row| row.started_on <= day(cut)));
    }
    let refused = run(&House::new().store, TENANT, Some("yesterday")).unwrap_err();
    assert!(refused.message.contains("expected a day such as 2026-06-18"), "{}", refused.message);
}

#[test]
fn findings_go_with_the_charges_they_were_found_in() {
    let house = House::new();
    write(&house, &bill());
    assert_eq!(refresh(&house.store, TENANT).unwrap().changes.added, 1);
    let caller = Caller::system_for(TENANT);
    let spike = ValueRef::Decimal(Decimal::from(300));
    house
        .store
        .transaction(&caller, |rows| {
            rows.delete("spends", &[eq("charge_category", "Usage"), gt("contracted_cost", spike)])
        })
        .unwrap();
    assert_eq!(refresh(&house.store, TENANT).unwrap().changes.removed, 1);
    // Changes derived from an import have no entries of their own in the audit trail.
    let lines = house
        .store
        .snapshot::<_, StoreError>(&caller, |rows| rows.select("audit_trail", &["table_name"], &[]));
    assert!(lines.unwrap().iter().all(|line| line[0].as_text() != Some("anomaly")));
}

#[test]
fn one_with_feedback_goes_with_its_charges_and_comes_back_with_them() {
    let house = House::new();
    write(&house, &bill());
    let id = analyse(&house, None).findings[0].id;
    let said = format!(
        "mutation {{ anomaly_feedback(request: {{ anomaly_id: \"{id}\", verdict: \"expected\" }}) {{ verdict }} }}"
    );
    ask(&house, &said);
    let kept = || ask(&house, "{ anomaly { id feedback is_anomaly state } }")["anomaly"].clone();
    let silenced =
        serde_json::json!([{ "id": id, "feedback": "expected", "is_anomaly": false, "state": "OVER" }]);
    assert_eq!(kept(), silenced);
    // As of an earlier day, findings that begin after it are removed.
    assert_eq!(analyse(&house, Some("2026-05-04")).changes.removed, 1);
    assert_eq!(kept(), serde_json::json!([]));
    assert_eq!(analyse(&house, None).changes.added, 1);
    assert_eq!(kept(), silenced);
    // Undoing an import removes its days.
    let caller = Caller::system_for(TENANT);
    let since = ValueRef::Timestamp(i64::from(day("2026-05-01")) * DAY);
    house.store.transaction(&caller, |rows| rows.delete("spends", &[gt("date", since)])).unwrap();
    assert_eq!(refresh(&house.store, TENANT).unwrap().changes.removed, 1);
    assert_eq!(kept(), serde_json::json!([]));
    assert_eq!(analyse(&house, None).findings.len(), 0);
}

#[test]
fn one_whose_first_day_moves_with_a_restated_bill_stays_the_same_one() {
    let house = House::new();
    let mut charges = bill();
    for charge in &mut charges {
        if charge.meter == "hours" && charge.day == day("2026-05-06") {
            charge.cost += 400;
        }
    }
    write(&house, &charges);
    let before = analyse(&house, None).findings;
    assert_eq!((before.len(), before[0].started_on), (1, day("2026-05-05")));
    let cost = |at: &str, cost: i64| {
        let moment = ValueRef::Timestamp(i64::from(day(at)) * DAY);
        let more = [eq("date", moment), gt("contracted_cost", ValueRef::Decimal(Decimal::from(50)))];
        let set = [("contracted_cost", ValueRef::Decimal(Decimal::from(cost)))];
        house
            .store
            .transaction(&Caller::system_for(TENANT), |rows| rows.update("spends", &more, &set))
            .unwrap();
    };
    // The first day first gets its usual cost, then its previous cost, together with the day before.
    for (days, first) in [
        (&[("2026-05-05", 60)][..], "2026-05-06"),
        (&[("2026-05-05", 460), ("2026-05-04", 460)], "2026-05-04"),
    ] {
        for (at, of) in days {
            cost(at, *of);
        }
        let now = analyse(&house, None);
        assert_eq!((now.findings.len(), now.findings[0].started_on), (1, day(first)));
        assert_eq!((now.changes.added, now.changes.updated, now.changes.removed), (0, 1, 0));
        let listed = ask(&house, "{ anomaly { id } }");
        assert_eq!(listed["anomaly"], serde_json::json!([{ "id": before[0].id }]));
        assert_eq!(now.findings[0].id, before[0].id);
        let again = analyse(&house, None);
        assert_eq!((again.changes.added, again.changes.updated, again.changes.removed), (0, 0, 0));
    }
}

#[test]
fn what_drove_an_anomaly_adds_up_to_its_impact() {
    let house = House::new();
    write(&house, &bill());
    let id = analyse(&house, None).findings[0].id;
    let drivers = ask(
        &house,
        &format!(
            "{{ spend_anomaly_drivers(request: {{ anomaly_id: \"{id}\" }}) {{ impact currency rows {{ dimension id name actual expected amount }} }} }}"
        ),
    );
    let drivers = &drivers["spend_anomaly_drivers"];
    let exact = |cell: &Json| Decimal::parse(&cell.to_string()).unwrap();
    for dimension in ["account", "service", "resource", "usage_type", "meter"] {
        let rows = drivers["rows"].as_array().unwrap().iter().filter(|row| row["dimension"] == dimension);
        let sum = rows
            .map(|row| exact(&row["amount"]))
            .fold(Decimal::ZERO, |sum, one| sum.checked_add(one).unwrap());
        assert_eq!(sum, exact(&drivers["impact"]), "{dimension}: {drivers}");
    }
    let meters: Vec<&Json> =
        drivers["rows"].as_array().unwrap().iter().filter(|row| row["dimension"] == "meter").collect();
    assert_eq!(meters[0]["name"], "hours");
    assert_eq!(drivers["rows"][0]["name"], "shop");
}

#[test]
fn what_drove_an_anomaly_is_told_as_price_and_quantity() {
    let house = House::new();
    write(&house, &bill());
    // Ten hours a day, twenty on the day of the anomaly; the disk has no quantity.
    let spike = ValueRef::Timestamp(i64::from(day("2026-05-05")) * DAY);
    let quantity = |hours: i64| [("consumed_quantity", ValueRef::Decimal(Decimal::from(hours)))];
    let hours = eq("sku_meter", "hours");
    let caller = Caller::system_for(TENANT);
    house
        .store
        .transaction::<_, StoreError>(&caller, |rows| {
            rows.update("spends", std::slice::from_ref(&hours), &quantity(10))?;
            rows.update("spends", &[hours.clone(), eq("date", spike)], &quantity(20))
        })
        .unwrap();
    let id = analyse(&house, None).findings[0].id;
    let query = format!(
        "{{ spend_anomaly_drivers(request: {{ anomaly_id: \"{id}\" }}) {{ impact rows {{ dimension name actual expected amount }} }} }}"
    );
    let drivers = ask(&house, &query)["spend_anomaly_drivers"].clone();
    let rows = drivers["rows"].as_array().unwrap().iter();
    let rows: Vec<&Json> = rows.filter(|row| row["dimension"] == "price_or_quantity").collect();
    let named = |name: &str| *rows.iter().find(|row| row["name"] == name).unwrap();
    let amount = |row: &Json, cell: &str| Decimal::parse(&row[cell].to_string()).unwrap();
    let (used, price, unknown) = (named("quantity"), named("price"), named("quantity not known"));
    assert_eq!(rows.len(), 3, "{rows:?}");
    // Twice the hours cost twice the expected amount; the rest of 461 or 460 is due to the price.
    let expected = amount(used, "expected");
    assert_eq!(amount(used, "actual"), expected.checked_mul_int(2).unwrap());
    assert_eq!(amount(price, "expected"), amount(used, "actual"));
    assert!(amount(price, "actual") >= Decimal::from(460), "{price}");
    let all = [used, price, unknown].map(|row| amount(row, "amount"));
    let sum = all.into_iter().fold(Decimal::ZERO, |sum, one| sum.checked_add(one).unwrap());
    assert_eq!(sum, amount(&drivers, "impact"));
}

#[test]
fn what_people_say_is_heeded_by_the_next_run_and_can_be_taken_back() {
    let house = House::new();
    write(&house, &bill());
    let id = analyse(&house, None).findings[0].id;
    let say = |more: &str| {
        ask(
            &house,
            &format!(
                "mutation {{ anomaly_feedback(request: {{ anomaly_id: \"{id}\"{more} }}) {{ verdict expected_until }} }}"
            ),
        )
    };
    let counted = || {
        ask(&house, "{ anomaly_grouping_v2(where: { is_anomaly: { _eq: true } }) { rows { count } } }")["anomaly_grouping_v2"]["rows"][0]["count"].clone()
    };
    assert_eq!(
        say(", verdict: \"expected\", expected_until: \"2026-05-31\", note: \"load test\"")["anomaly_feedback"]
            ["verdict"],
        "expected"
    );
    assert_eq!(counted(), 0);
    let after = analyse(&house, None);
    assert_eq!((after.findings.len(), after.changes.removed), (0, 0), "it is kept with what was said");
    assert_eq!(say("")["anomaly_feedback"]["verdict"], Json::Null);
    assert_eq!(counted(), 1);
    assert_eq!(analyse(&house, None).findings.len(), 1);
    say(", verdict: \"wrong\"");
    assert_eq!(analyse(&house, None).findings.len(), 0);
    // Each person has one verdict.
    say(", verdict: \"useful\"");
    assert_eq!(analyse(&house, None).findings.len(), 1);
    let refused = |more: &str| {
        let query = format!(
            "mutation {{ anomaly_feedback(request: {{ anomaly_id: \"{id}\"{more} }}) {{ verdict }} }}"
        );
        house.ask_as(&all(&house), &query)["errors"][0]["message"].as_str().unwrap().to_owned()
    };
    assert!(refused(", verdict: \"dull\"").contains("expected one of useful, expected, wrong"));
    assert!(
        refused(", verdict: \"wrong\", expected_until: \"2026-05-31\"").contains("goes with the verdict")
    );
    assert!(
        refused(", verdict: \"expected\", expected_until: \"2026-05-01\"").contains("is before the anomaly")
    );
}

#[test]
fn who_has_one_account_meets_its_anomalies_only() {
    let house = House::new();
    let mut charges = bill();
    // All services at once: an anomaly of the total, which belongs to the tenant.
    for charge in
        charges.iter_mut().filter(|charge| charge.day == day("2026-04-15") && charge.category == "Usage")
    {
        charge.cost *= 3;
    }
    for charge in
        charges.iter_mut().filter(|charge| charge.service == "Queue" && charge.day == day("2026-05-12"))
    {
        charge.cost = 300;
    }
    write(&house, &charges);
    let found = ask(
        &house,
        "mutation { spend_anomalies_analyse { newest added findings { scope name account_id impact } } }",
    );
    let found = &found["spend_anomalies_analyse"];
    assert_eq!((&found["newest"], &found["added"]), (&"2026-05-31".into(), &3.into()), "{found}");
    assert_eq!(found["findings"][0]["scope"], "total");
    assert_eq!(found["findings"][0]["name"], "VM");
    let own = house.answers("{ anomaly_v2 { rows { id name account_id } } }");
    let own = own["anomaly_v2"]["rows"].as_array().unwrap();
    assert_eq!(own.len(), 1, "{own:?}");
    assert_eq!(own[0]["account_id"], OWN.to_string());
    let other = analyse(&house, None).findings.iter().find(|row| row.account == OTHER).unwrap().id;
    let none = house.refuses(&format!(
        "{{ spend_anomaly_drivers(request: {{ anomaly_id: \"{other}\" }}) {{ impact }} }}"
    ));
    assert!(none.contains("that you may see"), "{none}");
    house.refuses("mutation { spend_anomalies_analyse { added } }");
    let total = "{ anomaly(where: { scope: { _eq: \"total\" } }) { started_on impact state rule_version } }";
    let total = &ask(&house, total)["anomaly"];
    assert_eq!(total[0]["started_on"], "2026-04-15");
}
