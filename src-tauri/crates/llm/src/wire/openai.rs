//! OpenAI's API, which many services implement: chat completions and embeddings.
//!
//! Azure differs only in addresses and headers.

use super::{Post, Reader, Vectors, below, count, json, refusal, vector};
use crate::chat::{Chat, End, Event, Message, Tool, ToolCall, Usage};
use crate::failure::Failure;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use url::Url;

/// The body of a chat request. `limit_name` is the server's field for the token limit.
pub(crate) fn body(model: &str, chat: &Chat, limit: Option<u32>, limit_name: &str) -> Value {
    let messages: Vec<Value> = chat.messages.iter().map(message).collect();
    let mut body = json!({ "model": model, "messages": messages, "stream": true });
    // Without this, streams do not report token usage.
    body["stream_options"] = json!({ "include_usage": true });
    if let Some(limit) = limit {
        body[limit_name] = limit.into();
    }
    if let Some(temperature) = chat.temperature {
        body["temperature"] = temperature.into();
    }
    if !chat.tools.is_empty() {
        body["tools"] = chat.tools.iter().map(tool).collect();
    }
    body
}

/// A tool in the format of OpenAI and Ollama.
pub(crate) fn tool(tool: &Tool) -> Value {
    json!({ "type": "function", "function": {
        "name": tool.name, "description": tool.description, "parameters": tool.parameters,
    } })
}

fn message(message: &Message) -> Value {
    match message {
        Message::System { text } => json!({ "role": "system", "content": text }),
        Message::User { text } => json!({ "role": "user", "content": text }),
        Message::Assistant { text, calls } => {
            let mut value = json!({ "role": "assistant", "content": text });
            if !calls.is_empty() {
                value["tool_calls"] = calls
                    .iter()
                    .map(|call| {
                        json!({ "id": call.id, "type": "function", "function": {
                            "name": call.name, "arguments": call.arguments.to_string(),
                        } })
                    })
                    .collect();
            }
            value
        }
        Message::Tool { id, text, .. } => json!({ "role": "tool", "tool_call_id": id, "content": text }),
    }
}

/// The chat address below a base that ends in `/v1` or the server's equivalent.
pub(crate) fn chat_address(base: &Url) -> Result<Url, Failure> {
    below(base, &["chat", "completions"])
}

/// `{endpoint}/openai/deployments/{model}/{what}?api-version={version}`.
pub(crate) fn azure(base: &Url, model: &str, what: &[&str], version: &str) -> Result<Url, Failure> {
    let mut segments = vec!["openai", "deployments", model];
    segments.extend(what);
    let mut url = below(base, &segments)?;
    url.query_pairs_mut().append_pair("api-version", version);
    Ok(url)
}

pub(crate) fn embeddings(url: Url, model: &str, texts: &[String], dimensions: Option<u32>) -> Post {
    let mut body = json!({ "model": model, "input": texts, "encoding_format": "float" });
    if let Some(dimensions) = dimensions {
        body["dimensions"] = dimensions.into();
    }
    Post::json(url, &body)
}

pub(crate) fn vectors(who: &str, body: &[u8]) -> Result<Vectors, Failure> {
    let body = json(body, who)?;
    let rows = body["data"].as_array().ok_or_else(|| Failure::nonsense(who, "expected `data`"))?;
    let mut found = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        // Rows have an index and may be in any order.
        let index = row["index"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(at);
        found.push((index, vector(&row["embedding"], who)?));
    }
    found.sort_by_key(|(index, _)| *index);
    let usage = Usage { input_tokens: count(&body["usage"]["prompt_tokens"]), ..Usage::default() };
    Ok((found.into_iter().map(|(_, vector)| vector).collect(), usage))
}

/// Names of the models, from `GET /models`.
pub(crate) fn names(who: &str, body: &[u8]) -> Result<Vec<String>, Failure> {
    let body = json(body, who)?;
    let rows = body["data"].as_array().ok_or_else(|| Failure::nonsense(who, "expected `data`"))?;
    Ok(rows.iter().filter_map(|row| row["id"].as_str().map(str::to_owned)).collect())
}

/// Reads chunks, or the single response of a server that does not stream.
pub(crate) struct Chunks {
    who: &'static str,
    /// By the server's index: arguments arrive in parts.
    calls: BTreeMap<u64, (String, String, String)>,
    usage: Usage,
    end: Option<End>,
    is_closed: bool,
}

