//! The grid on PostgreSQL: a server of its own, and hand-written statements that return JSON.
//!
//! Compared is the CPU time of this process and of the server's sessions together, so that work moved from one to the other still counts.

use super::cases::{self, Case, Listed};
use super::heat::Heat;
use super::rows;
use super::spelling::Spelling;
use super::{caller, engine, fastest};
use catalogue::Catalogue;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;
use store::Store;
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls, Statement};

/// Planner settings of the hand-written side: the default first, then with one kind of plan disabled.
const PLANS: [&str; 5] = [
    "RESET enable_seqscan",
    "SET enable_seqscan = off",
    "SET enable_sort = off",
    "SET enable_bitmapscan = off",
    "SET enable_indexscan = off",
];
const RESET: &str =
    "RESET enable_seqscan; RESET enable_sort; RESET enable_bitmapscan; RESET enable_indexscan";
/// Plans slower than the best so far by this factor are not measured again.
const HOPELESS: f64 = 3.0;

/// The connection of the hand-written side.
struct Hand {
    runtime: Runtime,
    client: Client,
}

impl Hand {
    fn new(url: &str) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let (client, connection) =
            runtime.block_on(tokio_postgres::connect(url, NoTls)).expect("it is there");
        runtime.spawn(connection);
        Self { runtime, client }
    }

    fn batch(&self, sql: &str) {
        self.runtime
            .block_on(self.client.batch_execute(sql))
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    fn number(&self, sql: &str) -> i64 {
        let row = self.runtime.block_on(self.client.query_one(sql, &[]));
        row.and_then(|row| row.try_get(0)).unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    fn prepare(&self, sql: &str) -> Statement {
        let made = self.runtime.block_on(self.client.prepare(sql));
        made.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    fn run(&self, statement: &Statement) {
        let row = self.runtime.block_on(self.client.query_one(statement, &[])).expect("it runs");
        std::hint::black_box(row.get::<_, Option<&str>>(0).map(str::len));
    }

    /// Applies the planner setting to the session and prepares the statement.
    fn planned(&self, plan: &str, sql: &str) -> Statement {
        self.batch(RESET);
        self.batch(plan);
        self.prepare(sql)
    }

    /// The statement for a case, with the fastest planner setting.
    fn best(&self, case: &Case, cpu: &dyn Fn() -> f64) -> (&'static str, String) {
        let rows = case.sql.replace("{hint}", "");
        let sql = format!("SELECT json_agg(x)::text FROM ({rows}) x");
        let mut best: Option<(f64, &str)> = None;
        for plan in PLANS {
            let statement = self.planned(plan, &sql);
            self.run(&statement);
            let began = cpu();
            self.run(&statement);
            let once = cpu() - began;
            if best.is_some_and(|(known, _)| once > known * HOPELESS) {
                continue;
            }
            let [took] = fastest(cpu, [&|| self.run(&statement)]);
            if best.is_none_or(|(known, _)| took < known) {
                best = Some((took, plan));
            }
        }
        (best.expect("the planner's own choice is one").1, sql)
    }
}

/// Fills a database and prints its heat map.
pub fn run(catalogue: &Arc<Catalogue>, tables: &[&Listed], count: u32) {
    let Some(url) = testkit::postgres::database() else {
        println!("\nPostgreSQL is not installed: not measured");
        return;
    };
    let hand = Hand::new(&url);
    // Parallel workers would not be measured, and rows of other tables do not exist.
    hand.batch(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET max_parallel_workers_per_gather = 0', current_database()); \
         EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database()); END $$; \
         SET max_parallel_workers_per_gather = 0; SET jit = off",
    );
    let store = Store::open_postgres(&url, Arc::clone(catalogue)).expect("the catalogue is sound");
    println!(
        "\nPostgreSQL, {count} rows a table\n\n{:<26}{:>10}{:>12}{:>12}",
        "", "import, s", "bytes a row", "of indices"
    );
    for table in tables {
        let began = Instant::now();
        rows::fill(&store, table, count);
        let took = began.elapsed().as_secs_f64();
        let bytes = |what: &str| hand.number(&format!("SELECT {what}('\"{}\"') / {count}", table.name));
        println!(
            "{:<26}{took:>10.2}{:>12}{:>12}",
            table.name,
            bytes("pg_table_size"),
            bytes("pg_indexes_size")
        );
    }
    hand.batch("VACUUM ANALYZE");
    let sessions = Sessions::of(&hand);
    let reading = Cell::new(0.0);
    let cpu = || {
        // The time for reading the clocks is subtracted.
        let began = super::cpu_micros();
        let of_sessions = sessions.micros();
        reading.set(reading.get() + super::cpu_micros() - began);
        super::process_micros() - reading.get() + of_sessions
    };
    let caller = caller();
    let mut heat = Heat::default();
    for table in tables {
        heat.table(table.name);
        for case in cases::of(catalogue, table, Spelling::Postgres) {
            let ours = engine(&store, &caller, &case.query);
            let (plan, sql) = hand.best(&case, &cpu);
            let statement = hand.planned(plan, &sql);
            let [ours, theirs] = fastest(&cpu, [&ours, &|| hand.run(&statement)]);
            heat.add(table.name, &case, ours, theirs, &format!("{plan}; {sql}"));
        }
        heat.end_of_table();
    }
    heat.print_worst();
}

/// The server processes, whose CPU time the system reports in nanoseconds.
struct Sessions(i64);

impl Sessions {
    fn of(hand: &Hand) -> Self {
        // The server's main process is the parent of its session processes.
        let own = hand.number("SELECT pg_backend_pid()::bigint");
        Self(i64::from(parent(&own.to_string()).expect("it runs")))
    }

    fn micros(&self) -> f64 {
        let listed = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.0));
        let listed = listed.unwrap_or_default();
        listed.split_whitespace().filter_map(nanos).sum::<f64>() / 1e3
    }
}

/// The parent process.
fn parent(process: &str) -> Option<i32> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

fn nanos(process: &str) -> Option<f64> {
    let told = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    told.split_whitespace().next()?.parse().ok()
}
