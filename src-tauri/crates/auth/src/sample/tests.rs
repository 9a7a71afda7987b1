//! The tenant of the sample data, made and removed in a real database.

use super::{Sample, find, find_or_create, remove, tables, tenant_columns};
use crate::tests::{Fixture, NOW};
use crate::{household, person, session, user};
use catalogue::{Caller, Role};
use std::collections::BTreeMap;
use std::time::Duration;
use store::{Store, StoreError, eq};
use uuid::Uuid;

/// The rows that are a tenant's own, by table and column.
fn rows_of(store: &Store, tenant: Uuid) -> BTreeMap<String, u64> {
    let counted: Result<_, StoreError> = store.snapshot(&Caller::house(), |rows| {
        let mut counts = BTreeMap::new();
        for table in tables(rows.catalogue()) {
            for column in tenant_columns(rows.catalogue(), table) {
                let count = rows.count(&table.name, &[eq(column, tenant)])?;
                if count > 0 {
                    counts.insert(format!("{}.{column}", table.name), count);
                }
            }
        }
        Ok(counts)
    });
    counted.unwrap()
}

fn make(fixture: &mut Fixture, person: Uuid) -> (Sample, bool) {
    find_or_create(&fixture.store, person, NOW, &mut fixture.rng).unwrap()
}

#[test]
fn whoever_asks_second_finds_the_sample_of_the_first() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let (first, is_new) = make(&mut fixture, ada);
    assert!(is_new);
    assert_eq!(make(&mut fixture, ada), (first, false));
    assert_eq!(find(&fixture.store).unwrap(), Some(first));
    let there = person::find(&fixture.store, ada, first.tenant).unwrap();
    assert_eq!((there.tenant_name.as_str(), there.roles), ("Sample data", vec![Role::TenantAdmin]));
}

#[test]
fn a_tenant_that_is_called_so_is_not_the_sample() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let named = household::find_or_create(&fixture.store, "Sample data", NOW, &mut fixture.rng).unwrap().0.id;
    assert_eq!(find(&fixture.store).unwrap(), None);
    remove(&fixture.store).unwrap();
    let (sample, _) = make(&mut fixture, ada);
    assert_ne!(sample.tenant, named);
    remove(&fixture.store).unwrap();
    assert_eq!(rows_of(&fixture.store, named)["tenant.id"], 1);
}

#[test]
fn removal_leaves_no_row_of_the_sample_and_every_row_of_others() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    let own = rows_of(&fixture.store, fixture.tenant.id);
    let (sample, _) = make(&mut fixture, ada);
    let there = person::find(&fixture.store, ada, sample.tenant).unwrap();
    let hour = Duration::from_hours(1);
    let (_, begun) = session::begin(&there, session::Way::Link, None, hour, NOW, &mut fixture.rng);
    session::keep(&fixture.store, &begun).unwrap();
    let key = [("key", "team".into())];
    let written: Result<(), StoreError> = fixture
        .store
        .transaction(&Caller::house_for(sample.tenant), |rows| rows.insert("spend_tag_keys", &key));
    written.unwrap();
    let before = rows_of(&fixture.store, sample.tenant);
    assert!(
        before.contains_key("session.tenant_id") && before.contains_key("spend_tag_keys.tenant"),
        "{before:?}"
    );

    remove(&fixture.store).unwrap();

    assert_eq!(rows_of(&fixture.store, sample.tenant), BTreeMap::new());
    assert_eq!(rows_of(&fixture.store, fixture.tenant.id), own);
    assert_eq!(find(&fixture.store).unwrap(), None);
    let people = fixture.store.snapshot(&Caller::house(), |rows| user::find(rows, "ada@example.com"));
    assert_eq!(people.unwrap().map(|user| user.id), Some(ada));
}
