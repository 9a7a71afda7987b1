//! The product's catalogue on PostgreSQL.

use crate::backend::Backend;
use crate::driver::db::Db;
use crate::driver::postgres::{PATIENCE, Session};
use crate::query::{Field, FieldKind, Query, QueryKind, Range, Select};
use crate::{Bounds, Cancel, ConnectionLimits, OpenError, ReadFrom, Store, StoreError, eq, one_of};
use catalogue::{Caller, Catalogue, Source, Value, ValueRef};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;
use uuid::Uuid;

const TENANT: Uuid = Uuid::from_u128(0xA);
const PERSON: Uuid = Uuid::from_u128(0xB);

/// The product's catalogue.
fn whole() -> Arc<Catalogue> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema");
    let mut texts = Vec::new();
    for folder in ["tables", "operations", "views", "migrations"] {
        let files = std::fs::read_dir(root.join(folder)).expect("the catalogue's folder is there");
        let mut files: Vec<_> = files.flatten().map(|file| file.path()).collect();
        files.sort();
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let text = std::fs::read_to_string(&file).expect("a file of the catalogue is text");
            texts.push((format!("{folder}/{name}"), text));
        }
    }
    let sources: Vec<Source<'_>> = texts.iter().map(|(name, text)| Source { name, text }).collect();
    Arc::new(Catalogue::parse(&sources).expect("the catalogue is sound"))
}

#[test]
fn the_catalogue_is_made_and_found_again() {
    let Some(url) = testkit::postgres::database() else { return };
    let catalogue = whole();
    let store = Store::open_postgres(&url, Arc::clone(&catalogue)).unwrap();
    let add = |rows: &crate::Transaction<'_>| {
        // Foreign keys are checked when the transaction ends.
        let by = PERSON.into();
        rows.insert(
            "tenant",
            &[("id", TENANT.into()), ("name", "Acme".into()), ("created_by", by), ("updated_by", by)],
        )?;
        rows.insert(
            "users",
            &[("id", by), ("display_name", "Ada".into()), ("username", "Ada@acme.test".into())],
        )
    };
    store.transaction(&Caller::system(), add).map_err(|error: StoreError| error).unwrap();
    // As another version would find it: the schema is compared piece by piece.
    let Backend::Postgres(connections) = &store.backend else { panic!("it is PostgreSQL") };
    let forget = |session: &Session| session.run("UPDATE \"schema#state\" SET value = 'another'");
    connections.transaction(PATIENCE, forget).unwrap();
    drop(store);
    let again = Store::open_postgres(&url, catalogue).unwrap();
    let read = |rows: &crate::Transaction<'_>| rows.select("tenant", &["name"], &[eq("id", TENANT)]);
    let found: Vec<Vec<Value>> = again.snapshot(&Caller::system(), read).unwrap();
    assert_eq!(found, [[Value::Text("Acme".to_owned())]]);
    let read =
        |rows: &crate::Transaction<'_>| rows.select("users", &["status"], &[eq("username", "aDA@ACME.TEST")]);
    let found: Vec<Vec<Value>> = again.snapshot(&Caller::system(), read).unwrap();
    assert_eq!(found, [[Value::Text("inactive".to_owned())]]);
}

#[test]
fn none_of_no_values_is_found() {
    let Some(url) = testkit::postgres::database() else { return };
    let store = Store::open_postgres(&url, whole()).unwrap();
    write(&store).unwrap();
    let none = |rows: &crate::Transaction<'_>| {
        let of = |values: &[&str]| {
            let values: Vec<ValueRef<'_>> = values.iter().map(|value| (*value).into()).collect();
            rows.count("setting", &[one_of("name", values)])
        };
        Ok::<_, StoreError>((of(&[])?, of(&["a"])?, rows.delete("setting", &[one_of("name", Vec::new())])?))
    };
    assert_eq!(store.transaction(&Caller::system(), none).unwrap(), (0, 1, 0));
}

