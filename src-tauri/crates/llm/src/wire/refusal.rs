//! Turns error responses of providers into failures.

use crate::failure::{Failure, FailureKind};
use outgoing::StatusCode;
use serde_json::Value;
use std::time::Duration;

/// Maximum length of a quoted message, in characters.
const LONGEST: usize = 200;

/// Prefixes of providers' keys.
const KEYS: [&str; 9] = ["sk-", "gsk_", "hf_", "AIza", "AKIA", "ASIA", "ya29.", "eyJ", "xox"];
/// Minimum length of a word that can be a key.
const SHORTEST_KEY: usize = 16;

/// The failure for an error status. Of the body, only the short message of a known error format is quoted, without `secrets`: a configured address
/// may lead to any program, whose pages must not be readable here (ADR 028).
pub(crate) fn of_status(
    who: &str,
    status: StatusCode,
    retry_after: Option<&str>,
    body: &[u8],
    secrets: &[&str],
) -> Failure {
    let body: Option<Value> = serde_json::from_slice(body).ok();
    let words = body.as_ref().and_then(words).map(|words| clean(&words, secrets)).unwrap_or_default();
    let said = if words.is_empty() { String::new() } else { format!(" It says: {}", short(&words)) };
    let low = words.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| low.contains(part));
    let trouble = match status.as_u16() {
        401 | 403 => FailureKind::Refused,
        400 if has(&["api key not valid", "api_key_invalid", "security token"]) => FailureKind::Refused,
        429 => FailureKind::Limited,
        404 => FailureKind::ModelUnknown,
        400 if has(&[
            "model identifier is invalid",
            "model not found",
            "unknown model",
            "does not exist",
        ]) =>
        {
            FailureKind::ModelUnknown
        }
        413 => FailureKind::TooLong,
        400 if has(&["context length", "too long", "maximum context", "too many tokens", "context size"]) => {
            FailureKind::TooLong
        }
        408 | 504 => FailureKind::Slow,
        300..=399 => FailureKind::Setting,
        500.. => FailureKind::Broken,
        _ => FailureKind::Rejected,
    };
    let code = status.as_u16();
    let wait = wait(retry_after).or_else(|| body.as_ref().and_then(delay));
    let (happened, remedy) = match trouble {
        FailureKind::Refused => ("refuses the key", "Look at the key, and whether it may use this model."),
        FailureKind::Limited => ("has reached a limit", "Wait, or raise the limit at the provider."),
        FailureKind::ModelUnknown => {
            ("does not know this model", "Look at the model's name and the address.")
        }
        FailureKind::TooLong => {
            ("finds the request too long", "Ask about less, or use a model that reads more.")
        }
        FailureKind::Slow => ("took too long", "Ask again later."),
        FailureKind::Setting => ("sends elsewhere, which is not followed", "Use the address it leads to."),
        FailureKind::Broken => ("has trouble of its own", "Ask again later."),
        // llama-server with a chat model, when asked for embeddings.
        _ if low.contains("pooling type 'none'") => (
            "has no embeddings: the model is made for conversations",
            "Choose a model of embeddings, such as svc-text-embeddings.",
        ),
        _ => ("refuses the request", ""),
    };
    let waiting = wait.filter(|_| trouble == FailureKind::Limited);
    let stop = if said.is_empty() || said.ends_with(['.', '!', '?']) { "" } else { "." };
    let told = waiting.map(|wait| format!("{stop} Ask again in {} s.", wait.as_secs())).unwrap_or_default();
    Failure {
        retry_after: waiting,
        ..Failure::new(trouble, format!("{who} {happened} (status {code}).{said}{told}"), remedy)
    }
}

/// An error event within a stream.
pub(crate) fn within(who: &str, error: &Value) -> Failure {
    let words = words(error).map(|words| clean(&words, &[])).unwrap_or_default();
    let low = words.to_lowercase();
    let trouble = if low.contains("rate limit") || low.contains("throttl") || low.contains("quota") {
        FailureKind::Limited
    } else {
        FailureKind::Broken
    };
    let said = if words.is_empty() { String::new() } else { format!(" It says: {}", short(&words)) };
    Failure::new(trouble, format!("{who} stopped in the middle of its answer.{said}"), "Ask again.")
}

/// The message in a known error format.
fn words(body: &Value) -> Option<String> {
    // When streaming, Google wraps the object in a list.
    let body = body.get(0).unwrap_or(body);
    let error = &body["error"];
    let places = [
        // OpenAI, Azure OpenAI, Anthropic, Google, llama-server.
        &error["message"],
        // Google's sign-in; its `error` is a code.
        &body["error_description"],
        // Ollama, Hugging Face.
        error,
        // Amazon.
        &body["message"],
        &body["Message"],
        // Servers based on FastAPI, such as vLLM.
        &body["detail"],
    ];
    places.into_iter().find_map(Value::as_str).map(str::to_owned)
}

fn clean(words: &str, secrets: &[&str]) -> String {
    let mut words = words.to_owned();
    for secret in secrets.iter().filter(|secret| secret.len() >= 4) {
        words = words.replace(secret, "(key)");
    }
    let one_line: String = words.split_whitespace().map(without_key).collect::<Vec<_>>().join(" ");
    one_line.chars().filter(|letter| !letter.is_control()).collect()
}

/// Replaces a word that looks like a provider's key: it may be another person's.
fn without_key(word: &str) -> &str {
    let key = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    let is_key = key.len() >= SHORTEST_KEY && KEYS.iter().any(|start| key.starts_with(start));
    if is_key { "(key)" } else { word }
}

