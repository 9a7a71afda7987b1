//! Compares lists with the best hand-written SQL on the same database: twenty tables, filtered by each pair of their usual columns,
//! ordered by each time and amount in both directions, pages 1, 20 and 200, and their counts; with a related row, and with an aggregate
//! over related rows.
//!
//! `make bench-grid` runs it, on SQLite and on PostgreSQL. Each cell of the heat map is a ratio: CPU time of the engine (no HTTP, plan
//! cached) divided by that of the fastest of several statements: as the database plans it, and forced to use each index of the table
//! (SQLite) or kept from using one kind of plan (PostgreSQL). Both write JSON. `GRID_ROWS` sets the number of rows of a table (default
//! 100,000), `GRID_TABLES` the tables, `GRID_DATABASES` a subset of `sqlite,postgres` (default both).

#[path = "grid/by_hand.rs"]
mod by_hand;
#[path = "grid/cases.rs"]
mod cases;
#[path = "grid/heat.rs"]
mod heat;
#[cfg(target_os = "linux")]
#[path = "grid/postgres.rs"]
mod postgres;
#[path = "grid/rows.rs"]
mod rows;
#[path = "grid/spelling.rs"]
mod spelling;

use cases::{Listed, TABLES};
use catalogue::{Caller, Catalogue, Role, Source};
use heat::Heat;
use rusqlite::{Connection, OpenFlags};
use spelling::Spelling;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use store::{Cancel, Query, Store};
use uuid::Uuid;

const TENANT: Uuid = Uuid::from_u128(1);
/// Number of rounds of each side, alternating: other load on the machine then affects both.
const ROUNDS: usize = 5;
/// Minimum duration of a round, so that work of microseconds can be measured.
const ROUND_MICROS: f64 = 2_000.0;

fn main() {
    let count = std::env::var("GRID_ROWS").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let named = |variable: &str| std::env::var(variable).unwrap_or_default();
    let is_wanted = |wanted: &str, name: &str| wanted.is_empty() || wanted.split(',').any(|one| one == name);
    let (tables, databases) = (named("GRID_TABLES"), named("GRID_DATABASES"));
    let tables: Vec<_> = TABLES.iter().filter(|table| is_wanted(&tables, table.name)).collect();
    let catalogue = Arc::new(catalogue());
    if is_wanted(&databases, "sqlite") {
        sqlite(&catalogue, &tables, count);
    }
    #[cfg(target_os = "linux")]
    if is_wanted(&databases, "postgres") {
        postgres::run(&catalogue, &tables, count);
    }
}

fn sqlite(catalogue: &Arc<Catalogue>, tables: &[&Listed], count: u32) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("grid.db");
    let store = Store::open(&file, Arc::clone(catalogue)).expect("the catalogue is sound");
    println!(
        "SQLite, {count} rows a table\n\n{:<26}{:>10}{:>12}  µs a row of the import, for each index",
        "", "import, s", "bytes a row"
    );
    for table in tables {
        let began = Instant::now();
        rows::fill(&store, table, count);
        let took = began.elapsed().as_secs_f64();
        rows::print_costs(&file, table.name, count, took);
    }
    let began = Instant::now();
    let counted = store.renew_statistics().expect("nobody else writes");
    println!("\nrows of {counted} more tables counted in {:.2} s\n", began.elapsed().as_secs_f64());
    while store.renew_segments().expect("nobody else writes") {}

    let plain_file = folder.path().join("plain.db");
    fill_plain(catalogue, tables, count, &plain_file);
    let (hand, hand_of_plain) = (open_by_hand(&file), open_by_hand(&plain_file));
    let caller = caller();
    let mut heat = Heat::default();
    for table in tables {
        heat.table(table.name);
        let hand = if is_shared(catalogue, table) { &hand_of_plain } else { &hand };
        for case in cases::of(catalogue, table, Spelling::Sqlite) {
            let ours = engine(&store, &caller, &case.query);
            let statement = by_hand::best(hand, &case, table.name);
            let theirs = || by_hand::run(hand, &statement);
            let [ours, theirs] = fastest(&cpu_micros, [&ours, &theirs]);
            heat.add(table.name, &case, ours, theirs, &statement);
        }
        heat.end_of_table();
    }
    heat.print_worst();
}

/// Whether rows of the table share values: hand-written SQL cannot name these columns.
fn is_shared(catalogue: &Catalogue, table: &Listed) -> bool {
    let id = catalogue.find(table.name);
    id.is_some_and(|id| catalogue.table(id).columns.iter().any(|column| column.shared.is_some()))
}

/// Fills tables that share values a second time, with each value in its own column.
fn fill_plain(catalogue: &Catalogue, tables: &[&Listed], count: u32, file: &Path) {
    let mut plain = catalogue.clone();
    for column in plain.tables.iter_mut().flat_map(|table| &mut table.columns) {
        column.shared = None;
    }
    let store = Store::open(file, Arc::new(plain)).expect("the catalogue is sound");
    for table in tables.iter().filter(|table| is_shared(catalogue, table)) {
        rows::fill(&store, table, count);
    }
    store.renew_statistics().expect("nobody else writes");
}

fn open_by_hand(file: &Path) -> Connection {
    let hand =
        Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the file is there");
    hand.execute_batch("PRAGMA mmap_size = 16777216; PRAGMA cache_size = -4096").expect("it is SQLite");
    by_hand::register(&hand);
    hand
}

fn caller() -> Caller {
    Caller::user(Uuid::from_u128(2), TENANT, vec![Role::TenantAdmin])
}

/// The engine's work for a query.
fn engine<'a>(store: &'a Store, caller: &'a Caller, query: &Query) -> impl Fn() + 'a {
    let plans = store.plan(caller, std::slice::from_ref(query));
    move || {
        let answer = store.run(caller, &plans, &[], &Cancel::default());
        std::hint::black_box(answer.expect("a sound query"));
    }
}

/// Microseconds per call by this clock: the minimum over several rounds, because other work on the machine only makes a round slower.
fn fastest<const COUNT: usize>(cpu: &dyn Fn() -> f64, works: [&dyn Fn(); COUNT]) -> [f64; COUNT] {
    for work in works {
        work();
    }
    let mut best = [f64::INFINITY; COUNT];
    for _ in 0..ROUNDS {
        for (best, work) in best.iter_mut().zip(works) {
            *best = best.min(round(cpu, work));
        }
    }
    best
}

fn round(cpu: &dyn Fn() -> f64, work: &dyn Fn()) -> f64 {
    let began = cpu();
    let mut times = 0.0;
    loop {
        work();
        times += 1.0;
        let took = cpu() - began;
        if took >= ROUND_MICROS {
            return took / times;
        }
    }
}

/// CPU time used by this thread. The scheduler's own statistics are only updated at each tick.
fn cpu_micros() -> f64 {
    clock(rustix::time::ClockId::ThreadCPUTime)
}

/// CPU time used by all threads of the process.
#[cfg(target_os = "linux")]
fn process_micros() -> f64 {
    clock(rustix::time::ClockId::ProcessCPUTime)
}

fn clock(clock: rustix::time::ClockId) -> f64 {
    let used = rustix::time::clock_gettime(clock);
    let part = |number: i64| u32::try_from(number).map(f64::from).unwrap_or_default();
    part(used.tv_sec) * 1e6 + part(used.tv_nsec) / 1e3
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
