//! Calls of remote tools and agents: `llm.mcp_call` (Model Context Protocol over streamable HTTP) and `llm.a2a_call` (Agent2Agent), both JSON-RPC.

use crate::call::{Call, TaskFailure};
use crate::params::{either, wrong};
use crate::services::requests::{HttpRequest, request};
use crate::template::to_text;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The supported version of the Model Context Protocol.
const PROTOCOL: &str = "2025-06-18";
/// The header with the session id for further requests.
pub const SESSION: &str = "mcp-session-id";

/// The requests of a call. Nothing is sent here.
#[derive(Debug, Clone, PartialEq)]
pub enum RemoteCall {
    Tool(Box<ToolCall>),
    Agent(Box<HttpRequest>),
}

/// The requests of a tool call, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub first: HttpRequest,
    pub ready: HttpRequest,
    pub call: HttpRequest,
}

/// A JSON-RPC message.
#[derive(Debug, Serialize)]
struct Message<'m> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'m str>,
    method: &'m str,
    params: Value,
}

/// Whether a kind is such a call.
pub fn is_one(kind: &str) -> bool {
    matches!(kind, "llm.mcp_call" | "llm.a2a_call")
}

fn message(id: Option<&str>, method: &str, params: Value) -> Result<String, TaskFailure> {
    serde_json::to_string(&Message { jsonrpc: "2.0", id, method, params })
        .map_err(|error| wrong(error.to_string()))
}

