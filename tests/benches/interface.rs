//! Measures the table API from outside: requests per second, latency and the server's processor time over real HTTP, its memory, the cost of query
//! bombs, the gain from shared commits, and reads while another process imports a bill.
//!
//! `make bench` builds `quarterdeck-server` with optimisation and runs this. The queries are those of store/benches/engine.rs, which compares them
//! with SQL written by hand; here they are compared with constant responses. They take turns; the median of several rounds counts. Client and
//! server share the machine.

mod bill;
mod bombs;
mod dataset;
mod drive;
mod program;
mod wire;

use drive::{Timing, drive};
use program::{Program, Server, text_of};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use wire::{Ask, Connection};

const CONNECTIONS: usize = 8;
/// Number of connections that write, compared with a single one; each user has half of them.
const WRITERS: usize = 16;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(1);
/// Number of rows another process imports meanwhile.
const IMPORTED: usize = 200_000;
/// Interval of requests on an unhurried connection.
const PACE: Duration = Duration::from_millis(10);

const Q1: &str = "{ recommendation(where: {status: {_eq: Open}}, order_by: {estimated_savings: desc}, limit: 100) { id rule_name category severity status estimated_savings cloud_resourse { name region service_name } } }";
const Q2: &str = "{ cloud_accounts(order_by: {account_name: asc}) { id account_name spends_aggregate(where: {date: {_gte: \"2024-09-01\", _lt: \"2024-10-01\"}}) { aggregate { count sum { amount } } } } }";
const Q3: &str = "{ cloud_accounts_by_pk(id: \"00000000-0000-0001-0000-000000000007\") { id account_name cloud_provider status } }";
const Q4: &str = "{ recommendation(where: {severity: {_eq: Medium}, status: {_in: [Open, Assigned]}}, order_by: {created_at: desc}, limit: 50, offset: 100) { id rule_name status } recommendation_aggregate(where: {severity: {_eq: Medium}, status: {_in: [Open, Assigned]}}) { aggregate { count } } }";
/// A write that changes its row every time.
const WRITE: &str = "mutation { update_cloud_accounts_by_pk(pk_columns: {id: \"00000000-0000-0001-0000-000000000007\"}, _inc: {budget: 1}) { id } }";

fn main() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ stands in the project");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program =
        Program { file: project.join("target/release/quarterdeck-server"), data: folder.path().join("data") };
    let began = Instant::now();
    program.run(&["user", "add", "bench@example.com"]);
    let pair = program.run(&["token", "create", "bench@example.com", "--name", "bench", "--json"]);
    let users = program.run(&["table", "dump", "users", "--format", "ndjson"]);
    let user = text_of(users.lines().next().expect("a user was added"), "id");
    dataset::fill(folder.path(), &user, |table, file| {
        program.run(&["table", "load", table, file.to_str().expect("a plain name")]);
    });
    println!("data loaded in {:.0} s", began.elapsed().as_secs_f64());

    let server = Server::start(&program);
    let token = server.token(&pair);
    let idle = questions(&server, &token);
    memory(&server, "after these questions");
    writes(&server, &program, &token);
    memory(&server, "after writes");
    bombs::measure(&server, &token);
    memory(&server, "after query bombs");
    import(&server, &program, project, folder.path(), &token, &idle);
    println!(
        "PostGraphile is not at hand here and is not fetched: requests per second are not compared with it"
    );
}

/// A repeated request, with the figures of every round.
struct Question {
    what: &'static str,
    ask: Ask,
    bytes: usize,
    rounds: Vec<(Timing, f64)>,
}

/// The medians of a request.
struct Figures {
    per_second: f64,
    p50: f64,
    p99: f64,
    cpu: f64,
}

