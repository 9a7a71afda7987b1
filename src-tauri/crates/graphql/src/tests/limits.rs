//! Requests that exceed a limit are refused while they are compiled.

use super::{ACME, TestWorld};
use crate::{Engine, Limits, Request};
use catalogue::{Caller, Role};
use serde_json::{Value, json};
use std::time::Duration;
use store::{Bounds, Cancel};
use uuid::Uuid;

/// Code and message of the only error of a response.
fn error(answer: &str) -> (String, String) {
    let answer: Value = serde_json::from_str(answer).unwrap();
    let error = &answer["errors"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&error["extensions"]["code"]), text(&error["message"]))
}

/// Runs the request on a database that may do nothing: only errors raised before any statement can be returned.
fn refusal(query: &str, variables: &Value) -> (String, String) {
    let house = TestWorld::new();
    let store = house.engine.store.clone().with_bounds(Bounds {
        rows: 0,
        bytes: 0,
        time: Duration::ZERO,
        ..Bounds::default()
    });
    let engine = Engine::new(store).unwrap();
    error(&ask(&engine, query, variables))
}

fn ask(engine: &Engine, query: &str, variables: &Value) -> String {
    let caller = Caller::user(Uuid::from_u128(7), Uuid::from_u128(ACME), vec![Role::TenantAdminReadonly]);
    let request = Request {
        query: query.to_owned(),
        operation_name: None,
        variables: variables.as_object().cloned(),
        ..Request::default()
    };
    String::from_utf8(engine.execute(&caller, &request, |error| panic!("{error:?}"))).unwrap()
}

fn assert_exceeded(what: &str, query: &str, variables: &Value) {
    let (code, message) = refusal(query, variables);
    assert_eq!(code, "limit-exceeded", "{what}: {message:.200}");
    assert!(message.contains(what) && message.contains("at most "), "{what}: {message}");
}

#[test]
fn a_long_text_is_refused_unread() {
    assert_exceeded("bytes of query text", &"{".repeat(1_000_000), &json!({}));
}

#[test]
fn a_text_of_many_words_is_refused_unread() {
    assert_exceeded("words and brackets", &format!("{{ {} }}", "a ".repeat(100_000)), &json!({}));
    let directives = format!("{{ spends {{ id {} }} }}", "@skip(if:false)".repeat(15_000));
    assert_exceeded("words and brackets", &directives, &json!({}));
    let operations: String = (0..14_000).map(|n| format!("query q{n} {{a}} ")).collect();
    assert_exceeded("words and brackets", &operations, &json!({}));
}

#[test]
fn brackets_do_not_reach_the_end_of_the_stack() {
    for (open, close) in [("{a", "}"), ("{a(b:[", "])}"), ("[", "]"), ("{a(b:{c:", "})}")] {
        let query = format!("{}{}", open.repeat(20_000), close.repeat(20_000));
        assert_exceeded("brackets inside brackets", &query, &json!({}));
        assert_exceeded("brackets inside brackets", &open.repeat(20_000), &json!({}));
    }
    // A block string without an end is an empty string and the text after it.
    let hidden = format!("{{a(b:[\"\"\"\" {}", "[".repeat(20_000));
    assert_exceeded("brackets inside brackets", &hidden, &json!({}));
    assert_exceeded("words and brackets", &"\\\"\"\" ".repeat(50_000), &json!({}));
    let list = format!("{{spends(where:{}{}){{id}}}}", "[".repeat(97), "]".repeat(97));
    assert_eq!(refusal(&list, &json!({})).0, "validation-failed");
    let object = format!("{{spends(where:{}1{}){{id}}}}", "{a:".repeat(97), "}".repeat(97));
    assert_eq!(refusal(&object, &json!({})).0, "validation-failed");
}

#[test]
fn fields_and_aliases_are_counted() {
    let aliases: String = (0..2_000).map(|n| format!("a{n}: id ")).collect();
    assert_exceeded("fields (fragments opened)", &format!("{{ spends {{ {aliases} }} }}"), &json!({}));
    let names: String = (0..2_000).map(|n| format!("a{n}: __typename ")).collect();
    assert_exceeded("fields (fragments opened)", &format!("{{ {names} }}"), &json!({}));
}

