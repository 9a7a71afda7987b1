//! Signing in through a real identity provider, in a real browser.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Chromium;
use crate::support::client::{Answer, Client};
use crate::support::idp::Idp;
use crate::support::page::Page;
use crate::support::service::Service;

const MAPPING: &str = r#"{"developers": "tenant_admin", "viewers": "tenant_admin_readonly"}"#;

/// Reads the provider's metadata and saves what it says, with what only we know.
async fn set_up(administrator: &Client, idp: &Idp, service: &Service) {
    let read = administrator
        .post("/api/auth/saml/idp-metadata", &json!({ "xml": idp.metadata().await }))
        .await
        .json();
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

/// Begins at our address and signs in at the provider.
async fn sign_in(page: &Page, service: &Service) {
    page.open(&format!("{}/api/auth/saml/login?next=/api-explorer", service.address)).await;
    page.fill_at("input[name=username]", "mei").await;
    page.fill_at("input[name=password]", "secret\u{e007}").await;
}

/// The roles of Mei, as administrators see her sessions begin.
async fn roles(administrator: &Client) -> Value {
    let query = r#"{ users(where: {username: {_eq: "mei@example.com"}}) { user_roles(order_by: {role: asc}) { role } } }"#;
    serde_json::from_str::<Value>(&administrator.data(query).await).unwrap()["users"].clone()
}

/// Why the browser was sent back.
async fn refusal(page: &Page, service: &Service) -> Value {
    let address = page.comes_to("/sign-in?refused=").await;
    let id = address.split_once("refused=").unwrap().1.to_owned();
    service.stranger().get(&format!("/api/auth/refusals/{id}")).await.json()
}

#[tokio::test]
async fn who_signs_in_through_a_provider_is_created_found_moved_and_refused() {
    let service = Service::start();
    let idp = Idp::start(&service.address).await;
    let administrator = service.client_of("ada@example.com", "tenant_admin").await;
    set_up(&administrator, &idp, &service).await;
    let chromium = Chromium::start().await;
    let page = &chromium.page;

    // The first sign-in creates her, the second finds her.
    for _ in 0..2 {
        page.open(&service.address).await;
        page.forget().await;
        sign_in(page, &service).await;
        page.is_at("/api-explorer").await;
        let one = json!([{ "user_roles": [{ "role": "tenant_admin" }] }]);
        assert_eq!(roles(&administrator).await, one);
    }

    // Another group, another role.
    idp.give_groups(&["viewers"]);
    page.forget().await;
    sign_in(page, &service).await;
    page.is_at("/api-explorer").await;
    assert_eq!(roles(&administrator).await, json!([{ "user_roles": [{ "role": "tenant_admin_readonly" }] }]));

    // An expired certificate lets nobody in, though its signatures are right.
    idp.let_certificate_expire();
    set_up(&administrator, &idp, &service).await;
    page.forget().await;
    sign_in(page, &service).await;
    let told = refusal(page, &service).await;
    assert_eq!(told["cause"], "certificate_expired");
    assert!(told["message"].as_str().unwrap().contains("the certificate has expired"), "{told}");
    chromium.page.close().await;
}
