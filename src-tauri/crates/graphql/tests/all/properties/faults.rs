//! Regression tests for faults found by generated requests, each as one small query over chosen rows.

use super::data::World;
use catalogue::{Decimal, Value, ValueRef};
use serde_json::{Value as Json, json};

/// Rows with these cells in one column.
fn world(column: &str, cells: &[ValueRef<'_>]) -> World {
    World::of(cells.iter().map(|cell| vec![(column.to_owned(), (*cell).to_owned())]).collect())
}

#[track_caller]
fn check(world: &World, query: &str, expected: &str) {
    assert_eq!(world.ask(query, &Json::Null), expected, "{query}");
}

#[test]
fn a_sum_of_bigint_is_exact_beyond_64_bits() {
    let world = world("big", &[ValueRef::Int(i64::MAX), ValueRef::Int(i64::MAX)]);
    check(
        &world,
        "{ item_aggregate { aggregate { sum { big } } } }",
        r#"{"data":{"item_aggregate":{"aggregate":{"sum":{"big":18446744073709551614}}}}}"#,
    );
}

#[test]
fn combinations_differ_behind_a_nul() {
    let world = world("name", &["a\0b".into(), "a\0c".into(), "a".into()]);
    check(
        &world,
        "{ item_aggregate { aggregate { count(columns: [name, kind], distinct: true) } } }",
        r#"{"data":{"item_aggregate":{"aggregate":{"count":3}}}}"#,
    );
}

#[test]
fn equal_json_and_names_without_case_count_once() {
    let count = |world: &World, column: &str| {
        let query = format!(
            "{{ item_aggregate {{ aggregate {{ one: count(columns: {column}, distinct: true) two: count(columns: [{column}, kind], distinct: true) }} }} }}"
        );
        check(world, &query, r#"{"data":{"item_aggregate":{"aggregate":{"one":1,"two":1}}}}"#);
    };
    count(
        &world("data", &[ValueRef::Json(r#"{"a":1,"b":2}"#), ValueRef::Json(r#"{ "b": 2, "a": 1 }"#)]),
        "data",
    );
    count(&world("nick", &["Ada".into(), "ADA".into()]), "nick");
}

#[test]
fn a_json_path_may_hold_any_character() {
    let world = world("data", &[ValueRef::Json(r#"{"\\":1,"a\u0000b":2,"\"":3,"'":4}"#)]);
    for (path, found) in [("['\\']", 1), ("a\0b", 2), ("\"", 3), ("[\"'\"]", 4)] {
        let answer =
            world.ask("query($path: String) { item { data(path: $path) } }", &json!({ "path": path }));
        assert_eq!(answer, format!(r#"{{"data":{{"item":[{{"data":{found}}}]}}}}"#), "{path}");
    }
    for path in ["[99999999999999999999]", "\\u0000", "[4294967296]", "\\"] {
        let answer =
            world.ask("query($path: String) { item { data(path: $path) } }", &json!({ "path": path }));
        assert!(!answer.contains("unexpected"), "{path}: {answer}");
    }
}

#[test]
fn an_average_is_exact_where_the_sum_is_longer_than_a_decimal() {
    let huge = ValueRef::Decimal(Decimal::parse("99999999999999999999999999999999999999").unwrap());
    check(
        &world("cost", &[huge, huge]),
        "{ item_aggregate { aggregate { avg { cost } sum { cost } } } }",
        r#"{"data":{"item_aggregate":{"aggregate":{"avg":{"cost":99999999999999999999999999999999999999},"sum":{"cost":199999999999999999999999999999999999998}}}}}"#,
    );
}

#[test]
fn an_increment_beyond_the_type_is_refused_and_changes_nothing() {
    let huge = Decimal::parse("99999999999999999999999999999999999999").unwrap();
    for (column, cell, by) in [
        ("amount", Value::Int(i64::from(i32::MAX)), "1"),
        ("big", Value::Int(i64::MAX), "1"),
        ("big", Value::Int(i64::MIN), "-1"),
        ("cost", Value::Decimal(huge), "\"99999999999999999999999999999999999999\""),
        ("ratio", Value::Float(1.7e308), "1.7e308"),
    ] {
        let world = world(column, &[cell.borrow()]);
        let before = world.ask(&format!("{{ item {{ {column} }} }}"), &Json::Null);
        let query =
            format!("mutation {{ update_item(where: {{}}, _inc: {{{column}: {by}}}) {{ affected_rows }} }}");
        let answer = world.ask(&query, &Json::Null);
        assert!(
            answer.contains("data-exception") && answer.contains("value out of range"),
            "{column}: {answer}"
        );
        assert_eq!(world.ask(&format!("{{ item {{ {column} }} }}"), &Json::Null), before);
    }
}

#[test]
fn the_place_in_a_list_follows_without_a_point() {
    let answer = world("name", &[]).ask("{ item(where: {_or: [{}, {nope: {}}]}) { id } }", &Json::Null);
    assert!(answer.contains("$.selectionSet.item.args.where._or[1].nope"), "{answer}");
}

#[test]
fn a_number_keeps_every_digit_it_was_written_with() {
    let price = Decimal::parse("12345678901234567890.123456789012345").unwrap();
    let world = world("price", &[ValueRef::Decimal(price)]);
    let found = r#"{"data":{"item":[{"price":12345678901234567890.123456789012345}]}}"#;
    check(&world, "{ item(where: {price: {_eq: 12345678901234567890.123456789012345}}) { price } }", found);
    let variables: Json = serde_json::from_str(r#"{"price":12345678901234567890.123456789012345}"#).unwrap();
    let query = "query($price: float8) { item(where: {price: {_in: [$price]}}) { price } }";
    assert_eq!(world.ask(query, &variables), found);
    check(
        &world,
        "mutation { update_item(where: {}, _set: {cost: 30.987654321098765434, data: {n: 12345678901234567890123.5}}) { returning { cost data } } }",
        r#"{"data":{"update_item":{"returning":[{"cost":30.987654321098765434,"data":{"n":12345678901234567890123.5}}]}}}"#,
    );
}

#[test]
fn numbers_in_json_are_equal_by_value_and_to_the_last_digit() {
    let world = world("data", &[ValueRef::Json(r#"{"n":1.0,"list":[9007199254740993]}"#)]);
    for (filter, count) in [
        ("_contains: {n: 1}", 1),
        ("_contains: {list: [9007199254740993.0]}", 1),
        ("_contains: {list: [9007199254740992]}", 0),
        ("_eq: {list: [9007199254740993], n: 1e0}", 1),
        ("_in: [{list: [9007199254740992], n: 1}]", 0),
    ] {
        let query =
            format!("{{ item_aggregate(where: {{data: {{{filter}}}}}) {{ aggregate {{ count }} }} }}");
        check(
            &world,
            &query,
            &format!(r#"{{"data":{{"item_aggregate":{{"aggregate":{{"count":{count}}}}}}}}}"#),
        );
    }
}
