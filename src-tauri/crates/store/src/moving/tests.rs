//! Moves rows from SQLite to PostgreSQL and back.

use super::{MoveError, TargetState, compare, into_file, into_postgres, over_postgres, preview};
use crate::backend::Backend;
use crate::driver::postgres::PATIENCE;
use crate::{OpenError, Store, StoreError, eq, schema};
use catalogue::{Caller, Catalogue, Decimal, Source, Value, ValueRef};
use std::path::Path;
use std::sync::Arc;
use uuid::Uuid;

const TABLES: &str = r#"
"A house that owns rows."
type tenant @table(tenant: "id") { id: uuid! @key  name: citext! }
"One column of each type."
type thing @table(tenant: "tenant", account: all) {
  id: uuid! @key @default(call: random_uuid)
  tenant: uuid! @references(table: "tenant")
  above: uuid @references(table: "thing")
  name: String!
  label: citext
  price: numeric
  weight: float8
  count: Int
  many: bigint
  is_new: Boolean
  seen: timestamp
  made: timestamptz
  day: date
  about: jsonb
  tags: json
}
"#;
const ACME: Uuid = Uuid::from_u128(0xA);

fn catalogue() -> Arc<Catalogue> {
    Arc::new(Catalogue::parse(&[Source { name: "tables/a.graphql", text: TABLES }]).unwrap())
}

fn open(folder: &Path) -> Store {
    Store::open(&folder.join("a.db"), catalogue()).unwrap()
}

