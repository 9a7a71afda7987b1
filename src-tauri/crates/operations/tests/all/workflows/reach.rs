//! Tests that runs act with the current permissions of a person, and store no secret in readable form.

use super::{MANUAL, carry_one, carry_out, claimed, create, on, run_of, statuses, step, trigger};
use crate::house::{House, OWN, PERSON, TENANT};
use catalogue::{Caller, ValueRef};
use operations::runs;
use store::{StoreError, Transaction, eq};

const ASK: &str = r#"{ id: "ask", type: "integrations.http", params: { url: "https://a.example" } }"#;
const HOURLY: &str = r#"{ type: "schedule", params: { cron: "0 * * * *" } }"#;

fn write(house: &House, work: impl Fn(&Transaction<'_>) -> Result<(), StoreError>) {
    house.store.transaction(&Caller::system(), |rows| work(rows)).unwrap();
}

/// The error of a run that failed before it sent a request.
#[track_caller]
fn refused(house: &House, work: impl Fn(&Transaction<'_>) -> Result<(), StoreError>) -> String {
    let id = create(house, "nightly", "PAUSED", MANUAL, ASK);
    let run = trigger(house, &id);
    write(house, work);
    let next = step(&house.store, claimed(&house.store), Vec::new(), &[]);
    assert!(next.is_released && next.calls.is_empty(), "{next:?}");
    let seen = run_of(house, &id, &run);
    assert_eq!(seen["status"], "FAILED");
    seen["error"].as_str().unwrap().to_owned()
}

const WHY: &str = "may not run workflows of this account any more. Somebody who may must save the workflow again, or start it";

#[test]
fn a_run_of_who_lost_their_role_does_nothing() {
    let error = refused(&on(), |rows| rows.delete("user_roles", &[eq("user_id", PERSON)]).map(drop));
    assert_eq!(error, format!("ada@example.com {WHY}"));
}

#[test]
fn a_run_of_who_has_another_account_does_nothing() {
    let error = refused(&on(), |rows| {
        let own = OWN.to_string();
        let of_account = [eq("user_id", PERSON), eq("entity_id", own.as_str())];
        rows.delete("user_roles", &of_account).map(drop)
    });
    assert_eq!(error, format!("ada@example.com {WHY}"));
}

#[test]
fn a_run_of_who_is_suspended_or_gone_does_nothing() {
    let error = refused(&on(), |rows| {
        rows.update("users", &[eq("id", PERSON)], &[("status", "suspended".into())]).map(drop)
    });
    assert_eq!(error, format!("the person in whose name it acts {WHY}"));
    let error = refused(&on(), |rows| rows.delete("tenant_users", &[eq("user_id", PERSON)]).map(drop));
    assert_eq!(error, format!("the person in whose name it acts {WHY}"));
}

#[test]
fn a_schedule_of_who_lost_their_role_starts_runs_that_fail() {
    let house = on();
    let id = create(&house, "nightly", "ACTIVE", HOURLY, ASK);
    write(&house, |rows| {
        rows.delete("user_roles", &[eq("user_id", PERSON)])?;
        let due = [("next_due_at", ValueRef::Timestamp(rows.now()))];
        rows.update("workflow", &[eq("name", "nightly")], &due).map(drop)
    });
    runs::start_due(&house.store).unwrap();
    carry_out(&house.store);
    assert_eq!(statuses(&house, &id), ["FAILED"]);
}

#[test]
fn a_secret_is_not_shown_in_an_approval_nor_kept_in_an_event() {
    let house = on();
    let tasks = r#"{ id: "ok", type: "core.approval", params: { message: "Go {{ Secrets.TOKEN }}?" } },
        { id: "tell", type: "events.store", params: { title: "T {{ Secrets.TOKEN }}", description: "{{ Secrets.TOKEN }}" } }"#;
    let id = create(&house, "nightly", "PAUSED", MANUAL, tasks);
    trigger(&house, &id);
    while carry_one(&house.store) {}
    let found = house.store.snapshot::<_, StoreError>(&Caller::system_for(TENANT), |rows| {
        let waits = rows.select("workflow_wait", &["message", "plan"], &[])?;
        let events = rows.select("events", &["title", "description", "labels", "aggregation_key"], &[])?;
        let trail = rows.select("audit_trail", &["before", "after"], &[])?;
        Ok((waits.len(), events.len(), format!("{waits:?} {events:?} {trail:?}")))
    });
    let (waits, events, kept) = found.unwrap();
    assert_eq!((waits, events), (1, 1));
    assert!(!kept.contains("s3cret-value"), "{kept}");
    assert!(kept.contains("Go ***?") && kept.contains("T ***"), "{kept}");
}
