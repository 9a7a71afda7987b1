//! Measures how long other writes wait during an import, and during its undo.
//!
//! `make bench-waiting`; `BENCH_ROWS` sets the charges (default 100,000), `BENCH_DATABASE` one of `sqlite` and `postgres` (default both),
//! `BENCH_SERVER` the program. A client saves a view every 50 ms: first alone, then during the work; the waits are printed with the duration of the
//! work.

mod bill;
mod on_postgres;
mod program;
mod wire;

use program::{Program, Server, text_of};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use wire::{Ask, Connection};

const ROWS: usize = 100_000;
/// Interval between the starts of two writes.
const PACE: Duration = Duration::from_millis(50);
/// How long writes are measured alone.
const ALONE: Duration = Duration::from_secs(5);
/// The intended maximum wait, s.
const LONGEST: f64 = 1.0;
/// Interval for polling the state of an import.
const LOOK: Duration = Duration::from_millis(100);

fn main() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ stands in the project");
    let told = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let rows = told("BENCH_ROWS").map_or(ROWS, |rows| rows.parse().expect("BENCH_ROWS is a number"));
    let server = told("BENCH_SERVER").unwrap_or_else(|| "target/release/quarterdeck-server".to_owned());
    let server = project.join(server);
    let only = told("BENCH_DATABASE");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("bill.csv");
    bill::write(project, &file, rows);
    let bill = std::fs::read(&file).expect("it was written");
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("{rows} charges, load before: {}", load.trim());
    for database in ["sqlite", "postgres"] {
        if only.as_ref().is_some_and(|only| only != database) {
            continue;
        }
        let data = folder.path().join(database);
        std::fs::create_dir(&data).expect("there is room");
        let file = match database {
            "sqlite" => server.clone(),
            _ => on_postgres::program(&data, &server),
        };
        println!("{database}");
        measure(&Program { file, data: data.join("data") }, &bill);
    }
}

fn measure(program: &Program, bill: &[u8]) {
    program.run(&["user", "add", "bench@example.com", "--role", "tenant_admin"]);
    let pair = program.run(&["token", "create", "bench@example.com", "--name", "bench", "--json"]);
    let server = Server::start(program);
    let client = Client { address: server.address.clone(), token: server.token(&pair) };
    let ended = Instant::now() + ALONE;
    print("alone", None, client.write_while(|| Instant::now() < ended));
    let mut import = String::new();
    client.beside("import", || {
        let head = client.request("POST", "/api/imports?name=bill.csv", "");
        // The header contains the length of the body.
        let head = String::from_utf8(head.0).expect("a head is ASCII");
        let head = head.replace("Content-Length: 0", &format!("Content-Length: {}", bill.len()));
        import = text_of(&client.send(&Ask([head.as_bytes(), bill].concat())), "id");
        client.until_done(&import);
    });
    client.beside("preview of the undo", || {
        client.send(&client.request("GET", &format!("/api/imports/{import}/undo"), ""));
    });
    client.beside("undo", || {
        client.send(&client.request("POST", &format!("/api/imports/{import}/undo"), "{}"));
    });
}

/// A client of a running service.
struct Client {
    address: String,
    token: String,
}

impl Client {
    fn request(&self, method: &str, path: &str, body: &str) -> Ask {
        Ask::new(method, &self.address, path, Some(&self.token), body)
    }

    /// The body of the response, over a new connection.
    fn send(&self, ask: &Ask) -> String {
        let mut connection = Connection::open(&self.address);
        let (status, body) = connection.exchange(ask);
        let body = String::from_utf8(body.to_vec()).expect("JSON is text");
        assert!((200..300).contains(&status), "{status}: {body}");
        body
    }

    /// Waits for the end of an import.
    fn until_done(&self, import: &str) {
        let show = self.request("GET", &format!("/api/imports/{import}"), "");
        loop {
            let answer: Value = serde_json::from_str(&self.send(&show)).expect("JSON");
            if !answer["report"].is_null() {
                assert!(answer["state"].as_str().is_some_and(|state| state.starts_with("done")), "{answer}");
                return;
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Writes while `goes_on` returns true. Returns the duration of each write, s.
    fn write_while(&self, goes_on: impl Fn() -> bool) -> Vec<f64> {
        let mut connection = Connection::open(&self.address);
        let mut waits = Vec::new();
        while goes_on() {
            let number = waits.len();
            let query = format!(
                r#"mutation {{ insert_saved_view_one(object: {{ page: "costs/explorer", name: "{number} {:?}", search: {{}} }}) {{ id }} }}"#,
                Instant::now()
            );
            let began = Instant::now();
            let body = json!({ "query": query }).to_string();
            let answer = connection.send(&self.request("POST", "/api/graphql", &body));
            let took = began.elapsed();
            let answer: Value = serde_json::from_slice(answer).expect("JSON");
            assert!(answer["errors"].is_null(), "{answer}");
            waits.push(took.as_secs_f64());
            std::thread::sleep(PACE.saturating_sub(took));
        }
        waits
    }

    /// Writes while `work` runs, and prints both durations.
    fn beside(&self, what: &str, work: impl FnOnce()) {
        let is_over = AtomicBool::new(false);
        let (took, waits) = std::thread::scope(|scope| {
            let writes = scope.spawn(|| self.write_while(|| !is_over.load(Ordering::Relaxed)));
            let began = Instant::now();
            let over = Over(&is_over);
            work();
            let took = began.elapsed().as_secs_f64();
            drop(over);
            (took, writes.join().expect("writes succeed"))
        });
        print(what, Some(took), waits);
    }
}

/// Stops the writes, even if the work fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn print(what: &str, took: Option<f64>, mut waits: Vec<f64>) {
    waits.sort_by(f64::total_cmp);
    let at = |share: usize| waits[(waits.len() * share / 100).min(waits.len() - 1)];
    let longest = at(100);
    let work = took.map_or_else(String::new, |took| {
        format!(" in {took:.2} s, of which others waited {:.0}% at once", 100.0 * longest / took)
    });
    let verdict = if longest <= LONGEST { "met" } else { "MISSED" };
    println!(
        "  {what}{work}: {} writes, half within {:.3} s, 99 of 100 within {:.3} s, longest {longest:.3} s (goal {LONGEST} s, {verdict})",
        waits.len(),
        at(50),
        at(99),
    );
}
