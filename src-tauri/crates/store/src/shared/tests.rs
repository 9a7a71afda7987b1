//! Tests of shared values on real files.

use crate::schema::{apply, state};
use crate::{DatabaseFile, MigrationStep, OpenError, Store, StoreError, eq, is_null};
use catalogue::{Caller, Catalogue, Source, Value, ValueRef};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const COLUMNS: &str = r#"
  id: uuid! @key @default(call: random_uuid)
  number: Int! @default(value: 0)
  kind: String
  words: String
  until: timestamp
  unit: String @default(value: "USD")
  labels: jsonb
"#;
const DESCRIPTION: &str = "a description that is long enough to be worth it";

fn catalogue(shared: &str, migrations: &[(&str, &str)]) -> Arc<Catalogue> {
    let table = format!(
        "\"A charge.\"\ntype charge @table(scope: everyone) @unique(name: \"charge_number\", columns: [\"number\"]) {shared} {{{COLUMNS}}}"
    );
    let mut sources = vec![Source { name: "tables/cost.graphql", text: &table }];
    sources.extend(migrations.iter().map(|(name, text)| Source { name, text }));
    Arc::new(Catalogue::parse(&sources).unwrap())
}

const SHARED: &str = "@shared(group: \"offer\", columns: [\"unit\", \"words\", \"until\"]) @shared(group: \"labels\", columns: [\"labels\"])";

fn sharing() -> Arc<Catalogue> {
    catalogue(SHARED, &[])
}

struct Database {
    folder: tempfile::TempDir,
    store: Store,
}

impl Database {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("test.db"), sharing()).unwrap();
        Self { folder, store }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("test.db")
    }

    /// Adds rows with these numbers; `words` returns the text of each.
    fn load(&self, numbers: std::ops::Range<i64>, words: impl Fn(i64) -> String) {
        let loaded: Result<(), StoreError> = self.store.load(&house(), "charge", 10, |rows| {
            let mut inserter = rows.inserter("charge", &["number", "words", "until", "labels"])?;
            for number in numbers.clone() {
                let text = words(number);
                let row = [
                    ValueRef::Int(number),
                    ValueRef::Text(&text),
                    ValueRef::Timestamp(7_000_000),
                    ValueRef::Json(r#"{"team":"a","stage":"production"}"#),
                ];
                inserter.insert(&row)?;
            }
            Ok(())
        });
        loaded.unwrap();
    }

    /// The types of a group's cells by row, and the number of shared cells.
    fn held(&self, group: &str) -> (Vec<String>, i64) {
        let connection = Connection::open(self.path()).unwrap();
        let sql = format!("SELECT typeof(\"#{group}\") FROM charge ORDER BY number");
        let mut statement = connection.prepare(&sql).unwrap();
        let kinds = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let count = "SELECT count(*) FROM \"shared#values\"";
        (kinds, connection.query_row(count, [], |row| row.get(0)).unwrap())
    }
}

fn house() -> Caller {
    Caller::system()
}

fn rows(store: &Store) -> Vec<Vec<Value>> {
    let columns = ["number", "words", "until", "unit", "labels"];
    let found: Result<_, StoreError> = store.snapshot(&house(), |rows| rows.select("charge", &columns, &[]));
    let mut found = found.unwrap();
    found.sort_by_key(|row| format!("{:?}", row[0]));
    found
}

