//! Tests of single sign-on over HTTP without an identity provider; `tests/journeys/saml.rs` uses a real one.

use super::{Service, settings, start};
use catalogue::{Caller, Role};
use serde_json::{Value, json};

pub const ENTRY: &str = "https://sso.example.com/saml2/idp/sso";
/// A certificate that is valid for ten years from 2026; its key was discarded.
pub const CERT: &str = include_str!("sso.pem");

pub async fn configured() -> Service {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let values = json!({
        "SAML_ENABLED": "true", "SAML_ENTRY_POINT": ENTRY, "SAML_ISSUER": "https://sso.example.com/idp",
        "SAML_CERT": CERT, "SAML_AUDIENCE": service.running.url(),
    });
    let body = json!({ "values": values, "confirm": true }).to_string();
    let saved = page.send("PUT", "/api/auth/saml/settings", body.as_bytes()).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    service
}

#[tokio::test]
async fn without_settings_single_sign_on_is_not_offered_and_says_why() {
    let service = Service::start().await;
    let about = service.stranger().get("/api/about").await.json();
    assert_eq!(about["sign_in"], json!({ "token": true, "saml": false, "password": false, "desktop": true }));
    let sent = service.page().get("/api/auth/saml/login").await;
    assert_eq!(sent.status, 303);
    let id = sent.header("location").strip_prefix("/sign-in?refused=").unwrap().to_owned();
    let told = service.stranger().get(&format!("/api/auth/refusals/{id}")).await.json();
    assert_eq!(
        (told["cause"].as_str(), told["title"].as_str()),
        (Some("not_enabled"), Some("Single sign-on is not set up"))
    );
    assert!(told["message"].as_str().unwrap().starts_with("SAML not configured"));
    let health = service.stranger().get("/api/auth/saml/health").await.json();
    assert_eq!((health["enabled"].as_bool(), health["status"].as_str()), (Some(false), Some("healthy")));
}

#[tokio::test]
async fn saved_settings_count_at_once_and_are_seen_with_their_source() {
    let service = configured().await;
    assert_eq!(service.stranger().get("/api/about").await.json()["sign_in"]["saml"], true);
    let shown = service.signed_in_page().await.get("/api/auth/saml/settings").await.json();
    assert_eq!(shown["values"]["SAML_ISSUER"]["source"], "saved");
    assert_eq!(shown["values"]["SAML_SYNC_ROLES_ON_LOGIN"]["source"], "default");
    assert_eq!((shown["configured"].as_bool(), shown["missing"].as_array().unwrap().len()), (Some(true), 0));
    assert_eq!(shown["service_provider"]["acs_url"], format!("{}/api/auth/saml/acs", service.running.url()));
    assert_eq!(shown["certificates"][0]["subject"], "CN=sso.example.com");
    assert!(!shown.to_string().contains("PRIVATE"));
}

#[tokio::test]
async fn a_saved_value_overrides_the_environment_until_it_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut with_environment = settings(folder.path(), "127.0.0.1:0");
    with_environment.sign_on.given.insert("SAML_ISSUER".to_owned(), "https://environment".to_owned());
    let service = Service { running: start(with_environment).await.unwrap(), data_dir: folder };
    let page = service.signed_in_page().await;
    let issuer = |shown: &Value| {
        let value = &shown["values"]["SAML_ISSUER"];
        (value["value"].clone(), value["source"].clone(), value["overrides"].clone())
    };
    let put = async |values: Value| {
        let body = json!({ "values": values }).to_string();
        page.send("PUT", "/api/auth/saml/settings", body.as_bytes()).await.json()
    };
    let before = page.get("/api/auth/saml/settings").await.json();
    assert_eq!(issuer(&before), (json!("https://environment"), json!("environment"), json!(null)));
    let saved = put(json!({ "SAML_ISSUER": "https://saved" })).await;
    assert_eq!(issuer(&saved), (json!("https://saved"), json!("saved"), json!("environment")));
    let back = put(json!({ "SAML_ISSUER": null })).await;
    assert_eq!(issuer(&back), issuer(&before));
}

