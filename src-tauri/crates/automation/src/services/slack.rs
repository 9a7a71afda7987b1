//! Tasks that need Slack's Web API, with the token of an app (`SECRET_SLACK_BOT_TOKEN`), because an incoming webhook is not enough.

use crate::call::{Call, TaskFailure};
use crate::params::{given, wrong};
use crate::secrets::SLACK_TOKEN;
use crate::services::requests::HttpRequest;
use crate::template::to_text;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fmt;
use url::Url;

/// Default base address of the API.
const PUBLIC: &str = "https://slack.com/api/";
/// Timeout of one request; µs.
const PATIENCE: i64 = 30_000_000;
/// Maximum number of messages read from a thread.
const MOST_MESSAGES: &str = "200";

const KINDS: [&str; 4] =
    ["notifications.add_reaction", "notifications.dm", "notifications.read_thread", "slack.join_channel"];

/// A Slack task.
#[derive(Clone, PartialEq)]
pub struct SlackTask {
    pub action: SlackAction,
    base: Url,
    token: String,
    timeout: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlackAction {
    /// `user`: a user id or an e-mail address.
    Direct {
        user: String,
        message: String,
    },
    ReadThread {
        channel: String,
        thread: String,
    },
    React {
        channel: String,
        message: String,
        emoji: String,
    },
    Join {
        channel: String,
        text: String,
    },
}

impl fmt::Debug for SlackTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SlackTask({} {:?})", self.base, self.action)
    }
}

/// Whether a kind is a Slack task.
pub fn is_one(kind: &str) -> bool {
    KINDS.contains(&kind)
}

/// Whether such a task can be repeated: it only reads, or repeating has no further effect.
pub fn may_run_again(kind: &str, params: &Value) -> bool {
    match kind {
        "notifications.add_reaction" | "notifications.read_thread" => true,
        "slack.join_channel" => to_text(&params["text"]).trim().is_empty(),
        _ => false,
    }
}

impl SlackTask {
    /// The host to send requests to.
    pub fn host(&self) -> Option<&str> {
        self.base.host_str()
    }

    /// Reads a call with rendered parameters.
    pub fn read(call: &Call, secrets: &Map<String, Value>) -> Result<Self, TaskFailure> {
        let action = action(call)?;
        let token = secrets.get(SLACK_TOKEN).map(to_text).filter(|token| !token.is_empty());
        let token = token.ok_or_else(|| {
            wrong(format!(
                "there is no token for Slack: set SECRET_{SLACK_TOKEN} in the environment of the service to that of an app of your workspace"
            ))
        })?;
        let given = to_text(&call.params["base_url"]).trim().trim_end_matches('/').to_owned();
        let base = if given.is_empty() { PUBLIC.to_owned() } else { format!("{given}/") };
        let base = Url::parse(&base).ok().filter(|url| matches!(url.scheme(), "https" | "http"));
        let base =
            base.ok_or_else(|| wrong("base_url: expected an address such as https://slack.com/api"))?;
        Ok(Self { action, base, token, timeout: call.timeout })
    }

    /// A request to an API method. The fields become query parameters if the method only reads.
    pub fn request(
        &self,
        method: &str,
        fields: &[(&str, &str)],
        reads: bool,
    ) -> Result<HttpRequest, TaskFailure> {
        let mut url = self.base.join(method).map_err(|error| wrong(format!("base_url: {error}")))?;
        let mut headers = vec![("Authorization".to_owned(), format!("Bearer {}", self.token))];
        let mut body = None;
        if reads {
            url.query_pairs_mut().extend_pairs(fields);
        } else {
            headers.push(("Content-Type".to_owned(), "application/json; charset=utf-8".to_owned()));
            let fields: Map<String, Value> =
                fields.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
            body = Some(Value::Object(fields).to_string());
        }
        let method = if reads { "GET" } else { "POST" }.to_owned();
        Ok(HttpRequest { method, url, headers, body, timeout: PATIENCE.min(self.timeout) })
    }
}