/// An object, or an object in JSON text.
fn object(params: &Value, name: &str) -> Result<Map<String, Value>, TaskFailure> {
    let parsed = match &params[name] {
        Value::Null => return Ok(Map::new()),
        Value::String(text) if text.trim().is_empty() => return Ok(Map::new()),
        Value::String(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        value => value.clone(),
    };
    match parsed {
        Value::Object(fields) => Ok(fields),
        _ => Err(wrong(format!("{name}: expected an object"))),
    }
}

impl RemoteCall {
    /// Reads a call with rendered parameters. `execution` is the id of the run.
    pub fn read(execution: &str, call: &Call) -> Result<Self, TaskFailure> {
        let params = &call.params;
        if !to_text(&params["integration_id"]).trim().is_empty() && to_text(&params["url"]).trim().is_empty()
        {
            return Err(wrong(
                "integration_id: connections to tools are not kept here: give url, and secrets in headers",
            ));
        }
        let post = |body: String| -> Result<HttpRequest, TaskFailure> {
            let mut asked = call.clone();
            "integrations.http".clone_into(&mut asked.kind);
            let mut headers = object(params, "headers")?;
            headers.insert("Content-Type".to_owned(), json!("application/json"));
            headers.insert("Accept".to_owned(), json!("application/json, text/event-stream"));
            if let Value::Object(params) = &mut asked.params {
                params.insert("method".to_owned(), json!("POST"));
                params.insert("headers".to_owned(), Value::Object(headers));
                params.insert("body".to_owned(), Value::String(body));
            }
            request(execution, &asked, &Map::new())
        };
        if call.kind == "llm.a2a_call" {
            let text = either(params, "message", "prompt");
            if text.is_empty() {
                return Err(wrong("message: expected a text"));
            }
            let id = format!("qd:{execution}:{}:{}", call.path, call.attempt);
            let said = json!({ "message": { "role": "user", "messageId": id, "kind": "message", "parts": [{ "kind": "text", "text": text }] } });
            return Ok(Self::Agent(Box::new(post(message(Some("1"), "message/send", said)?)?)));
        }
        let tool = to_text(&params["tool_name"]).trim().to_owned();
        if tool.is_empty() {
            return Err(wrong("tool_name: expected the name of a tool"));
        }
        let hello = json!({ "protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": { "name": "quarterdeck", "version": env!("CARGO_PKG_VERSION") } });
        let arguments = object(params, "arguments")?;
        Ok(Self::Tool(Box::new(ToolCall {
            first: post(message(Some("1"), "initialize", hello)?)?,
            ready: post(message(None, "notifications/initialized", json!({}))?)?,
            call: post(message(Some("2"), "tools/call", json!({ "name": tool, "arguments": arguments }))?)?,
        })))
    }
}

/// Describes a call.
pub fn told(call: &Call) -> String {
    match RemoteCall::read("dry-run", call) {
        Ok(RemoteCall::Tool(tool)) => {
            let request = &tool.call;
            let params = &call.params;
            format!(
                "Call the tool {} at {} with {}",
                to_text(&params["tool_name"]),
                request.url,
                params["arguments"]
            )
        }
        Ok(RemoteCall::Agent(request)) => {
            format!("Ask the agent at {}:\n\n{}", request.url, either(&call.params, "message", "prompt"))
        }
        Err(failure) => format!("It would fail: {}", failure.message),
    }
}

/// The result in a response, which is JSON or an event stream of JSON. `id` is that of the request.
pub fn result(body: &Value, id: &str) -> Result<Value, TaskFailure> {
    let failed = |text: String| TaskFailure::new("RemoteTool", text);
    let answer = match body {
        Value::String(text) => events(text).into_iter().find(|event| event["id"] == id),
        value => Some(value.clone()).filter(|value| value["id"] == id),
    };
    let mut answer =
        answer.ok_or_else(|| failed("it gave no answer of JSON-RPC to the question".to_owned()))?;
    if !answer["error"].is_null() {
        let said: String =
            answer["error"]["message"].as_str().unwrap_or("no reason").chars().take(300).collect();
        return Err(failed(format!("it refused: {said}")));
    }
    Ok(answer["result"].take())
}

/// The events of an event stream (`data:` lines; an empty line ends an event).
fn events(text: &str) -> Vec<Value> {
    let (mut found, mut data) = (Vec::new(), String::new());
    for line in text.lines().chain(std::iter::once("")) {
        if let Some(part) = line.strip_prefix("data:") {
            data.push_str(part.trim_start());
            data.push('\n');
        } else if line.is_empty() && !data.is_empty() {
            found.extend(serde_json::from_str::<Value>(&data).ok());
            data.clear();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{RemoteCall, ToolCall, result};
    use crate::call::Call;
    use serde_json::{Value, json};

    fn read(kind: &str, params: Value) -> Result<RemoteCall, String> {
        let call = Call {
            path: "ask".to_owned(),
            task_id: "ask".to_owned(),
            kind: kind.to_owned(),
            attempt: 1,
            secrets: std::collections::BTreeSet::new(),
            params,
            timeout: 60_000_000,
        };
        RemoteCall::read("run", &call).map_err(|failure| failure.message)
    }

    #[test]
    fn a_tool_is_called_behind_a_greeting() {
        let params = json!({ "url": "https://a.example/mcp", "tool_name": "lookup", "arguments": "{\"id\": 7}", "auth_type": "bearer", "bearer_token": "t" });
        let Ok(RemoteCall::Tool(tool)) = read("llm.mcp_call", params) else { panic!("no tool") };
        let ToolCall { first, ready, call } = *tool;
        assert!(first.body.unwrap().contains("\"method\":\"initialize\""));
        assert!(!ready.body.unwrap().contains("\"id\""));
        assert!(call.body.unwrap().contains(r#""params":{"arguments":{"id":7},"name":"lookup"}"#));
        assert!(call.headers.contains(&("Authorization".to_owned(), "Bearer t".to_owned())));
    }

    #[test]
    fn what_cannot_be_called_says_why() {
        for (kind, params, expected) in [
            ("llm.mcp_call", json!({ "url": "https://a" }), "tool_name: expected"),
            (
                "llm.mcp_call",
                json!({ "tool_name": "x", "integration_id": "y" }),
                "integration_id: connections to tools",
            ),
            (
                "llm.mcp_call",
                json!({ "url": "https://a", "tool_name": "x", "arguments": [1] }),
                "arguments: expected an object",
            ),
            ("llm.a2a_call", json!({ "url": "https://a" }), "message: expected a text"),
        ] {
            let reason = read(kind, params).unwrap_err();
            assert!(reason.starts_with(expected), "{reason}");
        }
    }

    #[test]
    fn answers_are_json_or_events() {
        let event = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"log\"}\n\ndata: {\"id\":\"2\",\ndata: \"result\":{\"content\":[]}}";
        assert_eq!(result(&json!(event), "2"), Ok(json!({ "content": [] })));
        assert_eq!(result(&json!({ "id": "2", "result": 5 }), "2"), Ok(json!(5)));
        let refused = json!({ "id": "2", "error": { "code": -1, "message": "no such tool" } });
        assert_eq!(result(&refused, "2").unwrap_err().message, "it refused: no such tool");
        assert!(result(&json!("<html>"), "2").is_err());
    }
}
