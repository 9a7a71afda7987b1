//! Connections of tasks: addresses with user name and password, stored as secrets of the service.
//!
//! Only the operator decides which addresses exist.

use crate::template::to_text;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use url::Url;

/// Kinds that need a connection, with the allowed URL schemes.
const SCHEMES: [(&str, &[&str]); 5] = [
    ("cicd.argocd.cli", &["https", "http"]),
    ("dbms.query", &["postgresql", "postgres", "mysql"]),
    ("dbms.redis.cli", &["redis", "rediss"]),
    ("integrations.ssh", &["ssh"]),
    ("mq.rabbitmqadmin.cli", &["https", "http"]),
];

/// Kinds whose optional `integration_id` names a secret.
const WITH_TOKEN: [&str; 2] = ["scm.github.cli", "scm.gitlab.cli"];

/// Whether tasks of that kind need a connection.
pub fn needs_connection(kind: &str) -> bool {
    SCHEMES.iter().any(|(known, _)| *known == kind)
}

/// Whether tasks of that kind use a token for a repository service.
pub(crate) fn takes_token(kind: &str) -> bool {
    WITH_TOKEN.contains(&kind)
}

/// The host a program of this kind connects to; `None` if it is unknown.
pub fn destination(kind: &str, params: &Value, secrets: &Map<String, Value>) -> Option<String> {
    if needs_connection(kind) {
        return connection(kind, params, secrets).ok()?.host_str().map(str::to_owned);
    }
    let public = match kind {
        "scm.github.cli" => "api.github.com",
        "scm.gitlab.cli" => "gitlab.com",
        _ => return None,
    };
    let own = secret(params, secrets).ok()?.and_then(|token| Url::parse(&token).ok());
    let own = own.filter(|url| matches!(url.scheme(), "https" | "http"));
    own.map_or_else(|| Some(public.to_owned()), |url| url.host_str().map(str::to_owned))
}

/// The name of an integration's secret: `prod-redis` gives `PROD_REDIS`.
pub fn secret_name(integration: &str) -> String {
    let letter =
        |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
    integration.trim().chars().map(letter).collect()
}

/// Adds the names of the secrets that tasks in a definition use through integrations.
pub fn named_by_integrations(definition: &Value, names: &mut BTreeSet<String>) {
    match definition {
        Value::Array(list) => list.iter().for_each(|one| named_by_integrations(one, names)),
        Value::Object(fields) => {
            let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
            let integration = fields.get("params").map(|params| to_text(&params["integration_id"]));
            if let Some(integration) = integration
                && (needs_connection(kind) || WITH_TOKEN.contains(&kind))
                && !integration.trim().is_empty()
                && !integration.contains("{{")
            {
                names.insert(secret_name(&integration));
            }
            fields.values().for_each(|one| named_by_integrations(one, names));
        }
        _ => {}
    }
}

/// The secret that the parameters refer to.
pub(super) fn secret(params: &Value, secrets: &Map<String, Value>) -> Result<Option<String>, String> {
    let given = to_text(&params["connection"]).trim().to_owned();
    let is_secret = |text: &str| secrets.values().any(|secret| secret.as_str().map(str::trim) == Some(text));
    if !given.is_empty() {
        if is_secret(&given) {
            return Ok(Some(given));
        }
        return Err("connection: expected a secret, such as {{ Secrets.NAME }}, so that no password stands in a definition or a history".to_owned());
    }
    let integration = to_text(&params["integration_id"]);
    if integration.trim().is_empty() {
        return Ok(None);
    }
    let name = secret_name(&integration);
    match secrets.get(&name).map(to_text) {
        Some(secret) if !secret.is_empty() => Ok(Some(secret.trim().to_owned())),
        _ => Err(format!(
            "there is no connection \"{integration}\": set SECRET_{name} in the environment of the service to its address"
        )),
    }
}

/// The connection of a task.
pub(super) fn connection(kind: &str, params: &Value, secrets: &Map<String, Value>) -> Result<Url, String> {
    let schemes = SCHEMES.iter().find(|(known, _)| *known == kind).map_or(&[][..], |(_, schemes)| schemes);
    let secret = secret(params, secrets)?.ok_or_else(|| {
        "connection: expected a secret with the address, such as {{ Secrets.NAME }}, or integration_id"
            .to_owned()
    })?;
    // The text is secret: no message may contain it.
    let wrong = || format!("the connection is not a URL such as {}://name:password@host", schemes[0]);
    let url = Url::parse(&secret).map_err(|_| wrong())?;
    if !schemes.contains(&url.scheme()) {
        return Err(format!(
            "the connection begins with {}: expected {}",
            url.scheme(),
            schemes.join(" or ")
        ));
    }
    let host = url.host_str().unwrap_or_default();
    let is_host = host.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '[')
        && host.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-_:[]".contains(letter));
    if is_host { Ok(url) } else { Err(wrong()) }
}

