//! Compares the engine with its lower bound: the same queries answered through GraphQL and by hand-written SQL.
//!
//! 50 accounts, 200,000 spends, 50,000 resources and recommendations. Figures are CPU microseconds per request on one thread (no HTTP),
//! the median of several rounds, with both sides alternating. The hand-written side uses the SQL a person would write, prepared once, and
//! writes the same bytes.

use catalogue::{Caller, Catalogue, Decimal, Role, Source, ValueRef, format_timestamp};
use graphql::{Engine, Request};
use rusqlite::{Connection, OpenFlags};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use store::{Store, StoreError};
use uuid::Uuid;

const ACCOUNTS: u128 = 50;
const SPENDS: u128 = 200_000;
const RESOURCES: u128 = 50_000;
const TENANT: Uuid = Uuid::from_u128(1);
const USER: Uuid = Uuid::from_u128(2);
const DAY: i64 = 86_400_000_000;

const Q1: &str = "{ recommendation(where: {status: {_eq: Open}}, order_by: {estimated_savings: desc}, limit: 100) { id rule_name category severity status estimated_savings cloud_resourse { name region service_name } } }";
const Q2: &str = "{ cloud_accounts(order_by: {account_name: asc}) { id account_name spends_aggregate(where: {date: {_gte: \"2024-09-01\", _lt: \"2024-10-01\"}}) { aggregate { count sum { amount } } } } }";
const Q4: &str = "{ recommendation(where: {severity: {_eq: Medium}, status: {_in: [Open, Assigned]}}, order_by: {created_at: desc}, limit: 50, offset: 100) { id rule_name status } recommendation_aggregate(where: {severity: {_eq: Medium}, status: {_in: [Open, Assigned]}}) { aggregate { count } } }";
const Q3: &str = "{ cloud_accounts_by_pk(id: \"00000000-0000-0001-0000-000000000007\") { id account_name cloud_provider status } }";

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("bench.db");
    let store = Store::open(&file, Arc::new(catalogue())).expect("the catalogue is sound");
    fill(&store).expect("rows that fit");
    let engine = Engine::new(store).expect("the schema can be built");
    let by_hand =
        Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the file is there");
    by_hand.execute_batch("PRAGMA mmap_size = 134217728; PRAGMA cache_size = -8192").expect("it is SQLite");
    by_hand.create_collation("DECIMAL", by_value).expect("a new name");
    println!(
        "CPU µs per request, no HTTP\n{:<44}{:>10}{:>10}{:>8}{:>8}",
        "", "engine", "by hand", "ratio", "goal"
    );
    let ask = |query: &str| {
        let request = Request { query: query.to_owned(), ..Request::default() };
        let caller = Caller::user(USER, TENANT, vec![Role::TenantAdmin]);
        engine.execute(&caller, &request, |error| panic!("{error:?}"))
    };
    compare(
        "Q1: 100 open recommendations, with resource",
        100,
        1.25,
        || ask(Q1),
        || recommendations(&by_hand),
    );
    compare("Q2: 50 accounts, their spend of a month", 20, 1.25, || ask(Q2), || accounts(&by_hand));
    compare("Q3: one account by its key", 5_000, 2.0, || ask(Q3), || account(&by_hand));
    println!("Q4: a filtered page and its count, {:.1}", measure(20, &|| ask(Q4)));
    // One more blank each time makes a text that was never seen before.
    let fresh = std::cell::Cell::new(0);
    let unseen = measure(2_000, &|| {
        fresh.set(fresh.get() + 1);
        ask(&format!("{Q3}{}", " ".repeat(fresh.get())))
    });
    println!("Q3 with its plan known {:.1}, planned anew {unseen:.1}", measure(2_000, &|| ask(Q3)));
}

/// The sort order of decimals, as the author of hand-written SQL would give it to SQLite.
fn by_value(left: &str, right: &str) -> std::cmp::Ordering {
    Decimal::parse(left).ok().cmp(&Decimal::parse(right).ok())
}

/// Runs both in turns and prints their medians.
fn compare(what: &str, times: u32, goal: f64, ours: impl Fn() -> Vec<u8>, theirs: impl Fn() -> Vec<u8>) {
    let (mine, other) = (ours(), theirs());
    assert_eq!(String::from_utf8_lossy(&mine), String::from_utf8_lossy(&other), "{what}: the answers differ");
    let (mut engine, mut hand) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        engine.push(measure(times, &ours));
        hand.push(measure(times, &theirs));
    }
    let (engine, hand) = (middle(engine), middle(hand));
    println!("{what:<44}{engine:>10.1}{hand:>10.1}{:>8.2}{goal:>8.2}", engine / hand);
}

