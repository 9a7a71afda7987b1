//! Opens databases whose schema differs from the catalogue.

use super::{Difference, DifferenceKind, apply, state};
use crate::{DatabaseFile, OpenError};
use catalogue::{Catalogue, Source};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

const BEFORE: &str = r#"
"A ship."
type ship @table(scope: everyone) @index(columns: ["port"]) @marked(columns: ["name"]) {
  id: Int! @key
  name: String!
  port: Int @references(table: "port")
  flag: String
  draft: Int! @default(value: 3)
}
"A port."
type port @table(scope: everyone) { id: Int! @key name: String! }
"What is gone."
type buoy @table(scope: everyone) { id: Int! @key }
"#;

/// One change of each kind that needs a migration.
const AFTER: &str = r#"
"A ship."
type ship @table(scope: everyone) @index(columns: ["colours"]) @marked(columns: ["name"]) {
  id: Int! @key
  name: String
  port: Int @references(table: "port", on_delete: cascade)
  colours: String!
  draft: Int! @default(value: 4)
}
"A port."
type port @table(scope: everyone) { id: Int! @key name: String! }
"#;

const MIGRATION: &str = "-- rebuild: ship\n-- drop: ship.flag\n-- drop: buoy\n\
    SELECT 'no flag: ' || name FROM ship WHERE flag IS NULL;\n\
    UPDATE ship SET colours = coalesce(flag, 'none');\n";

fn catalogue(tables: &str, migrations: &[(&str, &str)]) -> Catalogue {
    let mut sources = vec![Source { name: "tables/sea.graphql", text: tables }];
    sources.extend(migrations.iter().map(|(name, text)| Source { name, text }));
    Catalogue::parse(&sources).unwrap()
}

fn after(migration: &str) -> Catalogue {
    catalogue(AFTER, &[("migrations/0002_colours.sql", migration)])
}

/// A database of the previous catalogue, with rows.
fn before(folder: &Path) -> PathBuf {
    let path = folder.join("sea.db");
    apply(&mut DatabaseFile::open(&path).unwrap(), &catalogue(BEFORE, &[]), false).unwrap();
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "INSERT INTO port VALUES (1, 'Kiel'); INSERT INTO buoy VALUES (1);
             INSERT INTO ship VALUES (7, 'Ada', 1, 'red', 3), (9, 'Bea', NULL, NULL, 5)",
        )
        .unwrap();
    path
}

fn ships(path: &Path) -> Vec<(i64, String, String, i64)> {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection.prepare("SELECT id, name, colours, draft FROM ship ORDER BY id").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn every_difference_that_is_no_addition_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = before(folder.path());
    let mut file = DatabaseFile::open(&path).unwrap();
    let unchanged = std::fs::read(&path).unwrap();
    let refused = apply(&mut file, &catalogue(AFTER, &[]), false).unwrap_err();
    let OpenError::NeedsMigration { differences, .. } = &refused else { panic!("{refused:?}") };
    let mut named: Vec<String> = differences
        .iter()
        .map(|one| format!("{}.{}", one.table, one.column.as_deref().unwrap_or("*")))
        .collect();
    named.sort_unstable();
    assert_eq!(named, ["buoy.*", "ship.colours", "ship.draft", "ship.flag", "ship.name", "ship.port"]);
    let message = refused.to_string();
    assert!(message.contains("ship.draft: the database has INTEGER NOT NULL DEFAULT 3, the catalogue INTEGER NOT NULL DEFAULT 4"), "{message}");
    assert!(message.contains("ON DELETE RESTRICT") && message.contains("ON DELETE CASCADE"), "{message}");
    drop(file);
    assert!(std::fs::read(&path).unwrap() == unchanged, "a refused database is left as it is");
}

