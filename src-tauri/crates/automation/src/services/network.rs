//! `network.*`: network checks described by tasks, and the parsing of their results.
//!
//! Start at [`NetworkCheck::read`]. The caller resolves names and applies the egress policy to the addresses; nothing here connects.

pub mod names;
pub mod ntp;
pub mod routes;
pub mod whois;

use crate::call::{Call, TaskFailure};
use crate::duration;
use crate::params::wrong;
use crate::template::to_text;
use names::RecordKind;
use serde::Serialize;
use serde_json::Value;

/// A network check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkCheck {
    pub question: NetworkCheckKind,
    /// For the whole check, µs.
    pub timeout: i64,
}

/// A host with a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    pub host: String,
    pub port: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetworkCheckKind {
    /// `server`: the name server to query; the machine's by default.
    Dns {
        domain: String,
        record: RecordKind,
        server: Option<Endpoint>,
    },
    /// `message`: sent after connecting. `reading`: how long to wait for an answer, µs.
    Tcp {
        at: Endpoint,
        message: String,
        reading: Option<i64>,
    },
    Tls {
        at: Endpoint,
    },
    Ping {
        host: String,
        count: u8,
    },
    Traceroute {
        host: String,
        hops: u8,
    },
    Whois {
        domain: String,
        server: Option<Endpoint>,
    },
    Ntp {
        at: Endpoint,
    },
}

/// The output of `network.tcp`.
#[derive(Debug, Serialize)]
pub struct TcpAnswer {
    pub host: String,
    pub port: String,
    pub reachable: bool,
    pub response: String,
    pub error: String,
}

/// The output of `network.ssl`.
#[derive(Debug, Serialize)]
pub struct TlsAnswer {
    /// Common name.
    pub subject: String,
    pub issuer: String,
    pub not_before: String,
    pub not_after: String,
    pub dns_names: Vec<String>,
    /// Whether the current time is within its validity; nothing else is checked.
    pub valid: bool,
    /// Whole days until it expires; negative afterwards.
    pub days_left: i64,
    /// Whether this service would trust it for that host.
    pub trusted: bool,
    /// Why it is not trusted.
    pub error: String,
}

const SECOND: i64 = 1_000_000;
const LONGEST_MESSAGE: usize = 64 * 1024;

/// Whether a kind is a network check.
pub fn is_one(kind: &str) -> bool {
    kind.starts_with("network.")
}

/// The program that a kind needs; `None` for kinds that connect directly.
pub fn program(kind: &str) -> Option<&'static str> {
    match kind {
        "network.ping" => Some("ping"),
        "network.traceroute" => Some("traceroute"),
        _ => None,
    }
}

impl NetworkCheck {
    /// Reads a call with rendered parameters.
    pub fn read(call: &Call) -> Result<Self, TaskFailure> {
        let params = &call.params;
        let timeout = |most: i64, otherwise: i64| -> Result<i64, TaskFailure> {
            let span = span(params, "timeout")?.unwrap_or(otherwise);
            Ok(span.min(most).min(call.timeout))
        };
        let (question, timeout) = match call.kind.as_str() {
            "network.dns" => {
                let question = NetworkCheckKind::Dns {
                    domain: host(params, "domain")?,
                    record: RecordKind::read(&to_text(&params["type"]))?,
                    server: server(params, 53)?,
                };
                (question, timeout(60 * SECOND, 10 * SECOND)?)
            }
            "network.tcp" => {
                let message = to_text(&params["message"]);
                if message.len() > LONGEST_MESSAGE {
                    return Err(wrong(format!("message: expected {LONGEST_MESSAGE} bytes at most")));
                }
                let reading = span(params, "read_timeout")?.map(|span| span.min(60 * SECOND));
                let at = Endpoint { host: host(params, "host")?, port: port(params, None)? };
                let limit = timeout(60 * SECOND, 5 * SECOND)?;
                let reading = reading.or_else(|| (!message.is_empty()).then_some(limit));
                (NetworkCheckKind::Tcp { at, message, reading }, limit)
            }
            "network.ssl" => {
                let at = Endpoint { host: host(params, "host")?, port: port(params, Some(443))? };
                (NetworkCheckKind::Tls { at }, timeout(60 * SECOND, 10 * SECOND)?)
            }
            "network.ping" => {
                let count = count(params, "count", 3, 30)?;
                (
                    NetworkCheckKind::Ping { host: host(params, "host")?, count },
                    call.timeout.min(120 * SECOND),
                )
            }
            "network.traceroute" => {
                let hops = count(params, "max_hops", 30, 60)?;
                let host = host(params, "host")?;
                (NetworkCheckKind::Traceroute { host, hops }, call.timeout.min(180 * SECOND))
            }
            "network.whois" => {
                let domain = host(params, "domain")?;
                (
                    NetworkCheckKind::Whois { domain, server: server(params, 43)? },
                    timeout(60 * SECOND, 30 * SECOND)?,
                )
            }
            "network.ntp" => {
                let given = !to_text(&params["host"]).trim().is_empty();
                let host = if given { host(params, "host")? } else { "pool.ntp.org".to_owned() };
                let at = Endpoint { host, port: port(params, Some(123))? };
                (NetworkCheckKind::Ntp { at }, timeout(30 * SECOND, 5 * SECOND)?)
            }
            other => return Err(wrong(format!("{other} looks at nothing on the network"))),
        };
        Ok(Self { question, timeout })
    }