/// A percent-decoded part of a URL.
pub(super) fn decoded(part: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        match (byte, digit(ahead.next()), digit(ahead.next())) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(u8::try_from(high * 16 + low).unwrap_or_default());
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(super) fn user(url: &Url) -> String {
    decoded(url.username())
}

pub(super) fn password(url: &Url) -> String {
    decoded(url.password().unwrap_or_default())
}

/// The host without the brackets of IPv6.
pub(super) fn host(url: &Url) -> String {
    url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned()
}

/// The path, such as the name of a database.
pub(super) fn path(url: &Url) -> String {
    decoded(url.path().trim_matches('/'))
}

/// Adds the passwords in secrets that are URLs, to mask them on their own too.
pub fn with_passwords(secrets: &mut Map<String, Value>) {
    let found: Vec<(String, Value)> = secrets
        .iter()
        .filter_map(|(name, secret)| {
            let url = Url::parse(secret.as_str()?.trim()).ok()?;
            let (written, plain) = (url.password()?.to_owned(), password(&url));
            Some([(format!("{name} (password)"), plain), (format!("{name} (password in it)"), written)])
        })
        .flatten()
        .filter(|(_, password)| !password.is_empty())
        .map(|(name, password)| (name, password.into()))
        .collect();
    secrets.extend(found);
}

#[cfg(test)]
mod tests {
    use super::{connection, decoded, named_by_integrations, password, with_passwords};
    use serde_json::{Map, Value, json};
    use std::collections::BTreeSet;

    fn secrets() -> Map<String, Value> {
        Map::from_iter([("PROD_REDIS".to_owned(), json!("redis://:p%40ss-word@cache.example:6380/2"))])
    }

    #[test]
    fn an_integration_is_a_secret_of_the_service() {
        let definition = json!({ "tasks": [
            { "id": "a", "type": "dbms.redis.cli", "params": { "integration_id": "prod-redis" } },
            { "id": "b", "type": "core.group", "params": { "tasks": [
                { "id": "c", "type": "scm.github.cli", "params": { "integration_id": "6f1e-x" } },
                { "id": "d", "type": "tickets.create", "params": { "integration_id": "jira" } },
            ] } },
        ] });
        let mut names = BTreeSet::new();
        named_by_integrations(&definition, &mut names);
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["6F1E_X", "PROD_REDIS"]);
        let url =
            connection("dbms.redis.cli", &json!({ "integration_id": "prod-redis" }), &secrets()).unwrap();
        assert_eq!((url.host_str(), password(&url).as_str()), (Some("cache.example"), "p@ss-word"));
    }

    #[test]
    fn what_is_no_secret_is_no_connection() {
        for (params, expected) in [
            (json!({ "connection": "redis://127.0.0.1" }), "connection: expected a secret"),
            (json!({}), "connection: expected a secret with the address"),
            (json!({ "integration_id": "other" }), "there is no connection \"other\": set SECRET_OTHER"),
        ] {
            let reason = connection("dbms.redis.cli", &params, &secrets()).unwrap_err();
            assert!(reason.starts_with(expected), "{reason}");
        }
        let given = json!({ "integration_id": "prod-redis" });
        let reason = connection("dbms.query", &given, &secrets()).unwrap_err();
        assert_eq!(reason, "the connection begins with redis: expected postgresql or postgres or mysql");
        let odd = Map::from_iter([("X".to_owned(), json!("redis://-oProxyCommand=id/0"))]);
        assert!(connection("dbms.redis.cli", &json!({ "integration_id": "x" }), &odd).is_err());
    }

    #[test]
    fn passwords_inside_addresses_are_secrets_of_their_own() {
        let mut all = secrets();
        with_passwords(&mut all);
        let values: Vec<&str> = all.values().filter_map(Value::as_str).collect();
        assert!(values.contains(&"p@ss-word") && values.contains(&"p%40ss-word"));
        assert_eq!(decoded("100%"), "100%");
    }
}