fn add(store: &Store, name: &str, cells: &[(&str, ValueRef<'_>)]) -> Result<(), StoreError> {
    let row = [&[("name", name.into())], cells].concat();
    store.transaction(&Caller::system_for(ACME), |rows| rows.insert("thing", &row))
}

/// A database with values at the limits of their types.
fn filled(folder: &Path) -> Store {
    let store = open(folder);
    let tenant = [("id", ACME.into()), ("name", "Äcme".into())];
    store
        .transaction(&Caller::system(), |rows| rows.insert("tenant", &tenant))
        .map_err(|error: StoreError| error)
        .unwrap();
    let decimal = |text: &str| ValueRef::Decimal(Decimal::parse(text).unwrap());
    let (first, second) = (Uuid::from_u128(1), Uuid::from_u128(2));
    // They refer to each other: no insertion order satisfies the foreign keys.
    let above = |id: Uuid, above: Uuid| [("id", id.into()), ("above", above.into())];
    store
        .transaction(&Caller::system_for(ACME), |rows| {
            for (id, to, name) in [(first, second, "one"), (second, first, "two")] {
                rows.insert("thing", &[&above(id, to)[..], &[("name", name.into())]].concat())?;
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
    let edges: [&[(&str, ValueRef<'_>)]; 5] = [
        &[("label", "with\0zero\u{1}".into()), ("about", ValueRef::Json(r#"{"a\u0000":"\u0001"}"#))],
        &[
            ("price", decimal("12345678901234567890.000000000000000001")),
            ("weight", ValueRef::Float(0.1)),
            ("count", 7.into()),
            ("many", ValueRef::Int(i64::MAX)),
            ("is_new", ValueRef::Bool(true)),
        ],
        &[
            ("price", decimal("-0.0000000000000000000000000001")),
            ("weight", ValueRef::Float(-1e300)),
            ("many", ValueRef::Int(-5)),
            ("seen", ValueRef::Timestamp(-1)),
            ("made", ValueRef::Timestamp(253_402_300_799_999_999)),
            ("day", ValueRef::Date(-719_162)),
        ],
        &[
            ("about", ValueRef::Json(r#"{"b":1.50,"a":[null,"ü\u0001"],"b2":{}}"#)),
            ("tags", ValueRef::Json(r#"["x","y"]"#)),
            ("label", "Straße".into()),
        ],
        &[("label", "".into()), ("weight", ValueRef::Float(-0.0))],
    ];
    for (place, cells) in edges.iter().enumerate() {
        add(&store, &format!("edge {place} \t\n\\ \u{1F600}"), cells).unwrap();
    }
    for number in 0..300_i64 {
        add(&store, "many", &[("price", ValueRef::Decimal(Decimal::from(number))), ("many", number.into())])
            .unwrap();
    }
    store
}

fn rows(store: &Store) -> Vec<Vec<Value>> {
    let columns = [
        "id", "name", "label", "price", "weight", "many", "is_new", "seen", "made", "day", "about", "tags",
        "above",
    ];
    let read = |rows: &crate::Transaction<'_>| rows.select("thing", &columns, &[]);
    let mut rows: Vec<Vec<Value>> = store.snapshot(&Caller::system(), read).unwrap();
    rows.sort_by_key(|row| row[0].as_uuid());
    rows
}

#[test]
fn every_cell_arrives_and_comes_back() {
    let Some(url) = testkit::postgres::database() else { return };
    let folder = tempfile::tempdir().unwrap();
    let source = filled(folder.path());
    let mut heard = Vec::new();
    let moved = into_postgres(&source, &url, &mut |table| heard.push(table.table.clone())).unwrap();
    assert!(!moved.already_equal);
    assert_eq!(heard, ["tenant", "thing"]);
    let things = &moved.tables[1];
    assert_eq!((things.source.rows, things.is_equal()), (307, true));
    let sums = &things.target.sums;
    assert!(sums.contains(&("many".to_owned(), "9223372036854820652".to_owned())), "{sums:?}");
    assert!(
        sums.contains(&("price".to_owned(), "12345678901234612740.0000000000000000009999999999".to_owned())),
        "{sums:?}"
    );
    let target = Store::open_postgres(&url, catalogue()).unwrap();
    assert_eq!(rows(&target), rows(&source));
    // A second move reports this and changes nothing.
    assert!(into_postgres(&source, &url, &mut |_| ()).unwrap().already_equal);
    // Foreign keys and indices exist again.
    let orphan = add(&target, "orphan", &[("above", Uuid::from_u128(99).into())]);
    assert!(matches!(orphan, Err(StoreError::ForeignKey(_))), "{orphan:?}");
    let path = folder.path().join("back.db");
    let back = into_file(&target, &path, &mut |_| ()).unwrap();
    assert_eq!(back.tables, moved.tables);
    let back = Store::open(&path, catalogue()).unwrap();
    assert_eq!(rows(&back), rows(&source));
    assert!(into_file(&target, &path, &mut |_| ()).unwrap().already_equal);
}

#[test]
fn a_target_with_other_data_is_refused() {
    let Some(url) = testkit::postgres::database() else { return };
    let folder = tempfile::tempdir().unwrap();
    let source = filled(folder.path());
    into_postgres(&source, &url, &mut |_| ()).unwrap();
    let target = Store::open_postgres(&url, catalogue()).unwrap();
    let change = [("weight", ValueRef::Float(2.5))];
    target
        .transaction(&Caller::system_for(ACME), |rows| rows.update("thing", &[eq("name", "one")], &change))
        .unwrap();
    let error = into_postgres(&source, &url, &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("(thing has other values)"), "{error}");
    add(&target, "one more", &[]).unwrap();
    let error = into_file(&target, &folder.path().join("a.db"), &mut |_| ()).unwrap_err();
    let said = "holds other data than the source (thing has 308 rows in the source and 307 in the target)";
    assert!(error.to_string().contains(said), "{error}");
    assert_eq!(compare(&target, &target).unwrap().len(), 2);
}

#[test]
fn what_was_cut_off_is_not_opened_and_is_finished_by_the_next_run() {
    let Some(url) = testkit::postgres::database() else { return };
    let folder = tempfile::tempdir().unwrap();
    let source = filled(folder.path());
    // The state after a kill between the mark and the end.
    let begun = Store::open_postgres(&url, catalogue()).unwrap();
    let Backend::Postgres(connections) = &begun.backend else { panic!("it is PostgreSQL") };
    connections.transaction(PATIENCE, schema::postgres::begin_filling).unwrap();
    drop(begun);
    let refused = Store::open_postgres(&url, catalogue()).err().unwrap();
    assert!(matches!(refused, OpenError::Unfinished { .. }), "{refused}");
    assert!(!into_postgres(&source, &url, &mut |_| ()).unwrap().already_equal);
    let path = folder.path().join("new.db");
    std::fs::write(crate::driver::database_file::draft_of(&path), "half").unwrap();
    let refused = Store::open(&path, catalogue()).err().unwrap();
    assert!(matches!(refused, OpenError::Unfinished { .. }), "{refused}");
    let target = Store::open_postgres(&url, catalogue()).unwrap();
    into_file(&target, &path, &mut |_| ()).unwrap();
    Store::open(&path, catalogue()).unwrap();
}

#[test]
fn what_postgresql_cannot_hold_is_named_and_leaves_the_target_unused() {
    let Some(url) = testkit::postgres::database() else { return };
    let folder = tempfile::tempdir().unwrap();
    let source = filled(folder.path());
    add(&source, "no JSON", &[("tags", ValueRef::Json("{"))]).unwrap();
    let error = into_postgres(&source, &url, &mut |_| ()).unwrap_err();
    assert!(matches!(&error, MoveError::Rows { table, .. } if table == "thing"), "{error}");
    let refused = Store::open_postgres(&url, catalogue()).err().unwrap();
    assert!(matches!(refused, OpenError::Unfinished { .. }), "{refused}");
}

#[test]
fn rows_are_replaced_as_a_whole_or_not_at_all() {
    let Some(url) = testkit::postgres::database() else { return };
    let folder = tempfile::tempdir().unwrap();
    let source = filled(folder.path());
    into_postgres(&source, &url, &mut |_| ()).unwrap();
    let target = || Store::open_postgres(&url, catalogue()).unwrap();
    add(&target(), "of the target alone", &[]).unwrap();
    let count = |store: &Store| {
        store.snapshot::<_, StoreError>(&Caller::system(), |rows| rows.count("thing", &[])).unwrap()
    };
    assert_eq!(count(&target()), 308);
    assert!(matches!(into_postgres(&source, &url, &mut |_| ()), Err(MoveError::HoldsOther { .. })));
    // A failure keeps the previous rows, and the database remains usable.
    let other = tempfile::tempdir().unwrap();
    let wrong = filled(other.path());
    add(&wrong, "no JSON", &[("tags", ValueRef::Json("{"))]).unwrap();
    let error = over_postgres(&wrong, &url, &mut |_| ()).unwrap_err();
    assert!(matches!(&error, MoveError::Rows { table, .. } if table == "thing"), "{error}");
    assert_eq!(count(&target()), 308);
    assert!(!over_postgres(&source, &url, &mut |_| ()).unwrap().already_equal);
    assert_eq!(rows(&target()), rows(&source));
    let orphan = add(&target(), "orphan", &[("above", Uuid::from_u128(99).into())]);
    assert!(matches!(orphan, Err(StoreError::ForeignKey(_))), "{orphan:?}");
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let Some(url) = testkit::postgres::database() else { return };
    let other = crate::driver::postgres::Session::open(&url.parse().unwrap()).unwrap();
    other.run("CREATE TABLE tenant (number int)").unwrap();
    let refused = Store::open_postgres(&url, catalogue()).err().unwrap();
    assert!(matches!(refused, OpenError::NotOurs { .. }), "{refused}");
}

#[test]
fn a_preview_says_what_would_be_moved_and_what_is_there_and_changes_nothing() {
    let Some(url) = testkit::postgres::database() else { return };
    let folder = tempfile::tempdir().unwrap();
    let source = filled(folder.path());
    let found = preview(&source, &url).unwrap();
    assert_eq!((found.target, &found.problems[..]), (TargetState::Empty, &[][..]));
    assert_eq!(found.tables, [("thing".to_owned(), 307), ("tenant".to_owned(), 1)]);
    assert!(found.bytes > 4096 && !found.server_version.is_empty(), "{found:?}");
    assert_eq!(preview(&source, &url).unwrap(), found, "it was only looked at");
    into_postgres(&source, &url, &mut |_| ()).unwrap();
    let found = preview(&source, &url).unwrap();
    assert_eq!((found.target, found.problems.len()), (TargetState::Filled, 1), "{found:?}");
}

#[test]
fn a_preview_names_what_a_database_lacks() {
    let (Some(url), Some(unfinished)) = (testkit::postgres::database(), testkit::postgres::database()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let source = filled(folder.path());
    testkit::postgres::run(&url, "CREATE TABLE invoices (id int)");
    let found = preview(&source, &url).unwrap();
    assert_eq!(found.target, TargetState::Foreign);
    assert!(found.problems[0].contains("another program"), "{found:?}");
    testkit::postgres::run(
        &unfinished,
        "CREATE TABLE \"schema#state\" (key text, value text); INSERT INTO \"schema#state\" VALUES ('unfinished', '')",
    );
    let found = preview(&source, &unfinished).unwrap();
    assert_eq!((found.target, found.problems.len()), (TargetState::Unfinished, 0), "{found:?}");
    let error = preview(&source, "postgres://ada:s3cret@127.0.0.1:1/none").unwrap_err();
    assert_eq!(error.to_string(), "postgres://ada@127.0.0.1:1/none cannot be opened");
    let error = preview(&source, "mysql://ada:s3cret@host/none").unwrap_err().to_string();
    assert!(error.contains("is not an address of PostgreSQL") && !error.contains("s3cret"), "{error}");
}
