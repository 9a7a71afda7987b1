//! The usage examples of the contract, one per resource.

use super::{check, check_with};
use expect_test::expect;
use serde_json::json;

#[test]
fn recommendations_with_their_resource() {
    check_with(
        "query Recommendations($status: [recommendation_status_type_enum!]) { recommendation(where: {status: {_in: $status}}, order_by: {estimated_savings: desc}, limit: 10) { id recommendation rule_name category severity status estimated_savings cloud_resourse { name region service_name } } }",
        &json!({"status": ["Open", "Assigned"]}),
        &expect![[
            r#"{"data":{"recommendation":[{"id":"00000000-0000-0000-0000-0000000000a6","recommendation":{"to":"t3.small"},"rule_name":"ec2_rightsizing","category":"RightSizing","severity":"Medium","status":"Open","estimated_savings":47.58,"cloud_resourse":{"name":"web-1","region":"eu-central-1","service_name":"AmazonEC2"}}]}}"#
        ]],
    );
}

#[test]
fn accounts_with_what_they_spent_between_two_dates() {
    check_with(
        "query Spend($from: timestamp!, $to: timestamp!) { cloud_accounts(where: {status: {_eq: active}}, order_by: {account_name: asc}) { id account_name cloud_provider account_type status budget created_at spends_aggregate(where: {_and: [{date: {_gte: $from}}, {date: {_lte: $to}}]}) { aggregate { sum { amount } count } } } }",
        &json!({"from": "2024-09-01T00:00:00", "to": "2024-09-30T23:59:59"}),
        &expect![[
            r#"{"data":{"cloud_accounts":[{"id":"00000000-0000-0000-0000-0000000000a1","account_name":"production","cloud_provider":"AWS","account_type":"account","status":"active","budget":1000.5,"created_at":"2024-01-01T00:00:00","spends_aggregate":{"aggregate":{"sum":{"amount":10.300000000000000001},"count":2}}},{"id":"00000000-0000-0000-0000-0000000000a2","account_name":"staging","cloud_provider":"AWS","account_type":"account","status":"active","budget":null,"created_at":"2024-01-01T00:00:00","spends_aggregate":{"aggregate":{"sum":{"amount":null},"count":0}}}]}}"#
        ]],
    );
}

#[test]
fn workloads_with_their_requests_and_limits() {
    check(
        "{ k8s_workloads(where: {namespace: {_eq: \"shop\"}}, order_by: {name: asc}) { id name namespace workload_type replicas status cpu_request cpu_limit memory_request memory_limit cloud_account_id } }",
        &expect![[
            r#"{"data":{"k8s_workloads":[{"id":"00000000-0000-0000-0000-0000000000aa","name":"web","namespace":"shop","workload_type":"Deployment","replicas":3,"status":null,"cpu_request":0.25,"cpu_limit":null,"memory_request":null,"memory_limit":536870912,"cloud_account_id":"00000000-0000-0000-0000-0000000000a1"}]}}"#
        ]],
    );
}

#[test]
fn events_with_their_account() {
    check(
        "{ events(where: {severity: {_in: [\"HIGH\"]}, created_at: {_gte: \"2024-01-01\"}}, order_by: {created_at: desc}, limit: 5) { id title severity source status created_at cloud_account { account_name } } }",
        &expect![[
            r#"{"data":{"events":[{"id":"00000000-0000-0000-0000-0000000000a7","title":"A pod crashes 💥","severity":"HIGH","source":null,"status":null,"created_at":"2024-09-02T10:00:00","cloud_account":{"account_name":"production"}}]}}"#
        ]],
    );
}

#[test]
fn auto_pilots_with_who_must_agree() {
    check(
        "{ auto_pilot(order_by: [{name: asc}]) { id name description status trigger_type created_at auto_pilot_approval_policy { approval_type status } } }",
        &expect![[
            r#"{"data":{"auto_pilot":[{"id":"00000000-0000-0000-0000-0000000000ab","name":"nightly","description":"sizes down at night","status":"Active","trigger_type":"schedule","created_at":"2024-09-02T10:00:00","auto_pilot_approval_policy":{"approval_type":"manual","status":"active"}}]}}"#
        ]],
    );
}

#[test]
fn people_with_their_roles() {
    check(
        "{ tenant_users { user { id username display_name status user_roles { role entity_type entity_id } } } }",
        &expect![[
            r#"{"data":{"tenant_users":[{"user":{"id":"00000000-0000-0000-0000-0000000000a0","username":"user10@example.com","display_name":"Ada","status":"active","user_roles":[{"role":"tenant_admin","entity_type":"tenant","entity_id":"00000000-0000-0000-0000-00000000000a"}]}}]}}"#
        ]],
    );
}

