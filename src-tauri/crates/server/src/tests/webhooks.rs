//! Tests of webhook addresses, to which monitoring systems send alerts.

use super::{Answer, Client, Service};
use serde_json::{Value, json};

struct OpenData {
    service: Service,
    admin: Client,
}

impl OpenData {
    async fn new() -> Self {
        let service = Service::start().await;
        let admin = service.administrator().await;
        Self { service, admin }
    }

    async fn ask(&self, query: &str) -> Value {
        self.admin.post("/api/graphql", &json!({ "query": query }).to_string()).await.json()
    }

    /// Creates a webhook. Returns its id and token.
    async fn make(&self) -> (String, String) {
        let query = r#"mutation { webhook_create(request: { name: "Alertmanager" }) { id token } }"#;
        let answer = self.ask(query).await;
        let made = &answer["data"]["webhook_create"];
        let text = |key: &str| made[key].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (text("id"), text("token"))
    }

    async fn send(&self, token: &str, body: &str) -> Answer {
        self.service.stranger().post(&format!("/api/webhooks/{token}"), body).await
    }

    async fn events(&self) -> Value {
        let query = "{ events { title status fingerprint source } event_incoming_webhooks { event_title raw } webhook_receiver { name received } }";
        self.ask(query).await["data"].clone()
    }
}

fn alert(status: &str) -> String {
    json!({ "receiver": "q", "status": status, "alerts": [{ "status": status,
        "labels": { "alertname": "DiskFull", "node": "n1", "severity": "critical" }, "annotations": {},
        "startsAt": "2026-05-01T10:00:00Z", "endsAt": "2026-05-01T11:00:00Z", "fingerprint": "abc" }] })
    .to_string()
}

#[tokio::test]
async fn a_message_becomes_an_event_once_and_its_end_ends_it() {
    let house = OpenData::new().await;
    let (_, token) = house.make().await;
    assert_eq!(
        house.send(&token, &alert("firing")).await.json(),
        json!({ "alerts": 1, "created": 1, "updated": 0 })
    );
    assert_eq!(house.send(&token, &alert("firing")).await.json()["created"], 0);
    assert_eq!(house.send(&token, &alert("resolved")).await.json()["updated"], 1);
    let data = house.events().await;
    assert_eq!(data["events"].as_array().unwrap().len(), 1, "{data}");
    assert_eq!(data["events"][0]["status"], "RESOLVED");
    assert_eq!(data["events"][0]["source"], "prometheus_alertmanager_webhook");
    assert_eq!(data["webhook_receiver"][0]["received"], 3);
    assert_eq!(data["event_incoming_webhooks"][0]["raw"], alert("firing"));
    assert!(!data.to_string().contains(&token));
}

#[tokio::test]
async fn a_revoked_address_and_a_wrong_token_take_nothing() {
    let house = OpenData::new().await;
    let (id, token) = house.make().await;
    assert_eq!(house.send("0000", &alert("firing")).await.status, 404);
    let answer = house.send(&token, "{\"password\": \"hunter2\"}").await;
    assert_eq!(answer.status, 422);
    assert!(!answer.body.contains("hunter2"));
    house.ask(&format!("mutation {{ webhook_revoke(id: \"{id}\") {{ id }} }}")).await;
    assert_eq!(house.send(&token, &alert("firing")).await.status, 404);
    assert_eq!(house.events().await["events"].as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn a_test_alert_comes_and_ends() {
    let house = OpenData::new().await;
    let (id, _) = house.make().await;
    let answer = house.ask(&format!("mutation {{ webhook_test(id: \"{id}\") {{ created updated }} }}")).await;
    assert_eq!(answer["data"]["webhook_test"], json!({ "created": 1, "updated": 1 }), "{answer}");
}

#[tokio::test]
async fn too_many_messages_of_a_minute_are_refused() {
    let house = OpenData::new().await;
    let (_, token) = house.make().await;
    for _ in 0..600 {
        house.send(&token, "{}").await;
    }
    let answer = house.send(&token, &alert("firing")).await;
    assert_eq!(answer.status, 429, "{}", answer.body);
}

/// The page and the command line show the list that detection uses.
#[tokio::test]
async fn what_can_be_imported_is_listed() {
    let house = OpenData::new().await;
    let list = house.admin.get("/api/imports/formats").await.json();
    let ids: Vec<&str> = list.as_array().unwrap().iter().filter_map(|one| one["id"].as_str()).collect();
    for id in ["focus", "aws-compute-optimizer", "trivy", "sarif", "alerts"] {
        assert!(ids.contains(&id), "{id} lacks in {ids:?}");
    }
}