fn row(number: i64, words: &str) -> Vec<Value> {
    let text = |text: &str| Value::Text(text.to_owned());
    let labels = Value::Json(r#"{"team":"a","stage":"production"}"#.to_owned());
    vec![Value::Int(number), text(words), Value::Timestamp(7_000_000), text("USD"), labels]
}

#[test]
fn what_comes_a_second_time_is_held_once_and_reads_as_before() {
    let database = Database::new();
    database.load(0..6, |number| format!("{DESCRIPTION} {}", number % 2));
    let wanted: Vec<_> = (0..6).map(|number| row(number, &format!("{DESCRIPTION} {}", number % 2))).collect();
    assert_eq!(rows(&database.store), wanted);
    let (kinds, count) = database.held("offer");
    assert_eq!(kinds, ["blob", "blob", "integer", "integer", "integer", "integer"]);
    // Two descriptions and one set of labels.
    assert_eq!(count, 3);
    // Another process, and another import.
    let other = Store::open(&database.path(), sharing()).unwrap();
    assert_eq!(rows(&other), wanted);
    database.load(6..7, |_| format!("{DESCRIPTION} 0"));
    assert_eq!(rows(&other)[6], row(6, &format!("{DESCRIPTION} 0")));
    assert_eq!(
        database.held("offer"),
        (
            ["blob", "blob", "integer", "integer", "integer", "integer", "integer"].map(str::to_owned).into(),
            3
        )
    );
}

#[test]
fn short_cells_stay_in_their_rows_and_none_take_no_room() {
    let database = Database::new();
    let loaded: Result<(), StoreError> = database.store.load(&house(), "charge", 10, |rows| {
        let mut inserter = rows.inserter("charge", &["number", "unit", "labels"])?;
        for number in 0..3 {
            inserter.insert(&[ValueRef::Int(number), ValueRef::Null, ValueRef::Json("{}")])?;
        }
        Ok(())
    });
    loaded.unwrap();
    assert_eq!(database.held("offer"), (vec!["null".to_owned(); 3], 0));
    assert_eq!(database.held("labels"), (vec!["blob".to_owned(); 3], 0));
}

#[test]
fn rows_are_found_changed_and_told_apart_by_shared_columns() {
    let database = Database::new();
    let store = &database.store;
    database.load(0..4, |number| format!("{DESCRIPTION} {}", number % 2));
    let words = format!("{DESCRIPTION} 1");
    let changed: Result<u64, StoreError> = store.transaction(&house(), |rows| {
        let set = [("unit", ValueRef::Text("EUR")), ("until", ValueRef::Null), ("kind", ValueRef::Text("x"))];
        rows.update("charge", &[eq("words", words.as_str()), eq("number", ValueRef::Int(3))], &set)
    });
    assert_eq!(changed.unwrap(), 1);
    let found: Result<_, StoreError> = store.snapshot(&house(), |rows| {
        rows.select("charge", &["number", "words", "unit", "kind"], &[is_null("until")])
    });
    let text = |text: &str| Value::Text(text.to_owned());
    assert_eq!(found.unwrap(), [vec![Value::Int(3), text(&words), text("EUR"), text("x")]]);
    // The row that shared its cells is unchanged.
    assert_eq!(rows(store)[1], row(1, &words));
    let count: Result<u64, StoreError> =
        store.snapshot(&house(), |rows| rows.count("charge", &[eq("words", words.as_str())]));
    assert_eq!(count.unwrap(), 2);
}

#[test]
fn a_row_that_is_there_is_overwritten_column_by_column() {
    let database = Database::new();
    let store = &database.store;
    database.load(0..3, |_| DESCRIPTION.to_owned());
    let upserted: Result<(), StoreError> = store.transaction(&house(), |rows| {
        let cells = |number, words| [("number", ValueRef::Int(number)), ("words", ValueRef::Text(words))];
        rows.upsert("charge", &["number"], &cells(2, "new"), &[])?;
        rows.upsert("charge", &["number"], &cells(1, "not written"), &["words"])?;
        rows.upsert("charge", &["number"], &cells(9, "added"), &[])
    });
    upserted.unwrap();
    let rows = rows(store);
    assert_eq!(rows[1], row(1, DESCRIPTION));
    assert_eq!(rows[2], row(2, "new"));
    let text = |text: &str| Value::Text(text.to_owned());
    assert_eq!(rows[3], [Value::Int(9), text("added"), Value::Null, text("USD"), Value::Null]);
}

#[test]
fn what_a_transaction_adds_is_read_in_it_and_gone_with_it() {
    let database = Database::new();
    let store = &database.store;
    let refused: Result<(), StoreError> = store.transaction(&house(), |rows| {
        let mut inserter = rows.inserter("charge", &["number", "words"])?;
        for number in 0..3 {
            inserter.insert(&[ValueRef::Int(number), ValueRef::Text(DESCRIPTION)])?;
        }
        drop(inserter);
        assert_eq!(rows.count("charge", &[eq("words", DESCRIPTION)])?, 3);
        Err(StoreError::Denied)
    });
    assert!(refused.is_err());
    assert_eq!(database.held("offer"), (Vec::new(), 0));
    database.load(0..3, |_| DESCRIPTION.to_owned());
    assert_eq!(rows(store).len(), 3);
    assert_eq!(rows(store)[2], row(2, DESCRIPTION));
}

#[test]
fn cells_whose_number_others_have_are_held_by_their_rows() {
    let database = Database::new();
    database.load(0..2, |_| DESCRIPTION.to_owned());
    // Simulates other cells with the same number.
    let connection = Connection::open(database.path()).unwrap();
    connection
        .execute("UPDATE \"shared#values\" SET \"cells\" = CAST(x'0301' || \"cells\" AS BLOB)", [])
        .unwrap();
    connection.execute("DELETE FROM charge", []).unwrap();
    drop(connection);
    let other = Store::open(&database.path(), sharing()).unwrap();
    let database = Database { store: other, ..database };
    database.load(0..3, |_| DESCRIPTION.to_owned());
    assert_eq!(database.held("offer").0, ["blob", "blob", "blob"]);
    assert_eq!(rows(&database.store)[2], row(2, DESCRIPTION));
}

#[test]
fn cells_that_are_missing_are_an_error_and_not_nothing() {
    let database = Database::new();
    database.load(0..2, |_| DESCRIPTION.to_owned());
    Connection::open(database.path()).unwrap().execute("DELETE FROM \"shared#values\"", []).unwrap();
    let other = Store::open(&database.path(), sharing()).unwrap();
    let found: Result<Vec<_>, StoreError> =
        other.snapshot(&house(), |rows| rows.select("charge", &["words"], &[]));
    let message = format!("{:?}", found.unwrap_err());
    assert!(message.contains("are missing"), "{message}");
}

#[test]
fn the_check_tells_what_is_missing_and_repair_removes_what_nobody_needs() {
    let database = Database::new();
    let store = &database.store;
    database.load(0..3, |_| DESCRIPTION.to_owned());
    assert_eq!(store.check().unwrap(), Vec::<String>::new());
    store.repair_segments().unwrap();
    assert_eq!(database.held("offer").1, 2);
    let removed: Result<u64, StoreError> =
        store.transaction(&house(), |rows| rows.delete("charge", &[eq("number", ValueRef::Int(2))]));
    assert_eq!(removed.unwrap(), 1);
    let words = [("words", ValueRef::Text("other"))];
    let changed: Result<u64, StoreError> =
        store.transaction(&house(), |rows| rows.update("charge", &[eq("number", ValueRef::Int(1))], &words));
    assert_eq!(changed.unwrap(), 1);
    store.repair_segments().unwrap();
    // The labels of row 1 are still shared.
    assert_eq!(database.held("labels").1, 1);
    assert_eq!(rows(store), [row(0, DESCRIPTION), row(1, "other")]);
    Connection::open(database.path()).unwrap().execute("DELETE FROM \"shared#values\"", []).unwrap();
    let faults = store.check().unwrap();
    assert_eq!(faults, ["1 rows of charge refer to shared cells that are missing (\"#labels\")"]);
}

#[test]
fn one_file_is_left_when_the_database_is_closed() {
    let database = Database::new();
    database.load(0..3, |_| DESCRIPTION.to_owned());
    let Database { folder, store } = database;
    drop(store);
    let store = Store::open(&folder.path().join("test.db"), sharing()).unwrap();
    // Shared cells are looked up through a separate connection.
    assert_eq!(rows(&store).len(), 3);
    drop(store);
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["test.db"]);
}

