//! An answer in progress: its text, its evidence and its tool calls.

use super::TalkProgress;
use super::evidence::Collection;
use llm::ToolCall;

#[derive(Debug, Default)]
pub(super) struct Draft {
    /// The text written since the last tool call.
    pub text: String,
    pub evidence: Collection,
    pub looks: Vec<Look>,
    /// The reason why the text is incomplete although nothing failed.
    pub cut_off: Option<&'static str>,
}

/// A tool call of the model with its result.
#[derive(Debug)]
pub(super) struct Look {
    pub call: ToolCall,
    /// A short title for the user.
    pub title: String,
    /// The result in the form that the model receives.
    pub told: String,
    /// The id of the evidence found; `None` if the call was refused.
    pub evidence: Option<String>,
    /// Start time, µs since 1970 UTC.
    pub began: i64,
    pub ended: i64,
}

impl Draft {
    /// Runs a request and records its text while it is streamed, including the text of a request that breaks off.
    pub fn write<T>(
        &mut self,
        hear: &mut dyn FnMut(TalkProgress),
        ask: impl FnOnce(&mut dyn FnMut(TalkProgress)) -> T,
    ) -> T {
        self.text.clear();
        let text = &mut self.text;
        ask(&mut |heard| {
            if let TalkProgress::Text(piece) = &heard {
                text.push_str(piece);
            }
            hear(heard);
        })
    }
}
