//! Tests of sample data: loaded into its own tenant, and removed again.

use super::client::Client;
use super::waiting::until;
use super::{Answer, Service};
use catalogue::Role;
use serde_json::{Value, json};

/// Number of charges of a day in the sample (services, waste and commitment), on most days.
const CHARGES_A_DAY: i64 = 43;

const CHARGES: &str = r#"{"query": "{ spends_aggregate { aggregate { count } } }"}"#;

/// Waits until the sample data is loaded. Returns its tenant.
pub async fn loaded(client: &Client) -> String {
    let look = async || client.get("/api/sample").await.json();
    let standing = until("the sample data", look, |standing| standing["state"] != "loading").await;
    assert_eq!(standing["state"], "ready", "{standing:#}");
    standing["tenant"].as_str().unwrap().to_owned()
}

async fn charges(client: &Client) -> i64 {
    let answer = client.post("/api/graphql", CHARGES).await.json();
    answer["data"]["spends_aggregate"]["aggregate"]["count"].as_i64().unwrap()
}

/// A browser of an administrator of the home tenant.
pub async fn page(service: &Service) -> Client {
    let secret = service.secret_of("ada@example.com", Role::TenantAdmin, &service.tenant());
    let pair = json!({ "email": "ada@example.com", "secret": secret }).to_string();
    let page = service.page();
    let signed_in = page.post("/api/auth/session", &pair).await;
    page.with("Cookie", &signed_in.cookie())
}

/// Switches the browser to another tenant.
pub async fn go(page: &Client, tenant: &str) -> Answer {
    page.post("/api/auth/tenant", &json!({ "tenant": tenant }).to_string()).await
}

#[tokio::test]
async fn sample_data_comes_into_a_tenant_of_its_own_and_goes_with_it() {
    let service = Service::start().await;
    let page = page(&service).await;
    assert_eq!(page.get("/api/sample").await.json()["tenant"], json!(null));
    assert_eq!(page.post("/api/sample", "").await.status, 202);
    let tenant = loaded(&page).await;
    assert_eq!(charges(&page).await, 0);

    let there = page.clone().with("Cookie", &go(&page, &tenant).await.cookie());
    let expected = charges(&there).await;
    assert!(expected > 181 * CHARGES_A_DAY, "six months: {expected}");
    every_page_has_something_to_show(&there).await;
    nothing_of_it_acts(&there).await;
    // It cannot be removed from within its own tenant: the session must switch back first.
    assert_eq!(there.delete("/api/sample").await.refusal(), (403, "forbidden".to_owned()));
    let home = there.get("/api/sample").await.json()["home"].as_str().unwrap().to_owned();
    assert_eq!(home, service.tenant().id.to_string());
    let back = there.clone().with("Cookie", &go(&there, &home).await.cookie());
    let removed = back.delete("/api/sample").await;
    assert_eq!(removed.status, 204, "{removed:?}");
    assert_eq!(back.get("/api/sample").await.json()["tenant"], json!(null));
    assert_eq!(go(&back, &tenant).await.status, 403);
}

async fn answer(client: &Client, query: &str) -> Value {
    client.post("/api/graphql", &json!({ "query": query }).to_string()).await.json()
}

/// The data of a query that must succeed.
pub async fn data(client: &Client, query: &str) -> Value {
    let answer = answer(client, query).await;
    assert!(answer["errors"].is_null(), "{query}: {answer:#}");
    answer["data"].clone()
}

/// The distinct texts under a name in the rows, sorted.
fn words(rows: &Value, name: &str) -> Vec<String> {
    let rows = rows.as_array().into_iter().flatten();
    let mut words: Vec<String> = rows.map(|row| row[name].as_str().unwrap_or_default().to_owned()).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// A business unit and a project have budgets with a known state.
fn funding_is_known(rows: &Value) {
    let of = |key: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| !row[key].is_null());
        let row = row.unwrap_or_else(|| panic!("no {key}: {rows:#}"));
        assert_ne!(row["state"], "unknown", "{row:#}");
        row
    };
    assert_eq!(of("business_unit_id")["name"], "Data and analytics (Cloud fund)");
    let project = of("project_id");
    assert_eq!(words(&project["accounts"], "name"), ["Analytics", "Research"]);
    assert!(
        project["accounts"].as_array().unwrap().iter().all(|share| share["budget"].is_number()),
        "{project:#}"
    );
}

