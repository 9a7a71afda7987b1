//! Tests that this program opens a database written by the first schema.

use super::definition::Definition;
use super::state;
use crate::{DatabaseFile, SCHEMA_VERSION, Store, StoreError};
use catalogue::{Caller, Catalogue, Source, Value};
use flate2::read::GzDecoder;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The product's catalogue with its migrations.
fn ours() -> Arc<Catalogue> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema");
    let mut files = Vec::new();
    for part in ["tables", "operations", "views", "migrations"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            files.push((format!("{part}/{name}"), std::fs::read_to_string(path).unwrap()));
        }
    }
    let sources: Vec<Source<'_>> = files.iter().map(|(name, text)| Source { name, text }).collect();
    Arc::new(Catalogue::parse(&sources).unwrap())
}

/// Unpacks the fixture.
fn first_schema(folder: &Path) -> PathBuf {
    let packed = include_bytes!("../../../../../tests/fixtures/schema-1.db.gz");
    let mut bytes = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
    let path = folder.join("quarterdeck.db");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The objects of a database by kind and name. Tables are parsed into parts without order, because added columns are last.
fn shape(path: &Path) -> BTreeSet<(String, String, String)> {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection
        .prepare(
            "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'",
        )
        .unwrap();
    let rows = statement.query_map([], |row| {
        let (kind, name, sql): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let is_ours = kind == "table" && !name.contains('#');
        let text = if is_ours { format!("{:?}", Definition::parse(&sql)) } else { sql };
        Ok((kind, name, text))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

/// Row counts of all tables with rows of their own.
fn counts(path: &Path) -> BTreeMap<String, i64> {
    let connection = Connection::open(path).unwrap();
    let names: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%#%' AND name NOT LIKE 'sqlite%'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let count = |name: &String| {
        connection.query_row(&format!("SELECT count(*) FROM \"{name}\""), [], |row| row.get(0)).unwrap()
    };
    names.iter().map(|name| (name.clone(), count(name))).filter(|(_, count)| *count > 0).collect()
}

#[test]
fn a_database_of_the_first_schema_becomes_one_of_today_and_keeps_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = first_schema(folder.path());
    let before = counts(&path);
    let catalogue = ours();
    let store = Store::open(&path, Arc::clone(&catalogue)).unwrap();
    drop(store);

    let fresh = folder.path().join("fresh.db");
    drop(Store::open(&fresh, Arc::clone(&catalogue)).unwrap());
    let (migrated, created) = (shape(&path), shape(&fresh));
    let differing: Vec<_> = migrated.symmetric_difference(&created).collect();
    assert!(differing.is_empty(), "{differing:#?}");
    let after = counts(&path);
    for (table, count) in &before {
        let lookup = counts(&fresh).get(table).copied().unwrap_or_default();
        assert_eq!(after.get(table), Some(&(*count).max(lookup)), "{table}");
    }
    let found = state(&DatabaseFile::open(&path).unwrap(), &catalogue).unwrap();
    assert_eq!((found.pending, found.differences, found.additions), (vec![], vec![], vec![]));
    assert_eq!(found.version, i64::from(SCHEMA_VERSION));
    let copy = folder.path().join(format!("quarterdeck.db.before-schema-{SCHEMA_VERSION}"));
    assert_eq!(counts(&copy), before);
}

#[test]
fn two_names_of_one_value_are_merged_and_what_differed_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let path = first_schema(folder.path());
    let catalogue = ours();
    let store = Store::open(&path, Arc::clone(&catalogue)).unwrap();
    let rows: Result<_, StoreError> = store.snapshot(&Caller::system(), |rows| {
        rows.select("k8s_workloads", &["name", "kind", "workload_type", "replicas"], &[])
    });
    let mut rows = rows.unwrap();
    rows.sort_by_key(|row| format!("{row:?}"));
    let wanted = [
        ("Deployment", 3),
        ("StatefulSet", 4),
        ("Job", 2),
        ("Deployment", 5),
        ("Deployment", 6),
        ("CronJob", 1),
    ];
    for ((number, row), (kind, pods)) in rows.iter().enumerate().zip(wanted) {
        let text = |text: &str| Value::Text(text.to_owned());
        assert_eq!(*row, [text(&format!("workload-{number}")), text(kind), text(kind), Value::Int(pods)]);
    }
    drop(store);
    let found = state(&DatabaseFile::open(&path).unwrap(), &catalogue).unwrap();
    let notes = &found.applied[1].notes;
    let has = |note: &str| notes.iter().any(|one| one == note);
    assert!(
        has("k8s_workloads shop/workload-3: kind is Deployment, workload_type was DaemonSet"),
        "{notes:?}"
    );
    assert!(has("k8s_workloads shop/workload-3: total_pods is 5, replicas was 7"), "{notes:?}");
    assert_eq!(notes.iter().filter(|note| note.starts_with("events ")).count(), 4, "{notes:?}");
}

#[test]
fn what_is_billed_is_the_amount_and_what_differed_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let path = first_schema(folder.path());
    let old = Connection::open(&path).unwrap();
    // Needed to read the file without this program's collation of the same name.
    old.create_collation("DECIMAL", str::cmp).unwrap();
    let amounts = |connection: &Connection, column: &str| -> Vec<Option<String>> {
        let sql = format!("SELECT {column} FROM spends ORDER BY id");
        let mut statement = connection.prepare(&sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let first = "id = (SELECT id FROM spends ORDER BY id LIMIT 1)";
    let last = "id = (SELECT id FROM spends ORDER BY id DESC LIMIT 1)";
    let change = |what: &str, which: &str| {
        old.execute(&format!("UPDATE spends SET {what} WHERE {which}"), []).unwrap();
    };
    change("billed_cost = NULL", first);
    change("amount = '7', billed_cost = '8'", last);
    let before = amounts(&old, "amount");
    drop(old);

    let catalogue = ours();
    let store = Store::open(&path, Arc::clone(&catalogue)).unwrap();
    let rows: Result<_, StoreError> = store
        .snapshot(&Caller::system(), |rows| rows.select("spends", &["id", "amount", "billed_cost"], &[]));
    let mut rows = rows.unwrap();
    rows.sort_by_key(|row| row[0].as_uuid());
    let text = |value: &Value| match value {
        Value::Decimal(number) => Some(number.to_string()),
        _ => None,
    };
    assert_eq!(rows.iter().map(|row| text(&row[1])).collect::<Vec<_>>(), before);
    assert!(rows.iter().all(|row| row[1] == row[2]), "{rows:?}");
    drop(store);
    let found = state(&DatabaseFile::open(&path).unwrap(), &catalogue).unwrap();
    let notes: Vec<&String> =
        found.applied.iter().flat_map(|one| &one.notes).filter(|note| note.starts_with("spends ")).collect();
    assert!(notes.len() == 1 && notes[0].ends_with(": amount is 7, billed_cost was 8"), "{notes:?}");
}

#[test]
fn lists_of_texts_are_repaired_and_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = first_schema(folder.path());
    let catalogue = ours();
    let store = Store::open(&path, catalogue).unwrap();
    let select = |table: &str, name: &str, list: &str| -> Vec<(String, Option<String>)> {
        let rows: Result<_, StoreError> =
            store.snapshot(&Caller::system(), |rows| rows.select(table, &[name, list], &[]));
        let text = |value: &Value| match value {
            Value::Text(text) | Value::Json(text) => Some(text.clone()),
            _ => None,
        };
        let mut found: Vec<_> =
            rows.unwrap().iter().map(|row| (text(&row[0]).unwrap(), text(&row[1]))).collect();
        found.sort();
        found
    };
    let lists =
        |rows: Vec<(String, Option<String>)>| rows.into_iter().map(|(_, list)| list).collect::<Vec<_>>();
    let some = |list: &str| Some(list.to_owned());
    assert_eq!(
        lists(select("llm_function", "name", "variables"))[..4],
        [some(r#"["a", "b"]"#), some(r#"["x"]"#), some(r#"["{\"k\":1}"]"#), some(r#"["not json"]"#)]
    );
    assert_eq!(
        lists(select("llm_agent", "name", "tools")),
        [some(r#"["logs"]"#), some(r#"["a","3"]"#), some(r#"["true"]"#), some(r#"["logs"]"#)]
    );
    assert_eq!(
        lists(select("dw_queries", "query_text", "table_names")),
        [
            some(r#"["t1"]"#),
            some(r#"["one"]"#),
            some(r#"["{\"k\":1}"]"#),
            some(r#"["1","null","x","{\"a\":2}"]"#),
            None,
            some(r#"["7"]"#)
        ]
    );
}