fn action(call: &Call) -> Result<SlackAction, TaskFailure> {
    let text = |name: &str| to_text(&call.params[name]).trim().to_owned();
    let needed = |name: &str| {
        Some(text(name))
            .filter(|text| !text.is_empty())
            .ok_or_else(|| wrong(format!("{name}: expected a text")))
    };
    let provider = text("provider");
    if call.kind.starts_with("notifications.") && provider != "slack" {
        return Err(wrong(format!(
            "provider is \"{provider}\": expected slack; Teams and Google Chat take messages by webhooks alone (notifications.im)"
        )));
    }
    Ok(match call.kind.as_str() {
        "notifications.dm" => SlackAction::Direct { user: needed("user_id")?, message: needed("message")? },
        "notifications.read_thread" => {
            SlackAction::ReadThread { channel: needed("channel_id")?, thread: needed("thread_ts")? }
        }
        "notifications.add_reaction" => SlackAction::React {
            channel: needed("channel_id")?,
            message: needed("message_id")?,
            emoji: needed("emoji")?.trim_matches(':').to_owned(),
        },
        "slack.join_channel" => SlackAction::Join { channel: needed("channel_id")?, text: text("text") },
        other => return Err(wrong(format!("{other} is no task of Slack"))),
    })
}

/// Describes a call.
pub fn told(call: &Call) -> String {
    match action(call) {
        Ok(SlackAction::Direct { user, message }) => format!("Send {user} on Slack:\n\n{message}"),
        Ok(SlackAction::ReadThread { channel, thread }) => {
            format!("Read the thread {thread} of the Slack channel {channel}")
        }
        Ok(SlackAction::React { channel, message, emoji }) => {
            format!("React with :{emoji}: to {message} in the Slack channel {channel}")
        }
        Ok(SlackAction::Join { channel, text }) if text.is_empty() => {
            format!("Join the Slack channel {channel}")
        }
        Ok(SlackAction::Join { channel, text }) => {
            format!("Join the Slack channel {channel} and say:\n\n{text}")
        }
        Err(failure) => format!("It would fail: {}", failure.message),
    }
}

/// Fails if the response reports an error, except `accepted`, which means that there is nothing left to do.
pub fn check(answer: &Value, accepted: &str) -> Result<(), TaskFailure> {
    let error = answer["error"].as_str().unwrap_or("unknown");
    if answer["ok"] == true || !accepted.is_empty() && error == accepted {
        return Ok(());
    }
    let hint = match error {
        "missing_scope" => {
            answer["needed"].as_str().map(|scope| format!(": the app needs the scope {scope}"))
        }
        "not_in_channel" => Some(": the app must join the channel first (slack.join_channel)".to_owned()),
        _ => None,
    };
    Err(TaskFailure::new("Slack", format!("Slack answered {error}{}", hint.unwrap_or_default())))
}

/// The output of `notifications.dm`.
#[derive(Debug, Serialize)]
pub struct SentMessage {
    pub user_id: String,
    pub channel_id: String,
    pub message_id: String,
    pub provider: &'static str,
}

/// The output of `notifications.add_reaction`.
#[derive(Debug, Serialize)]
pub struct ReactionAnswer {
    pub success: bool,
    pub provider: &'static str,
    pub channel_id: String,
    pub message_id: String,
    pub reaction: String,
}

/// The output of `slack.join_channel`.
#[derive(Debug, Serialize)]
pub struct ChannelAnswer {
    pub success: bool,
    pub channel_id: String,
    pub channel_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
}

/// The output of `notifications.read_thread`.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, clippy::struct_field_names, reason = "definitions read these names")]
pub struct Thread {
    success: bool,
    channel_id: String,
    thread_ts: String,
    messages: Vec<Message>,
    has_more: bool,
    has_responses: bool,
    has_reactions: bool,
    reply_count: u64,
}

#[derive(Debug, Serialize)]
struct Message {
    ts: String,
    text: String,
    user_id: String,
    is_parent: bool,
    reply_count: u64,
    reactions: Vec<Reaction>,
}

#[derive(Debug, Serialize)]
struct Reaction {
    name: String,
    count: u64,
    users: Vec<String>,
}

/// The fields of a request for a thread.
pub fn thread_fields<'a>(channel: &'a str, thread: &'a str) -> [(&'a str, &'a str); 3] {
    [("channel", channel), ("ts", thread), ("limit", MOST_MESSAGES)]
}

