//! Configures a service to trust an identity provider, as an administrator does.

use reqwest::Method;
use serde_json::json;

use super::client::{Answer, Client};
use super::service::Service;

const MAPPING: &str = r#"{"developers": "tenant_admin", "viewers": "tenant_admin_readonly"}"#;

/// Parses the provider's metadata and saves its values together with those of the service.
pub async fn trust(administrator: &Client, metadata: String, service: &Service) {
    let read = administrator.post("/api/auth/saml/idp-metadata", &json!({ "xml": metadata })).await.json();
    let mut values = read["values"].clone();
    for (name, value) in [
        ("SAML_ENABLED", "true"),
        ("SAML_AUDIENCE", service.address.as_str()),
        ("SAML_GROUP_MAPPING", MAPPING),
    ] {
        values[name] = value.into();
    }
    let body = json!({ "values": values, "confirm": true });
    let saved = Answer::of(
        administrator.request(Method::PUT, "/api/auth/saml/settings").json(&body).send().await.unwrap(),
    );
    assert_eq!(saved.await.json()["configured"], true);
}
