//! Queries.

use super::{ACME, TestWorld, UMBRELLA};
use crate::Request;
use catalogue::{Caller, Role};
use expect_test::{Expect, expect};
use uuid::Uuid;

#[track_caller]
fn check(query: &str, expected: Expect) {
    expected.assert_eq(&TestWorld::new().ask(ACME, query, serde_json::Value::Null));
}

#[test]
fn money_is_exact_to_the_last_digit() {
    check(
        "{ spends_aggregate { aggregate { count sum { amount effective_cost } avg { amount } min { amount } max { amount } } } }",
        expect![[
            r#"{"data":{"spends_aggregate":{"aggregate":{"count":4,"sum":{"amount":107.300000000000000001,"effective_cost":81.25},"avg":{"amount":26.82500000000000000025},"min":{"amount":-3},"max":{"amount":100}}}}}"#
        ]],
    );
}

#[test]
fn a_caller_sees_the_rows_of_the_own_tenant_only() {
    let house = TestWorld::new();
    let query = "{ spends_aggregate { aggregate { count } } remark { text } remark_aggregate { aggregate { count } } \
                 cloud_accounts(order_by: {account_name: asc}) { account_name } spends_by_pk(id: \"00000000-0000-0000-0000-00000000000f\") { amount } \
                 spend_groupings_v2 { rows { spend_amount } } tenant { id } }";
    expect![[r#"{"data":{"spends_aggregate":{"aggregate":{"count":1}},"remark":[{"text":"seen"}],"remark_aggregate":{"aggregate":{"count":1}},"cloud_accounts":[{"account_name":"lab"}],"spends_by_pk":{"amount":999},"spend_groupings_v2":{"rows":[{"spend_amount":999}]},"tenant":[{"id":"00000000-0000-0000-0000-00000000000b"}]}}"#]]
        .assert_eq(&house.ask(UMBRELLA, query, serde_json::Value::Null));
    let acme = house.ask(
        ACME,
        "{ spends_by_pk(id: \"00000000-0000-0000-0000-00000000000f\") { amount } }",
        serde_json::Value::Null,
    );
    assert_eq!(acme, r#"{"data":{"spends_by_pk":null}}"#);
}

#[test]
fn a_filter_on_the_tenant_cannot_widen_it() {
    check(
        "{ spends(where: {_or: [{tenant: {_eq: \"00000000-0000-0000-0000-00000000000b\"}}, {tenant: {_is_null: false}}]}) { amount } }",
        expect![[
            r#"{"data":{"spends":[{"amount":10.100000000000000001},{"amount":0.2},{"amount":-3},{"amount":100}]}}"#
        ]],
    );
}

#[test]
fn relationships_nest_both_ways() {
    check(
        "{ cloud_accounts(order_by: {account_name: asc}) { account_name __typename \
           spends(order_by: {amount: desc}, limit: 1) { amount cloudAccountByCloudAccount { account_name } remarks { text } } \
           spends_aggregate(where: {date: {_gte: \"2024-09-02\", _lt: \"2024-10-01\"}}) { aggregate { count sum { amount } } nodes { date } } } }",
        expect![[
            r#"{"data":{"cloud_accounts":[{"account_name":"production","__typename":"cloud_accounts","spends":[{"amount":10.100000000000000001,"cloudAccountByCloudAccount":{"account_name":"production"},"remarks":[{"text":"seen"}]}],"spends_aggregate":{"aggregate":{"count":1,"sum":{"amount":0.2}},"nodes":[{"date":"2024-09-02T00:00:00"}]}},{"account_name":"staging","__typename":"cloud_accounts","spends":[{"amount":100,"cloudAccountByCloudAccount":{"account_name":"staging"},"remarks":[{"text":"seen"}]}],"spends_aggregate":{"aggregate":{"count":1,"sum":{"amount":-3}},"nodes":[{"date":"2024-09-02T23:59:59"}]}}]}}"#
        ]],
    );
}

#[test]
fn filters_combine_and_cross_relationships() {
    check(
        "{ spends(where: {_not: {service_name: {_eq: \"S3\"}}, cloudAccountByCloudAccount: {account_name: {_like: \"stag%\"}}, _or: [{amount: {_lt: 0}}, {tags: {_has_key: \"team\"}}]}) { amount } \
           tagged: spends(where: {tags: {_contains: {team: \"web\"}}}) { tags(path: \"team\") } \
           nothing: spends_aggregate(where: {id: {_in: []}}) { aggregate { count sum { amount } } } }",
        expect![[
            r#"{"data":{"spends":[{"amount":-3}],"tagged":[{"tags":"web"}],"nothing":{"aggregate":{"count":0,"sum":{"amount":null}}}}}"#
        ]],
    );
}

#[test]
fn nulls_stand_where_postgresql_puts_them() {
    check(
        "{ up: spends(order_by: {service_name: asc, amount: asc}) { service_name } down: spends(order_by: [{service_name: desc}], limit: 1) { service_name } last: spends(order_by: {service_name: desc_nulls_last}, limit: 1) { service_name } }",
        expect![[
            r#"{"data":{"up":[{"service_name":"EC2"},{"service_name":"EC2"},{"service_name":"S3"},{"service_name":null}],"down":[{"service_name":null}],"last":[{"service_name":"S3"}]}}"#
        ]],
    );
}

#[test]
fn distinct_on_keeps_the_first_of_each() {
    check(
        "{ spends(distinct_on: [service_name], order_by: [{service_name: asc}, {amount: desc}], where: {service_name: {_is_null: false}}) { service_name amount } \
           spends_aggregate(distinct_on: service_name) { aggregate { count } } }",
        expect![[
            r#"{"data":{"spends":[{"service_name":"EC2","amount":10.100000000000000001},{"service_name":"S3","amount":0.2}],"spends_aggregate":{"aggregate":{"count":3}}}}"#
        ]],
    );
}

#[test]
fn json_is_sorted_and_told_apart_as_jsonb() {
    check(
        "{ spends(order_by: [{tags: desc}, {id: asc}]) { id } \
           distinct: spends(distinct_on: tags, order_by: [{tags: asc}, {id: asc}]) { id tags } }",
        expect![[
            r#"{"data":{"spends":[{"id":"00000000-0000-0000-0000-00000000000c"},{"id":"00000000-0000-0000-0000-00000000000b"},{"id":"00000000-0000-0000-0000-00000000000d"},{"id":"00000000-0000-0000-0000-00000000000e"}],"distinct":[{"id":"00000000-0000-0000-0000-00000000000d","tags":{}},{"id":"00000000-0000-0000-0000-00000000000b","tags":{"team":"core"}},{"id":"00000000-0000-0000-0000-00000000000c","tags":{"team":"web","n":1}}]}}"#
        ]],
    );
}

#[test]
fn aggregates_honour_limit_and_count_combinations() {
    check(
        "{ spends_aggregate(limit: 2, offset: 1, order_by: {date: asc}) { aggregate { count sum { amount count } avg { weight } } nodes { amount } } \
           all: spends_aggregate { aggregate { some: count(columns: [service_name]) kinds: count(columns: [service_name], distinct: true) pairs: count(columns: [service_name, unit], distinct: true) stddev_pop { count } variance { weight } } } }",
        expect![[
            r#"{"data":{"spends_aggregate":{"aggregate":{"count":2,"sum":{"amount":-2.8,"count":25},"avg":{"weight":0.5}},"nodes":[{"amount":0.2},{"amount":-3}]},"all":{"aggregate":{"some":3,"kinds":2,"pairs":3,"stddev_pop":{"count":1.118033988749895},"variance":{"weight":0}}}}}"#
        ]],
    );
}

#[test]
fn enum_values_are_names_or_strings_in_literals_and_variables() {
    let house = TestWorld::new();
    let query = "query($s: state_enum!, $unused: Int) { a: spends_aggregate(where: {state: {_eq: $s}}) { aggregate { count } } b: spends_aggregate(where: {state: {_in: [Open]}}) { aggregate { count } } c: spends_aggregate(where: {state: {_in: \"Open\"}}) { aggregate { count } } }";
    expect![[r#"{"data":{"a":{"aggregate":{"count":4}},"b":{"aggregate":{"count":4}},"c":{"aggregate":{"count":4}}}}"#]]
        .assert_eq(&house.ask(ACME, query, serde_json::json!({"s": "Open"})));
}

#[test]
fn what_clients_send_beside_the_letter_of_the_rules_is_understood() {
    let house = TestWorld::new();
    let caller = Caller::user(Uuid::from_u128(7), Uuid::from_u128(ACME), vec![Role::TenantAdminReadonly]);
    let named = Request {
        query: "query names { spends(limit: 1) { unit } }".to_owned(),
        operation_name: Some(String::new()),
        ..Request::default()
    };
    let answer = house.engine.execute(&caller, &named, |error| panic!("{error:?}"));
    assert_eq!(String::from_utf8(answer).unwrap(), r#"{"data":{"spends":[{"unit":"USD"}]}}"#);
    check(
        r#"{ spends_aggregate(where: {unit: {_neq: "\uD83D\uDE00"}}) { aggregate { count } } }"#,
        expect![[r#"{"data":{"spends_aggregate":{"aggregate":{"count":4}}}}"#]],
    );
    let null = house.ask(ACME, "{ spends(where: {unit: {_is_null: null}}) { id } }", serde_json::json!({}));
    assert!(null.contains("unexpected null value for type 'Boolean'"), "{null}");
}

#[test]
fn a_whole_where_may_be_a_variable_and_fragments_open() {
    let house = TestWorld::new();
    let query = "query q($w: spends_bool_exp, $yes: Boolean = true) { spends(where: $w, limit: 1) { ...part @include(if: $yes) ... on spends { unit @skip(if: $yes) } } } fragment part on spends { amount }";
    expect![[r#"{"data":{"spends":[{"amount":-3}]}}"#]].assert_eq(&house.ask(
        ACME,
        query,
        serde_json::json!({"w": {"amount": {"_lt": 0}}}),
    ));
}

#[test]
fn mistakes_are_told_with_their_place() {
    let house = TestWorld::new();
    for (query, expected) in [
        (
            "{ nothing { id } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.nothing"},"message":"field 'nothing' not found in type: 'query_root'"}]}"#
            ]],
        ),
        (
            "{ spends { nope } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.spends.selectionSet.nope"},"message":"field 'nope' not found in type: 'spends'"}]}"#
            ]],
        ),
        (
            "{ cloud_accounts { access_secret } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.cloud_accounts.selectionSet.access_secret"},"message":"field 'access_secret' not found in type: 'cloud_accounts'"}]}"#
            ]],
        ),
        (
            "{ session { id } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.session"},"message":"field 'session' not found in type: 'query_root'"}]}"#
            ]],
        ),
        (
            "{ spends(limit: -1) { id } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.spends.args.limit"},"message":"unexpected negative value"}]}"#
            ]],
        ),
        (
            "{ spends(where: {amount: {_eq: null}}) { id } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.spends.args.where.amount._eq"},"message":"unexpected null value for type 'float8'"}]}"#
            ]],
        ),
        (
            "{ spends(where: {id: {_eq: \"x\"}}) { id } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"data-exception","path":"$.selectionSet.spends.args.where.id._eq"},"message":"invalid input syntax for type uuid: \"x\""}]}"#
            ]],
        ),
        (
            "{ spends(where: {state: {_eq: \"Lost\"}}) { id } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.spends.args.where.state._eq"},"message":"expected one of the values ['Open', 'Closed'] for type 'state_enum', but found \"Lost\""}]}"#
            ]],
        ),
        (
            "{ spends",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.query"},"message":"not a valid graphql query:  --> 1:9\n  |\n1 | { spends\n  |         ^---\n  |\n  = expected selection_set, selection, directive, or arguments"}]}"#
            ]],
        ),
        (
            "query($n: Int!) { spends(limit: $n) { id } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.variableValues"},"message":"expecting a value for non-nullable variable: \"n\""}]}"#
            ]],
        ),
        (
            "{ spends(distinct_on: unit, order_by: {amount: asc}) { id } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet.spends.args"},"message":"\"distinct_on\" columns must match initial \"order_by\" columns"}]}"#
            ]],
        ),
        (
            "{ a: spends { id } a: tenant { id } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.selectionSet"},"message":"selection of both 'spends' and 'tenant' specify the same response name, 'a'"}]}"#
            ]],
        ),
        (
            "fragment f on spends { ...f } { spends { ...f } }",
            expect![[
                r#"{"errors":[{"extensions":{"code":"validation-failed","path":"$.query"},"message":"fragments must not lead back to themselves: \"f\" do, or lead to one that does"}]}"#
            ]],
        ),
    ] {
        expected.assert_eq(&house.ask(ACME, query, serde_json::Value::Null));
    }
}