async fn every_page_has_something_to_show(there: &Client) {
    let found = data(
        there,
        r#"{
          workflow_count_approvals(request: {}) { count mine }
          auto_pilot { status next_schedule_time auto_pilot_tasks { status } }
          auto_playbook { status }
          allocation_rule { name method }
          allocated_cost_aggregate { aggregate { count } }
          business_number_aggregate { aggregate { count } }
          spend_budgets { rows { name state business_unit_id project_id spent accounts { name budget spent } } }
          scheduled_report { name next_due_at runs { content error } }
          recommendation { status estimated_savings is_dismissed recommendation }
          savings_ledger { currencies { currency identified { count amount } closed { count } verified { count amount } none { count } months { month saved } } }
          logs_aggregate { aggregate { count } }
          anomaly { scope feedback }
          anomaly_config { anomaly_type enabled }
          virtual_tag { key }
          spends(order_by: { date: desc }, limit: 500) { tags }
          shop: cloud_accounts(where: { account_name: { _eq: "shop" } }) { id }
          production: cloud_accounts(where: { account_name: { _eq: "Shop production" } }) { id }
        }"#,
    )
    .await;
    let mut runs = Vec::new();
    for account in ["shop", "production"] {
        let account = &found[account][0]["id"];
        let query = format!(
            "{{ workflow_list(request: {{ account_id: {account} }}) {{ workflows {{ id status }} }} }}"
        );
        let workflows = data(there, &query).await["workflow_list"]["workflows"].clone();
        assert_eq!(words(&workflows, "status"), ["PAUSED"], "{workflows:#}");
        for id in words(&workflows, "id") {
            let query = format!(
                r#"{{ workflow_list_executions(request: {{ account_id: {account}, id: "{id}" }}) {{ executions {{ status }} }} }}"#
            );
            runs.extend(words(
                &data(there, &query).await["workflow_list_executions"]["executions"],
                "status",
            ));
        }
    }
    runs.sort_unstable();
    runs.dedup();
    assert_eq!(runs, ["COMPLETED", "FAILED", "RUNNING"]);
    assert_eq!(found["workflow_count_approvals"], json!({ "count": 1, "mine": 1 }));
    what_is_watched_is_found(&found);
    let pilots = &found["auto_pilot"];
    assert_eq!(
        (words(pilots, "status"), &pilots[0]["next_schedule_time"]),
        (vec!["Disabled".to_owned()], &Value::Null)
    );
    assert_eq!(words(&pilots[0]["auto_pilot_tasks"], "status"), ["Complete", "Failed", "Skipped"]);
    assert_eq!(words(&found["auto_playbook"], "status"), ["DISABLED"]);
    assert_eq!(words(&found["allocation_rule"], "method"), ["cost", "even", "fixed", "usage"]);
    for counted in ["allocated_cost_aggregate", "business_number_aggregate", "logs_aggregate"] {
        let count = found[counted]["aggregate"]["count"].as_i64().unwrap();
        assert!(count > 50, "{counted}: {count}");
    }
    for report in found["scheduled_report"].as_array().unwrap() {
        assert_eq!(
            (report["next_due_at"].clone(), report["runs"].as_array().unwrap().len()),
            (Value::Null, 3)
        );
        assert!(report["runs"].as_array().unwrap().iter().all(|run| run["error"].is_null()), "{report:#}");
    }
    assert_eq!(found["scheduled_report"].as_array().unwrap().len(), 2);
    ledger_agrees(&found);
    funding_is_known(&found["spend_budgets"]["rows"]);
    let shop = &found["shop"][0]["id"];
    let learned = data(
        there,
        &format!(
            "{{ ai_list_memory(request: {{ account_id: {shop} }}) {{ data {{ content }} }}
                ai_list_kb(request: {{ account_id: {shop} }}) {{ data {{ name status passages }} }} }}"
        ),
    )
    .await;
    assert_eq!(learned["ai_list_memory"]["data"].as_array().unwrap().len(), 2);
    let document = &learned["ai_list_kb"]["data"][0];
    assert_eq!((&document["name"], &document["status"]), (&json!("Runbook: checkout"), &json!("active")));
    assert!(document["passages"].as_i64() > Some(0), "{document}");
    let query =
        format!("{{ ai_list_conversations(request: {{ account_id: {shop} }}) {{ data {{ title }} }} }}");
    let asked = data(there, &query).await["ai_list_conversations"]["data"].clone();
    assert_eq!(words(&asked, "title"), ["Why does checkout restart?"]);
    alerts_lead_to_the_deployment(there).await;
}

