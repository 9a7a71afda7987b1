//! Datadog's webhook with the payload that its integration page suggests; numbers are strings.
//!
//! <https://docs.datadoghq.com/integrations/webhooks/>

use crate::alerts::fields::{fingerprint, has, owned, severity, text, time};
use crate::alerts::{Alert, AlertError, Message, Source, Subject};
use crate::record::EventStatus as Status;
use serde_json::Value;

const SOURCE: Source = Source::Datadog;

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    if !has(json, &["event_type", "last_updated", "org"]) {
        return None;
    }
    let Some(title) = owned(json, &["title"]) else {
        return Some(Err(AlertError::Lacks { source_name: SOURCE.title(), path: "title" }));
    };
    let kind = owned(json, &["alert", "alert_transition"]).or_else(|| bracketed(&title));
    let is_resolved =
        kind.as_deref().is_some_and(|kind| kind.starts_with("Recovered") || kind.starts_with("Resolved"));
    let rule = plain_title(&title);
    let stated_severity = priority(&title).or_else(|| owned(json, &["alert", "alert_type"]));
    let monitor = owned(json, &["alert", "alert_id"]);
    let key = owned(json, &["event", "aggreg_key"]);
    let fingerprint = match (&key, &monitor) {
        (Some(key), _) => fingerprint([key.as_str()]),
        (None, Some(monitor)) => fingerprint([
            monitor.as_str(),
            text(json, &["alert", "alert_scope"]).as_deref().unwrap_or_default(),
        ]),
        (None, None) => fingerprint([rule.as_str()]),
    };
    let at = time(json, &["date"]).or_else(|| time(json, &["last_updated"]));
    let labels = [
        ("event_type", &["event_type"][..]),
        ("monitor", &["alert", "alert_id"]),
        ("metric", &["alert", "alert_metric"]),
        ("query", &["alert", "alert_query"]),
        ("scope", &["alert", "alert_scope"]),
    ];
    let alert = Alert {
        fingerprint,
        title: rule.clone(),
        description: owned(json, &["body"]).map(|body| body.replace("%%%", "").trim().to_owned()),
        severity: stated_severity.as_deref().and_then(severity),
        stated_severity,
        status: if is_resolved { Status::Resolved } else { Status::Firing },
        stated_status: kind,
        starts_at: at,
        ends_at: at.filter(|_| is_resolved),
        cluster: owned(json, &["org", "name"]),
        subject: Subject {
            kind: "monitor".to_owned(),
            name: owned(json, &["alert", "alert_scope"]).or(monitor).unwrap_or_else(|| rule.clone()),
            namespace: None,
            node: None,
        },
        url: owned(json, &["event", "event_url"]),
        labels: labels
            .iter()
            .filter_map(|(name, path)| Some(((*name).to_owned(), owned(json, path)?)))
            .collect(),
        rule,
    };
    Some(Ok(Message { source: SOURCE, alerts: vec![alert] }))
}

/// The words in brackets at the beginning of a title: `[P2] [Triggered] CPU`.
fn brackets(title: &str) -> impl Iterator<Item = &str> {
    let mut rest = title.trim_start();
    std::iter::from_fn(move || {
        let inside = rest.strip_prefix('[')?;
        let (word, after) = inside.split_once(']')?;
        rest = after.trim_start();
        Some(word)
    })
}

/// The bracketed priority, P1 to P5.
fn priority(title: &str) -> Option<String> {
    brackets(title)
        .find(|word| word.len() == 2 && severity(word).is_some() && word.starts_with('P'))
        .map(str::to_owned)
}

/// The bracketed status: Triggered, Warn, Recovered …
fn bracketed(title: &str) -> Option<String> {
    brackets(title).find(|word| !word.is_empty() && !word.starts_with('P')).map(str::to_owned)
}

/// The title without the brackets before it.
fn plain_title(title: &str) -> String {
    let mut rest = title.trim();
    while let Some((_, after)) = rest.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
        rest = after.trim_start();
    }
    if rest.is_empty() { title.trim().to_owned() } else { rest.to_owned() }
}