#[test]
fn tables_looked_into_are_counted_wherever_they_stand() {
    let times =
        |times: usize, what: &str| -> String { (0..times).map(|n| format!("a{n}: {what} ")).collect() };
    for query in [
        format!("{{ {} }}", times(201, "spends { id }")),
        format!("{{ spends_aggregate {{ {} }} }}", times(201, "aggregate { count }")),
        format!("{{ cloud_accounts {{ {} }} }}", times(201, "spends { id }")),
        format!("{{ cloud_accounts {{ {} }} }}", times(201, "spends_aggregate { aggregate { count } }")),
    ] {
        assert_exceeded("tables looked into", &query, &json!({}));
    }
    let writes = format!("mutation {{ {} }}", times(201, "delete_spends(where: {}) { affected_rows }"));
    let answer = TestWorld::new().ask_as(Role::TenantAdmin, ACME, &writes, json!({}));
    assert!(error(&answer).1.starts_with("at most 200 tables looked into"), "{answer}");
    let filter = "query($w: cloud_accounts_bool_exp, $o: [cloud_accounts_order_by!]) { cloud_accounts(where: $w, order_by: $o) { id } }";
    let asked = |argument: &str, one: Value| {
        let variables = json!({ argument: vec![one; 201] });
        assert_exceeded("tables looked into", filter, &variables);
    };
    let related = vec![json!({ "spends": {} }); 201];
    assert_exceeded("tables looked into", filter, &json!({ "w": { "_or": related } }));
    let counted = vec![json!({ "spends_aggregate": { "count": { "predicate": { "_gt": 1 } } } }); 201];
    assert_exceeded("tables looked into", filter, &json!({ "w": { "_or": counted } }));
    asked("o", json!({ "spends_aggregate": { "count": "asc" } }));
    asked("o", json!({ "spends_aggregate": { "max": { "amount": "asc" } } }));
    let ordered = "query($o: [spends_order_by!]) { spends(order_by: $o) { id } }";
    let through = json!({ "o": vec![json!({ "cloudAccountByCloudAccount": { "id": "asc" } }); 201] });
    assert_exceeded("tables looked into", ordered, &through);
}

#[test]
fn conditions_and_orders_go_over_a_few_relationships() {
    let around = |inner: String| format!("cloudAccountByCloudAccount: {{ spends: {{ {inner} }} }}");
    let filter = |inner: String| format!("{{ spends(where: {{ {inner} }}) {{ id }} }}");
    let three = (0..3).fold("unit: {_eq: \"none\"}".to_owned(), |inner, _| around(inner));
    assert_exceeded("relationships inside relationships", &filter(three), &json!({}));
    let counted =
        "cloudAccountByCloudAccount: { spends_aggregate: { count: { predicate: {_gt: 1} } } }".to_owned();
    let counted = filter((0..2).fold(counted, |inner, _| around(inner)));
    assert_exceeded("relationships inside relationships", &counted, &json!({}));
    let house = TestWorld::new();
    let two = (0..2).fold("cloudAccountByCloudAccount: {}".to_owned(), |inner, _| around(inner));
    let answer = house.ask(ACME, &filter(two), json!({}));
    assert!(answer.starts_with("{\"data\""), "{answer}");
    let engine = house.engine.clone().with_limits(Limits { relationship_depth: 1, ..Limits::default() });
    let orders = "{ remark(order_by: {spend: {cloudAccountByCloudAccount: {id: asc}}}) { id } }";
    assert_eq!(error(&ask(&engine, orders, &json!({}))).0, "limit-exceeded");
    assert!(house.ask(ACME, orders, json!({})).starts_with("{\"data\""));
}

#[test]
fn patterns_are_short_few_and_small() {
    let query = "query($w: spends_bool_exp) { spends(where: $w) { id } }";
    let many = vec![json!({ "unit": { "_regex": "a|b" } }); 11];
    assert_exceeded("regular expressions", query, &json!({ "w": { "_and": many } }));
    for operator in ["_like", "_nilike", "_similar", "_iregex"] {
        let long = json!({ "w": { "unit": { operator: "%a".repeat(600) } } });
        assert_exceeded("bytes of one pattern", query, &long);
    }
    let large = json!({ "w": { "unit": { "_regex": "(\\w{50}){50}" } } });
    assert_eq!(refusal(query, &large).0, "data-exception");
    let listing =
        "query($w: SpendGroupingsWhereRequest) { spend_groupings_v2(where: $w) { rows { spend_count } } }";
    let long = json!({ "w": { "currency_type": { "_like": "%a".repeat(600) } } });
    assert_exceeded("bytes of one pattern", listing, &long);
}

