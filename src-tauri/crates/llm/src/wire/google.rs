//! Google's `generateContent` API, as in Gemini (with a key) and Vertex AI (with an access token).

use super::{Post, Reader, Vectors, below, count, json, refusal, take_turn, vector};
use crate::chat::{Chat, End, Event, Message, ToolCall, Usage};
use crate::failure::Failure;
use serde_json::{Value, json};
use std::collections::VecDeque;
use url::Url;

/// The address of a model's method: `{models}/{model}:{method}`.
pub(crate) fn method(models: &Url, model: &str, method: &str, streams: bool) -> Result<Url, Failure> {
    let mut url = below(models, &[&format!("{model}:{method}")])?;
    if streams {
        url.query_pairs_mut().append_pair("alt", "sse");
    }
    Ok(url)
}

pub(crate) fn body(chat: &Chat, limit: Option<u32>) -> Value {
    let mut contents: Vec<Value> = Vec::new();
    let mut system = Vec::new();
    for message in &chat.messages {
        let (role, parts) = match message {
            Message::System { text } => {
                system.push(json!({ "text": text }));
                continue;
            }
            Message::User { text } => ("user", vec![json!({ "text": text })]),
            Message::Assistant { text, calls } => ("model", said(text, calls)),
            Message::Tool { name, text, .. } => {
                let result: Value = serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into());
                let response =
                    json!({ "functionResponse": { "name": name, "response": { "result": result } } });
                ("user", vec![response])
            }
        };
        take_turn(&mut contents, role, "parts", parts);
    }
    let mut body = json!({ "contents": contents });
    if !system.is_empty() {
        body["systemInstruction"] = json!({ "parts": system });
    }
    if !chat.tools.is_empty() {
        let tools = chat.tools.iter().map(|tool| {
            json!({ "name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters })
        });
        body["tools"] = json!([{ "functionDeclarations": tools.collect::<Vec<_>>() }]);
    }
    if let Some(limit) = limit {
        body["generationConfig"]["maxOutputTokens"] = limit.into();
    }
    if let Some(temperature) = chat.temperature {
        body["generationConfig"]["temperature"] = temperature.into();
    }
    body
}

fn said(text: &str, calls: &[ToolCall]) -> Vec<Value> {
    let text = (!text.is_empty()).then(|| json!({ "text": text }));
    let calls = calls.iter().map(|call| {
        let mut part = json!({ "functionCall": { "name": call.name, "args": call.arguments } });
        if let Some(signature) = &call.signature {
            part["thoughtSignature"] = signature.as_str().into();
        }
        part
    });
    text.into_iter().chain(calls).collect()
}

/// A request to Gemini to embed several texts.
pub(crate) fn gemini_embed(url: Url, model: &str, texts: &[String], dimensions: Option<u32>) -> Post {
    let requests = texts.iter().map(|text| {
        let content = json!({ "parts": [{ "text": text }] });
        let mut one = json!({ "model": format!("models/{model}"), "content": content });
        if let Some(dimensions) = dimensions {
            one["outputDimensionality"] = dimensions.into();
        }
        one
    });
    Post::json(url, &json!({ "requests": requests.collect::<Vec<_>>() }))
}

pub(crate) fn gemini_vectors(body: &[u8]) -> Result<Vectors, Failure> {
    let body = json(body, "Gemini")?;
    let rows = body["embeddings"].as_array();
    let rows = rows.ok_or_else(|| Failure::nonsense("Gemini", "expected `embeddings`"))?;
    let vectors = rows.iter().map(|row| vector(&row["values"], "Gemini")).collect::<Result<_, _>>()?;
    Ok((vectors, Usage::default()))
}

/// A request to Vertex AI to embed several texts.
pub(crate) fn vertex_embed(url: Url, texts: &[String], dimensions: Option<u32>) -> Post {
    let instances: Vec<Value> = texts.iter().map(|text| json!({ "content": text })).collect();
    let mut body = json!({ "instances": instances });
    if let Some(dimensions) = dimensions {
        body["parameters"]["outputDimensionality"] = dimensions.into();
    }
    Post::json(url, &body)
}

pub(crate) fn vertex_vectors(body: &[u8]) -> Result<Vectors, Failure> {
    let body = json(body, "Vertex AI")?;
    let rows = body["predictions"].as_array();
    let rows = rows.ok_or_else(|| Failure::nonsense("Vertex AI", "expected `predictions`"))?;
    let tokens = rows.iter().map(|row| count(&row["embeddings"]["statistics"]["token_count"])).sum();
    let vectors = rows.iter().map(|row| vector(&row["embeddings"]["values"], "Vertex AI"));
    Ok((vectors.collect::<Result<_, _>>()?, Usage { input_tokens: tokens, ..Usage::default() }))
}

/// Names of Gemini's models for chat or embeddings.
pub(crate) fn names(body: &[u8]) -> Result<Vec<String>, Failure> {
    let body = json(body, "Gemini")?;
    let rows = body["models"].as_array().ok_or_else(|| Failure::nonsense("Gemini", "expected `models`"))?;
    let name = |row: &Value| Some(row["name"].as_str()?.trim_start_matches("models/").to_owned());
    Ok(rows.iter().filter_map(name).collect())
}

/// Reads the chunks of an answer.
pub(crate) struct AnswerChunks {
    who: &'static str,
    calls: usize,
    usage: Usage,
    end: Option<End>,
}

impl AnswerChunks {
    pub(crate) fn new(who: &'static str) -> Self {
        Self { who, calls: 0, usage: Usage::default(), end: None }
    }

    fn part(&mut self, part: &Value, events: &mut VecDeque<Event>) -> Result<(), Failure> {
        if let Some(call) = part.get("functionCall") {
            let name = call["name"].as_str().filter(|name| !name.is_empty());
            let name = name.ok_or_else(|| Failure::nonsense(self.who, "a call without a name"))?.to_owned();
            self.calls += 1;
            let id = call["id"].as_str().map_or_else(|| format!("call-{}", self.calls), str::to_owned);
            let arguments = Some(&call["args"]).filter(|args| args.is_object()).cloned();
            events.push_back(Event::Call(ToolCall {
                id,
                name,
                arguments: arguments.unwrap_or_else(|| json!({})),
                signature: part["thoughtSignature"].as_str().map(str::to_owned),
            }));
        } else if part["thought"] != true
            && let Some(text) = part["text"].as_str().filter(|text| !text.is_empty())
        {
            events.push_back(Event::Text(text.to_owned()));
        }
        Ok(())
    }
}

impl Reader for AnswerChunks {
    fn take(&mut self, frame: &[u8], events: &mut VecDeque<Event>) -> Result<(), Failure> {
        let piece = json(frame, self.who)?;
        if piece.get("error").is_some() {
            return Err(refusal::within(self.who, &piece));
        }
        let told = &piece["usageMetadata"];
        if !piece["candidates"].is_array() && !told.is_object() {
            return Err(Failure::nonsense(self.who, "expected `candidates`"));
        }
        if told.is_object() {
            let cached = count(&told["cachedContentTokenCount"]);
            self.usage = Usage {
                input_tokens: count(&told["promptTokenCount"]).saturating_sub(cached),
                cached_input_tokens: cached,
                cache_creation_tokens: 0,
                output_tokens: count(&told["candidatesTokenCount"]),
                thinking_tokens: count(&told["thoughtsTokenCount"]),
            };
        }
        let candidate = &piece["candidates"][0];
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            self.part(part, events)?;
        }
        if let Some(reason) = candidate["finishReason"].as_str() {
            self.end = Some(match reason {
                "STOP" => End::Complete,
                "MAX_TOKENS" => End::Length,
                _ => End::Filtered,
            });
        } else if piece["promptFeedback"]["blockReason"].is_string() {
            self.end = Some(End::Filtered);
        }
        Ok(())
    }

    fn close(&mut self, events: &mut VecDeque<Event>) -> Result<(), Failure> {
        let end = self.end.ok_or_else(|| Failure::cut_off(self.who))?;
        if self.usage.is_told() {
            events.push_back(Event::Usage(self.usage));
        }
        let end = if self.calls > 0 && end == End::Complete { End::Calls } else { end };
        events.push_back(Event::End(end));
        Ok(())
    }
}
