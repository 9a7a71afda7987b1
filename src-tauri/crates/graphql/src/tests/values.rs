//! One plan for many values: values of variables are filled in when a plan runs.

use super::{ACME, TestWorld, UMBRELLA};
use crate::{Effort, Request};
use catalogue::{Caller, Role};
use serde_json::{Value, json};
use uuid::Uuid;

impl TestWorld {
    fn knows(&self, query: &str, variables: &Value) -> bool {
        self.effort(query, variables) != Effort::Unknown
    }

    fn effort(&self, query: &str, variables: &Value) -> Effort {
        let caller = Caller::user(Uuid::from_u128(7), Uuid::from_u128(ACME), vec![Role::TenantAdminReadonly]);
        let variables = variables.as_object().cloned();
        self.engine.effort(
            &caller,
            &Request { query: query.to_owned(), operation_name: None, variables, ..Request::default() },
        )
    }

    /// The response of a new engine to the same request.
    fn asked_first(query: &str, variables: &Value) -> String {
        Self::new().ask(ACME, query, variables.clone())
    }
}

/// Runs the query with each of the variables: the plan of the first must serve all, and every response must equal that of a new engine.
fn one_plan_for(query: &str, variables: &[Value]) -> Vec<String> {
    let house = TestWorld::new();
    let mut answers = Vec::new();
    for (place, given) in variables.iter().enumerate() {
        assert_eq!(house.knows(query, given), place > 0, "{query} {given}");
        let answer = house.ask(ACME, query, given.clone());
        assert!(answer.starts_with("{\"data\":"), "{query} {given}: {answer}");
        assert_eq!(answer, TestWorld::asked_first(query, given), "{query} {given}");
        answers.push(answer);
    }
    answers
}

#[test]
fn other_values_need_no_other_plan_and_are_answered_otherwise() {
    let id = |number: u128| Uuid::from_u128(number).to_string();
    for (query, variables) in [
        (
            "query($id: uuid!) { cloud_accounts_by_pk(id: $id) { account_name } }",
            vec![json!({ "id": id(1) }), json!({ "id": id(2) }), json!({ "id": id(3) })],
        ),
        (
            "query($name: String) { cloud_accounts(where: {account_name: {_like: $name}}) { id } }",
            vec![json!({ "name": "prod%" }), json!({ "name": "%ing" }), json!({ "name": "'; --" })],
        ),
        (
            "query($where: spends_bool_exp) { spends(where: $where, order_by: {id: asc}) { id } spends_aggregate(where: $where) { aggregate { count } } }",
            vec![
                json!({ "where": { "amount": { "_gt": 0.2 }, "date": { "_lt": "2024-10-01" } } }),
                json!({ "where": { "amount": { "_gt": -5 }, "date": { "_lt": "2024-09-03" } } }),
                json!({ "where": { "amount": { "_gt": 10.1 }, "date": { "_lt": "2030-01-01" } } }),
            ],
        ),
        (
            "query($ids: [uuid!], $limit: Int, $offset: Int) { spends(where: {id: {_in: $ids}}, order_by: {id: desc}, limit: $limit, offset: $offset) { id } }",
            vec![
                json!({ "ids": [id(11), id(12)], "limit": 5, "offset": 0 }),
                json!({ "ids": [id(13), id(14)], "limit": 1, "offset": 0 }),
                json!({ "ids": [id(11), id(14)], "limit": 1, "offset": 1 }),
            ],
        ),
        (
            "query($n: Int, $since: timestamp) { cloud_accounts(where: {spends_aggregate: {count: {predicate: {_gte: $n}}}}) { id spends(where: {date: {_gte: $since}}, limit: $n, order_by: {id: asc}) { id } } }",
            vec![json!({ "n": 1, "since": "2024-09-02" }), json!({ "n": 2, "since": "2024-09-01" })],
        ),
        (
            "query($state: state_enum) { spends_aggregate(where: {state: {_neq: $state}}) { aggregate { count } } }",
            vec![json!({ "state": "Open" }), json!({ "state": "Closed" })],
        ),
    ] {
        let answers = one_plan_for(query, &variables);
        assert_ne!(answers[0], answers[1], "{query}");
    }
}

