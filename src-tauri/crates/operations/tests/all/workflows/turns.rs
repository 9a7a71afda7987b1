//! Tests of which run is executed next.

use super::{ASK, HOUR, MANUAL, carry_out, claimed, create, on, trigger};
use crate::house::{NOW, PERSON, TENANT};
use catalogue::{Caller, ValueRef};
use operations::runs::{self, ClaimedRun, claim};
use store::eq;
use uuid::Uuid;

#[test]
fn no_tenant_waits_for_the_runs_of_another() {
    let house = on();
    let id = create(&house, "busy", "PAUSED", MANUAL, ASK);
    let most = usize::try_from(runs::MAX_RUNS_PER_TENANT).unwrap();
    for _ in 0..=most {
        trigger(&house, &id);
    }
    let held: Vec<ClaimedRun> = (0..most).map(|_| claimed(&house.store)).collect();
    assert_eq!(claim(&house.store, Uuid::new_v4()).unwrap(), None, "the tenant has its full number at work");
    let next = runs::next_run(&house.store).unwrap();
    assert!(next.is_some_and(|next| next > NOW), "nobody looks again and again: {next:?}");
    // It is another tenant's turn.
    let stranger = Uuid::from_u128(0xf0);
    let theirs = |rows: &store::Transaction<'_>| {
        rows.insert(
            "tenant",
            &[
                ("id", stranger.into()),
                ("name", "theirs".into()),
                ("created_by", PERSON.into()),
                ("updated_by", PERSON.into()),
            ],
        )?;
        let run = [("tenant_id", stranger.into()), ("due_at", ValueRef::Timestamp(NOW))];
        rows.update("workflow_execution", &[store::is_null("claim")], &run).map(drop)
    };
    house.store.transaction(&Caller::system(), theirs).unwrap();
    assert_eq!(claimed(&house.store).tenant, stranger);
    // The process that held them is gone: they are resumed.
    let later = house.store.clone().with_clock(|| NOW + HOUR);
    let taken_up: Vec<Uuid> =
        (0..most).filter_map(|_| claim(&later, Uuid::new_v4()).unwrap()).map(|run| run.id).collect();
    assert!(held.iter().any(|run| taken_up.contains(&run.id)), "{taken_up:?}");
}

#[test]
fn what_has_begun_is_carried_on_before_what_waits_for_its_first_turn() {
    let house = on();
    let wait = r#"{ id: "wait", type: "core.wait", params: { duration: "1h" } }"#;
    let slow = create(&house, "slow", "PAUSED", MANUAL, wait);
    let timer = trigger(&house, &slow);
    carry_out(&house.store);
    let flood = create(&house, "flood", "PAUSED", MANUAL, ASK);
    let first = trigger(&house, &flood);
    // Its timer is due, after other runs have started.
    house
        .store
        .transaction::<_, store::StoreError>(&Caller::system_for(TENANT), |rows| {
            let run = Uuid::parse_str(&timer).unwrap();
            let earlier = [("due_at", ValueRef::Timestamp(NOW - 60_000_000))];
            rows.without_actor().update(
                "workflow_execution",
                &[eq("id", Uuid::parse_str(&first).unwrap())],
                &earlier,
            )?;
            rows.without_actor().update(
                "workflow_execution",
                &[eq("id", run)],
                &[("due_at", ValueRef::Timestamp(NOW))],
            )
        })
        .unwrap();
    assert_eq!(claimed(&house.store).id.to_string(), timer);
    assert_eq!(claimed(&house.store).id.to_string(), first);
}
