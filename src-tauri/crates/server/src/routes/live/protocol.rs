//! Messages of graphql-transport-ws.

use ::graphql::{Limits, Request};
use axum::extract::ws::Message;
use serde::Deserialize;
use serde_json::{Value, json};

/// The name of the subprotocol.
pub const NAME: &str = "graphql-transport-ws";
/// Its predecessor (of subscriptions-transport-ws), which is not supported; a client that requests it gets an error that says which one to use.
pub const OLD_NAME: &str = "graphql-ws";
pub const ACKNOWLEDGEMENT: &str = r#"{"type":"connection_ack"}"#;
pub const PING: &str = r#"{"type":"ping"}"#;
pub const PONG: &str = r#"{"type":"pong"}"#;

/// The reason for closing a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Close {
    pub code: u16,
    pub reason: &'static str,
}

impl Close {
    /// The client closed the connection.
    pub const GONE: Self = Self { code: 1000, reason: "" };
    pub const STOPPING: Self = Self { code: 1001, reason: "The service stops" };
    pub const INVALID: Self = Self { code: 4400, reason: "Expected a message of graphql-transport-ws" };
    pub const UNAUTHORIZED: Self = Self { code: 4401, reason: "Unauthorized" };
    pub const FORBIDDEN: Self = Self { code: 4403, reason: "Forbidden" };
    pub const WRONG_PROTOCOL: Self = Self { code: 4406, reason: "Subprotocol not acceptable" };
    pub const OLD_PROTOCOL: Self = Self {
        code: 4406,
        reason: "The old subprotocol graphql-ws is not spoken here: use graphql-transport-ws (npm package graphql-ws)",
    };
    pub const NO_INTRODUCTION: Self = Self { code: 4408, reason: "Connection initialisation timeout" };
    pub const SAME_ID: Self = Self { code: 4409, reason: "Subscriber for this id already exists" };
    /// The user has as many open connections as the setting `max_connections` allows.
    pub const TOO_MANY: Self = Self {
        code: 1013,
        reason: "Too many connections of this user: close some, or raise max_connections",
    };
    /// The message has more values than the setting `max_values` allows, or is nested too deeply.
    pub const TOO_LARGE: Self = Self {
        code: 1009,
        reason: "The message has too many values or brackets: send fewer, or raise max_values",
    };
    pub const INTRODUCED_TWICE: Self = Self { code: 4429, reason: "Too many initialisation requests" };
}

/// A message of a client.
#[derive(Debug)]
pub enum Said {
    Init { authorization: Option<String> },
    Subscribe { id: String, request: Request },
    Complete { id: String },
    Ping,
    Nothing,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Wire {
    ConnectionInit {
        #[serde(default)]
        payload: Value,
    },
    Subscribe {
        id: String,
        payload: Request,
    },
    Complete {
        id: String,
    },
    Ping {},
    Pong {},
}

/// Parses a message. The end of the connection is returned as an error, like any other reason to close it.
pub fn read(message: Option<Result<Message, axum::Error>>, limits: &Limits) -> Result<Said, Close> {
    let text = match message {
        None | Some(Err(_) | Ok(Message::Close(_))) => return Err(Close::GONE),
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => return Ok(Said::Nothing),
        Some(Ok(Message::Binary(_))) => return Err(Close::INVALID),
        Some(Ok(Message::Text(text))) => text,
    };
    limits.check_body(text.as_bytes()).map_err(|_| Close::TOO_LARGE)?;
    Ok(match serde_json::from_str(&text).map_err(|_| Close::INVALID)? {
        Wire::ConnectionInit { payload } => Said::Init { authorization: authorization(&payload) },
        Wire::Subscribe { id, payload } => Said::Subscribe { id, request: payload },
        Wire::Complete { id } => Said::Complete { id },
        Wire::Ping {} => Said::Ping,
        Wire::Pong {} => Said::Nothing,
    })
}

/// Clients put the header into the payload, or below `headers` in it.
fn authorization(payload: &Value) -> Option<String> {
    [payload, &payload["headers"]]
        .into_iter()
        .flat_map(|place| [&place["Authorization"], &place["authorization"]])
        .find_map(Value::as_str)
        .map(str::to_owned)
}

/// A `next` message with a result; `body` is `{"data":…}`.
pub fn next(id: &str, body: &[u8]) -> String {
    format!(r#"{{"id":{},"type":"next","payload":{}}}"#, json!(id), String::from_utf8_lossy(body))
}

/// An `error` message, which ends the subscription; `errors` is a JSON list.
pub fn error(id: &str, errors: &[u8]) -> String {
    format!(r#"{{"id":{},"type":"error","payload":{}}}"#, json!(id), String::from_utf8_lossy(errors))
}

/// An `error` message with a single error.
pub fn refusal(id: &str, code: &str, message: &str) -> String {
    let errors = json!([{ "message": message, "extensions": { "path": "$", "code": code } }]);
    error(id, errors.to_string().as_bytes())
}

/// A `complete` message, which ends the subscription.
pub fn complete(id: &str) -> String {
    json!({ "id": id, "type": "complete" }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_may_stand_in_the_payload_or_under_headers() {
        for payload in [
            json!({ "Authorization": "Bearer x" }),
            json!({ "authorization": "Bearer x" }),
            json!({ "headers": { "Authorization": "Bearer x" } }),
        ] {
            assert_eq!(authorization(&payload).as_deref(), Some("Bearer x"), "{payload}");
        }
        assert_eq!(authorization(&Value::Null), None);
    }

    #[test]
    fn what_would_take_much_memory_to_read_is_refused_unread() {
        let limits = Limits { values: 100, ..Limits::default() };
        for value in ["1,".repeat(200), "[".repeat(200)] {
            let text =
                format!(r#"{{"type":"subscribe","id":"1","payload":{{"query":"","variables":{{"v":[{value}"#);
            let read = read(Some(Ok(Message::Text(text.into()))), &limits);
            assert_eq!(read.unwrap_err(), Close::TOO_LARGE);
        }
    }

    #[test]
    fn what_is_no_message_of_the_protocol_is_refused() {
        for text in ["", "{}", "[]", r#"{"type":"start"}"#, r#"{"type":"subscribe","id":"1"}"#] {
            let read = read(Some(Ok(Message::Text(text.into()))), &Limits::default());
            assert_eq!(read.unwrap_err(), Close::INVALID, "{text}");
        }
    }
}
