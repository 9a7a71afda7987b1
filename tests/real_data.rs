//! Runs the contract's queries on real data: imports the sample files and calls every operation of the contract's tables.
//!
//! Where `../shared/data/EXPECTED.md` states totals, the operations must return the same. Without that folder there is no data to query, and the
//! test prints that.

use std::collections::BTreeMap;

use crate::bills::{COSTS, expectations, fields};
use crate::support::client::Client;
use crate::support::exact::{amount, at};
use crate::support::programs::run;
use crate::support::service::Service;
use crate::support::shared_data;

/// Bills of several providers and currencies, and recommendations.
const FILES: [&str; 5] = [
    "focus/focus_sample_1000.csv",
    "focus/multicurrency/sample-export.csv",
    "focus/aws-1.2/sample-export.csv.gz",
    "aws-compute-optimizer/ec2.csv",
    "aws-compute-optimizer/ebs.csv",
];

/// The listings of the contract's table, with columns to request.
const LISTINGS: [(&str, &str); 22] = [
    ("spend_groupings_v2", "resource_service_name currency_type spend_amount spend_count"),
    ("spends_v2", "id date amount unit resource_service_name"),
    ("event_groupings_v2", "aggregation_key count_aggregation_key"),
    ("events_v2", "id title priority"),
    ("cloud_metric_groupings_v2", "metric avg_value"),
    ("k8s_cluster_groupings_v2", "account_id"),
    ("k8s_metrics_groupings_v2", "account_id"),
    ("k8s_namespace_groupings_v2", "name count"),
    ("k8s_namespaces_v2", "name"),
    ("k8s_pod_groupings_v2", "namespace count"),
    ("k8s_pods_v2", "name namespace"),
    ("k8s_workload_groupings_v2", "kind count"),
    ("k8s_workloads_v2", "name namespace kind"),
    ("recommendation_groupings_v2", "category severity count sum_estimated_savings"),
    ("recommendation_missconfig_groupings_v2", "account_id"),
    ("recommendation_missconfig_v2", "account_id"),
    ("recommendation_security_cis_groupings_v2", "account_id"),
    ("recommendation_security_groupings_v2", "account_id"),
    ("recommendation_security_v2", "account_id"),
    ("auto_playbook_v2", "id name status"),
    ("recommendations_v2", "id rule_name estimated_savings"),
    ("k8s_workloads_cloud_account_monitoring_v2", "account_id"),
];

/// The other queries of the contract that work with any data; `$account` is replaced by an account id. Queries that need the id of something that
/// is not imported (a workflow, a knowledge base) are in `cases/`.
const OTHERS: [&str; 27] = [
    "anomaly_grouping_v2 { rows { count } }",
    "anomaly_v2(limit: 5) { rows { id } }",
    "anomaly_v3(limit: 5) { rows { name } }",
    r#"event_get_filter_values(request: { filter_types: ["namespace", "source"] }) { filters { filter_type total } }"#,
    r#"cloud_resources_v2(args: { spend_from: "2024-09-01", spend_to: "2024-10-01" }, order_by: { spend_amount: desc_nulls_last }, limit: 3) { name spend_amount }"#,
    "k8s_versions { version release_date }",
    "k8s_workloads_cloud_account_monitoring_recommendations_v2 { rows { account_id } }",
    r#"auto_optimize_recommendation(account_id: "$account") { __typename }"#,
    "auto_playbook_grouping_v2 { rows { count } }",
    r#"workflow_get_count(request: { account_id: "$account" }) { count }"#,
    r#"workflow_get_execution_count(request: { account_id: "$account" }) { count }"#,
    r#"workflow_list(request: { account_id: "$account" }) { total_count }"#,
    "workflow_list_taskdefinitions(params: {}) { __typename }",
    r#"ai_budget_status(request: { account_id: "$account" }) { __typename }"#,
    r#"ai_list_agents(request: { account_id: "$account" }) { data }"#,
    r#"ai_list_agents_with_kb_counts(request: { account_id: "$account" }) { data }"#,
    r#"ai_list_gc(request: { account_id: "$account" }) { __typename }"#,
    r#"ai_list_kb(request: { account_id: "$account" }) { __typename }"#,
    r#"ai_list_kb_agent_mappings(request: { account_id: "$account" }) { __typename }"#,
    r#"ai_list_memory(request: { account_id: "$account" }) { __typename }"#,
    r#"ai_list_models(request: { account_id: "$account" }) { data }"#,
    r#"ai_list_tools(request: { account_id: "$account" }) { data }"#,
    "kg_get_filter_options { __typename }",
    r#"kg_get_filter_values(request: { filter_type: "label", filter_key: "team" }) { __typename }"#,
    // As in the contract's tables of fields.
    r#"cloud_accounts(order_by: { account_name: asc }) { id account_name cloud_provider account_type status budget created_at spends_aggregate(where: { date: { _gte: "2024-09-01" } }) { aggregate { count sum { amount } } } }"#,
    "recommendation(where: { status: { _in: [Open, Assigned] } }, order_by: { estimated_savings: desc }, limit: 5) { id recommendation rule_name category severity status estimated_savings cloud_resourse { name region service_name } }",
    "tenant_users { user { id username display_name status user_roles { role entity_type entity_id } } }",
];