#[test]
fn a_caller_without_a_role_sees_lookups_only() {
    let house = TestWorld::new();
    let ask = |query: &str| house.ask_as(Role::TenantUsage, ACME, query, serde_json::Value::Null);
    assert!(ask("{ spends { id } }").contains("field 'spends' not found in type: 'query_root'"));
    assert!(
        ask("{ spend_groupings_v2(columns: [\"spend_count\"]) { rows { spend_count } } }")
            .contains("not found")
    );
    assert_eq!(
        ask("{ state(limit: 1, order_by: {value: desc}) { value } }"),
        r#"{"data":{"state":[{"value":"Open"}]}}"#
    );
}

#[test]
fn spend_is_grouped_by_what_is_asked() {
    check(
        r#"{ month: spend_groupings_v2(
               column_transformations: [{name: "spend_date", expr: "date_unit", args: ["month"]}],
               group_by: ["spend_date"], order_by: [{column: "spend_date", order: asc}]) { rows { spend_date spend_amount effective_cost spend_count account_count } }
             day: spend_groupings_v2(where: {spend_date: {_gte: "2024-09-01", _lt: "2024-10-01"}, resource_service_name: {_eq: "EC2"}, account_id: {_in: []}},
               order_by: [{column: "spend_date", order: asc}]) { rows { spend_date resource_service_name spend_amount } }
             team: spend_groupings_v2(column_transformations: [{name: "tag", expr: "json_key", args: ["team"]}],
               order_by: [{column: "spend_amount", order: desc}], limit: 2) { rows { tag spend_amount } }
             tagged: spend_groupings_v2(where: {tags: {_has_key: "team"}}) { rows { spend_amount } }
             total: spend_groupings_v2(columns: ["spend_amount"]) { rows { spend_amount currency_type } } }"#,
        expect![[
            r#"{"data":{"month":{"rows":[{"spend_date":"2024-09-01T00:00:00Z","spend_amount":7.300000000000000001,"effective_cost":1.25,"spend_count":3,"account_count":2},{"spend_date":"2024-10-01T00:00:00Z","spend_amount":100,"effective_cost":80,"spend_count":1,"account_count":1}]},"day":{"rows":[{"spend_date":"2024-09-01T00:00:00Z","resource_service_name":"EC2","spend_amount":10.100000000000000001},{"spend_date":"2024-09-02T00:00:00Z","resource_service_name":"EC2","spend_amount":-3}]},"team":{"rows":[{"tag":null,"spend_amount":97},{"tag":"core","spend_amount":10.100000000000000001}]},"tagged":{"rows":[{"spend_amount":10.300000000000000001}]},"total":{"rows":[{"spend_amount":107.300000000000000001,"currency_type":null}]}}}"#
        ]],
    );
}

