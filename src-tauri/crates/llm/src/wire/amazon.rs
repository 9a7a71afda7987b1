//! Amazon's APIs: Bedrock's Converse (streamed), InvokeModel for embeddings, and SageMaker's InvokeEndpoint.
//!
//! A SageMaker endpoint can run anything. The formats used are those of the containers of Hugging Face, vLLM and LMI: OpenAI's chat format, and
//! `{"inputs": […]}` for embeddings.

use super::{Post, Reader, Vectors, count, hugging_face, json, refusal, take_turn, vector};
use crate::chat::{Chat, End, Event, Message, ToolCall, Usage};
use crate::failure::Failure;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use url::Url;

const BEDROCK: &str = "Amazon Bedrock";
const SAGEMAKER: &str = "SageMaker";

/// `{base}/{what}/{name}/{action}`. The name is encoded as Amazon's signatures require: everything but letters, digits and `-_.~`.
pub(crate) fn address(base: &Url, what: &str, name: &str, action: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}/{what}/{}/{action}", base.path().trim_end_matches('/'), escaped(name)));
    url
}

/// Percent-encodes as in RFC 3986, with upper-case hex digits.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

pub(crate) fn converse(base: &Url, model: &str, chat: &Chat, limit: Option<u32>) -> Post {
    let mut messages: Vec<Value> = Vec::new();
    let mut system = Vec::new();
    for message in &chat.messages {
        let (role, blocks) = match message {
            Message::System { text } => {
                system.push(json!({ "text": text }));
                continue;
            }
            Message::User { text } => ("user", vec![json!({ "text": text })]),
            Message::Assistant { text, calls } => ("assistant", said(text, calls)),
            Message::Tool { id, text, .. } => {
                let result = json!({ "toolUseId": id, "content": [{ "text": text }] });
                ("user", vec![json!({ "toolResult": result })])
            }
        };
        take_turn(&mut messages, role, "content", blocks);
    }
    let mut body = json!({ "messages": messages });
    if !system.is_empty() {
        body["system"] = system.into();
    }
    if let Some(limit) = limit {
        body["inferenceConfig"]["maxTokens"] = limit.into();
    }
    if let Some(temperature) = chat.temperature {
        body["inferenceConfig"]["temperature"] = temperature.into();
    }
    if !chat.tools.is_empty() {
        let tools = chat.tools.iter().map(|tool| {
            json!({ "toolSpec": {
                "name": tool.name, "description": tool.description, "inputSchema": { "json": tool.parameters },
            } })
        });
        body["toolConfig"]["tools"] = tools.collect();
    }
    Post::json(address(base, "model", model, "converse-stream"), &body)
}

fn said(text: &str, calls: &[ToolCall]) -> Vec<Value> {
    let text = (!text.is_empty()).then(|| json!({ "text": text }));
    let calls = calls.iter().map(
        |call| json!({ "toolUse": { "toolUseId": call.id, "name": call.name, "input": call.arguments } }),
    );
    text.into_iter().chain(calls).collect()
}

/// Whether a Bedrock model embeds several texts in one request.
fn is_cohere(model: &str) -> bool {
    model.contains("cohere.")
}

/// Maximum number of texts in a request to this model.
pub(crate) fn batch(model: &str) -> usize {
    if is_cohere(model) { 96 } else { 1 }
}

pub(crate) fn bedrock_embed(base: &Url, model: &str, texts: &[String], dimensions: Option<u32>) -> Post {
    let body = if is_cohere(model) {
        json!({ "texts": texts, "input_type": "search_document", "truncate": "END" })
    } else {
        let mut body = json!({ "inputText": texts.first() });
        // The first version of Titan's model supports neither field.
        if let Some(dimensions) = dimensions {
            body["dimensions"] = dimensions.into();
        }
        body
    };
    Post::json(address(base, "model", model, "invoke"), &body)
}

pub(crate) fn bedrock_vectors(body: &[u8]) -> Result<Vectors, Failure> {
    let body = json(body, BEDROCK)?;
    let usage = Usage { input_tokens: count(&body["inputTextTokenCount"]), ..Usage::default() };
    let vectors = match body["embeddings"].as_array().or_else(|| body["embeddings"]["float"].as_array()) {
        Some(rows) => rows.iter().map(|row| vector(row, BEDROCK)).collect::<Result<_, _>>()?,
        None => vec![vector(&body["embedding"], BEDROCK)?],
    };
    Ok((vectors, usage))
}

