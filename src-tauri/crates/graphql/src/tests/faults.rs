//! Regression tests for faults found from outside: requests that clients of other servers send, and the responses they expect.

use super::{ACME, TestWorld, UMBRELLA};
use catalogue::Role;
use serde_json::{Value, json};

impl TestWorld {
    fn said(&self, query: &str, variables: Value) -> Value {
        serde_json::from_str(&self.ask_as(Role::TenantAdmin, ACME, query, variables)).unwrap()
    }

    /// Code, path and message of the only error.
    #[track_caller]
    fn error(&self, query: &str, variables: Value) -> (String, String, String) {
        let answer = self.said(query, variables);
        let error = &answer["errors"][0];
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (text(&error["extensions"]["code"]), text(&error["extensions"]["path"]), text(&error["message"]))
    }
}

#[test]
fn citext_has_no_case_in_any_script_and_any_operator() {
    let house = TestWorld::new();
    let account = "00000000-0000-0000-0000-000000000001";
    let insert = format!(
        "mutation {{ insert_account_note_one(object: {{account: \"{account}\", label: \"Ärger ΟΔΟΣ\"}}) {{ label }} }}"
    );
    house.said(&insert, json!({}));
    for (operator, value, is_found) in [
        ("_eq", "äRGER οδος", true),
        ("_neq", "äRGER οδος", false),
        ("_in", "äRGER οδος", true),
        ("_like", "ärger%", true),
        ("_nlike", "ärger%", false),
        ("_regex", "^äRGER οδοσ$", true),
        ("_nregex", "äRGER", false),
        ("_similar", "(x|ä)rger%", true),
        ("_nsimilar", "(x|ä)rger%", false),
        ("_like", "rger", false),
        ("_nlike", "rger", true),
    ] {
        let query = format!(
            "query ($v: citext!) {{ account_note(where: {{label: {{{operator}: $v}}}}) {{ label }} }}"
        );
        let answer = house.said(&query, json!({ "v": value }));
        assert_eq!(
            answer["data"]["account_note"].as_array().unwrap().len(),
            usize::from(is_found),
            "{operator} {answer}"
        );
    }
}

#[test]
fn what_directives_take_away_leaves_an_empty_object() {
    let house = TestWorld::new();
    let skipped = json!({ "no": false });
    for (query, expected) in [
        ("query ($no: Boolean!) { spends @include(if: $no) { id } }", json!({})),
        (
            "query ($no: Boolean!) { cloud_accounts(limit: 1) { id @include(if: $no) } }",
            json!({ "cloud_accounts": [{}] }),
        ),
        (
            "query ($no: Boolean!) { cloud_accounts(limit: 1, order_by: {id: asc}) { spends(limit: 1) { id @include(if: $no) } note { label @include(if: $no) } } }",
            json!({ "cloud_accounts": [{ "spends": [{}], "note": null }] }),
        ),
        (
            "query ($no: Boolean!) { spends_aggregate { aggregate { count @include(if: $no) } nodes @include(if: $no) { id } } }",
            json!({ "spends_aggregate": { "aggregate": {} } }),
        ),
        (
            "query ($no: Boolean!) { spends_aggregate { aggregate { sum { amount @include(if: $no) } } } }",
            json!({ "spends_aggregate": { "aggregate": { "sum": {} } } }),
        ),
        (
            "{ spends_aggregate { aggregate { __typename } } }",
            json!({ "spends_aggregate": { "aggregate": { "__typename": "spends_aggregate_fields" } } }),
        ),
        (
            "query ($no: Boolean!) { spend_groupings_v2 { rows @include(if: $no) { tag } } }",
            json!({ "spend_groupings_v2": {} }),
        ),
        (
            "mutation ($no: Boolean!) { delete_remark(where: {}) @include(if: $no) { affected_rows } }",
            json!({}),
        ),
        (
            "mutation ($no: Boolean!) { delete_remark(where: {}) { affected_rows @include(if: $no) } }",
            json!({ "delete_remark": {} }),
        ),
    ] {
        let variables = if query.contains("$no") { skipped.clone() } else { json!({}) };
        assert_eq!(house.said(query, variables)["data"], expected, "{query}");
    }
    let (code, ..) = house.error("{ spends }", json!({}));
    assert_eq!(code, "validation-failed");
}

