//! Tests of authentication and authorisation.

use super::Service;
use catalogue::{Caller, Role};
use std::sync::Arc;
use store::{Store, StoreError, eq};

const ANY: &str = r#"{"query": "{ imports { id } }"}"#;

#[tokio::test]
async fn without_a_token_nobody_asks_anything() {
    let service = Service::start().await;
    for client in [service.stranger(), service.stranger().with("Authorization", "Bearer e30.e30.e30")] {
        let answer = client.post("/api/graphql", ANY).await;
        assert_eq!(answer.refusal(), (401, "not_authenticated".to_owned()));
        assert!(answer.json()["description"].is_string());
    }
    for path in ["/api/auth/session", "/api/imports/00000000-0000-0000-0000-000000000000"] {
        assert_eq!(service.stranger().get(path).await.status, 401, "{path}");
    }
}

#[tokio::test]
async fn a_token_pair_becomes_a_bearer_token_for_an_hour() {
    let service = Service::start().await;
    let secret = service.secret_of("ada@example.com", Role::TenantAdmin, &service.tenant());
    let pair = format!(r#"{{"email": "Ada@Example.com", "secret": "{secret}"}}"#);
    let answer = service.stranger().post("/api/auth/token", &pair).await;
    assert_eq!((answer.status, answer.json()["expiry"].as_i64()), (200, Some(3600)));
    let bearer = format!("Bearer {}", answer.json()["token"].as_str().unwrap());
    let asked = service.stranger().with("Authorization", &bearer).post("/api/graphql", ANY).await;
    assert_eq!((asked.status, asked.body.as_str()), (200, r#"{"data":{"imports":[]}}"#));
}

#[tokio::test]
async fn the_token_endpoint_refuses_in_its_own_words() {
    let service = Service::start().await;
    service.secret_of("ada@example.com", Role::TenantAdmin, &service.tenant());
    let client = service.stranger();
    let wrong_method = client.get("/api/auth/token").await;
    assert_eq!((wrong_method.status, wrong_method.json()["message"].is_string()), (405, true));
    for body in ["", "{", "[]", r#"{"email": "ada@example.com"}"#, r#"{"email": 7, "secret": "x"}"#] {
        let answer = client.post("/api/auth/token", body).await;
        assert_eq!((answer.status, answer.json()["message"].is_string()), (400, true), "{body}");
    }
    let wrong = client.post("/api/auth/token", r#"{"email": "ada@example.com", "secret": "x"}"#).await;
    assert_eq!(wrong.refusal(), (401, "wrong_credentials".to_owned()));
}

#[tokio::test]
async fn a_link_signs_a_browser_in_once() {
    let service = Service::start().await;
    let link = service.running.start_link();
    let first = service.follow(&link).await;
    assert_eq!(first.status, 200, "{first:?}");
    assert_eq!(first.json()["email"], "administrator@localhost");
    let cookie = first.header("set-cookie");
    let name = format!("quarterdeck_{}=", service.running.address.port());
    assert!(cookie.starts_with(&name), "{cookie}");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    assert_eq!(service.follow(&link).await.refusal(), (401, "link_spent".to_owned()));
}

#[tokio::test]
async fn a_page_stays_signed_in_until_it_signs_out() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let session = page.get("/api/auth/session").await;
    assert_eq!(session.json()["roles"], serde_json::json!(["tenant_admin"]));
    assert_eq!(session.json()["tenant"]["name"], "Personal workspace");
    assert_eq!(page.post("/api/graphql", ANY).await.status, 200);

    let signed_out = page.post("/api/auth/sign-out", "").await;
    assert_eq!((signed_out.status, signed_out.body.as_str()), (204, ""));
    assert!(signed_out.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(page.get("/api/auth/session").await.status, 401);
}

#[tokio::test]
async fn a_browser_signs_in_with_a_token_pair_too() {
    let service = Service::start().await;
    let secret = service.secret_of("ada@example.com", Role::TenantAdminReadonly, &service.tenant());
    let pair = format!(r#"{{"email": "ada@example.com", "secret": "{secret}"}}"#);
    let signed_in = service.page().post("/api/auth/session", &pair).await;
    assert_eq!(signed_in.json()["email"], "ada@example.com");
    let page = service.page().with("Cookie", &format!("other=1; {}", signed_in.cookie()));
    assert_eq!(page.get("/api/auth/session").await.json()["email"], "ada@example.com");
}

#[tokio::test]
async fn a_cookie_does_not_count_for_pages_of_other_sites() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    for site in ["cross-site", "same-site"] {
        let foreign = page.clone().without("Origin").with("Sec-Fetch-Site", site);
        assert_eq!(foreign.get("/api/auth/session").await.refusal(), (403, "foreign_site".to_owned()));
        assert_eq!(foreign.post("/api/auth/sign-out", "").await.status, 403);
    }
    let silent = page.clone().without("Origin").without("Sec-Fetch-Site");
    assert_eq!(silent.post("/api/graphql", ANY).await.status, 403);
    let foreign = page.with("Origin", "http://127.0.0.1:1");
    assert_eq!(foreign.post("/api/graphql", ANY).await.refusal(), (403, "foreign_origin".to_owned()));
}

#[tokio::test]
async fn a_request_for_another_host_is_misdirected() {
    let service = Service::start().await;
    let stranger = service.stranger().with("Host", "evil.example.com");
    assert_eq!(stranger.get("/api/auth/session").await.refusal(), (421, "wrong_host".to_owned()));
    // Monitoring systems address the probes by the machine's IP address.
    for probe in ["/healthz", "/readyz"] {
        assert_eq!(stranger.get(probe).await.status, 200, "{probe}");
    }
}

/// The store of another process with the same database.
fn elsewhere(service: &Service) -> Store {
    let database = service.data_dir.path().join("quarterdeck.db");
    Store::open(&database, Arc::clone(service.store().catalogue())).unwrap()
}

fn set_status(store: &Store, status: &str) {
    let set = store.transaction(&Caller::system(), |rows| {
        rows.update("users", &[eq("username", "ada@example.com")], &[("status", status.into())])
    });
    assert_eq!(set.unwrap(), 1);
}

#[tokio::test]
async fn a_suspended_user_is_out_at_once() {
    let service = Service::start().await;
    let program = service.administrator().await;
    for store in [service.store(), elsewhere(&service)] {
        // The second request uses the cache.
        for _ in 0..2 {
            assert_eq!(program.post("/api/graphql", ANY).await.status, 200);
        }
        set_status(&store, "suspended");
        assert_eq!(program.post("/api/graphql", ANY).await.refusal(), (401, "not_authenticated".to_owned()));
        assert_eq!(program.get("/api/auth/session").await.status, 401);
        set_status(&store, "active");
    }
}

#[tokio::test]
async fn a_role_taken_away_counts_no_more_at_the_next_request() {
    let service = Service::start().await;
    let program = service.administrator().await;
    let ada = service.store().snapshot(&Caller::system(), |rows| {
        rows.select("users", &["id"], &[eq("username", "ada@example.com")])
    });
    let ada: Result<_, StoreError> = ada;
    let ada = ada.unwrap()[0][0].as_uuid().unwrap();
    for store in [service.store(), elsewhere(&service)] {
        let set_role = |role: &str| {
            let set = store.transaction(&Caller::system(), |rows| {
                rows.update("user_roles", &[eq("user_id", ada)], &[("role", role.into())])
            });
            assert_eq!(set.unwrap(), 1);
        };
        for _ in 0..2 {
            assert_eq!(program.post("/api/graphql", ANY).await.body, r#"{"data":{"imports":[]}}"#);
        }
        // This role has no rights on the tenant.
        set_role("account_admin");
        let answer = program.post("/api/graphql", ANY).await.json();
        assert_eq!(answer["errors"][0]["message"], "field 'imports' not found in type: 'query_root'");
        set_role("tenant_admin");
    }
}

#[tokio::test]
async fn a_request_that_is_no_query_never_reaches_graphql() {
    let service = Service::start().await;
    let program = service.administrator().await;
    for body in ["", "{\"query\": ", "{}", r#"{"query": 7}"#] {
        let answer = program.post("/api/graphql", body).await;
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.json()["errors"][0]["message"].is_string(), "{body}");
    }
    let unknown = program.post("/api/graphql", r#"{"query": "{ nothing }"}"#).await;
    assert_eq!(unknown.status, 200);
    assert!(unknown.json()["errors"][0]["message"].is_string(), "{unknown:?}");
}

#[tokio::test]
async fn a_request_that_is_followed_through_several_services_keeps_its_marks() {
    let service = Service::start().await;
    let program = service.administrator().await.with("X-Request-ID", "abc");
    assert_eq!(program.post("/api/graphql", ANY).await.header("x-request-id"), "abc");
}

#[tokio::test]
async fn who_allows_older_rows_hears_how_old_they_may_be() {
    let service = Service::start().await;
    let program = service.administrator().await;
    assert_eq!(program.post("/api/graphql", ANY).await.header("x-data-as-of"), "");
    let mut program = program.with("X-Max-Staleness", "5");
    let answer = program.post("/api/graphql", ANY).await;
    let as_of = answer.header("x-data-as-of");
    assert!(catalogue::parse_timestamp(as_of.trim_end_matches('Z')).is_some(), "{as_of}");
    for wrong in ["", "soon", "-1", "86401"] {
        program = program.with("X-Max-Staleness", wrong);
        let refused = program.post("/api/graphql", ANY).await;
        assert_eq!(refused.status, 400, "{wrong}");
        assert!(refused.body.contains("expected seconds from 0 to 86400"), "{wrong}");
    }
}

#[tokio::test]
async fn the_data_directory_is_told_to_those_signed_in_only() {
    let service = Service::start().await;
    assert!(service.stranger().get("/api/about").await.json()["data_dir"].is_null());
    let told = service.signed_in_page().await.get("/api/about").await.json();
    assert_eq!(told["data_dir"], service.data_dir.path().display().to_string());
    assert_eq!(told["name"], "Quarterdeck");
}

#[tokio::test]
async fn behind_a_proxy_that_speaks_tls_the_cookie_is_for_tls_only() {
    let service = Service::start().await;
    let secret = service.secret_of("ada@example.com", Role::TenantAdmin, &service.tenant());
    let pair = format!(r#"{{"email": "ada@example.com", "secret": "{secret}"}}"#);
    let plain = service.page().post("/api/auth/session", &pair).await;
    assert!(!plain.header("set-cookie").contains("Secure"), "{plain:?}");
    let origin = service.running.url().replace("http://", "https://");
    let packed = service.page().with("Origin", &origin).post("/api/auth/session", &pair).await;
    assert!(packed.header("set-cookie").ends_with("; Secure"), "{packed:?}");
}

#[tokio::test]
async fn a_link_of_the_command_line_signs_in_once_too() {
    let service = Service::start().await;
    let (store, rng) = (service.store(), &mut rand::rng());
    let administrator = auth::tenancy::LOCAL_ADMINISTRATOR;
    let now = crate::clock::now();
    let code = auth::one_time_code::create(&store, &service.tenant(), administrator, now, rng).unwrap();
    let link = crate::start::listener::sign_in_link(&service.running.url(), &code);
    assert_eq!(service.follow(&link).await.status, 200);
    assert_eq!(service.follow(&link).await.refusal(), (401, "link_spent".to_owned()));
}

#[tokio::test]
async fn who_signs_out_while_the_service_stops_stays_signed_out() {
    let service = Service::start().await;
    let cookie = service.follow(&service.running.start_link()).await.cookie();
    let app = &service.running.app;
    app.access.sessions.stop();
    assert_eq!(service.page().with("Cookie", &cookie).post("/api/auth/sign-out", "").await.status, 204);
    assert_eq!(auth::session::ids_of(&app.store, app.instances.keeper).unwrap(), Vec::<uuid::Uuid>::new());
}

#[tokio::test]
async fn a_session_outlives_the_service() {
    let service = Service::start().await;
    let cookie = service.follow(&service.running.start_link()).await.cookie();
    let secret = cookie.split_once('=').unwrap().1.to_owned();
    let again = Service::start_on(service.stop().await).await;
    // The port has changed, and with it the name of the cookie.
    let cookie = format!("{}={secret}", again.running.app.access.cookie_name());
    let page = again.page().with("Cookie", &cookie);
    assert_eq!(page.get("/api/auth/session").await.json()["email"], "administrator@localhost");
}