/// Shortens a message.
fn short(words: &str) -> String {
    if words.chars().count() <= LONGEST {
        return words.to_owned();
    }
    words.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// Seconds of `Retry-After`. Dates are ignored.
fn wait(header: Option<&str>) -> Option<Duration> {
    header?.trim().parse().ok().map(Duration::from_secs)
}

/// Google's `retryDelay`, such as `17s` or `1.5s`.
fn delay(body: &Value) -> Option<Duration> {
    let body = body.get(0).unwrap_or(body);
    let details = body["error"]["details"].as_array()?;
    let text = details.iter().find_map(|detail| detail["retryDelay"].as_str())?;
    let seconds: f64 = text.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds.ceil()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, retry: Option<&str>, body: &str) -> Failure {
        let status = StatusCode::from_u16(status).unwrap();
        of_status("It", status, retry, body.as_bytes(), &["sk-secret-1234"])
    }

    #[test]
    fn every_provider_is_told_in_its_own_words_without_the_key() {
        for (status, body, trouble, words) in [
            (
                401,
                r#"{"error":{"message":"Incorrect API key provided: sk-secret-1234."}}"#,
                FailureKind::Refused,
                "(key).",
            ),
            (403, r#"{"message":"The security token is invalid"}"#, FailureKind::Refused, "security token"),
            (400, r#"{"error":{"message":"API key not valid."}}"#, FailureKind::Refused, "not valid"),
            (
                404,
                r#"{"error":"model \"x\" not found, try pulling it first"}"#,
                FailureKind::ModelUnknown,
                "pulling",
            ),
            (
                400,
                r#"{"message":"The provided model identifier is invalid."}"#,
                FailureKind::ModelUnknown,
                "identifier",
            ),
            (
                400,
                r#"{"error":{"message":"This model's maximum context length is 8"}}"#,
                FailureKind::TooLong,
                "8",
            ),
            (500, "<html>oops</html>", FailureKind::Broken, "status 500"),
            (302, "", FailureKind::Setting, "not followed"),
            (422, r#"{"detail":"temperature"}"#, FailureKind::Rejected, "temperature"),
        ] {
            let failure = refused(status, None, body);
            assert_eq!(failure.trouble, trouble, "{body}");
            assert!(failure.message.contains(words), "{}", failure.message);
            assert!(!failure.message.contains("secret-1234"), "{}", failure.message);
        }
    }

    #[test]
    fn only_the_short_message_of_a_known_shape_is_quoted() {
        let unknown = [
            "<html><title>Router</title>admin</html>",
            "root:x:0:0:admin",
            r#""admin""#,
            r#"{"title":"admin","users":["admin"]}"#,
            r#"{"error":{"reason":"admin"}}"#,
            r#"["admin"]"#,
        ];
        for body in unknown {
            let failure = refused(500, None, body);
            assert_eq!(failure.message, "It has trouble of its own (status 500).", "{body}");
        }
        let long = format!(r#"{{"error":{{"message":"{}"}}}}"#, "long ".repeat(100));
        let message = refused(500, None, &long).message;
        let said = message.split_once("It says: ").map(|(_, said)| said.chars().count());
        assert_eq!(said, Some(LONGEST), "{message}");
        assert!(message.ends_with('…'), "{message}");
        let late = format!(r#"{{"error":{{"message":"{} maximum context"}}}}"#, "long ".repeat(100));
        assert_eq!(
            refused(400, None, &late).trouble,
            FailureKind::TooLong,
            "all of it tells the kind of trouble"
        );
    }

    #[test]
    fn keys_of_others_are_taken_out_too() {
        for key in ["sk-proj-0123456789abcdef", "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJIUzI1NiJ9.e30.x"] {
            let body =
                serde_json::json!({ "error": { "message": format!("the key '{key}' is old, use sk-…") } });
            let told = [refused(401, None, &body.to_string()), within("It", &body)];
            for failure in told {
                assert!(failure.message.contains("the key (key) is old, use sk-…"), "{failure}");
            }
        }
        assert_eq!(within("It", &serde_json::json!({})).message, "It stopped in the middle of its answer.");
    }

    /// The message of llama-server as of September 2026.
    #[test]
    fn a_model_of_conversations_that_is_asked_for_embeddings_is_told_so() {
        let body = r#"{"error":{"code":400,"message":"Pooling type 'none' is not OAI compatible. Please use a different pooling type","type":"invalid_request_error"}}"#;
        let failure = refused(400, None, body);
        assert!(failure.message.starts_with("It has no embeddings: the model is made for"), "{failure}");
        assert!(failure.remedy.contains("svc-text-embeddings"), "{}", failure.remedy);
        let long = r#"{"error":{"code":400,"message":"request (30009 tokens) exceeds the available context size (16384 tokens), try increasing it","type":"exceed_context_size_error"}}"#;
        assert_eq!(refused(400, None, long).trouble, FailureKind::TooLong);
    }

    #[test]
    fn a_limit_says_how_long_to_wait() {
        let by_header = refused(429, Some("30"), "{}");
        assert_eq!(by_header.retry_after, Some(Duration::from_secs(30)));
        assert!(by_header.message.ends_with("Ask again in 30 s."), "{}", by_header.message);
        let body = r#"[{"error":{"message":"quota","details":[{"@type":"x"},{"retryDelay":"16.2s"}]}}]"#;
        assert_eq!(refused(429, None, body).retry_after, Some(Duration::from_secs(17)));
        assert_eq!(refused(429, Some("Wed, 21 Oct 2026 07:28:00 GMT"), "").retry_after, None);
    }
}