#[test]
fn a_nested_insert_refuses_columns_it_determines() {
    let house = TestWorld::new();
    let account = "00000000-0000-0000-0000-000000000001";
    let (code, path, message) = house.error(
        &format!("mutation {{ insert_cloud_accounts_one(object: {{account_name: \"x\", spends: {{data: [{{date: \"2024-01-01\", amount: 1}}, {{date: \"2024-01-01\", amount: 1, cloud_account: \"{account}\"}}]}}}}) {{ id }} }}"),
        json!({}),
    );
    assert_eq!(code, "validation-failed");
    assert_eq!(path, "$.selectionSet.insert_cloud_accounts_one.args.object.spends.data[1]");
    assert_eq!(
        message,
        "cannot insert \"cloud_account\" columns as their values are already being determined by parent insert"
    );
    let (code, path, message) = house.error(
        &format!("mutation {{ insert_spends_one(object: {{date: \"2024-01-01\", amount: 1, cloud_account: \"{account}\", cloudAccountByCloudAccount: {{data: {{account_name: \"x\"}}}}}}) {{ id }} }}"),
        json!({}),
    );
    assert_eq!(code, "validation-failed");
    assert_eq!(path, "$.selectionSet.insert_spends_one.args.object.cloudAccountByCloudAccount");
    assert_eq!(
        message,
        "cannot insert object relationship \"cloudAccountByCloudAccount\" as \"cloud_account\" column values are already determined"
    );
}

#[test]
fn a_row_brings_along_the_one_row_that_refers_to_it() {
    let house = TestWorld::new();
    let answer = house.said(
        "mutation { insert_cloud_accounts_one(object: {account_name: \"x\", note: {data: {label: \"mine\"}}}) { account_name note { label } } }",
        json!({}),
    );
    assert_eq!(
        answer["data"]["insert_cloud_accounts_one"],
        json!({ "account_name": "x", "note": { "label": "mine" } }),
        "{answer}"
    );
    // In the reverse direction the account is inserted first, as usual.
    let answer = house.said(
        "mutation { insert_account_note_one(object: {label: \"yours\", accountOfNote: {data: {account_name: \"y\"}}}) { accountOfNote { account_name } } }",
        json!({}),
    );
    assert_eq!(answer["data"]["insert_account_note_one"]["accountOfNote"]["account_name"], "y", "{answer}");
}

#[test]
fn errors_in_lists_name_the_place() {
    let house = TestWorld::new();
    for (query, path) in [
        (
            "mutation { insert_cloud_accounts(objects: [{account_name: \"a\"}, {nope: 1}]) { affected_rows } }",
            "$.selectionSet.insert_cloud_accounts.args.objects[1].nope",
        ),
        (
            "mutation { update_spends_many(updates: [{where: {}, _set: {unit: \"x\"}}, {where: {nope: {}}, _set: {}}]) { affected_rows } }",
            "$.selectionSet.update_spends_many.args.updates[1].where.nope",
        ),
        (
            "{ spends(order_by: [{date: asc}, {nope: asc}]) { id } }",
            "$.selectionSet.spends.args.order_by[1].nope",
        ),
        (
            "{ spends(where: {_or: [{}, {count: {_in: [1, \"x\"]}}]}) { id } }",
            "$.selectionSet.spends.args.where._or[1].count._in[1]",
        ),
        ("{ spends(distinct_on: [date, nope]) { id } }", "$.selectionSet.spends.args.distinct_on[1]"),
    ] {
        assert_eq!(house.error(query, json!({})).1, path, "{query}");
    }
}