#[tokio::test]
async fn what_cannot_be_used_is_not_saved() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let put = async |values: Value| {
        let body = json!({ "values": values }).to_string();
        page.send("PUT", "/api/auth/saml/settings", body.as_bytes()).await
    };
    let wrong = put(json!({ "SAML_ENTRY_POINT": "nowhere", "SAML_CERT": "hello" })).await;
    assert_eq!(wrong.refusal(), (400, "wrong_value".to_owned()));
    let named: Vec<&str> = wrong.json()["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| match problem["setting"].as_str() {
            Some("SAML_CERT") => "certificate",
            Some("SAML_ENTRY_POINT") => "entry point",
            _ => "other",
        })
        .collect();
    assert_eq!(named, ["entry point", "certificate"]);
    assert_eq!(put(json!({ "SAML_ISSUERS": "a" })).await.refusal(), (400, "bad_request".to_owned()));
    let shown = page.get("/api/auth/saml/settings").await.json();
    assert_eq!(shown["values"]["SAML_ENTRY_POINT"]["source"], "default");
}

#[tokio::test]
async fn settings_of_the_service_are_for_administrators_of_its_tenant() {
    let service = Service::start().await;
    let reader = service.program("reader@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    for path in ["settings", "refusals", "accounts"] {
        let path = format!("/api/auth/saml/{path}");
        assert_eq!(service.stranger().get(&path).await.status, 401, "{path}");
        assert_eq!(reader.get(&path).await.refusal(), (403, "forbidden".to_owned()), "{path}");
    }
    let (store, rng) = (service.store(), &mut rand::rng());
    let (other, _) = auth::tenancy::find_or_create(&store, "Other", crate::clock::now(), rng).unwrap();
    let foreign = service.program("eve@example.com", Role::TenantAdmin, &other).await;
    assert_eq!(foreign.get("/api/auth/saml/settings").await.status, 403);
    assert_eq!(
        foreign.send("PUT", "/api/auth/local", br#"{"password": "a long enough one"}"#).await.status,
        403
    );
}

#[tokio::test]
async fn signing_in_sends_the_browser_to_the_provider_with_a_cookie_that_comes_back() {
    let service = configured().await;
    let sent = service.page().get("/api/auth/saml/login?next=/costs").await;
    assert_eq!(sent.status, 302, "{sent:?}");
    assert!(sent.header("location").starts_with(&format!("{ENTRY}?SAMLRequest=")));
    assert!(sent.header("location").ends_with("&RelayState=%2Fcosts"));
    assert!(
        sent.header("set-cookie").contains("SameSite=Lax") && sent.header("set-cookie").contains("HttpOnly")
    );
    for foreign in ["https://evil.example", "//evil.example", "/%5Cevil.example"] {
        let sent = service.page().get(&format!("/api/auth/saml/login?next={foreign}")).await;
        assert!(sent.header("location").ends_with("&RelayState=%2F"), "{sent:?}");
    }
}

#[tokio::test]
async fn what_a_page_elsewhere_posts_is_looked_at_and_refused_in_words() {
    let service = configured().await;
    let provider =
        service.stranger().with("Origin", "https://sso.example.com").with("Sec-Fetch-Site", "cross-site");
    let long = format!("SAMLResponse={}", "A".repeat(600_000));
    for (body, cause) in [
        ("", "body_missing"),
        ("SAMLResponse=a&SAMLResponse=b", "body_twice"),
        (long.as_str(), "body_too_large"),
        ("SAMLResponse=%21", "not_base64"),
        ("SAMLResponse=PGEvPg%3D%3D", "wrong_root"),
        ("SAMLResponse=PGEvPg%3D%3D&RelayState=https://evil.example", "relay_state"),
    ] {
        let answer = provider.post("/api/auth/saml/acs", body).await;
        assert_eq!((answer.status, answer.header("set-cookie")), (303, ""), "{cause}");
        let id = answer.header("location").strip_prefix("/sign-in?refused=").unwrap();
        let told = service.stranger().get(&format!("/api/auth/refusals/{id}")).await.json();
        assert_eq!(told["cause"], cause);
    }
    let listed = service.signed_in_page().await.get("/api/auth/saml/refusals").await.json();
    assert_eq!(listed.as_array().unwrap().len(), 6);
    assert_eq!(listed[0]["cause"], "relay_state");
    let posted = provider.post("/api/auth/sign-out", "").await;
    assert_eq!(posted.refusal(), (403, "foreign_origin".to_owned()));
}

#[tokio::test]
async fn a_code_nobody_was_given_begins_no_session() {
    let service = configured().await;
    let answer = service.page().get("/api/auth/saml/finish?code=guess").await;
    assert_eq!((answer.status, answer.header("set-cookie")), (303, ""));
    assert!(answer.header("location").starts_with("/sign-in?refused="));
}

#[tokio::test]
async fn the_laboratory_climbs_the_ladder_until_something_is_wrong() {
    let service = configured().await;
    let page = service.signed_in_page().await;
    let body = json!({ "response": "<samlp:Response xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" Version=\"1.1\"/>" });
    let report = page.post("/api/auth/saml/lab", &body.to_string()).await.json();
    assert_eq!(
        (report["verdict"].as_str(), report["cause"].as_str()),
        (Some("refused"), Some("wrong_version"))
    );
    let states: Vec<&str> =
        report["checks"].as_array().unwrap().iter().map(|step| step["state"].as_str().unwrap()).collect();
    assert_eq!(&states[..5], ["passed", "passed", "passed", "failed", "not_reached"]);
    assert_eq!(
        (report["checks"][3]["expected"].as_str(), report["checks"][3]["received"].as_str()),
        (Some("2.0"), Some("1.1"))
    );
}

#[tokio::test]
async fn a_test_begins_with_values_that_are_not_saved() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let incomplete = page.post("/api/auth/saml/tests", "{}").await;
    assert_eq!(incomplete.refusal(), (400, "not_configured".to_owned()));
    assert_eq!(incomplete.json()["message"], "SAML not configured");
    let values =
        json!({ "SAML_ENTRY_POINT": ENTRY, "SAML_ISSUER": "i", "SAML_CERT": CERT, "SAML_AUDIENCE": "a" });
    let begun = page.post("/api/auth/saml/tests", &json!({ "values": values }).to_string()).await.json();
    let sent = page.get(begun["start"].as_str().unwrap()).await;
    assert!(sent.header("location").starts_with(ENTRY), "{sent:?}");
    let waiting = page.get(&format!("/api/auth/saml/tests/{}", begun["id"].as_str().unwrap())).await.json();
    assert_eq!(waiting["state"], "waiting");
    assert_eq!(page.get("/api/auth/saml/settings").await.json()["configured"], false);
    assert_eq!(service.stranger().get(begun["start"].as_str().unwrap()).await.status, 401);
}

