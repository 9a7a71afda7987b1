//! Tests of the contract of single sign-on, sentence by sentence, as far as possible over HTTP without a provider.
//!
//! Tests of a provider's response (users found, linked, created and refused; groups and roles; sixty seconds) are in `auth/src/saml/tests/` and
//! `tests/journeys/saml.rs`.

use super::saml::{CERT, ENTRY, configured};
use super::{Service, settings, start};
use auth::saml::Cause;
use serde_json::{Value, json};

/// "SAML configuration settings" and "Provisioning settings": every name, whether sign-in requires it, and its default.
const SETTINGS: [(&str, bool, Option<&str>); 12] = [
    ("SAML_ENABLED", false, Some("false")),
    ("SAML_ENTRY_POINT", true, None),
    ("SAML_ISSUER", true, None),
    ("SAML_CERT", true, None),
    ("SAML_AUDIENCE", true, None),
    ("APPAUTH_URL", false, None),
    ("SAML_GROUP_MAPPING", false, Some("{}")),
    ("SAML_SYNC_ROLES_ON_LOGIN", false, Some("true")),
    ("SAML_REMOVE_OLD_ROLES", false, Some("true")),
    ("SAML_INCLUDE_UNMAPPED_GROUPS", false, Some("false")),
    ("AUTH_DEFAULT_ROLE", false, Some("tenant_admin_readonly")),
    // Not in the contract.
    ("SAML_SIGN_REQUESTS", false, Some("false")),
];

async fn shown(service: &Service) -> Value {
    service.signed_in_page().await.get("/api/auth/saml/settings").await.json()
}