fn measure(times: u32, work: &impl Fn() -> Vec<u8>) -> f64 {
    let began = cpu_micros();
    for _ in 0..times {
        std::hint::black_box(work());
    }
    (cpu_micros() - began) / f64::from(times)
}

/// CPU time used by this thread, in microseconds.
fn cpu_micros() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).expect("nanoseconds") / 1000.0
}

fn middle(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn recommendations(connection: &Connection) -> Vec<u8> {
    let mut statement = connection
        .prepare_cached(
            "SELECT r.id, r.rule_name, r.category, r.severity, r.status, r.estimated_savings, c.name, c.region, c.service_name \
             FROM recommendation r LEFT JOIN cloud_resourses c ON c.id = r.resource_id AND c.tenant = ?1 \
             WHERE r.tenant_id = ?1 AND r.status = 'Open' ORDER BY r.estimated_savings DESC NULLS FIRST LIMIT 100",
        )
        .expect("sound SQL");
    let mut rows = statement.query([TENANT.as_bytes().as_slice()]).expect("it runs");
    let mut out = String::from("{\"data\":{\"recommendation\":[");
    let mut comma = "";
    while let Some(row) = rows.next().expect("it runs") {
        let id = Uuid::from_slice(row.get_ref(0).and_then(|cell| Ok(cell.as_blob()?)).expect("a uuid"))
            .expect("16 bytes");
        let text = |place: usize| row.get_ref(place).expect("a column").as_str().expect("text");
        let _ = write!(
            out,
            "{comma}{{\"id\":\"{id}\",\"rule_name\":\"{}\",\"category\":\"{}\",\"severity\":\"{}\",\"status\":\"{}\",\"estimated_savings\":{},\"cloud_resourse\":{{\"name\":\"{}\",\"region\":\"{}\",\"service_name\":\"{}\"}}}}",
            text(1),
            text(2),
            text(3),
            text(4),
            text(5),
            text(6),
            text(7),
            text(8)
        );
        comma = ",";
    }
    out.push_str("]}}");
    out.into_bytes()
}

fn accounts(connection: &Connection) -> Vec<u8> {
    let mut accounts = connection
        .prepare_cached("SELECT id, account_name FROM cloud_accounts WHERE tenant = ?1 ORDER BY account_name")
        .expect("sound SQL");
    let mut sums = connection
        .prepare_cached(
            "SELECT amount FROM spends WHERE cloud_account = ?1 AND tenant = ?2 AND date >= ?3 AND date < ?4",
        )
        .expect("sound SQL");
    let mut rows = accounts.query([TENANT.as_bytes().as_slice()]).expect("it runs");
    let mut out = String::from("{\"data\":{\"cloud_accounts\":[");
    let mut comma = "";
    let (from, to) = (september(0), september(30));
    while let Some(row) = rows.next().expect("it runs") {
        let id = row.get_ref(0).expect("a column").as_blob().expect("a uuid").to_vec();
        let mut spends = sums.query((&id, TENANT.as_bytes().as_slice(), from, to)).expect("it runs");
        let (mut count, mut sum) = (0, catalogue::DecimalSum::new());
        while let Some(spend) = spends.next().expect("it runs") {
            count += 1;
            sum.add(
                Decimal::parse(spend.get_ref(0).expect("a column").as_str().expect("text"))
                    .expect("a decimal"),
            );
        }
        let _ = write!(
            out,
            "{comma}{{\"id\":\"{}\",\"account_name\":\"{}\",\"spends_aggregate\":{{\"aggregate\":{{\"count\":{count},\"sum\":{{\"amount\":{sum}}}}}}}}}",
            Uuid::from_slice(&id).expect("16 bytes"),
            row.get_ref(1).expect("a column").as_str().expect("text"),
        );
        comma = ",";
    }
    out.push_str("]}}");
    out.into_bytes()
}

fn account(connection: &Connection) -> Vec<u8> {
    let mut statement = connection
        .prepare_cached("SELECT id, account_name, cloud_provider, status FROM cloud_accounts WHERE id = ?1 AND tenant = ?2")
        .expect("sound SQL");
    let key = Uuid::from_u128((1 << 64) + 7);
    let mut rows =
        statement.query((key.as_bytes().as_slice(), TENANT.as_bytes().as_slice())).expect("it runs");
    let row = rows.next().expect("it runs").expect("it is there");
    let text = |place: usize| row.get_ref(place).expect("a column").as_str().expect("text");
    let id = Uuid::from_slice(row.get_ref(0).and_then(|cell| Ok(cell.as_blob()?)).expect("a uuid"))
        .expect("16 bytes");
    format!(
        "{{\"data\":{{\"cloud_accounts_by_pk\":{{\"id\":\"{id}\",\"account_name\":\"{}\",\"cloud_provider\":\"{}\",\"status\":\"{}\"}}}}}}",
        text(1), text(2), text(3)
    )
    .into_bytes()
}

/// The start of a day of September 2024, in microseconds since 1970.
fn september(day: i64) -> i64 {
    catalogue::parse_timestamp("2024-09-01").expect("a date") + day * DAY
}

fn catalogue() -> Catalogue {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema");
    let mut files = Vec::new();
    for part in ["tables", "operations", "views"] {
        for entry in std::fs::read_dir(schema.join(part)).expect("the schema is there") {
            let path = entry.expect("it can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
            files.push((format!("{part}/{name}"), std::fs::read_to_string(&path).expect("it can be read")));
        }
    }
    let sources: Vec<Source<'_>> = files.iter().map(|(name, text)| Source { name, text }).collect();
    Catalogue::parse(&sources).unwrap_or_else(|error| panic!("{error}"))
}

fn fill(store: &Store) -> Result<(), StoreError> {
    let id = |kind: u128, number: u128| ValueRef::Uuid(Uuid::from_u128((kind << 64) + number));
    let savings = |number: u128| Decimal::from(i64::try_from(number % 9_973).unwrap_or_default());
    store.load(&Caller::system(), "spends", 1_000_000, |rows| {
        let person = ValueRef::Uuid(USER);
        rows.insert(
            "users",
            &[
                ("id", person),
                ("username", "a@example.com".into()),
                ("display_name", "A".into()),
                ("status", "active".into()),
            ],
        )?;
        rows.insert(
            "tenant",
            &[("id", TENANT.into()), ("name", "t".into()), ("created_by", person), ("updated_by", person)],
        )?;
        for number in 0..ACCOUNTS {
            let name = format!("account-{number:02}");
            rows.insert(
                "cloud_accounts",
                &[
                    ("id", id(1, number)),
                    ("account_name", (&name).into()),
                    ("account_type", "cloud".into()),
                    ("cloud_provider", "AWS".into()),
                    ("tenant", TENANT.into()),
                    ("created_by", person),
                    ("updated_by", person),
                ],
            )?;
        }
        for number in 0..RESOURCES {
            let name = format!("resource-{number}");
            rows.insert(
                "cloud_resourses",
                &[
                    ("id", id(2, number)),
                    ("account", id(1, number % ACCOUNTS)),
                    ("tenant", TENANT.into()),
                    ("cloud_provider", "AWS".into()),
                    ("name", (&name).into()),
                    ("region", "eu-central-1".into()),
                    ("service_name", "Amazon EC2".into()),
                    ("external_resource_id", (&name).into()),
                ],
            )?;
            rows.insert(
                "recommendation",
                &[
                    ("id", id(3, number)),
                    ("tenant_id", TENANT.into()),
                    ("cloud_account_id", id(1, number % ACCOUNTS)),
                    ("resource_id", id(2, number)),
                    ("rule_name", "ec2_over_provisioned".into()),
                    ("recommendation_action", "Modify".into()),
                    ("recommendation", ValueRef::Json("{}")),
                    ("status", if number % 3 == 0 { "Closed" } else { "Open" }.into()),
                    ("estimated_savings", savings(number * 7).into()),
                ],
            )?;
        }
        let mut spends = rows.inserter(
            "spends",
            &[
                "id",
                "tenant",
                "cloud_account",
                "cloud_resource_id",
                "date",
                "amount",
                "unit",
                "service_name",
                "import_id",
            ],
        )?;
        for number in 0..SPENDS {
            let amount =
                Decimal::parse(&format!("{}.{:04}", number % 40, number % 10_000)).expect("a decimal");
            let day = i64::try_from(number / ACCOUNTS % 365).unwrap_or_default();
            let service =
                ["Amazon EC2", "Amazon S3", "Amazon RDS"][usize::try_from(number % 3).unwrap_or_default()];
            spends.insert(&[
                id(4, number),
                TENANT.into(),
                id(1, number % ACCOUNTS),
                id(2, number % RESOURCES),
                ValueRef::Timestamp(september(day - 300)),
                amount.into(),
                "USD".into(),
                service.into(),
                id(5, 0),
            ])?;
        }
        Ok::<(), StoreError>(())
    })?;
    assert_eq!(format_timestamp(september(0)), "2024-09-01T00:00:00");
    Ok(())
}
