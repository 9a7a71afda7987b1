//! Tests of a user in several tenants: listing them, and switching.

use super::{Answer, Client, Service};
use crate::clock;
use auth::{Tenant, tenancy, user};
use catalogue::{Caller, Role};
use serde_json::{Value, json};
use store::{Store, StoreError, eq};

const KEYS: &str = r#"{"query": "{ spend_tag_keys { key } }"}"#;

/// Ada administers the home tenant and may read Umbrella. Only the local administrator is a member of Foreign.
struct OpenData {
    service: Service,
    umbrella: Tenant,
    foreign: Tenant,
    pair: String,
}

async fn house() -> OpenData {
    let service = Service::start().await;
    let (store, rng) = (service.store(), &mut rand::rng());
    let mut tenant = |name| tenancy::find_or_create(&store, name, clock::now(), rng).unwrap().0;
    let (umbrella, foreign) = (tenant("Umbrella"), tenant("Foreign"));
    for (tenant, key) in [(&service.tenant(), "team"), (&umbrella, "zone"), (&foreign, "secret")] {
        write(&store, tenant, key);
    }
    let secret = service.secret_of("ada@example.com", Role::TenantAdmin, &service.tenant());
    let reader = Role::TenantAdminReadonly;
    user::add(&store, &umbrella, "ada@example.com", None, reader, clock::now(), rng).unwrap();
    let pair = json!({ "email": "ada@example.com", "secret": secret }).to_string();
    OpenData { service, umbrella, foreign, pair }
}

fn write(store: &Store, tenant: &Tenant, key: &str) {
    let row = [("key", key.into())];
    store
        .transaction(&Caller::system_for(tenant.id), |rows| rows.insert("spend_tag_keys", &row))
        .map_err(|error: StoreError| error.to_string())
        .unwrap();
}

impl OpenData {
    /// Ada's browser, signed in to her first tenant.
    async fn page(&self) -> Client {
        let page = self.service.page().with("User-Agent", "Firefox");
        let signed_in = page.post("/api/auth/session", &self.pair).await;
        page.with("Cookie", &signed_in.cookie())
    }
}

async fn choose(page: &Client, tenant: &str) -> Answer {
    page.post("/api/auth/tenant", &json!({ "tenant": tenant }).to_string()).await
}

async fn keys(page: &Client) -> String {
    page.post("/api/graphql", KEYS).await.body
}

/// Name of each selectable tenant, and whether it is the current one.
fn offered(session: &Value) -> Vec<(&str, bool)> {
    let tenants = session["tenants"].as_array().unwrap().iter();
    tenants.map(|one| (one["name"].as_str().unwrap(), one["current"].as_bool().unwrap())).collect()
}