    /// Describes the check.
    pub fn told(&self) -> String {
        match &self.question {
            NetworkCheckKind::Dns { domain, record, server } => {
                let by = server.as_ref().map(|server| format!(" at {}:{}", server.host, server.port));
                format!("Look up {} of {domain}{}", record.name(), by.unwrap_or_default())
            }
            NetworkCheckKind::Tcp { at, message, .. } => {
                let sent =
                    if message.is_empty() { String::new() } else { format!(" and send:\n\n{message}") };
                format!("Connect to {}:{}{sent}", at.host, at.port)
            }
            NetworkCheckKind::Tls { at } => format!("Look at the certificate of {}:{}", at.host, at.port),
            NetworkCheckKind::Ping { host, count } => format!("Send {count} pings to {host}"),
            NetworkCheckKind::Traceroute { host, hops } => {
                format!("Trace the route to {host}, {hops} hops at most")
            }
            NetworkCheckKind::Whois { domain, server } => {
                let by = server.as_ref().map_or("whois.iana.org", |server| server.host.as_str());
                format!("Ask {by} for the registration of {domain}")
            }
            NetworkCheckKind::Ntp { at } => format!("Compare the clock with {}:{}", at.host, at.port),
        }
    }
}

/// A host name or address: cannot be mistaken for an option, and contains no line break for line-based protocols.
fn host(params: &Value, name: &str) -> Result<String, TaskFailure> {
    let text = to_text(&params[name]).trim().trim_matches(['[', ']']).to_owned();
    let is_host = text.len() <= 253
        && text.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == ':' || letter == '_')
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || ".:-_".contains(letter));
    if is_host {
        Ok(text)
    } else {
        Err(wrong(format!("{name}: expected a host name or an address, found \"{text}\"")))
    }
}

fn port(params: &Value, otherwise: Option<u16>) -> Result<u16, TaskFailure> {
    let text = to_text(&params["port"]);
    match (text.trim(), otherwise) {
        ("", Some(port)) => Ok(port),
        (text, _) => text
            .parse()
            .ok()
            .filter(|port| *port > 0)
            .ok_or_else(|| wrong(format!("port: expected 1 to 65535, found \"{text}\""))),
    }
}

/// `server`: a host, with or without a port.
fn server(params: &Value, usual: u16) -> Result<Option<Endpoint>, TaskFailure> {
    let text = to_text(&params["server"]).trim().to_owned();
    if text.is_empty() {
        return Ok(None);
    }
    let (name, port) = match text.rsplit_once(':') {
        // A port can follow an IPv6 address only after its bracket.
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => (
            name,
            port.parse()
                .map_err(|_| wrong(format!("server: expected a port behind {name}, found \"{port}\"")))?,
        ),
        _ => (text.as_str(), usual),
    };
    Ok(Some(Endpoint { host: host(&serde_json::json!({ "server": name }), "server")?, port }))
}