#[test]
fn a_migration_ends_with_the_catalogue_and_all_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = before(folder.path());
    let wanted = after(MIGRATION);
    let mut file = DatabaseFile::open(&path).unwrap();
    let due = state(&file, &wanted).unwrap();
    assert_eq!(due.pending, [(2, "colours".to_owned())]);

    let tried = apply(&mut file, &wanted, true).unwrap();
    assert_eq!((tried.migrations.len(), tried.copy), (1, None));
    assert_eq!(state(&file, &wanted).unwrap(), due, "trying changes nothing");

    let done = apply(&mut file, &wanted, false).unwrap();
    assert_eq!(done.migrations[0].notes, ["no flag: Bea"]);
    assert_eq!(done.rebuilt, ["ship"]);
    drop(file);
    assert_eq!(ships(&path), [(7, "Ada".into(), "red".into(), 3), (9, "Bea".into(), "none".into(), 5)]);
    let copy = Connection::open(done.copy.unwrap()).unwrap();
    let flags: i64 = copy.query_row("SELECT count(flag) FROM ship", [], |row| row.get(0)).unwrap();
    assert_eq!(flags, 1, "the copy is from before");

    let file = DatabaseFile::open(&path).unwrap();
    let state = state(&file, &wanted).unwrap();
    assert_eq!((state.additions, state.differences, state.pending), (vec![], vec![], vec![]));
    assert_eq!(state.applied.len(), 1);
}

#[test]
fn what_goes_wrong_leaves_the_database_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = before(folder.path());
    for (migration, says) in [
        (
            "-- rebuild: ship\n-- drop: ship.flag\n-- drop: buoy\nUPDATE ship SET nothing = 1;",
            "migration 2 (colours) failed",
        ),
        // The new column stays null.
        ("-- rebuild: ship\n-- drop: ship.flag\n-- drop: buoy\n", "the rows of ship do not fit"),
        (
            "-- rebuild: ship\n-- drop: ship.flag\n-- drop: buoy\nUPDATE ship SET colours = 'x', port = 5;",
            "2 rows of ship refer to rows of port",
        ),
        // No migration declares that this may be dropped.
        ("-- rebuild: ship\n-- drop: buoy\nUPDATE ship SET colours = 'x';", "ship.flag: the database has it"),
    ] {
        let mut file = DatabaseFile::open(&path).unwrap();
        let refused = apply(&mut file, &after(migration), false).unwrap_err().to_string();
        assert!(refused.contains(says), "{refused}");
        let left = state(&file, &catalogue(BEFORE, &[])).unwrap();
        assert_eq!((left.additions, left.differences), (vec![], vec![]), "{says}");
    }
    let kept: i64 = Connection::open(&path)
        .unwrap()
        .query_row("SELECT count(*) FROM ship WHERE flag = 'red' OR port IS NULL", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, 2);
}

#[test]
fn a_migration_nobody_knows_is_one_of_a_newer_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = before(folder.path());
    apply(&mut DatabaseFile::open(&path).unwrap(), &after(MIGRATION), false).unwrap();
    let refused = apply(&mut DatabaseFile::open(&path).unwrap(), &catalogue(AFTER, &[]), false).unwrap_err();
    assert!(matches!(refused, OpenError::Newer { found: 2, known: 1, .. }), "{refused:?}");
}

#[test]
fn a_column_that_is_added_has_the_reference_of_one_that_was_always_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = before(folder.path());
    let grown = catalogue(
        &BEFORE.replace(
            "  flag: String",
            "  flag: String\n  home: Int @references(table: \"port\", on_delete: set_null)",
        ),
        &[],
    );
    let mut file = DatabaseFile::open(&path).unwrap();
    apply(&mut file, &grown, false).unwrap();
    assert_eq!(state(&file, &grown).unwrap().differences, []);
    let refused = file.connection.execute("UPDATE ship SET home = 99", []);
    assert!(refused.is_err(), "foreign keys are on and the column has one");
}

#[test]
fn an_unknown_table_is_a_difference_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = before(folder.path());
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE wreck (id INTEGER) STRICT").unwrap();
    let found = state(&DatabaseFile::open(&path).unwrap(), &catalogue(BEFORE, &[])).unwrap();
    let wanted = Difference { table: "wreck".to_owned(), column: None, kind: DifferenceKind::Unknown };
    assert_eq!(found.differences, [wanted]);
}