impl Question {
    fn figures(&self) -> Figures {
        let middle = |figure: &dyn Fn(&(Timing, f64)) -> f64| {
            let mut all: Vec<f64> = self.rounds.iter().map(figure).collect();
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        };
        Figures {
            per_second: middle(&|(timing, _)| timing.per_second),
            p50: middle(&|(timing, _)| timing.p50),
            p99: middle(&|(timing, _)| timing.p99),
            cpu: middle(&|(_, cpu)| *cpu),
        }
    }
}

/// Measures all requests in turns and prints their figures. Returns those of Q3.
fn questions(server: &Server, token: &str) -> Figures {
    let address = &server.address;
    let mut questions: Vec<Question> = [
        ("no token, fixed (GET /healthz)", Ask::get(address, "/healthz", None)),
        ("token, fixed (GET /api/auth/session)", Ask::get(address, "/api/auth/session", Some(token))),
        ("token, GraphQL, fixed ({ __typename })", graphql(address, token, "{ __typename }")),
        ("Q1: 100 open recommendations, with resource", graphql(address, token, Q1)),
        ("Q2: 50 accounts, their spend of a month", graphql(address, token, Q2)),
        ("Q3: one account by its key", graphql(address, token, Q3)),
        ("Q4: a filtered page and its count", graphql(address, token, Q4)),
    ]
    .into_iter()
    .map(|(what, ask)| {
        let mut connection = Connection::open(address);
        let answer = connection.send(&ask);
        let text = String::from_utf8_lossy(answer);
        assert!(!text.starts_with("{\"errors\""), "{what}: {text}");
        Question { what, bytes: answer.len(), ask, rounds: Vec::new() }
    })
    .collect();
    for _ in 0..ROUNDS {
        for question in &mut questions {
            let before = server.cpu_micros();
            let timing = drive(address, &question.ask, CONNECTIONS, None, |since| since < ROUND);
            #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 requests")]
            let cpu = (server.cpu_micros() - before) / timing.requests as f64;
            question.rounds.push((timing, cpu));
        }
    }
    println!(
        "\n{CONNECTIONS} connections\n{:<46}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "", "bytes", "req/s", "p50 µs", "p99 µs", "CPU µs"
    );
    for question in &questions {
        let Figures { per_second, p50, p99, cpu } = question.figures();
        println!("{:<46}{:>9}{per_second:>9.0}{p50:>9.0}{p99:>9.0}{cpu:>9.1}", question.what, question.bytes);
    }
    let (fixed, q3) = (questions[1].figures(), questions[5].figures());
    let ratio = q3.cpu / fixed.cpu;
    println!(
        "\nQ3, CPU as a multiple of the fixed answer with token: {ratio:.2}, goal 2.0, {}",
        verdict(ratio <= 2.0)
    );
    let floor = questions[0].figures();
    println!(
        "Q3, p99: {:.0} µs, goal 1000, {}; {:.2} times the fixed answer with token, {:.2} times the one without ({:.0} and {:.0} µs, \
         what {CONNECTIONS} connections of this client wait for on a machine of {} cores)",
        q3.p99,
        verdict(q3.p99 < 1000.0),
        q3.p99 / fixed.p99,
        q3.p99 / floor.p99,
        fixed.p99,
        floor.p99,
        std::thread::available_parallelism().map_or(0, usize::from),
    );
    println!("Q1 beside the same SQL by hand (goal 1.25): `cargo bench -p store --bench engine`");
    q3
}

/// Prints the memory of the server. Every reader maps the database: a page of the file counts as resident once for each reader that has accessed
/// it, although it exists in memory once, is shared with all other processes, and can be evicted.
fn memory(server: &Server, when: &str) {
    println!("\nmemory {when}, MB, goal 100");
    for (what, file, name) in [
        ("resident now (VmRSS)", "status", "VmRSS:"),
        ("resident at most (VmHWM)", "status", "VmHWM:"),
        ("its own (RssAnon)", "status", "RssAnon:"),
        ("pages of files (RssFile)", "status", "RssFile:"),
        ("proportional, pages counted once (Pss)", "smaps_rollup", "Pss:"),
    ] {
        let megabytes = server.memory_mb(file, name);
        println!("  {what:<44}{megabytes:>9}  {}", verdict(megabytes < 100));
    }
}

