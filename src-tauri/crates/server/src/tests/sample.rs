//! Sample data: loaded into a tenant of its own, and removed again.

use super::client::Client;
use super::{Answer, Service};
use catalogue::Role;
use serde_json::json;

/// How many charges the sample has of a day's services, waste and commitment, on most days.
const CHARGES_A_DAY: i64 = 43;

const CHARGES: &str = r#"{"query": "{ spends_aggregate { aggregate { count } } }"}"#;

/// Asks until the sample data is loaded; the tenant that holds it.
pub async fn loaded(client: &Client) -> String {
    loop {
        let standing = client.get("/api/sample").await.json();
        if standing["state"] != "loading" {
            assert_eq!(standing["state"], "ready", "{standing:#}");
            return standing["tenant"].as_str().unwrap().to_owned();
        }
    }
}

async fn charges(client: &Client) -> i64 {
    let answer = client.post("/api/graphql", CHARGES).await.json();
    answer["data"]["spends_aggregate"]["aggregate"]["count"].as_i64().unwrap()
}

/// A browser of an administrator of the first tenant.
pub async fn page(service: &Service) -> Client {
    let secret = service.secret_of("ada@example.com", Role::TenantAdmin, &service.tenant());
    let pair = json!({ "email": "ada@example.com", "secret": secret }).to_string();
    let page = service.page();
    let signed_in = page.post("/api/auth/session", &pair).await;
    page.with("Cookie", &signed_in.cookie())
}

async fn go(page: &Client, tenant: &str) -> Answer {
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
    // From there it cannot be removed: the session goes home first.
    assert_eq!(there.delete("/api/sample").await.refusal(), (403, "forbidden".to_owned()));
    let home = there.get("/api/sample").await.json()["home"].as_str().unwrap().to_owned();
    assert_eq!(home, service.tenant().id.to_string());
    let back = there.clone().with("Cookie", &go(&there, &home).await.cookie());
    let removed = back.delete("/api/sample").await;
    assert_eq!(removed.status, 204, "{removed:?}");
    assert_eq!(back.get("/api/sample").await.json()["tenant"], json!(null));
    assert_eq!(go(&back, &tenant).await.status, 403);
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