impl Chunks {
    pub(crate) fn new(who: &'static str) -> Self {
        Self { who, calls: BTreeMap::new(), usage: Usage::default(), end: None, is_closed: false }
    }

    fn call(&mut self, at: usize, call: &Value) {
        let index = call["index"].as_u64().unwrap_or(at as u64);
        let (id, name, arguments) = self.calls.entry(index).or_default();
        for (kept, said) in [(id, &call["id"]), (name, &call["function"]["name"])] {
            if let Some(said) = said.as_str().filter(|_| kept.is_empty()) {
                said.clone_into(kept);
            }
        }
        match &call["function"]["arguments"] {
            Value::String(more) => arguments.push_str(more),
            Value::Object(whole) => *arguments = Value::Object(whole.clone()).to_string(),
            _ => {}
        }
    }

    fn finish(&mut self, events: &mut VecDeque<Event>) -> Result<(), Failure> {
        if self.is_closed {
            return Ok(());
        }
        let Some(end) = self.end else { return Err(Failure::cut_off(self.who)) };
        self.is_closed = true;
        let has_calls = !self.calls.is_empty();
        for (at, (_, (id, name, arguments))) in std::mem::take(&mut self.calls).into_iter().enumerate() {
            events.push_back(Event::Call(finished(self.who, at, id, name, &arguments)?));
        }
        if self.usage.is_told() {
            events.push_back(Event::Usage(self.usage));
        }
        // Some servers report `stop` although there are calls.
        let end = if has_calls && end == End::Complete { End::Calls } else { end };
        events.push_back(Event::End(end));
        Ok(())
    }
}

fn finished(who: &str, at: usize, id: String, name: String, arguments: &str) -> Result<ToolCall, Failure> {
    let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
    let arguments: Value =
        serde_json::from_str(arguments).ok().filter(Value::is_object).ok_or_else(|| {
            Failure::nonsense(who, format!("the arguments of the call {name:?} are no JSON object"))
        })?;
    if name.is_empty() {
        return Err(Failure::nonsense(who, "a call without a name"));
    }
    Ok(ToolCall {
        id: if id.is_empty() { format!("call-{}", at + 1) } else { id },
        name,
        arguments,
        signature: None,
    })
}

/// Token usage. OpenAI includes cached and thinking tokens in the other counts; here they are separate.
pub(crate) fn usage(value: &Value) -> Usage {
    let cached = count(&value["prompt_tokens_details"]["cached_tokens"]);
    let thinking = count(&value["completion_tokens_details"]["reasoning_tokens"]);
    Usage {
        input_tokens: count(&value["prompt_tokens"]).saturating_sub(cached),
        cached_input_tokens: cached,
        cache_creation_tokens: 0,
        output_tokens: count(&value["completion_tokens"]).saturating_sub(thinking),
        thinking_tokens: thinking,
    }
}

impl Reader for Chunks {
    fn take(&mut self, frame: &[u8], events: &mut VecDeque<Event>) -> Result<(), Failure> {
        if frame == b"[DONE]" {
            return self.finish(events);
        }
        let chunk = json(frame, self.who)?;
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            return Err(refusal::within(self.who, &chunk));
        }
        if !chunk.get("choices").is_some_and(Value::is_array) {
            return Err(Failure::nonsense(self.who, "expected `choices`"));
        }
        if chunk["usage"].is_object() {
            self.usage = usage(&chunk["usage"]);
        }
        let choice = &chunk["choices"][0];
        let said = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
        if let Some(text) = said["content"].as_str().filter(|text| !text.is_empty()) {
            events.push_back(Event::Text(text.to_owned()));
        }
        for (at, call) in said["tool_calls"].as_array().into_iter().flatten().enumerate() {
            self.call(at, call);
        }
        if let Some(reason) = choice["finish_reason"].as_str() {
            self.end = Some(match reason {
                "length" => End::Length,
                "content_filter" => End::Filtered,
                "tool_calls" | "function_call" => End::Calls,
                _ => End::Complete,
            });
        }
        Ok(())
    }

    fn close(&mut self, events: &mut VecDeque<Event>) -> Result<(), Failure> {
        self.finish(events)
    }
}
