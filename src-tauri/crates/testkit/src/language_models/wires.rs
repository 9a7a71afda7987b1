//! The protocols of chat: the credentials each provider requires, and the format of its answers.

use super::{
    ACCESS_KEY, EXTERNAL_ID, Fault, KEY, ROLE, ROLE_ACCESS_KEY, ROLE_SECRET_KEY, ROLE_TOKEN, ReceivedRequest,
    SECRET_KEY, Said, TOKEN,
};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// A chat protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    OpenAi,
    Ollama,
    Google,
    Bedrock,
}

pub enum Refusal {
    Status(u16, String),
    Signature(String),
}

fn path(asked: &ReceivedRequest) -> &str {
    asked.path.split('?').next().unwrap_or_default()
}

/// Why a request is refused; `None` if it is accepted.
pub fn refused(asked: &ReceivedRequest) -> Option<Refusal> {
    let path = path(asked);
    let has = |name: &str, value: &str| asked.headers.get(name).is_some_and(|found| found == value);
    if is_role(asked) {
        return match check_signature(asked) {
            Err(words) => Some(Refusal::Signature(words)),
            Ok(()) if takes_role_on(asked) => None,
            Ok(()) => Some(Refusal::Status(403, NOT_YOURS.to_owned())),
        };
    }
    let is_open = match path {
        _ if path.starts_with("/v1/projects/") => has("authorization", &format!("Bearer {TOKEN}")),
        _ if path.starts_with("/v1beta/") => has("x-goog-api-key", KEY),
        _ if path.starts_with("/openai/") => has("api-key", KEY) && asked.path.contains("?api-version=2024-"),
        _ if path.starts_with("/v1/") || path.starts_with("/models/") => {
            has("authorization", &format!("Bearer {KEY}"))
        }
        _ if ["/model/", "/endpoints/", "/foundation-models"].iter().any(|start| path.starts_with(start)) => {
            return check_signature(asked).err().map(Refusal::Signature);
        }
        _ => true,
    };
    let words =
        json!({ "error": { "message": format!("the key {KEY} or another one is wrong") } }).to_string();
    (!is_open).then_some(Refusal::Status(401, words))
}

/// Whether it requests the credentials of a role.
fn is_role(asked: &ReceivedRequest) -> bool {
    asked.path.starts_with("/?Action=AssumeRole&Version=2011-06-15&")
}

fn takes_role_on(asked: &ReceivedRequest) -> bool {
    let query = asked.path.split_once('?').map_or("", |(_, query)| query);
    let escaped = |text: &str| text.replace(':', "%3A").replace('/', "%2F").replace(' ', "+");
    let has =
        |name: &str, value: &str| query.split('&').any(|pair| pair == format!("{name}={}", escaped(value)));
    has("RoleArn", ROLE) && has("ExternalId", EXTERNAL_ID)
}

const NOT_YOURS: &str = "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error><Type>Sender</Type><Code>AccessDenied</Code>\
                         <Message>User is not authorized to perform: sts:AssumeRole</Message></Error></ErrorResponse>";

/// The role's credentials, in Amazon's format.
fn role_keys() -> String {
    format!(
        "<AssumeRoleResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">\n  <AssumeRoleResult>\n    <Credentials>\n      \
         <AccessKeyId>{ROLE_ACCESS_KEY}</AccessKeyId>\n      <SecretAccessKey>{ROLE_SECRET_KEY}</SecretAccessKey>\n      \
         <SessionToken>{ROLE_TOKEN}</SessionToken>\n      <Expiration>2026-11-20T13:00:00Z</Expiration>\n    </Credentials>\n  \
         </AssumeRoleResult>\n</AssumeRoleResponse>\n"
    )
}

/// In another process and another language: it shares nothing with the code under test.
fn check_signature(asked: &ReceivedRequest) -> Result<(), String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sigv4.py");
    let is_of_role = asked.headers.get("x-amz-security-token").is_some_and(|token| token == ROLE_TOKEN);
    let (access_key, secret_key) =
        if is_of_role { (ROLE_ACCESS_KEY, ROLE_SECRET_KEY) } else { (ACCESS_KEY, SECRET_KEY) };
    let request = json!({
        "method": asked.method, "path": asked.path, "headers": asked.headers,
        "body": asked.raw, "access_key": access_key, "secret_key": secret_key,
    });
    let mut python = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("python3 cannot be started: {error}"))?;
    let mut input = python.stdin.take().ok_or("python3 reads nothing")?;
    input.write_all(request.to_string().as_bytes()).map_err(|error| error.to_string())?;
    drop(input);
    let output = python.wait_with_output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && said == "ok" { Ok(()) } else { Err(said) }
}

/// The protocol of a chat request; `None` for other requests.
pub fn conversation(asked: &ReceivedRequest) -> Option<Wire> {
    let path = path(asked);
    Some(match path {
        "/api/chat" => Wire::Ollama,
        _ if path.ends_with("/chat/completions") => Wire::OpenAi,
        _ if path.ends_with("/invocations") && asked.body.get("messages").is_some() => Wire::OpenAi,
        _ if path.ends_with(":streamGenerateContent") => Wire::Google,
        _ if path.ends_with("/converse-stream") => Wire::Bedrock,
        _ => return None,
    })
}

