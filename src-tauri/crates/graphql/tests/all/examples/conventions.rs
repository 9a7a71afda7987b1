//! Tests of the contract's section "Semantics that clients rely on".

use super::{check, check_with};
use crate::test_world::TestWorld;
use expect_test::expect;
use serde_json::json;

#[test]
fn mistakes_are_told_with_code_and_path() {
    check(
        "{ spends(limit: -1) { id } }",
        &expect![[
            r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.spends.args.limit"},"message":"unexpected negative value"}]}"#
        ]],
    );
    check(
        "{ cloud_accounts(where: {_and: [{}, {nope: {_eq: 1}}]}) { id } }",
        &expect![[
            r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.cloud_accounts.args.where._and[1].nope"},"message":"field 'nope' not found in type: 'cloud_accounts_bool_exp'"}]}"#
        ]],
    );
    check(
        "{ user_auths { id } }",
        &expect![[
            r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.user_auths"},"message":"field 'user_auths' not found in type: 'query_root'"}]}"#
        ]],
    );
    check(
        "{ cloud_accounts(where: {account_name: {_eq: null}}) { id } }",
        &expect![[
            r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.cloud_accounts.args.where.account_name._eq"},"message":"unexpected null value for type 'String'"}]}"#
        ]],
    );
}

#[test]
fn empty_conditions_are_true_or_false_as_documented() {
    check(
        "{ all: spends_aggregate(where: {}) { aggregate { count } } and: spends_aggregate(where: {_and: []}) { aggregate { count } } or: spends_aggregate(where: {_or: []}) { aggregate { count } } in: spends_aggregate(where: {id: {_in: []}}) { aggregate { count } } nin: spends_aggregate(where: {id: {_nin: []}}) { aggregate { count } } null: spends_aggregate(where: {service_name: {_neq: \"none\"}}) { aggregate { count } } }",
        &expect![[
            r#"{"data":{"all":{"aggregate":{"count":3}},"and":{"aggregate":{"count":3}},"or":{"aggregate":{"count":0}},"in":{"aggregate":{"count":0}},"nin":{"aggregate":{"count":3}},"null":{"aggregate":{"count":2}}}}"#
        ]],
    );
}

#[test]
fn distinct_on_must_lead_the_order() {
    check(
        "{ spends(distinct_on: [service_name], order_by: [{amount: desc}]) { id } }",
        &expect![[
            r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.spends.args"},"message":"\"distinct_on\" columns must match initial \"order_by\" columns"}]}"#
        ]],
    );
    check(
        "{ spends(distinct_on: [service_name], order_by: [{service_name: desc}, {amount: asc}]) { service_name amount } }",
        &expect![[
            r#"{"data":{"spends":[{"service_name":null,"amount":-3},{"service_name":"AmazonS3","amount":0.2},{"service_name":"AmazonEC2","amount":10.100000000000000001}]}}"#
        ]],
    );
}

#[test]
fn order_goes_through_objects_and_aggregates() {
    check(
        "{ spends(order_by: [{cloudAccountByCloudAccount: {account_name: desc}}, {amount: asc}]) { amount } cloud_accounts(order_by: {spends_aggregate: {sum: {amount: desc_nulls_last}}}) { account_name } }",
        &expect![[
            r#"{"data":{"spends":[{"amount":-3},{"amount":0.2},{"amount":10.100000000000000001}],"cloud_accounts":[{"account_name":"production"},{"account_name":"staging"}]}}"#
        ]],
    );
}

#[test]
fn aggregates_take_aliases_at_every_level() {
    check(
        "{ a: spends_aggregate { b: aggregate { c: count d: count(columns: service_name) e: count(columns: [service_name], distinct: true) f: max { g: service_name h: date } i: min { j: id } k: avg { l: amount } } m: nodes { n: unit } } }",
        &expect![[
            r#"{"data":{"a":{"b":{"c":3,"d":2,"e":2,"f":{"g":"AmazonS3","h":"2024-10-01T00:00:00"},"i":{"j":"00000000-0000-0000-0000-0000000000a3"},"k":{"l":2.43333333333333333367}},"m":[{"n":"USD"},{"n":"USD"},{"n":"USD"}]}}}"#
        ]],
    );
}