#[test]
fn connections_that_were_cut_are_made_anew() {
    let Some(url) = testkit::postgres::database() else { return };
    let store = Store::open_postgres(&url, whole()).unwrap();
    let read = |rows: &crate::Transaction<'_>| rows.select("tenant", &["name"], &[]);
    let write = |rows: &crate::Transaction<'_>| {
        rows.insert("setting", &[("name", "a".into()), ("value", "b".into())])
    };
    store.snapshot(&Caller::system(), read).unwrap();
    let other = Session::open(&url.parse().unwrap()).unwrap();
    other
        .run(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .unwrap();
    // A request that uses a connection before its end was noticed fails.
    let comes_back = |work: &dyn Fn() -> Result<(), StoreError>| {
        let mut tries = (0..8).map(|_| work());
        assert!(tries.any(|answer| answer.is_ok()), "it does not come back");
    };
    comes_back(&|| store.snapshot(&Caller::system(), read).map(drop));
    comes_back(&|| store.transaction(&Caller::system(), write).map(drop));
}

#[test]
fn a_lease_is_renewed_while_somebody_else_writes() {
    let Some(url) = testkit::postgres::database() else { return };
    let store = Store::open_postgres(&url, whole()).unwrap();
    let other = Store::open_postgres(&url, whole()).unwrap();
    let system = Caller::system();
    let set = |rows: &crate::Transaction<'_>, name: &str| {
        rows.upsert("setting", &["name"], &[("name", name.into()), ("value", "held".into())], &[])
    };
    let long = store.transaction::<_, StoreError>(&system, |rows| {
        set(rows, "import")?;
        for renewing in [&store, &other] {
            std::thread::scope(|scope| {
                let renewed =
                    scope.spawn(|| renewing.concurrent_transaction(&system, |rows| set(rows, "lease")));
                renewed.join().unwrap()
            })?;
        }
        let seen =
            other.snapshot::<_, StoreError>(&system, |rows| rows.count("setting", &[eq("name", "lease")]))?;
        assert_eq!(seen, 1, "it is there before the long transaction ends");
        Ok(())
    });
    long.unwrap();
}

#[test]
fn others_write_beside_what_takes_long_until_its_end() {
    let Some(url) = testkit::postgres::database() else { return };
    let limits = ConnectionLimits { patience: Duration::ZERO, ..ConnectionLimits::default() };
    let open = || Store::open_postgres_within(&url, whole(), limits).unwrap();
    let (store, other) = (open(), open());
    let system = Caller::system();
    let set = |rows: &crate::Transaction<'_>, name: &str| {
        rows.upsert("setting", &["name"], &[("name", name.into()), ("value", "b".into())], &[])
    };
    let is_refused = |answer: Result<(), StoreError>| {
        assert!(matches!(answer, Err(StoreError::Busy { seconds: 0 | 60 })), "{answer:?}");
    };
    let long = store.bulk::<_, StoreError>(&system, |rows| {
        set(rows, "long")?;
        other.transaction(&system, |rows| set(rows, "of another server"))?;
        store.transaction(&system, |rows| set(rows, "of this server"))?;
        for other in [&store, &other] {
            is_refused(other.bulk(&system, |_| Ok(())));
        }
        rows.take_write_lock()?;
        is_refused(other.transaction(&system, |rows| set(rows, "too late")));
        rows.count("setting", &[])
    });
    assert_eq!(long.unwrap(), 3, "it has seen what others wrote before it wrote alone");
    let after = other.bulk::<_, StoreError>(&system, |rows| rows.count("setting", &[]));
    assert_eq!(after.unwrap(), 3);
}

#[test]
fn references_are_checked_before_others_have_to_wait() {
    let Some(url) = testkit::postgres::database() else { return };
    let store = Store::open_postgres(&url, whole()).unwrap();
    let system = Caller::system();
    let row = [
        ("token_hash", "a".into()),
        ("user_id", Uuid::from_u128(1).into()),
        ("tenant_id", Uuid::from_u128(2).into()),
        ("expires_at", ValueRef::Timestamp(0)),
    ];
    let mut checked = None;
    let long = store.bulk::<_, StoreError>(&system, |rows| {
        rows.insert("session", &row)?;
        let alone = rows.take_write_lock();
        checked = Some(alone.is_err());
        alone
    });
    assert!(long.is_err());
    assert_eq!(checked, Some(true), "before COMMIT");
}

