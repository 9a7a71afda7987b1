//! Ollama's API: `/api/chat` with JSON lines, `/api/embed`, `/api/tags`.

use super::{Post, Reader, Vectors, below, count, json, openai, refusal, vector};
use crate::chat::{Chat, End, Event, Message, ToolCall, Usage};
use crate::failure::Failure;
use serde_json::{Value, json};
use std::collections::VecDeque;
use url::Url;

const WHO: &str = "Ollama";

pub(crate) fn chat(base: &Url, model: &str, chat: &Chat, limit: Option<u32>) -> Result<Post, Failure> {
    let messages: Vec<Value> = chat.messages.iter().map(message).collect();
    let mut body = json!({ "model": model, "messages": messages, "stream": true });
    if !chat.tools.is_empty() {
        body["tools"] = chat.tools.iter().map(openai::tool).collect();
    }
    if let Some(limit) = limit {
        body["options"]["num_predict"] = limit.into();
    }
    if let Some(temperature) = chat.temperature {
        body["options"]["temperature"] = temperature.into();
    }
    Ok(Post::json(below(base, &["api", "chat"])?, &body))
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
                    .map(|call| json!({ "function": { "name": call.name, "arguments": call.arguments } }))
                    .collect();
            }
            value
        }
        Message::Tool { name, text, .. } => json!({ "role": "tool", "tool_name": name, "content": text }),
    }
}

pub(crate) fn embed(
    base: &Url,
    model: &str,
    texts: &[String],
    dimensions: Option<u32>,
) -> Result<Post, Failure> {
    let mut body = json!({ "model": model, "input": texts });
    if let Some(dimensions) = dimensions {
        body["dimensions"] = dimensions.into();
    }
    Ok(Post::json(below(base, &["api", "embed"])?, &body))
}

pub(crate) fn vectors(body: &[u8]) -> Result<Vectors, Failure> {
    let body = json(body, WHO)?;
    let rows =
        body["embeddings"].as_array().ok_or_else(|| Failure::nonsense(WHO, "expected `embeddings`"))?;
    let usage = Usage { input_tokens: count(&body["prompt_eval_count"]), ..Usage::default() };
    Ok((rows.iter().map(|row| vector(row, WHO)).collect::<Result<_, _>>()?, usage))
}

/// Names of its models, from `GET /api/tags`.
pub(crate) fn names(body: &[u8]) -> Result<Vec<String>, Failure> {
    let body = json(body, WHO)?;
    let rows = body["models"].as_array().ok_or_else(|| Failure::nonsense(WHO, "expected `models`"))?;
    Ok(rows.iter().filter_map(|row| row["name"].as_str().map(str::to_owned)).collect())
}

/// Reads the lines of an answer.
#[derive(Default)]
pub(crate) struct Lines {
    calls: usize,
    is_done: bool,
}

impl Reader for Lines {
    fn take(&mut self, frame: &[u8], events: &mut VecDeque<Event>) -> Result<(), Failure> {
        let line = json(frame, WHO)?;
        if line.get("error").is_some() {
            return Err(refusal::within(WHO, &line));
        }
        let said = &line["message"];
        if !said.is_object() && !line["done"].is_boolean() {
            return Err(Failure::nonsense(WHO, "expected `message`"));
        }
        if let Some(text) = said["content"].as_str().filter(|text| !text.is_empty()) {
            events.push_back(Event::Text(text.to_owned()));
        }
        for call in said["tool_calls"].as_array().into_iter().flatten() {
            let function = &call["function"];
            let name = function["name"].as_str().filter(|name| !name.is_empty());
            let name = name.ok_or_else(|| Failure::nonsense(WHO, "a call without a name"))?.to_owned();
            let arguments = match &function["arguments"] {
                Value::Null => json!({}),
                arguments @ Value::Object(_) => arguments.clone(),
                _ => return Err(Failure::nonsense(WHO, format!("the arguments of {name:?} are no object"))),
            };
            self.calls += 1;
            events.push_back(Event::Call(ToolCall {
                id: format!("call-{}", self.calls),
                name,
                arguments,
                signature: None,
            }));
        }
        if line["done"] == true {
            self.is_done = true;
            let usage = Usage {
                input_tokens: count(&line["prompt_eval_count"]),
                output_tokens: count(&line["eval_count"]),
                ..Usage::default()
            };
            if usage.is_told() {
                events.push_back(Event::Usage(usage));
            }
            let end = match line["done_reason"].as_str() {
                Some("length") => End::Length,
                _ if self.calls > 0 => End::Calls,
                _ => End::Complete,
            };
            events.push_back(Event::End(end));
        }
        Ok(())
    }

    fn close(&mut self, _: &mut VecDeque<Event>) -> Result<(), Failure> {
        if self.is_done { Ok(()) } else { Err(Failure::cut_off(WHO)) }
    }
}