#[test]
fn relationship_filters_are_exists() {
    check(
        "{ cloud_accounts(where: {spends: {amount: {_gt: 10}}}) { account_name } none: cloud_accounts(where: {_not: {spends: {}}}) { account_name } many: cloud_accounts(where: {spends_aggregate: {count: {predicate: {_gte: 2}}}}) { account_name } through: recommendation_aggregate(where: {cloud_account: {tenantByTenant: {name: {_eq: \"HOUSE\"}}}}) { aggregate { count } } }",
        &expect![[
            r#"{"data":{"cloud_accounts":[{"account_name":"production"}],"none":[],"many":[{"account_name":"production"}],"through":{"aggregate":{"count":1}}}}"#
        ]],
    );
}

#[test]
fn json_takes_paths_in_every_documented_form() {
    check(
        "{ cloud_accounts(where: {data: {_is_null: false}}) { root: data(path: \"$\") dotted: data(path: \"$.a.b\") word: data(path: \"a\") item: data(path: \"arr[0]\") key: data(path: \"objs[0]['k']\") absent: data(path: \"x.y\") } }",
        &expect![[
            r#"{"data":{"cloud_accounts":[{"root":{"a":{"b":[1,2]},"arr":["x"],"objs":[{"k":"v"}]},"dotted":[1,2],"word":{"b":[1,2]},"item":"x","key":"v","absent":null}]}}"#
        ]],
    );
}

#[test]
fn enum_values_are_names_and_texts_everywhere() {
    check_with(
        "query($s: recommendation_status_type_enum, $t: String, $unused: Int) { a: recommendation_aggregate(where: {status: {_eq: $s}}) { aggregate { count } } b: recommendation_aggregate(where: {status: {_eq: Open}}) { aggregate { count } } c: recommendation_aggregate(where: {status: {_eq: \"Open\"}}) { aggregate { count } } d: recommendation_aggregate(where: {status: {_in: [$s, Assigned]}}) { aggregate { count } } spends(order_by: {date: \"asc\"}, distinct_on: \"date\", limit: 1) { date } }",
        &json!({"s": "Open"}),
        &expect![[
            r#"{"data":{"a":{"aggregate":{"count":1}},"b":{"aggregate":{"count":1}},"c":{"aggregate":{"count":1}},"d":{"aggregate":{"count":1}},"spends":[{"date":"2024-09-01T05:00:00"}]}}"#
        ]],
    );
}

