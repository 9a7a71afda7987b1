//! Tests of using one service through another: sign-in with a browser, with the key in a real keyring and without one.

use crate::journeys::spend::restated;
use crate::support::browser::Chromium;
use crate::support::client::Answer;
use crate::support::fixture;
use crate::support::idp::Idp;
use crate::support::keyring::Bus;
use crate::support::live::Live;
use crate::support::older::{Lacks, VERSION, older};
use crate::support::service::Service;
use crate::support::trust::trust;
use fantoccini::key::Key;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

/// A browser's page at a service: its session cookie, and the headers a browser adds.
struct Browser {
    http: Client,
    address: String,
    cookie: String,
}

impl Browser {
    async fn sign_in(service: &Service) -> Self {
        // The workspace's HTTP client has no default cryptography provider; an error means that another test has set it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let code = service.sign_in_link.split_once("#code=").unwrap().1;
        let link = http
            .post(format!("{}/api/auth/link", service.address))
            .header("Origin", &service.address)
            .json(&json!({ "code": code }))
            .send()
            .await
            .unwrap();
        let cookie = link.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
        Self { http, address: service.address.clone(), cookie }
    }

    async fn send(&self, method: Method, path: &str, body: &Value) -> Answer {
        let request = self
            .http
            .request(method, format!("{}{path}", self.address))
            .header("Cookie", &self.cookie)
            .header("Origin", &self.address)
            .header("Sec-Fetch-Site", "same-origin");
        let request = if body.is_null() { request } else { request.json(body) };
        Answer::of(request.send().await.unwrap()).await
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, &body).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &Value::Null).await
    }

    /// Adds the instance and signs in there, as the two pages do together. Returns its id.
    async fn add(&self, there: &Self, keep_in: &str) -> String {
        let added = self
            .post("/api/instances", json!({ "name": "There", "colour": "blue", "address": there.address }))
            .await;
        assert_eq!(added.status, StatusCode::CREATED, "{added:#?}");
        let id = added.json()["id"].as_str().unwrap().to_owned();
        self.sign_in_to(there, &id, keep_in).await;
        id
    }

    async fn sign_in_to(&self, there: &Self, id: &str, keep_in: &str) {
        let path = format!("/api/instances/{id}/sign-in");
        let begun = self.post(&path, json!({ "mode": "browser", "keep_in": keep_in })).await;
        assert_eq!(begun.status, StatusCode::OK, "{begun:#?}");
        let begun = begun.json();
        // The browser follows the redirect of the instance to its page, which requests and receives consent.
        let address = begun["address"].as_str().unwrap();
        let sent_on = self.http.get(address).send().await.unwrap();
        let page = sent_on.headers()["location"].to_str().unwrap().to_owned();
        let request = page.strip_prefix("/device?").unwrap();
        let asked = there.get(&format!("/api/auth/desktop/consent?{request}")).await.json();
        assert_eq!(asked["mark"], begun["mark"]);
        let allowed = there
            .post("/api/auth/desktop/consent", json!({ "request": request, "allow": true }))
            .await
            .json();
        let shown =
            self.http.get(allowed["redirect"].as_str().unwrap()).send().await.unwrap().text().await.unwrap();
        assert!(shown.contains("<h1>Signed in</h1>"), "{shown}");
    }

    async fn ask(&self, id: &str, query: &str) -> Answer {
        self.post(&format!("/instances/{id}/api/graphql"), json!({ "query": query })).await
    }
}

const WHO: &str = "{ users { username } }";