#[tokio::test]
async fn every_operation_of_the_contract_answers_on_real_data() {
    let Some(data) = shared_data() else {
        println!("not asked: there is no ../shared/data beside this project");
        return;
    };
    let service = Service::start();
    let client = service.client().await;
    let truths: BTreeMap<String, String> = expectations(&data.join("EXPECTED.md"), "").into_iter().collect();
    for name in FILES {
        let file = data.join(name);
        let outcome = run(service.data_dir(), &["import", file.to_str().unwrap(), "--json"]).succeeded();
        let sha256 = at(at(&outcome.stdout, &["0"]), &["sha256"]).to_owned();
        if name.starts_with("focus/") {
            let question = format!("{{ imports(where: {{ sha256: {{ _eq: {sha256} }} }}) {{ id }} }}");
            let import = at(&client.data(&question).await, &["imports", "0", "id"]).to_owned();
            tells_the_expected_totals(&client, name, &import, &truths[name]).await;
        }
    }
    let accounts = client.data("{ cloud_accounts(limit: 1) { id } }").await;
    let account = at(&accounts, &["cloud_accounts", "0", "id"]).trim_matches('"').to_owned();
    let listings = LISTINGS.map(|(name, columns)| format!("{name}(limit: 5) {{ rows {{ {columns} }} }}"));
    let others = OTHERS.map(|field| field.replace("$account", &account));
    let mut refused = Vec::new();
    for field in listings.iter().chain(&others) {
        // These two limit the number of rows themselves.
        let field = field.replace("monitoring_v2(limit: 5)", "monitoring_v2");
        let answer = client.ask(&format!("{{ {field} }}"), &serde_json::json!({})).await.body;
        if answer.contains("\"errors\":[{\"") && !answer.starts_with("{\"data\"") {
            refused.push(format!("{field}\n  {answer}"));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// Compares sums and counts of one file, by currency, provider and category, with the independently computed ones.
async fn tells_the_expected_totals(client: &Client, name: &str, import: &str, truth: &str) {
    let only = format!("where: {{ import_id: {{ _eq: {import} }} }}");
    for (currency, _) in fields(at(truth, &["BilledCost"])) {
        let question = format!(
            r#"{{ spend_groupings_v2(where: {{ import_id: {{ _eq: {import} }}, currency_type: {{ _eq: "{currency}" }} }}) {{
              rows {{ billed_cost effective_cost list_cost contracted_cost }} }} }}"#
        );
        let answer = client.data(&question).await;
        let row = at(&answer, &["spend_groupings_v2", "rows", "0"]);
        for (theirs, ours) in COSTS {
            let (found, expected) = (at(row, &[ours]), at(truth, &[theirs, &currency]));
            assert_eq!(amount(found), amount(expected), "{name}: {ours} in {currency}");
        }
    }
    for (theirs, ours) in [("ProviderName", "provider_name"), ("ChargeCategory", "charge_category")] {
        let question = format!("{{ spend_groupings_v2({only}) {{ rows {{ {ours} spend_count }} }} }}");
        let answer = client.data(&question).await;
        let rows: Vec<BTreeMap<String, serde_json::Value>> =
            serde_json::from_str(at(&answer, &["spend_groupings_v2", "rows"])).unwrap();
        let counted: BTreeMap<String, String> = rows
            .iter()
            .map(|row| (row[ours].as_str().unwrap_or("null").to_owned(), row["spend_count"].to_string()))
            .collect();
        let expected: BTreeMap<String, String> = fields(at(truth, &[theirs]))
            .into_iter()
            .map(|(value, count)| (value, count.get().to_owned()))
            .collect();
        assert_eq!(counted, expected, "{name}: charges by {theirs}");
    }
    let total: u64 = at(truth, &["rows"]).parse().unwrap();
    let count = client.data(&format!("{{ spend_groupings_v2({only}) {{ rows {{ spend_count }} }} }}")).await;
    assert_eq!(at(&count, &["spend_groupings_v2", "rows", "0", "spend_count"]), total.to_string(), "{name}");
}
