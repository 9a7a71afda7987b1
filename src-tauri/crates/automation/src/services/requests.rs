//! HTTP requests described by tasks.
//!
//! Nothing is sent here.

use crate::call::{Call, TaskFailure};
use crate::duration;
use crate::secrets::WEBHOOK_SECRETS;
use crate::template::to_text;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use url::Url;

/// Default timeout; µs.
const PATIENCE: i64 = 30_000_000;

/// An HTTP request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    pub method: String,
    pub url: Url,
    pub headers: Vec<(String, String)>,
    pub body: Option<String>,
    /// µs.
    pub timeout: i64,
}

/// The idempotency key, by which another service can recognise a repeated attempt.
pub fn idempotency_key(execution: &str, call: &Call) -> String {
    format!("qd:{execution}:{}:{}", call.path, call.attempt)
}

/// The HTTP request of a call, if its kind has one.
pub fn request(
    execution: &str,
    call: &Call,
    secrets: &Map<String, Value>,
) -> Result<HttpRequest, TaskFailure> {
    let mut request = match call.kind.as_str() {
        "notifications.im" => message(&call.params, secrets)?,
        _ => http(&call.params)?,
    };
    request.timeout = request.timeout.min(call.timeout);
    if !request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("idempotency-key")) {
        request.headers.push(("Idempotency-Key".to_owned(), idempotency_key(execution, call)));
    }
    Ok(request)
}

fn wrong(message: impl Into<String>) -> TaskFailure {
    TaskFailure::new("InvalidParameters", message)
}

/// Whether a text is an HTTP address rather than a name.
pub fn is_address(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("https://") || text.starts_with("http://")
}

fn address(text: &str, name: &str) -> Result<Url, TaskFailure> {
    let url = Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.ok_or_else(|| wrong(format!("{name}: expected an address that begins with https:// or http://")))
}

fn http(params: &Value) -> Result<HttpRequest, TaskFailure> {
    let text = |name: &str| to_text(&params[name]);
    let needed = |name: &str| {
        Some(text(name))
            .filter(|text| !text.is_empty())
            .ok_or_else(|| wrong(format!("{name}: expected a text")))
    };
    for (name, instead) in [
        ("insecure_skip_verify", "add the authority to those the service trusts"),
        ("proxy_url", "set the proxy of the service"),
    ] {
        if !matches!(text(name).as_str(), "" | "false") {
            return Err(wrong(format!("{name} is not supported: {instead}")));
        }
    }
    let method = Some(text("method")).filter(|method| !method.is_empty()).unwrap_or_else(|| "GET".to_owned());
    let mut headers: Vec<(String, String)> = Vec::new();
    match &params["headers"] {
        Value::Object(given) => {
            headers.extend(given.iter().map(|(name, value)| (name.clone(), to_text(value))));
        }
        Value::Null => {}
        other => return Err(wrong(format!("headers: expected an object, found {other}"))),
    }
    match text("auth_type").as_str() {
        "" | "none" => {}
        "bearer" => headers.push(("Authorization".to_owned(), format!("Bearer {}", needed("bearer_token")?))),
        "basic" => {
            let pair = format!("{}:{}", text("basic_auth_username"), text("basic_auth_password"));
            headers.push(("Authorization".to_owned(), format!("Basic {}", STANDARD.encode(pair))));
        }
        "api_key" => {
            let name = Some(text("api_header_name")).filter(|name| !name.is_empty());
            headers.push((name.unwrap_or_else(|| "X-API-Key".to_owned()), needed("api_key")?));
        }
        other => {
            return Err(wrong(format!("auth_type: expected bearer, basic or api_key, found \"{other}\"")));
        }
    }
    let body = match &params["body"] {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        other => {
            if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
                headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
            }
            Some(other.to_string())
        }
    };
    let timeout = match text("timeout").as_str() {
        "" => PATIENCE,
        given => duration::parse(given)
            .or_else(|| duration::parse(&format!("{given}s")))
            .ok_or_else(|| wrong(format!("timeout: expected a span such as 30s, found \"{given}\"")))?,
    };
    Ok(HttpRequest {
        method: method.to_uppercase(),
        url: address(&text("url"), "url")?,
        headers,
        body,
        timeout,
    })
}