/// Reads a thread from a response.
pub fn thread(channel: &str, ts: &str, answer: &Value) -> Result<Value, TaskFailure> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let reaction = |one: &Value| Reaction {
        name: text(&one["name"]),
        count: one["count"].as_u64().unwrap_or_default(),
        users: list(&one["users"]).iter().map(text).collect(),
    };
    let message = |one: &Value| Message {
        ts: text(&one["ts"]),
        text: text(&one["text"]),
        user_id: text(&one["user"]),
        is_parent: one["ts"] == ts,
        reply_count: one["reply_count"].as_u64().unwrap_or_default(),
        reactions: list(&one["reactions"]).iter().map(reaction).collect(),
    };
    let messages: Vec<Message> = list(&answer["messages"]).iter().map(message).collect();
    let has_reactions = messages.iter().any(|message| !message.reactions.is_empty());
    let reply_count =
        messages.iter().find(|message| message.is_parent).map_or(0, |parent| parent.reply_count);
    given(&Thread {
        success: true,
        channel_id: channel.to_owned(),
        thread_ts: ts.to_owned(),
        has_more: answer["has_more"] == true,
        has_responses: has_reactions || reply_count > 0,
        has_reactions,
        reply_count,
        messages,
    })
}

#[cfg(test)]
mod tests {
    use super::{SlackTask, check, thread, told};
    use crate::call::Call;
    use serde_json::{Map, Value, json};

    fn call(kind: &str, params: Value) -> Call {
        Call {
            path: "say".to_owned(),
            task_id: "say".to_owned(),
            kind: kind.to_owned(),
            attempt: 1,
            secrets: std::collections::BTreeSet::new(),
            params,
            timeout: 60_000_000,
        }
    }

    #[test]
    fn a_task_of_slack_needs_its_token_and_its_parameters() {
        let secrets = Map::from_iter([("SLACK_BOT_TOKEN".to_owned(), json!("xoxb-1"))]);
        let hello = json!({ "provider": "slack", "user_id": "U1", "message": "hello" });
        let made = SlackTask::read(&call("notifications.dm", hello.clone()), &secrets).unwrap();
        let request =
            made.request("chat.postMessage", &[("channel", "D1"), ("text", "hello")], false).unwrap();
        assert_eq!(request.url.as_str(), "https://slack.com/api/chat.postMessage");
        assert_eq!(request.body.as_deref(), Some("{\"channel\":\"D1\",\"text\":\"hello\"}"));
        assert!(!format!("{made:?}").contains("xoxb"));
        assert_eq!(told(&call("notifications.dm", hello.clone())), "Send U1 on Slack:\n\nhello");
        for (kind, params, secrets, expected) in [
            (
                "notifications.dm",
                hello,
                Map::new(),
                "there is no token for Slack: set SECRET_SLACK_BOT_TOKEN",
            ),
            ("notifications.dm", json!({ "provider": "slack" }), secrets.clone(), "user_id: expected a text"),
            (
                "notifications.add_reaction",
                json!({ "provider": "ms_teams" }),
                secrets,
                "provider is \"ms_teams\"",
            ),
        ] {
            let failure = SlackTask::read(&call(kind, params), &secrets).unwrap_err();
            assert!(failure.message.starts_with(expected), "{}", failure.message);
        }
    }

    #[test]
    fn answers_say_what_slack_refused() {
        assert!(check(&json!({ "ok": true }), "").is_ok());
        assert!(check(&json!({ "ok": false, "error": "already_reacted" }), "already_reacted").is_ok());
        let refused = json!({ "ok": false, "error": "missing_scope", "needed": "chat:write" });
        let failure = check(&refused, "").unwrap_err();
        assert_eq!(failure.message, "Slack answered missing_scope: the app needs the scope chat:write");
    }

    #[test]
    fn a_thread_is_read() {
        let answer = json!({ "ok": true, "messages": [
            { "ts": "1.2", "text": "disk full", "user": "U1", "reply_count": 1, "reactions": [{ "name": "eyes", "count": 1, "users": ["U2"] }] },
            { "ts": "1.3", "text": "on it", "user": "U2" },
        ] });
        let found = thread("C1", "1.2", &answer).unwrap();
        assert_eq!((&found["reply_count"], &found["has_reactions"]), (&json!(1), &json!(true)));
        assert_eq!(found["messages"][1]["text"], "on it");
    }
}