#[tokio::test]
async fn a_browser_goes_on_in_another_tenant_and_sees_only_that_one() {
    let house = house().await;
    let page = house.page().await;
    let session = page.get("/api/auth/session").await.json();
    assert_eq!(offered(&session), [("Personal workspace", true), ("Umbrella", false)]);
    assert_eq!(session["tenants"][1]["roles"], json!(["tenant_admin_readonly"]));
    assert_eq!(keys(&page).await, r#"{"data":{"spend_tag_keys":[{"key":"team"}]}}"#);
    let before = page.get("/api/auth/sessions").await.json();

    let chosen = choose(&page, session["tenants"][1]["id"].as_str().unwrap()).await;
    assert_eq!(chosen.status, 200, "{chosen:?}");
    assert_eq!(offered(&chosen.json()), [("Personal workspace", false), ("Umbrella", true)]);
    let there = page.clone().with("Cookie", &chosen.cookie());
    assert_eq!(keys(&there).await, r#"{"data":{"spend_tag_keys":[{"key":"zone"}]}}"#);
    for path in ["/api/auth/session", "/api/changes?past_ms=0"] {
        assert_eq!(page.get(path).await.status, 401, "{path}: the session of the other tenant has ended");
    }
    assert_eq!(page.post("/api/graphql", KEYS).await.status, 401);

    // The same sign-in, with another session.
    let after = there.get("/api/auth/sessions").await.json();
    for same in ["way", "agent", "created_at", "expires_at"] {
        assert!(before[0][same].is_string());
        assert_eq!(after[0][same], before[0][same], "{same}");
    }
    assert_ne!(after[0]["id"], before[0]["id"]);
    assert_eq!(after.as_array().unwrap().len(), 1);

    // Choosing the current tenant changes nothing.
    let same = choose(&there, &house.umbrella.id.to_string()).await;
    assert_eq!((same.status, same.header("set-cookie")), (200, ""));
    let log = house.service.signed_in_page().await.get("/api/auth/security-log?limit=20").await.body;
    assert!(log.contains("ada@example.com went on in the tenant Umbrella"), "{log}");
}

#[tokio::test]
async fn going_on_does_not_make_a_sign_in_last_longer() {
    let house = house().await;
    let page = house.page().await;
    let end = clock::now() + 90_000_000;
    let set = [("expires_at", catalogue::ValueRef::Timestamp(end))];
    let store = house.service.store();
    let shortened = store.transaction(&Caller::system(), |rows| rows.update("session", &[], &set));
    assert_eq!(shortened.unwrap(), 1);

    let chosen = choose(&page, &house.umbrella.id.to_string()).await;
    let cookie = chosen.header("set-cookie");
    let seconds = cookie.split("Max-Age=").nth(1).unwrap().split(';').next().unwrap();
    assert!(seconds.parse::<u64>().unwrap() <= 90, "{cookie}");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let ends = store.snapshot(&Caller::system(), |rows| rows.select("session", &["expires_at"], &[]));
    assert_eq!(ends.unwrap(), [[catalogue::Value::Timestamp(end)]]);
}

#[tokio::test]
async fn a_tenant_of_others_is_refused_as_one_that_does_not_exist() {
    let house = house().await;
    let page = house.page().await;
    let foreign = choose(&page, &house.foreign.id.to_string()).await;
    let unknown = choose(&page, "00000000-0000-0000-0000-000000000007").await;
    assert_eq!(foreign.refusal(), (403, "not_a_member".to_owned()));
    assert_eq!((foreign.status, &foreign.body), (unknown.status, &unknown.body));
    let words = foreign.json()["message"].as_str().unwrap().to_owned();
    assert!(words.starts_with("You do not belong to this tenant, or not any more."), "{words}");
    for body in ["", "{}", r#"{"tenant": "Umbrella"}"#, r#"{"tenant": 7}"#] {
        let answer = page.post("/api/auth/tenant", body).await;
        assert_eq!(answer.refusal(), (400, "bad_request".to_owned()), "{body}");
    }

    // The membership may have ended since the page was loaded.
    let store = house.service.store();
    let left = store.transaction(&Caller::system(), |rows| {
        rows.delete("tenant_users", &[eq("tenant", house.umbrella.id), eq("is_owner", false)])
    });
    assert_eq!(left.unwrap(), 1);
    let refused = choose(&page, &house.umbrella.id.to_string()).await;
    assert_eq!(refused.refusal(), (403, "not_a_member".to_owned()));
    let session = page.get("/api/auth/session").await.json();
    assert_eq!(offered(&session), [("Personal workspace", true)]);
}

#[tokio::test]
async fn only_a_browser_on_our_own_page_chooses() {
    let house = house().await;
    let umbrella = house.umbrella.id.to_string();
    assert_eq!(choose(&house.service.page(), &umbrella).await.status, 401);
    let page = house.page().await;
    let foreign = page.clone().without("Origin").with("Sec-Fetch-Site", "same-site");
    assert_eq!(choose(&foreign, &umbrella).await.refusal(), (403, "foreign_site".to_owned()));
    let foreign = page.clone().with("Origin", "http://127.0.0.1:1");
    assert_eq!(choose(&foreign, &umbrella).await.refusal(), (403, "foreign_origin".to_owned()));
    let silent = page.clone().without("Origin").without("Sec-Fetch-Site");
    assert_eq!(choose(&silent, &umbrella).await.refusal(), (403, "foreign_site".to_owned()));

    // An API token stays in its tenant, and a program does not learn of other tenants.
    let answer = house.service.stranger().post("/api/auth/token", &house.pair).await;
    let bearer = format!("Bearer {}", answer.json()["token"].as_str().unwrap());
    let program = house.service.stranger().with("Authorization", &bearer);
    let refused = choose(&program, &umbrella).await;
    assert_eq!(refused.refusal(), (403, "bound_to_tenant".to_owned()));
    let session = program.get("/api/auth/session").await.json();
    assert_eq!(offered(&session), [("Personal workspace", true)]);
    assert_eq!(keys(&page).await, r#"{"data":{"spend_tag_keys":[{"key":"team"}]}}"#);
}

#[tokio::test]
async fn ones_own_sessions_are_listed_and_ended_from_every_tenant() {
    let house = house().await;
    let (here, there) = (house.page().await, house.page().await);
    let chosen = choose(&there, &house.umbrella.id.to_string()).await;
    let there = there.with("Cookie", &chosen.cookie());
    let tenants = |listed: &Value| {
        let mut names: Vec<String> =
            listed.as_array().unwrap().iter().map(|one| one["tenant"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    let listed = here.get("/api/auth/sessions").await.json();
    assert_eq!(tenants(&listed), ["Personal workspace", "Umbrella"]);

    // Sessions of others are separate: an administrator sees those of the tenant, a program those of its own tenant.
    let everyone = here.get("/api/auth/sessions?of=everyone").await.json();
    assert_eq!(tenants(&everyone), ["Personal workspace"]);
    let answer = house.service.stranger().post("/api/auth/token", &house.pair).await;
    let bearer = format!("Bearer {}", answer.json()["token"].as_str().unwrap());
    let program = house.service.stranger().with("Authorization", &bearer);
    assert_eq!(tenants(&program.get("/api/auth/sessions").await.json()), ["Personal workspace"]);
    let other = listed.as_array().unwrap().iter().find(|one| one["tenant"] == "Umbrella").unwrap();
    let path = format!("/api/auth/sessions/{}", other["id"].as_str().unwrap());
    assert_eq!(program.delete(&path).await.status, 404);
    let administrator = house.service.signed_in_page().await;
    assert_eq!(administrator.delete(&path).await.status, 404, "it is no session of this tenant");

    assert_eq!(here.delete(&path).await.status, 204);
    assert_eq!(there.get("/api/auth/session").await.status, 401);
}

#[tokio::test]
async fn of_many_choices_at_once_one_counts() {
    let house = house().await;
    let page = house.page().await;
    let umbrella = house.umbrella.id.to_string();
    let answers = futures_util::future::join_all((0..6).map(|_| choose(&page, &umbrella))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 401)), "{answers:?}");
    let sessions = house.service.store().snapshot(&Caller::system(), |rows| rows.count("session", &[]));
    assert_eq!(sessions.unwrap(), 1);
}

#[tokio::test]
async fn who_signs_out_everywhere_goes_on_nowhere() {
    let house = house().await;
    let umbrella = house.umbrella.id.to_string();
    for _ in 0..8 {
        let page = house.page().await;
        let (chosen, out) =
            tokio::join!(choose(&page, &umbrella), page.post("/api/auth/sign-out-everywhere", ""));
        // Either request may have been first.
        assert!(matches!((chosen.status, out.status), (200 | 401, 204) | (200, 401)), "{chosen:?} {out:?}");
        let left = match out.status {
            204 => 0,
            _ => 1,
        };
        let store = house.service.store();
        let counted = store.snapshot(&Caller::system(), |rows| rows.count("session", &[]));
        assert_eq!(counted.unwrap(), left);
        let ended = store.transaction(&Caller::system(), |rows| rows.delete("session", &[]));
        ended.map_err(|error: StoreError| error.to_string()).unwrap();
    }
}
