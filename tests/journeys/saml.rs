//! Sign-in through a real identity provider, in a real browser.

use reqwest::redirect::Policy;
use serde_json::{Value, json};

use crate::support::browser::Chromium;
use crate::support::client::Client;
use crate::support::idp::Idp;
use crate::support::page::Page;
use crate::support::pysaml2::Pysaml2;
use crate::support::service::Service;
use crate::support::trust::trust;

/// Starts at our address and signs in at the provider.
async fn sign_in(page: &Page, service: &Service) {
    page.open(&format!("{}/api/auth/saml/login?next=/api-explorer", service.address)).await;
    give_password(page).await;
}

/// Fills in the provider's form.
async fn give_password(page: &Page) {
    page.fill_at("input[name=username]", "mei").await;
    page.fill_at("input[name=password]", "secret\u{e007}").await;
}

/// The roles of Mei, as seen by an administrator.
async fn roles(administrator: &Client) -> Value {
    let query = r#"{ users(where: {username: {_eq: "mei@example.com"}}) { user_roles(order_by: {role: asc}) { role } } }"#;
    serde_json::from_str::<Value>(&administrator.data(query).await).unwrap()["users"].clone()
}

/// Suspends Mei or reactivates her, as Users & roles does.
async fn set_status(administrator: &Client, status: &str) {
    let who = r#"{ users(where: {username: {_eq: "mei@example.com"}}) { id } }"#;
    let who: Value = serde_json::from_str(&administrator.data(who).await).unwrap();
    let id = who["users"][0]["id"].as_str().unwrap();
    let set =
        format!(r#"mutation {{ users_update_status(object: {{id: "{id}", status: "{status}"}}) {{ id }} }}"#);
    administrator.data(&set).await;
}

/// The refusal shown to the browser.
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
    trust(&administrator, idp.metadata().await, &service).await;
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

    // Another group gives another role.
    idp.give_groups(&["viewers"]);
    page.forget().await;
    sign_in(page, &service).await;
    page.is_at("/api-explorer").await;
    assert_eq!(roles(&administrator).await, json!([{ "user_roles": [{ "role": "tenant_admin_readonly" }] }]));

    // A suspended user sees the reason, on a page with further links.
    set_status(&administrator, "suspended").await;
    page.forget().await;
    sign_in(page, &service).await;
    page.shows("Your account is suspended").await;
    page.shows("not allowed").await;
    page.shows("Ask an administrator to reactivate you").await;
    page.picture("suspended").await;
    assert_eq!(refusal(page, &service).await["cause"], "suspended");
    set_status(&administrator, "active").await;

    // With an expired certificate nobody can sign in, although the signatures are valid.
    idp.let_certificate_expire();
    trust(&administrator, idp.metadata().await, &service).await;
    page.forget().await;
    sign_in(page, &service).await;
    page.shows("A new metadata file is enough").await;
    page.picture("certificate-expired").await;
    let told = refusal(page, &service).await;
    assert_eq!(told["cause"], "certificate_expired");
    assert!(told["message"].as_str().unwrap().contains("the certificate has expired"), "{told}");
    chromium.page.close().await;
}

#[tokio::test]
async fn an_administrator_gets_from_a_metadata_address_to_a_tested_configuration_and_looks_into_an_answer() {
    let service = Service::start_with(&[("SAML_METADATA_ALLOW_PRIVATE", "true")]);
    let idp = Idp::start(&service.address).await;
    let administrator = service.client_of("ada@example.com", "tenant_admin").await;
    let chromium = Chromium::start().await;
    let page = &chromium.page;

    // The guide contains our values.
    page.open(&service.sign_in_link).await;
    page.follow("Settings").await;
    page.press(&format!("Use {}", service.address)).await;
    page.press("Setup guide").await;
    page.choose("Identity provider", "Keycloak").await;
    page.shows("Master SAML Processing URL").await;
    page.shows(&format!("{}/api/auth/saml/acs", service.address)).await;
    page.picture("guide").await;
    page.press("Close").await;

    // Metadata from its address, which is not encrypted here.
    page.press("Metadata URL").await;
    page.fill("Metadata URL", &format!("{}/saml2/idp/metadata.php", idp.address)).await;
    page.press("Fetch").await;
    page.shows("is not encrypted").await;
    page.press("Fetch anyway").await;
    page.shows("It came without encryption").await;
    page.picture("metadata").await;
    page.press("Fill the form").await;
    page.shows("CN=idp.test").await;
    page.press("Add group").await;
    page.fill_at("input[aria-label='Group of row 1']", "developers").await;
    page.choose("Role of developers", "Administrator, tenant_admin").await;

    // A dry run through the provider, in a separate tab, with unsaved values.
    page.press_in("Test sign-in", "Test sign-in").await;
    page.go_to_tab(2).await;
    give_password(page).await;
    page.comes_to("/settings/single-sign-on?test=").await;
    page.close_tab().await;
    page.shows("mei@example.com would be signed in").await;
    page.shows("Mei Example").await;
    page.picture("test").await;
    assert_eq!(roles(&administrator).await, json!([]), "a dry run makes nobody");

    // Tested values are saved without a confirmation, and sign-in works.
    page.press("Offer single sign-on on the sign-in page").await;
    page.press("Save").await;
    page.shows("Saved the settings of single sign-on").await;

    // A response for another service, in the laboratory: refused at the first difference, with both values.
    let elsewhere = Service::start();
    let other = Pysaml2::start(&elsewhere.address).await;
    trust(&elsewhere.client().await, other.metadata().await, &elsewhere).await;
    let sent = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
    let login = sent.get(format!("{}/api/auth/saml/login", elsewhere.address)).send().await.unwrap();
    let [(_, response), _] = other.answer(login.headers()["location"].to_str().unwrap()).await;
    page.press("Assertion lab").await;
    page.paste_at("textarea", &response).await;
    page.press("Check response").await;
    page.shows("Issuer differs").await;
    page.shows(&format!("{}/idp", other.address)).await;
    page.picture("lab").await;

    // A real sign-in.
    page.forget().await;
    sign_in(page, &service).await;
    page.is_at("/api-explorer").await;
    assert_eq!(roles(&administrator).await, json!([{ "user_roles": [{ "role": "tenant_admin" }] }]));
    chromium.page.close().await;
}