fn words_of(path: &Path, catalogue: &Arc<Catalogue>) -> Vec<Vec<Value>> {
    rows(&Store::open(path, Arc::clone(catalogue)).unwrap())
}

#[test]
fn a_database_that_shared_nothing_is_brought_to_share_and_back_in_another_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let plain = catalogue("", &[]);
    let store = Store::open(&path, Arc::clone(&plain)).unwrap();
    let filled: Result<(), StoreError> = store.load(&house(), "charge", 10, |rows| {
        let mut inserter = rows.inserter("charge", &["number", "words", "until", "labels"])?;
        for number in 0..5 {
            let words = ValueRef::Text(if number == 4 { "alone" } else { DESCRIPTION });
            let labels = ValueRef::Json(r#"{"team":"a","stage":"production"}"#);
            inserter.insert(&[ValueRef::Int(number), words, ValueRef::Timestamp(7_000_000), labels])?;
        }
        Ok(())
    });
    filled.unwrap();
    let before = rows(&store);
    drop(store);

    let refused = Store::open(&path, sharing()).map(drop).unwrap_err();
    let OpenError::NeedsMigration { differences, .. } = refused else { panic!("{refused:?}") };
    let named: Vec<_> = differences.iter().filter_map(|one| one.column.as_deref()).collect();
    assert_eq!(named, ["labels", "unit", "until", "words", "#offer", "#labels"]);

    let first = ("migrations/0002_share.sql", "-- rebuild: charge\n");
    let (step, steps) = std::sync::mpsc::channel();
    let file = DatabaseFile::open(&path).unwrap().with_progress(move |what| step.send(what).unwrap());
    assert_eq!(rows(&Store::open_file(file, catalogue(SHARED, &[first])).unwrap()), before);
    let copied = |done| MigrationStep::Rows { table: "charge".to_owned(), done, all: 5 };
    let wanted = [MigrationStep::Copy, copied(0), copied(2), copied(4), MigrationStep::References];
    assert_eq!(steps.into_iter().collect::<Vec<_>>(), wanted);
    let other = "@shared(group: \"offer\", columns: [\"until\", \"kind\", \"words\"])";
    let second = ("migrations/0003_share_otherwise.sql", "-- rebuild: charge\n");
    let otherwise = catalogue(other, &[first, second]);
    assert_eq!(words_of(&path, &otherwise), before);
    let file = DatabaseFile::open(&path).unwrap();
    let found = state(&file, &otherwise).unwrap();
    assert_eq!((found.differences, found.additions, found.pending), (vec![], vec![], vec![]));
    drop(file);
    let third = ("migrations/0004_share_nothing.sql", "-- rebuild: charge\n");
    let mut file = DatabaseFile::open(&path).unwrap();
    let nothing = catalogue("", &[first, second, third]);
    apply(&mut file, &nothing, false).unwrap();
    drop(file);
    assert_eq!(words_of(&path, &nothing), before);
}