/// Responses to other requests: lists of models, tokens, health.
pub fn other(asked: &ReceivedRequest) -> Option<String> {
    if is_role(asked) {
        return Some(role_keys());
    }
    let names = ["small", "large"];
    let answer = match (asked.method.as_str(), path(asked)) {
        ("GET", "/v1/models") => json!({ "data": names.map(|name| json!({ "id": name })) }),
        ("GET", "/api/tags") => json!({ "models": names.map(|name| json!({ "name": name })) }),
        ("GET", "/v1beta/models") => {
            json!({ "models": names.map(|name| json!({ "name": format!("models/{name}") })) })
        }
        ("GET", "/foundation-models") => {
            json!({ "modelSummaries": names.map(|name| json!({ "modelId": name })) })
        }
        ("GET", "/health") => json!({ "status": "ok" }),
        ("POST", "/token") => json!({ "access_token": TOKEN, "expires_in": 3599, "token_type": "Bearer" }),
        _ => return None,
    };
    Some(answer.to_string())
}

/// An error in the provider's format.
pub fn error(wire: Wire, words: &str) -> String {
    match wire {
        Wire::OpenAi => json!({ "error": { "message": words, "type": "some_error", "code": null } }),
        Wire::Ollama => json!({ "error": words }),
        Wire::Google => json!({ "error": { "code": 400, "message": words, "status": "SOME" } }),
        Wire::Bedrock => json!({ "message": words }),
    }
    .to_string()
}

/// The answer as chunks of a body, with its content type.
pub fn answer(wire: Wire, asked: &ReceivedRequest, said: &Said) -> (&'static str, Vec<Vec<u8>>) {
    let is_short = matches!(said.fault, Some(Fault::Length));
    match wire {
        Wire::OpenAi if asked.body["stream"] == true => ("text/event-stream", openai(said, is_short)),
        Wire::OpenAi => ("application/json", vec![openai_whole(said, is_short)]),
        Wire::Ollama => ("application/x-ndjson", ollama(asked, said, is_short)),
        Wire::Google => ("text/event-stream", google(said, is_short)),
        Wire::Bedrock => ("application/vnd.amazon.eventstream", bedrock(said, is_short)),
    }
}

/// The protocol for refusing a request for embeddings.
pub fn of_embeddings(asked: &ReceivedRequest) -> Wire {
    match path(asked) {
        "/api/embed" => Wire::Ollama,
        path if path.starts_with("/model/") => Wire::Bedrock,
        path if path.contains(":batchEmbedContents") || path.contains(":predict") => Wire::Google,
        _ => Wire::OpenAi,
    }
}

fn event(value: &Value) -> Vec<u8> {
    format!("data: {value}\n\n").into_bytes()
}

fn openai_end(said: &Said, is_short: bool) -> &'static str {
    if is_short {
        "length"
    } else if said.calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    }
}

fn openai(said: &Said, is_short: bool) -> Vec<Vec<u8>> {
    let delta =
        |delta: Value| event(&json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] }));
    let mut pieces: Vec<Vec<u8>> = said.text.iter().map(|text| delta(json!({ "content": text }))).collect();
    for (at, (name, arguments)) in said.calls.iter().enumerate() {
        let arguments = arguments.to_string();
        let (one, other) = arguments.split_at(arguments.len() / 2);
        let start = json!({ "index": at, "id": format!("call_{at}"), "type": "function", "function": { "name": name, "arguments": one } });
        pieces.push(delta(json!({ "tool_calls": [start] })));
        pieces.push(delta(json!({ "tool_calls": [{ "index": at, "function": { "arguments": other } }] })));
    }
    let end =
        json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": openai_end(said, is_short) }] });
    pieces.push(event(&end));
    pieces.push(event(&json!({ "choices": [], "usage": usage(said) })));
    pieces.push(b"data: [DONE]\n\n".to_vec());
    pieces
}

fn usage(said: &Said) -> Value {
    json!({ "prompt_tokens": said.input_tokens, "completion_tokens": said.output_tokens })
}

fn openai_whole(said: &Said, is_short: bool) -> Vec<u8> {
    let calls: Vec<Value> = said
        .calls
        .iter()
        .enumerate()
        .map(|(at, (name, arguments))| {
            json!({ "id": format!("call_{at}"), "type": "function", "function": { "name": name, "arguments": arguments.to_string() } })
        })
        .collect();
    let message = json!({ "role": "assistant", "content": said.text.concat(), "tool_calls": calls });
    let choice = json!({ "index": 0, "message": message, "finish_reason": openai_end(said, is_short) });
    json!({ "choices": [choice], "usage": usage(said) }).to_string().into_bytes()
}