/// Compares writes over one connection with writes over many, which share commits.
fn writes(server: &Server, program: &Program, token: &str) {
    program.run(&["user", "add", "second@example.com"]);
    let pair = program.run(&["token", "create", "second@example.com", "--name", "bench", "--json"]);
    let asks = [token, &server.token(&pair)].map(|token| graphql(&server.address, token, WRITE));
    let answer = String::from_utf8_lossy(Connection::open(&server.address).send(&asks[1])).into_owned();
    assert!(answer.starts_with("{\"data\":{\"update_cloud_accounts_by_pk\":{"), "{answer}");
    let measure = |connections: &[usize]| {
        let before = server.cpu_micros();
        let (per_second, requests) = std::thread::scope(|scope| {
            let users: Vec<_> = asks
                .iter()
                .zip(connections)
                .map(|(ask, connections)| {
                    scope.spawn(|| drive(&server.address, ask, *connections, None, |since| since < 3 * ROUND))
                })
                .collect();
            users
                .into_iter()
                .map(|user| user.join().expect("no answer failed"))
                .fold((0.0, 0), |(per_second, requests), timing| {
                    (per_second + timing.per_second, requests + timing.requests)
                })
        });
        #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 requests")]
        let cpu = (server.cpu_micros() - before) / requests as f64;
        (per_second, cpu)
    };
    let (alone, cpu_alone) = measure(&[1]);
    let (together, cpu_together) = measure(&[WRITERS / 2, WRITERS / 2]);
    println!("\nwrites, each on disk before it is answered{:>9}{:>9}", "writes/s", "CPU µs");
    println!("{:<42}{alone:>9.0}{cpu_alone:>9.1}", "1 connection");
    println!("{:<42}{together:>9.0}{cpu_together:>9.1}", format!("{WRITERS} connections of 2 users"));
    println!(
        "{:<42}{:>9.2}{:>9.2}",
        format!("{WRITERS} beside 1"),
        together / alone,
        cpu_together / cpu_alone
    );
}

/// Measures reads while another process imports a bill into the same database.
fn import(server: &Server, program: &Program, project: &Path, folder: &Path, token: &str, hurried: &Figures) {
    let file = folder.join("bill.csv");
    bill::write(project, &file, IMPORTED);
    let ask = graphql(&server.address, token, Q3);
    let calm = drive(&server.address, &ask, CONNECTIONS, Some(PACE), |since| since < 3 * ROUND);
    println!("\nQ3 while another process imports {IMPORTED} rows");
    for (what, pause, idle) in
        [("100 requests a second and connection", Some(PACE), calm.p99), ("no pause", None, hurried.p99)]
    {
        let mut importing = program.command(&["import"]).arg(&file).spawn().expect("the program starts");
        let is_over = AtomicBool::new(false);
        let began = Instant::now();
        let timing = std::thread::scope(|scope| {
            scope.spawn(|| {
                let status = importing.wait().expect("the process is ours");
                is_over.store(true, Ordering::Relaxed);
                assert!(status.success(), "the import ended with {status}");
            });
            drive(&server.address, &ask, CONNECTIONS, pause, |_| !is_over.load(Ordering::Relaxed))
        });
        let ratio = timing.p99 / idle;
        println!(
            "  {what}: import {:.1} s, p99 {:.0} µs, idle {idle:.0}, {ratio:.2} times, goal 2.0, {}",
            began.elapsed().as_secs_f64(),
            timing.p99,
            verdict(ratio <= 2.0)
        );
        // A second import of the same bill would change nothing.
        bill::write(project, &file, IMPORTED + 1_000);
    }
}

fn graphql(address: &str, token: &str, query: &str) -> Ask {
    let body = serde_json::json!({ "query": query }).to_string();
    Ask::post(address, "/api/graphql", Some(token), &body)
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "NOT met" }
}