/// Alerts of another system are explained by a preceding change in the cluster they name.
async fn alerts_lead_to_the_deployment(there: &Client) {
    let query = r#"{ events(where: { aggregation_key: { _in: ["KubePodCrashLooping", "HighErrorRate"] } }) { id cloud_account_id title } }"#;
    let alerts = data(there, query).await["events"].clone();
    assert_eq!(alerts.as_array().map(Vec::len), Some(2), "{alerts:#}");
    for alert in alerts.as_array().into_iter().flatten() {
        let (account, event) = (&alert["cloud_account_id"], &alert["id"]);
        let query =
            format!("{{ ai_get_rca(account_id: {account}, event_id: {event}, generate: false) {{ data }} }}");
        let told = data(there, &query).await["ai_get_rca"]["data"]["investigation"]["hypotheses"].clone();
        let claims = words(&told, "claim");
        let has = |begin: &str| claims.iter().any(|claim| claim.starts_with(begin));
        assert!(
            has("ScalingReplicaSet: Deployment checkout") && has("Deployment checkout changed"),
            "{alert}: {claims:#?}"
        );
    }
}

/// A metric rule has found something, an anomaly has feedback, and every charge has an owner.
fn what_is_watched_is_found(found: &Value) {
    assert_eq!(found["anomaly_config"], json!([{ "anomaly_type": "Latency", "enabled": true }]));
    assert_eq!(words(&found["anomaly"], "scope"), ["metric", "service"], "{}", found["anomaly"]);
    let judged = found["anomaly"].as_array().unwrap().iter().filter(|one| one["feedback"] == "useful");
    assert_eq!(judged.count(), 1, "{}", found["anomaly"]);
    assert_eq!(words(&found["virtual_tag"], "key"), ["owner"]);
    let tags: Vec<Value> =
        found["spends"].as_array().unwrap().iter().map(|one| one["tags"].clone()).collect();
    assert_eq!(words(&json!(tags), "virtual:owner"), ["Back office", "Data", "Platform", "Shop"]);
}

/// The ledger equals the sum of the recommendations: one saving is fully verified, one partly.
fn ledger_agrees(found: &Value) {
    let [ledger] = found["savings_ledger"]["currencies"].as_array().unwrap().as_slice() else {
        panic!("{}", found["savings_ledger"])
    };
    let advice = found["recommendation"].as_array().unwrap();
    let number = |value: &Value| value.to_string().trim_matches('"').parse::<f64>().unwrap_or_default();
    let cents = |amounts: &mut dyn Iterator<Item = f64>| format!("{:.2}", amounts.sum::<f64>());
    let proved: Vec<&Value> = advice
        .iter()
        .map(|one| &one["recommendation"]["verified_saving"])
        .filter(|one| one.is_object())
        .collect();
    let mut verdicts: Vec<&str> = proved.iter().map(|one| one["verdict"].as_str().unwrap()).collect();
    verdicts.sort_unstable();
    assert_eq!(verdicts, ["partial", "verified"]);
    assert_eq!((&ledger["verified"]["count"], &ledger["none"]["count"]), (&json!(2), &json!(0)));
    let saved = cents(&mut proved.iter().map(|one| number(&one["saved"])));
    assert_eq!(cents(&mut [number(&ledger["verified"]["amount"])].into_iter()), saved);
    let months = ledger["months"].as_array().unwrap();
    assert_eq!(months.len(), 2, "{months:?}");
    assert_eq!(cents(&mut [number(&months[1]["saved"])].into_iter()), saved, "the newest month");
    let is_open = |one: &&Value| {
        ["Open", "Assigned", "InProgress"].contains(&one["status"].as_str().unwrap())
            && one["is_dismissed"] == false
    };
    let has_saving = |one: &&Value| {
        number(&one["estimated_savings"]) > 0.0 && one["recommendation"]["currency"].is_string()
    };
    let open: Vec<&Value> = advice.iter().filter(is_open).filter(has_saving).collect();
    assert_eq!(ledger["identified"]["count"], json!(open.len()));
    let estimated = cents(&mut open.iter().map(|one| number(&one["estimated_savings"])));
    assert_eq!(cents(&mut [number(&ledger["identified"]["amount"])].into_iter()), estimated);
    assert_eq!(
        words(&found["recommendation"], "status"),
        ["Assigned", "Closed", "Dismissed", "InProgress", "Open"]
    );
}