#[test]
fn foreign_keys_are_named_with_what_broke_them() {
    let house = TestWorld::new();
    let account = "00000000-0000-0000-0000-000000000001";
    house.said(&format!("mutation {{ insert_account_note_one(object: {{account: \"{account}\", label: \"x\"}}) {{ label }} }}"), json!({}));
    for (query, message) in [
        (
            format!("mutation {{ delete_cloud_accounts_by_pk(id: \"{account}\") {{ id }} }}"),
            "Foreign key violation. update or delete on table \"cloud_accounts\" violates foreign key constraint \"account_note_account_fkey\" on table \"account_note\"",
        ),
        (
            format!("mutation {{ update_cloud_accounts_by_pk(pk_columns: {{id: \"{account}\"}}, _set: {{id: \"00000000-0000-0000-0000-0000000000ee\"}}) {{ id }} }}"),
            "Foreign key violation. update or delete on table \"cloud_accounts\" violates foreign key constraint",
        ),
        (
            "mutation { insert_spends_one(object: {date: \"2024-01-01\", amount: 1, cloud_account: \"00000000-0000-0000-0000-0000000000ee\"}) { id } }".to_owned(),
            "Foreign key violation. insert or update on table \"spends\" violates foreign key constraint \"spends_cloud_account_fkey\"",
        ),
    ] {
        let (code, _, said) = house.error(&query, json!({}));
        assert_eq!(code, "constraint-violation", "{query}");
        assert!(said.starts_with(message), "{said}");
    }
}

#[test]
fn an_operator_without_columns_changes_nothing_and_answers() {
    let house = TestWorld::new();
    let answer = house.said(
        "mutation { update_spends(where: {}, _set: {}) { affected_rows returning { id } } update_spends_by_pk(pk_columns: {id: \"00000000-0000-0000-0000-00000000000b\"}, _set: {}) { id } }",
        json!({}),
    );
    assert_eq!(
        answer["data"],
        json!({ "update_spends": { "affected_rows": 0, "returning": [] }, "update_spends_by_pk": null })
    );
}

#[test]
fn a_row_that_is_given_away_is_refused_alike_whatever_is_there() {
    let house = TestWorld::new();
    let give = |name: &str| {
        let query = format!(
            "mutation {{ update_cloud_accounts(where: {{account_name: {{_eq: \"staging\"}}}}, _set: {{tenant: \"00000000-0000-0000-0000-00000000000b\", account_name: \"{name}\"}}) {{ affected_rows }} }}"
        );
        house.said(&query, json!({}))
    };
    assert_eq!(give("lab"), give("nowhere"));
    let theirs = "mutation { insert_account_note_one(object: {account: \"00000000-0000-0000-0000-000000000003\", label: \"x\"}) { label } }";
    let before = house.said(theirs, json!({}));
    house.ask_as(Role::TenantAdmin, UMBRELLA, theirs, json!({}));
    assert_eq!(house.said(theirs, json!({})), before);
    assert_eq!(before["errors"][0]["extensions"]["code"], "permission-error", "{before}");
}

#[test]
fn numbers_that_are_too_large_are_not_parsed() {
    let house = TestWorld::new();
    for (query, variables) in [
        ("{ spends(where: {count: {_eq: 2147483648}}) { id } }", json!({})),
        ("query ($n: Int) { spends(where: {count: {_eq: $n}}) { id } }", json!({ "n": -2_147_483_649_i64 })),
        ("query ($n: float8) { spends(where: {weight: {_eq: $n}}) { id } }", json!({ "n": "1e999" })),
        (
            "query ($n: numeric) { spends(where: {effective_cost: {_eq: $n}}) { id } }",
            json!({ "n": "1".repeat(39) }),
        ),
    ] {
        assert_eq!(house.error(query, variables).0, "parse-failed", "{query}");
    }
    assert_eq!(
        house.error("{ spends(where: {count: {_eq: 1.5}}) { id } }", json!({})).0,
        "validation-failed"
    );
}

#[test]
fn an_offset_is_a_number_or_its_text() {
    let house = TestWorld::new();
    let query = "query ($n: Int) { spends(order_by: {date: asc}, offset: $n) { amount } }";
    for offset in [json!(3), json!("3"), json!("3")] {
        assert_eq!(house.said(query, json!({ "n": offset }))["data"]["spends"], json!([{ "amount": 100 }]));
    }
    assert_eq!(
        house.said("{ spends(order_by: {date: asc}, offset: \"3\") { amount } }", json!({}))["data"]["spends"],
        json!([{ "amount": 100 }])
    );
    assert_eq!(house.error(query, json!({ "n": "-1" })).2, "unexpected negative value");
    assert_eq!(house.error(query, json!({ "n": "x" })).0, "parse-failed");
}

