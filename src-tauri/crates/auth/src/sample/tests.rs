//! Tests that create and remove the sample data's tenant in a real database.

use super::{
    Contents, ImportedFile, RowCount, Sample, contents, find, find_or_create, refuses_files, remove, tables,
    tenant_columns,
};
use crate::tests::{Fixture, NOW};
use crate::{person, session, tenancy, user};
use catalogue::{Caller, Role, ValueRef};
use std::collections::BTreeMap;
use std::time::Duration;
use store::{Store, StoreError, eq};
use uuid::Uuid;

/// The number of rows of a tenant, by table and column.
fn rows_of(store: &Store, tenant: Uuid) -> BTreeMap<String, u64> {
    let counted: Result<_, StoreError> = store.snapshot(&Caller::system(), |rows| {
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
    let named = tenancy::find_or_create(&fixture.store, "Sample data", NOW, &mut fixture.rng).unwrap().0.id;
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
    let (_, begun) = session::begin(&there, session::SignInMethod::Link, None, hour, NOW, &mut fixture.rng);
    session::keep(&fixture.store, &begun).unwrap();
    let key = [("key", "team".into())];
    let written: Result<(), StoreError> = fixture
        .store
        .transaction(&Caller::system_for(sample.tenant), |rows| rows.insert("spend_tag_keys", &key));
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
    let people = fixture.store.snapshot(&Caller::system(), |rows| user::find(rows, "ada@example.com"));
    assert_eq!(people.unwrap().map(|user| user.id), Some(ada));
}

#[test]
fn files_are_refused_in_the_tenant_of_the_sample_and_nowhere_else() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    assert_eq!(refuses_files(&fixture.store, fixture.tenant.id).unwrap(), None);
    let (sample, _) = make(&mut fixture, ada);
    let why = refuses_files(&fixture.store, sample.tenant).unwrap().unwrap();
    assert!(why.contains("\"Sample data\"") && why.contains("removed with it"), "{why}");
    assert_eq!(refuses_files(&fixture.store, fixture.tenant.id).unwrap(), None);
}

#[test]
fn what_goes_with_the_sample_is_counted_by_kind_and_files_of_a_person_are_named() {
    let mut fixture = Fixture::new();
    let ada = fixture.add("ada@example.com", Role::TenantAdmin);
    assert_eq!(contents(&fixture.store).unwrap(), Contents::default());
    let (sample, _) = make(&mut fixture, ada);
    assert_eq!(
        contents(&fixture.store).unwrap(),
        Contents::default(),
        "an empty tenant holds nothing of anybody"
    );
    let written: Result<(), StoreError> =
        fixture.store.transaction(&Caller::system_for(sample.tenant), |rows| {
            let group = [("name", "Team".into()), ("description", "".into()), ("owner", ValueRef::Uuid(ada))];
            rows.insert("user_groups", &group)?;
            for (id, name, count) in
                [(sample.import, "sample.csv", 3_220), (Uuid::from_u128(7), "mine.csv", 12)]
            {
                let row = [
                    ("id", ValueRef::Uuid(id)),
                    ("file_name", name.into()),
                    ("size_bytes", ValueRef::Int(1)),
                    ("sha256", "".into()),
                    ("rows_written", ValueRef::Int(count)),
                ];
                rows.insert("imports", &row)?;
            }
            Ok(())
        });
    written.unwrap();
    let held = contents(&fixture.store).unwrap();
    assert_eq!(held.rows, [RowCount { kind: "record", count: 1 }]);
    assert_eq!(held.imported, [ImportedFile { name: "mine.csv".to_owned(), rows: 12 }]);
}
