//! Sends messages of tasks through the channels in Settings, Notifications. They are queued in the
//! transaction of the journal, therefore each is sent once.

use super::run_row::RunRow;
use crate::notices::{ChannelMessage, has_channel, mail_channel, queue_message};
use automation::plan::Call;
use automation::services::requests::is_address;
use automation::template::to_text;
use graphql::Refusal;
use serde::Serialize;
use serde_json::Value;
use store::Transaction;

/// Maximum length of a message's title, in characters.
const MAX_TITLE_LENGTH: usize = 120;
const NO_MAIL: &str =
    "there is no channel for mail that is switched on: an administrator adds one in Settings, Notifications";

/// The output of a task that sends a message: it was queued, with the id of its notice.
#[derive(Debug, Serialize)]
pub(super) struct SentMessage {
    success: bool,
    message_id: String,
}

/// Whether a message is for a channel of the tenant instead of for an address in the task.
pub(super) fn is_for_channel(rows: &Transaction<'_>, call: &Call) -> Result<bool, Refusal> {
    let channel = to_text(&call.params["channel"]);
    let has_address = is_address(&channel) || is_address(&to_text(&call.params["webhook_url"]));
    Ok(call.kind == "notifications.im" && !channel.is_empty() && !has_address && has_channel(rows, &channel)?)
}

/// Handles `notifications.im` for a channel of the tenant.
pub(super) fn say(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<SentMessage, Refusal> {
    let message = to_text(&call.params["message"]);
    let (title, text) = halves(message.trim());
    if title.is_empty() {
        return Err(Refusal::invalid("message: expected a text"));
    }
    let channel = to_text(&call.params["channel"]);
    let notice = send(
        rows,
        (run, call),
        &Letter { channel: &channel, title: &title, text: &text, ..Letter::default() },
    )?;
    Ok(SentMessage { success: true, message_id: notice })
}

/// Handles `notifications.email`.
pub(super) fn mail(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<SentMessage, Refusal> {
    let text = |name: &str| to_text(&call.params[name]).trim().to_owned();
    for (name, allowed) in [("bcc", &[""][..]), ("body_format", &["", "text", "plain", "markdown"])] {
        let given = text(name).to_lowercase();
        if !allowed.contains(&given.as_str()) && given != "[]" {
            return Err(Refusal::invalid(format!(
                "{name} is \"{given}\": mail is sent as text, and everybody in it sees who gets it"
            )));
        }
    }
    let mut recipients = addresses("recipients", &call.params["recipients"])?;
    recipients.extend(addresses("cc", &call.params["cc"])?);
    if recipients.is_empty() {
        return Err(Refusal::invalid("recipients: expected at least one address of mail"));
    }
    let (subject, body, reply_to) = (text("subject"), text("body"), text("reply_to"));
    if subject.is_empty() {
        return Err(Refusal::invalid("subject: expected a text"));
    }
    let channel = match text("channel") {
        named if named.is_empty() => mail_channel(rows)?.ok_or_else(|| Refusal::conflict(NO_MAIL))?,
        named => named,
    };
    let letter = Letter {
        channel: &channel,
        title: &subject,
        text: &body,
        recipients: &recipients,
        reply_to: Some(reply_to.as_str()).filter(|address| !address.is_empty()),
    };
    let notice = send(rows, (run, call), &letter)?;
    Ok(SentMessage { success: true, message_id: notice })
}

#[derive(Default)]
struct Letter<'l> {
    channel: &'l str,
    title: &'l str,
    text: &'l str,
    recipients: &'l [String],
    reply_to: Option<&'l str>,
}

fn send(
    rows: &Transaction<'_>,
    (run, call): (&RunRow, &Call),
    letter: &Letter<'_>,
) -> Result<String, Refusal> {
    let key = format!("{}:{}:{}", run.id, call.path, call.attempt);
    let Letter { channel, title, text, recipients, reply_to } = *letter;
    let one = ChannelMessage { channel, key: &key, title, text, recipients, reply_to };
    Ok(queue_message(rows, &one)?.to_string())
}

/// Reads a list of addresses, or a text with addresses separated by commas or semicolons.
fn addresses(name: &str, given: &Value) -> Result<Vec<String>, Refusal> {
    let texts: Vec<String> = match given {
        Value::Array(list) => list.iter().map(to_text).collect(),
        other => to_text(other).split([',', ';']).map(str::to_owned).collect(),
    };
    let mut found = Vec::new();
    for address in texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()) {
        let is_address =
            address.split_once('@').is_some_and(|(who, place)| !who.is_empty() && place.contains('.'))
                && !address.contains(char::is_whitespace);
        if !is_address {
            let message = format!("{name}: expected addresses of mail, found \"{address}\"");
            return Err(Refusal::invalid(message));
        }
        found.push(address.to_owned());
    }
    Ok(found)
}

/// Splits a message into its title (the first line) and the rest.
fn halves(message: &str) -> (String, String) {
    let (first, rest) = message.split_once('\n').unwrap_or((message, ""));
    if first.chars().count() <= MAX_TITLE_LENGTH {
        return (first.trim().to_owned(), rest.trim().to_owned());
    }
    let title: String = first.chars().take(MAX_TITLE_LENGTH - 1).collect();
    (format!("{title}…"), message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{addresses, halves};
    use serde_json::json;

    #[test]
    fn addresses_are_a_list_or_a_text() {
        let both = Ok(vec!["a@b.example".to_owned(), "c@d.example".to_owned()]);
        let found = |given| addresses("recipients", &given).map_err(|refusal| refusal.message);
        assert_eq!(found(json!(["a@b.example", " c@d.example "])), both);
        assert_eq!(found(json!("a@b.example; c@d.example,")), both);
        assert_eq!(found(json!(null)), Ok(Vec::new()));
        assert_eq!(
            found(json!("ops")),
            Err("recipients: expected addresses of mail, found \"ops\"".to_owned())
        );
    }

    #[test]
    fn a_message_has_its_first_line_above_it() {
        assert_eq!(halves("Done"), ("Done".to_owned(), String::new()));
        assert_eq!(halves("Done\nall of it"), ("Done".to_owned(), "all of it".to_owned()));
        let long = "a".repeat(200);
        let (title, text) = halves(&long);
        assert_eq!((title.chars().count(), text), (120, long));
    }
}
