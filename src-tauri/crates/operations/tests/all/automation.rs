//! Auto-pilots and the consents they need.

use crate::house::{House, OWN, PERSON, TENANT};
use catalogue::Caller;
use store::{StoreError, Transaction};
use uuid::Uuid;

const POLICY: Uuid = Uuid::from_u128(0xb1);
const PILOT: Uuid = Uuid::from_u128(0xb2);

/// An account whose auto-pilots need the consent of one reviewer.
fn policy(rows: &Transaction<'_>) -> Result<(), StoreError> {
    let (account, person) = (OWN.into(), PERSON.into());
    let own = [("id", POLICY.into()), ("account_id", account), ("created_by", person)];
    rows.insert("auto_pilot_approval_policy", &own)?;
    let reviewer = [("policy_id", POLICY.into()), ("account_id", account), ("user_id", person)];
    rows.insert("auto_pilot_reviewers", &reviewer)
}

#[test]
fn no_auto_pilot_becomes_active_past_its_consents_through_its_table() {
    let house = House::new();
    house.store.transaction(&Caller::house_for(TENANT), policy).unwrap();
    let add = |status: &str| {
        format!(
            r#"mutation {{ insert_auto_pilot_one(object: {{
              id: "{PILOT}", account_id: "{OWN}", category: "pvc_rightsize", name: "Disks", rule: {{}}, status: {status}, created_by: "{PERSON}"
            }}) {{ status }} }}"#
        )
    };
    let refused = "the auto-pilot \"Disks\" needs the consent of 1 of its reviewers and has 0: ask for it with \
                   auto_optimize_update_status";
    assert_eq!(house.refuses(&add("Active")), refused);
    house.answers(&add("DRAFT"));
    let activate = format!(
        r#"mutation {{ update_auto_pilot_by_pk(pk_columns: {{ id: "{PILOT}" }}, _set: {{ status: Active }}) {{ status }} }}"#
    );
    assert_eq!(house.refuses(&activate), refused);
    let asked = house.answers(&format!(
        r#"mutation {{ auto_optimize_update_status(arg1: {{ id: "{PILOT}", account_id: "{OWN}", status: "Active" }}) {{ status }} }}"#
    ));
    assert_eq!(asked["auto_optimize_update_status"]["status"], "DRAFT", "the reviewer is asked");
    let named = format!(
        r#"mutation {{ update_auto_pilot_by_pk(pk_columns: {{ id: "{PILOT}" }}, _set: {{ name: "More disks" }}) {{ status }} }}"#
    );
    assert_eq!(house.answers(&named)["update_auto_pilot_by_pk"]["status"], "DRAFT", "other columns are free");
}
