//! An answer while it is made: what is written so far, what it rests on, and what was looked at for it.

use super::TalkProgress;
use super::evidence::Collection;
use llm::ToolCall;

#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Written since the last look.
    pub text: String,
    pub evidence: Collection,
    pub looks: Vec<Look>,
    /// Why the text ends before its end, though nothing failed.
    pub cut_off: Option<&'static str>,
}

/// A call of the model, and what came of it.
#[derive(Debug)]
pub(super) struct Look {
    pub call: ToolCall,
    /// What was looked at, in a few words.
    pub title: String,
    /// What the model was told.
    pub told: String,
    /// The name of the evidence it brought; none where it was refused.
    pub evidence: Option<String>,
    /// µs since 1970 UTC.
    pub began: i64,
    pub ended: i64,
}

impl Draft {
    /// Has something written, and notes its text as it comes: also of what breaks off.
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