#[test]
fn a_listing_says_what_it_does_not_know() {
    let house = TestWorld::new();
    for (query, part) in [
        (
            r#"{ spend_groupings_v2(group_by: ["spend_amount"]) { rows { spend_amount } } }"#,
            "aggregate column 'spend_amount' of table 'spend_groupings_v2' cannot be grouped by",
        ),
        (
            r#"{ spend_groupings_v2(group_by: ["colour"]) { rows { spend_amount } } }"#,
            "column 'colour' not found in table 'spend_groupings_v2'",
        ),
        ("{ spend_groupings_v2 { rows { tag } } }", "'tag' needs a key"),
        (
            r#"{ spend_groupings_v2(where: {currency_type: {_gt: "A"}}) { rows { spend_amount } } }"#,
            "operator _gt does not apply to the text column 'currency_type' of table 'spend_groupings_v2'",
        ),
        (
            "{ spend_groupings_v2(where: {spend_amount: {_gt: 1}}) { rows { spend_amount } } }",
            "aggregate column 'spend_amount' of table 'spend_groupings_v2' cannot be used in where",
        ),
        (
            r#"{ spend_groupings_v2(where: {spend_date: {_like: "2024%"}}) { rows { spend_amount } } }"#,
            "operator _like does not apply to the time column",
        ),
        (
            r#"{ spend_groupings_v2(where: {spend_date: {_between: {_gte: "2024-02-01", _lt: "2024-01-01"}}}) { rows { spend_amount } } }"#,
            "ends before it starts",
        ),
        (
            r#"{ spend_groupings_v2(where: {spend_date: {_gte: "2024-02-01", _lt: "2024-01-01"}}) { rows { spend_amount } } }"#,
            "the window of column 'spend_date' of table 'spend_groupings_v2' ends before it starts",
        ),
        (
            "{ spend_groupings_v2(limit: 100001) { rows { spend_amount } } }",
            "limit 100001 is more than the 100000 rows",
        ),
        (
            r#"{ spend_groupings_v2(order_by: [{column: "spend_date"}]) { rows { spend_amount } } }"#,
            "needs an order",
        ),
    ] {
        let answer = house.ask(ACME, query, serde_json::Value::Null);
        assert!(answer.contains(part), "{query}: {answer}");
    }
}