#[test]
fn a_null_has_no_keys_whatever_is_asked_of_them() {
    let house = TestWorld::new();
    house.said("mutation { update_spends(where: {service_name: {_eq: \"S3\"}}, _set: {tags: null}) { affected_rows } }", json!({}));
    for (filter, count) in [
        ("{tags: {_has_keys_all: []}}", 3),
        ("{tags: {_has_keys_any: []}}", 0),
        ("{_not: {tags: {_has_keys_all: []}}}", 0),
        ("{_not: {tags: {_has_keys_any: []}}}", 3),
    ] {
        let query = format!("{{ spends_aggregate(where: {filter}) {{ aggregate {{ count }} }} }}");
        assert_eq!(
            house.said(&query, json!({}))["data"]["spends_aggregate"]["aggregate"]["count"],
            count,
            "{filter}"
        );
    }
}

#[test]
fn values_that_begin_like_a_literal_are_whole_names() {
    let house = TestWorld::new();
    let (_, path, message) =
        house.error("{ spends(where: {state: {_in: [Open, nullable_thing]}}) { id } }", json!({}));
    assert_eq!(path, "$.selectionSet.spends.args.where.state._in[1]");
    assert!(message.ends_with("but found \"nullable_thing\""), "{message}");
}

#[test]
fn fragments_in_a_circle_are_invalid_wherever_they_are() {
    let house = TestWorld::new();
    let query = "{ spends { ...a } } fragment a on spends { cloudAccountByCloudAccount { ...b } } fragment b on cloud_accounts { spends { ...a } }";
    let (code, path, message) = house.error(query, json!({}));
    assert_eq!((code.as_str(), path.as_str()), ("validation-failed", "$.query"));
    assert!(message.starts_with("fragments must not lead back to themselves: \"a\", \"b\""), "{message}");
}

#[test]
fn listings_ignore_what_says_nothing() {
    let house = TestWorld::new();
    let plain = house.said("{ spend_groupings_v2 { rows { spend_amount spend_count } } }", json!({}));
    assert!(plain["data"]["spend_groupings_v2"]["rows"][0]["spend_count"].is_number(), "{plain}");
    for arguments in [
        "column_transformations: [{name: \"spend_amount\", expr: \"distinct\", args: [\"account_id\"]}]",
        "column_transformations: [{name: \"spend_count\", expr: \"distinct\", args: []}]",
        "where: {_or: []}",
        "where: {_and: [{_or: []}, {}]}",
    ] {
        let query =
            format!("{{ spend_groupings_v2({arguments}) {{ rows {{ spend_amount spend_count }} }} }}");
        assert_eq!(house.said(&query, json!({})), plain, "{arguments}");
    }
}

const ME: &str = "00000000-0000-0000-0000-000000000007";
const OTHER: &str = "00000000-0000-0000-0000-000000000008";

/// A test world with the caller and another user as rows.
fn with_people() -> TestWorld {
    let house = TestWorld::new();
    let uuid = |number| catalogue::ValueRef::Uuid(uuid::Uuid::from_u128(number));
    let add = |rows: &store::Transaction<'_>| {
        for person in [7, 8] {
            rows.insert("users", &[("id", uuid(person)), ("tenant", uuid(ACME))])?;
        }
        Ok::<_, store::StoreError>(())
    };
    house.engine.store().transaction(&catalogue::Caller::system(), add).unwrap();
    house
}