#[test]
fn one_of_several_operations_is_chosen_and_fragments_open() {
    check(
        "query { spends(limit: 1, order_by: {amount: asc}) { ...money __typename } } fragment money on spends { amount ... @include(if: true) { unit } ... on spends @skip(if: true) { id } }",
        &expect![[r#"{"data":{"spends":[{"amount":-3,"unit":"USD","__typename":"spends"}]}}"#]],
    );
}

#[test]
fn a_column_with_two_names_is_one_value_under_both() {
    let house = TestWorld::new();
    let ask = |query: &str| house.ask(query, &json!({}));
    assert_eq!(
        ask(
            "{ k8s_workloads(where: {workload_type: {_eq: \"Deployment\"}, total_pods: {_eq: 3}}, order_by: {replicas: desc}, distinct_on: replicas) { kind workload_type replicas total_pods } k8s_workloads_aggregate { aggregate { sum { replicas } count(columns: workload_type) } } }"
        ),
        r#"{"data":{"k8s_workloads":[{"kind":"Deployment","workload_type":"Deployment","replicas":3,"total_pods":3}],"k8s_workloads_aggregate":{"aggregate":{"sum":{"replicas":3},"count":1}}}}"#
    );
    assert_eq!(
        ask(
            "mutation { update_k8s_workloads(where: {}, _set: {workload_type: \"StatefulSet\", kind: \"StatefulSet\"}, _inc: {replicas: 2}) { returning { kind total_pods } } }"
        ),
        r#"{"data":{"update_k8s_workloads":{"returning":[{"kind":"StatefulSet","total_pods":5}]}}}"#
    );
    assert_eq!(
        ask(
            "mutation { update_k8s_workloads(where: {}, _set: {workload_type: \"Job\", kind: \"CronJob\"}) { affected_rows } }"
        ),
        r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.update_k8s_workloads.args._set.kind"},"message":"'kind' and 'workload_type' are names of one value and were given different values: give one of them"}]}"#
    );
    let event = |columns: &str| {
        format!(
            "mutation {{ insert_events_one(object: {{aggregation_key: \"a\", cluster: \"c\", evidences: [], finding_id: \"f\", finding_type: \"issue\", subject_name: \"s\", title: \"t\", {columns}}}) {{ priority severity event_severity {{ value }} }} }}"
        )
    };
    assert_eq!(
        ask(&event("severity: HIGH")),
        r#"{"data":{"insert_events_one":{"priority":"HIGH","severity":"HIGH","event_severity":{"value":"HIGH"}}}}"#
    );
    let refused = ask(&event("severity: HIGH, priority: LOW"));
    assert!(refused.contains("'priority' and 'severity' are names of one value"), "{refused}");
    assert_eq!(
        ask("{ k8s_workloads_v2(where: {kind: {_eq: \"StatefulSet\"}}) { rows { kind total_pods } } }"),
        r#"{"data":{"k8s_workloads_v2":{"rows":[{"kind":"StatefulSet","total_pods":"5"}]}}}"#
    );
}

#[test]
fn what_is_billed_and_the_amount_are_one_value_in_both_directions() {
    let house = TestWorld::new();
    let ask = |query: &str| house.ask(query, &json!({}));
    let insert = |cost: &str| {
        format!(
            "mutation {{ insert_spends_one(object: {{cloud_account: \"00000000-0000-0000-0000-0000000000a1\", date: \"2031-01-01\", unit: \"XTS\", {cost}}}) {{ amount billed_cost }} }}"
        )
    };
    let told = r#"{"data":{"insert_spends_one":{"amount":1.10000000000000000001,"billed_cost":1.10000000000000000001}}}"#;
    assert_eq!(ask(&insert("amount: 1.10000000000000000001")), told);
    let second = insert("billed_cost: 2.5").replace("2031-01-01", "2031-01-02");
    assert_eq!(ask(&second), r#"{"data":{"insert_spends_one":{"amount":2.5,"billed_cost":2.5}}}"#);
    let refused = ask(&insert("amount: 1, billed_cost: 2"));
    assert!(
        refused.contains("'billed_cost' and 'amount' are names of one value")
            || refused.contains("'amount' and 'billed_cost' are names of one value"),
        "{refused}"
    );
    assert_eq!(
        ask(
            "{ spends(where: {unit: {_eq: \"XTS\"}, billed_cost: {_gt: 2}}) { amount } spends_aggregate(where: {unit: {_eq: \"XTS\"}}) { aggregate { sum { amount billed_cost } } } }"
        ),
        r#"{"data":{"spends":[{"amount":2.5}],"spends_aggregate":{"aggregate":{"sum":{"amount":3.60000000000000000001,"billed_cost":3.60000000000000000001}}}}}"#
    );
    assert_eq!(
        ask(
            "mutation { update_spends(where: {unit: {_eq: \"XTS\"}, amount: {_eq: 2.5}}, _set: {billed_cost: 3}) { returning { amount } } }"
        ),
        r#"{"data":{"update_spends":{"returning":[{"amount":3}]}}}"#
    );
}

#[test]
fn a_list_of_texts_is_one_whatever_is_given() {
    let house = TestWorld::new();
    let insert = |list: &str| {
        let query = format!(
            "mutation {{ insert_cloud_accounts_one(object: {{cloud_resource_query_perves: {{data: {{table_names: {list}}}}}}}) {{ id }} }}"
        );
        house.ask(&query, &json!({}))
    };
    for (list, says) in [
        ("{k: 1}", "expected a string for type 'String', but found an object"),
        ("7", "expected a string for type 'String', but found 7"),
        ("[\"a\", true]", "expected a string for type 'String', but found true"),
        ("[\"a\", null]", "unexpected null value for type 'String'"),
    ] {
        let refused = insert(list);
        assert!(refused.contains(says) && refused.contains("validation-failed"), "{list}: {refused}");
    }
    let person = "000000000000000000000000000000a0";
    let query = format!(
        "mutation {{ insert_cloud_accounts_one(object: {{account_name: \"x\", account_type: \"aws\", created_by: \"{person}\", \
         updated_by: \"{person}\", cloud_resource_query_perves: {{data: [{{db_username: \"u\", query_text: \"q\", query_type: \"t\", \
         table_names: \"x\"}}]}}}}) {{ cloud_resource_query_perves {{ table_names }} }} }}"
    );
    assert_eq!(
        house.ask(&query, &json!({})),
        r#"{"data":{"insert_cloud_accounts_one":{"cloud_resource_query_perves":[{"table_names":["x"]}]}}}"#
    );
}
