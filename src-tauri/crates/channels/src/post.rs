//! Posts messages to webhooks: Slack, Teams (a workflow that accepts adaptive cards), and any other program as JSON.

use crate::channel::{Channel, Kind};
use crate::failure::{Failure, clean};
use crate::message::{Item, Message, Severity, time};
use outgoing::{Method, Outgoing, OutgoingSettings, Response, header, read};
use ring::hmac;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;
use url::Url;

/// Maximum size of a response, bytes; usually it is a word or two.
const LARGEST: usize = 64 * 1024;
/// Maximum number of characters in a Slack block.
const LONGEST_BLOCK: usize = 2_900;

/// Posts a message to a webhook, signed if there is a key.
pub(crate) async fn send(
    way: &OutgoingSettings,
    channel: &Channel,
    (kind, url, key): (Kind, &str, Option<&str>),
    message: &Message,
) -> Result<(), Failure> {
    let url: Url = kind.hook(url).map_err(|why| Failure::lasting(format!("The address {why}.")))?;
    let mut way = way.clone();
    let host = url.host_str().unwrap_or_default();
    if host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback()) {
        // Services on this machine are not behind the proxy.
        way.proxy = None;
    }
    let outgoing = way.open()?;
    let body = body(kind, message).to_string();
    let mut request = outgoing
        .request(Method::POST, &url)?
        .header(header::CONTENT_TYPE, "application/json")
        .header("Idempotency-Key", message.id.to_string());
    if let Some(key) = key {
        request = request.header("X-Quarterdeck-Signature", signature(key, body.as_bytes()));
    }
    let response = outgoing.send(request.body(body)).await?;
    settled(&outgoing, channel, response, &[url.as_str(), url.path(), key.unwrap_or_default()]).await
}

async fn settled(
    outgoing: &Outgoing,
    channel: &Channel,
    response: Response,
    secrets: &[&str],
) -> Result<(), Failure> {
    let status = response.status();
    if status.is_success() {
        return Ok(());
    }
    let asked = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
    let retry_after = asked.and_then(|text| text.trim().parse().ok()).map(Duration::from_secs);
    // Responses from internal addresses are not revealed to users who may not read them.
    let words = if outgoing.may_be_quoted(&response) {
        let body = read(response, LARGEST).await.unwrap_or_default();
        clean(&String::from_utf8_lossy(&body), secrets)
    } else {
        String::new()
    };
    Err(Failure::of_status(&channel.name, status, retry_after, &words))
}

/// The signature `sha256=…` of the body, in the format of GitHub webhooks.
fn signature(key: &str, body: &[u8]) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()), body);
    tag.as_ref().iter().fold("sha256=".to_owned(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn body(kind: Kind, message: &Message) -> Value {
    match kind {
        Kind::Slack => slack(message),
        Kind::Teams => teams(message),
        Kind::Email | Kind::Webhook => plain(message),
    }
}

/// The JSON for programs. The names of its members are part of the interface: docs/guide/notifications.md.
fn plain(message: &Message) -> Value {
    let item = |item: &Item| {
        json!({
            "subject": item.subject,
            "severity": item.severity,
            "title": item.title,
            "text": item.text,
            "link": item.link,
            "raised_at": time(item.raised_at),
        })
    };
    let items: Vec<Value> = message.items.iter().map(item).collect();
    json!({ "id": message.id, "title": message.title(), "text": message.text(), "notices": items })
}

fn slack(message: &Message) -> Value {
    let block = |item: &Item| {
        let mut text = format!("*{}*", escaped(&item.title));
        if !item.text.is_empty() {
            let _ = write!(text, "\n{}", escaped(&item.text));
        }
        let mut text: String = text.chars().take(LONGEST_BLOCK).collect();
        if let Some(link) = &item.link {
            let _ = write!(text, "\n<{link}|Open in Quarterdeck>");
        }
        json!({ "type": "section", "text": { "type": "mrkdwn", "text": text } })
    };
    // Slack accepts 50 blocks.
    let blocks: Vec<Value> = message.items.iter().take(50).map(block).collect();
    json!({ "text": escaped(&message.title()), "blocks": blocks })
}

/// Escapes the three characters that are special in Slack.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn teams(message: &Message) -> Value {
    let block = |item: &Item| {
        let colour = match item.severity {
            Severity::Critical => "Attention",
            Severity::Warning => "Warning",
            Severity::Info => "Default",
        };
        let mut items = vec![json!({
            "type": "TextBlock", "text": item.title, "weight": "Bolder", "color": colour, "wrap": true
        })];
        if !item.text.is_empty() {
            items.push(json!({ "type": "TextBlock", "text": item.text, "wrap": true }));
        }
        if let Some(link) = &item.link {
            let open = json!({ "type": "Action.OpenUrl", "title": "Open in Quarterdeck", "url": link });
            items.push(json!({ "type": "ActionSet", "actions": [open] }));
        }
        json!({ "type": "Container", "separator": true, "items": items })
    };
    let content = json!({
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "fallbackText": message.title(),
        "body": message.items.iter().map(block).collect::<Vec<_>>(),
    });
    let card = json!({ "contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": null, "content": content });
    json!({ "type": "message", "attachments": [card] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::tests::{item, message};

    #[test]
    fn slack_is_told_without_its_own_signs() {
        let body = slack(&message(vec![item(Severity::Warning, "A <b> & c")]));
        assert_eq!(body["text"], "A &lt;b&gt; &amp; c");
        assert_eq!(
            body["blocks"][0]["text"]["text"],
            "*A &lt;b&gt; &amp; c*\nUSD 820.00 of 1,000.00\n<https://q.example.com/costs/budgets?open=1|Open in Quarterdeck>"
        );
    }

    #[test]
    fn teams_gets_a_card_with_a_container_an_item() {
        let body = teams(&message(vec![item(Severity::Critical, "One"), item(Severity::Info, "Two")]));
        let card = &body["attachments"][0]["content"];
        assert_eq!(card["type"], "AdaptiveCard");
        assert_eq!(card["body"].as_array().unwrap().len(), 2);
        assert_eq!(card["body"][0]["items"][0]["color"], "Attention");
    }

    #[test]
    fn a_signature_is_that_of_the_body() {
        // RFC 4231, test case 2.
        assert_eq!(
            signature("Jefe", b"what do ya want for nothing?"),
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn programs_get_every_item_by_name() {
        let body = plain(&message(vec![item(Severity::Warning, "One")]));
        assert_eq!(body["notices"][0]["severity"], "warning");
        assert_eq!(body["notices"][0]["raised_at"], "1970-01-01T00:00:00Z");
    }
}
