//! An answer in progress: its text, its evidence and its tool calls.

use super::ChatProgress;
use super::evidence::Collection;
use llm::ToolCall;

#[derive(Debug, Default)]
pub(super) struct Draft {
    /// The text written since the last tool call.
    pub text: String,
    pub evidence: Collection,
    pub tool_calls: Vec<ToolCallRecord>,
    /// The reason why the text is incomplete although nothing failed.
    pub cut_off: Option<&'static str>,
}

/// A tool call of the model with its result.
#[derive(Debug)]
pub(super) struct ToolCallRecord {
    pub call: ToolCall,
    /// A short title for the user.
    pub title: String,
    /// The result in the form that the model receives.
    pub result: String,
    /// The id of the evidence found; `None` if the call was refused.
    pub evidence: Option<String>,
    /// Start time, µs since 1970 UTC.
    pub started_at: i64,
    pub ended_at: i64,
}

impl Draft {
    /// Runs a request and records its text while it is streamed, including the text of a request that breaks off.
    pub fn write<T>(
        &mut self,
        on_progress: &mut dyn FnMut(ChatProgress),
        ask: impl FnOnce(&mut dyn FnMut(ChatProgress)) -> T,
    ) -> T {
        self.text.clear();
        let text = &mut self.text;
        ask(&mut |heard| {
            if let ChatProgress::Text(piece) = &heard {
                text.push_str(piece);
            }
            on_progress(heard);
        })
    }
}
