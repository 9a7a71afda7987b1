//! Access to rows by name, over a small catalogue and a real file.

#[cfg(unix)]
mod encryption;
mod list;
#[cfg(unix)]
mod postgres;

use crate::{OpenError, Store, StoreError, Transaction, eq, gt, one_of, steps};
use catalogue::{Caller, Catalogue, Decimal, Source, Value, ValueRef};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

const SCHEMA: &str = r#"
"A house that owns rows."
type tenant @table(tenant: "id") {
  id: uuid! @key
  name: citext!
}

"A thing with a price."
type thing @table(tenant: "tenant") @unique(name: "thing_name_key", columns: ["tenant", "name"], unless: "batch") {
  id: uuid! @key @default(call: random_uuid)
  tenant: uuid!
  name: String!
  batch: uuid
  price: numeric
  made: timestamptz! @default(call: now)
  is_new: Boolean! @default(value: true)
}

"A secret of the house."
type secret @table(scope: house, exposed: false) {
  id: uuid! @key
}

"A place whose tenant the interface has as text."
type place @table(tenant: "tenant_id") {
  name: String! @key
  tenant_id: String! @key
}

"A line of which a tenant has very many."
type line @table(tenant: "tenant") @index(columns: ["tenant", "at"]) {
  id: uuid! @key
  tenant: uuid!
  at: bigint!
}

"Colours."
enum colour @lookup { "Like the sky." blue }
"#;

const ACME: Uuid = Uuid::from_u128(0xA);
const UMBRELLA: Uuid = Uuid::from_u128(0xB);

fn catalogue(schema: &str) -> Arc<Catalogue> {
    let sources = [Source { name: "tables/cost.graphql", text: schema }];
    Arc::new(Catalogue::parse(&sources).unwrap())
}

fn open(folder: &Path, schema: &str) -> Result<Store, OpenError> {
    Ok(Store::open(&folder.join("test.db"), catalogue(schema))?.with_clock(|| 1_000_000))
}

fn acme() -> Caller {
    Caller::system_for(ACME)
}

fn insert(store: &Store, caller: &Caller, name: &str, price: &str) -> Result<(), StoreError> {
    store.transaction(caller, |rows| {
        let price = ValueRef::Decimal(Decimal::parse(price).unwrap());
        rows.insert("thing", &[("name", name.into()), ("price", price)])
    })
}

fn names(store: &Store, caller: &Caller) -> Vec<String> {
    let rows: Result<_, StoreError> = store.snapshot(caller, |rows| rows.select("thing", &["name"], &[]));
    let mut names: Vec<String> =
        rows.unwrap().into_iter().map(|row| row[0].as_text().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn an_insert_fills_tenant_and_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), SCHEMA).unwrap();
    insert(&store, &acme(), "lamp", "12.50").unwrap();
    let rows: Result<_, StoreError> = store.snapshot(&acme(), |rows| {
        rows.select("thing", &["tenant", "price", "made", "is_new", "batch"], &[eq("name", "lamp")])
    });
    let price = Value::Decimal(Decimal::parse("12.5").unwrap());
    let expected =
        vec![Value::Uuid(ACME), price, Value::Timestamp(1_000_000), Value::Bool(true), Value::Null];
    assert_eq!(rows.unwrap(), vec![expected]);
}

#[test]
fn rows_of_another_tenant_are_neither_read_nor_changed() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), SCHEMA).unwrap();
    let umbrella = Caller::system_for(UMBRELLA);
    insert(&store, &acme(), "lamp", "1").unwrap();
    insert(&store, &umbrella, "desk", "1").unwrap();
    let changed: Result<_, StoreError> = store.transaction(&acme(), |rows| {
        Ok((
            rows.update("thing", &[], &[("name", "mine".into())])?,
            rows.delete("thing", &[eq("name", "desk")])?,
        ))
    });
    assert_eq!(changed.unwrap(), (1, 0));
    assert_eq!(names(&store, &umbrella), ["desk"]);
    assert_eq!(names(&store, &Caller::system()), ["desk", "mine"]);
    for refused in [
        store.transaction(&acme(), |rows| {
            rows.insert("thing", &[("name", "x".into()), ("tenant", UMBRELLA.into())])
        }),
        store
            .transaction(&acme(), |rows| rows.update("thing", &[], &[("tenant", UMBRELLA.into())]).map(drop)),
        store.transaction(&acme(), |rows| rows.insert("secret", &[("id", ACME.into())])),
    ] {
        assert!(matches!(refused, Err(StoreError::Denied)), "{refused:?}");
    }
}

#[test]
fn decimals_compare_by_value_not_by_text() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), SCHEMA).unwrap();
    for (name, price) in [("a", "9"), ("b", "10"), ("c", "-3.5"), ("d", "9.000000000000000001")] {
        insert(&store, &acme(), name, price).unwrap();
    }
    let dear: Result<_, StoreError> = store.snapshot(&acme(), |rows| {
        rows.select("thing", &["name"], &[gt("price", Decimal::from(9))]).map(|rows| rows.len())
    });
    assert_eq!(dear.unwrap(), 2);
    let both: Result<_, StoreError> = store.snapshot(&acme(), |rows| {
        rows.count("thing", &[one_of("name", vec!["a".into(), "c".into(), "z".into()])])
    });
    assert_eq!(both.unwrap(), 2);
}