#[test]
fn a_page_with_the_count_of_all_pages() {
    check_with(
        "query Page($limit: Int!, $offset: Int!, $where: spends_bool_exp!) { spends(where: $where, order_by: [{date: desc}, {id: asc}], limit: $limit, offset: $offset) { date amount } spends_aggregate(where: $where) { aggregate { count } } }",
        &json!({"limit": 1, "offset": 1, "where": {"amount": {"_gte": 0}}}),
        &expect![[
            r#"{"data":{"spends":[{"date":"2024-09-01T05:00:00","amount":10.100000000000000001}],"spends_aggregate":{"aggregate":{"count":2}}}}"#
        ]],
    );
}

#[test]
fn lookups_by_their_value() {
    check(
        "{ recommendation_status_type_by_pk(value: \"Open\") { value } auto_pilot_approval_status_by_pk(status: \"nothing\") { status } auto_playbook_execution_status(limit: 1) { values } agent_playbook_action(limit: 1, order_by: {name: asc}) { name } event_severity_aggregate { aggregate { count } } cloud_account_status_type(order_by: {value: asc}) { value } }",
        &expect![[
            r#"{"data":{"recommendation_status_type_by_pk":{"value":"Open"},"auto_pilot_approval_status_by_pk":null,"auto_playbook_execution_status":[{"values":"COMPLETE"}],"agent_playbook_action":[{"name":"cluster_memory_requests_enricher"}],"event_severity_aggregate":{"aggregate":{"count":5}},"cloud_account_status_type":[{"value":"active"},{"value":"disabled"},{"value":"inactive"}]}}"#
        ]],
    );
}

#[test]
fn kubernetes_by_composite_keys() {
    check(
        "{ k8s_workloads_by_pk(cloud_account_id: \"00000000-0000-0000-0000-0000000000a1\", cloud_resource_id: \"00000000-0000-0000-0000-0000000000c1\", tenant_id: \"00000000-0000-0000-0000-00000000000a\") { name } \
           other: k8s_workloads_by_pk(cloud_account_id: \"00000000-0000-0000-0000-0000000000b1\", cloud_resource_id: \"00000000-0000-0000-0000-0000000000d1\", tenant_id: \"00000000-0000-0000-0000-00000000000b\") { name } \
           k8s_namespaces_by_pk(cloud_account_id: \"00000000-0000-0000-0000-0000000000a1\", name: \"shop\", tenant_id: \"00000000-0000-0000-0000-00000000000a\") { pod_count } \
           active_resources_by_pk(cloud_account_id: \"00000000-0000-0000-0000-0000000000a1\", external_resource_id: \"i-1\", resource_type: \"instance\", tenant_id: \"00000000-0000-0000-0000-00000000000a\") { resourse_id } }",
        &expect![[
            r#"{"data":{"k8s_workloads_by_pk":{"name":"web"},"other":null,"k8s_namespaces_by_pk":{"pod_count":3},"active_resources_by_pk":{"resourse_id":"web-1"}}}"#
        ]],
    );
}

#[test]
fn spend_grouped_by_month_and_service() {
    check(
        "{ spend_groupings_v2(columns: [\"spend_date\", \"resource_service_name\", \"spend_amount\", \"spend_count\"], column_transformations: [{name: \"spend_date\", expr: \"date_unit\", args: [\"month\"]}], group_by: [\"spend_date\", \"resource_service_name\"], where: {spend_date: {_gte: \"2024-01-01\"}}, order_by: [{column: \"spend_amount\", order: \"desc\"}]) { rows { spend_date resource_service_name spend_amount spend_count } } }",
        &expect![[
            r#"{"data":{"spend_groupings_v2":{"rows":[{"spend_date":"2024-09-01T00:00:00Z","resource_service_name":"AmazonEC2","spend_amount":10.100000000000000001,"spend_count":1},{"spend_date":"2024-09-01T00:00:00Z","resource_service_name":"AmazonS3","spend_amount":0.2,"spend_count":1},{"spend_date":"2024-10-01T00:00:00Z","resource_service_name":null,"spend_amount":-3,"spend_count":1}]}}}"#
        ]],
    );
}

#[test]
fn every_table_answers_its_three_queries() {
    let (catalogue, house) = (testkit::product::catalogue(), super::house());
    for (_, table) in catalogue.iter().filter(|(_, table)| table.exposed && table.root) {
        let name = &table.name;
        let columns: Vec<&str> =
            table.columns.iter().filter(|column| !column.secret).map(|column| column.name.as_str()).collect();
        let fields = columns.join(" ");
        let (first, last) = (columns[0], columns[columns.len() - 1]);
        let query = format!(
            "{{ {name}(limit: 2, offset: 0, order_by: [{{{first}: asc}}, {{{last}: desc}}], distinct_on: [{first}], where: {{_not: {{{first}: {{_is_null: true}}}}}}) {{ {fields} }} \
             {name}_aggregate(limit: 5) {{ aggregate {{ count(columns: [{first}, {last}], distinct: true) max {{ __typename }} }} nodes {{ {fields} }} }} }}"
        );
        let answer = house.ask(&query, &serde_json::Value::Null);
        assert!(answer.starts_with("{\"data\":"), "{query}\n{answer}");
    }
}