#[test]
fn a_plan_that_is_known_takes_no_longer_patterns_than_a_new_one() {
    let house = TestWorld::new();
    let query = "query($p: String) { spends(where: {unit: {_like: $p}}) { id } }";
    assert!(house.ask(ACME, query, json!({ "p": "%" })).starts_with("{\"data\""));
    assert_eq!(error(&house.ask(ACME, query, json!({ "p": "%a".repeat(600) }))).0, "limit-exceeded");
}

#[test]
fn transformations_of_a_listing_are_counted() {
    let query = "query($t: [QueryColumnTransformationRequest!]) { spend_groupings_v2(column_transformations: $t) { rows { spend_count } } }";
    let one = json!({ "name": "spend_count", "expr": "distinct", "args": ["account_id"] });
    assert_exceeded("conditions", query, &json!({ "t": vec![one; 1_000] }));
    let wide = json!({ "name": "spend_count", "expr": "distinct", "args": vec!["account_id"; 1_000] });
    assert_exceeded("conditions", query, &json!({ "t": [wide] }));
}

#[test]
fn a_body_is_counted_before_any_of_it_is_read() {
    let exceeded = |body: String, what: &str| {
        let error = Limits::default().check_body(body.as_bytes()).unwrap_err();
        assert_eq!((error.code, error.path.as_str()), ("limit-exceeded", "$"));
        assert!(error.message.contains(what), "{}", error.message);
    };
    exceeded(format!("[{}", "1,".repeat(500_000)), "values in the body");
    exceeded("[".repeat(100_000), "brackets inside brackets");
    assert!(
        Limits::default().check_body(br#"{"query": "{ tenant { id } }", "variables": {"a": [1]}}"#).is_ok()
    );
}

#[test]
fn a_long_text_is_one_value_and_is_not_copied_without_end() {
    let text = "x".repeat(7_000_000);
    let body = json!({ "query": "", "variables": { "t": text } }).to_string();
    assert!(Limits::default().check_body(body.as_bytes()).is_ok());
    let house = TestWorld::new();
    let answer = house.ask(
        ACME,
        "query($t: String) { spends(where: {unit: {_eq: $t}}) { id } }",
        json!({ "t": text }),
    );
    assert_eq!(answer, r#"{"data":{"spends":[]}}"#);
    let many =
        format!("query($t: String) {{ spends(where: {{unit: {{_in: [{}]}}}}) {{ id }} }}", "$t,".repeat(10));
    assert_exceeded("bytes of texts in arguments", &many, &json!({ "t": text }));
}

#[test]
fn fragments_that_double_or_turn_in_circles_are_refused() {
    let doubled: String =
        (0..40).map(|n| format!("fragment f{n} on spends {{ ...f{0} ...f{0} }} ", n + 1)).collect();
    let query = format!("{{ spends {{ ...f0 }} }} {doubled} fragment f40 on spends {{ id }}");
    assert_exceeded("fields (fragments opened)", &query, &json!({}));
    let doubled = doubled.replace("spends", "__Schema");
    let query =
        format!("{{ __schema {{ ...f0 }} }} {doubled} fragment f40 on __Schema {{ queryType {{ name }} }}");
    assert_exceeded("fields (fragments opened)", &query, &json!({}));
    for (root, kind) in [("spends", "spends"), ("__schema", "__Schema")] {
        let query = format!("{{ {root} {{ ...f }} }} fragment f on {kind} {{ ...f }}");
        let (code, message) = refusal(&query, &json!({}));
        assert_eq!(code, "validation-failed");
        assert_eq!(message, "fragments must not lead back to themselves: \"f\" do, or lead to one that does");
    }
}

#[test]
fn selections_do_not_nest_beyond_the_limit() {
    let (open, close) = ("spends { cloudAccountByCloudAccount { ".repeat(12), "} }".repeat(12));
    assert_exceeded("selections inside selections", &format!("{{ {open} id {close} }}"), &json!({}));
}

#[test]
fn lists_of_the_schema_do_not_multiply() {
    let nested = "{ __schema { types { fields { type { fields { name } } } } } }";
    assert_exceeded("lists of the schema inside lists", nested, &json!({}));
    let times =
        |times: usize, what: &str| -> String { (0..times).map(|n| format!("a{n}: {what} ")).collect() };
    for query in [
        format!("{{ __schema {{ {} }} }}", times(300, "types { name }")),
        format!("{{ __schema {{ types {{ {} }} }} }}", times(300, "name")),
        format!("{{ __schema {{ types {{ {} }} }} }}", times(80, "fields { name }")),
        format!("{{ __schema {{ types {{ fields {{ {} }} }} }} }}", times(100, "args { name }")),
        format!("{{ {} }}", times(300, "__type(name: \"query_root\") { fields { name args { name } } }")),
    ] {
        assert_exceeded("values of the schema", &query, &json!({}));
    }
}

/// As sent by GraphiQL and code generators (graphql-js, `getIntrospectionQuery`).
const TOOLS: &str = "query IntrospectionQuery { __schema { description queryType { name } mutationType { name } \
    subscriptionType { name } types { ...FullType } directives { name description isRepeatable locations \
    args { ...InputValue } } } } \
    fragment FullType on __Type { kind name description specifiedByURL fields(includeDeprecated: true) { name description \
    args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason } inputFields { ...InputValue } \
    interfaces { ...TypeRef } enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } \
    possibleTypes { ...TypeRef } } \
    fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue } \
    fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name \
    ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }";

#[test]
fn the_usual_tools_read_the_whole_schema() {
    let house = TestWorld::new();
    let answer = house.ask(ACME, TOOLS, json!({}));
    assert!(answer.starts_with("{\"data\""), "{answer:.300}");
}

#[test]
fn conditions_are_counted_and_do_not_nest_beyond_the_limit() {
    let query = "query($w: spends_bool_exp) { spends(where: $w) { id } }";
    let many: Vec<Value> = (0..1_000).map(|n| json!({ "count": { "_neq": n } })).collect();
    assert_exceeded("conditions on one table", query, &json!({ "w": { "_and": many } }));
    let empty = vec![json!({}); 10_000];
    assert_exceeded("conditions on one table", query, &json!({ "w": { "_or": empty } }));
    let deep = (0..40).fold(json!({}), |inner, _| json!({ "_not": inner }));
    assert_exceeded("conditions inside conditions", query, &json!({ "w": deep }));
    let listed: Vec<u32> = (0..40_000).collect();
    assert_exceeded("values in lists", query, &json!({ "w": { "count": { "_in": listed } } }));
    let ordered = "query($o: [spends_order_by!]) { spends(order_by: $o) { id } }";
    assert_exceeded("conditions", ordered, &json!({ "o": vec![json!({ "id": "asc" }); 1_000] }));
}

#[test]
fn a_variable_put_in_many_times_counts_every_time() {
    let text = "x".repeat(1_000_000);
    let uses: String =
        (0..200).map(|n| format!("a{n}: spends(where: {{ unit: {{ _eq: $v }} }}) {{ id }} ")).collect();
    assert_exceeded(
        "bytes of texts in arguments",
        &format!("query($v: String) {{ {uses} }}"),
        &json!({ "v": text }),
    );
    let twice = "query($v: String, $v: String) { tenant { id } }";
    assert_eq!(refusal(twice, &json!({})).1, "there are several definitions of the variable \"v\"");
}

#[test]
fn one_row_has_no_more_object_relationships_than_a_statement_joins() {
    let joins: String = (0..70).map(|n| format!("a{n}: cloudAccountByCloudAccount {{ id }} ")).collect();
    assert_exceeded("object relationships", &format!("{{ spends {{ {joins} }} }}"), &json!({}));
    let house = TestWorld::new();
    let joins: String = (0..60).map(|n| format!("a{n}: cloudAccountByCloudAccount {{ id }} ")).collect();
    let answer = house.ask(ACME, &format!("{{ spends(limit: 1) {{ {joins} }} }}"), json!({}));
    assert!(answer.starts_with("{\"data\""), "{answer}");
}

#[test]
fn as_much_as_the_limits_allow_is_answered() {
    let house = TestWorld::new();
    let columns: String = (0..1_400).map(|n| format!("a{n}: id ")).collect();
    let listed: Vec<u32> = (0..30_000).collect();
    let many: Vec<Value> = (0..390).map(|n| json!({ "count": { "_neq": n + 100 } })).collect();
    let filter = json!({ "_and": many, "count": { "_in": listed } });
    let query = format!("query($w: spends_bool_exp) {{ spends(where: $w) {{ {columns} }} }}");
    let answer = house.ask(ACME, &query, json!({ "w": filter }));
    assert!(answer.starts_with("{\"data\""), "{}", &answer[..200]);
}

fn bounded(bounds: Bounds) -> (TestWorld, Engine) {
    let house = TestWorld::new();
    let engine = Engine::new(house.engine.store.clone().with_bounds(bounds)).unwrap();
    (house, engine)
}

#[test]
fn rows_and_bytes_of_an_answer_are_counted_while_it_is_written() {
    let (_house, engine) = bounded(Bounds { rows: 7, ..Bounds::default() });
    let few = ask(&engine, "{ spends { id } cloud_accounts(limit: 2) { id } }", &json!({}));
    assert!(few.starts_with("{\"data\""), "{few}");
    let (code, message) =
        error(&ask(&engine, "{ cloud_accounts { spends { remarks { id } } } }", &json!({})));
    assert_eq!(code, "limit-exceeded");
    assert!(
        message.starts_with("the answer has more than 7 rows, which is the limit; ask for fewer"),
        "{message}"
    );
    let (_house, engine) = bounded(Bounds { bytes: 100, ..Bounds::default() });
    let (code, message) = error(&ask(&engine, "{ spends { id amount date } }", &json!({})));
    assert_eq!(code, "limit-exceeded");
    assert!(message.starts_with("the answer is longer than 100 bytes"), "{message}");
}

/// A slow query for SQLite: every account is tested 190 times for a matching spend.
fn long() -> String {
    let conditions: String =
        (0..190).map(|n| format!("{{ spends: {{ unit: {{ _eq: \"{n}\" }} }} }} ")).collect();
    format!("{{ cloud_accounts(where: {{ _or: [{conditions}] }}) {{ id }} }}")
}

#[test]
fn a_statement_that_runs_is_stopped_when_its_time_is_up() {
    let (_house, engine) = bounded(Bounds { time: Duration::ZERO, ..Bounds::default() });
    let (code, message) = error(&ask(&engine, &long(), &json!({})));
    assert_eq!(code, "limit-exceeded");
    assert!(message.starts_with("the request was stopped after 0 ms, which is the limit"), "{message}");
    let short =
        ask(&engine, "{ tenant_by_pk(id: \"00000000-0000-0000-0000-00000000000a\") { name } }", &json!({}));
    assert!(short.contains("name"), "the connection works on: {short}");
}

#[test]
fn a_statement_that_runs_is_stopped_when_its_caller_goes_away() {
    let house = TestWorld::new();
    let cancel = Cancel::default();
    cancel.cancel();
    let caller = Caller::user(Uuid::from_u128(7), Uuid::from_u128(ACME), vec![Role::TenantAdminReadonly]);
    let request = Request { query: long(), ..Request::default() };
    let answer = house.engine.execute_until(&caller, &request, &cancel, |error| panic!("{error:?}"));
    assert_eq!(error(&String::from_utf8(answer).unwrap()).0, "cancelled");
}

#[test]
fn limits_can_be_set() {
    let house = TestWorld::new();
    let engine = house.engine.clone().with_limits(Limits { fields: 2, ..Limits::default() });
    assert_eq!(error(&ask(&engine, "{ spends { id amount } }", &json!({}))).0, "limit-exceeded");
    assert!(ask(&engine, "{ spends { id } }", &json!({})).starts_with("{\"data\""));
}
