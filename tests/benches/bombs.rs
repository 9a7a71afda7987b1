//! Sends requests that are cheap for the sender and expensive for the server, one of each kind: measures their cost, and checks that the intended
//! limit refuses them (graphql/src/limits.rs) or that they are answered in time.

use crate::wire::{Ask, Connection};
use crate::{Server, verdict};
use serde_json::{Value, json};

/// How often each is sent: Linux counts processor time in hundredths of a second.
const TIMES: u32 = 20;
/// Maximum processor time of one request, in milliseconds.
const GOAL: f64 = 50.0;

/// The expected result.
enum End {
    /// Refused by a limit, with this message.
    Refused(&'static str),
    /// Answered: no longer a bomb.
    Answered,
}
use End::{Answered, Refused};

struct Bomb {
    what: &'static str,
    body: String,
    end: End,
}

/// Sends every kind and prints the server's processor time, including parsing the request.
pub fn measure(server: &Server, token: &str) {
    println!(
        "\nquery bombs, CPU of the server, goal {GOAL} ms each\n{:<46}{:>9}{:>9}",
        "", "KB sent", "CPU ms"
    );
    for bomb in texts().into_iter().chain(conditions()).chain(repetitions()).chain(changes()).chain(bodies())
    {
        let (cpu, fault) = cost(server, token, &bomb);
        let found = fault.unwrap_or_else(|| verdict(cpu < GOAL).to_owned());
        println!("{:<46}{:>9}{cpu:>9.1}  {found}", bomb.what, bomb.body.len() / 1000);
    }
}

/// Processor time of one request in milliseconds, and the error if it does not end as expected.
fn cost(server: &Server, token: &str, bomb: &Bomb) -> (f64, Option<String>) {
    let ask = Ask::post(&server.address, "/api/graphql", Some(token), &bomb.body);
    let mut connection = Connection::open(&server.address);
    let (mut fault, before) = (None, server.cpu_micros());
    for _ in 0..TIMES {
        let (_, answer) = connection.exchange(&ask);
        let answer = String::from_utf8_lossy(answer);
        let is_met = match bomb.end {
            Refused(words) => answer.starts_with("{\"errors\"") && answer.contains(words),
            Answered => answer.starts_with("{\"data\""),
        };
        if !is_met {
            fault = Some(format!("NOT met: answered {answer:.300}"));
        }
    }
    ((server.cpu_micros() - before) / 1000.0 / f64::from(TIMES), fault)
}

fn bomb(what: &'static str, query: impl Into<String>, variables: &Value, end: End) -> Bomb {
    let body = json!({ "query": query.into(), "variables": variables }).to_string();
    Bomb { what, body, end }
}

/// Repeats a part of a query, each time with another alias.
fn times(times: u32, piece: &str) -> String {
    (0..times).map(|n| format!("a{n}: {piece} ")).collect()
}

/// Bombs in the query text.
fn texts() -> Vec<Bomb> {
    let plain = |what, query: String, end| bomb(what, query, &Value::Null, end);
    let (open, close) = ("spends { cloudAccountByCloudAccount { ".repeat(12), "} }".repeat(12));
    let doubled: String =
        (0..40).map(|n| format!("fragment f{n} on spends {{ ...f{0} ...f{0} }} ", n + 1)).collect();
    let operations: String = (0..14_000).map(|n| format!("query q{n} {{a}} ")).collect();
    let words = || Refused("words and brackets");
    let schema = || Refused("values of the schema");
    vec![
        plain("a text of a megabyte", "{".repeat(1_000_000), Refused("bytes of query text")),
        plain(
            "brackets 60,000 deep",
            format!("{}{}", "{a(b:[".repeat(20_000), "])}".repeat(20_000)),
            Refused("brackets inside brackets"),
        ),
        plain("a text of 250 KB, all fields", format!("{{ {} }}", "a ".repeat(125_000)), words()),
        plain("14,000 operations", operations, words()),
        plain(
            "15,000 directives on one field",
            format!("{{ tenant {{ id {} }} }}", "@skip(if:false)".repeat(15_000)),
            words(),
        ),
        plain(
            "selections 24 deep",
            format!("{{ {open} id {close} }}"),
            Refused("selections inside selections"),
        ),
        plain(
            "2,000 aliases of a column",
            format!("{{ spends {{ {} }} }}", times(2_000, "id")),
            Refused("fields (fragments opened)"),
        ),
        plain(
            "700 aliases of a table",
            format!("{{ {} }}", times(700, "spends { id }")),
            Refused("tables looked into"),
        ),
        plain(
            "500 figures over a whole table",
            format!("{{ spends_aggregate {{ {} }} }}", times(500, "aggregate { count }")),
            Refused("tables looked into"),
        ),
        plain(
            "fragments that double 40 times",
            format!("{{ spends {{ ...f0 }} }} {doubled} fragment f40 on spends {{ id }}"),
            Refused("fields (fragments opened)"),
        ),
        plain(
            "a fragment that refers to itself",
            "{ spends { ...f } } fragment f on spends { ...f }".to_owned(),
            Refused("refer to themselves"),
        ),
        plain(
            "lists of the schema inside lists",
            "{ __schema { types { fields { type { fields { name } } } } } }".to_owned(),
            Refused("lists of the schema inside lists"),
        ),
        plain(
            "lists of the schema beside lists",
            format!("{{ __schema {{ types {{ {} }} }} }}", times(200, "fields { name }")),
            schema(),
        ),
        plain(
            "one type 500 times",
            format!("{{ {} }}", times(500, "__type(name: \"mutation_root\") { fields { name } }")),
            schema(),
        ),
    ]
}

/// Bombs that make the database work.
fn conditions() -> Vec<Bomb> {
    let filter = "query($w: spends_bool_exp) { spends(where: $w, limit: 1) { id } }";
    let order = "query($o: [spends_order_by!]) { spends(order_by: $o, limit: 1) { id } }";
    let around = |inner: Value| json!({ "cloudAccountByCloudAccount": { "spends": inner } });
    let none = || json!({ "unit": { "_eq": "none" } });
    let counted = json!({ "spends_aggregate": { "count": { "predicate": { "_gt": 1_000_000 } } } });
    let uses = times(200, "spends(where: { unit: { _eq: $v } }) { id }");
    let patterns: Vec<Value> =
        (0..50).map(|n| json!({ "unit": { "_regex": format!("(\\w{{9}}x{n})+$") } })).collect();
    let figures =
        vec![json!({ "cloudAccountByCloudAccount": { "spends_aggregate": { "count": "asc" } } }); 300];
    vec![
        bomb(
            "relationships in a where, 18 deep",
            filter,
            &json!({ "w": (0..9).fold(none(), |inner, _| around(inner)) }),
            Refused("relationships inside relationships"),
        ),
        bomb(
            "relationships in a where, 4 deep",
            filter,
            &json!({ "w": (0..2).fold(none(), |inner, _| around(inner)) }),
            related(),
        ),
        bomb(
            "figures in a where, 3 deep",
            filter,
            &json!({ "w": around(json!({ "cloudAccountByCloudAccount": counted.clone() })) }),
            related(),
        ),
        bomb(
            "a figure in a where, 100 times",
            "query($w: cloud_accounts_bool_exp) { cloud_accounts(where: $w) { id } }",
            &json!({ "w": { "_or": vec![counted.clone(); 100] } }),
            related(),
        ),
        bomb("an order by a figure of another row", order, &json!({ "o": figures[..1] }), related()),
        bomb("300 figures to order by", order, &json!({ "o": figures }), Refused("tables looked into")),
        bomb(
            "2,000 columns to order by",
            order,
            &json!({ "o": vec![json!({ "id": "asc" }); 2_000] }),
            Refused("conditions on one table"),
        ),
        bomb(
            "50 regular expressions",
            filter,
            &json!({ "w": { "_or": patterns } }),
            Refused("regular expressions"),
        ),
        bomb(
            "a regular expression that grows",
            filter,
            &json!({ "w": { "unit": { "_regex": "((\\w{30}){30}){30}" } } }),
            Refused("invalid regular expression"),
        ),
        bomb(
            "a regular expression that backtracks",
            "query { cloud_accounts(where: {account_name: {_regex: \"^(a|a.|.*)*(.*)*$\"}}, limit: 1) { id } }",
            &Value::Null,
            Answered,
        ),
        bomb(
            "a pattern of 100,000%",
            filter,
            &json!({ "w": { "unit": { "_like": "%a".repeat(100_000) } } }),
            Refused("bytes of one pattern"),
        ),
        bomb(
            "10,000 columns to group by",
            "query($g: [String!]) { spend_groupings_v2(group_by: $g) { rows { spend_count } } }",
            &json!({ "g": vec!["account_id"; 10_000] }),
            Refused("conditions"),
        ),
        bomb(
            "a where 40 deep",
            filter,
            &json!({ "w": (0..40).fold(json!({}), |inner, _| json!({ "_not": inner })) }),
            Refused("conditions inside conditions"),
        ),
        bomb(
            "a megabyte put in 200 times",
            format!("query($v: String) {{ {uses} }}"),
            &json!({ "v": "x".repeat(1_000_000) }),
            Refused("values in arguments"),
        ),
    ]
}

fn related() -> End {
    Refused("related rows")
}

/// Bombs that scan the same rows repeatedly.
fn repetitions() -> Vec<Bomb> {
    let plain = |what, query: String| bomb(what, query, &Value::Null, Refused("go through their tables"));
    let each = "cloudAccountByCloudAccount { spends_aggregate { aggregate { count } } }";
    let compared = "{amount: {_neq: 7}} {unit: {_nlike: \"%x%\"}} ".repeat(190);
    let distinct = times(350, "count(columns: [service_name, date], distinct: true)");
    vec![
        plain(
            "190 aliases of a search",
            format!("{{ {} }}", times(190, "spends(where: {unit: {_eq: \"none\"}}, limit: 1) { id }")),
        ),
        plain(
            "190 aliases of the first of each",
            format!("{{ {} }}", times(190, "spends(distinct_on: unit, limit: 1) { id }")),
        ),
        plain(
            "95 aliases of a sum",
            format!("{{ {} }}", times(95, "spends_aggregate { aggregate { sum { amount } } }")),
        ),
        plain("a figure of a table for each of its rows", format!("{{ spends {{ {each} }} }}")),
        plain(
            "the same of chosen rows",
            format!("{{ spends(where: {{unit: {{_eq: \"USD\"}}}}) {{ {each} }} }}"),
        ),
        plain(
            "380 comparisons with each row",
            format!("{{ spends(where: {{_and: [{compared}]}}) {{ id }} }}"),
        ),
        plain(
            "390 values to order by",
            format!("{{ spends(order_by: [{}]) {{ id }} }}", "{unit: asc} ".repeat(390)),
        ),
        plain(
            "350 counts of different values",
            format!("{{ spends_aggregate {{ aggregate {{ {distinct} }} }} }}"),
        ),
    ]
}

/// Bombs that write.
fn changes() -> Vec<Bomb> {
    let where_ = "{cloudAccountByCloudAccount: {spends: {cloudAccountByCloudAccount: {spends: {unit: {_eq: \"none\"}}}}}}";
    let plain = |what, query: String, end| bomb(what, query, &Value::Null, end);
    let parent = "cloudAccountByCloudAccount: {data: {account_name: \"x\", spends: {data: {";
    let nested = format!("{}{}", parent.repeat(12), "}}}}".repeat(12));
    vec![
        plain(
            "a deletion, relationships 4 deep",
            format!("mutation {{ delete_spends(where: {where_}) {{ affected_rows }} }}"),
            related(),
        ),
        plain(
            "39 updates, relationships 4 deep",
            format!(
                "mutation {{ {} }}",
                times(
                    39,
                    &format!("update_spends(where: {where_}, _set: {{unit: \"x\"}}) {{ affected_rows }}")
                )
            ),
            related(),
        ),
        plain(
            "100 updates that find nothing",
            format!(
                "mutation {{ {} }}",
                times(
                    100,
                    "update_spends(where: {unit: {_eq: \"none\"}}, _set: {unit: \"x\"}) { affected_rows }"
                )
            ),
            Refused("go through their tables"),
        ),
        plain(
            "rows in rows, 24 deep",
            format!("mutation {{ insert_spends_one(object: {{{nested}}}) {{ id }} }}"),
            Refused("violation"),
        ),
    ]
}

/// Bombs that are large after parsing.
fn bodies() -> Vec<Bomb> {
    let filter = "query($w: spends_bool_exp) { spends(where: $w) { id } }";
    let many =
        |times: u32| -> Vec<Value> { (0..times).map(|n| json!({ "amount": { "_neq": n } })).collect() };
    let listed = |most: u32| -> Vec<u32> { (0..most).collect() };
    // Too deep to build as a `Value` here: written as text.
    let deep = format!(
        r#"{{"query":"{{ __typename }}","variables":{{"v":{}{}}}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    vec![
        bomb(
            "100,000 conditions",
            filter,
            &json!({ "w": { "_and": many(100_000) } }),
            Refused("values in the body"),
        ),
        bomb("11,000 conditions", filter, &json!({ "w": { "_and": many(11_000) } }), Refused("conditions")),
        bomb(
            "500,000 values in a list",
            filter,
            &json!({ "w": { "amount": { "_in": listed(500_000) } } }),
            Refused("values in the body"),
        ),
        bomb(
            "99,000 values in a list",
            filter,
            &json!({ "w": { "amount": { "_in": listed(99_000) } } }),
            Refused("values in lists"),
        ),
        bomb(
            "99,000 values nobody uses",
            "query { __typename }",
            &json!({ "unused": listed(99_000) }),
            Answered,
        ),
        Bomb { what: "JSON variables 100,000 deep", body: deep, end: Refused("brackets inside brackets") },
    ]
}
