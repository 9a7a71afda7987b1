//! Invalid and hostile requests over the product's catalogue: whatever they contain, the response is JSON, reveals no SQL and nothing of
//! the other tenant, and is never an internal failure.

use super::random::Random;
use crate::test_world::TestWorld;
use catalogue::{Scalar, Table};
use serde_json::{Value as Json, json};

/// Texts for every position that takes one.
const HOSTILE: [&str; 14] = [
    "'; DROP TABLE spends; --",
    "\" OR 1=1 --",
    "\u{0}",
    "x\u{0}'",
    "",
    "\\",
    "%",
    "\u{1f600}\u{202e}",
    "null",
    "$.a[",
    "99999999999999999999999999999999999999999",
    "1e999",
    "0001-01-01T00:00:00Z\u{0}",
    "00000000-0000-0000-0000-0000000000b1",
];

/// Words that would reveal the underlying database.
const TELLTALES: [&str; 9] = [
    "\"unexpected\"",
    "SELECT ",
    "sqlite",
    "SQLITE",
    "syntax error",
    "no such",
    "rusqlite",
    "text_like",
    "constraint failed",
];

fn hostile(random: &mut Random) -> Json {
    match random.below(10) {
        0 => Json::Null,
        1 => json!(random.below(3)),
        2 => json!(1e300),
        3 => json!(-1),
        4 => json!(true),
        5 => json!([random.pick(&HOSTILE), null, 1]),
        6 => json!({ random.pick(&HOSTILE): random.pick(&HOSTILE) }),
        _ => json!(random.pick(&HOSTILE)),
    }
}

#[track_caller]
fn check(house: &TestWorld, query: &str, variables: &Json) -> String {
    let answer = house.ask(query, variables);
    let json: Json = serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"));
    assert!(json.get("data").is_some() != json.get("errors").is_some(), "{query}\n{answer}");
    // Text of the request may be repeated in a message; any other SQL comes from us.
    let written = format!("{query}{variables}");
    for telltale in TELLTALES.iter().filter(|telltale| !written.contains(**telltale)) {
        assert!(!answer.contains(telltale), "{telltale}: {query}\n{variables}\n{answer}");
    }
    answer
}

fn columns(table: &Table) -> Vec<&catalogue::Column> {
    table.columns.iter().filter(|column| !column.secret).collect()
}

#[test]
fn hostile_values_in_every_argument_are_answered_or_refused() {
    let house = TestWorld::new();
    let catalogue = testkit::product::catalogue();
    let mut random = Random::new(1);
    for (_, table) in catalogue.iter().filter(|(_, table)| table.exposed && table.root) {
        let name = &table.name;
        let key = columns(table)[0].name.clone();
        let read = format!(
            "query($where: {name}_bool_exp, $order: [{name}_order_by!], $distinct: [{name}_select_column!], $limit: Int, $offset: Int) \
             {{ {name}(where: $where, order_by: $order, distinct_on: $distinct, limit: $limit, offset: $offset) {{ {key} }} \
             {name}_aggregate(where: $where) {{ aggregate {{ count(columns: $distinct) }} }} }}"
        );
        for _ in 0..12 {
            let column = columns(table)[random.below(columns(table).len())];
            let operator = random.pick(&[
                "_eq",
                "_neq",
                "_gt",
                "_lte",
                "_in",
                "_nin",
                "_like",
                "_nilike",
                "_similar",
                "_regex",
                "_niregex",
                "_contains",
                "_contained_in",
                "_has_key",
                "_has_keys_all",
                "_is_null",
                "_cast",
                "_nope",
            ]);
            let mut variables =
                json!({ "where": { column.name.as_str(): { operator: hostile(&mut random) } } });
            let place = random.pick(&["where", "order", "distinct", "limit", "offset", "none"]);
            if place != "none" && place != "where" {
                variables[place] = hostile(&mut random);
            }
            if random.one_in(4) {
                variables["where"] =
                    json!({ random.pick(&["_and", "_or", "_not", "nope'\""]): hostile(&mut random) });
            }
            check(&house, &read, &variables);
        }
        let keys: Vec<&str> = table.primary_key.iter().map(|id| table.column(*id).name.as_str()).collect();
        if keys.is_empty() {
            continue;
        }
        let declared: Vec<String> = keys.iter().map(|key| format!("${key}: String")).collect();
        let given: Vec<String> = keys.iter().map(|key| format!("{key}: ${key}")).collect();
        let by_key =
            format!("query({}) {{ {name}_by_pk({}) {{ {key} }} }}", declared.join(", "), given.join(", "));
        let values: serde_json::Map<String, Json> =
            keys.iter().map(|key| ((*key).to_owned(), hostile(&mut random))).collect();
        check(&house, &by_key, &Json::Object(values));
    }
}

#[test]
fn hostile_paths_into_json_are_answered_or_refused() {
    let house = TestWorld::new();
    let mut random = Random::new(2);
    for _ in 0..60 {
        let path: String = (0..random.below(6))
            .map(|_| {
                random.pick(&[
                    "$",
                    ".",
                    "a",
                    "[",
                    "]",
                    "'",
                    "\"",
                    "\\",
                    "0",
                    "9999999999",
                    "\u{0}",
                    "#",
                    "-",
                    "*",
                    " ",
                    "é",
                ])
            })
            .collect();
        check(
            &house,
            "query($path: String) { cloud_accounts { data(path: $path) } recommendation { recommendation(path: $path) } }",
            &json!({ "path": path }),
        );
    }
}