#[tokio::test]
async fn another_service_is_asked_through_this_one_until_it_revokes_the_device() {
    let (here, there) = (Service::start(), Service::start());
    let (here_page, there_page) = (Browser::sign_in(&here).await, Browser::sign_in(&there).await);
    let id = here_page.add(&there_page, "run").await;
    let answered = here_page.ask(&id, WHO).await;
    assert_eq!(answered.body, r#"{"data":{"users":[{"username":"administrator@localhost"}]}}"#);

    // A user who is only signed in there, or another user here, is refused.
    let program = here.client_of("ada@example.com", "tenant_admin").await;
    let refused = program.post(&format!("/instances/{id}/api/graphql"), &json!({ "query": WHO })).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let stranger =
        here.stranger().post(&format!("/instances/{id}/api/graphql"), &json!({ "query": WHO })).await;
    assert_eq!(stranger.status, StatusCode::UNAUTHORIZED);
    let knocking = here_page.post(&format!("/instances/{id}/api/auth/desktop/token"), json!({})).await;
    assert_eq!(knocking.json()["error"], "not_relayed");

    let devices = there_page.get("/api/auth/devices").await.json();
    let device = devices[0]["id"].as_str().unwrap();
    there_page.send(Method::DELETE, &format!("/api/auth/devices/{device}"), &Value::Null).await;
    let out = here_page.ask(&id, WHO).await;
    assert_eq!(out.json()["error"], "instance_signed_out", "{out:#?}");
}

#[tokio::test]
async fn a_key_in_the_keyring_outlives_the_program_and_is_in_no_file() {
    let bus = Bus::with_keyring();
    let environment = [("DBUS_SESSION_BUS_ADDRESS", bus.address.as_str())];
    let here = Service::start_in(tempfile::tempdir().unwrap(), &environment);
    let there = Service::start();
    let (here_page, there_page) = (Browser::sign_in(&here).await, Browser::sign_in(&there).await);
    let works = here_page.get("/api/instances/keyring").await.json();
    assert_eq!(works["works"], true, "{works}");
    let id = here_page.add(&there_page, "keyring").await;

    let here = Service::start_in(here.stop(), &environment);
    let here_page = Browser::sign_in(&here).await;
    assert_eq!(here_page.ask(&id, WHO).await.status, StatusCode::OK);
    assert!(!here.data_dir().join("instance-keys.sealed").exists());

    // After sign-out the key is removed from the keyring too.
    here_page.post(&format!("/api/instances/{id}/sign-out"), json!({})).await;
    assert_eq!(here_page.ask(&id, WHO).await.json()["error"], "instance_signed_out");
}

#[tokio::test]
async fn without_a_keyring_a_person_chooses_a_passphrase_or_this_run() {
    let bus = Bus::empty();
    let environment = [("DBUS_SESSION_BUS_ADDRESS", bus.address.as_str())];
    let here = Service::start_in(tempfile::tempdir().unwrap(), &environment);
    let there = Service::start();
    let (here_page, there_page) = (Browser::sign_in(&here).await, Browser::sign_in(&there).await);
    let probed = here_page.get("/api/instances/keyring").await.json();
    assert_eq!(probed["works"], false);
    assert!(probed["why"].as_str().unwrap().contains("passphrase, or for this run only"), "{probed}");

    let unlocked = here_page.post("/api/instances/unlock", json!({ "passphrase": "of a test, long" })).await;
    assert_eq!(unlocked.json()["file"], "open");
    let id = here_page.add(&there_page, "file").await;
    let here = Service::start_in(here.stop(), &environment);
    let here_page = Browser::sign_in(&here).await;
    assert_eq!(here_page.ask(&id, WHO).await.json()["error"], "instance_locked");
    let wrong = here_page.post("/api/instances/unlock", json!({ "passphrase": "another, as long" })).await;
    assert_eq!(wrong.json()["error"], "wrong_passphrase");
    here_page.post("/api/instances/unlock", json!({ "passphrase": "of a test, long" })).await;
    assert_eq!(here_page.ask(&id, WHO).await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_way_to_the_consent_leads_through_single_sign_on_and_comes_back() {
    let (here, there) = (Service::start(), Service::start());
    let idp = Idp::start(&there.address).await;
    trust(&there.client().await, idp.metadata().await, &there).await;
    let here_page = Browser::sign_in(&here).await;
    let added = json!({ "name": "There", "colour": "blue", "address": there.address });
    let id = here_page.post("/api/instances", added).await.json()["id"].as_str().unwrap().to_owned();
    let path = format!("/api/instances/{id}/sign-in");
    let begun = here_page.post(&path, json!({ "mode": "browser", "keep_in": "run" })).await.json();

    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(begun["address"].as_str().unwrap()).await;
    page.follow("Continue with single sign-on").await;
    page.fill_at("input[name=username]", "mei").await;
    page.fill_at("input[name=password]", "secret\u{e007}").await;
    page.shows("Allow this desktop to sign in?").await;
    page.shows("mei@example.com").await;
    page.shows(begun["mark"].as_str().unwrap()).await;
    page.press("Allow sign-in").await;
    page.shows("Quarterdeck on this computer is signed in to There").await;
    chromium.page.close().await;

    let session = here_page.get(&format!("/instances/{id}/api/auth/session")).await.json();
    assert_eq!(session["email"], "mei@example.com");
}

const TOTAL: &str = "subscription { spends_aggregate { aggregate { count sum { amount } } } }";

fn total(count: u32, amount: &str) -> String {
    format!(
        r#"{{"id":"total","type":"next","payload":{{"data":{{"spends_aggregate":{{"aggregate":{{"count":{count},"sum":{{"amount":{amount}}}}}}}}}}}}}"#
    )
}

#[tokio::test]
async fn a_subscription_hears_of_the_instance_it_was_opened_to_until_that_revokes_the_device() {
    let (here, there) = (Service::start(), Service::start());
    let (here_page, there_page) = (Browser::sign_in(&here).await, Browser::sign_in(&there).await);
    let id = here_page.add(&there_page, "run").await;
    // An import here does not trigger a message of the other instance.
    here.import(&[fixture("september.csv")]);

    let path = format!("/instances/{id}/api/graphql/ws");
    let mut live = Live::open_as_page(&here.address, &path, &here_page.cookie).await;
    assert_eq!(live.hear().await, Ok(r#"{"type":"connection_ack"}"#.to_owned()));
    live.say(&json!({ "id": "total", "type": "subscribe", "payload": { "query": TOTAL } })).await;
    assert_eq!(live.hear().await, Ok(total(0, "null")));
    there.import(&[fixture("september.csv")]);
    assert_eq!(live.hear().await, Ok(total(12, "32.88045820136")));

    let devices = there_page.get("/api/auth/devices").await.json();
    let device = format!("/api/auth/devices/{}", devices[0]["id"].as_str().unwrap());
    there_page.send(Method::DELETE, &device, &Value::Null).await;
    let administrator = there.client().await;
    administrator.data("mutation { delete_spends(where: {}) { affected_rows } }").await;
    assert_eq!(live.hear().await, Err(4403));
}

#[tokio::test]
async fn what_an_older_instance_lacks_is_off_with_the_reason_and_the_rest_works() {
    let (here, there) = (Service::start(), Service::start());
    there.import(&[fixture("september.csv")]);
    let lacks = Lacks { fields: &["recommendation", "users_create_token"], areas: &["backups"] };
    let older = older(&there, lacks).await;
    let (here_page, there_page) = (Browser::sign_in(&here).await, Browser::sign_in(&there).await);
    let there_page = Browser { address: older, ..there_page };
    let id = here_page.add(&there_page, "run").await;

    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&here.address).await;
    page.keep_cookie(&here_page.cookie).await;
    let at = |path: &str| format!("{}/i/{id}{path}", here.address);
    page.open(&at("/overview")).await;
    page.shows("$32.88").await;
    let reason = format!("There runs version {VERSION}, which does not have this (recommendation).");
    page.shows(&reason).await;
    page.picture("older-rail").await;
    page.open(&at("/recommendations")).await;
    page.shows("Recommendations is not available on There").await;
    page.picture("older-page").await;
    page.open(&at("/settings/backup")).await;
    page.shows("which does not have this (backups).").await;
    page.shows("Backup & restore is not available on There").await;
    // An existing page with one unsupported action.
    page.open(&at("/settings/api-tokens")).await;
    page.shows("No tokens yet").await;
    let off = "for (;;) {
            const button = [...document.querySelectorAll('button')].find((one) => one.innerText === 'Create token');
            if (button.disabled) return button.title;
            await new Promise((done) => setTimeout(done, 50));
        }";
    let told = page.ask(off).await;
    assert!(told.as_str().is_some_and(|told| told.contains("(users_create_token)")), "{told}");
    // On this instance everything is supported.
    page.open(&format!("{}/recommendations", here.address)).await;
    page.shows_no_more("which does not have this").await;
    chromium.page.close().await;
}

#[tokio::test]
async fn two_instances_stand_side_by_side_with_what_one_of_them_lacks_and_while_it_is_away() {
    let (here, there) = (Service::start(), Service::start());
    here.import(&[fixture("september.csv")]);
    there.import(&[fixture("september.csv")]);
    there.import(&[restated(there.data_dir())]);
    let older = older(&there, Lacks { fields: &["spend_budgets"], areas: &[] }).await;
    let (here_page, there_page) = (Browser::sign_in(&here).await, Browser::sign_in(&there).await);
    let id = here_page.add(&Browser { address: older, ..there_page }, "run").await;

    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&here.address).await;
    page.keep_cookie(&here_page.cookie).await;
    page.open(&format!("{}/settings/instances", here.address)).await;
    page.follow("Compare").await;
    page.is_at("/settings/instances/compare").await;
    let row = |table: &str, label: &str| {
        format!(
            "[...document.querySelectorAll('table[aria-label=\"{table}\"] tbody tr')]
                .filter((one) => one.cells[0].innerText.startsWith('{label}'))
                .map((one) => [...one.cells].slice(1).map((cell) => cell.innerText.trim()).join(' | ')).join()"
        )
    };
    let reads = async |table: &str, label: &str, expected: &str| {
        page.holds(&format!("return {} === {};", row(table, label), json!(expected))).await;
    };
    reads("Costs by month", "September", "$32.88 | $132.88 | +$100.00").await;
    reads("Accounts", "Accounts", "3 | 3 | Same").await;
    reads("Access", "Tenant", "Personal workspace | Personal workspace | Same").await;
    // What the older version does not support is reported as such, not as zero.
    reads("Version", "Product", &format!("{} | {VERSION} | Different", env!("CARGO_PKG_VERSION"))).await;
    page.shows("Not reported by its version").await;
    let lacks = format!("Not in version {VERSION}, or not for your role");
    reads("Budgets", "Over", &format!("0 | {lacks} | Not comparable")).await;
    page.shows(&format!("There runs version {VERSION}. That version or your role there does not show this"))
        .await;
    page.picture("compare").await;

    // By keyboard: swaps the instances and hides equal rows; both are stored in the URL.
    page.run("document.querySelector('[aria-label=\"Swap the two instances\"]').focus()").await;
    page.type_keys([Key::Enter.into()]).await;
    reads("Costs by month", "September", "$132.88 | $32.88 | −$100.00").await;
    page.run("[...document.querySelectorAll('#main button')].find((one) => one.innerText === 'Differences').focus()")
        .await;
    page.type_keys([Key::Enter.into()]).await;
    let address = page.comes_to("only=differences").await;
    assert!(address.contains(&format!("a={id}")) && address.contains("b=here"), "{address}");
    reads("Accounts", "Accounts", "").await;
    page.open(&address).await;
    reads("Costs by month", "September", "$132.88 | $32.88 | −$100.00").await;

    // The page contains no key of the other instance.
    let kept = page
        .ask("return JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.documentElement.outerHTML;")
        .await;
    assert!(!kept.to_string().contains("eyJ") && !kept.to_string().contains("Bearer"), "{kept}");

    // The page fits a narrow window, in both themes.
    chromium.show_in(390, 844).await;
    for theme in ["light", "dark"] {
        page.run(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
        page.holds("return document.documentElement.scrollWidth <= 390;").await;
        page.picture(&format!("compare-narrow-{theme}")).await;
    }
    chromium.show_in(1100, 800).await;

    // Unreachable: shows the cached figures with their time. Signed out: shows none.
    let data = there.stop();
    page.open(&address).await;
    page.shows("Not reachable").await;
    page.shows("The figures are a copy of").await;
    reads("Costs by month", "September", "$132.88 | $32.88 | −$100.00").await;
    // No message about the primary instance, which is this computer.
    assert!(!page.text().await.contains("cannot be reached"));
    drop(data);
    here_page.send(Method::POST, &format!("/api/instances/{id}/sign-out"), &Value::Null).await;
    page.open(&address).await;
    page.shows("Sign in under Instances").await;
    reads("Costs by month", "September", "Not signed in | $32.88 | Not comparable").await;
    chromium.page.close().await;
}