#[test]
fn a_replica_answers_who_allows_rows_of_a_moment_ago() {
    let Some(servers) = testkit::postgres::ServerPair::start() else { return };
    let open = || Store::open_postgres(&servers.url(), whole()).unwrap();
    let (other, store) = (open(), open().with_replica(&servers.replica_url()).unwrap());
    let system = Caller::system();
    let set = |store: &Store, name: &str| {
        let row = [("name", name.into()), ("value", "b".into())];
        store.transaction::<_, StoreError>(&system, |rows| rows.insert("setting", &row)).unwrap();
    };
    let table = store.catalogue().find("setting").unwrap();
    let column = store.catalogue().table(table).find_column("name").unwrap();
    let name = Field { name: "name".to_owned(), kind: FieldKind::Column { column, path: None } };
    let select = Select { table, fields: [name].into(), range: Range::default() };
    let list = Query { name: "settings".to_owned(), kind: QueryKind::List(select) };
    let plans = store.plan(&system, &[list]);
    let count = |from: ReadFrom| {
        let answer = store.run_from(from, &system, &plans, &[], &Cancel::default()).unwrap();
        String::from_utf8(answer.data.into_bytes()).unwrap().matches("\"name\"").count()
    };
    let hour = Duration::from_hours(1);
    // Until the replica has caught up.
    let caught_up = || while store.replica_as_of(hour).is_none() {};

    set(&store, "first");
    caught_up();
    assert_eq!((count(ReadFrom::Replica), count(ReadFrom::First)), (1, 1));
    assert!(store.is_replica_current().is_ok());

    testkit::postgres::run(&servers.replica_url(), "SELECT pg_wal_replay_pause()");
    while testkit::postgres::run(&servers.replica_url(), "SELECT pg_get_wal_replay_pause_state()").trim()
        != "paused"
    {}
    set(&other, "of another server");
    assert_eq!((count(ReadFrom::Replica), count(ReadFrom::First)), (1, 2));
    let as_of = store.replica_as_of(hour).expect("it is no hour behind");
    assert!(as_of < store.now());
    assert_eq!(store.replica_as_of(Duration::ZERO), None, "it is behind");
    set(&store, "own");
    assert_eq!(store.replica_as_of(hour), None, "who has written sees it");

    testkit::postgres::run(&servers.replica_url(), "SELECT pg_wal_replay_resume()");
    caught_up();
    assert_eq!(count(ReadFrom::Replica), 3);

    // If the replica has too many rows, the request is refused without asking the primary: nothing is computed twice.
    testkit::postgres::run(&servers.replica_url(), "SELECT pg_wal_replay_pause()");
    while testkit::postgres::run(&servers.replica_url(), "SELECT pg_get_wal_replay_pause_state()").trim()
        != "paused"
    {}
    testkit::postgres::run(&servers.url(), "DELETE FROM setting WHERE name <> 'first'");
    let bounded = store.clone().with_bounds(Bounds { rows: 2, ..Bounds::default() });
    let read = |from| bounded.run_from(from, &system, &plans, &[], &Cancel::default());
    assert!(matches!(read(ReadFrom::Replica), Err(StoreError::TooManyRows { limit: 2 })));
    assert!(read(ReadFrom::First).is_ok());
    testkit::postgres::run(&servers.replica_url(), "SELECT pg_wal_replay_resume()");

    let _first = servers.end_replica();
    assert_eq!(count(ReadFrom::Replica), 1, "the first server answers");
    while store.replica_as_of(hour).is_some() {}
    assert!(store.is_replica_current().is_err());
}

/// Reads as a request does.
fn look(store: &Store) -> Result<(), StoreError> {
    store.snapshot(&Caller::system(), |rows| rows.select("tenant", &["name"], &[])).map(drop)
}