#[test]
fn introspection_shows_the_types_without_secrets() {
    let house = TestWorld::new();
    let answer = house.ask(
        ACME,
        "{ __typename __schema { queryType { name } } t: __type(name: \"cloud_accounts\") { fields { name } } spends(limit: 1) { amount } }",
        serde_json::Value::Null,
    );
    expect![[r#"{"data":{"__typename":"query_root","__schema":{"queryType":{"name":"query_root"}},"t":{"fields":[{"name":"id"},{"name":"account_name"},{"name":"data"},{"name":"tenant"},{"name":"spends"},{"name":"spends_aggregate"},{"name":"note"}]},"spends":[{"amount":10.100000000000000001}]}}"#]]
        .assert_eq(&answer);
}

#[test]
fn figures_over_related_rows_filter_and_order() {
    check(
        r#"{ many: cloud_accounts(where: {spends_aggregate: {count: {predicate: {_gte: 2}, filter: {amount: {_gt: 0}}}}}) { account_name }
             dear: cloud_accounts(where: {spends_aggregate: {sum: {arguments: amount, predicate: {_gt: 10.3}}}}) { account_name }
             exact: cloud_accounts(where: {spends_aggregate: {sum: {arguments: amount, predicate: {_eq: "10.300000000000000001"}}}}) { account_name }
             by_sum: cloud_accounts(order_by: {spends_aggregate: {sum: {amount: desc}}}) { account_name }
             by_count: cloud_accounts(order_by: [{spends_aggregate: {count: asc}}, {spends_aggregate: {min: {amount: asc}}}]) { account_name }
             deep: remark(order_by: {spend: {cloudAccountByCloudAccount: {account_name: desc}, amount: asc}}, limit: 1) { spend { amount } }
             spread: cloud_accounts(where: {spends_aggregate: {covar_samp: {arguments: {X: amount, Y: weight}, predicate: {_is_null: true}}}}) { account_name } }"#,
        expect![[
            r#"{"data":{"many":[{"account_name":"production"}],"dear":[{"account_name":"production"},{"account_name":"staging"}],"exact":[{"account_name":"production"}],"by_sum":[{"account_name":"staging"},{"account_name":"production"}],"by_count":[{"account_name":"staging"},{"account_name":"production"}],"deep":[{"spend":{"amount":-3}}],"spread":[]}}"#
        ]],
    );
}

#[test]
fn patterns_and_json_compare_as_in_postgresql() {
    check(
        r#"{ similar: spends(where: {service_name: {_similar: "(E|S)[A-Z0-9]%"}}) { service_name }
             regex: spends_aggregate(where: {service_name: {_regex: "^s3$"}}) { aggregate { count } }
             iregex: spends_aggregate(where: {service_name: {_iregex: "^s3$"}}) { aggregate { count } }
             not: spends_aggregate(where: {service_name: {_nregex: "C"}}) { aggregate { count } }
             equal: spends_aggregate(where: {tags: {_eq: {n: 1.0, team: "web"}}}) { aggregate { count } }
             inside: spends_aggregate(where: {tags: {_contained_in: {team: "core", more: 1}}}) { aggregate { count } }
             cast: spends_aggregate(where: {tags: {_cast: {String: {_like: "%\"team\": \"web\"%"}}}}) { aggregate { count } } }"#,
        expect![[
            r#"{"data":{"similar":[{"service_name":"EC2"},{"service_name":"S3"},{"service_name":"EC2"}],"regex":{"aggregate":{"count":0}},"iregex":{"aggregate":{"count":1}},"not":{"aggregate":{"count":1}},"equal":{"aggregate":{"count":1}},"inside":{"aggregate":{"count":3}},"cast":{"aggregate":{"count":1}}}}"#
        ]],
    );
    let answer = TestWorld::new().ask(
        ACME,
        r#"{ spends(where: {service_name: {_regex: "("}}) { id } }"#,
        serde_json::Value::Null,
    );
    assert!(answer.contains("invalid regular expression"), "{answer}");
}

