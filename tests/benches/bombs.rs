//! Requests made to cost the server much and their sender little, one of each kind: what refusing them takes.
//!
//! The kinds are those of graphql/src/tests/limits.rs, which says with which words each is refused.

use crate::wire::{Ask, Connection};
use crate::{Server, verdict};
use serde_json::{Value, json};

/// Each is sent so often: Linux counts processor time in hundredths of a second.
const TIMES: u32 = 20;
/// Milliseconds of processor time one of them may take.
const GOAL: f64 = 50.0;

/// Sends every kind and prints what it took of the server's processor time, reading the request included.
pub fn measure(server: &Server, token: &str) {
    println!(
        "\nquery bombs, CPU of the server, goal {GOAL} ms each\n{:<46}{:>9}{:>9}",
        "", "KB sent", "CPU ms"
    );
    for (what, query, variables) in bombs() {
        let body = body(&query, &variables);
        let cpu = cost(server, token, what, &body, TIMES);
        println!("{what:<46}{:>9}{cpu:>9.1}  {}", body.len() / 1000, verdict(cpu < GOAL));
    }
    // Too deep for a `Value` of this side: written as text.
    let deep = format!(
        r#"{{"query":"{{ __typename }}","variables":{{"v":{}{}}}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let what = "JSON variables 100,000 deep";
    let cpu = cost(server, token, what, &deep, TIMES);
    println!("{what:<46}{:>9}{cpu:>9.1}  {}", deep.len() / 1000, verdict(cpu < GOAL));
    // Within every limit on what may be asked for: what it may take is bound by the setting max_seconds.
    let body = body(&long(), &Value::Null);
    let what = "relationships in a where, 18 deep, to its end";
    let cpu = cost(server, token, what, &body, 1);
    println!("{what:<46}{:>9}{cpu:>9.1}  {}", body.len() / 1000, verdict(cpu < GOAL));
}

/// Milliseconds of processor time for one of them, which must be refused.
fn cost(server: &Server, token: &str, what: &str, body: &str, times: u32) -> f64 {
    let ask = Ask::post(&server.address, "/api/graphql", Some(token), body);
    let mut connection = Connection::open(&server.address);
    let before = server.cpu_micros();
    for _ in 0..times {
        let (_, answer) = connection.exchange(&ask);
        let answer = String::from_utf8_lossy(answer);
        assert!(answer.starts_with("{\"errors\""), "{what}: not refused but {answer:.300}");
    }
    (server.cpu_micros() - before) / 1000.0 / f64::from(times)
}

fn body(query: &str, variables: &Value) -> String {
    json!({ "query": query, "variables": variables }).to_string()
}

fn bombs() -> Vec<(&'static str, String, Value)> {
    let brackets = format!("{}{}", "{a(b:[".repeat(20_000), "])}".repeat(20_000));
    let (open, close) = ("spends { cloudAccountByCloudAccount { ".repeat(12), "} }".repeat(12));
    let aliases: String = (0..2_000).map(|n| format!("a{n}: id ")).collect();
    let roots: String = (0..2_000).map(|n| format!("a{n}: spends {{ id }} ")).collect();
    let doubled: String =
        (0..40).map(|n| format!("fragment f{n} on spends {{ ...f{0} ...f{0} }} ", n + 1)).collect();
    let uses: String =
        (0..200).map(|n| format!("a{n}: spends(where: {{ unit: {{ _eq: $v }} }}) {{ id }} ")).collect();
    let filter = || "query($w: spends_bool_exp) { spends(where: $w) { id } }".to_owned();
    let many: Vec<Value> = (0..100_000).map(|n| json!({ "amount": { "_neq": n } })).collect();
    let listed: Vec<u32> = (0..500_000).collect();
    let deep = (0..40).fold(json!({}), |inner, _| json!({ "_not": inner }));
    vec![
        ("a text of a megabyte", "{".repeat(1_000_000), Value::Null),
        ("brackets 60,000 deep", brackets, Value::Null),
        ("selections 24 deep", format!("{{ {open} id {close} }}"), Value::Null),
        ("2,000 aliases of a column", format!("{{ spends {{ {aliases} }} }}"), Value::Null),
        ("2,000 aliases of a table", format!("{{ {roots} }}"), Value::Null),
        (
            "fragments that double 40 times",
            format!("{{ spends {{ ...f0 }} }} {doubled} fragment f40 on spends {{ id }}"),
            Value::Null,
        ),
        (
            "a fragment that refers to itself",
            "{ spends { ...f } } fragment f on spends { ...f }".to_owned(),
            Value::Null,
        ),
        (
            "lists of the schema inside lists",
            "{ __schema { types { fields { type { fields { name } } } } } }".to_owned(),
            Value::Null,
        ),
        ("100,000 conditions", filter(), json!({ "w": { "_and": many } })),
        ("a where 40 deep", filter(), json!({ "w": deep })),
        ("500,000 values in a list", filter(), json!({ "w": { "amount": { "_in": listed } } })),
        (
            "a megabyte put in 200 times",
            format!("query($v: String) {{ {uses} }}"),
            json!({ "v": "x".repeat(1_000_000) }),
        ),
    ]
}

/// Has SQLite compare every row with the others, over and over.
fn long() -> String {
    let inside = (0..9).fold("unit: { _eq: \"none\" }".to_owned(), |inside, _| {
        format!("cloudAccountByCloudAccount: {{ spends: {{ {inside} }} }}")
    });
    format!("{{ spends(where: {{ {inside} }}) {{ id }} }}")
}