async fn nothing_of_it_acts(there: &Client) {
    let found = data(there, "{ workflow_list_approvals(request: {}) { approvals { id plan } } }").await;
    let approval = &found["workflow_list_approvals"]["approvals"][0];
    let plan = approval["plan"].as_str().unwrap();
    assert!(plan.contains("modify-volume --volume-id shop-archive --volume-type gp3"), "{plan}");
    let id = &approval["id"];
    let query = format!(
        r#"mutation {{ workflow_answer_approval(request: {{ id: {id}, status: "approve" }}) {{ message }} }}"#
    );
    let refused = answer(there, &query).await;
    let why = refused["errors"][0]["message"].as_str().unwrap_or_default();
    assert!(why.starts_with("This is sample data:"), "{refused:#}");
}

#[tokio::test]
async fn two_who_load_at_once_share_one_sample() {
    let service = Service::start().await;
    let page = page(&service).await;
    let (first, second) = tokio::join!(page.post("/api/sample", ""), page.post("/api/sample", ""));
    assert_eq!((first.status, second.status), (202, 202));
    assert_eq!(first.json()["tenant"], second.json()["tenant"]);
    loaded(&page).await;
    let session = page.get("/api/auth/session").await.json();
    assert_eq!(session["tenants"].as_array().unwrap().len(), 2, "{session:#}");
}

#[tokio::test]
async fn only_an_administrator_of_the_first_tenant_loads_and_removes() {
    let service = Service::start().await;
    let reader = service.program("eve@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    assert_eq!(reader.get("/api/sample").await.json()["may_change"], json!(false));
    assert_eq!(reader.post("/api/sample", "").await.refusal(), (403, "forbidden".to_owned()));
    assert_eq!(reader.delete("/api/sample").await.refusal(), (403, "forbidden".to_owned()));
}

const BILL: &str = "\
BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingAccountId,BillingAccountName,\
BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeDescription,\
InvoiceIssuerName,ProviderName,PublisherName,ServiceCategory,ServiceName,SubAccountId,SubAccountName
1.25,1,1.5,1.25,USD,b-1,Main,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,2026-05-01T00:00:00Z,2026-05-02T00:00:00Z,\
Usage,Hours,AWS,AWS,AWS,Compute,EC2,a-1,Dev
";

#[tokio::test]
async fn files_never_go_into_the_tenant_of_the_sample() {
    let service = Service::start().await;
    let page = page(&service).await;
    page.post("/api/sample", "").await;
    let tenant = loaded(&page).await;
    let there = page.clone().with("Cookie", &go(&page, &tenant).await.cookie());
    let expected = charges(&there).await;
    let refused = there.post("/api/imports?name=mine.csv", BILL).await;
    assert_eq!(refused.refusal(), (409, "sample_tenant".to_owned()));
    let why = refused.json()["message"].as_str().unwrap().to_owned();
    assert!(why.contains("\"Sample data\"") && why.contains("a tenant of your own"), "{why}");
    let document = "/api/assistant/documents?account_id=x&name=Runbook&file=runbook.md";
    assert_eq!(there.post(document, "# Restart").await.refusal(), (409, "sample_tenant".to_owned()));
    assert_eq!(charges(&there).await, expected);

    let home = service.tenant().id.to_string();
    let back = there.clone().with("Cookie", &go(&there, &home).await.cookie());
    assert_eq!(back.post("/api/imports?name=mine.csv", BILL).await.status, 202);
}

#[tokio::test]
async fn what_goes_with_the_sample_is_told_before_it_goes() {
    let service = Service::start().await;
    let page = page(&service).await;
    assert_eq!(page.get("/api/sample/contents").await.status, 404);
    page.post("/api/sample", "").await;
    let tenant = loaded(&page).await;
    let contents = page.get("/api/sample/contents").await.json();
    assert_eq!(contents["rows"][0]["kind"], "charge", "{contents:#}");
    assert!(contents["rows"][0]["count"].as_i64() > Some(181 * CHARGES_A_DAY), "{contents:#}");
    assert_eq!(contents["rows"][1]["kind"], "account", "{contents:#}");
    assert_eq!(contents["imported"], json!([]));
    let there = page.clone().with("Cookie", &go(&page, &tenant).await.cookie());
    assert_eq!(there.get("/api/sample/contents").await.json(), contents);
    let stranger = service.program("eve@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    assert_eq!(stranger.get("/api/sample/contents").await.status, 404);
}
