//! Runs Slack tasks, one request after the other.

use super::Runner;
use automation::plan::TaskFailure;
use automation::services::slack::{
    ChannelAnswer, ReactionAnswer, SentMessage, SlackAction, SlackTask, check, thread, thread_fields,
};
use serde::Serialize;
use serde_json::Value;

fn given(answer: &impl Serialize) -> Result<Value, TaskFailure> {
    serde_json::to_value(answer).map_err(|error| TaskFailure::new("Slack", error.to_string()))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

impl Runner {
    pub(super) async fn speak_to_slack(&self, task: SlackTask) -> Result<Value, TaskFailure> {
        match &task.action {
            SlackAction::Direct { user, message } => {
                let user = if user.contains('@') {
                    let found =
                        self.slack(&task, "users.lookupByEmail", &[("email", user)], true, "").await?;
                    text(&found["user"]["id"])
                } else {
                    user.clone()
                };
                let opened = self.slack(&task, "conversations.open", &[("users", &user)], false, "").await?;
                let channel = text(&opened["channel"]["id"]);
                let posted = self.post_in_slack(&task, &channel, message).await?;
                given(&SentMessage {
                    user_id: user,
                    channel_id: channel,
                    message_id: posted,
                    provider: "slack",
                })
            }
            SlackAction::ReadThread { channel, thread: ts } => {
                let fields = thread_fields(channel, ts);
                let answer = self.slack(&task, "conversations.replies", &fields, true, "").await?;
                thread(channel, ts, &answer)
            }
            SlackAction::React { channel, message, emoji } => {
                let fields = [("channel", channel.as_str()), ("timestamp", message), ("name", emoji)];
                self.slack(&task, "reactions.add", &fields, false, "already_reacted").await?;
                given(&ReactionAnswer {
                    success: true,
                    provider: "slack",
                    channel_id: channel.clone(),
                    message_id: message.clone(),
                    reaction: emoji.clone(),
                })
            }
            SlackAction::Join { channel, text: words } => {
                let joined =
                    self.slack(&task, "conversations.join", &[("channel", channel)], false, "").await?;
                let posted = if words.is_empty() {
                    None
                } else {
                    Some(self.post_in_slack(&task, channel, words).await?)
                };
                given(&ChannelAnswer {
                    success: true,
                    channel_id: channel.clone(),
                    channel_name: text(&joined["channel"]["name"]),
                    message_id: posted,
                })
            }
        }
    }

    async fn post_in_slack(
        &self,
        task: &SlackTask,
        channel: &str,
        words: &str,
    ) -> Result<String, TaskFailure> {
        let fields = [("channel", channel), ("text", words)];
        Ok(text(&self.slack(task, "chat.postMessage", &fields, false, "").await?["ts"]))
    }

    async fn slack(
        &self,
        task: &SlackTask,
        method: &str,
        fields: &[(&str, &str)],
        reads: bool,
        accepted: &str,
    ) -> Result<Value, TaskFailure> {
        let answer = self.ask_in_time(task.request(method, fields, reads)?).await?;
        check(&answer["body"], accepted)?;
        Ok(answer["body"].clone())
    }
}