fn count(params: &Value, name: &str, otherwise: u8, most: u8) -> Result<u8, TaskFailure> {
    let text = to_text(&params[name]);
    if text.trim().is_empty() {
        return Ok(otherwise);
    }
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let number = number.ok_or_else(|| wrong(format!("{name}: expected a number, found \"{text}\"")))?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 1 and 60")]
    let number = number.clamp(1.0, f64::from(most)) as u8;
    Ok(number)
}

fn span(params: &Value, name: &str) -> Result<Option<i64>, TaskFailure> {
    let text = to_text(&params[name]);
    if text.trim().is_empty() {
        return Ok(None);
    }
    let span = duration::parse(text.trim()).or_else(|| duration::parse(&format!("{}s", text.trim())));
    let span = span.filter(|span| *span > 0);
    span.map(Some).ok_or_else(|| wrong(format!("{name}: expected a span such as 5s, found \"{text}\"")))
}

#[cfg(test)]
mod tests {
    use super::NetworkCheck;
    use crate::call::Call;
    use serde_json::{Value, json};

    fn read(kind: &str, params: Value) -> Result<NetworkCheck, String> {
        let call = Call {
            path: "look".to_owned(),
            task_id: "look".to_owned(),
            kind: format!("network.{kind}"),
            attempt: 1,
            secrets: std::collections::BTreeSet::new(),
            params,
            timeout: 600_000_000,
        };
        NetworkCheck::read(&call).map_err(|failure| failure.message)
    }

    #[test]
    fn a_check_says_what_it_looks_at() {
        for (kind, params, expected, seconds) in [
            ("dns", json!({ "domain": "a.example" }), "Look up A of a.example", 10),
            (
                "dns",
                json!({ "domain": "a.example", "type": "mx", "server": "9.9.9.9" }),
                "Look up MX of a.example at 9.9.9.9:53",
                10,
            ),
            ("tcp", json!({ "host": "a.example", "port": 5432 }), "Connect to a.example:5432", 5),
            (
                "tcp",
                json!({ "host": "a", "port": "25", "message": "hi", "timeout": "5m" }),
                "Connect to a:25 and send:\n\nhi",
                60,
            ),
            ("ssl", json!({ "host": "a.example" }), "Look at the certificate of a.example:443", 10),
            ("ping", json!({ "host": "a", "count": 99 }), "Send 30 pings to a", 120),
            ("traceroute", json!({ "host": "::1" }), "Trace the route to ::1, 30 hops at most", 180),
            ("whois", json!({ "domain": "a.org" }), "Ask whois.iana.org for the registration of a.org", 30),
            ("ntp", json!({}), "Compare the clock with pool.ntp.org:123", 5),
        ] {
            let check = read(kind, params).unwrap();
            assert_eq!((check.told().as_str(), check.timeout / 1_000_000), (expected, seconds));
        }
    }

    #[test]
    fn what_cannot_be_looked_at_says_why() {
        for (kind, params, expected) in [
            ("ping", json!({ "host": "-f" }), "host: expected a host name"),
            ("whois", json!({ "domain": "a\r\nb" }), "domain: expected a host name"),
            ("traceroute", json!({}), "host: expected a host name"),
            ("tcp", json!({ "host": "a" }), "port: expected 1 to 65535"),
            ("tcp", json!({ "host": "a", "port": 70_000 }), "port: expected 1 to 65535"),
            ("ntp", json!({ "timeout": "soon" }), "timeout: expected a span"),
            ("dns", json!({ "domain": "a", "type": "SRV" }), "type: expected A"),
            ("dns", json!({ "domain": "a", "server": "b:x" }), "server: expected a port"),
            ("ping", json!({ "host": "a", "count": "many" }), "count: expected a number"),
        ] {
            let reason = read(kind, params).unwrap_err();
            assert!(reason.starts_with(expected), "{reason}");
        }
    }
}