#[test]
fn who_writes_a_row_is_noted_where_nobody_else_is_named() {
    let house = with_people();
    let answer = house
        .said("mutation { insert_memo_one(object: {text: \"a\"}) { created_by updated_by } }", json!({}));
    assert_eq!(answer["data"]["insert_memo_one"], json!({ "created_by": ME, "updated_by": ME }), "{answer}");
    let named = format!(
        "mutation {{ insert_memo_one(object: {{text: \"b\", created_by: \"{OTHER}\", updated_by: null}}) {{ created_by updated_by }} }}"
    );
    let answer = house.said(&named, json!({}));
    assert_eq!(
        answer["data"]["insert_memo_one"],
        json!({ "created_by": OTHER, "updated_by": null }),
        "{answer}"
    );
    let answer = house.said("mutation { update_memo(where: {text: {_eq: \"b\"}}, _set: {text: \"c\"}) { returning { created_by updated_by } } }", json!({}));
    assert_eq!(
        answer["data"]["update_memo"]["returning"],
        json!([{ "created_by": OTHER, "updated_by": ME }]),
        "{answer}"
    );
    let named = format!(
        "mutation {{ update_memo(where: {{text: {{_eq: \"c\"}}}}, _set: {{updated_by: \"{OTHER}\"}}) {{ returning {{ updated_by }} }} }}"
    );
    assert_eq!(
        house.said(&named, json!({}))["data"]["update_memo"]["returning"],
        json!([{ "updated_by": OTHER }])
    );
}

#[test]
fn lists_of_texts_are_compared_as_lists() {
    let house = with_people();
    house.said("mutation { insert_memo(objects: [{text: \"1\", labels: [\"a\", \"b\"]}, {text: \"2\", labels: [\"a\"]}, {text: \"3\", labels: []}, {text: \"4\"}]) { affected_rows } }", json!({}));
    for (filter, expected) in [
        ("{_contains: [\"a\"]}", vec!["1", "2"]),
        ("{_contains: []}", vec!["1", "2", "3"]),
        ("{_contained_in: [\"a\", \"c\"]}", vec!["2", "3"]),
        ("{_in: [[\"a\"], []]}", vec!["2", "3"]),
        ("{_in: [\"a\"]}", vec!["2"]),
        ("{_nin: [[\"a\", \"b\"]]}", vec!["2", "3"]),
    ] {
        let answer = house.said(
            &format!("{{ memo(where: {{labels: {filter}}}, order_by: {{text: asc}}) {{ text }} }}"),
            json!({}),
        );
        let found: Vec<&str> = answer["data"]["memo"]
            .as_array()
            .unwrap_or_else(|| panic!("{answer}"))
            .iter()
            .map(|row| row["text"].as_str().unwrap())
            .collect();
        assert_eq!(found, expected, "{filter}");
    }
    let fields = house.said("{ __type(name: \"String_array_comparison_exp\") { inputFields { name type { kind ofType { kind ofType { kind } } } } } }", json!({}));
    let fields = fields["data"]["__type"]["inputFields"].as_array().unwrap().clone();
    let of = |name: &str| {
        fields.iter().find(|field| field["name"] == name).unwrap_or_else(|| panic!("{name}"))["type"].clone()
    };
    assert_eq!(
        of("_in"),
        json!({ "kind": "LIST", "ofType": { "kind": "NON_NULL", "ofType": { "kind": "LIST" } } })
    );
    assert_eq!(
        of("_contains"),
        json!({ "kind": "LIST", "ofType": { "kind": "NON_NULL", "ofType": { "kind": "SCALAR" } } })
    );
}

#[test]
fn a_type_of_the_database_is_a_scalar_with_an_order() {
    let house = with_people();
    house.said("mutation { insert_memo(objects: [{text: \"1\"}, {text: \"2\", progress: \"BEGUN\"}, {text: \"3\", progress: DONE}]) { affected_rows } }", json!({}));
    for (filter, count) in [
        ("{_gt: \"NEW\"}", 2),
        ("{_gte: BEGUN}", 2),
        ("{_lt: \"BEGUN\"}", 1),
        ("{_lte: \"DONE\"}", 3),
        ("{_in: [\"NEW\"]}", 1),
    ] {
        let answer = house.said(
            &format!("{{ memo_aggregate(where: {{progress: {filter}}}) {{ aggregate {{ count }} }} }}"),
            json!({}),
        );
        assert_eq!(answer["data"]["memo_aggregate"]["aggregate"]["count"], count, "{filter} {answer}");
    }
    let answer = house.said("{ __type(name: \"memo_progress\") { kind } }", json!({}));
    assert_eq!(answer["data"]["__type"]["kind"], "SCALAR");
    assert_eq!(
        house.error("{ memo(where: {progress: {_gt: \"LOST\"}}) { id } }", json!({})).0,
        "validation-failed"
    );
}