fn ollama(asked: &ReceivedRequest, said: &Said, is_short: bool) -> Vec<Vec<u8>> {
    let line = |message: Value, end: Value| {
        let mut line = json!({ "model": asked.body["model"], "message": message, "done": false });
        if let (Some(line), Some(end)) = (line.as_object_mut(), end.as_object()) {
            line.extend(end.clone());
        }
        format!("{line}\n").into_bytes()
    };
    let text = |text: &String| line(json!({ "role": "assistant", "content": text }), Value::Null);
    let mut lines: Vec<Vec<u8>> = said.text.iter().map(text).collect();
    for (name, arguments) in &said.calls {
        let call = json!({ "function": { "name": name, "arguments": arguments } });
        lines.push(line(json!({ "role": "assistant", "content": "", "tool_calls": [call] }), Value::Null));
    }
    let end = json!({
        "done": true, "done_reason": if is_short { "length" } else { "stop" },
        "prompt_eval_count": said.input_tokens, "eval_count": said.output_tokens,
    });
    lines.push(line(json!({ "role": "assistant", "content": "" }), end));
    lines
}

fn google(said: &Said, is_short: bool) -> Vec<Vec<u8>> {
    let piece =
        |part: Value| event(&json!({ "candidates": [{ "content": { "role": "model", "parts": [part] } }] }));
    let mut pieces: Vec<Vec<u8>> = said.text.iter().map(|text| piece(json!({ "text": text }))).collect();
    for (name, arguments) in &said.calls {
        let call = json!({ "name": name, "args": arguments });
        pieces.push(piece(json!({ "functionCall": call, "thoughtSignature": "c2lnbmF0dXJl" })));
    }
    let usage = json!({ "promptTokenCount": said.input_tokens, "candidatesTokenCount": said.output_tokens });
    let reason = if is_short { "MAX_TOKENS" } else { "STOP" };
    let end = json!({ "content": { "parts": [{ "text": "" }] }, "finishReason": reason });
    pieces.push(event(&json!({ "candidates": [end], "usageMetadata": usage })));
    pieces
}

fn bedrock(said: &Said, is_short: bool) -> Vec<Vec<u8>> {
    let mut pieces = vec![amazon("messageStart", &json!({ "role": "assistant" }))];
    for text in &said.text {
        pieces
            .push(amazon("contentBlockDelta", &json!({ "contentBlockIndex": 0, "delta": { "text": text } })));
    }
    for (at, (name, arguments)) in said.calls.iter().enumerate() {
        let at = at + 1;
        let start = json!({ "toolUse": { "toolUseId": format!("tooluse_{at}"), "name": name } });
        pieces.push(amazon("contentBlockStart", &json!({ "contentBlockIndex": at, "start": start })));
        let arguments = arguments.to_string();
        let (one, other) = arguments.split_at(arguments.len() / 2);
        for part in [one, other] {
            let delta = json!({ "toolUse": { "input": part } });
            pieces.push(amazon("contentBlockDelta", &json!({ "contentBlockIndex": at, "delta": delta })));
        }
        pieces.push(amazon("contentBlockStop", &json!({ "contentBlockIndex": at })));
    }
    let reason = match (is_short, said.calls.is_empty()) {
        (true, _) => "max_tokens",
        (false, true) => "end_turn",
        (false, false) => "tool_use",
    };
    pieces.push(amazon("messageStop", &json!({ "stopReason": reason })));
    let usage = json!({ "inputTokens": said.input_tokens, "outputTokens": said.output_tokens });
    pieces.push(amazon("metadata", &json!({ "usage": usage, "metrics": { "latencyMs": 1 } })));
    pieces
}

/// A message of Amazon's event stream.
pub fn amazon(kind: &str, payload: &Value) -> Vec<u8> {
    let payload = payload.to_string().into_bytes();
    let mut headers = Vec::new();
    for (name, value) in
        [(":message-type", "event"), (":event-type", kind), (":content-type", "application/json")]
    {
        headers.push(u8::try_from(name.len()).unwrap());
        headers.extend(name.as_bytes());
        headers.push(7);
        headers.extend(u16::try_from(value.len()).unwrap().to_be_bytes());
        headers.extend(value.as_bytes());
    }
    let total = u32::try_from(16 + headers.len() + payload.len()).unwrap();
    let mut message = total.to_be_bytes().to_vec();
    message.extend(u32::try_from(headers.len()).unwrap().to_be_bytes());
    message.extend(crc32(&message).to_be_bytes());
    message.extend(headers);
    message.extend(payload);
    message.extend(crc32(&message).to_be_bytes());
    message
}

/// With a table, unlike the product's implementation.
fn crc32(bytes: &[u8]) -> u32 {
    let table: Vec<u32> = (0..256_u32)
        .map(|at| (0..8).fold(at, |sum, _| if sum & 1 == 1 { 0xEDB8_8320 ^ (sum >> 1) } else { sum >> 1 }))
        .collect();
    !bytes.iter().fold(u32::MAX, |sum, byte| table[((sum ^ u32::from(*byte)) & 0xff) as usize] ^ (sum >> 8))
}