#[test]
fn a_plan_shared_by_tenants_gives_each_its_own_rows() {
    let house = TestWorld::new();
    let query = "query($least: float8) { spends(where: {amount: {_gte: $least}}) { amount } }";
    let all = json!({ "least": -1000 });
    assert!(!house.ask(ACME, query, all.clone()).contains("999"));
    assert_eq!(house.ask(UMBRELLA, query, all), r#"{"data":{"spends":[{"amount":999}]}}"#);
    assert_eq!(house.ask(UMBRELLA, query, json!({ "least": 1000 })), r#"{"data":{"spends":[]}}"#);
}

#[test]
fn another_shape_needs_another_plan() {
    let query = "query($where: spends_bool_exp, $limit: Int) { spends(where: $where, order_by: {id: asc}, limit: $limit) { id } }";
    let unit = |test: Value| json!({ "where": { "unit": test } });
    let house = TestWorld::new();
    let shapes = [
        json!({}),
        json!({ "where": null }),
        json!({ "where": {} }),
        json!({ "limit": 1 }),
        json!({ "limit": null }),
        unit(json!({ "_eq": "USD" })),
        unit(json!({ "_neq": "USD" })),
        unit(json!({ "_in": ["USD"] })),
        unit(json!({ "_in": ["USD", "EUR"] })),
        unit(json!({ "_in": [] })),
        unit(json!({ "_is_null": true })),
        unit(json!({ "_is_null": false })),
        json!({ "where": { "_not": { "unit": { "_eq": "USD" } } } }),
        json!({ "where": { "_or": [] } }),
    ];
    for given in &shapes {
        assert!(!house.knows(query, given), "{given}");
        assert_eq!(house.ask(ACME, query, given.clone()), TestWorld::asked_first(query, given), "{given}");
    }
    assert!(shapes.iter().all(|given| house.knows(query, given)));
}

#[test]
fn a_value_that_decides_how_the_answer_looks_belongs_to_the_plan() {
    for (query, variables) in [
        (
            "query($order: [spends_order_by!]) { spends(order_by: $order) { id } }",
            [json!({ "order": { "amount": "asc" } }), json!({ "order": { "amount": "desc" } })],
        ),
        (
            "query($on: [spends_select_column!]) { spends(distinct_on: $on) { unit service_name } }",
            [json!({ "on": ["unit"] }), json!({ "on": ["service_name"] })],
        ),
        (
            "query($path: String) { spends(order_by: {id: asc}) { tags(path: $path) } }",
            [json!({ "path": "team" }), json!({ "path": "n" })],
        ),
        (
            "query($keys: [String!]) { spends(where: {tags: {_has_keys_any: $keys}}) { id } }",
            [json!({ "keys": ["team"] }), json!({ "keys": ["nothing"] })],
        ),
        (
            "query($tags: jsonb) { spends(where: {tags: {_contains: $tags}}) { id } }",
            [json!({ "tags": { "team": "core" } }), json!({ "tags": { "team": "web" } })],
        ),
        (
            "query($what: String) { spends(where: {service_name: {_regex: $what}}) { id } }",
            [json!({ "what": "^E" }), json!({ "what": "3$" })],
        ),
        // The same variable is a comparison value at one place and affects the plan at another.
        (
            "query($x: String) { spends(where: {unit: {_neq: $x}}, order_by: {id: asc}) { tags(path: $x) } }",
            [json!({ "x": "team" }), json!({ "x": "n" })],
        ),
        (
            "query($by: [String!], $unit: String) { spend_groupings_v2(group_by: $by, columns: [\"spend_amount\"], where: {currency_type: {_eq: $unit}}) { rows { spend_amount } } }",
            [
                json!({ "by": ["currency_type"], "unit": "USD" }),
                json!({ "by": ["currency_type"], "unit": "EUR" }),
            ],
        ),
    ] {
        let house = TestWorld::new();
        let mut answers = Vec::new();
        for given in &variables {
            let answer = house.ask(ACME, query, given.clone());
            assert!(answer.starts_with("{\"data\":"), "{query} {given}: {answer}");
            assert_eq!(answer, TestWorld::asked_first(query, given), "{query} {given}");
            answers.push(answer);
        }
        assert_ne!(answers[0], answers[1], "{query}");
        assert!(variables.iter().all(|given| house.knows(query, given)), "{query}");
        for (given, answer) in variables.iter().zip(answers) {
            assert_eq!(house.ask(ACME, query, given.clone()), answer, "{query} {given}");
        }
    }
}

#[test]
fn a_value_that_cannot_be_read_is_told_as_if_nothing_were_known() {
    let house = TestWorld::new();
    let query = "query($id: uuid, $n: Int, $s: state_enum) { spends(where: {id: {_eq: $id}, state: {_eq: $s}}, limit: $n) { id } }";
    let id = Uuid::from_u128(11).to_string();
    let good = json!({ "id": id, "n": 1, "s": "Open" });
    assert!(house.ask(ACME, query, good.clone()).starts_with("{\"data\":{\"spends\":[{"));
    for (name, wrong) in
        [("id", json!("no id")), ("n", json!(-1)), ("n", json!(1.5)), ("s", json!("Nowhere"))]
    {
        let mut given = good.clone();
        given[name] = wrong;
        let answer = house.ask(ACME, query, given.clone());
        assert!(answer.starts_with("{\"errors\":"), "{given}: {answer}");
        assert_eq!(answer, TestWorld::asked_first(query, &given), "{given}");
    }
    assert!(house.knows(query, &good));
}

#[test]
fn only_a_look_at_single_rows_of_tables_is_a_glance() {
    let house = TestWorld::new();
    let key = r#"(id: "00000000-0000-0000-0000-00000000000b")"#;
    let after = |query: &str| {
        let answer = house.ask(ACME, query, Value::Null);
        assert!(answer.starts_with("{\"data\""), "{answer}");
        house.effort(query, &Value::Null)
    };
    assert_eq!(house.effort("{ __typename }", &Value::Null), Effort::Unknown);
    assert_eq!(after("{ __typename }"), Effort::PointRead);
    assert_eq!(after(&format!("{{ spends_by_pk{key} {{ id amount tags }} __typename }}")), Effort::PointRead);
    for read in [
        format!("{{ spends_by_pk{key} {{ cloudAccountByCloudAccount {{ id }} }} }}"),
        format!("{{ spends_by_pk{key} {{ remarks {{ id }} }} }}"),
        format!("{{ spends_by_pk{key} {{ id }} spends {{ id }} }}"),
        format!("{{ {} }}", (0..5).map(|n| format!("a{n}: spends_by_pk{key} {{ id }} ")).collect::<String>()),
    ] {
        assert_eq!(after(&read), Effort::Read, "{read}");
    }
    assert_eq!(after("{ __schema { queryType { name } } }"), Effort::Unknown);
}