/// A message to a channel's incoming webhook.
fn message(params: &Value, secrets: &Map<String, Value>) -> Result<HttpRequest, TaskFailure> {
    let text = |name: &str| to_text(&params[name]);
    let provider = text("provider");
    let Some((_, secret)) = WEBHOOK_SECRETS.iter().find(|(known, _)| *known == provider) else {
        return Err(wrong(format!(
            "provider: expected slack, ms_teams or google_chat, found \"{provider}\""
        )));
    };
    let given = [text("webhook_url"), text("channel"), secrets.get(*secret).map(to_text).unwrap_or_default()];
    let Some(url) = given.iter().find(|url| is_address(url)) else {
        return Err(wrong(format!(
            "there is no channel \"{}\" in Settings, Notifications, and no address for messages to {provider}: name a channel, set \
             SECRET_{secret} in the environment of the service to the incoming webhook of the channel, or give it as channel",
            text("channel")
        )));
    };
    Ok(HttpRequest {
        method: "POST".to_owned(),
        url: address(url, "channel")?,
        headers: vec![("Content-Type".to_owned(), "application/json".to_owned())],
        body: Some(json!({ "text": text("message") }).to_string()),
        timeout: PATIENCE,
    })
}

#[cfg(test)]
mod tests {
    use super::{HttpRequest, TaskFailure, request};
    use crate::call::Call;
    use serde_json::{Map, Value, json};

    fn made(kind: &str, params: Value, secrets: &Map<String, Value>) -> Result<HttpRequest, TaskFailure> {
        let call = Call {
            path: "ask".to_owned(),
            task_id: "ask".to_owned(),
            kind: kind.to_owned(),
            attempt: 2,
            secrets: std::collections::BTreeSet::new(),
            params,
            timeout: 10_000_000,
        };
        request("run-1", &call, secrets)
    }

    #[test]
    fn a_request_carries_its_key_and_its_authority() {
        let params = json!({ "url": "https://a.example", "method": "post", "body": { "n": 1 }, "auth_type": "bearer", "bearer_token": "t" });
        let made = made("integrations.http", params, &Map::new()).unwrap();
        assert_eq!(
            (made.method.as_str(), made.body.as_deref(), made.timeout),
            ("POST", Some("{\"n\":1}"), 10_000_000)
        );
        for header in [
            ("Authorization", "Bearer t"),
            ("Content-Type", "application/json"),
            ("Idempotency-Key", "qd:run-1:ask:2"),
        ] {
            assert!(made.headers.contains(&(header.0.to_owned(), header.1.to_owned())), "{header:?}");
        }
    }

    #[test]
    fn what_cannot_be_sent_is_told() {
        for (params, expected) in [
            (json!({ "url": "ftp://a" }), "url: expected an address"),
            (
                json!({ "url": "https://a", "auth_type": "oauth2" }),
                "auth_type: expected bearer, basic or api_key",
            ),
            (
                json!({ "url": "https://a", "insecure_skip_verify": true }),
                "insecure_skip_verify is not supported",
            ),
            (json!({ "url": "https://a", "timeout": "soon" }), "timeout: expected a span"),
        ] {
            let failure = made("integrations.http", params, &Map::new()).unwrap_err();
            assert!(failure.message.starts_with(expected), "{}", failure.message);
        }
    }

    #[test]
    fn a_message_goes_to_the_webhook_of_its_channel() {
        let secrets = Map::from_iter([("SLACK_WEBHOOK".to_owned(), json!("https://hooks.example/x"))]);
        let params = json!({ "provider": "slack", "channel": "#ops", "message": "hello" });
        let sent = made("notifications.im", params.clone(), &secrets).unwrap();
        assert_eq!(
            (sent.url.as_str(), sent.body.as_deref()),
            ("https://hooks.example/x", Some("{\"text\":\"hello\"}"))
        );
        let failure = made("notifications.im", params, &Map::new()).unwrap_err();
        assert!(failure.message.contains("SECRET_SLACK_WEBHOOK"), "{}", failure.message);
    }
}
