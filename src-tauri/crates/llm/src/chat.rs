//! Requests to a language model, and the parts of its answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A chat request: the conversation so far, and the tools the model may use.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chat {
    /// In chronological order. System messages come first.
    pub messages: Vec<Message>,
    /// The tools the model may call. If empty, it can only write text.
    pub tools: Vec<Tool>,
    /// Maximum number of tokens of the answer; `None` uses the provider's setting.
    pub max_tokens: Option<u32>,
    /// 0 for the most likely tokens; `None` uses the model's default.
    pub temperature: Option<f64>,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "role")]
pub enum Message {
    System {
        text: String,
    },
    User {
        text: String,
    },
    /// Text and tool calls of the model.
    Assistant {
        text: String,
        calls: Vec<ToolCall>,
    },
    /// The result of a call: `id` and `name` of the [`ToolCall`], and text, usually JSON.
    Tool {
        id: String,
        name: String,
        text: String,
    },
}

impl Message {
    pub fn system(text: impl Into<String>) -> Self {
        Self::System { text: text.into() }
    }

    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into() }
    }
}

/// A tool the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Letters, digits, `_` and `-`, at most 64.
    pub name: String,
    pub description: String,
    /// JSON schema of its arguments: an object.
    pub parameters: Value,
}

/// A tool call by the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Identifies the result; generated here if the provider sends none.
    pub id: String,
    pub name: String,
    /// An object, not checked against the schema.
    pub arguments: Value,
    /// Data the provider requires with the call in the next request (Gemini's thought signature).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// More of the text.
    Text(String),
    /// A complete call.
    Call(ToolCall),
    /// Token usage so far; a later event replaces an earlier one.
    Usage(Usage),
    /// The last event.
    End(End),
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The answer is complete.
    Complete,
    /// The model waits for the results of its calls.
    Calls,
    /// The token limit was reached: the text is incomplete.
    Length,
    /// The provider's filter stopped it.
    Filtered,
}

/// Token usage of one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Input tokens, excluding cached ones.
    pub input_tokens: u64,
    pub cached_input_tokens: u64,
    pub cache_creation_tokens: u64,
    /// Output tokens, excluding thinking tokens.
    pub output_tokens: u64,
    pub thinking_tokens: u64,
}

impl Usage {
    /// Whether the provider reported any usage.
    pub fn is_told(&self) -> bool {
        *self != Self::default()
    }

    /// The sum of all tokens.
    pub fn total(&self) -> u64 {
        self.input_tokens
            + self.cached_input_tokens
            + self.cache_creation_tokens
            + self.output_tokens
            + self.thinking_tokens
    }
}