#[test]
fn an_upsert_overwrites_all_but_what_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), SCHEMA).unwrap();
    for (price, is_new) in [(1, true), (2, false)] {
        let row = [
            ("tenant", ACME.into()),
            ("name", "lamp".into()),
            ("price", Decimal::from(price).into()),
            ("is_new", is_new.into()),
        ];
        let written: Result<_, StoreError> =
            store.transaction(&acme(), |rows| rows.upsert("thing", &["tenant", "name"], &row, &["price"]));
        written.unwrap();
    }
    let rows: Result<_, StoreError> =
        store.snapshot(&acme(), |rows| rows.select("thing", &["price", "is_new"], &[]));
    assert_eq!(rows.unwrap(), vec![vec![Value::Decimal(Decimal::from(1)), Value::Bool(false)]]);
}

#[test]
fn a_constraint_is_named_as_in_the_interface_and_spares_batches() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), SCHEMA).unwrap();
    insert(&store, &acme(), "lamp", "1").unwrap();
    let again = insert(&store, &acme(), "lamp", "1").unwrap_err();
    assert_eq!(
        again.to_string(),
        "Uniqueness violation. duplicate key value violates unique constraint \"thing_name_key\""
    );
    let batched: Result<_, StoreError> = store.transaction(&acme(), |rows| {
        rows.insert("thing", &[("name", "lamp".into()), ("batch", ACME.into())])
    });
    batched.unwrap();
}

#[test]
fn a_transaction_that_fails_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), SCHEMA).unwrap();
    let failed: Result<(), StoreError> = store.transaction(&acme(), |rows| {
        rows.insert("thing", &[("name", "lamp".into())])?;
        rows.insert("thing", &[("name", ValueRef::Int(3))])
    });
    let message = failed.unwrap_err().to_string();
    assert_eq!(message, "thing.name cannot hold Int(3): expected String");
    assert!(names(&store, &acme()).is_empty());
}

#[test]
fn a_database_gains_what_the_catalogue_gains() {
    let folder = tempfile::tempdir().unwrap();
    insert(&open(folder.path(), SCHEMA).unwrap(), &acme(), "lamp", "1").unwrap();
    let grown = SCHEMA
        .replace("  is_new", "  note: String\n  is_new")
        .replace("blue }", "blue \"Like grass.\" green }")
        + "\"More.\"\ntype more @table(tenant: \"tenant\") { id: uuid! @key tenant: uuid! }";
    let store = open(folder.path(), &grown).unwrap();
    let rows: Result<_, StoreError> = store.snapshot(&Caller::system(), |rows| {
        Ok((
            rows.select("thing", &["name", "note"], &[])?.len(),
            rows.count("more", &[])?,
            rows.count("colour", &[])?,
        ))
    });
    assert_eq!(rows.unwrap(), (1, 0, 2));
    drop(store);
    let older = open(folder.path(), SCHEMA).map(drop).unwrap_err().to_string();
    assert!(older.contains("more: the database has it, the catalogue does not"), "{older}");
    assert!(older.contains("thing.note: the database has it, the catalogue does not"), "{older}");
}

#[test]
fn a_change_of_type_asks_for_a_migration() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path(), SCHEMA).unwrap();
    let changed = SCHEMA.replace("price: numeric", "price: Int");
    let refused = open(folder.path(), &changed).map(drop).unwrap_err().to_string();
    assert!(refused.contains("thing.price: the database has TEXT COLLATE DECIMAL"), "{refused}");
}

#[test]
fn a_file_of_another_kind_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    std::fs::write(&path, "a letter to my aunt, longer than a database's first hundred bytes, so that it is read as one: hello, how are you?").unwrap();
    let refused = open(folder.path(), SCHEMA).map(drop).unwrap_err();
    assert!(matches!(refused, OpenError::NotOurs { .. }), "{refused:?}");
    assert!(std::fs::read_to_string(path).unwrap().starts_with("a letter"));
}

#[test]
fn a_tenant_held_as_text_is_kept_apart_too() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), SCHEMA).unwrap();
    for (tenant, name) in [(ACME, "here"), (UMBRELLA, "there")] {
        let written: Result<_, StoreError> = store
            .transaction(&Caller::system_for(tenant), |rows| rows.insert("place", &[("name", name.into())]));
        written.unwrap();
    }
    let seen: Result<_, StoreError> =
        store.snapshot(&acme(), |rows| rows.select("place", &["name", "tenant_id"], &[]));
    assert_eq!(seen.unwrap(), vec![vec![Value::Text("here".to_owned()), Value::Text(ACME.to_string())]]);
}

#[test]
fn a_database_that_lacks_nothing_is_opened_while_another_program_writes() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), SCHEMA).unwrap();
    insert(&store, &acme(), "lamp", "1").unwrap();
    let seen: Result<_, StoreError> = store.transaction(&acme(), |rows| {
        rows.delete("thing", &[])?;
        Ok(names(&open(folder.path(), SCHEMA).unwrap(), &acme()))
    });
    assert_eq!(seen.unwrap(), ["lamp"]);
}

