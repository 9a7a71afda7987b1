//! A WebSocket to `/api/graphql`, as opened by graphql-transport-ws clients.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderValue, header};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Timeout for a message.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

pub struct Live(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Live {
    /// Opens the socket of the service at `address` and authenticates with `token`.
    pub async fn open(address: &str, token: &str) -> Self {
        let mut live = Self::connect(address, "/api/graphql", &[]).await;
        let payload = json!({ "Authorization": format!("Bearer {token}") });
        live.say(&json!({ "type": "connection_init", "payload": payload })).await;
        live
    }

    /// Opens the socket at `path` of the service at `address` as a page with `cookie` does.
    pub async fn open_as_page(address: &str, path: &str, cookie: &str) -> Self {
        let headers = [("cookie", cookie), ("origin", address), ("sec-fetch-site", "same-origin")];
        let mut live = Self::connect(address, path, &headers).await;
        live.say(&json!({ "type": "connection_init" })).await;
        live
    }

    async fn connect(address: &str, path: &str, headers: &[(&'static str, &str)]) -> Self {
        let address = format!("{}{path}", address.replacen("http://", "ws://", 1));
        let mut request = address.into_client_request().unwrap();
        let protocol = HeaderValue::from_static("graphql-transport-ws");
        request.headers_mut().insert(header::SEC_WEBSOCKET_PROTOCOL, protocol);
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_str(value).unwrap());
        }
        Self(connect_async(request).await.unwrap().0)
    }

    pub async fn say(&mut self, message: &Value) {
        self.0.send(Message::Text(message.to_string().into())).await.unwrap();
    }

    /// The next message as text, or the code of a close.
    pub async fn hear(&mut self) -> Result<String, u16> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.0.next()).await;
            match message.expect("the service says something within 30 s").unwrap().unwrap() {
                Message::Text(text) => return Ok(text.to_string()),
                Message::Close(frame) => return Err(frame.unwrap().code.into()),
                // The library answers pings.
                _ => {}
            }
        }
    }
}