async fn put(service: &Service, values: Value) -> Value {
    let body = json!({ "values": values, "confirm": true }).to_string();
    let answer = service.signed_in_page().await.send("PUT", "/api/auth/saml/settings", body.as_bytes()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

#[tokio::test]
async fn every_setting_has_the_name_and_the_default_of_the_contract() {
    let shown = shown(&Service::start().await).await;
    let values = shown["values"].as_object().unwrap();
    for (name, is_required, default) in SETTINGS {
        let value = &values[name];
        assert_eq!(value["required"], is_required, "{name}");
        assert_eq!((value["default"].as_str(), value["value"].as_str()), (default, default), "{name}");
        assert_eq!(value["source"], "default", "{name}");
    }
    assert_eq!(values.len(), SETTINGS.len());
}

#[tokio::test]
async fn every_setting_of_the_environment_counts() {
    let folder = tempfile::tempdir().unwrap();
    let mut given = settings(folder.path(), "127.0.0.1:0");
    for (name, value) in [
        ("SAML_ENABLED", "true"),
        ("SAML_ENTRY_POINT", ENTRY),
        ("SAML_ISSUER", "https://sso.example.com/idp"),
        ("SAML_CERT", CERT),
        ("SAML_AUDIENCE", "https://costs.example.com"),
        ("APPAUTH_URL", "https://costs.example.com"),
        ("SAML_GROUP_MAPPING", r#"{"developers": "tenant_admin", "viewers": "tenant_admin_readonly"}"#),
        ("SAML_SYNC_ROLES_ON_LOGIN", "false"),
        ("SAML_REMOVE_OLD_ROLES", "false"),
        ("SAML_INCLUDE_UNMAPPED_GROUPS", "true"),
        ("AUTH_DEFAULT_ROLE", "tenant_admin"),
        ("SAML_SIGN_REQUESTS", "true"),
    ] {
        given.sign_on.given.insert(name.to_owned(), value.to_owned());
    }
    let service = Service { running: start(given).await.unwrap(), data_dir: folder };
    let shown = shown(&service).await;
    for (name, ..) in SETTINGS {
        let value = &shown["values"][name];
        assert_eq!((&value["source"], &value["problem"]), (&json!("environment"), &Value::Null), "{name}");
    }
    assert_eq!((&shown["enabled"], &shown["configured"]), (&json!(true), &json!(true)));
    // "Service-provider values to register at the IdP"
    assert_eq!(
        shown["service_provider"],
        json!({
            "acs_url": "https://costs.example.com/api/auth/saml/acs",
            "entity_id": "https://costs.example.com",
            "sign_on_url": "https://costs.example.com/api/auth/saml/login",
            "name_id_format": "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
            "metadata_url": "/api/auth/saml/metadata",
        })
    );
}

#[tokio::test]
async fn a_certificate_is_taken_with_and_without_its_pem_lines() {
    let service = configured().await;
    let bare: String = CERT.lines().filter(|line| !line.starts_with("-----")).collect();
    for text in [CERT.to_owned(), bare.clone(), format!("  {bare}\n")] {
        let shown = put(&service, json!({ "SAML_CERT": text })).await;
        assert_eq!(shown["certificates"][0]["subject"], "CN=sso.example.com");
    }
}

#[tokio::test]
async fn only_true_shows_the_button() {
    let service = configured().await;
    for (value, is_shown) in [("true", true), ("false", false), ("", false)] {
        put(&service, json!({ "SAML_ENABLED": value })).await;
        assert_eq!(
            service.stranger().get("/api/about").await.json()["sign_in"]["saml"],
            is_shown,
            "{value:?}"
        );
    }
}

#[tokio::test]
async fn the_three_addresses_answer_to_their_methods_alone() {
    let service = configured().await;
    let login = service.page().get("/api/auth/saml/login").await;
    assert_eq!(login.status, 302);
    assert!(login.header("location").starts_with(&format!("{ENTRY}?SAMLRequest=")));
    for (method, path) in
        [("POST", "/api/auth/saml/login"), ("GET", "/api/auth/saml/acs"), ("POST", "/api/auth/saml/health")]
    {
        assert_eq!(service.page().send(method, path, b"").await.status, 405, "{method} {path}");
    }
    assert_eq!(service.stranger().get("/api/auth/saml/health").await.status, 200, "without signing in");
}

#[tokio::test]
async fn the_health_report_has_the_fields_of_the_contract_and_is_worked_out_anew() {
    let service = configured().await;
    let report = async || service.stranger().get("/api/auth/saml/health?at=2027-01-01").await.json();
    let healthy = report().await;
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let sorted = |names: &[&str]| {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        names.sort();
        names
    };
    let mut found = names(&healthy);
    found.sort();
    assert_eq!(found, sorted(&["enabled", "status", "certificate", "config", "messages"]));
    let mut found = names(&healthy["certificate"]);
    found.sort();
    assert_eq!(found, sorted(&["expired", "expiringSoon", "expiresAt", "daysUntilExpiry"]));
    assert_eq!((&healthy["enabled"], &healthy["status"]), (&json!(true), &json!("healthy")));
    assert_eq!(healthy["messages"], json!([]), "nothing to report");
    assert!(healthy["certificate"]["daysUntilExpiry"].is_i64());
    assert_eq!(
        healthy["config"],
        json!({
            "entryPoint": ENTRY,
            "issuer": "https://sso.example.com/idp",
            "callbackUrl": format!("{}/api/auth/saml/acs", service.running.url()),
        })
    );
    put(&service, json!({ "SAML_ISSUER": "" })).await;
    let without = report().await;
    assert_eq!(without["status"], "error");
    assert!(without["messages"][0].as_str().unwrap().starts_with("SAML not configured"), "{without}");
}

#[test]
fn the_messages_are_those_of_the_contract() {
    assert_eq!(Cause::NotConfigured.message(), "SAML not configured");
    assert_eq!(Cause::SessionDataExpired.message(), "Invalid session data");
    assert!(Cause::Suspended.message().contains("not allowed"));
    for name in ["SAML_ENTRY_POINT", "SAML_ISSUER", "SAML_CERT", "SAML_AUDIENCE"] {
        assert!(Cause::NotConfigured.remedy().contains(name), "{name}");
    }
    assert!(Cause::SignatureWrong.remedy().contains("SAML_CERT"));
    assert!(Cause::CertificateExpired.remedy().contains("SAML_CERT"));
}