#[test]
fn who_waits_for_others_with_an_end_hears_that_they_write_and_has_changed_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), SCHEMA).unwrap();
    let elsewhere = open(folder.path(), SCHEMA).unwrap();
    let tries = |store: &Store| {
        store.transaction_within(&acme(), Duration::ZERO, |rows| {
            rows.insert("thing", &[("name", "lamp".into())])
        })
    };
    let held: Result<_, StoreError> = store.transaction(&acme(), |_| Ok([tries(&store), tries(&elsewhere)]));
    for refused in held.unwrap() {
        assert!(matches!(refused, Err(StoreError::Busy { seconds: 0 })), "{refused:?}");
    }
    assert!(names(&store, &acme()).is_empty());
    tries(&store).unwrap();
    assert_eq!(names(&store, &acme()), ["lamp"]);
}

/// A store whose table has a non-unique index.
fn with_index(folder: &Path) -> Store {
    let schema =
        SCHEMA.replace("unless: \"batch\")", "unless: \"batch\") @index(columns: [\"tenant\", \"price\"])");
    open(folder, &schema).unwrap()
}

/// The names of the table's indices.
fn indices(store: &Store) -> Vec<String> {
    let found: Result<_, StoreError> = store.backend.sqlite().unwrap().read(|connection, _| {
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'thing' ORDER BY name";
        let mut statement = connection.prepare(sql).unwrap();
        let names = statement.query_map([], |row| row.get(0)).unwrap();
        Ok(names.collect::<Result<_, _>>().unwrap())
    });
    found.unwrap()
}

#[test]
fn a_load_leaves_rows_and_indices_as_a_transaction_would() {
    let folder = tempfile::tempdir().unwrap();
    let store = with_index(folder.path());
    let before = indices(&store);
    let loaded: Result<_, StoreError> = store.load(&acme(), "thing", 1_000_000, |rows| {
        rows.insert("thing", &[("name", "lamp".into())])?;
        rows.restore_indices()?;
        rows.count("thing", &[])
    });
    assert_eq!(loaded.unwrap(), 1);
    assert_eq!(indices(&store), before);
    let failed: Result<(), StoreError> =
        store.load(&acme(), "thing", 1_000_000, |rows| rows.insert("thing", &[("name", ValueRef::Int(1))]));
    assert!(failed.is_err());
    assert_eq!((indices(&store), names(&store, &acme())), (before, vec!["lamp".to_owned()]));
}

#[test]
fn indices_that_were_taken_down_stand_at_the_end_whatever_failed_between() {
    let folder = tempfile::tempdir().unwrap();
    let store = with_index(folder.path());
    let before = indices(&store);
    let fail = |work: &dyn Fn() -> Result<(), StoreError>| -> Result<(), StoreError> {
        work()?;
        Err(StoreError::Denied)
    };
    let work = |rows: &Transaction<'_>| -> Result<(), StoreError> {
        let down = || rows.suspend_indices("thing", 1_000_000).map(|are_down| assert!(are_down));
        assert!(rows.attempt(|| fail(&down)).is_err());
        down()?;
        down()?;
        assert!(rows.attempt(|| fail(&|| rows.restore_indices())).is_err());
        rows.insert("thing", &[("name", "lamp".into())])
    };
    store.large_transaction(&acme(), work).unwrap();
    assert_eq!((indices(&store), names(&store, &acme())), (before, vec!["lamp".to_owned()]));
}

#[test]
fn indices_stay_where_few_rows_come() {
    let folder = tempfile::tempdir().unwrap();
    let store = with_index(folder.path());
    let are_down = |rows: &Transaction<'_>| rows.suspend_indices("thing", 19_999);
    assert!(!store.large_transaction(&acme(), are_down).unwrap());
}

#[test]
fn a_folder_that_is_not_there_is_told_as_one_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let refused = open(&folder.path().join("nowhere"), SCHEMA).map(drop).unwrap_err();
    assert!(matches!(refused, OpenError::Cannot { cause: StoreError::ReadOnly, .. }), "{refused:?}");
}

#[test]
fn a_list_of_keys_is_looked_up_however_many_rows_the_tenant_has() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), SCHEMA).unwrap();
    let cost_beside = |others: u128| -> Result<u64, StoreError> {
        store.transaction(&acme(), |rows| {
            let mut inserter = rows.inserter("line", &["id", "at"])?;
            for number in 0..others {
                inserter.insert(&[Uuid::from_u128(others + number).into(), ValueRef::Int(0)])?;
            }
            let before = steps();
            let keys = (0..100).map(|number| Uuid::from_u128(number).into()).collect();
            let found = rows.select("line", &["id"], &[one_of("id", keys)])?;
            assert_eq!(found.len(), 0);
            Ok(steps() - before)
        })
    };
    let (few, many) = (cost_beside(100).unwrap(), cost_beside(10_000).unwrap());
    assert!(many < few * 2, "{many} steps beside 10,100 rows, {few} beside 100");
}