/// Names of Bedrock's models, from `GET /foundation-models` at its other address.
pub(crate) fn names(body: &[u8]) -> Result<Vec<String>, Failure> {
    let body = json(body, BEDROCK)?;
    let rows = body["modelSummaries"].as_array();
    let rows = rows.ok_or_else(|| Failure::nonsense(BEDROCK, "expected `modelSummaries`"))?;
    Ok(rows.iter().filter_map(|row| row["modelId"].as_str().map(str::to_owned)).collect())
}

pub(crate) fn sagemaker_embed(url: Url, texts: &[String]) -> Post {
    Post::json(url, &json!({ "inputs": texts }))
}

/// A list of vectors, or such a list in `embedding`, as JumpStart's containers respond.
pub(crate) fn sagemaker_vectors(body: &[u8]) -> Result<Vectors, Failure> {
    let value = json(body, SAGEMAKER)?;
    match value.get("embedding") {
        Some(rows) => hugging_face::rows(SAGEMAKER, rows),
        None => hugging_face::rows(SAGEMAKER, &value),
    }
}

/// Reads the events of ConverseStream.
#[derive(Default)]
pub(crate) struct ConverseStream {
    /// By block index: arguments arrive in parts.
    calls: BTreeMap<u64, (String, String, String)>,
    usage: Usage,
    end: Option<End>,
}

impl Reader for ConverseStream {
    fn take(&mut self, frame: &[u8], events: &mut VecDeque<Event>) -> Result<(), Failure> {
        let frame = json(frame, BEDROCK)?;
        let (kind, said) = frame
            .as_object()
            .and_then(|frame| frame.iter().next())
            .ok_or_else(|| Failure::nonsense(BEDROCK, "a message without a type"))?;
        let at = count(&said["contentBlockIndex"]);
        match kind.as_str() {
            "contentBlockStart" => {
                let call = &said["start"]["toolUse"];
                if let (Some(id), Some(name)) = (call["toolUseId"].as_str(), call["name"].as_str()) {
                    self.calls.insert(at, (id.to_owned(), name.to_owned(), String::new()));
                }
            }
            "contentBlockDelta" => {
                let delta = &said["delta"];
                if let Some(text) = delta["text"].as_str().filter(|text| !text.is_empty()) {
                    events.push_back(Event::Text(text.to_owned()));
                }
                if let (Some(more), Some(call)) =
                    (delta["toolUse"]["input"].as_str(), self.calls.get_mut(&at))
                {
                    call.2.push_str(more);
                }
            }
            "contentBlockStop" => {
                if let Some((id, name, arguments)) = self.calls.remove(&at) {
                    let arguments = if arguments.is_empty() { "{}" } else { &arguments };
                    let arguments = json(arguments.as_bytes(), BEDROCK)?;
                    events.push_back(Event::Call(ToolCall { id, name, arguments, signature: None }));
                }
            }
            "messageStop" => {
                self.end = Some(match said["stopReason"].as_str().unwrap_or_default() {
                    "max_tokens" | "model_context_window_exceeded" => End::Length,
                    "tool_use" => End::Calls,
                    "guardrail_intervened" | "content_filtered" => End::Filtered,
                    _ => End::Complete,
                });
            }
            "metadata" => {
                let told = &said["usage"];
                self.usage = Usage {
                    input_tokens: count(&told["inputTokens"]),
                    cached_input_tokens: count(&told["cacheReadInputTokens"]),
                    cache_creation_tokens: count(&told["cacheWriteInputTokens"]),
                    output_tokens: count(&told["outputTokens"]),
                    thinking_tokens: 0,
                };
            }
            kind if kind.ends_with("Exception") => return Err(refusal::within(BEDROCK, said)),
            // `messageStart`, and event types of later versions.
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, events: &mut VecDeque<Event>) -> Result<(), Failure> {
        let end = self.end.ok_or_else(|| Failure::cut_off(BEDROCK))?;
        if self.usage.is_told() {
            events.push_back(Event::Usage(self.usage));
        }
        events.push_back(Event::End(end));
        Ok(())
    }
}
