//! Lists beside the best SQL a person could write for them on the same database: twenty tables, filtered by each pair of their usual
//! columns, ordered by each time and amount in both directions, page 1, 20 and 200, and their counts; with a related row, and with
//! a figure over related rows.
//!
//! `make bench-grid` runs it. Each cell of the heat map is a ratio: CPU time of the engine (no HTTP, plan known) by that of the
//! fastest of several statements: as SQLite plans it, and made to use each index of the table. Both write JSON. `GRID_ROWS` says how
//! many rows a table has (100,000 unless given), `GRID_TABLES` which tables (all unless given).

#[path = "grid/by_hand.rs"]
mod by_hand;
#[path = "grid/cases.rs"]
mod cases;
#[path = "grid/heat.rs"]
mod heat;
#[path = "grid/rows.rs"]
mod rows;

use cases::TABLES;
use catalogue::{Caller, Catalogue, Role, Source};
use heat::Heat;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use store::{Cancel, Query, Store};
use uuid::Uuid;

const TENANT: Uuid = Uuid::from_u128(1);
const ROUNDS: usize = 3;
/// A round lasts at least so long, so that what takes microseconds is measured, too.
const ROUND_MICROS: f64 = 2_000.0;

fn main() {
    let count = std::env::var("GRID_ROWS").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let only = std::env::var("GRID_TABLES").unwrap_or_default();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("grid.db");
    let catalogue = Arc::new(catalogue());
    let store = Store::open(&file, Arc::clone(&catalogue)).expect("the catalogue is sound");
    let tables: Vec<_> = TABLES
        .iter()
        .filter(|table| only.is_empty() || only.split(',').any(|name| name == table.name))
        .collect();
    println!(
        "{count} rows a table\n\n{:<26}{:>10}{:>12}  µs a row of the import, for each index",
        "", "import, s", "bytes a row"
    );
    for table in &tables {
        let began = Instant::now();
        rows::fill(&store, table, count);
        let took = began.elapsed().as_secs_f64();
        rows::print_costs(&file, table.name, count, took);
    }
    let began = Instant::now();
    let counted = store.renew_statistics().expect("nobody else writes");
    println!("\nrows of {counted} more tables counted in {:.2} s\n", began.elapsed().as_secs_f64());
    while store.renew_segments().expect("nobody else writes") {}

    let hand =
        Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the file is there");
    hand.execute_batch("PRAGMA mmap_size = 16777216; PRAGMA cache_size = -4096").expect("it is SQLite");
    by_hand::register(&hand);
    let caller = Caller::person(Uuid::from_u128(2), TENANT, vec![Role::TenantAdmin]);
    let mut heat = Heat::default();
    for table in &tables {
        heat.table(table.name);
        for case in cases::of(&catalogue, table) {
            let ours = engine(&store, &caller, &case.query);
            let (theirs, statement) = by_hand::best(&hand, &case, table.name);
            heat.add(table.name, &case, ours, theirs, &statement);
        }
        heat.end_of_table();
    }
    heat.print_worst();
}

/// CPU microseconds of the engine.
fn engine(store: &Store, caller: &Caller, query: &Query) -> f64 {
    let plans = store.plan(caller, std::slice::from_ref(query));
    measure(&|| {
        let answer = store.run(caller, &plans, &[], &Cancel::default());
        std::hint::black_box(answer.expect("a sound query"));
    })
}

/// The middle of several rounds, as microseconds a call.
fn measure(work: &dyn Fn()) -> f64 {
    work();
    let mut figures: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = cpu_micros();
            let mut times = 0.0;
            loop {
                work();
                times += 1.0;
                let took = cpu_micros() - began;
                if took >= ROUND_MICROS {
                    return took / times;
                }
            }
        })
        .collect();
    figures.sort_by(f64::total_cmp);
    figures[ROUNDS / 2]
}

/// What this thread has had of the CPU. The scheduler's own account is only brought up to date at each tick.
#[allow(clippy::cast_precision_loss, reason = "a bench runs for no 285 years")]
fn cpu_micros() -> f64 {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
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
