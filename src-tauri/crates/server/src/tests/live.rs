//! Tests of subscriptions over a real WebSocket.

use super::{Service, settings};
use crate::start::start;
use catalogue::{Caller, Role};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use store::{Store, StoreError};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use uuid::Uuid;

struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    async fn open(service: &Service, path: &str, headers: &[(&'static str, &str)]) -> Self {
        let url = service.running.url().replace("http://", "ws://") + path;
        let mut request = url.into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_str(value).unwrap());
        }
        Self(connect_async(request).await.unwrap().0)
    }

    /// A connection authenticated with a bearer token.
    async fn of(service: &Service, token: &str) -> Self {
        let mut socket = Self::open(service, "/api/graphql", &[PROTOCOL]).await;
        socket.say(json!({ "type": "connection_init", "payload": { "Authorization": token } })).await;
        assert_eq!(socket.hear().await, json!({ "type": "connection_ack" }));
        socket
    }

    async fn say(&mut self, message: Value) {
        self.0.send(Message::Text(message.to_string().into())).await.unwrap();
    }

    async fn subscribe(&mut self, id: &str, query: &str) {
        self.say(json!({ "type": "subscribe", "id": id, "payload": { "query": query } })).await;
    }

    async fn hear(&mut self) -> Value {
        match self.0.next().await.unwrap().unwrap() {
            Message::Text(text) => serde_json::from_str(&text).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Waits until the service has read all messages sent so far: it reads in order.
    async fn is_heard(&mut self) {
        self.say(json!({ "type": "ping" })).await;
        assert_eq!(self.hear().await, json!({ "type": "pong" }));
    }

    /// The code of the next close message.
    async fn closed(&mut self) -> u16 {
        self.ended().await.0
    }

    /// Code and reason of the next close message.
    async fn ended(&mut self) -> (u16, String) {
        match self.0.next().await.unwrap().unwrap() {
            Message::Close(Some(frame)) => (frame.code.into(), frame.reason.to_string()),
            other => panic!("{other:?}"),
        }
    }
}

const PROTOCOL: (&str, &str) = ("Sec-WebSocket-Protocol", "graphql-transport-ws");
const KEYS: &str = "subscription { spend_tag_keys(order_by: { key: asc }) { key } }";

async fn token(service: &Service) -> String {
    let secret = service.secret_of("ada@example.com", Role::TenantAdmin, &service.tenant());
    let pair = json!({ "email": "ada@example.com", "secret": secret }).to_string();
    let answer = service.stranger().post("/api/auth/token", &pair).await;
    format!("Bearer {}", answer.json()["token"].as_str().unwrap())
}

fn write(store: &Store, tenant: Uuid, key: &str) {
    let row = [("key", key.into())];
    store
        .transaction(&Caller::system_for(tenant), |rows| rows.insert("spend_tag_keys", &row))
        .map(drop)
        .map_err(|error: StoreError| error.to_string())
        .unwrap();
}

fn keys(id: &str, keys: &[&str]) -> Value {
    let rows: Vec<Value> = keys.iter().map(|key| json!({ "key": key })).collect();
    json!({ "id": id, "type": "next", "payload": { "data": { "spend_tag_keys": rows } } })
}

#[tokio::test]
async fn an_answer_comes_first_and_another_one_after_each_change() {
    let service = Service::start().await;
    let (token, tenant) = (token(&service).await, service.tenant().id);
    let mut socket = Socket::of(&service, &token).await;
    socket.subscribe("1", KEYS).await;
    assert_eq!(socket.hear().await, keys("1", &[]));
    write(&service.store(), tenant, "team");
    assert_eq!(socket.hear().await, keys("1", &["team"]));

    // Another process.
    let catalogue = service.store().catalogue().clone();
    let other =
        Store::open(&crate::data::directory::database_in(service.data_dir.path()), catalogue).unwrap();
    write(&other, tenant, "zone");
    assert_eq!(socket.hear().await, keys("1", &["team", "zone"]));

    socket.subscribe("2", "subscription { spend_tag_keys_aggregate { aggregate { count } } }").await;
    let counted = json!({ "data": { "spend_tag_keys_aggregate": { "aggregate": { "count": 2 } } } });
    assert_eq!(socket.hear().await, json!({ "id": "2", "type": "next", "payload": counted }));
    socket.say(json!({ "type": "complete", "id": "1" })).await;
    socket.is_heard().await;
    write(&service.store(), tenant, "area");
    assert_eq!(socket.hear().await["id"], "2");
    service.stop().await;
}

#[tokio::test]
async fn rows_of_another_tenant_are_not_told() {
    let service = Service::start().await;
    let mut socket = Socket::of(&service, &token(&service).await).await;
    socket.subscribe("1", KEYS).await;
    assert_eq!(socket.hear().await, keys("1", &[]));
    let other =
        auth::tenancy::find_or_create(&service.store(), "Umbrella", crate::clock::now(), &mut rand::rng());
    write(&service.store(), other.unwrap().0.id, "secret");
    write(&service.store(), service.tenant().id, "own");
    assert_eq!(socket.hear().await, keys("1", &["own"]));
    service.stop().await;
}

#[tokio::test]
async fn queries_are_answered_once_and_errors_end_what_was_asked() {
    let service = Service::start().await;
    let mut socket = Socket::of(&service, &token(&service).await).await;
    socket.subscribe("q", "{ spend_tag_keys { key } }").await;
    assert_eq!(socket.hear().await, keys("q", &[]));
    assert_eq!(socket.hear().await, json!({ "id": "q", "type": "complete" }));
    for (query, expected) in [
        ("subscription { nothing { id } }", "field 'nothing' not found in type: 'subscription_root'"),
        ("subscription { tenant { id } imports { id } }", "subscriptions must select one top level field"),
        (
            "subscription { spend_groupings_v2 { rows { tag } } }",
            "field 'spend_groupings_v2' not found in type: 'subscription_root'",
        ),
    ] {
        socket.subscribe("e", query).await;
        let error = socket.hear().await;
        assert_eq!((&error["id"], &error["type"]), (&json!("e"), &json!("error")));
        assert_eq!(error["payload"][0]["message"], expected);
    }
    socket.say(json!({ "type": "ping" })).await;
    assert_eq!(socket.hear().await, json!({ "type": "pong" }));
    let page = service.signed_in_page().await;
    let over_http = page.post("/api/graphql", &json!({ "query": KEYS }).to_string()).await;
    assert!(over_http.body.contains("answered over WebSocket"), "{over_http:?}");
    service.stop().await;
}

#[tokio::test]
async fn what_breaks_the_protocol_closes_the_connection_with_its_code() {
    let service = Service::start().await;
    let token = token(&service).await;
    let start = async || Socket::of(&service, &token).await;

    let mut socket = start().await;
    socket.say(json!({ "type": "connection_init" })).await;
    assert_eq!(socket.closed().await, 4429);
    let mut socket = start().await;
    socket.subscribe("1", KEYS).await;
    socket.hear().await;
    socket.subscribe("1", KEYS).await;
    assert_eq!(socket.closed().await, 4409);
    let mut socket = start().await;
    socket.say(json!({ "type": "start" })).await;
    assert_eq!(socket.closed().await, 4400);

    let mut socket = Socket::open(&service, "/api/graphql", &[]).await;
    assert_eq!(socket.closed().await, 4406);
    let old = ("Sec-WebSocket-Protocol", "graphql-ws");
    let mut socket = Socket::open(&service, "/api/graphql", &[old]).await;
    let (code, reason) = socket.ended().await;
    assert_eq!(code, 4406);
    assert!(reason.contains("use graphql-transport-ws"), "{reason}");
    let mut socket = Socket::open(&service, "/api/graphql/ws", &[PROTOCOL]).await;
    socket.subscribe("1", KEYS).await;
    assert_eq!(socket.closed().await, 4401);
    for payload in
        [json!(null), json!({ "Authorization": "Bearer nonsense" }), json!({ "Authorization": "x" })]
    {
        let mut socket = Socket::open(&service, "/api/graphql", &[PROTOCOL]).await;
        socket.say(json!({ "type": "connection_init", "payload": payload })).await;
        assert_eq!(socket.closed().await, 4403);
    }
    service.stop().await;
}

/// A signed-in page with a subscription that has reported an empty list. Returns its cookie and connection.
async fn subscribed_page(service: &Service) -> (String, Socket) {
    let cookie = service.follow(&service.running.sign_in_link()).await.cookie();
    let own = service.running.url();
    let mut socket =
        Socket::open(service, "/api/graphql", &[PROTOCOL, ("Cookie", &cookie), ("Origin", &own)]).await;
    socket.say(json!({ "type": "connection_init" })).await;
    assert_eq!(socket.hear().await["type"], "connection_ack");
    socket.subscribe("1", KEYS).await;
    assert_eq!(socket.hear().await, keys("1", &[]));
    (cookie, socket)
}

#[tokio::test]
async fn a_page_subscribes_with_its_cookie_until_it_signs_out() {
    let service = Service::start().await;
    let (cookie, mut socket) = subscribed_page(&service).await;
    assert_eq!(service.page().with("Cookie", &cookie).post("/api/auth/sign-out", "").await.status, 204);
    write(&service.store(), service.tenant().id, "team");
    assert_eq!(socket.closed().await, 4403, "nothing is told to who has signed out");

    // Without Origin and Sec-Fetch-Site, the cookie is not accepted.
    let cookie = service.follow(&service.running.sign_in_link()).await.cookie();
    let mut socket = Socket::open(&service, "/api/graphql", &[PROTOCOL, ("Cookie", &cookie)]).await;
    socket.say(json!({ "type": "connection_init" })).await;
    assert_eq!(socket.closed().await, 4403);
    service.stop().await;
}

#[tokio::test]
async fn a_connection_ends_when_its_session_goes_on_in_another_tenant() {
    let service = Service::start().await;
    let rng = &mut rand::rng();
    let umbrella = auth::tenancy::find_or_create(&service.store(), "Umbrella", crate::clock::now(), rng);
    let umbrella = umbrella.unwrap().0.id;
    let (cookie, mut socket) = subscribed_page(&service).await;
    let chosen = json!({ "tenant": umbrella }).to_string();
    assert_eq!(service.page().with("Cookie", &cookie).post("/api/auth/tenant", &chosen).await.status, 200);
    write(&service.store(), service.tenant().id, "team");
    assert_eq!(socket.closed().await, 4403, "nothing of the tenant is told to who has left it");
    service.stop().await;
}

#[tokio::test]
async fn a_connection_has_no_more_subscriptions_than_the_setting_allows() {
    let data_dir = tempfile::tempdir().unwrap();
    std::fs::write(data_dir.path().join("quarterdeck.toml"), "max_subscriptions = 1").unwrap();
    let service =
        Service { running: start(settings(data_dir.path(), "127.0.0.1:0")).await.unwrap(), data_dir };
    let mut socket = Socket::of(&service, &token(&service).await).await;
    socket.subscribe("1", KEYS).await;
    socket.hear().await;
    socket.subscribe("2", KEYS).await;
    let error = socket.hear().await;
    assert_eq!(error["payload"][0]["extensions"]["code"], "limit-exceeded");
    socket.say(json!({ "type": "complete", "id": "1" })).await;
    socket.subscribe("3", KEYS).await;
    assert_eq!(socket.hear().await, keys("3", &[]));
    service.stop().await;
}

#[tokio::test]
async fn a_user_has_no_more_connections_than_the_setting_allows() {
    let data_dir = tempfile::tempdir().unwrap();
    std::fs::write(data_dir.path().join("quarterdeck.toml"), "max_connections = 2").unwrap();
    let service =
        Service { running: start(settings(data_dir.path(), "127.0.0.1:0")).await.unwrap(), data_dir };
    let token = token(&service).await;
    let _first = Socket::of(&service, &token).await;
    let mut second = Socket::of(&service, &token).await;

    let mut third = Socket::open(&service, "/api/graphql", &[PROTOCOL]).await;
    third.say(json!({ "type": "connection_init", "payload": { "Authorization": token } })).await;
    assert_eq!(
        third.ended().await,
        (1013, "Too many connections of this user: close some, or raise max_connections".to_owned())
    );

    // Another user has a separate limit.
    let link = service.follow(&service.running.sign_in_link()).await;
    let (cookie, own) = (link.cookie(), service.running.url());
    let mut page =
        Socket::open(&service, "/api/graphql", &[PROTOCOL, ("Cookie", &cookie), ("Origin", &own)]).await;
    page.say(json!({ "type": "connection_init" })).await;
    assert_eq!(page.hear().await["type"], "connection_ack");

    // After a connection has ended, another one can be opened.
    second.say(json!({ "type": "start" })).await;
    assert_eq!(second.closed().await, 4400);
    let _next = Socket::of(&service, &token).await;
    service.stop().await;
}