#[tokio::test]
async fn the_health_report_can_be_asked_for_any_date() {
    let service = configured().await;
    let status =
        async |at: &str| service.stranger().get(&format!("/api/auth/saml/health?at={at}")).await.json();
    assert_eq!(status("2027-01-01").await["status"], "healthy");
    let warned = status("2036-11-10").await;
    assert_eq!(
        (warned["status"].as_str(), warned["certificate"]["expiringSoon"].as_bool()),
        (Some("warning"), Some(true))
    );
    let ended = status("2037-01-01").await;
    assert_eq!(
        (ended["status"].as_str(), ended["certificate"]["expired"].as_bool()),
        (Some("error"), Some(true))
    );
    assert_eq!(service.stranger().get("/api/auth/saml/health?at=soon").await.status, 400);
}

#[tokio::test]
async fn our_metadata_names_the_address_the_provider_posts_to() {
    let service = configured().await;
    let answer = service.stranger().get("/api/auth/saml/metadata").await;
    assert_eq!(answer.header("content-type"), "application/samlmetadata+xml");
    assert!(
        answer.body.contains(&format!("Location=\"{}/api/auth/saml/acs\"", service.running.url())),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn the_local_administrator_signs_in_with_a_password_and_who_guesses_waits() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let put = async |body: &str| page.send("PUT", "/api/auth/local", body.as_bytes()).await;
    assert_eq!(put(r#"{"password": "short"}"#).await.refusal(), (400, "weak_password".to_owned()));
    assert_eq!(put(r#"{"password": "correct horse battery"}"#).await.json()["set"], true);
    let sign_in = async |password: &str| {
        let body = json!({ "email": "administrator@localhost", "password": password }).to_string();
        service.page().post("/api/auth/password", &body).await
    };
    let signed_in = sign_in("correct horse battery").await;
    assert_eq!(signed_in.json()["email"], "administrator@localhost", "{signed_in:?}");
    for _ in 0..5 {
        assert_eq!(sign_in("guess").await.refusal(), (401, "wrong_credentials".to_owned()));
    }
    let waiting = sign_in("correct horse battery").await;
    assert_eq!(waiting.refusal(), (429, "slow_down".to_owned()));
    assert!(!waiting.header("retry-after").is_empty());
    let off = put(r#"{"enabled": false}"#).await;
    assert_eq!(
        (off.status, off.json()["reasons"][0]["code"].as_str().unwrap().to_owned()),
        (409, "no_way_in".to_owned())
    );
    assert_eq!(put(r#"{"enabled": false, "confirm": true}"#).await.json()["enabled"], false);
}

#[tokio::test]
async fn wrong_api_secrets_keep_the_right_one_from_nobody() {
    let service = Service::start().await;
    let secret = service.secret_of("ada@example.com", Role::TenantAdmin, &service.tenant());
    let pair = |secret: &str| json!({ "email": "ada@example.com", "secret": secret }).to_string();
    for _ in 0..12 {
        assert_eq!(service.stranger().post("/api/auth/token", &pair("guess")).await.status, 401);
        assert_eq!(service.page().post("/api/auth/session", &pair("guess")).await.status, 401);
    }
    assert_eq!(service.stranger().post("/api/auth/token", &pair(&secret)).await.status, 200);
    assert_eq!(service.page().post("/api/auth/session", &pair(&secret)).await.status, 200);
}

#[tokio::test]
async fn sessions_are_listed_and_ended_one_by_one_or_all_at_once() {
    let service = Service::start().await;
    let (first, second) = (service.signed_in_page().await, service.signed_in_page().await);
    let listed = first.get("/api/auth/sessions").await.json();
    let of = |current: bool| {
        let found = listed.as_array().unwrap().iter().find(|session| session["current"] == current);
        found.unwrap()["id"].as_str().unwrap().to_owned()
    };
    assert_eq!((listed.as_array().unwrap().len(), listed[0]["way"].as_str()), (2, Some("link")));
    assert_eq!(first.delete(&format!("/api/auth/sessions/{}", of(false))).await.status, 204);
    assert_eq!(second.get("/api/auth/session").await.status, 401);
    assert_eq!(first.get("/api/auth/session").await.status, 200);
    let third = service.signed_in_page().await;
    assert_eq!(first.post("/api/auth/sign-out-everywhere", "").await.status, 204);
    assert_eq!(
        (first.get("/api/auth/session").await.status, third.get("/api/auth/session").await.status),
        (401, 401)
    );
}

#[tokio::test]
async fn only_administrators_see_and_end_sessions_of_others() {
    let service = Service::start().await;
    let administrator = service.signed_in_page().await;
    let reader = service.program("reader@example.com", Role::TenantAdminReadonly, &service.tenant()).await;
    assert_eq!(reader.get("/api/auth/sessions?of=everyone").await.status, 403);
    let all = administrator.get("/api/auth/sessions?of=everyone").await.json();
    assert_eq!(all[0]["user"]["email"], "administrator@localhost");
    let path = format!("/api/auth/sessions/{}", all[0]["id"].as_str().unwrap());
    assert_eq!(reader.delete(&path).await.status, 404);
}

#[tokio::test]
async fn a_cookie_this_service_did_not_sign_is_none() {
    let service = Service::start().await;
    let cookie = service.follow(&service.running.start_link()).await.cookie();
    let (unsigned, _) = cookie.split_once('.').unwrap();
    for forged in [unsigned.to_owned(), format!("{unsigned}.AAAA")] {
        let page = service.page().with("Cookie", &forged);
        assert_eq!(page.get("/api/auth/session").await.status, 401);
    }
}

#[tokio::test]
async fn a_change_of_settings_is_in_the_log_with_who_did_it() {
    let service = configured().await;
    let log = service.signed_in_page().await.get("/api/auth/security-log").await.json();
    let change = log.as_array().unwrap().iter().find(|event| event["kind"] == "settings_changed").unwrap();
    assert_eq!(change["who"], "administrator@localhost");
    assert_eq!(change["detail"]["SAML_ENTRY_POINT"]["after"], ENTRY);
    let kept = service.store().snapshot(&Caller::system(), |rows| rows.count("security_event", &[])).unwrap();
    assert!(kept >= 1);
}