fn write(store: &Store) -> Result<(), StoreError> {
    let row = [("name", "a".into()), ("value", "b".into())];
    store.transaction(&Caller::system(), |rows| rows.upsert("setting", &["name"], &row, &[]))
}

#[test]
fn who_finds_no_free_connection_waits_and_is_refused_when_the_time_is_up() {
    let Some(url) = testkit::postgres::database() else { return };
    let open = |patience| {
        let limits = ConnectionLimits { readers: 1, patience, ..ConnectionLimits::default() };
        Store::open_postgres_within(&url, whole(), limits).unwrap()
    };
    let store = open(Duration::ZERO);
    let within = store.snapshot::<_, StoreError>(&Caller::system(), |_| Ok((look(&store), write(&store))));
    let (refused, written) = within.unwrap();
    assert!(matches!(refused, Err(StoreError::NoConnection { connections: 1, seconds: 0 })), "{refused:?}");
    assert!(written.is_ok(), "a write waits for no connection that reads: {written:?}");
    look(&store).unwrap();

    // With time left, the request is served once the connection is available again.
    let store = open(Duration::from_mins(1));
    let (tell, hear) = channel();
    std::thread::scope(|scope| {
        let waiting = store.snapshot::<_, StoreError>(&Caller::system(), |_| {
            let waiting = scope.spawn(|| {
                tell.send(()).unwrap();
                look(&store)
            });
            hear.recv().unwrap();
            Ok(waiting)
        });
        waiting.unwrap().join().unwrap().unwrap();
    });
}

#[test]
fn who_meets_others_that_write_is_refused_when_the_time_is_up() {
    let Some(url) = testkit::postgres::database() else { return };
    let limits = ConnectionLimits { patience: Duration::ZERO, ..ConnectionLimits::default() };
    let open = || Store::open_postgres_within(&url, whole(), limits).unwrap();
    let (store, other) = (open(), open());
    let row = [("name", "a".into()), ("value", "b".into())];
    let beside = |store: &Store| {
        store.concurrent_transaction::<_, StoreError>(&Caller::system(), |rows| {
            rows.upsert("setting", &["name"], &row, &[])
        })
    };
    store
        .transaction::<_, StoreError>(&Caller::system(), |rows| {
            // The row stays locked until this ends.
            rows.upsert("setting", &["name"], &row, &[])?;
            for refused in [write(&store), write(&other), beside(&other)] {
                assert!(matches!(refused, Err(StoreError::Busy { seconds: 0 | 60 })), "{refused:?}");
            }
            Ok(())
        })
        .unwrap();
    store
        .concurrent_transaction::<_, StoreError>(&Caller::system(), |_| {
            let refused = beside(&store);
            assert!(matches!(refused, Err(StoreError::Busy { seconds: 0 })), "{refused:?}");
            Ok(())
        })
        .unwrap();
    write(&other).unwrap();
}

/// The state in which the start of a newer program leaves the database.
const NEWER: &str = "INSERT INTO \"schema#migrations\" VALUES (99, 'later', '', now(), '99.0.0')";

#[test]
fn a_database_that_a_newer_program_migrates_is_refused_in_words_while_this_one_runs() {
    let Some(url) = testkit::postgres::database() else { return };
    let open = |version_good_for| {
        let limits = ConnectionLimits { version_good_for, ..ConnectionLimits::default() };
        Store::open_postgres_within(&url, whole(), limits).unwrap()
    };
    let (store, trusting) = (open(Duration::ZERO), open(Duration::MAX));
    look(&store).unwrap();
    look(&trusting).unwrap();
    let newer = Session::open(&url.parse().unwrap()).unwrap();
    newer.run(NEWER).unwrap();
    let is_refused = |answer: Result<(), StoreError>| {
        let error = answer.unwrap_err();
        assert!(matches!(error, StoreError::NewerSchema { found: 99, .. }), "{error:?}");
        assert!(error.to_string().contains("brought to schema 99 by a newer Quarterdeck"), "{error}");
    };
    is_refused(look(&store));
    is_refused(write(&store));
    is_refused(write(&trusting));
    let refused = Store::open_postgres(&url, whole()).err().unwrap();
    assert!(matches!(refused, OpenError::Newer { found: 99, .. }), "{refused}");
    assert!(refused.to_string().contains("Install that version"), "{refused}");
    newer.run("DELETE FROM \"schema#migrations\" WHERE number = 99").unwrap();
    look(&store).unwrap();
    write(&store).unwrap();
    // A server that relies on an earlier check reports why a table has changed.
    look(&trusting).unwrap();
    newer.run(&format!("{NEWER}; ALTER TABLE tenant RENAME COLUMN name TO title")).unwrap();
    is_refused(look(&trusting));
}

