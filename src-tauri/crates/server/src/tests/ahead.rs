//! What the first page of a window needs, made ready before it asks.

use super::client::Client;
use super::{Service, host};
use crate::ahead::kept;
use auth::Person;
use catalogue::Caller;
use graphql::{Effort, Request};
use serde_json::json;
use std::time::Duration;
use store::eq;
use tokio::task::yield_now;
use tokio::time::timeout;

const SHOWN: &str = "{ cloud_accounts { account_name } }";
const NAME: &str = "{ tenant { name } }";

impl Service {
    fn keeper(&self) -> Person {
        auth::person::find(&self.store(), self.running.app.keeper, self.running.app.home).unwrap()
    }

    fn knows(&self, query: &str) -> bool {
        let request = Request { query: query.to_owned(), ..Request::default() };
        self.running.app.engine.effort(&self.keeper().caller(), &request) != Effort::Unknown
    }

    fn kept(&self) -> Option<String> {
        self.store().snapshot(&Caller::house(), kept).unwrap()
    }

    /// What a page that is opened by a link is told first.
    async fn opened_by_link(&self) -> String {
        let link = self.running.sign_in_link();
        let code = link.split_once("#code=").unwrap().1;
        let asks = json!([
            { "path": "/api/auth/link", "body": { "code": code } },
            { "path": "/api/graphql", "body": { "query": NAME } },
        ]);
        let opened = self.page().post("/api/opening", &json!({ "asks": asks }).to_string()).await;
        assert!(opened.body.contains(r#"[1,200,{"data":{"tenant":"#), "{opened:?}");
        opened.body
    }

    /// Opens a page that asks these.
    async fn open(&self, queries: &[&str]) -> Client {
        let asks = queries.iter().map(|query| json!({ "path": "/api/graphql", "body": { "query": query } }));
        let asks: Vec<_> = [json!({ "path": "/api/auth/session" })].into_iter().chain(asks).collect();
        let page = self.signed_in_page().await;
        let opened = page.post("/api/opening", &json!({ "asks": asks }).to_string()).await;
        assert_eq!(opened.status, 200, "{opened:?}");
        page
    }
}

async fn until(is_so: impl Fn() -> bool) {
    let wait = async {
        while !is_so() {
            yield_now().await;
        }
    };
    timeout(Duration::from_mins(1), wait).await.expect("it is so at last");
}

#[tokio::test]
async fn what_a_window_asked_is_at_hand_at_its_next_start() {
    let (service, _) = host::start_on(tempfile::tempdir().unwrap()).await;
    let write = r#"mutation { insert_cloud_accounts_one(object: {account_name: "fresh"}) { id } }"#;
    service.open(&[SHOWN, write, "{ nothing }", "{ __schema { queryType { name } } }"]).await;
    until(|| service.kept().is_some()).await;
    assert_eq!(service.kept().unwrap(), json!([{ "query": SHOWN }]).to_string());

    let (service, _) = host::start_on(service.stop().await).await;
    until(|| service.knows(SHOWN)).await;
    assert!(!service.knows("{ cloud_accounts { id } }"));
    // Another page is another list.
    service.open(&["{ cloud_accounts { id } }"]).await;
    until(|| !service.kept().unwrap().contains("account_name")).await;
    service.stop().await;
}

#[tokio::test]
async fn what_is_ready_is_what_is_answered_and_never_what_was_true_before() {
    let (service, _) = host::start_on(tempfile::tempdir().unwrap()).await;
    service.open(&[NAME]).await;
    until(|| service.kept().is_some()).await;
    let (service, _) = host::start_on(service.stop().await).await;
    until(|| service.knows(NAME)).await;
    assert!(!service.opened_by_link().await.contains("Plant"));

    // In the time between the start of a service and the first page of its window.
    let (service, _) = host::start_on(service.stop().await).await;
    until(|| service.knows(NAME)).await;
    let home = service.running.app.home;
    let renamed = service.store().transaction(&Caller::house(), |rows| {
        rows.update("tenant", &[eq("id", home)], &[("name", "Plant".into())])
    });
    assert_eq!(renamed.unwrap(), 1);
    assert!(service.opened_by_link().await.contains("Plant"));
    service.stop().await;
}

#[tokio::test]
async fn what_a_window_asked_goes_with_whoever_signs_out() {
    let (service, _) = host::start_on(tempfile::tempdir().unwrap()).await;
    for way in ["sign-out", "sign-out-everywhere"] {
        let page = service.open(&[SHOWN]).await;
        until(|| service.kept().is_some()).await;
        assert_eq!(page.post(&format!("/api/auth/{way}"), "").await.status, 204);
        assert_eq!(service.kept(), None, "{way}");
    }
    service.stop().await;
}

#[tokio::test]
async fn a_service_without_a_window_keeps_nothing() {
    let service = Service::start().await;
    service.open(&[SHOWN]).await;
    assert_eq!(service.kept(), None);
}