#[test]
fn sums_are_ordered_as_numbers() {
    check(
        r#"{ spend_groupings_v2(group_by: ["spend_date"], order_by: [{column: "spend_amount", order: desc}]) { rows { spend_amount } } }"#,
        expect![[
            r#"{"data":{"spend_groupings_v2":{"rows":[{"spend_amount":100},{"spend_amount":10.100000000000000001},{"spend_amount":-2.8}]}}}"#
        ]],
    );
}

#[test]
fn an_argument_stands_once() {
    let house = TestWorld::new();
    for (query, place) in [
        ("{ spends(limit: 1, offset: 1, limit: 1) { id } }", "spends.args.limit"),
        ("{ spends_by_pk(id: null, id: null) { id } }", "spends_by_pk.args.id"),
        (
            "{ cloud_accounts { spends(where: {}, where: {}) { id } } }",
            "cloud_accounts.selectionSet.spends.args.where",
        ),
        (
            "{ spend_groupings_v2(limit: 1, limit: 2) { rows { spend_count } } }",
            "spend_groupings_v2.args.limit",
        ),
        ("mutation { delete_spends(where: {}, where: {}) { affected_rows } }", "delete_spends.args.where"),
    ] {
        let answer = house.ask_as(Role::TenantAdmin, ACME, query, serde_json::Value::Null);
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        let name = place.rsplit('.').next().unwrap();
        let error = serde_json::json!({ "errors": [{
            "message": format!("there can be only one argument named '{name}'"),
            "extensions": { "path": format!("$.selectionSet.{place}"), "code": "validation-failed" },
        }]});
        assert_eq!(answer, error, "{query}");
    }
}
