//! Tests sign-in through a second identity provider, pysaml2, over HTTP only: it uses other namespaces and equivalent formats.

use std::collections::BTreeMap;

use reqwest::header::{COOKIE, HeaderMap, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Method, StatusCode, Url};
use serde_json::{Value, json};

use crate::support::pysaml2::Pysaml2;
use crate::support::service::Service;
use crate::support::trust::trust;

/// A browser without pages: stores cookies and follows redirects.
struct Browser<'a> {
    service: &'a Service,
    http: reqwest::Client,
    cookies: BTreeMap<String, String>,
}

impl<'a> Browser<'a> {
    fn new(service: &'a Service) -> Self {
        let http = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
        Self { service, http, cookies: BTreeMap::new() }
    }

    /// Status, headers and body of `path` of the service.
    async fn get(&mut self, path: &str) -> (StatusCode, HeaderMap, String) {
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request =
            self.http.get(format!("{}{path}", self.service.address)).header(COOKIE, cookies.join("; "));
        let answer = request.send().await.unwrap();
        let (status, headers) = (answer.status(), answer.headers().clone());
        for cookie in headers.get_all(SET_COOKIE) {
            let (pair, _) = cookie.to_str().unwrap().split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        (status, headers, answer.text().await.unwrap())
    }

    /// Posts the provider's form as its page does: from another site, without cookies. Returns the redirect address.
    async fn post_answer(&self, fields: &[(String, String)], provider: &str) -> String {
        let form = Url::parse_with_params("http://form/", fields).unwrap();
        let answer = self
            .http
            .post(format!("{}/api/auth/saml/acs", self.service.address))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Origin", provider)
            .header("Sec-Fetch-Site", "cross-site")
            .body(form.query().unwrap().to_owned())
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        answer.headers()[LOCATION].to_str().unwrap().to_owned()
    }

    /// Starts a sign-in and returns the redirect address: the provider's, with the request.
    async fn request(&mut self) -> String {
        let (status, headers, _) = self.get("/api/auth/saml/login?next=/costs").await;
        assert_eq!(status, StatusCode::FOUND);
        headers[LOCATION].to_str().unwrap().to_owned()
    }

    /// Sends the request to the provider and returns its response.
    async fn ask(&mut self, idp: &Pysaml2) -> [(String, String); 2] {
        let request = self.request().await;
        idp.answer(&request).await
    }

    /// Signs in and returns the session, or the refusal.
    async fn sign_in(&mut self, idp: &Pysaml2) -> Result<Value, Value> {
        let answer = self.ask(idp).await;
        let next = self.post_answer(&answer, &idp.address).await;
        if let Some((_, id)) = next.split_once("refused=") {
            return Err(self.service.stranger().get(&format!("/api/auth/refusals/{id}")).await.json());
        }
        let (status, headers, _) = self.get(&next).await;
        assert_eq!((status, &headers[LOCATION]), (StatusCode::SEE_OTHER, &"/costs".parse().unwrap()));
        let (status, _, session) = self.get("/api/auth/session").await;
        assert_eq!(status, StatusCode::OK);
        Ok(serde_json::from_str(&session).unwrap())
    }
}

#[tokio::test]
async fn a_second_provider_signs_in_whatever_of_its_answer_it_signs() {
    let service = Service::start();
    let idp = Pysaml2::start(&service.address).await;
    let administrator = service.client().await;
    trust(&administrator, idp.metadata().await, &service).await;

    // The first sign-in creates the user, the next ones find her.
    for signs in ["both", "assertion", "response"] {
        idp.sign(signs);
        let session = Browser::new(&service).sign_in(&idp).await.unwrap();
        assert_eq!(
            [&session["email"], &session["name"], &session["roles"]],
            [&json!("mei@example.com"), &json!("Mei Example"), &json!(["tenant_admin"])],
            "{signs}: {session}"
        );
        let one =
            r#"{ users_aggregate(where: {username: {_eq: "mei@example.com"}}) { aggregate { count } } }"#;
        assert_eq!(administrator.data(one).await, r#"{"users_aggregate":{"aggregate":{"count":1}}}"#);
    }

    // Another group gives another role; without a mapped group, the user has none.
    idp.give_groups(&["viewers", "others"]);
    let session = Browser::new(&service).sign_in(&idp).await.unwrap();
    assert_eq!(session["roles"], json!(["tenant_admin_readonly"]));

    // An unsigned response is refused, as is a response that is used twice or in another browser.
    idp.sign("nothing");
    assert_eq!(Browser::new(&service).sign_in(&idp).await.unwrap_err()["cause"], "unsigned");
    idp.sign("both");
    let mut browser = Browser::new(&service);
    let answer = browser.ask(&idp).await;
    let first = browser.post_answer(&answer, &idp.address).await;
    let second = browser.post_answer(&answer, &idp.address).await;
    assert!(first.starts_with("/api/auth/saml/finish?code=") && second.starts_with("/sign-in?refused="));
    let (_, headers, _) = Browser::new(&service).get(&first).await;
    assert!(headers[LOCATION].to_str().unwrap().starts_with("/sign-in?refused="));
    let listed = administrator.get("/api/auth/saml/refusals").await.json();
    let causes: Vec<&str> =
        listed.as_array().unwrap().iter().map(|refusal| refusal["cause"].as_str().unwrap()).collect();
    assert_eq!(causes, ["other_browser", "replayed", "unsigned"]);
}

#[tokio::test]
async fn a_provider_that_wants_signed_requests_checks_ours_with_the_key_of_our_metadata() {
    let service = Service::start();
    let idp = Pysaml2::start(&service.address).await;
    let administrator = service.client().await;
    trust(&administrator, idp.metadata().await, &service).await;
    let unsigned = Browser::new(&service).request().await;

    let body = json!({ "values": { "SAML_SIGN_REQUESTS": "true" }, "confirm": true });
    let saved = administrator.request(Method::PUT, "/api/auth/saml/settings").json(&body).send().await;
    assert_eq!(saved.unwrap().status(), StatusCode::OK);
    let metadata = service.stranger().get("/api/auth/saml/metadata").await.body;
    idp.want_signed_requests(&metadata);
    assert_eq!(idp.status(&unsigned).await, 403, "the check of the provider is on");

    let session = Browser::new(&service).sign_in(&idp).await.unwrap();
    assert_eq!(session["email"], "mei@example.com");

    // Changes one character of the signed state.
    let signed = Browser::new(&service).request().await;
    assert_eq!(idp.status(&signed).await, 200);
    let other = signed.replace("RelayState=", "RelayState=x");
    assert_ne!(other, signed);
    assert_eq!(idp.status(&other).await, 403);
}