/// Makes the database look like one of a version with migrations up to `last`.
fn age(session: &Session, last: i64) {
    let forget = format!("DELETE FROM \"schema#migrations\" WHERE number > {last}");
    session
        .run(&format!("{forget}; UPDATE \"schema#state\" SET value = 'another'"))
        .expect("the database can be aged");
}

#[test]
fn a_migration_that_reshapes_tables_of_sqlite_keeps_no_database_of_postgresql_out() {
    let Some(url) = testkit::postgres::database() else { return };
    drop(Store::open_postgres(&url, whole()).unwrap());
    let session = Session::open(&url.parse().unwrap()).unwrap();
    age(&session, 4);
    drop(Store::open_postgres(&url, whole()).unwrap());
    let known = "SELECT count(*) FROM \"schema#migrations\" WHERE number = 5";
    let count = Db::Postgres(&session).prepare_cached(known).unwrap().first::<i64>();
    assert_eq!(count.unwrap(), Some(1), "it is known to be done");
    // A migration that changes rows would be necessary.
    age(&session, 3);
    let refused = Store::open_postgres(&url, whole()).err().unwrap();
    assert!(matches!(refused, OpenError::NoMigration { number: 4, .. }), "{refused}");
}

#[test]
fn a_plan_is_told_without_values_and_leaves_the_transaction_as_it_was() {
    let Some(url) = testkit::postgres::database() else { return };
    drop(Store::open_postgres(&url, whole()).unwrap());
    let session = Session::open(&url.parse().unwrap()).unwrap();
    session.begin("BEGIN READ ONLY").unwrap();
    for _ in 0..2 {
        let plan =
            session.generic_plan("SELECT id FROM \"events\" WHERE \"id\" = ?2 AND ?2 = ?3 LIMIT ?4").unwrap();
        assert!(plan.iter().any(|line| line.contains("Index") && line.contains("events")), "{plan:#?}");
    }
    let plan = session.generic_plan("SELECT count(*) FROM \"tenant\"").unwrap();
    assert!(plan[0].starts_with("Aggregate"), "{plan:#?}");
    session.generic_plan("SELECT id FROM \"nothing\"").unwrap_err();
    assert_eq!(session.prepare("SELECT 1::bigint").query().next().unwrap().unwrap().len(), 1);
    session.end("COMMIT").unwrap();
    // A read of a single statement has no transaction.
    session.generic_plan("SELECT count(*) FROM \"tenant\"").unwrap();
    session.run("VACUUM \"tenant\"").expect("it stands in no transaction either");
}

#[test]
fn a_statement_that_is_slow_again_and_again_is_planned_with_its_values() {
    let Some(url) = testkit::postgres::database() else { return };
    let session = Session::open(&url.parse().unwrap()).unwrap();
    let read = |sql: &str| {
        let mut call = session.prepare(sql);
        call.bind(1, &7_i64).unwrap();
        call.query().next().unwrap().unwrap().first().cloned()
    };
    for _ in 0..12 {
        assert_eq!(read("SELECT ?1::bigint, pg_sleep(0.002)::text"), Some(7_i64.into()));
    }
    let planned = "SELECT sum(generic_plans + custom_plans)::bigint + ?1 FROM pg_prepared_statements WHERE statement LIKE 'SELECT $1::bigint, pg_sleep%'";
    assert_eq!(read(planned), Some((8 + 7_i64).into()), "then it was prepared anew each time");
}