#[test]
fn hostile_groupings_are_answered_or_refused() {
    let house = TestWorld::new();
    let mut random = Random::new(3);
    let query = "query($columns: [String], $by: [String!], $how: [QueryColumnTransformationRequest!], $where: SpendGroupingsWhereRequest, $order: [QuerySortByRequest], $limit: Int) \
                 { spend_groupings_v2(columns: $columns, group_by: $by, column_transformations: $how, where: $where, order_by: $order, limit: $limit) { rows { tag spend_date spend_amount } } }";
    for _ in 0..150 {
        let variables = json!({
            "columns": [random.pick(&["tag", "spend_date", "spend_amount", "nope", "'; DROP"])],
            "by": hostile(&mut random),
            "how": [{ "name": random.pick(&["tag", "spend_date", "\""]), "expr": random.pick(&["json_key", "date_unit", "distinct", "'"]), "args": [hostile(&mut random)] }],
            "where": { random.pick(&["tags", "spend_date", "account_id", "nope"]): { random.pick(&["_has_key", "_contains", "_eq", "_in", "_like"]): hostile(&mut random) } },
            "order": [{ "column": random.pick(&["spend_amount", "tag", "\" OR 1"]), "order": random.pick(&["asc", "desc", "asc; --"]) }],
            "limit": hostile(&mut random),
        });
        let mut some = variables.as_object().unwrap().clone();
        some.retain(|_, _| !random.one_in(3));
        check(&house, query, &Json::Object(some));
    }
}

#[test]
fn hostile_writes_are_done_or_refused() {
    let house = TestWorld::new();
    let catalogue = testkit::product::catalogue();
    let mut random = Random::new(4);
    for (_, table) in
        catalogue.iter().filter(|(_, table)| table.exposed && table.root && !table.primary_key.is_empty())
    {
        let name = &table.name;
        for _ in 0..4 {
            let some: serde_json::Map<String, Json> = table
                .columns
                .iter()
                .filter(|_| random.one_in(2))
                .map(|column| {
                    let value = match &column.scalar {
                        // Half of the values are valid, so that the error is elsewhere.
                        Scalar::Uuid => json!("00000000-0000-0000-0000-0000000000a1"),
                        Scalar::Int | Scalar::Bigint => json!(1),
                        _ => json!("2024-01-01"),
                    };
                    (column.name.clone(), value)
                })
                .collect();
            let mut object = some;
            for value in object.values_mut() {
                if random.one_in(3) {
                    *value = hostile(&mut random);
                }
            }
            let (change, column) = (hostile(&mut random), columns(table)[0].name.clone());
            let insert = format!(
                "mutation($o: {name}_insert_input!) {{ insert_{name}_one(object: $o) {{ __typename }} }}"
            );
            check(&house, &insert, &json!({ "o": object }));
            let operator = random.pick(&[
                "_set",
                "_inc",
                "_append",
                "_delete_key",
                "_delete_elem",
                "_delete_at_path",
                "_nope",
            ]);
            let rows = random.pick(&["", "_or: []"]);
            let update = format!(
                "mutation($s: {name}_set_input) {{ update_{name}(where: {{{rows}}}, {operator}: $s) {{ affected_rows }} }}"
            );
            check(&house, &update, &json!({ "s": { column.as_str(): change } }));
        }
    }
}

#[test]
fn texts_cut_and_mixed_are_answered_or_refused() {
    let house = TestWorld::new();
    let mut random = Random::new(5);
    let whole = [
        "query A($s: timestamp = \"2024-01-01\") { a: cloud_accounts(where: {spends: {date: {_gte: $s}}}, order_by: [{account_name: asc_nulls_first}], limit: 3) { ...f spends_aggregate(distinct_on: [unit]) { aggregate { sum { amount } count(distinct: true, columns: [unit]) } nodes { id } } } } fragment f on cloud_accounts { id data(path: \"$.a.b\") @include(if: true) }",
        "mutation { update_k8s_workloads(where: {name: {_like: \"%\\u0041\"}}, _inc: {replicas: 1}, _append: {labels: {a: [1, null, \"\"\"b\"\"\"]}}) { affected_rows returning { name } } }",
    ];
    let pieces = [
        "{",
        "}",
        "(",
        ")",
        "\"",
        "\\",
        "$",
        "@",
        "...",
        ":",
        "!",
        "null",
        "-",
        "1e",
        "#",
        "\u{0}",
        "é",
        "__typename",
        "spends",
        "'",
    ];
    for _ in 0..500 {
        let mut text: Vec<char> = random.pick(&whole).chars().collect();
        for _ in 0..=random.below(3) {
            let from = random.below(text.len());
            let to = (from + random.below(6)).min(text.len());
            let put = random.pick(&pieces);
            text.splice(from..to, put.chars());
        }
        let text: String = text.into_iter().collect();
        check(&house, &text, &Json::Null);
    }
}
