//! Measures the cost of a run while others wait by counting instead of timing: virtual machine steps in SQLite, rows and index entries read in
//! PostgreSQL.

use crate::house::{House, NOW, OWN, PERSON, TENANT, ready};
use crate::workflows::{carry_one, create};
use catalogue::{Caller, ValueRef};
use operations::runs::{self, AutomationSettings, MAX_RUNS_PER_TENANT};
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

const HOUR: i64 = 3_600_000_000;
const STRANGER: Uuid = Uuid::from_u128(0xf0);
/// More runs than a tenant can execute at once.
const FULL: usize = 33;
const TASK: &str = r#"{ id: "ask", type: "integrations.http", params: { url: "https://a.example" } }"#;

/// Test data with one workflow, with its definition.
fn house(store: Option<Store>) -> (House, Uuid) {
    let house = store.map_or_else(House::new, House::over);
    runs::store_automation_settings(&house.store, &AutomationSettings { is_on: true, ..Default::default() })
        .unwrap();
    let id = create(&house, "busy", "PAUSED", r#"{ type: "manual" }"#, TASK);
    (house, id.parse().unwrap())
}

/// That many runs, a quarter of each kind: waiting for their first turn, for a timer, for a person, and ended.
fn wait_for(store: &Store, workflow: Uuid, tenant: Uuid, number: usize) {
    let definition =
        r#"{"version":"v1","tasks":[{"id":"ask","type":"core.print","params":{"message":"x"}}]}"#;
    let kinds = [
        ("SCHEDULED", ValueRef::Timestamp(NOW - 1)),
        ("RUNNING", ValueRef::Timestamp(NOW + HOUR)),
        ("RUNNING", ValueRef::Null),
        ("FAILED", ValueRef::Null),
    ];
    let system = Caller::system_for(tenant);
    let insert = |rows: &Transaction<'_>| {
        for (status, due) in (0..number / 4).flat_map(|_| kinds) {
            rows.insert(
                "workflow_execution",
                &[
                    ("account_id", OWN.into()),
                    ("workflow_id", workflow.into()),
                    ("definition", ValueRef::Json(definition)),
                    ("revision", 1_i64.into()),
                    ("status", status.into()),
                    ("trigger_type", "manual".into()),
                    ("start_time", ValueRef::Timestamp(NOW - 1)),
                    ("due_at", due),
                ],
            )?;
        }
        Ok::<_, StoreError>(())
    };
    store.transaction(&system, insert).unwrap();
}

/// One run from its claim to its end, and the query for the next due run.
fn go_on(store: &Store) {
    assert!(carry_one(store), "a run is due");
    assert!(runs::next_run(store).unwrap().is_some());
}

/// Claims the maximum number of the tenant's runs, while another tenant's run waits.
fn fill_up(store: &Store, workflow: Uuid) {
    for _ in 0..MAX_RUNS_PER_TENANT {
        let run = runs::claim(store, Uuid::new_v4()).unwrap().expect("a run is due");
        assert_eq!(run.tenant, TENANT);
    }
    let by = PERSON.into();
    let stranger = |rows: &Transaction<'_>| {
        rows.insert(
            "tenant",
            &[("id", STRANGER.into()), ("name", "theirs".into()), ("created_by", by), ("updated_by", by)],
        )
    };
    store.transaction::<_, StoreError>(&Caller::system(), stranger).unwrap();
    wait_for(store, workflow, STRANGER, 8);
}

/// The cost of a run while its tenant has capacity, and the cost of a claim when another tenant waits behind one at its maximum.
fn steps(waiting: usize) -> (u64, u64) {
    let (house, workflow) = house(None);
    wait_for(&house.store, workflow, TENANT, waiting + 4 * FULL);
    house.store.renew_statistics().unwrap();
    let counted = |work: &dyn Fn()| {
        let before = store::steps();
        work();
        store::steps() - before
    };
    let turn = counted(&|| go_on(&house.store));
    fill_up(&house.store, workflow);
    let past = counted(&|| {
        let run = runs::claim(&house.store, Uuid::new_v4()).unwrap();
        assert_eq!(run.map(|run| run.tenant), Some(STRANGER));
        runs::next_run(&house.store).unwrap();
    });
    (turn, past)
}

#[test]
fn a_run_costs_the_same_whatever_waits() {
    let (few, many) = (steps(10), steps(10_000));
    // An index of ten thousand entries is a level or two deeper than one of ten; scanning all of them would be a hundred thousand steps.
    assert!(many.0 < few.0 + few.0 / 5, "{few:?} steps with 10 that wait, {many:?} with 10,000");
    assert!(many.1 < few.1 + few.1 / 5, "{few:?} steps with 10 that wait, {many:?} with 10,000");
}

/// Number of rows and index entries read so far. Closes all connections, since each reports its last figures when it ends.
fn looked_at(url: &str) -> u64 {
    testkit::postgres::run(
        url,
        "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    let sql = "SELECT (SELECT coalesce(sum(seq_tup_read), 0) FROM pg_stat_user_tables WHERE relname LIKE 'workflow%') \
               + (SELECT coalesce(sum(idx_tup_read), 0) FROM pg_stat_user_indexes WHERE relname LIKE 'workflow%')";
    testkit::postgres::run(url, sql).trim().parse().unwrap()
}

#[test]
fn a_run_costs_the_same_whatever_waits_in_postgresql() {
    let Some(url) = testkit::postgres::database() else { return };
    let open = || ready(Store::open_postgres(&url, testkit::product::catalogue()).unwrap());
    let (house, workflow) = house(Some(open()));
    let counted = |number: usize, prepare: &dyn Fn(&Store), work: &dyn Fn(&Store)| {
        let store = open();
        wait_for(&store, workflow, TENANT, number);
        prepare(&store);
        testkit::postgres::run(&url, "ANALYZE");
        drop(store);
        let before = looked_at(&url);
        let store = open();
        work(&store);
        drop(store);
        looked_at(&url) - before
    };
    drop(house);
    let nothing = |_: &Store| {};
    let few = counted(10 + 4 * FULL, &nothing, &go_on);
    let many = counted(10_000, &nothing, &go_on);
    assert!(many <= few + 50, "{few} rows with 10 that wait, {many} with 10,000");
    let past = counted(0, &|store| fill_up(store, workflow), &|store| {
        let run = runs::claim(store, Uuid::new_v4()).unwrap();
        assert_eq!(run.map(|run| run.tenant), Some(STRANGER));
        runs::next_run(store).unwrap();
    });
    assert!(past <= few + 200, "{few} rows with 10 that wait, {past} past a tenant that has its full number");
}
